add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                    -Wimplicit-fallthrough -Werror -fno-omit-frame-pointer)

# GCC 12 sees overlaps in std::string that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-restrict)
    # Where files are compiled together, GCC takes what is in an unnamed namespace for shared.
    if(SLUICE_TOGETHER)
        add_compile_options(-Wno-subobject-linkage)
    endif()
else()
    # libstdc++ 12 uses what it deprecates itself, in std::stable_sort.
    add_compile_options(-Wno-deprecated-declarations)
endif()
# -g1: enough for a stack trace with names and lines. It goes into sluice.debug, beside the program.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -g1")

# What runs before customers makes memory errors hard to use: a damaged stack or an index out of range ends the
# process, addresses are random, and what the loader has resolved is read-only. tests/integration/test_hardening.py
# asks the program itself whether it is so.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT SLUICE_SANITIZE)
    add_compile_options(-fPIE -fstack-protector-strong -fstack-clash-protection)
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
    add_link_options(-pie -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--build-id)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        add_compile_options(-fcf-protection=full)
        # The linker would mark the program only if the C library's start-up files were marked. They move no stacks.
        add_link_options(-Wl,-z,shstk)
    endif()
    # Some distributions define their own level, which would be defined twice.
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()

if(SLUICE_SANITIZE)
    # Unoptimised because that builds fastest; a fuzzer, though, lives on speed.
    set(optimise -O0)
    if(SLUICE_SANITIZE MATCHES "fuzzer")
        set(optimise -O1)
    endif()
    add_compile_options(-fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=all ${optimise} -g1)
    if(SLUICE_SANITIZE MATCHES "undefined")
        # These four check every use of a pointer, which takes a third of the build's time. The address sanitizer
        # stops at a null pointer too, and x86 and ARM read what is not aligned.
        add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
    endif()
    add_link_options(-fsanitize=${SLUICE_SANITIZE})
    if(SLUICE_SANITIZE STREQUAL "thread")
        add_compile_options(-Wno-tsan)  # Asio's fences are covered by its own atomics
    endif()
endif()

# Paths below the source folder count as relative, so that all clones and worktrees share what is compiled.
find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
        CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

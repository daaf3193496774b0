add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                    -Wimplicit-fallthrough -Werror -fno-omit-frame-pointer)

# GCC 12 sees overlaps in std::string that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-restrict)
else()
    # libstdc++ 12 uses what it deprecates itself, in std::stable_sort.
    add_compile_options(-Wno-deprecated-declarations)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

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

find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# Files that the program carries inside itself, kept as files in the tree.

# sluice_embed_sql(TARGET HEADER NAMESPACE FILE...): each statement of the files, introduced by a
# line "-- name: x", becomes the constant NAMESPACE::x.
function(sluice_embed_sql target header namespace)
    sluice_embed(${target} ${header} ${namespace} statements ${ARGN})
endfunction()

# sluice_embed_overrides(TARGET HEADER NAMESPACE FILE...): the table NAMESPACE::overrides of (statement of the
# ledgers, text in another dialect), from files in the same form. An engine looks a text up there before
# it prepares it. A name that is no statement of adapters/sql/statements.hpp does not compile.
function(sluice_embed_overrides target header namespace)
    sluice_embed(${target} ${header} ${namespace} overrides ${ARGN})
endfunction()

# sluice_embed_files(TARGET HEADER NAMESPACE FILE...): a table of (file name, contents).
function(sluice_embed_files target header namespace)
    sluice_embed(${target} ${header} ${namespace} files ${ARGN})
endfunction()

function(sluice_embed target header namespace form)
    set(output ${CMAKE_BINARY_DIR}/generated/${header})
    set(script ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]" OUTPUT_VARIABLE files)
    list(JOIN files "," joined)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${namespace} -DFORM=${form}
                -DFILES=${joined} -P ${script}
        DEPENDS ${files} ${script}
        COMMENT "Embedding ${header}")
    target_sources(${target} PRIVATE ${output})
    target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()

# The commands as a user types them.
if(TEMPORALOT_PROGRAM AND "reward" IN_LIST TEMPORALOT_STATIONS)
  set(label_arguments --program $<TARGET_FILE:temporalot>)
  # sanitizers replace the allocator and distort memory use
  if(NOT TEMPORALOT_SANITIZE)
    add_library(failing_malloc MODULE ${CMAKE_SOURCE_DIR}/tests/cli/failing_malloc.c)
    target_compile_options(failing_malloc PRIVATE -fno-builtin)
    target_compile_definitions(failing_malloc PRIVATE _GNU_SOURCE)
    target_link_libraries(failing_malloc PRIVATE ${CMAKE_DL_LIBS})
    list(APPEND label_arguments --preload $<TARGET_FILE:failing_malloc>)
  endif()
  add_test(NAME cli/label
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/label.py ${label_arguments})
  set_tests_properties(cli/label PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()

# The commands that encode pictures, as a user types them.
if(TEMPORALOT_PROGRAM AND "encoder" IN_LIST TEMPORALOT_STATIONS)
  set(encode_arguments --program $<TARGET_FILE:temporalot>)
  if(TEMPORALOT_SANITIZE)
    list(APPEND encode_arguments --sanitized)
  endif()
  add_test(NAME cli/encode_commands
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/encode_commands.py ${encode_arguments})
  set_tests_properties(cli/encode_commands PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1800)
endif()

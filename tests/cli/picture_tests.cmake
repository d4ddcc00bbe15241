# The commands that draw, as a user types them.
if(TEMPORALOT_PROGRAM AND "picture" IN_LIST TEMPORALOT_STATIONS)
  set(picture_arguments --program $<TARGET_FILE:temporalot>)
  if(TEMPORALOT_SANITIZE)
    list(APPEND picture_arguments --sanitized)
  endif()
  add_test(NAME cli/picture_commands
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/picture_commands.py ${picture_arguments})
  set_tests_properties(cli/picture_commands PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()

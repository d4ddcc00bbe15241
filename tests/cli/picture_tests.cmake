# The commands that draw, as a user types them.
if(TEMPORALOT_PROGRAM AND "picture" IN_LIST TEMPORALOT_STATIONS)
  add_test(NAME cli/picture_commands
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/picture_commands.py --program $<TARGET_FILE:temporalot>)
  set_tests_properties(cli/picture_commands PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()

# The program at a terminal: help, short options, mistakes, completion, lines that fit the window.
if(TEMPORALOT_PROGRAM AND "study" IN_LIST TEMPORALOT_STATIONS AND NOT TEMPORALOT_SANITIZE)
  add_test(NAME cli/terminal_commands
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/terminal_commands.py --program $<TARGET_FILE:temporalot>)
  set_tests_properties(cli/terminal_commands PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
if(TEMPORALOT_PROGRAM AND "study" IN_LIST TEMPORALOT_STATIONS AND NOT TEMPORALOT_SANITIZE)
  add_test(NAME cli/video_commands
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/video_commands.py --program $<TARGET_FILE:temporalot>)
  set_tests_properties(cli/video_commands PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()

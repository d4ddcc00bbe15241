# The command `probe`, as a user types it.
if(TEMPORALOT_PROGRAM AND "study" IN_LIST TEMPORALOT_STATIONS)
  set(probe_tests)
  if(TEMPORALOT_SANITIZE)
    set(probe_tests test_refusals)
  endif()
  add_test(NAME cli/probe_commands
    COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/cli/probe_commands.py
      --program $<TARGET_FILE:temporalot> ${probe_tests})
  set_tests_properties(cli/probe_commands PROPERTIES TIMEOUT 900)
endif()

# The command `report --diagnose`, as a user types it.
if(TEMPORALOT_PROGRAM AND "study" IN_LIST TEMPORALOT_STATIONS)
  add_test(NAME cli/diagnose_commands
    COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/cli/diagnose_commands.py
      --program $<TARGET_FILE:temporalot>)
  set_tests_properties(cli/diagnose_commands PROPERTIES TIMEOUT 900)
endif()

# The commands that run worlds, as a user types them.
if(TEMPORALOT_PROGRAM AND "demo" IN_LIST TEMPORALOT_STATIONS)
  set(world_arguments --program $<TARGET_FILE:temporalot>)
  if(TEMPORALOT_SANITIZE)
    list(APPEND world_arguments --sanitized)
  endif()
  add_test(NAME cli/world_commands
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/world_commands.py ${world_arguments})
  set_tests_properties(cli/world_commands PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()

# The program compared with the double-precision reference in Python.
if(TEMPORALOT_PROGRAM AND "reward" IN_LIST TEMPORALOT_STATIONS)
  # with sanitizers, which are slow, only the groups that cover different code paths
  set(grid_groups)
  if(TEMPORALOT_SANITIZE)
    set(grid_groups lengths large stopping zero_frames method_options brute_force)
  endif()
  add_test(NAME reward/grid
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/reward/grid.py $<TARGET_FILE:temporalot> ${grid_groups})
  set_tests_properties(reward/grid PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()

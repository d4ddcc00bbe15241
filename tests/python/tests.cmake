# The Python package: packed, installed into a separate folder, tested there. Skipped (77) if the peers have no
# pytest.
if(NOT TEMPORALOT_SANITIZE AND TEMPORALOT_PROGRAM)
  set(peers $ENV{TEMPORALOT_PEERS})
  if(NOT peers)
    set(peers ${CMAKE_SOURCE_DIR}/build/peers)
  endif()
  add_test(NAME python/pytest COMMAND ${CMAKE_SOURCE_DIR}/scripts/pytest ${CMAKE_BINARY_DIR} ${peers})
  set_tests_properties(python/pytest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()

# The commands that encode pictures, with an ONNX network.
if(TEMPORALOT_PROGRAM AND "train" IN_LIST TEMPORALOT_STATIONS)
  set(onnx_arguments --program $<TARGET_FILE:temporalot>)
  if(TEMPORALOT_SANITIZE)
    list(APPEND onnx_arguments --sanitized)
  endif()
  add_test(NAME cli/onnx_commands
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/cli/onnx_commands.py ${onnx_arguments})
  set_tests_properties(cli/onnx_commands PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
endif()

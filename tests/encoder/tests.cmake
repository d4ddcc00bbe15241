# The station `encoder`: the tool that compares int8 with f32 is built here, and run by hand.
if(NOT "encoder" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

if("picture" IN_LIST TEMPORALOT_STATIONS AND "reward" IN_LIST TEMPORALOT_STATIONS)
  add_executable(encoder_int8_tool ${CMAKE_CURRENT_LIST_DIR}/int8_tool.c)
  target_include_directories(encoder_int8_tool PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(encoder_int8_tool PRIVATE temporalot_static temporalot_options
    PkgConfig::CMOCKA m)
  set_target_properties(encoder_int8_tool PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
endif()

# comparison with PyTorch, if the peers have it
if(TEMPORALOT_PROGRAM AND NOT TEMPORALOT_SANITIZE)
  add_test(NAME encoder/onnx_parity
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_SOURCE_DIR}/tests/encoder/onnx_parity.py --program $<TARGET_FILE:temporalot>)
  set_tests_properties(encoder/onnx_parity PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()

# The station `encoder`: the tool that compares int8 with f32 is built, and run by hand.
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

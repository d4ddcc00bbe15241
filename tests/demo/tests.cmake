# The station `demo`: the tool used by scripts/experts.
if(NOT "demo" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

add_executable(demo_rates_tool ${CMAKE_CURRENT_LIST_DIR}/rates_tool.c)
target_include_directories(demo_rates_tool PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(demo_rates_tool PRIVATE temporalot_static temporalot_options)
set_target_properties(demo_rates_tool PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)

# The station `world`: wrong MuJoCo libraries, and the comparison with Meta-world's Python package.
if(NOT "world" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

foreach(kind IN ITEMS old:329 empty:330)
  string(REPLACE ":" ";" parts ${kind})
  list(GET parts 0 name)
  list(GET parts 1 version)
  add_library(world_${name}_mujoco SHARED ${CMAKE_CURRENT_LIST_DIR}/old_mujoco.c)
  target_compile_definitions(world_${name}_mujoco PRIVATE VERSION=${version})
  set_target_properties(world_${name}_mujoco PROPERTIES
    OUTPUT_NAME mujoco SUFFIX .so.3.3.0
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}_mujoco)
  string(TOUPPER ${name} upper)
  target_compile_definitions(world_missing_test PRIVATE
    TEST_${upper}_MUJOCO="${CMAKE_CURRENT_BINARY_DIR}/${name}_mujoco")
  add_dependencies(world_missing_test world_${name}_mujoco)
endforeach()

add_executable(world_parity_tool ${CMAKE_CURRENT_LIST_DIR}/parity_tool.c)
target_link_libraries(world_parity_tool PRIVATE temporalot_static temporalot_options)
set_target_properties(world_parity_tool PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)

# One test per task, so that they run in parallel; skipped (77) if the peers are not installed. Only a few
# draws and episodes each: `make parity` runs 20 of each.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/src/world/tasks.h)
file(READ ${CMAKE_SOURCE_DIR}/src/world/tasks.h table)
string(REGEX MATCHALL "    X\\([a-z_]+\\)" rows "${table}")
# with sanitizers, one episode of the expert is as good as two
set(parity_amount 2 2)
if(TEMPORALOT_SANITIZE)
  set(parity_amount 2 1)
endif()
foreach(row IN LISTS rows)
  string(REGEX REPLACE "    X\\(([a-z_]+)\\)" "\\1" task "${row}")
  string(REPLACE "_" "-" task ${task})
  add_test(NAME world/parity/${task}
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_CURRENT_LIST_DIR}/parity.py
      $<TARGET_FILE:world_parity_tool> ${task} ${parity_amount})
  set_tests_properties(world/parity/${task} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endforeach()

add_test(NAME world/parity/goals
  COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
    ${CMAKE_CURRENT_LIST_DIR}/goals.py $<TARGET_FILE:world_parity_tool>)
set_tests_properties(world/parity/goals PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)

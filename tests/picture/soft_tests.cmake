# The software renderer compared with MuJoCo's OpenGL, one test per task; skipped (77) without the peers or
# OpenGL.
if(NOT "picture" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

add_executable(picture_soft_tool ${CMAKE_CURRENT_LIST_DIR}/soft_tool.c)
target_include_directories(picture_soft_tool PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_include_directories(picture_soft_tool SYSTEM PRIVATE ${TEMPORALOT_THIRD_PARTY}/mujoco/include)
target_link_libraries(picture_soft_tool PRIVATE temporalot_static temporalot_options)
set_target_properties(picture_soft_tool PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)

set(soft_tasks basketball button-press-topdown door-lock door-open door-unlock hand-insert
  lever-pull push stick-push window-open)
if(TEMPORALOT_SANITIZE)
  set(soft_tasks door-open)
endif()
foreach(task IN LISTS soft_tasks)
  add_test(NAME picture/soft_parity/${task}
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_CURRENT_LIST_DIR}/soft_parity.py $<TARGET_FILE:picture_soft_tool> ${task}
      ${TEMPORALOT_THIRD_PARTY}/metaworld/assets ${CMAKE_CURRENT_BINARY_DIR}/soft_parity)
  set_tests_properties(picture/soft_parity/${task} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endforeach()
set_tests_properties(picture/soft PROPERTIES TIMEOUT 1500)

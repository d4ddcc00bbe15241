# Demonstrations bent to the goal, compared with the same rule on Meta-world's Python package.
if(NOT "study" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

add_executable(study_bent_tool ${CMAKE_CURRENT_LIST_DIR}/bent_tool.c)
target_include_directories(study_bent_tool PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(study_bent_tool PRIVATE temporalot_static temporalot_options)
set_target_properties(study_bent_tool PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)

set(bent_amount)
if(TEMPORALOT_SANITIZE)
  set(bent_amount 1 2)
endif()
foreach(task IN ITEMS basketball button-press-topdown door-open stick-push window-open)
  add_test(NAME study/bent/${task}
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_CURRENT_LIST_DIR}/bent.py $<TARGET_FILE:study_bent_tool> ${task} ${bent_amount})
  set_tests_properties(study/bent/${task} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endforeach()

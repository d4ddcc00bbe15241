# The station `picture`: MuJoCo's Python renderer compared with ours, and missing libraries.
if(NOT "picture" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

set(leaks "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/lsan.supp")
set(races "TSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/tsan.supp")
set_tests_properties(picture/arm picture/gl picture/scenes picture/crop PROPERTIES
  SKIP_RETURN_CODE 77 ENVIRONMENT "${leaks};${races}")
# the other list does not work with libraries that are unloaded, as some are here
set(races "TSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/missing_tsan.supp")
set_tests_properties(picture/missing PROPERTIES ENVIRONMENT "${leaks};${races}")
# OpenGL is looked up through the test's __wrap_dlopen, which hides libraries
target_link_options(picture_missing_test PRIVATE -Wl,--wrap=dlopen)

# gl_parity_tool renders for gl_parity.py, tasks_tool makes docs/tasks.png and docs/world.png
foreach(tool IN ITEMS gl_parity_tool tasks_tool)
  add_executable(picture_${tool} ${CMAKE_CURRENT_LIST_DIR}/${tool}.c)
  target_link_libraries(picture_${tool} PRIVATE temporalot_static temporalot_options)
  set_target_properties(picture_${tool} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
endforeach()

# one test per task, so that they run in parallel; skipped (77) without the peers or OpenGL; with sanitizers,
# where a picture takes ten times as long, only one of them
set(picture_tasks basketball button-press-topdown door-lock door-open door-unlock hand-insert
  lever-pull push stick-push window-open)
if(TEMPORALOT_SANITIZE)
  set(picture_tasks door-open)
endif()
foreach(task IN LISTS picture_tasks)
  add_test(NAME picture/gl_parity/${task}
    COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
      ${CMAKE_CURRENT_LIST_DIR}/gl_parity.py $<TARGET_FILE:picture_gl_parity_tool> ${task} egl)
  set_tests_properties(picture/gl_parity/${task} PROPERTIES
    SKIP_RETURN_CODE 77 TIMEOUT 900 ENVIRONMENT "${leaks}")
endforeach()
add_test(NAME picture/gl_parity/osmesa
  COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
    ${CMAKE_CURRENT_LIST_DIR}/gl_parity.py $<TARGET_FILE:picture_gl_parity_tool> door-open osmesa)
set_tests_properties(picture/gl_parity/osmesa PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 900 ENVIRONMENT "${leaks}")

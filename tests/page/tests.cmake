# The sample page, and its test in a real browser (skipped without Chromium or Python).
if(page IN_LIST TEMPORALOT_STATIONS)
  add_executable(page_sample ${CMAKE_CURRENT_LIST_DIR}/sample_tool.c)
  target_link_libraries(page_sample PRIVATE temporalot_static temporalot_options m)
  set_target_properties(page_sample PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
  find_package(Python3 COMPONENTS Interpreter)
  if(TEMPORALOT_SANITIZE)
    # only made here: the browser test runs in the release build
    add_test(NAME page/sample COMMAND page_sample ${CMAKE_CURRENT_BINARY_DIR}/sample.html
      ${CMAKE_CURRENT_BINARY_DIR}/sample.svg ${CMAKE_CURRENT_BINARY_DIR}/odd.html)
  elseif(Python3_FOUND)
    add_test(NAME page/browser COMMAND ${Python3_EXECUTABLE}
      ${CMAKE_CURRENT_LIST_DIR}/browser.py $<TARGET_FILE:page_sample>)
    set_tests_properties(page/browser PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300
      ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
  endif()
endif()

# The report of many runs, written by the program and used in a real browser (skipped without Chromium or
# Python). Only in the release build: with sanitizers, study/sweep_commands writes reports.
if(study IN_LIST TEMPORALOT_STATIONS AND TEMPORALOT_PROGRAM AND NOT TEMPORALOT_SANITIZE)
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    add_test(NAME study/report_browser COMMAND ${Python3_EXECUTABLE}
      ${CMAKE_CURRENT_LIST_DIR}/report_browser.py $<TARGET_FILE:temporalot>)
    set_tests_properties(study/report_browser PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300
      ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
  endif()
endif()

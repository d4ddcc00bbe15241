# By default, ThreadSanitizer ends a process that starts threads after a fork, as a test does.
if("flat" IN_LIST TEMPORALOT_STATIONS)
  set_tests_properties(flat/flat PROPERTIES ENVIRONMENT "TSAN_OPTIONS=die_after_fork=0")
endif()

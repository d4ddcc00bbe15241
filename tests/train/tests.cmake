# Runs as a user starts them: killed, continued, refused; and a short one of every method.
if("train" IN_LIST TEMPORALOT_STATIONS)
  set_tests_properties(train/memory PROPERTIES
    ENVIRONMENT "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/lsan.supp")
  if(TEMPORALOT_PROGRAM)
    add_test(NAME train/survive
      COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/survive.py --program $<TARGET_FILE:temporalot>)
    set_tests_properties(train/survive PROPERTIES TIMEOUT 1800)
  endif()
endif()

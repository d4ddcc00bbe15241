# Runs as a user starts them: killed, resumed, refused; and a short one of every method.
if("train" IN_LIST TEMPORALOT_STATIONS)
  set_tests_properties(train/memory PROPERTIES
    ENVIRONMENT "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/lsan.supp")
  if(TEMPORALOT_PROGRAM)
    # the kills take minutes with a sanitizer, and would not find more
    set(survive_tests)
    if(TEMPORALOT_SANITIZE)
      set(survive_tests --sanitized test_methods test_damage test_hostile_numbers test_refusals test_full_disk test_nan)
    endif()
    add_test(NAME train/survive
      COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/survive.py --program $<TARGET_FILE:temporalot>
        ${survive_tests})
    set_tests_properties(train/survive PROPERTIES TIMEOUT 1800)
    if(NOT TEMPORALOT_SANITIZE)
      add_test(NAME train/policy_in_python
        COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
          ${CMAKE_CURRENT_LIST_DIR}/policy_in_python.py --program $<TARGET_FILE:temporalot>)
      set_tests_properties(train/policy_in_python PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
    endif()
  endif()
endif()

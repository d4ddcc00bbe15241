# Sweeps and tables as a user starts them, locally and through a Slurm that the test starts itself.
if("study" IN_LIST TEMPORALOT_STATIONS AND TEMPORALOT_PROGRAM)
  # training with a sanitizer takes minutes: only the tests of errors, lists and pages
  set(sweep_tests)
  if(TEMPORALOT_SANITIZE)
    set(sweep_tests test_refusals test_refused_by_slurm test_no_slurm test_what_slurm_says test_encoders test_failures
      test_report_files)
  endif()
  add_test(NAME study/sweep_commands
    COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/sweep.py --program $<TARGET_FILE:temporalot>
      ${sweep_tests})
  set_tests_properties(study/sweep_commands PROPERTIES TIMEOUT 900
    ENVIRONMENT "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/train/lsan.supp")
  if(NOT TEMPORALOT_SANITIZE)
    add_test(NAME study/slurm
      COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/slurm.py --program $<TARGET_FILE:temporalot>)
    set_tests_properties(study/slurm PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 RUN_SERIAL ON)
  endif()
endif()

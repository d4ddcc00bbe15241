# Golden bytes, once for each kernel level. Not with sanitizers, which change how arithmetic is compiled.
if("train" IN_LIST TEMPORALOT_STATIONS AND NOT TEMPORALOT_SANITIZE)
  file(GLOB golden_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
  add_executable(golden_test ${golden_sources})
  target_include_directories(golden_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(golden_test PRIVATE TEST_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(golden_test PRIVATE temporalot_static temporalot_options PkgConfig::CMOCKA)
  set_target_properties(golden_test PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
  foreach(level IN ITEMS portable avx2 avx512)
    add_test(NAME golden/${level} COMMAND golden_test --level ${level})
    set_tests_properties(golden/${level} PROPERTIES SKIP_RETURN_CODE 77 LABELS unit)
  endforeach()
endif()

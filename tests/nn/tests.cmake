# The table of operations is shared with `temporalot bench nn`.
if("nn" IN_LIST TEMPORALOT_STATIONS)
  foreach(name IN ITEMS ops parts)
    target_include_directories(nn_${name}_test PRIVATE ${CMAKE_SOURCE_DIR})
  endforeach()
endif()

# The same checks with the portable vector code, which is used on other CPUs.
if("nn" IN_LIST TEMPORALOT_STATIONS)
  foreach(name IN ITEMS ops parts)
    add_test(NAME nn/${name}_portable COMMAND nn_${name}_test)
    set_tests_properties(nn/${name}_portable PROPERTIES
      LABELS unit ENVIRONMENT TEMPORALOT_CPU=portable)
  endforeach()
endif()

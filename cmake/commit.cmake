# The commit of a build, as a header that changes only when the commit does (with a plus if there are
# uncommitted changes; "unknown" outside a checkout). When included, defines the target `commit`; when
# run as a script, writes the header: cmake -DSOURCE=folder -DOUTPUT=F.h -P commit.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit unknown)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed EQUAL 0 AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD -- src bench include cmake CMakeLists.txt configs
      ERROR_QUIET RESULT_VARIABLE changed)
    set(commit ${head})
    if(NOT changed EQUAL 0)
      set(commit ${head}+)
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define BASE_COMMIT \"${commit}\"\n")
  return()
endif()

add_custom_target(commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${CMAKE_BINARY_DIR}/generated/commit.h
          -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/commit.h
  COMMENT "" VERBATIM)

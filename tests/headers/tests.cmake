# Every public header opens with a complete program in its first comment, indented after `//     `.
# Here that program is extracted, compiled as C17 with all warnings, linked and run.
# A header belongs to the station of the same name; exceptions are listed here.
set(station_of_ads reward)
set(station_of_image file)
set(station_of_tensors file)
set(station_of_replay agent)
set(station_of_statistics study)
set(station_of_report study)
set(station_of_runs study)
set(station_of_sweep study)
set(station_of_diagnosis study)

set(headers_folder ${CMAKE_CURRENT_LIST_DIR})
set(snippet_folder ${CMAKE_CURRENT_BINARY_DIR}/headers)
# argument of a snippet: an array, unless listed here
set(example ${snippet_folder}/example.npy)
set(example_of_tensors ${snippet_folder}/example.safetensors)
file(MAKE_DIRECTORY ${snippet_folder})

# Writes `text` only if it differs, so that nothing is recompiled unnecessarily.
function(write_if_new path text)
  set(present "")
  if(EXISTS ${path})
    file(READ ${path} present)
  endif()
  if(NOT present STREQUAL text)
    file(WRITE ${path} "${text}")
  endif()
endfunction()

# The program in the opening comment of a header; empty if there is none.
function(opening_snippet header result)
  file(READ ${header} text)
  string(REGEX MATCH "^(//[^\n]*\n)+" comment "${text}")
  string(PREPEND comment "\n")
  string(ASCII 1 mark)
  string(REPLACE "\n//     " "\n${mark}" comment "${comment}")
  string(REGEX REPLACE "\n//[^\n]*" "" comment "${comment}")
  string(REPLACE "${mark}" "" comment "${comment}")
  string(STRIP "${comment}" comment)
  set(${result} "${comment}" PARENT_SCOPE)
endfunction()

function(add_header_program target source)
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE temporalot_static temporalot_options)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${snippet_folder})
endfunction()

if("file" IN_LIST TEMPORALOT_STATIONS)
  add_header_program(headers_example ${headers_folder}/example.c)
  add_test(NAME headers/example COMMAND headers_example ${example} ${example_of_tensors}
    ${snippet_folder})
  set_tests_properties(headers/example PROPERTIES FIXTURES_SETUP headers_example)
endif()

file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/temporalot/*.h)
foreach(header IN LISTS headers)
  get_filename_component(name ${header} NAME_WE)
  # temporalot.h has no snippet, and includes all the others
  if(NOT name STREQUAL temporalot)
    add_test(NAME headers/temporalot_has_${name}
      COMMAND grep -q "#include <temporalot/${name}.h>"
        ${CMAKE_SOURCE_DIR}/include/temporalot/temporalot.h)
  endif()
  set(station ${name})
  if(DEFINED station_of_${name})
    set(station ${station_of_${name}})
  endif()
  if(NOT station IN_LIST TEMPORALOT_STATIONS)
    continue()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  opening_snippet(${header} snippet)
  if(NOT snippet MATCHES "int main")
    add_test(NAME headers/${name}_has_no_usage_snippet COMMAND ${CMAKE_COMMAND} -E false)
    continue()
  endif()
  # the header is included first and twice: it is self-contained and has an include guard
  set(program "#include <temporalot/${name}.h>\n#include <temporalot/${name}.h>\n${snippet}\n")
  write_if_new(${snippet_folder}/${name}.c "${program}")
  add_header_program(headers_${name} ${snippet_folder}/${name}.c)
  set(given ${example})
  if(DEFINED example_of_${name})
    set(given ${example_of_${name}})
  endif()
  # a snippet that fails prints to standard error
  add_test(NAME headers/${name}
    COMMAND sh -c "\"$0\" \"$1\" 2>\"$0.said\" && cat \"$0.said\" && test ! -s \"$0.said\""
      $<TARGET_FILE:headers_${name}> ${given}
    WORKING_DIRECTORY ${snippet_folder})
  set_tests_properties(headers/${name} PROPERTIES FIXTURES_REQUIRED headers_example)
endforeach()

# The C program of the README is extracted, compiled, and run in a folder with the videos that it names.
if("label" IN_LIST TEMPORALOT_STATIONS)
  file(READ ${CMAKE_SOURCE_DIR}/README.md readme)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/README.md)
  string(REGEX MATCH "\n```c\n(.*)" found "${readme}")
  string(FIND "${CMAKE_MATCH_1}" "\n```" end)
  string(SUBSTRING "${CMAKE_MATCH_1}" 0 ${end} program)
  write_if_new(${snippet_folder}/readme.c "${program}\n")
  add_header_program(headers_readme ${snippet_folder}/readme.c)
  string(REGEX MATCHALL "\n" lines "${program}\n")
  list(LENGTH lines line_count)
  if(line_count GREATER 25)
    add_test(NAME headers/readme_has_more_than_25_lines COMMAND ${CMAKE_COMMAND} -E false)
  endif()
  # one reward for each of the eight pictures of attempt.mp4, and nothing else
  add_test(NAME headers/readme
    COMMAND sh -c "\"$0\" >\"$0.said\" && cat \"$0.said\" && test $(grep -c '^attempt.mp4 [0-7] -[0-9.e-]*$' \"$0.said\") = 8"
      $<TARGET_FILE:headers_readme>
    WORKING_DIRECTORY ${snippet_folder})
  set_tests_properties(headers/readme PROPERTIES FIXTURES_REQUIRED headers_example)
endif()

# Only public names begin with tot_, and every type has a single definition.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME headers/symbols COMMAND ${Python3_EXECUTABLE} ${headers_folder}/symbols.py
    ${CMAKE_SOURCE_DIR} $<TARGET_FILE:temporalot_static>)
endif()

# Every public function, called with NULL, zero, negative and huge arguments.
find_program(PYTHON3 python3)
if(PYTHON3 AND "flat" IN_LIST TEMPORALOT_STATIONS)  # the last station, so all are there
  add_custom_command(OUTPUT ${snippet_folder}/misuse.c
    COMMAND ${PYTHON3} ${headers_folder}/misuse.py ${headers} --out ${snippet_folder}/misuse.c
    DEPENDS ${headers} ${headers_folder}/misuse.py VERBATIM)
  add_header_program(headers_misuse ${snippet_folder}/misuse.c)
  target_include_directories(headers_misuse PRIVATE ${headers_folder})
  # without warnings: NULL and numbers out of range are the purpose
  target_compile_options(headers_misuse PRIVATE -Wno-error -w)
  add_test(NAME headers/misuse COMMAND headers_misuse)
  add_dependencies(unit_tests headers_misuse)
  set_tests_properties(headers/misuse PROPERTIES TIMEOUT 600 LABELS unit
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1")
endif()

# Checks of the documentation against the code.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME docs/walks COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/walks.py
    ${CMAKE_SOURCE_DIR})
endif()
if(Python3_FOUND AND "demo" IN_LIST TEMPORALOT_STATIONS)
  add_test(NAME docs/experts COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/experts.py
    ${CMAKE_SOURCE_DIR} $<TARGET_FILE:demo_rates_tool>)
endif()
if(Python3_FOUND AND TEMPORALOT_PROGRAM AND "study" IN_LIST TEMPORALOT_STATIONS AND NOT TEMPORALOT_SANITIZE)
  add_test(NAME docs/readme COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/readme.py
    ${CMAKE_SOURCE_DIR} $<TARGET_FILE:temporalot>)
  set_tests_properties(docs/readme PROPERTIES TIMEOUT 600)
  # adds one of everything to a copy of the tree, which is built
  add_test(NAME docs/contributing COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/contributing.py
    ${CMAKE_SOURCE_DIR} ${TEMPORALOT_THIRD_PARTY})
  set_tests_properties(docs/contributing PROPERTIES TIMEOUT 900 PROCESSORS 2)
endif()

# What the documentation says of the code.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME docs/walks COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/walks.py
    ${CMAKE_SOURCE_DIR})
endif()

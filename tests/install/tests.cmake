# Installs into a temporary prefix and compiles the README's C example against it, in every way.
if(NOT TEMPORALOT_SANITIZE AND TEMPORALOT_PROGRAM)
  add_test(NAME install/readme COMMAND ${CMAKE_CURRENT_LIST_DIR}/install.sh
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
endif()

# Installs into a temporary prefix and compiles the README's C example against it, in every way.
if(NOT TEMPORALOT_SANITIZE AND TEMPORALOT_PROGRAM)
  add_test(NAME install/readme COMMAND ${CMAKE_CURRENT_LIST_DIR}/install.sh
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    add_test(NAME install/hardened COMMAND ${CMAKE_CURRENT_LIST_DIR}/hardened.sh
      $<TARGET_FILE:temporalot> $<TARGET_FILE:temporalot_shared>)
  endif()
  add_test(NAME install/deps COMMAND ${CMAKE_CURRENT_LIST_DIR}/deps.sh ${CMAKE_SOURCE_DIR})
endif()

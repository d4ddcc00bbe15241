# Shell completions and the man page: the program generates them from its option tables when it is
# installed.
install(CODE "
  set(made \"${CMAKE_BINARY_DIR}/shell\")
  foreach(part IN ITEMS \"completion bash temporalot\" \"completion zsh _temporalot\"
      \"completion fish temporalot.fish\" \"manual - temporalot.1\")
    separate_arguments(part)
    list(GET part 0 command)
    list(GET part 1 shell)
    list(GET part 2 name)
    if(shell STREQUAL \"-\")
      set(shell)
    endif()
    file(MAKE_DIRECTORY \"\${made}\")
    execute_process(COMMAND \"$<TARGET_FILE:temporalot>\" \${command} \${shell}
      OUTPUT_FILE \"\${made}/\${name}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(FILES ${CMAKE_BINARY_DIR}/shell/temporalot
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/shell/_temporalot DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${CMAKE_BINARY_DIR}/shell/temporalot.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${CMAKE_BINARY_DIR}/shell/temporalot.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Turns files into C arrays. Included, it appends the page station's style and script to `sources`;
# run as a script it makes one .c file: cmake -DINPUT=F -DOUTPUT=F.c -DNAME=array -P embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x0a,)" "\\1\n" bytes "${bytes}")
  file(WRITE ${OUTPUT}
    "#include \"page/assets.h\"\n\n"
    "const unsigned char ${NAME}[] = {\n${bytes}\n};\n"
    "const size_t ${NAME}_size = sizeof ${NAME};\n")
  return()
endif()

if(page IN_LIST TEMPORALOT_STATIONS)
  foreach(asset IN ITEMS page.css page.js svg.css)
    string(REPLACE . _ name ${asset})
    set(embedded ${CMAKE_BINARY_DIR}/embedded/${name}.c)
    add_custom_command(OUTPUT ${embedded}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/src/page/${asset} -DOUTPUT=${embedded}
              -DNAME=tot_${name} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
      DEPENDS ${CMAKE_SOURCE_DIR}/src/page/${asset} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
      COMMENT "Embedding src/page/${asset}" VERBATIM)
    list(APPEND sources ${embedded})
  endforeach()
endif()

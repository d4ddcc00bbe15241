# Converts files to C arrays. When included, appends the style sheets and the script of the page station
# and the presets to `sources`; when run as a script, makes one .c file:
# cmake -DINPUT=F -DOUTPUT=F.c -DNAME=array -DHEADER=declares/it.h -P embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x0a,)" "\\1\n" bytes "${bytes}")
  file(WRITE ${OUTPUT}
    "#include \"${HEADER}\"\n\n"
    "const unsigned char ${NAME}[] = {\n${bytes}\n};\n"
    "const size_t ${NAME}_size = sizeof ${NAME};\n")
  return()
endif()

function(embed input name header)
  set(embedded ${CMAKE_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/${input} -DOUTPUT=${embedded}
            -DNAME=${name} -DHEADER=${header} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${CMAKE_SOURCE_DIR}/${input} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding ${input}" VERBATIM)
  set(sources ${sources} ${embedded} PARENT_SCOPE)
endfunction()

if(page IN_LIST TEMPORALOT_STATIONS)
  embed(src/page/page.css page_css page/assets.h)
  embed(src/page/page.js page_js page/assets.h)
  embed(src/page/svg.css page_svg_css page/assets.h)
endif()
if(train IN_LIST TEMPORALOT_STATIONS)
  foreach(preset IN ITEMS quick standard pixels paper)
    embed(configs/${preset}.yaml train_preset_${preset} train/settings.h)
  endforeach()
endif()

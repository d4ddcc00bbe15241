# The station `file`: system calls that are made to fail by a test, and the round trip through numpy.
if(NOT "file" IN_LIST TEMPORALOT_STATIONS)
  return()
endif()

# system calls go through the test's __wrap_NAME, which can make them fail or stop half-way
target_link_options(file_npy_test PRIVATE -Wl,--wrap=pread)
target_link_options(file_atomic_test PRIVATE
  -Wl,--wrap=pwrite,--wrap=fsync,--wrap=renameat,--wrap=openat,--wrap=close)

target_link_options(file_png_test PRIVATE -Wl,--wrap=pwrite)
target_link_libraries(file_png_test PRIVATE PkgConfig::PNG)
target_link_options(file_video_test PRIVATE -Wl,--wrap=pwrite)
target_link_libraries(file_video_test PRIVATE PkgConfig::FFMPEG)
target_link_libraries(file_colours_test PRIVATE PkgConfig::FFMPEG)

set_tests_properties(file/frames_video PROPERTIES
  ENVIRONMENT "TSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/tsan.supp")

add_executable(file_roundtrip_tool ${CMAKE_CURRENT_LIST_DIR}/roundtrip_tool.c)
target_link_libraries(file_roundtrip_tool PRIVATE temporalot_static temporalot_options)
set_target_properties(file_roundtrip_tool PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)

# skipped (77) if the peers are not installed
add_test(NAME file/numpy_roundtrip
  COMMAND ${CMAKE_SOURCE_DIR}/tests/with_peers.sh ${CMAKE_SOURCE_DIR}/build/peers
    ${CMAKE_CURRENT_LIST_DIR}/numpy_roundtrip.py $<TARGET_FILE:file_roundtrip_tool>)
set_tests_properties(file/numpy_roundtrip PROPERTIES SKIP_RETURN_CODE 77)

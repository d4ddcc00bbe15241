# Reading pictures one after another: the tests make videos with FFmpeg.
if("file" IN_LIST TEMPORALOT_STATIONS)
  target_link_libraries(file_frames_video_test PRIVATE PkgConfig::FFMPEG)
endif()

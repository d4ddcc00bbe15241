// Internals of tot_video for the tests.
#pragma once

#include <temporalot/image.h>

// tot_video_create with the encoders to try, in order; NULL-terminated.
tot_status file_video_create_with(tot_video **out, const char *path, int width, int height,
                                  double frames_per_second, const char *const *encoders);

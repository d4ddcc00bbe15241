// What the tests need of a tot_video beyond the public functions.
#pragma once

#include <temporalot/image.h>

// tot_video_create with the encoders to try, in that order; ends in NULL.
tot_status file_video_create_with(tot_video **out, const char *path, int width, int height,
                                  double frames_per_second, const char *const *encoders);

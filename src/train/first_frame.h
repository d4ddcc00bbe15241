// The first frame of a demonstration that is a video, beside the first picture of the run's own
// world: the reward compares the two kinds of pictures, so they had better show the same.
#pragma once

#include "train/demonstrations.h"

// Draws the world at the start of the first demonstration's episode, writes both side by side to
// demo-NUMBER.png in the run's folder, and warns where they are nothing alike. first:
// [side][side][3] with the side of the run's pictures.
tot_status train_check_first_frame(const train_embedder *embedder,
                                   const train_demonstrations_request *needs, const char *path,
                                   size_t number, const uint8_t *first);

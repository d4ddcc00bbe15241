// Compares the first frame of a video demonstration with the first picture of the run's world: the
// reward compares such pictures, so they should show the same scene.
#pragma once

#include "train/demonstrations.h"

// Renders the world at the start of the first demonstration's episode, writes both pictures side by
// side to demo-NUMBER.png in the run's folder, and warns if they are very dissimilar. first:
// [side][side][3], with the side of the run's pictures.
tot_status train_check_first_frame(const train_embedder *embedder,
                                   const train_demonstrations_request *needs, const char *path,
                                   size_t number, const uint8_t *first);

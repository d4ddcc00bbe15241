// What the files of this station share: trajectories, actions, shapes.
#ifndef TOT_DEMO_TRAJECTORY_H
#define TOT_DEMO_TRAJECTORY_H

#include <temporalot/demo.h>

// Memory for a number of steps, 1 or more; nothing is in it yet. On failure the trajectory is
// empty.
tot_status tot_trajectory_allocate(tot_trajectory *trajectory, int64_t steps);

// To -1 .. 1, all four.
void tot_clip_action(float *action);

// "3 x 4", "a single number". Returns text.
const char *tot_shape_text(const tot_array *array, char *text, size_t size);

#endif

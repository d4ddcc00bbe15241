// What the files of this station share: trajectories, actions, shapes.
#pragma once

#include <temporalot/demo.h>

// Memory for a number of steps, 1 or more; nothing is in it yet. On failure the trajectory is
// empty.
tot_status demo_trajectory_allocate(tot_trajectory *trajectory, int64_t steps);

enum { DEMO_GOAL = 3 };  // the last numbers of an observation: where the goal is

// Whether the object or goal at this position exists: (0, 0, 0) stands for one that the task does
// not have.
static inline bool demo_is_present(double x, double y, double z) {
    return x != 0 || y != 0 || z != 0;
}

// An observation as float32, with or without the place of the goal (then it is 0).
static inline void demo_observation_read(const double *from, bool zero_goal, float *to) {
    for (int k = 0; k < TOT_OBSERVATION; k++) {
        to[k] = zero_goal && k >= TOT_OBSERVATION - DEMO_GOAL ? 0.0F : (float)from[k];
    }
}

// Where the hand and the objects that are present were at every observation of every trajectory:
// points is [count][3], to be freed with base_free.
tot_status demo_recording_tracks(const tot_recording *recording, double **points, size_t *count);

// tot_recording_describe_pictures for several views: meta->renderer names all of them.
void demo_recording_describe_views(tot_recording_meta *meta, const tot_picture_settings *views,
                                   tot_renderer *const *renderers, int count);

// To -1 .. 1, all four.
void demo_clip_action(float *action);

// "3 x 4", "a single number". Returns text.
const char *demo_shape_text(const tot_array *array, char *text, size_t size);

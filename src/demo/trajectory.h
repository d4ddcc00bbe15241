// Shared by the files of this folder: trajectories, actions, shapes.
#pragma once

#include <temporalot/demo.h>

// Allocates an uninitialised trajectory of 1 or more steps. On failure it is empty.
tot_status demo_trajectory_allocate(tot_trajectory *trajectory, int64_t steps);

// Allocates uninitialised pictures: [count][height][width][3]. On failure it is empty.
tot_status demo_frames_allocate(tot_array *frames, int64_t count, int64_t height, int64_t width);

enum { DEMO_GOAL = 3 };  // the last elements of an observation: the goal position

// Whether an object or goal exists: the observation is (0, 0, 0) for those the task does not have.
static inline bool demo_is_present(double x, double y, double z) {
    return x != 0 || y != 0 || z != 0;
}

// Converts an observation to float32, optionally with the goal position set to 0.
static inline void demo_observation_read(const double *from, bool zero_goal, float *to) {
    for (int k = 0; k < TOT_OBSERVATION; k++) {
        to[k] = zero_goal && k >= TOT_OBSERVATION - DEMO_GOAL ? 0.0F : (float)from[k];
    }
}

// Positions of the hand and the present objects at every observation of every trajectory. points:
// [count][3], to be freed with base_free.
tot_status demo_recording_tracks(const tot_recording *recording, double **points, size_t *count);

// tot_recording_describe_pictures for several views: meta->renderer names all of them.
void demo_recording_describe_views(tot_recording_meta *meta, const tot_picture_settings *views,
                                   tot_renderer *const *renderers, int count);

// Clips all four components to -1 .. 1.
void demo_clip_action(float *action);

// "3 x 4", "a single number". Returns text.
const char *demo_shape_text(const tot_array *array, char *text, size_t size);

enum { DEMO_REPLAYS = 32 };

// collect.c: the steadiness (robustness to noise) of a demonstration: one that ends just inside the
// success region is of little use to an agent that imitates it with an error of a centimetre.
// Replays the actions of an episode DEMO_REPLAYS times with different noise on the hand: half of
// the replays with low noise, half with three times as much. *steady: number of replays that end in
// success. The state of the world is unspecified afterwards.
tot_status demo_steady(tot_world *world, const tot_trajectory *whole, int *steady);

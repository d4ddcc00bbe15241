// A demonstration bent to another goal: the scripted expert's hand path, shifted by the
// displacement of the object until the hand meets it, then by the displacement of the goal until
// success, with the same timing. It shows what solving the task in the manner of the demonstration
// looks like.
#pragma once

#include <temporalot/demo.h>
#include <temporalot/world.h>

// An episode of the scripted expert, frame by frame. {0} is empty.
typedef struct study_bent_demo {
    int64_t frames;
    double rand_vec[TOT_MAX_DRAW];
    int draw_length;
    double *observations;  // [frames + 1][TOT_OBSERVATION]
    double *mocap;         // [frames + 1][3] positions of the mocap, which drags the hand
    float *actions;        // [frames][TOT_ACTION]
    int64_t contact;       // first observation in which the object has moved; half the frames if it
                           // never does
    int64_t success;       // first frame that ends in success; `frames` if none does
} study_bent_demo;

// Runs the expert on a rand_vec with an action repeat of 1; hold: it stops at the first success.
// demo is {0} or one used before, and must be freed even after a failure.
tot_status study_bent_demo_play(study_bent_demo *demo, tot_world *world, const double *rand_vec,
                                bool hold);

// demo may be NULL or empty.
void study_bent_demo_free(study_bent_demo *demo);

// Runs the actions ([frames][TOT_ACTION]) on a rand_vec to the end of the episode; after: as in
// tot_play.
tot_status study_replay(tot_world *world, const double *rand_vec, const float *actions,
                        tot_step_callback after, void *context);

// path: [frames + 1][3], written: the mocap positions for another rand_vec of the task.
void study_bent_path(const study_bent_demo *demo, const double *rand_vec, double *path);

// The same for the demonstration's own rand_vec, with the whole path shifted, in metres.
void study_bent_path_shifted(const study_bent_demo *demo, const double shift[3], double *path);

// Makes the path stop where it first comes within `distance` metres of the meeting place with the
// object. Returns that frame.
int64_t study_bent_stop_short(const study_bent_demo *demo, double distance, double *path);

// Runs an episode on a rand_vec that follows a path with the finger actions of the demonstration,
// which are frozen from frame `grip_stop` on; open: the fingers never close. actions:
// [frames][TOT_ACTION], written.
tot_status study_bent_follow(const study_bent_demo *demo, tot_world *world, const double *rand_vec,
                             const double *path, int64_t grip_stop, bool open, float *actions);

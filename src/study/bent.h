// A demonstration bent to the goal: the hand path of the scripted expert, shifted by as much as the
// object lies elsewhere until the hand meets it, by as much as the goal does until success, with
// the same timing. What solving the task looks like when the demonstration is kept to.
#pragma once

#include <temporalot/demo.h>
#include <temporalot/world.h>

// An episode of the scripted expert, every frame of it. {0} is an empty one.
typedef struct study_bent_demo {
    int64_t frames;
    double rand_vec[TOT_MAX_DRAW];
    int draw_length;
    double *observations;  // [frames + 1][TOT_OBSERVATION]
    double *mocap;         // [frames + 1][3] where the hand was dragged to
    float *actions;        // [frames][TOT_ACTION]
    int64_t contact;       // first observation whose object has moved; half way where none has
    int64_t success;       // first frame that ends in success; frames without
    bool solved;           // at the last frame
} study_bent_demo;

// Plays the expert on a draw, with an action repeat of 1; hold: it stops at the first success. demo
// is {0} or one used before.
tot_status study_bent_demo_play(study_bent_demo *demo, tot_world *world, const double *rand_vec,
                                bool hold);

// demo may be NULL or empty.
void study_bent_demo_free(study_bent_demo *demo);

// Plays actions ([frames][TOT_ACTION]) from a draw to the end of the episode; after as in tot_play.
tot_status study_replay(tot_world *world, const double *rand_vec, const float *actions,
                        tot_step_callback after, void *context);

// path: [frames + 1][3], written: where the mocap is to be for another draw of the task.
void study_bent_path(const study_bent_demo *demo, const double *rand_vec, double *path);

// The same for the demonstration's own draw, all of it shifted by some metres.
void study_bent_path_shifted(const study_bent_demo *demo, const double shift[3], double *path);

// Stays where the path first comes within `distance` metres of where it meets the object. Returns
// that frame.
int64_t study_bent_stop_short(const study_bent_demo *demo, double distance, double *path);

// Plays an episode from a draw, following a path with the fingers of the demonstration, those of
// frame `grip_stop` from there on; open: they never close. actions: [frames][TOT_ACTION], written.
tot_status study_bent_follow(const study_bent_demo *demo, tot_world *world, const double *rand_vec,
                             const double *path, int64_t grip_stop, bool open, float *actions);

// Reference episodes: references.c plays them, margins.c renders and rewards them.
#pragma once

#include <temporalot/study.h>

#include "demo/trajectory.h"
#include "study/bent.h"
#include "train/whitening.h"

typedef struct study_reference_episode {
    tot_reference_episode info;
    double rand_vec[TOT_MAX_DRAW];
    float *actions;  // [frames][TOT_ACTION]
} study_reference_episode;

struct tot_references {
    const tot_task *task;
    tot_reference_settings settings;
    tot_world *world;        // with an action repeat of 1
    int64_t frames;          // per episode
    study_bent_demo *demos;  // [demo_count]
    size_t demo_count;
    int64_t demo_every;                 // frames between two pictures of a demonstration
    study_reference_episode *episodes;  // [count]
    size_t count;
    double *tracks;  // [track_count][3] positions of hand and objects in the demonstrations
    size_t track_count;
    double *path;       // [frames + 1][3] of the current episode
    double axes[3][3];  // right, up, towards the camera
};

// tot_references_reward for several encoders that see the same pictures; view->encoder is not used.
// margins: [encoder_count][count]; sums: [encoder_count][count][episodes].
tot_status study_references_reward(tot_references *references, const tot_reference_view *view,
                                   tot_encoder *const *encoders, size_t encoder_count,
                                   const tot_reward_config *configs, size_t count,
                                   tot_margins *margins, double *sums);

// The whitening of the probe's embeddings, one per view; {0}: none.
const train_whitening *study_probe_whitening(const tot_probe *probe);

// The number of views, as a user gives it: 0 means 1.
static inline int study_view_count(int views) {
    return views > 1 ? views : 1;
}

// The renderers of several views, and the pictures of a step: [count][picture].
typedef struct study_renderers {
    int count;  // 0: no pictures
    tot_renderer *all[TOT_MAX_VIEWS];
    size_t picture;  // bytes per view
} study_renderers;

// Observes the world: draws all views into step `step` of rgb, [steps][count][picture]; or if there
// are none, copies the observation with its goal set to 0 into numbers, [steps][TOT_OBSERVATION].
tot_status study_renderers_observe(const study_renderers *renderers, const tot_world *world,
                                   int64_t step, uint8_t *rgb, float *numbers);

// renderers: {0} or with some of them created.
void study_renderers_free(study_renderers *renderers);

// What a score is the least of: the margins over replay, open gripper and short, then the losses by
// shifts along the ray, sideways and vertically. NaN: a kind that never fails, or no range.
enum { STUDY_SCORE_PARTS = 6 };
void study_score_parts(const tot_margins *margins, double parts[STUDY_SCORE_PARTS]);

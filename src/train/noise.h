// Exploration noise on actions.
#pragma once

#include <temporalot/train.h>

// Adds noise with this standard deviation (multiplied by grip_noise for the fingers) and clips to
// -1 .. 1. last: [TOT_ACTION], the previous noise in standard deviations, replaced by the
// current one.
//
// The noise is white, or first-order autocorrelated, so that fingers that close by chance stay
// closed long enough to lift something. The standard deviation does not depend on the correlation.
void train_noise_add(const tot_train_config *config, double deviation, tot_random *random,
                     double *const last[TOT_ACTION], float *action);

// Draws, at the start of an episode, whether the fingers close by reflex: the distance from an
// object in metres at which they do, or 0 if they do not. Draws no random number if grip_reflex is
// 0.
double train_reflex_draw(const tot_train_config *config, tot_random *random);

// Draws the step of an episode of `horizon` steps from which on the hand stands still, or -1 if it
// does not. Draws no random number if still_share is 0.
double train_still_draw(const tot_train_config *config, int64_t horizon, tot_random *random);

// From step `from` on, stands still and repeats the previous gripper command. If step is above 0,
// the previous action must precede `action` in memory.
void train_still_act(double from, int64_t step, float *action);

// Closes the fingers once the hand is as near an object as drawn, or moves away from it after
// coming within 10 cm: the hand then waits for a few steps, and the fingers stay closed. Within
// `from` metres the hand reaches for the object first (0: never). *reflex: from train_reflex_draw;
// its integer part counts the steps of reaching; once the fingers close it is negative and counts
// the steps of the wait. before: the previous observation, NULL at the first step; observation:
// [TOT_OBSERVATION].
void train_reflex_act(double *reflex, double from, const float *before, const float *observation,
                      float *action);

// Exploration: the noise on an action.
#pragma once

#include <temporalot/train.h>

// Adds noise of these standard deviations (on the fingers times grip_noise) and clips to -1 .. 1.
// last: [TOT_ACTION] the noise before, in standard deviations, replaced by this one's.
//
// White noise, or noise that stays for a while, so that fingers which close by chance stay closed
// long enough to lift something: first-order, and of the same deviation whatever the correlation
// is.
void train_noise_add(const tot_train_config *config, double hand, double fingers,
                     tot_random *random, double *const last[TOT_ACTION], float *action);

// Whether the fingers close by reflex in an episode that begins, and how near an object, in metres;
// 0: they do not. Nothing is drawn where grip_reflex is 0.
double train_reflex_draw(const tot_train_config *config, tot_random *random);

// The step of an episode of `horizon` steps from which on the hand stands still; -1: it does not.
// Nothing is drawn where still_share is 0.
double train_still_draw(const tot_train_config *config, int64_t horizon, tot_random *random);

// Stands still where that step has come: the fingers stay as they were told to be the step before,
// whose action stands right before this one where step is above 0.
void train_still_act(double from, int64_t step, float *action);

// Closes the fingers once the hand is so near an object, or leaves it again after coming within
// 10 cm: the hand waits for a few steps, and the fingers stay closed. From `from` metres on it
// reaches for the object first (0: never). *reflex: of train_reflex_draw; its whole part counts the
// steps of reaching; below 0 from when the fingers close, counting the steps of the wait. before:
// the observation one step earlier, NULL at the first; observation: [TOT_OBSERVATION].
void train_reflex_act(double *reflex, double from, const float *before, const float *observation,
                      float *action);

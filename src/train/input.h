// The input of the agent: Meta-world's 39 numbers, raw or shaped, and a clock.
#pragma once

#include <temporalot/train.h>

// How an observation becomes the input of the networks.
typedef struct train_input {
    bool numbers;  // the observation is part of it; else the agent sees pictures
    bool shaped;
    bool relative;  // shaped, without x and y of positions
    bool clock;
    int waves;        // pairs of sine and cosine beside the clock
    int64_t horizon;  // agent steps of an episode, which the clock counts
    int64_t width;    // numbers of an input; 0: the agent sees pictures only
} train_input;

enum { TRAIN_MOST_INPUT = 64, TRAIN_SHAPED = 34 };  // the widest input; shaped numbers

// horizon: agent steps of an episode.
train_input train_input_of(const tot_train_config *config, int64_t horizon);

// observation: [TOT_OBSERVATION]; step: agent steps taken in the episode; to: [width], written.
//
// Shaped numbers are of order 1: positions relative to the middle of the table in tenths of a
// metre, the velocity of hand and fingers in place of the previous frame, and objects relative to
// the hand. An object or goal that the task does not have is all zeros.
//
// Relative ones have only the height of positions: an agent that does not know where it is on the
// table cannot go where a demonstration went, and learns what the hand does to the object. Zeros
// stand in place of the others. The critic must not know more than the actor: told the positions,
// it leads a relative actor back to the demonstrations' places (docs/training.md).
void train_input_write(const train_input *input, const float *observation, int64_t step, float *to);

// Shaping as a matrix, for exported policies: the shaped numbers of a task are
// weight observation + bias, given which objects it has. observation: any of the task, to see that;
// weight: [TRAIN_SHAPED][TOT_OBSERVATION] and bias: [TRAIN_SHAPED], written.
void train_input_affine(const train_input *input, const float *observation, float *weight,
                        float *bias);

// The same for the clock. time goes from 0 at the first step to 1 at the horizon; weight time +
// bias, with the sine of all but the first, is appended to the observation. weight and bias:
// [1 + 2 waves], written.
void train_input_time(const train_input *input, float *weight, float *bias);

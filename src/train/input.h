// What the agent is told: Meta-world's 39 numbers as they are or shaped, and a clock.
#ifndef TRAIN_INPUT_H
#define TRAIN_INPUT_H

#include <temporalot/train.h>

// How an observation becomes the input of the networks.
typedef struct train_input {
    bool numbers;  // the observation is told; else the agent sees pictures
    bool shaped;
    bool clock;
    int waves;        // pairs of sine and cosine beside the clock
    int64_t horizon;  // agent steps of an episode: what the clock counts
    int64_t width;    // numbers of an input; 0: the agent sees pictures only
} train_input;

enum { TRAIN_MOST_INPUT = 64, TRAIN_SHAPED = 34 };  // the widest input; shaped numbers

// horizon: agent steps of an episode.
train_input train_input_of(const tot_train_config *config, int64_t horizon);

// observation: [TOT_OBSERVATION]; step: agent steps taken in the episode; to: [width], written.
//
// Shaped numbers are about 1 where a centimetre matters as much as it does to a hand: positions
// from the middle of the table in tenths of a metre, the hand's and the fingers' velocity in place
// of the frame before, and objects as the hand sees them. An object or goal at (0, 0, 0) is one
// that the task does not have, and is told as zeros.
void train_input_write(const train_input *input, const float *observation, int64_t step, float *to);

// Shaping as a matrix, for programs that have nothing of this one: the shaped numbers of a task are
// weight observation + bias once it is known which objects it has. observation: any of the task,
// which tells that; weight: [TRAIN_SHAPED][TOT_OBSERVATION] and bias: [TRAIN_SHAPED], written.
void train_input_affine(const float *observation, float *weight, float *bias);

// The same for the clock. time goes from 0 at the first step to 1 at the horizon; weight time +
// bias, with the sine of all but the first, is what stands behind the observation. weight and bias:
// [1 + 2 waves], written.
void train_input_time(const train_input *input, float *weight, float *bias);

#endif

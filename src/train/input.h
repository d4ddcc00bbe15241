// The agent's input: Meta-world's 39-dimensional observation, raw or shaped, and a clock.
#pragma once

#include <temporalot/train.h>

// How an observation is mapped to the input of the networks.
typedef struct train_input {
    bool numbers;  // includes the state observation; otherwise the agent observes pictures
    bool shaped;
    bool relative;  // shaped, without x and y of positions
    bool clock;
    int waves;        // sine and cosine pairs of the clock
    int64_t horizon;  // agent steps per episode, the clock's period
    int64_t width;    // elements of the input; 0: the agent observes only pictures
} train_input;

enum { TRAIN_MOST_INPUT = 64, TRAIN_SHAPED = 34 };  // widest input; shaped width

// horizon: agent steps per episode.
train_input train_input_of(const tot_train_config *config, int64_t horizon);

// observation: [TOT_OBSERVATION]; step: agent steps taken in the episode; to: [width], written.
//
// Shaped observations are of order 1: positions relative to the centre of the table in tenths of a
// metre, the velocity of hand and fingers instead of the previous frame, and objects relative to
// the hand. Objects and goals that the task does not have are all zeros.
//
// Relative observations contain only the height of absolute positions, with zeros for x and y: an
// agent that does not know where it is on the table cannot go where a demonstration went, and
// learns what the hand does to the object. The critic must not know more than the actor: if it is
// given the positions, it leads a relative actor back to the demonstrations' positions
// (docs/experiments.md).
void train_input_write(const train_input *input, const float *observation, int64_t step, float *to);

// Shaping as an affine map, for exported policies: for the objects that the task has, the shaped
// observation is weight * observation + bias. observation: any observation of the task, to detect
// its objects; weight: [TRAIN_SHAPED][TOT_OBSERVATION] and bias: [TRAIN_SHAPED], written.
void train_input_affine(const train_input *input, const float *observation, float *weight,
                        float *bias);

// The same for the clock. time runs from 0 at the first step to 1 at the horizon; weight * time +
// bias, with the sine applied to all but the first element, is appended to the observation. weight,
// bias: [1 + 2 waves], written.
void train_input_time(const train_input *input, float *weight, float *bias);

// Exports the actor to files that other programs can read.
#pragma once

#include <temporalot/agent.h>

#include "train/input.h"

// What is exported: the actor, and the mapping from Meta-world's observation and the time to its
// input.
typedef struct train_policy {
    tot_agent *agent;
    tot_replay_shape sees;
    bool normed;  // layer norm in the hidden layers
    bool shaped;  // the observation is first mapped by weight and bias
    float weight[TRAIN_SHAPED * TOT_OBSERVATION];
    float bias[TRAIN_SHAPED];
    int64_t times;  // elements that encode the time; 0: none
    float time_weight[TRAIN_MOST_INPUT];
    float time_bias[TRAIN_MOST_INPUT];
} train_policy;

// Writes the actor's tensors under their names, and the pixel encoder's if there is one;
// input.weight and input.bias if observations are shaped; time.weight and time.bias if there is a
// clock (see train_input_affine, train_input_time).
tot_status train_export_npz(const train_policy *policy, const char *path);

// Writes a graph from `observation` ([batch][39] float32, or [batch][9][pixels][pixels] uint8) and,
// if there is a clock, `time` ([batch][1] float32, 0 at the first step, 1 at the horizon) to
// `action` ([batch][4]).
tot_status train_export_onnx(const train_policy *policy, const char *path);

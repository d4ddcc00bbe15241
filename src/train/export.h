// The actor in files that other programs read.
#pragma once

#include <temporalot/agent.h>

#include "train/input.h"

// What is exported: an actor, and how Meta-world's observation and the time become its input.
typedef struct train_policy {
    tot_agent *agent;
    tot_replay_shape sees;
    bool normed;  // layer norm in its hidden layers
    bool shaped;  // the observation goes through the following first
    float weight[TRAIN_SHAPED * TOT_OBSERVATION];
    float bias[TRAIN_SHAPED];
    int64_t times;  // numbers that tell the time; 0: it is not told
    float time_weight[TRAIN_MOST_INPUT];
    float time_bias[TRAIN_MOST_INPUT];
} train_policy;

// The actor's tensors by their names (and the pixel encoder's, where there is one); where the
// observation is shaped input.weight and input.bias, where the time is told time.weight and
// time.bias (see train_input_affine, train_input_time).
tot_status train_export_npz(train_policy *policy, const char *path);

// A graph from `observation` ([batch][39] float32, or [batch][9][pixels][pixels] uint8), and from
// `time` ([batch][1] float32, 0 at the first step, 1 at the horizon) where there is a clock, to
// `action` ([batch][4]).
tot_status train_export_onnx(train_policy *policy, const char *path);

// Whether a tensor of the agent is a weight that acting needs.
bool train_is_acting(const char *name);

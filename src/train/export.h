// The actor in files that other programs read.
#ifndef TOT_TRAIN_EXPORT_H
#define TOT_TRAIN_EXPORT_H

#include <temporalot/agent.h>

// The actor's tensors by their names (and the pixel encoder's, where there is one).
tot_status tot_export_npz(tot_agent *agent, const char *path);

// A graph from `observation` ([batch][39] float32, or [batch][9][pixels][pixels] uint8) to `action`
// ([batch][4]).
tot_status tot_export_onnx(tot_agent *agent, const tot_replay_shape *sees, const char *path);

// Whether a tensor of the agent is a weight that acting needs.
bool tot_is_acting(const char *name);

#endif

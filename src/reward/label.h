// Costs of an episode without its rewards.
#pragma once

#include <temporalot/reward.h>

// The costs that tot_label would compute. The labeler must have a single demonstration and the
// settings of min-distance, whose cost matrix is complete. costs: [episode.steps][demonstration
// steps], valid until the labeler is used again. Errors are as for tot_label.
tot_status reward_costs(tot_labeler *labeler, tot_embeddings episode, const char *name,
                        const double **costs);

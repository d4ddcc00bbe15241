// Identifies the network in a weight file and maps its tensors to the layers' parts.
#pragma once

#include "encoder/networks.h"

// The tensors of a layer.
typedef enum encoder_part {
    ENCODER_PART_KERNEL,
    ENCODER_PART_SCALE,
    ENCODER_PART_SHIFT,
    ENCODER_PART_MEAN,
    ENCODER_PART_VARIANCE,
    ENCODER_PARTS
} encoder_part;

enum { ENCODER_ABSENT = -1 };

typedef struct encoder_match {
    encoder_network network;
    int at[ENCODER_MOST_LAYERS][ENCODER_PARTS];  // tensor indices, or ENCODER_ABSENT
} encoder_match;

// Identifies the network. On success every part is present with the right shape; errors are as for
// tot_weights_load.
tot_status encoder_match_tensors(encoder_match *match, const tot_tensors *tensors,
                                 const tot_weights_settings *settings);

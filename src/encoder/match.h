// Which network a file holds, and which of its tensors is which part of it.
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
    int at[ENCODER_MOST_LAYERS][ENCODER_PARTS];  // indices into the tensors; ENCODER_ABSENT
} encoder_match;

// Recognises the network; every part of it is there and has its shape, or the status is as
// tot_weights_load says.
tot_status encoder_match_tensors(encoder_match *match, const tot_tensors *tensors,
                                 const tot_weights_settings *settings);

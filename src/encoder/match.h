// Which network a file holds, and which of its tensors is which part of it.
#ifndef TOT_ENCODER_MATCH_H
#define TOT_ENCODER_MATCH_H

#include "encoder/networks.h"

// The tensors of a layer.
typedef enum tot_part {
    TOT_PART_KERNEL,
    TOT_PART_SCALE,
    TOT_PART_SHIFT,
    TOT_PART_MEAN,
    TOT_PART_VARIANCE,
    TOT_PARTS
} tot_part;

enum { TOT_ABSENT = -1 };

typedef struct tot_match {
    tot_network network;
    int at[TOT_MOST_LAYERS][TOT_PARTS];  // indices into the tensors; TOT_ABSENT
} tot_match;

// Recognises the network; every part of it is there and has its shape, or the status is as
// tot_weights_load says.
tot_status tot_match_tensors(tot_match *match, const tot_tensors *tensors,
                             const tot_weights_settings *settings);

#endif

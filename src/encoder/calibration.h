// The largest activations of each layer, for int8 quantisation.
#pragma once

#include "encoder/weights.h"

struct tot_calibration {
    char network[32];
    char hash[17];  // hash of the weights
    int size;       // side of the pictures in pixels
    int64_t pictures;
    int layers;
    float most[ENCODER_MOST_LAYERS];  // largest absolute output per layer
};

// How large the outputs of the layers become.
#pragma once

#include "encoder/weights.h"

struct tot_calibration {
    char network[32];
    char hash[17];  // of the weights
    int size;       // of the pictures
    int64_t pictures;
    int layers;
    float most[ENCODER_MOST_LAYERS];  // the largest absolute output of every layer
};

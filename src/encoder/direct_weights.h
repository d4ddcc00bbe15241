// The layers' kernels in the layouts that direct.c reads.
#pragma once

#include "encoder/weights.h"

typedef enum encoder_direct_layout {
    ENCODER_PANELS,      // of 16 output channels: [panels][kernel rows][kernel columns][in][16],
                         // zero-padded
    ENCODER_CHANNELS,    // a depthwise 3x3 kernel: [9][channels]
    ENCODER_WINOGRAD_2,  // a Winograd-transformed 3x3 kernel for 2 x 2 tiles:
                         // [positions][panels][in][16]
    ENCODER_WINOGRAD_4,  // the same for 4 x 4 tiles
} encoder_direct_layout;

// The kernel of a layer in this layout. Lives as long as the weights.
tot_status encoder_direct_pack(tot_weights *weights, int layer, encoder_direct_layout layout,
                               const float **data);

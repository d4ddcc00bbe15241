// The layers' kernels in the layouts that direct.c reads.
#pragma once

#include "encoder/weights.h"

// Panels of 16 output channels: [panels][kernel rows][kernel columns][in][16], zero-padded.
tot_status encoder_direct_panels(tot_weights *weights, int layer, const float **data);

// A Winograd-transformed 3x3 kernel for 2 x 2 or 4 x 4 tiles: [positions][panels][in][16].
tot_status encoder_direct_winograd(tot_weights *weights, int layer, int tile, const float **data);

// A depthwise 3x3 kernel: [9][channels].
tot_status encoder_direct_channels(tot_weights *weights, int layer, const float **data);

// The kernels of the layers as direct.c reads them.
#pragma once

#include "encoder/weights.h"

// Panels of 16 output channels: [panels][kernel rows][kernel columns][in][16], zeros past the last.
tot_status encoder_direct_panels(tot_weights *weights, int layer, const float **data);

// A 3x3 kernel in Winograd's transform for tiles of 2 or 4 per side:
// [positions][panels][in][16].
tot_status encoder_direct_winograd(tot_weights *weights, int layer, int tile, const float **data);

// A 3x3 by channel: [9][channels].
tot_status encoder_direct_channels(tot_weights *weights, int layer, const float **data);

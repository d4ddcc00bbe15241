// Pictures as the networks want them: 0 .. 255 to 0 .. 1, less ImageNet's mean, over its standard
// deviation.
#pragma once

#include <stddef.h>
#include <stdint.h>

// A channel's byte b becomes b * scale + shift.
extern const float encoder_load_scale[3];
extern const float encoder_load_shift[3];

// rgb, out: [pixels][3].
void encoder_load(const uint8_t *rgb, size_t pixels, float *out);

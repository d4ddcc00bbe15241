// Preprocessing: maps bytes 0 .. 255 to 0 .. 1, subtracts ImageNet's mean and divides by its
// standard deviation.
#pragma once

#include <stddef.h>
#include <stdint.h>

// A byte b of a channel becomes b * scale + shift.
extern const float encoder_load_scale[3];
extern const float encoder_load_shift[3];

// rgb, out: [pixels][3].
void encoder_load(const uint8_t *rgb, size_t pixels, float *out);

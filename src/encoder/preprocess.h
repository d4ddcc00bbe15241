// Preprocessing of pictures: the table of presets, and custom means and standard deviations, for
// ONNX networks; that of ImageNet for all others.
#pragma once

#include <temporalot/encoder.h>

// A byte b of channel c becomes b * scale[c] + shift[c].
typedef struct encoder_preprocess {
    float scale[3];
    float shift[3];
    int size;  // pixels per side, if the network takes any size
} encoder_preprocess;

// From the texts of the settings, which may be NULL. TOT_E_ARGUMENT: unknown preset, or not one or
// three numbers.
tot_status encoder_preprocess_read(encoder_preprocess *out, const tot_weights_settings *settings);

// rgb: [side][side][3]; out: [3][side][side] if planes, otherwise [side][side][3].
void encoder_preprocess_run(const encoder_preprocess *this, const uint8_t *rgb, int64_t pixels,
                            bool planes, float *out);

// ImageNet's: maps bytes 0 .. 255 to 0 .. 1, subtracts its mean and divides by its standard
// deviation. A byte b of a channel becomes b * scale + shift.
extern const float encoder_load_scale[3];
extern const float encoder_load_shift[3];

// rgb, out: [pixels][3].
void encoder_load(const uint8_t *rgb, size_t pixels, float *out);

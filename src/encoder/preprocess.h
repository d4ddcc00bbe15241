// Preprocessing of pictures for ONNX networks: the table of presets, and custom means and standard
// deviations.
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

// What an ONNX network wants its pictures to be: the table of presets, and means and standard
// deviations of one's own.
#pragma once

#include <temporalot/encoder.h>

// A byte b of channel c becomes b * scale[c] + shift[c].
typedef struct encoder_preprocess {
    float scale[3];
    float shift[3];
    int size;  // pixels per side where the network does not say
} encoder_preprocess;

// From the texts of the settings, which may be NULL. TOT_E_ARGUMENT: no preset of that name, or not
// one or three numbers.
tot_status encoder_preprocess_read(encoder_preprocess *out, const tot_weights_settings *settings);

// rgb: [side][side][3]. planes: out is [3][side][side]; else [side][side][3].
void encoder_preprocess_run(const encoder_preprocess *this, const uint8_t *rgb, int64_t pixels,
                            bool planes, float *out);

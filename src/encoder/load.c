#include "encoder/load.h"

#define MEAN_RED        0.485
#define MEAN_GREEN      0.456
#define MEAN_BLUE       0.406
#define DEVIATION_RED   0.229
#define DEVIATION_GREEN 0.224
#define DEVIATION_BLUE  0.225

const float encoder_load_scale[3] = {(float)(1 / (255 * DEVIATION_RED)),
                                     (float)(1 / (255 * DEVIATION_GREEN)),
                                     (float)(1 / (255 * DEVIATION_BLUE))};
const float encoder_load_shift[3] = {(float)(-MEAN_RED / DEVIATION_RED),
                                     (float)(-MEAN_GREEN / DEVIATION_GREEN),
                                     (float)(-MEAN_BLUE / DEVIATION_BLUE)};

enum { PIXELS = 16, NUMBERS = 3 * PIXELS };  // processed at once

void encoder_load(const uint8_t *rgb, size_t pixels, float *out) {
    float scale[NUMBERS];
    float shift[NUMBERS];
    for (int k = 0; k < NUMBERS; k++) {
        scale[k] = encoder_load_scale[k % 3];
        shift[k] = encoder_load_shift[k % 3];
    }
    const size_t numbers = 3 * pixels;
    size_t at = 0;
    for (; at + NUMBERS <= numbers; at += NUMBERS) {
        for (int k = 0; k < NUMBERS; k++) {
            out[at + (size_t)k] = (float)rgb[at + (size_t)k] * scale[k] + shift[k];
        }
    }
    for (size_t k = 0; at + k < numbers; k++) {
        out[at + k] = (float)rgb[at + k] * scale[k] + shift[k];
    }
}

#include "encoder/load.h"

const float encoder_load_scale[3] = {(float)(1 / (255 * 0.229)), (float)(1 / (255 * 0.224)),
                                     (float)(1 / (255 * 0.225))};
const float encoder_load_shift[3] = {(float)(-0.485 / 0.229), (float)(-0.456 / 0.224),
                                     (float)(-0.406 / 0.225)};

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

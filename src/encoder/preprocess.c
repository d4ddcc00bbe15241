#include "encoder/preprocess.h"

#include "base/base.h"

enum { CHANNELS = 3, MOST_LETTERS = 40 };

static const tot_preprocess_info table[] = {
    {"imagenet", {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}, 1, 224, "torchvision's, timm's"},
    {"dinov2", {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}, 1, 224, "DINO, DINOv2"},
    {"r3m", {0, 0, 0}, {1, 1, 1}, 255, 224, "R3M as a whole: it normalises by itself"},
    {"vip", {0, 0, 0}, {1, 1, 1}, 255, 224, "VIP as a whole: it normalises by itself"},
    {"clip",
     {0.48145466, 0.4578275, 0.40821073},
     {0.26862954, 0.26130258, 0.27577711},
     1,
     224,
     "CLIP's picture half"},
    {"siglip", {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 1, 224, "SigLIP's picture half: -1 .. 1"},
};

enum { PRESETS = BASE_LENGTH(table) };

size_t tot_preprocess_count(void) {
    return PRESETS;
}

const tot_preprocess_info *tot_preprocess_at(size_t index) {
    return index < PRESETS ? &table[index] : NULL;
}

// Reads one or three numbers: "0.5" or "0.485,0.456,0.406".
static tot_status read_numbers(const char *field, const char *text, double numbers[CHANNELS]) {
    int count = 0;
    const char *at = text;
    bool more = true;
    for (; more && count < CHANNELS; count++) {
        char word[MOST_LETTERS];
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        BASE_TRY(base_parse_real(field, word, &numbers[count]));
        more = at[length] == ',';
        at += length + more;
    }
    if (count == 1) {  // same value for all channels
        numbers[1] = numbers[2] = numbers[0];
        return TOT_OK;
    }
    return count == CHANNELS && !more
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT,
                           "%s: '%.80s' is not one number, or three separated by commas", field,
                           text);
}

tot_status encoder_preprocess_read(encoder_preprocess *out, const tot_weights_settings *settings) {
    const tot_preprocess_info *preset = &table[0];
    if (settings->preprocess != NULL) {
        preset = BASE_FIND_ROW("preprocess", settings->preprocess, table);
        if (preset == NULL) {
            return TOT_E_ARGUMENT;
        }
    }
    tot_preprocess_info own = *preset;
    if (settings->mean != NULL) {
        BASE_TRY(read_numbers("mean", settings->mean, own.mean));
    }
    if (settings->std != NULL) {
        BASE_TRY(read_numbers("std", settings->std, own.std));
    }
    out->size = own.size;
    for (int k = 0; k < CHANNELS; k++) {
        BASE_FAIL_IF(!(own.std[k] > 0), TOT_E_ARGUMENT, "std: %g is not more than 0", own.std[k]);
        out->scale[k] = (float)(own.range / (255 * own.std[k]));
        out->shift[k] = (float)(-own.mean[k] / own.std[k]);
        BASE_FAIL_IF(!isfinite(out->scale[k]) || !isfinite(out->shift[k]), TOT_E_ARGUMENT,
                     "std: %g is too small", own.std[k]);
    }
    return TOT_OK;
}

void encoder_preprocess_run(const encoder_preprocess *this, const uint8_t *rgb, int64_t pixels,
                            bool planes, float *out) {
    const int64_t next_pixel = planes ? 1 : CHANNELS;
    const int64_t next_channel = planes ? pixels : 1;
    for (int channel = 0; channel < CHANNELS; channel++) {
        const float scale = this->scale[channel];
        const float shift = this->shift[channel];
        for (int64_t k = 0; k < pixels; k++) {
            out[k * next_pixel + channel * next_channel] =
                (float)rgb[k * CHANNELS + channel] * scale + shift;
        }
    }
}

// --- ImageNet, for networks defined as lists of layers ------------------------------------------

const float encoder_load_scale[3] = {(float)(1 / (255 * 0.229)), (float)(1 / (255 * 0.224)),
                                     (float)(1 / (255 * 0.225))};
const float encoder_load_shift[3] = {(float)(-0.485 / 0.229), (float)(-0.456 / 0.224),
                                     (float)(-0.406 / 0.225)};

void encoder_load(const uint8_t *rgb, size_t pixels, float *out) {
    enum { PIXELS = 16, NUMBERS = 3 * PIXELS };  // processed at once
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

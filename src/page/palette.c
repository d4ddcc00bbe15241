// Colour quantisation: the box of colours with the largest variation is split at its mean.
#include "base/base.h"
#include "page/strip.h"

// A distinct colour: its pixels are `count` of the sorted keys from `first`.
struct shade {
    uint8_t rgb[3];
    uint32_t first, count;
};

// A set of shades that is mapped to one colour.
struct box {
    struct shade *shades;
    size_t count;
    int channel;   // the channel with the largest variation
    double error;  // total variation along it
    uint8_t mean[3];
};

// --- distinct colours --------------------------------------------------------------------------

// Radix sort by bits 32 .. 55, the colour; the low half is the pixel's index. Eight bits per pass,
// alternating between the arrays: after three passes the result is in `spare`.
static void sort_keys(uint64_t *keys, uint64_t *spare, size_t count) {
    for (int pass = 0; pass < 3; pass++) {
        int shift = 32 + 8 * pass;
        size_t start[257] = {0};
        for (size_t k = 0; k < count; k++) {
            start[(keys[k] >> shift & 255) + 1]++;
        }
        for (int digit = 0; digit < 256; digit++) {
            start[digit + 1] += start[digit];
        }
        for (size_t k = 0; k < count; k++) {
            spare[start[keys[k] >> shift & 255]++] = keys[k];
        }
        uint64_t *swapped = keys;
        keys = spare;
        spare = swapped;
    }
}

static void make_keys(const uint8_t *rgb, size_t count, uint64_t *keys) {
    for (size_t k = 0; k < count; k++) {
        uint64_t colour = (uint64_t)rgb[3 * k] << 16 | rgb[3 * k + 1] << 8 | rgb[3 * k + 2];
        keys[k] = colour << 32 | k;
    }
}

// Returns the number of shades. shades: space for as many as keys.
static size_t find_shades(const uint64_t *keys, size_t count, struct shade *shades) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t colour = (uint32_t)(keys[k] >> 32);
        if (k == 0 || colour != keys[k - 1] >> 32) {
            shades[found++] = (struct shade){
                {(uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour}, (uint32_t)k, 0};
        }
        shades[found - 1].count++;
    }
    return found;
}

// --- boxes -------------------------------------------------------------------------------------

static void measure(struct box *box) {
    // the eye is most sensitive to green and least to blue
    static const double weight[3] = {2, 4, 1};
    box->error = 0;
    box->channel = 0;
    for (int channel = 0; channel < 3; channel++) {
        uint64_t pixels = 0;
        uint64_t sum = 0;
        uint64_t squares = 0;
        for (size_t k = 0; k < box->count; k++) {
            uint64_t value = box->shades[k].rgb[channel];
            pixels += box->shades[k].count;
            sum += box->shades[k].count * value;
            squares += box->shades[k].count * value * value;
        }
        pixels = pixels > 0 ? pixels : 1;  // cannot happen: a box has a shade, and a shade has a
                                           // pixel
        double error =
            weight[channel] * ((double)squares - (double)sum * (double)sum / (double)pixels);
        box->mean[channel] = (uint8_t)((sum + pixels / 2) / pixels);
        if (error > box->error) {
            box->error = error;
            box->channel = channel;
        }
    }
    if (box->count == 1) {
        box->error = 0;
    }
}

// Splits the shades, which differ along the channel, at their mean: those up to it stay, the others
// go to `other`.
static void split(struct box *box, struct box *other) {
    uint8_t largest = 0;
    for (size_t k = 0; k < box->count; k++) {
        uint8_t value = box->shades[k].rgb[box->channel];
        largest = value > largest ? value : largest;
    }
    // a mean rounded up to the largest value would leave nothing above it
    int limit = box->mean[box->channel] - (box->mean[box->channel] == largest);
    size_t low = 0;
    for (size_t k = 0; k < box->count; k++) {
        if (box->shades[k].rgb[box->channel] <= limit) {
            struct shade moved = box->shades[k];
            box->shades[k] = box->shades[low];
            box->shades[low++] = moved;
        }
    }
    *other = (struct box){.shades = box->shades + low, .count = box->count - low};
    box->count = low;
    measure(box);
    measure(other);
}

// Splits the worst box while there are colours left. Returns the number of boxes.
static size_t make_boxes(struct box boxes[PAGE_PALETTE_SIZE], struct shade *shades, size_t count) {
    boxes[0] = (struct box){.shades = shades, .count = count};
    measure(&boxes[0]);
    size_t made = 1;
    while (made < PAGE_PALETTE_SIZE) {
        struct box *worst = &boxes[0];
        for (size_t k = 1; k < made; k++) {
            worst = boxes[k].error > worst->error ? &boxes[k] : worst;
        }
        if (worst->error <= 0) {
            break;
        }
        split(worst, &boxes[made++]);
    }
    return made;
}

static void name_pixels(const struct box *boxes, size_t count, const uint64_t *keys,
                        uint8_t *indices) {
    for (size_t k = 0; k < count; k++) {
        for (size_t s = 0; s < boxes[k].count; s++) {
            const struct shade *shade = &boxes[k].shades[s];
            for (uint32_t at = 0; at < shade->count; at++) {
                indices[(uint32_t)keys[shade->first + at]] = (uint8_t)k;
            }
        }
    }
}

tot_status page_palette_make(const uint8_t *rgb, size_t count,
                             uint8_t colours[PAGE_PALETTE_SIZE][3], uint8_t *indices) {
    uint64_t *keys = base_alloc(count, sizeof *keys, "colours");
    uint64_t *sorted = base_alloc(count, sizeof *sorted, "colours");
    struct shade *shades = base_alloc(count, sizeof *shades, "colours");
    tot_status status = TOT_E_MEMORY;
    if (keys != NULL && sorted != NULL && shades != NULL) {
        struct box boxes[PAGE_PALETTE_SIZE];
        make_keys(rgb, count, keys);
        sort_keys(keys, sorted, count);
        size_t made = make_boxes(boxes, shades, find_shades(sorted, count, shades));
        memset(colours, 0, PAGE_PALETTE_SIZE * sizeof colours[0]);
        for (size_t k = 0; k < made; k++) {
            memcpy(colours[k], boxes[k].mean, 3);
        }
        name_pixels(boxes, made, sorted, indices);
        status = TOT_OK;
    }
    BASE_RELEASE(keys, sorted, shades);
    return status;
}

// Bilinear resizing in strips of columns, so that tables and intermediate rows fit on the stack and
// nothing can fail.
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <temporalot/image.h>

#include "base/base.h"
#include "file/resize.h"

enum { CHANNELS = 3, STRIP = 128 };

// A pixel and the following byte.
typedef float floats4 __attribute__((vector_size(16)));

typedef struct strip {
    int columns;
    int inner;  // columns that do not touch the last column of the source
    file_tap taps[STRIP];
    int row[2];                            // which source rows are in lines; -1: none
    float lines[2][STRIP * CHANNELS + 1];  // plus space for a fourth value
} strip;

static floats4 load_pixel(const uint8_t *pixel) {
#ifdef __SSE2__
    // gcc does not vectorize the line below
    int32_t bytes;
    memcpy(&bytes, pixel, sizeof bytes);
    const __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return (floats4)_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, _mm_setzero_si128()));
#else
    return (floats4){pixel[0], pixel[1], pixel[2], pixel[3]};
#endif
}

// Resizes a source row horizontally, four values at a time; the fourth is overwritten by the next
// pixel.
static void fill_line(const strip *part, const uint8_t *row, float *line) {
    for (int x = 0; x < part->inner; x++) {
        const file_tap *from = &part->taps[x];
        const floats4 first = load_pixel(row + (size_t)from->first * CHANNELS);
        const floats4 second = load_pixel(row + (size_t)from->second * CHANNELS);
        const floats4 value = first + from->share * (second - first);
        memcpy(line + (size_t)x * CHANNELS, &value, sizeof value);
    }
    for (int x = part->inner; x < part->columns; x++) {
        const file_tap *from = &part->taps[x];
        const uint8_t *first = row + (size_t)from->first * CHANNELS;
        const uint8_t *second = row + (size_t)from->second * CHANNELS;
        for (int c = 0; c < CHANNELS; c++) {
            const float value = (float)first[c];
            line[x * CHANNELS + c] = value + from->share * ((float)second[c] - value);
        }
    }
}

// The resized source row. Rows are processed in order, so most are already there.
static const float *line_of(strip *part, const uint8_t *from, int from_width, int row, int keep) {
    for (int k = 0; k < 2; k++) {
        if (part->row[k] == row) {
            return part->lines[k];
        }
    }
    const int free_line = part->row[0] == keep ? 1 : 0;
    part->row[free_line] = row;
    fill_line(part, from + (size_t)row * (size_t)from_width * CHANNELS, part->lines[free_line]);
    return part->lines[free_line];
}

static void blend(uint8_t *to, const float *first, const float *second, float share, int count) {
    for (int k = 0; k < count; k++) {
        to[k] = (uint8_t)(first[k] + share * (second[k] - first[k]) + 0.5f);
    }
}

static void resize_strip(strip *part, const uint8_t *from, int from_width, int from_height,
                         uint8_t *to, int width, int height) {
    part->row[0] = -1;
    part->row[1] = -1;
    for (int y = 0; y < height; y++) {
        const file_tap rows = file_find_tap(y, height, from_height);
        const float *first = line_of(part, from, from_width, rows.first, rows.second);
        const float *second = line_of(part, from, from_width, rows.second, rows.first);
        blend(to + (size_t)y * (size_t)width * CHANNELS, first, second, rows.share,
              part->columns * CHANNELS);
    }
}

void tot_resize(const uint8_t *from, int from_width, int from_height, uint8_t *to, int width,
                int height) {
    BASE_NEED_OR(, from, to);
    if (from_width < 1 || from_height < 1 || width < 1 || height < 1) {
        return;
    }
    if (from_width == width && from_height == height) {
        memcpy(to, from, (size_t)width * (size_t)height * CHANNELS);
        return;
    }
    strip part = {0};
    for (int left = 0; left < width; left += STRIP) {
        part.columns = width - left < STRIP ? width - left : STRIP;
        part.inner = 0;
        for (int x = 0; x < part.columns; x++) {
            part.taps[x] = file_find_tap(left + x, width, from_width);
            part.inner = part.taps[x].second < from_width - 1 ? x + 1 : part.inner;
        }
        resize_strip(&part, from, from_width, from_height, to + (size_t)left * CHANNELS, width,
                     height);
    }
}

// Shared by the tests of tot_frames: distinct pictures, and reading them all.
#pragma once

#include "file/test_folder.h"

#include <temporalot/image.h>

// Picture number `frame`: a red square that moves over a smooth background.
static inline void paint(uint8_t *rgb, int width, int height, int frame) {
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = rgb + 3 * (y * width + x);
            const bool inside = x >= frame && x < frame + width / 4 && y > height / 3;
            pixel[0] = (uint8_t)(inside ? 220 : 60 + 100 * y / height);
            pixel[1] = (uint8_t)(inside ? 30 : 40 + 150 * x / width);
            pixel[2] = (uint8_t)(inside ? 30 : 90 + frame);
        }
    }
}

// The result of tot_frames_open and reading to the end.
typedef struct reading {
    tot_status opened;
    tot_status status;  // of the last read
    int64_t promised;   // tot_frames_count
    int64_t count;      // pictures read
    int width, height;
    double worst;  // mean difference from paint(), for the worst picture
} reading;

static inline double apart(const uint8_t *a, const uint8_t *b, size_t bytes) {
    double sum = 0;
    for (size_t k = 0; k < bytes; k++) {
        sum += abs(a[k] - b[k]);
    }
    return sum / (double)bytes;
}

static inline reading read_frames(const char *path) {
    reading out = {0};
    tot_frames *frames = NULL;
    out.opened = tot_frames_open(&frames, path);
    out.status = out.opened;
    if (out.opened != TOT_OK) {
        assert_null(frames);
        return out;
    }
    out.promised = tot_frames_count(frames);
    out.width = tot_frames_width(frames);
    out.height = tot_frames_height(frames);
    // exact size, so that a sanitizer detects writes past the end
    const size_t bytes = (size_t)out.width * (size_t)out.height * 3;
    uint8_t *rgb = malloc(bytes);
    uint8_t *expected = malloc(bytes);
    bool end = false;
    assert_true(rgb != NULL && expected != NULL);
    while ((out.status = tot_frames_read(frames, rgb, &end)) == TOT_OK && !end) {
        paint(expected, out.width, out.height, (int)out.count++);
        const double found = apart(rgb, expected, bytes);
        out.worst = found > out.worst ? found : out.worst;
    }
    if (out.status == TOT_OK) {
        // reading again still reports the end
        assert_int_equal(tot_frames_read(frames, rgb, &end), TOT_OK);
        assert_true(end);
    }
    free(rgb);
    free(expected);
    tot_frames_close(frames);
    return out;
}

// Asserts that the path cannot be opened or read to its end, with a single-line error that names
// it.
static inline void assert_refused(const char *path, tot_status status, const char *words) {
    const reading found = read_frames(path);
    const char *array = strstr(path, ".npz:");
    const size_t length = array != NULL ? (size_t)(array - path) + 4 : strlen(path);
    const bool fine = found.status == status && strstr(tot_error(), words) != NULL &&
                      strncmp(tot_error(), path, length) == 0 && strchr(tot_error(), '\n') == NULL;
    if (!fine) {
        print_error("%s: status %d after %lld pictures, text '%s', expected %d and '%s'\n", path,
                    (int)found.status, (long long)found.count, tot_error(), (int)status, words);
    }
    assert_true(fine);
}

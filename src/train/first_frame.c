#include <temporalot/image.h>

#include "base/base.h"
#include "train/demonstrations.h"
#include "train/folder.h"

enum { COARSE = 16, GAP = 4 };

// Pictures of the same task and camera correlate by 0.9 or more, even with other goals; with a zoom
// of 2.5, another camera or another scene they stay below this.
static const double alike = 0.5;

// --- similarity --------------------------------------------------------------------------------

// Mean brightness of COARSE x COARSE cells, minus their overall mean.
static void coarsen(const uint8_t *rgb, int side, double out[COARSE * COARSE]) {
    double counts[COARSE * COARSE] = {0};
    double mean = 0;
    memset(out, 0, COARSE * COARSE * sizeof *out);
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const uint8_t *pixel = rgb + ((size_t)y * (size_t)side + (size_t)x) * 3;
            const int part = y * COARSE / side * COARSE + x * COARSE / side;
            out[part] += 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
            counts[part]++;
        }
    }
    for (int k = 0; k < COARSE * COARSE; k++) {
        out[k] /= fmax(counts[k], 1);
        mean += out[k] / (COARSE * COARSE);
    }
    for (int k = 0; k < COARSE * COARSE; k++) {
        out[k] -= mean;
    }
}

// Correlation of two square RGB pictures, coarse and in greyscale: 1 for identical pictures, near 0
// for unrelated ones, 0 if one of them is uniform.
static double likeness(const uint8_t *a, const uint8_t *b, int side) {
    double one[COARSE * COARSE];
    double other[COARSE * COARSE];
    double product = 0;
    double squares[2] = {0};
    coarsen(a, side, one);
    coarsen(b, side, other);
    for (int k = 0; k < COARSE * COARSE; k++) {
        product += one[k] * other[k];
        squares[0] += one[k] * one[k];
        squares[1] += other[k] * other[k];
    }
    // a picture without contrast is not similar to anything
    return squares[0] < 1 || squares[1] < 1 ? 0 : product / sqrt(squares[0] * squares[1]);
}

// --- comparison --------------------------------------------------------------------------------

static tot_status draw_world(const train_embedder *embedder,
                             const train_demonstrations_request *needs, uint8_t *rgb) {
    tot_world *world = NULL;
    tot_renderer *renderer = NULL;
    tot_status status = tot_world_create(&world, needs->task, NULL);
    BASE_THEN(status, tot_world_reset(world, (uint64_t)needs->config->demo_seed, 0));
    BASE_THEN(status,
              tot_renderer_create(&renderer, needs->task, &embedder->views.encoder.view[0], NULL));
    BASE_THEN(status, tot_renderer_draw(renderer, world, rgb));
    tot_renderer_free(renderer);
    tot_world_free(world);
    return status;
}

static tot_status write_both(const char *path, const uint8_t *left, const uint8_t *right,
                             int side) {
    const size_t row = (size_t)side * 3;
    const size_t width = (size_t)(2 * side + GAP);
    uint8_t *both = base_alloc(width * 3, (size_t)side, "picture");
    BASE_HAVE(both);
    memset(both, 255, width * 3 * (size_t)side);
    for (size_t y = 0; y < (size_t)side; y++) {
        memcpy(both + y * width * 3, left + y * row, row);
        memcpy(both + y * width * 3 + row + (size_t)GAP * 3, right + y * row, row);
    }
    BASE_FINALLY(tot_png_write(path, both, (int)width, side), base_free(both));
}

tot_status train_check_first_frame(const train_embedder *embedder,
                                   const train_demonstrations_request *needs, const char *path,
                                   size_t number, const uint8_t *first) {
    const int side = (int)needs->config->size;
    char name[48];
    char picture[TRAIN_PATH];
    uint8_t *drawn = base_alloc((size_t)side * (size_t)side, 3, "picture");
    BASE_HAVE(drawn);
    snprintf(name, sizeof name, "demo-%zu.png", number);
    tot_status status = draw_world(embedder, needs, drawn);
    BASE_THEN(status, train_path(picture, needs->folder, name));
    BASE_THEN(status, write_both(picture, first, drawn, side));
    const double found = status == TOT_OK ? likeness(first, drawn, side) : 1;
    if (found < alike) {
        base_log(TOT_LOG_WARNING,
                 "%s: its first frame does not look like this run's world (correlation %.2f), and "
                 "the reward compares such pictures: see %s; docs/videos.md says how to film",
                 path, found, picture);
    }
    base_free(drawn);
    return status;
}

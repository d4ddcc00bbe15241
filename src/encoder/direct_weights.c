#include "base/base.h"
#include "encoder/direct_state.h"

enum { MOST_SIDE = 6 };

static size_t panels_of(const encoder_layer *layer) {
    return ((size_t)layer->out + ENCODER_TILE_COLUMNS - 1) / ENCODER_TILE_COLUMNS;
}

// The taps of the kernel for an output and an input channel: [kernel][kernel].
static const float *taps_of(const tot_weights *weights, int layer, size_t out, size_t in) {
    const encoder_layer *shape = &weights->network.layers[layer];
    const size_t taps = (size_t)shape->kernel * (size_t)shape->kernel;
    return weights->kernels[layer] + (out * (size_t)(shape->in / shape->groups) + in) * taps;
}

// --- panels -------------------------------------------------------------------------------------

static tot_status pack_panels(const tot_weights *weights, int layer, const void *context,
                              void **data) {
    (void)context;
    const encoder_layer *shape = &weights->network.layers[layer];
    const size_t taps = (size_t)shape->kernel * (size_t)shape->kernel;
    const size_t in = (size_t)shape->in;
    float *packed = base_alloc_zero(panels_of(shape) * taps * in * ENCODER_TILE_COLUMNS,
                                    sizeof *packed, "weights");
    BASE_HAVE(packed);
    for (size_t out = 0; out < (size_t)shape->out; out++) {
        float *panel = packed + out / ENCODER_TILE_COLUMNS * taps * in * ENCODER_TILE_COLUMNS +
                       out % ENCODER_TILE_COLUMNS;
        for (size_t k = 0; k < in; k++) {
            const float *from = taps_of(weights, layer, out, k);
            for (size_t tap = 0; tap < taps; tap++) {
                panel[(tap * in + k) * ENCODER_TILE_COLUMNS] = from[tap];
            }
        }
    }
    *data = packed;
    return TOT_OK;
}

// --- Winograd -----------------------------------------------------------------------------------

// Winograd's kernel transform of the three taps of a row
static const double rows_2[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
static const double rows_4[6][3] = {{1.0 / 4, 0, 0},
                                    {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                    {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                    {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                    {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                    {0, 0, 1}};

// out: [side][side]; computed in double precision.
static void transform(const double (*rows)[3], int side, const float taps[9],
                      float out[MOST_SIDE * MOST_SIDE]) {
    double half[MOST_SIDE][3];
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < 3; x++) {
            half[y][x] = rows[y][0] * (double)taps[x] + rows[y][1] * (double)taps[3 + x] +
                         rows[y][2] * (double)taps[6 + x];
        }
    }
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            out[y * side + x] = (float)(rows[x][0] * half[y][0] + rows[x][1] * half[y][1] +
                                        rows[x][2] * half[y][2]);
        }
    }
}

static tot_status pack_winograd(const tot_weights *weights, int layer, const void *context,
                                void **data) {
    const encoder_layer *shape = &weights->network.layers[layer];
    const int side = *(const encoder_direct_layout *)context == ENCODER_WINOGRAD_2 ? 4 : 6;
    const size_t in = (size_t)shape->in;
    const size_t each = panels_of(shape) * in * ENCODER_TILE_COLUMNS;  // elements per position
    float *packed = base_alloc_zero((size_t)(side * side) * each, sizeof *packed, "weights");
    BASE_HAVE(packed);
    for (size_t out = 0; out < (size_t)shape->out; out++) {
        for (size_t k = 0; k < in; k++) {
            float numbers[MOST_SIDE * MOST_SIDE];
            float *at = packed + (out / ENCODER_TILE_COLUMNS * in + k) * ENCODER_TILE_COLUMNS +
                        out % ENCODER_TILE_COLUMNS;
            transform(side == 4 ? rows_2 : rows_4, side, taps_of(weights, layer, out, k), numbers);
            for (int position = 0; position < side * side; position++) {
                at[(size_t)position * each] = numbers[position];
            }
        }
    }
    *data = packed;
    return TOT_OK;
}

// --- depthwise ----------------------------------------------------------------------------------

static tot_status pack_channels(const tot_weights *weights, int layer, const void *context,
                                void **data) {
    (void)context;
    const size_t channels = (size_t)weights->network.layers[layer].out;
    float *packed = base_alloc(9 * channels, sizeof *packed, "weights");
    BASE_HAVE(packed);
    for (size_t k = 0; k < 9 * channels; k++) {
        packed[k] = weights->kernels[layer][k % channels * 9 + k / channels];
    }
    *data = packed;
    return TOT_OK;
}

// --- all layouts --------------------------------------------------------------------------------

tot_status encoder_direct_pack(tot_weights *weights, int layer, encoder_direct_layout layout,
                               const float **data) {
    static const encoder_packer packers[] = {[ENCODER_PANELS] = pack_panels,
                                             [ENCODER_CHANNELS] = pack_channels,
                                             [ENCODER_WINOGRAD_2] = pack_winograd,
                                             [ENCODER_WINOGRAD_4] = pack_winograd};
    const void *packed = NULL;
    BASE_TRY(encoder_weights_pack(weights, layer, "direct", &layout, sizeof layout, packers[layout],
                                  &layout, &packed));
    *data = packed;
    return TOT_OK;
}

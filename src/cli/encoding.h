// What the commands that encode pictures share: the options of an encoder, and pictures from files
// on their way through one, a batch at a time.
#ifndef TOT_CLI_ENCODING_H
#define TOT_CLI_ENCODING_H

#include "cli/cli.h"

// The options of an encoder, as typed. Start with CLI_ENCODING_INITIAL.
typedef struct cli_encoding {
    const char *network;
    const char *weights;  // NULL: those that come with set-up
    const char *prefix;
    const char *precision;
    const char *calibration;
    bool pooled;
    int64_t cell;
    int64_t size;
    int64_t batch;
} cli_encoding;

#define CLI_ENCODING_INITIAL \
    { .precision = "f32", .cell = 32, .size = 224, .batch = 8 }

// Entries of a list of cli_option.
#define CLI_ENCODING_OPTIONS(it)                                                                   \
    {"encoder", CLI_TEXT, &(it).network, "NAME",                                                   \
     "what the weights must be: resnet18, resnet34, resnet50, resnet101, resnet152, mobilenetv2 "  \
     "(default: seen from them)"},                                                                 \
        {"weights", CLI_TEXT, &(it).weights, "FILE",                                               \
         "a .pth, .pt or .safetensors (default: the MobileNetV2 that comes with set-up)"},         \
        {"prefix", CLI_TEXT, &(it).prefix, "TEXT",                                                 \
         "before the names of its tensors, as 'module.' (default: found)"},                        \
        {"precision", CLI_TEXT, &(it).precision, "f32|int8|bf16", "of the network (default f32)"}, \
        {"calibration", CLI_TEXT, &(it).calibration, "FILE.json",                                  \
         "for int8 (default: the weights' name and .int8.json)"},                                  \
        {"pool", CLI_FLAG, &(it).pooled, NULL,                                                     \
         "the mean over the last feature map instead of the whole map"},                           \
        {"cell", CLI_COUNT, &(it).cell, "N",                                                       \
         "stop at the map whose cells have N pixels a side: 4, 8 or 16 (default 32: all of it)"},  \
        {"size", CLI_COUNT, &(it).size, "N",                                                       \
         "pictures are resized to N x N pixels first (default 224)"},                              \
    {                                                                                              \
        "batch", CLI_COUNT, &(it).batch, "N", "pictures at a time (default 8)"                     \
    }

// Checks what was typed. Returns the exit code: EXIT_USAGE with a line printed.
int cli_encoding_read(const cli_encoding *typed, tot_encoder_settings *settings);

// An encoder with its weights, and room for one batch. {0} is closed.
typedef struct cli_encoder {
    tot_encoder_settings settings;
    const char *weights_path;
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder *encoder;
    uint8_t *picture;  // as it was read, where it has another size
    size_t picture_capacity;
    uint8_t *rgb;  // [batch][size][size][3]
    float *rows;   // [batch][width]
} cli_encoder;

// pool must outlive it.
tot_status cli_encoder_open(cli_encoder *encoder, const cli_encoding *typed,
                            const tot_encoder_settings *settings, tot_pool *pool);
void cli_encoder_close(cli_encoder *encoder);

// Only the weights: what a calibration is made for.
tot_status cli_encoder_open_weights(cli_encoder *encoder, const cli_encoding *typed);

// Where the calibration of these weights is kept: typed, or beside the weights. To be freed with
// tot_free; NULL when there is no memory.
char *cli_calibration_path(const cli_encoding *typed, const char *weights_path);

// The next pictures of frames, resized to size x size, at most `most` of them. *count is less than
// that only after the last. rgb: [most][size][size][3].
tot_status cli_pictures_read(cli_encoder *encoder, tot_frames *frames, uint8_t *rgb, int64_t most,
                             int64_t *count);

// What takes the embeddings. rows: [count][width].
typedef tot_status (*cli_take_rows)(void *context, const float *rows, int64_t count);

// All pictures of a path, in order, with a progress bar. *count (may be NULL) is how many.
// TOT_E_INTERRUPTED after a signal.
tot_status cli_encode_pictures(cli_encoder *encoder, const char *path, bool quiet,
                               cli_take_rows take, void *context, int64_t *count);

// The same into an array, steps x width; out is {0} or used before.
tot_status cli_encode_array(cli_encoder *encoder, const char *path, bool quiet, tot_array *out);

// --- calibration -------------------------------------------------------------------------------

// Measures on the pictures of these paths (at most some hundred, evenly spread), or, where there
// are none, on expert episodes of all tasks, and saves it. count is given the number of pictures.
tot_status cli_calibrate(cli_encoder *encoder, const char *const *paths, size_t path_count,
                         const char *out, bool quiet, tot_pool *pool, int64_t *count);

#endif

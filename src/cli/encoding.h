// Shared by the commands that encode pictures: the options of an encoder, and progress.
#pragma once

#include "cli/cli.h"

// The options of an encoder, as typed. Start with CLI_ENCODING_INITIAL.
typedef struct cli_encoding {
    const char *network;
    const char *weights;  // NULL: the default weights
    const char *prefix;
    const char *precision;
    const char *calibration;
    const char *output;  // for ONNX networks, like the next three
    const char *preprocess;
    const char *mean;
    const char *std;
    bool pooled;
    int64_t stride;
    int64_t size;  // CLI_SIZE_OWN: not given
    int64_t batch;
} cli_encoding;

#define CLI_SIZE_OWN INT64_MIN

#define CLI_ENCODING_INITIAL \
    { .precision = "f32", .stride = 32, .size = CLI_SIZE_OWN, .batch = 8 }

// The help of --encoder, which lists all networks.
const char *cli_encoder_help(void);

// Rows for a cli_option table.
#define CLI_ENCODING_OPTIONS(it)                                                                   \
    {.name = "encoder, for pictures:", .kind = CLI_SECTION},                                       \
        {"encoder", CLI_TEXT, &(it).network, "ENCODER", cli_encoder_help()},                       \
        {"weights", CLI_TEXT, &(it).weights, "FILE",                                               \
         "weight file: .pth, .pt or .safetensors (default: the MobileNetV2 installed during "      \
         "set-up)"},                                                                               \
        {"prefix", CLI_TEXT, &(it).prefix, "TEXT",                                                 \
         "prefix of the tensor names, such as 'module.' (default: detected)"},                     \
        {"precision", CLI_TEXT, &(it).precision, "f32|int8|bf16",                                  \
         "precision of the network (default f32)"},                                                \
        {"calibration", CLI_TEXT, &(it).calibration, "FILE.json",                                  \
         "calibration file for int8 (default: the name of the weight file and .int8.json)"},       \
        {"pool", CLI_FLAG, &(it).pooled, NULL,                                                     \
         "average the feature map over space instead of using all of it"},                         \
        {"stride", CLI_COUNT, &(it).stride, "N",                                                   \
         "stop at the feature map of stride N: 4, 8 or 16 (default 32: the whole network)"},       \
        {"size", CLI_COUNT, &(it).size, "N",                                                       \
         "resize pictures to N x N pixels first (default 224, or what the ONNX network expects)"}, \
        {"output", CLI_TEXT, &(it).output, "NAME",                                                 \
         "ONNX: tensor to use as the embedding (default: the first feature map or tokens)"},       \
        {"preprocess", CLI_TEXT, &(it).preprocess, "NAME",                                         \
         "ONNX: normalisation of the pictures: imagenet (default), dinov2, r3m, vip, clip or "     \
         "siglip"},                                                                                \
        {"mean", CLI_TEXT, &(it).mean, "X|R,G,B", "ONNX: mean to subtract from the pictures"},     \
        {"std", CLI_TEXT, &(it).std, "X|R,G,B", "ONNX: standard deviation to divide by"}, {        \
        "batch", CLI_COUNT, &(it).batch, "N", "pictures per batch (default 8)"                     \
    }

// Checks the options. Returns the exit code: EXIT_USAGE with an error printed.
int cli_encoding_read(const cli_encoding *typed, tot_embedder_settings *settings);

// Like cli_fail, but if a calibration is missing, also names the command that creates it.
int cli_encoding_fail(const cli_encoding *typed, tot_status status);

// --- progress ----------------------------------------------------------------------------------

typedef struct cli_watching {
    cli_progress encode;
    cli_progress label;
    bool quiet;
    const cli_encoding *encoding;  // if not NULL, the default network is announced once
} cli_watching;

// Shows a progress bar for encoding or labelling; returns false after a signal.
bool cli_watching_show(cli_watching *watching, const tot_label_progress *progress);

// Clears the bars before something else is printed.
void cli_watching_clear(cli_watching *watching);

// --- calibration -------------------------------------------------------------------------------

// Calibrates int8 on the pictures of these sources (at most a few hundred, evenly spread) or, if
// there are none, on expert episodes of the paper's ten tasks, and writes the calibration to `out`.
// *count: the number of pictures used.
tot_status cli_calibrate(tot_weights *weights, int size, const tot_source_list *sources,
                         const char *out, bool quiet, tot_pool *pool, int64_t *count);

// Shared by the commands that encode pictures: which files and which of their frames, the options
// of an encoder, and progress.
#pragma once

#include "cli/cli.h"
#include "label/embed.h"

// What the options say; excerpt and settings are complete after cli_encoding_read. Start with
// CLI_ENCODING_INITIAL.
typedef struct cli_encoding {
    tot_excerpt excerpt;
    tot_excerpt moving[LABEL_MOST_VIEWS];  // --crop moving: the same with a region, for each view
    tot_embedder_settings settings;
    const char *crop;
    tot_precision precision;
    bool pooled;
    int64_t stride;
    int64_t size;  // may be CLI_NOT_GIVEN
    int64_t batch;
} cli_encoding;

// NAN: not given, like CLI_NOT_GIVEN.
#define CLI_ENCODING_INITIAL                                                      \
    {                                                                             \
        .excerpt = {.every = 1, .fps = NAN, .to = NAN}, .stride = TOT_MAX_STRIDE, \
        .size = CLI_NOT_GIVEN, .batch = 8                                         \
    }

// The help of --encoder, which lists all networks.
const char *cli_encoder_help(void);

// Rows for a cli_option table.
#define CLI_ENCODING_OPTIONS(it)                                                                   \
    {.name = "pictures and videos:", .kind = CLI_SECTION},                                         \
        {"every", CLI_COUNT, &(it).excerpt.every, "N", "take every N-th picture (default 1)"},     \
        {"fps", CLI_REAL, &(it).excerpt.fps, "X",                                                  \
         "take X pictures per second, whatever the video's frame rate (default: all)"},            \
        {"from", CLI_REAL, &(it).excerpt.from, "SECONDS",                                          \
         "start at this time in the video (default 0)"},                                           \
        {"to", CLI_REAL, &(it).excerpt.to, "SECONDS", "stop at this time (default: its end)"},     \
        {"crop", CLI_TEXT, &(it).crop, "X,Y,W,H|moving",                                           \
         "use this part of every picture: left, top, width, height in pixels; moving: the part "   \
         "in which something moves in the demonstrations"},                                        \
        {.name = "encoder, for pictures:", .kind = CLI_SECTION},                                   \
        {"encoder", CLI_TEXT, &(it).settings.body.network, "ENCODER", cli_encoder_help()},         \
        {"weights", CLI_TEXT, &(it).settings.weights, "FILE", NULL},                               \
        {"prefix", CLI_TEXT, &(it).settings.body.prefix, NULL, NULL},                              \
        {"precision", CLI_WORD, &(it).precision, NULL, NULL},                                      \
        {"calibration", CLI_TEXT, &(it).settings.calibration, "FILE.json",                         \
         "calibration file for int8 (default: the name of the weight file and .int8.json)"},       \
        {"pool", CLI_FLAG, &(it).pooled, NULL, NULL},                                              \
        {"stride", CLI_COUNT, &(it).stride, NULL, NULL},                                           \
        {"size", CLI_COUNT, &(it).size, "N",                                                       \
         "resize pictures to N x N pixels first (default 224, or what the ONNX network expects)"}, \
        {"output", CLI_TEXT, &(it).settings.body.output, "NAME", NULL},                            \
        {"preprocess", CLI_TEXT, &(it).settings.body.preprocess, "NAME", NULL},                    \
        {"mean", CLI_TEXT, &(it).settings.body.mean, "X|R,G,B", NULL},                             \
        {"std", CLI_TEXT, &(it).settings.body.std, "X|R,G,B", NULL}, {                             \
        "batch", CLI_COUNT, &(it).batch, "N", "pictures per batch (default 8)"                     \
    }

// Checks the options. Returns the exit code: EXIT_USAGE with an error printed.
int cli_encoding_read(cli_encoding *encoding);

// Expands the words and adds the sources, which refer to the excerpt of the encoding: it must
// outlive them. Returns the exit code: it is an error if there are none, and `what` ("episode") is
// named as missing, unless what is NULL.
int cli_sources_find(tot_source_list *sources, const cli_texts *words, const cli_encoding *encoding,
                     const char *what);

// With --crop moving: finds the region in which the first `demos` of the sources change, for each
// view, and crops all sources to it. Returns the exit code.
int cli_sources_crop(tot_source_list *sources, size_t demos, cli_encoding *encoding, bool quiet);

// Like cli_result, but if a calibration is missing, also names the command that creates it.
int cli_encoding_result(const cli_encoding *encoding, tot_status status);

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

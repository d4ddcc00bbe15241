// temporalot/label.h - videos in, rewards out: sources (.npy, .npz, folders of pictures, videos,
// arrays in memory) are encoded to embeddings, and episodes are labelled against demonstrations in
// bulk.
//
//     #include <stdio.h>
//     #include <temporalot/label.h>
//
//     static tot_status print(void *context, const tot_labelled *episode) {
//         (void)context;
//         printf("%s: %g\n", episode->name, episode->info.sum);
//         return TOT_OK;
//     }
//
//     int main(int argc, char **argv) {
//         tot_label_source source = {.path = argc > 1 ? argv[1] : "expert.mp4"};
//         tot_label_options options;
//         tot_label_defaults(&options);
//         options.take = print;
//         tot_status status = tot_label_sources(&source, 1, &source, 1, &options);
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_LABEL_H
#define TEMPORALOT_LABEL_H

#include <temporalot/base.h>
#include <temporalot/encoder.h>
#include <temporalot/file.h>
#include <temporalot/image.h>
#include <temporalot/reward.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- sources -----------------------------------------------------------------------------------

// The source of a trajectory. `path`: embeddings (.npy or .npz, as tot_array_load) or pictures (as
// tot_frames_open). In memory, `array`: embeddings, steps x width, float32 or float64, or pictures,
// steps x height x width x 3, uint8; path is then its name in error messages. An excerpt of
// embeddings is rejected. An episode recorded by several cameras has `others`: the same steps as
// seen by the other cameras. All views are pictures, or all are embeddings of the same width.
// Nothing is owned.
typedef struct tot_label_source {
    const char *path;
    const tot_array *array;           // NULL: read from path
    const tot_excerpt *excerpt;       // which pictures to use; NULL: all
    struct tot_label_source *others;  // [other_count], without others of their own; their
                                      // excerpt, if NULL, is that of the first view
    size_t other_count;
} tot_label_source;

// The number of views of each of these sources. TOT_E_SHAPE: they differ; TOT_E_ARGUMENT: more
// than a reward can compare (16).
TOT_API tot_status tot_label_views(const tot_label_source *sources, size_t count, int64_t *views);

// A list of paths. Initialise with {0}.
typedef struct tot_source_list {
    tot_label_source *items;  // [count]; their paths and others are owned by the list
    size_t count;
    size_t capacity;
    char *texts;
    size_t texts_used;
    size_t texts_capacity;
} tot_source_list;

// Expands a command-line argument and adds the result: a file (also "F.npz:NAME"); a folder (its
// .npy and .npz files and videos, sorted by name; the folder itself, as one episode, if it only has
// PNG or JPEG files); a glob pattern with * ? [ ] (matching files, sorted by name); "@FILE" (a list
// with one of these per line, '#' starts a comment). An .npz with several recorded episodes
// (frames_0, frames_1, ...) adds all of them. "FRONT,SIDE" names the views of several cameras, each
// in one of these ways: the first match of FRONT and the first of SIDE are one episode, and so on
// (anything of that whole name comes first). TOT_E_FILE if nothing matches, or not equally much.
TOT_API tot_status tot_source_list_add(tot_source_list *list, const char *word);

// Adds a path without expanding it.
TOT_API tot_status tot_source_list_append(tot_source_list *list, const char *path);

// list may be {0}.
TOT_API void tot_source_list_free(tot_source_list *list);  // list may be NULL

// --- progress ----------------------------------------------------------------------------------

typedef struct tot_label_progress {
    const char *doing;    // "encode": pictures of one source; "label": episodes
    const char *source;   // what is being encoded; NULL for "label"
    const char *encoder;  // tot_encoder_text of the encoder; NULL for "label"
    int64_t done;
    int64_t total;  // 0 or less: unknown
} tot_label_progress;

// Called on the calling thread, first with done = 0. Returning false stops with TOT_E_INTERRUPTED.
typedef bool (*tot_label_watch)(void *context, const tot_label_progress *progress);

// --- embedding ---------------------------------------------------------------------------------

typedef struct tot_embedder_settings {
    const char *weights;           // file; NULL: tot_weights_default
    const char *calibration;       // file, for int8; NULL: the weights' name plus ".int8.json"
    tot_weights_settings body;     // network, prefix and feature map
    tot_encoder_settings encoder;  // its calibration is ignored
} tot_embedder_settings;

// The MobileNetV2 installed by set-up, and tot_encoder_defaults.
TOT_API void tot_embedder_defaults(tot_embedder_settings *settings);

// An encoder with its weights and memory for a batch. Not thread-safe.
typedef struct tot_embedder tot_embedder;

// settings may be NULL (defaults). pool (may be NULL) shares the work and must outlive the
// embedder. Errors are those of tot_weights_load and tot_encoder_create; TOT_E_MISSING: no weights,
// or no calibration.
TOT_API tot_status tot_embedder_create(tot_embedder **embedder,
                                       const tot_embedder_settings *settings, tot_pool *pool);

TOT_API tot_encoder *tot_embedder_encoder(tot_embedder *embedder);

// Receives embeddings as they are computed. rows: [count][views * width].
typedef tot_status (*tot_take_rows)(void *context, const float *rows, int64_t count);

// Encodes the pictures of a source in order, a batch at a time: memory does not grow with their
// number, and a video is decoded, resized and encoded in one pass. The rows of several views are
// concatenated. watch and count may be NULL. Sources of embeddings are rejected.
TOT_API tot_status tot_embed_pictures(tot_embedder *embedder, const tot_label_source *source,
                                      tot_take_rows take, tot_label_watch watch, void *context,
                                      int64_t *count);

// The embeddings of a source, steps x width, with several views concatenated; a source of
// embeddings is read unchanged. out is {0} or previously used.
TOT_API tot_status tot_embed_source(tot_embedder *embedder, const tot_label_source *source,
                                    tot_array *out);

// embedder may be NULL.
TOT_API void tot_embedder_free(tot_embedder *embedder);

// --- labelling ---------------------------------------------------------------------------------

// A labelled episode. All pointers are valid until the callback returns.
typedef struct tot_labelled {
    size_t index;  // index of the episode
    const char *name;
    int64_t steps;
    const float *rewards;   // [steps]
    const float *progress;  // [steps], 0 to 1, as tot_labeler_progress
    tot_label_info info;
    double scale;           // of these rewards
    int64_t demos;          // number of demonstrations
    const tot_array *plan;  // [steps][demonstration steps], float64; NULL: not requested,
                            // and not shown on the page
    const tot_array *cost;  // the same
    // Relative change of the rewards with ten times the iterations: the sum of absolute differences
    // over the sum of absolute rewards; NaN: not checked. See options.checked.
    double change;
} tot_labelled;

typedef struct tot_label_options {
    tot_reward_config reward;
    bool auto_scale;  // the first episode is labelled with scale 1 and determines the scale of the
                      // others (tot_scale_auto)
    tot_embedder_settings embedder;  // created when the first pictures are read
    int threads;                     // 0: one per CPU
    const char *out;                 // rewards.npz; NULL: none
    const char *page;  // web page: a table of the episodes, and pictures, rewards, cost
                       // and plan of the first 8; NULL: none
    const char *svg;   // picture of the same; NULL: none
    bool plan;         // write it to the file and pass it to the callback; not every
                       // method has one
    bool cost;
    size_t checked;  // of the first `checked` episodes, those that did not converge get `change`
                     // computed
    // Called for every episode, in order, on the calling thread. An error stops the labelling. May
    // be NULL.
    tot_status (*take)(void *context, const tot_labelled *episode);
    tot_label_watch watch;  // may be NULL
    void *context;
} tot_label_options;

// The paper's TemporalOT, the default embedder, no file.
TOT_API void tot_label_defaults(tot_label_options *options);

// Labels episodes against demonstrations. If they have several views, the reward's `views` is that
// number (it must be 1, or the same). Embeddings are labelled in parallel, one episode per
// thread; pictures are encoded by all threads, one source at a time. The rewards do not depend on
// the number of threads, and memory does not grow with the number of episodes. The files are
// written under temporary names and renamed when all are complete. `out` contains per episode
// `rewards`, `progress` (float32), `demo`, `iterations`, `marginal_error`, `converged`,
// `mass_outside`, and `plan` and `cost` if requested; with several episodes the names end in _0,
// _1, ... TOT_E_ARGUMENT: no demonstrations, or a plan requested of a method that has none;
// TOT_E_INTERRUPTED: stopped by watch; else as tot_embed_source and tot_label.
TOT_API tot_status tot_label_sources(const tot_label_source *demos, size_t demo_count,
                                     const tot_label_source *episodes, size_t episode_count,
                                     const tot_label_options *options);

#ifdef __cplusplus
}
#endif
#endif

// temporalot/label.h - videos in, rewards out: sources (.npy, .npz, folders of pictures, videos,
// arrays in memory) become embeddings, and episodes are labelled against demonstrations, many at a
// time.
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

// Where a trajectory comes from. At `path`: embeddings (.npy or .npz, as tot_array_load) or
// pictures (as tot_frames_open). In memory: `array` is embeddings, steps x width, float32 or
// float64, or pictures, steps x height x width x 3, uint8; path is then its name in error texts.
// An excerpt of embeddings is refused. Nothing is owned.
typedef struct tot_label_source {
    const char *path;
    const tot_array *array;      // NULL: what stands at path
    const tot_excerpt *excerpt;  // which of its pictures; NULL: all
} tot_label_source;

// A list of paths. Start with {0}.
typedef struct tot_source_list {
    tot_label_source *items;  // [count]; their paths are the list's own
    size_t count;
    size_t capacity;
    char *texts;
    size_t texts_used;
    size_t texts_capacity;
} tot_source_list;

// Adds what one word means: a file ("F.npz:NAME" too); a folder (its .npy and .npz files and videos
// by name; where it has none but PNG or JPEG files, itself, as one episode); a pattern with * ? [ ]
// (the files it matches, by name); "@FILE" (a list, one of these a line, '#' starts a comment). An
// .npz of several recorded episodes (frames_0, frames_1, ...) is all of them. TOT_E_FILE when it
// means nothing.
TOT_API tot_status tot_source_list_add(tot_source_list *list, const char *word);

// Adds a path as it is.
TOT_API tot_status tot_source_list_append(tot_source_list *list, const char *path);

// list may be {0}.
TOT_API void tot_source_list_free(tot_source_list *list);  // list may be NULL

// --- progress ----------------------------------------------------------------------------------

typedef struct tot_label_progress {
    const char *doing;    // "encode": pictures of one source; "label": episodes
    const char *source;   // what is encoded; NULL for "label"
    const char *encoder;  // what encodes it, as tot_encoder_text; NULL for "label"
    int64_t done;
    int64_t total;  // 0 or less: not known
} tot_label_progress;

// Called on the caller's thread, first with done = 0. false: stop, with TOT_E_INTERRUPTED.
typedef bool (*tot_label_watch)(void *context, const tot_label_progress *progress);

// --- embedding ---------------------------------------------------------------------------------

typedef struct tot_embedder_settings {
    const char *weights;           // file; NULL: tot_weights_default
    const char *calibration;       // file, for int8; NULL: the weights' name and ".int8.json"
    tot_weights_settings body;     // which network, prefix and map
    tot_encoder_settings encoder;  // its calibration is not looked at
} tot_embedder_settings;

// MobileNetV2 of set-up, and tot_encoder_defaults.
TOT_API void tot_embedder_defaults(tot_embedder_settings *settings);

// An encoder with its weights and memory for a batch. For one thread at a time.
typedef struct tot_embedder tot_embedder;

// settings may be NULL (defaults). pool (may be NULL) shares the work and must outlive it.
// Fails as tot_weights_load and tot_encoder_create do; TOT_E_MISSING: no weights, or no
// calibration.
TOT_API tot_status tot_embedder_create(tot_embedder **embedder,
                                       const tot_embedder_settings *settings, tot_pool *pool);

TOT_API tot_encoder *tot_embedder_encoder(tot_embedder *embedder);

// What takes embeddings as they come. rows: [count][width].
typedef tot_status (*tot_take_rows)(void *context, const float *rows, int64_t count);

// The pictures of a source in order, a batch at a time: memory does not grow with their number, and
// a video is opened, decoded, scaled and encoded in one pass. watch and count may be NULL.
// Embeddings are refused as not pictures.
TOT_API tot_status tot_embed_pictures(tot_embedder *embedder, const tot_label_source *source,
                                      tot_take_rows take, tot_label_watch watch, void *context,
                                      int64_t *count);

// A source's embeddings, steps x width; what already is embeddings is read as it is. out is {0} or
// used before.
TOT_API tot_status tot_embed_source(tot_embedder *embedder, const tot_label_source *source,
                                    tot_array *out);

// embedder may be NULL.
TOT_API void tot_embedder_free(tot_embedder *embedder);

// --- labelling ---------------------------------------------------------------------------------

// A labelled episode. Everything is valid until the callback returns.
typedef struct tot_labelled {
    size_t index;  // among the episodes
    const char *name;
    int64_t steps;
    const float *rewards;   // [steps]
    const float *progress;  // [steps], 0 to 1, as tot_labeler_progress
    tot_label_info info;
    double scale;           // of these rewards
    int64_t demos;          // how many demonstrations there were
    const tot_array *plan;  // [steps][demonstration steps] of float64; NULL: not asked for
    const tot_array *cost;  // the same
    // How far the rewards are from those with ten times the iterations: the sum of the absolute
    // differences over that of the absolute rewards; NaN: not looked at. See options.checked.
    double change;
} tot_labelled;

typedef struct tot_label_options {
    tot_reward_config reward;
    bool auto_scale;  // the first episode has scale 1 and sets that of all others (tot_scale_auto)
    tot_embedder_settings embedder;  // opened when the first pictures come
    int threads;                     // 0: one per CPU
    const char *out;                 // rewards.npz; NULL: none
    bool plan;                       // into the file and the callback; not every method has one
    bool cost;
    size_t shown;    // of the first so many the callback is given cost and plan in any case
    size_t checked;  // where the first so many did not converge, it is found out what that changes
    // Every episode, in order, on the caller's thread. A failure ends it. May be NULL.
    tot_status (*take)(void *context, const tot_labelled *episode);
    // After the last, before the file becomes visible. May be NULL.
    tot_status (*finish)(void *context);
    tot_label_watch watch;  // may be NULL
    void *context;
} tot_label_options;

// The paper's TemporalOT, the default embedder, no file.
TOT_API void tot_label_defaults(tot_label_options *options);

// Labels episodes against demonstrations. Embeddings are labelled side by side, one episode a
// thread; pictures are encoded by all threads, one source after the other. The rewards are the same
// bytes for any number of threads, and memory does not grow with the number of episodes. The file
// is whole or absent: per episode `rewards`, `progress` (float32), `demo`, `iterations`,
// `marginal_error`, `converged`, `mass_outside`, and `plan` and `cost` where asked for; with
// several episodes the names end in _0, _1, ... TOT_E_ARGUMENT: no demonstration, or a plan of a
// method that has none; TOT_E_INTERRUPTED: stopped by watch; else as tot_embed_source and
// tot_label.
TOT_API tot_status tot_label_sources(const tot_label_source *demos, size_t demo_count,
                                     const tot_label_source *episodes, size_t episode_count,
                                     const tot_label_options *options);

#ifdef __cplusplus
}
#endif
#endif

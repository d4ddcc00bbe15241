// Encodes pictures: a source is opened once, then decoded, scaled and encoded in batches.
#include "label/embed.h"

#include <sys/stat.h>

#include "base/base.h"
#include "file/array.h"
#include "file/frames.h"

struct tot_embedder {
    tot_encoder_settings settings;
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder *encoder;
    uint8_t *rgb;  // [batch][size][size][3]
    float *rows;   // [batch][width]
};

// --- creation and destruction ------------------------------------------------------------------

void tot_embedder_defaults(tot_embedder_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_embedder_settings){0};
    tot_encoder_defaults(&settings->encoder);
}

tot_status label_calibration_path(const tot_embedder_settings *settings, char **path) {
    static const char ending[] = ".int8.json";
    const char *start = settings->calibration != NULL ? settings->calibration : settings->weights;
    if (start == NULL) {
        BASE_TRY(tot_weights_default(&start));
    }
    const size_t capacity = strlen(start) + sizeof ending;
    BASE_ALLOC(*path, capacity, "file name");
    snprintf(*path, capacity, "%s%s", start, settings->calibration != NULL ? "" : ending);
    return TOT_OK;
}

static tot_status load_calibration(tot_embedder *embedder, const tot_embedder_settings *settings) {
    struct stat found;
    char *path = NULL;
    BASE_TRY(label_calibration_path(settings, &path));
    const bool missing = settings->calibration == NULL && stat(path, &found) != 0;
    const tot_status status =
        missing
            ? base_fail(TOT_E_MISSING, "calibration: int8 needs one, but there is none at %s", path)
            : tot_calibration_load(&embedder->calibration, embedder->weights, path);
    base_free(path);
    return status;
}

static tot_status create_parts(tot_embedder *embedder, const tot_embedder_settings *settings,
                               tot_pool *pool) {
    embedder->settings = settings->encoder;
    BASE_TRY(tot_weights_load(&embedder->weights, settings->weights, &settings->body));
    if (settings->encoder.precision == TOT_PRECISION_INT8) {
        BASE_TRY(load_calibration(embedder, settings));
    }
    embedder->settings.calibration = embedder->calibration;
    BASE_TRY(tot_encoder_create(&embedder->encoder, embedder->weights, &embedder->settings, pool));
    embedder->settings.size = tot_encoder_size(embedder->encoder);
    const size_t batch = (size_t)embedder->settings.batch;
    const size_t side = (size_t)embedder->settings.size;
    const size_t width = (size_t)tot_encoder_width(embedder->encoder);
    BASE_ALLOC(embedder->rgb, batch * side * side * FILE_FRAMES_CHANNELS, "pictures");
    BASE_ALLOC(embedder->rows, batch * width, "embeddings");
    return TOT_OK;
}

tot_status tot_embedder_create(tot_embedder **embedder, const tot_embedder_settings *settings,
                               tot_pool *pool) {
    BASE_NEED(embedder);
    tot_embedder_settings defaults;
    tot_embedder_defaults(&defaults);
    *embedder = NULL;
    BASE_NEW(tot_embedder, made, "embedder");
    BASE_GIVE(create_parts(made, settings != NULL ? settings : &defaults, pool), embedder, made,
              tot_embedder_free);
}

tot_encoder *tot_embedder_encoder(tot_embedder *embedder) {
    BASE_NEED_OR(NULL, embedder);
    return embedder->encoder;
}

void tot_embedder_free(tot_embedder *embedder) {
    BASE_UNLESS_NULL(embedder);
    tot_encoder_free(embedder->encoder);
    tot_calibration_free(embedder->calibration);
    tot_weights_free(embedder->weights);
    BASE_RELEASE(embedder->rgb, embedder->rows, embedder);
}

// --- pictures ----------------------------------------------------------------------------------

static tot_status read_batch(tot_embedder *embedder, tot_frames *frames, int64_t *count) {
    const size_t side = (size_t)embedder->settings.size;
    const size_t bytes = side * side * FILE_FRAMES_CHANNELS;
    bool end = false;
    for (*count = 0; *count < embedder->settings.batch; ++*count) {
        BASE_TRY(tot_frames_read(frames, embedder->rgb + (size_t)*count * bytes, &end));
        if (end) {
            break;
        }
    }
    return TOT_OK;
}

static tot_status encode_frames(tot_embedder *embedder, tot_frames *frames, const char *name,
                                tot_take_rows take, void *taker, tot_label_watch watch,
                                void *context, int64_t *done) {
    const int64_t batch = embedder->settings.batch;
    tot_label_progress progress = {.doing = "encode",
                                   .source = name,
                                   .encoder = tot_encoder_text(embedder->encoder),
                                   .total = tot_frames_count(frames)};
    BASE_TRY(tot_frames_resize(frames, embedder->settings.size, embedder->settings.size));
    for (int64_t count = batch; count == batch;) {
        BASE_FAIL_IF(watch != NULL && !watch(context, &progress), TOT_E_INTERRUPTED, "%s: stopped",
                     name);
        BASE_TRY(read_batch(embedder, frames, &count));
        if (count == 0) {
            break;
        }
        const tot_status status =
            tot_encode(embedder->encoder, embedder->rgb, count, embedder->rows);
        if (status != TOT_OK) {
            return base_fail_in(status, "%s", name);
        }
        BASE_TRY(take(taker, embedder->rows, count));
        progress.done += count;
        *done = progress.done;
    }
    return TOT_OK;
}

tot_status tot_embed_pictures(tot_embedder *embedder, const tot_label_source *source,
                              tot_take_rows take, tot_label_watch watch, void *context,
                              int64_t *count) {
    BASE_NEED(embedder, source);
    tot_frames *frames = NULL;
    int64_t done = 0;
    BASE_TRY(source->array != NULL ? tot_frames_open_array(&frames, source->array, source->path)
                                   : tot_frames_open(&frames, source->path));
    tot_status status = source->excerpt != NULL ? tot_frames_pick(frames, source->excerpt) : TOT_OK;
    BASE_THEN(status,
              encode_frames(embedder, frames, source->path, take, context, watch, context, &done));
    tot_frames_close(frames);
    if (count != NULL) {
        *count = done;
    }
    return status;
}

// --- sources -----------------------------------------------------------------------------------

static bool holds_pictures(const tot_array *array) {
    return array->type == TOT_U8 && array->dimensions == 4;
}

// frames: NULL for embeddings, which have no pictures to select from.
static tot_status pick_frames(tot_frames *frames, const tot_label_source *source) {
    if (frames != NULL) {
        return tot_frames_pick(frames, source->excerpt);
    }
    return tot_excerpt_is_all(source->excerpt)
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT,
                           "%s: holds embeddings: every, fps, from, to and crop are for pictures",
                           source->path);
}

tot_status label_open(label_opened *opened, const tot_label_source *source) {
    tot_frames_close(opened->frames);
    opened->frames = NULL;
    if (source->array == NULL) {
        BASE_TRY(file_frames_or_array(&opened->frames, &opened->read, source->path));
        opened->embeddings = opened->read;
    } else if (holds_pictures(source->array)) {
        BASE_TRY(tot_frames_open_array(&opened->frames, source->array, source->path));
    } else {
        opened->embeddings = *source->array;
    }
    opened->embeddings.capacity = 0;
    return source->excerpt != NULL ? pick_frames(opened->frames, source) : TOT_OK;
}

static tot_status append(void *context, const float *rows, int64_t count) {
    tot_array *out = context;
    const size_t row = (size_t)out->shape[1] * sizeof *rows;
    const size_t used = (size_t)out->shape[0] * row;
    void *data = out->data;
    BASE_TRY(base_grow(&data, &out->capacity, used, used + (size_t)count * row, 1, "embeddings"));
    out->data = data;
    memcpy((char *)out->data + used, rows, (size_t)count * row);
    out->shape[0] += count;
    return TOT_OK;
}

tot_status label_encode(label_opened *opened, tot_embedder *embedder,
                        const tot_label_source *source, tot_label_watch watch, void *context) {
    tot_array *out = &opened->read;
    int64_t done = 0;
    file_array_clear(out);
    out->dimensions = 2;
    out->shape[1] = tot_encoder_width(embedder->encoder);
    const tot_status status =
        encode_frames(embedder, opened->frames, source->path, append, out, watch, context, &done);
    tot_frames_close(opened->frames);
    opened->frames = NULL;
    opened->embeddings = *out;
    opened->embeddings.capacity = 0;
    return status;
}

void label_close(label_opened *opened) {
    tot_frames_close(opened->frames);
    tot_array_free(&opened->read);
    *opened = (label_opened){0};
}

tot_status tot_embed_source(tot_embedder *embedder, const tot_label_source *source,
                            tot_array *out) {
    BASE_NEED(embedder, source, out);
    label_opened opened = {.read = *out};
    tot_status status = label_open(&opened, source);
    if (status == TOT_OK && opened.frames != NULL) {
        status = label_encode(&opened, embedder, source, NULL, NULL);
    } else if (status == TOT_OK && source->array != NULL) {
        status = file_array_copy(&opened.read, source->array);
    }
    tot_frames_close(opened.frames);
    *out = opened.read;
    if (status != TOT_OK) {
        file_array_clear(out);
    }
    return status;
}

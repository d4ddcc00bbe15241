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
    uint8_t *rgb;   // [batch][size][size][3]
    float *rows;    // [batch][width]
    float *joined;  // [batch][views][width], for several views
    size_t joined_capacity;
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
    BASE_RELEASE(embedder->rgb, embedder->rows, embedder->joined, embedder);
}

// --- opening -----------------------------------------------------------------------------------

static size_t views_of(const tot_label_source *source) {
    return 1 + source->other_count;
}

// View 0 is the source itself.
static const tot_label_source *view_at(const tot_label_source *source, size_t view) {
    return view == 0 ? source : &source->others[view - 1];
}

tot_status tot_label_views(const tot_label_source *sources, size_t count, int64_t *views) {
    BASE_NEED(views);
    *views = 1;
    if (count > 0) {
        BASE_NEED(sources);
        *views = (int64_t)views_of(&sources[0]);
    }
    for (size_t k = 0; k < count; k++) {
        const size_t others = sources[k].other_count;
        const long long found = (long long)views_of(&sources[k]);
        BASE_FAIL_IF(others >= LABEL_MOST_VIEWS, TOT_E_ARGUMENT,
                     "%s: %zu views besides the first; at most %d", sources[k].path, others,
                     LABEL_MOST_VIEWS - 1);
        BASE_FAIL_IF(others > 0 && sources[k].others == NULL, TOT_E_ARGUMENT,
                     "%s: others: NULL, but other_count is %zu", sources[k].path, others);
        for (size_t view = 0; view < others; view++) {
            const tot_label_source *other = &sources[k].others[view];
            BASE_FAIL_IF(other->other_count > 0, TOT_E_ARGUMENT,
                         "%s: others: %s has %zu views of its own", sources[k].path, other->path,
                         other->other_count);
        }
        BASE_FAIL_IF(found != *views, TOT_E_SHAPE, "%s: %lld view%s, but %s has %lld",
                     sources[k].path, found, found == 1 ? "" : "s", sources[0].path,
                     (long long)*views);
    }
    return TOT_OK;
}

void label_close_pictures(label_frames *pictures) {
    for (size_t k = 0; k < pictures->count; k++) {
        tot_frames_close(pictures->views[k]);
    }
    *pictures = (label_frames){0};
}

static bool holds_pictures(const tot_array *array) {
    return array->type == TOT_U8 && array->dimensions == 4;
}

// frames: NULL for embeddings, which have no pictures to select from.
static tot_status pick_frames(tot_frames *frames, const tot_excerpt *excerpt, const char *name) {
    if (excerpt == NULL) {
        return TOT_OK;
    }
    if (frames != NULL) {
        return tot_frames_pick(frames, excerpt);
    }
    return tot_excerpt_is_all(excerpt)
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT,
                           "%s: holds embeddings: every, fps, from, to and crop are for pictures",
                           name);
}

// Opens one view: adds it to the pictures, or reads its embeddings.
static tot_status open_view(label_opened *opened, const tot_label_source *view,
                            const tot_excerpt *excerpt) {
    tot_frames *frames = NULL;
    if (view->array == NULL) {
        BASE_TRY(file_frames_or_array(&frames, &opened->read, view->path));
        opened->embeddings = opened->read;
    } else if (holds_pictures(view->array)) {
        BASE_TRY(tot_frames_open_array(&frames, view->array, view->path));
    } else {
        opened->embeddings = *view->array;
    }
    opened->embeddings.capacity = 0;
    if (frames != NULL) {
        opened->pictures.views[opened->pictures.count++] = frames;
    }
    return pick_frames(frames, view->excerpt != NULL ? view->excerpt : excerpt, view->path);
}

// Copies the embeddings of one view into its columns of `joined`.
static tot_status join_view(label_opened *opened, const tot_label_source *source, size_t view) {
    const size_t views = views_of(source);
    const char *name = view_at(source, view)->path;
    tot_array *out = &opened->joined;
    tot_embeddings from;
    BASE_TRY(tot_embeddings_of(&from, &opened->embeddings, name));
    const size_t row = (size_t)from.width * tot_type_size(from.type);
    if (view == 0) {
        BASE_TRY(file_array_reserve(out, (size_t)from.steps * row * views));
        out->type = from.type;
        out->dimensions = 2;
        out->shape[0] = from.steps;
        out->shape[1] = from.width * (int64_t)views;
    }
    BASE_FAIL_IF(from.steps != out->shape[0] || from.width * (int64_t)views != out->shape[1] ||
                     from.type != out->type,
                 TOT_E_SHAPE, "%s: %lld x %lld %s, but %s is %lld x %lld %s: views must agree",
                 name, (long long)from.steps, (long long)from.width, tot_type_text(from.type),
                 source->path, (long long)out->shape[0],
                 (long long)out->shape[1] / (long long)views, tot_type_text(out->type));
    for (int64_t k = 0; k < from.steps; k++) {
        memcpy((char *)out->data + ((size_t)k * views + view) * row,
               (const char *)from.data + (size_t)k * row, row);
    }
    opened->embeddings = *out;
    opened->embeddings.capacity = 0;
    return TOT_OK;
}

tot_status label_open(label_opened *opened, const tot_label_source *source) {
    int64_t views = 1;
    bool pictures = false;
    label_close_pictures(&opened->pictures);
    BASE_TRY(tot_label_views(source, 1, &views));
    for (size_t k = 0; k < (size_t)views; k++) {
        const tot_label_source *view = view_at(source, k);
        BASE_TRY(open_view(opened, view, source->excerpt));
        pictures = k == 0 ? opened->pictures.count > 0 : pictures;
        BASE_FAIL_IF(opened->pictures.count != (pictures ? k + 1 : 0), TOT_E_SHAPE,
                     "%s and %s: one holds pictures, the other embeddings", source->path,
                     view->path);
        BASE_TRY(!pictures && views > 1 ? join_view(opened, source, k) : TOT_OK);
    }
    return TOT_OK;
}

void label_close(label_opened *opened) {
    label_close_pictures(&opened->pictures);
    tot_array_free(&opened->read);
    tot_array_free(&opened->joined);
    *opened = (label_opened){0};
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

// Encodes the next pictures of one view: rows is [*count][width].
static tot_status encode_view(tot_embedder *embedder, tot_frames *frames, const char *name,
                              int64_t *count) {
    BASE_TRY(read_batch(embedder, frames, count));
    const tot_status status =
        *count > 0 ? tot_encode(embedder->encoder, embedder->rgb, *count, embedder->rows) : TOT_OK;
    return status == TOT_OK ? TOT_OK : base_fail_in(status, "%s", name);
}

// Encodes the next pictures of all views: *rows is [*count][views][width]. done: pictures before.
static tot_status encode_batch(tot_embedder *embedder, const label_frames *pictures,
                               const tot_label_source *source, int64_t done, const float **rows,
                               int64_t *count) {
    const size_t views = pictures->count;
    const size_t width = (size_t)tot_encoder_width(embedder->encoder);
    *rows = embedder->rows;
    BASE_TRY(encode_view(embedder, pictures->views[0], source->path, count));
    if (views == 1) {
        return TOT_OK;
    }
    BASE_RESERVE(embedder->joined, embedder->joined_capacity,
                 (size_t)embedder->settings.batch * views * width, "embeddings");
    *rows = embedder->joined;
    for (size_t view = 0; view < views; view++) {
        const char *name = view_at(source, view)->path;
        int64_t here = *count;
        BASE_TRY(view > 0 ? encode_view(embedder, pictures->views[view], name, &here) : TOT_OK);
        BASE_FAIL_IF(here != *count, TOT_E_SHAPE,
                     "%s: ends after %lld pictures, but %s goes on: views must have equally many",
                     here < *count ? name : source->path,
                     (long long)(done + (here < *count ? here : *count)),
                     here < *count ? source->path : name);
        for (size_t k = 0; k < (size_t)here; k++) {
            memcpy(embedder->joined + (k * views + view) * width, embedder->rows + k * width,
                   width * sizeof *embedder->rows);
        }
    }
    return TOT_OK;
}

static tot_status encode_pictures(tot_embedder *embedder, const label_frames *pictures,
                                  const tot_label_source *source, tot_take_rows take, void *taker,
                                  tot_label_watch watch, void *context, int64_t *done) {
    const int64_t batch = embedder->settings.batch;
    const int size = embedder->settings.size;
    const float *rows = NULL;
    tot_label_progress progress = {.doing = "encode",
                                   .source = source->path,
                                   .encoder = tot_encoder_text(embedder->encoder),
                                   .total = tot_frames_count(pictures->views[0])};
    for (size_t view = 0; view < pictures->count; view++) {
        BASE_TRY(tot_frames_resize(pictures->views[view], size, size));
    }
    for (int64_t count = batch; count == batch;) {
        BASE_FAIL_IF(watch != NULL && !watch(context, &progress), TOT_E_INTERRUPTED, "%s: stopped",
                     source->path);
        BASE_TRY(encode_batch(embedder, pictures, source, progress.done, &rows, &count));
        if (count == 0) {
            break;
        }
        BASE_TRY(take(taker, rows, count));
        progress.done += count;
        *done = progress.done;
    }
    return TOT_OK;
}

// Opens pictures only.
static tot_status open_pictures(label_frames *pictures, const tot_label_source *source) {
    int64_t views = 1;
    BASE_TRY(tot_label_views(source, 1, &views));
    for (size_t k = 0; k < (size_t)views; k++) {
        const tot_label_source *view = view_at(source, k);
        tot_frames **frames = &pictures->views[k];
        BASE_TRY(view->array != NULL ? tot_frames_open_array(frames, view->array, view->path)
                                     : tot_frames_open(frames, view->path));
        pictures->count++;
        BASE_TRY(pick_frames(*frames, view->excerpt != NULL ? view->excerpt : source->excerpt,
                             view->path));
    }
    return TOT_OK;
}

tot_status tot_embed_pictures(tot_embedder *embedder, const tot_label_source *source,
                              tot_take_rows take, tot_label_watch watch, void *context,
                              int64_t *count) {
    BASE_NEED(embedder, source);
    label_frames pictures = {0};
    int64_t done = 0;
    tot_status status = open_pictures(&pictures, source);
    BASE_THEN(status,
              encode_pictures(embedder, &pictures, source, take, context, watch, context, &done));
    label_close_pictures(&pictures);
    if (count != NULL) {
        *count = done;
    }
    return status;
}

// --- sources -----------------------------------------------------------------------------------

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
    out->shape[1] = (int64_t)opened->pictures.count * tot_encoder_width(embedder->encoder);
    const tot_status status =
        encode_pictures(embedder, &opened->pictures, source, append, out, watch, context, &done);
    label_close_pictures(&opened->pictures);
    opened->embeddings = *out;
    opened->embeddings.capacity = 0;
    return status;
}

tot_status tot_embed_source(tot_embedder *embedder, const tot_label_source *source,
                            tot_array *out) {
    BASE_NEED(embedder, source, out);
    label_opened opened = {.read = *out};
    tot_status status = label_open(&opened, source);
    if (status == TOT_OK && opened.pictures.count > 0) {
        status = label_encode(&opened, embedder, source, NULL, NULL);
    } else if (status == TOT_OK && (source->array != NULL || source->other_count > 0)) {
        status = file_array_copy(&opened.read, &opened.embeddings);
    }
    label_close_pictures(&opened.pictures);
    tot_array_free(&opened.joined);
    *out = opened.read;
    if (status != TOT_OK) {
        file_array_clear(out);
    }
    return status;
}

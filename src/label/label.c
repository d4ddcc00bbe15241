// Labels many episodes against a few demonstrations: embeddings in parallel, pictures one source at
// a time; results are delivered in order.
#include "base/base.h"
#include "file/array.h"
#include "label/embed.h"

enum { SLOTS_PER_THREAD = 4, MORE_ITERATIONS = 10 };

// The results of one episode, kept until they are delivered.
typedef struct slot {
    tot_frames *frames;  // pictures, until they are encoded
    tot_array rewards;
    tot_array progress;
    tot_array plan;
    tot_array cost;
    tot_label_info info;
    double change;  // see tot_labelled
} slot;

typedef struct work {
    const tot_label_options *options;
    const tot_label_source *episodes;
    size_t count;
    double scale;
    tot_demos *demos;
    tot_pool *pool;
    tot_embedder *embedder;  // created with the first pictures
    bool pictures;           // the previous source was pictures, so the next probably is, too
    int workers;
    tot_labeler **labelers;  // [workers]
    tot_labeler **longer;    // [workers] with more iterations, created on first use
    tot_array *longer_out;   // [workers] their rewards
    label_opened *read;      // [workers] the embeddings read by each worker
    slot *slots;             // [slot_count]
    size_t slot_count;
    size_t start;  // episode in slot 0
    tot_npz_writer *writer;
} work;

void tot_label_defaults(tot_label_options *options) {
    BASE_NEED_OR(, options);
    *options = (tot_label_options){0};
    tot_reward_defaults(&options->reward);
    tot_embedder_defaults(&options->embedder);
}

// --- preparing ---------------------------------------------------------------------------------

static tot_status encode(work *all, label_opened *opened, const tot_label_source *source) {
    const tot_label_options *options = all->options;
    if (all->embedder == NULL) {
        BASE_TRY(tot_embedder_create(&all->embedder, &options->embedder, all->pool));
    }
    return label_encode(opened, all->embedder, source, options->watch, options->context);
}

static tot_status add_demo(work *all, label_opened *opened, const tot_label_source *source) {
    tot_embeddings view;
    BASE_TRY(label_open(opened, source));
    all->pictures = opened->frames != NULL;
    if (all->pictures) {
        BASE_TRY(encode(all, opened, source));
    }
    BASE_TRY(tot_embeddings_of(&view, &opened->embeddings, source->path));
    return tot_demos_add(all->demos, view, source->path);
}

static tot_status add_demos(work *all, const tot_label_source *sources, size_t count) {
    label_opened opened = {0};
    tot_status status = tot_demos_create(&all->demos);
    for (size_t k = 0; status == TOT_OK && k < count; k++) {
        status = add_demo(all, &opened, &sources[k]);
    }
    label_close(&opened);
    return status;
}

// Several episodes: one labeler per thread. A single episode: one labeler that uses all threads.
static tot_status make_labelers(work *all) {
    const bool alone = all->count == 1;
    all->workers = alone ? 1 : tot_pool_threads(all->pool);
    const size_t workers = (size_t)all->workers;
    all->slot_count = alone ? 1 : workers * SLOTS_PER_THREAD;
    all->labelers = base_alloc_zero(workers, sizeof *all->labelers, "labelers");
    all->longer = base_alloc_zero(workers, sizeof *all->longer, "labelers");
    all->longer_out = base_alloc_zero(workers, sizeof *all->longer_out, "labelers");
    all->read = base_alloc_zero(workers, sizeof *all->read, "labelers");
    all->slots = base_alloc_zero(all->slot_count, sizeof *all->slots, "labelers");
    BASE_HAVE(all->labelers, all->longer, all->longer_out, all->read, all->slots);
    for (size_t k = 0; k < workers; k++) {
        BASE_TRY(tot_labeler_create(&all->labelers[k], all->demos, &all->options->reward,
                                    alone ? all->pool : NULL));
    }
    return TOT_OK;
}

static void free_all(work *all) {
    for (size_t k = 0; all->labelers != NULL && k < (size_t)all->workers; k++) {
        tot_labeler_free(all->labelers[k]);
    }
    for (size_t k = 0; all->longer != NULL && k < (size_t)all->workers; k++) {
        tot_labeler_free(all->longer[k]);
    }
    for (size_t k = 0; all->longer_out != NULL && k < (size_t)all->workers; k++) {
        tot_array_free(&all->longer_out[k]);
    }
    for (size_t k = 0; all->read != NULL && k < (size_t)all->workers; k++) {
        label_close(&all->read[k]);
    }
    for (size_t k = 0; all->slots != NULL && k < all->slot_count; k++) {
        tot_frames_close(all->slots[k].frames);
        tot_array_free(&all->slots[k].rewards);
        tot_array_free(&all->slots[k].progress);
        tot_array_free(&all->slots[k].plan);
        tot_array_free(&all->slots[k].cost);
    }
    BASE_RELEASE(all->labelers, all->longer, all->longer_out, all->read, all->slots);
    tot_npz_discard(all->writer);
    tot_embedder_free(all->embedder);
    tot_pool_free(all->pool);
    tot_demos_free(all->demos);
}

// --- one episode -------------------------------------------------------------------------------

static bool shows(const work *all, size_t index) {
    return index < all->options->shown;
}

static bool wants_plan(const work *all, size_t index) {
    return all->options->plan ||
           (shows(all, index) && tot_method_has_plan(all->options->reward.method));
}

// Measures how much the rewards change with more iterations.
static tot_status measure_change(work *all, slot *place, tot_embeddings view, const char *name,
                                 int worker) {
    tot_array *out = &all->longer_out[worker];
    tot_label_info info;
    if (all->longer[worker] == NULL) {
        tot_reward_config config = all->options->reward;
        config.iterations *= config.iterations < INT32_MAX ? MORE_ITERATIONS : 1;
        BASE_TRY(tot_labeler_create(&all->longer[worker], all->demos, &config, NULL));
    }
    tot_labeler_set_scale(all->longer[worker], all->scale);
    BASE_TRY(file_array_reserve(out, (size_t)view.steps * sizeof(float)));
    BASE_TRY(tot_label(all->longer[worker], view, name, out->data, &info));
    const float *better = out->data;
    const float *found = place->rewards.data;
    double sum = 0;
    double apart = 0;
    for (int64_t k = 0; k < view.steps; k++) {
        sum += fabs((double)better[k]);
        apart += fabs((double)better[k] - (double)found[k]);
    }
    place->change = sum > 0 ? apart / sum : 0;
    return TOT_OK;
}

// Reserves one float32 per step.
static tot_status reserve_steps(tot_array *array, int64_t steps) {
    BASE_TRY(file_array_reserve(array, (size_t)steps * sizeof(float)));
    array->dimensions = 1;
    array->shape[0] = steps;
    return TOT_OK;
}

static tot_status label_one(work *all, slot *place, size_t index, const label_opened *opened,
                            int worker) {
    const char *name = all->episodes[index].path;
    tot_labeler *labeler = all->labelers[worker];
    tot_embeddings view;
    BASE_TRY(tot_embeddings_of(&view, &opened->embeddings, name));
    BASE_TRY(reserve_steps(&place->rewards, view.steps));
    BASE_TRY(reserve_steps(&place->progress, view.steps));
    BASE_TRY(tot_label(labeler, view, name, place->rewards.data, &place->info));
    BASE_TRY(tot_labeler_progress(labeler, view, name, place->progress.data));
    place->change = NAN;
    if (index < all->options->checked && place->info.iterations > 0 && !place->info.converged) {
        BASE_TRY(measure_change(all, place, view, name, worker));
    }
    if (wants_plan(all, index)) {
        BASE_TRY(tot_labeler_plan(labeler, &place->plan));
    }
    if (all->options->cost || shows(all, index)) {
        BASE_TRY(tot_labeler_cost(labeler, &place->cost));
    }
    return TOT_OK;
}

// Opens an episode and labels it. Pictures are left open, to be encoded by all threads later.
static tot_status label_job(void *context, size_t index, int worker) {
    work *all = context;
    slot *place = &all->slots[index];
    label_opened *opened = &all->read[worker];
    BASE_TRY(label_open(opened, &all->episodes[all->start + index]));
    if (opened->frames != NULL) {
        place->frames = opened->frames;
        opened->frames = NULL;
        return TOT_OK;
    }
    return label_one(all, place, all->start + index, opened, worker);
}

// Encoding takes far longer than labelling, so all threads work on one source.
static tot_status label_pictures(work *all, slot *place, size_t index) {
    label_opened *opened = &all->read[0];
    all->pictures = place->frames != NULL;
    if (!all->pictures) {
        return TOT_OK;
    }
    opened->frames = place->frames;
    place->frames = NULL;
    BASE_TRY(encode(all, opened, &all->episodes[index]));
    return label_one(all, place, index, opened, 0);
}

// --- results -----------------------------------------------------------------------------------

static tot_status write_array(const work *all, const char *name, size_t index,
                              const tot_array *array) {
    char full[64];
    if (all->count > 1) {
        snprintf(full, sizeof full, "%s_%zu", name, index);
    }
    return tot_npz_add(all->writer, all->count > 1 ? full : name, array);
}

static tot_status write_number(const work *all, const char *name, size_t index, tot_type type,
                               const void *value) {
    const tot_array number = {.type = type, .data = (void *)value};
    return write_array(all, name, index, &number);
}

static tot_status write_slot(const work *all, const slot *place, size_t index) {
    const tot_label_info *info = &place->info;
    const uint8_t converged = info->converged ? 1 : 0;
    BASE_TRY(write_array(all, "rewards", index, &place->rewards));
    BASE_TRY(write_array(all, "progress", index, &place->progress));
    BASE_TRY(write_number(all, "demo", index, TOT_I64, &info->demo));
    BASE_TRY(write_number(all, "iterations", index, TOT_I64, &info->iterations));
    BASE_TRY(write_number(all, "marginal_error", index, TOT_F64, &info->marginal_error));
    BASE_TRY(write_number(all, "converged", index, TOT_U8, &converged));
    BASE_TRY(write_number(all, "mass_outside", index, TOT_F64, &info->mass_outside));
    if (all->options->plan) {
        BASE_TRY(write_array(all, "plan", index, &place->plan));
    }
    return all->options->cost ? write_array(all, "cost", index, &place->cost) : TOT_OK;
}

static tot_status give(const work *all, const slot *place, size_t index) {
    const tot_label_options *options = all->options;
    const tot_labelled labelled = {.index = index,
                                   .name = all->episodes[index].path,
                                   .steps = place->rewards.shape[0],
                                   .rewards = place->rewards.data,
                                   .progress = place->progress.data,
                                   .info = place->info,
                                   .scale = all->scale,
                                   .demos = tot_demos_count(all->demos),
                                   .plan = wants_plan(all, index) ? &place->plan : NULL,
                                   .cost = options->cost || shows(all, index) ? &place->cost : NULL,
                                   .change = place->change};
    if (all->writer != NULL) {
        BASE_TRY(write_slot(all, place, index));
    }
    return options->take != NULL ? options->take(options->context, &labelled) : TOT_OK;
}

// As in the paper's code: the first episode keeps scale 1 and determines the scale of all others.
static void set_auto_scale(work *all) {
    all->scale = tot_scale_auto(all->slots[0].info.sum);
    for (int k = 0; k < all->workers; k++) {
        tot_labeler_set_scale(all->labelers[k], all->scale);
    }
}

// --- all episodes ------------------------------------------------------------------------------

static tot_status watch(const work *all) {
    const tot_label_options *options = all->options;
    const tot_label_progress progress = {
        .doing = "label", .done = (int64_t)all->start, .total = (int64_t)all->count};
    return options->watch == NULL || options->watch(options->context, &progress)
               ? TOT_OK
               : base_fail(TOT_E_INTERRUPTED, "label: stopped; nothing was written");
}

// Episodes start .. start + batch - 1.
static tot_status label_batch(work *all, size_t batch) {
    // a single episode runs on this thread, as worker 0
    BASE_TRY(tot_pool_run(batch > 1 ? all->pool : NULL, batch, label_job, all));
    for (size_t k = 0; k < batch; k++) {
        BASE_TRY(label_pictures(all, &all->slots[k], all->start + k));
        BASE_TRY(give(all, &all->slots[k], all->start + k));
    }
    return TOT_OK;
}

static tot_status label_all(work *all) {
    BASE_TRY(watch(all));
    while (all->start < all->count) {
        const size_t left = all->count - all->start;
        const bool sets_scale = all->start == 0 && all->options->auto_scale;
        // sources with pictures stay open: if they are likely, process one source at a time
        const size_t most = sets_scale || all->pictures ? 1 : all->slot_count;
        const size_t batch = left < most ? left : most;
        BASE_TRY(label_batch(all, batch));
        if (sets_scale) {
            set_auto_scale(all);
        }
        all->start += batch;
        BASE_TRY(watch(all));
    }
    return TOT_OK;
}

static tot_status run(work *all, const tot_label_source *demos, size_t demo_count) {
    const tot_label_options *options = all->options;
    BASE_TRY(tot_reward_config_check(&options->reward));
    BASE_FAIL_IF(options->plan && !tot_method_has_plan(options->reward.method), TOT_E_ARGUMENT,
                 "plan: method '%s' has none", tot_method_name(options->reward.method));
    BASE_TRY(tot_pool_create(&all->pool, options->threads));
    BASE_TRY(add_demos(all, demos, demo_count));
    BASE_TRY(make_labelers(all));
    if (options->out != NULL) {
        BASE_TRY(tot_npz_create(&all->writer, options->out, false));
    }
    BASE_TRY(label_all(all));
    BASE_TRY(options->finish != NULL ? options->finish(options->context) : TOT_OK);
    tot_npz_writer *writer = all->writer;
    all->writer = NULL;
    return writer != NULL ? tot_npz_commit(writer) : TOT_OK;
}

tot_status tot_label_sources(const tot_label_source *demos, size_t demo_count,
                             const tot_label_source *episodes, size_t episode_count,
                             const tot_label_options *options) {
    BASE_NEED(options);
    work all = {.options = options,
                .episodes = episodes,
                .count = episode_count,
                .scale = options->reward.scale};
    BASE_FINALLY(run(&all, demos, demo_count), free_all(&all));
}

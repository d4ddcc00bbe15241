// Labels many episodes against a few demonstrations: embeddings in parallel, pictures one source at
// a time; results are delivered in order.
#include "base/base.h"
#include "file/array.h"
#include "label/embed.h"
#include "label/page.h"

enum { SLOTS_PER_THREAD = 4, MORE_ITERATIONS = 10 };

// The results of one episode, kept until they are delivered.
typedef struct slot {
    label_frames pictures;  // until they are encoded
    tot_array rewards;
    tot_array progress;
    tot_array plan;
    tot_array cost;
    tot_label_info info;
    double change;  // see tot_labelled
} slot;

// What a thread needs to label an episode.
typedef struct worker {
    tot_labeler *labeler;
    tot_labeler *longer;   // with more iterations, created on first use
    tot_array longer_out;  // its rewards
    label_opened read;     // the embeddings it reads
} worker;

typedef struct work {
    const tot_label_options *options;
    const tot_label_source *episodes;
    size_t count;
    double scale;
    tot_demos *demos;
    tot_pool *pool;
    tot_embedder *embedder;  // created with the first pictures
    bool pictures;           // the previous source was pictures, so the next probably is, too
    worker *workers;         // [worker_count]
    size_t worker_count;
    slot *slots;  // [slot_count]
    size_t slot_count;
    size_t start;  // episode in slot 0
    tot_npz_writer *writer;
    label_page *page;  // NULL: not requested
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
    all->pictures = opened->pictures.count > 0;
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
static tot_status make_workers(work *all) {
    const bool alone = all->count == 1;
    all->worker_count = alone ? 1 : (size_t)tot_pool_threads(all->pool);
    all->slot_count = alone ? 1 : all->worker_count * SLOTS_PER_THREAD;
    BASE_ALLOC_ZERO(all->workers, all->worker_count, "labelers");
    BASE_ALLOC_ZERO(all->slots, all->slot_count, "labelers");
    for (size_t k = 0; k < all->worker_count; k++) {
        BASE_TRY(tot_labeler_create(&all->workers[k].labeler, all->demos, &all->options->reward,
                                    alone ? all->pool : NULL));
    }
    return TOT_OK;
}

static void free_all(work *all) {
    for (size_t k = 0; all->workers != NULL && k < all->worker_count; k++) {
        tot_labeler_free(all->workers[k].labeler);
        tot_labeler_free(all->workers[k].longer);
        tot_array_free(&all->workers[k].longer_out);
        label_close(&all->workers[k].read);
    }
    for (size_t k = 0; all->slots != NULL && k < all->slot_count; k++) {
        label_close_pictures(&all->slots[k].pictures);
        tot_array_free(&all->slots[k].rewards);
        tot_array_free(&all->slots[k].progress);
        tot_array_free(&all->slots[k].plan);
        tot_array_free(&all->slots[k].cost);
    }
    BASE_RELEASE(all->workers, all->slots);
    label_page_free(all->page);
    tot_npz_discard(all->writer);
    tot_embedder_free(all->embedder);
    tot_pool_free(all->pool);
    tot_demos_free(all->demos);
}

// --- one episode -------------------------------------------------------------------------------

// Whether the page shows the cost and the plan of this episode.
static bool shows(const work *all, size_t index) {
    return all->page != NULL && index < LABEL_PAGE_EPISODES;
}

static bool wants_plan(const work *all, size_t index) {
    return all->options->plan ||
           (shows(all, index) && tot_method_has_plan(all->options->reward.method));
}

// Measures how much the rewards change with more iterations.
static tot_status measure_change(const work *all, worker *by, slot *place, tot_embeddings view,
                                 const char *name) {
    tot_array *out = &by->longer_out;
    tot_label_info info;
    if (by->longer == NULL) {
        tot_reward_config config = all->options->reward;
        config.iterations *= config.iterations < INT32_MAX ? MORE_ITERATIONS : 1;
        BASE_TRY(tot_labeler_create(&by->longer, all->demos, &config, NULL));
    }
    tot_labeler_set_scale(by->longer, all->scale);
    BASE_TRY(file_array_reserve(out, (size_t)view.steps * sizeof(float)));
    BASE_TRY(tot_label(by->longer, view, name, out->data, &info));
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

// Labels the episode that the worker has read.
static tot_status label_one(const work *all, worker *by, slot *place, size_t index) {
    const char *name = all->episodes[index].path;
    tot_labeler *labeler = by->labeler;
    tot_embeddings view;
    BASE_TRY(tot_embeddings_of(&view, &by->read.embeddings, name));
    BASE_TRY(reserve_steps(&place->rewards, view.steps));
    BASE_TRY(reserve_steps(&place->progress, view.steps));
    BASE_TRY(tot_label(labeler, view, name, place->rewards.data, &place->info));
    BASE_TRY(tot_labeler_progress(labeler, view, name, place->progress.data));
    place->change = NAN;
    if (index < all->options->checked && place->info.iterations > 0 && !place->info.converged) {
        BASE_TRY(measure_change(all, by, place, view, name));
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
static tot_status label_job(void *context, size_t index, int thread) {
    const work *all = context;
    worker *by = &all->workers[thread];
    slot *place = &all->slots[index];
    BASE_TRY(label_open(&by->read, &all->episodes[all->start + index]));
    if (by->read.pictures.count > 0) {
        place->pictures = by->read.pictures;
        by->read.pictures = (label_frames){0};
        return TOT_OK;
    }
    return label_one(all, by, place, all->start + index);
}

// Encoding takes far longer than labelling, so all threads work on one source.
static tot_status label_pictures(work *all, slot *place, size_t index) {
    worker *by = &all->workers[0];
    all->pictures = place->pictures.count > 0;
    if (!all->pictures) {
        return TOT_OK;
    }
    by->read.pictures = place->pictures;
    place->pictures = (label_frames){0};
    BASE_TRY(encode(all, &by->read, &all->episodes[index]));
    return label_one(all, by, place, index);
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
    if (all->page != NULL) {
        BASE_TRY(label_page_add(all->page, &labelled));
    }
    return options->take != NULL ? options->take(options->context, &labelled) : TOT_OK;
}

// As in the paper's code: the first episode keeps scale 1 and determines the scale of all others.
static void set_auto_scale(work *all) {
    all->scale = tot_scale_auto(all->slots[0].info.sum);
    for (size_t k = 0; k < all->worker_count; k++) {
        tot_labeler_set_scale(all->workers[k].labeler, all->scale);
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

// All files are complete before the first is renamed into place.
static tot_status commit(work *all) {
    tot_npz_writer *writer = all->writer;
    BASE_TRY(all->page != NULL ? label_page_prepare(all->page) : TOT_OK);
    all->writer = NULL;
    BASE_TRY(writer != NULL ? tot_npz_commit(writer) : TOT_OK);
    return all->page != NULL ? label_page_commit(all->page) : TOT_OK;
}

static tot_status run(work *all, const tot_label_source *demos, size_t demo_count) {
    const tot_label_options *options = all->options;
    BASE_TRY(tot_reward_config_check(&options->reward));
    BASE_FAIL_IF(options->plan && !tot_method_has_plan(options->reward.method), TOT_E_ARGUMENT,
                 "plan: method '%s' has none", tot_method_name(options->reward.method));
    BASE_TRY(tot_pool_create(&all->pool, options->threads));
    BASE_TRY(add_demos(all, demos, demo_count));
    BASE_TRY(make_workers(all));
    if (options->out != NULL) {
        BASE_TRY(tot_npz_create(&all->writer, options->out, false));
    }
    if (options->page != NULL || options->svg != NULL) {
        BASE_TRY(label_page_create(&all->page, options, demos, all->episodes));
    }
    BASE_TRY(label_all(all));
    return commit(all);
}

// The views of all sources: their number becomes the reward's.
static tot_status set_views(tot_label_options *options, const tot_label_source *demos,
                            size_t demo_count, const tot_label_source *episodes, size_t count) {
    int64_t views = 1;
    int64_t of_episodes = 1;
    int64_t *const set = &options->reward.views;
    BASE_TRY(tot_label_views(demos, demo_count, &views));
    BASE_TRY(tot_label_views(episodes, count, &of_episodes));
    BASE_FAIL_IF(count > 0 && demo_count > 0 && views != of_episodes, TOT_E_SHAPE,
                 "%s: %lld view%s, but the demonstrations have %lld", episodes[0].path,
                 (long long)of_episodes, of_episodes == 1 ? "" : "s", (long long)views);
    BASE_FAIL_IF(views > 1 && *set != 1 && *set != views, TOT_E_ARGUMENT,
                 "views: %lld, but the demonstrations have %lld", (long long)*set,
                 (long long)views);
    *set = views > 1 ? views : *set;
    return TOT_OK;
}

tot_status tot_label_sources(const tot_label_source *demos, size_t demo_count,
                             const tot_label_source *episodes, size_t episode_count,
                             const tot_label_options *options) {
    BASE_NEED(options);
    tot_label_options own = *options;
    BASE_TRY(set_views(&own, demos, demo_count, episodes, episode_count));
    work all = {.options = &own,
                .episodes = episodes,
                .count = episode_count,
                .scale = options->reward.scale};
    BASE_FINALLY(run(&all, demos, demo_count), free_all(&all));
}

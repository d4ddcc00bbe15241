// Searches for the view, stride and cost that best distinguish solving a task from failing at it.
#include "base/base.h"
#include "study/references.h"

static const struct {
    tot_view view;
    double fit_margin;
} looks[] = {
    {TOT_VIEW_CAMERA, 0},   {TOT_VIEW_FITTED, 0.05}, {TOT_VIEW_FITTED, 0.1}, {TOT_VIEW_FITTED, 0.2},
    {TOT_VIEW_FITTED, 0.4}, {TOT_VIEW_HAND, 0},      {TOT_VIEW_BOTH, 0.1},
};
static const int strides[] = {16, 32};
static const int64_t contexts[] = {1, 3, 5};
static const double epsilons[] = {0.01, 0.05, 0.1};

enum {
    LOOKS = BASE_LENGTH(looks),
    STRIDES = BASE_LENGTH(strides),
    CONTEXTS = BASE_LENGTH(contexts),
    EPSILONS = BASE_LENGTH(epsilons),
    PAIRINGS = 4,  // centring off or on, with both values of match
    COSTS = PAIRINGS * CONTEXTS * EPSILONS,
    MOST_ROWS = LOOKS * STRIDES * PAIRINGS + COSTS
};

struct tot_search {
    tot_search_row rows[MOST_ROWS];
    size_t count;
};

// State while it runs.
typedef struct searching {
    tot_search *search;
    tot_references *references;
    const tot_search_settings *settings;
    tot_weights *weights[STRIDES];
    tot_encoder *encoders[STRIDES];
    int64_t tried;  // looks tried so far: LOOKS of them, then the best one again
} searching;

static bool show(void *context, int64_t done, int64_t total) {
    const searching *work = context;
    const tot_search_settings *settings = work->settings;
    return settings->progress == NULL ||
           settings->progress(settings->progress_context, work->tried * total + done,
                              (LOOKS + 1) * total);
}

// Tries one look with `stride_count` strides from index `stride` on, and all of these reward
// settings.
static tot_status try_look(searching *work, size_t look, size_t stride, size_t stride_count,
                           tot_reward_config *configs, size_t count) {
    tot_margins margins[COSTS];
    tot_views views;
    const tot_picture_settings *common = &work->settings->pictures;
    BASE_TRY(tot_views_read(&views, common->camera, looks[look].view, work->settings->hand_margin,
                            common));
    for (size_t k = 0; k < count; k++) {
        configs[k].views = views.count;
    }
    const tot_reference_view view = {.pictures = views.view,
                                     .views = views.count,
                                     .fit_margin = looks[look].fit_margin,
                                     .whiten_episodes = work->settings->whiten_episodes,
                                     .whiten_floor = work->settings->whiten_floor,
                                     .pool = work->settings->pool,
                                     .progress = show,
                                     .progress_context = work};
    BASE_TRY(study_references_reward(work->references, &view, work->encoders + stride, stride_count,
                                     configs, count, margins, NULL));
    for (size_t k = 0; k < stride_count * count; k++) {
        work->search->rows[work->search->count++] =
            (tot_search_row){.view = looks[look].view,
                             .fit_margin = looks[look].fit_margin,
                             .stride = strides[stride + k / count],
                             .reward = configs[k % count],
                             .margins = margins[k],
                             .score = tot_margins_score(&margins[k])};
    }
    work->tried++;
    return TOT_OK;
}

static size_t pair(const tot_reward_config *usual, tot_reward_config *configs) {
    for (size_t k = 0; k < PAIRINGS; k++) {
        configs[k] = *usual;
        configs[k].center = (k & 1) != 0 ? TOT_CENTER_DEMOS : TOT_CENTER_OFF;
        configs[k].match = (k & 2) != 0 ? TOT_MATCH_START : TOT_MATCH_BEST;
    }
    return PAIRINGS;
}

// Tries the remaining costs on a look that was already tried, with this stride.
static tot_status try_costs(searching *work, size_t look, int stride) {
    tot_reward_config configs[COSTS];
    size_t count = 0;
    for (int k = 0; k < CONTEXTS * EPSILONS; k++) {
        tot_reward_config usual = work->settings->reward;
        usual.context = contexts[k / EPSILONS];
        usual.epsilon = epsilons[k % EPSILONS];
        if (usual.context != work->settings->reward.context ||
            usual.epsilon != work->settings->reward.epsilon) {
            count += pair(&usual, configs + count);
        }
    }
    return try_look(work, look, stride == strides[0] ? 0 : 1, 1, configs, count);
}

static tot_status open_encoders(searching *work) {
    const tot_search_settings *settings = work->settings;
    for (int k = 0; k < STRIDES; k++) {
        tot_weights_settings wanted = settings->weights_settings;
        wanted.stride = strides[k];
        BASE_TRY(tot_weights_load(&work->weights[k], settings->weights, &wanted));
        BASE_TRY(tot_encoder_create(&work->encoders[k], work->weights[k], &settings->encoder,
                                    settings->pool));
    }
    return TOT_OK;
}

static tot_status check(const tot_search_settings *settings) {
    const char *camera = settings->pictures.camera;
    BASE_FAIL_IF(camera != NULL && strpbrk(camera, ",:") != NULL, TOT_E_ARGUMENT,
                 "camera: '%s' names views, which a search tries itself", camera);
    BASE_FAIL_IF(!(settings->hand_margin >= 0.01 && settings->hand_margin <= 2), TOT_E_ARGUMENT,
                 "hand_margin: %g is not in 0.01 .. 2 metres", settings->hand_margin);
    return TOT_OK;
}

static tot_status run(searching *work) {
    tot_reward_config configs[PAIRINGS];
    BASE_TRY(check(work->settings));
    pair(&work->settings->reward, configs);
    BASE_TRY(open_encoders(work));
    for (size_t k = 0; k < LOOKS; k++) {
        BASE_TRY(try_look(work, k, 0, STRIDES, configs, PAIRINGS));
    }
    const size_t best = tot_search_best(work->search);
    return try_costs(work, best / (STRIDES * PAIRINGS), work->search->rows[best].stride);
}

tot_status tot_search_run(tot_search **search, tot_references *references,
                          const tot_search_settings *settings) {
    BASE_NEED(search, references, settings);
    *search = NULL;
    searching work = {.references = references, .settings = settings};
    BASE_ALLOC_ZERO(work.search, 1, "search");
    const tot_status status = run(&work);
    for (int k = 0; k < STRIDES; k++) {
        tot_encoder_free(work.encoders[k]);
        tot_weights_free(work.weights[k]);
    }
    BASE_GIVE(status, search, work.search, tot_search_free);
}

BASE_GETTER(size_t, tot_search_count, tot_search, search, 0, search->count)

BASE_ITEM(const tot_search_row *, tot_search_at, tot_search, search, search->count,
          &search->rows[index])

size_t tot_search_best(const tot_search *search) {
    BASE_NEED_OR(0, search);
    size_t best = 0;
    for (size_t k = 1; k < search->count; k++) {
        best = search->rows[k].score > search->rows[best].score ? k : best;
    }
    return best;
}

void tot_search_free(tot_search *search) {
    base_free(search);
}

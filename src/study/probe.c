// Does this reward detect progress on this task? Rewards the expert's episodes after changes that
// must lower the reward.

#include <temporalot/demo.h>
#include <temporalot/study.h>

#include "base/base.h"
#include "demo/trajectory.h"
#include "picture/renderer.h"
#include "study/references.h"
#include "train/random_play.h"

enum { MOST_EPISODES = 1000, MOST_DEMOS = 100, TRIES_AN_EPISODE = 40 };

// seed offsets: demonstrations and probed episodes must not share goals
enum { DEMO_SEED = 0, EPISODE_SEED = 1 };

typedef enum kind { FROZEN, REVERSED, REPLAYED, PERTURBED, RANDOM } kind;

typedef struct variant {
    const char *name;
    kind change;
    int64_t before;
} variant;

static const variant variants[] = {
    {"whole: frozen at success", FROZEN, 0},  {"frozen 2 steps before", FROZEN, 2},
    {"frozen 4 steps before", FROZEN, 4},     {"frozen 8 steps before", FROZEN, 8},
    {"frozen 12 steps before", FROZEN, 12},   {"frozen 24 steps before", FROZEN, 24},
    {"played backwards", REVERSED, -1},       {"a demonstration's actions", REPLAYED, -1},
    {"expert with noise 0.5", PERTURBED, -1}, {"random actions", RANDOM, -1},
};

enum { VARIANT_COUNT = BASE_LENGTH(variants), FROZEN_COUNT = 6 };
static const double perturbation = 0.5;  // standard deviation added to the expert's actions

struct tot_probe {
    int64_t episodes;
    int64_t steps;  // agent steps per episode
    tot_probe_row rows[VARIANT_COUNT];
    double *sums;    // [VARIANT_COUNT][episodes]
    double *curves;  // [VARIANT_COUNT][steps]
    double correlation;
    train_whitening whitening[TOT_MAX_VIEWS];  // {0}: off
};

// State while it runs.
typedef struct probing {
    const tot_task *task;
    const tot_probe_settings *settings;
    tot_probe *probe;
    tot_world *world;
    study_renderers renderers;
    tot_recording recording;  // the demonstrations
    const tot_trajectory *replayed;
    tot_demos *demos;
    tot_labeler *labeler;
    int64_t width;    // numbers per embedding
    uint8_t *rgb;     // [steps][views][size][size][3]
    float *lived;     // [steps][width] embeddings of the current episode
    float *changed;   // [steps][width] the same after a change
    float *rewards;   // [steps]
    int64_t success;  // first step that ends in success
    tot_expert expert;
    tot_random random;  // for the current episode
    uint64_t attempt;
} probing;

void tot_probe_defaults(tot_probe_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_probe_settings){.episodes = 20, .demos = 2};
    tot_reward_defaults(&settings->reward);
}

static tot_status check(const tot_probe_settings *settings) {
    BASE_FAIL_IF(settings->episodes < 1 || settings->episodes > MOST_EPISODES, TOT_E_ARGUMENT,
                 "episodes: %lld is not in 1 .. %d", (long long)settings->episodes, MOST_EPISODES);
    BASE_FAIL_IF(settings->demos < 1 || settings->demos > MOST_DEMOS, TOT_E_ARGUMENT,
                 "demos: %lld is not in 1 .. %d", (long long)settings->demos, MOST_DEMOS);
    BASE_FAIL_IF(settings->encoder != NULL && settings->pictures == NULL, TOT_E_ARGUMENT,
                 "probe: an encoder needs pictures");
    BASE_FAIL_IF(settings->whiten_episodes < 0, TOT_E_ARGUMENT, "whiten_episodes: %lld is below 0",
                 (long long)settings->whiten_episodes);
    BASE_FAIL_IF(settings->views < 0 || settings->views > TOT_MAX_VIEWS, TOT_E_ARGUMENT,
                 "views: %d is not in 0 .. %d", settings->views, TOT_MAX_VIEWS);
    BASE_FAIL_IF(settings->demo_pictures != NULL && settings->views > 1, TOT_E_ARGUMENT,
                 "probe: demonstrations from another camera have a single view");
    BASE_FAIL_IF(
        settings->demo_pictures != NULL && settings->pictures != NULL && settings->pictures->fitted,
        TOT_E_ARGUMENT, "probe: a view cannot be fitted to two cameras");
    return tot_reward_config_check(&settings->reward);
}

// --- views -------------------------------------------------------------------------------------

tot_status study_renderers_observe(const study_renderers *renderers, const tot_world *world,
                                   int64_t step, uint8_t *rgb, float *numbers) {
    const int views = renderers->count;
    const size_t bytes = (size_t)views * renderers->picture;
    if (views > 0) {
        return picture_draw_views(renderers->all, views, world, renderers->picture,
                                  rgb + (size_t)step * bytes);
    }
    demo_observation_read(tot_world_observation(world), true, numbers + step * TOT_OBSERVATION);
    return TOT_OK;
}

void study_renderers_free(study_renderers *renderers) {
    for (int k = 0; k < renderers->count; k++) {
        tot_renderer_free(renderers->all[k]);
    }
    *renderers = (study_renderers){0};
}

// --- embeddings --------------------------------------------------------------------------------

// Encodes all views of `steps` steps and whitens the embeddings if requested.
static tot_status embed(const probing *work, const uint8_t *rgb, int64_t steps, float *embeddings) {
    const int views = work->renderers.count;
    BASE_TRY(tot_encode(work->settings->encoder, rgb, steps * views, embeddings));
    train_whitening_apply_views(work->probe->whitening, views, embeddings, steps);
    return TOT_OK;
}

static tot_status whiten(probing *work) {
    const train_random_play request = {
        .task = work->task,
        .world = {.action_repeat = TOT_DEMO_REPEAT},
        .views = work->renderers.count,
        .renderers = work->renderers.all,
        .encoder = work->settings->encoder,
        .episodes = work->settings->whiten_episodes,
        .floor = work->settings->whiten_floor,
    };
    return train_random_play_whiten(work->probe->whitening, &request);
}

// --- episodes ----------------------------------------------------------------------------------

// The actions of a demonstration; the last one is repeated.
static tot_status replay_demo(void *context, const tot_world *world, int64_t step, float *action) {
    (void)world;
    const probing *work = context;
    const int64_t last = work->replayed->steps - 1;
    memcpy(action, work->replayed->actions + (step < last ? step : last) * TOT_ACTION,
           TOT_ACTION * sizeof *action);
    return TOT_OK;
}

static tot_status act_perturbed(void *context, const tot_world *world, int64_t step,
                                float *action) {
    (void)step;
    probing *work = context;
    tot_world_expert(world, action);
    for (int k = 0; k < TOT_ACTION; k++) {
        action[k] = (float)(action[k] + perturbation * tot_random_normal(&work->random));
    }
    demo_clip_action(action);
    return TOT_OK;
}

static tot_policy choose_policy(probing *work, kind change) {
    work->expert.hold = change == FROZEN && tot_task_information(work->task)->hold;
    return change == RANDOM      ? tot_policy_random(&work->random)
           : change == REPLAYED  ? (tot_policy){.act = replay_demo, .context = work}
           : change == PERTURBED ? (tot_policy){.act = act_perturbed, .context = work}
                                 : tot_policy_holding(&work->expert);
}

static tot_status watch_step(void *context, const tot_world *world, int64_t step,
                             const float *action) {
    probing *work = context;
    if (action == NULL) {
        return TOT_OK;
    }
    if (work->success < 0 && tot_world_success(world)) {
        work->success = step - 1;
    }
    return study_renderers_observe(&work->renderers, world, step - 1, work->rgb, work->lived);
}

// Runs an episode and observes it after every step; work->success is the first step that ends in
// success, -1 if none does. *ended: whether the last step does.
static tot_status play(probing *work, uint64_t episode, kind change, bool *ended) {
    const tot_policy policy = choose_policy(work, change);
    tot_random_init_numbered(&work->random, work->settings->seed, "probe", episode);
    BASE_TRY(tot_world_reset(work->world, work->settings->seed + EPISODE_SEED, episode));
    work->success = -1;
    BASE_TRY(tot_play(work->world, &policy, -1, watch_step, work));
    *ended = tot_world_success(work->world);
    return work->renderers.count > 0 ? embed(work, work->rgb, work->probe->steps, work->lived)
                                     : TOT_OK;
}

// --- rewards -----------------------------------------------------------------------------------

static tot_status label(probing *work, const float *episode, size_t row, double *sum) {
    tot_label_info info;
    BASE_TRY(tot_label(work->labeler, tot_embeddings_f32(episode, work->probe->steps, work->width),
                       variants[row].name, work->rewards, &info));
    *sum = info.sum;
    return TOT_OK;
}

static tot_status reward(probing *work, const float *episode, size_t row, int64_t number) {
    tot_probe *probe = work->probe;
    double sum = 0;
    BASE_TRY(label(work, episode, row, &sum));
    probe->sums[(int64_t)row * probe->episodes + number] = sum;
    for (int64_t k = 0; k < probe->steps; k++) {
        probe->curves[(int64_t)row * probe->steps + k] +=
            work->rewards[k] / (double)probe->episodes;
    }
    return TOT_OK;
}

// Freezes the episode at `last`, or reverses it.
static void change_episode(probing *work, const variant *wanted) {
    const int64_t steps = work->probe->steps;
    const size_t row = (size_t)work->width;
    int64_t last = work->success - wanted->before;
    last = last < 0 ? 0 : last;
    for (int64_t k = 0; k < steps; k++) {
        int64_t from = wanted->change == REVERSED ? steps - 1 - k : (k < last ? k : last);
        memcpy(work->changed + (size_t)k * row, work->lived + (size_t)from * row,
               row * sizeof *work->changed);
    }
}

// Replays the actions of every demonstration on this goal and leaves the one with the largest
// reward in `changed`: what an agent would learn that only maximises the reward.
static tot_status replay(probing *work, uint64_t episode, size_t row, bool *solved) {
    double best = -INFINITY;
    for (size_t k = 0; k < work->recording.count; k++) {
        bool ended = false;
        double sum = 0;
        work->replayed = &work->recording.trajectories[k];
        BASE_TRY(play(work, episode, REPLAYED, &ended));
        BASE_TRY(label(work, work->lived, row, &sum));
        if (sum > best) {
            best = sum;
            *solved = ended;
            memcpy(work->changed, work->lived,
                   (size_t)(work->probe->steps * work->width) * sizeof *work->changed);
        }
    }
    return TOT_OK;
}

// Finds an episode that the expert solves, and rewards it and all its variants.
static tot_status probe_episode(probing *work, int64_t number) {
    uint64_t episode = 0;
    bool ended = false;
    for (int tries = 0; !ended; tries++) {
        BASE_FAIL_IF(tries == TRIES_AN_EPISODE, TOT_E_ATTEMPTS,
                     "%s: the expert failed in %d episodes in a row",
                     tot_task_information(work->task)->name, tries);
        episode = work->attempt++;
        BASE_TRY(play(work, episode, FROZEN, &ended));
    }
    for (size_t row = 0; row < VARIANT_COUNT; row++) {
        if (variants[row].change == FROZEN || variants[row].change == REVERSED) {
            change_episode(work, &variants[row]);
            BASE_TRY(reward(work, work->changed, row, number));
            work->probe->rows[row].success += variants[row].before == 0;
        } else if (variants[row].change == REPLAYED) {
            BASE_TRY(replay(work, episode, row, &ended));
            BASE_TRY(reward(work, work->changed, row, number));
            work->probe->rows[row].success += ended;
        } else {
            BASE_TRY(play(work, episode, variants[row].change, &ended));
            BASE_TRY(reward(work, work->lived, row, number));
            work->probe->rows[row].success += ended;
        }
    }
    return TOT_OK;
}

// --- demonstrations ----------------------------------------------------------------------------

static tot_status add_demo(probing *work, const tot_trajectory *demo, size_t number) {
    char name[40];
    snprintf(name, sizeof name, "demonstration %zu", number);
    float *numbers = base_alloc((size_t)demo->steps, (size_t)work->width * sizeof(float), name);
    BASE_HAVE(numbers);
    tot_status status = TOT_OK;
    if (work->renderers.count > 0) {
        status = embed(work, demo->frames.data, demo->steps, numbers);
    } else {
        for (int64_t k = 0; k < demo->steps; k++) {
            demo_observation_read(demo->observations + k * TOT_OBSERVATION, true,
                                  numbers + k * work->width);
        }
    }
    const tot_embeddings embeddings = tot_embeddings_f32(numbers, demo->steps, work->width);
    BASE_THEN(status, tot_demos_add(work->demos, embeddings, name));
    base_free(numbers);
    return status;
}

static tot_status make_demos(probing *work) {
    tot_recording *recording = &work->recording;
    tot_collect_settings collect;
    tot_collect_defaults(&collect);
    collect.count = work->settings->demos;
    collect.seed = work->settings->seed + DEMO_SEED;
    if (work->settings->encoder != NULL) {
        collect.pictures = work->settings->demo_pictures != NULL ? work->settings->demo_pictures
                                                                 : work->settings->pictures;
        collect.views = study_view_count(work->settings->views);
    }
    collect.fit_margin = work->settings->fit_margin;
    collect.pool = work->settings->pool;
    BASE_TRY(tot_demos_create(&work->demos));
    BASE_TRY(tot_collect(recording, work->task, &collect));
    for (int k = 0; collect.pictures != NULL && k < collect.views; k++) {
        // the view is known only after it has been fitted
        tot_picture_settings pictures = work->settings->pictures[k];
        memcpy(pictures.crop, recording->meta.crop[k], sizeof pictures.crop);
        BASE_TRY(tot_renderer_create(&work->renderers.all[work->renderers.count++], work->task,
                                     &pictures, collect.pool));
    }
    BASE_TRY(whiten(work));
    for (size_t k = 0; k < recording->count; k++) {
        BASE_TRY(add_demo(work, &recording->trajectories[k], k));
    }
    return TOT_OK;
}

// --- results -----------------------------------------------------------------------------------

// Spearman's rank correlation of the values with 0, 1, 2, ...; ties share their rank.
static double rank_correlation(const double *values, size_t count) {
    double mean = ((double)count - 1) / 2, product = 0, squares = 0, squares_rank = 0;
    for (size_t k = 0; k < count; k++) {
        double rank = 0;
        for (size_t j = 0; j < count; j++) {
            rank += values[j] < values[k] ? 1 : j != k && values[j] == values[k] ? 0.5 : 0;
        }
        product += (rank - mean) * ((double)k - mean);
        squares += (rank - mean) * (rank - mean);
        squares_rank += ((double)k - mean) * ((double)k - mean);
    }
    return squares > 0 ? product / sqrt(squares * squares_rank) : 0;
}

static void summarise(tot_probe *probe) {
    const double episodes = (double)probe->episodes;
    double whole = 0;
    for (int64_t k = 0; k < probe->episodes; k++) {
        double latest_last[FROZEN_COUNT];
        for (size_t row = 0; row < FROZEN_COUNT; row++) {
            latest_last[FROZEN_COUNT - 1 - row] = probe->sums[(int64_t)row * probe->episodes + k];
        }
        probe->correlation += rank_correlation(latest_last, FROZEN_COUNT) / episodes;
        whole += probe->sums[k] / episodes;
    }
    const double unit = whole != 0 ? fabs(whole) : 1;
    for (size_t row = 0; row < VARIANT_COUNT; row++) {
        tot_probe_row *out = &probe->rows[row];
        const double *sums = probe->sums + (int64_t)row * probe->episodes;
        double sum = 0, squares = 0, below = 0;
        for (int64_t k = 0; k < probe->episodes; k++) {
            sum += sums[k];
            squares += sums[k] * sums[k];
            below += sums[k] < probe->sums[k];
        }
        out->name = variants[row].name;
        out->before = variants[row].before;
        out->mean = sum / episodes / unit;
        out->deviation = sqrt(fmax(0, squares / episodes - sum * sum / episodes / episodes)) / unit;
        out->below = below / episodes;
        out->success /= episodes;
    }
}

// --- the run -----------------------------------------------------------------------------------

static tot_status prepare(probing *work) {
    const tot_probe_settings *settings = work->settings;
    tot_probe *probe = work->probe;
    const tot_world_settings world = {.action_repeat = TOT_DEMO_REPEAT};
    BASE_TRY(tot_world_create(&work->world, work->task, &world));
    probe->episodes = settings->episodes;
    probe->steps = tot_world_steps(work->world);
    work->width = TOT_OBSERVATION;
    size_t steps = (size_t)probe->steps;
    if (settings->encoder != NULL) {
        const tot_picture_settings *pictures = settings->pictures;
        const size_t views = (size_t)study_view_count(settings->views);
        work->width = (int64_t)views * tot_encoder_width(settings->encoder);
        work->renderers.picture = (size_t)pictures->width * (size_t)pictures->height * 3;
        work->rgb = base_alloc(steps, views * work->renderers.picture, "pictures");
        BASE_HAVE(work->rgb);
    }
    work->lived = base_alloc(steps, (size_t)work->width * sizeof(float), "embeddings");
    work->changed = base_alloc(steps, (size_t)work->width * sizeof(float), "embeddings");
    work->rewards = base_alloc(steps, sizeof(float), "rewards");
    probe->sums = base_alloc_zero(VARIANT_COUNT * (size_t)probe->episodes, sizeof(double), "sums");
    probe->curves = base_alloc_zero(VARIANT_COUNT * steps, sizeof(double), "curves");
    BASE_HAVE(work->lived, work->changed, work->rewards, probe->sums, probe->curves);
    BASE_TRY(make_demos(work));
    return tot_labeler_create(&work->labeler, work->demos, &settings->reward, settings->pool);
}

static tot_status run(probing *work) {
    const tot_probe_settings *settings = work->settings;
    BASE_TRY(prepare(work));
    for (int64_t k = 0; k < settings->episodes; k++) {
        BASE_TRY(probe_episode(work, k));
        BASE_FAIL_IF(settings->progress != NULL &&
                         !settings->progress(settings->progress_context, k + 1, settings->episodes),
                     TOT_E_INTERRUPTED, "probe: stopped after %lld episodes", (long long)(k + 1));
    }
    summarise(work->probe);
    return TOT_OK;
}

tot_status tot_probe_run(tot_probe **probe, const tot_task *task,
                         const tot_probe_settings *settings) {
    BASE_NEED(probe, task, settings);
    *probe = NULL;
    BASE_TRY(check(settings));
    probing work = {.task = task, .settings = settings};
    BASE_ALLOC_ZERO(work.probe, 1, "probe");
    tot_status status = run(&work);
    tot_labeler_free(work.labeler);
    tot_demos_free(work.demos);
    tot_recording_free(&work.recording);
    study_renderers_free(&work.renderers);
    tot_world_free(work.world);
    BASE_RELEASE(work.rgb, work.lived, work.changed, work.rewards);
    BASE_GIVE(status, probe, work.probe, tot_probe_free);
}

BASE_GETTER(size_t, tot_probe_row_count, tot_probe, probe, 0, VARIANT_COUNT)

BASE_ITEM(const tot_probe_row *, tot_probe_row_at, tot_probe, probe, VARIANT_COUNT,
          &probe->rows[index])

BASE_GETTER(double, tot_probe_correlation, tot_probe, probe, 0, probe->correlation)

double tot_probe_last_steps(const tot_probe *probe) {
    BASE_NEED_OR(0, probe);
    const double whole = probe->rows[0].mean;
    const double range = whole - probe->rows[FROZEN_COUNT - 1].mean;
    return range != 0 ? (whole - probe->rows[2].mean) / range : 0;
}

BASE_GETTER(int64_t, tot_probe_steps, tot_probe, probe, 0, probe->steps)

const double *tot_probe_curve(const tot_probe *probe, size_t row) {
    BASE_NEED_OR(NULL, probe);
    return row < VARIANT_COUNT ? probe->curves + (int64_t)row * probe->steps : NULL;
}

BASE_GETTER(const train_whitening *, study_probe_whitening, tot_probe, probe, NULL,
            probe->whitening)

void tot_probe_free(tot_probe *probe) {
    BASE_UNLESS_NULL(probe);
    for (int k = 0; k < TOT_MAX_VIEWS; k++) {
        train_whitening_free(&probe->whitening[k]);
    }
    BASE_RELEASE(probe->sums, probe->curves, probe);
}

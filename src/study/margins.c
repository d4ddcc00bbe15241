// Rewards of reference episodes: rendered, encoded, labelled, and compared with each other.
#include "base/base.h"
#include "study/references.h"
#include "train/random_play.h"

// One encoder, with its embeddings and rewards of the episodes.
typedef struct embedder {
    tot_encoder *encoder;                      // NULL: observations are compared
    int64_t width;                             // numbers per embedding
    train_whitening whitening[TOT_MAX_VIEWS];  // {0}: off; borrowed if a probe estimated it
    float *embeddings;                         // [steps][width]
    tot_demos *demos;
    tot_labeler **labelers;  // [count]
    double *sums;            // [count][episodes]
} embedder;

// State while the episodes are rewarded.
typedef struct rewarding {
    tot_references *all;
    const tot_reference_view *view;
    const tot_reward_config *configs;
    size_t count;         // of configs
    embedder *embedders;  // [embedder_count], all on the same pictures
    size_t embedder_count;
    study_renderers renderers;
    int64_t steps;  // maximum number of observations per episode
    uint8_t *rgb;   // [steps][views][picture]
    int64_t every;  // frames between observations of the current episode
    bool before;
    int64_t observed;
} rewarding;

// --- pictures to embeddings --------------------------------------------------------------------

static tot_status watch_frame(void *context, const tot_world *world, int64_t frame,
                              const float *action) {
    (void)action;
    rewarding *work = context;
    const bool last = tot_world_done(world);
    const bool seen = work->before ? frame % work->every == 0 && !last
                                   : frame > 0 && (frame % work->every == 0 || last);
    return seen ? study_renderers_observe(&work->renderers, world, work->observed++, work->rgb,
                                          work->embedders->embeddings)
                : TOT_OK;
}

// Replays actions and observes the world every `every` frames: before the actions, as in stored
// demonstrations, or after them, as in an agent's steps. Leaves the embeddings of
// work->observed steps.
static tot_status watch(rewarding *work, const double *rand_vec, const float *actions,
                        int64_t every, bool before) {
    work->every = every;
    work->before = before;
    work->observed = 0;
    BASE_TRY(study_replay(work->all->world, rand_vec, actions, watch_frame, work));
    const int views = work->renderers.count;
    for (size_t k = 0; views > 0 && k < work->embedder_count; k++) {
        const embedder *one = &work->embedders[k];
        BASE_TRY(tot_encode(one->encoder, work->rgb, work->observed * views, one->embeddings));
        train_whitening_apply_views(one->whitening, views, one->embeddings, work->observed);
    }
    return TOT_OK;
}

static tot_embeddings embeddings_of(const rewarding *work, const embedder *one) {
    return tot_embeddings_f32(one->embeddings, work->observed, one->width);
}

static tot_status take_demos(rewarding *work) {
    const tot_references *all = work->all;
    for (size_t k = 0; k < all->demo_count; k++) {
        char name[40];
        snprintf(name, sizeof name, "demonstration %zu", k);
        BASE_TRY(watch(work, all->demos[k].rand_vec, all->demos[k].actions, all->demo_every, true));
        for (size_t i = 0; i < work->embedder_count; i++) {
            const embedder *one = &work->embedders[i];
            BASE_TRY(tot_demos_add(one->demos, embeddings_of(work, one), name));
        }
    }
    return TOT_OK;
}

static tot_status reward(rewarding *work, size_t index) {
    const tot_references *all = work->all;
    const study_reference_episode *episode = &all->episodes[index];
    BASE_TRY(watch(work, episode->rand_vec, episode->actions, all->settings.action_repeat, false));
    for (size_t k = 0; k < work->embedder_count * work->count; k++) {
        const embedder *one = &work->embedders[k / work->count];
        tot_label_info info;
        BASE_TRY(tot_label(one->labelers[k % work->count], embeddings_of(work, one),
                           tot_reference_name(episode->info.policy), NULL, &info));
        one->sums[k % work->count * all->count + index] = info.sum;
    }
    return TOT_OK;
}

// --- set-up and clean-up -----------------------------------------------------------------------

static tot_status add_renderer(rewarding *work, tot_picture_settings pictures) {
    const tot_reference_view *view = work->view;
    study_renderers *renderers = &work->renderers;
    if (pictures.fitted) {
        pictures.zoom = 1;  // the crop refers to the whole picture
        BASE_TRY(tot_view_fit(work->all->task, &pictures, work->all->tracks, work->all->track_count,
                              view->fit_margin, pictures.crop));
    }
    renderers->picture = (size_t)pictures.width * (size_t)pictures.height * 3;
    return tot_renderer_create(&renderers->all[renderers->count++], work->all->task, &pictures,
                               view->pool);
}

// Creates the renderers of the demonstrations, which are also used for the episodes unless these
// have their own camera.
static tot_status open_renderers(rewarding *work) {
    const tot_reference_view *view = work->view;
    const int views = study_view_count(view->views);
    BASE_FAIL_IF(view->pictures == NULL || views > TOT_MAX_VIEWS, TOT_E_ARGUMENT,
                 "views: %d is not in 1 .. %d, or there are no pictures", views, TOT_MAX_VIEWS);
    BASE_FAIL_IF(view->demo_pictures != NULL && views > 1, TOT_E_ARGUMENT,
                 "views: demonstrations from another camera have a single view");
    for (int k = 0; k < views; k++) {
        BASE_TRY(add_renderer(
            work, view->demo_pictures != NULL ? *view->demo_pictures : view->pictures[k]));
    }
    BASE_ALLOC(work->rgb, (size_t)(work->steps * views) * work->renderers.picture, "pictures");
    return TOT_OK;
}

static tot_status change_camera(rewarding *work) {
    const tot_reference_view *view = work->view;
    if (work->renderers.count == 0 || view->demo_pictures == NULL) {
        return TOT_OK;
    }
    study_renderers_free(&work->renderers);
    return add_renderer(work, view->pictures[0]);
}

static tot_status open_embedder(const rewarding *work, embedder *one) {
    const int views = study_view_count(work->view->views);
    one->width = one->encoder != NULL ? views * tot_encoder_width(one->encoder) : TOT_OBSERVATION;
    one->embeddings =
        base_alloc((size_t)work->steps, (size_t)one->width * sizeof(float), "embeddings");
    one->sums = base_alloc(work->count * work->all->count, sizeof(double), "sums");
    one->labelers = base_alloc_zero(work->count, sizeof(tot_labeler *), "labelers");
    BASE_HAVE(one->embeddings, one->sums, one->labelers);
    return tot_demos_create(&one->demos);
}

// Estimated from the view of the demonstrations' camera.
static tot_status whiten(const rewarding *work, embedder *one) {
    const tot_reference_view *view = work->view;
    if (view->probe != NULL) {
        memcpy(one->whitening, study_probe_whitening(view->probe), sizeof one->whitening);
        return TOT_OK;
    }
    const train_random_play request = {
        .task = work->all->task,
        .world = {.action_repeat = (int)work->all->settings.action_repeat},
        .views = work->renderers.count,
        .renderers = work->renderers.all,
        .encoder = one->encoder,
        .episodes = view->whiten_episodes,
        .floor = view->whiten_floor,
    };
    return train_random_play_whiten(one->whitening, &request);
}

static tot_status prepare(rewarding *work, tot_encoder *const *encoders) {
    const tot_references *all = work->all;
    const int64_t repeat = all->settings.action_repeat;
    work->steps = (all->frames - 1) / (repeat < all->demo_every ? repeat : all->demo_every) + 1;
    BASE_ALLOC_ZERO(work->embedders, work->embedder_count, "encoders");
    for (size_t k = 0; k < work->embedder_count; k++) {
        work->embedders[k].encoder = encoders[k];
        BASE_TRY(open_embedder(work, &work->embedders[k]));
    }
    BASE_TRY(encoders[0] != NULL ? open_renderers(work) : TOT_OK);
    for (size_t k = 0; k < work->embedder_count; k++) {
        BASE_TRY(whiten(work, &work->embedders[k]));
    }
    BASE_TRY(take_demos(work));
    BASE_TRY(change_camera(work));
    for (size_t k = 0; k < work->embedder_count * work->count; k++) {
        const embedder *one = &work->embedders[k / work->count];
        BASE_TRY(tot_labeler_create(&one->labelers[k % work->count], one->demos,
                                    &work->configs[k % work->count], work->view->pool));
    }
    return TOT_OK;
}

static tot_status run(rewarding *work, tot_encoder *const *encoders) {
    const tot_reference_view *view = work->view;
    const int64_t total = (int64_t)work->all->count;
    BASE_TRY(prepare(work, encoders));
    for (int64_t k = 0; k < total; k++) {
        BASE_TRY(reward(work, (size_t)k));
        BASE_FAIL_IF(
            view->progress != NULL && !view->progress(view->progress_context, k + 1, total),
            TOT_E_INTERRUPTED, "probe: stopped after %lld of %lld episodes", (long long)(k + 1),
            (long long)total);
    }
    return TOT_OK;
}

static void close_embedders(const rewarding *work) {
    for (size_t k = 0; work->embedders != NULL && k < work->embedder_count; k++) {
        embedder *one = &work->embedders[k];
        if (work->view->probe == NULL) {
            for (int view = 0; view < TOT_MAX_VIEWS; view++) {
                train_whitening_free(&one->whitening[view]);
            }
        }
        for (size_t i = 0; one->labelers != NULL && i < work->count; i++) {
            tot_labeler_free(one->labelers[i]);
        }
        tot_demos_free(one->demos);
        BASE_RELEASE(one->labelers, one->embeddings, one->sums);
    }
    base_free(work->embedders);
}

// --- margins -----------------------------------------------------------------------------------

static void average(const tot_references *all, const double *sums, tot_margins *out) {
    int64_t counts[TOT_REFERENCES] = {0};
    for (size_t k = 0; k < all->count; k++) {
        const tot_reference_episode *episode = &all->episodes[k].info;
        // shifted episodes have their own rows
        if (episode->shift == TOT_SHIFT_NONE) {
            counts[episode->policy]++;
            out->sum[episode->policy] += sums[k];
            out->success[episode->policy] += episode->success;
        }
    }
    for (int k = 0; k < TOT_REFERENCES; k++) {
        const double count = counts[k] > 0 ? (double)counts[k] : NAN;
        out->sum[k] /= count;
        out->success[k] /= count;
    }
}

// The largest sum of rewards of a policy on a goal, over its episodes with these outcomes;
// -INFINITY: none.
static double best_sum(const tot_references *all, const double *sums, tot_reference policy,
                       int64_t goal, bool solved, bool failed) {
    double best = -INFINITY;
    for (size_t k = 0; k < all->count; k++) {
        const tot_reference_episode *episode = &all->episodes[k].info;
        const bool wanted = episode->success ? solved : failed;
        if (episode->policy == policy && episode->goal == goal && wanted) {
            best = fmax(best, sums[k]);
        }
    }
    return best;
}

// Difference between bent and random, over the goals that bent solves.
static double range_of(const tot_references *all, const double *sums) {
    double range = 0, goals = 0;
    for (int64_t goal = 0; goal < all->settings.goals; goal++) {
        const double bent = best_sum(all, sums, TOT_REFERENCE_BENT, goal, true, false);
        if (bent > -INFINITY) {
            range += bent - best_sum(all, sums, TOT_REFERENCE_RANDOM, goal, true, true);
            goals++;
        }
    }
    return range / goals;
}

static tot_margin margin_over(const tot_references *all, const double *sums, tot_reference policy,
                              double range) {
    tot_margin margin = {0};
    for (int64_t goal = 0; goal < all->settings.goals; goal++) {
        const double bent = best_sum(all, sums, TOT_REFERENCE_BENT, goal, true, false);
        const double other =
            best_sum(all, sums, policy, goal, policy == TOT_REFERENCE_EXPERT, true);
        if (bent > -INFINITY && other > -INFINITY) {
            margin.share += bent - other;
            margin.wins += bent > other;
            margin.goals++;
        }
    }
    const double goals = margin.goals > 0 ? (double)margin.goals : NAN;
    margin.share /= goals * range;
    margin.wins /= goals;
    return margin;
}

static void lose_by_shifts(const tot_references *all, const double *sums, tot_margins *out) {
    double mean[TOT_SHIFTS] = {0};
    for (size_t k = 0; k < all->count; k++) {
        const tot_reference_episode *episode = &all->episodes[k].info;
        if (episode->policy == TOT_REFERENCE_SHIFT) {
            mean[episode->shift] += sums[k] / (double)all->demo_count;
        }
    }
    const double still = mean[TOT_SHIFT_NONE];
    const double above = still - out->sum[TOT_REFERENCE_RANDOM];
    const double range = all->settings.shift > 0 && above > 0 ? above : NAN;
    for (int k = 0; k < TOT_SHIFTS; k++) {
        out->shift_loss[k] = (still - mean[k]) / range;
    }
}

static void compare(const tot_references *all, const double *sums, tot_margins *out) {
    *out = (tot_margins){0};
    average(all, sums, out);
    out->range = range_of(all, sums);
    const double range = out->range > 0 ? out->range : NAN;
    for (int k = TOT_REFERENCE_REPLAY; k <= TOT_REFERENCE_EXPERT; k++) {
        out->over[k] = margin_over(all, sums, (tot_reference)k, range);
    }
    lose_by_shifts(all, sums, out);
}

tot_status study_references_reward(tot_references *references, const tot_reference_view *view,
                                   tot_encoder *const *encoders, size_t encoder_count,
                                   const tot_reward_config *configs, size_t count,
                                   tot_margins *margins, double *sums) {
    for (size_t k = 0; k < count; k++) {
        BASE_TRY(tot_reward_config_check(&configs[k]));
    }
    rewarding work = {.all = references,
                      .view = view,
                      .configs = configs,
                      .count = count,
                      .embedder_count = encoder_count};
    const size_t episodes = references->count;
    const tot_status status = run(&work, encoders);
    for (size_t k = 0; status == TOT_OK && k < encoder_count * count; k++) {
        const double *found = work.embedders[k / count].sums + k % count * episodes;
        compare(references, found, &margins[k]);
        if (sums != NULL) {
            memcpy(sums + k * episodes, found, episodes * sizeof *sums);
        }
    }
    close_embedders(&work);
    study_renderers_free(&work.renderers);
    base_free(work.rgb);
    return status;
}

tot_status tot_references_reward(tot_references *references, const tot_reference_view *view,
                                 const tot_reward_config *configs, size_t count,
                                 tot_margins *margins, double *sums) {
    BASE_NEED(references, view);
    return study_references_reward(references, view, &view->encoder, 1, configs, count, margins,
                                   sums);
}

// --- score and verdict -------------------------------------------------------------------------

static double loss(const tot_margins *margins, tot_reference_shift one, tot_reference_shift other) {
    return (margins->shift_loss[one] + margins->shift_loss[other]) / 2;
}

void study_score_parts(const tot_margins *margins, double parts[STUDY_SCORE_PARTS]) {
    parts[0] = margins->over[TOT_REFERENCE_REPLAY].share;
    parts[1] = margins->over[TOT_REFERENCE_OPEN].share;
    parts[2] = margins->over[TOT_REFERENCE_SHORT].share;
    parts[3] = loss(margins, TOT_SHIFT_NEAR, TOT_SHIFT_FAR);
    parts[4] = loss(margins, TOT_SHIFT_LEFT, TOT_SHIFT_RIGHT);
    parts[5] = loss(margins, TOT_SHIFT_UP, TOT_SHIFT_DOWN);
}

double tot_margins_score(const tot_margins *margins) {
    BASE_NEED_OR(0, margins);
    double parts[STUDY_SCORE_PARTS];
    study_score_parts(margins, parts);
    double least = margins->range > 0 ? NAN : -INFINITY;
    for (size_t k = 0; k < STUDY_SCORE_PARTS; k++) {
        least = fmin(least, parts[k]);  // fmin ignores NaN: a kind that never fails does not count
    }
    return least;
}

const char *tot_margins_verdict(const tot_margins *margins, char *text, size_t size) {
    BASE_NEED_OR(NULL, margins, text);
    static const double hardly = 0.05;  // of the range: below it there is little to learn from
    static const struct {
        tot_reference policy;
        const char *words, *remedy;
    } failures[] = {
        {TOT_REFERENCE_REPLAY, "replaying a demonstration that fails here",
         "use a closer view, centre the embeddings, or match demonstrations by their start"},
        {TOT_REFERENCE_OPEN, "the same path with open fingers",
         "the object is too small in the picture: use a closer view or a smaller stride"},
        {TOT_REFERENCE_SHORT, "stopping short of the object",
         "use a closer view or a longer context"},
    };
    if (!(margins->success[TOT_REFERENCE_BENT] > 0)) {
        snprintf(text, size, "No bent demonstration solves its goal: no conclusion can be drawn.");
        return text;
    }
    if (!(margins->range > 0)) {
        snprintf(
            text, size,
            "Solving the task earns no more than random actions: this reward does not detect it.");
        return text;
    }
    for (size_t k = 0; k < BASE_LENGTH(failures); k++) {
        const double share = margins->over[failures[k].policy].share;
        if (share < hardly) {
            snprintf(text, size,
                     "Solving the task earns %s than %s (%+.2f of the range): an agent will %s "
                     "learn it from this reward; %s.",
                     share < 0 ? "less" : "hardly more", failures[k].words, share,
                     share < 0 ? "not" : "hardly", failures[k].remedy);
            return text;
        }
    }
    const double depth = loss(margins, TOT_SHIFT_NEAR, TOT_SHIFT_FAR);
    if (depth < hardly) {
        snprintf(
            text, size,
            "Solving the task earns more than failing at it, but the reward hardly sees depth: "
            "a hand shifted along the camera's ray loses %.2f of the range; show more of the "
            "arm, or add a camera.",
            depth);
        return text;
    }
    snprintf(text, size,
             "Solving the task earns more than failing at it, by at least %.2f of the range: worth "
             "training.",
             tot_margins_score(margins));
    return text;
}

// Reference episodes: a demonstration bent to fresh goals, and similar episodes that fail.
#include "base/base.h"
#include "picture/renderer.h"
#include "study/references.h"

enum { MOST_GOALS = 1000, MOST_REPEAT = 100 };
static const double short_of = 0.05;  // metres from the object at which TOT_REFERENCE_SHORT stops

const char *tot_reference_name(tot_reference policy) {
    static const char *const names[TOT_REFERENCES] = {
        [TOT_REFERENCE_BENT] = "bent",     [TOT_REFERENCE_REPLAY] = "replay",
        [TOT_REFERENCE_OPEN] = "open",     [TOT_REFERENCE_SHORT] = "short",
        [TOT_REFERENCE_EXPERT] = "expert", [TOT_REFERENCE_RANDOM] = "random",
        [TOT_REFERENCE_SHIFT] = "shift"};
    return (size_t)policy < TOT_REFERENCES ? names[policy] : "unknown";
}

const char *tot_reference_shift_name(tot_reference_shift shift) {
    static const char *const names[TOT_SHIFTS] = {
        [TOT_SHIFT_NONE] = "none", [TOT_SHIFT_NEAR] = "near",   [TOT_SHIFT_FAR] = "far",
        [TOT_SHIFT_LEFT] = "left", [TOT_SHIFT_RIGHT] = "right", [TOT_SHIFT_UP] = "up",
        [TOT_SHIFT_DOWN] = "down"};
    return (size_t)shift < TOT_SHIFTS ? names[shift] : "unknown";
}

void tot_reference_defaults(tot_reference_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_reference_settings){
        .goals = 8, .goal_seed = 1, .action_repeat = TOT_DEMO_REPEAT, .shift = 0.03};
}

static tot_status check(const tot_recording *demos, const tot_reference_settings *settings) {
    BASE_FAIL_IF(settings->goals < 1 || settings->goals > MOST_GOALS, TOT_E_ARGUMENT,
                 "goals: %lld is not in 1 .. %d", (long long)settings->goals, MOST_GOALS);
    BASE_FAIL_IF(settings->action_repeat < 1 || settings->action_repeat > MOST_REPEAT,
                 TOT_E_ARGUMENT, "action_repeat: %lld is not in 1 .. %d",
                 (long long)settings->action_repeat, MOST_REPEAT);
    BASE_FAIL_IF(!(settings->shift >= 0 && settings->shift <= 1), TOT_E_ARGUMENT,
                 "shift: %g is not in 0 .. 1", settings->shift);
    BASE_FAIL_IF(demos->count == 0, TOT_E_ARGUMENT,
                 "reference episodes: there is no demonstration to bend");
    return TOT_OK;
}

// --- demonstrations ----------------------------------------------------------------------------

// Whether the replayed episode equals the recorded one.
static bool same_episode(const study_bent_demo *played, const tot_trajectory *kept, int64_t every) {
    static const double tolerance = 1e-6;
    for (int64_t k = 0; k < kept->steps; k++) {
        if (k * every > played->frames) {
            return false;
        }
        const double *ours = played->observations + k * every * TOT_OBSERVATION;
        const double *theirs = kept->observations + k * TOT_OBSERVATION;
        for (int i = 0; i < TOT_OBSERVATION; i++) {
            if (!(fabs(ours[i] - theirs[i]) <= tolerance)) {
                return false;
            }
        }
    }
    return true;
}

static tot_status play_demos(tot_references *all, const tot_recording *demos) {
    BASE_ALLOC_ZERO(all->demos, demos->count, "demonstrations");
    all->demo_every = demos->meta.action_repeat * demos->meta.speed;
    for (size_t k = 0; k < demos->count; k++) {
        const tot_trajectory *kept = &demos->trajectories[k];
        const bool has_draw = kept->observations != NULL &&
                              kept->draw_length == tot_task_information(all->task)->draw_length;
        all->demo_count = k + 1;
        if (has_draw) {
            BASE_TRY(
                study_bent_demo_play(&all->demos[k], all->world, kept->rand_vec, demos->meta.hold));
        }
        BASE_FAIL_IF(!has_draw || !same_episode(&all->demos[k], kept, all->demo_every), TOT_E_VALUE,
                     "demonstration %zu: is not an episode of %s's scripted expert, and "
                     "cannot be bent to other goals",
                     k, tot_task_information(all->task)->name);
    }
    return TOT_OK;
}

// --- episodes ----------------------------------------------------------------------------------

static void choose_randomly(const tot_references *all, const study_reference_episode *episode) {
    tot_random random;
    tot_random_init_numbered(&random, all->settings.goal_seed, "reference",
                             all->settings.first_goal + (uint64_t)episode->info.goal);
    for (int64_t k = 0; k < all->frames; k++) {
        for (int i = 0; i < TOT_ACTION; i++) {
            float *action = episode->actions + k * TOT_ACTION + i;
            // like an agent's action, a random one lasts for several frames
            *action = k % all->settings.action_repeat == 0
                          ? (float)(2 * tot_random_uniform(&random) - 1)
                          : action[-TOT_ACTION];
        }
    }
}

static tot_status play_expert(tot_references *all, const study_reference_episode *episode) {
    study_bent_demo played = {0};
    const bool hold = tot_task_information(all->task)->hold;
    const tot_status status = study_bent_demo_play(&played, all->world, episode->rand_vec, hold);
    if (status == TOT_OK) {
        memcpy(episode->actions, played.actions,
               (size_t)all->frames * TOT_ACTION * sizeof *episode->actions);
    }
    study_bent_demo_free(&played);
    return status;
}

static void shift_by(const tot_references *all, const study_bent_demo *demo,
                     tot_reference_shift shift) {
    static const struct {
        int axis;
        double sign;
    } ways[TOT_SHIFTS] = {
        [TOT_SHIFT_NONE] = {0, 0},  [TOT_SHIFT_NEAR] = {2, 1},  [TOT_SHIFT_FAR] = {2, -1},
        [TOT_SHIFT_LEFT] = {0, -1}, [TOT_SHIFT_RIGHT] = {0, 1}, [TOT_SHIFT_UP] = {1, 1},
        [TOT_SHIFT_DOWN] = {1, -1}};
    double by[3];
    for (int k = 0; k < 3; k++) {
        by[k] = ways[shift].sign * all->settings.shift * all->axes[ways[shift].axis][k];
    }
    study_bent_path_shifted(demo, by, all->path);
}

static tot_status follow(tot_references *all, const study_reference_episode *episode) {
    const study_bent_demo *demo = &all->demos[episode->info.demo];
    const tot_reference policy = episode->info.policy;
    int64_t stop = demo->frames;
    if (policy == TOT_REFERENCE_SHIFT) {
        shift_by(all, demo, episode->info.shift);
    } else {
        study_bent_path(demo, episode->rand_vec, all->path);
    }
    if (policy == TOT_REFERENCE_SHORT) {
        stop = study_bent_stop_short(demo, short_of, all->path);
    }
    const bool open = policy == TOT_REFERENCE_OPEN || policy == TOT_REFERENCE_SHIFT;
    return study_bent_follow(demo, all->world, episode->rand_vec, all->path, stop, open,
                             episode->actions);
}

static tot_status play(tot_references *all, study_reference_episode *episode) {
    tot_status status = TOT_OK;
    switch (episode->info.policy) {
        case TOT_REFERENCE_RANDOM:
            choose_randomly(all, episode);
            status = study_replay(all->world, episode->rand_vec, episode->actions, NULL, NULL);
            break;
        case TOT_REFERENCE_EXPERT:
            status = play_expert(all, episode);
            break;
        case TOT_REFERENCE_REPLAY:
            memcpy(episode->actions, all->demos[episode->info.demo].actions,
                   (size_t)all->frames * TOT_ACTION * sizeof *episode->actions);
            status = study_replay(all->world, episode->rand_vec, episode->actions, NULL, NULL);
            break;
        default:
            status = follow(all, episode);
            break;
    }
    episode->info.success = status == TOT_OK && tot_world_success(all->world);
    return status == TOT_OK
               ? TOT_OK
               : base_fail_in(status, "%s, goal %lld", tot_reference_name(episode->info.policy),
                              (long long)episode->info.goal);
}

static tot_status add(tot_references *all, tot_reference policy, tot_reference_shift shift,
                      int64_t demo, int64_t goal) {
    study_reference_episode *episode = &all->episodes[all->count];
    episode->info =
        (tot_reference_episode){.policy = policy, .shift = shift, .demo = demo, .goal = goal};
    if (goal < 0) {
        memcpy(episode->rand_vec, all->demos[demo].rand_vec, sizeof episode->rand_vec);
    } else {
        tot_task_draw(all->task, all->settings.goal_seed, all->settings.first_goal + (uint64_t)goal,
                      episode->rand_vec);
    }
    episode->actions = base_alloc((size_t)all->frames, TOT_ACTION * sizeof(float), "actions");
    BASE_HAVE(episode->actions);
    all->count++;
    return play(all, episode);
}

static tot_status play_all(tot_references *all) {
    const int64_t demos = (int64_t)all->demo_count;
    for (int64_t goal = 0; goal < all->settings.goals; goal++) {
        for (int64_t demo = 0; demo < demos; demo++) {
            for (int policy = TOT_REFERENCE_BENT; policy <= TOT_REFERENCE_SHORT; policy++) {
                BASE_TRY(add(all, (tot_reference)policy, TOT_SHIFT_NONE, demo, goal));
            }
        }
        BASE_TRY(add(all, TOT_REFERENCE_EXPERT, TOT_SHIFT_NONE, -1, goal));
        BASE_TRY(add(all, TOT_REFERENCE_RANDOM, TOT_SHIFT_NONE, -1, goal));
    }
    for (int64_t demo = 0; demo < demos && all->settings.shift > 0; demo++) {
        for (int shift = 0; shift < TOT_SHIFTS; shift++) {
            BASE_TRY(add(all, TOT_REFERENCE_SHIFT, (tot_reference_shift)shift, demo, -1));
        }
    }
    return TOT_OK;
}

// --- the whole ---------------------------------------------------------------------------------

// Axes along and across the camera ray to the middle of the demonstrated path.
static tot_status find_axes(tot_references *all) {
    tot_picture_settings pictures;
    double middle[3] = {0};
    const study_bent_demo *demo = &all->demos[0];
    tot_picture_defaults(&pictures);
    pictures.camera = all->settings.camera;
    for (int64_t k = 0; k < 3 * demo->frames; k++) {
        middle[k % 3] += demo->mocap[k] / (double)demo->frames;
    }
    return picture_axes(all->task, &pictures, middle, all->axes);
}

static tot_status prepare(tot_references *all, const tot_recording *demos) {
    BASE_TRY(tot_world_create(&all->world, all->task, NULL));
    all->frames = tot_world_horizon(all->world);
    const size_t most =
        (size_t)all->settings.goals * (4 * demos->count + 2) + demos->count * (size_t)TOT_SHIFTS;
    all->episodes = base_alloc_zero(most, sizeof *all->episodes, "reference episodes");
    all->path = base_alloc((size_t)all->frames + 1, 3 * sizeof *all->path, "path");
    BASE_HAVE(all->episodes, all->path);
    BASE_TRY(demo_recording_tracks(demos, &all->tracks, &all->track_count));
    BASE_TRY(play_demos(all, demos));
    return find_axes(all);
}

tot_status tot_references_play(tot_references **references, const tot_task *task,
                               const tot_recording *demos, const tot_reference_settings *settings) {
    BASE_NEED(references, task, settings);
    *references = NULL;
    BASE_TRY(check(demos, settings));
    BASE_NEW(tot_references, all, "reference episodes");
    all->task = task;
    all->settings = *settings;
    tot_status status = prepare(all, demos);
    BASE_THEN(status, play_all(all));
    BASE_GIVE(status, references, all, tot_references_free);
}

BASE_GETTER(size_t, tot_references_count, tot_references, references, 0, references->count)

BASE_ITEM(const tot_reference_episode *, tot_references_at, tot_references, references,
          references->count, &references->episodes[index].info)

void tot_references_free(tot_references *references) {
    BASE_UNLESS_NULL(references);
    // an episode that failed to play already has its actions
    for (size_t k = 0; references->episodes != NULL && k < references->count; k++) {
        base_free(references->episodes[k].actions);
    }
    for (size_t k = 0; k < references->demo_count; k++) {
        study_bent_demo_free(&references->demos[k]);
    }
    BASE_RELEASE(references->episodes, references->demos, references->path, references->tracks);
    tot_world_free(references->world);
    base_free(references);
}

// A trajectory: recording an episode, and subsampling it.
#include "base/base.h"
#include "demo/trajectory.h"

tot_status demo_trajectory_allocate(tot_trajectory *trajectory, int64_t steps) {
    const size_t count = (size_t)steps;
    *trajectory = (tot_trajectory){.steps = steps, .seed = -1, .episode = -1, .attempts = 1};
    trajectory->observations =
        base_alloc(count + 1, TOT_OBSERVATION * sizeof *trajectory->observations, "trajectory");
    trajectory->actions = base_alloc(count, TOT_ACTION * sizeof *trajectory->actions, "trajectory");
    trajectory->success = base_alloc(count, sizeof *trajectory->success, "trajectory");
    if (trajectory->observations == NULL || trajectory->actions == NULL ||
        trajectory->success == NULL) {
        tot_trajectory_free(trajectory);
        return TOT_E_MEMORY;
    }
    return TOT_OK;
}

tot_status demo_frames_allocate(tot_array *frames, int64_t count, int64_t height, int64_t width) {
    const size_t picture = (size_t)height * (size_t)width * 3;
    *frames = (tot_array){0};
    void *data = base_alloc((size_t)count, picture, "frames");
    BASE_HAVE(data);
    *frames = (tot_array){.type = TOT_U8,
                          .dimensions = 4,
                          .shape = {count, height, width, 3},
                          .data = data,
                          .capacity = (size_t)count * picture};
    return TOT_OK;
}

// Allocates rewards and info for all steps.
static tot_status allocate_rewards(tot_trajectory *trajectory) {
    const size_t count = (size_t)trajectory->steps;
    trajectory->rewards = base_alloc(count, sizeof *trajectory->rewards, "trajectory");
    trajectory->info = base_alloc(count, TOT_WORLD_INFO * sizeof *trajectory->info, "trajectory");
    BASE_HAVE(trajectory->rewards, trajectory->info);
    return TOT_OK;
}

void tot_trajectory_free(tot_trajectory *trajectory) {
    BASE_UNLESS_NULL(trajectory);
    BASE_RELEASE(trajectory->observations, trajectory->actions, trajectory->success,
                 trajectory->rewards, trajectory->info);
    tot_array_free(&trajectory->frames);
    *trajectory = (tot_trajectory){0};
}

int64_t tot_trajectory_first_success(const tot_trajectory *trajectory) {
    BASE_NEED_OR(-1, trajectory);
    for (int64_t k = 0; trajectory->success != NULL && k < trajectory->steps; k++) {
        if (trajectory->success[k] != 0) {
            return k;
        }
    }
    return -1;
}

BASE_GETTER(bool, tot_trajectory_succeeded, tot_trajectory, trajectory, false,
            trajectory->steps > 0 && trajectory->success != NULL &&
                trajectory->success[trajectory->steps - 1] != 0)

// --- rollout -----------------------------------------------------------------------------------

static tot_status take_step(tot_world *world, const tot_policy *policy, int64_t step,
                            float *action) {
    if (policy->act_double == NULL) {
        BASE_TRY(policy->act(policy->context, world, step, action));
        return tot_world_step(world, action);
    }
    double wide[TOT_ACTION];
    BASE_TRY(policy->act_double(policy->context, world, step, wide));
    for (int k = 0; k < TOT_ACTION; k++) {
        action[k] = (float)wide[k];
    }
    return tot_world_step_double(world, wide);
}

tot_status tot_play(tot_world *world, const tot_policy *policy, int64_t steps,
                    tot_step_callback after, void *context) {
    BASE_NEED(world, policy);
    float action[TOT_ACTION];
    BASE_FAIL_IF(policy->act == NULL && policy->act_double == NULL, TOT_E_ARGUMENT,
                 "episode: the policy has nothing to act with");
    BASE_FAIL_IF(tot_world_frames(world) != 0, TOT_E_ARGUMENT,
                 "%s: an episode is played from its start, and %d frames have passed",
                 tot_task_information(tot_world_task(world))->name, tot_world_frames(world));
    BASE_TRY(after != NULL ? after(context, world, 0, NULL) : TOT_OK);
    for (int64_t k = 0; k != steps && !tot_world_done(world); k++) {
        const tot_status status = take_step(world, policy, k, action);
        if (status != TOT_OK) {
            return base_fail_in(status, "step %lld", (long long)k);
        }
        BASE_TRY(after != NULL ? after(context, world, k + 1, action) : TOT_OK);
    }
    return TOT_OK;
}

// --- recording ---------------------------------------------------------------------------------

typedef struct recorder {
    tot_trajectory *trajectory;
    tot_step_callback after;
    void *context;
} recorder;

static void keep_rewards(tot_trajectory *trajectory, int64_t k, const tot_world *world) {
    double numbers[TOT_WORLD_INFO];
    memcpy(numbers, tot_world_information(world), sizeof numbers);
    trajectory->success[k] = tot_world_success(world) ? 1 : 0;
    trajectory->rewards[k] = tot_world_reward(world);
    for (int64_t n = 0; n < TOT_WORLD_INFO; n++) {
        trajectory->info[n * trajectory->steps + k] = numbers[n];
    }
}

static tot_status record_step(void *context, const tot_world *world, int64_t step,
                              const float *action) {
    const recorder *this = context;
    memcpy(this->trajectory->observations + step * TOT_OBSERVATION, tot_world_observation(world),
           TOT_OBSERVATION * sizeof(double));
    if (action != NULL) {
        memcpy(this->trajectory->actions + (step - 1) * TOT_ACTION, action,
               TOT_ACTION * sizeof *action);
        keep_rewards(this->trajectory, step - 1, world);
    }
    return this->after != NULL ? this->after(this->context, world, step, action) : TOT_OK;
}

tot_status tot_trajectory_record(tot_trajectory *trajectory, tot_world *world,
                                 const tot_policy *policy, tot_step_callback after, void *context) {
    BASE_NEED(trajectory, world, policy);
    recorder this = {trajectory, after, context};
    tot_trajectory_free(trajectory);
    const tot_task_info *info = tot_task_information(tot_world_task(world));
    BASE_TRY(demo_trajectory_allocate(trajectory, tot_world_steps(world)));
    trajectory->draw_length = info->draw_length;
    memcpy(trajectory->rand_vec, tot_world_draw(world),
           (size_t)info->draw_length * sizeof *trajectory->rand_vec);
    tot_status status = allocate_rewards(trajectory);
    BASE_THEN(status, tot_play(world, policy, -1, record_step, &this));
    if (status != TOT_OK) {
        tot_trajectory_free(trajectory);
    }
    return status;
}

// --- subsampling -------------------------------------------------------------------------------

// Copies frames 0, every, 2 every, ..., and the frame after the last step if there is one.
static tot_status thin_frames(tot_trajectory *out, const tot_trajectory *whole, int64_t every) {
    const tot_array *from = &whole->frames;
    if (from->data == NULL) {
        return TOT_OK;
    }
    const bool has_last = from->shape[0] > whole->steps;
    const size_t row = (size_t)(from->shape[1] * from->shape[2] * 3);
    const int64_t rows = out->steps + (has_last ? 1 : 0);
    BASE_TRY(demo_frames_allocate(&out->frames, rows, from->shape[1], from->shape[2]));
    uint8_t *to = out->frames.data;
    for (int64_t k = 0; k < out->steps; k++) {
        memcpy(to + (size_t)k * row, (const uint8_t *)from->data + (size_t)(k * every) * row, row);
    }
    if (has_last) {
        memcpy(to + (size_t)out->steps * row,
               (const uint8_t *)from->data + (size_t)whole->steps * row, row);
    }
    return TOT_OK;
}

static void thin_steps(tot_trajectory *out, const tot_trajectory *whole, int64_t every) {
    const size_t observation = TOT_OBSERVATION * sizeof *out->observations;
    for (int64_t k = 0; k < out->steps; k++) {
        const bool last = k + 1 == out->steps;
        const int64_t here = k * every;
        const int64_t next = last ? whole->steps : here + every;
        memcpy(out->observations + k * TOT_OBSERVATION,
               whole->observations + here * TOT_OBSERVATION, observation);
        memcpy(out->actions + k * TOT_ACTION, whole->actions + here * TOT_ACTION,
               TOT_ACTION * sizeof *out->actions);
        out->success[k] = whole->success[next - 1];
    }
    memcpy(out->observations + out->steps * TOT_OBSERVATION,
           whole->observations + whole->steps * TOT_OBSERVATION, observation);
}

static tot_status thin_rewards(tot_trajectory *out, const tot_trajectory *whole, int64_t every) {
    if (whole->rewards == NULL || whole->info == NULL) {
        return TOT_OK;
    }
    BASE_TRY(allocate_rewards(out));
    for (int64_t k = 0; k < out->steps; k++) {
        const int64_t next = k + 1 == out->steps ? whole->steps : (k + 1) * every;
        out->rewards[k] = 0;
        for (int64_t n = k * every; n < next; n++) {
            out->rewards[k] += whole->rewards[n];
        }
        for (int64_t n = 0; n < TOT_WORLD_INFO; n++) {
            out->info[n * out->steps + k] = whole->info[n * whole->steps + next - 1];
        }
    }
    return TOT_OK;
}

tot_status tot_trajectory_thin(tot_trajectory *out, const tot_trajectory *whole, int64_t every) {
    BASE_NEED(out, whole);
    tot_trajectory_free(out);
    BASE_FAIL_IF(every < 1 || whole->steps < 1, TOT_E_ARGUMENT,
                 "thinning: every %lld-th of %lld steps leaves nothing", (long long)every,
                 (long long)whole->steps);
    BASE_NEED(whole->observations, whole->actions, whole->success);
    BASE_TRY(demo_trajectory_allocate(out, (whole->steps - 1) / every + 1));
    thin_steps(out, whole, every);
    tot_status status = thin_rewards(out, whole, every);
    BASE_THEN(status, thin_frames(out, whole, every));
    if (status != TOT_OK) {
        tot_trajectory_free(out);
        return status;
    }
    memcpy(out->rand_vec, whole->rand_vec, sizeof out->rand_vec);
    out->draw_length = whole->draw_length;
    out->seed = whole->seed;
    out->episode = whole->episode;
    out->attempts = whole->attempts;
    return TOT_OK;
}

tot_status demo_recording_tracks(const tot_recording *recording, double **points, size_t *count) {
    static const int places[] = {0, 4, 11};  // hand, first and second object
    enum { PLACES = BASE_LENGTH(places) };
    size_t rows = 0;
    for (size_t k = 0; k < recording->count; k++) {
        rows += (size_t)recording->trajectories[k].steps + 1;
    }
    *count = 0;
    *points = base_alloc(rows * PLACES, 3 * sizeof(double), "tracks");
    BASE_HAVE(*points);
    for (size_t k = 0; k < recording->count; k++) {
        const tot_trajectory *one = &recording->trajectories[k];
        for (int64_t i = 0; i < (one->steps + 1) * PLACES; i++) {
            const double *from =
                one->observations + i / PLACES * TOT_OBSERVATION + places[i % PLACES];
            if (demo_is_present(from[0], from[1], from[2])) {
                memcpy(*points + 3 * *count, from, 3 * sizeof(double));
                ++*count;
            }
        }
    }
    return TOT_OK;
}

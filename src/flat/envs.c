// Flat API: environments: creation, binding to the caller's arrays, rendering, saving and
// restoring.
#include "flat/envs.h"

#include "base/base.h"
#include "demo/trajectory.h"

// --- settings ----------------------------------------------------------------------------------

static const base_setting settings_of_envs[] = {
    FLAT_INT(tot_flat_envs, "reward_version", task_settings.reward_version),
    FLAT_INT(tot_flat_envs, "action_repeat", world_settings.action_repeat),
    FLAT_INT(tot_flat_envs, "horizon", world_settings.horizon),
    FLAT_WORD(tot_flat_envs, "metaworld_box", task_settings.metaworld_box, TOT_SWITCH_WORDS),
    FLAT_WORD(tot_flat_envs, "reward", reward, "sparse|dense|none"),
    FLAT_WORD(tot_flat_envs, "goal", goal_hidden, "observable|hidden"),
    FLAT_WORD(tot_flat_envs, "autoreset", autoreset, "next_step|same_step|disabled"),
    FLAT_WORD(tot_flat_envs, "terminate_on_success", terminate_on_success, TOT_SWITCH_WORDS),
};

static tot_status take_setting(void *context, const char *name, const char *value) {
    static const char *const others[] = {
        "camera", "width", "height",      "renderer", "quality",     "arm",   "upright",
        "aspect", "zoom",  "around_hand", "crop",     "observation", "clock", NULL};
    static const flat_table table = {"environment", settings_of_envs, BASE_LENGTH(settings_of_envs),
                                     others};
    tot_flat_envs *envs = context;
    return strcmp(name, "observation") == 0 || strcmp(name, "clock") == 0
               ? tot_train_set(&envs->agent, name, value)
               : flat_set(&table, envs, &envs->picture, name, value);
}

// --- creation and destruction ------------------------------------------------------------------

static tot_status load_tasks(tot_flat_envs *envs, const char *name) {
    const tot_family *family = flat_family_find(name);
    const size_t count = family != NULL ? family->count : 1;
    BASE_ALLOC_ZERO(envs->tasks, count, "tasks");
    envs->task_count = count;
    // a separate pool: the threads for stepping are started by the process that steps
    tot_pool *pool = NULL;
    if (count > 1) {
        BASE_TRY(tot_pool_create(&pool, envs->threads.count));
    }
    BASE_FINALLY(tot_tasks_load(envs->tasks, family != NULL ? family->tasks : &name, count,
                                &envs->task_settings, pool),
                 tot_pool_free(pool));
}

static tot_status set_up(tot_flat_envs *envs, const char *task, int64_t count, const char *settings,
                         int threads) {
    tot_task_defaults(&envs->task_settings);
    tot_world_defaults(&envs->world_settings);
    tot_picture_defaults(&envs->picture.settings);
    tot_train_defaults(&envs->agent);
    BASE_TRY(flat_settings(settings, take_setting, envs));
    BASE_TRY(flat_threads_init(&envs->threads, threads));
    if (envs->threads.count > count) {
        envs->threads.count = (int)count;
    }
    BASE_TRY(load_tasks(envs, task));
    BASE_ALLOC_ZERO(envs->worlds, (size_t)count, "environments");
    BASE_ALLOC_ZERO(envs->env, (size_t)count, "environments");
    BASE_ALLOC_ZERO(envs->renderers, (size_t)envs->threads.count * envs->task_count,
                    "environments");
    for (; envs->count < count; envs->count++) {
        envs->env[envs->count] = (flat_env){.seed = envs->count, .episode = -1};
        const tot_task *own = envs->tasks[(size_t)envs->count % envs->task_count];
        BASE_TRY(tot_world_create(&envs->worlds[envs->count], own, &envs->world_settings));
    }
    return TOT_OK;
}

tot_status tot_flat_envs_create(tot_flat_envs **out, const char *task, int64_t count,
                                const char *settings, int threads) {
    enum { MOST = 65536 };
    BASE_NEED(out, task);
    *out = NULL;
    BASE_FAIL_IF(count < 1 || count > MOST, TOT_E_ARGUMENT, "environments: %lld is not in 1 .. %d",
                 (long long)count, MOST);
    BASE_NEW(tot_flat_envs, envs, "environments");
    BASE_GIVE(set_up(envs, task, count, settings, threads), out, envs, tot_flat_envs_free);
}

void tot_flat_envs_free(tot_flat_envs *envs) {
    BASE_UNLESS_NULL(envs);
    const size_t renderers = (size_t)envs->threads.count * envs->task_count;
    for (size_t k = 0; envs->renderers != NULL && k < renderers; k++) {
        tot_renderer_free(envs->renderers[k]);
    }
    flat_threads_free(&envs->threads);
    for (int64_t k = 0; k < envs->count; k++) {
        tot_world_free(envs->worlds[k]);
    }
    BASE_RELEASE(envs->worlds, envs->env, envs->renderers);
    for (size_t k = 0; k < envs->task_count; k++) {
        tot_task_free(envs->tasks[k]);
    }
    BASE_RELEASE(envs->tasks, envs);
}

// --- the caller's arrays -----------------------------------------------------------------------

BASE_GETTER(int64_t, tot_flat_envs_input_width, tot_flat_envs, envs, 0,
            train_input_of(&envs->agent, 1).width)

tot_status tot_flat_envs_bind(tot_flat_envs *envs, const char *name, void *buffer, size_t size) {
    BASE_NEED(envs, name);
    const size_t state = TOT_OBSERVATION * sizeof(double);
    const size_t input = (size_t)tot_flat_envs_input_width(envs) * sizeof(float);
    const size_t picture = flat_picture_bytes(&envs->picture);
    const struct row {
        const char *name;
        void *slot;
        size_t bytes;
    } table[] = {
        {"state", &envs->to.seen.state, state},
        {"input", &envs->to.seen.input, input},
        {"pixels", &envs->to.seen.pixels, picture},
        {"reward", &envs->to.reward, sizeof(double)},
        {"terminated", &envs->to.terminated, 1},
        {"truncated", &envs->to.truncated, 1},
        {"success", &envs->to.success, 1},
        {"diverged", &envs->to.diverged, 1},
        {"finished", &envs->to.finished, 1},
        {"final_state", &envs->to.final.state, state},
        {"final_input", &envs->to.final.input, input},
        {"final_pixels", &envs->to.final.pixels, picture},
        {"frames", &envs->to.frames, sizeof(int64_t)},
        {"info", &envs->to.info, TOT_WORLD_INFO * sizeof(double)},
    };
    const struct row *row = BASE_FIND_ROW("array of an environment", name, table);
    if (row == NULL) {
        return TOT_E_ARGUMENT;
    }
    BASE_FAIL_IF(buffer != NULL && size != row->bytes * (size_t)envs->count, TOT_E_SHAPE,
                 "%s: an array of %zu bytes, not %zu", name, size,
                 row->bytes * (size_t)envs->count);
    memcpy(row->slot, &buffer, sizeof buffer);
    return TOT_OK;
}

// --- one environment ---------------------------------------------------------------------------

static tot_status check_index(const tot_flat_envs *envs, int64_t index) {
    BASE_NEED(envs);
    BASE_FAIL_IF(index < 0 || index >= envs->count, TOT_E_ARGUMENT,
                 "environment: %lld is not in 0 .. %lld", (long long)index,
                 (long long)envs->count - 1);
    return TOT_OK;
}

static tot_status check_started(const tot_flat_envs *envs, int64_t index) {
    BASE_TRY(check_index(envs, index));
    BASE_FAIL_IF(!envs->env[index].started, TOT_E_ARGUMENT,
                 "environment: it was never reset; call reset() first");
    return TOT_OK;
}

tot_status flat_envs_draw(tot_flat_envs *envs, int64_t k, int worker, uint8_t *rgb) {
    const size_t task = (size_t)k % envs->task_count;
    tot_renderer **renderer = &envs->renderers[(size_t)worker * envs->task_count + task];
    if (*renderer == NULL) {
        BASE_TRY(tot_renderer_create(renderer, envs->tasks[task], &envs->picture.settings, NULL));
    }
    return tot_renderer_draw(*renderer, envs->worlds[k], rgb);
}

tot_status tot_flat_envs_picture(tot_flat_envs *envs, int64_t index, uint8_t *rgb) {
    BASE_TRY(check_started(envs, index));
    return flat_envs_draw(envs, index, 0, rgb);
}

tot_status tot_flat_envs_draw_of(const tot_flat_envs *envs, int64_t index, double *draw) {
    BASE_TRY(check_started(envs, index));
    const tot_world *world = envs->worlds[index];
    const size_t length = (size_t)tot_task_information(tot_world_task(world))->draw_length;
    memcpy(draw, tot_world_draw(world), length * sizeof *draw);
    return TOT_OK;
}

void tot_flat_envs_expert(const tot_flat_envs *envs, float *actions) {
    for (int64_t k = 0; envs != NULL && actions != NULL && k < envs->count; k++) {
        tot_world_expert(envs->worlds[k], actions + TOT_ACTION * k);
        demo_clip_action(actions + TOT_ACTION * k);
    }
}

// --- state: flat_env, then the world's ---------------------------------------------------------

// The largest state of all worlds; smaller states are zero-padded.
size_t tot_flat_envs_state_size(const tot_flat_envs *envs) {
    size_t most = 0;
    for (int64_t k = 0; envs != NULL && k < envs->count && (size_t)k < envs->task_count; k++) {
        const size_t size = tot_world_state_size(envs->worlds[k]);
        most = size > most ? size : most;
    }
    return most > 0 ? sizeof(flat_env) + most : 0;
}

tot_status tot_flat_envs_save(const tot_flat_envs *envs, int64_t index, void *state, size_t size) {
    BASE_TRY(check_started(envs, index));
    BASE_FAIL_IF(size != tot_flat_envs_state_size(envs), TOT_E_SHAPE,
                 "state: room for %zu bytes, not %zu", size, tot_flat_envs_state_size(envs));
    const tot_world *world = envs->worlds[index];
    memset(state, 0, size);
    memcpy(state, &envs->env[index], sizeof(flat_env));
    return tot_world_save(world, (char *)state + sizeof(flat_env), tot_world_state_size(world));
}

tot_status tot_flat_envs_restore(tot_flat_envs *envs, int64_t index, const void *state,
                                 size_t size) {
    BASE_TRY(check_index(envs, index));
    BASE_FAIL_IF(size != tot_flat_envs_state_size(envs), TOT_E_FORMAT,
                 "state: %zu bytes, and a state of this task has %zu", size,
                 tot_flat_envs_state_size(envs));
    flat_env saved;
    memcpy(&saved, state, sizeof saved);
    BASE_FAIL_IF(saved.started != 1 || saved.seed < 0 || saved.episode < -1 || saved.over < 0 ||
                     saved.over > 1,
                 TOT_E_FORMAT, "state: these bytes are not a saved state");
    tot_world *world = envs->worlds[index];
    BASE_TRY(tot_world_restore(world, (const char *)state + sizeof(flat_env),
                               tot_world_state_size(world)));
    envs->env[index] = saved;
    return TOT_OK;
}

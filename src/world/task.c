// A task: finding and loading its scene, and its draws.
#include <limits.h>
#include <unistd.h>

#include "base/base.h"
#include "world/scene.h"
#include "world/settle.h"
#include "world/tasks.h"

// --- dependencies ------------------------------------------------------------------------------

tot_status tot_mujoco_check(const char **path, const char **version) {
    BASE_TRY(world_mujoco_load());
    if (path != NULL) {
        *path = world_mujoco_path();
    }
    if (version != NULL) {
        *version = world_mujoco.mj_versionString();
    }
    return TOT_OK;
}

// Whether below/assets, or below itself, contains the scenes; if so, sets folder.
static bool have_scenes(const char *below, char *folder, size_t size) {
    static const char *const inside[] = {"/assets", "", "/metaworld/assets"};
    for (size_t k = 0; k < sizeof inside / sizeof inside[0]; k++) {
        char probe[PATH_MAX];
        snprintf(probe, sizeof probe, "%s%s/sawyer_xyz", below, inside[k]);
        if (access(probe, F_OK) == 0) {
            return snprintf(folder, size, "%s%s", below, inside[k]) < (int)size;
        }
    }
    return false;
}

tot_status tot_scenes_check(const char **folder) {
    static _Thread_local char found[PATH_MAX];
    const char *asked = getenv("METAWORLD_DIR");
    if (asked != NULL && asked[0] != '\0') {
        BASE_FAIL_IF(!have_scenes(asked, found, sizeof found), TOT_E_MISSING,
                     "METAWORLD_DIR: %s has no assets/sawyer_xyz, the folder of Meta-world's "
                     "scenes; unset it and run: scripts/deps",
                     asked);
    } else {
        char share[PATH_MAX], site[PATH_MAX], beside[PATH_MAX];
        // an installed copy, Python packages around a wheel, a checkout
        const char *const places[] = {
            world_place_near(share, sizeof share, "../share/temporalot/metaworld"),
            world_place_near(site, sizeof site, "../../../metaworld"),
            TEMPORALOT_THIRD_PARTY "/metaworld",
            world_place_near(beside, sizeof beside, "../third_party/metaworld"),
        };
        enum { COUNT = BASE_LENGTH(places) };
        size_t k = 0;
        while (k < COUNT && !have_scenes(places[k], found, sizeof found)) {
            k++;
        }
        BASE_FAIL_IF(k == COUNT, TOT_E_MISSING,
                     "Meta-world's scenes: no assets/sawyer_xyz in %s or %s; "
                     "run: scripts/deps, or set METAWORLD_DIR",
                     places[0], places[2]);
    }
    if (folder != NULL) {
        *folder = found;
    }
    return TOT_OK;
}

// --- loading -----------------------------------------------------------------------------------

static tot_status find_part(const tot_task *task, const char *path, mjtObj kind, const char *name,
                            int *number) {
    *number = world_mujoco.mj_name2id(task->model, kind, name);
    if (*number < 0) {
        const char *what = kind == mjOBJ_BODY   ? "body"
                           : kind == mjOBJ_GEOM ? "geom"
                           : kind == mjOBJ_SITE ? "site"
                                                : "joint";
        return base_fail(TOT_E_FORMAT, "%s: the scene has no %s named %s", path, what, name);
    }
    return TOT_OK;
}

static tot_status find_parts(tot_task *task, const char *path) {
    BASE_TRY(find_part(task, path, mjOBJ_BODY, "hand", &task->hand));
    BASE_TRY(find_part(task, path, mjOBJ_BODY, "rightclaw", &task->right_claw));
    BASE_TRY(find_part(task, path, mjOBJ_BODY, "leftclaw", &task->left_claw));
    BASE_TRY(find_part(task, path, mjOBJ_GEOM, "rightpad_geom", &task->right_pad));
    BASE_TRY(find_part(task, path, mjOBJ_GEOM, "leftpad_geom", &task->left_pad));
    BASE_TRY(find_part(task, path, mjOBJ_BODY, "rightpad", &task->right_pad_body));
    BASE_TRY(find_part(task, path, mjOBJ_BODY, "leftpad", &task->left_pad_body));
    BASE_TRY(find_part(task, path, mjOBJ_SITE, "rightEndEffector", &task->right_finger));
    BASE_TRY(find_part(task, path, mjOBJ_SITE, "leftEndEffector", &task->left_finger));
    const world_part *parts = task->definition->parts;
    for (int k = 0; k < WORLD_MAX_NAMES && parts[k].name != NULL; k++) {
        BASE_TRY(find_part(task, path, parts[k].kind, parts[k].name, &task->part[k]));
    }
    return TOT_OK;
}

static tot_status check_model(const tot_task *task, const char *path) {
    const mjModel *model = task->model;
    BASE_FAIL_IF(model->nq != task->definition->positions || model->nmocap != 1 || model->nu != 2 ||
                     model->na != 0,
                 TOT_E_FORMAT,
                 "%s: not the scene of Meta-world 3.1.1: it has %d positions, %d mocap "
                 "bodies, %d actuators, and %d, 1, 2 were expected",
                 path, (int)model->nq, (int)model->nmocap, (int)model->nu,
                 task->definition->positions);
    return TOT_OK;
}

// Whether only the weld depends on the mocap, and mj_step is equivalent to step_again in sawyer.c.
static bool may_reuse(const mjModel *model) {
    for (int k = 0; k < model->ngeom; k++) {
        if (model->body_mocapid[model->geom_bodyid[k]] >= 0 &&
            (model->geom_contype[k] != 0 || model->geom_conaffinity[k] != 0)) {
            return false;
        }
    }
    return model->opt.integrator == mjINT_EULER && model->opt.enableflags == 0 &&
           model->nsensor == 0 && model->ntendon == 0 && model->nflex == 0 && model->nplugin == 0 &&
           model->npair == 0;
}

static tot_status prepare(tot_task *task, const char *path) {
    BASE_TRY(world_scene_open(&task->scene, &task->model, path));
    BASE_TRY(check_model(task, path));
    BASE_TRY(find_parts(task, path));
    task->reuse = may_reuse(task->model);
    return world_settling_make(&task->settling, task, path);
}

tot_task_info world_task_info(const world_task_definition *definition, bool metaworld_box) {
    tot_task_info info = definition->info;
    if (metaworld_box && definition->metaworld_low != NULL) {
        memcpy(info.draw_low, definition->metaworld_low, sizeof info.draw_low);
        memcpy(info.draw_high, definition->metaworld_high, sizeof info.draw_high);
    }
    return info;
}

void tot_task_defaults(tot_task_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_task_settings){.reward_version = 2};
}

tot_status tot_task_load(tot_task **out, const char *name, const tot_task_settings *settings) {
    BASE_NEED(out, name);
    *out = NULL;
    const world_task_definition *definition = world_task_definition_find(name);
    if (definition == NULL) {
        return TOT_E_ARGUMENT;
    }
    tot_task_settings chosen = settings != NULL ? *settings : (tot_task_settings){0};
    if (chosen.reward_version == 0) {
        chosen.reward_version = 2;
    }
    BASE_FAIL_IF(chosen.reward_version != 1 && chosen.reward_version != 2, TOT_E_ARGUMENT,
                 "reward_version: %d is not 0, 1 or 2", chosen.reward_version);
    BASE_TRY(world_mujoco_load());
    const char *folder = NULL;
    BASE_TRY(tot_scenes_check(&folder));
    char path[PATH_MAX];
    BASE_FAIL_IF(
        snprintf(path, sizeof path, "%s/%s", folder, definition->info.scene) >= (int)sizeof path,
        TOT_E_FILE, "%s: the path is too long", folder);
    BASE_NEW(tot_task, task, "task");
    task->definition = definition;
    task->settings = chosen;
    task->info = world_task_info(definition, task->settings.metaworld_box);
    BASE_GIVE(prepare(task, path), out, task, tot_task_free);
}

typedef struct batch {
    tot_task **tasks;
    const char *const *names;
    const tot_task_settings *settings;
} batch;

static tot_status load_one(void *context, size_t index, int worker) {
    (void)worker;
    const batch *all = context;
    return tot_task_load(&all->tasks[index], all->names[index], all->settings);
}

tot_status tot_tasks_load(tot_task **tasks, const char *const *names, size_t count,
                          const tot_task_settings *settings, tot_pool *pool) {
    BASE_NEED(tasks, names);
    batch all = {.tasks = tasks, .names = names, .settings = settings};
    for (size_t k = 0; k < count; k++) {
        tasks[k] = NULL;
    }
    const tot_status status = tot_pool_run(pool, count, load_one, &all);
    for (size_t k = 0; status != TOT_OK && k < count; k++) {
        tot_task_free(tasks[k]);
        tasks[k] = NULL;
    }
    return status;
}

void tot_task_free(tot_task *task) {
    BASE_UNLESS_NULL(task);
    world_settling_free(task->settling);
    world_scene_close(task->scene);
    base_free(task);
}

BASE_GETTER(const tot_task_info *, tot_task_information, tot_task, task, NULL, &task->info)

void tot_task_expert(const tot_task *task, const double *observation, float *action) {
    BASE_NEED_OR(, task, observation, action);
    task->definition->expert(observation, action);
}

// --- draws -------------------------------------------------------------------------------------

static double distance_to_goal(const world_task_definition *definition, const double *draw) {
    const double *fixed = definition->fixed_goal;
    return world_distance2(draw, fixed != NULL ? fixed : draw + 3);
}

bool world_too_near(const world_task_definition *definition, const tot_task_info *info,
                    const double *draw) {
    const double least = info->draw_distance;
    return least > 0 && distance_to_goal(definition, draw) < least;
}

void tot_task_draw(const tot_task *task, uint64_t seed, uint64_t episode, double *rand_vec) {
    BASE_NEED_OR(, task, rand_vec);
    tot_random random;
    world_task_draw_from(task, seed, episode, rand_vec, &random);
}

void world_task_draw_from(const tot_task *task, uint64_t seed, uint64_t episode, double *rand_vec,
                          tot_random *random) {
    const tot_task_info *info = &task->info;
    tot_random_init_numbered(random, seed, "environment", episode);
    do {
        for (int k = 0; k < info->draw_length; k++) {
            const double width = info->draw_high[k] - info->draw_low[k];
            const double value = info->draw_low[k] + width * tot_random_uniform(random);
            rand_vec[k] = fmin(value, info->draw_high[k]);
        }
    } while (world_too_near(task->definition, info, rand_vec));
}

tot_status tot_task_check_draw(const tot_task *task, const double *rand_vec, size_t length) {
    BASE_NEED(task, rand_vec);
    const tot_task_info *info = &task->info;
    BASE_FAIL_IF(length != (size_t)info->draw_length, TOT_E_SHAPE,
                 "rand_vec: %s takes %d numbers, not %zu", info->name, info->draw_length, length);
    for (int k = 0; k < info->draw_length; k++) {
        BASE_FAIL_IF(!isfinite(rand_vec[k]), TOT_E_VALUE, "rand_vec[%d]: %g is not a number", k,
                     rand_vec[k]);
        BASE_FAIL_IF(rand_vec[k] < info->draw_low[k] || rand_vec[k] > info->draw_high[k],
                     TOT_E_ARGUMENT, "rand_vec[%d]: %.17g is not in %s's box, %.17g .. %.17g", k,
                     rand_vec[k], info->name, info->draw_low[k], info->draw_high[k]);
    }
    BASE_FAIL_IF(world_too_near(task->definition, info, rand_vec), TOT_E_ARGUMENT,
                 "rand_vec: object and goal are %g apart in x and y, but %s needs at least %g",
                 distance_to_goal(task->definition, rand_vec), info->name, info->draw_distance);
    return TOT_OK;
}

#include "world/scene.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/pages.h"

struct world_scene {
    mjModel *model;
    int users;
    world_mappings mappings;
    world_scene *next;  // in the list of those that are loaded
    char path[];
};

// of the list, and of MuJoCo's parser, which has state of its own
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static world_scene *loaded;

typedef struct loading {
    world_scene *scene;
    char error[512];
} loading;

static bool load_model(void *context) {
    loading *job = context;
    world_scene *scene = job->scene;
    scene->model = world_mujoco.mj_loadXML(scene->path, NULL, job->error, (int)sizeof job->error);
    // the parsed text is kept for saving it again, which is not done here
    world_mujoco.mj_freeLastXML();
    return scene->model != NULL;
}

// The hand hangs on the mocap by a weld, whose data Meta-world overwrites.
static void set_welds(mjModel *model) {
    static const double weld[mjNEQDATA] = {[6] = -1.0, [10] = 5.0};
    for (int k = 0; k < model->neq; k++) {
        if (model->eq_type[k] == mjEQ_WELD) {
            memcpy(model->eq_data + mjNEQDATA * k, weld, sizeof weld);
        }
    }
}

static tot_status load(world_scene *scene) {
    loading job = {.scene = scene};
    BASE_TRY(world_mujoco_guard(load_model, &job));
    if (scene->model == NULL) {
        for (char *letter = job.error; *letter != '\0'; letter++) {
            if (*letter == '\n') {
                *letter = ' ';
            }
        }
        return base_fail(TOT_E_FORMAT, "%s: MuJoCo cannot read the scene: %s", scene->path,
                         job.error);
    }
    set_welds(scene->model);
    world_pages_share(scene->model, &scene->mappings);
    return TOT_OK;
}

static tot_status load_new(world_scene **out, const char *path) {
    const size_t length = strlen(path) + 1;
    world_scene *scene = base_alloc_zero(1, sizeof *scene + length, "scene");
    if (scene == NULL) {
        return TOT_E_MEMORY;
    }
    memcpy(scene->path, path, length);
    scene->users = 1;
    const tot_status status = load(scene);
    if (status != TOT_OK) {
        base_free(scene);
        return status;
    }
    scene->next = loaded;
    loaded = scene;
    *out = scene;
    return TOT_OK;
}

static tot_status open_locked(world_scene **out, const char *path) {
    for (world_scene *scene = loaded; scene != NULL; scene = scene->next) {
        if (strcmp(scene->path, path) == 0) {
            scene->users++;
            *out = scene;
            return TOT_OK;
        }
    }
    return load_new(out, path);
}

tot_status world_scene_open(world_scene **scene, const char *path) {
    if (access(path, R_OK) != 0) {
        return base_fail(TOT_E_MISSING, "%s: the scene is not there; run: scripts/deps", path);
    }
    pthread_mutex_lock(&lock);
    const tot_status status = open_locked(scene, path);
    pthread_mutex_unlock(&lock);
    return status;
}

mjModel *world_scene_model(const world_scene *scene) {
    return scene->model;
}

static void unlink_scene(const world_scene *scene) {
    world_scene **place = &loaded;
    while (*place != scene) {
        place = &(*place)->next;
    }
    *place = scene->next;
}

void world_scene_close(world_scene *scene) {
    if (scene == NULL) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (--scene->users == 0) {
        unlink_scene(scene);
        world_mujoco.mj_deleteModel(scene->model);
        world_pages_release(&scene->mappings);
        base_free(scene);
    }
    pthread_mutex_unlock(&lock);
}

#include "world/scene.h"

#include <pthread.h>
#include <unistd.h>

#include "base/base.h"
#include "world/pages.h"

typedef enum progress { LOADING, LOADED, FAILED } progress;

struct world_scene {
    mjModel *model;
    int users;  // including those waiting for it
    progress state;
    world_mappings mappings;
    world_scene *next;  // in the list
    char path[];
};

// protects the list, the users and states of the scenes, and the shared pages
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static world_scene *scenes;  // scenes that are loaded or being loaded

typedef struct loading {
    world_scene *scene;
    char error[512];
} loading;

static bool load_model(void *context) {
    loading *job = context;
    world_scene *scene = job->scene;
    scene->model = world_mujoco.mj_loadXML(scene->path, NULL, job->error, (int)sizeof job->error);
    // the parsed XML is only kept for saving, which is not needed
    world_mujoco.mj_freeLastXML();
    return scene->model != NULL;
}

// The hand is welded to the mocap; Meta-world overwrites the weld's data.
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
    // tracking of visited bounding volumes is only for visualisation, and costs a memset at every
    // step
    scene->model->vis.global.bvactive = 0;
    return TOT_OK;
}

static world_scene *find_scene(const char *path) {
    world_scene *scene = scenes;
    while (scene != NULL && strcmp(scene->path, path) != 0) {
        scene = scene->next;
    }
    return scene;
}

static tot_status add_scene(world_scene **out, const char *path) {
    const size_t length = strlen(path) + 1;
    world_scene *scene = base_alloc_zero(1, sizeof *scene + length, "scene");
    BASE_HAVE(scene);
    memcpy(scene->path, path, length);
    scene->users = 1;
    scene->next = scenes;
    scenes = scene;
    *out = scene;
    return TOT_OK;
}

static void unlink_scene(const world_scene *scene) {
    world_scene **place = &scenes;
    while (*place != scene) {
        place = &(*place)->next;
    }
    *place = scene->next;
}

// Removes a user. A failed scene is no longer in the list.
static void leave(world_scene *scene) {
    if (--scene->users > 0) {
        return;
    }
    if (scene->state == LOADED) {
        unlink_scene(scene);
        world_mujoco.mj_deleteModel(scene->model);
        world_pages_release(&scene->mappings);
    }
    base_free(scene);
}

// Loads a scene that has been added to the list; others can be loaded meanwhile.
static tot_status load_added(world_scene *scene) {
    pthread_mutex_unlock(&lock);
    const tot_status status = load(scene);
    pthread_mutex_lock(&lock);
    if (status == TOT_OK) {
        world_pages_share(scene->model, &scene->mappings);
        scene->state = LOADED;
    } else {
        unlink_scene(scene);
        scene->state = FAILED;
    }
    pthread_cond_broadcast(&changed);
    if (status != TOT_OK) {
        leave(scene);
    }
    return status;
}

static tot_status open_locked(world_scene **out, const char *path) {
    for (world_scene *scene = find_scene(path); scene != NULL; scene = find_scene(path)) {
        scene->users++;
        while (scene->state == LOADING) {
            pthread_cond_wait(&changed, &lock);
        }
        if (scene->state == LOADED) {
            *out = scene;
            return TOT_OK;
        }
        // it failed in another thread: try again, for the error message
        leave(scene);
    }
    BASE_TRY(add_scene(out, path));
    return load_added(*out);
}

tot_status world_scene_open(world_scene **scene, mjModel **model, const char *path) {
    BASE_FAIL_IF(access(path, R_OK) != 0, TOT_E_MISSING,
                 "%s: the scene is not there; run: scripts/deps", path);
    world_scene *found = NULL;
    pthread_mutex_lock(&lock);
    const tot_status status = open_locked(&found, path);
    pthread_mutex_unlock(&lock);
    *scene = status == TOT_OK ? found : NULL;
    *model = status == TOT_OK ? found->model : NULL;
    return status;
}

void world_scene_close(world_scene *scene) {
    BASE_UNLESS_NULL(scene);
    pthread_mutex_lock(&lock);
    leave(scene);
    pthread_mutex_unlock(&lock);
}

// The C side of soft_parity.py: runs worlds of a task, and writes every state and the software
// renderer's pictures of it to standard output.
//   soft_tool TASK random COUNT    COUNT episodes, each some random steps after its reset
//   soft_tool TASK expert COUNT    COUNT consecutive states of an expert episode
// First a header: 7 int32 (nq, nbody, nsite, nmocap, camera, turned, pictures per state) and the
// scene's file name in 256 bytes. Then for every state qpos, mocap_pos, mocap_quat, body_pos and
// site_pos as doubles, and its pictures: full and fast at 224, full and fast at 84, RGB bytes, not
// rotated.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture/renderer.h"
#include "world/sawyer.h"

enum { PICTURES = 4 };

static const struct {
    tot_quality quality;
    int size;
} kinds[PICTURES] = {
    {TOT_QUALITY_FULL, 224},
    {TOT_QUALITY_FAST, 224},
    {TOT_QUALITY_FULL, 84},
    {TOT_QUALITY_FAST, 84},
};

static void check(tot_status status) {
    if (status != TOT_OK) {
        fprintf(stderr, "soft_tool: %s\n", tot_error());
        exit(1);
    }
}

static void give(const void *bytes, size_t size) {
    if (fwrite(bytes, 1, size, stdout) != size) {
        exit(1);
    }
}

static void give_doubles(const double *numbers, int count) {
    give(numbers, (size_t)count * sizeof(double));
}

static void give_state(const tot_world *world, void *const *renderers) {
    static uint8_t rgb[224 * 224 * 3];
    const mjModel *model = &world->model;
    give_doubles(world->data->qpos, (int)model->nq);
    give_doubles(world->data->mocap_pos, 3 * (int)model->nmocap);
    give_doubles(world->data->mocap_quat, 4 * (int)model->nmocap);
    give_doubles(model->body_pos, 3 * (int)model->nbody);
    give_doubles(model->site_pos, 3 * (int)model->nsite);
    for (int k = 0; k < PICTURES; k++) {
        check(picture_backend_soft.draw(renderers[k], model, world->data, rgb));
        give(rgb, (size_t)(kinds[k].size * kinds[k].size * 3));
    }
}

int main(int count, char **words) {
    tot_task *task = NULL;
    tot_world *world = NULL;
    void *renderers[PICTURES] = {NULL};
    if (count != 4) {
        return 2;
    }
    const bool expert = strcmp(words[2], "expert") == 0;
    check(tot_task_load(&task, words[1], NULL));
    check(tot_world_create(&world, task, NULL));
    int camera = 0;
    check(picture_camera_find(task->model, tot_task_information(task)->camera, &camera));
    for (int k = 0; k < PICTURES; k++) {
        const picture_view view = {
            .quality = kinds[k].quality,
            .width = kinds[k].size,
            .height = kinds[k].size,
            .camera = camera,
            .aspect = 4.0 / 3.0,
            .zoom = 1,
            .crop = {0, 0, 1, 1},
        };
        check(picture_backend_soft.create(&renderers[k], task->model, &view, NULL));
    }
    const mjModel *model = &world->model;
    const int32_t header[7] = {(int32_t)model->nq,
                               (int32_t)model->nbody,
                               (int32_t)model->nsite,
                               (int32_t)model->nmocap,
                               camera,
                               picture_camera_upside_down(model, camera),
                               PICTURES};
    give(header, sizeof header);
    char scene[256] = {0};
    snprintf(scene, sizeof scene, "%s", tot_task_information(task)->scene);
    give(scene, sizeof scene);
    const int states = atoi(words[3]);
    tot_random random;
    tot_random_init(&random, 5, "soft_tool");
    for (int k = 0; k < states; k++) {
        if (k == 0 || !expert) {
            check(tot_world_reset(world, 0, (uint64_t)k));
        }
        const int steps = expert ? 1 : 5 + 20 * (k % 5);
        for (int step = 0; step < steps; step++) {
            float action[TOT_ACTION];
            tot_world_expert(world, action);
            for (int j = 0; j < TOT_ACTION && !expert; j++) {
                action[j] = 0.5F * action[j] + (float)tot_random_normal(&random);
            }
            check(tot_world_step(world, action));
        }
        give_state(world, renderers);
    }
    for (int k = 0; k < PICTURES; k++) {
        picture_backend_soft.free(renderers[k]);
    }
    tot_world_free(world);
    tot_task_free(task);
    return 0;
}

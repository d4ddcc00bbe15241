#include "world/bare.h"

#include "world/sawyer.h"

void tot_world_bare_frame(tot_world *world, const float *action) {
    const tot_task_definition *definition = world->task->definition;
    mjData *data = world->data;
    for (int k = 0; k < 3; k++) {
        const double to = data->mocap_pos[k] + (double)(action[k] * 0.01f);
        data->mocap_pos[k] = tot_clip(to, definition->hand_low[k], definition->hand_high[k]);
    }
    data->ctrl[0] = (double)action[3];
    data->ctrl[1] = -(double)action[3];
    for (int k = 0; k < TOT_FRAME_SKIP; k++) {
        tot_mujoco.mj_step(&world->model, data);
    }
    tot_mujoco.mj_forward(&world->model, data);
}

void tot_world_bare_reset(tot_world *world) {
    tot_sawyer_settle(world->task, &world->model, world->data);
}

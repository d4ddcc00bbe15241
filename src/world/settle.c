#include "world/settling.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { RECORDED = mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_WARMSTART };

// --- simulation --------------------------------------------------------------------------------

static void begin(const tot_task *task, const mjModel *model, mjData *data) {
    world_mujoco.mj_resetData(model, data);
    world_copy3(data->mocap_pos, task->definition->hand_start);
    world_copy4(data->mocap_quat, world_hand_turn);
    data->ctrl[0] = -1;
    data->ctrl[1] = 1;
}

void world_settle_fully(const tot_task *task, mjModel *model, mjData *data) {
    begin(task, model, data);
    for (int k = 0; k < WORLD_SETTLE_STEPS; k++) {
        world_mujoco.mj_step(model, data);
    }
}

// --- recording ---------------------------------------------------------------------------------

// Bounding box of a geom in its current state; for a plane, everything below it.
static world_settle_box bound_geom(const mjModel *model, const mjData *data, int geom) {
    const double *rotation = data->geom_xmat + 9 * geom;
    const double *centre = data->geom_xpos + 3 * geom;
    const double *own = model->geom_aabb + 6 * geom;  // centre, half sizes
    const double clearance = model->geom_margin[geom] + WORLD_SETTLE_APART;
    const bool plane = model->geom_type[geom] == mjGEOM_PLANE;
    world_settle_box bounds;
    for (int k = 0; k < 3; k++) {
        const double *row = rotation + 3 * k;
        const double middle = centre[k] + row[0] * own[0] + row[1] * own[1] + row[2] * own[2];
        const double half = fabs(row[0]) * own[3] + fabs(row[1]) * own[4] + fabs(row[2]) * own[5];
        bounds.low[k] = plane ? -HUGE_VAL : middle - half - clearance;
        bounds.high[k] = plane ? HUGE_VAL : middle + half + clearance;
    }
    if (plane && rotation[2] == 0 && rotation[5] == 0 && rotation[8] > 0) {
        bounds.high[2] = centre[2] + clearance;
    }
    return bounds;
}

static void grow(world_settle_box *around, const world_settle_box *more) {
    for (int k = 0; k < 3; k++) {
        around->low[k] = fmin(around->low[k], more->low[k]);
        around->high[k] = fmax(around->high[k], more->high[k]);
    }
}

// Whether the position of a body only matters through contacts and hinges: no fluid, no gravity
// compensation, no equality constraint except the weld of the hand, and the conditions for
// step_again in sawyer.c.
static bool is_local(const tot_task *task) {
    const mjModel *model = task->model;
    return task->reuse && model->opt.density == 0 && model->opt.viscosity == 0 &&
           model->ngravcomp == 0 && model->neq == 1 && model->eq_type[0] == mjEQ_WELD;
}

typedef struct recording {
    world_settling *settling;
    const tot_task *task;
    mjModel model;  // the scene's with larger margins, to detect contacts early
    mjData *data;
} recording;

// Marks loose geoms, after the collision pass of the first step.
static void mark_loose(world_settling *settling, const mjModel *model, const mjData *data) {
    settling->compact = true;
    for (int k = 0; k < model->njnt; k++) {
        const int body = model->jnt_bodyid[k];
        const int root = model->body_rootid[body];
        const bool free = model->jnt_type[k] == mjJNT_FREE;
        settling->compact &= model->jnt_type[k] != mjJNT_BALL;
        for (int i = 0; free && i < settling->geoms; i++) {
            if (model->body_rootid[model->geom_bodyid[i]] == root) {
                const double away = world_distance3(data->geom_xpos + 3 * i, data->xpos + 3 * body);
                const double end = away + model->geom_rbound[i] + model->geom_margin[i];
                settling->loose[i] = true;
                settling->compact &= end < WORLD_SETTLE_COMPACT;
                settling->reach = fmax(settling->reach, end);
            }
        }
        for (int i = 0; free && i < model->njnt; i++) {
            settling->compact &= i == k || model->body_rootid[model->jnt_bodyid[i]] != root;
        }
    }
}

// Records boxes and near contacts before a step, from the positions alone.
static void look(recording *job, int step) {
    const mjModel *model = &job->model;
    mjData *data = job->data;
    world_settling *settling = job->settling;
    const int segment = step / WORLD_SETTLE_SEGMENT;
    world_settle_box *boxes = settling->boxes + (ptrdiff_t)segment * settling->geoms;
    world_mujoco.mj_kinematics(model, data);
    world_mujoco.mj_collision(model, data);
    for (int k = 0; k < settling->geoms; k++) {
        const world_settle_box now = bound_geom(model, data, k);
        if (step % WORLD_SETTLE_SEGMENT == 0) {
            boxes[k] = now;
        } else {
            grow(&boxes[k], &now);
        }
    }
    if (step == 0) {
        memcpy(settling->starts, boxes, (size_t)settling->geoms * sizeof *boxes);
        mark_loose(settling, model, data);
    }
    for (int k = 0; k < data->ncon; k++) {
        for (int i = 0; i < 2; i++) {
            int *first = &settling->touched[data->contact[k].geom[i]];
            *first = *first < segment ? *first : segment;
        }
    }
}

static bool record(void *context) {
    recording *job = context;
    const mjModel *scene = job->task->model;
    world_settling *settling = job->settling;
    job->data = world_mujoco.mj_makeData(scene);
    if (job->data == NULL) {
        return false;
    }
    begin(job->task, scene, job->data);
    for (int k = 0; k < WORLD_SETTLE_STEPS; k++) {
        double *state = settling->states + (ptrdiff_t)k * settling->state_size;
        world_mujoco.mj_getState(scene, job->data, state, RECORDED);
        for (int i = 0; i < scene->nv; i++) {
            settling->rests[i] &= job->data->qvel[i] == 0;
        }
        look(job, k);
        world_mujoco.mj_setState(scene, job->data, state, RECORDED);
        world_mujoco.mj_step(scene, job->data);
    }
    return true;
}

// Increases margin and gap by the same amount: contacts are detected early, but without force.
static tot_status widen_margins(recording *job) {
    const mjModel *scene = job->task->model;
    const size_t geoms = (size_t)scene->ngeom;
    double *wide = base_alloc(2 * geoms + 1, sizeof *wide, "task");
    BASE_HAVE(wide);
    job->model = *scene;
    job->model.geom_margin = wide;
    job->model.geom_gap = wide + geoms;
    for (size_t k = 0; k < geoms; k++) {
        job->model.geom_margin[k] = scene->geom_margin[k] + WORLD_SETTLE_APART;
        job->model.geom_gap[k] = scene->geom_gap[k] + WORLD_SETTLE_APART;
    }
    return TOT_OK;
}

static tot_status allocate(world_settling *settling, const mjModel *model) {
    const size_t geoms = (size_t)model->ngeom;
    settling->geoms = (int)model->ngeom;
    settling->state_size = world_mujoco.mj_stateSize(model, RECORDED);
    settling->states = base_alloc((size_t)WORLD_SETTLE_STEPS * (size_t)settling->state_size,
                                  sizeof *settling->states, "task");
    settling->boxes = base_alloc(WORLD_SETTLE_SEGMENTS * geoms, sizeof *settling->boxes, "task");
    settling->starts = base_alloc(geoms, sizeof *settling->starts, "task");
    settling->loose = base_alloc_zero(geoms, sizeof *settling->loose, "task");
    settling->touched = base_alloc(geoms, sizeof *settling->touched, "task");
    settling->rests = base_alloc((size_t)model->nv, sizeof *settling->rests, "task");
    BASE_HAVE(settling->states, settling->boxes, settling->starts, settling->loose,
              settling->touched, settling->rests);
    for (size_t k = 0; k < geoms; k++) {
        settling->touched[k] = WORLD_SETTLE_SEGMENTS;
    }
    memset(settling->rests, true, (size_t)model->nv * sizeof *settling->rests);
    return TOT_OK;
}

static tot_status fill(recording *job, const char *path) {
    BASE_TRY(allocate(job->settling, job->task->model));
    job->settling->local = is_local(job->task);
    BASE_TRY(widen_margins(job));
    BASE_TRY(world_mujoco_guard(record, job));
    BASE_FAIL_IF(job->data == NULL, TOT_E_MEMORY, "%s: no memory for the scene's data", path);
    BASE_FAIL_IF(world_sawyer_diverged(job->data), TOT_E_PHYSICS, "%s: the hand does not settle",
                 path);
    return TOT_OK;
}

tot_status world_settling_make(world_settling **settling, const tot_task *task, const char *path) {
    *settling = NULL;
    BASE_NEW(world_settling, made, "task");
    recording job = {.task = task, .settling = made};
    const tot_status status = fill(&job, path);
    if (job.data != NULL) {
        world_mujoco.mj_deleteData(job.data);
    }
    base_free(job.model.geom_margin);
    BASE_GIVE(status, settling, made, world_settling_free);
}

void world_settling_free(world_settling *settling) {
    BASE_UNLESS_NULL(settling);
    BASE_RELEASE(settling->states, settling->boxes, settling->starts, settling->loose,
                 settling->touched, settling->rests, settling);
}

// --- how much of the recording a reset can use ---------------------------------------------------

// Finds the moved body. False if it is not a single body attached to the world.
static bool find_moved(const tot_world *world, world_settle_moved *out) {
    const mjModel *model = &world->model;
    const double *before = world->task->model->body_pos;
    *out = (world_settle_moved){.root = WORLD_SETTLE_NONE};
    for (int k = 1; k < model->nbody; k++) {
        const double *now = model->body_pos + 3 * k;
        const double *then = before + 3 * k;
        if (now[0] == then[0] && now[1] == then[1] && now[2] == then[2]) {
            continue;
        }
        if (out->root != WORLD_SETTLE_NONE || model->body_parentid[k] != 0) {
            return false;
        }
        out->root = k;
        for (int i = 0; i < 3; i++) {
            out->by[i] = now[i] - then[i];
        }
    }
    for (int k = 0; out->root != WORLD_SETTLE_NONE && k < model->njnt; k++) {
        out->hinged |= model->body_rootid[model->jnt_bodyid[k]] == out->root &&
                       model->jnt_type[k] != mjJNT_SLIDE;
    }
    return true;
}

// The first segment, up to `end`, in which a moved geom may touch one that was not moved.
static int first_touch(const tot_world *world, const world_settle_moved *part, int geom, int end) {
    const mjModel *model = &world->model;
    const world_settling *settling = world->task->settling;
    for (int k = 0; k < settling->geoms; k++) {
        if (world_settle_moves(part, model, k) || !world_settle_may_touch(model, geom, k)) {
            continue;
        }
        for (int segment = 0; segment < end; segment++) {
            const world_settle_box *boxes = settling->boxes + (ptrdiff_t)segment * settling->geoms;
            if (world_settle_overlap(&boxes[geom], part->by, &boxes[k])) {
                end = segment;
            }
        }
    }
    return end;
}

static bool rests(const tot_world *world, const world_settle_moved *part) {
    const mjModel *model = &world->model;
    for (int k = 0; k < model->nv; k++) {
        if (model->body_rootid[model->dof_bodyid[k]] == part->root &&
            !world->task->settling->rests[k]) {
            return false;
        }
    }
    return true;
}

// Number of recorded steps that are valid for this draw.
static int shared_steps(const tot_world *world, const world_settle_moved *part) {
    const mjModel *model = &world->model;
    const world_settling *settling = world->task->settling;
    int end = WORLD_SETTLE_SEGMENTS;
    if (part->root == WORLD_SETTLE_NONE) {
        return WORLD_SETTLE_STEPS;
    }
    if (part->hinged && !rests(world, part)) {
        return 0;
    }
    for (int k = 0; k < settling->geoms; k++) {
        if (world_settle_moves(part, model, k) && world_settle_collides(model, k)) {
            end = settling->touched[k] < end ? settling->touched[k] : end;
            end = first_touch(world, part, k, end);
        }
    }
    return end * WORLD_SETTLE_SEGMENT;
}

// Whether no force acts on a part at rest. It has been in the same state in all earlier steps, so
// no force ever did.
static bool still_rests(const tot_world *world, const world_settle_moved *part) {
    const mjModel *model = &world->model;
    const mjData *data = world->data;
    for (int k = 0; k < model->nv; k++) {
        if (model->body_rootid[model->dof_bodyid[k]] == part->root &&
            (data->qfrc_smooth[k] != 0 || data->qfrc_constraint[k] != 0 || data->qvel[k] != 0)) {
            return false;
        }
    }
    return true;
}

// Whether the result is bit-identical to the full simulation; from: see world_settle.
static bool settle_from(tot_world *world, const world_settle_moved *part, int *from) {
    const world_settling *settling = world->task->settling;
    const int shared = shared_steps(world, part);
    // the last step is always simulated, to update derived quantities
    *from = shared < WORLD_SETTLE_STEPS ? shared : WORLD_SETTLE_STEPS - 1;
    int done = *from;
    if (*from > 0) {
        world_mujoco.mj_setState(&world->model, world->data,
                                 settling->states + (ptrdiff_t)*from * settling->state_size,
                                 RECORDED);
    } else {
        done = world_settle_quietly(world, part);
    }
    for (; done < WORLD_SETTLE_STEPS; done++) {
        world_mujoco.mj_step(&world->model, world->data);
    }
    return *from == 0 || !part->hinged || still_rests(world, part);
}

int world_settle(tot_world *world) {
    world_settle_moved part;
    int from = 0;
    if (world->task->settling->local && find_moved(world, &part)) {
        begin(world->task, &world->model, world->data);
        if (settle_from(world, &part, &from)) {
            return from;
        }
    }
    world_settle_fully(world->task, &world->model, world->data);
    return 0;
}

// Steps of the settling hand without the search for contacts that cannot be: a third of their time.
#include <string.h>

#include "world/settling.h"

enum { MOST_GEOMS = 256, MOST_BODIES = 256 };

// A joint that is this near to the scene's own settling, in rad or m, moves no geom by
// WORLD_SETTLE_APART.
static const double near = 1e-6;
// m: how far a loose geom may go, and how far the numbers of its joint, a position and a
// quaternion: sqrt(3) * slack + 2 * sqrt(4) * slack * WORLD_SETTLE_COMPACT is less than leash.
static const double leash = 0.01;
static const double slack = 0.0025;

// The masks of a model in which some geoms do not collide.
typedef struct masks {
    int geom_type[MOST_GEOMS], geom_affinity[MOST_GEOMS];
    int body_type[MOST_BODIES], body_affinity[MOST_BODIES];
    int geoms;  // up to the last that collides
} masks;

// Where a loose geom may be.
static world_settle_box bound_loose(const world_settling *settling, int geom) {
    world_settle_box bounds = settling->starts[geom];
    for (int k = 0; k < 3; k++) {
        bounds.low[k] -= leash;
        bounds.high[k] += leash;
    }
    return bounds;
}

// Where a geom may be during a segment.
static world_settle_box bound_geom(const tot_world *world, const world_settle_moved *part, int geom,
                                   int segment) {
    const world_settling *settling = world->task->settling;
    if (settling->loose[geom]) {
        return bound_loose(settling, geom);
    }
    world_settle_box bounds = settling->boxes[(ptrdiff_t)segment * settling->geoms + geom];
    for (int k = 0; k < 3 && world_settle_moves(part, &world->model, geom); k++) {
        bounds.low[k] += part->by[k];
        bounds.high[k] += part->by[k];
    }
    return bounds;
}

// Whether the scene's own settling says if two geoms touch: neither has moved, or both alike.
static bool are_foreseen(const tot_world *world, const world_settle_moved *part, int a, int b) {
    const mjModel *model = &world->model;
    const bool *loose = world->task->settling->loose;
    return !loose[a] && !loose[b] &&
           world_settle_moves(part, model, a) == world_settle_moves(part, model, b);
}

// Until which segment a geom touches nothing.
static int quiet_geom(const tot_world *world, const world_settle_moved *part, int geom) {
    static const double nowhere[3];
    const world_settling *settling = world->task->settling;
    if (!world_settle_collides(&world->model, geom)) {
        return WORLD_SETTLE_SEGMENTS;
    }
    int end = settling->loose[geom] ? WORLD_SETTLE_SEGMENTS : settling->touched[geom];
    for (int other = 0; other < settling->geoms && end > 0; other++) {
        if (!world_settle_may_touch(&world->model, geom, other) ||
            are_foreseen(world, part, geom, other)) {
            continue;
        }
        for (int k = 0; k < end; k++) {
            const world_settle_box here = bound_geom(world, part, geom, k);
            const world_settle_box there = bound_geom(world, part, other, k);
            end = world_settle_overlap(&here, nowhere, &there) ? k : end;
        }
    }
    return end;
}

// Takes the masks of all geoms that touch nothing as long as the arm does not. Returns until which
// segment that is.
static int silence(const tot_world *world, const world_settle_moved *part, masks *out) {
    const mjModel *model = &world->model;
    const int arm = model->body_rootid[world->task->hand];
    int quiet[MOST_GEOMS];
    int end = WORLD_SETTLE_SEGMENTS;
    for (int k = 0; k < model->ngeom && end > 0; k++) {
        quiet[k] = quiet_geom(world, part, k);
        if (model->body_rootid[model->geom_bodyid[k]] == arm && quiet[k] < end) {
            end = quiet[k];
        }
    }
    out->geoms = 0;
    memset(out->body_type, 0, (size_t)model->nbody * sizeof *out->body_type);
    memset(out->body_affinity, 0, (size_t)model->nbody * sizeof *out->body_affinity);
    for (int k = 0; k < model->ngeom && end > 0; k++) {
        const bool silent = quiet[k] >= end;
        out->geom_type[k] = silent ? 0 : model->geom_contype[k];
        out->geom_affinity[k] = silent ? 0 : model->geom_conaffinity[k];
        out->geoms = silent ? out->geoms : k + 1;
        out->body_type[model->geom_bodyid[k]] |= out->geom_type[k];
        out->body_affinity[model->geom_bodyid[k]] |= out->geom_affinity[k];
    }
    return end;
}

// Whether the joints are where they are in the scene's own settling, and what is loose where it
// was.
static bool follows(const tot_world *world, int step) {
    const mjModel *model = &world->model;
    const world_settling *settling = world->task->settling;
    const double *state = settling->states + (ptrdiff_t)step * settling->state_size;
    for (int k = 0; k < model->njnt; k++) {
        const bool loose = model->jnt_type[k] == mjJNT_FREE;
        const double *then = (loose ? settling->states : state) + model->jnt_qposadr[k];
        const double *now = world->data->qpos + model->jnt_qposadr[k];
        for (int i = 0; i < (loose ? 7 : 1); i++) {
            if (!(fabs(now[i] - then[i]) < (loose ? slack : near))) {
                return false;
            }
        }
    }
    return true;
}

int world_settle_quietly(tot_world *world, const world_settle_moved *part) {
    masks quiet;
    if (!world->task->settling->compact || world->model.ngeom > MOST_GEOMS ||
        world->model.nbody > MOST_BODIES) {
        return 0;
    }
    int steps = silence(world, part, &quiet) * WORLD_SETTLE_SEGMENT;
    // the last step shows the whole scene
    steps = steps < WORLD_SETTLE_STEPS ? steps : WORLD_SETTLE_STEPS - 1;
    mjModel model = world->model;
    model.geom_contype = quiet.geom_type;
    model.geom_conaffinity = quiet.geom_affinity;
    model.body_contype = quiet.body_type;
    model.body_conaffinity = quiet.body_affinity;
    // nothing in motion depends on these
    model.ngeom = quiet.geoms;
    model.nsite = 0;
    model.ncam = 0;
    model.nlight = 0;
    for (int k = 0; k < steps; k++) {
        if (!follows(world, k)) {
            return k;
        }
        world_mujoco.mj_step(&model, world->data);
    }
    return steps;
}

// Steps of the settling hand without collision checks that cannot find a contact, which take a
// third of the time.
#include <string.h>

#include "world/settling.h"

enum { MOST_GEOMS = 256, MOST_BODIES = 256 };

// A joint this close to the scene's recorded settling, in rad or m, moves no geom by
// WORLD_SETTLE_APART.
static const double near = 1e-6;
// m: how far a loose geom may move, and how much the coordinates of its free joint (position and
// quaternion) may change: sqrt(3) * slack + 2 * sqrt(4) * slack * WORLD_SETTLE_COMPACT is less than
// leash.
static const double leash = 0.01;
static const double slack = 0.0025;

// Collision masks of a model in which some geoms do not collide.
typedef struct masks {
    int geom_type[MOST_GEOMS], geom_affinity[MOST_GEOMS];
    int body_type[MOST_BODIES], body_affinity[MOST_BODIES];
    int geoms;  // up to the last that collides
} masks;

// Bounds of a loose geom.
static world_settle_box bound_loose(const world_settling *settling, int geom) {
    world_settle_box bounds = settling->starts[geom];
    for (int k = 0; k < 3; k++) {
        bounds.low[k] -= leash;
        bounds.high[k] += leash;
    }
    return bounds;
}

// Bounds of a geom during a segment.
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

// Whether the recorded settling determines if two geoms touch: neither was moved by the draw, or
// both were.
static bool are_foreseen(const tot_world *world, const world_settle_moved *part, int a, int b) {
    const mjModel *model = &world->model;
    const bool *loose = world->task->settling->loose;
    return !loose[a] && !loose[b] &&
           world_settle_moves(part, model, a) == world_settle_moves(part, model, b);
}

static const double nowhere[3];

// The segment until which a geom touches nothing, or nothing but loose geoms.
static int quiet_geom(const tot_world *world, const world_settle_moved *part, int geom,
                      bool but_loose) {
    const world_settling *settling = world->task->settling;
    if (!world_settle_collides(&world->model, geom)) {
        return WORLD_SETTLE_SEGMENTS;
    }
    int end = settling->loose[geom] ? WORLD_SETTLE_SEGMENTS : settling->touched[geom];
    for (int other = 0; other < settling->geoms && end > 0; other++) {
        if (!world_settle_may_touch(&world->model, geom, other) ||
            are_foreseen(world, part, geom, other) || (but_loose && settling->loose[other])) {
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

static bool is_arm(const tot_world *world, int geom) {
    const mjModel *model = &world->model;
    return model->body_rootid[model->geom_bodyid[geom]] == model->body_rootid[world->task->hand];
}

// Clears the collision masks of the silent geoms.
static void mask(const mjModel *model, const bool *silent, masks *out) {
    out->geoms = 0;
    memset(out->body_type, 0, (size_t)model->nbody * sizeof *out->body_type);
    memset(out->body_affinity, 0, (size_t)model->nbody * sizeof *out->body_affinity);
    for (int k = 0; k < model->ngeom; k++) {
        out->geom_type[k] = silent[k] ? 0 : model->geom_contype[k];
        out->geom_affinity[k] = silent[k] ? 0 : model->geom_conaffinity[k];
        out->geoms = silent[k] ? out->geoms : k + 1;
        out->body_type[model->geom_bodyid[k]] |= out->geom_type[k];
        out->body_affinity[model->geom_bodyid[k]] |= out->geom_affinity[k];
    }
}

// The world's model with these masks.
static mjModel masked(const tot_world *world, masks *of) {
    mjModel model = world->model;
    model.geom_contype = of->geom_type;
    model.geom_conaffinity = of->geom_affinity;
    model.body_contype = of->body_type;
    model.body_conaffinity = of->body_affinity;
    // the dynamics do not depend on these
    model.ngeom = of->geoms;
    model.nsite = 0;
    model.ncam = 0;
    model.nlight = 0;
    return model;
}

// --- while loose objects stay in place ---------------------------------------------------------

// Silences all geoms that touch nothing while the arm touches nothing. Returns the segment until
// which that holds.
static int silence(const tot_world *world, const world_settle_moved *part, masks *out) {
    const mjModel *model = &world->model;
    int quiet[MOST_GEOMS];
    bool silent[MOST_GEOMS];
    int end = WORLD_SETTLE_SEGMENTS;
    for (int k = 0; k < model->ngeom && end > 0; k++) {
        quiet[k] = quiet_geom(world, part, k, false);
        end = is_arm(world, k) && quiet[k] < end ? quiet[k] : end;
    }
    for (int k = 0; k < model->ngeom && end > 0; k++) {
        silent[k] = quiet[k] >= end;
    }
    if (end > 0) {
        mask(model, silent, out);
    }
    return end;
}

// Whether the joints are where they were in the recorded settling.
static bool follows(const tot_world *world, int step) {
    const mjModel *model = &world->model;
    const world_settling *settling = world->task->settling;
    const double *then = settling->states + (ptrdiff_t)step * settling->state_size;
    for (int k = 0; k < model->njnt; k++) {
        const int place = model->jnt_qposadr[k];
        if (model->jnt_type[k] != mjJNT_FREE &&
            !(fabs(world->data->qpos[place] - then[WORLD_SETTLE_POSITIONS + place]) < near)) {
            return false;
        }
    }
    return true;
}

// Whether loose objects have stayed in place.
static bool stays(const tot_world *world) {
    const mjModel *model = &world->model;
    const double *start = world->task->settling->states + WORLD_SETTLE_POSITIONS;
    for (int k = 0; k < model->njnt; k++) {
        const int place = model->jnt_qposadr[k];
        for (int i = place; model->jnt_type[k] == mjJNT_FREE && i < place + 7; i++) {
            if (!(fabs(world->data->qpos[i] - start[i]) < slack)) {
                return false;
            }
        }
    }
    return true;
}

// Returns the number of steps done.
static int settle_still(tot_world *world, const world_settle_moved *part, int last) {
    masks quiet;
    int steps = silence(world, part, &quiet) * WORLD_SETTLE_SEGMENT;
    if (steps == 0) {
        return 0;
    }
    steps = steps < last ? steps : last;
    const mjModel model = masked(world, &quiet);
    for (int k = 0; k < steps; k++) {
        if (!follows(world, k) || !stays(world)) {
            return k;
        }
        world_mujoco.mj_step(&model, world->data);
    }
    return steps;
}

// --- while loose objects stay away from the arm ------------------------------------------------

typedef struct arm {
    masks silent;
    int geoms[MOST_GEOMS];  // its colliding geoms
    int count;
    int end;  // the segment until which they touch nothing but loose geoms
} arm;

static void silence_arm(const tot_world *world, const world_settle_moved *part, arm *out) {
    const mjModel *model = &world->model;
    bool silent[MOST_GEOMS];
    out->count = 0;
    out->end = WORLD_SETTLE_SEGMENTS;
    for (int k = 0; k < model->ngeom; k++) {
        const bool collides = world_settle_collides(model, k);
        silent[k] = is_arm(world, k) || !collides;
        if (is_arm(world, k) && collides) {
            const int quiet = quiet_geom(world, part, k, true);
            out->end = quiet < out->end ? quiet : out->end;
            out->geoms[out->count++] = k;
        }
    }
    mask(model, silent, &out->silent);
}

// Whether something loose may touch the arm.
static bool comes_near(const tot_world *world, const arm *of, int segment) {
    const mjModel *model = &world->model;
    const world_settling *settling = world->task->settling;
    const world_settle_box *boxes = settling->boxes + (ptrdiff_t)segment * settling->geoms;
    for (int k = 0; k < model->njnt; k++) {
        const double *centre = world->data->qpos + model->jnt_qposadr[k];
        world_settle_box around;
        for (int i = 0; model->jnt_type[k] == mjJNT_FREE && i < 3; i++) {
            around.low[i] = centre[i] - settling->reach;
            around.high[i] = centre[i] + settling->reach;
        }
        for (int i = 0; model->jnt_type[k] == mjJNT_FREE && i < of->count; i++) {
            if (world_settle_overlap(&around, nowhere, &boxes[of->geoms[i]])) {
                return true;
            }
        }
    }
    return false;
}

// Continues after `done` steps, and returns the number of steps then done.
static int settle_away(tot_world *world, const world_settle_moved *part, int done, int last) {
    arm of;
    silence_arm(world, part, &of);
    const mjModel model = masked(world, &of.silent);
    for (; done < last && follows(world, done); done++) {
        const int segment = done / WORLD_SETTLE_SEGMENT;
        const bool loud = segment >= of.end || comes_near(world, &of, segment);
        world_mujoco.mj_step(loud ? &world->model : &model, world->data);
    }
    return done;
}

int world_settle_quietly(tot_world *world, const world_settle_moved *part) {
    const int last = WORLD_SETTLE_STEPS - 1;  // the last step is done with the full model
    if (!world->task->settling->compact || world->model.ngeom > MOST_GEOMS ||
        world->model.nbody > MOST_BODIES) {
        return 0;
    }
    const int done = settle_still(world, part, last);
    return settle_away(world, part, done, last);
}

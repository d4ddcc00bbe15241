// Shared by settle.c and quiet.c: the recorded settling of the unmodified scene.
#pragma once

#include "world/settle.h"

enum {
    WORLD_SETTLE_ROUNDS = 50,
    WORLD_SETTLE_STEPS = WORLD_SETTLE_ROUNDS * WORLD_FRAME_SKIP,
    WORLD_SETTLE_SEGMENTS = 10,  // of the steps, each with its own bounding boxes
    WORLD_SETTLE_SEGMENT = WORLD_SETTLE_STEPS / WORLD_SETTLE_SEGMENTS,
    WORLD_SETTLE_POSITIONS = 1,  // index of the positions in a recorded state
    WORLD_SETTLE_NONE = -1
};

// m: geoms farther apart than this do not touch.
#define WORLD_SETTLE_APART 1e-4

// m: see compact.
#define WORLD_SETTLE_COMPACT 0.5

typedef struct world_settle_box {
    double low[3];
    double high[3];
} world_settle_box;

struct world_settling {
    int geoms;
    int state_size;            // time, qpos, qvel, qacc_warmstart
    double *states;            // [STEPS][state_size], before each step
    world_settle_box *boxes;   // [SEGMENTS][geoms]: bounds of a geom during a segment
    world_settle_box *starts;  // [geoms]: bounds of a geom before the first step
    int *touched;  // [geoms]: the first segment in which something touches or nearly touches it
    bool *rests;   // [nv]: whether its velocity is always zero
    bool *loose;   // [geoms]: whether it belongs to a body with a free joint
    bool compact;  // every loose body has a single free joint and extends at most
                   // WORLD_SETTLE_COMPACT from its origin
    double reach;  // m: maximum extent of loose bodies from their origin
    bool local;    // see is_local
};

// The body that the draw moved, with its subtree. Its position enters the equations of motion
// through its contacts, and through its hinges, whose inertia is rounded differently; for a slide
// only direction and mass matter.
typedef struct world_settle_moved {
    int root;  // WORLD_SETTLE_NONE: nothing moved
    double by[3];
    bool hinged;  // has joints other than slides
} world_settle_moved;

static inline bool world_settle_collides(const mjModel *model, int geom) {
    return model->geom_contype[geom] != 0 || model->geom_conaffinity[geom] != 0;
}

static inline bool world_settle_moves(const world_settle_moved *part, const mjModel *model,
                                      int geom) {
    return model->body_rootid[model->geom_bodyid[geom]] == part->root;
}

static inline bool world_settle_may_touch(const mjModel *model, int a, int b) {
    return ((model->geom_contype[a] & model->geom_conaffinity[b]) != 0 ||
            (model->geom_contype[b] & model->geom_conaffinity[a]) != 0) &&
           model->body_weldid[model->geom_bodyid[a]] != model->body_weldid[model->geom_bodyid[b]];
}

// Whether a, shifted by `by`, and b intersect.
static inline bool world_settle_overlap(const world_settle_box *a, const double by[3],
                                        const world_settle_box *b) {
    for (int k = 0; k < 3; k++) {
        if (a->low[k] + by[k] > b->high[k] || a->high[k] + by[k] < b->low[k]) {
            return false;
        }
    }
    return true;
}

// Simulates the first steps of a world after `begin`, skipping collision checks that cannot find a
// contact, and returns the number of steps. Call inside world_mujoco_guard.
int world_settle_quietly(tot_world *world, const world_settle_moved *part);

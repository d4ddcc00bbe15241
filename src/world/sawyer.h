// What the files of this station share: a loaded task, a world, and the verbs that a task's reset,
// observation and success test are written in.
#pragma once

#include <temporalot/world.h>

#include "world/mujoco.h"
#include "world/numeric.h"
#include "world/scene.h"

enum {
    WORLD_FRAME_SKIP = 5,      // mj_step a frame
    WORLD_FRAME_NUMBERS = 18,  // hand, grip, objects
    WORLD_OBJECT_NUMBERS = 14,
    WORLD_FIRST_OBJECT = 4,  // where the objects begin in an observation
    WORLD_GOAL = 36,         // where the goal begins
    WORLD_MAX_NAMES = 10,
    WORLD_MAX_MEMORY = 16,
    // the arm and the fingers have the first nine joints, so what a task adds begins here in qpos
    // and qvel
    WORLD_OBJECT_JOINT = 9
};

// Something of the scene that a task looks at or moves.
typedef struct world_part {
    mjtObj kind;
    const char *name;
} world_part;

// The action of a step as the caller gave it, before clipping. NumPy keeps the precision of a
// float32 action in the reward: see world_number in reward.h.
typedef struct world_action {
    double value[TOT_ACTION];
    bool single;  // a float32 action
} world_action;

// Meta-world's evaluate_state at the newest frame. out: zeros, written. unscaled_reward is the
// reward itself.
typedef void (*world_evaluate)(tot_world *world, const world_action *action, tot_world_info *out);

// One task: the whole of src/world/tasks/NAME.c ends in one of these.
typedef struct world_task_definition {
    tot_task_info info;
    const double *metaworld_low;   // Meta-world's own reset box where the paper's is narrower,
    const double *metaworld_high;  // else NULL
    int positions;                 // the scene's nq: tells a scene that is not the one meant
    double hand_low[3];        // where the mocap, and so the hand, may go: up to world_hand_high
    double hand_start[3];      // where a reset puts it; 0.6f where Python has a float32
    double goal_low[3];        // the goal in the observation of a step is clipped to this;
    double goal_high[3];       // left out: to where the hand may go
    const double *fixed_goal;  // [2]: draw_distance is measured from here instead of from draw + 3
    world_part parts[WORLD_MAX_NAMES];  // ends at the first name that is NULL

    // Moves the bodies that the draw moves. It comes before the hand settles, because Meta-world
    // resets twice and the second time the bodies stand there already. NULL when the draw moves
    // nothing that the physics sees.
    void (*place)(tot_world *world);
    // The rest of the reset, when the hand has settled. Sets world->goal, world->start_object and
    // what of world->memory the rewards read.
    void (*reset)(tot_world *world);
    // objects: [WORLD_OBJECT_NUMBERS], zeros, written.
    void (*observe)(const tot_world *world, double *objects);
    world_evaluate evaluate;     // reward_function_version v2
    world_evaluate evaluate_v1;  // and v1
    void (*expert)(const double *observation, float *action);
} world_task_definition;

// The upper corner of where the hand may go, which is the same for all tasks.
extern const double world_hand_high[3];

typedef struct world_settling world_settling;

struct tot_task {
    const world_task_definition *definition;
    tot_task_info info;  // the definition's, with the reset box that was asked for
    tot_task_settings settings;
    world_scene *scene;
    mjModel *model;             // the scene's
    world_settling *settling;   // how the hand settles: see settle.h
    int part[WORLD_MAX_NAMES];  // the numbers of definition->parts
    int hand, right_claw, left_claw;
    int left_pad, right_pad;  // geoms
    int left_pad_body, right_pad_body;
    int left_finger, right_finger;  // sites at the tips
    bool reuse;                     // see world_sawyer_frame
};

struct tot_world {
    const tot_task *task;
    mjModel model;  // the task's: all arrays are shared but body_pos and site_pos
    mjData *data;
    double *physics;              // room for the numbers that tot_world_save takes from data
    tot_world_settings settings;  // with the horizon filled in

    tot_random random;  // the episode's stream, behind its draw
    uint64_t seed;
    uint64_t episode;
    double draw[TOT_MAX_DRAW];
    double goal[3];
    double start_tcp[3];              // between the finger tips when the hand had settled
    double start_object[3];           // where the object stood, for the rewards
    double memory[WORLD_MAX_MEMORY];  // what else a task's rewards remember; zeros before its reset

    double reward;              // of the newest step: the sum over its frames
    tot_world_info evaluation;  // of the newest frame
    int frames;
    bool ready;  // was reset
    bool diverged;
    bool success;
    bool fresh;  // what data derives from positions and velocities is up to date
    double now[WORLD_FRAME_NUMBERS];  // this frame, not clipped
    double observation[TOT_OBSERVATION];
};

// --- parts of the scene, by their index in definition->parts -----------------------------------

static inline const double *world_body_position(const tot_world *world, int part) {
    return world->data->xpos + 3 * world->task->part[part];
}

static inline const double *world_body_quaternion(const tot_world *world, int part) {
    return world->data->xquat + 4 * world->task->part[part];
}

static inline const double *world_body_matrix(const tot_world *world, int part) {
    return world->data->xmat + 9 * world->task->part[part];
}

static inline const double *world_site_position(const tot_world *world, int part) {
    return world->data->site_xpos + 3 * world->task->part[part];
}

static inline const double *world_site_matrix(const tot_world *world, int part) {
    return world->data->site_xmat + 9 * world->task->part[part];
}

static inline const double *world_geom_position(const tot_world *world, int part) {
    return world->data->geom_xpos + 3 * world->task->part[part];
}

static inline const double *world_geom_matrix(const tot_world *world, int part) {
    return world->data->geom_xmat + 9 * world->task->part[part];
}

// Where a joint of one number has it.
static inline double *world_joint_position(const tot_world *world, int part) {
    return world->data->qpos + world->model.jnt_qposadr[world->task->part[part]];
}

static inline double *world_joint_velocity(const tot_world *world, int part) {
    return world->data->qvel + world->model.jnt_dofadr[world->task->part[part]];
}

static inline void world_move_body(tot_world *world, int part, const double *position) {
    world_copy3(world->model.body_pos + 3 * world->task->part[part], position);
}

static inline void world_move_site(tot_world *world, int part, const double *position) {
    world_copy3(world->model.site_pos + 3 * world->task->part[part], position);
}

// Brings all that is derived up to date.
static inline void world_forward(tot_world *world) {
    world_mujoco.mj_forward(&world->model, world->data);
}

// Puts the free object of a scene somewhere, at rest, and brings all up to date.
void world_place_object(tot_world *world, double x, double y, double z);

// Sets one coordinate of the object's joint, at rest, and brings all up to date.
void world_place_joint(tot_world *world, double position);

// The same for the mug in the scene of the coffee machine, which comes before the arm. As in the
// Python package it keeps its velocity, and half of the arm is stopped instead.
void world_place_mug(tot_world *world, const double *position);

// Whether both pads press on the geom.
bool world_touches(const tot_world *world, int part);

static inline const double *world_left_finger(const tot_world *world) {
    return world->data->site_xpos + 3 * world->task->left_finger;
}

// The middle between the finger tips.
static inline void world_tcp(const tot_world *world, double *out) {
    const double *right = world->data->site_xpos + 3 * world->task->right_finger;
    const double *left = world->data->site_xpos + 3 * world->task->left_finger;
    for (int k = 0; k < 3; k++) {
        out[k] = (right[k] + left[k]) / 2.0;
    }
}

// From there to a point.
static inline double world_tcp_distance(const tot_world *world, const double *point) {
    double tcp[3];
    world_tcp(world, tcp);
    return world_distance3(tcp, point);
}

static inline const double *world_left_pad(const tot_world *world) {
    return world->data->xpos + 3 * world->task->left_pad_body;
}

static inline const double *world_right_pad(const tot_world *world) {
    return world->data->xpos + 3 * world->task->right_pad_body;
}

// --- the arm (inside world_mujoco_guard) ---------------------------------------------------------

// One frame: moves the mocap, closes the fingers, five mj_step and one mj_forward.
void world_sawyer_frame(tot_world *world, const double move[3], double right, double left);

// Reads the 18 numbers of this moment into world->now.
void world_sawyer_look(tot_world *world);

// world->observation from this frame and the one before it, clipped as a step's is.
void world_sawyer_observe(tot_world *world, const double before[WORLD_FRAME_NUMBERS]);

// world->observation after a reset: the frame twice, not clipped.
void world_sawyer_observe_first(tot_world *world);

// world->observation with the goal in its place, hidden or not.
void world_observe_goal(const tot_world *world, double *observation);

// Whether MuJoCo met a number that is not one, since its data was last reset.
bool world_sawyer_diverged(const mjData *data);

// --- draws -------------------------------------------------------------------------------------

// tot_task_draw, and the stream as it stands behind the draw.
void world_task_draw_from(const tot_task *task, uint64_t seed, uint64_t episode, double *rand_vec,
                          tot_random *random);

// The task's row of the table, with Meta-world's own reset box or the paper's.
tot_task_info world_task_info(const world_task_definition *definition, bool metaworld_box);

// Whether Meta-world would draw again, because object and goal are too near each other.
bool world_too_near(const world_task_definition *definition, const tot_task_info *info,
                    const double *draw);

// How many numbers tot_world_save takes from mjData.
size_t world_physics_count(const mjModel *model);

// Starts the episode of a draw that was checked before.
tot_status world_begin_again(tot_world *world, const double *rand_vec);

// --- experts -----------------------------------------------------------------------------------

// Towards a place, with a gain, and an effort of the fingers.
static inline void world_expert_move(float *action, const double *observation, const double *to,
                                     double gain, double effort) {
    for (int k = 0; k < 3; k++) {
        action[k] = (float)(gain * (to[k] - observation[k]));
    }
    action[3] = (float)effort;
}

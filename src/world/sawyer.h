// Shared by the files of this station: a loaded task, a world, and the operations in which the
// tasks' reset, observation and success test are written.
#pragma once

#include <temporalot/world.h>

#include "world/mujoco.h"
#include "world/numeric.h"
#include "world/scene.h"

enum {
    WORLD_FRAME_SKIP = 5,      // mj_step per frame
    WORLD_FRAME_NUMBERS = 18,  // hand, gripper, objects
    WORLD_OBJECT_NUMBERS = 14,
    WORLD_FIRST_OBJECT = 4,  // index of the objects in an observation
    WORLD_GOAL = 36,         // index of the goal
    WORLD_MAX_NAMES = 10,
    WORLD_MAX_MEMORY = 16,
    // index in qpos and qvel of the joints a task adds, after the nine of arm and fingers
    WORLD_OBJECT_JOINT = 9
};

// An element of the scene that a task reads or moves.
typedef struct world_part {
    mjtObj kind;
    const char *name;
} world_part;

// The action of a step as given by the caller, before clipping. NumPy keeps the precision of a
// float32 action in the reward: see world_number in reward.h.
typedef struct world_action {
    double value[TOT_ACTION];
    bool single;  // a float32 action
} world_action;

// Meta-world's evaluate_state for the last frame. out: zeros on entry, written. unscaled_reward is
// the reward itself.
typedef void (*world_evaluate)(tot_world *world, const world_action *action, tot_world_info *out);

// One task: every file src/world/tasks/NAME.c ends with one of these.
typedef struct world_task_definition {
    tot_task_info info;
    const double *metaworld_low;   // Meta-world's own reset box where the paper's is narrower,
    const double *metaworld_high;  // else NULL
    int positions;                 // nq of the scene, to detect a wrong scene
    double hand_low[3];        // lower bound of the mocap and so of the hand; the upper bound is
                               // world_hand_high
    double hand_start[3];      // initial position; 0.6f where Python has a float32
    double goal_low[3];        // the goal in the observation of a step is clipped to this box;
    double goal_high[3];       // omitted: to that of the hand
    const double *fixed_goal;  // [2]: draw_distance is measured from here instead of from draw + 3
    world_part parts[WORLD_MAX_NAMES];  // terminated by a NULL name

    // Moves the bodies that the draw moves. Called before the hand settles, because Meta-world
    // resets twice, and the second time the bodies are already in place. NULL if the draw moves
    // nothing that affects the physics.
    void (*place)(tot_world *world);
    // The rest of the reset, after the hand has settled. Sets world->goal, world->start_object and
    // the part of world->memory that the rewards read.
    void (*reset)(tot_world *world);
    // objects: [WORLD_OBJECT_NUMBERS], zeros on entry, written.
    void (*observe)(const tot_world *world, double *objects);
    world_evaluate evaluate;     // reward_function_version v2
    world_evaluate evaluate_v1;  // and v1
    void (*expert)(const double *observation, float *action);
} world_task_definition;

// Upper bound of the hand's position, the same for all tasks.
extern const double world_hand_high[3];

// Quaternion of the mocap body, which never turns.
extern const double world_hand_turn[4];

typedef struct world_settling world_settling;

struct tot_task {
    const world_task_definition *definition;
    tot_task_info info;  // the definition's, with the selected reset box
    tot_task_settings settings;
    world_scene *scene;
    mjModel *model;             // the scene's
    world_settling *settling;   // recorded settling of the hand: see settle.h
    int part[WORLD_MAX_NAMES];  // MuJoCo ids of definition->parts
    int hand, right_claw, left_claw;
    int left_pad, right_pad;  // geoms
    int left_pad_body, right_pad_body;
    int left_finger, right_finger;  // sites at the fingertips
    bool reuse;                     // see world_sawyer_frame
};

struct tot_world {
    const tot_task *task;
    mjModel model;  // the task's: all arrays are shared except body_pos and site_pos
    mjData *data;
    double *physics;              // buffer for the values that tot_world_save takes from data
    tot_world_settings settings;  // with the horizon filled in

    tot_random random;  // the episode's stream, after its draw
    uint64_t seed;
    uint64_t episode;
    double draw[TOT_MAX_DRAW];
    double goal[3];
    double start_tcp[3];              // the TCP after the hand has settled
    double start_object[3];           // initial position of the object, for the rewards
    double memory[WORLD_MAX_MEMORY];  // other state of the task's rewards; zeros before its reset

    double reward;              // of the last step: the sum over its frames
    tot_world_info evaluation;  // of the last frame
    int frames;
    bool ready;  // has been reset
    bool diverged;
    bool success;
    bool fresh;  // derived quantities in data are up to date with positions and velocities
    double now[WORLD_FRAME_NUMBERS];  // this frame, unclipped
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

// Position of a one-dimensional joint in qpos.
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

// Updates all derived quantities.
static inline void world_forward(tot_world *world) {
    world_mujoco.mj_forward(&world->model, world->data);
}

// Places the free object of a scene, at rest, and updates derived quantities.
void world_place_object(tot_world *world, double x, double y, double z);

// Sets the object's one-dimensional joint, at rest, and updates derived quantities.
void world_place_joint(tot_world *world, double position);

// The same for the mug in the scene of the coffee machine, whose joint comes before the arm. As in
// the Python package the mug keeps its velocity, and half of the arm is stopped instead.
void world_place_mug(tot_world *world, const double *position);

// Whether both pads press on the geom.
bool world_touches(const tot_world *world, int part);

// Position of the mocap body that drags the hand, as moved by the actions, [3].
static inline const double *world_mocap(const tot_world *world) {
    return world->data->mocap_pos;
}

static inline const double *world_left_finger(const tot_world *world) {
    return world->data->site_xpos + 3 * world->task->left_finger;
}

// The TCP: midpoint between the fingertips.
static inline void world_tcp(const tot_world *world, double *out) {
    const double *right = world->data->site_xpos + 3 * world->task->right_finger;
    const double *left = world->data->site_xpos + 3 * world->task->left_finger;
    for (int k = 0; k < 3; k++) {
        out[k] = (right[k] + left[k]) / 2.0;
    }
}

// Distance from the TCP to a point.
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

// One frame: moves the mocap, drives the fingers, five mj_step and one mj_forward.
void world_sawyer_frame(tot_world *world, const double move[3], double right, double left);

// Writes the 18 values of the current state to world->now.
void world_sawyer_look(tot_world *world);

// Sets world->observation from this frame and the previous one, clipped as in a step.
void world_sawyer_observe(tot_world *world, const double before[WORLD_FRAME_NUMBERS]);

// Sets world->observation after a reset: this frame twice, unclipped.
void world_sawyer_observe_first(tot_world *world);

// world->observation including the goal, whether hidden or not.
void world_observe_goal(const tot_world *world, double *observation);

// Whether MuJoCo has encountered NaN or a too large value since its data was last reset.
bool world_sawyer_diverged(const mjData *data);

// --- draws -------------------------------------------------------------------------------------

// tot_task_draw, plus the state of the stream after the draw.
void world_task_draw_from(const tot_task *task, uint64_t seed, uint64_t episode, double *rand_vec,
                          tot_random *random);

// The info of a task, with Meta-world's own reset box or the paper's.
tot_task_info world_task_info(const world_task_definition *definition, bool metaworld_box);

// Whether Meta-world would draw again, because object and goal are too close.
bool world_too_near(const world_task_definition *definition, const tot_task_info *info,
                    const double *draw);

// Number of values that tot_world_save takes from mjData.
size_t world_physics_count(const mjModel *model);

// Starts the episode of a draw that has already been checked.
tot_status world_begin_again(tot_world *world, const double *rand_vec);

// --- experts -----------------------------------------------------------------------------------

// Moves towards a position with a gain, and sets the gripper effort.
static inline void world_expert_move(float *action, const double *observation, const double *to,
                                     double gain, double effort) {
    for (int k = 0; k < 3; k++) {
        action[k] = (float)(gain * (to[k] - observation[k]));
    }
    action[3] = (float)effort;
}

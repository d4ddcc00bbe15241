// temporalot/world.h - Meta-world's tasks on MuJoCo, numerically identical to the Python package
// metaworld 3.1.1. A task is loaded once and shared; a world is one thread's copy of its scene.
//
//     #include <stdio.h>
//     #include <temporalot/world.h>
//
//     int main(void) {
//         tot_task *task = NULL;
//         tot_world *world = NULL;
//         tot_status status = tot_task_load(&task, "door-open", NULL);
//         status = status != TOT_OK ? status : tot_world_create(&world, task, NULL);
//         status = status != TOT_OK ? status : tot_world_reset(world, 0, 0);
//         while (status == TOT_OK && !tot_world_done(world)) {
//             float action[TOT_ACTION];
//             tot_world_expert(world, action);
//             status = tot_world_step(world, action);
//         }
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         printf("success: %d\n", status == TOT_OK && tot_world_success(world));
//         tot_world_free(world);
//         tot_task_free(task);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_WORLD_H
#define TEMPORALOT_WORLD_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TOT_ACTION = 4,        // displacement of the hand in x, y, z (1 is 1 cm per frame), gripper
    TOT_OBSERVATION = 39,  // 18 values now, the same 18 one frame earlier, the goal's position
    TOT_MAX_DRAW = 6,      // maximum length of rand_vec
    TOT_GOALS = 50         // goals per task in Meta-world's benchmarks
};

// --- dependencies ------------------------------------------------------------------------------

// Loads MuJoCo 3.3.0: from MUJOCO_DIR if it is set, else from third_party/, else from the system's
// library path. path and version may be NULL; the strings are valid for the lifetime of the
// process. TOT_E_MISSING: the message says where it was searched for and how to fix it.
TOT_API tot_status tot_mujoco_check(const char **path, const char **version);

// Finds Meta-world's scenes: in METAWORLD_DIR if it is set, else in third_party/. folder (may be
// NULL) is set to the folder that contains sawyer_xyz/, valid until the calling thread's next call.
// TOT_E_MISSING as above.
TOT_API tot_status tot_scenes_check(const char **folder);

// --- tasks -------------------------------------------------------------------------------------

typedef struct tot_task_info {
    const char *name;               // "door-open"
    const char *scene;              // scene file, relative to the folder of scenes
    const char *camera;             // the paper's camera for this task
    int horizon;                    // frames per episode in the paper
    bool hold;                      // the expert ends in success more often if it stops after its
                                    // first success
    bool lift;                      // and if the hand rises by 10 cm before it stops
    int draw_length;                // length of rand_vec: 3 (object) or 6 (object, goal)
    double draw_low[TOT_MAX_DRAW];  // reset box: rand_vec is uniform in it
    double draw_high[TOT_MAX_DRAW];
    double draw_distance;  // draws with object and goal closer than this (in x, y) are repeated
} tot_task_info;

TOT_API size_t tot_task_count(void);

// Sorted by name. index is below tot_task_count().
TOT_API const tot_task_info *tot_task_at(size_t index);

// TOT_E_ARGUMENT if there is no task of that name; the message suggests the closest.
TOT_API tot_status tot_task_find(const tot_task_info **info, const char *name);

// --- Meta-world's benchmarks --------------------------------------------------------------------

// A benchmark: a set of tasks that are learned together. MT1 and ML1 are any single task: see
// tot_task_goals.
typedef struct tot_family {
    const char *name;          // MT10, MT25, MT50, ML10-train, ML10-test, ML25-..., ML45-...
    const char *const *tasks;  // [count]: names, in Meta-world's order
    size_t count;
    bool goal_hidden;  // Meta-world's choice: true for the ML benchmarks
} tot_family;

TOT_API size_t tot_family_count(void);

// index is below tot_family_count().
TOT_API const tot_family *tot_family_at(size_t index);

// TOT_E_ARGUMENT if there is no benchmark of that name.
TOT_API tot_status tot_family_find(const tot_family **family, const char *name);

// The goals of Meta-world's MT1(task, seed): goals is [TOT_GOALS x TOT_MAX_DRAW], written; a row is
// a rand_vec for tot_world_reset_to, zero-padded after the task's draw_length. They are in
// Meta-world's own reset box (metaworld_box). ML1 uses those of seed for training and those of seed
// + 1 for testing.
TOT_API tot_status tot_task_goals(const char *task, uint32_t seed, double *goals);

// The goals of Meta-world's MT10(seed) etc., drawn from one generator for all tasks: goals is
// [count x TOT_GOALS x TOT_MAX_DRAW], written.
TOT_API tot_status tot_family_goals(const tot_family *family, uint32_t seed, double *goals);

// --- a task: immutable once loaded, shared by any number of worlds and threads -----------------

typedef struct tot_task tot_task;

typedef struct tot_task_settings {
    bool metaworld_box;  // Meta-world's own reset box where the paper's is narrower (basketball)
    int reward_version;  // Meta-world's reward_function_version: 1 or 2; 0 means 2
} tot_task_settings;

// The paper's: metaworld_box is false, reward_version 2.
TOT_API void tot_task_defaults(tot_task_settings *settings);

// Loads the task's scene. settings may be NULL (defaults). TOT_E_ARGUMENT: no such task;
// TOT_E_MISSING: MuJoCo or the scene is not installed; TOT_E_FORMAT: the scene is damaged.
TOT_API tot_status tot_task_load(tot_task **task, const char *name,
                                 const tot_task_settings *settings);

// Loads several tasks in parallel on the threads of a pool (NULL: on the calling thread). tasks:
// [count], written; all NULL on failure. Free each with tot_task_free.
TOT_API tot_status tot_tasks_load(tot_task **tasks, const char *const *names, size_t count,
                                  const tot_task_settings *settings, tot_pool *pool);

// Includes the reset box of the task's settings.
TOT_API const tot_task_info *tot_task_information(const tot_task *task);

// The draw of an episode: rand_vec is [draw_length], written. Depends only on seed and episode
// (stream "environment", numbered by the episode).
TOT_API void tot_task_draw(const tot_task *task, uint64_t seed, uint64_t episode, double *rand_vec);

// Checks whether a world can be reset to this draw. TOT_E_SHAPE for a wrong length, TOT_E_VALUE for
// NaN, TOT_E_ARGUMENT outside the box or if object and goal are too close.
TOT_API tot_status tot_task_check_draw(const tot_task *task, const double *rand_vec, size_t length);

// Meta-world's scripted policy. observation: [TOT_OBSERVATION]; action: [TOT_ACTION], written, not
// clipped to -1 .. 1.
TOT_API void tot_task_expert(const tot_task *task, const double *observation, float *action);

// All worlds of the task must have been freed. task may be NULL.
TOT_API void tot_task_free(tot_task *task);

// --- a world: one simulated scene, used by one thread at a time --------------------------------

typedef struct tot_world tot_world;

typedef struct tot_world_settings {
    int action_repeat;  // frames per step, 1 or more
    int horizon;        // frames per episode; 0: the task's
    bool goal_hidden;   // the goal's position is zero in observations, as in Meta-world's ML
                        // benchmarks
} tot_world_settings;

// action_repeat 1, the task's horizon, goal observable.
TOT_API void tot_world_defaults(tot_world_settings *settings);

// settings may be NULL (defaults). The world must be reset before the first step.
TOT_API tot_status tot_world_create(tot_world **world, const tot_task *task,
                                    const tot_world_settings *settings);

// Starts episode number `episode` of this seed. The result does not depend on earlier episodes or
// on other worlds.
TOT_API tot_status tot_world_reset(tot_world *world, uint64_t seed, uint64_t episode);

// Starts an episode from a given draw, which must pass tot_task_check_draw.
TOT_API tot_status tot_world_reset_to(tot_world *world, const double *rand_vec, size_t length);

// One step: action_repeat frames, or fewer if the horizon is reached. action: [TOT_ACTION], clipped
// to -1 .. 1. TOT_E_VALUE: NaN or infinity, nothing moves. TOT_E_ARGUMENT: the world was not reset,
// or the episode is over. TOT_E_PHYSICS: the simulation diverged; the episode is over, and the
// observation remains the last valid one.
TOT_API tot_status tot_world_step(tot_world *world, const float *action);

// The same for an action in double precision, which numpy scales in double precision. The results
// differ in the tenth digit, as for float32 and float64 actions in the Python package.
TOT_API tot_status tot_world_step_double(tot_world *world, const double *action);

// The latest observation: [TOT_OBSERVATION], owned by the world, overwritten by reset and step.
TOT_API const double *tot_world_observation(const tot_world *world);

// Meta-world's info dictionary. Values that are bool in Python are 0 or 1 here.
typedef struct tot_world_info {
    double success;
    double near_object;
    double grasp_success;
    double grasp_reward;
    double in_place_reward;
    double obj_to_target;
    double unscaled_reward;  // the dense reward of the frame
} tot_world_info;

enum { TOT_WORLD_INFO = 7 };  // values in a tot_world_info

// The name of the value at this index of tot_world_info, as in Python: "success", "near_object",
// ... NULL past the end.
TOT_API const char *tot_world_info_name(size_t index);

// The dense reward of the last step: the sum over its frames, as action-repeat wrappers compute it.
// 0 after a reset and if the simulation diverged.
TOT_API double tot_world_reward(const tot_world *world);

// Meta-world's info for the last frame; zeros after a reset. Owned by the world.
TOT_API const tot_world_info *tot_world_information(const tot_world *world);

TOT_API bool tot_world_success(const tot_world *world);  // at the last frame
TOT_API bool tot_world_done(const tot_world *world);     // the horizon was reached, or the
                                                         // simulation diverged
TOT_API int tot_world_frames(const tot_world *world);    // since the reset
TOT_API int tot_world_horizon(const tot_world *world);   // in frames
TOT_API const tot_task *tot_world_task(const tot_world *world);

// Agent steps per episode: the horizon divided by the action repeat, rounded up.
TOT_API int tot_world_steps(const tot_world *world);

// The draw of this episode: [draw_length], owned by the world.
TOT_API const double *tot_world_draw(const tot_world *world);

// tot_task_expert for the latest observation; it sees the goal even if it is hidden.
TOT_API void tot_world_expert(const tot_world *world, float *action);

// world may be NULL.
TOT_API void tot_world_free(tot_world *world);

// --- state of a world --------------------------------------------------------------------------

// Bytes written by tot_world_save: the same for all worlds of a task.
TOT_API size_t tot_world_state_size(const tot_world *world);

// Writes the complete state: physics including the solver's warm start, mocap, what the reset
// moved, both frames of the observation, counters, random stream. size is tot_world_state_size() or
// more.
TOT_API tot_status tot_world_save(const tot_world *world, void *state, size_t size);

// Restores a saved state. The world then continues bit for bit, in this process or another, with
// the same task and settings (TOT_E_ARGUMENT if they differ, TOT_E_FORMAT if the bytes are not a
// complete state; the world is then unchanged).
TOT_API tot_status tot_world_restore(tot_world *world, const void *state, size_t size);

// --- many worlds at once -----------------------------------------------------------------------

typedef struct tot_worlds tot_worlds;

// Creates count worlds of a task, stepped by the threads of pool (may be NULL: the calling thread),
// which must outlive them. All memory is allocated here.
TOT_API tot_status tot_worlds_create(tot_worlds **worlds, const tot_task *task,
                                     const tot_world_settings *settings, size_t count,
                                     tot_pool *pool);

// Worlds of several tasks: tasks is [count], one per world; all must outlive the worlds. With
// settings->horizon 0 each world uses its task's horizon. identities (may be NULL) is [count], each
// below identity_count: a one-hot task identity of that width is then appended to the rows of
// tot_worlds_observations, as by Meta-world's OneHotWrapper.
TOT_API tot_status tot_worlds_create_mixed(tot_worlds **worlds, const tot_task *const *tasks,
                                           const tot_world_settings *settings, size_t count,
                                           const size_t *identities, size_t identity_count,
                                           tot_pool *pool);

TOT_API size_t tot_worlds_count(const tot_worlds *worlds);

// Values per row of tot_worlds_observations: TOT_OBSERVATION plus the width of the identity.
TOT_API size_t tot_worlds_width(const tot_worlds *worlds);

// One of the worlds, for direct access. If it is reset, restored or stepped directly,
// tot_worlds_observations is only updated by the next call on all worlds.
TOT_API tot_world *tot_worlds_at(tot_worlds *worlds, size_t index);

// World k starts episode first + k of this seed.
TOT_API tot_status tot_worlds_reset(tot_worlds *worlds, uint64_t seed, uint64_t first);

// World k starts an episode from draws + k x TOT_MAX_DRAW, using the first draw_length values.
TOT_API tot_status tot_worlds_reset_to(tot_worlds *worlds, const double *draws);

// Steps every world that is not done. actions: [count x TOT_ACTION]. Returns the status of the
// failed world with the lowest index; the others are stepped regardless, and tot_worlds_status has
// the status of each.
TOT_API tot_status tot_worlds_step(tot_worlds *worlds, const float *actions);

// [count x tot_worlds_width()], then [count] each; overwritten by reset and step.
TOT_API const double *tot_worlds_observations(const tot_worlds *worlds);
TOT_API const double *tot_worlds_rewards(const tot_worlds *worlds);
TOT_API const bool *tot_worlds_success(const tot_worlds *worlds);
TOT_API const bool *tot_worlds_done(const tot_worlds *worlds);
TOT_API const tot_status *tot_worlds_status(const tot_worlds *worlds);

// worlds may be NULL.
TOT_API void tot_worlds_free(tot_worlds *worlds);

#ifdef __cplusplus
}
#endif
#endif

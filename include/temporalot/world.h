// temporalot/world.h - Meta-world's tasks on MuJoCo, digit for digit those of the Python package
// metaworld 3.1.1: a task is loaded once and shared, a world is one thread's copy of its scene.
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
    TOT_ACTION = 4,        // the hand's move in x, y, z (1 is a hundredth of a metre a frame), grip
    TOT_OBSERVATION = 39,  // 18 numbers now, the same 18 one frame earlier, the goal's position
    TOT_MAX_DRAW = 6,      // the longest rand_vec
    TOT_GOALS = 50         // goals that a benchmark of Meta-world gives each task
};

// --- what must be installed --------------------------------------------------------------------

// Loads MuJoCo 3.3.0: from MUJOCO_DIR where that is set, else from third_party/, else from where
// the system looks. path and version may be NULL; what they are given lives as long as the process.
// TOT_E_MISSING says where it was looked for and what mends it.
TOT_API tot_status tot_mujoco_check(const char **path, const char **version);

// Finds Meta-world's scenes: in METAWORLD_DIR where that is set, else in third_party/. folder (may
// be NULL) is given the folder that holds sawyer_xyz/; it is the calling thread's until its next
// call. TOT_E_MISSING as above.
TOT_API tot_status tot_scenes_check(const char **folder);

// --- the table of tasks ------------------------------------------------------------------------

typedef struct tot_task_info {
    const char *name;               // "door-open"
    const char *scene;              // the scene's file, below the folder of scenes
    const char *camera;             // the paper's camera for this task
    int horizon;                    // frames per episode, in the paper
    bool hold;                      // the expert ends in success more often when it stops there
    bool lift;                      // and when the hand lets go: it rises by 10 cm, then stops
    int draw_length;                // numbers in rand_vec: 3 (object) or 6 (object, goal)
    double draw_low[TOT_MAX_DRAW];  // the reset box: rand_vec is uniform in it
    double draw_high[TOT_MAX_DRAW];
    double draw_distance;  // object and goal nearer than this (in x, y) are drawn again
} tot_task_info;

TOT_API size_t tot_task_count(void);

// In the order of their names. index is below tot_task_count().
TOT_API const tot_task_info *tot_task_at(size_t index);

// TOT_E_ARGUMENT when there is no task of that name; the text suggests the nearest.
TOT_API tot_status tot_task_find(const tot_task_info **info, const char *name);

// --- Meta-world's benchmarks --------------------------------------------------------------------

// A family of tasks that are learned together. MT1 and ML1 are any one task: see tot_task_goals.
typedef struct tot_family {
    const char *name;          // MT10, MT25, MT50, ML10-train, ML10-test, ML25-..., ML45-...
    const char *const *tasks;  // [count]: names, in Meta-world's order
    size_t count;
    bool goal_hidden;  // in Meta-world: the ML families'
} tot_family;

TOT_API size_t tot_family_count(void);

// index is below tot_family_count().
TOT_API const tot_family *tot_family_at(size_t index);

// TOT_E_ARGUMENT when there is none of that name.
TOT_API tot_status tot_family_find(const tot_family **family, const char *name);

// The goals that Meta-world's MT1(task, seed) draws: goals is [TOT_GOALS x TOT_MAX_DRAW], written;
// a row is a rand_vec for tot_world_reset_to, zeros behind the task's draw_length. They lie in
// Meta-world's own reset box (metaworld_box). ML1 has those of seed to train, of seed + 1 to test.
TOT_API tot_status tot_task_goals(const char *task, uint32_t seed, double *goals);

// The goals that Meta-world's MT10(seed) and so on draw, which go on from one task to the next:
// goals is [count x TOT_GOALS x TOT_MAX_DRAW], written.
TOT_API tot_status tot_family_goals(const tot_family *family, uint32_t seed, double *goals);

// --- a task: immutable once loaded, shared by any number of worlds and threads -----------------

typedef struct tot_task tot_task;

typedef struct tot_task_settings {
    bool metaworld_box;  // Meta-world's own reset box where the paper's is narrower (basketball)
    int reward_version;  // Meta-world's reward_function_version: 1 or 2; 0: 2
} tot_task_settings;

// The paper's: metaworld_box is false, reward_version 2.
TOT_API void tot_task_defaults(tot_task_settings *settings);

// Loads the task's scene. settings may be NULL (defaults). Fails with TOT_E_ARGUMENT (no such
// task), TOT_E_MISSING (MuJoCo or the scene is not installed), TOT_E_FORMAT (a damaged scene).
TOT_API tot_status tot_task_load(tot_task **task, const char *name,
                                 const tot_task_settings *settings);

// Loads several tasks at once, on the threads of a pool (NULL: on the caller's). tasks: [count],
// written; all NULL on failure. Free each with tot_task_free.
TOT_API tot_status tot_tasks_load(tot_task **tasks, const char *const *names, size_t count,
                                  const tot_task_settings *settings, tot_pool *pool);

// With the reset box of the task's settings.
TOT_API const tot_task_info *tot_task_information(const tot_task *task);

// The draw of an episode: rand_vec is [draw_length], written. A function of seed and episode alone
// (the stream "environment", numbered by the episode).
TOT_API void tot_task_draw(const tot_task *task, uint64_t seed, uint64_t episode, double *rand_vec);

// Whether a world can be reset to this draw. TOT_E_SHAPE for a wrong length, TOT_E_VALUE for NaN,
// TOT_E_ARGUMENT outside the box or with object and goal too near each other.
TOT_API tot_status tot_task_check_draw(const tot_task *task, const double *rand_vec, size_t length);

// Meta-world's scripted policy. observation: [TOT_OBSERVATION]; action: [TOT_ACTION], written, not
// clipped to -1 .. 1.
TOT_API void tot_task_expert(const tot_task *task, const double *observation, float *action);

// All of its worlds must be gone. task may be NULL.
TOT_API void tot_task_free(tot_task *task);

// --- a world: one scene in motion, used by one thread at a time --------------------------------

typedef struct tot_world tot_world;

typedef struct tot_world_settings {
    int action_repeat;  // frames per step, 1 or more
    int horizon;        // frames per episode; 0: the task's
    bool goal_hidden;   // the goal's position is zeros in observations, as Meta-world's ML has it
} tot_world_settings;

// action_repeat 1, the task's horizon, the goal in sight.
TOT_API void tot_world_defaults(tot_world_settings *settings);

// settings may be NULL (defaults). The world must be reset before its first step.
TOT_API tot_status tot_world_create(tot_world **world, const tot_task *task,
                                    const tot_world_settings *settings);

// Starts the episode with this number of this seed. What happened before in this world, and how
// many worlds there are, makes no difference.
TOT_API tot_status tot_world_reset(tot_world *world, uint64_t seed, uint64_t episode);

// Starts an episode from a given draw, which must pass tot_task_check_draw.
TOT_API tot_status tot_world_reset_to(tot_world *world, const double *rand_vec, size_t length);

// One step: action_repeat frames, or fewer when the horizon comes first. action: [TOT_ACTION];
// what lies outside -1 .. 1 is clipped. TOT_E_VALUE: NaN or infinity, nothing moved.
// TOT_E_ARGUMENT: the world was not reset, or the episode is over. TOT_E_PHYSICS: the simulation
// diverged; the episode is over, and the observation stays the last good one.
TOT_API tot_status tot_world_step(tot_world *world, const float *action);

// The same for an action in double precision, which numpy scales in double precision: the two
// differ in the tenth digit, as float32 and float64 actions do in the Python package.
TOT_API tot_status tot_world_step_double(tot_world *world, const double *action);

// The newest observation: [TOT_OBSERVATION], the world's own memory, rewritten by reset and step.
TOT_API const double *tot_world_observation(const tot_world *world);

// Meta-world's info dictionary. In Python some of these are truth values: they are 0 and 1 here.
typedef struct tot_world_info {
    double success;
    double near_object;
    double grasp_success;
    double grasp_reward;
    double in_place_reward;
    double obj_to_target;
    double unscaled_reward;  // the dense reward of the frame
} tot_world_info;

enum { TOT_WORLD_INFO = 7 };  // numbers in a tot_world_info

// The name of the number at this index of tot_world_info, as in Python: "success", "near_object",
// ... NULL past the last.
TOT_API const char *tot_world_info_name(size_t index);

// The dense reward of the newest step: the sum over its frames, as wrappers that repeat actions add
// it up. 0 after a reset and when the simulation diverged.
TOT_API double tot_world_reward(const tot_world *world);

// What Meta-world says of the newest frame; zeros after a reset. The world's own memory.
TOT_API const tot_world_info *tot_world_information(const tot_world *world);

TOT_API bool tot_world_success(const tot_world *world);  // at the last frame
TOT_API bool tot_world_done(const tot_world *world);     // the horizon came, or it diverged
TOT_API int tot_world_frames(const tot_world *world);    // since the reset
TOT_API int tot_world_horizon(const tot_world *world);   // in frames
TOT_API const tot_task *tot_world_task(const tot_world *world);

// Steps an episode takes: the horizon divided by the action repeat, rounded up.
TOT_API int tot_world_steps(const tot_world *world);

// The draw of this episode: [draw_length], the world's own memory.
TOT_API const double *tot_world_draw(const tot_world *world);

// tot_task_expert for the newest observation; it sees the goal even where it is hidden.
TOT_API void tot_world_expert(const tot_world *world, float *action);

// world may be NULL.
TOT_API void tot_world_free(tot_world *world);

// --- a world's state ---------------------------------------------------------------------------

// Bytes that tot_world_save writes: the same for all worlds of a task.
TOT_API size_t tot_world_state_size(const tot_world *world);

// Writes the world's whole state: physics with its warm start, mocap, what the reset moved, both
// frames of the observation, counters, random stream. size is tot_world_state_size() or more.
TOT_API tot_status tot_world_save(const tot_world *world, void *state, size_t size);

// Puts the world where the saved one was: it continues bit for bit, in this process or another,
// with the same task and settings (TOT_E_ARGUMENT when they differ, TOT_E_FORMAT when the bytes
// are not a whole state; the world is then as it was).
TOT_API tot_status tot_world_restore(tot_world *world, const void *state, size_t size);

// --- many worlds at once -----------------------------------------------------------------------

typedef struct tot_worlds tot_worlds;

// count worlds of a task, run by the threads of pool (may be NULL: the caller's alone), which must
// outlive them. All memory is taken here.
TOT_API tot_status tot_worlds_create(tot_worlds **worlds, const tot_task *task,
                                     const tot_world_settings *settings, size_t count,
                                     tot_pool *pool);

// Worlds of several tasks: tasks is [count], one task for each world, and all of them must outlive
// the worlds. With settings->horizon 0 each has its task's. identities (may be NULL) is [count],
// each below identity_count: the rows of tot_worlds_observations then end in a one-hot task
// identity of that width, as Meta-world's OneHotWrapper appends it.
TOT_API tot_status tot_worlds_create_mixed(tot_worlds **worlds, const tot_task *const *tasks,
                                           const tot_world_settings *settings, size_t count,
                                           const size_t *identities, size_t identity_count,
                                           tot_pool *pool);

TOT_API size_t tot_worlds_count(const tot_worlds *worlds);

// Numbers in a row of tot_worlds_observations: TOT_OBSERVATION and the width of the identity.
TOT_API size_t tot_worlds_width(const tot_worlds *worlds);

// One of them, for what is not here. After a reset, restore or step of its own,
// tot_worlds_observations shows the change only after the next call for all.
TOT_API tot_world *tot_worlds_at(tot_worlds *worlds, size_t index);

// World k starts episode first + k of this seed.
TOT_API tot_status tot_worlds_reset(tot_worlds *worlds, uint64_t seed, uint64_t first);

// World k starts an episode from draws + k x TOT_MAX_DRAW, of which it takes its task's
// draw_length.
TOT_API tot_status tot_worlds_reset_to(tot_worlds *worlds, const double *draws);

// One step of every world that is not done. actions: [count x TOT_ACTION]. Returns the status of
// the first world (lowest index) that failed; the others were stepped all the same, and
// tot_worlds_status has each one's.
TOT_API tot_status tot_worlds_step(tot_worlds *worlds, const float *actions);

// [count x tot_worlds_width()], then [count] each; rewritten by reset and step.
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

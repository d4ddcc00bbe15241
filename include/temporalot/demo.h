// temporalot/demo.h - what happened in an episode, recorded and kept in files: trajectories,
// policies to record, and demonstrations by Meta-world's scripted experts.
//
//     #include <stdio.h>
//     #include <temporalot/demo.h>
//
//     int main(void) {
//         tot_task *task = NULL;
//         tot_recording demos = {0};
//         tot_collect_settings settings;
//         tot_collect_defaults(&settings);
//         tot_status status = tot_task_load(&task, "door-open", NULL);
//         status = status != TOT_OK ? status : tot_collect(&demos, task, &settings);
//         status = status != TOT_OK ? status : tot_recording_save(&demos, "door-open.npz");
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         printf("%zu demonstrations\n", demos.count);
//         tot_recording_free(&demos);
//         tot_task_free(task);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_DEMO_H
#define TEMPORALOT_DEMO_H

#include <temporalot/base.h>
#include <temporalot/file.h>
#include <temporalot/picture.h>
#include <temporalot/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- policies ----------------------------------------------------------------------------------

// What acts. One of the two functions is given; act_double steps the world in double precision
// (tot_world_step_double). action: [TOT_ACTION], written. step counts from 0 in every episode.
typedef struct tot_policy {
    tot_status (*act)(void *context, const tot_world *world, int64_t step, float *action);
    tot_status (*act_double)(void *context, const tot_world *world, int64_t step, double *action);
    void *context;
} tot_policy;

TOT_API tot_policy tot_policy_expert(void);  // Meta-world's scripted policy, clipped to -1 .. 1
TOT_API tot_policy tot_policy_zero(void);    // stands still, with the gripper at rest

// The scripted policy that may stop after its first success: see tot_hold. {.hold = true} to begin.
typedef struct tot_expert {
    bool hold;
    int after;   // frames for which it goes on after its first success before it holds
    int since;   // the frame of the first success, 0: none yet
    float grip;  // the last effort that it sent
} tot_expert;

// expert is the caller's, must outlive the policy, and may be used for one episode after another.
TOT_API tot_policy tot_policy_holding(tot_expert *expert);

// Uniform in -1 .. 1. The stream is the caller's, and must outlive the policy.
TOT_API tot_policy tot_policy_random(tot_random *random);

// Row k of actions at step k. actions: steps x TOT_ACTION, float32 or float64 (then in double
// precision); the caller's, checked with tot_actions_check. TOT_E_ARGUMENT past the last row.
TOT_API tot_policy tot_policy_replay(const tot_array *actions);

// TOT_E_SHAPE when it is not steps x TOT_ACTION, TOT_E_UNSUPPORTED when it is not of floats,
// TOT_E_VALUE for NaN or infinity (step and column are named). name is for the error text.
TOT_API tot_status tot_actions_check(const tot_array *actions, const char *name);

// --- an episode --------------------------------------------------------------------------------

// Told how the world is before the first step (step 0, action NULL) and after each (step 1, 2, ...
// with the action that led there, [TOT_ACTION]). What is not TOT_OK ends the episode.
typedef tot_status (*tot_step_callback)(void *context, const tot_world *world, int64_t step,
                                        const float *action);

// Plays an episode from where a reset put the world: `steps` agent steps, or to its end where that
// comes first or steps is -1. A step is action_repeat frames of the world. after may be NULL.
// Failures of the policy and of tot_world_step name the step; those of `after` are returned as they
// are.
TOT_API tot_status tot_play(tot_world *world, const tot_policy *policy, int64_t steps,
                            tot_step_callback after, void *context);

// --- one trajectory ----------------------------------------------------------------------------

// Step k leads from observation k to observation k + 1: actions[k] was chosen at observation k,
// success[k] is that of observation k + 1. {0} is an empty one.
typedef struct tot_trajectory {
    int64_t steps;
    double *observations;  // [steps + 1][TOT_OBSERVATION]
    float *actions;        // [steps][TOT_ACTION]
    uint8_t *success;      // [steps], 0 or 1
    double *rewards;       // [steps], Meta-world's dense ones (tot_world_reward); NULL: not known
    double *info;          // [TOT_WORLD_INFO][steps], of the last frame of a step; NULL: not known
    double rand_vec[TOT_MAX_DRAW];
    int draw_length;
    // uint8, [steps or steps + 1][height][width][3]: picture k shows observation k, or k + 1 where
    // tot_recording_meta.frames_after says so. data is NULL when there are none.
    tot_array frames;
    int64_t seed;      // where the draw came from; -1: it was given
    int64_t episode;   // of that seed; -1: the draw was given
    int64_t attempts;  // episodes it took to get this one: 1 where none was discarded
} tot_trajectory;

// Plays an episode to its end (tot_play; after may be NULL) and records it. seed and episode are
// set to -1, attempts to 1: a world does not tell. trajectory is {0} or one used before; on failure
// it is empty.
TOT_API tot_status tot_trajectory_record(tot_trajectory *trajectory, tot_world *world,
                                         const tot_policy *policy, tot_step_callback after,
                                         void *context);

// Copies steps 0, every, 2 every, ...: their observations, actions and pictures, and the very last
// observation. success[k] and info are those of observation k + 1 again, so the last one stays the
// last; a reward is the sum over the steps that became one.
TOT_API tot_status tot_trajectory_thin(tot_trajectory *out, const tot_trajectory *whole,
                                       int64_t every);

TOT_API int64_t tot_trajectory_first_success(const tot_trajectory *trajectory);  // step, or -1
TOT_API bool tot_trajectory_succeeded(const tot_trajectory *trajectory);         // at the end

// trajectory may be NULL or empty.
TOT_API void tot_trajectory_free(tot_trajectory *trajectory);

// --- trajectories in a file --------------------------------------------------------------------

enum { TOT_META_TEXT = 384 };

// What holds for all trajectories of a file: its `meta`, a JSON text.
typedef struct tot_recording_meta {
    char task[TOT_META_TEXT];
    char policy[TOT_META_TEXT];     // who acted: "expert", "random", "zero", "file", ...
    char camera[TOT_META_TEXT];     // the task's
    bool upright;                   // pictures were turned by 180 degrees, and stand upright
    bool frames_after;              // picture k was taken after step k (episodes of an agent), not
                                    // before it (demonstrations)
    int64_t action_repeat;          // frames between two observations, before speed
    int64_t horizon;                // frames of the episode
    bool hold;                      // the hand stopped after the first success
    int64_t speed;                  // only every speed-th step was kept
    bool metaworld_box;             // draws from Meta-world's own box where the paper's is narrower
    char mujoco[TOT_META_TEXT];     // versions
    char metaworld[TOT_META_TEXT];  // "": not known
    char renderer[TOT_META_TEXT];   // tot_renderer_text; "": there are no pictures
    double crop[TOT_MAX_VIEWS][4];  // of the camera's picture, by view; all 0: all of it
    char program[TOT_META_TEXT];    // of this library
} tot_recording_meta;

// One or more trajectories of one task. {0} is an empty one.
typedef struct tot_recording {
    tot_recording_meta meta;
    tot_trajectory *trajectories;  // [count]
    size_t count;
    size_t capacity;
} tot_recording;

// Fills in what is known of the task, and the versions found. speed 1, no hold, no pictures.
// settings is the world's, may be NULL (defaults).
TOT_API tot_status tot_recording_describe(tot_recording_meta *meta, const tot_task *task,
                                          const tot_world_settings *settings, const char *policy);

// Notes what draws the pictures of a recording: camera, upright, renderer, frames_after. After
// tot_recording_describe. settings are those of the renderer.
TOT_API void tot_recording_describe_pictures(tot_recording_meta *meta,
                                             const tot_picture_settings *settings,
                                             const tot_renderer *renderer, bool frames_after);

// Moves a trajectory into the recording: the caller's is empty afterwards, and as it was on
// failure.
TOT_API tot_status tot_recording_add(tot_recording *recording, tot_trajectory *trajectory);

// Writes an .npz: observations (float64), actions (float32), success (uint8), rand_vec (float64),
// frames where there are any, and meta. With several trajectories the names of the arrays end in
// _0, _1, ... Whole or absent.
TOT_API tot_status tot_recording_save(const tot_recording *recording, const char *path);

// Reads what tot_recording_save writes, and trusts none of it: missing arrays, other shapes or
// types, NaN and damaged meta are errors of one line that name file and field. recording is {0} or
// one used before; on failure it is empty.
TOT_API tot_status tot_recording_load(tot_recording *recording, const char *path);

// The same from memory. name is for the error text.
TOT_API tot_status tot_recording_parse(tot_recording *recording, const void *bytes, size_t size,
                                       const char *name);

// How many of the fields that must agree for two recordings to be used together differ: task,
// camera, upright, action_repeat, horizon, mujoco, metaworld, and renderer where both have
// pictures. text (may be NULL) is given them, at most size bytes: "task (push, not door-open),
// camera (...)".
TOT_API int tot_recording_differences(const tot_recording_meta *found,
                                      const tot_recording_meta *wanted, char *text, size_t size);

// recording may be NULL or empty.
TOT_API void tot_recording_free(tot_recording *recording);

// --- demonstrations ----------------------------------------------------------------------------

typedef enum tot_hold {
    TOT_HOLD_AUTO,  // as the task says (tot_task_info.hold)
    TOT_HOLD_ON,    // after the first success the hand stops (tot_task_info.lift: lets go, then
                    // stops); the grip stays
    TOT_HOLD_OFF,   // the expert goes on
} tot_hold;

enum { TOT_DEMO_REPEAT = 2 };  // frames between two kept observations: the paper's action repeat

typedef struct tot_collect_settings {
    int64_t count;  // demonstrations, 1 or more
    uint64_t seed;  // attempt k is episode k of this seed
    int64_t speed;  // 1 or more: keeps every speed-th step of a demonstration
    tot_hold hold;
    int64_t attempts;  // gives up after this many without a success at the last step
    // Of so many episodes that end in success the steadiest is kept: the one whose actions, played
    // again with noise on the hand, end in success most often. 0 or 1: the first is kept.
    int64_t choose;
    // How to draw the kept observations, one picture before each kept action; NULL: not at all.
    // [views] of one size; several stand one below the other in a frame.
    const tot_picture_settings *pictures;
    int views;  // 0: as 1
    // Looks that are `fitted` show where hand and objects go in all demonstrations together, with
    // so many metres around them (tot_view_fit); recording->meta.crop says what came out.
    double fit_margin;
    tot_pool *pool;  // shares the work of a picture; may be NULL
    // Called after every attempt; may be NULL. False stops, with TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t attempts, int64_t found);
    void *progress_context;
} tot_collect_settings;

// Two of seed 0, speed 1, hold auto, 300 attempts each, 5 cm around what a fitted view shows.
TOT_API void tot_collect_defaults(tot_collect_settings *settings);

// Runs the scripted expert and keeps episodes whose last frame is a success, thinned: every second
// observation (63 of 125 frames, 88 of 175), the one before the action, with that action; then
// every speed-th of those; then the last observation of all. TOT_E_ATTEMPTS when it gave up, with
// task, attempts and success rate. recording is {0} or one used before; on failure it is empty.
TOT_API tot_status tot_collect(tot_recording *recording, const tot_task *task,
                               const tot_collect_settings *settings);

#ifdef __cplusplus
}
#endif
#endif

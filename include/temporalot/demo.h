// temporalot/demo.h - recorded episodes: trajectories and their files, policies to record, and
// demonstrations by Meta-world's scripted experts.
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

// A policy. Exactly one of the two functions is set; with act_double the world is stepped in double
// precision (tot_world_step_double). action: [TOT_ACTION], written. step counts from 0 in each
// episode.
typedef struct tot_policy {
    tot_status (*act)(void *context, const tot_world *world, int64_t step, float *action);
    tot_status (*act_double)(void *context, const tot_world *world, int64_t step, double *action);
    void *context;
} tot_policy;

TOT_API tot_policy tot_policy_expert(void);  // Meta-world's scripted policy, clipped to -1 .. 1
TOT_API tot_policy tot_policy_zero(void);    // no movement, gripper at rest

// The scripted policy, optionally holding still after its first success: see tot_hold. Initialise
// with {.hold = true}.
typedef struct tot_expert {
    bool hold;
    int after;   // frames to continue after the first success before holding
    int since;   // frame of the first success; 0: none yet
    float grip;  // the last gripper effort it sent
} tot_expert;

// expert is owned by the caller, must outlive the policy, and can be reused for further episodes.
TOT_API tot_policy tot_policy_holding(tot_expert *expert);

// Uniform in -1 .. 1. random is owned by the caller and must outlive the policy.
TOT_API tot_policy tot_policy_random(tot_random *random);

// Plays row k of actions at step k. actions: steps x TOT_ACTION, float32, or float64 for steps in
// double precision; owned by the caller, checked with tot_actions_check. TOT_E_ARGUMENT past the
// last row.
TOT_API tot_policy tot_policy_replay(const tot_array *actions);

// TOT_E_SHAPE if actions is not steps x TOT_ACTION, TOT_E_UNSUPPORTED if it is not floating point,
// TOT_E_VALUE for NaN or infinity (the message names step and column). name is used in error
// messages.
TOT_API tot_status tot_actions_check(const tot_array *actions, const char *name);

// --- an episode --------------------------------------------------------------------------------

// Called before the first step (step 0, action NULL) and after each step (step 1, 2, ... with the
// action that was taken, [TOT_ACTION]). A status other than TOT_OK ends the episode.
typedef tot_status (*tot_step_callback)(void *context, const tot_world *world, int64_t step,
                                        const float *action);

// Plays an episode in a world that has been reset: `steps` agent steps, or to the end of the
// episode if that comes first or steps is -1. A step is action_repeat frames of the world. after
// may be NULL. Errors of the policy and of tot_world_step are prefixed with the step; those of
// `after` are returned unchanged.
TOT_API tot_status tot_play(tot_world *world, const tot_policy *policy, int64_t steps,
                            tot_step_callback after, void *context);

// --- one trajectory ----------------------------------------------------------------------------

// Step k leads from observation k to observation k + 1: actions[k] was chosen at observation k,
// success[k] belongs to observation k + 1. {0} is an empty trajectory.
typedef struct tot_trajectory {
    int64_t steps;
    double *observations;  // [steps + 1][TOT_OBSERVATION]
    float *actions;        // [steps][TOT_ACTION]
    uint8_t *success;      // [steps], 0 or 1
    double *rewards;       // [steps], Meta-world's dense rewards (tot_world_reward); NULL: unknown
    double *info;          // [TOT_WORLD_INFO][steps], info of the last frame of each step; NULL:
                           // unknown
    double rand_vec[TOT_MAX_DRAW];
    int draw_length;
    // uint8, [steps or steps + 1][height][width][3]: picture k shows observation k, or k + 1 if
    // tot_recording_meta.frames_after is set. data is NULL without pictures.
    tot_array frames;
    int64_t seed;      // seed of the draw; -1: the draw was given
    int64_t episode;   // episode of that seed; -1: the draw was given
    int64_t attempts;  // episodes played to get this one: 1 if none was discarded
} tot_trajectory;

// Plays an episode to its end (tot_play; after may be NULL) and records it. seed and episode are
// set to -1 and attempts to 1, because the world does not know them. trajectory is {0} or
// previously used; on failure it is empty.
TOT_API tot_status tot_trajectory_record(tot_trajectory *trajectory, tot_world *world,
                                         const tot_policy *policy, tot_step_callback after,
                                         void *context);

// Subsamples a trajectory: copies steps 0, every, 2 every, ... with their observations, actions and
// pictures, and the last observation. success[k] and info still belong to observation k + 1, so the
// last ones are kept; a reward is the sum over the merged steps.
TOT_API tot_status tot_trajectory_thin(tot_trajectory *out, const tot_trajectory *whole,
                                       int64_t every);

TOT_API int64_t tot_trajectory_first_success(const tot_trajectory *trajectory);  // step, or -1
TOT_API bool tot_trajectory_succeeded(const tot_trajectory *trajectory);         // at its last step

// trajectory may be NULL or empty.
TOT_API void tot_trajectory_free(tot_trajectory *trajectory);

// --- trajectories in a file --------------------------------------------------------------------

enum { TOT_META_TEXT = 384 };

// Properties shared by all trajectories of a file: its `meta`, a JSON string.
typedef struct tot_recording_meta {
    char task[TOT_META_TEXT];
    char policy[TOT_META_TEXT];     // which policy: "expert", "random", "zero", "file", ...
    char camera[TOT_META_TEXT];     // the task's camera
    bool upright;                   // pictures were rotated by 180 degrees to stand upright
    bool frames_after;              // picture k was taken after step k (episodes of an agent), not
                                    // before it (demonstrations)
    int64_t action_repeat;          // frames between two observations, before applying speed
    int64_t horizon;                // frames per episode
    bool hold;                      // the hand stopped after the first success
    int64_t speed;                  // only every speed-th step was kept
    bool metaworld_box;             // draws from Meta-world's own reset box where the paper's is
                                    // narrower
    char mujoco[TOT_META_TEXT];     // versions
    char metaworld[TOT_META_TEXT];  // "": unknown
    char renderer[TOT_META_TEXT];   // tot_renderer_text; "": no pictures
    double crop[TOT_MAX_VIEWS][4];  // crop of the camera's picture, per view; all 0: the whole
                                    // picture
    char program[TOT_META_TEXT];    // version of this library
} tot_recording_meta;

// One or more trajectories of one task. {0} is an empty recording.
typedef struct tot_recording {
    tot_recording_meta meta;
    tot_trajectory *trajectories;  // [count]
    size_t count;
    size_t capacity;
} tot_recording;

// Fills in the description of the task and the detected versions; speed 1, no hold, no pictures.
// settings are the world's; may be NULL (defaults).
TOT_API tot_status tot_recording_describe(tot_recording_meta *meta, const tot_task *task,
                                          const tot_world_settings *settings, const char *policy);

// Sets the fields that describe the pictures of a recording: camera, upright, renderer,
// frames_after. Call it after tot_recording_describe. settings are those of the renderer.
TOT_API void tot_recording_describe_pictures(tot_recording_meta *meta,
                                             const tot_picture_settings *settings,
                                             const tot_renderer *renderer, bool frames_after);

// Moves a trajectory into the recording; the caller's struct is then empty. On failure it is
// unchanged.
TOT_API tot_status tot_recording_add(tot_recording *recording, tot_trajectory *trajectory);

// Writes an .npz atomically: observations (float64), actions (float32), success (uint8), rand_vec
// (float64), frames if there are any, and meta. With several trajectories the array names end in
// _0, _1, ...
TOT_API tot_status tot_recording_save(const tot_recording *recording, const char *path);

// Reads and fully validates a file of tot_recording_save: missing arrays, wrong shapes or types,
// NaN and damaged meta give a one-line error that names file and field. recording is {0} or
// previously used; on failure it is empty.
TOT_API tot_status tot_recording_load(tot_recording *recording, const char *path);

// The same from memory. name is used in error messages.
TOT_API tot_status tot_recording_parse(tot_recording *recording, const void *bytes, size_t size,
                                       const char *name);

// Compares the fields that must agree for two recordings to be used together: task, camera,
// upright, action_repeat, horizon, mujoco, metaworld, and renderer if both have pictures. Returns
// how many differ. text (may be NULL) receives their list, at most size bytes: "task (push, not
// door-open), camera (...)".
TOT_API int tot_recording_differences(const tot_recording_meta *found,
                                      const tot_recording_meta *wanted, char *text, size_t size);

// recording may be NULL or empty.
TOT_API void tot_recording_free(tot_recording *recording);

// --- demonstrations ----------------------------------------------------------------------------

typedef enum tot_hold {
    TOT_HOLD_AUTO,  // the task's default (tot_task_info.hold)
    TOT_HOLD_ON,    // after the first success the hand stops (with tot_task_info.lift: rises by 10
                    // cm, then stops); the gripper effort is kept
    TOT_HOLD_OFF,   // the expert continues
} tot_hold;
#define TOT_HOLD_WORDS "auto|on|off"

enum {
    TOT_DEMO_REPEAT = 2
};  // frames between two recorded observations: the paper's action
    // repeat

typedef struct tot_collect_settings {
    int64_t count;  // demonstrations, 1 or more
    uint64_t seed;  // attempt k plays episode k of this seed
    int64_t speed;  // 1 or more: keeps only every speed-th step of a demonstration
    tot_hold hold;
    int64_t attempts;  // attempts per demonstration before giving up
    // Of this many episodes that end in success, keeps the most robust: the one whose actions,
    // replayed with noise on the hand, end in success most often. 0 or 1: keeps the first.
    int64_t choose;
    // How to draw the recorded observations, one picture before each recorded action; NULL: no
    // pictures. [views], all of the same size; several views are stacked vertically in a frame.
    const tot_picture_settings *pictures;
    int views;  // 0 means 1
    // Views with `fitted` set show the region where hand and objects move in all demonstrations,
    // plus this margin in metres (tot_view_fit); recording->meta.crop receives the result.
    double fit_margin;
    tot_pool *pool;  // splits the drawing of a picture; may be NULL
    // Called after every attempt; may be NULL. Returning false stops with TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t attempts, int64_t found);
    void *progress_context;
} tot_collect_settings;

// Two demonstrations of seed 0, speed 1, hold auto, 300 attempts each, a margin of 5 cm for fitted
// views.
TOT_API void tot_collect_defaults(tot_collect_settings *settings);

// Runs the scripted expert and keeps the episodes whose last frame is a success. They are
// subsampled: every second observation (63 of 125 frames, 88 of 175), the one before the action,
// with that action; then every speed-th of those; then the last observation of the episode.
// TOT_E_ATTEMPTS if it gave up; the message gives task, attempts and success rate. recording is {0}
// or previously used; on failure it is empty.
TOT_API tot_status tot_collect(tot_recording *recording, const tot_task *task,
                               const tot_collect_settings *settings);

#ifdef __cplusplus
}
#endif
#endif

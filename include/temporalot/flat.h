// temporalot/flat.h - the library for other languages: opaque handles, settings as text, arrays
// owned by the caller. No struct has to be mirrored; the Python package is built on this header.
//
//     #include <stdio.h>
//     #include <temporalot/flat.h>
//
//     int main(void) {
//         const double expert[3][2] = {{1, 0}, {1, 1}, {0, 1}};
//         const float agent[3][2] = {{1, 0}, {1, 0.5f}, {1, 1}};
//         const void *episodes[] = {agent};
//         const int64_t steps[] = {3};
//         const int bytes[] = {sizeof(float)};
//         float rewards[3];
//         float *out[] = {rewards};
//         tot_flat_labeler *labeler = NULL;
//         tot_status status = tot_flat_labeler_create(&labeler, "temporalot", "context=1\n", 1);
//         status = status != TOT_OK
//                      ? status
//                      : tot_flat_labeler_add(labeler, expert, sizeof(double), 3, 2, "expert");
//         status = status != TOT_OK ? status
//                                   : tot_flat_label(labeler, 1, episodes, bytes, steps, 2, out,
//                                                    NULL, NULL, NULL, NULL, NULL);
//         printf("%s\n", status == TOT_OK ? "labelled" : tot_error());
//         tot_flat_labeler_free(labeler);
//         return status != TOT_OK;
//     }
//
// Settings are lines of `name=value`, each ending in a newline; NULL means none. '-' and '_' are
// equivalent in names. threads is 1 or more, or 0 for one per CPU. `bytes` is the element size of
// an array: 4 for float32, 8 for float64. Handles can be used after a fork: their threads are
// restarted in the child. One call at a time per handle.
#ifndef TEMPORALOT_FLAT_H
#define TEMPORALOT_FLAT_H

#include <temporalot/base.h>
#include <temporalot/page.h>

#ifdef __cplusplus
extern "C" {
#endif

// The name of a status, such as "argument" for TOT_E_ARGUMENT; NULL past the end.
TOT_API const char *tot_flat_status_name(int status);

// --- rewards -----------------------------------------------------------------------------------

typedef struct tot_flat_labeler tot_flat_labeler;

// settings: those of reward.h, and scale=auto (the first episode is labelled with scale 1 and
// determines the scale of all others).
TOT_API tot_status tot_flat_labeler_create(tot_flat_labeler **labeler, const char *method,
                                           const char *settings, int threads);

// Copies a demonstration, [steps][width]. None can be added after the first episode.
TOT_API tot_status tot_flat_labeler_add(tot_flat_labeler *labeler, const void *demo, int bytes,
                                        int64_t steps, int64_t width, const char *name);

TOT_API int64_t tot_flat_labeler_demos(const tot_flat_labeler *labeler);
TOT_API int64_t tot_flat_labeler_width(const tot_flat_labeler *labeler);
TOT_API int64_t tot_flat_labeler_steps(const tot_flat_labeler *labeler, int64_t demo);
TOT_API int64_t tot_flat_labeler_longest(const tot_flat_labeler *labeler);  // in steps
TOT_API bool tot_flat_labeler_has_plan(const tot_flat_labeler *labeler);

// Facts reported per episode, in this order: tot_flat_fact_name(0) is "demo".
TOT_API int tot_flat_fact_count(void);
TOT_API const char *tot_flat_fact_name(int index);  // NULL past the end

// Labels count episodes, in parallel if there are several threads. episodes[k] is
// [steps[k]][width], rewards[k] is [steps[k]], written. progress, costs, masks and plans may be
// NULL. progress[k] is [steps[k]], 0 to 1, as in tot_labeler_progress; costs[k] receives the matrix
// [steps[k]][steps of the winning demonstration] and must have space for the longest demonstration.
// facts (may be NULL): [count][tot_flat_fact_count()]. Error messages give the index of the
// episode.
TOT_API tot_status tot_flat_label(tot_flat_labeler *labeler, int64_t count,
                                  const void *const *episodes, const int *bytes,
                                  const int64_t *steps, int64_t width, float *const *rewards,
                                  float *const *progress, double *const *costs,
                                  double *const *masks, double *const *plans, double *facts);

// labeler may be NULL.
TOT_API void tot_flat_labeler_free(tot_flat_labeler *labeler);

// Name and one-line help of a method; NULL past the end.
TOT_API const char *tot_flat_method(size_t index);
TOT_API const char *tot_flat_method_help(size_t index);

// --- tasks -------------------------------------------------------------------------------------

TOT_API const char *tot_flat_task(size_t index);  // its name, NULL past the end

// A string property of a task: camera, scene. TOT_E_ARGUMENT for an unknown task or name.
TOT_API tot_status tot_flat_task_text(const char *task, const char *name, const char **text);

// A numeric property of a task: horizon, hold, draw_length, draw_low, draw_high, draw_distance.
// numbers: [capacity], written; *count receives how many there are. TOT_E_SHAPE if capacity is too
// small.
TOT_API tot_status tot_flat_task_numbers(const char *task, const char *name, double *numbers,
                                         int capacity, int *count);

// The benchmarks (tot_family) and the names of their tasks; NULL past the end or for an unknown
// benchmark.
TOT_API const char *tot_flat_family(size_t index);
TOT_API const char *tot_flat_family_task(const char *family, size_t index);

// --- environments ------------------------------------------------------------------------------

// Worlds of one task, or of the tasks of a benchmark, that are stepped together and write into the
// caller's arrays.
typedef struct tot_flat_envs tot_flat_envs;

// task: the name of a task or of a benchmark; in a benchmark, environment k plays task k modulo the
// number of tasks.
// settings: action_repeat, horizon, metaworld_box=off|on, reward=sparse|dense|none,
// reward_version=1|2 (of the dense reward), goal=observable|hidden,
// autoreset=next_step|same_step|disabled, terminate_on_success=off|on; for pictures camera, width,
// height, renderer=soft|gl, quality=full|fast, arm=drawn|hidden, upright=on|off, aspect, zoom,
// around_hand (metres), crop=LEFT,TOP,RIGHT,BOTTOM (fractions of the picture); for `input`
// observation=raw|shaped|relative and clock=off|on|waves, as in train.h. TOT_E_ARGUMENT: the
// message names the setting.
TOT_API tot_status tot_flat_envs_create(tot_flat_envs **envs, const char *task, int64_t count,
                                        const char *settings, int threads);

// Values per observation as the agent receives it: 39, or 34 if shaped, plus those of the clock.
TOT_API int64_t tot_flat_envs_input_width(const tot_flat_envs *envs);

// Sets the buffer for a result, by name: state (float64, [count][39]), input (float32,
// [count][tot_flat_envs_input_width()]), pixels (uint8, [count][height][width][3]), reward
// (float64, [count]), terminated, truncated, success, diverged, finished (uint8, [count]),
// final_state, final_input, final_pixels (as state, input and pixels: the end of an episode, if the
// next one started in the same step), frames (int64, [count]: since the reset), info (float64,
// [7][count]: the values named by tot_world_info_name).
// buffer NULL: not needed. size (bytes) is checked. Pictures are only drawn if needed.
TOT_API tot_status tot_flat_envs_bind(tot_flat_envs *envs, const char *name, void *buffer,
                                      size_t size);

// Starts episodes. chosen (may be NULL: all): [count], 0 skips an environment. seeds (may be NULL):
// [count], negative: the next episode of the current seed. draws (may be NULL): [count][length],
// the rand_vec to start from; for a benchmark length is TOT_MAX_DRAW, and a task that needs fewer
// values uses the first ones.
TOT_API tot_status tot_flat_envs_reset(tot_flat_envs *envs, const uint8_t *chosen,
                                       const int64_t *seeds, const double *draws, size_t length);

// actions: [count][4]. NaN or infinity: TOT_E_VALUE, and nothing moves. An episode whose physics
// diverges is over: truncated and diverged are set.
TOT_API tot_status tot_flat_envs_step(tot_flat_envs *envs, const void *actions, int bytes);

// The scripted expert's actions for the current states: [count][4], clipped to -1 .. 1.
TOT_API void tot_flat_envs_expert(const tot_flat_envs *envs, float *actions);

// The rand_vec of one environment: [draw_length].
TOT_API tot_status tot_flat_envs_draw_of(const tot_flat_envs *envs, int64_t index, double *draw);

// Draws one environment: rgb is [height][width][3], written.
TOT_API tot_status tot_flat_envs_picture(tot_flat_envs *envs, int64_t index, uint8_t *rgb);

// The complete state of one environment, including seed and episode: restoring it continues
// exactly, in this process or another. size is tot_flat_envs_state_size(), the same for all of
// envs.
TOT_API size_t tot_flat_envs_state_size(const tot_flat_envs *envs);
TOT_API tot_status tot_flat_envs_save(const tot_flat_envs *envs, int64_t index, void *state,
                                      size_t size);
TOT_API tot_status tot_flat_envs_restore(tot_flat_envs *envs, int64_t index, const void *state,
                                         size_t size);

// envs may be NULL.
TOT_API void tot_flat_envs_free(tot_flat_envs *envs);

// --- encoder -----------------------------------------------------------------------------------

typedef struct tot_flat_encoder tot_flat_encoder;

// weights: a file; NULL: the MobileNetV2 weights installed by set-up. settings: network, prefix,
// stride, size, batch, precision=f32|int8|bf16, pool=off|on, calibration; for ONNX: output,
// preprocess, mean, std.
TOT_API tot_status tot_flat_encoder_create(tot_flat_encoder **encoder, const char *weights,
                                           const char *settings, int threads);

TOT_API int64_t tot_flat_encoder_width(const tot_flat_encoder *encoder);
TOT_API int tot_flat_encoder_size(const tot_flat_encoder *encoder);  // pixels per side
TOT_API const char *tot_flat_encoder_text(const tot_flat_encoder *encoder);

// rgb: [count][height][width][3], resized to the encoder's size if needed; out:
// [count][tot_flat_encoder_width()], written.
TOT_API tot_status tot_flat_encode(tot_flat_encoder *encoder, const uint8_t *rgb, int64_t count,
                                   int width, int height, float *out);

// encoder may be NULL.
TOT_API void tot_flat_encoder_free(tot_flat_encoder *encoder);

// --- pages -------------------------------------------------------------------------------------

// A table. names, numeric: [columns]; cells: [rows][columns]; row_names (may be NULL): [rows],
// names that links can refer to; leads (may be NULL): [rows], the row name that the first cell of a
// row links to.
TOT_API tot_status tot_flat_page_table(tot_page *page, const char *title, size_t columns,
                                       const char *const *names, const uint8_t *numeric,
                                       size_t rows, const char *const *cells,
                                       const char *const *row_names, const char *const *leads);

// Rows of pictures, as in tot_page_add_frames. Every array is [rows]; sizes is [rows][4]: pictures,
// height, width, steps of the episode. Elements of steps, values and matches may be NULL.
TOT_API tot_status tot_flat_page_strip(tot_page *page, const char *title, size_t rows,
                                       const char *const *names, const uint8_t *const *frames,
                                       const int64_t *sizes, const size_t *const *steps,
                                       const double *const *values, const char *value_name,
                                       const int *const *matches);

// --- demonstrations and training ---------------------------------------------------------------

// Collects demonstrations into an .npz. settings: count, seed, speed, hold=auto|on|off, attempts,
// choose, pictures=off|on, view=camera|fitted|hand|both, view_margin and hand_margin (metres), and
// those for pictures above. progress (may be NULL): returning false stops.
TOT_API tot_status
tot_flat_collect(const char *path, const char *task, const char *settings, int threads,
                 bool (*progress)(void *context, int64_t attempts, int64_t found), void *context);

// Checks the settings of a run, and returns the value of one of them (name may be NULL) as text.
TOT_API tot_status tot_flat_train_setting(const char *preset, const char *settings,
                                          const char *name, char *text, size_t size);

// Trains to the end. resume: 0 starts a new run, 1 resumes exactly, 2 also with another build. ask
// (may be NULL) is called often: 0 continues, 1 saves a checkpoint, 2 stops with TOT_E_INTERRUPTED.
// progress (may be NULL): numbers are done, total, per_second, seconds_left, success_rate,
// episode_return.
TOT_API tot_status tot_flat_train(const char *folder, const char *preset, const char *settings,
                                  int threads, int resume, int (*ask)(void *context),
                                  void (*progress)(void *context, const char *doing,
                                                   const double *numbers),
                                  void *context);

// The value of a setting of the run in this folder, as text.
TOT_API tot_status tot_flat_run_setting(const char *folder, const char *name, char *text,
                                        size_t size);

// The trained policy of a run.
typedef struct tot_flat_policy tot_flat_policy;

TOT_API tot_status tot_flat_policy_load(tot_flat_policy **policy, const char *folder);
TOT_API int64_t tot_flat_policy_step(const tot_flat_policy *policy);  // agent steps

// The mean action. observations: [count][39] float32 or NULL; pictures: [count][9][pixels][pixels]
// or NULL, whichever the run was trained on; steps: [count] agent steps taken in the episode, NULL:
// all 0; actions: [count][4], written.
TOT_API tot_status tot_flat_policy_act(tot_flat_policy *policy, const float *observations,
                                       const uint8_t *pictures, const int64_t *steps, int64_t count,
                                       float *actions);

// policy may be NULL.
TOT_API void tot_flat_policy_free(tot_flat_policy *policy);

#ifdef __cplusplus
}
#endif
#endif

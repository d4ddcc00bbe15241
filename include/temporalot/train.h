// temporalot/train.h - training: an agent learns a task from demonstrations and is evaluated;
// checkpoints make sure that no work is lost.
//
//     #include <stdio.h>
//     #include <temporalot/train.h>
//
//     int main(void) {
//         tot_train_config config;
//         tot_train_defaults(&config);
//         tot_status status = tot_train_preset(&config, "quick");
//         status = status != TOT_OK ? status : tot_train_set(&config, "task", "window-open");
//         status = status != TOT_OK ? status : tot_train_set(&config, "cost_on", "state");
//         status = status != TOT_OK ? status : tot_train_check(&config);
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         // tot_train(&config, &(tot_train_options){.folder = "runs/first"}, NULL) would start it
//         printf("%lld agent steps\n", (long long)config.steps);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_TRAIN_H
#define TEMPORALOT_TRAIN_H

#include <temporalot/agent.h>
#include <temporalot/base.h>
#include <temporalot/demo.h>
#include <temporalot/reward.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- settings ----------------------------------------------------------------------------------

enum { TOT_TRAIN_TEXT = 1024 };  // maximum length of a text setting, including the terminating NUL

typedef char tot_train_text[TOT_TRAIN_TEXT];

// The setting obs.
enum { TOT_OBS_STATE, TOT_OBS_PIXELS };

// The setting observation.
enum { TOT_OBSERVATION_RAW, TOT_OBSERVATION_SHAPED, TOT_OBSERVATION_RELATIVE };

// The setting clock.
enum { TOT_CLOCK_OFF, TOT_CLOCK_ON, TOT_CLOCK_WAVES };

// The setting whiten.
enum { TOT_WHITEN_OFF, TOT_WHITEN_RANDOM };

// The setting end_value.
enum { TOT_END_BOOTSTRAP, TOT_END_ZERO };

// The setting cost_on.
enum { TOT_COST_ON_IMAGE, TOT_COST_ON_STATE };

// The setting demo_goal.
enum { TOT_DEMO_GOAL_ZERO, TOT_DEMO_GOAL_KEPT };

// The setting task_reward.
enum { TOT_TASK_REWARD_SPARSE, TOT_TASK_REWARD_DENSE };

// The settings of a run. Use the functions below to fill it, as they keep dependent settings
// consistent: context, mask and cost follow the method until they are set explicitly.
typedef struct tot_train_config {
#define TOT_FIELD_choice                                          int
#define TOT_FIELD_text                                            tot_train_text
#define TOT_PARAMETER(type, name, initial, low, high, role, help) TOT_FIELD_##type name;
#include <temporalot/train_parameters.def>
#undef TOT_PARAMETER
    tot_agent_config agent;
    tot_reward_config reward;
    tot_reward_config usual;  // of the reward, where the method does not override it
    bool context_given;       // set explicitly, so the method does not override them
    bool mask_given;
    bool cost_given;
} tot_train_config;

// The paper's settings.
TOT_API void tot_train_defaults(tot_train_config *config);

// Sets one setting of the run, the agent or the reward by name. '-' and '_' are equivalent.
// TOT_E_ARGUMENT for an unknown name (the message suggests the closest), an invalid value, or a
// value out of range.
TOT_API tot_status tot_train_set(tot_train_config *config, const char *name, const char *text);

// Reads a settings file: YAML, `name: value` per line. `preset: NAME` is applied first, wherever it
// is. Error messages give file and line.
TOT_API tot_status tot_train_load(tot_train_config *config, const char *path);

// "quick", "standard", "pixels" or "paper": files of configs/, compiled into the library.
TOT_API tot_status tot_train_preset(tot_train_config *config, const char *name);
TOT_API size_t tot_train_preset_count(void);
TOT_API const char *tot_train_preset_at(size_t index);  // its name; NULL past the last

// Checks what no single setting can tell: does the task exist, are the settings consistent?
TOT_API tot_status tot_train_check(const tot_train_config *config);

// The value of a setting as text, at most size bytes. TOT_E_ARGUMENT for an unknown name.
TOT_API tot_status tot_train_get(const tot_train_config *config, const char *name, char *text,
                                 size_t size);

// All settings of tot_train_set, in the order of config.yaml.
TOT_API size_t tot_train_parameter_count(void);
TOT_API const tot_parameter *tot_train_parameter_at(size_t index);

// --- methods -----------------------------------------------------------------------------------

// The training methods: the reward methods of reward.h, and those that are more than a reward.
typedef struct tot_train_method {
    const char *name;
    const char *help;    // one line
    const char *reward;  // name of its reward method; NULL: none
    bool task_reward;    // uses the environment's own reward: see the setting task_reward
    bool clones;         // starts with behaviour cloning
    bool acts;           // then interacts with the environment
    bool imitates;       // adds behaviour cloning to the actor's loss for as long as it helps
    bool discriminates;  // rewards come from GAIfO's discriminator
    bool schedules;      // the discount increases during training (ads.h)
    bool compares;       // compares episodes with demonstrations
} tot_train_method;

TOT_API size_t tot_train_method_count(void);

// index is below tot_train_method_count(). Valid until the calling thread's next call.
TOT_API const tot_train_method *tot_train_method_at(size_t index);

// TOT_E_ARGUMENT if there is no method of that name; the message suggests the closest.
TOT_API tot_status tot_train_method_find(tot_train_method *method, const char *name);

// --- a run -------------------------------------------------------------------------------------

typedef enum tot_resume {
    TOT_RESUME_NO,           // starts a new run; a folder that already holds one is rejected
    TOT_RESUME_EXACT,        // continues, with bitwise the same results as an uninterrupted run
    TOT_RESUME_APPROXIMATE,  // continues also with another version, build, CPU or thread count
} tot_resume;

typedef enum tot_train_command {
    TOT_TRAIN_GO,
    TOT_TRAIN_SAVE,  // write a checkpoint and continue
    TOT_TRAIN_STOP,  // write a checkpoint, then return TOT_E_INTERRUPTED
} tot_train_command;

// The state of a run.
typedef struct tot_train_progress {
    const char *doing;  // "demonstrations", "cloning", "training", "evaluation"
    int64_t done;       // attempts, updates, agent steps or episodes, respectively
    int64_t total;
    double per_second;
    double seconds_left;  // of the run; negative: not known yet
    double success_rate;  // of the last evaluation; NaN before the first
    double episode_return;
    double noise;
    tot_losses losses;  // of the last update
} tot_train_progress;

typedef struct tot_train_options {
    const char *folder;  // of the run; created if missing
    int threads;         // 0: one per CPU
    tot_resume resume;
    bool force;  // accept demonstrations of another task, camera, renderer, ...
    tot_train_command (*ask)(void *context);  // called often, on the training thread; may be NULL
    void (*progress)(void *context, const tot_train_progress *progress);  // may be NULL
    void *context;
} tot_train_options;

typedef struct tot_train_result {
    int64_t step;         // last step
    int64_t resumed_at;   // first step; 0: a new run
    bool was_finished;    // there was nothing left to do
    double success_rate;  // of the last evaluation
} tot_train_result;

// Trains to the end. Writes config.yaml, metrics.csv, events.out.tfevents.*, checkpoint/, videos/
// and report.html to the folder. result may be NULL. TOT_E_INTERRUPTED: stopped on request, with a
// checkpoint. TOT_E_VALUE: a loss became NaN. TOT_E_FILE: the disk is full, the folder is not
// writable, or another process is training there. In all these cases the newest complete checkpoint
// is kept.
TOT_API tot_status tot_train(const tot_train_config *config, const tot_train_options *options,
                             tot_train_result *result);

// The settings of the run in this folder.
TOT_API tot_status tot_train_config_of(tot_train_config *config, const char *folder);

// --- trained policies --------------------------------------------------------------------------

// The policy of a run, from its newest checkpoint. Not thread-safe.
typedef struct tot_player tot_player;

// pool may be NULL and must outlive the player.
TOT_API tot_status tot_player_load(tot_player **player, const char *folder, tot_pool *pool);

TOT_API const tot_train_config *tot_player_config(const tot_player *player);
TOT_API int64_t tot_player_step(const tot_player *player);  // agent steps of training

// The mean actions for raw Meta-world observations, whatever input the agent uses internally.
// observations: [count][TOT_OBSERVATION]; pictures: [count][9][pixels][pixels], NULL unless it was
// trained on pixels; steps: [count] agent steps taken in the episode, for the clock input (NULL:
// all 0); actions: [count][TOT_ACTION], written. TOT_E_ARGUMENT: an input it was trained on is
// NULL.
TOT_API tot_status tot_player_act(tot_player *player, const float *observations,
                                  const uint8_t *pictures, const int64_t *steps, int64_t count,
                                  float *actions);

TOT_API const tot_task *tot_player_task(const tot_player *player);

// The player as a policy for tot_play: the mean action.
TOT_API tot_policy tot_player_policy(tot_player *player);

typedef struct tot_evaluation {
    int64_t episodes;
    double success_rate;    // fraction of episodes that end in success
    double episode_return;  // mean number of steps in success
    double solved_rate;     // fraction of episodes with success at any step
} tot_evaluation;

// Runs episodes 0 .. episodes - 1 of this seed with the mean action. video (may be NULL): a file to
// which the first `filmed` episodes are written. ask may be NULL.
TOT_API tot_status tot_player_evaluate(tot_player *player, uint64_t seed, int64_t episodes,
                                       const char *video, int64_t filmed,
                                       tot_train_command (*ask)(void *context), void *context,
                                       tot_evaluation *result);

// Exports the actor: .npz (its tensors), or .onnx (a graph from `observation` to `action`).
TOT_API tot_status tot_player_export(tot_player *player, const char *path);

// player may be NULL.
TOT_API void tot_player_free(tot_player *player);

#ifdef __cplusplus
}
#endif
#endif

// temporalot/train.h - the station where everything comes together: an agent learns a task from
// demonstrations, is evaluated, and everything is kept so that no work is lost.
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

enum { TOT_TRAIN_TEXT = 1024 };  // the longest text of a setting, with its final 0

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

// The setting baseline.
enum { TOT_BASELINE_OFF, TOT_BASELINE_START };

// The setting cost_on.
enum { TOT_COST_ON_IMAGE, TOT_COST_ON_STATE };

// The setting demo_goal.
enum { TOT_DEMO_GOAL_ZERO, TOT_DEMO_GOAL_KEPT };

// The setting task_reward.
enum { TOT_TASK_REWARD_SPARSE, TOT_TASK_REWARD_DENSE };

// The settings of a run. Filled by the functions below, which keep together what belongs together:
// context, mask and cost are the method's own until they are set.
typedef struct tot_train_config {
#define TOT_FIELD_choice                                          int
#define TOT_FIELD_text                                            tot_train_text
#define TOT_PARAMETER(type, name, initial, low, high, role, help) TOT_FIELD_##type name;
#include <temporalot/train_parameters.def>
#undef TOT_PARAMETER
    tot_agent_config agent;
    tot_reward_config reward;
    tot_reward_config usual;  // of the reward, where the method does not say otherwise
    bool context_given;       // these were set, and are not the method's to choose
    bool mask_given;
    bool cost_given;
} tot_train_config;

// The paper's.
TOT_API void tot_train_defaults(tot_train_config *config);

// One setting by its name, of the run, of the agent or of the reward. '-' and '_' are the same.
// TOT_E_ARGUMENT for an unknown name (with the nearest one), a text that is not such a value, or a
// value out of its range.
TOT_API tot_status tot_train_set(tot_train_config *config, const char *name, const char *text);

// A file of settings: YAML, `name: value` a line. `preset: NAME` is taken first, wherever it
// stands. Errors name file and line.
TOT_API tot_status tot_train_load(tot_train_config *config, const char *path);

// "quick", "standard", "pixels" or "paper": files of configs/, which are part of the library.
TOT_API tot_status tot_train_preset(tot_train_config *config, const char *name);
TOT_API size_t tot_train_preset_count(void);
TOT_API const char *tot_train_preset_at(size_t index);  // its name; NULL past the last

// What no single setting tells: is there such a task, do the settings go together?
TOT_API tot_status tot_train_check(const tot_train_config *config);

// The value of a setting as text, of at most size bytes. TOT_E_ARGUMENT for an unknown name.
TOT_API tot_status tot_train_get(const tot_train_config *config, const char *name, char *text,
                                 size_t size);

// All settings that tot_train_set takes, in the order of config.yaml.
TOT_API size_t tot_train_parameter_count(void);
TOT_API const tot_parameter *tot_train_parameter_at(size_t index);

// --- methods -----------------------------------------------------------------------------------

// What the agent can learn from: the rewards of the table of methods (reward.h), and those that
// are more than a reward.
typedef struct tot_train_method {
    const char *name;
    const char *help;     // one line
    const char *reward;   // its name in the table of rewards; NULL: none of them
    bool task_reward;     // the environment's own: see the setting task_reward
    bool clones;          // begins with behaviour cloning
    bool acts;            // and goes on with the environment
    bool imitates;        // with the expert's actions in the actor's loss, as long as they help
    bool discriminates;   // rewards from GAIfO's discriminator
    bool schedules;       // the discount grows (ads.h)
    bool shows_episodes;  // needs demonstrations to compare with
} tot_train_method;

TOT_API size_t tot_train_method_count(void);

// index is below tot_train_method_count(). The calling thread's until its next call.
TOT_API const tot_train_method *tot_train_method_at(size_t index);

// TOT_E_ARGUMENT when there is no method of that name; the text suggests the nearest.
TOT_API tot_status tot_train_method_find(tot_train_method *method, const char *name);

// --- a run -------------------------------------------------------------------------------------

typedef enum tot_resume {
    TOT_RESUME_NO,           // starts anew; a folder that holds a run is refused
    TOT_RESUME_EXACT,        // continues, to the same bytes as if it had never stopped
    TOT_RESUME_APPROXIMATE,  // continues also with another version, build, CPU or thread count
} tot_resume;

typedef enum tot_train_command {
    TOT_TRAIN_GO,
    TOT_TRAIN_SAVE,  // a checkpoint now, then on
    TOT_TRAIN_STOP,  // a checkpoint now, then TOT_E_INTERRUPTED
} tot_train_command;

// Where a run stands.
typedef struct tot_train_progress {
    const char *doing;  // "demonstrations", "cloning", "training", "evaluation"
    int64_t done;       // of that: attempts, updates, agent steps, episodes
    int64_t total;
    double per_second;
    double seconds_left;  // of the run; negative: not known yet
    double success_rate;  // of the last evaluation; NaN before the first
    double episode_return;
    double noise;
    tot_losses losses;  // of the last update
} tot_train_progress;

typedef struct tot_train_options {
    const char *folder;  // of the run; made where it is not there
    int threads;         // 0: one per CPU
    tot_resume resume;
    bool force;  // demonstrations of another task, camera, renderer, ... are taken all the same
    tot_train_command (*ask)(void *context);  // often, from the thread that trains; may be NULL
    void (*progress)(void *context, const tot_train_progress *progress);  // may be NULL
    void *context;
} tot_train_options;

typedef struct tot_train_result {
    int64_t step;         // where it ended
    int64_t resumed_at;   // where it began; 0: anew
    bool was_finished;    // there was nothing left to do
    double success_rate;  // of the last evaluation
} tot_train_result;

// Trains to the end. The folder is given config.yaml, metrics.csv, events.out.tfevents.*,
// checkpoint/, videos/ and report.html. result may be NULL.
// TOT_E_INTERRUPTED: stopped on request, with a checkpoint. TOT_E_VALUE: a loss became NaN.
// TOT_E_FILE: a full disk, a folder that cannot be written, or another process that trains there.
// In all these cases the newest whole checkpoint stays.
TOT_API tot_status tot_train(const tot_train_config *config, const tot_train_options *options,
                             tot_train_result *result);

// The settings of the run in this folder.
TOT_API tot_status tot_train_config_of(tot_train_config *config, const char *folder);

// --- what was learnt ---------------------------------------------------------------------------

// The policy of a run, from its newest checkpoint. For one thread at a time.
typedef struct tot_player tot_player;

// pool may be NULL, and must outlive the player.
TOT_API tot_status tot_player_load(tot_player **player, const char *folder, tot_pool *pool);

TOT_API const tot_train_config *tot_player_config(const tot_player *player);
TOT_API int64_t tot_player_step(const tot_player *player);  // agent steps it was trained for

// The mean actions for observations of Meta-world, whatever the agent's own input is. observations:
// [count][TOT_OBSERVATION]; pictures: [count][9][pixels][pixels], NULL unless it was trained on
// pixels; steps: [count] agent steps taken in the episode, which a clock tells (NULL: all 0);
// actions: [count][TOT_ACTION], written. TOT_E_ARGUMENT: what it was trained on is NULL.
TOT_API tot_status tot_player_act(tot_player *player, const float *observations,
                                  const uint8_t *pictures, const int64_t *steps, int64_t count,
                                  float *actions);

TOT_API const tot_task *tot_player_task(const tot_player *player);

// It as a policy for tot_play: the mean action.
TOT_API tot_policy tot_player_policy(tot_player *player);

typedef struct tot_evaluation {
    int64_t episodes;
    double success_rate;    // share of them that end in success
    double episode_return;  // mean number of steps in success
    double solved_rate;     // share of them that are in success at any step
} tot_evaluation;

// Runs episodes 0 .. episodes - 1 of this seed with the mean action. video (may be NULL): a file,
// which is given the first `filmed` of them. ask may be NULL.
TOT_API tot_status tot_player_evaluate(tot_player *player, uint64_t seed, int64_t episodes,
                                       const char *video, int64_t filmed,
                                       tot_train_command (*ask)(void *context), void *context,
                                       tot_evaluation *result);

// Writes the actor: .npz (its tensors), or .onnx (a graph from `observation` to `action`).
TOT_API tot_status tot_player_export(tot_player *player, const char *path);

// player may be NULL.
TOT_API void tot_player_free(tot_player *player);

#ifdef __cplusplus
}
#endif
#endif

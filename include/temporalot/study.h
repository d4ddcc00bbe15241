// temporalot/study.h - experiments with the whole system: does this reward capture this task?
//
//     #include <stdio.h>
//     #include <temporalot/study.h>
//
//     int main(void) {
//         tot_task *task = NULL;
//         tot_probe *probe = NULL;
//         tot_probe_settings settings;
//         tot_probe_defaults(&settings);
//         settings.episodes = 3;
//         tot_status status = tot_task_load(&task, "window-open", NULL);
//         status = status != TOT_OK ? status : tot_probe_run(&probe, task, &settings);
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         printf("rank correlation %.2f\n", status == TOT_OK ? tot_probe_correlation(probe) : 0);
//         tot_probe_free(probe);
//         tot_task_free(task);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_STUDY_H
#define TEMPORALOT_STUDY_H

#include <temporalot/base.h>
#include <temporalot/demo.h>
#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/reward.h>
#include <temporalot/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- probe: how a reward ranks episodes of more or less progress --------------------------------

typedef struct tot_probe_settings {
    int64_t episodes;  // expert episodes, each with its own goal, 1 .. 1000
    int64_t demos;     // demonstrations the reward compares with, 1 .. 100
    uint64_t seed;
    tot_reward_config reward;
    // Input of the cost: pictures through an encoder, of the encoder's size; or, if encoder is
    // NULL, the observation with its goal set to 0. [views]; reward.views must be the same.
    const tot_picture_settings *pictures;
    int views;                                  // 0: as 1
    const tot_picture_settings *demo_pictures;  // for the demonstrations, from another camera with
                                                // the same size, a single view that is not fitted;
                                                // NULL: as pictures
    tot_encoder *encoder;
    double fit_margin;        // metres around views that are `fitted` (tot_view_fit)
    int64_t whiten_episodes;  // random episodes for whitening the embeddings; 0: no whitening
    double whiten_floor;      // the setting of that name of a run
    tot_pool *pool;           // may be NULL
    // Called after every episode; may be NULL. Returning false stops with TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
} tot_probe_settings;

// 20 episodes, two demonstrations, seed 0, the paper's TemporalOT on observations.
TOT_API void tot_probe_defaults(tot_probe_settings *settings);

// One modification of the expert's episodes.
typedef struct tot_probe_row {
    const char *name;  // "frozen 8 steps before success", "reversed", ...
    int64_t before;    // steps before the first success at which the episode freezes; -1: another
                       // modification
    double mean;       // mean return, in units of the unmodified episode's, which is -1
    double deviation;  // over the episodes
    double below;      // fraction of episodes whose return is below the unmodified one's
    double success;    // fraction that ends in success
} tot_probe_row;

typedef struct tot_probe tot_probe;

// Runs the expert with an action repeat of 2 on new goals, modifies its episodes, and labels both.
// Episodes in which the expert fails are replaced (TOT_E_ATTEMPTS if nearly all fail).
TOT_API tot_status tot_probe_run(tot_probe **probe, const tot_task *task,
                                 const tot_probe_settings *settings);

TOT_API size_t tot_probe_row_count(const tot_probe *probe);
TOT_API const tot_probe_row *tot_probe_row_at(const tot_probe *probe, size_t index);

// Spearman's rank correlation between the time of freezing and the return, averaged over the
// episodes: 1 if the reward ranks every step of progress, 0 if it ranks none.
TOT_API double tot_probe_correlation(const tot_probe *probe);

// Fraction of the reward's range that the last steps contribute: (whole - frozen 4 before) / (whole
// - frozen 24 before), of the means. Below a few hundredths there is hardly any gradient to learn
// from at the end.
TOT_API double tot_probe_last_steps(const tot_probe *probe);

// Mean reward per step of the unmodified, the reversed and the frozen (8) episodes, [steps].
TOT_API int64_t tot_probe_steps(const tot_probe *probe);
TOT_API const double *tot_probe_curve(const tot_probe *probe, size_t row);

// probe may be NULL.
TOT_API void tot_probe_free(tot_probe *probe);

// --- probe of user recordings, without a task ---------------------------------------------------

typedef struct tot_own_probe tot_own_probe;

// Does the reward rank progress in these demonstrations? Each is stopped early, frozen and
// reversed, and labelled against the others (a single one against itself: "whole" is then as good
// as possible). episodes ([count], with names that must outlive the probe) are labelled against all
// demonstrations; count may be 0. reward must be valid.
TOT_API tot_status tot_own_probe_run(tot_own_probe **probe, const tot_embeddings *demos,
                                     size_t demo_count, const tot_embeddings *episodes,
                                     const char *const *names, size_t count,
                                     const tot_reward_config *reward);

// The modified demonstrations, then the episodes. Means are in units of the unmodified
// demonstration's, which is -1; success is NaN; below: the fraction of demonstrations with a higher
// return.
TOT_API size_t tot_own_probe_row_count(const tot_own_probe *probe);
TOT_API const tot_probe_row *tot_own_probe_row_at(const tot_own_probe *probe, size_t index);

// As tot_probe_correlation, over frozen, stopped at 25, 50, 75 and 90 %, and whole.
TOT_API double tot_own_probe_correlation(const tot_own_probe *probe);

// (whole - stopped at 90 %) / (whole - stopped at 25 %), of the means; NaN: no range.
TOT_API double tot_own_probe_last(const tot_own_probe *probe);

// probe may be NULL.
TOT_API void tot_own_probe_free(tot_own_probe *probe);

// --- reference episodes: rewards of solving the task and of failing -----------------------------

typedef enum tot_reference {
    TOT_REFERENCE_BENT,    // a demonstration's hand path, warped to the current positions of object
                           // and goal
    TOT_REFERENCE_REPLAY,  // a demonstration's actions, wherever object and goal are
    TOT_REFERENCE_OPEN,    // bent, with the gripper always open
    TOT_REFERENCE_SHORT,   // bent, but the hand stops 5 cm before it reaches the object
    TOT_REFERENCE_EXPERT,  // Meta-world's scripted policy, with its own timing
    TOT_REFERENCE_RANDOM,  // uniform actions
    TOT_REFERENCE_SHIFT,   // a demonstration's own path on its own goal with the gripper open,
                           // shifted
    TOT_REFERENCES
} tot_reference;

// Directions as seen in a picture: along the camera's ray, and across it.
typedef enum tot_reference_shift {
    TOT_SHIFT_NONE,
    TOT_SHIFT_NEAR,
    TOT_SHIFT_FAR,
    TOT_SHIFT_LEFT,
    TOT_SHIFT_RIGHT,
    TOT_SHIFT_UP,
    TOT_SHIFT_DOWN,
    TOT_SHIFTS
} tot_reference_shift;

TOT_API const char *tot_reference_name(tot_reference policy);             // "bent", "replay", ...
TOT_API const char *tot_reference_shift_name(tot_reference_shift shift);  // "none", "near", ...

typedef struct tot_reference_settings {
    int64_t goals;       // new goals, 1 .. 1000
    uint64_t goal_seed;  // goal k is the draw of episode first_goal + k of this seed
    uint64_t first_goal;
    int64_t action_repeat;  // frames between two pictures, as for the agent, 1 .. 100
    double shift;           // metres, 0 .. 1; 0: no shifted episodes
    const char *camera;     // camera that defines the shifts; NULL: the task's
} tot_reference_settings;

// 8 goals of seed 1, an action repeat of 2, shifts of 3 cm, the task's camera.
TOT_API void tot_reference_defaults(tot_reference_settings *settings);

// One reference episode.
typedef struct tot_reference_episode {
    tot_reference policy;
    tot_reference_shift shift;
    int64_t demo;  // the demonstration it follows; -1: none
    int64_t goal;  // 0 .. goals - 1; -1: the demonstration's own
    bool success;  // at the last frame
} tot_reference_episode;

// The reference episodes of a task for given demonstrations and goals, stored as actions.
typedef struct tot_references tot_references;

// demos: from tot_collect, with or without pictures; TOT_E_VALUE if they are not the scripted
// expert's, because only its path can be replayed frame by frame. task must outlive references.
TOT_API tot_status tot_references_play(tot_references **references, const tot_task *task,
                                       const tot_recording *demos,
                                       const tot_reference_settings *settings);

TOT_API size_t tot_references_count(const tot_references *references);
TOT_API const tot_reference_episode *tot_references_at(const tot_references *references,
                                                       size_t index);

// How much more reward solving the task gives than failing in a certain way.
typedef struct tot_margin {
    double share;   // mean over the goals, in units of the range from random to bent; NaN: no goals
    double wins;    // fraction of the goals on which it is positive
    int64_t goals;  // goals that a bent demonstration solves and an episode of the other kind does
                    // not
} tot_margin;

typedef struct tot_margins {
    double success[TOT_REFERENCES];  // success rate
    double sum[TOT_REFERENCES];      // mean return
    double range;  // mean return of bent minus that of random, over the goals that bent solves; if
                   // it is not positive the reward is uninformative, and all shares are NaN
    tot_margin over[TOT_REFERENCES];  // REPLAY, OPEN, SHORT: over goals where they fail; EXPERT:
                                      // over all goals
    double shift_loss[TOT_SHIFTS];    // loss of return by a shift, in units of the range from
                                      // random to the open gripper; NaN without such a range
} tot_margins;

// Input of the reward. encoder NULL: the observation with its goal set to 0.
typedef struct tot_reference_view {
    const tot_picture_settings *pictures;       // [views], of the encoder's size
    int views;                                  // 0: as 1
    const tot_picture_settings *demo_pictures;  // the same for the demonstrations; NULL: as
                                                // pictures
    double fit_margin;        // metres around a view fitted to the demonstrations; 0: not fitted
    int64_t whiten_episodes;  // as in tot_probe_settings
    double whiten_floor;
    const tot_probe
        *probe;  // with the same task, view and encoder: reuses its whitening; may be NULL
    tot_encoder *encoder;
    tot_pool *pool;  // may be NULL
    // Called after every episode; may be NULL. Returning false stops with TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
} tot_reference_view;

// Draws and encodes every episode once, and labels it with all reward settings. configs: [count];
// margins: [count], written; sums (may be NULL): [count][tot_references_count], written.
TOT_API tot_status tot_references_reward(tot_references *references, const tot_reference_view *view,
                                         const tot_reward_config *configs, size_t count,
                                         tot_margins *margins, double *sums);

// The smallest of the margins over replay, open gripper and short, and of the losses by shifts
// (near and far, left and right, up and down, averaged in pairs): the cost of the cheapest failure.
// -INFINITY if the range is not positive.
TOT_API double tot_margins_score(const tot_margins *margins);

// One sentence: can an agent learn the task from this reward, and if not, why? Returns text.
TOT_API const char *tot_margins_verdict(const tot_margins *margins, char *text, size_t size);

// references may be NULL.
TOT_API void tot_references_free(tot_references *references);

// --- search: which view, stride and cost separate solving a task from failing ------------------

typedef struct tot_search_settings {
    tot_picture_settings pictures;          // renderer, quality, arm, one camera and size
    double hand_margin;                     // metres around the hand in views of it, 0.01 .. 2
    const char *weights;                    // a file for tot_weights_load; NULL: the default
    tot_weights_settings weights_settings;  // except the stride
    tot_encoder_settings encoder;           // f32 or bf16
    tot_reward_config reward;               // settings that are not searched keep their value
    int64_t whiten_episodes;                // as in tot_probe_settings
    double whiten_floor;
    tot_pool *pool;  // may be NULL
    // Called after every episode of every view and stride; may be NULL. Returning false stops with
    // TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
} tot_search_settings;

// One combination of the search.
typedef struct tot_search_row {
    tot_view view;
    double fit_margin;  // of a fitted view; 0: there is none
    int stride;
    tot_reward_config reward;
    tot_margins margins;
    double score;  // tot_margins_score
} tot_search_row;

typedef struct tot_search tot_search;

// First tries all views (the camera's; fitted with margins of 0.05, 0.1, 0.2 and 0.4 m; the hand;
// both with a margin of 0.1 m) with strides of 16 and 32 pixels, each with and without centring and
// with both ways to match demonstrations; then, for the best of these, contexts of 1, 3, 5 and
// epsilons of 0.01, 0.05, 0.1 as well.
TOT_API tot_status tot_search_run(tot_search **search, tot_references *references,
                                  const tot_search_settings *settings);

// In the order they were tried.
TOT_API size_t tot_search_count(const tot_search *search);
TOT_API const tot_search_row *tot_search_at(const tot_search *search, size_t index);
TOT_API size_t tot_search_best(const tot_search *search);  // the row with the largest score

// search may be NULL.
TOT_API void tot_search_free(tot_search *search);

#ifdef __cplusplus
}
#endif
#endif

// temporalot/study.h - questions asked of the whole system: does this reward see this task?
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
#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/reward.h>
#include <temporalot/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- probe: how a reward ranks episodes that went more or less far ------------------------------

typedef struct tot_probe_settings {
    int64_t episodes;  // expert episodes with goals of their own, 1 .. 1000
    int64_t demos;     // demonstrations the reward compares with, 1 .. 100
    uint64_t seed;
    tot_reward_config reward;
    // What the cost looks at: pictures through an encoder, whose size they have; or, when encoder
    // is NULL, the observation with its goal set to 0.
    const tot_picture_settings *pictures;
    tot_encoder *encoder;
    tot_pool *pool;  // may be NULL
    // Called after every episode; may be NULL. False stops, with TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
} tot_probe_settings;

// 20 episodes, two demonstrations, seed 0, the paper's TemporalOT on observations.
TOT_API void tot_probe_defaults(tot_probe_settings *settings);

// What was done to the expert's episodes.
typedef struct tot_probe_row {
    const char *name;  // "frozen 8 steps before success", "reversed", ...
    int64_t before;    // steps before the first success at which time stops; -1: another change
    double mean;       // of the sums of rewards, in units of the whole episode's: it is -1
    double deviation;  // over the episodes
    double below;      // share of episodes whose sum is below the whole one's
    double success;    // share that ends in success
} tot_probe_row;

typedef struct tot_probe tot_probe;

// Runs the expert with an action repeat of 2 on fresh goals, changes what it did, and rewards both.
// Episodes in which the expert fails are drawn anew (TOT_E_ATTEMPTS when nearly all do).
TOT_API tot_status tot_probe_run(tot_probe **probe, const tot_task *task,
                                 const tot_probe_settings *settings);

TOT_API size_t tot_probe_row_count(const tot_probe *probe);
TOT_API const tot_probe_row *tot_probe_row_at(const tot_probe *probe, size_t index);

// Spearman's rank correlation between how late time stopped and the sum of rewards, the mean over
// the episodes: 1 is a reward that ranks every step of progress, 0 one that sees none.
TOT_API double tot_probe_correlation(const tot_probe *probe);

// How much of the reward's range the last steps are worth: (whole - frozen 4 before) / (whole -
// frozen 24 before), of the means. Below a few hundredths training has little to climb at the end.
TOT_API double tot_probe_last_steps(const tot_probe *probe);

// Mean reward of every step of the whole, of the reversed and of the frozen (8) episodes, [steps].
TOT_API int64_t tot_probe_steps(const tot_probe *probe);
TOT_API const double *tot_probe_curve(const tot_probe *probe, size_t row);

// probe may be NULL.
TOT_API void tot_probe_free(tot_probe *probe);

#ifdef __cplusplus
}
#endif
#endif

// temporalot/reward.h - how good was every step? Embeddings -> cost -> mask -> plan -> reward.
//
//     #include <stdio.h>
//     #include <temporalot/reward.h>
//
//     int main(void) {
//         float expert[3 * 2] = {1, 0, 1, 1, 0, 1};
//         float agent[3 * 2] = {1, 0, 1, 0.5f, 1, 1};
//         float rewards[3];
//         tot_reward_config config;
//         tot_demos *demos = NULL;
//         tot_labeler *labeler = NULL;
//         tot_reward_defaults(&config);
//         tot_embeddings shown = tot_embeddings_f32(expert, 3, 2);
//         tot_embeddings done = tot_embeddings_f32(agent, 3, 2);
//         tot_status status = tot_demos_create(&demos);
//         status = status != TOT_OK ? status : tot_demos_add(demos, shown, "expert");
//         status = status != TOT_OK ? status
//                                   : tot_labeler_create(&labeler, demos, &config, NULL);
//         status = status != TOT_OK ? status : tot_label(labeler, done, "agent", rewards, NULL);
//         if (status == TOT_OK) {
//             printf("%g %g %g\n", rewards[0], rewards[1], rewards[2]);
//         } else {
//             fprintf(stderr, "%s\n", tot_error());
//         }
//         tot_labeler_free(labeler);
//         tot_demos_free(demos);
//         return 0;
//     }
#ifndef TEMPORALOT_REWARD_H
#define TEMPORALOT_REWARD_H

#include <temporalot/base.h>
#include <temporalot/file.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- settings ----------------------------------------------------------------------------------

typedef enum tot_mask {
    TOT_MASK_NONE,     // every pair
    TOT_MASK_BAND,     // |j - i M / N| <= mask_width for N agent and M expert steps
    TOT_MASK_CAUSAL,   // j <= i
    TOT_MASK_DYNAMIC,  // |j - c| <= mask_width, c the cheapest j in 0 .. i for this i
} tot_mask;

typedef enum tot_cost {
    TOT_COST_COSINE,     // 1 - cos
    TOT_COST_EUCLIDEAN,  // |x - y|
    TOT_COST_CHORD,  // |x/|x| - y/|y||: the root of twice the cosine cost, which does not flatten
                     // out where frames are nearly alike
} tot_cost;

typedef enum tot_zero_frame {
    TOT_ZERO_REFUSE,  // an error: it has no direction
    TOT_ZERO_FAR,     // cosine 0, so cost 1, with every other frame
} tot_zero_frame;

typedef enum tot_center {
    TOT_CENTER_OFF,
    TOT_CENTER_DEMOS,  // the mean of all frames of the demonstrations is taken from every frame
} tot_center;

typedef enum tot_demo_match {
    TOT_MATCH_BEST,   // the demonstration with the largest sum of rewards
    TOT_MATCH_START,  // the one whose first frame costs least beside the episode's: where objects
                      // lie tells them apart, not what the agent does later
} tot_demo_match;

// A row of the table of methods: `temporalot label --method NAME`.
typedef struct tot_method tot_method;

typedef struct tot_reward_config {
    const tot_method *method;
#define TOT_FIELD_count                                           int64_t
#define TOT_FIELD_real                                            double
#define TOT_FIELD_choice                                          int
#define TOT_PARAMETER(type, name, initial, low, high, role, help) TOT_FIELD_##type name;
#include <temporalot/reward_parameters.def>
#undef TOT_PARAMETER
} tot_reward_config;

// The paper's TemporalOT: context 3, band 10, epsilon 0.01, 100 iterations.
TOT_API void tot_reward_defaults(tot_reward_config *config);

// Defaults of a method of the table. TOT_E_ARGUMENT for an unknown name, with the nearest one.
TOT_API tot_status tot_reward_config_for(tot_reward_config *config, const char *method);

// Names the first setting out of its range.
TOT_API tot_status tot_reward_config_check(const tot_reward_config *config);

// The settings by name, as a command line or a YAML file gives them. mask also takes a width:
// "none", "causal", "10" or "band:10", "dynamic:10"; squash sets squash_alpha and squash_beta:
// "none", "otr" (5,5) or "ALPHA,BETA". '-' and '_' are the same in names. TOT_E_ARGUMENT for an
// unknown name (with the nearest one) or a text that is not such a value.
TOT_API tot_status tot_reward_set(tot_reward_config *config, const char *name, const char *text);
TOT_API size_t tot_reward_parameter_count(void);
TOT_API const tot_parameter *tot_reward_parameter_at(size_t index);

TOT_API size_t tot_method_count(void);
TOT_API const tot_method *tot_method_at(size_t index);
TOT_API const char *tot_method_name(const tot_method *method);
TOT_API const char *tot_method_help(const tot_method *method);  // one line
TOT_API bool tot_method_has_plan(const tot_method *method);     // is it a transport?

// --- embeddings --------------------------------------------------------------------------------

// A view of a trajectory: one row per step. type is TOT_F32 or TOT_F64. Nothing is owned.
typedef struct tot_embeddings {
    const void *data;  // [steps][width]
    tot_type type;
    int64_t steps;
    int64_t width;
} tot_embeddings;

TOT_API tot_embeddings tot_embeddings_f32(const float *data, int64_t steps, int64_t width);
TOT_API tot_embeddings tot_embeddings_f64(const double *data, int64_t steps, int64_t width);

// A view of an array of two or more dimensions (steps x anything, flattened), float32 or float64.
// name is for the error text.
TOT_API tot_status tot_embeddings_of(tot_embeddings *view, const tot_array *array,
                                     const char *name);

// --- demonstrations ----------------------------------------------------------------------------

// The expert's trajectories with their norms. Fill it, then share it read-only between threads:
// TOT_E_ARGUMENT when something is added while a labeler uses it.
typedef struct tot_demos tot_demos;

TOT_API tot_status tot_demos_create(tot_demos **demos);

// Copies a demonstration. name is for error texts. TOT_E_SHAPE when its width is not that of those
// before it, TOT_E_VALUE for NaN or infinity (step and column are named).
TOT_API tot_status tot_demos_add(tot_demos *demos, tot_embeddings demo, const char *name);

TOT_API int64_t tot_demos_count(const tot_demos *demos);
TOT_API int64_t tot_demos_width(const tot_demos *demos);                 // 0 while empty
TOT_API int64_t tot_demos_steps(const tot_demos *demos, int64_t index);  // 0 where there is none

// demos may be NULL. A labeler holds the demonstrations it uses: they stay until the last is gone.
TOT_API void tot_demos_free(tot_demos *demos);

// --- labelling ---------------------------------------------------------------------------------

// What is known about a labelled episode beside its rewards.
typedef struct tot_label_info {
    int64_t demo;           // index of the demonstration with the largest sum
    double sum;             // of the rewards
    double start;           // cost of the first frames: the episode's beside the demonstration's
    int64_t iterations;     // Sinkhorn's, for that demonstration; 0 for methods without a plan
    double marginal_error;  // 2-norm of the plan's column error
    bool converged;         // marginal_error is below the tolerance, and nothing left the mask
    double mass_outside;    // share of the plan outside the mask (dynamic and causal only)
} tot_label_info;

// One labeler a thread; it keeps its memory between episodes. demos is shared and held.
typedef struct tot_labeler tot_labeler;

// pool shares one episode's work between threads; NULL works on the caller's thread. The rewards
// are the same bytes for any number of threads.
TOT_API tot_status tot_labeler_create(tot_labeler **labeler, const tot_demos *demos,
                                      const tot_reward_config *config, tot_pool *pool);

// rewards: [episode.steps], written; NULL: only the cost is wanted. name is for error texts; info
// may be NULL.
// TOT_E_SHAPE: another width than the demonstrations'. TOT_E_VALUE: NaN, infinity or a zero frame,
// with step and column. TOT_E_INFEASIBLE: a band that cannot carry the marginals, with the row.
TOT_API tot_status tot_label(tot_labeler *labeler, tot_embeddings episode, const char *name,
                             float *rewards, tot_label_info *info);

// Rewards of the last episode before rounding to float, [steps]; NULL before the first.
TOT_API const double *tot_labeler_rewards(const tot_labeler *labeler);

// How far along the winning demonstration every step of the last episode is, from 0 (its first
// frame) to 1 (its last), never falling: [steps], written. By the cheapest monotone alignment with
// a free end over the context cost of all pairs, whatever method and mask gave the rewards: an
// episode that stands still stays at 0. episode and name are those tot_label was given.
// TOT_E_ARGUMENT when no such episode was labelled last.
TOT_API tot_status tot_labeler_progress(tot_labeler *labeler, tot_embeddings episode,
                                        const char *name, float *progress);

// The last episode's context cost and plan against the winning demonstration, as dense arrays
// [steps][demonstration steps] of float64 into `out` ({0} or used before). Cost outside the mask
// was never computed where the mask is a band: NaN. The plan there is 0. The mask is 1 inside and 0
// outside; 1 everywhere without one.
// TOT_E_ARGUMENT before the first episode, or for a plan when the method has none.
TOT_API tot_status tot_labeler_cost(const tot_labeler *labeler, tot_array *out);
TOT_API tot_status tot_labeler_mask(const tot_labeler *labeler, tot_array *out);
TOT_API tot_status tot_labeler_plan(const tot_labeler *labeler, tot_array *out);

// Changes the factor for the episodes to come, as tot_scale_auto gives it; not to NaN or infinity.
TOT_API void tot_labeler_set_scale(tot_labeler *labeler, double scale);

// labeler may be NULL.
TOT_API void tot_labeler_free(tot_labeler *labeler);

// The paper's scale: 10 / |sum of the first episode's rewards at scale 1|; 1 when that sum is 0.
TOT_API double tot_scale_auto(double first_sum);

#ifdef __cplusplus
}
#endif
#endif

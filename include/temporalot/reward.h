// temporalot/reward.h - rewards for every step of an episode: embeddings -> cost -> mask -> plan ->
// reward.
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
//         tot_embeddings demo = tot_embeddings_f32(expert, 3, 2);
//         tot_embeddings episode = tot_embeddings_f32(agent, 3, 2);
//         tot_status status = tot_demos_create(&demos);
//         status = status != TOT_OK ? status : tot_demos_add(demos, demo, "expert");
//         status = status != TOT_OK ? status
//                                   : tot_labeler_create(&labeler, demos, &config, NULL);
//         status = status != TOT_OK ? status : tot_label(labeler, episode, "agent", rewards, NULL);
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
    TOT_MASK_NONE,     // all pairs
    TOT_MASK_BAND,     // |j - i M / N| <= mask_width for N agent and M expert steps
    TOT_MASK_CAUSAL,   // j <= i
    TOT_MASK_DYNAMIC,  // |j - c| <= mask_width, where c is the cheapest j in 0 .. i for this i
} tot_mask;

typedef enum tot_cost {
    TOT_COST_COSINE,     // 1 - cos
    TOT_COST_EUCLIDEAN,  // |x - y|
    TOT_COST_CHORD,  // |x/|x| - y/|y||: the square root of twice the cosine cost, which does not
                     // flatten out for nearly identical frames
} tot_cost;

typedef enum tot_zero_frame {
    TOT_ZERO_REFUSE,  // an error: it has no direction
    TOT_ZERO_FAR,     // cosine 0, so cost 1, with any other frame
} tot_zero_frame;

typedef enum tot_center {
    TOT_CENTER_OFF,
    TOT_CENTER_DEMOS,  // the mean over all demonstration frames is subtracted from every frame
} tot_center;

typedef enum tot_demo_match {
    TOT_MATCH_BEST,   // the demonstration with the largest sum of rewards
    TOT_MATCH_START,  // the one whose first frame has the lowest cost against the episode's:
                      // selects by the initial positions of objects, not by what the agent does
                      // later
} tot_demo_match;

// A reward method: `temporalot label --method NAME`.
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

// Defaults of a method. TOT_E_ARGUMENT for an unknown name; the message suggests the closest.
TOT_API tot_status tot_reward_config_for(tot_reward_config *config, const char *method);

// Returns TOT_E_ARGUMENT for the first setting that is out of range; the message names it.
TOT_API tot_status tot_reward_config_check(const tot_reward_config *config);

// Sets a setting by name, as from a command line or a YAML file. mask also accepts a width: "none",
// "causal", "10" or "band:10", "dynamic:10"; squash sets squash_alpha and squash_beta: "none",
// "otr" (5,5) or "ALPHA,BETA". '-' and '_' are equivalent in names. TOT_E_ARGUMENT for an unknown
// name (the message suggests the closest) or an invalid value.
TOT_API tot_status tot_reward_set(tot_reward_config *config, const char *name, const char *text);
TOT_API size_t tot_reward_parameter_count(void);
TOT_API const tot_parameter *tot_reward_parameter_at(size_t index);

TOT_API size_t tot_method_count(void);
TOT_API const tot_method *tot_method_at(size_t index);
TOT_API const char *tot_method_name(const tot_method *method);
TOT_API const char *tot_method_help(const tot_method *method);  // one line
TOT_API bool tot_method_has_plan(const tot_method *method);     // uses optimal transport

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

// A view of an array with two or more dimensions (steps x anything, flattened), float32 or float64.
// name is used in error messages.
TOT_API tot_status tot_embeddings_of(tot_embeddings *view, const tot_array *array,
                                     const char *name);

// --- demonstrations ----------------------------------------------------------------------------

// The expert's trajectories and their norms. Fill it, then share it read-only between threads:
// adding while a labeler uses it gives TOT_E_ARGUMENT.
typedef struct tot_demos tot_demos;

TOT_API tot_status tot_demos_create(tot_demos **demos);

// Copies a demonstration. name is used in error messages. TOT_E_SHAPE if its width differs from the
// earlier ones, TOT_E_VALUE for NaN or infinity (the message names step and column).
TOT_API tot_status tot_demos_add(tot_demos *demos, tot_embeddings demo, const char *name);

TOT_API int64_t tot_demos_count(const tot_demos *demos);
TOT_API int64_t tot_demos_width(const tot_demos *demos);                 // 0 while empty
TOT_API int64_t tot_demos_steps(const tot_demos *demos, int64_t index);  // 0 if out of range

// demos may be NULL. Labelers hold a reference: the memory is freed with the last of them.
TOT_API void tot_demos_free(tot_demos *demos);

// --- labelling ---------------------------------------------------------------------------------

// Facts about a labelled episode.
typedef struct tot_label_info {
    int64_t demo;           // index of the matched demonstration (setting match)
    double sum;             // of the rewards
    double start;           // cost between the first frames of the episode and of the demonstration
    int64_t iterations;     // of Sinkhorn, for that demonstration; 0 for methods without a plan
    double marginal_error;  // 2-norm of the column marginal error of the plan
    bool converged;         // marginal_error is below the tolerance, and no mass is outside the
                            // mask
    double mass_outside;    // fraction of the plan's mass outside the mask (dynamic and causal
                            // only)
} tot_label_info;

// Use one labeler per thread; it reuses its memory between episodes. demos is shared by reference.
typedef struct tot_labeler tot_labeler;

// pool splits the work on one episode between threads; NULL: the calling thread only. The rewards
// do not depend on the number of threads.
TOT_API tot_status tot_labeler_create(tot_labeler **labeler, const tot_demos *demos,
                                      const tot_reward_config *config, tot_pool *pool);

// rewards: [episode.steps], written. rewards and info may be NULL. name is used in error messages.
// TOT_E_SHAPE: the width differs from the demonstrations'. TOT_E_VALUE: NaN, infinity or an
// all-zero frame; the message names step and column. TOT_E_INFEASIBLE: the band cannot satisfy the
// marginals; the message names the row.
TOT_API tot_status tot_label(tot_labeler *labeler, tot_embeddings episode, const char *name,
                             float *rewards, tot_label_info *info);

// Rewards of the last episode before rounding to float, [steps]; NULL before the first episode.
TOT_API const double *tot_labeler_rewards(const tot_labeler *labeler);

// Progress of every step of the last episode along the winning demonstration, from 0 (its first
// frame) to 1 (its last), monotone: [steps], written. It is the cheapest monotone alignment with a
// free end over the context cost of all pairs, independent of the method and mask of the rewards:
// an episode that stands still stays at 0. episode and name are the ones passed to tot_label.
// TOT_E_ARGUMENT if this episode was not the last one labelled.
TOT_API tot_status tot_labeler_progress(tot_labeler *labeler, tot_embeddings episode,
                                        const char *name, float *progress);

// Context cost, mask and plan of the last episode against the winning demonstration, as dense
// float64 arrays [steps][demonstration steps] in `out` ({0} or previously used). With a band mask
// the cost outside it is not computed and is NaN; the plan outside is 0. The mask is 1 inside and 0
// outside, or all 1 without a mask. TOT_E_ARGUMENT before the first episode, or for a plan if the
// method has none.
TOT_API tot_status tot_labeler_cost(const tot_labeler *labeler, tot_array *out);
TOT_API tot_status tot_labeler_mask(const tot_labeler *labeler, tot_array *out);
TOT_API tot_status tot_labeler_plan(const tot_labeler *labeler, tot_array *out);

// Sets the scale for later episodes, as from tot_scale_auto. It must be finite.
TOT_API void tot_labeler_set_scale(tot_labeler *labeler, double scale);

// labeler may be NULL.
TOT_API void tot_labeler_free(tot_labeler *labeler);

// The paper's scale: 10 / |sum of the first episode's rewards at scale 1|; 1 if that sum is 0.
TOT_API double tot_scale_auto(double first_sum);

#ifdef __cplusplus
}
#endif
#endif

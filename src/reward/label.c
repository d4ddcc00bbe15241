// Labels an episode: computes its rewards against every demonstration.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/array.h"
#include "reward/cost.h"
#include "reward/label.h"
#include "reward/methods.h"
#include "reward/progress.h"

// float32 sums cause an error of about this size in the cosine of wide frames. If it would be
// noticeable in the rewards (nearly identical frames, a small epsilon), the episode is labelled
// again in float64.
static const double float32_error = 4e-9;
static const double tolerated_error = 1.5e-6;

struct tot_labeler {
    tot_demos *source;  // the caller's demonstrations; a reference is held
    const tot_demos *demos;
    tot_demos *prepared;  // own copy with transformed frames; NULL if frames are compared as is
    double *center;       // [width], subtracted from the episode's frames in that case
    double *ready;        // the transformed frames of an episode
    size_t ready_capacity;
    tot_reward_config config;
    tot_pool *pool;
    reward_cost_workspace workspace;
    reward_progress progress;
    reward_pairing *pairings;  // [demonstrations]
    size_t *order;             // [demonstrations] in decreasing order of merit
    double *rewards;           // [steps] combined, scaled
    size_t rewards_capacity;
    int64_t steps;  // steps of the last episode; 0 before the first
    size_t winner;
};

// --- creation and destruction ------------------------------------------------------------------

static tot_status check_demos(const tot_demos *demos, const tot_reward_config *config) {
    BASE_FAIL_IF(demos->count == 0, TOT_E_ARGUMENT, "demonstrations: none given");
    bool refuses = config->cost != TOT_COST_EUCLIDEAN && config->zero_frame == TOT_ZERO_REFUSE;
    for (size_t k = 0; k < demos->count; k++) {
        BASE_FAIL_IF(refuses && demos->items[k].zero_step >= 0, TOT_E_VALUE,
                     "%s: step %lld is all zero, and the cosine of a zero frame is undefined "
                     "(zero_frame treat-as-far accepts it)",
                     demos->items[k].name, (long long)demos->items[k].zero_step);
    }
    return TOT_OK;
}

static tot_status create_parts(tot_labeler *labeler) {
    size_t count = labeler->demos->count;
    BASE_TRY(reward_cost_workspace_create(&labeler->workspace, tot_pool_threads(labeler->pool)));
    labeler->order = base_alloc(count, sizeof *labeler->order, "labeler");
    labeler->pairings = base_alloc_zero(count, sizeof *labeler->pairings, "labeler");
    BASE_HAVE(labeler->order, labeler->pairings);
    for (size_t k = 0; k < count; k++) {
        labeler->pairings[k].demo = &labeler->demos->items[k];
    }
    return TOT_OK;
}

tot_status tot_labeler_create(tot_labeler **out, const tot_demos *demos,
                              const tot_reward_config *config, tot_pool *pool) {
    BASE_NEED(out, demos, config);
    *out = NULL;
    BASE_TRY(tot_reward_config_check(config));
    BASE_NEW(tot_labeler, labeler, "labeler");
    labeler->source = reward_demos_use(demos);
    labeler->demos = demos;
    labeler->config = *config;
    labeler->pool = pool;
    tot_status status = TOT_OK;
    if (reward_prepares(config) && demos->count > 0) {
        status = reward_prepare_demos(&labeler->prepared, &labeler->center, demos, config);
        labeler->demos = labeler->prepared;
    }
    BASE_THEN(status, check_demos(labeler->demos, config));
    BASE_GIVE(BASE_THEN(status, create_parts(labeler)), out, labeler, tot_labeler_free);
}

void tot_labeler_free(tot_labeler *labeler) {
    BASE_UNLESS_NULL(labeler);
    for (size_t k = 0; labeler->pairings != NULL && k < labeler->demos->count; k++) {
        reward_pairing_free(&labeler->pairings[k]);
    }
    reward_cost_workspace_free(&labeler->workspace);
    reward_progress_free(&labeler->progress);
    tot_demos_free(labeler->prepared);
    tot_demos_free(labeler->source);
    BASE_RELEASE(labeler->pairings, labeler->order, labeler->rewards, labeler->ready,
                 labeler->center, labeler);
}

void tot_labeler_set_scale(tot_labeler *labeler, double scale) {
    BASE_NEED_OR(, labeler);
    if (isfinite(scale)) {
        labeler->config.scale = scale;
    }
}

double tot_scale_auto(double first_sum) {
    return first_sum != 0 ? 10 / fabs(first_sum) : 1;
}

// --- masks -------------------------------------------------------------------------------------

static tot_status lay_out(reward_pairing *pairing, int64_t steps, const tot_reward_config *config) {
    int64_t cols = pairing->demo->steps;
    if (config->mask == TOT_MASK_BAND) {
        BASE_TRY(reward_shape_band(&pairing->shape, steps, cols, config->mask_width));
        if (config->method->kind == REWARD_TRANSPORT) {
            BASE_TRY(reward_shape_carries(&pairing->shape, config->mask_width));
        }
    } else {
        BASE_TRY(reward_shape_dense(&pairing->shape, steps, cols));
    }
    return reward_shape_context(&pairing->base, &pairing->shape, config->context);
}

static tot_status lay_out_all(tot_labeler *labeler, int64_t steps, const char *name) {
    for (size_t k = 0; k < labeler->demos->count; k++) {
        reward_pairing *pairing = &labeler->pairings[k];
        tot_status status = lay_out(pairing, steps, &labeler->config);
        if (status == TOT_E_INFEASIBLE) {
            return base_fail_in(status, "%s against %s", name, pairing->demo->name);
        }
        BASE_TRY(status);
        BASE_RESERVE(pairing->rewards, pairing->rewards_capacity, (size_t)steps, "rewards");
    }
    return TOT_OK;
}

// The first cheapest column of row i among 0 .. last.
static int64_t cheapest_column(const reward_pairing *pairing, int64_t i, int64_t last) {
    const double *row = pairing->cost + pairing->shape.offset[i];
    int64_t cheapest = 0;
    for (int64_t j = 1; j <= last; j++) {
        cheapest = row[j] < row[cheapest] ? j : cheapest;
    }
    return cheapest;
}

// The causal or dynamic mask: a run of columns for every row of a dense cost.
static tot_status find_mask(reward_pairing *pairing, const tot_reward_config *config) {
    const reward_shape *shape = &pairing->shape;
    reward_shape *mask = &pairing->mask;
    pairing->masked = config->mask == TOT_MASK_CAUSAL || config->mask == TOT_MASK_DYNAMIC;
    if (!pairing->masked) {
        return TOT_OK;
    }
    BASE_TRY(reward_shape_dense(mask, shape->rows, shape->cols));
    for (int64_t i = 0; i < shape->rows; i++) {
        int64_t past = i < shape->cols ? i : shape->cols - 1;
        mask->last[i] = past;
        if (config->mask == TOT_MASK_DYNAMIC) {
            int64_t reach = config->mask_width < shape->cols ? config->mask_width : shape->cols;
            int64_t centre = cheapest_column(pairing, i, past);
            mask->first[i] = centre > reach ? centre - reach : 0;
            mask->last[i] = centre + reach < shape->cols ? centre + reach : shape->cols - 1;
        }
    }
    return TOT_OK;
}

// --- rewards -----------------------------------------------------------------------------------

static tot_status match_job(void *context, size_t index, int worker) {
    (void)worker;
    tot_labeler *labeler = context;
    reward_pairing *pairing = &labeler->pairings[index];
    const tot_method *method = labeler->config.method;
    BASE_TRY(find_mask(pairing, &labeler->config));
    pairing->info = (tot_label_info){
        .demo = (int64_t)index,
        .start = pairing->sums[reward_shape_at(&pairing->base, 0, 0)],
    };
    BASE_TRY(method->reward(pairing, &labeler->config));
    for (int64_t i = 0; i < pairing->shape.rows; i++) {
        pairing->info.sum += pairing->rewards[i];
    }
    return TOT_OK;
}

// The score by which demonstrations are ranked: the sum of rewards, or the similarity of the first
// frames.
static double merit(const tot_labeler *labeler, size_t demo) {
    const reward_pairing *pairing = &labeler->pairings[demo];
    return labeler->config.match == TOT_MATCH_START ? -pairing->info.start : pairing->info.sum;
}

// Sorts by decreasing merit; ties keep the order of the demonstrations.
static void rank(tot_labeler *labeler) {
    size_t *order = labeler->order;
    for (size_t k = 0; k < labeler->demos->count; k++) {
        size_t at = k;
        for (; at > 0 && merit(labeler, order[at - 1]) < merit(labeler, k); at--) {
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
    labeler->winner = order[0];
}

// Estimated error from float32 sums, relative to the largest |reward|.
static double expected_error(const tot_labeler *labeler, double largest) {
    const tot_reward_config *config = &labeler->config;
    const reward_pairing *winner = &labeler->pairings[labeler->winner];
    switch (config->method->kind) {
        case REWARD_TRANSPORT:
            // directly through the cost, and through the plan
            return float32_error *
                   (1 / (largest * (double)winner->shape.rows) + 1 / config->epsilon);
        case REWARD_DISTANCE:
            return float32_error / largest;
        case REWARD_MATCH:
        default:
            return float32_error * sqrt((double)winner->shape.cols) / config->tau;
    }
}

// Whether the episode must be compared again in float64.
static bool is_inexact(const tot_labeler *labeler, const tot_embeddings *episode, double largest) {
    return labeler->config.cost == TOT_COST_COSINE &&
           !reward_cost_is_exact(labeler->pairings, labeler->demos->count, episode) &&
           !(expected_error(labeler, largest) < tolerated_error);
}

static double largest_reward(const tot_labeler *labeler) {
    const reward_pairing *winner = &labeler->pairings[labeler->winner];
    double largest = 0;
    for (int64_t i = 0; i < winner->shape.rows; i++) {
        largest = fmax(largest, fabs(winner->rewards[i]));
    }
    return largest;
}

static tot_status compute_costs(tot_labeler *labeler, const tot_embeddings *episode,
                                const char *name, bool exact) {
    return reward_cost_compute(&labeler->workspace, labeler->pairings, labeler->demos->count,
                               episode, name, &labeler->config, exact ? REWARD_EXACT : REWARD_USUAL,
                               labeler->pool);
}

static tot_status match_all(tot_labeler *labeler, const tot_embeddings *episode, const char *name,
                            bool exact) {
    BASE_TRY(compute_costs(labeler, episode, name, exact));
    tot_status status = tot_pool_run(labeler->pool, labeler->demos->count, match_job, labeler);
    if (status == TOT_E_INFEASIBLE) {
        return base_fail_in(status, "%s", name);
    }
    BASE_TRY(status);
    rank(labeler);
    return TOT_OK;
}

// Averages over the best demonstrations, then scales and squashes.
static void combine(tot_labeler *labeler, float *rewards, tot_label_info *info) {
    const tot_reward_config *config = &labeler->config;
    size_t count = labeler->demos->count;
    size_t best = (size_t)config->best < count ? (size_t)config->best : count;
    *info = labeler->pairings[labeler->winner].info;
    info->sum = 0;
    for (int64_t i = 0; i < labeler->steps; i++) {
        double reward = 0;
        for (size_t k = 0; k < best; k++) {
            reward += labeler->pairings[labeler->order[k]].rewards[i];
        }
        reward = reward / (double)best * config->scale;
        if (config->squash_alpha > 0) {
            reward = config->squash_alpha * exp(config->squash_beta * reward);
        }
        labeler->rewards[i] = reward;
        if (rewards != NULL) {
            rewards[i] = (float)reward;
        }
        info->sum += reward;
    }
}

// Transforms the episode in the same way as the demonstrations, in float64.
static tot_status prepare(tot_labeler *labeler, tot_embeddings *episode) {
    BASE_RESERVE(labeler->ready, labeler->ready_capacity,
                 (size_t)episode->steps * (size_t)episode->width, "frames");
    for (int64_t step = 0; step < episode->steps; step++) {
        double *row = labeler->ready + step * episode->width;
        for (int64_t k = 0; k < episode->width; k++) {
            row[k] = reward_value_at(episode, step, k);
        }
        reward_prepare_frame(row, episode->width, labeler->center, &labeler->config);
    }
    *episode = tot_embeddings_f64(labeler->ready, episode->steps, episode->width);
    return TOT_OK;
}

// Checks an episode, sets the shapes of its pairings and transforms its frames if necessary.
static tot_status take_episode(tot_labeler *labeler, tot_embeddings *episode, const char *name) {
    labeler->steps = 0;
    BASE_TRY(reward_embeddings_check(episode, name));
    BASE_FAIL_IF(episode->width != tot_demos_width(labeler->demos), TOT_E_SHAPE,
                 "%s: width %lld, but %s has %lld", name, (long long)episode->width,
                 labeler->demos->items[0].name, (long long)tot_demos_width(labeler->demos));
    BASE_TRY(lay_out_all(labeler, episode->steps, name));
    return labeler->center != NULL ? prepare(labeler, episode) : TOT_OK;
}

tot_status tot_label(tot_labeler *labeler, tot_embeddings episode, const char *name, float *rewards,
                     tot_label_info *info) {
    BASE_NEED(labeler, name);
    BASE_TRY(take_episode(labeler, &episode, name));
    BASE_RESERVE(labeler->rewards, labeler->rewards_capacity, (size_t)episode.steps, "rewards");
    // for nearly identical frames the square root amplifies the error of float32 sums
    BASE_TRY(match_all(labeler, &episode, name, labeler->config.cost == TOT_COST_CHORD));
    if (is_inexact(labeler, &episode, largest_reward(labeler))) {
        BASE_TRY(match_all(labeler, &episode, name, true));
    }
    labeler->steps = episode.steps;
    tot_label_info unused;
    combine(labeler, rewards, info != NULL ? info : &unused);
    return TOT_OK;
}

tot_status reward_costs(tot_labeler *labeler, tot_embeddings episode, const char *name,
                        const double **costs) {
    const reward_pairing *pairing = &labeler->pairings[0];
    BASE_TRY(take_episode(labeler, &episode, name));
    BASE_TRY(compute_costs(labeler, &episode, name, labeler->config.cost == TOT_COST_CHORD));
    double largest = 0;  // as the reward of min-distance would be
    for (int64_t i = 0; i < pairing->shape.rows; i++) {
        const int64_t nearest = cheapest_column(pairing, i, pairing->shape.cols - 1);
        largest = fmax(largest, fabs(pairing->cost[i * pairing->shape.cols + nearest]));
    }
    if (is_inexact(labeler, &episode, largest)) {
        BASE_TRY(compute_costs(labeler, &episode, name, true));
    }
    *costs = pairing->cost;
    return TOT_OK;
}

BASE_GETTER(const double *, tot_labeler_rewards, tot_labeler, labeler, NULL,
            labeler->steps > 0 ? labeler->rewards : NULL)

tot_status tot_labeler_progress(tot_labeler *labeler, tot_embeddings episode, const char *name,
                                float *progress) {
    BASE_NEED(labeler, name, progress);
    BASE_FAIL_IF(labeler->steps == 0 || episode.steps != labeler->steps ||
                     episode.width != tot_demos_width(labeler->demos),
                 TOT_E_ARGUMENT, "%s: progress: not the episode that was labelled last", name);
    if (labeler->center != NULL) {
        // the transformed frames from tot_label
        episode = tot_embeddings_f64(labeler->ready, episode.steps, episode.width);
    }
    return reward_progress_find(&labeler->progress, &labeler->demos->items[labeler->winner],
                                &episode, name, &labeler->config, &labeler->workspace,
                                labeler->pool, progress);
}

// --- inspection --------------------------------------------------------------------------------

static tot_status spread(const reward_pairing *pairing, const double *values, double outside,
                         tot_array *out) {
    const reward_shape *shape = &pairing->shape;
    size_t bytes;
    BASE_FAIL_IF(
        __builtin_mul_overflow((size_t)shape->rows * sizeof(double), (size_t)shape->cols, &bytes),
        TOT_E_MEMORY, "a dense matrix of %lld x %lld is more than memory can hold",
        (long long)shape->rows, (long long)shape->cols);
    BASE_TRY(file_array_reserve(out, bytes));
    out->type = TOT_F64;
    out->dimensions = 2;
    out->shape[0] = shape->rows;
    out->shape[1] = shape->cols;
    double *data = out->data;
    for (int64_t i = 0; i < shape->rows; i++) {
        double *row = data + (size_t)i * (size_t)shape->cols;
        for (int64_t j = 0; j < shape->cols; j++) {
            bool inside = reward_shape_has(shape, i, j);
            row[j] = inside ? values[reward_shape_at(shape, i, j)] : outside;
        }
    }
    return TOT_OK;
}

tot_status tot_labeler_cost(const tot_labeler *labeler, tot_array *out) {
    BASE_NEED(labeler, out);
    BASE_FAIL_IF(labeler->steps == 0, TOT_E_ARGUMENT, "cost matrix: no episode was labelled yet");
    const reward_pairing *winner = &labeler->pairings[labeler->winner];
    return spread(winner, winner->cost, NAN, out);
}

tot_status tot_labeler_mask(const tot_labeler *labeler, tot_array *out) {
    BASE_NEED(labeler, out);
    BASE_FAIL_IF(labeler->steps == 0, TOT_E_ARGUMENT, "mask: no episode was labelled yet");
    const reward_pairing *winner = &labeler->pairings[labeler->winner];
    BASE_TRY(spread(winner, winner->cost, NAN, out));
    double *data = out->data;
    const int64_t columns = winner->shape.cols;
    for (int64_t k = 0; k < winner->shape.rows * columns; k++) {
        const int64_t i = k / columns;
        const int64_t j = k % columns;
        data[k] = reward_shape_has(&winner->shape, i, j) &&
                          (!winner->masked || reward_shape_has(&winner->mask, i, j))
                      ? 1
                      : 0;
    }
    return TOT_OK;
}

tot_status tot_labeler_plan(const tot_labeler *labeler, tot_array *out) {
    BASE_NEED(labeler, out);
    BASE_FAIL_IF(labeler->steps == 0, TOT_E_ARGUMENT, "plan: no episode was labelled yet");
    BASE_FAIL_IF(labeler->config.method->kind != REWARD_TRANSPORT, TOT_E_ARGUMENT,
                 "plan: method '%s' has none", labeler->config.method->name);
    const reward_pairing *winner = &labeler->pairings[labeler->winner];
    return spread(winner, winner->plan, 0, out);
}

// Shared by the reward tests: synthetic trajectories, and labelling in one call.
#pragma once

#include <math.h>

#include <temporalot/reward.h>

#include "owned.h"
#include "sanitizers.h"
#include "test.h"

OWNER(tot_demos)
OWNER(tot_labeler)
OWNER(tot_pool)

// How many of `count` random cases to test: a fifteenth with Valgrind, which is that slow (detected
// by the variable set by scripts/valgrind, or by its preloaded library), and with the thread
// sanitizer.
static inline uint64_t some_of(uint64_t count) {
    const char *loaded = getenv("LD_PRELOAD");
    bool slow = TEST_TSAN || getenv("TEMPORALOT_VALGRIND") != NULL ||
                (loaded != NULL && strstr(loaded, "vgpreload") != NULL);
    return slow ? count / 15 + 1 : count;
}

// [steps][width], in both precisions, with exactly the same values
typedef struct trajectory {
    int64_t steps;
    int64_t width;
    float *f32;
    double *f64;
} trajectory;

static inline trajectory trajectory_make(int64_t steps, int64_t width) {
    trajectory t = {.steps = steps, .width = width};
    t.f32 = calloc((size_t)(steps * width), sizeof *t.f32);
    t.f64 = calloc((size_t)(steps * width), sizeof *t.f64);
    assert_true(t.f32 != NULL && t.f64 != NULL);
    return t;
}

static inline void trajectory_free(trajectory *t) {
    free(t->f32);
    free(t->f64);
    *t = (trajectory){0};
}

static inline void trajectory_set(trajectory *t, int64_t step, int64_t column, double value) {
    t->f32[step * t->width + column] = (float)value;
    t->f64[step * t->width + column] = (double)(float)value;
}

static inline tot_embeddings view_f32(const trajectory *t) {
    return tot_embeddings_f32(t->f32, t->steps, t->width);
}

static inline tot_embeddings view_f64(const trajectory *t) {
    return tot_embeddings_f64(t->f64, t->steps, t->width);
}

// independent frames
static inline trajectory make_noise(tot_random *random, int64_t steps, int64_t width) {
    trajectory t = trajectory_make(steps, width);
    for (int64_t i = 0; i < steps; i++) {
        for (int64_t k = 0; k < width; k++) {
            trajectory_set(&t, i, k, tot_random_normal(random));
        }
    }
    return t;
}

// a random walk: neighbouring frames are similar, as in an image sequence
static inline trajectory make_walk(tot_random *random, int64_t steps, int64_t width,
                                   double stride) {
    trajectory t = trajectory_make(steps, width);
    for (int64_t k = 0; k < width; k++) {
        double place = tot_random_normal(random);
        for (int64_t i = 0; i < steps; i++) {
            trajectory_set(&t, i, k, place);
            place += stride * tot_random_normal(random);
        }
    }
    return t;
}

// the same trajectory with some noise
static inline trajectory make_near(tot_random *random, const trajectory *original, double noise) {
    trajectory t = trajectory_make(original->steps, original->width);
    for (int64_t i = 0; i < t.steps; i++) {
        for (int64_t k = 0; k < t.width; k++) {
            trajectory_set(&t, i, k,
                           original->f64[i * t.width + k] + noise * tot_random_normal(random));
        }
    }
    return t;
}

// frames in another order: frame i is the original's frame order[i]
static inline trajectory make_reordered(const trajectory *original, const int64_t *order) {
    trajectory t = trajectory_make(original->steps, original->width);
    for (int64_t i = 0; i < t.steps; i++) {
        for (int64_t k = 0; k < t.width; k++) {
            trajectory_set(&t, i, k, original->f64[order[i] * t.width + k]);
        }
    }
    return t;
}

// The result of labelling; owns its memory.
typedef struct labelled {
    int64_t steps;
    float *rewards;   // [steps]
    double *precise;  // [steps], before rounding
    tot_label_info info;
} labelled;

static inline void labelled_free(labelled *l) {
    free(l->rewards);
    free(l->precise);
    *l = (labelled){0};
}

#define assert_ok(expression)                                                                     \
    do {                                                                                          \
        tot_status assert_ok_status_ = (expression);                                              \
        if (assert_ok_status_ != TOT_OK) {                                                        \
            fail_msg("%s: %s: %s", #expression, tot_status_text(assert_ok_status_), tot_error()); \
        }                                                                                         \
    } while (0)

static inline labelled label_with(tot_labeler *labeler, tot_embeddings episode) {
    labelled l = {.steps = episode.steps};
    l.rewards = calloc((size_t)episode.steps, sizeof *l.rewards);
    l.precise = calloc((size_t)episode.steps, sizeof *l.precise);
    assert_true(l.rewards != NULL && l.precise != NULL);
    assert_ok(tot_label(labeler, episode, "episode", l.rewards, &l.info));
    memcpy(l.precise, tot_labeler_rewards(labeler), (size_t)episode.steps * sizeof *l.precise);
    return l;
}

static inline tot_demos *demos_of(const tot_embeddings *demos, int64_t count) {
    tot_demos *made = NULL;
    assert_ok(tot_demos_create(&made));
    for (int64_t k = 0; k < count; k++) {
        char name[32];
        snprintf(name, sizeof name, "demonstration %d", (int)k);
        assert_ok(tot_demos_add(made, demos[k], name));
    }
    return made;
}

// Labels with new demonstrations, labeler and result.
static inline labelled label_fresh(const tot_reward_config *config, tot_pool *pool,
                                   const tot_embeddings *demos, int64_t count,
                                   tot_embeddings episode) {
    tot_demos *made = demos_of(demos, count);
    tot_labeler *labeler = NULL;
    assert_ok(tot_labeler_create(&labeler, made, config, pool));
    labelled l = label_with(labeler, episode);
    tot_labeler_free(labeler);
    tot_demos_free(made);
    return l;
}

static inline tot_reward_config config_for(const char *method) {
    tot_reward_config config;
    assert_ok(tot_reward_config_for(&config, method));
    return config;
}

static inline double largest_reward(const labelled *l) {
    double largest = 0;
    for (int64_t i = 0; i < l->steps; i++) {
        largest = fmax(largest, fabs(l->precise[i]));
    }
    return largest;
}

// The largest difference of two results, relative to the largest |reward|. Values below 1e-15 are
// rounding errors of the double-precision cost itself.
static inline double difference(const labelled *a, const labelled *b) {
    assert_int_equal(a->steps, b->steps);
    double largest = 0;
    for (int64_t i = 0; i < a->steps; i++) {
        largest = fmax(largest, fabs(a->precise[i] - b->precise[i]));
    }
    return largest <= 1e-15 ? 0 : largest / largest_reward(a);
}

static inline bool same_bytes(const labelled *a, const labelled *b) {
    return a->steps == b->steps &&
           memcmp(a->rewards, b->rewards, (size_t)a->steps * sizeof *a->rewards) == 0 &&
           memcmp(a->precise, b->precise, (size_t)a->steps * sizeof *a->precise) == 0 &&
           a->info.demo == b->info.demo && a->info.iterations == b->info.iterations &&
           a->info.converged == b->info.converged &&
           memcmp(&a->info.sum, &b->info.sum, sizeof a->info.sum) == 0 &&
           memcmp(&a->info.marginal_error, &b->info.marginal_error,
                  sizeof a->info.marginal_error) == 0 &&
           memcmp(&a->info.mass_outside, &b->info.mass_outside, sizeof a->info.mass_outside) == 0;
}

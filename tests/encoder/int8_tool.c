// Compares int8 with f32 on rendered frames of all ten tasks, and checks whether the TemporalOT
// rewards keep their order. Run manually (takes minutes):
//
//     encoder_int8_tool WEIGHTS|resnet50 [ACTION_REPEAT [THREADS [TASK]]]
//
// `resnet50` stands for generated weights. Calibrates on frames of other episodes in both
// qualities. Then renders two expert demonstrations and five episodes per task, from the expert's
// to random actions, with quality fast; every fifth frame is also compared in full quality.
#include "generated.h"

#include <temporalot/picture.h>
#include <temporalot/reward.h>

enum {
    SIZE = 224,
    NUMBERS = SIZE * SIZE * 3,
    DEMOS = 2,
    EPISODES = 5,      // per task
    CALIBRATION = 12,  // frames per task and quality
    MOST_STEPS = 200,
};

static void check(tot_status status) {
    if (status != TOT_OK) {
        fprintf(stderr, "int8_tool: %s\n", tot_error());
        exit(1);
    }
}

static void *take(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL) {
        fprintf(stderr, "int8_tool: no memory\n");
        exit(1);
    }
    return memory;
}

// --- frames -------------------------------------------------------------------------------------

typedef struct stage {
    tot_task *task;
    tot_world *world;
    tot_renderer *renderers[2];  // full, fast
} stage;

static void open_scene(stage *this, const char *name, int repeat, tot_pool *pool) {
    const tot_world_settings settings = {.action_repeat = repeat};
    check(tot_task_load(&this->task, name, NULL));
    check(tot_world_create(&this->world, this->task, &settings));
    for (int quality = 0; quality < 2; quality++) {
        tot_picture_settings picture;
        tot_picture_defaults(&picture);
        picture.quality = (tot_quality)quality;
        check(tot_renderer_create(&this->renderers[quality], this->task, &picture, pool));
    }
}

static void close_scene(stage *this) {
    tot_renderer_free(this->renderers[0]);
    tot_renderer_free(this->renderers[1]);
    tot_world_free(this->world);
    tot_task_free(this->task);
}

// Runs an episode: noise 0 is the expert, 1 is random. Returns its steps; rgb gets one frame per
// step.
static int play(stage *this, uint64_t episode, double noise, tot_quality quality, uint8_t *rgb) {
    tot_random random;
    tot_random_init_numbered(&random, 1, "int8 tool", episode);
    check(tot_world_reset(this->world, 1, episode));
    int steps = 0;
    while (!tot_world_done(this->world) && steps < MOST_STEPS) {
        float action[TOT_ACTION];
        tot_world_expert(this->world, action);
        for (int k = 0; k < TOT_ACTION; k++) {
            const double drawn = 2 * tot_random_uniform(&random) - 1;
            const double expert = fmax(-1, fmin(1, (double)action[k]));
            action[k] = (float)((1 - noise) * expert + noise * drawn);
        }
        check(tot_world_step(this->world, action));
        check(tot_renderer_draw(this->renderers[quality], this->world,
                                rgb + (size_t)steps * NUMBERS));
        steps++;
    }
    return steps;
}

// --- comparing ----------------------------------------------------------------------------------

static double cosine(const float *a, const float *b, int64_t count) {
    double product = 0;
    double of_a = 0;
    double of_b = 0;
    for (int64_t k = 0; k < count; k++) {
        product += (double)a[k] * (double)b[k];
        of_a += (double)a[k] * (double)a[k];
        of_b += (double)b[k] * (double)b[k];
    }
    return product / sqrt(of_a * of_b);
}

// The rank of each of count distinct values.
static void rank(const float *numbers, int count, double *ranks) {
    for (int k = 0; k < count; k++) {
        ranks[k] = 0;
        for (int other = 0; other < count; other++) {
            ranks[k] += (numbers[other] < numbers[k]) + 0.5 * (numbers[other] == numbers[k]);
        }
    }
}

static double rank_correlation(const float *a, const float *b, int count) {
    double *ranks_a = take((size_t)count * sizeof *ranks_a);
    double *ranks_b = take((size_t)count * sizeof *ranks_b);
    rank(a, count, ranks_a);
    rank(b, count, ranks_b);
    double product = 0;
    double of_a = 0;
    double of_b = 0;
    for (int k = 0; k < count; k++) {
        const double x = ranks_a[k] - 0.5 * count;
        const double y = ranks_b[k] - 0.5 * count;
        product += x * y;
        of_a += x * x;
        of_b += y * y;
    }
    free(ranks_a);
    free(ranks_b);
    return product / sqrt(of_a * of_b);
}

// --- all tasks ----------------------------------------------------------------------------------

typedef struct trial {
    tot_pool *pool;
    int repeat;
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder *encoders[2];  // f32, int8
    int64_t width;
    uint8_t *rgb;
    float *maps[2];  // [MOST_STEPS][width]
    float *all[2];   // rewards of all episodes
    int all_count;
    float sums[2][EPISODES * 128];
    int sum_count;
    double least_cosine, least_correlation;
} trial;

static void calibrate(trial *this) {
    const size_t tasks = tot_task_count();
    uint8_t *chosen = take(tasks * 2 * CALIBRATION * NUMBERS);
    size_t count = 0;
    for (size_t k = 0; k < tasks; k++) {
        stage scene;
        open_scene(&scene, tot_task_at(k)->name, this->repeat, this->pool);
        for (int quality = 0; quality < 2; quality++) {
            const int steps =
                play(&scene, 1000 + (uint64_t)quality, 0.4, (tot_quality)quality, this->rgb);
            for (int frame = 0; frame < CALIBRATION; frame++) {
                memcpy(chosen + count++ * NUMBERS,
                       this->rgb + (size_t)(steps * frame / CALIBRATION) * NUMBERS, NUMBERS);
            }
        }
        close_scene(&scene);
    }
    check(
        tot_calibrate(&this->calibration, this->weights, SIZE, chosen, (int64_t)count, this->pool));
    free(chosen);
}

static void create_encoders(trial *this) {
    for (int which = 0; which < 2; which++) {
        tot_encoder_settings settings;
        tot_encoder_defaults(&settings);
        settings.precision = which == 0 ? TOT_PRECISION_F32 : TOT_PRECISION_INT8;
        settings.calibration = which == 0 ? NULL : this->calibration;
        check(tot_encoder_create(&this->encoders[which], this->weights, &settings, this->pool));
        this->width = tot_encoder_width(this->encoders[which]);
        this->maps[which] = take((size_t)(MOST_STEPS * this->width) * sizeof(float));
        this->all[which] = take(tot_task_count() * EPISODES * MOST_STEPS * sizeof(float));
    }
}

// Encodes with both; returns the lowest cosine over the frames.
static double encode_both(trial *this, int steps) {
    double least = 1;
    for (int which = 0; which < 2; which++) {
        check(tot_encode(this->encoders[which], this->rgb, steps, this->maps[which]));
    }
    for (int k = 0; k < steps; k++) {
        least = fmin(least, cosine(this->maps[0] + k * this->width, this->maps[1] + k * this->width,
                                   this->width));
    }
    return least;
}

static void add_demos(trial *this, stage *scene, tot_demos **demos, double *least) {
    check(tot_demos_create(&demos[0]));
    check(tot_demos_create(&demos[1]));
    for (uint64_t k = 0; k < DEMOS; k++) {
        const int steps = play(scene, k, 0, TOT_QUALITY_FAST, this->rgb);
        *least = fmin(*least, encode_both(this, steps));
        for (int which = 0; which < 2; which++) {
            check(tot_demos_add(demos[which],
                                tot_embeddings_f32(this->maps[which], steps, this->width), "demo"));
        }
    }
}

static double label_both(trial *this, tot_labeler **labelers, int steps) {
    for (int which = 0; which < 2; which++) {
        tot_label_info info;
        check(tot_label(labelers[which], tot_embeddings_f32(this->maps[which], steps, this->width),
                        "episode", this->all[which] + this->all_count, &info));
        this->sums[which][this->sum_count] = (float)info.sum;
    }
    const double found =
        rank_correlation(this->all[0] + this->all_count, this->all[1] + this->all_count, steps);
    this->all_count += steps;
    this->sum_count++;
    return found;
}

static void run_task(trial *this, const char *name) {
    stage scene;
    tot_demos *demos[2];
    tot_labeler *labelers[2];
    tot_reward_config config;
    double fast = 1;
    double correlation = 1;
    open_scene(&scene, name, this->repeat, this->pool);
    add_demos(this, &scene, demos, &fast);
    tot_reward_defaults(&config);
    for (int which = 0; which < 2; which++) {
        check(tot_labeler_create(&labelers[which], demos[which], &config, this->pool));
    }
    for (int k = 0; k < EPISODES; k++) {
        const double noise = (double)k / (EPISODES - 1);
        const int steps = play(&scene, 100 + (uint64_t)k, noise, TOT_QUALITY_FAST, this->rgb);
        fast = fmin(fast, encode_both(this, steps));
        correlation = fmin(correlation, label_both(this, labelers, steps));
    }
    const int steps = play(&scene, 200, 0.2, TOT_QUALITY_FULL, this->rgb);
    const double full = encode_both(this, steps);
    printf("%-22s least cosine fast %.5f full %.5f, least rank correlation of an episode %.5f\n",
           name, fast, full, correlation);
    fflush(stdout);
    this->least_cosine = fmin(this->least_cosine, fmin(fast, full));
    this->least_correlation = fmin(this->least_correlation, correlation);
    for (int which = 0; which < 2; which++) {
        tot_labeler_free(labelers[which]);
        tot_demos_free(demos[which]);
    }
    close_scene(&scene);
}

int main(int argc, char **argv) {
    static trial this = {.repeat = 2, .least_cosine = 1, .least_correlation = 1};
    if (argc < 2) {
        fprintf(stderr,
                "usage: encoder_int8_tool WEIGHTS|resnet50 [ACTION_REPEAT [THREADS [TASK]]]\n");
        return 2;
    }
    this.repeat = argc > 2 ? atoi(argv[2]) : 2;
    check(tot_pool_create(&this.pool, argc > 3 ? atoi(argv[3]) : 0));
    check(strcmp(argv[1], "resnet50") == 0
              ? made_load(&this.weights, "resnet50", "", NULL, NULL, NULL)
              : tot_weights_load(&this.weights, argv[1], NULL));
    this.rgb = take((size_t)MOST_STEPS * NUMBERS);
    calibrate(&this);
    create_encoders(&this);
    printf("%s, against f32\n", tot_encoder_text(this.encoders[1]));
    for (size_t k = 0; k < tot_task_count(); k++) {
        if (argc < 5 || strcmp(argv[4], tot_task_at(k)->name) == 0) {
            run_task(&this, tot_task_at(k)->name);
        }
    }
    printf(
        "all: least cosine %.5f; rank correlation: least of an episode %.5f, of all steps of "
        "%d episodes %.5f, of their sums %.5f\n",
        this.least_cosine, this.least_correlation, this.sum_count,
        rank_correlation(this.all[0], this.all[1], this.all_count),
        rank_correlation(this.sums[0], this.sums[1], this.sum_count));
    for (int which = 0; which < 2; which++) {
        tot_encoder_free(this.encoders[which]);
        free(this.maps[which]);
        free(this.all[which]);
    }
    tot_calibration_free(this.calibration);
    tot_weights_free(this.weights);
    tot_pool_free(this.pool);
    free(this.rgb);
    return 0;
}

// temporalot bench picture: renders door-open with the software renderer and with MuJoCo's, which
// draws the same scene with the same features. Both run in this process, in turns, on one thread.
#include <stdlib.h>
#include <string.h>

#include <temporalot/demo.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/settings.h"
#include "bench.h"
#include "world/sawyer.h"

enum { ROUNDS = 9, SOFT_REPEATS = 8, FRAMES = 60, MOST_BYTES = 640 * 480 * 3, STATES = 4 };

static const char peer_name[] = "mujoco gl";

typedef struct size_case {
    const char *name;
    int width, height;
} size_case;

// the paper's code renders at 640 and scales down; the others are the resulting sizes
static const size_case sizes[] = {{"84", 84, 84}, {"224", 224, 224}, {"640", 640, 480}};

enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

// Worlds in different states of an expert episode, so that consecutive pictures differ.
typedef struct stage {
    tot_task *task;
    tot_world *worlds[STATES];
    tot_pool *pool;
    uint8_t *rgb;
    int threads;
    bool have_gl;
    int64_t triangles;  // mesh triangles per picture
} stage;

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count) {
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

// --- the scene ---------------------------------------------------------------------------------

// The triangles of all meshes that MuJoCo shows by default: geom groups 0 to 2.
static int64_t count_triangles(const mjModel *model) {
    int64_t count = 0;
    for (int k = 0; k < model->ngeom; k++) {
        if (model->geom_type[k] == mjGEOM_MESH && model->geom_group[k] < 3) {
            count += model->mesh_facenum[model->geom_dataid[k]];
        }
    }
    return count;
}

static tot_status play(tot_world *world, int frames) {
    BASE_TRY(tot_world_reset(world, 0, 0));
    const tot_policy expert = tot_policy_expert();
    return tot_play(world, &expert, frames, NULL, NULL);
}

static tot_status open_stage(stage *it, int threads) {
    it->threads = threads;
    it->rgb = base_alloc(MOST_BYTES, 1, "picture");
    BASE_HAVE(it->rgb);
    BASE_TRY(tot_pool_create(&it->pool, threads));
    BASE_TRY(tot_task_load(&it->task, "door-open", NULL));
    it->triangles = count_triangles(it->task->model);
    for (int k = 0; k < STATES; k++) {
        BASE_TRY(tot_world_create(&it->worlds[k], it->task, NULL));
        BASE_TRY(play(it->worlds[k], k * FRAMES / STATES));
    }
    it->have_gl = tot_gl_check(NULL) == TOT_OK;
    if (!it->have_gl) {
        fprintf(stderr, "bench: no peer: %s\n", tot_error());
    }
    return TOT_OK;
}

static void close_stage(stage *it) {
    for (int k = 0; k < STATES; k++) {
        tot_world_free(it->worlds[k]);
    }
    tot_task_free(it->task);
    tot_pool_free(it->pool);
    base_free(it->rgb);
}

// --- timing ------------------------------------------------------------------------------------

// ms per picture, over `repeats` pictures that cycle through the worlds.
static tot_status time_pictures(const stage *it, tot_renderer *renderer, int repeats, double *ms) {
    const double start = bench_now_ms();
    for (int k = 0; k < repeats; k++) {
        BASE_TRY(tot_renderer_draw(renderer, it->worlds[k % STATES], it->rgb));
    }
    *ms = (bench_now_ms() - start) / repeats;
    return TOT_OK;
}

static tot_status time_both(const stage *it, tot_renderer *soft, tot_renderer *gl, double *soft_ms,
                            double *gl_ms) {
    double soft_times[ROUNDS];
    double gl_times[ROUNDS];
    double ignored;
    BASE_TRY(time_pictures(it, soft, STATES, &ignored));
    if (gl != NULL) {
        BASE_TRY(time_pictures(it, gl, 1, &ignored));
    }
    for (int k = 0; k < ROUNDS; k++) {
        BASE_TRY(time_pictures(it, soft, SOFT_REPEATS, &soft_times[k]));
        if (gl != NULL) {
            BASE_TRY(time_pictures(it, gl, STATES, &gl_times[k]));
        }
    }
    *soft_ms = median(soft_times, ROUNDS);
    *gl_ms = gl != NULL ? median(gl_times, ROUNDS) : 0;
    return TOT_OK;
}

static void add_case(const stage *it, const size_case *size, tot_quality quality, double ms,
                     double peer_ms) {
    char work[64], word[16];
    char note[128];
    const double pixels = (double)size->width * size->height;
    snprintf(work, sizeof work, "picture soft %s %s",
             base_word_at(TOT_QUALITY_WORDS, (int)quality, word, sizeof word), size->name);
    snprintf(note, sizeof note, "%.1f ns a mesh triangle, %.1f ns a pixel",
             1e6 * ms / (double)it->triangles, 1e6 * ms / pixels);
    bench_add(&(bench_line){.work = work,
                            .threads = it->threads,
                            .ms = ms,
                            .peer = peer_name,
                            .peer_ms = peer_ms,
                            .note = note});
}

static tot_status run_case(const stage *it, const size_case *size, tot_quality quality) {
    tot_picture_settings settings;
    tot_renderer *soft = NULL;
    tot_renderer *gl = NULL;
    double soft_ms = 0;
    double gl_ms = 0;
    tot_picture_defaults(&settings);
    settings.quality = quality;
    settings.width = size->width;
    settings.height = size->height;
    tot_status status = tot_renderer_create(&soft, it->task, &settings, it->pool);
    settings.renderer = TOT_RENDERER_GL;
    if (status == TOT_OK && it->have_gl) {
        status = tot_renderer_create(&gl, it->task, &settings, NULL);
    }
    BASE_THEN(status, time_both(it, soft, gl, &soft_ms, &gl_ms));
    if (status == TOT_OK) {
        add_case(it, size, quality, soft_ms, gl_ms);
    }
    tot_renderer_free(soft);
    tot_renderer_free(gl);
    return status;
}

static tot_status run_cases(const stage *it) {
    for (int quality = TOT_QUALITY_FULL; quality <= TOT_QUALITY_FAST; quality++) {
        for (size_t k = 0; k < SIZE_COUNT; k++) {
            BASE_TRY(run_case(it, &sizes[k], (tot_quality)quality));
        }
    }
    return TOT_OK;
}

tot_status bench_picture(int threads) {
    char number[16];
    stage it = {0};
    // Mesa's software renderer uses all CPUs by default; 0 means the calling thread only
    const int used = threads > 0 ? threads : 1;
    snprintf(number, sizeof number, "%d", used > 1 ? used : 0);
    setenv("LP_NUM_THREADS", number, 0);
    tot_status status = open_stage(&it, used);
    BASE_THEN(status, run_cases(&it));
    close_stage(&it);
    return status;
}

// temporalot bench label: labels one episode with TemporalOT against two demonstrations.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "bench.h"

enum { DEMOS = 2 };

typedef struct size_case {
    int64_t steps;
    int64_t width;
    int repeats;  // for both ours and the peer, which takes seconds for a long episode
    bool beside_peer;
} size_case;

static const size_case cases[] = {
    {63, 100352, 9, true}, {88, 100352, 9, true}, {500, 2048, 5, true},
    {500, 64, 9, false},   {5000, 64, 9, false},  {50000, 64, 9, false},
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

typedef struct episode_case {
    float *episode;
    float *expert[DEMOS];
    float *rewards;
    size_case size;
    tot_demos *demos;
    tot_labeler *labeler;
    volatile float read;  // prevents the compiler from removing the read
} episode_case;

// --- counting the library's memory -------------------------------------------------------------

typedef struct counted {
    size_t held;
    size_t peak;
} counted;

enum { COUNT_CAPACITY = 64 };

static void *counting_allocate(void *context, size_t bytes, size_t alignment) {
    counted *count = context;
    void *block = NULL;
    if (posix_memalign(&block, alignment, bytes + COUNT_CAPACITY) != 0) {
        return NULL;
    }
    memcpy(block, &bytes, sizeof bytes);
    count->held += bytes;
    count->peak = count->held > count->peak ? count->held : count->peak;
    return (char *)block + COUNT_CAPACITY;
}

static void counting_release(void *context, void *pointer) {
    counted *count = context;
    if (pointer == NULL) {
        return;
    }
    char *block = (char *)pointer - COUNT_CAPACITY;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    count->held -= bytes;
    free(block);
}

// --- the work ----------------------------------------------------------------------------------

static float *random_frames(tot_random *random, size_t count) {
    // allocated like the arrays of tot_array_load
    float *frames = base_alloc(count, sizeof *frames, "frames");
    for (size_t k = 0; frames != NULL && k < count; k++) {
        frames[k] = (float)(tot_random_word(random) >> 8) * 0x1p-24f;
    }
    return frames;
}

static tot_status label_once(void *context) {
    episode_case *work = context;
    tot_embeddings view = tot_embeddings_f32(work->episode, work->size.steps, work->size.width);
    return tot_label(work->labeler, view, "episode", work->rewards, NULL);
}

// Reads the same memory once, with eight independent sums per thread: the lower bound of the
// hardware.
static tot_status read_job(void *context, size_t index, int worker) {
    (void)worker;
    episode_case *work = context;
    size_t count = (size_t)(work->size.steps * work->size.width);
    const float *all[] = {work->episode, work->expert[0], work->expert[1]};
    const size_t pieces = 16;
    float total[16] = {0};
    for (int k = 0; k < 3; k++) {
        const float *from = all[k] + count * index / pieces;
        size_t length = count * (index + 1) / pieces - count * index / pieces;
        for (size_t i = 0; i + 16 <= length; i += 16) {
            for (int lane = 0; lane < 16; lane++) {
                total[lane] += from[i + lane];
            }
        }
    }
    for (int lane = 1; lane < 16; lane++) {
        total[0] += total[lane];
    }
    work->read = total[0];
    return TOT_OK;
}

typedef struct read_work {
    episode_case *work;
    tot_pool *pool;
} read_work;

static tot_status read_once(void *context) {
    read_work *reading = context;
    return tot_pool_run(reading->pool, 16, read_job, reading->work);
}

static void case_free(episode_case *work) {
    base_free(work->episode);
    for (int k = 0; k < DEMOS; k++) {
        base_free(work->expert[k]);
    }
    free(work->rewards);
    *work = (episode_case){0};
}

static tot_status case_create(episode_case *work, const size_case *size) {
    tot_random random;
    tot_random_init(&random, 0, "bench");
    size_t count = (size_t)(size->steps * size->width);
    *work = (episode_case){.size = *size};
    work->episode = random_frames(&random, count);
    work->rewards = malloc((size_t)size->steps * sizeof(float));
    bool good = work->episode != NULL && work->rewards != NULL;
    for (int k = 0; k < DEMOS; k++) {
        work->expert[k] = random_frames(&random, count);
        good = good && work->expert[k] != NULL;
    }
    if (!good) {
        case_free(work);
        return base_fail(TOT_E_MEMORY, "bench label: no memory for %zu numbers", 3 * count);
    }
    return TOT_OK;
}

static tot_status open_labeler(episode_case *work, tot_pool *pool) {
    tot_reward_config config;
    tot_reward_defaults(&config);
    BASE_TRY(tot_demos_create(&work->demos));
    for (int k = 0; k < DEMOS; k++) {
        tot_embeddings view =
            tot_embeddings_f32(work->expert[k], work->size.steps, work->size.width);
        BASE_TRY(tot_demos_add(work->demos, view, "demonstration"));
    }
    return tot_labeler_create(&work->labeler, work->demos, &config, pool);
}

static void close_labeler(episode_case *work) {
    tot_labeler_free(work->labeler);
    tot_demos_free(work->demos);
    work->labeler = NULL;
    work->demos = NULL;
}

static tot_status measure(episode_case *work, tot_pool *pool, bench_line *line, char *note,
                          size_t capacity, const counted *count) {
    double bytes = 3.0 * (double)work->size.steps * (double)work->size.width * sizeof(float);
    read_work reading = {work, pool};
    BASE_TRY(open_labeler(work, pool));
    BASE_TRY(bench_median(label_once, work, work->size.repeats, &line->ms));
    BASE_TRY(bench_median(read_once, &reading, work->size.repeats, &line->limit_ms));
    if (work->size.beside_peer) {
        snprintf(note, capacity, "%.3g GB/s; a plain read of the same memory: %.3g GB/s",
                 bytes / line->ms / 1e6, bytes / line->limit_ms / 1e6);
    } else {
        snprintf(note, capacity, "%.3g us a step; the library held at most %.3g MB",
                 1e3 * line->ms / (double)work->size.steps, (double)count->peak / 1e6);
    }
    line->note = note;
    return TOT_OK;
}

static tot_status bench_case(const size_case *size, int threads, const bench_peer_figures *figures,
                             size_t figure_count) {
    char name[64];
    char note[160];
    counted count = {0};
    episode_case work;
    tot_pool *pool = NULL;
    snprintf(name, sizeof name, "label T=%lld d=%lld", (long long)size->steps,
             (long long)size->width);
    bench_line line = {.work = name, .threads = threads, .peer = "numpy+scipy"};
    line.peer_ms = bench_peer_find(figures, figure_count, name);
    BASE_TRY(case_create(&work, size));
    tot_memory counting = {counting_allocate, counting_release, &count};
    tot_memory_set(size->beside_peer ? NULL : &counting);
    tot_status status = tot_pool_create(&pool, threads);
    BASE_THEN(status, measure(&work, pool, &line, note, sizeof note, &count));
    close_labeler(&work);
    tot_pool_free(pool);
    tot_memory_set(NULL);
    case_free(&work);
    if (status == TOT_OK) {
        bench_add(&line);
    }
    return status;
}

static tot_status bench_on(int threads) {
    bench_peer_figures figures[BENCH_MOST_FIGURES];
    char words[256] = "";
    for (size_t k = 0; k < CASE_COUNT; k++) {
        if (cases[k].beside_peer) {
            size_t used = strlen(words);
            snprintf(words + used, sizeof words - used, " %lld,%lld,%d", (long long)cases[k].steps,
                     (long long)cases[k].width, cases[k].repeats);
        }
    }
    size_t count = bench_peer_run("label.py", threads, words, figures);
    for (size_t k = 0; k < CASE_COUNT; k++) {
        BASE_TRY(bench_case(&cases[k], threads, figures, count));
    }
    return TOT_OK;
}

tot_status bench_label(int threads) {
    return bench_each_count(threads, bench_on);
}

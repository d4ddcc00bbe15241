#include "bench.h"

#include <cJSON.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { MOST_REPEATS = 101 };

double bench_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

tot_status bench_median(bench_call call, void *context, int repeats, double *ms) {
    double times[MOST_REPEATS];
    int count = repeats < MOST_REPEATS ? repeats : MOST_REPEATS;
    tot_status status = call(context);
    for (int k = 0; status == TOT_OK && k < count; k++) {
        double start = bench_now_ms();
        status = call(context);
        times[k] = bench_now_ms() - start;
    }
    if (status == TOT_OK) {
        qsort(times, (size_t)count, sizeof *times, compare);
        *ms = times[count / 2];
    }
    return status;
}

// --- lines ---------------------------------------------------------------------------------------

enum { MOST_LINES = 1024, TEXT_CAPACITY = 192 };

// A line with its own copies of the texts, merged over the rounds.
typedef struct merged_line {
    bench_line line;
    char work[TEXT_CAPACITY];
    char peer[TEXT_CAPACITY];
    char note[TEXT_CAPACITY];
} merged_line;

// The lines of the current benchmark: a program runs one at a time.
static merged_line lines[MOST_LINES];
static size_t line_count;

static void keep_text(char *capacity, const char **text, const char *given) {
    snprintf(capacity, TEXT_CAPACITY, "%s", given != NULL ? given : "");
    *text = given != NULL ? capacity : NULL;
}

static bool is_same(const merged_line *one, const bench_line *line) {
    return one->line.threads == line->threads && strcmp(one->work, line->work) == 0 &&
           strcmp(one->peer, line->peer != NULL ? line->peer : "") == 0;
}

// The lower of two times; 0 means not measured.
static double lower(double a, double b) {
    return a <= 0 || (b > 0 && b < a) ? b : a;
}

void bench_add(const bench_line *line) {
    merged_line *one = lines;
    while (one < lines + line_count && !is_same(one, line)) {
        one++;
    }
    if (one == lines + MOST_LINES) {
        fprintf(stderr, "bench: more than %d lines; '%s' is left out\n", MOST_LINES, line->work);
        return;
    }
    const bool is_new = one == lines + line_count;
    if (is_new) {
        *one = (merged_line){.line = {.threads = line->threads}};
        keep_text(one->work, &one->line.work, line->work);
        keep_text(one->peer, &one->line.peer, line->peer);
        line_count++;
    }
    if (is_new || line->ms < one->line.ms) {
        keep_text(one->note, &one->line.note, line->note);
    }
    one->line.ms = lower(one->line.ms, line->ms);
    one->line.peer_ms = lower(one->line.peer_ms, line->peer_ms);
    one->line.limit_ms = lower(one->line.limit_ms, line->limit_ms);
}

static void print_json(const bench_line *line, int rounds) {
    printf("{\"work\": \"%s\", \"threads\": %d, \"rounds\": %d, \"ms\": %.6g", line->work,
           line->threads, rounds, line->ms);
    if (line->peer_ms > 0) {
        printf(", \"peer\": \"%s\", \"peer_ms\": %.6g, \"ratio\": %.4g", line->peer, line->peer_ms,
               line->peer_ms / line->ms);
    }
    if (line->limit_ms > 0) {
        printf(", \"limit_ms\": %.6g", line->limit_ms);
    }
    if (line->note != NULL) {
        printf(", \"note\": \"%s\"", line->note);
    }
    printf("}\n");
}

static void print_row(const bench_line *line) {
    static bool headed;
    if (!headed) {
        printf("%-32s %3s %10s %10s %8s %9s  %s\n", "work", "thr", "ms", "peer ms", "ratio",
               "limit ms", "peer");
        headed = true;
    }
    printf("%-32s %3d %10.4g", line->work, line->threads, line->ms);
    if (line->peer_ms > 0) {
        printf(" %10.4g %7.3gx", line->peer_ms, line->peer_ms / line->ms);
    } else {
        printf(" %10s %8s", "-", "-");
    }
    if (line->limit_ms > 0) {
        printf(" %9.4g", line->limit_ms);
    } else {
        printf(" %9s", "");
    }
    printf("  %s\n", line->peer_ms > 0 ? line->peer : "");
    if (line->note != NULL) {
        printf("    %s\n", line->note);
    }
}

static const char *wanted_tasks;

bool bench_wants(const char *task) {
    const size_t length = strlen(task);
    for (const char *word = wanted_tasks; word != NULL; word = strchr(word, ',')) {
        word += *word == ',' ? 1 : 0;
        if (strncmp(word, task, length) == 0 && (word[length] == ',' || word[length] == '\0')) {
            return true;
        }
    }
    return wanted_tasks == NULL;
}

// Whether progress is shown, and the prefix of every progress line.
static bool telling;
static char told[96];

void bench_tell(const char *format, ...) {
    if (!telling) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "\r%s", told);
    vfprintf(stderr, format, arguments);
    fputs("\033[K", stderr);
    va_end(arguments);
    fflush(stderr);
}

tot_status bench_run(const char *name, bench_function run, const bench_args *args) {
    tot_status status = TOT_OK;
    line_count = 0;
    wanted_tasks = args->tasks;
    for (int round = 0; status == TOT_OK && round < args->rounds; round++) {
        telling = !args->quiet && isatty(STDERR_FILENO) == 1;
        snprintf(told, sizeof told, "bench %s: round %d of %d", name, round + 1, args->rounds);
        bench_tell("%s", "");
        status = run(args->threads);
    }
    if (telling) {
        fputs("\r\033[K", stderr);
        telling = false;
    }
    for (size_t k = 0; status == TOT_OK && k < line_count; k++) {
        if (args->json) {
            print_json(&lines[k].line, args->rounds);
        } else {
            print_row(&lines[k].line);
        }
    }
    fflush(stdout);
    return status;
}

tot_status bench_each_count(int threads, bench_function run) {
    if (threads > 0) {
        return run(threads);
    }
    BASE_TRY(run(1));
    return tot_cpu_count() > 1 ? run(tot_cpu_count()) : TOT_OK;
}

// --- the peer ------------------------------------------------------------------------------------

// Reads one line of a peer; false if it is not a result.
static bool read_figure(const char *text, bench_peer_figures *figure) {
    cJSON *object = cJSON_Parse(text);
    const cJSON *work = cJSON_GetObjectItem(object, "work");
    const cJSON *ms = cJSON_GetObjectItem(object, "ms");
    bool good = cJSON_IsString(work) && cJSON_IsNumber(ms);
    if (good) {
        snprintf(figure->work, sizeof figure->work, "%s", work->valuestring);
        figure->ms = ms->valuedouble;
    }
    cJSON_Delete(object);
    return good;
}

size_t bench_peer_run(const char *script, int threads, const char *words,
                      bench_peer_figures *figures) {
    const char *environment = getenv("TEMPORALOT_PEERS");
    char python[2048];
    char path[2048];
    if (environment != NULL) {
        snprintf(python, sizeof python, "%s/bin/python", environment);
    } else {
        snprintf(python, sizeof python, "%s/build/peers/bin/python", TEMPORALOT_SOURCE_DIR);
    }
    snprintf(path, sizeof path, "%s/bench/peers/%s", TEMPORALOT_SOURCE_DIR, script);
    if (access(python, X_OK) != 0 || access(path, R_OK) != 0) {
        static bool said;
        if (!said) {
            fprintf(stderr, "bench: no peer to run beside (%s is not there): make peers\n",
                    access(path, R_OK) != 0 ? path : python);
        }
        said = true;
        return 0;
    }
    static char command[32768];
    snprintf(command, sizeof command,
             "OMP_NUM_THREADS=%d OPENBLAS_NUM_THREADS=%d MKL_NUM_THREADS=%d '%s' '%s' %s", threads,
             threads, threads, python, path, words);
    bench_tell(", %d thread%s: the peer", threads, threads == 1 ? "" : "s");
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) {
        fprintf(stderr, "bench: could not start %s\n", python);
        return 0;
    }
    size_t count = 0;
    char line[4096];
    while (count < BENCH_MOST_FIGURES && fgets(line, sizeof line, pipe) != NULL) {
        count += read_figure(line, &figures[count]) ? 1 : 0;
    }
    if (pclose(pipe) != 0) {
        fprintf(stderr, "bench: %s ended with an error; its figures are left out\n", path);
        return 0;
    }
    return count;
}

double bench_peer_find(const bench_peer_figures *figures, size_t count, const char *work) {
    for (size_t k = 0; k < count; k++) {
        if (strcmp(figures[k].work, work) == 0) {
            return figures[k].ms;
        }
    }
    return 0;
}

// The benchmarks behind `temporalot bench NAME`: our code and a peer take turns in one run, on the
// same number of threads. Other programs take time from either, so everything is repeated, and the
// lowest time of each is reported.
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>

#include <temporalot/temporalot.h>

// One measured line. Values that are 0 or NULL were not measured and are omitted.
typedef struct bench_line {
    const char *work;  // names the work and its size: "label T=88 d=100352"
    int threads;
    double ms;         // our time in this round
    const char *peer;  // what it is compared with
    double peer_ms;
    double limit_ms;   // lower bound set by the hardware, if known
    const char *note;  // a short note after the line
} bench_line;

// Adds a line; its texts are copied. Lines with the same work, threads and peer are merged: the
// lowest of each time is kept, with the note of our best round. Printed at the end of bench_run.
void bench_add(const bench_line *line);

// A benchmark: measures everything once and adds its lines. threads: as requested, or 0 for one
// thread and then all.
typedef tot_status (*bench_function)(int threads);

typedef struct bench_args {
    int threads;  // 0: one, then one per CPU
    int rounds;
    const char *tasks;  // "door-open,push": restricts benchmarks over all tasks; NULL: all tasks
    bool json;          // one object per line instead of a table
    bool quiet;         // no progress on a terminal
} bench_args;

// Runs a benchmark `rounds` times and prints its lines in the order of the first round.
tot_status bench_run(const char *name, bench_function run, const bench_args *args);

// Whether a task was selected for the current run.
bool bench_wants(const char *task);
// Shows progress, overwriting the previous text; on a terminal only.
void bench_tell(const char *format, ...) TOT_PRINTF(1, 2);

// run(threads), or run(1) and run(one per CPU) if threads is 0.
tot_status bench_each_count(int threads, bench_function run);

// Milliseconds of a monotonic clock.
double bench_now_ms(void);

// Median of `repeats` timed calls in ms, after one untimed call. Stops at the first failing call.
typedef tot_status (*bench_call)(void *context);
tot_status bench_median(bench_call call, void *context, int repeats, double *ms);

// Results of a peer: bench/peers/NAME.py, run in its Python environment.
typedef struct bench_peer_figures {
    char work[96];
    double ms;
} bench_peer_figures;

enum { BENCH_MOST_FIGURES = 512 };

// Runs bench/peers/SCRIPT with `threads` threads and the arguments `words`, and reads its lines
// {"work": ..., "ms": ...}. Returns the number of lines. If the peer is not installed, returns 0
// and prints the reason on standard error; our times are then reported alone.
size_t bench_peer_run(const char *script, int threads, const char *words,
                      bench_peer_figures *figures);

// The peer's ms for a piece of work, or 0.
double bench_peer_find(const bench_peer_figures *figures, size_t count, const char *work);

tot_status bench_label(int threads);
tot_status bench_world(int threads);
tot_status bench_picture(int threads);
tot_status bench_encode(int threads);
tot_status bench_nn(int threads);
tot_status bench_update(int threads);
tot_status bench_train(int threads);

#endif

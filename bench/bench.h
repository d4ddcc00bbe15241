// The benchmarks behind `temporalot bench NAME`: ours and the peer beside it, one after the other,
// in one run, on the same number of threads.
#ifndef TOT_BENCH_H
#define TOT_BENCH_H

#include <stdio.h>

#include <temporalot/temporalot.h>

// One measured line. What is 0 or NULL was not measured and is left out.
typedef struct bench_line {
    const char *work;  // names the size: "label T=88 d=100352"
    int threads;
    double ms;         // ours, median
    const char *peer;  // what ran beside it
    double peer_ms;
    double limit_ms;   // what the machine itself needs, where that is known
    const char *note;  // a few words behind the line
} bench_line;

// Prints one JSON object a line, or a table row (with its header before the first).
void bench_print(const bench_line *line, bool json);

// Milliseconds on a clock that only moves forward.
double bench_now_ms(void);

// Median of `repeats` timed calls in ms, after one that is not timed. A failing call ends it.
typedef tot_status (*bench_call)(void *context);
tot_status bench_median(bench_call call, void *context, int repeats, double *ms);

// Where the figures of a peer come from: bench/peers/NAME.py, run with its Python environment.
typedef struct bench_peer_figures {
    char work[96];
    double ms;
} bench_peer_figures;

enum { BENCH_MOST_FIGURES = 64 };

// Runs bench/peers/SCRIPT with `threads` threads and the words behind it, and reads its lines
// {"work": ..., "ms": ...}. Returns how many there were; 0 with a line on standard error that says
// why when the peer is not there (then ours is printed alone).
size_t bench_peer_run(const char *script, int threads, const char *words,
                      bench_peer_figures *figures);

// The peer's ms for a piece of work, or 0.
double bench_peer_find(const bench_peer_figures *figures, size_t count, const char *work);

// threads: those asked for, or 0 for one and all.
tot_status bench_label(bool json, int threads);
tot_status bench_world(bool json, int threads);
tot_status bench_picture(bool json, int threads);
tot_status bench_encode(bool json, int threads);
tot_status bench_update(bool json, int threads);
tot_status bench_nn(bool json, int threads);

#endif

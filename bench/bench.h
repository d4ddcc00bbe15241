// The benchmarks behind `temporalot bench NAME`: ours and the peer beside it in turns, in one run,
// on the same number of threads. Other programs take time from both, now from one, now from the
// other; so all of it is done several times, and the lowest time of each is what is shown.
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>

#include <temporalot/temporalot.h>

// One measured line. What is 0 or NULL was not measured and is left out.
typedef struct bench_line {
    const char *work;  // names the size: "label T=88 d=100352"
    int threads;
    double ms;         // ours, of this round
    const char *peer;  // what ran beside it
    double peer_ms;
    double limit_ms;   // what the machine itself needs, where that is known
    const char *note;  // a few words behind the line
} bench_line;

// Takes down a line, with copies of its texts. Lines of the same work, threads and peer are one: of
// every time the lowest stays, and the note of our best round. Printed at the end of bench_run.
void bench_add(const bench_line *line);

// A benchmark: measures everything once and adds its lines. threads: those asked for, or 0 for one
// and all.
typedef tot_status (*bench_function)(int threads);

typedef struct bench_args {
    int threads;  // 0: one, then one a CPU
    int rounds;
    const char *tasks;  // "door-open,push": of the benchmarks of all tasks these alone; NULL: all
    bool json;          // one object a line, else a table
    bool quiet;         // no progress on a terminal
} bench_args;

// Runs a benchmark `rounds` times and prints its lines in the order of the first round.
tot_status bench_run(const char *name, bench_function run, const bench_args *args);

// Whether a task is among those that the run which goes on was asked for.
bool bench_wants(const char *task);
// What is being done now, for one who waits: written over the words before, on a terminal only.
void bench_tell(const char *format, ...) TOT_PRINTF(1, 2);

// run(threads), or run(1) and run(one a CPU) where threads is 0.
tot_status bench_each_count(int threads, bench_function run);

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

enum { BENCH_MOST_FIGURES = 512 };

// Runs bench/peers/SCRIPT with `threads` threads and the words behind it, and reads its lines
// {"work": ..., "ms": ...}. Returns how many there were; 0 with a line on standard error that says
// why when the peer is not there (then ours is printed alone).
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

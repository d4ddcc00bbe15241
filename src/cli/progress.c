#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/terminal.h"

enum { NARROWEST_BAR = 8, WIDEST_BAR = 40 };

static volatile sig_atomic_t stop_signal;

static void on_signal(int signal_number) {
    stop_signal = signal_number;
}

void cli_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cli_stopped(void) {
    return stop_signal != 0;
}

double cli_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_start(cli_progress *progress, const char *what, int64_t total, bool quiet) {
    *progress = (cli_progress){.what = what, .total = total, .started = cli_seconds()};
    progress->enabled = !quiet && isatty(STDERR_FILENO) == 1;
}

void cli_progress_show(cli_progress *progress, int64_t done) {
    double now = cli_seconds();
    bool due = now - progress->started > 1 && now - progress->drawn > 0.1;
    if (!progress->enabled || !due) {
        return;
    }
    progress->drawn = now;
    progress->shown = true;
    if (progress->total <= 0) {
        fprintf(stderr, "\r%s %lld\033[K", progress->what, (long long)done);
        return;
    }
    const double share = done < progress->total ? (double)done / (double)progress->total : 1;
    const double left = done > 0 ? (now - progress->started) * (1 - share) / share : -1;
    char time[16];
    char figures[80];
    snprintf(figures, sizeof figures, "%lld/%lld, %s left", (long long)done,
             (long long)progress->total, base_duration(left, time));
    cli_bar_line(stderr, progress->what, share, figures);
}

bool cli_progress_watch(void *context, int64_t done, int64_t total) {
    cli_progress *progress = context;
    progress->total = total;
    cli_progress_show(progress, done);
    return !cli_stopped();
}

void cli_bar_line(FILE *out, const char *before, double share, const char *figures) {
    char bar[WIDEST_BAR + 1] = "";
    char line[1024];
    const int width = cli_width(out) - 1;
    // one blank on each side of the bar
    int capacity = width - cli_columns(before) - cli_columns(figures) - 2;
    capacity = capacity > WIDEST_BAR ? WIDEST_BAR : capacity;
    if (capacity >= NARROWEST_BAR) {
        cli_bar(bar, capacity, share);
    }
    snprintf(line, sizeof line, "%s %s%s%s", before, bar, bar[0] != '\0' ? " " : "", figures);
    char fitted[1024];
    cli_fit(fitted, sizeof fitted, line, width, 0);
    fprintf(out, "\r%s\033[K", fitted);
    fflush(out);
}

void cli_progress_end(cli_progress *progress) {
    if (progress->shown) {
        fputs("\r\033[K", stderr);
    }
}

const char *cli_plural(size_t count) {
    return count == 1 ? "" : "s";
}

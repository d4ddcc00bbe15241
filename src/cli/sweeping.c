#include "cli/sweeping.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "study/slurm.h"

enum { MOST_JOBS = 1024, LINE = 512, STATE_COUNT = TOT_CELL_LEFT_OUT + 1 };

// --- rows --------------------------------------------------------------------------------------

// A count in at most six characters: "40000", "123k", "12M".
static void short_count(int64_t count, char text[16]) {
    if (count < 100000) {
        snprintf(text, 16, "%lld", (long long)count);
    } else if (count < 10000000) {
        snprintf(text, 16, "%lldk", (long long)(count / 1000));
    } else {
        snprintf(text, 16, "%lldM", (long long)(count / 1000000));
    }
}

static void success_text(const tot_cell *cell, char text[16]) {
    if (isnan(cell->success_rate)) {
        snprintf(text, 16, "-");
    } else {
        snprintf(text, 16, "%.0f %%", 100 * cell->success_rate);
    }
}

// Columns of the table that fit the width: the label first, then others if it leaves room.
typedef struct layout {
    int label;  // width of the label
    bool steps;
    bool left;
} layout;

static layout lay_out(int width) {
    enum { STATE = 9, STEPS = 13, SUCCESS = 6, LEFT = 9, LEAST = 16 };
    layout out = {.steps = true, .left = true};
    int lines = width - 1 - STATE - SUCCESS - STEPS - LEFT;
    if (lines < LEAST) {
        out.left = false;
        lines += LEFT;
    }
    if (lines < LEAST) {
        out.steps = false;
        lines += STEPS;
    }
    out.label = lines < LEAST ? LEAST : lines;
    return out;
}

// Writes a row of the table; a long label is shortened in the middle, so that its seed remains.
static void write_row(FILE *out, const layout *how, const char *label, const char *state,
                      const char *steps, const char *success, const char *left) {
    enum { TAIL = 12 };
    char fitted[LINE];
    cli_fit(fitted, sizeof fitted, label, how->label, TAIL);
    cli_put(out, fitted, how->label);
    fprintf(out, " %-8s %5s", state, success);
    if (how->steps) {
        fprintf(out, " %12s", steps);
    }
    if (how->left && left[0] != '\0') {
        fprintf(out, " %8s", left);
    }
}

static void write_cell(FILE *out, const layout *how, const tot_cell *cell) {
    char done[16];
    char whole[16];
    char steps[40];
    char success[16];
    char left[16] = "";
    short_count(cell->step, done);
    short_count(cell->steps, whole);
    snprintf(steps, sizeof steps, "%s/%s", done, whole);
    success_text(cell, success);
    if (cell->state == TOT_CELL_GOING) {
        base_duration(cell->seconds_left, left);
    }
    write_row(out, how, cell->label, tot_cell_state_text(cell->state), steps, success, left);
}

static void write_heading(FILE *out, const layout *how) {
    write_row(out, how, "run", "state", "step", "succ.", "left");
}

// --- summary -----------------------------------------------------------------------------------

// The number of runs in each state, in one line; valid until the next call.
static const char *summary(const tot_sweep *sweep) {
    static char line[LINE];
    size_t counts[STATE_COUNT] = {0};
    const size_t total = tot_sweep_count(sweep);
    for (size_t k = 0; k < total; k++) {
        counts[tot_sweep_at(sweep, k)->state]++;
    }
    size_t used = (size_t)snprintf(line, sizeof line, "%zu of %zu finished",
                                   counts[TOT_CELL_FINISHED], total);
    for (int state = 0; state < STATE_COUNT; state++) {
        if (state != TOT_CELL_FINISHED && counts[state] > 0) {
            used += (size_t)snprintf(line + used, sizeof line - used, ", %zu %s", counts[state],
                                     tot_cell_state_text((tot_cell_state)state));
        }
    }
    return line;
}

// Estimated time for all remaining runs: the mean pace so far, divided among the running ones.
static double time_left(const tot_sweep *sweep) {
    double pace = 0;
    double left = 0;
    int known = 0;
    int side = 0;
    for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
        const tot_cell *cell = tot_sweep_at(sweep, k);
        if (cell->step > 0 && cell->seconds > 0) {
            pace += cell->seconds / (double)cell->step;
            known++;
        }
        if (cell->state != TOT_CELL_FINISHED && cell->state != TOT_CELL_LEFT_OUT &&
            cell->state != TOT_CELL_FAILED) {
            left += (double)(cell->steps - cell->step);
        }
        side += cell->state == TOT_CELL_GOING;
    }
    return known > 0 && side > 0 ? left * pace / known / side : -1;
}

// --- progress ----------------------------------------------------------------------------------

// A live table on a terminal, otherwise lines.
typedef struct table {
    tot_cell *runs;  // [count], as last printed
    size_t count;
    bool terminal;
    int drawn;  // lines on the screen
} table;

static void end_row(table *told) {
    fputs("\033[K\n", stderr);
    told->drawn++;
}

static void draw_cell(table *told, const layout *how, const tot_cell *cell) {
    write_cell(stderr, how, cell);
    end_row(told);
}

// If not all rows fit, the most important come first.
static void draw_some(table *told, const tot_sweep *sweep, const layout *how, int lines) {
    static const tot_cell_state order[] = {TOT_CELL_GOING,   TOT_CELL_FAILED,   TOT_CELL_STOPPED,
                                           TOT_CELL_QUEUED,  TOT_CELL_FINISHED, TOT_CELL_WAITING,
                                           TOT_CELL_LEFT_OUT};
    int drawn = 0;
    const size_t total = tot_sweep_count(sweep);
    for (size_t i = 0; i < BASE_LENGTH(order); i++) {
        // the latest finished runs first
        for (size_t k = 0; k < total && drawn < lines - 1; k++) {
            const size_t index = order[i] == TOT_CELL_FINISHED ? total - 1 - k : k;
            if (tot_sweep_at(sweep, index)->state == order[i]) {
                draw_cell(told, how, tot_sweep_at(sweep, index));
                drawn++;
            }
        }
    }
    fprintf(stderr, "... and %zu more", total - (size_t)drawn);
    end_row(told);
}

static void draw(table *told, const tot_sweep *sweep) {
    char line[LINE + 64];
    char fitted[LINE + 64];
    char left[16];
    struct winsize size = {0};
    const int height =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 6 ? size.ws_row : 24;
    const int width = cli_width(stderr);
    const layout how = lay_out(width);
    if (told->drawn > 0) {
        fprintf(stderr, "\033[%dF", told->drawn);
    }
    told->drawn = 0;
    const double seconds = time_left(sweep);
    snprintf(line, sizeof line, "%s%s%s%s", summary(sweep), seconds >= 0 ? "; about " : "",
             seconds >= 0 ? base_duration(seconds, left) : "", seconds >= 0 ? " left" : "");
    cli_fit(fitted, sizeof fitted, line, width - 1, 0);
    fputs(fitted, stderr);
    end_row(told);
    write_heading(stderr, &how);
    end_row(told);
    if (tot_sweep_count(sweep) + 3 <= (size_t)height) {
        for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
            draw_cell(told, &how, tot_sweep_at(sweep, k));
        }
    } else {
        draw_some(told, sweep, &how, height - 3);
    }
    fputs("\033[J", stderr);
    fflush(stderr);
}

static void tell(const tot_cell *cell) {
    char success[16];
    char time[16];
    success_text(cell, success);
    if (cell->state == TOT_CELL_FINISHED) {
        fprintf(stderr, "%s: finished, success %s, %s\n", cell->label, success,
                base_duration(cell->seconds, time));
    } else if (cell->state == TOT_CELL_GOING && cell->step > 0) {
        fprintf(stderr, "%s: step %lld of %lld, success %s, %s left\n", cell->label,
                (long long)cell->step, (long long)cell->steps, success,
                base_duration(cell->seconds_left, time));
    } else {
        fprintf(stderr, "%s: %s%s%s\n", cell->label, tot_cell_state_text(cell->state),
                cell->problem[0] != '\0' ? ": " : "", cell->problem);
    }
}

static void tell_changes(table *told, const tot_sweep *sweep) {
    for (size_t k = 0; k < told->count; k++) {
        const tot_cell *cell = tot_sweep_at(sweep, k);
        const bool evaluated =
            !isnan(cell->success_rate) && !(cell->success_rate == told->runs[k].success_rate);
        // the evaluation before the first step says nothing
        const bool further = cell->state == TOT_CELL_GOING && cell->step > 0 && evaluated;
        if (cell->state != told->runs[k].state || further) {
            tell(cell);
        }
        told->runs[k] = *cell;
    }
}

static void show(void *context, const tot_sweep *sweep) {
    table *told = context;
    if (told->terminal) {
        draw(told, sweep);
    } else {
        tell_changes(told, sweep);
    }
}

// --- lists -------------------------------------------------------------------------------------

// Prints one line or one JSON object per run on standard output.
static void print_runs(const tot_sweep *sweep, bool json) {
    const layout how = lay_out(cli_width(stdout));
    if (!json) {
        write_heading(stdout, &how);
        putchar('\n');
    }
    for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
        const tot_cell *cell = tot_sweep_at(sweep, k);
        if (!json) {
            write_cell(stdout, &how, cell);
            putchar('\n');
            continue;
        }
        cli_json_run(cell->folder, cell->config);
        printf(", \"seed\": %lld, \"state\": \"%s\", \"step\": %lld, \"steps\": %lld",
               (long long)cell->config->seed, tot_cell_state_text(cell->state),
               (long long)cell->step, (long long)cell->steps);
        cli_json_number(", \"success_rate\": ", cell->success_rate);
        cli_json_number(", \"wall_seconds\": ", cell->seconds);
        cli_json_put(", \"problem\": ", cell->problem);
        printf("}\n");
    }
}

// Counts runs that are left out for the same reason, which are listed once.
static size_t count_alike(const tot_sweep *sweep, size_t index, bool *again) {
    const tot_cell *cell = tot_sweep_at(sweep, index);
    size_t count = 0;
    *again = false;
    for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
        const tot_cell *other = tot_sweep_at(sweep, k);
        if (other->state == cell->state && strcmp(other->problem, cell->problem) == 0) {
            *again = *again || k < index;
            count++;
        }
    }
    return count;
}

// Lists the runs that have a problem, one line each, prefixed by `before`; returns whether any
// failed. stopped: runs that stopped were asked to.
static bool print_problems(FILE *out, const tot_sweep *sweep, const char *before, bool stopped) {
    bool failed = false;
    for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
        const tot_cell *cell = tot_sweep_at(sweep, k);
        const bool bad =
            cell->state == TOT_CELL_FAILED || (cell->state == TOT_CELL_STOPPED && !stopped);
        failed = failed || bad;
        if (cell->problem[0] == '\0') {
            continue;
        }
        bool again = false;
        const size_t alike = cell->state == TOT_CELL_LEFT_OUT ? count_alike(sweep, k, &again) : 1;
        if (!again) {
            fprintf(out, "%s%s", before, cell->label);
            if (alike > 1) {
                fprintf(out, " and %zu more", alike - 1);
            }
            fprintf(out, ": %s: %s\n", tot_cell_state_text(cell->state), cell->problem);
        }
    }
    return failed;
}

// --- options -----------------------------------------------------------------------------------

int cli_sweeping_check(const cli_sweeping *args) {
    CLI_RANGE("jobs", args->jobs, 1, MOST_JOBS);
    const bool asks = args->partition != NULL || args->time != NULL || args->account != NULL;
    CLI_USAGE_IF(asks && !args->slurm, "--%s needs --slurm",
                 args->partition != NULL ? "partition"
                 : args->time != NULL    ? "time"
                                         : "account");
    return EXIT_DONE;
}

void cli_sweeping_folder(char *folder, size_t size, const char *given) {
    size_t length = strlen(given);
    while (length > 1 && given[length - 1] == '/') {
        length--;
    }
    snprintf(folder, size, "%.*s", (int)length, given);
}

bool cli_sweeping_ask(void *context) {
    (void)context;
    return cli_stopped();
}

// --- locally -----------------------------------------------------------------------------------

static int train_here(tot_sweep *sweep, const cli_sweeping *args, const cli_common *common) {
    const bool quiet = common->quiet || common->json;
    table told = {.count = tot_sweep_count(sweep), .terminal = isatty(STDERR_FILENO) == 1};
    told.runs = base_alloc(told.count, sizeof *told.runs, "table");
    if (told.runs == NULL) {
        return cli_fail();
    }
    for (size_t k = 0; k < told.count; k++) {
        told.runs[k] = *tot_sweep_at(sweep, k);
    }
    const tot_sweep_options options = {
        .jobs = (int)args->jobs,
        .threads = (int)common->threads,
        .approximate = args->approximate,
        .ask = cli_sweeping_ask,
        .progress = quiet ? NULL : show,
        .context = &told,
    };
    cli_catch_signals();
    const tot_status status = tot_sweep_run(sweep, &options);
    base_free(told.runs);
    const bool stopped = status == TOT_E_INTERRUPTED;
    if (status != TOT_OK && !stopped) {
        return cli_fail();
    }
    const bool failed = print_problems(stderr, sweep, "temporalot: ", stopped);
    if (common->json) {
        print_runs(sweep, true);
    } else if (!common->quiet) {
        cli_say(stdout, "%s%s", summary(sweep),
                stopped ? "; run the same command again to continue" : "");
    }
    return stopped ? EXIT_STOPPED : failed ? EXIT_FAILED : EXIT_DONE;
}

// --- by Slurm ----------------------------------------------------------------------------------

static int submit(tot_sweep *sweep, const cli_sweeping *args, const cli_common *common) {
    study_slurm_receipt receipt;
    const study_slurm_settings settings = {
        .partition = args->partition,
        .time = args->time,
        .account = args->account,
        .threads = (int)common->threads,
        .approximate = args->approximate,
    };
    const tot_status status = study_slurm_submit(sweep, &settings, &receipt);
    if (status == TOT_E_MISSING) {
        fprintf(stderr, "temporalot: %s, or omit --slurm to train on this machine\n", tot_error());
        return EXIT_FAILED;
    }
    if (status != TOT_OK) {
        return cli_fail();
    }
    if (common->json) {
        printf("{\"submitted\": %zu, \"arrays\": %zu, \"jobs\": \"%s\", \"already\": %zu}\n",
               receipt.runs, receipt.arrays, receipt.jobs, receipt.waiting);
    } else if (!common->quiet) {
        printf("submitted %zu run%s in %zu array%s%s%s", receipt.runs, cli_plural(receipt.runs),
               receipt.arrays, cli_plural(receipt.arrays), receipt.arrays > 0 ? ": jobs " : "",
               receipt.jobs);
        if (receipt.waiting > 0) {
            printf("; %zu are already in Slurm", receipt.waiting);
        }
        printf(
            "\n"
            "the same command with --status instead of --slurm shows their state\n");
    }
    return EXIT_DONE;
}

int cli_sweeping_run(tot_sweep *sweep, const cli_sweeping *args, const cli_common *common) {
    return args->slurm ? submit(sweep, args, common) : train_here(sweep, args, common);
}

// --- listing -----------------------------------------------------------------------------------

// Seconds per step: of runs with the same method and kind of observation, otherwise of all runs; 0:
// unknown.
static double pace_of(const tot_sweep *sweep, const tot_cell *cell) {
    double sums[2] = {0};
    int counts[2] = {0};
    for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
        const tot_cell *other = tot_sweep_at(sweep, k);
        if (!(other->seconds > 0) || other->step == 0) {
            continue;
        }
        const bool alike = strcmp(other->config->method, cell->config->method) == 0 &&
                           other->config->obs == cell->config->obs;
        for (int kind = alike ? 0 : 1; kind < 2; kind++) {
            sums[kind] += other->seconds / (double)other->step;
            counts[kind]++;
        }
    }
    const int kind = counts[0] > 0 ? 0 : 1;
    return counts[kind] > 0 ? sums[kind] / counts[kind] : 0;
}

static void print_cost(const tot_sweep *sweep, int64_t jobs) {
    double steps = 0;
    double seconds = 0;
    size_t left = 0;
    bool known = true;
    char time[16];
    for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
        const tot_cell *cell = tot_sweep_at(sweep, k);
        if (cell->state == TOT_CELL_FINISHED || cell->state == TOT_CELL_LEFT_OUT) {
            continue;
        }
        const double rest = (double)(cell->steps - cell->step);
        const double pace = pace_of(sweep, cell);
        known = known && pace > 0;
        steps += rest;
        seconds += rest * pace;
        left++;
    }
    printf("%s\n", summary(sweep));
    if (left == 0) {
        printf("nothing is left to train\n");
    } else if (known) {
        printf(
            "left: %zu run%s, %.0f steps in total, about %s with --jobs %lld at the current pace\n",
            left, cli_plural(left), steps, base_duration(seconds / (double)jobs, time),
            (long long)jobs);
    } else {
        printf(
            "left: %zu run%s, %.0f steps in total; the time is estimated once a run is under way\n",
            left, cli_plural(left), steps);
    }
}

int cli_sweeping_list(tot_sweep *sweep, const char *folder, const cli_sweeping *args,
                      const cli_common *common) {
    if (tot_sweep_peek(sweep, folder) != TOT_OK) {
        return cli_fail();
    }
    if (args->status) {
        const tot_status status = study_slurm_look(sweep);
        if (status == TOT_E_MISSING) {
            fprintf(stderr, "temporalot: %s\n", tot_error());
        } else if (status != TOT_OK) {
            return cli_fail();
        }
    }
    print_runs(sweep, common->json);
    if (!common->json) {
        print_cost(sweep, args->jobs);
        print_problems(stdout, sweep, "", true);
    }
    return EXIT_DONE;
}

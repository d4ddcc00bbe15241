#include "cli/sweep_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal.h"

enum { LINE = 512, STATE_COUNT = TOT_CELL_LEFT_OUT + 1 };

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

const char *cli_table_summary(const tot_sweep *sweep) {
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

// --- on a terminal -----------------------------------------------------------------------------

static void end_row(cli_table *table) {
    fputs("\033[K\n", stderr);
    table->drawn++;
}

static void draw_cell(cli_table *table, const layout *how, const tot_cell *cell) {
    write_cell(stderr, how, cell);
    end_row(table);
}

// If not all rows fit, the most important come first.
static void draw_some(cli_table *table, const tot_sweep *sweep, const layout *how, int lines) {
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
                draw_cell(table, how, tot_sweep_at(sweep, index));
                drawn++;
            }
        }
    }
    fprintf(stderr, "... and %zu more", total - (size_t)drawn);
    end_row(table);
}

static void draw(cli_table *table, const tot_sweep *sweep) {
    char line[LINE + 64];
    char fitted[LINE + 64];
    char left[16];
    struct winsize size = {0};
    const int height =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 6 ? size.ws_row : 24;
    const int width = cli_width(stderr);
    const layout how = lay_out(width);
    if (table->drawn > 0) {
        fprintf(stderr, "\033[%dF", table->drawn);
    }
    table->drawn = 0;
    const double seconds = time_left(sweep);
    snprintf(line, sizeof line, "%s%s%s%s", cli_table_summary(sweep),
             seconds >= 0 ? "; about " : "", seconds >= 0 ? base_duration(seconds, left) : "",
             seconds >= 0 ? " left" : "");
    cli_fit(fitted, sizeof fitted, line, width - 1, 0);
    fputs(fitted, stderr);
    end_row(table);
    write_heading(stderr, &how);
    end_row(table);
    if (tot_sweep_count(sweep) + 3 <= (size_t)height) {
        for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
            draw_cell(table, &how, tot_sweep_at(sweep, k));
        }
    } else {
        draw_some(table, sweep, &how, height - 3);
    }
    fputs("\033[J", stderr);
    fflush(stderr);
}

// --- without a terminal ------------------------------------------------------------------------

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

static void tell_changes(cli_table *table, const tot_sweep *sweep) {
    for (size_t k = 0; k < table->count; k++) {
        const tot_cell *cell = tot_sweep_at(sweep, k);
        const bool evaluated =
            !isnan(cell->success_rate) && !(cell->success_rate == table->told[k].success_rate);
        // the evaluation before the first step says nothing
        const bool further = cell->state == TOT_CELL_GOING && cell->step > 0 && evaluated;
        if (cell->state != table->told[k].state || further) {
            tell(cell);
        }
        table->told[k] = *cell;
    }
}

// --- start, update and end ---------------------------------------------------------------------

int cli_table_start(cli_table *table, const tot_sweep *sweep, bool quiet) {
    *table = (cli_table){
        .count = tot_sweep_count(sweep), .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
    table->told = base_alloc(table->count, sizeof *table->told, "table");
    if (table->told == NULL) {
        return cli_fail();
    }
    for (size_t k = 0; k < table->count; k++) {
        table->told[k] = *tot_sweep_at(sweep, k);
    }
    return EXIT_DONE;
}

void cli_table_show(void *context, const tot_sweep *sweep) {
    cli_table *table = context;
    if (table->quiet) {
        return;
    }
    if (table->terminal) {
        draw(table, sweep);
    } else {
        tell_changes(table, sweep);
    }
}

void cli_table_end(cli_table *table) {
    base_free(table->told);
    *table = (cli_table){0};
}

void cli_table_print(const tot_sweep *sweep, bool json) {
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

bool cli_table_problems(FILE *out, const tot_sweep *sweep, const char *before, bool stopped) {
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

int cli_table_finish(const tot_sweep *sweep, bool stopped, bool quiet, bool json) {
    const bool failed = cli_table_problems(stderr, sweep, "temporalot: ", stopped);
    if (json) {
        cli_table_print(sweep, true);
    } else if (!quiet) {
        cli_say(stdout, "%s%s", cli_table_summary(sweep),
                stopped ? "; run the same command again to continue" : "");
    }
    return stopped ? EXIT_STOPPED : failed ? EXIT_FAILED : EXIT_DONE;
}

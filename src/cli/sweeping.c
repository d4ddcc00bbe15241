#include "cli/sweeping.h"

#include "cli/sweep_table.h"
#include "study/slurm.h"

enum { MOST_JOBS = 1024 };

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
    cli_table table;
    const int code = cli_table_start(&table, sweep, common->quiet || common->json);
    if (code != EXIT_DONE) {
        return code;
    }
    const tot_sweep_options options = {
        .jobs = (int)args->jobs,
        .threads = (int)common->threads,
        .approximate = args->approximate,
        .ask = cli_sweeping_ask,
        .progress = cli_table_show,
        .context = &table,
    };
    cli_catch_signals();
    const tot_status status = tot_sweep_run(sweep, &options);
    cli_table_end(&table);
    if (status != TOT_OK && status != TOT_E_INTERRUPTED) {
        return cli_fail();
    }
    return cli_table_finish(sweep, status == TOT_E_INTERRUPTED, common->quiet, common->json);
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
    printf("%s\n", cli_table_summary(sweep));
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
    cli_table_print(sweep, common->json);
    if (!common->json) {
        print_cost(sweep, args->jobs);
        cli_table_problems(stdout, sweep, "", true);
    }
    return EXIT_DONE;
}

#include "cli/label_table.h"

#include "cli/terminal.h"

static const double tolerated_change = 0.01;

static void print_json(const label_table *table, const tot_labelled *episode) {
    const tot_label_info *info = &episode->info;
    cli_json_put("{\"episode\": ", episode->name);
    printf(
        ", \"steps\": %lld, \"demo\": %lld, \"sum\": %.17g, \"iterations\": %lld, "
        "\"marginal_error\": %.17g, \"converged\": %s",
        (long long)episode->steps, (long long)info->demo, info->sum, (long long)info->iterations,
        info->marginal_error, info->converged ? "true" : "false");
    cli_json_number(", \"change\": ", episode->change);
    printf(", \"mass_outside\": %.17g, \"progress\": %.9g, \"scale\": %.17g", info->mass_outside,
           (double)episode->progress[episode->steps - 1], episode->scale);
    cli_outputs_json(table->outputs, LABEL_TABLE_OUTPUTS);
    printf("}\n");
}

static void print_row(const label_table *table, const tot_labelled *episode) {
    enum { NUMBERS = 49, LEAST = 10 };
    const tot_label_info *info = &episode->info;
    const int capacity = cli_width(stdout) - 1 - NUMBERS;
    const int columns = capacity < LEAST ? LEAST : capacity;
    char name[512];
    char error[16] = "-";
    if (episode->index == 0) {
        printf("%s, %lld demonstration%s, scale %g\n",
               tot_method_name(table->options->reward.method), (long long)episode->demos,
               cli_plural((size_t)episode->demos), episode->scale);
        cli_put(stdout, "episode", columns);
        printf(" %6s %5s %12s %5s %6s %9s\n", "steps", "demo", "sum", "prog.", "iter.",
               "marg.err.");
    }
    if (info->iterations > 0) {
        snprintf(error, sizeof error, "%.1e", info->marginal_error);
    }
    cli_fit(name, sizeof name, episode->name, columns, columns - 5);
    cli_put(stdout, name, columns);
    printf(" %6lld %5lld %12.6g %5.3f %6lld %9s\n", (long long)episode->steps,
           (long long)info->demo, info->sum, (double)episode->progress[episode->steps - 1],
           (long long)info->iterations, error);
}

static tot_status take(void *context, const tot_labelled *episode) {
    label_table *table = context;
    const double sum = episode->info.sum;
    cli_watching_clear(&table->watching);
    table->total += sum;
    table->best = table->count == 0 ? sum : fmax(table->best, sum);
    table->worst = table->count == 0 ? sum : fmin(table->worst, sum);
    table->count++;
    // warn only if more iterations would change the rewards
    if (episode->change > tolerated_change && !table->common->quiet) {
        cli_say(stderr,
                "temporalot: warning: %s: ten times the %lld Sinkhorn iterations would change its "
                "rewards by %.2g %%; see --iterations and --epsilon",
                episode->name, (long long)episode->info.iterations, 100 * episode->change);
    }
    if (table->common->json) {
        print_json(table, episode);
    } else if (!table->common->quiet && episode->index < LABEL_TABLE_ROWS) {
        print_row(table, episode);
    }
    return TOT_OK;
}

static bool watch(void *context, const tot_label_progress *progress) {
    return cli_watching_show(&((label_table *)context)->watching, progress);
}

int label_table_start(label_table *table, tot_label_options *options,
                      const tot_source_list *sources, const cli_encoding *encoding,
                      const cli_common *common) {
    *table = (label_table){.options = options,
                           .common = common,
                           .outputs = {{"out", options->out, false},
                                       {"page", options->page, false},
                                       {"svg", options->svg, false}},
                           .watching = {.quiet = common->quiet, .encoding = encoding}};
    options->checked = LABEL_TABLE_ROWS;
    options->take = take;
    options->watch = watch;
    options->context = table;
    return cli_outputs_check(table->outputs, LABEL_TABLE_OUTPUTS, sources, common->overwrite);
}

void label_table_end(label_table *table, bool done) {
    cli_watching_clear(&table->watching);
    if (!done || table->common->quiet || table->common->json) {
        return;
    }
    if (table->count > LABEL_TABLE_ROWS) {
        printf("... and %zu more\n", table->count - LABEL_TABLE_ROWS);
    }
    if (table->count > 1) {
        cli_say(stdout, "%zu episodes: mean sum %.6g, best %.6g, worst %.6g", table->count,
                table->total / (double)table->count, table->best, table->worst);
    }
    cli_outputs_print(table->outputs, LABEL_TABLE_OUTPUTS);
}

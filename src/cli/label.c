// temporalot label: rewards of episodes from demonstrations.
#include "cli/encoding.h"
#include "cli/output.h"
#include "cli/rewarding.h"
#include "cli/terminal.h"

enum { MOST_OPTIONS = 40 + CLI_MOST_REWARD_SETTINGS, MOST_ROWS = 24, OUTPUTS = 3 };

typedef struct request {
    cli_texts demos, episodes;
    const char *scale, *squash;
    cli_rewarding rewarding;
    cli_encoding encoding;
    cli_common common;
    tot_label_options options;
    cli_output outputs[OUTPUTS];

    // what was labelled so far
    cli_watching watching;
    size_t count;  // episodes
    double total;  // sum of their sums of rewards
    double best, worst;
} request;

// --- printing ----------------------------------------------------------------------------------

static const double tolerated_change = 0.01;

static void print_json(const request *args, const tot_labelled *episode) {
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
    cli_outputs_json(args->outputs, OUTPUTS);
    printf("}\n");
}

static void print_row(const request *args, const tot_labelled *episode) {
    enum { NUMBERS = 49, LEAST = 10 };
    const tot_label_info *info = &episode->info;
    const int capacity = cli_width(stdout) - 1 - NUMBERS;
    const int columns = capacity < LEAST ? LEAST : capacity;
    char name[512];
    char error[16] = "-";
    if (episode->index == 0) {
        printf("%s, %lld demonstration%s, scale %g\n", tot_method_name(args->options.reward.method),
               (long long)episode->demos, cli_plural((size_t)episode->demos), episode->scale);
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

// Every labelled episode gets a row, up to MOST_ROWS of them, or a JSON object.
static tot_status take(void *context, const tot_labelled *episode) {
    request *args = context;
    const double sum = episode->info.sum;
    cli_watching_clear(&args->watching);
    args->total += sum;
    args->best = args->count == 0 ? sum : fmax(args->best, sum);
    args->worst = args->count == 0 ? sum : fmin(args->worst, sum);
    args->count++;
    // warn only if more iterations would change the rewards
    if (episode->change > tolerated_change && !args->common.quiet) {
        cli_say(stderr,
                "temporalot: warning: %s: ten times the %lld Sinkhorn iterations would change its "
                "rewards by %.2g %%; see --iterations and --epsilon",
                episode->name, (long long)episode->info.iterations, 100 * episode->change);
    }
    if (args->common.json) {
        print_json(args, episode);
    } else if (!args->common.quiet && episode->index < MOST_ROWS) {
        print_row(args, episode);
    }
    return TOT_OK;
}

static bool watch(void *context, const tot_label_progress *progress) {
    return cli_watching_show(&((request *)context)->watching, progress);
}

static void print_end(const request *args) {
    if (args->count > MOST_ROWS) {
        printf("... and %zu more\n", args->count - MOST_ROWS);
    }
    if (args->count > 1) {
        cli_say(stdout, "%zu episodes: mean sum %.6g, best %.6g, worst %.6g", args->count,
                args->total / (double)args->count, args->best, args->worst);
    }
    cli_outputs_print(args->outputs, OUTPUTS);
}

// --- the command -------------------------------------------------------------------------------

static int read_options(request *args) {
    tot_label_options *options = &args->options;
    CLI_NEED(args->demos.count > 0, "label", "--demo FILE");
    CLI_NEED(args->episodes.count > 0, "label", "--episode FILE");
    int code = cli_encoding_read(&args->encoding);
    CLI_THEN(code, cli_rewarding_read(&args->rewarding, &options->reward));
    options->auto_scale = strcmp(args->scale, "auto") == 0;
    const char *scale = options->auto_scale ? "1" : args->scale;
    CLI_USAGE_IF(
        code == EXIT_DONE && (tot_reward_set(&options->reward, "scale", scale) != TOT_OK ||
                              tot_reward_set(&options->reward, "squash", args->squash) != TOT_OK),
        "--%s", tot_error());
    options->embedder = args->encoding.settings;
    options->threads = (int)args->common.threads;
    options->checked = MOST_ROWS;
    options->take = take;
    options->watch = watch;
    options->context = args;
    args->watching = (cli_watching){.quiet = args->common.quiet, .encoding = &args->encoding};
    args->outputs[0] = (cli_output){"out", options->out, false};
    args->outputs[1] = (cli_output){"page", options->page, false};
    args->outputs[2] = (cli_output){"svg", options->svg, false};
    return code;
}

static int label(request *args) {
    tot_source_list sources = {0};  // the demonstrations, then the episodes
    int code = read_options(args);
    CLI_THEN(code, cli_sources_find(&sources, &args->demos, &args->encoding, "demonstration"));
    const size_t demos = sources.count;
    CLI_THEN(code, cli_sources_find(&sources, &args->episodes, &args->encoding, "episode"));
    CLI_THEN(code, cli_outputs_check(args->outputs, OUTPUTS, &sources, args->common.overwrite));
    if (code == EXIT_DONE) {
        cli_catch_signals();
        const tot_status status = tot_label_sources(sources.items, demos, sources.items + demos,
                                                    sources.count - demos, &args->options);
        cli_watching_clear(&args->watching);
        if (status == TOT_OK && !args->common.quiet && !args->common.json) {
            print_end(args);
        }
        code = cli_encoding_result(&args->encoding, status);
    }
    tot_source_list_free(&sources);
    return code;
}

static const char usage[] = "label --demo FILE [--demo FILE ...] --episode FILE [...] [options]";
static const char about[] =
    "Computes a reward for every step of an episode by comparing it with demonstrations.\n"
    "Files are embeddings, steps x width, in .npy or .npz (FILE.npz:NAME selects an array); or\n"
    "pictures, which are encoded first: videos, folders of PNG or JPEG files, arrays of uint8.\n"
    "Demonstrations and episodes may also be folders, patterns, or lists (@FILE).\n"
    "rewards.npz holds `rewards` and `progress` of every episode. `progress` is how far along the\n"
    "demonstration each step is, from 0 to 1, found by an alignment without a mask that may end\n"
    "anywhere.";

int cli_label(int argc, char **argv) {
    request args = {.scale = "1",
                    .squash = "none",
                    .rewarding = CLI_REWARDING_INITIAL,
                    .encoding = CLI_ENCODING_INITIAL};
    tot_label_options *to = &args.options;
    tot_label_defaults(to);
    to->out = "rewards.npz";
    cli_option options[MOST_OPTIONS] = {
        {"demo", CLI_TEXTS, &args.demos, "FILE", "a demonstration; may be repeated"},
        {"episode", CLI_TEXTS, &args.episodes, "FILE", "an episode to label; may be repeated"},
        {"method", CLI_TEXT, &args.rewarding.method, "REWARD", cli_reward_help()},
        {"scale", CLI_TEXT, &args.scale, "X|auto",
         "factor by which rewards are multiplied (default 1); auto: 10 / |sum of the first "
         "episode's rewards|"},
        {"squash", CLI_TEXT, &args.squash, "none|otr|A,B", "rewards become A exp(B r); otr is 5,5"},
        {"out", CLI_TEXT, &to->out, "FILE", "output file (default rewards.npz)"},
        {"page", CLI_TEXT, &to->page, "FILE.html",
         "write a web page: rewards, cost, mask and plan of the first episodes"},
        {"svg", CLI_TEXT, &to->svg, "FILE.svg", "write the same as an SVG picture"},
        {"plan", CLI_FLAG, &to->plan, NULL, "also write the transport plan"},
        {"cost-matrix", CLI_FLAG, &to->cost, NULL, "also write the context cost"},
        CLI_ENCODING_OPTIONS(args.encoding),
    };
    static const char *const own[] = {"scale", "squash", NULL};
    const size_t count = cli_rewarding_options(&args.rewarding, options, own);
    int code = cli_parse(argc, argv, usage, about, options, count, &args.common, NULL);
    code = code == CLI_GO ? label(&args) : code;
    cli_texts_free(&args.demos);
    cli_texts_free(&args.episodes);
    return code;
}

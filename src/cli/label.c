// temporalot label: rewards of episodes from demonstrations.
#include "cli/encoding.h"
#include "cli/label_table.h"
#include "cli/rewarding.h"

enum { MOST_OPTIONS = 40 + CLI_MOST_REWARD_SETTINGS };

typedef struct request {
    cli_texts demos, episodes;
    const char *scale, *squash;
    cli_rewarding rewarding;
    cli_encoding encoding;
    cli_common common;
    tot_label_options options;
    label_table table;
} request;

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
    return code;
}

static int label(request *args) {
    tot_source_list sources = {0};  // the demonstrations, then the episodes
    int code = read_options(args);
    CLI_THEN(code, cli_sources_find(&sources, &args->demos, &args->encoding, "demonstration"));
    const size_t demos = sources.count;
    CLI_THEN(code, cli_sources_find(&sources, &args->episodes, &args->encoding, "episode"));
    CLI_THEN(code, label_table_start(&args->table, &args->options, &sources, &args->encoding,
                                     &args->common));
    CLI_THEN(code, cli_sources_crop(&sources, demos, &args->encoding, args->common.quiet));
    if (code == EXIT_DONE) {
        cli_catch_signals();
        const tot_status status = tot_label_sources(sources.items, demos, sources.items + demos,
                                                    sources.count - demos, &args->options);
        label_table_end(&args->table, status == TOT_OK);
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
    "Demonstrations and episodes may also be folders, patterns, or lists (@FILE). FRONT,SIDE "
    "names\n"
    "the views of several cameras, whose costs are averaged: front.mp4,side.mp4, or two folders.\n"
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

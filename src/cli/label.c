// temporalot label: rewards of episodes from demonstrations.
#include "cli/encoding.h"
#include "cli/excerpting.h"
#include "cli/label_page.h"
#include "cli/label_table.h"
#include "cli/rewarding.h"

enum { MOST_OPTIONS = 40 + CLI_MOST_REWARD_SETTINGS };

// The command line, and the results.
typedef struct request {
    cli_texts demo_words;
    cli_texts episode_words;
    cli_rewarding rewarding;
    const char *scale;
    const char *squash;
    const char *page;
    const char *svg;
    cli_excerpting excerpting;  // for pictures and videos
    tot_excerpt excerpt;
    cli_encoding encoding;
    cli_common common;
    tot_label_options options;
    tot_source_list demos;
    tot_source_list episodes;
    cli_watching watching;
    label_table table;
    label_page *pages;  // NULL: no page
} request;

static bool watch(void *context, const tot_label_progress *progress) {
    return cli_watching_show(&((request *)context)->watching, progress);
}

static tot_status take(void *context, const tot_labelled *episode) {
    request *args = context;
    BASE_TRY(args->pages != NULL ? label_page_add(args->pages, episode) : TOT_OK);
    cli_watching_clear(&args->watching);
    label_table_add(&args->table, episode);
    return TOT_OK;
}

// All outputs are written under temporary names before the first one is renamed into place.
static tot_status finish(void *context) {
    const request *args = context;
    return args->pages != NULL ? label_page_prepare(args->pages) : TOT_OK;
}

static tot_status run(request *args) {
    tot_label_options *options = &args->options;
    if (args->page != NULL || args->svg != NULL) {
        options->shown = LABEL_PAGE_EPISODES;
        BASE_TRY(label_page_create(&args->pages, &options->reward, &args->demos, &args->excerpt,
                                   args->page, args->svg));
    }
    args->table.method = options->reward.method;
    args->watching = (cli_watching){.quiet = args->common.quiet, .encoding = &args->encoding};
    options->checked = LABEL_TABLE_ROWS;
    options->threads = (int)args->common.threads;
    options->take = take;
    options->finish = finish;
    options->watch = watch;
    options->context = args;
    BASE_TRY(tot_label_sources(args->demos.items, args->demos.count, args->episodes.items,
                               args->episodes.count, options));
    return args->pages != NULL ? label_page_commit(args->pages) : TOT_OK;
}

static int read_reward(request *args) {
    tot_reward_config *config = &args->options.reward;
    const int code = cli_rewarding_read(&args->rewarding, config);
    if (code != EXIT_DONE) {
        return code;
    }
    args->options.auto_scale = args->scale != NULL && strcmp(args->scale, "auto") == 0;
    CLI_USAGE_IF(args->scale != NULL && !args->options.auto_scale &&
                     tot_reward_set(config, "scale", args->scale) != TOT_OK,
                 "--%s", tot_error());
    CLI_USAGE_IF(args->squash != NULL && tot_reward_set(config, "squash", args->squash) != TOT_OK,
                 "--%s", tot_error());
    return EXIT_DONE;
}

static int find_sources(request *args) {
    tot_status status =
        cli_sources_find(&args->demos, &args->demo_words, &args->excerpt, "demonstration");
    BASE_THEN(status,
              cli_sources_find(&args->episodes, &args->episode_words, &args->excerpt, "episode"));
    return status == TOT_OK ? EXIT_DONE : cli_fail();
}

// Checks the outputs before any work is done: against the inputs, existing files and folders.
static int check_outputs(request *args) {
    cli_output *outputs = args->table.outputs;
    const bool over = args->common.overwrite;
    outputs[0] = (cli_output){"out", args->options.out, false};
    outputs[1] = (cli_output){"page", args->page, false};
    outputs[2] = (cli_output){"svg", args->svg, false};
    // an output that is an input is refused as such, whether or not it may be overwritten
    int code = cli_outputs_check_sources(outputs, LABEL_TABLE_OUTPUTS, &args->demos, true);
    return CLI_THEN(code,
                    cli_outputs_check_sources(outputs, LABEL_TABLE_OUTPUTS, &args->episodes, over));
}

static int label(request *args) {
    CLI_USAGE_IF(args->demo_words.count == 0 || args->episode_words.count == 0,
                 "label: %s is needed; see temporalot label --help",
                 args->demo_words.count == 0 ? "--demo FILE" : "--episode FILE");
    int code = cli_excerpting_read(&args->excerpting, &args->excerpt);
    CLI_THEN(code, cli_encoding_read(&args->encoding, &args->options.embedder));
    CLI_THEN(code, read_reward(args));
    CLI_THEN(code, find_sources(args));
    CLI_THEN(code, check_outputs(args));
    if (code != EXIT_DONE) {
        return code;
    }
    cli_catch_signals();
    const tot_status status = run(args);
    cli_watching_clear(&args->watching);
    if (status != TOT_OK) {
        return cli_encoding_fail(&args->encoding, status);
    }
    label_table_end(&args->table);
    return EXIT_DONE;
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
    request args = {.table = {.common = &args.common},
                    .rewarding = CLI_REWARDING_INITIAL,
                    .excerpting = CLI_EXCERPTING_INITIAL,
                    .encoding = CLI_ENCODING_INITIAL};
    static char methods[1024];
    static const char *const without[] = {"scale", "squash", NULL};
    tot_label_defaults(&args.options);
    args.options.out = "rewards.npz";
    cli_option options[MOST_OPTIONS] = {
        {"demo", CLI_TEXTS, &args.demo_words, "FILE", "a demonstration; may be repeated"},
        {"episode", CLI_TEXTS, &args.episode_words, "FILE", "an episode to label; may be repeated"},
        {"method", CLI_TEXT, &args.rewarding.method, "REWARD",
         cli_list_choices(methods, sizeof methods, "", "REWARD",
                          "; sets context and mask (default temporalot)")},
        {"scale", CLI_TEXT, &args.scale, "X|auto",
         "factor by which rewards are multiplied (default 1); auto: 10 / |sum of the first "
         "episode's rewards|"},
        {"squash", CLI_TEXT, &args.squash, "none|otr|A,B", "rewards become A exp(B r); otr is 5,5"},
        {"out", CLI_TEXT, &args.options.out, "FILE", "output file (default rewards.npz)"},
        {"page", CLI_TEXT, &args.page, "FILE.html",
         "write a web page: rewards, cost, mask and plan of the first episodes"},
        {"svg", CLI_TEXT, &args.svg, "FILE.svg", "write the same as an SVG picture"},
        {"plan", CLI_FLAG, &args.options.plan, NULL, "also write the transport plan"},
        {"cost-matrix", CLI_FLAG, &args.options.cost, NULL, "also write the context cost"},
        CLI_EXCERPTING_OPTIONS(args.excerpting),
        CLI_ENCODING_OPTIONS(args.encoding),
    };
    const size_t count = cli_rewarding_options(&args.rewarding, options, without);
    int code = cli_parse(argc, argv, usage, about, options, count, &args.common, NULL);
    code = code == CLI_GO ? label(&args) : code;
    label_page_free(args.pages);
    tot_source_list_free(&args.demos);
    tot_source_list_free(&args.episodes);
    cli_texts_free(&args.demo_words);
    cli_texts_free(&args.episode_words);
    return code;
}

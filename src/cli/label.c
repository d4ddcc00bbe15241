// temporalot label: rewards for episodes, from demonstrations.
#include "cli/cli.h"
#include "cli/excerpting.h"
#include "cli/encoding.h"
#include "cli/label_page.h"
#include "cli/output.h"
#include "cli/rewarding.h"
#include "cli/terminal.h"

static const double TOLERATED_CHANGE = 0.01;

enum { MOST_ROWS_SHOWN = 24, MOST_OPTIONS = 40 + CLI_MOST_REWARD_SETTINGS, OUTPUTS = 3 };

// What the command line asks for, and what comes of it.
typedef struct request {
    cli_texts demo_words;
    cli_texts episode_words;
    const char *method;
    cli_rewarding rewarding;
    const char *scale;
    const char *squash;
    const char *page;
    const char *svg;
    cli_output outputs[OUTPUTS];  // what of these is written
    cli_excerpting excerpting;    // for pictures
    tot_excerpt excerpt;
    cli_encoding encoding;
    cli_common common;
    tot_label_options options;
    tot_source_list demos;
    tot_source_list episodes;
    cli_watching watching;
    bool network_told;
    label_page *pages;
    tot_file *page_file;  // whole, waiting to be renamed
    tot_file *svg_file;
    double total;  // of the sums
    double best;
    double worst;
} request;

// --- reading the command line ------------------------------------------------------------------

static tot_status read_squash(tot_reward_config *config, const char *text) {
    if (strcmp(text, "none") == 0) {
        config->squash_alpha = 0;
        return TOT_OK;
    }
    if (strcmp(text, "otr") == 0) {
        text = "5,5";
    }
    char alpha[64];
    size_t length = strcspn(text, ",");
    BASE_FAIL_IF(text[length] != ',' || length >= sizeof alpha, TOT_E_ARGUMENT,
                 "squash: '%s' is not none, otr or ALPHA,BETA", text);
    memcpy(alpha, text, length);
    alpha[length] = '\0';
    BASE_TRY(tot_reward_set(config, "squash_alpha", alpha));
    return tot_reward_set(config, "squash_beta", text + length + 1);
}

static tot_status read_reward(request *args) {
    tot_reward_config *config = &args->options.reward;
    BASE_TRY(cli_rewarding_read(&args->rewarding, args->method, config));
    args->options.auto_scale = args->scale != NULL && strcmp(args->scale, "auto") == 0;
    if (args->scale != NULL && !args->options.auto_scale) {
        BASE_TRY(tot_reward_set(config, "scale", args->scale));
    }
    return args->squash != NULL ? read_squash(config, args->squash) : TOT_OK;
}

static tot_status find_sources(tot_source_list *list, const cli_texts *words, const char *what) {
    for (size_t k = 0; k < words->count; k++) {
        BASE_TRY(tot_source_list_add(list, words->items[k]));
    }
    return list->count > 0 ? TOT_OK
                           : base_fail(TOT_E_FILE, "%s: names no %s", words->items[0], what);
}

// --- printing ----------------------------------------------------------------------------------

static void print_json(const request *args, const tot_labelled *episode) {
    const tot_label_info *info = &episode->info;
    cli_json_put("{\"episode\": ", episode->name);
    printf(
        ", \"steps\": %lld, \"demo\": %lld, \"sum\": %.17g, \"iterations\": %lld, "
        "\"marginal_error\": %.17g, \"converged\": %s, \"change\": ",
        (long long)episode->steps, (long long)info->demo, info->sum, (long long)info->iterations,
        info->marginal_error, info->converged ? "true" : "false");
    printf(isnan(episode->change) ? "null" : "%.6g", episode->change);
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
               (long long)episode->demos, episode->demos == 1 ? "" : "s", episode->scale);
        cli_put(stdout, "episode", columns);
        printf(" %6s %5s %12s %5s %6s %9s\n", "steps", "demo", "sum", "prog.", "iter.",
               "marg.err.");
    }
    if (episode->index >= MOST_ROWS_SHOWN) {
        return;
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

// Only what matters is worth a warning: rewards that more iterations would change.
static void warn_of_change(request *args, const tot_labelled *episode) {
    if (!(episode->change > TOLERATED_CHANGE) || args->common.quiet) {
        return;
    }
    cli_say(stderr,
            "temporalot: warning: %s: its rewards change by %.2g %% with ten times the %lld "
            "iterations; see --iterations and --epsilon",
            episode->name, 100 * episode->change, (long long)episode->info.iterations);
}

static void print_end(const request *args) {
    const size_t count = args->episodes.count;
    if (args->common.quiet || args->common.json) {
        return;
    }
    if (count > MOST_ROWS_SHOWN) {
        printf("... and %zu more\n", count - MOST_ROWS_SHOWN);
    }
    if (count > 1) {
        cli_say(stdout, "%zu episodes: mean sum %.6g, best %.6g, worst %.6g", count,
                args->total / (double)count, args->best, args->worst);
    }
    cli_outputs_print(args->outputs, OUTPUTS);
}

// --- the command -------------------------------------------------------------------------------

static bool watch(void *context, const tot_label_progress *progress) {
    request *args = context;
    if (progress->source != NULL && !args->network_told && !args->common.quiet &&
        args->encoding.weights == NULL && args->encoding.network == NULL) {
        args->network_told = true;
        cli_say(stderr,
                "temporalot: %s: pictures, encoded by the network that comes with set-up (%s); "
                "--weights FILE picks another",
                progress->source, progress->encoder);
    }
    return cli_watching_show(&args->watching, progress);
}

static tot_status take(void *context, const tot_labelled *episode) {
    request *args = context;
    if (args->pages != NULL) {
        BASE_TRY(label_page_add(args->pages, episode));
    }
    args->total += episode->info.sum;
    args->best = fmax(args->best, episode->info.sum);
    args->worst = fmin(args->worst, episode->info.sum);
    cli_watching_clear(&args->watching);
    warn_of_change(args, episode);
    if (args->common.json) {
        print_json(args, episode);
    } else if (!args->common.quiet) {
        print_row(args, episode);
    }
    return TOT_OK;
}

// Everything is written under temporary names before the first of them becomes visible.
static tot_status finish(void *context) {
    request *args = context;
    if (args->page != NULL) {
        BASE_TRY(label_page_prepare(args->pages, &args->page_file, args->page));
    }
    return args->svg != NULL ? label_page_prepare_svg(args->pages, &args->svg_file, args->svg)
                             : TOT_OK;
}

// file may be NULL: nothing was asked for.
static tot_status commit(tot_file **file) {
    tot_file *written = *file;
    *file = NULL;
    return written != NULL ? tot_file_commit(written) : TOT_OK;
}

static tot_status run(request *args) {
    tot_label_options *options = &args->options;
    if (args->page != NULL || args->svg != NULL) {
        options->shown = LABEL_PAGE_EPISODES;
        BASE_TRY(label_page_create(&args->pages, &options->reward, &args->demos, &args->excerpt));
    }
    cli_excerpting_apply(&args->excerpt, &args->demos);
    cli_excerpting_apply(&args->excerpt, &args->episodes);
    options->checked = MOST_ROWS_SHOWN;
    options->threads = (int)args->common.threads;
    options->take = take;
    options->finish = finish;
    options->watch = watch;
    options->context = args;
    BASE_TRY(tot_label_sources(args->demos.items, args->demos.count, args->episodes.items,
                               args->episodes.count, options));
    BASE_TRY(commit(&args->page_file));
    return commit(&args->svg_file);
}

// Before the rewards are there: what would be lost, and where it cannot go.
static int check_outputs(request *args) {
    const cli_output outputs[OUTPUTS] = {
        {"out", args->options.out, false}, {"page", args->page, false}, {"svg", args->svg, false}};
    const bool over = args->common.overwrite;
    memcpy(args->outputs, outputs, sizeof outputs);
    if (find_sources(&args->demos, &args->demo_words, "demonstration") != TOT_OK ||
        find_sources(&args->episodes, &args->episode_words, "episode") != TOT_OK) {
        return cli_fail();
    }
    const int code = cli_outputs_check_sources(args->outputs, OUTPUTS, &args->demos, over);
    return code == EXIT_DONE
               ? cli_outputs_check_sources(args->outputs, OUTPUTS, &args->episodes, over)
               : code;
}

static int label(request *args) {
    int code = cli_excerpting_read(&args->excerpting, &args->excerpt);
    CLI_THEN(code, cli_encoding_read(&args->encoding, &args->options.embedder));
    if (code == EXIT_DONE && read_reward(args) != TOT_OK) {
        code = cli_usage("--%s", tot_error());
    }
    CLI_THEN(code, check_outputs(args));
    if (code == EXIT_DONE) {
        cli_catch_signals();
        const tot_status status = run(args);
        cli_watching_clear(&args->watching);
        code = status == TOT_OK ? EXIT_DONE : cli_encoding_fail(&args->encoding, status);
    }
    if (code == EXIT_DONE) {
        print_end(args);
    }
    label_page_free(args->pages);
    tot_file_discard(args->page_file);
    tot_file_discard(args->svg_file);
    tot_source_list_free(&args->demos);
    tot_source_list_free(&args->episodes);
    return code;
}

static const char usage[] = "label --demo FILE [--demo FILE ...] --episode FILE [...] [options]";
static const char about[] =
    "Says how good every step of an episode was, measured against demonstrations.\n"
    "Files are embeddings, steps x width, in .npy or .npz (FILE.npz:NAME picks an array); or\n"
    "pictures, which are encoded first: videos, folders of PNG or JPEG files, arrays of uint8.\n"
    "Demonstrations and episodes may also be folders, patterns, or lists (@FILE).\n"
    "rewards.npz holds for every episode `rewards` and `progress`: how far along the "
    "demonstration\n"
    "every step is, from 0 to 1, by an alignment without a mask that may end anywhere.";

// The defaults in the help are those of the method.
static void explain(void *context) {
    request *args = context;
    cli_rewarding_explain(&args->rewarding, args->method);
}

int cli_label(int argc, char **argv) {
    request args = {.method = "temporalot",
                    .excerpting = CLI_EXCERPTING_INITIAL,
                    .encoding = CLI_ENCODING_INITIAL,
                    .best = -INFINITY,
                    .worst = INFINITY};
    static char methods[1024];
    tot_label_defaults(&args.options);
    args.options.out = "rewards.npz";
    cli_option options[MOST_OPTIONS] = {
        {"demo", CLI_TEXTS, &args.demo_words, "FILE", "a demonstration; any number"},
        {"episode", CLI_TEXTS, &args.episode_words, "FILE", "an episode to label; any number"},
        {"method", CLI_TEXT, &args.method, "REWARD",
         cli_list_choices(methods, sizeof methods, "", "REWARD",
                          "; sets context and mask (default temporalot)")},
        {"scale", CLI_TEXT, &args.scale, "X|auto",
         "factor of the rewards (default 1); auto: 10 / |sum of the first episode|"},
        {"squash", CLI_TEXT, &args.squash, "none|otr|A,B", "rewards become A exp(B r); otr is 5,5"},
        {"out", CLI_TEXT, &args.options.out, "FILE", "output file (default rewards.npz)"},
        {"page", CLI_TEXT, &args.page, "FILE.html",
         "write a page to look at: rewards, cost, mask and plan of the first episodes"},
        {"svg", CLI_TEXT, &args.svg, "FILE.svg", "write the same as one picture"},
        {"plan", CLI_FLAG, &args.options.plan, NULL, "write the transport plan too"},
        {"cost-matrix", CLI_FLAG, &args.options.cost, NULL, "write the context cost too"},
        CLI_EXCERPTING_OPTIONS(args.excerpting),
        CLI_ENCODING_OPTIONS(args.encoding),
    };
    static const char *const without[] = {"scale", "squash", NULL};
    size_t count = 0;
    while (options[count].name != NULL) {
        count++;
    }
    count = cli_rewarding_options(&args.rewarding, options, count, without);
    explain(&args);
    cli_before_help(explain, &args);
    cli_texts rest = {0};
    cli_parsed parsed = cli_parse(argc, argv, usage, about, options, count, &args.common, &rest);
    int code = cli_exit_code(parsed);
    if (parsed == CLI_GO && rest.count > 0) {
        code = cli_usage("label: '%s' belongs to no option; see temporalot label --help",
                         rest.items[0]);
    } else if (parsed == CLI_GO && (args.demo_words.count == 0 || args.episode_words.count == 0)) {
        code = cli_usage("label: %s is needed; see temporalot label --help",
                         args.demo_words.count == 0 ? "--demo FILE" : "--episode FILE");
    } else if (parsed == CLI_GO) {
        args.watching.quiet = args.common.quiet;
        code = label(&args);
    }
    cli_texts_free(&rest);
    cli_texts_free(&args.demo_words);
    cli_texts_free(&args.episode_words);
    return code;
}

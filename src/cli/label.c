// temporalot label: rewards for episodes, from demonstrations.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/encoding.h"
#include "cli/label_page.h"
#include "cli/rewarding.h"

enum { MOST_ROWS_SHOWN = 24, MOST_OPTIONS = 64 };

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
    cli_encoding encoding;  // for pictures
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
    if (text[length] != ',' || length >= sizeof alpha) {
        return base_fail(TOT_E_ARGUMENT, "squash: '%s' is not none, otr or ALPHA,BETA", text);
    }
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

static void print_json(const tot_labelled *episode) {
    const tot_label_info *info = &episode->info;
    printf("{\"episode\": ");
    cli_json_text(stdout, episode->name);
    printf(
        ", \"steps\": %lld, \"demo\": %lld, \"sum\": %.17g, \"iterations\": %lld, "
        "\"marginal_error\": %.17g, \"converged\": %s, \"mass_outside\": %.17g, "
        "\"progress\": %.9g, "
        "\"scale\": %.17g}\n",
        (long long)episode->steps, (long long)info->demo, info->sum, (long long)info->iterations,
        info->marginal_error, info->converged ? "true" : "false", info->mass_outside,
        (double)episode->progress[episode->steps - 1], episode->scale);
}

static void print_row(const request *args, const tot_labelled *episode) {
    const tot_label_info *info = &episode->info;
    if (episode->index == 0) {
        printf("%s, %lld demonstration%s, scale %g\n", tot_method_name(args->options.reward.method),
               (long long)episode->demos, episode->demos == 1 ? "" : "s", episode->scale);
        printf("%-36s %6s %5s %12s %8s %6s %9s\n", "episode", "steps", "demo", "sum", "progress",
               "iter.", "converged");
    }
    if (episode->index >= MOST_ROWS_SHOWN) {
        return;
    }
    const size_t length = strlen(episode->name);
    const bool cut = length > 36;
    printf("%s%-*s %6lld %5lld %12.6g %8.3f %6lld %9s\n", cut ? "..." : "", cut ? 33 : 36,
           cut ? episode->name + length - 33 : episode->name, (long long)episode->steps,
           (long long)info->demo, info->sum, (double)episode->progress[episode->steps - 1],
           (long long)info->iterations,
           info->iterations == 0 ? "-" : (info->converged ? "yes" : "no"));
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
        printf("%zu episodes: mean sum %.6g, best %.6g, worst %.6g\n", count,
               args->total / (double)count, args->best, args->worst);
    }
    const char *written[] = {args->options.out, args->page, args->svg};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        if (written[k] != NULL) {
            printf("wrote %s\n", written[k]);
        }
    }
}

// --- the command -------------------------------------------------------------------------------

static bool watch(void *context, const tot_label_progress *progress) {
    request *args = context;
    if (progress->source != NULL && !args->network_told && !args->common.quiet &&
        args->encoding.weights == NULL && args->encoding.network == NULL) {
        args->network_told = true;
        fprintf(stderr,
                "temporalot: %s: pictures, encoded by the network that comes with set-up (%s); "
                "--weights FILE picks another\n",
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
    if (args->common.json) {
        print_json(episode);
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
    BASE_TRY(read_reward(args));
    BASE_TRY(find_sources(&args->demos, &args->demo_words, "demonstration"));
    BASE_TRY(find_sources(&args->episodes, &args->episode_words, "episode"));
    if (args->page != NULL || args->svg != NULL) {
        options->shown = LABEL_PAGE_EPISODES;
        BASE_TRY(label_page_create(&args->pages, &options->reward));
    }
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

static int label(request *args) {
    int code = cli_encoding_read(&args->encoding, &args->options.embedder);
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
    "pictures, which are encoded first: videos, folders of PNG, arrays of uint8 (`frames`).\n"
    "Demonstrations and episodes may also be folders, patterns, or lists (@FILE).\n"
    "rewards.npz holds for every episode `rewards` and `progress`: how far along the "
    "demonstration\n"
    "every step is, from 0 to 1, by an alignment without a mask that may end anywhere.";

int cli_label(int argc, char **argv) {
    request args = {.method = "temporalot",
                    .encoding = CLI_ENCODING_INITIAL,
                    .best = -INFINITY,
                    .worst = INFINITY};
    tot_label_defaults(&args.options);
    args.options.out = "rewards.npz";
    cli_option options[MOST_OPTIONS] = {
        {"demo", CLI_TEXTS, &args.demo_words, "FILE", "a demonstration; give it again for more"},
        {"episode", CLI_TEXTS, &args.episode_words, "FILE", "an episode; one or thousands"},
        {"method", CLI_TEXT, &args.method, "NAME",
         "temporalot (default), temporalot-no-mask, temporalot-no-context, dynamic, ot, orca, dtw, "
         "soft-dtw, min-distance, segment, threshold; sets context and mask"},
        {"scale", CLI_TEXT, &args.scale, "X|auto",
         "factor of the rewards (default 1); auto: 10 / |sum of the first episode|"},
        {"squash", CLI_TEXT, &args.squash, "none|otr|A,B", "rewards become A exp(B r); otr is 5,5"},
        {"out", CLI_TEXT, &args.options.out, "FILE", "where to write (default rewards.npz)"},
        {"page", CLI_TEXT, &args.page, "FILE.html",
         "write a page to look at: rewards, cost, mask and plan of the first episodes"},
        {"svg", CLI_TEXT, &args.svg, "FILE.svg", "write the same as one picture"},
        {"plan", CLI_FLAG, &args.options.plan, NULL, "write the transport plan too"},
        {"cost-matrix", CLI_FLAG, &args.options.cost, NULL, "write the context cost too"},
        CLI_ENCODING_OPTIONS(args.encoding),
    };
    size_t count = 0;
    while (options[count].name != NULL) {
        count++;
    }
    char helps[CLI_MOST_REWARD_SETTINGS][160];
    for (size_t k = 0; k < tot_reward_parameter_count() && k < CLI_MOST_REWARD_SETTINGS; k++) {
        const tot_parameter *parameter = tot_reward_parameter_at(k);
        if (strcmp(parameter->name, "scale") == 0 || strncmp(parameter->name, "squash", 6) == 0) {
            continue;
        }
        snprintf(helps[k], sizeof helps[k], "%s (default %s)", parameter->help, parameter->initial);
        options[count++] = cli_rewarding_option(&args.rewarding, k, helps[k]);
    }
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

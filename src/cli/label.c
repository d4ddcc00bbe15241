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

static tot_status read_reward(request *wish) {
    tot_reward_config *config = &wish->options.reward;
    BASE_TRY(cli_rewarding_read(&wish->rewarding, wish->method, config));
    wish->options.auto_scale = wish->scale != NULL && strcmp(wish->scale, "auto") == 0;
    if (wish->scale != NULL && !wish->options.auto_scale) {
        BASE_TRY(tot_reward_set(config, "scale", wish->scale));
    }
    return wish->squash != NULL ? read_squash(config, wish->squash) : TOT_OK;
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
        "\"scale\": %.17g}\n",
        (long long)episode->steps, (long long)info->demo, info->sum, (long long)info->iterations,
        info->marginal_error, info->converged ? "true" : "false", info->mass_outside,
        episode->scale);
}

static void print_row(const request *wish, const tot_labelled *episode) {
    const tot_label_info *info = &episode->info;
    if (episode->index == 0) {
        printf("%s, %lld demonstration%s, scale %g\n", tot_method_name(wish->options.reward.method),
               (long long)episode->demos, episode->demos == 1 ? "" : "s", episode->scale);
        printf("%-36s %6s %5s %12s %6s %9s\n", "episode", "steps", "demo", "sum", "iter.",
               "converged");
    }
    if (episode->index >= MOST_ROWS_SHOWN) {
        return;
    }
    const size_t length = strlen(episode->name);
    const bool cut = length > 36;
    printf("%s%-*s %6lld %5lld %12.6g %6lld %9s\n", cut ? "..." : "", cut ? 33 : 36,
           cut ? episode->name + length - 33 : episode->name, (long long)episode->steps,
           (long long)info->demo, info->sum, (long long)info->iterations,
           info->iterations == 0 ? "-" : (info->converged ? "yes" : "no"));
}

static void print_end(const request *wish) {
    const size_t count = wish->episodes.count;
    if (wish->common.quiet || wish->common.json) {
        return;
    }
    if (count > MOST_ROWS_SHOWN) {
        printf("... and %zu more\n", count - MOST_ROWS_SHOWN);
    }
    if (count > 1) {
        printf("%zu episodes: mean sum %.6g, best %.6g, worst %.6g\n", count,
               wish->total / (double)count, wish->best, wish->worst);
    }
    const char *written[] = {wish->options.out, wish->page, wish->svg};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        if (written[k] != NULL) {
            printf("wrote %s\n", written[k]);
        }
    }
}

// --- the command -------------------------------------------------------------------------------

static bool watch(void *context, const tot_label_progress *progress) {
    request *wish = context;
    if (progress->source != NULL && !wish->network_told && !wish->common.quiet &&
        wish->encoding.weights == NULL && wish->encoding.network == NULL) {
        wish->network_told = true;
        fprintf(stderr,
                "temporalot: %s: pictures, encoded by the network that comes with set-up (%s); "
                "--weights FILE picks another\n",
                progress->source, progress->encoder);
    }
    return cli_watching_show(&wish->watching, progress);
}

static tot_status take(void *context, const tot_labelled *episode) {
    request *wish = context;
    if (wish->pages != NULL) {
        BASE_TRY(label_page_add(wish->pages, episode));
    }
    wish->total += episode->info.sum;
    wish->best = fmax(wish->best, episode->info.sum);
    wish->worst = fmin(wish->worst, episode->info.sum);
    cli_watching_clear(&wish->watching);
    if (wish->common.json) {
        print_json(episode);
    } else if (!wish->common.quiet) {
        print_row(wish, episode);
    }
    return TOT_OK;
}

// Everything is written under temporary names before the first of them becomes visible.
static tot_status finish(void *context) {
    request *wish = context;
    if (wish->page != NULL) {
        BASE_TRY(label_page_prepare(wish->pages, &wish->page_file, wish->page));
    }
    return wish->svg != NULL ? label_page_prepare_svg(wish->pages, &wish->svg_file, wish->svg)
                             : TOT_OK;
}

// file may be NULL: nothing was asked for.
static tot_status commit(tot_file **file) {
    tot_file *written = *file;
    *file = NULL;
    return written != NULL ? tot_file_commit(written) : TOT_OK;
}

static tot_status run(request *wish) {
    tot_label_options *options = &wish->options;
    BASE_TRY(read_reward(wish));
    BASE_TRY(find_sources(&wish->demos, &wish->demo_words, "demonstration"));
    BASE_TRY(find_sources(&wish->episodes, &wish->episode_words, "episode"));
    if (wish->page != NULL || wish->svg != NULL) {
        options->shown = LABEL_PAGE_EPISODES;
        BASE_TRY(label_page_create(&wish->pages, &options->reward));
    }
    options->threads = (int)wish->common.threads;
    options->take = take;
    options->finish = finish;
    options->watch = watch;
    options->context = wish;
    BASE_TRY(tot_label_sources(wish->demos.items, wish->demos.count, wish->episodes.items,
                               wish->episodes.count, options));
    BASE_TRY(commit(&wish->page_file));
    return commit(&wish->svg_file);
}

static int label(request *wish) {
    int code = cli_encoding_read(&wish->encoding, &wish->options.embedder);
    if (code == EXIT_DONE) {
        cli_catch_signals();
        const tot_status status = run(wish);
        cli_watching_clear(&wish->watching);
        code = status == TOT_OK ? EXIT_DONE : cli_encoding_fail(&wish->encoding, status);
    }
    if (code == EXIT_DONE) {
        print_end(wish);
    }
    label_page_free(wish->pages);
    tot_file_discard(wish->page_file);
    tot_file_discard(wish->svg_file);
    tot_source_list_free(&wish->demos);
    tot_source_list_free(&wish->episodes);
    return code;
}

static const char usage[] = "label --demo FILE [--demo FILE ...] --episode FILE [...] [options]";
static const char about[] =
    "Says how good every step of an episode was, measured against demonstrations.\n"
    "Files are embeddings, steps x width, in .npy or .npz (FILE.npz:NAME picks an array); or\n"
    "pictures, which are encoded first: videos, folders of PNG, arrays of uint8 (`frames`).\n"
    "Demonstrations and episodes may also be folders, patterns, or lists (@FILE).";

int cli_label(int argc, char **argv) {
    request wish = {.method = "temporalot",
                    .encoding = CLI_ENCODING_INITIAL,
                    .best = -INFINITY,
                    .worst = INFINITY};
    tot_label_defaults(&wish.options);
    wish.options.out = "rewards.npz";
    cli_option options[MOST_OPTIONS] = {
        {"demo", CLI_TEXTS, &wish.demo_words, "FILE", "a demonstration; give it again for more"},
        {"episode", CLI_TEXTS, &wish.episode_words, "FILE", "an episode; one or thousands"},
        {"method", CLI_TEXT, &wish.method, "NAME",
         "temporalot (default), temporalot-no-mask, temporalot-no-context, dynamic, ot, orca, dtw, "
         "soft-dtw, min-distance, segment, threshold; sets context and mask"},
        {"scale", CLI_TEXT, &wish.scale, "X|auto",
         "factor of the rewards (default 1); auto: 10 / |sum of the first episode|"},
        {"squash", CLI_TEXT, &wish.squash, "none|otr|A,B", "rewards become A exp(B r); otr is 5,5"},
        {"out", CLI_TEXT, &wish.options.out, "FILE", "where to write (default rewards.npz)"},
        {"page", CLI_TEXT, &wish.page, "FILE.html",
         "write a page to look at: rewards, cost, mask and plan of the first episodes"},
        {"svg", CLI_TEXT, &wish.svg, "FILE.svg", "write the same as one picture"},
        {"plan", CLI_FLAG, &wish.options.plan, NULL, "write the transport plan too"},
        {"cost-matrix", CLI_FLAG, &wish.options.cost, NULL, "write the context cost too"},
        CLI_ENCODING_OPTIONS(wish.encoding),
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
        options[count++] = cli_rewarding_option(&wish.rewarding, k, helps[k]);
    }
    cli_texts rest = {0};
    cli_parsed parsed = cli_parse(argc, argv, usage, about, options, count, &wish.common, &rest);
    int code = cli_exit_code(parsed);
    if (parsed == CLI_GO && rest.count > 0) {
        code = cli_usage("label: '%s' belongs to no option; see temporalot label --help",
                         rest.items[0]);
    } else if (parsed == CLI_GO && (wish.demo_words.count == 0 || wish.episode_words.count == 0)) {
        code = cli_usage("label: %s is needed; see temporalot label --help",
                         wish.demo_words.count == 0 ? "--demo FILE" : "--episode FILE");
    } else if (parsed == CLI_GO) {
        wish.watching.quiet = wish.common.quiet;
        code = label(&wish);
    }
    cli_texts_free(&rest);
    cli_texts_free(&wish.demo_words);
    cli_texts_free(&wish.episode_words);
    return code;
}

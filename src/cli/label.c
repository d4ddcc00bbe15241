// temporalot label: rewards for episodes, from demonstrations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/encoding.h"
#include "cli/inputs.h"
#include "cli/label_page.h"
#include "cli/rewarding.h"
#include "file/frames.h"

enum { SLOTS_A_THREAD = 4, MOST_ROWS_SHOWN = 24, MOST_OPTIONS = 64 };

// What the command line asks for.
typedef struct request {
    cli_texts demo_words;
    cli_texts episode_words;
    const char *method;
    cli_rewarding rewarding;
    const char *scale;
    const char *squash;
    const char *out;
    const char *page;
    const char *svg;
    bool plan;
    bool cost_matrix;
    cli_encoding encoding;  // for pictures
    cli_common common;
} request;

// One episode's results, kept until it is its turn to be written.
typedef struct slot {
    tot_array rewards;
    tot_array plan;
    tot_array cost;
    tot_label_info info;
} slot;

typedef struct labelling {
    const request *wish;
    tot_reward_config config;
    bool auto_scale;
    cli_inputs episodes;
    tot_demos *demos;
    tot_pool *pool;
    tot_encoder_settings encoder_settings;
    cli_encoder encoder;  // opened when the first pictures come
    int workers;
    tot_labeler **labelers;  // [workers]
    tot_array *frames;       // [workers] the episode a worker has read
    slot *slots;             // [slot_count]
    size_t slot_count;
    size_t start;   // episode in slot 0
    bool pictures;  // it was encoded into frames[0] already
    tot_npz_writer *writer;
    label_page *page;
    tot_file *page_file;  // whole, waiting to be renamed
    tot_file *svg_file;
    double total;  // of the sums
    double best;
    double worst;
} labelling;

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
        return tot_fail(TOT_E_ARGUMENT, "squash: '%s' is not none, otr or ALPHA,BETA", text);
    }
    memcpy(alpha, text, length);
    alpha[length] = '\0';
    TOT_TRY(tot_reward_set(config, "squash_alpha", alpha));
    return tot_reward_set(config, "squash_beta", text + length + 1);
}

static tot_status read_config(const request *wish, tot_reward_config *config, bool *auto_scale) {
    TOT_TRY(cli_rewarding_read(&wish->rewarding, wish->method, config));
    *auto_scale = wish->scale != NULL && strcmp(wish->scale, "auto") == 0;
    if (wish->scale != NULL && !*auto_scale) {
        TOT_TRY(tot_reward_set(config, "scale", wish->scale));
    }
    if (wish->squash != NULL) {
        TOT_TRY(read_squash(config, wish->squash));
    }
    return TOT_OK;
}

static tot_status find_files(cli_inputs *inputs, const cli_texts *words) {
    for (size_t k = 0; k < words->count; k++) {
        TOT_TRY(cli_inputs_add(inputs, words->items[k]));
    }
    return TOT_OK;
}

// --- preparing ---------------------------------------------------------------------------------

static tot_status open_encoder(labelling *work, const char *path) {
    const request *wish = work->wish;
    if (work->encoder.encoder != NULL) {
        return TOT_OK;
    }
    TOT_TRY(cli_encoder_open(&work->encoder, &wish->encoding, &work->encoder_settings, work->pool));
    if (wish->encoding.weights == NULL && wish->encoding.network == NULL && !wish->common.quiet) {
        fprintf(stderr,
                "temporalot: %s: pictures, encoded by the network that comes with set-up (%s); "
                "--weights FILE picks another\n",
                path, tot_encoder_text(work->encoder.encoder));
    }
    return TOT_OK;
}

static tot_status encode(labelling *work, const char *path, tot_array *frames) {
    TOT_TRY(open_encoder(work, path));
    return cli_encode_array(&work->encoder, path, work->wish->common.quiet, frames);
}

// Reads embeddings, or makes them of pictures.
static tot_status load_frames(labelling *work, const char *path, tot_array *frames) {
    bool pictures = false;
    TOT_TRY(tot_frames_look(path, &pictures));
    return pictures ? encode(work, path, frames) : tot_array_load(frames, path);
}

static tot_status load_demos(labelling *work) {
    const cli_texts *words = &work->wish->demo_words;
    cli_inputs files = {0};
    tot_array frames = {0};
    tot_status status = tot_demos_create(&work->demos);
    if (status == TOT_OK) {
        status = find_files(&files, words);
    }
    for (size_t k = 0; status == TOT_OK && k < files.count; k++) {
        const char *path = cli_inputs_path(&files, k);
        tot_embeddings view;
        status = load_frames(work, path, &frames);
        if (status == TOT_OK) {
            status = tot_embeddings_of(&view, &frames, path);
        }
        if (status == TOT_OK) {
            status = tot_demos_add(work->demos, view, path);
        }
    }
    if (status == TOT_OK && files.count == 0) {
        status = tot_fail(TOT_E_FILE, "%s: names no demonstration", words->items[0]);
    }
    tot_array_free(&frames);
    cli_inputs_free(&files);
    return status;
}

// Several episodes go to one labeler a thread; a single one is shared between the threads.
static tot_status make_labelers(labelling *work) {
    bool alone = work->episodes.count == 1;
    work->workers = alone ? 1 : tot_pool_threads(work->pool);
    size_t workers = (size_t)work->workers;
    work->slot_count = alone ? 1 : workers * SLOTS_A_THREAD;
    work->labelers = tot_alloc_zero(workers, sizeof *work->labelers, "labelers");
    work->frames = tot_alloc_zero(workers, sizeof *work->frames, "labelers");
    work->slots = tot_alloc_zero(work->slot_count, sizeof *work->slots, "labelers");
    if (work->labelers == NULL || work->frames == NULL || work->slots == NULL) {
        return TOT_E_MEMORY;
    }
    for (size_t k = 0; k < workers; k++) {
        TOT_TRY(tot_labeler_create(&work->labelers[k], work->demos, &work->config,
                                   alone ? work->pool : NULL));
    }
    return TOT_OK;
}

static void labelling_free(labelling *work) {
    for (size_t k = 0; work->labelers != NULL && k < (size_t)work->workers; k++) {
        tot_labeler_free(work->labelers[k]);
    }
    for (size_t k = 0; work->frames != NULL && k < (size_t)work->workers; k++) {
        tot_array_free(&work->frames[k]);
    }
    for (size_t k = 0; work->slots != NULL && k < work->slot_count; k++) {
        tot_array_free(&work->slots[k].rewards);
        tot_array_free(&work->slots[k].plan);
        tot_array_free(&work->slots[k].cost);
    }
    tot_free(work->labelers);
    tot_free(work->frames);
    tot_free(work->slots);
    tot_npz_discard(work->writer);
    label_page_free(work->page);
    tot_file_discard(work->page_file);
    tot_file_discard(work->svg_file);
    cli_encoder_close(&work->encoder);
    tot_pool_free(work->pool);
    tot_demos_free(work->demos);
    cli_inputs_free(&work->episodes);
}

// --- labelling ---------------------------------------------------------------------------------

static tot_status reserve_rewards(slot *place, int64_t steps) {
    tot_array *rewards = &place->rewards;
    void *data = rewards->data;
    size_t capacity = rewards->capacity;
    TOT_TRY(tot_reserve(&data, &capacity, (size_t)steps * sizeof(float), 1, "rewards"));
    *rewards = (tot_array){
        .type = TOT_F32, .dimensions = 1, .shape = {steps}, .data = data, .capacity = capacity};
    return TOT_OK;
}

static tot_status label_job(void *context, size_t index, int worker) {
    labelling *work = context;
    slot *place = &work->slots[index];
    const char *path = cli_inputs_path(&work->episodes, work->start + index);
    tot_labeler *labeler = work->labelers[worker];
    tot_embeddings view;
    if (!work->pictures) {
        TOT_TRY(tot_array_load(&work->frames[worker], path));
    }
    TOT_TRY(tot_embeddings_of(&view, &work->frames[worker], path));
    TOT_TRY(reserve_rewards(place, view.steps));
    TOT_TRY(tot_label(labeler, view, path, place->rewards.data, &place->info));
    bool on_page = work->page != NULL && work->start + index < LABEL_PAGE_EPISODES;
    if (work->wish->plan || (on_page && tot_method_has_plan(work->config.method))) {
        TOT_TRY(tot_labeler_plan(labeler, &place->plan));
    }
    if (work->wish->cost_matrix || on_page) {
        TOT_TRY(tot_labeler_cost(labeler, &place->cost));
    }
    return TOT_OK;
}

// As in the paper's release: the first episode keeps scale 1 and sets that of all others.
static void set_auto_scale(labelling *work) {
    double scale = tot_scale_auto(work->slots[0].info.sum);
    for (int k = 0; k < work->workers; k++) {
        tot_labeler_set_scale(work->labelers[k], scale);
    }
    work->config.scale = scale;
}

static tot_status add_number(tot_npz_writer *writer, const char *name, const char *suffix,
                             tot_type type, void *value) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, suffix);
    tot_array number = {.type = type, .data = value};
    return tot_npz_add(writer, full, &number);
}

static tot_status add_array(tot_npz_writer *writer, const char *name, const char *suffix,
                            const tot_array *array) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, suffix);
    return tot_npz_add(writer, full, array);
}

static tot_status write_slot(labelling *work, slot *place, size_t episode) {
    char suffix[32] = "";
    if (work->episodes.count > 1) {
        snprintf(suffix, sizeof suffix, "_%zu", episode);
    }
    tot_npz_writer *writer = work->writer;
    uint8_t converged = place->info.converged ? 1 : 0;
    TOT_TRY(add_array(writer, "rewards", suffix, &place->rewards));
    TOT_TRY(add_number(writer, "demo", suffix, TOT_I64, &place->info.demo));
    TOT_TRY(add_number(writer, "iterations", suffix, TOT_I64, &place->info.iterations));
    TOT_TRY(add_number(writer, "marginal_error", suffix, TOT_F64, &place->info.marginal_error));
    TOT_TRY(add_number(writer, "converged", suffix, TOT_U8, &converged));
    TOT_TRY(add_number(writer, "mass_outside", suffix, TOT_F64, &place->info.mass_outside));
    if (work->wish->plan) {
        TOT_TRY(add_array(writer, "plan", suffix, &place->plan));
    }
    if (work->wish->cost_matrix) {
        TOT_TRY(add_array(writer, "cost", suffix, &place->cost));
    }
    if (work->page != NULL) {
        bool has_plan = tot_method_has_plan(work->config.method);
        TOT_TRY(label_page_add(work->page, cli_inputs_path(&work->episodes, episode), &place->info,
                               &place->rewards, &place->cost, has_plan ? &place->plan : NULL));
    }
    return TOT_OK;
}

// --- printing ----------------------------------------------------------------------------------

static void print_header(const labelling *work) {
    const char *method = tot_method_name(work->config.method);
    printf("%s, %lld demonstration%s, scale %g\n", method, (long long)tot_demos_count(work->demos),
           tot_demos_count(work->demos) == 1 ? "" : "s", work->config.scale);
    printf("%-36s %6s %5s %12s %6s %9s\n", "episode", "steps", "demo", "sum", "iter.", "converged");
}

static void print_slot(const labelling *work, const slot *place, size_t episode) {
    const char *path = cli_inputs_path(&work->episodes, episode);
    const tot_label_info *info = &place->info;
    if (work->wish->common.json) {
        printf("{\"episode\": ");
        cli_json_text(stdout, path);
        printf(
            ", \"steps\": %lld, \"demo\": %lld, \"sum\": %.17g, \"iterations\": %lld, "
            "\"marginal_error\": %.17g, \"converged\": %s, \"mass_outside\": %.17g, "
            "\"scale\": %.17g}\n",
            (long long)place->rewards.shape[0], (long long)info->demo, info->sum,
            (long long)info->iterations, info->marginal_error, info->converged ? "true" : "false",
            info->mass_outside, work->config.scale);
        return;
    }
    if (work->wish->common.quiet || episode >= MOST_ROWS_SHOWN) {
        return;
    }
    size_t length = strlen(path);
    bool cut = length > 36;
    printf("%s%-*s %6lld %5lld %12.6g %6lld %9s\n", cut ? "..." : "", cut ? 33 : 36,
           cut ? path + length - 33 : path, (long long)place->rewards.shape[0],
           (long long)info->demo, info->sum, (long long)info->iterations,
           info->iterations == 0 ? "-" : (info->converged ? "yes" : "no"));
}

static void print_end(const labelling *work) {
    if (work->wish->common.quiet || work->wish->common.json) {
        return;
    }
    size_t count = work->episodes.count;
    if (count > MOST_ROWS_SHOWN) {
        printf("... and %zu more\n", count - MOST_ROWS_SHOWN);
    }
    if (count > 1) {
        printf("%zu episodes: mean sum %.6g, best %.6g, worst %.6g\n", count,
               work->total / (double)count, work->best, work->worst);
    }
    const char *written[] = {work->wish->out, work->wish->page, work->wish->svg};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        if (written[k] != NULL) {
            printf("wrote %s\n", written[k]);
        }
    }
}

// --- the command -------------------------------------------------------------------------------

static void note_sum(labelling *work, const tot_label_info *info) {
    work->total += info->sum;
    work->best = fmax(work->best, info->sum);
    work->worst = fmin(work->worst, info->sum);
}

// How many episodes come next at once: as many as there are slots. One of pictures comes alone,
// since all threads encode it: encoding takes longer than labelling by far.
static tot_status next_batch(labelling *work, size_t most, size_t *batch) {
    work->pictures = false;
    for (*batch = 0; *batch < most; ++*batch) {
        const char *path = cli_inputs_path(&work->episodes, work->start + *batch);
        bool pictures = false;
        TOT_TRY(tot_frames_look(path, &pictures));
        if (pictures && *batch == 0) {
            *batch = 1;
            work->pictures = true;
            return encode(work, path, &work->frames[0]);
        }
        if (pictures) {
            break;
        }
    }
    return TOT_OK;
}

static tot_status label_all(labelling *work) {
    cli_progress progress;
    cli_progress_start(&progress, "label", (int64_t)work->episodes.count, work->wish->common.quiet);
    tot_pool *pool = work->workers > 1 ? work->pool : NULL;
    size_t count = work->episodes.count;
    tot_status status = TOT_OK;
    for (work->start = 0; status == TOT_OK && work->start < count;) {
        size_t left = count - work->start;
        size_t batch = left < work->slot_count ? left : work->slot_count;
        bool alone = work->start == 0 && work->auto_scale;
        status = next_batch(work, alone ? 1 : batch, &batch);
        if (status == TOT_OK) {
            // a single one runs on this thread, as worker 0
            status = tot_pool_run(batch > 1 ? pool : NULL, batch, label_job, work);
        }
        for (size_t k = 0; status == TOT_OK && k < batch; k++) {
            status = write_slot(work, &work->slots[k], work->start + k);
            note_sum(work, &work->slots[k].info);
            print_slot(work, &work->slots[k], work->start + k);
        }
        if (status == TOT_OK && alone) {
            set_auto_scale(work);
        }
        work->start += batch;
        cli_progress_show(&progress, (int64_t)work->start);
        if (status == TOT_OK && cli_stopped()) {
            status = tot_fail(TOT_E_INTERRUPTED, "label: stopped; nothing was written");
        }
    }
    cli_progress_end(&progress);
    return status;
}

// file may be NULL: nothing was asked for.
static tot_status commit(tot_file **file) {
    tot_file *written = *file;
    *file = NULL;
    return written != NULL ? tot_file_commit(written) : TOT_OK;
}

static tot_status run(labelling *work) {
    TOT_TRY(read_config(work->wish, &work->config, &work->auto_scale));
    if (work->wish->plan && !tot_method_has_plan(work->config.method)) {
        return tot_fail(TOT_E_ARGUMENT, "--plan: method '%s' has no plan",
                        tot_method_name(work->config.method));
    }
    TOT_TRY(tot_pool_create(&work->pool, (int)work->wish->common.threads));
    TOT_TRY(load_demos(work));
    TOT_TRY(find_files(&work->episodes, &work->wish->episode_words));
    if (work->episodes.count == 0) {
        return tot_fail(TOT_E_FILE, "%s: names no episode", work->wish->episode_words.items[0]);
    }
    TOT_TRY(make_labelers(work));
    TOT_TRY(tot_npz_create(&work->writer, work->wish->out, false));
    if (work->wish->page != NULL || work->wish->svg != NULL) {
        TOT_TRY(label_page_create(&work->page, &work->config));
    }
    if (!work->wish->common.quiet && !work->wish->common.json) {
        print_header(work);
    }
    TOT_TRY(label_all(work));
    // everything is written under temporary names before the first of them becomes visible
    if (work->wish->page != NULL) {
        TOT_TRY(label_page_prepare(work->page, &work->page_file, work->wish->page));
    }
    if (work->wish->svg != NULL) {
        TOT_TRY(label_page_prepare_svg(work->page, &work->svg_file, work->wish->svg));
    }
    tot_npz_writer *writer = work->writer;
    work->writer = NULL;
    TOT_TRY(tot_npz_commit(writer));
    TOT_TRY(commit(&work->page_file));
    TOT_TRY(commit(&work->svg_file));
    print_end(work);
    return TOT_OK;
}

static int label(const request *wish) {
    labelling work = {.wish = wish, .best = -INFINITY, .worst = INFINITY};
    int code = cli_encoding_read(&wish->encoding, &work.encoder_settings);
    if (code == EXIT_DONE) {
        cli_catch_signals();
        if (run(&work) != TOT_OK) {
            code = cli_fail();
        }
    }
    labelling_free(&work);
    return code;
}

static const char usage[] = "label --demo FILE [--demo FILE ...] --episode FILE [...] [options]";
static const char about[] =
    "Says how good every step of an episode was, measured against demonstrations.\n"
    "Files are embeddings, steps x width, in .npy or .npz (FILE.npz:NAME picks an array); or\n"
    "pictures, which are encoded first: videos, folders of PNG, arrays of uint8 (`frames`).\n"
    "Demonstrations and episodes may also be folders, patterns, or lists (@FILE).";

int cli_label(int argc, char **argv) {
    request wish = {.method = "temporalot", .out = "rewards.npz", .encoding = CLI_ENCODING_INITIAL};
    cli_option options[MOST_OPTIONS] = {
        {"demo", CLI_TEXTS, &wish.demo_words, "FILE", "a demonstration; give it again for more"},
        {"episode", CLI_TEXTS, &wish.episode_words, "FILE", "an episode; one or thousands"},
        {"method", CLI_TEXT, &wish.method, "NAME",
         "temporalot (default), temporalot-no-mask, temporalot-no-context, dynamic, ot, orca, dtw, "
         "soft-dtw, min-distance, segment, threshold; sets context and mask"},
        {"scale", CLI_TEXT, &wish.scale, "X|auto",
         "factor of the rewards (default 1); auto: 10 / |sum of the first episode|"},
        {"squash", CLI_TEXT, &wish.squash, "none|otr|A,B", "rewards become A exp(B r); otr is 5,5"},
        {"out", CLI_TEXT, &wish.out, "FILE", "where to write (default rewards.npz)"},
        {"page", CLI_TEXT, &wish.page, "FILE.html",
         "write a page to look at: rewards, cost, mask and plan of the first episodes"},
        {"svg", CLI_TEXT, &wish.svg, "FILE.svg", "write the same as one picture"},
        {"plan", CLI_FLAG, &wish.plan, NULL, "write the transport plan too"},
        {"cost-matrix", CLI_FLAG, &wish.cost_matrix, NULL, "write the context cost too"},
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
        code = label(&wish);
    }
    cli_texts_free(&rest);
    cli_texts_free(&wish.demo_words);
    cli_texts_free(&wish.episode_words);
    return code;
}

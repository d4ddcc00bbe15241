#include "cli/probe_own.h"

#include "cli/terminal.h"

// The recordings and their embeddings: the demonstrations, then the episodes.
typedef struct own_probing {
    tot_reward_config reward;
    tot_source_list sources;
    size_t demos;           // how many of the sources are demonstrations
    tot_array *arrays;      // [sources]
    tot_embeddings *views;  // [sources]
    const char **names;     // [sources]
    tot_pool *pool;
    tot_embedder *embedder;
    tot_own_probe *probe;
    cli_progress progress;
} own_probing;

static tot_status embed(own_probing *work) {
    const size_t count = work->sources.count;
    work->arrays = base_alloc_zero(count, sizeof *work->arrays, "sources");
    work->views = base_alloc_zero(count, sizeof *work->views, "sources");
    work->names = base_alloc_zero(count, sizeof *work->names, "sources");
    BASE_HAVE(work->arrays, work->views, work->names);
    for (size_t k = 0; k < count; k++) {
        const tot_label_source *source = &work->sources.items[k];
        BASE_FAIL_IF(cli_stopped(), TOT_E_INTERRUPTED, "stopped");
        BASE_TRY(tot_embed_source(work->embedder, source, &work->arrays[k]));
        BASE_TRY(tot_embeddings_of(&work->views[k], &work->arrays[k], source->path));
        work->names[k] = source->path;
        cli_progress_show(&work->progress, (int64_t)k + 1);
    }
    return TOT_OK;
}

// --- results -----------------------------------------------------------------------------------

static void print_json(const own_probing *work) {
    cli_json_put("{\"method\": ", tot_method_name(work->reward.method));
    printf(", \"demonstrations\": %zu", work->demos);
    cli_json_number(", \"rank_correlation\": ", tot_own_probe_correlation(work->probe));
    cli_json_number(", \"last_tenth\": ", tot_own_probe_last(work->probe));
    printf(", \"rows\": [");
    for (size_t k = 0; k < tot_own_probe_row_count(work->probe); k++) {
        const tot_probe_row *row = tot_own_probe_row_at(work->probe, k);
        cli_json_put(k > 0 ? ", {\"name\": " : "{\"name\": ", row->name);
        cli_json_number(", \"reward\": ", row->mean);
        cli_json_number(", \"below_whole\": ", row->below);
        printf("}");
    }
    printf("]}\n");
}

static void print_table(const own_probing *work) {
    enum { NUMBERS = 24, LEAST = 20, MOST = 48 };
    const int capacity = cli_width(stdout) - 1 - NUMBERS;
    const int columns = capacity < LEAST ? LEAST : capacity > MOST ? MOST : capacity;
    printf("%s, %zu demonstration%s%s\n", tot_method_name(work->reward.method), work->demos,
           cli_plural(work->demos),
           work->demos == 1 ? ", compared with itself; give two or more for a fair test" : "");
    cli_put(stdout, "episode", columns);
    printf(" %10s %12s\n", "reward", "below whole");
    for (size_t k = 0; k < tot_own_probe_row_count(work->probe); k++) {
        const tot_probe_row *row = tot_own_probe_row_at(work->probe, k);
        char name[512];
        cli_fit(name, sizeof name, row->name, columns, columns - 5);
        cli_put(stdout, name, columns);
        printf(" %10.4f %10.0f %%\n", row->mean, 100 * row->below);
    }
    const double correlation = tot_own_probe_correlation(work->probe);
    printf("rank correlation with progress %.3f (1: every step of progress earns reward)\n",
           correlation);
    if (isfinite(tot_own_probe_last(work->probe))) {
        printf("the last tenth earns %.0f %% of what the last three quarters earn\n",
               100 * tot_own_probe_last(work->probe));
    }
}

static tot_status run(own_probing *work, const tot_embedder_settings *settings,
                      const cli_common *common) {
    int64_t views = 1;
    BASE_TRY(tot_label_views(work->sources.items, work->sources.count, &views));
    int64_t *const set = &work->reward.views;
    BASE_FAIL_IF(views > 1 && *set != 1 && *set != views, TOT_E_ARGUMENT,
                 "--views: %lld, but the demonstrations have %lld", (long long)*set,
                 (long long)views);
    *set = views > 1 ? views : *set;
    BASE_TRY(tot_pool_create(&work->pool, (int)common->threads));
    BASE_TRY(tot_embedder_create(&work->embedder, settings, work->pool));
    cli_progress_start(&work->progress, "encoding", (int64_t)work->sources.count, common->quiet);
    const tot_status status = embed(work);
    cli_progress_end(&work->progress);
    BASE_TRY(status);
    BASE_TRY(tot_own_probe_run(&work->probe, work->views, work->demos, work->views + work->demos,
                               work->names + work->demos, work->sources.count - work->demos,
                               &work->reward));
    if (common->json) {
        print_json(work);
    } else if (!common->quiet) {
        print_table(work);
    }
    return TOT_OK;
}

int cli_probe_own(const cli_texts *demos, const cli_texts *episodes, cli_encoding *encoding,
                  const tot_reward_config *reward, const cli_common *common) {
    own_probing work = {.reward = *reward};
    int code = cli_sources_find(&work.sources, demos, encoding, NULL);
    work.demos = work.sources.count;
    CLI_THEN(code, cli_sources_find(&work.sources, episodes, encoding, NULL));
    CLI_THEN(code, cli_sources_crop(&work.sources, work.demos, encoding, common->quiet));
    CLI_THEN(code, cli_encoding_result(encoding, run(&work, &encoding->settings, common)));
    tot_own_probe_free(work.probe);
    for (size_t k = 0; work.arrays != NULL && k < work.sources.count; k++) {
        tot_array_free(&work.arrays[k]);
    }
    BASE_RELEASE(work.arrays, work.views, (void *)work.names);
    tot_source_list_free(&work.sources);
    tot_embedder_free(work.embedder);
    tot_pool_free(work.pool);
    return code;
}

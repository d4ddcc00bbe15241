#include "cli/probe_own.h"

#include "cli/excerpting.h"
#include "cli/terminal.h"

// Sources and their embeddings.
typedef struct own_set {
    tot_source_list sources;
    tot_array *arrays;      // [count]
    tot_embeddings *views;  // [count]
    const char **names;     // [count]
} own_set;

typedef struct own_probing {
    const cli_own_wish *args;
    tot_pool *pool;
    tot_embedder *embedder;
    own_set demos;
    own_set episodes;
    tot_own_probe *probe;
    cli_progress progress;
    int64_t done;
} own_probing;

static void set_free(own_set *set) {
    for (size_t k = 0; set->arrays != NULL && k < set->sources.count; k++) {
        tot_array_free(&set->arrays[k]);
    }
    BASE_RELEASE(set->arrays, set->views);
    base_free((void *)set->names);
    tot_source_list_free(&set->sources);
}

static tot_status find(const own_probing *work, own_set *set, const cli_texts *words) {
    BASE_TRY(cli_sources_find(&set->sources, words, work->args->excerpt, NULL));
    const size_t count = set->sources.count + 1;
    set->arrays = base_alloc_zero(count, sizeof *set->arrays, "sources");
    set->views = base_alloc_zero(count, sizeof *set->views, "sources");
    set->names = base_alloc_zero(count, sizeof *set->names, "sources");
    return set->arrays != NULL && set->views != NULL && set->names != NULL ? TOT_OK : TOT_E_MEMORY;
}

static tot_status embed(own_probing *work, own_set *set) {
    for (size_t k = 0; k < set->sources.count; k++) {
        const tot_label_source *source = &set->sources.items[k];
        BASE_FAIL_IF(cli_stopped(), TOT_E_INTERRUPTED, "stopped");
        BASE_TRY(tot_embed_source(work->embedder, source, &set->arrays[k]));
        BASE_TRY(tot_embeddings_of(&set->views[k], &set->arrays[k], source->path));
        set->names[k] = source->path;
        cli_progress_show(&work->progress, ++work->done);
    }
    return TOT_OK;
}

// --- results -----------------------------------------------------------------------------------

static void print_json(const own_probing *work) {
    cli_json_put("{\"method\": ", tot_method_name(work->args->reward->method));
    printf(", \"demonstrations\": %zu", work->demos.sources.count);
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
    const size_t demos = work->demos.sources.count;
    const int capacity = cli_width(stdout) - 1 - NUMBERS;
    const int columns = capacity < LEAST ? LEAST : capacity > MOST ? MOST : capacity;
    printf("%s, %zu demonstration%s%s\n", tot_method_name(work->args->reward->method), demos,
           cli_plural(demos),
           demos == 1 ? ", compared with itself; give two or more for a fair test" : "");
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

static tot_status run(own_probing *work) {
    const cli_own_wish *args = work->args;
    BASE_TRY(find(work, &work->demos, args->demos));
    BASE_TRY(find(work, &work->episodes, args->episodes));
    BASE_TRY(tot_pool_create(&work->pool, (int)args->common->threads));
    BASE_TRY(tot_embedder_create(&work->embedder, args->embedder, work->pool));
    cli_progress_start(&work->progress, "encoding",
                       (int64_t)(work->demos.sources.count + work->episodes.sources.count),
                       args->common->quiet);
    tot_status status = embed(work, &work->demos);
    BASE_THEN(status, embed(work, &work->episodes));
    cli_progress_end(&work->progress);
    BASE_TRY(status);
    BASE_TRY(tot_own_probe_run(&work->probe, work->demos.views, work->demos.sources.count,
                               work->episodes.views, work->episodes.names,
                               work->episodes.sources.count, args->reward));
    if (args->common->json) {
        print_json(work);
    } else if (!args->common->quiet) {
        print_table(work);
    }
    return TOT_OK;
}

tot_status cli_probe_own(const cli_own_wish *args) {
    own_probing work = {.args = args};
    const tot_status status = run(&work);
    tot_own_probe_free(work.probe);
    set_free(&work.demos);
    set_free(&work.episodes);
    tot_embedder_free(work.embedder);
    tot_pool_free(work.pool);
    return status;
}

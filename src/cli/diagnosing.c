#include "cli/diagnosing.h"

#include <math.h>

enum { TEXT = 2048, LINE = 512 };

// --- for a reader ------------------------------------------------------------------------------

static void print_rows(const tot_diagnosis *diagnosis) {
    printf("%-30s %10s %10s %9s\n", "", "return", "best", "success");
    for (size_t k = 0; k < tot_diagnosis_row_count(diagnosis); k++) {
        const tot_diagnosis_row *row = tot_diagnosis_row_at(diagnosis, k);
        printf("%-30s %10.3f %10.3f %7.0f %%\n", row->help, row->sum, row->best,
               100 * row->success);
    }
    printf("(best: of the episodes of one goal, which follow one demonstration each)\n");
}

static void print_episodes(const tot_diagnosis *diagnosis) {
    char text[LINE];
    printf("\n%4s %9s %9s %5s  %s\n", "goal", "return", "bent", "demo", "what happens");
    for (size_t k = 0; k < tot_diagnosis_episode_count(diagnosis); k++) {
        const tot_diagnosis_episode *one = tot_diagnosis_episode_at(diagnosis, k);
        printf("%4zu %9.3f %9.3f %5lld  %s\n", k, one->sum, one->bent, (long long)one->demo,
               tot_diagnosis_describe(diagnosis, k, text, sizeof text));
    }
}

static void print(const char *folder, const tot_diagnosis *diagnosis) {
    const tot_train_config *config = tot_diagnosis_config(diagnosis);
    const double evaluated = tot_diagnosis_evaluated(diagnosis);
    char text[TEXT];
    printf("%s: %s, %s, after %lld steps, on %zu goals of the last evaluation", folder,
           config->task, config->method, (long long)tot_diagnosis_step(diagnosis),
           tot_diagnosis_episode_count(diagnosis));
    if (isfinite(evaluated)) {
        printf(" (success in %.0f %% of %lld)", 100 * evaluated, (long long)config->eval_episodes);
    }
    printf("\n\n");
    print_rows(diagnosis);
    print_episodes(diagnosis);
    printf("\n%s\n", tot_diagnosis_verdict(diagnosis, text, sizeof text));
}

// --- for a program -----------------------------------------------------------------------------

static void print_number(const char *name, double value) {
    printf(isfinite(value) ? ", \"%s\": %.6g" : ", \"%s\": null", name, value);
}

static void print_rows_json(const tot_diagnosis *diagnosis) {
    printf(", \"episodes_of\": [");
    for (size_t k = 0; k < tot_diagnosis_row_count(diagnosis); k++) {
        const tot_diagnosis_row *row = tot_diagnosis_row_at(diagnosis, k);
        printf("%s{\"name\": \"%s\", \"episodes\": %lld", k > 0 ? ", " : "", row->name,
               (long long)row->episodes);
        print_number("success_rate", row->success);
        print_number("return", row->sum);
        print_number("best_return", row->best);
        printf("}");
    }
    printf("]");
}

static void print_episode_json(const tot_diagnosis *diagnosis, size_t index) {
    const tot_diagnosis_episode *one = tot_diagnosis_episode_at(diagnosis, index);
    char text[LINE];
    printf("%s{\"goal\": %lld, \"success\": %s, \"failure\": \"%s\", \"demo\": %lld",
           index > 0 ? ", " : "", (long long)one->goal, one->success ? "true" : "false",
           tot_failure_name(one->failure), (long long)one->demo);
    printf(", \"elsewhere\": %lld, \"contact_step\": %lld, \"nearest_step\": %lld",
           (long long)one->elsewhere, (long long)one->contact, (long long)one->nearest);
    print_number("return", one->sum);
    print_number("bent_return", one->bent);
    print_number("distance", one->distance);
    print_number("distance_at_contact", one->at_contact);
    print_number("right", one->offset[0]);
    print_number("up", one->offset[1]);
    print_number("near", one->offset[2]);
    print_number("opening", one->opening);
    print_number("demo_opening", one->demo_opening);
    print_number("moved", one->moved);
    print_number("wanted", one->wanted);
    print_number("carried", one->carried);
    print_number("follows", one->follows);
    printf(", \"what\": ");
    cli_json_text(stdout, tot_diagnosis_describe(diagnosis, index, text, sizeof text));
    printf("}");
}

static void print_json(const char *folder, const tot_diagnosis *diagnosis) {
    const tot_train_config *config = tot_diagnosis_config(diagnosis);
    char text[TEXT];
    printf("{\"run\": ");
    cli_json_text(stdout, folder);
    printf(", \"task\": ");
    cli_json_text(stdout, config->task);
    printf(", \"method\": ");
    cli_json_text(stdout, config->method);
    printf(", \"step\": %lld", (long long)tot_diagnosis_step(diagnosis));
    print_number("success_rate", tot_diagnosis_evaluated(diagnosis));
    print_number("follows", tot_diagnosis_follows(diagnosis));
    print_rows_json(diagnosis);
    printf(", \"episodes\": [");
    for (size_t k = 0; k < tot_diagnosis_episode_count(diagnosis); k++) {
        print_episode_json(diagnosis, k);
    }
    printf("], \"verdict\": ");
    cli_json_text(stdout, tot_diagnosis_verdict(diagnosis, text, sizeof text));
    printf("}\n");
}

// --- runs --------------------------------------------------------------------------------------

static bool show(void *context, int64_t done, int64_t total) {
    cli_progress *progress = context;
    progress->total = total;
    cli_progress_show(progress, done);
    return !cli_stopped();
}

static tot_status diagnose(const cli_diagnosing *request, const char *folder, tot_pool *pool) {
    tot_diagnosis *diagnosis = NULL;
    tot_diagnosis_settings settings;
    cli_progress progress;
    tot_diagnosis_defaults(&settings);
    settings.goals = request->goals;
    settings.pool = pool;
    settings.progress = show;
    settings.progress_context = &progress;
    cli_progress_start(&progress, "diagnosis", 1, request->common->quiet);
    const tot_status status = tot_diagnosis_run(&diagnosis, folder, &settings);
    cli_progress_end(&progress);
    if (status == TOT_OK && request->common->json) {
        print_json(folder, diagnosis);
    } else if (status == TOT_OK && !request->common->quiet) {
        print(folder, diagnosis);
    }
    tot_diagnosis_free(diagnosis);
    return status;
}

int cli_diagnose(const cli_diagnosing *request) {
    tot_runs *runs = NULL;
    tot_pool *pool = NULL;
    cli_catch_signals();
    tot_status status = tot_runs_find(&runs, request->folders, request->count);
    status = status != TOT_OK ? status : tot_pool_create(&pool, (int)request->common->threads);
    for (size_t k = 0; status == TOT_OK && k < tot_runs_count(runs); k++) {
        printf("%s", k > 0 && !request->common->json && !request->common->quiet ? "\n" : "");
        status = diagnose(request, tot_runs_at(runs, k)->folder, pool);
    }
    tot_pool_free(pool);
    tot_runs_free(runs);
    return status == TOT_OK ? EXIT_DONE : cli_fail();
}

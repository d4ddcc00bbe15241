#include "cli/diagnosing.h"

#include "cli/output.h"
#include "cli/terminal.h"

enum { TEXT = 4096, LINE = 512, SHORT_TEXT = 32 };

// --- text --------------------------------------------------------------------------------------

// "-3.14", or "-" if there is no return.
static const char *number_text(double value, char text[SHORT_TEXT]) {
    snprintf(text, SHORT_TEXT, isfinite(value) ? "%.3f" : "-", value);
    return text;
}

static void print_rows(const tot_diagnosis *diagnosis) {
    char sum[SHORT_TEXT], best[SHORT_TEXT];
    printf("\n%-30s %10s %10s %9s\n", "", "return", "best", "success");
    for (size_t k = 0; k < tot_diagnosis_row_count(diagnosis); k++) {
        const tot_diagnosis_row *row = tot_diagnosis_row_at(diagnosis, k);
        printf("%-30s %10s %10s %7.0f %%\n", row->help, number_text(row->sum, sum),
               number_text(row->best, best), 100 * row->success);
    }
    printf("(best: counts only the best episode on each goal, of one per demonstration)\n");
}

static void print_episodes(const tot_diagnosis *diagnosis, int width) {
    char text[LINE], sum[SHORT_TEXT], bent[SHORT_TEXT];
    printf("\n%4s %9s %9s %5s  %s\n", "goal", "return", "bent", "demo", "what happens");
    for (size_t k = 0; k < tot_diagnosis_episode_count(diagnosis); k++) {
        const tot_diagnosis_episode *one = tot_diagnosis_episode_at(diagnosis, k);
        const int column = printf("%4zu %9s %9s %5lld  ", k, number_text(one->sum, sum),
                                  number_text(one->bent, bent), (long long)one->demo);
        tot_diagnosis_describe(diagnosis, k, text, sizeof text);
        cli_wrap(stdout, text, column, column, width);
    }
}

static void print(const char *folder, const tot_diagnosis *diagnosis) {
    const tot_train_config *config = tot_diagnosis_config(diagnosis);
    const double evaluated = tot_diagnosis_evaluated(diagnosis);
    const int width = cli_width(stdout) - 1;
    char text[TEXT], success[LINE] = "";
    if (isfinite(evaluated)) {
        snprintf(success, sizeof success, " (success in %.0f %% of %lld)", 100 * evaluated,
                 (long long)config->eval_episodes);
    }
    snprintf(text, sizeof text,
             "%s: %s, %s, after %lld steps, on %zu goals of the last evaluation%s", folder,
             config->task, config->method, (long long)tot_diagnosis_step(diagnosis),
             tot_diagnosis_episode_count(diagnosis), success);
    cli_wrap(stdout, text, 0, 0, width);
    print_rows(diagnosis);
    print_episodes(diagnosis, width);
    printf("\n");
    cli_wrap(stdout, tot_diagnosis_verdict(diagnosis, text, sizeof text), 0, 0, width);
}

// --- JSON --------------------------------------------------------------------------------------

static void print_rows_json(const tot_diagnosis *diagnosis) {
    printf(", \"episodes_of\": [");
    for (size_t k = 0; k < tot_diagnosis_row_count(diagnosis); k++) {
        const tot_diagnosis_row *row = tot_diagnosis_row_at(diagnosis, k);
        printf("%s{\"name\": \"%s\", \"episodes\": %lld", k > 0 ? ", " : "", row->name,
               (long long)row->episodes);
        cli_json_number(", \"success_rate\": ", row->success);
        cli_json_number(", \"return\": ", row->sum);
        cli_json_number(", \"best_return\": ", row->best);
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
    cli_json_number(", \"return\": ", one->sum);
    cli_json_number(", \"bent_return\": ", one->bent);
    cli_json_number(", \"distance\": ", one->distance);
    cli_json_number(", \"distance_at_contact\": ", one->at_contact);
    cli_json_number(", \"right\": ", one->offset[0]);
    cli_json_number(", \"up\": ", one->offset[1]);
    cli_json_number(", \"near\": ", one->offset[2]);
    cli_json_number(", \"opening\": ", one->opening);
    cli_json_number(", \"demo_opening\": ", one->demo_opening);
    cli_json_number(", \"moved\": ", one->moved);
    cli_json_number(", \"wanted\": ", one->wanted);
    cli_json_number(", \"carried\": ", one->carried);
    cli_json_number(", \"follows\": ", one->follows);
    cli_json_put(", \"what\": ", tot_diagnosis_describe(diagnosis, index, text, sizeof text));
    printf("}");
}

static void print_json(const char *folder, const char *out, const tot_diagnosis *diagnosis) {
    const tot_train_config *config = tot_diagnosis_config(diagnosis);
    char text[TEXT];
    cli_json_run(folder, config);
    printf(", \"step\": %lld", (long long)tot_diagnosis_step(diagnosis));
    cli_json_number(", \"success_rate\": ", tot_diagnosis_evaluated(diagnosis));
    cli_json_number(", \"follows\": ", tot_diagnosis_follows(diagnosis));
    print_rows_json(diagnosis);
    printf(", \"episodes\": [");
    for (size_t k = 0; k < tot_diagnosis_episode_count(diagnosis); k++) {
        print_episode_json(diagnosis, k);
    }
    cli_json_put("], \"verdict\": ", tot_diagnosis_verdict(diagnosis, text, sizeof text));
    cli_outputs_json(&(cli_output){"out", out, false}, 1);
    printf("}\n");
}

// --- runs --------------------------------------------------------------------------------------

static tot_status diagnose(const char *folder, const tot_diagnosis_settings *settings,
                           const char *out, const cli_common *common) {
    tot_diagnosis *diagnosis = NULL;
    cli_progress_start(settings->progress_context, "diagnosis", 1, common->quiet);
    tot_status status = tot_diagnosis_run(&diagnosis, folder, settings);
    cli_progress_end(settings->progress_context);
    if (status == TOT_OK && out != NULL) {
        status = tot_diagnosis_write(diagnosis, out);
    }
    if (status == TOT_OK && common->json) {
        print_json(folder, out, diagnosis);
    } else if (status == TOT_OK && !common->quiet) {
        print(folder, diagnosis);
        printf("%s%s", out != NULL ? out : "", out != NULL ? "\n" : "");
    }
    tot_diagnosis_free(diagnosis);
    return status;
}

int cli_diagnose(const tot_runs *runs, int64_t goals, const char *out, const cli_common *common) {
    tot_diagnosis_settings settings;
    cli_progress progress;
    tot_diagnosis_defaults(&settings);
    settings.goals = goals;
    settings.progress = cli_progress_watch;
    settings.progress_context = &progress;
    tot_status status = tot_pool_create(&settings.pool, (int)common->threads);
    for (size_t k = 0; status == TOT_OK && k < tot_runs_count(runs); k++) {
        printf("%s", k > 0 && !common->json && !common->quiet ? "\n" : "");
        status = diagnose(tot_runs_at(runs, k)->folder, &settings, out, common);
    }
    tot_pool_free(settings.pool);
    return cli_result(status);
}

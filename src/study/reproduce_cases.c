// Failed episodes of trained policies, beside the demonstration they were compared with.
#include <unistd.h>

#include "base/base.h"
#include "study/reproduce.h"
#include "study/reproduce_stage.h"

enum { MOST_CASES = 12, MOST_TRIES = 20, CASE_SEED = 2 };

typedef struct cases {
    const study_reproduce_settings *settings;
    tot_pool *pool;
    tot_page *page;
    int shown;
    int finished;  // runs
} cases;

static bool is_wanted(const study_reproduce_settings *settings, const tot_train_config *config) {
    return (settings->tasks == NULL || study_is_listed(settings->tasks, config->task)) &&
           (settings->methods == NULL || study_is_listed(settings->methods, config->method));
}

// Whether two runs differ only in the last part of their path, the seed.
static bool same_cell(const char *a, const char *b) {
    const char *end = strrchr(a, '/');
    return end != NULL && strncmp(a, b, (size_t)(end - a) + 1) == 0;
}

// Plays episodes until the policy fails in one: *episode; MOST_TRIES: it fails in none.
static tot_status find_failure(study_stage *stage, tot_player *player, study_playback *take,
                               uint64_t *episode) {
    const tot_policy policy = tot_player_policy(player);
    for (*episode = 0; *episode < MOST_TRIES; ++*episode) {
        BASE_TRY(study_stage_play(stage, take, CASE_SEED, *episode, &policy));
        if (!take->solved) {
            break;
        }
    }
    return TOT_OK;
}

static tot_status add_case(cases *all, const tot_run_record *run, const study_stage *stage,
                           const study_playback *take, uint64_t episode) {
    char text[512];
    study_score score = {0};
    const tot_train_config *config = stage->config;
    tot_status status = study_stage_score(stage, &score, &config->reward, take->embeddings, 1);
    const double scale = tot_scale_auto(score.sum);
    BASE_THEN(status, study_stage_score(stage, &score, &config->reward, take->embeddings, scale));
    snprintf(text, sizeof text, "%s, %s", run->config->task, run->config->method);
    BASE_THEN(status, tot_page_add_heading(all->page, 1, text));
    snprintf(text, sizeof text,
             "%s: %.0f %% success at its last evaluation. Episode %llu of seed %d fails: it %s. "
             "Compared by %s with demonstration %lld (of %zu, from 0).",
             run->folder, 100 * run->success_rate, (unsigned long long)episode, CASE_SEED,
             take->success >= 0 ? "was solved at some step, but not at the end" : "is never solved",
             tot_method_name(config->reward.method), (long long)score.demo,
             stage->demonstrations.recording.count);
    BASE_THEN(status, tot_page_add_paragraph(all->page, text));
    if (status == TOT_OK) {
        const page_alignment alignment =
            study_stage_alignment(stage, "Demonstration and episode", take, &score);
        status = page_add_alignment(all->page, &alignment);
    }
    study_score_free(&score);
    all->shown++;
    return status;
}

static tot_status show_run(cases *all, const tot_run_record *run) {
    study_stage stage = {0};
    study_playback take = {0};
    tot_player *player = NULL;
    uint64_t episode = 0;
    tot_status status = tot_player_load(&player, run->folder, all->pool);
    BASE_THEN(status, study_stage_open(&stage, run->config, all->pool));
    BASE_THEN(status, find_failure(&stage, player, &take, &episode));
    if (status == TOT_OK && episode < MOST_TRIES) {
        status = add_case(all, run, &stage, &take, episode);
    }
    study_playback_free(&take);
    study_stage_close(&stage);
    tot_player_free(player);
    return status;
}

static tot_status show_runs(cases *all, const tot_runs *runs) {
    const char *last = NULL;
    for (size_t k = 0; k < tot_runs_count(runs) && all->shown < MOST_CASES; k++) {
        const tot_run_record *run = tot_runs_at(runs, k);
        if (run->state != TOT_RUN_FINISHED || !is_wanted(all->settings, run->config)) {
            continue;
        }
        all->finished++;
        if (run->success_rate < 1 && (last == NULL || !same_cell(last, run->folder))) {
            last = run->folder;
            BASE_TRY(show_run(all, run));
        }
    }
    BASE_FAIL_IF(all->finished == 0, TOT_E_ARGUMENT,
                 "bad-cases: %s: has no such finished run; temporalot reproduce table1 trains some",
                 all->settings->folder);
    return all->shown > 0
               ? TOT_OK
               : tot_page_add_paragraph(all->page, "None of the policies failed in 20 episodes.");
}

// Finds all runs in the folder. If there are none, the error says how to train some.
static tot_status find_runs(tot_runs **runs, const char *folder) {
    const tot_status status = tot_runs_find(runs, &folder, 1);
    return status != TOT_E_ARGUMENT && (status != TOT_E_FILE || access(folder, F_OK) == 0)
               ? status
               : base_fail(status,
                           "bad-cases: %s: has no runs; temporalot reproduce table1 trains some",
                           folder);
}

tot_status study_reproduce_cases(const study_reproduce_settings *settings, tot_page *page,
                                 tot_pool *pool) {
    cases all = {.settings = settings, .pool = pool, .page = page};
    tot_runs *runs = NULL;
    BASE_TRY(find_runs(&runs, settings->folder));
    BASE_FINALLY(show_runs(&all, runs), tot_runs_free(runs));
}

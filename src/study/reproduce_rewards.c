// Why order matters to a reward: the paper's motivating figures, on episodes generated for them.
#include "base/base.h"
#include "demo/trajectory.h"
#include "study/reproduce.h"
#include "study/reproduce_stage.h"

enum { MOST_TRIES = 60, EPISODES_SEED = 1, TASK_NAME = 128 };

static const char *const methods[] = {"ot", "temporalot"};
enum { METHODS = BASE_LENGTH(methods) };

// The episodes that are rewarded.
enum { GOOD, BAD, REVERSED, SHUFFLED, EPISODES };
static const char *const episodes[] = {"the expert's", "spoilt on the way", "played backwards",
                                       "frames shuffled"};

typedef struct figure {
    study_stage stage;
    study_playback good, bad;
    int64_t turn;  // the step from which the spoilt episode differs
    study_score scores[METHODS][EPISODES];
    tot_page *page;
    page_buffer *csv;
} figure;

// --- episodes ----------------------------------------------------------------------------------

// The expert, which holds after success if the task says so, and random actions from step `turn`
// on.
typedef struct actor {
    int64_t turn;  // -1: never
    tot_policy expert, random;
} actor;

static tot_status act(void *context, const tot_world *world, int64_t step, float *action) {
    const actor *one = context;
    const tot_policy *now = one->turn >= 0 && step >= one->turn ? &one->random : &one->expert;
    return now->act(now->context, world, step, action);
}

static tot_status play(figure *all, study_playback *take, uint64_t episode, int64_t turn) {
    tot_expert expert = {.hold = tot_task_information(all->stage.task)->hold};
    tot_random random;
    actor one = {turn, tot_policy_holding(&expert), tot_policy_random(&random)};
    tot_random_init(&random, episode, "spoilt");
    const tot_policy policy = {.act = act, .context = &one};
    return study_stage_play(&all->stage, take,
                            (uint64_t)all->stage.config->demo_seed + EPISODES_SEED, episode,
                            &policy);
}

// Plays an episode that succeeds, and the same one with random actions from halfway to its success.
static tot_status play_both(figure *all) {
    for (uint64_t episode = 0; episode < MOST_TRIES; episode++) {
        BASE_TRY(play(all, &all->good, episode, -1));
        if (!all->good.solved || all->good.success < 8) {
            continue;
        }
        all->turn = all->good.success / 2;
        BASE_TRY(play(all, &all->bad, episode, all->turn));
        if (!all->bad.solved) {
            return TOT_OK;
        }
    }
    return base_fail(TOT_E_ATTEMPTS, "%s: the expert succeeds in none of %d episodes",
                     all->stage.config->task, MOST_TRIES);
}

// Reverses the frames, or shuffles them.
static void reorder(const figure *all, float *out, bool shuffle) {
    const int64_t steps = all->stage.steps;
    const size_t width = (size_t)all->stage.embedder.width;
    tot_random random;
    tot_random_init(&random, 0, "shuffle");
    for (int64_t k = 0; k < steps; k++) {
        memcpy(out + (size_t)k * width, all->good.embeddings + (size_t)(steps - 1 - k) * width,
               width * sizeof *out);
    }
    for (int64_t k = steps - 1; shuffle && k > 0; k--) {
        const int64_t other = (int64_t)tot_random_below(&random, (uint64_t)(k + 1));
        float *a = out + (size_t)k * width;
        float *b = out + (size_t)other * width;
        for (size_t i = 0; a != b && i < width; i++) {
            const float kept = a[i];
            a[i] = b[i];
            b[i] = kept;
        }
    }
}

// --- rewards -----------------------------------------------------------------------------------

static tot_status score_method(figure *all, size_t place, float *other) {
    tot_reward_config reward;
    BASE_TRY(tot_reward_config_for(&reward, methods[place]));
    reward.cost = all->stage.config->reward.cost;
    study_score *scores = all->scores[place];
    // scaled so that the good episode sums to -10, as the paper scales the first episode
    BASE_TRY(study_stage_score(&all->stage, &scores[GOOD], &reward, all->good.embeddings, 1));
    const double scale = tot_scale_auto(scores[GOOD].sum);
    BASE_TRY(study_stage_score(&all->stage, &scores[GOOD], &reward, all->good.embeddings, scale));
    BASE_TRY(study_stage_score(&all->stage, &scores[BAD], &reward, all->bad.embeddings, scale));
    reorder(all, other, false);
    BASE_TRY(study_stage_score(&all->stage, &scores[REVERSED], &reward, other, scale));
    reorder(all, other, true);
    return study_stage_score(&all->stage, &scores[SHUFFLED], &reward, other, scale);
}

static tot_status score_all(figure *all) {
    float *other = base_alloc((size_t)(all->stage.steps * all->stage.embedder.width), sizeof *other,
                              "embeddings");
    tot_status status = other != NULL ? TOT_OK : TOT_E_MEMORY;
    for (size_t k = 0; status == TOT_OK && k < METHODS; k++) {
        status = score_method(all, k, other);
    }
    base_free(other);
    return status;
}

// --- the page ----------------------------------------------------------------------------------

// Plots good and bad, one figure per method.
static tot_status add_curves(figure *all) {
    const size_t steps = (size_t)all->stage.steps;
    for (size_t k = 0; k < METHODS; k++) {
        char title[64];
        const tot_series series[2] = {
            {.name = episodes[GOOD], .count = steps, .y = all->scores[k][GOOD].rewards},
            {.name = episodes[BAD], .count = steps, .y = all->scores[k][BAD].rewards},
        };
        snprintf(title, sizeof title, "Reward of %s", methods[k]);
        const tot_curves curves = {.title = title,
                                   .x_name = "step",
                                   .y_name = "reward",
                                   .series = series,
                                   .series_count = 2};
        BASE_TRY(tot_page_add_curves(all->page, &curves));
    }
    return TOT_OK;
}

static tot_status add_sums(figure *all) {
    const tot_column columns[] = {{"episode", false}, {methods[0], true}, {methods[1], true}};
    char texts[EPISODES][METHODS][32];
    const char *cells[EPISODES * (METHODS + 1)];
    for (size_t row = 0; row < EPISODES; row++) {
        cells[row * (METHODS + 1)] = episodes[row];
        for (size_t k = 0; k < METHODS; k++) {
            snprintf(texts[row][k], sizeof texts[row][k], "%.3f", all->scores[k][row].sum);
            cells[row * (METHODS + 1) + 1 + k] = texts[row][k];
        }
    }
    const tot_table table = {.title = "Sum of the rewards of an episode",
                             .columns = columns,
                             .column_count = METHODS + 1,
                             .cells = cells,
                             .row_count = EPISODES};
    return tot_page_add_table(all->page, &table);
}

// Mean change of the rewards of the steps that both episodes share, in percent of their mean.
static double shared_change(const figure *all, size_t method) {
    double change = 0;
    double usual = 0;
    for (int64_t k = 0; k < all->turn; k++) {
        const double good = all->scores[method][GOOD].rewards[k];
        change += fabs(good - all->scores[method][BAD].rewards[k]);
        usual += fabs(good);
    }
    return usual > 0 ? 100 * change / usual : 0;
}

static tot_status add_later(figure *all) {
    const size_t count = (size_t)all->turn;
    double *values = base_alloc(METHODS * count, sizeof *values, "page");
    tot_series series[METHODS];
    char text[512];
    BASE_HAVE(values);
    for (size_t k = 0; k < METHODS; k++) {
        for (size_t i = 0; i < count; i++) {
            values[k * count + i] =
                all->scores[k][BAD].rewards[i] - all->scores[k][GOOD].rewards[i];
        }
        series[k] = (tot_series){.name = methods[k], .count = count, .y = values + k * count};
    }
    const tot_curves curves = {.title = "Change of the reward of shared steps",
                               .x_name = "step",
                               .y_name = "spoilt minus good",
                               .series = series,
                               .series_count = METHODS};
    tot_status status = tot_page_add_curves(all->page, &curves);
    base_free(values);
    snprintf(text, sizeof text,
             "Up to step %lld the two episodes are identical, yet their rewards differ: every step "
             "is rewarded by a plan for the whole episode. The mean change is %.1f %% with ot and "
             "%.1f %% with temporalot, whose mask limits the influence of later steps.",
             (long long)all->turn, shared_change(all, 0), shared_change(all, 1));
    return status != TOT_OK ? status : tot_page_add_paragraph(all->page, text);
}

static tot_status add_task(figure *all) {
    tot_page *page = all->page;
    BASE_TRY(tot_page_add_heading(page, 1, all->stage.config->task));
    const page_alignment good = study_stage_alignment(
        &all->stage, "The expert's episode, by temporalot", &all->good, &all->scores[1][GOOD]);
    BASE_TRY(page_alignment_add_strip(page, &good));
    const page_alignment bad = study_stage_alignment(
        &all->stage, "Spoilt on the way, by temporalot", &all->bad, &all->scores[1][BAD]);
    BASE_TRY(page_alignment_add_strip(page, &bad));
    BASE_TRY(tot_page_add_heading(page, 2, "A good and a bad episode"));
    BASE_TRY(tot_page_add_paragraph(
        page,
        "Both begin alike; then one acts at random. A useful reward falls from there on. The "
        "rewards of each method are scaled so that those of the good episode sum to -10."));
    BASE_TRY(add_curves(all));
    BASE_TRY(tot_page_add_heading(page, 2, "The same frames in another order"));
    BASE_TRY(tot_page_add_paragraph(
        page,
        "Plain optimal transport ignores order: the same frames have the same sum in any order. "
        "With the mask and the context, order matters."));
    BASE_TRY(add_sums(all));
    BASE_TRY(tot_page_add_heading(page, 2, "Later steps change earlier rewards"));
    BASE_TRY(add_later(all));
    for (size_t k = 0; k < METHODS; k++) {
        char text[64];
        snprintf(text, sizeof text, "Cost and plan of %s", methods[k]);
        BASE_TRY(tot_page_add_heading(page, 2, text));
        const page_alignment alignment =
            study_stage_alignment(&all->stage, NULL, &all->good, &all->scores[k][GOOD]);
        BASE_TRY(page_alignment_add_matrices(page, &alignment));
    }
    return TOT_OK;
}

static void add_rows(figure *all) {
    for (size_t k = 0; k < METHODS; k++) {
        for (size_t e = 0; e < EPISODES; e++) {
            for (int64_t i = 0; i < all->stage.steps; i++) {
                char line[256];
                snprintf(line, sizeof line, "%s,%s,%s,%lld,%.9g\n", all->stage.config->task,
                         methods[k], episodes[e], (long long)i, all->scores[k][e].rewards[i]);
                page_buffer_add(all->csv, line);
            }
        }
    }
}

static tot_status show_task(figure *all, const tot_train_config *base, const char *task,
                            tot_pool *pool) {
    tot_train_config config = *base;
    tot_status status = tot_train_set(&config, "task", task);
    BASE_THEN(status, tot_train_set(&config, "method", "temporalot"));
    BASE_THEN(status, study_stage_open(&all->stage, &config, pool));
    BASE_THEN(status, play_both(all));
    BASE_THEN(status, score_all(all));
    BASE_THEN(status, add_task(all));
    if (status == TOT_OK) {
        add_rows(all);
    }
    for (size_t k = 0; k < METHODS * EPISODES; k++) {
        study_score_free(&all->scores[k / EPISODES][k % EPISODES]);
    }
    study_playback_free(&all->good);
    study_playback_free(&all->bad);
    study_stage_close(&all->stage);
    return status;
}

tot_status study_reproduce_rewards(const study_entry *study,
                                   const study_reproduce_settings *settings, tot_page *page,
                                   page_buffer *csv, tot_pool *pool) {
    tot_train_config base;
    const char *list = settings->tasks != NULL ? settings->tasks : study->tasks;
    BASE_TRY(study_reproduce_base(&base, settings));
    page_buffer_add(csv, "task,method,episode,step,reward\n");
    while (*list != '\0') {
        figure all = {.page = page, .csv = csv};
        char task[TASK_NAME];
        const size_t length = strcspn(list, ",");
        snprintf(task, sizeof task, "%.*s", (int)length, list);
        list += length + (list[length] == ',' ? 1 : 0);
        BASE_TRY(show_task(&all, &base, task, pool));
    }
    return csv->status;
}

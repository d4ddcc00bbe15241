// report.html of a run: how it went, and what the last labelled episode looked like to the reward.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <temporalot/page.h>

#include "base/error.h"
#include "base/memory.h"
#include "train/folder.h"
#include "train/run.h"

// --- curves ------------------------------------------------------------------------------------

typedef struct points {
    double *x;
    double *y;
    size_t count;
} points;

// One column over the steps, without its empty cells.
static tot_status read_points(const tot_run *run, tot_metric metric, points *out) {
    const size_t rows = (size_t)tot_record_rows(run->record);
    const double *values = tot_record_values(run->record);
    out->count = 0;
    out->x = tot_alloc(2 * rows, sizeof *out->x, "curve");
    if (out->x == NULL) {
        return TOT_E_MEMORY;
    }
    out->y = out->x + rows;
    for (size_t k = 0; k < rows; k++) {
        const double *row = values + k * TOT_METRIC_COUNT;
        if (!isnan(row[metric])) {
            out->x[out->count] = row[TOT_METRIC_step];
            out->y[out->count++] = row[metric];
        }
    }
    return TOT_OK;
}

typedef struct drawn {
    const char *title;
    const char *y_name;
    struct {
        const char *name;
        tot_metric metric;
    } lines[2];
    double low, high;
} drawn;

static tot_status add_curves(const tot_run *run, tot_page *page, const drawn *wish) {
    points data[2] = {0};
    tot_series series[2] = {0};
    size_t count = 0;
    size_t total = 0;
    tot_status status = TOT_OK;
    for (; status == TOT_OK && count < 2 && wish->lines[count].name != NULL; count++) {
        status = read_points(run, wish->lines[count].metric, &data[count]);
        series[count] = (tot_series){.name = wish->lines[count].name,
                                     .count = data[count].count,
                                     .x = data[count].x,
                                     .y = data[count].y};
        total += data[count].count;
    }
    if (status == TOT_OK && total > 0) {
        const tot_curves curves = {.title = wish->title,
                                   .x_name = "agent step",
                                   .y_name = wish->y_name,
                                   .series = series,
                                   .series_count = count,
                                   .y_low = wish->low,
                                   .y_high = wish->high};
        status = tot_page_add_curves(page, &curves);
    }
    tot_free(data[0].x);
    tot_free(data[1].x);
    return status;
}

static tot_status add_learning(const tot_run *run, tot_page *page) {
    const drawn curves[] = {
        {"Success rate",
         "share of episodes",
         {{"evaluation", TOT_METRIC_success_rate}, {"training", TOT_METRIC_train_success_rate}},
         0,
         1},
        {"Return of a training episode", "sum of rewards", {{"return", TOT_METRIC_return}}, 0, 0},
        {"Losses",
         "loss",
         {{"critic", TOT_METRIC_critic_loss}, {"actor", TOT_METRIC_actor_loss}},
         0,
         0},
        {"Behaviour cloning",
         "negative log-likelihood",
         {{"actions", TOT_METRIC_clone_loss}},
         0,
         0},
        {"Discriminator", "loss", {{"discriminator", TOT_METRIC_discriminator_loss}}, 0, 0},
    };
    TOT_TRY(add_curves(run, page, &curves[0]));
    TOT_TRY(tot_page_begin_row(page));
    for (size_t k = 1; k < sizeof curves / sizeof *curves; k++) {
        TOT_TRY(add_curves(run, page, &curves[k]));
    }
    return tot_page_end_row(page);
}

// --- the last labelled episode -----------------------------------------------------------------

// For every step of the episode the demonstration's that it is moved to most; -1 for none.
static int *best_matches(const tot_array *plan) {
    const int64_t rows = plan->shape[0];
    const int64_t columns = plan->shape[1];
    const double *values = plan->data;
    int *match = tot_alloc((size_t)rows, sizeof *match, "matches");
    for (int64_t i = 0; match != NULL && i < rows; i++) {
        match[i] = -1;
        for (int64_t j = 0; j < columns; j++) {
            const double value = values[i * columns + j];
            if (value > 0 && (match[i] < 0 || value > values[i * columns + match[i]])) {
                match[i] = (int)j;
            }
        }
    }
    return match;
}

static tot_status add_strip(const tot_run *run, tot_page *page, const int *match) {
    const tot_trajectory *demo = &run->teacher.recording.trajectories[run->labelled.demo];
    const int size = (int)run->config.size;
    const tot_frame_row rows[] = {
        {.name = "demonstration",
         .frames = demo->frames.data,
         .count = (size_t)demo->steps,
         .width = size,
         .height = size},
        {.name = "episode",
         .frames = run->shown.frames,
         .count = (size_t)run->shown.steps,
         .width = size,
         .height = size,
         .step_count = (size_t)run->shown.steps,
         .values = run->shown.rewards,
         .value_name = "reward",
         .match = match},
    };
    const tot_frame_strip strip = {
        .title = "The demonstration, and the last episode", .rows = rows, .row_count = 2};
    return tot_page_add_frames(page, &strip);
}

static tot_status add_matrix(tot_page *page, const tot_array *matrix, const char *title,
                             const int *band) {
    const size_t rows = (size_t)matrix->shape[0];
    const size_t columns = (size_t)matrix->shape[1];
    if (rows > TOT_HEAT_MAP_LIMIT || columns > TOT_HEAT_MAP_LIMIT) {
        return TOT_OK;
    }
    const tot_heat_map map = {.title = title,
                              .row_name = "episode step",
                              .column_name = "demonstration step",
                              .rows = rows,
                              .columns = columns,
                              .values = matrix->data,
                              .band_first = band,
                              .band_end = band + rows};
    return tot_page_add_heat_map(page, &map);
}

static tot_status add_matrices(const tot_run *run, tot_page *page, const tot_array *cost,
                               const tot_array *plan) {
    const size_t rows = (size_t)cost->shape[0];
    int *band = tot_alloc(2 * rows, sizeof *band, "band");
    int *match = plan->data != NULL ? best_matches(plan) : NULL;
    tot_status status =
        band == NULL || (plan->data != NULL && match == NULL) ? TOT_E_MEMORY : TOT_OK;
    if (status == TOT_OK && run->shown.frames != NULL) {
        status = add_strip(run, page, match);
    }
    status = status != TOT_OK ? status : tot_page_begin_row(page);
    if (status == TOT_OK) {
        tot_heat_map_band(cost->data, rows, (size_t)cost->shape[1], band, band + rows);
        status = add_matrix(page, cost, "Cost", band);
    }
    if (status == TOT_OK && plan->data != NULL) {
        status = add_matrix(page, plan, "Transport plan", band);
    }
    status = status != TOT_OK ? status : tot_page_end_row(page);
    tot_free(band);
    tot_free(match);
    return status;
}

static tot_status add_episode(const tot_run *run, tot_page *page) {
    char text[256];
    if (run->labeler == NULL || run->shown.steps == 0) {
        return TOT_OK;
    }
    snprintf(text, sizeof text,
             "Episode %lld, %s at its end, return %.3f: nearest to demonstration %lld of %zu.",
             (long long)run->state.episodes - 1, run->shown.solved ? "solved" : "not solved",
             run->labelled.sum, (long long)run->labelled.demo + 1, run->teacher.recording.count);
    TOT_TRY(tot_page_add_heading(page, 1, "The last labelled episode"));
    TOT_TRY(tot_page_add_paragraph(page, text));
    tot_array cost = {0};
    tot_array plan = {0};
    tot_status status = tot_labeler_cost(run->labeler, &cost);
    if (status == TOT_OK && tot_method_has_plan(run->config.reward.method)) {
        status = tot_labeler_plan(run->labeler, &plan);
    }
    status = status != TOT_OK ? status : add_matrices(run, page, &cost, &plan);
    tot_array_free(&cost);
    tot_array_free(&plan);
    return status;
}

// --- the page ----------------------------------------------------------------------------------

static tot_status add_settings(const tot_run *run, tot_page *page) {
    enum { MOST = 128, LONGEST = 96 };
    const char *names[MOST];
    const char *values[MOST];
    char(*texts)[LONGEST] = tot_alloc(2 * MOST, LONGEST, "settings");
    if (texts == NULL) {
        return TOT_E_MEMORY;
    }
    size_t count = 0;
    for (; count < tot_train_parameter_count() && count < MOST; count++) {
        snprintf(texts[2 * count], LONGEST, "%s", tot_train_parameter_at(count)->name);
        tot_train_get(&run->config, texts[2 * count], texts[2 * count + 1], LONGEST);
        names[count] = texts[2 * count];
        values[count] = texts[2 * count + 1];
    }
    const tot_status status = tot_page_add_settings(page, "Settings", names, values, count);
    tot_free(texts);
    return status;
}

static tot_status fill(const tot_run *run, tot_page *page) {
    char text[512];
    snprintf(text, sizeof text,
             "%s with %s, seed %lld: %lld of %lld agent steps, %lld updates, %lld episodes. "
             "Success in %.0f %% of %lld evaluation episodes, read at the last step.",
             run->config.task, run->config.method, (long long)run->config.seed,
             (long long)run->state.step, (long long)run->steps, (long long)run->state.updates,
             (long long)run->state.episodes, 100 * run->state.success_rate,
             (long long)run->config.eval_episodes);
    TOT_TRY(tot_page_add_paragraph(page, text));
    TOT_TRY(add_learning(run, page));
    TOT_TRY(add_episode(run, page));
    return add_settings(run, page);
}

tot_status tot_run_report(tot_run *run) {
    char path[TOT_PATH];
    char title[256];
    tot_page *page = NULL;
    TOT_TRY(tot_path(path, run->folder, "report.html"));
    snprintf(title, sizeof title, "%s, %s", run->config.task, run->config.method);
    TOT_TRY(tot_page_create(&page, title));
    tot_status status = fill(run, page);
    status = status != TOT_OK ? status : tot_page_write(page, path);
    tot_page_free(page);
    return status;
}

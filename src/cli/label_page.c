#include "cli/label_page.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { COLUMNS = 6, CELL = 32, MOST_ROWS = 1000 };

// The details are a page of their own that is joined below the table at the end: the table has to
// stand first, and is complete last.
typedef struct row {
    char *path;
    char cells[COLUMNS - 1][CELL];
} row;

typedef struct detail {
    char *path;
    tot_array rewards;
    tot_array cost;
    tot_array plan;
    char title[160];
} detail;

struct label_page {
    tot_reward_config config;
    row *rows;
    size_t row_count;
    size_t row_capacity;
    size_t episode_count;
    detail details[LABEL_PAGE_EPISODES];
    size_t detail_count;
};

tot_status label_page_create(label_page **page, const tot_reward_config *config) {
    *page = tot_alloc_zero(1, sizeof **page, "page");
    if (*page == NULL) {
        return TOT_E_MEMORY;
    }
    (*page)->config = *config;
    return TOT_OK;
}

void label_page_free(label_page *page) {
    if (page == NULL) {
        return;
    }
    for (size_t k = 0; k < page->row_count; k++) {
        tot_free(page->rows[k].path);
    }
    for (size_t k = 0; k < page->detail_count; k++) {
        tot_free(page->details[k].path);
        tot_array_free(&page->details[k].rewards);
        tot_array_free(&page->details[k].cost);
        tot_array_free(&page->details[k].plan);
    }
    tot_free(page->rows);
    tot_free(page);
}

static tot_status copy_array(tot_array *out, const tot_array *from) {
    if (from == NULL) {
        return TOT_OK;
    }
    size_t bytes = (size_t)tot_array_count(from) * tot_type_size(from->type);
    void *data = tot_alloc(bytes, 1, "page");
    if (data == NULL) {
        return TOT_E_MEMORY;
    }
    memcpy(data, from->data, bytes);
    *out = *from;
    out->data = data;
    out->capacity = bytes;
    return TOT_OK;
}

static tot_status add_row(label_page *page, const char *path, const tot_label_info *info,
                          int64_t steps) {
    void *rows = page->rows;
    TOT_TRY(tot_grow(&rows, &page->row_capacity, page->row_count, page->row_count + 1,
                     sizeof *page->rows, "page"));
    page->rows = rows;
    row *added = &page->rows[page->row_count];
    added->path = tot_copy_text(path);
    if (added->path == NULL) {
        return TOT_E_MEMORY;
    }
    page->row_count++;
    snprintf(added->cells[0], CELL, "%lld", (long long)steps);
    snprintf(added->cells[1], CELL, "%.6g", info->sum);
    snprintf(added->cells[2], CELL, "%lld", (long long)info->demo);
    snprintf(added->cells[3], CELL, "%lld", (long long)info->iterations);
    snprintf(added->cells[4], CELL, "%.2g", info->marginal_error);
    return TOT_OK;
}

static tot_status add_detail(label_page *page, const char *path, const tot_label_info *info,
                             const tot_array *rewards, const tot_array *cost,
                             const tot_array *plan) {
    detail *added = &page->details[page->detail_count];
    *added = (detail){.path = tot_copy_text(path)};
    if (added->path == NULL) {
        return TOT_E_MEMORY;
    }
    page->detail_count++;
    snprintf(added->title, sizeof added->title,
             "Sum of rewards %.6g, matched to demonstration %lld.", info->sum,
             (long long)info->demo);
    TOT_TRY(copy_array(&added->rewards, rewards));
    TOT_TRY(copy_array(&added->cost, cost));
    return copy_array(&added->plan, plan);
}

tot_status label_page_add(label_page *page, const char *path, const tot_label_info *info,
                          const tot_array *rewards, const tot_array *cost, const tot_array *plan) {
    page->episode_count++;
    if (page->row_count < MOST_ROWS) {
        TOT_TRY(add_row(page, path, info, rewards->shape[0]));
    }
    if (page->detail_count < LABEL_PAGE_EPISODES) {
        TOT_TRY(add_detail(page, path, info, rewards, cost, plan));
    }
    return TOT_OK;
}

static tot_status write_table(tot_page *out, const label_page *page) {
    const tot_column columns[COLUMNS] = {{"episode", false},       {"steps", true},
                                         {"sum of rewards", true}, {"demonstration", true},
                                         {"iterations", true},     {"marginal error", true}};
    const char **cells = tot_alloc(page->row_count * COLUMNS, sizeof *cells, "page");
    if (cells == NULL) {
        return TOT_E_MEMORY;
    }
    for (size_t k = 0; k < page->row_count; k++) {
        cells[k * COLUMNS] = page->rows[k].path;
        for (size_t c = 1; c < COLUMNS; c++) {
            cells[k * COLUMNS + c] = page->rows[k].cells[c - 1];
        }
    }
    tot_table table = {
        .columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = page->row_count};
    tot_status status = tot_page_add_table(out, &table);
    tot_free((void *)cells);
    if (status == TOT_OK && page->episode_count > page->row_count) {
        char text[96];
        snprintf(text, sizeof text, "The first %zu of %zu episodes.", page->row_count,
                 page->episode_count);
        status = tot_page_add_paragraph(out, text);
    }
    return status;
}

// Where a detail is drawn: on a page, or in a picture.
typedef struct canvas {
    tot_page *page;
    tot_svg *svg;
} canvas;

static tot_status draw_curve(canvas *out, const detail *shown, const char *title, double *values) {
    size_t count = (size_t)shown->rewards.shape[0];
    const float *rewards = shown->rewards.data;
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)rewards[i];
    }
    tot_series series = {.count = count, .y = values};
    tot_curves curves = {.title = title,
                         .x_name = "episode step",
                         .y_name = "reward",
                         .series = &series,
                         .series_count = 1};
    return out->page != NULL ? tot_page_add_curves(out->page, &curves)
                             : tot_svg_add_curves(out->svg, &curves);
}

static tot_status draw_matrix(canvas *out, const tot_array *matrix, const char *title,
                              const int *band) {
    if (matrix->data == NULL || matrix->shape[0] > TOT_HEAT_MAP_LIMIT ||
        matrix->shape[1] > TOT_HEAT_MAP_LIMIT) {
        return TOT_OK;
    }
    tot_heat_map map = {.title = title,
                        .row_name = "episode step",
                        .column_name = "demonstration step",
                        .rows = (size_t)matrix->shape[0],
                        .columns = (size_t)matrix->shape[1],
                        .values = matrix->data,
                        .band_first = band,
                        .band_end = band != NULL ? band + matrix->shape[0] : NULL};
    return out->page != NULL ? tot_page_add_heat_map(out->page, &map)
                             : tot_svg_add_heat_map(out->svg, &map);
}

// Cost with the mask's outline, and plan beside it. band: [2 * rows], room to work in.
static tot_status draw_matrices(canvas *out, const detail *shown, int *band) {
    size_t rows = (size_t)shown->rewards.shape[0];
    if (shown->cost.data == NULL) {
        return TOT_OK;
    }
    tot_heat_map_band(shown->cost.data, rows, (size_t)shown->cost.shape[1], band, band + rows);
    TOT_TRY(draw_matrix(out, &shown->cost, "Cost inside the mask", band));
    return draw_matrix(out, &shown->plan, "Transport plan", band);
}

static tot_status draw_on_page(canvas *out, const detail *shown, double *values, int *band) {
    TOT_TRY(tot_page_add_heading(out->page, 1, shown->path));
    TOT_TRY(tot_page_add_paragraph(out->page, shown->title));
    TOT_TRY(draw_curve(out, shown, "Reward of every step", values));
    TOT_TRY(tot_page_begin_row(out->page));
    TOT_TRY(draw_matrices(out, shown, band));
    return tot_page_end_row(out->page);
}

static tot_status draw_in_svg(canvas *out, const detail *shown, double *values, int *band) {
    TOT_TRY(draw_curve(out, shown, shown->path, values));
    return draw_matrices(out, shown, band);
}

static tot_status draw_detail(canvas *out, const detail *shown) {
    size_t rows = (size_t)shown->rewards.shape[0];
    double *values = tot_alloc(rows, sizeof *values, "page");
    int *band = tot_alloc(2 * rows, sizeof *band, "page");
    tot_status status = TOT_E_MEMORY;
    if (values != NULL && band != NULL) {
        status = out->page != NULL ? draw_on_page(out, shown, values, band)
                                   : draw_in_svg(out, shown, values, band);
    }
    tot_free(values);
    tot_free(band);
    return status;
}

static tot_status write_settings(tot_page *out, const label_page *page) {
    const char *names[] = {"method", "context", "mask width", "epsilon", "iterations", "scale"};
    char values[6][48];
    const char *shown[6];
    snprintf(values[0], sizeof *values, "%s", tot_method_name(page->config.method));
    snprintf(values[1], sizeof *values, "%lld", (long long)page->config.context);
    snprintf(values[2], sizeof *values, "%lld", (long long)page->config.mask_width);
    snprintf(values[3], sizeof *values, "%g", page->config.epsilon);
    snprintf(values[4], sizeof *values, "%lld", (long long)page->config.iterations);
    snprintf(values[5], sizeof *values, "%g", page->config.scale);
    for (size_t k = 0; k < 6; k++) {
        shown[k] = values[k];
    }
    return tot_page_add_settings(out, "Settings", names, shown, 6);
}

static tot_status fill(tot_page *out, const label_page *page) {
    TOT_TRY(tot_page_add_paragraph(out,
                                   "How good every step was: the transport cost between the "
                                   "episode and the demonstration that fits it best, with the "
                                   "sign turned. Nearer to 0 is better."));
    TOT_TRY(write_table(out, page));
    TOT_TRY(write_settings(out, page));
    canvas on_page = {.page = out};
    for (size_t k = 0; k < page->detail_count; k++) {
        TOT_TRY(draw_detail(&on_page, &page->details[k]));
    }
    return TOT_OK;
}

static tot_status write_text(tot_file **file, const char *path, const char *text) {
    TOT_TRY(tot_file_create(file, path));
    return tot_file_write(*file, text, strlen(text));
}

tot_status label_page_prepare(label_page *page, tot_file **file, const char *path) {
    tot_page *out = NULL;
    TOT_TRY(tot_page_create(&out, "Rewards of labelled episodes"));
    tot_status status = fill(out, page);
    if (status == TOT_OK) {
        status = write_text(file, path, tot_page_text(out));
    }
    tot_page_free(out);
    return status;
}

tot_status label_page_prepare_svg(label_page *page, tot_file **file, const char *path) {
    canvas picture = {0};
    bool has_plan = tot_method_has_plan(page->config.method);
    TOT_TRY(tot_svg_create(&picture.svg, "Rewards of labelled episodes", has_plan ? 3 : 2));
    tot_status status = TOT_OK;
    for (size_t k = 0; status == TOT_OK && k < page->detail_count; k++) {
        status = draw_detail(&picture, &page->details[k]);
    }
    if (status == TOT_OK) {
        status = write_text(file, path, tot_svg_text(picture.svg));
    }
    tot_svg_free(picture.svg);
    return status;
}

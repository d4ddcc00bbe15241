#include "page/alignment.h"

#include "base/base.h"
#include "page/heat.h"
#include "page/parts.h"

static const double *row_of(const page_alignment *alignment, const double *matrix, size_t row) {
    return matrix + row * alignment->demonstration_steps;
}

void page_alignment_match(const page_alignment *alignment, int *match) {
    const bool has_plan = alignment->plan != NULL;
    const double *matrix = has_plan ? alignment->plan : alignment->cost;
    for (size_t step = 0; step < alignment->steps; step++) {
        double best = 0;
        match[step] = -1;
        for (size_t k = 0; matrix != NULL && k < alignment->demonstration_steps; k++) {
            const double value = row_of(alignment, matrix, step)[k];
            const double better = has_plan ? value : -value;
            // NaN (outside the mask) never wins, nor does a plan without mass there
            if (match[step] < 0 ? better == better && (!has_plan || better > 0) : better > best) {
                match[step] = (int)k;
                best = better;
            }
        }
    }
}

// --- pictures ----------------------------------------------------------------------------------

static tot_status add_rows(tot_page *page, const page_alignment *alignment, const int *match) {
    const bool has_demonstration = alignment->demonstration.frames != NULL;
    tot_frame_row rows[2] = {alignment->demonstration, alignment->episode};
    rows[0].name = "demonstration";
    rows[0].step_count = alignment->demonstration_steps;
    rows[1].name = "episode";
    rows[1].step_count = alignment->steps;
    rows[1].values = alignment->rewards;
    rows[1].value_name = "reward";
    rows[1].match = has_demonstration ? match : NULL;
    const tot_frame_strip strip = {.title = alignment->title,
                                   .rows = has_demonstration ? rows : rows + 1,
                                   .row_count = has_demonstration ? 2 : 1,
                                   .width = alignment->picture};
    return tot_page_add_frames(page, &strip);
}

// values: [steps]; NULL: no effect.
static tot_status add_curve(tot_page *page, tot_svg *svg, const page_alignment *alignment,
                            const char *title, const char *name, const double *values) {
    const tot_series series = {
        .name = page != NULL ? name : NULL, .count = alignment->steps, .y = values};
    const tot_curves curves = {.title = title,
                               .x_name = "episode step",
                               .y_name = name,
                               .series = &series,
                               .series_count = 1};
    if (values == NULL) {
        return TOT_OK;
    }
    return page != NULL ? tot_page_add_curves(page, &curves) : tot_svg_add_curves(svg, &curves);
}

static tot_status add_progress(tot_page *page, tot_svg *svg, const page_alignment *alignment) {
    return add_curve(page, svg, alignment, "How far along the demonstration", "progress",
                     alignment->progress);
}

tot_status page_alignment_add_strip(tot_page *page, const page_alignment *alignment) {
    if (alignment->episode.frames == NULL) {
        BASE_TRY(add_curve(page, NULL, alignment, "Rewards of the episode", "reward",
                           alignment->rewards));
        return add_progress(page, NULL, alignment);
    }
    int *match = base_alloc(alignment->steps, sizeof *match, "matches");
    BASE_HAVE(match);
    page_alignment_match(alignment, match);
    const tot_status status = add_rows(page, alignment, match);
    base_free(match);
    return status == TOT_OK ? add_progress(page, NULL, alignment) : status;
}

// --- matrices ----------------------------------------------------------------------------------

static bool has_nan(const double *values, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (values[k] != values[k]) {
            return true;
        }
    }
    return false;
}

// The unmasked range of every row, as tot_heat_map_band: from the mask, or from a cost that was
// only computed inside it. False: no mask.
static bool find_band(const page_alignment *alignment, int *first, int *end) {
    const size_t rows = alignment->steps;
    const size_t columns = alignment->demonstration_steps;
    const bool has_mask = alignment->mask != NULL;
    const double *matrix = has_mask ? alignment->mask : alignment->cost;
    if (matrix == NULL || (!has_mask && !has_nan(matrix, rows * columns))) {
        return false;
    }
    page_heat_band(matrix, rows, columns, has_mask, first, end);
    return true;
}

static tot_status add_matrix(tot_page *page, tot_svg *svg, const page_alignment *alignment,
                             const double *values, const char *title, const int *band) {
    const tot_heat_map map = {.title = title,
                              .row_name = "episode step",
                              .column_name = "demonstration step",
                              .rows = alignment->steps,
                              .columns = alignment->demonstration_steps,
                              .values = values,
                              .band_first = band,
                              .band_end = band != NULL ? band + alignment->steps : NULL};
    if (values == NULL) {
        return TOT_OK;
    }
    return page != NULL ? tot_page_add_heat_map(page, &map) : tot_svg_add_heat_map(svg, &map);
}

// Whether there are matrices, and none exceeds the size limit of a heat map.
static bool has_matrices(const page_alignment *alignment) {
    return alignment->steps >= 1 && alignment->steps <= TOT_HEAT_MAP_LIMIT &&
           alignment->demonstration_steps >= 1 &&
           alignment->demonstration_steps <= TOT_HEAT_MAP_LIMIT &&
           (alignment->cost != NULL || alignment->plan != NULL);
}

// Adds to a page or to an SVG.
static tot_status add_matrices(tot_page *page, tot_svg *svg, const page_alignment *alignment) {
    const size_t rows = alignment->steps;
    int *edges = base_alloc(2 * rows, sizeof *edges, "band");
    BASE_HAVE(edges);
    const int *band = find_band(alignment, edges, edges + rows) ? edges : NULL;
    const char *plan = alignment->plan_title != NULL ? alignment->plan_title : "Transport plan";
    const char *cost = band != NULL && alignment->mask == NULL ? "Cost inside the mask" : "Cost";
    tot_status status = add_matrix(page, svg, alignment, alignment->cost, cost, band);
    BASE_THEN(status, add_matrix(page, svg, alignment, alignment->mask, "Mask", band));
    BASE_THEN(status, add_matrix(page, svg, alignment, alignment->plan, plan, band));
    base_free(edges);
    return status;
}

tot_status page_alignment_add_matrices(tot_page *page, const page_alignment *alignment) {
    if (!has_matrices(alignment)) {
        return TOT_OK;
    }
    BASE_TRY(tot_page_begin_row(page));
    BASE_TRY(add_matrices(page, NULL, alignment));
    return tot_page_end_row(page);
}

tot_status page_svg_add_alignment(tot_svg *svg, const page_alignment *alignment) {
    BASE_TRY(add_curve(NULL, svg, alignment, alignment->title, "reward", alignment->rewards));
    BASE_TRY(add_progress(NULL, svg, alignment));
    return has_matrices(alignment) ? add_matrices(NULL, svg, alignment) : TOT_OK;
}

tot_status page_add_alignment(tot_page *page, const page_alignment *alignment) {
    BASE_TRY(page_begin_box(page, PAGE_BOX_ALIGNMENT, NULL, NULL));
    BASE_TRY(page_alignment_add_strip(page, alignment));
    BASE_TRY(page_alignment_add_matrices(page, alignment));
    return page_end_box(page);
}

#include "label/page.h"

#include "base/base.h"
#include "file/array.h"
#include "label/embed.h"
#include "page/alignment.h"

enum { COLUMNS = 7, CELL = 32, MOST_ROWS = 1000, MOST_PICTURES = 24, PICTURE_WIDTH = 144 };

// A row of the table of episodes. The table comes first on the page but is complete last, so rows
// and details are collected and written at the end.
typedef struct row {
    char *path;
    char cells[COLUMNS - 1][CELL];
} row;

// A sample of a source's pictures, evenly spaced.
typedef struct pictures {
    uint8_t *rgb;  // [count][height][width][3]; NULL: embeddings
    size_t count;
    int width, height;
    size_t steps[MOST_PICTURES];  // step of each picture
} pictures;

typedef struct detail {
    char *path;
    pictures demonstration;
    pictures episode;
    double *rewards;  // [2][cost.shape[0]]: rewards, then progress
    tot_array cost;
    tot_array plan;  // no data: the method has no plan
    char title[160];
} detail;

struct label_page {
    const tot_label_options *options;
    const tot_label_source *demos, *episodes;
    tot_file *files[2];  // complete, waiting to be renamed
    row *rows;
    size_t row_count;
    size_t row_capacity;
    size_t episode_count;
    detail details[LABEL_PAGE_EPISODES];
    size_t detail_count;
};

tot_status label_page_create(label_page **page, const tot_label_options *options,
                             const tot_label_source *demos, const tot_label_source *episodes) {
    BASE_ALLOC(*page, 1, "page");
    **page = (label_page){.options = options, .demos = demos, .episodes = episodes};
    return TOT_OK;
}

void label_page_free(label_page *page) {
    BASE_UNLESS_NULL(page);
    for (size_t k = 0; k < page->row_count; k++) {
        base_free(page->rows[k].path);
    }
    for (size_t k = 0; k < page->detail_count; k++) {
        BASE_RELEASE(page->details[k].path, page->details[k].demonstration.rgb,
                     page->details[k].episode.rgb, page->details[k].rewards);
        tot_array_free(&page->details[k].cost);
        tot_array_free(&page->details[k].plan);
    }
    tot_file_discard(page->files[0]);
    tot_file_discard(page->files[1]);
    BASE_RELEASE(page->rows, page);
}

static tot_status add_row(label_page *page, const tot_labelled *episode) {
    const tot_label_info *info = &episode->info;
    BASE_GROW(page->rows, page->row_capacity, page->row_count, page->row_count + 1, "page");
    row *added = &page->rows[page->row_count];
    added->path = base_copy_text(episode->name);
    BASE_HAVE(added->path);
    page->row_count++;
    snprintf(added->cells[0], CELL, "%lld", (long long)episode->steps);
    snprintf(added->cells[1], CELL, "%.6g", info->sum);
    snprintf(added->cells[2], CELL, "%.3f", (double)episode->progress[episode->steps - 1]);
    snprintf(added->cells[3], CELL, "%lld", (long long)info->demo);
    snprintf(added->cells[4], CELL, "%lld", (long long)info->iterations);
    snprintf(added->cells[5], CELL, "%.2g", info->marginal_error);
    return TOT_OK;
}

// The step of the k-th of count pictures: the first, the last, and evenly spaced ones.
static size_t step_of(size_t k, size_t count, int64_t steps) {
    return count > 1 ? (k * (size_t)(steps - 1) + (count - 1) / 2) / (count - 1) : 0;
}

static tot_status read_some(pictures *out, tot_frames *frames, int64_t steps) {
    const int width = tot_frames_width(frames);
    out->width = width < PICTURE_WIDTH ? width : PICTURE_WIDTH;
    out->height = (int)((int64_t)tot_frames_height(frames) * out->width / width);
    out->height = out->height > 0 ? out->height : 1;
    const size_t capacity = steps < MOST_PICTURES ? (size_t)steps : MOST_PICTURES;
    const size_t bytes = (size_t)out->width * (size_t)out->height * 3;
    BASE_TRY(tot_frames_resize(frames, out->width, out->height));
    // one extra slot, for pictures that are not kept
    out->rgb = base_alloc(capacity + 1, bytes, "pictures");
    BASE_HAVE(out->rgb);
    bool end = false;
    for (size_t step = 0; out->count < capacity; step++) {
        BASE_TRY(tot_frames_read(frames, out->rgb + out->count * bytes, &end));
        if (end) {
            break;
        }
        if (step == step_of(out->count, capacity, steps)) {
            out->steps[out->count++] = step;
        }
    }
    return TOT_OK;
}

// Reads pictures of a source with that many steps, in its first view; none if it holds embeddings.
static tot_status read_pictures(pictures *out, const tot_label_source *source, int64_t steps) {
    label_opened opened = {0};
    tot_status status = label_open(&opened, source);
    if (opened.pictures.count > 0) {
        BASE_THEN(status, read_some(out, opened.pictures.views[0], steps));
    }
    label_close(&opened);
    return status;
}

static tot_frame_row row_of(const pictures *shown, size_t steps) {
    return (tot_frame_row){.frames = shown->count > 0 ? shown->rgb : NULL,
                           .count = shown->count,
                           .width = shown->width,
                           .height = shown->height,
                           .steps = shown->steps,
                           .step_count = steps};
}

static tot_status add_detail(label_page *page, const tot_labelled *episode) {
    detail *added = &page->details[page->detail_count++];
    *added = (detail){.path = base_copy_text(episode->name)};
    added->rewards = base_alloc(2 * (size_t)episode->steps, sizeof *added->rewards, "page");
    BASE_HAVE(added->path, added->rewards);
    for (int64_t k = 0; k < episode->steps; k++) {
        added->rewards[k] = (double)episode->rewards[k];
        added->rewards[episode->steps + k] = (double)episode->progress[k];
    }
    snprintf(added->title, sizeof added->title,
             "Sum of rewards %.6g, matched to demonstration %lld (of %lld, from 0).",
             episode->info.sum, (long long)episode->info.demo, (long long)episode->demos);
    BASE_TRY(file_array_copy(&added->cost, episode->cost));
    BASE_TRY(episode->plan != NULL ? file_array_copy(&added->plan, episode->plan) : TOT_OK);
    BASE_TRY(read_pictures(&added->episode, &page->episodes[episode->index], episode->steps));
    return added->episode.rgb != NULL
               ? read_pictures(&added->demonstration, &page->demos[episode->info.demo],
                               added->cost.shape[1])
               : TOT_OK;
}

tot_status label_page_add(label_page *page, const tot_labelled *episode) {
    page->episode_count++;
    if (page->row_count < MOST_ROWS) {
        BASE_TRY(add_row(page, episode));
    }
    return page->detail_count < LABEL_PAGE_EPISODES ? add_detail(page, episode) : TOT_OK;
}

static tot_status write_table(tot_page *out, const label_page *page) {
    const tot_column columns[COLUMNS] = {
        {"episode", false},      {"steps", true},      {"sum of rewards", true}, {"progress", true},
        {"demonstration", true}, {"iterations", true}, {"marginal error", true}};
    const char **cells = base_alloc(page->row_count * COLUMNS, sizeof *cells, "page");
    BASE_HAVE(cells);
    for (size_t k = 0; k < page->row_count; k++) {
        cells[k * COLUMNS] = page->rows[k].path;
        for (size_t c = 1; c < COLUMNS; c++) {
            cells[k * COLUMNS + c] = page->rows[k].cells[c - 1];
        }
    }
    tot_table table = {
        .columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = page->row_count};
    tot_status status = tot_page_add_table(out, &table);
    base_free((void *)cells);
    if (status == TOT_OK && page->episode_count > page->row_count) {
        char text[96];
        snprintf(text, sizeof text, "The first %zu of %zu episodes.", page->row_count,
                 page->episode_count);
        status = tot_page_add_paragraph(out, text);
    }
    return status;
}

static page_alignment alignment_of(const detail *shown) {
    const size_t steps = (size_t)shown->cost.shape[0];
    return (page_alignment){
        .title = shown->path,
        .episode = row_of(&shown->episode, steps),
        .demonstration = row_of(&shown->demonstration, (size_t)shown->cost.shape[1]),
        .steps = steps,
        .demonstration_steps = (size_t)shown->cost.shape[1],
        .rewards = shown->rewards,
        .progress = shown->rewards + steps,
        .cost = shown->cost.data,
        .plan = shown->plan.data};
}

static tot_status draw_detail(tot_page *out, const detail *shown) {
    const page_alignment alignment = alignment_of(shown);
    BASE_TRY(tot_page_add_heading(out, 1, shown->path));
    BASE_TRY(tot_page_add_paragraph(out, shown->title));
    return page_add_alignment(out, &alignment);
}

static tot_status write_settings(tot_page *out, const label_page *page) {
    enum { COUNT = 6 };
    const tot_reward_config *reward = &page->options->reward;
    const char *names[] = {"method", "context", "mask width", "epsilon", "iterations", "scale"};
    char texts[COUNT][CELL];
    const char *values[COUNT] = {
        tot_method_name(reward->method), texts[1], texts[2], texts[3], texts[4], texts[5]};
    snprintf(texts[1], CELL, "%lld", (long long)reward->context);
    snprintf(texts[2], CELL, "%lld", (long long)reward->mask_width);
    snprintf(texts[3], CELL, "%g", reward->epsilon);
    snprintf(texts[4], CELL, "%lld", (long long)reward->iterations);
    snprintf(texts[5], CELL, "%g", reward->scale);
    return tot_page_add_settings(out, "Settings", names, values, COUNT);
}

static tot_status fill(tot_page *out, const label_page *page) {
    BASE_TRY(tot_page_add_paragraph(
        out,
        "The reward of a step is its share of the transport cost between the episode and the "
        "demonstration that matches it best, with the sign reversed: nearer to 0 is better. "
        "Progress is how far along that demonstration the episode gets, from 0 to 1."));
    BASE_TRY(write_table(out, page));
    BASE_TRY(write_settings(out, page));
    for (size_t k = 0; k < page->detail_count; k++) {
        BASE_TRY(draw_detail(out, &page->details[k]));
    }
    return TOT_OK;
}

static tot_status write_text(tot_file **file, const char *path, const char *text) {
    BASE_TRY(tot_file_create(file, path));
    return tot_file_write(*file, text, strlen(text));
}

static tot_status write_page(label_page *page) {
    tot_page *out = NULL;
    BASE_TRY(tot_page_create(&out, "Rewards of labelled episodes"));
    tot_status status = fill(out, page);
    BASE_THEN(status, write_text(&page->files[0], page->options->page, tot_page_text(out)));
    tot_page_free(out);
    return status;
}

static tot_status write_svg(label_page *page) {
    tot_svg *svg = NULL;
    const bool has_plan = tot_method_has_plan(page->options->reward.method);
    BASE_TRY(tot_svg_create(&svg, "Rewards of labelled episodes", has_plan ? 3 : 2));
    tot_status status = TOT_OK;
    for (size_t k = 0; status == TOT_OK && k < page->detail_count; k++) {
        const page_alignment alignment = alignment_of(&page->details[k]);
        status = page_svg_add_alignment(svg, &alignment);
    }
    BASE_THEN(status, write_text(&page->files[1], page->options->svg, tot_svg_text(svg)));
    tot_svg_free(svg);
    return status;
}

tot_status label_page_prepare(label_page *page) {
    BASE_TRY(page->options->page != NULL ? write_page(page) : TOT_OK);
    return page->options->svg != NULL ? write_svg(page) : TOT_OK;
}

tot_status label_page_commit(label_page *page) {
    for (size_t k = 0; k < BASE_LENGTH(page->files); k++) {
        tot_file *written = page->files[k];
        page->files[k] = NULL;
        BASE_TRY(written != NULL ? tot_file_commit(written) : TOT_OK);
    }
    return TOT_OK;
}

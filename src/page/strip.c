#include "page/strip.h"

#include <limits.h>

#include "base/base.h"

enum { FRAME_LIMIT = 16384, SHOWN_LEAST = 16, SHOWN_MOST = 512 };

// --- checking and choosing ---------------------------------------------------------------------

static size_t frame_step(const tot_frame_row *row, size_t frame) {
    return row->steps != NULL ? row->steps[frame] : frame;
}

static size_t steps_of(const tot_frame_row *row) {
    return row->step_count > 0 ? row->step_count : frame_step(row, row->count - 1) + 1;
}

static tot_status check_steps(const tot_frame_row *row, const char *title, size_t number) {
    for (size_t k = 1; row->steps != NULL && k < row->count; k++) {
        BASE_FAIL_IF(row->steps[k] <= row->steps[k - 1], TOT_E_ARGUMENT,
                     "frame strip \"%s\": row %zu: picture %zu shows step %zu, the one "
                     "before it step %zu",
                     title, number, k, row->steps[k], row->steps[k - 1]);
    }
    size_t last = frame_step(row, row->count - 1);
    BASE_FAIL_IF(last >= INT_MAX || (row->step_count > 0 && last >= row->step_count),
                 TOT_E_ARGUMENT,
                 "frame strip \"%s\": row %zu: the last picture shows step %zu of %zu", title,
                 number, last, row->step_count);
    return TOT_OK;
}

static tot_status check_match(const tot_frame_strip *strip, const char *title, size_t number) {
    const tot_frame_row *row = &strip->rows[number];
    if (row->match == NULL) {
        return TOT_OK;
    }
    BASE_FAIL_IF(number == 0, TOT_E_ARGUMENT, "frame strip \"%s\": row 0 is what others match",
                 title);
    size_t steps = steps_of(&strip->rows[0]);
    for (size_t step = 0; step < steps_of(row); step++) {
        int match = row->match[step];
        BASE_FAIL_IF(match < -1 || (match >= 0 && (size_t)match >= steps), TOT_E_ARGUMENT,
                     "frame strip \"%s\": row %zu: step %zu matches step %d of %zu", title, number,
                     step, match, steps);
    }
    return TOT_OK;
}

static tot_status check_row(const tot_frame_strip *strip, const char *title, size_t number) {
    const tot_frame_row *row = &strip->rows[number];
    BASE_FAIL_IF(row->frames == NULL || row->count < 1, TOT_E_ARGUMENT,
                 "frame strip \"%s\": row %zu has no pictures", title, number);
    BASE_FAIL_IF(
        row->width < 1 || row->height < 1 || row->width > FRAME_LIMIT || row->height > FRAME_LIMIT,
        TOT_E_ARGUMENT,
        "frame strip \"%s\": row %zu: pictures of %d x %d, but each side is within "
        "1 and %d",
        title, number, row->width, row->height, FRAME_LIMIT);
    BASE_TRY(check_steps(row, title, number));
    return check_match(strip, title, number);
}

tot_status page_strip_check(const tot_frame_strip *strip) {
    BASE_FAIL_IF(strip == NULL, TOT_E_ARGUMENT, "frame strip: none given");
    const char *title = strip->title != NULL ? strip->title : "";
    BASE_FAIL_IF(strip->rows == NULL || strip->row_count < 1, TOT_E_ARGUMENT,
                 "frame strip \"%s\": no rows", title);
    BASE_FAIL_IF(strip->width != 0 && (strip->width < SHOWN_LEAST || strip->width > SHOWN_MOST),
                 TOT_E_ARGUMENT, "frame strip \"%s\": pictures shown %d wide, but %d to %d can be",
                 title, strip->width, SHOWN_LEAST, SHOWN_MOST);
    for (size_t k = 0; k < strip->row_count; k++) {
        BASE_TRY(check_row(strip, title, k));
    }
    return TOT_OK;
}

void page_strip_choose(page_strip_choice *choice, const tot_frame_row *row) {
    page_strip_choose_within(choice, row, TOT_STRIP_PICTURES, TOT_STRIP_SIDE);
}

void page_strip_choose_within(page_strip_choice *choice, const tot_frame_row *row, size_t pictures,
                              size_t side) {
    size_t count = row->count < pictures ? row->count : pictures;
    *choice = (page_strip_choice){.count = count, .step_count = steps_of(row)};
    for (size_t k = 0; k < count; k++) {
        size_t gaps = count > 1 ? count - 1 : 1;
        // evenly spaced and rounded, including the first and the last
        choice->frames[k] = (k * (row->count - 1) + gaps / 2) / gaps;
        choice->steps[k] = frame_step(row, choice->frames[k]);
    }
    size_t width = (size_t)row->width;
    size_t height = (size_t)row->height;
    size_t longest = width > height ? width : height;
    if (longest > side) {
        width = (width * side + longest / 2) / longest;
        height = (height * side + longest / 2) / longest;
    }
    choice->width = width > 0 ? width : 1;
    choice->height = height > 0 ? height : 1;
}

double page_strip_place(const page_strip_choice *choice, size_t step) {
    const size_t *steps = choice->steps;
    if (step <= steps[0]) {
        return 0;
    }
    for (size_t k = 1; k < choice->count; k++) {
        if (step <= steps[k]) {
            return (double)(k - 1) +
                   (double)(step - steps[k - 1]) / (double)(steps[k] - steps[k - 1]);
        }
    }
    return (double)(choice->count - 1);
}

// --- pictures ----------------------------------------------------------------------------------

// Overlap of source pixel `from` with pixel `to`, for a side scaled from `longer` to `shorter`
// pixels, in units of 1 / shorter of a source pixel: for a whole target pixel they add up to
// `longer`.
static uint64_t overlap(size_t from, size_t to, size_t longer, size_t shorter) {
    size_t start = from * shorter > to * longer ? from * shorter : to * longer;
    size_t end =
        (from + 1) * shorter < (to + 1) * longer ? (from + 1) * shorter : (to + 1) * longer;
    return end - start;
}

// One pixel of the downscaled picture: the mean of the box that it covers.
static void shrink_pixel(const uint8_t *frame, const tot_frame_row *row,
                         const page_strip_choice *choice, size_t x, size_t y, uint8_t *to) {
    size_t width = (size_t)row->width;
    size_t height = (size_t)row->height;
    uint64_t sum[3] = {0};
    for (size_t i = y * height / choice->height; i * choice->height < (y + 1) * height; i++) {
        uint64_t down = overlap(i, y, height, choice->height);
        for (size_t j = x * width / choice->width; j * choice->width < (x + 1) * width; j++) {
            uint64_t weight = down * overlap(j, x, width, choice->width);
            for (int part = 0; part < 3; part++) {
                sum[part] += weight * frame[(i * width + j) * 3 + (size_t)part];
            }
        }
    }
    uint64_t whole = (uint64_t)width * height;
    for (int part = 0; part < 3; part++) {
        to[part] = (uint8_t)((sum[part] + whole / 2) / whole);
    }
}

void page_strip_shrink(const tot_frame_row *row, const page_strip_choice *choice, size_t picture,
                       uint8_t *rgb, size_t stride) {
    size_t frame_size = (size_t)row->width * (size_t)row->height * 3;
    const uint8_t *frame = row->frames + choice->frames[picture] * frame_size;
    for (size_t y = 0; y < choice->height; y++) {
        for (size_t x = 0; x < choice->width; x++) {
            shrink_pixel(frame, row, choice, x, y, rgb + y * stride + 3 * x);
        }
    }
}

// sheet: [height][width][3] of all pictures, then their [height * width] indices.
static tot_status add_sheet(page_buffer *out, const tot_frame_row *row,
                            const page_strip_choice *choice, uint8_t *sheet) {
    size_t width = choice->count * choice->width;
    uint8_t colours[PAGE_PALETTE_SIZE][3];
    uint8_t *indices = sheet + 3 * width * choice->height;
    for (size_t k = 0; k < choice->count; k++) {
        page_strip_shrink(row, choice, k, sheet + 3 * k * choice->width, 3 * width);
    }
    BASE_TRY(page_palette_make(sheet, width * choice->height, colours, indices));
    return page_buffer_add_png(out, indices, width, choice->height,
                               (const unsigned char(*)[3])colours, false);
}

tot_status page_strip_add_png(page_buffer *out, const tot_frame_row *row,
                              const page_strip_choice *choice) {
    uint8_t *sheet = base_alloc(choice->count * choice->width * choice->height, 4, "frame strip");
    BASE_HAVE(sheet);
    BASE_FINALLY(add_sheet(out, row, choice, sheet), base_free(sheet));
}

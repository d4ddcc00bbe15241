// Flat API: pages, with tables and strips from plain arrays. The other functions of page.h do not
// take structs.
#include "base/base.h"
#include "flat/flat.h"

tot_status tot_flat_page_table(tot_page *page, const char *title, size_t columns,
                               const char *const *names, const uint8_t *numeric, size_t rows,
                               const char *const *cells, const char *const *row_names,
                               const char *const *leads) {
    BASE_FAIL_IF(page == NULL || columns == 0 || names == NULL || numeric == NULL ||
                     (rows > 0 && cells == NULL),
                 TOT_E_ARGUMENT, "table: NULL is no page and no array");
    tot_column *heads = base_alloc_zero(columns, sizeof *heads, "table");
    tot_cell_extra *extras = base_alloc_zero(rows * columns + 1, sizeof *extras, "table");
    tot_status status = heads != NULL && extras != NULL ? TOT_OK : TOT_E_MEMORY;
    for (size_t k = 0; status == TOT_OK && k < columns; k++) {
        heads[k] = (tot_column){names[k], numeric[k] != 0};
    }
    for (size_t k = 0; status == TOT_OK && leads != NULL && k < rows; k++) {
        extras[k * columns].rows = leads[k];
    }
    const tot_table table = {.title = title,
                             .columns = heads,
                             .column_count = columns,
                             .cells = cells,
                             .row_count = rows,
                             .extras = extras,
                             .row_names = row_names};
    BASE_THEN(status, tot_page_add_table(page, &table));
    BASE_RELEASE(heads, extras);
    return status;
}

tot_status tot_flat_page_strip(tot_page *page, const char *title, size_t rows,
                               const char *const *names, const uint8_t *const *frames,
                               const int64_t *sizes, const size_t *const *steps,
                               const double *const *values, const char *value_name,
                               const int *const *matches) {
    BASE_FAIL_IF(page == NULL || rows == 0 || names == NULL || frames == NULL || sizes == NULL ||
                     steps == NULL || values == NULL || matches == NULL,
                 TOT_E_ARGUMENT, "strip: NULL is no page and no array");
    tot_frame_row *made = base_alloc_zero(rows, sizeof *made, "strip");
    BASE_HAVE(made);
    for (size_t k = 0; k < rows; k++) {
        const int64_t *size = sizes + 4 * k;
        made[k] = (tot_frame_row){.name = names[k],
                                  .frames = frames[k],
                                  .count = (size_t)size[0],
                                  .height = (int)size[1],
                                  .width = (int)size[2],
                                  .steps = steps[k],
                                  .step_count = (size_t)size[3],
                                  .values = values[k],
                                  .value_name = values[k] != NULL ? value_name : NULL,
                                  .match = matches[k]};
    }
    const tot_frame_strip strip = {.title = title, .rows = made, .row_count = rows};
    BASE_FINALLY(tot_page_add_frames(page, &strip), base_free(made));
}

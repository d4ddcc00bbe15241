// Sortable tables, whose cells can link to files and to rows of other tables.
#include "base/base.h"
#include "page/figure.h"

tot_status page_table_check(const tot_table *table) {
    BASE_FAIL_IF(table == NULL, TOT_E_ARGUMENT, "table: none given");
    const char *title = table->title != NULL ? table->title : "";
    BASE_FAIL_IF(table->column_count < 1 || table->columns == NULL, TOT_E_ARGUMENT,
                 "table \"%s\": no columns", title);
    for (size_t k = 0; k < table->column_count; k++) {
        BASE_FAIL_IF(table->columns[k].name == NULL, TOT_E_ARGUMENT,
                     "table \"%s\": column %zu has no name", title, k);
    }
    size_t cells;
    BASE_FAIL_IF(__builtin_mul_overflow(table->row_count, table->column_count, &cells) ||
                     (cells > 0 && table->cells == NULL),
                 TOT_E_ARGUMENT, "table \"%s\": no cells for %zu rows", title, table->row_count);
    return TOT_OK;
}

// The id of the rows with a name, made of safe characters only.
static void add_rows_id(page_buffer *out, const char *name) {
    page_buffer_add(out, "rows-");
    for (const char *at = name; *at != '\0'; at++) {
        const unsigned char letter = (unsigned char)*at;
        page_buffer_add_format(out, page_is_plain(letter) ? "%c" : "_%02x", letter);
    }
}

static void add_words(page_buffer *out, const char *words, const tot_cell_extra *extra) {
    const bool led =
        page_text_given(words) && (page_text_given(extra->path) || page_text_given(extra->rows));
    if (led) {
        page_buffer_add(out, "<a href=\"");
        if (page_text_given(extra->path)) {
            page_add_address(out, extra->path);
        } else {
            page_buffer_add(out, "#");
            add_rows_id(out, extra->rows);
        }
        page_buffer_add(out, "\">");
    }
    page_add_words(out, extra->best ? "<b>" : "", words, extra->best ? "</b>" : "");
    page_buffer_add(out, led ? "</a>" : "");
    page_add_element(out, "<small>", extra->note, "</small>");
}

// Whether this is the first row with its name.
static bool is_first(const tot_table *table, size_t row) {
    for (size_t k = 0; k < row; k++) {
        if (table->row_names[k] != NULL &&
            strcmp(table->row_names[k], table->row_names[row]) == 0) {
            return false;
        }
    }
    return true;
}

static void add_row(page_buffer *out, const tot_table *table, size_t row) {
    page_buffer_add(out, "<tr");
    if (table->row_names != NULL && page_text_given(table->row_names[row])) {
        page_buffer_add(out, " data-rows=\"");
        add_rows_id(out, table->row_names[row]);
        page_buffer_add(out, "\"");
        if (is_first(table, row)) {
            page_buffer_add(out, " id=\"");
            add_rows_id(out, table->row_names[row]);
            page_buffer_add(out, "\"");
        }
    }
    page_buffer_add(out, ">");
    for (size_t k = 0; k < table->column_count; k++) {
        const size_t place = row * table->column_count + k;
        static const tot_cell_extra none = {0};
        page_buffer_add(out, table->columns[k].numeric ? "<td class=\"number\">" : "<td>");
        add_words(out, table->cells[place], table->extras != NULL ? &table->extras[place] : &none);
        page_buffer_add(out, "</td>");
    }
    page_buffer_add(out, "</tr>\n");
}

void page_table_add(page_buffer *out, const tot_table *table) {
    // use less spacing with many columns
    page_buffer_add_format(out, "<div class=\"table%s\" role=\"region\" tabindex=\"0\"",
                           table->column_count > 6 ? " many" : "");
    page_add_words(out, " aria-label=\"", table->title != NULL ? table->title : "Table",
                   "\"><table>\n");
    if (table->title != NULL) {
        page_add_words(out, "<caption>", table->title, "</caption>\n");
    }
    page_buffer_add(out, "<thead><tr>");
    for (size_t k = 0; k < table->column_count; k++) {
        page_buffer_add_format(out, "<th scope=\"col\"%s><button type=\"button\">",
                               table->columns[k].numeric ? " class=\"number\"" : "");
        page_add_words(out, "", table->columns[k].name, "</button></th>");
    }
    page_buffer_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < table->row_count; row++) {
        add_row(out, table, row);
    }
    page_buffer_add(out, "</tbody></table></div>\n");
}

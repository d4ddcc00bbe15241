#include "page/table.h"

#include <string.h>

#include "base/error.h"
#include "page/element.h"

tot_status tot_table_check(const tot_table *table) {
    if (table == NULL) {
        return tot_fail(TOT_E_ARGUMENT, "table: none given");
    }
    const char *title = table->title != NULL ? table->title : "";
    if (table->column_count < 1 || table->columns == NULL) {
        return tot_fail(TOT_E_ARGUMENT, "table \"%s\": no columns", title);
    }
    for (size_t k = 0; k < table->column_count; k++) {
        if (table->columns[k].name == NULL) {
            return tot_fail(TOT_E_ARGUMENT, "table \"%s\": column %zu has no name", title, k);
        }
    }
    size_t cells;
    if (__builtin_mul_overflow(table->row_count, table->column_count, &cells) ||
        (cells > 0 && table->cells == NULL)) {
        return tot_fail(TOT_E_ARGUMENT, "table \"%s\": no cells for %zu rows", title,
                        table->row_count);
    }
    return TOT_OK;
}

// The id of rows of a name: letters that mean nothing else anywhere.
static void add_rows_id(tot_text *out, const char *name) {
    tot_text_add(out, "rows-");
    for (const char *at = name; *at != '\0'; at++) {
        const unsigned char letter = (unsigned char)*at;
        tot_text_add_format(out, tot_is_plain(letter) ? "%c" : "_%02x", letter);
    }
}

static void add_words(tot_text *out, const char *words, const tot_cell_extra *extra) {
    const bool led =
        tot_text_given(words) && (tot_text_given(extra->path) || tot_text_given(extra->rows));
    if (led) {
        tot_text_add(out, "<a href=\"");
        if (tot_text_given(extra->path)) {
            tot_add_address(out, extra->path);
        } else {
            tot_text_add(out, "#");
            add_rows_id(out, extra->rows);
        }
        tot_text_add(out, "\">");
    }
    tot_text_add(out, extra->best ? "<b>" : "");
    tot_text_add_escaped(out, words);
    tot_text_add(out, extra->best ? "</b>" : "");
    tot_text_add(out, led ? "</a>" : "");
    tot_add_element(out, "<small>", extra->note, "</small>");
}

// Whether this row is the first of its name.
static bool is_first(const tot_table *table, size_t row) {
    for (size_t k = 0; k < row; k++) {
        if (table->row_names[k] != NULL &&
            strcmp(table->row_names[k], table->row_names[row]) == 0) {
            return false;
        }
    }
    return true;
}

static void add_row(tot_text *out, const tot_table *table, size_t row) {
    tot_text_add(out, "<tr");
    if (table->row_names != NULL && tot_text_given(table->row_names[row])) {
        tot_text_add(out, " data-rows=\"");
        add_rows_id(out, table->row_names[row]);
        tot_text_add(out, "\"");
        if (is_first(table, row)) {
            tot_text_add(out, " id=\"");
            add_rows_id(out, table->row_names[row]);
            tot_text_add(out, "\"");
        }
    }
    tot_text_add(out, ">");
    for (size_t k = 0; k < table->column_count; k++) {
        const size_t place = row * table->column_count + k;
        tot_text_add(out, table->columns[k].numeric ? "<td class=\"number\">" : "<td>");
        if (table->extras != NULL) {
            add_words(out, table->cells[place], &table->extras[place]);
        } else {
            tot_text_add_escaped(out, table->cells[place]);
        }
        tot_text_add(out, "</td>");
    }
    tot_text_add(out, "</tr>\n");
}

void tot_table_add(tot_text *out, const tot_table *table) {
    // many columns stand closer
    tot_text_add_format(out, "<div class=\"table%s\" role=\"region\" tabindex=\"0\" aria-label=\"",
                        table->column_count > 6 ? " many" : "");
    tot_text_add_escaped(out, table->title != NULL ? table->title : "Table");
    tot_text_add(out, "\"><table>\n");
    if (table->title != NULL) {
        tot_text_add(out, "<caption>");
        tot_text_add_escaped(out, table->title);
        tot_text_add(out, "</caption>\n");
    }
    tot_text_add(out, "<thead><tr>");
    for (size_t k = 0; k < table->column_count; k++) {
        tot_text_add_format(out, "<th scope=\"col\"%s><button type=\"button\">",
                            table->columns[k].numeric ? " class=\"number\"" : "");
        tot_text_add_escaped(out, table->columns[k].name);
        tot_text_add(out, "</button></th>");
    }
    tot_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < table->row_count; row++) {
        add_row(out, table, row);
    }
    tot_text_add(out, "</tbody></table></div>\n");
}

#include <temporalot/page.h>

#include "base/base.h"
#include "file/atomic.h"
#include "page/assets.h"
#include "page/colour.h"
#include "page/figure.h"
#include "page/heat.h"
#include "page/parts.h"
#include "page/plot.h"
#include "page/strip.h"
#include "page/buffer.h"

struct tot_page {
    page_buffer text;
    bool in_row;
    int boxes;  // open boxes
};

// The end of a page. Space for it is always reserved, so that tot_page_text cannot fail.
static const char ending[] = "</main>\n</body>\n</html>\n";
static const char box_ending[] = "</div>\n";
enum { LONGEST_ENDING = sizeof ending + (PAGE_BOX_DEPTH + 1) * sizeof box_ending };

// --- adding ------------------------------------------------------------------------------------

static tot_status finish(tot_page *page, size_t start) {
    return page_buffer_finish(&page->text, start, LONGEST_ENDING);
}

static tot_status add_tag(tot_page *page, const char *tag) {
    const size_t start = page->text.length;
    page_buffer_add(&page->text, tag);
    return finish(page, start);
}

static void add_head(page_buffer *out, const char *title) {
    page_buffer_add(out,
                    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n"
                    // nothing is ever fetched, whatever the content of the page
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
                    "<meta name=\"generator\" content=\"temporalot " TOT_VERSION "\">\n");
    page_buffer_add(out, "<link rel=\"icon\" href=\"data:,\">\n<meta name=\"colours\" content=\"");
    page_figure_add_colours(out);
    page_add_words(out, "\">\n<title>", title, "</title>\n<style>\n");
    page_buffer_add_bytes(out, (const char *)page_css, page_css_size);
    page_colour_add_rules(out);
    page_figure_add_bar_rule(out);
    page_buffer_add(out, "</style>\n<script>\n");
    page_buffer_add_bytes(out, (const char *)page_js, page_js_size);
    page_add_words(out, "</script>\n</head>\n<body>\n<main>\n<h1>", title, "</h1>\n");
}

tot_status tot_page_create(tot_page **page, const char *title) {
    BASE_FAIL_IF(page == NULL || title == NULL, TOT_E_ARGUMENT, "page: no %s given",
                 page == NULL ? "place" : "title");
    *page = NULL;
    BASE_NEW(tot_page, made, "page");
    add_head(&made->text, title);
    BASE_GIVE(finish(made, 0), page, made, tot_page_free);
}

void tot_page_free(tot_page *page) {
    BASE_UNLESS_NULL(page);
    page_buffer_free(&page->text);
    base_free(page);
}

static tot_status add_words(tot_page *page, const char *element, const char *words) {
    size_t start = page->text.length;
    page_buffer_add_format(&page->text, "<%s>", element);
    page_buffer_add_escaped(&page->text, words);
    page_buffer_add_format(&page->text, "</%s>\n", element);
    return finish(page, start);
}

tot_status tot_page_add_heading(tot_page *page, int level, const char *text) {
    BASE_NEED(page, text);
    BASE_FAIL_IF(level != 1 && level != 2, TOT_E_ARGUMENT, "heading: level %d is not 1 or 2",
                 level);
    return add_words(page, level == 1 ? "h2" : "h3", text);
}

tot_status tot_page_add_paragraph(tot_page *page, const char *text) {
    BASE_NEED(page, text);
    return add_words(page, "p", text);
}

tot_status tot_page_add_code(tot_page *page, const char *text) {
    BASE_NEED(page, text);
    return add_words(page, "pre", text);
}

// --- tables, figures and settings --------------------------------------------------------------

// Defines a public function that checks and adds an element of this type.
#define ADDER(function, type, name, check, add)                             \
    tot_status function(tot_page *page, const type *thing) {                \
        BASE_FAIL_IF(page == NULL, TOT_E_ARGUMENT, name ": no page given"); \
        BASE_TRY(check(thing));                                             \
        size_t start = page->text.length;                                   \
        add(&page->text, thing);                                            \
        return finish(page, start);                                         \
    }

ADDER(tot_page_add_table, tot_table, "table", page_table_check, page_table_add)
ADDER(tot_page_add_curves, tot_curves, "curves", page_plot_check, page_figure_add_curves)
ADDER(tot_page_add_frames, tot_frame_strip, "frame strip", page_strip_check, page_figure_add_strip)
ADDER(tot_page_add_heat_map, tot_heat_map, "heat map", page_heat_check, page_figure_add_heat_map)
ADDER(tot_page_add_intervals, tot_intervals, "intervals", page_intervals_check,
      page_figure_add_intervals)

tot_status tot_page_add_settings(tot_page *page, const char *title, const char *const *names,
                                 const char *const *values, size_t count) {
    BASE_FAIL_IF(page == NULL || title == NULL || (count > 0 && (names == NULL || values == NULL)),
                 TOT_E_ARGUMENT, "settings: no %s given",
                 page == NULL    ? "page"
                 : title == NULL ? "title"
                 : names == NULL ? "names"
                                 : "values");
    page_buffer *out = &page->text;
    size_t start = out->length;
    page_add_words(out, "<details><summary>", title, "</summary><dl>\n");
    for (size_t k = 0; k < count; k++) {
        page_add_words(out, "<div><dt>", names[k], "</dt>");
        page_add_words(out, "<dd>", values[k], "</dd></div>\n");
    }
    page_buffer_add(out, "</dl></details>\n");
    return finish(page, start);
}

// --- rows --------------------------------------------------------------------------------------

tot_status tot_page_begin_row(tot_page *page) {
    BASE_FAIL_IF(page == NULL || page->in_row, TOT_E_ARGUMENT,
                 page == NULL ? "row: no page given" : "row: one is begun already");
    BASE_TRY(add_tag(page, "<div class=\"row\">\n"));
    page->in_row = true;
    return TOT_OK;
}

tot_status tot_page_end_row(tot_page *page) {
    BASE_FAIL_IF(page == NULL || !page->in_row, TOT_E_ARGUMENT,
                 page == NULL ? "row: no page given" : "row: none is begun");
    BASE_TRY(add_tag(page, box_ending));
    page->in_row = false;
    return TOT_OK;
}

// --- boxes -------------------------------------------------------------------------------------

tot_status page_begin_box(tot_page *page, page_box box, const char *name, const char *group) {
    static const char *const kinds[] = {[PAGE_BOX_ALIGNMENT] = "alignment",
                                        [PAGE_BOX_CHOICES] = "choices",
                                        [PAGE_BOX_CHOICE] = "choice"};
    BASE_FAIL_IF(page->in_row || page->boxes >= PAGE_BOX_DEPTH, TOT_E_ARGUMENT,
                 "box: begun inside %s", page->in_row ? "a row" : "many");
    const size_t start = page->text.length;
    page_buffer_add_format(&page->text, "<div class=\"%s\"", kinds[box]);
    if (name != NULL) {
        page_add_attribute(&page->text, "data-name", name, "");
    }
    if (group != NULL) {
        page_add_attribute(&page->text, "data-group", group, "");
    }
    page_buffer_add(&page->text, ">\n");
    BASE_TRY(finish(page, start));
    page->boxes++;
    return TOT_OK;
}

tot_status page_end_box(tot_page *page) {
    BASE_FAIL_IF(page->boxes < 1 || page->in_row, TOT_E_ARGUMENT, "box: %s",
                 page->in_row ? "a row is begun" : "none is begun");
    BASE_TRY(add_tag(page, box_ending));
    page->boxes--;
    return TOT_OK;
}

page_place page_here(const tot_page *page) {
    return (page_place){.bytes = page->text.length, .boxes = page->boxes, .in_row = page->in_row};
}

void page_back(tot_page *page, page_place place) {
    page_buffer_truncate(&page->text, place.bytes);
    page->boxes = place.boxes;
    page->in_row = place.in_row;
}

tot_status page_add_links(tot_page *page, const page_link *links, size_t count) {
    const size_t start = page->text.length;
    page_buffer_add(&page->text, "<p>");
    for (size_t k = 0; k < count; k++) {
        page_buffer_add(&page->text, k > 0 ? ", <a href=\"" : "<a href=\"");
        page_add_address(&page->text, links[k].path);
        page_add_element(&page->text, "\">", links[k].words, "</a>");
    }
    page_buffer_add(&page->text, "</p>\n");
    return finish(page, start);
}

// --- output ------------------------------------------------------------------------------------

const char *tot_page_text(tot_page *page) {
    if (page == NULL) {
        return "";
    }
    // after the text, in the reserved space, and not counted as part of it
    char *at = page->text.bytes + page->text.length;
    for (int open = page->boxes + (page->in_row ? 1 : 0); open > 0; open--) {
        memcpy(at, box_ending, sizeof box_ending);
        at += sizeof box_ending - 1;
    }
    memcpy(at, ending, sizeof ending);
    return page->text.bytes;
}

tot_status tot_page_write(tot_page *page, const char *path) {
    BASE_FAIL_IF(page == NULL || path == NULL, TOT_E_ARGUMENT, "page: no %s given",
                 page == NULL ? "page" : "path");
    return file_save_text(path, tot_page_text(page));
}

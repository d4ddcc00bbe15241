// Internal features of pages: nested boxes, undoing additions, links.
#pragma once

#include <temporalot/page.h>

typedef enum page_box {
    PAGE_BOX_ALIGNMENT,  // its strip and heat maps are linked
    PAGE_BOX_CHOICES,    // contains choices, one of which the reader selects
    PAGE_BOX_CHOICE,     // one of the choices
} page_box;

enum { PAGE_BOX_DEPTH = 4 };  // maximum nesting depth

// Elements added between these calls are inside the box. For a choice, name and group are what it
// is selected by; for the box of choices they are the labels of these ("method", "task"). NULL
// otherwise. Without JavaScript all choices are shown, so each must have its own heading.
tot_status page_begin_box(tot_page *page, page_box box, const char *name, const char *group);
tot_status page_end_box(tot_page *page);

// A position in a page to return to, discarding what was added since.
typedef struct page_place {
    size_t bytes;  // of the page up to there
    int boxes;
    bool in_row;
} page_place;

page_place page_here(const tot_page *page);
void page_back(tot_page *page, page_place place);

// Links to files, relative to the page, in one line.
typedef struct page_link {
    const char *words;
    const char *path;
} page_link;

tot_status page_add_links(tot_page *page, const page_link *links, size_t count);

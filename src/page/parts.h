// What pages can do beyond the public functions: boxes around what is added, going back, links.
#pragma once

#include <temporalot/page.h>

typedef enum page_box {
    PAGE_BOX_ALIGNMENT,  // its strip and its heat maps move together
    PAGE_BOX_CHOICES,    // holds choices, of which the reader picks the one that is shown
    PAGE_BOX_CHOICE,     // is one of them
} page_box;

enum { PAGE_BOX_DEPTH = 4 };  // of boxes inside each other

// What is added between these is inside the box. A choice has a name and a group that it is picked
// by; of choices these are what those are called ("method", "task"). NULL elsewhere. Without
// JavaScript all choices are shown, so each says itself what it is.
tot_status page_begin_box(tot_page *page, page_box box, const char *name, const char *group);
tot_status page_end_box(tot_page *page);

// A place in a page to come back to, forgetting what was added since.
typedef struct page_place {
    size_t bytes;  // of the page until there
    int boxes;
    bool in_row;
} page_place;

page_place page_here(const tot_page *page);
void page_back(tot_page *page, page_place place);

// Words that lead to files, as seen from the page, in one line.
typedef struct page_link {
    const char *words;
    const char *path;
} page_link;

tot_status page_add_links(tot_page *page, const page_link *links, size_t count);

// What pages can do beyond the public functions: boxes around what is added, going back, links.
#ifndef TOT_PAGE_PARTS_H
#define TOT_PAGE_PARTS_H

#include <temporalot/page.h>

typedef enum tot_box {
    TOT_BOX_ALIGNMENT,  // its strip and its heat maps move together
    TOT_BOX_CHOICES,    // holds choices, of which the reader picks the one that is shown
    TOT_BOX_CHOICE,     // is one of them
} tot_box;

enum { TOT_BOX_DEPTH = 4 };  // of boxes inside each other

// What is added between these is inside the box. A choice has a name and a group that it is picked
// by; of choices these are what those are called ("method", "task"). NULL elsewhere. Without
// JavaScript all choices are shown, so each says itself what it is.
tot_status tot_page_begin_box(tot_page *page, tot_box box, const char *name, const char *group);
tot_status tot_page_end_box(tot_page *page);

// A place in a page to come back to, forgetting what was added since.
typedef struct tot_page_place {
    size_t bytes;  // of the page until there
    int boxes;
    bool in_row;
} tot_page_place;

tot_page_place tot_page_here(const tot_page *page);
void tot_page_back(tot_page *page, tot_page_place place);

// Words that lead to files, as seen from the page, in one line.
typedef struct tot_link {
    const char *words;
    const char *path;
} tot_link;

tot_status tot_page_add_links(tot_page *page, const tot_link *links, size_t count);

#endif

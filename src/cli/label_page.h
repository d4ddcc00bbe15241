// The page of `temporalot label --page` (and the picture of --svg): a table of the episodes, then
// pictures, reward curve, cost and plan of the first few.
#pragma once

#include <temporalot/temporalot.h>

enum { LABEL_PAGE_EPISODES = 8 };

typedef struct label_page label_page;

// html, svg: paths of the page and the picture; NULL: not requested. They, demos and excerpt must
// outlive the page: pictures are read again from the files, with the excerpt.
tot_status label_page_create(label_page **page, const tot_reward_config *config,
                             const tot_source_list *demos, const tot_excerpt *excerpt,
                             const char *html, const char *svg);

// Adds a labelled episode, in order. Only what the page shows is copied; for the first
// LABEL_PAGE_EPISODES these are the rewards, cost, plan and some pictures.
tot_status label_page_add(label_page *page, const tot_labelled *episode);

// Writes both under temporary names. The SVG has the same curves and matrices, one row per episode.
tot_status label_page_prepare(label_page *page);

// Renames them into place.
tot_status label_page_commit(label_page *page);

// page may be NULL. Files that are not committed are removed.
void label_page_free(label_page *page);

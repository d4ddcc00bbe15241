// The page of `temporalot label --page` (and the picture of --svg): a table of the episodes, then
// pictures, reward curve, cost and plan of the first few.
#pragma once

#include <temporalot/temporalot.h>

enum { LABEL_PAGE_EPISODES = 8 };

typedef struct label_page label_page;

// html, svg: where the page and the picture go; NULL: not wanted. They, demos and excerpt must
// outlive the page: pictures are read from the files again, with the excerpt.
tot_status label_page_create(label_page **page, const tot_reward_config *config,
                             const tot_source_list *demos, const tot_excerpt *excerpt,
                             const char *html, const char *svg);

// One labelled episode, in order. Nothing is kept of it but what the page shows: of the first
// LABEL_PAGE_EPISODES, which have their cost, the rewards, cost, plan and some pictures.
tot_status label_page_add(label_page *page, const tot_labelled *episode);

// Writes both under temporary names. The picture has the same curves and matrices, a row per
// episode.
tot_status label_page_prepare(label_page *page);

// Makes them visible.
tot_status label_page_commit(label_page *page);

// page may be NULL. What was not committed is gone.
void label_page_free(label_page *page);

// The page of `temporalot label --page` (and the picture of --svg): a table of the episodes, then
// pictures, reward curve, cost and plan of the first few.
#pragma once

#include <temporalot/temporalot.h>

enum { LABEL_PAGE_EPISODES = 8 };

typedef struct label_page label_page;

// demos and excerpt must outlive the page: pictures are read from the files again, with the
// excerpt.
tot_status label_page_create(label_page **page, const tot_reward_config *config,
                             const tot_source_list *demos, const tot_excerpt *excerpt);

// One labelled episode, in order. Nothing is kept of it but what the page shows: of the first
// LABEL_PAGE_EPISODES, which have their cost, the rewards, cost, plan and some pictures.
tot_status label_page_add(label_page *page, const tot_labelled *episode);

// Writes the page under a temporary name; tot_file_commit makes it visible.
tot_status label_page_prepare(label_page *page, tot_file **file, const char *path);

// The same curves and matrices as one SVG picture, a row per episode.
tot_status label_page_prepare_svg(label_page *page, tot_file **file, const char *path);

void label_page_free(label_page *page);

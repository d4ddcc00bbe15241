// The page of labelled episodes and the picture of the same: a table of the episodes, then
// pictures, reward curve, cost and plan of the first few.
#pragma once

#include <temporalot/label.h>

enum { LABEL_PAGE_EPISODES = 8 };

typedef struct label_page label_page;

// The paths are those of the options. All must outlive the page: pictures are read again from the
// sources.
tot_status label_page_create(label_page **page, const tot_label_options *options,
                             const tot_label_source *demos, const tot_label_source *episodes);

// Adds a labelled episode, in order. Only what the page shows is copied; for the first
// LABEL_PAGE_EPISODES these are the rewards, cost, plan and some pictures.
tot_status label_page_add(label_page *page, const tot_labelled *episode);

// Writes both under temporary names. The SVG has the same curves and matrices, one row per episode.
tot_status label_page_prepare(label_page *page);

// Renames them into place.
tot_status label_page_commit(label_page *page);

// page may be NULL. Files that are not committed are removed.
void label_page_free(label_page *page);

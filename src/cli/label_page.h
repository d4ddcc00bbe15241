// The page of `temporalot label --page` (and the picture of --svg): a table of the episodes, then
// reward curve, cost and plan of the first few.
#ifndef TOT_CLI_LABEL_PAGE_H
#define TOT_CLI_LABEL_PAGE_H

#include <temporalot/temporalot.h>

enum { LABEL_PAGE_EPISODES = 8 };

typedef struct label_page label_page;

tot_status label_page_create(label_page **page, const tot_reward_config *config);

// One labelled episode, in order. cost and plan may be NULL (and are not looked at past the first
// few). Nothing is kept of the arrays but what the page shows.
tot_status label_page_add(label_page *page, const char *path, const tot_label_info *info,
                          const tot_array *rewards, const tot_array *cost, const tot_array *plan);

// Writes the page under a temporary name; tot_file_commit makes it visible.
tot_status label_page_prepare(label_page *page, tot_file **file, const char *path);

// The same curves and matrices as one SVG picture, a row an episode.
tot_status label_page_prepare_svg(label_page *page, tot_file **file, const char *path);

void label_page_free(label_page *page);

#endif

// The alignment of an episode with a demonstration: both as pictures, with the rewards and the
// matrices they come from.
#pragma once

#include <temporalot/page.h>

typedef struct page_alignment {
    const char *title;       // of the pictures; may be NULL
    const char *plan_title;  // NULL: "Transport plan"
    // Only frames, count, width, height and steps are used; frames NULL: no pictures.
    tot_frame_row demonstration;
    tot_frame_row episode;
    int picture;   // as tot_frame_strip.width
    size_t steps;  // of the episode
    size_t demonstration_steps;
    const double *rewards;   // [steps]; may be NULL
    const double *progress;  // [steps], 0 to 1; may be NULL
    // [steps][demonstration_steps]; each may be NULL. Masked entries are NaN in cost or 0 in mask;
    // without both there is no mask.
    const double *cost;
    const double *mask;
    const double *plan;
} page_alignment;

// For every step of the episode the demonstration step that receives most of its mass; without a
// plan the cheapest one; -1: none. match: [steps], written.
void page_alignment_match(const page_alignment *alignment, int *match);

// Two linked rows of pictures with the rewards below; only a curve of the rewards if the episode
// has no pictures. A curve of the progress follows.
tot_status page_alignment_add_strip(tot_page *page, const page_alignment *alignment);

// Cost, mask and plan side by side with a common cursor; those above the size limit of a heat map
// are omitted.
tot_status page_alignment_add_matrices(tot_page *page, const page_alignment *alignment);

// The rewards (with the alignment's title), the progress and the matrices as panels of an SVG.
tot_status page_svg_add_alignment(tot_svg *svg, const page_alignment *alignment);

// All of the above, linked.
tot_status page_add_alignment(tot_page *page, const page_alignment *alignment);

// An episode laid along a demonstration: both as pictures, the rewards below them, and the matrices
// that say why.
#pragma once

#include <temporalot/page.h>

typedef struct page_alignment {
    const char *title;       // of the pictures; may be NULL
    const char *plan_title;  // NULL: "Transport plan"
    // Of these only frames, count, width, height and steps count; frames NULL: no pictures.
    tot_frame_row demonstration;
    tot_frame_row episode;
    int picture;   // as tot_frame_strip.width
    size_t steps;  // of the episode
    size_t demonstration_steps;
    const double *rewards;   // [steps]; may be NULL
    const double *progress;  // [steps], 0 to 1; may be NULL
    // [steps][demonstration_steps]; each may be NULL. NaN in cost is outside the mask, and so is 0
    // in mask; without either all is inside.
    const double *cost;
    const double *mask;
    const double *plan;
} page_alignment;

// For every step of the episode the demonstration's that most of its mass goes to; without a plan
// the nearest; -1 where there is none. match: [steps], written.
void page_alignment_match(const page_alignment *alignment, int *match);

// The pictures in two rows that move together, the rewards below; only a curve of the rewards where
// the episode has no pictures. Below it a curve of the progress.
tot_status page_alignment_add_strip(tot_page *page, const page_alignment *alignment);

// Cost, mask and plan beside each other, probed together; those larger than a heat map can be are
// left out.
tot_status page_alignment_add_matrices(tot_page *page, const page_alignment *alignment);

// The rewards, titled by the alignment's title, the progress, and the matrices, as parts of a
// picture.
tot_status page_svg_add_alignment(tot_svg *svg, const page_alignment *alignment);

// All of them, moving together.
tot_status page_add_alignment(tot_page *page, const page_alignment *alignment);

// episode.npz of a run: its last labelled episode and the demonstration matched to it, small enough
// to be shown next to those of many other runs.
//
//     episode           number of the episode, from 0
//     success           1: solved at the end
//     rewards           float32 [steps]
//     demo, demos       index of the demonstration, from 0, and the number of demonstrations
//     demo_steps        steps of the demonstration
//     cost, plan        float32 [steps][demo_steps]; NaN outside a band; some methods have no plan
//     mask              uint8 [steps][demo_steps]; absent: no mask
//     frames            uint8 [pictures][height][width][3]; absent: the cost uses no pictures
//     frame_steps       int64 [pictures], the step of each picture
//     demo_frames       the same for the demonstration
//     demo_frame_steps  the same for the demonstration
#pragma once

#include "page/alignment.h"

enum {
    TRAIN_EPISODE_PICTURES = 16,  // maximum pictures per row
    TRAIN_EPISODE_SIDE = 64,      // maximum side of a picture in pixels
    TRAIN_EPISODE_STEPS = 16384,  // maximum steps of an episode or demonstration
};

typedef struct train_episode_pictures {
    size_t count;  // 0: none
    int width, height;
    uint8_t *rgb;  // [count][height][width][3]
    size_t steps[TRAIN_EPISODE_PICTURES];
} train_episode_pictures;

// {0} is an empty one.
typedef struct train_labelled_episode {
    int64_t episode;
    bool solved;
    int64_t demo, demos;
    size_t steps, demo_steps;
    double *rewards;             // [steps]
    double *cost, *mask, *plan;  // [steps][demo_steps]; NULL: none
    train_episode_pictures frames, demo_frames;
} train_labelled_episode;

// Selects pictures of a row and scales them down. pictures must be {0}.
tot_status train_episode_choose_pictures(train_episode_pictures *pictures,
                                         const tot_frame_row *row);

// Atomic. The same episode gives the same bytes.
tot_status train_episode_write(const train_labelled_episode *labelled, const char *path);

// labelled must be {0}, and must be freed even after a failure. Invalid files are rejected before
// memory is allocated; values may be NaN.
tot_status train_episode_read(train_labelled_episode *labelled, const char *path);

void train_episode_free(train_labelled_episode *labelled);

// For display on a page. Borrows from labelled.
page_alignment train_episode_alignment(const train_labelled_episode *labelled);

// "Episode 41, solved at its end, return -8.120: nearest to demonstration 1 of 2."
void train_episode_describe(const train_labelled_episode *labelled, char *text, size_t size);

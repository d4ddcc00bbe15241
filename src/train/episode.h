// episode.npz of a run: its last labelled episode, and the demonstration it was nearest to, small
// enough to be set beside those of many other runs.
//
//     episode           number of the episode, from 0
//     success           1: solved at its end
//     rewards           float32 [steps]
//     demo, demos       number of the demonstration, from 0, and how many there are
//     demo_steps        its steps
//     cost, plan        float32 [steps][demo_steps]; NaN outside a band; a method may have no plan
//     mask              uint8 [steps][demo_steps]; absent: all is inside
//     frames            uint8 [pictures][height][width][3]; absent: the cost needs none
//     frame_steps       int64 [pictures], the steps that they show
//     demo_frames       the demonstration's
//     demo_frame_steps  and theirs
#pragma once

#include "page/alignment.h"

enum {
    TRAIN_EPISODE_PICTURES = 16,  // of a row, at most
    TRAIN_EPISODE_SIDE = 64,      // their pixels, at most
    TRAIN_EPISODE_STEPS = 16384,  // of an episode and a demonstration, at most
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

// Chooses pictures of a row and makes them small. pictures is {0}.
tot_status train_episode_choose_pictures(train_episode_pictures *pictures,
                                         const tot_frame_row *row);

// Whole or absent. The same episode gives the same bytes.
tot_status train_episode_write(const train_labelled_episode *labelled, const char *path);

// labelled is {0}; to be freed also after a failure. What a file cannot mean is refused before
// memory is taken for it; numbers may be NaN.
tot_status train_episode_read(train_labelled_episode *labelled, const char *path);

void train_episode_free(train_labelled_episode *labelled);

// As a page shows it. Borrows from labelled.
page_alignment train_episode_alignment(const train_labelled_episode *labelled);

// "Episode 41, solved at its end, return -8.120: nearest to demonstration 1 of 2."
void train_episode_describe(const train_labelled_episode *labelled, char *text, size_t size);

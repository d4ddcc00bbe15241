// A diagnosis as it is played: what diagnosis.c fills, diagnosis_course.c measures, and
// diagnosis_words.c says.
#pragma once

#include <temporalot/diagnosis.h>

#include "study/references.h"

enum {
    STUDY_HAND = 0,  // places in an observation
    STUDY_FINGERS = 3,
    STUDY_OBJECT = 4,
    STUDY_SECOND = 11,
    STUDY_DIAGNOSIS_ROWS = 1 + TOT_REFERENCE_SHIFT
};

// One episode, frame by frame.
typedef struct study_track {
    double *observations;  // [frames + 1][TOT_OBSERVATION]
    bool success;          // at its last frame
    int64_t solved;        // first frame of success; -1: never
    int64_t demo;          // the demonstration that the reward laid it along
    double sum;            // of rewards; NaN: none
} study_track;

struct tot_diagnosis {
    tot_diagnosis_settings settings;
    char *folder;                // of the run
    tot_player *player;          // owns config, policy and task
    tot_references *references;  // played, with the demonstrations
    int64_t frames;              // of an episode
    int64_t repeat;              // frames of an agent step
    study_track *policy;         // [goals]
    study_track *others;         // [tot_references_count]
    tot_diagnosis_row rows[STUDY_DIAGNOSIS_ROWS];
    tot_diagnosis_episode *episodes;  // [goals]
    double follows;
    double evaluated;
};

// diagnosis_course.c: the numbers of all episodes of the policy, from the tracks and the rows.
void study_diagnosis_measure(tot_diagnosis *diagnosis);

// The bent demonstration to compare with on a goal: of those that solve it the one that earns most.
// NULL: none solves it.
const study_track *study_diagnosis_bent(const tot_diagnosis *diagnosis, int64_t goal);

// Whether closing the fingers decides: bent demonstrations solve goals that open hands do not.
bool study_diagnosis_grips(const tot_diagnosis *diagnosis);

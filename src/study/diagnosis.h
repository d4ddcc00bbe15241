// A diagnosis: diagnosis.c plays the episodes, diagnosis_course.c measures them, and
// diagnosis_words.c puts the results into words.
#pragma once

#include <temporalot/diagnosis.h>

#include "study/references.h"

enum {
    STUDY_HAND = 0,  // indices in an observation
    STUDY_FINGERS = 3,
    STUDY_OBJECT = 4,
    STUDY_SECOND = 11,
    STUDY_DIAGNOSIS_ROWS = 1 + TOT_REFERENCE_SHIFT
};

// One episode, frame by frame.
typedef struct study_track {
    double *observations;  // [frames + 1][TOT_OBSERVATION]
    bool success;          // at its last frame
    int64_t solved;        // first successful frame; -1: never
    int64_t demo;          // index of the demonstration it was matched with
    double sum;            // sum of rewards; NaN: none
} study_track;

struct tot_diagnosis {
    tot_diagnosis_settings settings;
    char *folder;                // of the run
    tot_player *player;          // owns config, policy and task
    tot_references *references;  // includes the demonstrations
    int64_t frames;              // per episode
    int64_t repeat;              // frames per agent step
    study_track *policy;         // [goals]
    study_track *others;         // [tot_references_count]
    tot_diagnosis_row rows[STUDY_DIAGNOSIS_ROWS];
    tot_diagnosis_episode *episodes;  // [goals]
    double follows;
    double evaluated;
};

// diagnosis_course.c: computes the rows, and the measurements of all episodes of the policy.
void study_diagnosis_measure(tot_diagnosis *diagnosis);

// The bent demonstration to compare with on a goal: the one with the largest return among those
// that solve it. NULL: none does.
const study_track *study_diagnosis_bent(const tot_diagnosis *diagnosis, int64_t goal);

// The largest return of a policy on a goal.
double study_diagnosis_best(const tot_diagnosis *diagnosis, tot_reference policy, int64_t goal);

// temporalot/diagnosis.h - why does a trained policy fail? Compares its episodes with reference
// episodes on the same goals under the same reward, and reports what hand, fingers and objects did.
//
//     #include <stdio.h>
//     #include <temporalot/diagnosis.h>
//
//     int main(void) {
//         tot_diagnosis *diagnosis = NULL;
//         char text[1024];
//         if (tot_diagnosis_run(&diagnosis, "runs/first", NULL) != TOT_OK) {
//             printf("%s\n", tot_error());
//             return 0;
//         }
//         printf("%s\n", tot_diagnosis_verdict(diagnosis, text, sizeof text));
//         tot_diagnosis_free(diagnosis);
//         return 0;
//     }
#ifndef TEMPORALOT_DIAGNOSIS_H
#define TEMPORALOT_DIAGNOSIS_H

#include <temporalot/page.h>
#include <temporalot/study.h>
#include <temporalot/train.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tot_diagnosis_settings {
    int64_t goals;   // goals to play, the first ones of the last evaluation, 1 .. 1000
    tot_pool *pool;  // may be NULL
    // Called after every episode; may be NULL. Returning false stops with TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
} tot_diagnosis_settings;

// 8 goals, no pool.
TOT_API void tot_diagnosis_defaults(tot_diagnosis_settings *settings);

typedef struct tot_diagnosis tot_diagnosis;

// Plays the policy of a run's newest checkpoint (mean action) and the reference episodes of study.h
// on the goals of the run's last evaluation, and labels all of them with the run's reward. Writes
// nothing and takes no lock. settings may be NULL (defaults). TOT_E_ARGUMENT: the run's
// demonstrations are videos, which cannot be bent to other goals, or its horizon differs from the
// task's; the message names the field. TOT_E_VALUE: the demonstrations are not the scripted
// expert's.
TOT_API tot_status tot_diagnosis_run(tot_diagnosis **diagnosis, const char *folder,
                                     const tot_diagnosis_settings *settings);

// --- rewards per kind of episode ---------------------------------------------------------------

typedef struct tot_diagnosis_row {
    const char *name;  // "policy", then the names of tot_reference_name
    const char *help;  // a short description
    int64_t episodes;
    double success;  // success rate
    double sum;      // mean return (sum of rewards); NaN: the method does not compare with
                     // demonstrations
    double best;     // mean return of the best episode on each goal (there is one per
                     // demonstration)
} tot_diagnosis_row;

// The policy, then bent, replay, open, short, expert, random.
TOT_API size_t tot_diagnosis_row_count(const tot_diagnosis *diagnosis);
TOT_API const tot_diagnosis_row *tot_diagnosis_row_at(const tot_diagnosis *diagnosis, size_t index);

// --- behaviour of the policy -------------------------------------------------------------------

// How an episode of the policy failed: the first thing that went wrong.
typedef enum tot_failure {
    TOT_FAILURE_NONE,       // success at the last frame
    TOT_FAILURE_ELSEWHERE,  // the hand goes to where a demonstration met its object
    TOT_FAILURE_SHORT,      // the hand does not reach the object
    TOT_FAILURE_GRIP,       // it does, but the fingers do not close, although the task requires it
    TOT_FAILURE_TOUCH,      // it does, but the object does not move
    TOT_FAILURE_CARRY,      // the object moves, but not to where it should
    TOT_FAILURE_END,        // solved on the way, but no longer at the end
    TOT_FAILURES
} tot_failure;

TOT_API const char *tot_failure_name(tot_failure failure);  // "solved", "elsewhere", "short", ...

// An episode of the policy. The "meeting place" is the position of the demonstration's hand
// relative to the object when it first moves it. Lengths are in metres.
typedef struct tot_diagnosis_episode {
    int64_t goal;  // index in the evaluation
    bool success;  // at the last frame
    tot_failure failure;
    double sum;           // return (sum of rewards); NaN: the method does not compare with
                          // demonstrations
    double bent;          // highest return of a bent demonstration that solves the goal; NaN: none
                          // does
    int64_t demo;         // the demonstration that the reward matched the episode to
    int64_t elsewhere;    // the demonstration whose meeting place it goes to; -1: none
    int64_t contact;      // agent step at which the demonstration reaches its object
    int64_t nearest;      // agent step at which the hand is closest to the meeting place
    double offset[3];     // of the hand from the meeting place at that step: right, up, towards the
                          // camera
    double distance;      // the length of offset
    double at_contact;    // distance at the step `contact`
    double opening;       // smallest finger opening within 5 cm of the meeting place; NaN: never
                          // that close
    double demo_opening;  // the demonstration's smallest opening from shortly before contact to
                          // success
    double moved;         // largest displacement of the (first) object
    double wanted;        // the same for the bent demonstration, else for the demonstration
    double carried;       // fraction of the way to its target that the last object has been moved
    double follows;       // how much the hand at contact shifts with the object, relative to the
                          // demonstration: 0 not at all, 1 by as much as the object; NaN: the
                          // objects are within 3 cm
} tot_diagnosis_episode;

TOT_API size_t tot_diagnosis_episode_count(const tot_diagnosis *diagnosis);
TOT_API const tot_diagnosis_episode *tot_diagnosis_episode_at(const tot_diagnosis *diagnosis,
                                                              size_t index);

// One line: "stops 6.1 cm from the object at step 31, ...". Returns text.
TOT_API const char *tot_diagnosis_describe(const tot_diagnosis *diagnosis, size_t index, char *text,
                                           size_t size);

// --- conclusions -------------------------------------------------------------------------------

// Regression over all goals of the hand's position at contact on the object's: 1 if the hand goes
// to the object, 0 if it goes to the same place wherever the object is. NaN: fewer than 3 goals, or
// all objects within 1 cm.
TOT_API double tot_diagnosis_follows(const tot_diagnosis *diagnosis);

// A few sentences: does the reward favour solving the task, and what does the policy do instead?
// Returns text.
TOT_API const char *tot_diagnosis_verdict(const tot_diagnosis *diagnosis, char *text, size_t size);

// The settings of the run, and the number of agent steps the policy was trained for.
TOT_API const tot_train_config *tot_diagnosis_config(const tot_diagnosis *diagnosis);
TOT_API int64_t tot_diagnosis_step(const tot_diagnosis *diagnosis);

// Success rate of the last evaluation before that, over all its episodes; NaN: there was none.
TOT_API double tot_diagnosis_evaluated(const tot_diagnosis *diagnosis);

// --- trajectories ------------------------------------------------------------------------------

typedef enum tot_course_of {
    TOT_COURSE_POLICY,
    TOT_COURSE_DEMO,  // the demonstration that the reward matched the episode to, on its own goal
    TOT_COURSE_BENT,  // a demonstration bent to this goal: of those that solve it the one with the
                      // highest return, else the one above
} tot_course_of;

// Observations of an episode (tot_diagnosis_episode_at), before every agent step and after the
// last: [*steps + 1][TOT_OBSERVATION], with *stride values from one to the next. NULL if there is
// no such episode.
TOT_API const double *tot_diagnosis_course(const tot_diagnosis *diagnosis, size_t index,
                                           tot_course_of of, int64_t *steps, int64_t *stride);

// Writes the run's report (as tot_train does, from the current content of its folder) with the
// diagnosis added: verdict, both tables, and the trajectories of a failed and a solved episode.
// path may be the run's own report.html.
TOT_API tot_status tot_diagnosis_write(const tot_diagnosis *diagnosis, const char *path);

// diagnosis may be NULL.
TOT_API void tot_diagnosis_free(tot_diagnosis *diagnosis);

#ifdef __cplusplus
}
#endif
#endif

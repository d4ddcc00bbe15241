// temporalot/diagnosis.h - why does a trained policy fail? Its episodes beside reference episodes
// on the same goals with the same reward, and what hand, fingers and objects did in them.
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
    int64_t goals;   // the first so many of the last evaluation, 1 .. 1000
    tot_pool *pool;  // may be NULL
    // Called after every episode; may be NULL. False stops, with TOT_E_INTERRUPTED.
    bool (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
} tot_diagnosis_settings;

// 8 goals, no pool.
TOT_API void tot_diagnosis_defaults(tot_diagnosis_settings *settings);

typedef struct tot_diagnosis tot_diagnosis;

// Plays the policy of a run's newest checkpoint (mean action) on the goals of its last evaluation,
// and the reference episodes of study.h on the same goals, and rewards all of them as the run does.
// Nothing is written, and no lock is taken. settings may be NULL (the defaults).
// TOT_E_ARGUMENT: the run's demonstrations are videos, which cannot be bent to other goals, or its
// episodes have another horizon than the task's; the field is named. TOT_E_VALUE: demonstrations
// that are not the scripted expert's.
TOT_API tot_status tot_diagnosis_run(tot_diagnosis **diagnosis, const char *folder,
                                     const tot_diagnosis_settings *settings);

// --- what each kind of episode earns -----------------------------------------------------------

typedef struct tot_diagnosis_row {
    const char *name;  // "policy", then those of tot_reference_name
    const char *help;  // in a few words
    int64_t episodes;
    double success;  // share of them
    double sum;      // mean sum of rewards; NaN: the method compares nothing
    double best;     // the same of the best episode on each goal (one a demonstration)
} tot_diagnosis_row;

// The policy, then bent, replay, open, short, expert, random.
TOT_API size_t tot_diagnosis_row_count(const tot_diagnosis *diagnosis);
TOT_API const tot_diagnosis_row *tot_diagnosis_row_at(const tot_diagnosis *diagnosis, size_t index);

// --- what the policy did -----------------------------------------------------------------------

// How far an episode of the policy came; the first thing that went wrong.
typedef enum tot_failure {
    TOT_FAILURE_NONE,       // solved at its last frame
    TOT_FAILURE_ELSEWHERE,  // the hand goes to where a demonstration met its object
    TOT_FAILURE_SHORT,      // the hand does not come to the object
    TOT_FAILURE_GRIP,       // it does, but its fingers do not close, and closing them matters
    TOT_FAILURE_TOUCH,      // it does, and the object does not move
    TOT_FAILURE_CARRY,      // the object moves, but not to where it should
    TOT_FAILURE_END,        // solved on the way, and not any more at the end
    TOT_FAILURES
} tot_failure;

TOT_API const char *tot_failure_name(tot_failure failure);  // "solved", "elsewhere", "short", ...

// An episode of the policy. "The meeting place" is where the demonstration's hand is relative to
// the object when it first moves it. Lengths in metres.
typedef struct tot_diagnosis_episode {
    int64_t goal;  // of the evaluation
    bool success;  // at the last frame
    tot_failure failure;
    double sum;           // of rewards; NaN: the method compares nothing
    double bent;          // the best of a bent demonstration that solves the goal; NaN: none does
    int64_t demo;         // the demonstration that the reward laid it along
    int64_t elsewhere;    // the demonstration whose place it goes to; -1: none
    int64_t contact;      // agent step at which the demonstration meets its object
    int64_t nearest;      // agent step at which the hand is nearest to the meeting place
    double offset[3];     // from there, at that step: right, up, and towards the camera
    double distance;      // the length of that
    double at_contact;    // distance at the step at which the demonstration is there
    double opening;       // of the fingers, the least within 5 cm of the meeting place; NaN: never
    double demo_opening;  // the demonstration's, from contact to success
    double moved;         // the farthest that the object (the first) was moved
    double wanted;        // the same of the bent demonstration, or of the demonstration
    double carried;       // share of the way that the last object makes to where it should end
    double follows;       // of the way from the demonstration's object to this one, how much the
                          // hand goes along with, 0 .. 1, at contact; NaN: they are within 3 cm
} tot_diagnosis_episode;

TOT_API size_t tot_diagnosis_episode_count(const tot_diagnosis *diagnosis);
TOT_API const tot_diagnosis_episode *tot_diagnosis_episode_at(const tot_diagnosis *diagnosis,
                                                              size_t index);

// One line: "stops 6.1 cm from the object at step 31, ...". Returns text.
TOT_API const char *tot_diagnosis_describe(const tot_diagnosis *diagnosis, size_t index, char *text,
                                           size_t size);

// --- what it comes to --------------------------------------------------------------------------

// Over all goals, how much the hand's place at contact changes with the object's: 1 where it goes
// to the object, 0 where it goes to the same place wherever the object is. NaN: fewer than 3 goals,
// or objects that are all within 1 cm.
TOT_API double tot_diagnosis_follows(const tot_diagnosis *diagnosis);

// A few sentences: does the reward want the task, and what does the policy do instead? Returns
// text.
TOT_API const char *tot_diagnosis_verdict(const tot_diagnosis *diagnosis, char *text, size_t size);

// The settings of the run, and the agent steps after which the policy was taken.
TOT_API const tot_train_config *tot_diagnosis_config(const tot_diagnosis *diagnosis);
TOT_API int64_t tot_diagnosis_step(const tot_diagnosis *diagnosis);

// Success in the last evaluation before that, of all its episodes; NaN: there was none.
TOT_API double tot_diagnosis_evaluated(const tot_diagnosis *diagnosis);

// --- courses -----------------------------------------------------------------------------------

typedef enum tot_course_of {
    TOT_COURSE_POLICY,
    TOT_COURSE_DEMO,  // the demonstration that the reward laid the episode along, on its own goal
    TOT_COURSE_BENT,  // a demonstration bent to this goal: the one that earns most of those that
                      // solve it, else the one above
} tot_course_of;

// Observations before every agent step and after the last of an episode (tot_diagnosis_episode_at):
// [*steps + 1][TOT_OBSERVATION], one every *stride numbers. NULL where there is no such episode.
TOT_API const double *tot_diagnosis_course(const tot_diagnosis *diagnosis, size_t index,
                                           tot_course_of of, int64_t *steps, int64_t *stride);

// Writes the page of the run (as tot_train does, from what its folder holds now) with the diagnosis
// in it: verdict, both tables, and the courses of an episode that fails and one that is solved.
// path may be the run's own report.html.
TOT_API tot_status tot_diagnosis_write(const tot_diagnosis *diagnosis, const char *path);

// diagnosis may be NULL.
TOT_API void tot_diagnosis_free(tot_diagnosis *diagnosis);

#ifdef __cplusplus
}
#endif
#endif

// The paper's tables and figures, and later comparisons: one entry each.
#include "base/base.h"
#include "study/paper.h"
#include "study/reproduce.h"

// The paper's figures have no numbers, and not all of them name their tasks. Where the text names
// some, these are used, otherwise those of the speed table.
#define SPEED_TASKS STUDY_SPEED_TASKS(",")

// TemporalOT without one of the preset's parts.
#define PART(setting) "method: temporalot\n" setting

static const study_entry studies[] = {
    {.name = "table1",
     .title = "Success on nine tasks, seven methods",
     .shows = "The paper's main table: final success from two demonstrations, without task rewards "
              "except for taskreward.",
     .paper = "table1",
     .columns = "method",
     .tasks = STUDY_TABLE1_TASKS(","),
     .grids = {"method: [taskreward, bc, gaifo]", "method: ot\ndiscount: [0.99, 0.9]",
               "method: [ads, temporalot]"}},
    {.name = "components",
     .title = "Without the mask, without the context",
     .shows = "What each of TemporalOT's two components contributes: in the paper removing either "
              "hurts, the mask more on door-open, the context more on stick-push.",
     .columns = "method",
     .tasks = "door-open,stick-push",
     .grids = {"method: [temporalot, temporalot-no-mask, temporalot-no-context]"}},
    {.name = "parameters",
     .title = "Context length, mask width, number of demonstrations",
     .shows = "In the paper a medium context and a medium mask do best, and more demonstrations "
              "help.",
     .tasks = "door-open",
     .grids = {"method: temporalot\ncontext: [1, 3, 5, 10]",
               "method: temporalot\nmask: [band:3, band:10, band:20, band:40]",
               "method: temporalot\ndemos: [1, 2, 5, 10]"}},
    {.name = "pixels",
     .title = "The agent observes pixels",
     .shows = "TemporalOT compared with ADS when the agent observes pixels too: in the paper it "
              "converges faster, or ends higher, or both.",
     .columns = "method",
     .tasks = SPEED_TASKS,
     .grids = {"method: [ads, temporalot]\nobs: pixels"}},
    {.name = "encoders",
     .title = "Other encoders",
     .shows = "In the paper ResNet-50 and ResNet-152 perform alike, and ResNet-18 is weaker.",
     .columns = "encoder",
     .tasks = "door-open",
     .grids = {"method: temporalot\nencoder: [mobilenetv2, resnet18, resnet50, resnet152]"}},
    {.name = "mask",
     .title = "A mask that follows the episode",
     .shows = "In the paper the dynamic mask does slightly better than the fixed band.",
     .columns = "method",
     .tasks = SPEED_TASKS,
     .grids = {"method: [temporalot, dynamic]"}},
    {.name = "speed",
     .title = "Demonstrations that are faster than the agent",
     .shows = "Every N-th frame of the demonstrations is kept: success falls as they become faster "
              "than the agent.",
     .paper = "speed",
     .columns = "demo_speed",
     .tasks = SPEED_TASKS,
     .grids = {"method: temporalot\ndemo_speed: [1, 2, 3, 4]"}},
    {.name = "pretrain",
     .title = "Behaviour cloning first",
     .shows = "TemporalOT-P starts with behaviour cloning of the demonstrations' actions, and "
              "needs fewer steps.",
     .paper = "pretrain",
     .columns = "method",
     .tasks = "door-open",
     .grids = {"method: [bc, temporalot, temporalot-p]"}},
    {.name = "curves",
     .title = "Success over the course of training",
     .shows = "The runs of table1 at every evaluation.",
     .columns = "method",
     .tasks = STUDY_TABLE1_TASKS(","),
     .grids = {"method: [taskreward, bc, gaifo]", "method: ot\ndiscount: [0.99, 0.9]",
               "method: [ads, temporalot]"}},
    {.name = "parts",
     .title = "The preset standard with parts taken away",
     .shows = "What each setting of the preset standard that the paper does not have contributes: "
              "every column lacks one of them.",
     .tasks = "button-press-topdown,window-open",
     .grids = {"method: temporalot", PART("view: fitted"), PART("observation: raw"),
               PART("clock: off"), PART("whiten: off"), PART("center: off"), PART("demo_choose: 1"),
               PART("end_value: bootstrap"), PART("still_share: 0"), PART("best_share: 0"),
               PART("grip_reflex: 0"), PART("grip_noise: 1\ngrip_correlation: 0"),
               PART("noise_correlation: 0"), PART("layer_norm: off"), PART("updates: 1"),
               PART("learning_rate_end: 1")}},
    {.name = "rewards",
     .title = "Why order matters to a reward",
     .shows = "Rewards of a good and a bad episode, of the same frames in another order, and of "
              "the same first steps with another end.",
     .tasks = "basketball",
     .kind = STUDY_REWARDS},
    {.name = "bad-cases",
     .title = "Episodes that fail",
     .shows = "Failed episodes of the trained policies beside the demonstration they were compared "
              "with, and which frames the plan matched.",
     .kind = STUDY_CASES},
    {.name = "beyond",
     .title = "Rewards published since",
     .shows = "Later rewards beside OT and TemporalOT, on demonstrations as they are and on "
              "temporally misaligned ones (ORCA's protocol: parts of them sped up or slowed down).",
     .tasks = "door-open,window-open",
     .grids = {"method: [temporalot, ot, orca, dtw, soft-dtw, min-distance, segment, threshold]"},
     .misaligned = true},
};

enum { STUDY_COUNT = BASE_LENGTH(studies) };

size_t study_count(void) {
    return STUDY_COUNT;
}

const study_entry *study_at(size_t index) {
    return index < STUDY_COUNT ? &studies[index] : NULL;
}

tot_status study_find(const study_entry **study, const char *name) {
    *study = BASE_FIND_ROW("table or figure", name, studies);
    return *study != NULL ? TOT_OK : TOT_E_ARGUMENT;
}

// Meta-world's benchmarks: their tasks, and the goals that a seed gives each.
#include "base/base.h"
#include "world/mersenne.h"
#include "world/tasks.h"

// In Meta-world's order, which is also that of the one-hot task identity. MT10 is the first ten,
// ML25 trains on all of them. ML45 has its own order.
static const char *const mt25[] = {"reach",
                                   "push",
                                   "pick-place",
                                   "door-open",
                                   "drawer-open",
                                   "drawer-close",
                                   "button-press-topdown",
                                   "peg-insert-side",
                                   "window-open",
                                   "window-close",
                                   "coffee-pull",
                                   "pick-out-of-hole",
                                   "disassemble",
                                   "pick-place-wall",
                                   "basketball",
                                   "stick-pull",
                                   "button-press-wall",
                                   "faucet-open",
                                   "door-lock",
                                   "lever-pull",
                                   "sweep-into",
                                   "faucet-close",
                                   "coffee-button",
                                   "button-press-topdown-wall",
                                   "dial-turn"};

// Runs of tasks that MT50 and ML45 share.
#define BUTTONS_TO_DISASSEMBLE                                                                \
    "button-press-topdown", "button-press-topdown-wall", "button-press", "button-press-wall", \
        "coffee-button", "coffee-pull", "coffee-push", "dial-turn", "disassemble"
#define DRAWERS_TO_HOLE                                                                          \
    "drawer-close", "drawer-open", "faucet-open", "faucet-close", "hammer", "handle-press-side", \
        "handle-press", "handle-pull-side", "handle-pull", "lever-pull", "pick-place-wall",      \
        "pick-out-of-hole"
#define PLATES_TO_STICKS                                                            \
    "plate-slide", "plate-slide-side", "plate-slide-back", "plate-slide-back-side", \
        "peg-insert-side", "peg-unplug-side", "soccer", "stick-push", "stick-pull"

static const char *const mt50[] = {
    "assembly",      "basketball",  "bin-picking",    "box-close",   BUTTONS_TO_DISASSEMBLE,
    "door-close",    "door-lock",   "door-open",      "door-unlock", "hand-insert",
    DRAWERS_TO_HOLE, "pick-place",  PLATES_TO_STICKS, "push",        "push-wall",
    "push-back",     "reach",       "reach-wall",     "shelf-place", "sweep-into",
    "sweep",         "window-open", "window-close"};

static const char *const ml10_train[] = {"reach",           "push",         "pick-place",
                                         "door-open",       "drawer-close", "button-press-topdown",
                                         "peg-insert-side", "window-open",  "sweep",
                                         "basketball"};

static const char *const ml10_test[] = {"drawer-open", "door-close", "shelf-place", "sweep-into",
                                        "lever-pull"};

static const char *const ml25_test[] = {"basketball", "door-close", "shelf-place", "sweep",
                                        "button-press"};

static const char *const ml45_train[] = {"assembly",   "basketball",  BUTTONS_TO_DISASSEMBLE,
                                         "door-close", "door-open",   DRAWERS_TO_HOLE,
                                         "push-back",  "pick-place",  PLATES_TO_STICKS,
                                         "push-wall",  "push",        "reach-wall",
                                         "reach",      "shelf-place", "sweep-into",
                                         "sweep",      "window-open", "window-close"};

static const char *const ml45_test[] = {"bin-picking", "box-close", "hand-insert", "door-lock",
                                        "door-unlock"};

#define FAMILY(label, list, size, hidden) \
    { .name = label, .tasks = list, .count = size, .goal_hidden = hidden }
#define WHOLE(label, list, hidden) FAMILY(label, list, sizeof list / sizeof list[0], hidden)

static const tot_family families[] = {
    FAMILY("MT10", mt25, 10, false),     WHOLE("MT25", mt25, false),
    WHOLE("MT50", mt50, false),          WHOLE("ML10-train", ml10_train, true),
    WHOLE("ML10-test", ml10_test, true), WHOLE("ML25-train", mt25, true),
    WHOLE("ML25-test", ml25_test, true), WHOLE("ML45-train", ml45_train, true),
    WHOLE("ML45-test", ml45_test, true),
};

enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

size_t tot_family_count(void) {
    return FAMILY_COUNT;
}

const tot_family *tot_family_at(size_t index) {
    return index < FAMILY_COUNT ? &families[index] : NULL;
}

tot_status tot_family_find(const tot_family **family, const char *name) {
    BASE_NEED(family, name);
    *family = BASE_FIND_ROW("family", name, families);
    return *family != NULL ? TOT_OK : TOT_E_ARGUMENT;
}

// --- goals -------------------------------------------------------------------------------------

// np.random.uniform(low, high), repeated while object and goal are too close.
static void draw_goal(const world_task_definition *definition, const tot_task_info *info,
                      world_mersenne *generator, double *goal) {
    do {
        for (int k = 0; k < info->draw_length; k++) {
            const double width = info->draw_high[k] - info->draw_low[k];
            goal[k] = info->draw_low[k] + width * world_mersenne_uniform(generator);
        }
    } while (world_too_near(definition, info, goal));
}

// Meta-world resets its environment once per goal, and a reset draws twice.
static tot_status draw_goals(const char *task, world_mersenne *generator, double *goals) {
    const world_task_definition *definition = world_task_definition_find(task);
    if (definition == NULL) {
        return TOT_E_ARGUMENT;
    }
    const tot_task_info info = world_task_info(definition, true);
    memset(goals, 0, TOT_GOALS * TOT_MAX_DRAW * sizeof *goals);
    for (int k = 0; k < TOT_GOALS; k++) {
        double *goal = goals + TOT_MAX_DRAW * k;
        draw_goal(definition, &info, generator, goal);
        draw_goal(definition, &info, generator, goal);
    }
    return TOT_OK;
}

tot_status tot_task_goals(const char *task, uint32_t seed, double *goals) {
    BASE_NEED(task, goals);
    world_mersenne generator;
    world_mersenne_seed(&generator, seed);
    return draw_goals(task, &generator, goals);
}

tot_status tot_family_goals(const tot_family *family, uint32_t seed, double *goals) {
    BASE_NEED(family, goals);
    world_mersenne generator;
    world_mersenne_seed(&generator, seed);
    for (size_t k = 0; k < family->count; k++) {
        BASE_TRY(draw_goals(family->tasks[k], &generator, goals + TOT_GOALS * TOT_MAX_DRAW * k));
    }
    return TOT_OK;
}

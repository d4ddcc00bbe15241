// The training methods, by name.

#include <temporalot/train.h>

#include "base/base.h"

// methods that are more than a reward function
static const tot_train_method special[] = {
    {.name = "taskreward",
     .help = "1 when the task is solved, else 0, or Meta-world's dense reward; no demonstrations",
     .task_reward = true,
     .acts = true},
    {.name = "bc", .help = "behaviour cloning of the demonstrations' actions", .clones = true},
    {.name = "gaifo",
     .help = "a discriminator between the demonstrations' observations and the agent's",
     .acts = true,
     .discriminates = true},
    {.name = "ads",
     .help = "ot with a discount that grows as the agent follows the demonstrations further",
     .reward = "ot",
     .acts = true,
     .schedules = true,
     .compares = true},
    {.name = "temporalot-p",
     .help = "behaviour cloning first, then temporalot",
     .reward = "temporalot",
     .clones = true,
     .acts = true,
     .compares = true},
    {.name = "temporalot-bc",
     .help = "behaviour cloning first, then temporalot with a behaviour cloning term in the "
             "actor's loss that fades as the agent improves",
     .reward = "temporalot",
     .clones = true,
     .acts = true,
     .imitates = true,
     .compares = true},
};

enum { SPECIAL_COUNT = BASE_LENGTH(special), MOST_METHODS = 64 };

size_t tot_train_method_count(void) {
    return SPECIAL_COUNT + tot_method_count();
}

const tot_train_method *tot_train_method_at(size_t index) {
    static _Thread_local tot_train_method row;
    if (index < SPECIAL_COUNT) {
        return &special[index];
    }
    const tot_method *reward = tot_method_at(index - SPECIAL_COUNT);
    if (reward == NULL) {
        return NULL;
    }
    row = (tot_train_method){.name = tot_method_name(reward),
                             .help = tot_method_help(reward),
                             .reward = tot_method_name(reward),
                             .acts = true,
                             .compares = true};
    return &row;
}

tot_status tot_train_method_find(tot_train_method *method, const char *name) {
    BASE_NEED(method, name);
    const char *names[MOST_METHODS] = {0};
    size_t count = 0;
    for (; count < tot_train_method_count() && count < MOST_METHODS; count++) {
        const tot_train_method *row = tot_train_method_at(count);
        names[count] = row->name;
        if (strcmp(row->name, name) == 0) {
            *method = *row;
            return TOT_OK;
        }
    }
    return base_fail_unknown(name, names, count, "method: '%s' is not known", name);
}

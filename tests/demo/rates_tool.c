// Success rate of a task's expert: one row of docs/experts.csv.
//   rates_tool                   every task: name, camera, horizon, hold
//   rates_tool header            the names of the columns
//   rates_tool TASK EPISODES     task, camera, horizon, episodes; number of episodes with success
//                                at some frame and at the last one, without and with hold; hold
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/trajectory.h"

typedef struct tally {
    int ever, ended;
} tally;

static void check(tot_status status) {
    if (status != TOT_OK) {
        fprintf(stderr, "rates_tool: %s\n", tot_error());
        exit(1);
    }
}

static tot_status look(void *context, const tot_world *world, int64_t step, const float *action) {
    (void)step;
    bool *ever = context;
    *ever = *ever || (action != NULL && tot_world_success(world));
    return TOT_OK;
}

static void play(tot_world *world, bool hold, tally *seen) {
    tot_expert expert = {.hold = hold};
    const tot_policy policy = tot_policy_holding(&expert);
    bool ever = false;
    // a diverged simulation counts as a failed episode
    const tot_status status = tot_play(world, &policy, -1, look, &ever);
    check(status == TOT_E_PHYSICS ? TOT_OK : status);
    seen->ever += ever;
    seen->ended += tot_world_success(world);
}

static tally count(const tot_task *task, bool hold, int episodes) {
    tally seen = {0};
    tot_world *world = NULL;
    check(tot_world_create(&world, task, NULL));
    for (int k = 0; k < episodes; k++) {
        check(tot_world_reset(world, 0, (uint64_t)k));
        play(world, hold, &seen);
    }
    tot_world_free(world);
    return seen;
}

// Whether `demo collect` holds, and how.
static const char *hold_of(const tot_task_info *info) {
    return info->lift ? "lift" : info->hold ? "yes" : "no";
}

static void print_row(const char *name, int episodes) {
    tot_task *task = NULL;
    check(tot_task_load(&task, name, NULL));
    const tot_task_info *info = tot_task_information(task);
    const tally off = count(task, false, episodes);
    const tally on = count(task, true, episodes);
    printf("%s,%s,%d,%d,%d,%d,%d,%s\n", info->name, info->camera, info->horizon, episodes, off.ever,
           off.ended, on.ended, hold_of(info));
    tot_task_free(task);
}

int main(int argc, char **argv) {
    const int episodes = argc == 3 ? atoi(argv[2]) : 0;
    if (argc == 1) {
        for (size_t k = 0; k < tot_task_count(); k++) {
            const tot_task_info *info = tot_task_at(k);
            printf("%s,%s,%d,%s\n", info->name, info->camera, info->horizon, hold_of(info));
        }
    } else if (argc == 2 && strcmp(argv[1], "header") == 0) {
        puts("task,camera,horizon,episodes,ever,ended,ended_with_hold,hold");
    } else if (episodes >= 1) {
        print_row(argv[1], episodes);
    } else {
        fprintf(stderr, "usage: rates_tool [header | TASK EPISODES]\n");
        return 2;
    }
    return 0;
}

// The C side of bent.py: reads commands from standard input, answers in binary.
//   D byte hold, doubles rand_vec  runs the expert from this draw: the demonstration from now on
//   B doubles rand_vec             the demonstration bent to this draw
//   O doubles rand_vec             the same with fingers that never close
//   R doubles rand_vec             its actions replayed
// Every answer is int32 frames, contact, success (first frame), frames x 4 floats (actions), 39
// doubles (the last observation), 1 byte (success at the end).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/bent.h"

static tot_task *task;
static tot_world *world;
static study_bent_demo demo;
static size_t length;

static void check(tot_status status) {
    if (status != TOT_OK) {
        fprintf(stderr, "bent_tool: %s\n", tot_error());
        exit(1);
    }
}

static void take(void *bytes, size_t size) {
    if (fread(bytes, 1, size, stdin) != size) {
        fprintf(stderr, "bent_tool: the command is cut short\n");
        exit(1);
    }
}

static void give(const void *bytes, size_t size) {
    if (fwrite(bytes, 1, size, stdout) != size) {
        exit(1);
    }
}

static void answer(const float *actions) {
    const int32_t numbers[3] = {(int32_t)demo.frames, (int32_t)demo.contact, (int32_t)demo.success};
    const uint8_t success = tot_world_success(world);
    give(numbers, sizeof numbers);
    give(actions, (size_t)demo.frames * TOT_ACTION * sizeof *actions);
    give(tot_world_observation(world), TOT_OBSERVATION * sizeof(double));
    give(&success, 1);
    fflush(stdout);
}

static void replay(const double *rand_vec) {
    check(tot_world_reset_to(world, rand_vec, length));
    for (int64_t k = 0; k < demo.frames; k++) {
        check(tot_world_step(world, demo.actions + k * TOT_ACTION));
    }
    answer(demo.actions);
}

static void follow(const double *rand_vec, bool open) {
    double *path = malloc(3 * sizeof *path * (size_t)(demo.frames + 1));
    float *actions = malloc(TOT_ACTION * sizeof *actions * (size_t)demo.frames);
    if (path == NULL || actions == NULL) {
        exit(1);
    }
    study_bent_path(&demo, rand_vec, path);
    check(study_bent_follow(&demo, world, rand_vec, path, demo.frames, open, actions));
    answer(actions);
    free(path);
    free(actions);
}

int main(int argc, char **argv) {
    double rand_vec[TOT_MAX_DRAW];
    if (argc != 2) {
        fprintf(stderr, "bent_tool TASK\n");
        return 2;
    }
    check(tot_task_load(&task, argv[1], NULL));
    check(tot_world_create(&world, task, NULL));
    length = (size_t)tot_task_information(task)->draw_length;
    for (int command = getchar(); command != EOF; command = getchar()) {
        uint8_t hold = 0;
        if (command == 'D') {
            take(&hold, 1);
        }
        take(rand_vec, length * sizeof *rand_vec);
        if (command == 'D') {
            check(study_bent_demo_play(&demo, world, rand_vec, hold != 0));
            answer(demo.actions);
        } else if (command == 'R') {
            replay(rand_vec);
        } else {
            follow(rand_vec, command == 'O');
        }
    }
    study_bent_demo_free(&demo);
    tot_world_free(world);
    tot_task_free(task);
    return 0;
}

// The C side of parity.py: obeys commands from standard input, answers in plain bytes.
//   I                       reset box: int32 length, int32 horizon, length doubles low, then high
//   D uint64 seed, episode  the draw of that episode: length doubles
//   R length doubles        reset to that draw: one record
//   S int32 n, n x 4 float  n steps: n records
//   F int32 n, n x 4 double the same in double precision
//   E int32 n               n steps of the scripted expert: n records
// A record is 39 doubles (observation), 4 floats (what the expert would do next), 1 byte (success).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <temporalot/world.h>

static tot_task *task;
static tot_world *world;

static void check(tot_status status) {
    if (status != TOT_OK) {
        fprintf(stderr, "parity_tool: %s\n", tot_error());
        exit(1);
    }
}

static void take(void *bytes, size_t size) {
    if (fread(bytes, 1, size, stdin) != size) {
        fprintf(stderr, "parity_tool: the command is cut short\n");
        exit(1);
    }
}

static void give(const void *bytes, size_t size) {
    if (fwrite(bytes, 1, size, stdout) != size) {
        exit(1);
    }
}

static void give_record(void) {
    float action[TOT_ACTION];
    const uint8_t success = tot_world_success(world);
    tot_world_expert(world, action);
    give(tot_world_observation(world), TOT_OBSERVATION * sizeof(double));
    give(action, sizeof action);
    give(&success, 1);
}

static void information(void) {
    const tot_task_info *info = tot_task_information(task);
    const int32_t numbers[2] = {info->draw_length, info->horizon};
    give(numbers, sizeof numbers);
    give(info->draw_low, (size_t)info->draw_length * sizeof(double));
    give(info->draw_high, (size_t)info->draw_length * sizeof(double));
}

static void draw(void) {
    uint64_t which[2];
    double rand_vec[TOT_MAX_DRAW];
    take(which, sizeof which);
    tot_task_draw(task, which[0], which[1], rand_vec);
    give(rand_vec, (size_t)tot_task_information(task)->draw_length * sizeof(double));
}

static void reset(void) {
    double rand_vec[TOT_MAX_DRAW];
    const size_t length = (size_t)tot_task_information(task)->draw_length;
    take(rand_vec, length * sizeof(double));
    check(tot_world_reset_to(world, rand_vec, length));
    give_record();
}

static void steps(char kind) {
    int32_t count = 0;
    take(&count, sizeof count);
    for (int32_t k = 0; k < count; k++) {
        float action[TOT_ACTION];
        double wide[TOT_ACTION];
        if (kind == 'F') {
            take(wide, sizeof wide);
            check(tot_world_step_double(world, wide));
        } else {
            if (kind == 'S') {
                take(action, sizeof action);
            } else {
                tot_world_expert(world, action);
            }
            check(tot_world_step(world, action));
        }
        give_record();
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: parity_tool TASK [metaworld]\n");
        return 2;
    }
    tot_task_settings task_settings;
    tot_task_defaults(&task_settings);
    task_settings.metaworld_box = argc > 2 && strcmp(argv[2], "metaworld") == 0;
    tot_world_settings settings;
    tot_world_defaults(&settings);
    settings.horizon = 100000;
    check(tot_task_load(&task, argv[1], &task_settings));
    check(tot_world_create(&world, task, &settings));
    int command = 0;
    while ((command = getchar()) != EOF) {
        switch (command) {
            case 'I':
                information();
                break;
            case 'D':
                draw();
                break;
            case 'R':
                reset();
                break;
            case 'S':
            case 'F':
            case 'E':
                steps((char)command);
                break;
            default:
                fprintf(stderr, "parity_tool: unknown command %d\n", command);
                return 1;
        }
        fflush(stdout);
    }
    tot_world_free(world);
    tot_task_free(task);
    return 0;
}

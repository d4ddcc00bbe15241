// The C side of parity.py: parity_tool TASK [metaworld] reads commands from standard input and
// answers in binary; without a task it lists them. parity_tool goals NAME SEED writes the goals of
// a family or a task as doubles.
//   I                        reset box: int32 length, int32 horizon, length doubles low, then high
//   D uint64 seed, episode   the draw of that episode: length doubles
//   C length doubles         whether that draw is allowed: one byte
//   R length doubles         resets to that draw: one record
//   S int32 n, n x 4 float   n steps: n records
//   F int32 n, n x 4 double  the same in double precision
//   E int32 n                n steps of the scripted expert: n records
// A record is 39 doubles (observation), 4 floats (the expert's next action), and for each of the
// reward functions v1 and v2 the reward and the seven values of info. Two worlds run side by side,
// one per reward function.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <temporalot/world.h>

enum { VERSIONS = 2 };  // versions of the reward function

static tot_task *tasks[VERSIONS];
static tot_world *worlds[VERSIONS];

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

static void give_evaluation(const tot_world *world) {
    const tot_world_info *info = tot_world_information(world);
    const double numbers[8] = {tot_world_reward(world), info->success,        info->near_object,
                               info->grasp_success,     info->grasp_reward,   info->in_place_reward,
                               info->obj_to_target,     info->unscaled_reward};
    if (tot_world_success(world) != (info->success != 0)) {
        fprintf(stderr, "parity_tool: success is not what info says\n");
        exit(1);
    }
    give(numbers, sizeof numbers);
}

static void give_record(void) {
    float action[TOT_ACTION];
    tot_world_expert(worlds[0], action);
    give(tot_world_observation(worlds[0]), TOT_OBSERVATION * sizeof(double));
    give(action, sizeof action);
    for (int k = 0; k < VERSIONS; k++) {
        give_evaluation(worlds[k]);
    }
}

static void information(void) {
    const tot_task_info *info = tot_task_information(tasks[0]);
    const int32_t numbers[2] = {info->draw_length, info->horizon};
    give(numbers, sizeof numbers);
    give(info->draw_low, (size_t)info->draw_length * sizeof(double));
    give(info->draw_high, (size_t)info->draw_length * sizeof(double));
}

static void draw(void) {
    uint64_t which[2];
    double rand_vec[TOT_MAX_DRAW];
    take(which, sizeof which);
    tot_task_draw(tasks[0], which[0], which[1], rand_vec);
    give(rand_vec, (size_t)tot_task_information(tasks[0])->draw_length * sizeof(double));
}

static void allow(void) {
    double rand_vec[TOT_MAX_DRAW];
    const size_t length = (size_t)tot_task_information(tasks[0])->draw_length;
    take(rand_vec, length * sizeof(double));
    const uint8_t allowed = tot_task_check_draw(tasks[0], rand_vec, length) == TOT_OK;
    give(&allowed, 1);
}

static void reset(void) {
    double rand_vec[TOT_MAX_DRAW];
    const size_t length = (size_t)tot_task_information(tasks[0])->draw_length;
    take(rand_vec, length * sizeof(double));
    for (int k = 0; k < VERSIONS; k++) {
        check(tot_world_reset_to(worlds[k], rand_vec, length));
    }
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
            for (int v = 0; v < VERSIONS; v++) {
                check(tot_world_step_double(worlds[v], wide));
            }
        } else {
            if (kind == 'S') {
                take(action, sizeof action);
            } else {
                tot_world_expert(worlds[0], action);
            }
            for (int v = 0; v < VERSIONS; v++) {
                check(tot_world_step(worlds[v], action));
            }
        }
        give_record();
    }
}

static int write_goals(const char *name, uint32_t seed) {
    static double goals[50 * TOT_GOALS * TOT_MAX_DRAW];
    const tot_family *family = NULL;
    size_t count = 1;
    if (tot_family_find(&family, name) == TOT_OK) {
        count = family->count;
        check(tot_family_goals(family, seed, goals));
    } else {
        check(tot_task_goals(name, seed, goals));
    }
    give(goals, count * TOT_GOALS * TOT_MAX_DRAW * sizeof *goals);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "goals") == 0) {
        return write_goals(argv[2], (uint32_t)strtoul(argv[3], NULL, 10));
    }
    if (argc < 2) {
        for (size_t k = 0; k < tot_task_count(); k++) {
            printf("%s\n", tot_task_at(k)->name);
        }
        return 0;
    }
    tot_task_settings task_settings;
    tot_task_defaults(&task_settings);
    task_settings.metaworld_box = argc > 2 && strcmp(argv[2], "metaworld") == 0;
    tot_world_settings settings;
    tot_world_defaults(&settings);
    settings.horizon = 100000;
    for (int k = 0; k < VERSIONS; k++) {
        task_settings.reward_version = k + 1;
        check(tot_task_load(&tasks[k], argv[1], &task_settings));
        check(tot_world_create(&worlds[k], tasks[k], &settings));
    }
    int command = 0;
    while ((command = getchar()) != EOF) {
        switch (command) {
            case 'I':
                information();
                break;
            case 'D':
                draw();
                break;
            case 'C':
                allow();
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
    for (int k = 0; k < VERSIONS; k++) {
        tot_world_free(worlds[k]);
        tot_task_free(tasks[k]);
    }
    return 0;
}

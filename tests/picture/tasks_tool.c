// Draws docs/tasks.png: all tasks half-way through an expert episode, by both renderers, with
// everything on. Five columns; a row by gl, the same five by soft below it, then the other five.
//   tasks_tool OUT.png [SIDE [BITS]]
// BITS (default 5) of every colour are kept, which makes the file a third of the size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <temporalot/image.h>
#include <temporalot/picture.h>

enum { COLUMNS = 5, GAP = 2, MOST_SIDE = 1024 };

static void check(tot_status status) {
    if (status != TOT_OK) {
        fprintf(stderr, "tasks_tool: %s\n", tot_error());
        exit(1);
    }
}

static void play(tot_world *world) {
    check(tot_world_reset(world, 0, 0));
    while (tot_world_frames(world) < tot_world_horizon(world) / 2) {
        float action[TOT_ACTION];
        tot_world_expert(world, action);
        check(tot_world_step(world, action));
    }
}

static void draw(const tot_world *world, tot_renderer_kind kind, int side, uint8_t *rgb) {
    tot_picture_settings settings;
    tot_renderer *renderer = NULL;
    tot_picture_defaults(&settings);
    settings.renderer = kind;
    settings.width = side;
    settings.height = side;
    check(tot_renderer_create(&renderer, tot_world_task(world), &settings, NULL));
    check(tot_renderer_draw(renderer, world, rgb));
    tot_renderer_free(renderer);
}

static uint8_t round_colour(uint8_t value, int bits) {
    const int steps = (1 << bits) - 1;
    return (uint8_t)((value * steps + 127) / 255 * 255 / steps);
}

int main(int argc, char **argv) {
    const int side = argc > 2 ? atoi(argv[2]) : 128;
    const int bits = argc > 3 ? atoi(argv[3]) : 5;
    if (argc < 2 || side < 1 || side > MOST_SIDE || bits < 1 || bits > 8) {
        fprintf(stderr, "usage: tasks_tool OUT.png [SIDE [BITS]]\n");
        return 2;
    }
    const int rows = 2 * (int)((tot_task_count() + COLUMNS - 1) / COLUMNS);
    const int width = COLUMNS * (side + GAP) - GAP;
    const int height = rows * (side + GAP) - GAP;
    uint8_t *sheet = malloc((size_t)width * (size_t)height * 3);
    uint8_t *rgb = malloc((size_t)side * (size_t)side * 3);
    memset(sheet, 255, (size_t)width * (size_t)height * 3);
    for (size_t k = 0; k < tot_task_count(); k++) {
        tot_task *task = NULL;
        tot_world *world = NULL;
        check(tot_task_load(&task, tot_task_at(k)->name, NULL));
        check(tot_world_create(&world, task, NULL));
        play(world);
        for (int renderer = 0; renderer < 2; renderer++) {
            const int left = (int)(k % COLUMNS) * (side + GAP);
            const int top = (2 * (int)(k / COLUMNS) + renderer) * (side + GAP);
            draw(world, renderer == 0 ? TOT_RENDERER_GL : TOT_RENDERER_SOFT, side, rgb);
            for (int y = 0; y < side; y++) {
                for (int x = 0; x < 3 * side; x++) {
                    sheet[3 * ((top + y) * width + left) + x] =
                        round_colour(rgb[3 * y * side + x], bits);
                }
            }
        }
        tot_world_free(world);
        tot_task_free(task);
    }
    check(tot_png_write(argv[1], sheet, width, height));
    free(sheet);
    free(rgb);
    return 0;
}

// Renders docs/tasks.png and docs/world.png: tasks half-way through an expert episode, with all
// features, in rows of COLUMNS.
//   tasks_tool OUT.png SIDE COLUMNS soft|both [TASK ...]    (default: all tasks)
// With both, a row by gl is above the same row by soft. Five bits per colour are kept, which
// reduces the file to a third of its size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <temporalot/image.h>
#include <temporalot/picture.h>

enum { GAP = 2, MOST_SIDE = 1024, MOST_COLUMNS = 64, BITS = 5 };

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

static uint8_t round_colour(uint8_t value) {
    const int steps = (1 << BITS) - 1;
    return (uint8_t)((value * steps + 127) / 255 * 255 / steps);
}

// A grid of pictures.
typedef struct sheet {
    int side, columns, width, height;
    uint8_t *rgb;
} sheet;

static void paste(sheet *to, const uint8_t *rgb, int row, int column) {
    const int left = column * (to->side + GAP);
    const int top = row * (to->side + GAP);
    for (int y = 0; y < to->side; y++) {
        for (int x = 0; x < 3 * to->side; x++) {
            to->rgb[3 * ((top + y) * to->width + left) + x] =
                round_colour(rgb[3 * y * to->side + x]);
        }
    }
}

// Adds task `number` to the grid: one picture, or two one above the other.
static void add_task(sheet *to, const char *name, int number, bool both, uint8_t *rgb) {
    tot_task *task = NULL;
    tot_world *world = NULL;
    check(tot_task_load(&task, name, NULL));
    check(tot_world_create(&world, task, NULL));
    play(world);
    const int column = number % to->columns;
    const int row = number / to->columns * (both ? 2 : 1);
    if (both) {
        draw(world, TOT_RENDERER_GL, to->side, rgb);
        paste(to, rgb, row, column);
    }
    draw(world, TOT_RENDERER_SOFT, to->side, rgb);
    paste(to, rgb, row + (both ? 1 : 0), column);
    tot_world_free(world);
    tot_task_free(task);
}

int main(int argc, char **argv) {
    const int side = argc > 2 ? atoi(argv[2]) : 0;
    const int columns = argc > 3 ? atoi(argv[3]) : 0;
    const bool both = argc > 4 && strcmp(argv[4], "both") == 0;
    if (argc < 5 || side < 1 || side > MOST_SIDE || columns < 1 || columns > MOST_COLUMNS) {
        fprintf(stderr, "usage: tasks_tool OUT.png SIDE COLUMNS soft|both [TASK ...]\n");
        return 2;
    }
    const int count = argc > 5 ? argc - 5 : (int)tot_task_count();
    const int rows = (count + columns - 1) / columns * (both ? 2 : 1);
    sheet all = {.side = side,
                 .columns = columns,
                 .width = columns * (side + GAP) - GAP,
                 .height = rows * (side + GAP) - GAP};
    const size_t size = (size_t)all.width * (size_t)all.height * 3;
    all.rgb = malloc(size);
    uint8_t *rgb = malloc((size_t)side * (size_t)side * 3);
    memset(all.rgb, 255, size);
    for (int k = 0; k < count; k++) {
        add_task(&all, argc > 5 ? argv[5 + k] : tot_task_at((size_t)k)->name, k, both, rgb);
    }
    check(tot_png_write(argv[1], all.rgb, all.width, all.height));
    free(all.rgb);
    free(rgb);
    return 0;
}

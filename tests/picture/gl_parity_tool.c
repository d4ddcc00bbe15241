// The C side of gl_parity.py: runs expert episodes of a task and writes an .npz with the initial
// state and the actions of each, and pictures of some of its frames in several sizes and qualities.
//   gl_parity_tool TASK OUT.npz
// Exits with 77 if there is no OpenGL.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <temporalot/picture.h>
#include <temporalot/file.h>

enum { EPISODES = 1, FRAMES = 40, MOST_PIXELS = 640 * 480, SKIPPED = 77 };

static const int looks[] = {0, FRAMES};  // the frames that are rendered

typedef struct view {
    const char *name;
    tot_quality quality;
    int width, height;
    bool paper;  // upright, with the 4:3 view squeezed into the picture
    tot_renderer *renderer;
} view;

static view views[] = {
    {"full_224", TOT_QUALITY_FULL, 224, 224, false, NULL},
    {"fast_224", TOT_QUALITY_FAST, 224, 224, false, NULL},
    {"full_84", TOT_QUALITY_FULL, 84, 84, false, NULL},
    {"fast_84", TOT_QUALITY_FAST, 84, 84, false, NULL},
    {"full_640", TOT_QUALITY_FULL, 640, 480, false, NULL},
    {"fast_640", TOT_QUALITY_FAST, 640, 480, false, NULL},
    {"full_paper", TOT_QUALITY_FULL, 224, 224, true, NULL},
    {"fast_paper", TOT_QUALITY_FAST, 84, 84, true, NULL},
};

enum { VIEWS = sizeof views / sizeof *views, LOOKS = sizeof looks / sizeof *looks };

static void check(tot_status status) {
    if (status != TOT_OK) {
        fprintf(stderr, "gl_parity_tool: %s\n", tot_error());
        exit(1);
    }
}

static void make_renderers(const tot_task *task) {
    for (int k = 0; k < VIEWS; k++) {
        tot_picture_settings settings;
        tot_picture_defaults(&settings);
        settings.renderer = TOT_RENDERER_GL;
        settings.quality = views[k].quality;
        settings.width = views[k].width;
        settings.height = views[k].height;
        if (!views[k].paper) {
            settings.upright = false;
            settings.aspect = 0;
        }
        check(tot_renderer_create(&views[k].renderer, task, &settings, NULL));
    }
}

static void draw_all(tot_npz_writer *out, const tot_world *world, int episode) {
    static uint8_t rgb[MOST_PIXELS * 3];
    for (int k = 0; k < VIEWS; k++) {
        char name[64];
        tot_array array = {.type = TOT_U8, .dimensions = 3, .data = rgb};
        array.shape[0] = views[k].height;
        array.shape[1] = views[k].width;
        array.shape[2] = 3;
        check(tot_renderer_draw(views[k].renderer, world, rgb));
        snprintf(name, sizeof name, "%s_%d_%d", views[k].name, episode, tot_world_frames(world));
        check(tot_npz_add(out, name, &array));
    }
}

static bool is_look(int frame) {
    for (int k = 0; k < LOOKS; k++) {
        if (looks[k] == frame) {
            return true;
        }
    }
    return false;
}

static void play(tot_npz_writer *out, tot_world *world, int episode) {
    float actions[FRAMES][TOT_ACTION];
    char name[64];
    check(tot_world_reset(world, 3, (uint64_t)episode));
    for (int frame = 0; frame <= FRAMES; frame++) {
        if (is_look(frame)) {
            draw_all(out, world, episode);
        }
        if (frame < FRAMES) {
            tot_world_expert(world, actions[frame]);
            check(tot_world_step(world, actions[frame]));
        }
    }
    tot_array array = {
        .type = TOT_F32, .dimensions = 2, .shape = {FRAMES, TOT_ACTION}, .data = actions};
    snprintf(name, sizeof name, "actions_%d", episode);
    check(tot_npz_add(out, name, &array));
    double draw[TOT_MAX_DRAW];
    const int length = tot_task_information(tot_world_task(world))->draw_length;
    memcpy(draw, tot_world_draw(world), (size_t)length * sizeof *draw);
    array = (tot_array){.type = TOT_F64, .dimensions = 1, .shape = {length}, .data = draw};
    snprintf(name, sizeof name, "draw_%d", episode);
    check(tot_npz_add(out, name, &array));
}

int main(int argc, char **argv) {
    tot_task *task = NULL;
    tot_world *world = NULL;
    tot_npz_writer *out = NULL;
    const char *platform = NULL;
    if (argc != 3) {
        fprintf(stderr, "usage: gl_parity_tool TASK OUT.npz\n");
        return 2;
    }
    if (tot_gl_check(&platform) == TOT_E_MISSING) {
        printf("skipped: %s\n", tot_error());
        return SKIPPED;
    }
    printf("%s: %s\n", argv[1], platform);
    check(tot_task_load(&task, argv[1], NULL));
    check(tot_world_create(&world, task, NULL));
    make_renderers(task);
    check(tot_npz_create(&out, argv[2], false));
    for (int k = 0; k < EPISODES; k++) {
        play(out, world, k);
    }
    const char *camera = tot_task_information(task)->camera;
    check(tot_npz_add_text(out, "camera", camera));
    check(tot_npz_commit(out));
    for (int k = 0; k < VIEWS; k++) {
        tot_renderer_free(views[k].renderer);
    }
    tot_world_free(world);
    tot_task_free(task);
    return 0;
}

// MuJoCo's renderer: settings, cameras, threads, memory. Skipped without OpenGL. Its pictures are
// compared with Python's in gl_parity.py.
#include "rendering.h"

#include <math.h>
#include <pthread.h>

#include "failing_memory.h"

enum { SIDE = 84, SKIPPED = 77 };

static tot_picture_settings fast(int width, int height) {
    return settings_of(TOT_RENDERER_GL, TOT_QUALITY_FAST, width, height);
}

// --- settings ----------------------------------------------------------------------------------

static void refuse(const tot_picture_settings *settings, const char *word) {
    tot_renderer *renderer = (tot_renderer *)&renderer;
    assert_fails(tot_renderer_create(&renderer, door.task, settings, NULL), TOT_E_ARGUMENT, word);
    assert_null(renderer);
}

TEST(test_bad_settings) {
    tot_picture_settings settings = fast(0, SIDE);
    refuse(&settings, "width: 0 is not in 1 .. 4096");
    settings = fast(SIDE, 4097);
    refuse(&settings, "height: 4097");
    settings = fast(SIDE, -1);
    refuse(&settings, "height: -1");
    settings = fast(SIDE, SIDE);
    settings.aspect = NAN;
    refuse(&settings, "aspect");
    settings.aspect = -1;
    refuse(&settings, "aspect: -1");
    settings.aspect = 1e9;
    refuse(&settings, "aspect");
    settings = fast(SIDE, SIDE);
    settings.zoom = NAN;
    refuse(&settings, "zoom");
    settings.zoom = 0.5;
    refuse(&settings, "zoom: 0.5 is not in 1 .. 10");
    settings.zoom = 10.5;
    refuse(&settings, "zoom: 10.5");
    settings = fast(SIDE, SIDE);
    settings.renderer = (tot_renderer_kind)7;
    refuse(&settings, "renderer: 7");
    settings = fast(SIDE, SIDE);
    settings.quality = (tot_quality)-1;
    refuse(&settings, "quality: -1");
}

TEST(test_unknown_camera) {
    tot_picture_settings settings = fast(SIDE, SIDE);
    settings.camera = "corner33";
    refuse(&settings, "'corner33'");
    refuse(&settings, "did you mean 'corner3'?");
    refuse(&settings, "it has topview, corner, corner2, corner3, corner4, behindGripper");
    settings.camera = "";
    refuse(&settings, "topview, corner");
}

TEST(test_wrong_world) {
    const tot_picture_settings settings = fast(SIDE, SIDE);
    uint8_t rgb[SIDE * SIDE * 3];
    scene push = {0};
    tot_world *unused = NULL;
    tot_renderer *renderer = NULL;
    open_scene(&push, "push", 0);
    assert_ok(tot_world_create(&unused, door.task, NULL));
    assert_ok(tot_renderer_create(&renderer, door.task, &settings, NULL));
    assert_fails(tot_renderer_draw(renderer, push.world, rgb), TOT_E_ARGUMENT, "push");
    assert_fails(tot_renderer_draw(renderer, unused, rgb), TOT_E_ARGUMENT, "not reset");
    assert_ok(tot_renderer_draw(renderer, door.world, rgb));
    tot_renderer_free(renderer);
    tot_world_free(unused);
    close_scene(&push);
    tot_renderer_free(NULL);
}

TEST(test_text) {
    tot_picture_settings settings = fast(SIDE, 48);
    assert_text(&settings, "gl fast corner3 upright 84x48 aspect 1.3333");
    settings.camera = "topview";
    settings.upright = false;
    settings.aspect = 0;
    settings.quality = TOT_QUALITY_FULL;
    assert_text(&settings, "gl full topview unturned 84x48 aspect 1.7500");
    settings.zoom = 2.5;
    assert_text(&settings, "gl full topview unturned 84x48 aspect 1.7500 zoom 2.5");
}

// --- pictures ----------------------------------------------------------------------------------

// All corner cameras are mounted upside down: upright is the same picture rotated by 180 degrees.
// Other cameras are not affected.
TEST(test_upright) {
    static const char *const cameras[] = {"corner", "corner2", "corner3", "corner4", "topview"};
    const size_t bytes = SIDE * SIDE * 3;
    for (size_t k = 0; k < sizeof cameras / sizeof *cameras; k += FEW ? 4 : 1) {
        tot_picture_settings settings = fast(SIDE, SIDE);
        settings.camera = cameras[k];
        uint8_t *upright = draw_once(&door, &settings);
        settings.upright = false;
        uint8_t *unturned = draw_once(&door, &settings);
        assert_true(count_colours(unturned, bytes) > 20);
        const bool corner = strncmp(cameras[k], "corner", 6) == 0;
        for (size_t pixel = 0; pixel < SIDE * SIDE; pixel++) {
            const size_t from = corner ? SIDE * SIDE - 1 - pixel : pixel;
            assert_memory_equal(upright + 3 * pixel, unturned + 3 * from, 3);
        }
        free(upright);
        free(unturned);
    }
}

// An aspect of 0 is the picture's own; a wider one squeezes more into it.
TEST(test_aspect) {
    tot_picture_settings settings = fast(SIDE, 63);
    uint8_t *paper = draw_once(&door, &settings);
    settings.aspect = 0;
    uint8_t *own = draw_once(&door, &settings);
    assert_memory_equal(paper, own, picture_bytes(&settings));
    settings.aspect = 2;
    uint8_t *wide = draw_once(&door, &settings);
    assert_memory_not_equal(own, wide, picture_bytes(&settings));
    free(paper);
    free(own);
    free(wide);
}

// A zoomed view is a different picture, and the same with both renderers.
TEST(test_zoom) {
    tot_picture_settings settings = fast(SIDE, SIDE);
    const size_t bytes = picture_bytes(&settings);
    uint8_t *all = draw_once(&door, &settings);
    settings.zoom = 0;
    uint8_t *same = draw_once(&door, &settings);
    assert_memory_equal(all, same, bytes);
    settings.zoom = 2.5;
    uint8_t *near = draw_once(&door, &settings);
    settings.renderer = TOT_RENDERER_SOFT;
    uint8_t *ours = draw_once(&door, &settings);
    assert_true(mean_difference(all, near, bytes) > 20);
    assert_true(mean_difference(near, ours, bytes) < 2);
    free(all);
    free(same);
    free(near);
    free(ours);
}

TEST(test_sizes) {
    static const int sizes[][2] = {{1, 1}, {3, 1}, {1, 5}, {4096, 2}, {2, 4096}, {225, 7}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k += FEW ? 3 : 1) {
        const tot_picture_settings settings = fast(sizes[k][0], sizes[k][1]);
        free(draw_once(&door, &settings));
    }
}

// Pictures depend on the world only, and rendering does not change it.
TEST(test_world_is_only_read) {
    const tot_picture_settings settings = fast(SIDE, SIDE);
    tot_renderer *renderer = NULL;
    uint8_t first[SIDE * SIDE * 3];
    uint8_t again[SIDE * SIDE * 3];
    const size_t size = tot_world_state_size(door.world);
    uint8_t *before = malloc(size);
    uint8_t *after = malloc(size);
    assert_ok(tot_renderer_create(&renderer, door.task, &settings, NULL));
    assert_ok(tot_world_save(door.world, before, size));
    assert_ok(tot_renderer_draw(renderer, door.world, first));
    assert_ok(tot_world_save(door.world, after, size));
    assert_memory_equal(before, after, size);

    // to another state and back again
    play_scene(door.world, 5, 3);
    assert_ok(tot_renderer_draw(renderer, door.world, again));
    assert_memory_not_equal(first, again, sizeof first);
    assert_ok(tot_world_restore(door.world, before, size));
    assert_ok(tot_renderer_draw(renderer, door.world, again));
    assert_memory_equal(first, again, sizeof first);
    tot_renderer_free(renderer);
    free(before);
    free(after);
}

// --- threads -----------------------------------------------------------------------------------

enum { THREADS = FEW ? 2 : 4, RENDERERS = 2, ROUNDS = FEW ? 1 : 3 };

typedef struct drawing {
    tot_renderer *handed;  // created by another thread
    uint8_t expected[RENDERERS][SIDE * SIDE * 3];
    bool right;
} drawing;

// Two renderers per thread, in turns, with the thread's own world, and one created by another
// thread.
static void *draw_many(void *context) {
    drawing *work = context;
    const tot_picture_settings settings[RENDERERS] = {
        fast(SIDE, SIDE), settings_of(TOT_RENDERER_GL, TOT_QUALITY_FULL, SIDE, SIDE)};
    tot_renderer *renderers[RENDERERS] = {NULL};
    tot_world *world = NULL;
    uint8_t rgb[SIDE * SIDE * 3];
    bool right = tot_world_create(&world, door.task, NULL) == TOT_OK &&
                 tot_world_reset(world, 0, 1) == TOT_OK;
    for (int k = 0; k < RENDERERS; k++) {
        right =
            right && tot_renderer_create(&renderers[k], door.task, &settings[k], NULL) == TOT_OK;
    }
    for (int k = 0; right && k < ROUNDS * RENDERERS; k++) {
        right = tot_renderer_draw(renderers[k % RENDERERS], world, rgb) == TOT_OK &&
                memcmp(rgb, work->expected[k % RENDERERS], sizeof rgb) == 0;
    }
    right = right && tot_renderer_draw(work->handed, world, rgb) == TOT_OK &&
            memcmp(rgb, work->expected[0], sizeof rgb) == 0;
    for (int k = 0; k < RENDERERS; k++) {
        tot_renderer_free(renderers[k]);
    }
    tot_renderer_free(work->handed);
    tot_world_free(world);
    work->right = right;
    return NULL;
}

TEST(test_threads) {
    static drawing work[THREADS];
    pthread_t threads[THREADS];
    const tot_picture_settings quick = fast(SIDE, SIDE);
    const tot_picture_settings full = settings_of(TOT_RENDERER_GL, TOT_QUALITY_FULL, SIDE, SIDE);
    play_scene(door.world, 1, 0);
    uint8_t *expected[RENDERERS] = {draw_once(&door, &quick), draw_once(&door, &full)};
    assert_memory_not_equal(expected[0], expected[1], SIDE * SIDE * 3);
    for (int k = 0; k < THREADS; k++) {
        for (int i = 0; i < RENDERERS; i++) {
            memcpy(work[k].expected[i], expected[i], sizeof work[k].expected[i]);
        }
        assert_ok(tot_renderer_create(&work[k].handed, door.task, &quick, NULL));
    }
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_create(&threads[k], NULL, draw_many, &work[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_join(threads[k], NULL), 0);
        assert_true(work[k].right);
    }
    free(expected[0]);
    free(expected[1]);
}

// --- memory ------------------------------------------------------------------------------------

static tot_status create_and_draw(const scene *from) {
    const tot_picture_settings settings = fast(16, 16);
    uint8_t rgb[16 * 16 * 3];
    tot_renderer *renderer = NULL;
    tot_status status = tot_renderer_create(&renderer, from->task, &settings, NULL);
    if (status == TOT_OK) {
        status = tot_renderer_draw(renderer, from->world, rgb);
    }
    tot_renderer_free(renderer);
    return status;
}

// Runs without the shared scene: the allocator may only be changed while the library holds no
// memory.
static void test_memory(void **state) {
    (void)state;
    failing_memory memory;
    scene push = {0};
    failing_memory_start(&memory, 0);
    open_scene(&push, "push", 0);
    const int64_t held = atomic_load(&memory.outstanding);
    uint64_t rounds = 0;
    bool failed = true;
    while (failed) {
        atomic_store(&memory.calls, 0);
        atomic_store(&memory.failed, 0);
        memory.fail_at = ++rounds;
        const tot_status status = create_and_draw(&push);
        failed = atomic_load(&memory.failed) > 0;
        if (status != (failed ? TOT_E_MEMORY : TOT_OK)) {
            print_error("allocation %llu failing: status %d (%s)\n", (unsigned long long)rounds,
                        (int)status, tot_error());
        }
        assert_int_equal(status, failed ? TOT_E_MEMORY : TOT_OK);
        assert_int_equal(atomic_load(&memory.outstanding), held);
    }
    assert_true(rounds > 3);
    memory.fail_at = 0;
    close_scene(&push);
    assert_int_equal(failing_memory_stop(&memory), 0);
}

int main(void) {
    const char *text = NULL;
    if (getenv("TEMPORALOT_VALGRIND") != NULL) {
        printf("skipped: OpenGL on the CPU takes hours under Valgrind\n");
        return 0;
    }
    const tot_status status = tot_gl_check(&text);
    if (status == TOT_E_MISSING) {
        printf("skipped: %s\n", tot_error());
        return SKIPPED;
    }
    printf("%s\n", status == TOT_OK ? text : tot_error());
    const struct CMUnitTest alone[] = {cmocka_unit_test(test_memory)};
    const int failures = cmocka_run_group_tests(alone, NULL, NULL);
    return failures + RUN_TESTS(open_door, close_door);
}

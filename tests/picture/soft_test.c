// The software renderer: bit-identical regardless of what was drawn before and of the number of
// threads; invalid states; memory. Its pictures are compared with OpenGL's in soft_parity.py.
#include "little.h"

#include <math.h>

#include "failing_memory.h"
#include "picture/soft_state.h"
#include "world/sawyer.h"

enum { SIDE = 84, BYTES = 3 * SIDE * SIDE };

static picture_view view_of(tot_quality quality, int width, int height) {
    return (picture_view){.quality = quality,
                          .width = width,
                          .height = height,
                          .aspect = 4.0 / 3.0,
                          .zoom = 1,
                          .crop = {0, 0, 1, 1},
                          .turned = false};
}

static void *create(const picture_view *view, tot_pool *pool) {
    void *state = NULL;
    assert_ok(picture_backend_soft.create(&state, door.task->model, view, pool));
    return state;
}

static void draw(void *state, uint8_t *rgb) {
    assert_ok(picture_backend_soft.draw(state, &door.world->model, door.world->data, rgb));
}

static void draw_fresh(const picture_view *view, uint8_t *rgb) {
    void *state = create(view, NULL);
    draw(state, rgb);
    picture_backend_soft.free(state);
}

// --- reproducibility ---------------------------------------------------------------------------

// A renderer that has drawn other states, of this world and another, draws the same as a new one.
TEST(test_history) {
    static uint8_t used[BYTES], fresh[BYTES];
    for (int quality = TOT_QUALITY_FULL; quality <= TOT_QUALITY_FAST; quality++) {
        const picture_view view = view_of((tot_quality)quality, SIDE, SIDE);
        void *renderer = create(&view, NULL);
        // the last one is another world
        for (int k = 0; k < 6; k += TEST_SANITIZED ? 4 : 1) {
            // a reset moves the door, which does not move otherwise
            play_scene(door.world, k < 4 ? (uint64_t)k % 2 : 7, 3 * (k % 4));
            draw(renderer, used);
            draw(renderer, used);
            draw_fresh(&view, fresh);
            assert_memory_equal(used, fresh, BYTES);
        }
        // drawing the same state repeatedly changes nothing
        for (int k = 0; k < 12; k++) {
            draw(renderer, used);
            assert_memory_equal(used, fresh, BYTES);
        }
        picture_backend_soft.free(renderer);
    }
}

TEST(test_threads) {
    static uint8_t alone[BYTES], shared[BYTES];
    for (int threads = TEST_SANITIZED ? 5 : 2; threads <= 5; threads += 3) {
        tot_pool *pool = NULL;
        assert_ok(tot_pool_create(&pool, threads));
        for (int quality = TOT_QUALITY_FULL; quality <= TOT_QUALITY_FAST; quality++) {
            const picture_view view = view_of((tot_quality)quality, SIDE, SIDE);
            void *renderer = create(&view, pool);
            for (int k = 0; k < (TEST_SANITIZED ? 1 : 2); k++) {
                play_scene(door.world, (uint64_t)k, 10 * k);
                draw(renderer, shared);
                draw_fresh(&view, alone);
                assert_memory_equal(alone, shared, BYTES);
            }
            picture_backend_soft.free(renderer);
        }
        tot_pool_free(pool);
    }
}

TEST(test_turned) {
    static uint8_t straight[BYTES], turned[BYTES];
    picture_view view = view_of(TOT_QUALITY_FULL, SIDE, SIDE);
    draw_fresh(&view, straight);
    view.turned = true;
    draw_fresh(&view, turned);
    for (int k = 0; k < SIDE * SIDE; k++) {
        assert_memory_equal(straight + 3 * k, turned + 3 * (SIDE * SIDE - 1 - k), 3);
    }
    assert_true(count_colours(straight, BYTES) > 50);
}

// The kernels for other CPUs differ only by rounding.
TEST(test_kernels) {
    static uint8_t ours[BYTES], portable[BYTES];
    const picture_view view = view_of(TOT_QUALITY_FULL, SIDE, SIDE);
    draw_fresh(&view, ours);
    soft_renderer *renderer = create(&view, NULL);
    renderer->kernel = &soft_portable;
    draw(renderer, portable);
    picture_backend_soft.free(renderer);
    assert_true(mean_difference(ours, portable, BYTES) < 0.2);
}

// Every size has its own partial blocks at the edges.
TEST(test_sizes) {
    static const int sizes[][2] = {{1, 1}, {1, 9}, {3, 2}, {5, 7}, {17, 33}, {64, 63}, {301, 30}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k += TEST_SANITIZED ? 3 : 1) {
        const size_t bytes = 3 * (size_t)sizes[k][0] * (size_t)sizes[k][1];
        uint8_t *rgb = malloc(bytes + 1);
        assert_non_null(rgb);
        for (int quality = TOT_QUALITY_FULL; quality <= TOT_QUALITY_FAST; quality++) {
            const picture_view view = view_of((tot_quality)quality, sizes[k][0], sizes[k][1]);
            rgb[bytes] = 77;
            draw_fresh(&view, rgb);
            assert_int_equal(rgb[bytes], 77);
        }
        free(rgb);
    }
}

// --- transparency ------------------------------------------------------------------------------

TEST(test_transparent) {
    static uint8_t solid[BYTES], behind_glass[BYTES], absent[BYTES], again[BYTES];
    const picture_view view = view_of(TOT_QUALITY_FAST, SIDE, SIDE);
    mjModel *model = door.task->model;
    draw_fresh(&view, solid);
    float before[4];
    // the table top: the second box drawn
    float *colour = model->mat_rgba + 4 * model->geom_matid[1];
    memcpy(before, colour, sizeof before);
    colour[3] = 0.5F;
    draw_fresh(&view, behind_glass);
    void *shared = create(&view, NULL);
    draw(shared, again);
    draw(shared, again);
    picture_backend_soft.free(shared);
    colour[3] = 0;
    draw_fresh(&view, absent);
    memcpy(colour, before, sizeof before);
    assert_memory_equal(behind_glass, again, BYTES);
    assert_memory_not_equal(solid, behind_glass, BYTES);
    assert_memory_not_equal(absent, behind_glass, BYTES);
}

// --- small scenes ------------------------------------------------------------------------------

// Several shadows, a mirror, objects behind glass: bit-identical regardless of what was drawn
// before and of the number of threads.
static void test_little(void **state) {
    (void)state;
    static const char *const scenes[] = {little_lights, little_mirror, little_behind, little_box};
    static uint8_t used[BYTES], fresh[BYTES], before[BYTES];
    const picture_view view = view_of(TOT_QUALITY_FULL, SIDE, SIDE);
    tot_pool *pool = NULL;
    assert_ok(tot_pool_create(&pool, 3));
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        little it;
        void *renderer = NULL;
        open_little(&it, scenes[k]);
        assert_ok(picture_backend_soft.create(&renderer, it.model, &view, pool));
        for (int step = 0; step < 4; step++) {
            // the first moving object, and finally a light
            it.data->qpos[0] += 0.05;
            it.data->qpos[2] -= 0.1;
            if (step == 3 && it.model->nlight > 0) {
                it.model->light_castshadow[0] = !it.model->light_castshadow[0];
            }
            world_mujoco.mj_forward(it.model, it.data);
            assert_ok(picture_backend_soft.draw(renderer, it.model, it.data, used));
            assert_ok(draw_little(&picture_backend_soft, &it, &view, fresh));
            assert_memory_equal(used, fresh, BYTES);
            assert_true(step == 0 || memcmp(before, fresh, BYTES) != 0);
            memcpy(before, fresh, BYTES);
        }
        picture_backend_soft.free(renderer);
        close_little(&it);
    }
    tot_pool_free(pool);
}

// Large pictures are drawn in parts. Here a small one is drawn in three overlapping parts.
static void test_parts(void **state) {
    (void)state;
    enum { PART = 40 };
    static uint8_t whole[BYTES], parts[BYTES];
    little it;
    open_little(&it, little_mirror);
    for (int turned = 0; turned < 2; turned++) {
        picture_view view = {.quality = TOT_QUALITY_FULL,
                             .width = SIDE,
                             .height = SIDE,
                             .aspect = 1.0,
                             .zoom = 1,
                             .crop = {0, 0, 1, 1},
                             .turned = turned != 0};
        assert_ok(draw_little(&picture_backend_soft, &it, &view, whole));
        void *renderer = NULL;
        view.height = PART;
        assert_ok(picture_backend_soft.create(&renderer, it.model, &view, NULL));
        ((soft_renderer *)renderer)->height = ((soft_renderer *)renderer)->request.height = SIDE;
        assert_ok(picture_backend_soft.draw(renderer, it.model, it.data, parts));
        picture_backend_soft.free(renderer);
        assert_true(mean_difference(whole, parts, BYTES) < 0.05);
    }
    close_little(&it);
}

// --- invalid states ----------------------------------------------------------------------------

// An invalid or extreme value, or one of the right size, in random order.
static double hostile(tot_random *random) {
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e300, 1e-300, 0, -0.0};
    switch (tot_random_below(random, 8)) {
        case 0:
            return bad[tot_random_below(random, sizeof bad / sizeof bad[0])];
        case 1:
            return 1000 * tot_random_normal(random);
        case 2:
            return 1e-6 * tot_random_normal(random);
        default:
            return tot_random_normal(random);
    }
}

// The values that define the scene, so that they can be corrupted and restored.
typedef struct poses {
    double *numbers[5];
    int counts[5];
    double *copies[5];
} poses;

static void keep_poses(poses *p) {
    const mjModel *model = &door.world->model;
    const mjData *data = door.world->data;
    *p =
        (poses){{data->geom_xpos, data->geom_xmat, data->site_xpos, data->cam_xpos, data->cam_xmat},
                {3 * (int)model->ngeom, 9 * (int)model->ngeom, 3 * (int)model->nsite,
                 3 * (int)model->ncam, 9 * (int)model->ncam},
                {NULL}};
    for (int k = 0; k < 5; k++) {
        p->copies[k] = malloc((size_t)p->counts[k] * sizeof(double));
        assert_non_null(p->copies[k]);
        memcpy(p->copies[k], p->numbers[k], (size_t)p->counts[k] * sizeof(double));
    }
}

static void put_back(const poses *p) {
    for (int k = 0; k < 5; k++) {
        memcpy(p->numbers[k], p->copies[k], (size_t)p->counts[k] * sizeof(double));
    }
}

static void spoil(const poses *p, tot_random *random) {
    const double part = 0.3 * tot_random_uniform(random);
    const int arrays = tot_random_below(random, 3) == 0 ? 5 : 3;
    for (int j = 0; j < arrays; j++) {
        for (int k = 0; k < p->counts[j]; k++) {
            if (tot_random_uniform(random) < part) {
                p->numbers[j][k] = hostile(random);
            }
        }
    }
}

// Any pose, any camera: no crash, no out-of-bounds write (the sanitizers check this), and
// afterwards the renderer draws as before.
TEST(test_hostile) {
    static uint8_t rgb[BYTES], expected[BYTES];
    poses kept;
    play_scene(door.world, 1, 5);
    keep_poses(&kept);
    for (int quality = TOT_QUALITY_FULL; quality <= TOT_QUALITY_FAST; quality++) {
        const picture_view view = view_of((tot_quality)quality, SIDE, SIDE);
        void *renderer = create(&view, NULL);
        draw(renderer, expected);
        for (uint64_t seed = 0; seed < (TEST_SANITIZED ? 15 : 60); seed++) {
            tot_random random;
            tot_random_init_numbered(&random, seed, "soft_test", (uint64_t)quality);
            spoil(&kept, &random);
            const tot_status status =
                picture_backend_soft.draw(renderer, &door.world->model, door.world->data, rgb);
            if (status != TOT_OK && status != TOT_E_VALUE && status != TOT_E_PHYSICS) {
                print_error("seed %llu: %s\n", (unsigned long long)seed, tot_error());
                fail();
            }
            put_back(&kept);
            draw(renderer, rgb);
            assert_memory_equal(rgb, expected, BYTES);
        }
        picture_backend_soft.free(renderer);
    }
    for (int k = 0; k < 5; k++) {
        free(kept.copies[k]);
    }
}

// --- memory ------------------------------------------------------------------------------------

static tot_status create_and_draw(const mjModel *model, mjData *data) {
    static uint8_t rgb[3 * 32 * 32];
    const picture_view view = view_of(TOT_QUALITY_FULL, 32, 32);
    void *renderer = NULL;
    tot_status status = picture_backend_soft.create(&renderer, model, &view, NULL);
    if (status != TOT_OK) {
        assert_null(renderer);
        return status;
    }
    status = picture_backend_soft.draw(renderer, model, data, rgb);
    // a renderer that failed for lack of memory can draw later
    const tot_status later = picture_backend_soft.draw(renderer, model, data, rgb);
    picture_backend_soft.free(renderer);
    return status != TOT_OK ? status : later;
}

// Makes the k-th allocation fail; returns whether there was one. calls: set to the number of
// allocations.
static bool fail_at(failing_memory *memory, uint64_t k, const mjModel *model, mjData *data,
                    uint64_t *calls) {
    const int64_t held = atomic_load(&memory->outstanding);
    atomic_store(&memory->calls, 0);
    atomic_store(&memory->failed, 0);
    memory->fail_at = k;
    const tot_status status = create_and_draw(model, data);
    const bool hit = atomic_load(&memory->failed) > 0;
    if (status != (hit ? TOT_E_MEMORY : TOT_OK)) {
        print_error("allocation %llu failing: status %d (%s)\n", (unsigned long long)k, (int)status,
                    tot_error());
    }
    assert_int_equal(status, hit ? TOT_E_MEMORY : TOT_OK);
    assert_int_equal(atomic_load(&memory->outstanding), held);
    *calls = atomic_load(&memory->calls);
    memory->fail_at = 0;
    return hit;
}

// Runs without the shared scene: the allocator may only be changed while the library holds no
// memory.
static void test_memory(void **state) {
    (void)state;
    failing_memory memory;
    scene push = {0};
    uint64_t calls = 0, unused = 0;
    failing_memory_start(&memory, 0);
    open_scene(&push, "push", 0);
    const mjModel *model = &push.world->model;
    assert_false(fail_at(&memory, 0, model, push.world->data, &calls));
    assert_true(calls > 100);
    // shapes take hundreds of similar allocations: not every one of them is made to fail
    const uint64_t sparse = TEST_SANITIZED ? 3 : 1;
    for (uint64_t k = 1; fail_at(&memory, k, model, push.world->data, &unused);) {
        k += sparse * (k < 12 ? 1 : k < calls - 60 ? 1 + calls / 12 : 4);
    }
    close_scene(&push);
    assert_int_equal(failing_memory_stop(&memory), 0);
}

// Every allocation of a picture with a mirror, glass and several shadows.
static void test_little_memory(void **state) {
    (void)state;
    static const char *const scenes[] = {little_mirror, little_lights};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        failing_memory memory;
        little it;
        uint64_t calls = 0;
        failing_memory_start(&memory, 0);
        open_little(&it, scenes[k]);
        uint64_t number = 1;
        while (fail_at(&memory, number, it.model, it.data, &calls)) {
            number += FEW ? 20 : TEST_SANITIZED ? 4 : 1;
        }
        assert_true(number > 60);
        close_little(&it);
        assert_int_equal(failing_memory_stop(&memory), 0);
    }
}

int main(void) {
    const struct CMUnitTest little_tests[] = {
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_little),
        cmocka_unit_test(test_parts),
    };
    const struct CMUnitTest alone[] = {cmocka_unit_test(test_memory)};
    // creating a renderer for a task's scene takes ten seconds with the thread sanitizer; the small
    // scenes are drawn with several threads, too
    if (FEW) {
        return cmocka_run_group_tests(little_tests, NULL, NULL);
    }
    int failures = cmocka_run_group_tests(little_tests, NULL, NULL);
    failures += cmocka_run_group_tests(alone, NULL, NULL);
    return failures + RUN_TESTS(open_door, close_door);
}

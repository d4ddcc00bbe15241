#include "rolling.h"

#include <dlfcn.h>
#include <math.h>
#include <unistd.h>

#include "world/tasks.h"

typedef struct fixture {
    tot_task *door;   // its draw moves a body
    tot_task *stick;  // its draw moves none, and success depends on contact forces
} fixture;

static int set_up(void **state) {
    static fixture shared;
    assert_ok(tot_task_load(&shared.door, "door-open", NULL));
    assert_ok(tot_task_load(&shared.stick, "stick-push", NULL));
    *state = &shared;
    return 0;
}

static int tear_down(void **state) {
    fixture *shared = *state;
    tot_task_free(shared->door);
    tot_task_free(shared->stick);
    return 0;
}

static tot_world *make(const tot_task *task, int repeat, int horizon) {
    tot_world *world = NULL;
    const tot_world_settings settings = {.action_repeat = repeat, .horizon = horizon};
    assert_ok(tot_world_create(&world, task, &settings));
    return world;
}

// --- the table ---------------------------------------------------------------------------------

TEST(test_table) {
    assert_true(tot_task_count() >= 10);
    for (size_t k = 0; k < tot_task_count(); k++) {
        const tot_task_info *info = tot_task_at(k);
        const tot_task_info *found = NULL;
        assert_ok(tot_task_find(&found, info->name));
        assert_ptr_equal(found, info);
        assert_true(k == 0 || strcmp(tot_task_at(k - 1)->name, info->name) < 0);
        assert_true(info->horizon > 0);
        assert_true(info->draw_length == 3 || info->draw_length == 6);
        assert_true(info->draw_distance == 0 || info->draw_length == 6);
    }
    assert_null(tot_task_at(tot_task_count()));
}

TEST(test_unknown_task) {
    const tot_task_info *info = NULL;
    tot_task *task = NULL;
    assert_fails(tot_task_find(&info, "dor-open"), TOT_E_ARGUMENT, "did you mean 'door-open'");
    assert_fails(tot_task_load(&task, "buton-press-topdown", NULL), TOT_E_ARGUMENT,
                 "button-press-topdown");
    assert_fails(tot_task_find(&info, "zzzzzzzz"), TOT_E_ARGUMENT, "there are ");
    assert_fails(tot_task_find(&info, ""), TOT_E_ARGUMENT, "task: '' is not known; there are ");
    assert_null(task);
}

// --- draws -------------------------------------------------------------------------------------

TEST(test_draws) {
    for (size_t k = 0; k < tot_task_count(); k++) {
        // drawing needs only the table, no scene
        tot_task task = {.info = *tot_task_at(k),
                         .definition = world_task_definition_find(tot_task_at(k)->name)};
        double first[TOT_MAX_DRAW];
        double mean = 0;
        for (uint64_t episode = 0; episode < 500; episode++) {
            double draw[TOT_MAX_DRAW];
            double again[TOT_MAX_DRAW];
            tot_task_draw(&task, 3, episode, draw);
            tot_task_draw(&task, 3, episode, again);
            const size_t length = (size_t)task.info.draw_length;
            assert_memory_equal(draw, again, length * sizeof(double));
            assert_ok(tot_task_check_draw(&task, draw, length));
            mean += draw[0] / 500;
            if (episode == 0) {
                memcpy(first, draw, sizeof first);
            } else {
                assert_memory_not_equal(draw, first, length * sizeof(double));
            }
        }
        const double width = task.info.draw_high[0] - task.info.draw_low[0];
        // redrawing positions that are too close shifts the mean, by 0.08 of the width in
        // disassemble
        const double most = task.info.draw_distance > 0 ? 0.14 : 0.06;
        assert_true(fabs(mean - task.info.draw_low[0] - width / 2) <= most * width + 1e-12);
        double other[TOT_MAX_DRAW];
        tot_task_draw(&task, 4, 0, other);
        assert_memory_not_equal(other, first, (size_t)task.info.draw_length * sizeof(double));
    }
}

TEST(test_bad_draws) {
    fixture *shared = *state;
    tot_world *world = make(shared->stick, 1, 0);
    double draw[TOT_MAX_DRAW];
    tot_task_draw(shared->stick, 0, 0, draw);
    assert_fails(tot_world_reset_to(world, draw, 3), TOT_E_SHAPE, "6 numbers, not 3");
    assert_fails(tot_world_reset_to(world, draw, 7), TOT_E_SHAPE, "6 numbers, not 7");
    draw[1] = NAN;
    assert_fails(tot_world_reset_to(world, draw, 6), TOT_E_VALUE, "rand_vec[1]");
    draw[1] = 0.6200001;
    assert_fails(tot_world_reset_to(world, draw, 6), TOT_E_ARGUMENT, "rand_vec[1]: 0.6200001");
    draw[1] = 0.62;
    assert_ok(tot_world_reset_to(world, draw, 6));
    assert_memory_equal(tot_world_draw(world), draw, sizeof draw);
    tot_world_free(world);

    // stick-push has no two positions that close: hand-insert has
    const tot_task_info *info = NULL;
    assert_ok(tot_task_find(&info, "hand-insert"));
    tot_task hand = {.info = *info, .definition = world_task_definition_find("hand-insert")};
    const double near[6] = {0.0, 0.7, 0.05, 0.0, 0.84, -0.02};
    const double far[6] = {0.0, 0.69, 0.05, 0.0, 0.85, -0.02};
    assert_fails(tot_task_check_draw(&hand, near, 6), TOT_E_ARGUMENT, "0.14 apart");
    assert_ok(tot_task_check_draw(&hand, far, 6));
}

TEST(test_basketball_boxes) {
    const double wide[6] = {0.0, 0.6, 0.03, 0.09, 0.87, 0.0};
    tot_task *task = NULL;
    assert_ok(tot_task_load(&task, "basketball", NULL));
    assert_fails(tot_task_check_draw(task, wide, 6), TOT_E_ARGUMENT, "rand_vec[3]");
    assert_true(tot_task_information(task)->draw_high[3] == 0.025);
    tot_task_free(task);
    const tot_task_settings settings = {.metaworld_box = true};
    assert_ok(tot_task_load(&task, "basketball", &settings));
    assert_ok(tot_task_check_draw(task, wide, 6));
    assert_true(tot_task_information(task)->draw_high[3] == 0.1);
    tot_task_free(task);
}

// --- episodes ----------------------------------------------------------------------------------

TEST(test_reset_forgets) {
    fixture *shared = *state;
    enum { STEPS = 25 };
    const tot_task *tasks[] = {shared->door, shared->stick};
    for (int which = 0; which < 2; which++) {
        OWNED_PTR(tot_world) fresh = make(tasks[which], 1, 0);
        OWNED_PTR(tot_world) used = make(tasks[which], 1, 0);
        frame_record expected[STEPS];
        frame_record seen[STEPS];
        assert_ok(tot_world_reset(used, 9, 1));
        roll(used, 1, 0, STEPS, seen);
        assert_ok(tot_world_reset(used, 9, 2));
        assert_ok(tot_world_reset(fresh, 9, 2));
        assert_memory_equal(tot_world_observation(used), tot_world_observation(fresh),
                            TOT_OBSERVATION * sizeof(double));
        roll(used, 2, 0, STEPS, seen);
        roll(fresh, 2, 0, STEPS, expected);
        assert_memory_equal(seen, expected, sizeof seen);
        // the draw alone determines the episode
        double draw[TOT_MAX_DRAW];
        memcpy(draw, tot_world_draw(used), sizeof draw);
        assert_ok(tot_world_reset_to(fresh, draw,
                                     (size_t)tot_task_information(tasks[which])->draw_length));
        roll(fresh, 2, 0, STEPS, seen);
        assert_memory_equal(seen, expected, sizeof seen);
    }
}

TEST(test_action_repeat) {
    fixture *shared = *state;
    OWNED_PTR(tot_world) twice = make(shared->door, 2, 0);
    OWNED_PTR(tot_world) once = make(shared->door, 1, 0);
    assert_int_equal(tot_world_steps(twice), 63);
    assert_int_equal(tot_world_steps(once), 125);
    assert_ok(tot_world_reset(twice, 0, 0));
    assert_ok(tot_world_reset(once, 0, 0));
    int steps = 0;
    while (!tot_world_done(twice)) {
        float action[TOT_ACTION];
        action_of(0, steps, action);
        assert_ok(tot_world_step(twice, action));
        assert_ok(tot_world_step(once, action));
        if (!tot_world_done(once)) {
            assert_ok(tot_world_step(once, action));
        }
        assert_memory_equal(tot_world_observation(twice), tot_world_observation(once),
                            TOT_OBSERVATION * sizeof(double));
        assert_int_equal(tot_world_frames(twice), tot_world_frames(once));
        steps++;
    }
    assert_int_equal(steps, 63);
    assert_int_equal(tot_world_frames(twice), 125);
    const float still[TOT_ACTION] = {0};
    assert_fails(tot_world_step(twice, still), TOT_E_ARGUMENT, "over after 125 frames");
}

TEST(test_expert_solves) {
    fixture *shared = *state;
    OWNED_PTR(tot_world) world = make(shared->stick, 1, 0);
    for (uint64_t episode = 0; episode < 3; episode++) {
        assert_ok(tot_world_reset(world, 0, episode));
        assert_false(tot_world_success(world));
        while (!tot_world_done(world)) {
            float action[TOT_ACTION];
            tot_world_expert(world, action);
            assert_ok(tot_world_step(world, action));
        }
        assert_true(tot_world_success(world));
    }
}

TEST(test_clipping) {
    fixture *shared = *state;
    OWNED_PTR(tot_world) a = make(shared->door, 1, 0);
    OWNED_PTR(tot_world) b = make(shared->door, 1, 0);
    assert_ok(tot_world_reset(a, 0, 0));
    assert_ok(tot_world_reset(b, 0, 0));
    for (int k = 0; k < 20; k++) {
        const float beyond[TOT_ACTION] = {-70.0f, 1.5f, 1e30f, -3.0f};
        const float edge[TOT_ACTION] = {-1.0f, 1.0f, 1.0f, -1.0f};
        assert_ok(tot_world_step(a, beyond));
        assert_ok(tot_world_step(b, edge));
    }
    assert_memory_equal(tot_world_observation(a), tot_world_observation(b),
                        TOT_OBSERVATION * sizeof(double));
}

// Reusing the first mj_step of a frame is bit-identical.
TEST(test_reuse) {
    enum { STEPS = 60 };
    for (size_t which = 0; which < tasks_to_try(); which++) {
        OWNED_PTR(tot_task) task = NULL;
        assert_ok(tot_task_load(&task, tot_task_at(which)->name, NULL));
        assert_true(task->reuse);
        OWNED_PTR(tot_world) world = make(task, 1, 0);
        frame_record short_way[STEPS];
        frame_record long_way[STEPS];
        for (int way = 0; way < 2; way++) {
            task->reuse = way == 0;
            assert_ok(tot_world_reset(world, 5, which));
            frame_record *records = way == 0 ? short_way : long_way;
            for (int k = 0; k < STEPS; k++) {
                // with the expert, so that objects are touched
                float action[TOT_ACTION];
                tot_world_expert(world, action);
                assert_ok(tot_world_step(world, action));
                record_frame(&records[k], world);
            }
        }
        assert_memory_equal(short_way, long_way, sizeof short_way);
    }
}

// --- invalid input -----------------------------------------------------------------------------

TEST(test_bad_settings) {
    fixture *shared = *state;
    tot_world *world = NULL;
    tot_world_settings settings = {.action_repeat = 0};
    assert_fails(tot_world_create(&world, shared->door, &settings), TOT_E_ARGUMENT,
                 "action_repeat: 0");
    settings = (tot_world_settings){.action_repeat = 1, .horizon = -1};
    assert_fails(tot_world_create(&world, shared->door, &settings), TOT_E_ARGUMENT, "horizon: -1");
    assert_null(world);
    tot_worlds *worlds = NULL;
    assert_fails(tot_worlds_create(&worlds, shared->door, NULL, 0, NULL), TOT_E_ARGUMENT, "0");
    assert_null(worlds);
}

TEST(test_bad_actions) {
    fixture *shared = *state;
    OWNED_PTR(tot_world) world = make(shared->door, 1, 0);
    const float still[TOT_ACTION] = {0};
    assert_fails(tot_world_step(world, still), TOT_E_ARGUMENT, "not reset");
    assert_ok(tot_world_reset(world, 0, 0));
    double before[TOT_OBSERVATION];
    memcpy(before, tot_world_observation(world), sizeof before);
    for (int k = 0; k < TOT_ACTION; k++) {
        float action[TOT_ACTION] = {0};
        double wide[TOT_ACTION] = {0};
        char word[16];
        snprintf(word, sizeof word, "action[%d]", k);
        action[k] = NAN;
        assert_fails(tot_world_step(world, action), TOT_E_VALUE, word);
        wide[k] = -INFINITY;
        assert_fails(tot_world_step_double(world, wide), TOT_E_VALUE, word);
    }
    assert_int_equal(tot_world_frames(world), 0);
    assert_memory_equal(tot_world_observation(world), before, sizeof before);
}

TEST(test_divergence) {
    fixture *shared = *state;
    OWNED_PTR(tot_world) world = make(shared->door, 2, 0);
    frame_record expected[5];
    frame_record seen[5];
    assert_ok(tot_world_reset(world, 0, 0));
    roll(world, 0, 0, 5, expected);
    const double wrong[] = {NAN, INFINITY, 1e12};
    for (int k = 0; k < 6; k++) {
        assert_ok(tot_world_reset(world, 0, 0));
        roll(world, 0, 0, 1, seen);
        (k < 3 ? world->data->qvel : world->data->qpos)[k % 3] = wrong[k % 3];
        const float still[TOT_ACTION] = {0};
        assert_fails(tot_world_step(world, still), TOT_E_PHYSICS, "diverged at frame 3");
        assert_true(tot_world_done(world));
        assert_false(tot_world_success(world));
        // the observation is the last valid one
        assert_memory_equal(tot_world_observation(world), seen[0].observation,
                            sizeof seen[0].observation);
        assert_fails(tot_world_step(world, still), TOT_E_PHYSICS, "reset the world");
        assert_ok(tot_world_reset(world, 0, 0));
        roll(world, 0, 0, 5, seen);
        assert_memory_equal(seen, expected, sizeof seen);
    }
}

// MuJoCo's own errors become a status; nothing is printed, and no log file is written.
static bool call_error(void *context) {
    void (*mju_error)(const char *, ...) = NULL;
    void *address = dlsym(context, "mju_error");
    memcpy(&mju_error, &address, sizeof address);
    mju_error("a test of\n%s", "errors");
    return true;
}

static bool call_warning(void *context) {
    void (*mju_warning)(const char *, ...) = NULL;
    void *address = dlsym(context, "mju_warning");
    memcpy(&mju_warning, &address, sizeof address);
    mju_warning("a test of %s", "warnings");
    return true;
}

TEST(test_guard) {
    char folder[] = "/tmp/temporalot-guard-XXXXXX";
    char home[4096];
    assert_non_null(getcwd(home, sizeof home));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    void *library = dlopen(world_mujoco_path(), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    for (int k = 0; k < 3; k++) {
        assert_fails(world_mujoco_guard(call_error, library), TOT_E_PHYSICS, "a test of errors");
        assert_ok(world_mujoco_guard(call_warning, library));
    }
    dlclose(library);
    assert_int_not_equal(access("MUJOCO_LOG.TXT", F_OK), 0);
    assert_int_equal(chdir(home), 0);
    assert_int_equal(rmdir(folder), 0);
}

// The large arrays of a scene are shared.
TEST(test_shared_model) {
    fixture *shared = *state;
    OWNED_PTR(tot_world) a = make(shared->door, 1, 0);
    OWNED_PTR(tot_world) b = make(shared->door, 1, 0);
    assert_ptr_equal(a->model.mesh_vert, b->model.mesh_vert);
    assert_ptr_equal(a->model.tex_data, shared->door->model->tex_data);
    assert_ptr_not_equal(a->model.body_pos, b->model.body_pos);
    assert_ptr_not_equal(a->model.site_pos, b->model.site_pos);
}

TEST_MAIN(set_up, tear_down)

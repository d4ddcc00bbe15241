// A reset reuses the scene's own settling where possible, bit-identical to the full simulation.
#include "world/settle.h"

#include "rolling.h"
#include "world/tasks.h"

typedef struct pair {
    tot_world *ours;
    tot_world *whole;
    int from;  // the step from which ours was simulated
} pair;

static void place(tot_world *world, const double *draw) {
    const mjModel *shared = world->task->model;
    memcpy(world->model.body_pos, shared->body_pos, 3 * (size_t)shared->nbody * sizeof(double));
    memcpy(world->model.site_pos, shared->site_pos, 3 * (size_t)shared->nsite * sizeof(double));
    memcpy(world->draw, draw, sizeof world->draw);
    if (world->task->definition->place != NULL) {
        world->task->definition->place(world);
    }
}

static bool settle(void *context) {
    pair *both = context;
    tot_world *whole = both->whole;
    both->from = world_settle(both->ours);
    world_settle_fully(whole->task, &whole->model, whole->data);
    return true;
}

static void assert_same(const pair *both, uint64_t seed, const char *array, const void *a,
                        const void *b, size_t count) {
    if (memcmp(a, b, count * sizeof(double)) != 0) {
        fail_msg("%s, seed %llu, from step %d: %s differs", both->ours->task->info.name,
                 (unsigned long long)seed, both->from, array);
    }
}

// Positions, velocities, the solver's warm start, and what resets and pictures read.
static void compare(const pair *both, uint64_t seed) {
    const mjModel *model = &both->ours->model;
    const mjData *a = both->ours->data;
    const mjData *b = both->whole->data;
    const struct {
        const char *name;
        const double *a, *b;
        size_t count;
    } arrays[] = {
        {"qpos", a->qpos, b->qpos, (size_t)model->nq},
        {"qvel", a->qvel, b->qvel, (size_t)model->nv},
        {"qacc_warmstart", a->qacc_warmstart, b->qacc_warmstart, (size_t)model->nv},
        {"qfrc_constraint", a->qfrc_constraint, b->qfrc_constraint, (size_t)model->nv},
        {"xpos", a->xpos, b->xpos, 3 * (size_t)model->nbody},
        {"xmat", a->xmat, b->xmat, 9 * (size_t)model->nbody},
        {"geom_xpos", a->geom_xpos, b->geom_xpos, 3 * (size_t)model->ngeom},
        {"site_xpos", a->site_xpos, b->site_xpos, 3 * (size_t)model->nsite},
        {"cam_xpos", a->cam_xpos, b->cam_xpos, 3 * (size_t)model->ncam},
        {"light_xpos", a->light_xpos, b->light_xpos, 3 * (size_t)model->nlight},
        {"time", &a->time, &b->time, 1},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        assert_same(both, seed, arrays[k].name, arrays[k].a, arrays[k].b, arrays[k].count);
    }
    assert_int_equal(a->ncon, b->ncon);
    assert_int_equal(a->nefc, b->nefc);
}

// Settles for some draws of Meta-world's box. Returns the earliest step from which one was
// simulated.
static int settle_task(const char *name, int draws) {
    const tot_task_settings settings = {.reward_version = 2, .metaworld_box = true};
    tot_task *task = NULL;
    pair both = {0};
    int earliest = 1000;
    assert_ok(tot_task_load(&task, name, &settings));
    assert_ok(tot_world_create(&both.ours, task, NULL));
    assert_ok(tot_world_create(&both.whole, task, NULL));
    for (uint64_t seed = 0; seed < (uint64_t)draws; seed++) {
        double draw[TOT_MAX_DRAW] = {0};
        tot_task_draw(task, seed, 0, draw);
        place(both.ours, draw);
        place(both.whole, draw);
        assert_ok(world_mujoco_guard(settle, &both));
        compare(&both, seed);
        earliest = both.from < earliest ? both.from : earliest;
    }
    tot_world_free(both.ours);
    tot_world_free(both.whole);
    tot_task_free(task);
    return earliest;
}

TEST(test_all_tasks) {
    for (size_t k = 0; k < tasks_to_try(); k++) {
        settle_task(tot_task_at(k)->name, 4);
    }
}

// How much each reset shares, to detect changes that make resets slow.
TEST(test_shared_steps) {
    static const char *const last[] = {"push", "door-open", "window-open", "shelf-place"};
    for (size_t k = 0; k < sizeof last / sizeof *last; k++) {
        assert_int_equal(settle_task(last[k], 2), 249);
    }
    // the hand comes near the handle on its way
    const int handle = settle_task("handle-press", 2);
    assert_true(handle > 0 && handle < 249);
    // the lid lies on the box that the draw moves, and in some draws slides off and near the arm; a
    // plug falls out of the box; a lever moves
    assert_int_equal(settle_task("box-close", 12), 0);
    assert_int_equal(settle_task("peg-unplug-side", 12), 0);
    assert_int_equal(settle_task("lever-pull", 2), 0);
}

TEST_MAIN(NULL, NULL)

// Scenes of many tasks at once: each is loaded once, and identical memory pages are shared.
#include "rolling.h"

#include "world/sawyer.h"

// Resident memory of this process in kilobytes, without the file of shared pages.
static long resident(void) {
    char line[256];
    long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "VmRSS: %ld", &kilobytes);
    }
    fclose(file);
    assert_true(kilobytes > 0);
    return kilobytes;
}

TEST(test_same_scene) {
    tot_task *lock = NULL;
    OWNED_PTR(tot_task) unlock = NULL;
    OWNED_PTR(tot_task) open = NULL;
    assert_ok(tot_task_load(&lock, "door-lock", NULL));
    assert_ok(tot_task_load(&unlock, "door-unlock", NULL));
    assert_ok(tot_task_load(&open, "door-open", NULL));
    assert_string_equal(tot_task_information(lock)->scene, tot_task_information(unlock)->scene);
    assert_ptr_equal(lock->model, unlock->model);
    assert_ptr_not_equal(lock->model, open->model);
    // the scene lives as long as its last user
    tot_task_free(lock);
    OWNED_PTR(tot_world) world = NULL;
    assert_ok(tot_world_create(&world, unlock, NULL));
    assert_ok(tot_world_reset(world, 0, 0));
}

// The contents of a scene do not depend on which ones were loaded before.
TEST(test_same_content) {
    enum { STEPS = 8 };
    frame_record alone[STEPS];
    frame_record later[STEPS];
    OWNED_PTR(tot_task) other = NULL;
    for (int round = 0; round < 2; round++) {
        tot_task *task = NULL;
        tot_world *world = NULL;
        assert_ok(tot_task_load(&task, "stick-push", NULL));
        const mjModel *model = task->model;
        for (int k = 0; k < model->nmeshface; k++) {
            // face indices are still valid
            assert_true(model->mesh_face[3 * k] >= 0 && model->mesh_face[3 * k] < model->nmeshvert);
        }
        assert_ok(tot_world_create(&world, task, NULL));
        assert_ok(tot_world_reset(world, 3, 1));
        roll(world, 1, 0, STEPS, round == 0 ? alone : later);
        tot_world_free(world);
        tot_task_free(task);
        if (round == 0) {
            assert_ok(tot_task_load(&other, "basketball", NULL));
        }
    }
    assert_memory_equal(alone, later, sizeof alone);
}

TEST(test_all_at_once) {
    static tot_task *tasks[128];
    const size_t count = tasks_to_try();
    assert_true(count <= 128);
    long first = 0;
    for (size_t k = 0; k < count; k++) {
        assert_ok(tot_task_load(&tasks[k], tot_task_at(k)->name, NULL));
        first = k == 0 ? resident() : first;
    }
    if (!TEST_SANITIZED && getenv("TEMPORALOT_VALGRIND") == NULL) {
        // a scene has 20 MB; another one only adds its own objects and the settled hand
        assert_true(resident() - first < 6144 * (long)count);
        assert_true(resident() < 300 * 1024);
    }
    for (size_t k = 0; k < count; k++) {
        tot_task_free(tasks[k]);
    }
}

// Threads that load concurrently share a scene, too, and each gets its own error.
TEST(test_threads) {
    enum { COUNT = 8 };
    static const char *const names[COUNT] = {"door-lock", "door-unlock", "door-lock", "reach",
                                             "door-lock", "door-unlock", "reach",     "door-lock"};
    OWNED_PTR(tot_pool) pool = NULL;
    tot_task *tasks[COUNT];
    assert_ok(tot_pool_create(&pool, 4));
    assert_ok(tot_tasks_load(tasks, names, COUNT, NULL, pool));
    for (int k = 0; k < COUNT; k++) {
        assert_string_equal(tot_task_information(tasks[k])->name, names[k]);
        assert_ptr_equal(tasks[k]->model, tasks[names[k][0] == 'd' ? 0 : 3]->model);
    }
    for (int k = 0; k < COUNT; k++) {
        tot_task_free(tasks[k]);
    }
    const char *wrong[COUNT];
    memcpy(wrong, names, sizeof wrong);
    wrong[COUNT - 1] = "door-lick";
    assert_fails(tot_tasks_load(tasks, wrong, COUNT, NULL, pool), TOT_E_ARGUMENT,
                 "task: 'door-lick' is not known; did you mean 'door-lock'?");
    for (int k = 0; k < COUNT; k++) {
        assert_null(tasks[k]);
    }
}

TEST_MAIN(NULL, NULL)

// A whole small run in which one allocation fails: it ends with TOT_E_MEMORY, nothing leaks, and
// the run can be resumed.
#include <time.h>

#include "asserts.h"
#include "failing_memory.h"
#include "folder.h"
#include "sanitizers.h"

#include <temporalot/train.h>

enum { ROUNDS = TEST_SANITIZED ? 6 : 20 };

static tot_train_config config;

static void remove_run(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/run", folder);
    assert_int_equal(system(command), 0);
}

static int prepare(void **state) {
    static const char *const settings[][2] = {
        {"task", "window-open"}, {"cost_on", "state"}, {"horizon", "12"},    {"steps", "14"},
        {"eval_every", "10"},    {"hidden", "8"},      {"batch", "4"},       {"eval_episodes", "2"},
        {"update_after", "7"},   {"warmup", "3"},      {"capacity", "12"},   {"log_every", "5"},
        {"video", "0"},          {"method", "ads"},    {"update_every", "1"}};
    tot_train_defaults(&config);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        if (tot_train_set(&config, settings[k][0], settings[k][1]) != TOT_OK) {
            return 1;
        }
    }
    return make_folder(state);
}

static tot_status run(tot_resume resume) {
    char path[80];
    snprintf(path, sizeof path, "%s/run", folder);
    const tot_train_options options = {.folder = path, .threads = 2, .resume = resume};
    tot_train_result result;
    return tot_train(&config, &options, &result);
}

TEST(test_no_memory) {
    failing_memory memory;
    if (tot_mujoco_check(NULL, NULL) != TOT_OK || tot_scenes_check(NULL) != TOT_OK) {
        print_message("%s\n", tot_error());
        skip();
    }
    // memory kept for the whole process is not a leak
    assert_ok(run(TOT_RESUME_NO));
    remove_run();
    failing_memory_start(&memory, 0);
    assert_ok(run(TOT_RESUME_NO));
    const uint64_t calls = atomic_load(&memory.calls);
    assert_int_equal(failing_memory_stop(&memory), 0);
    remove_run();
    const uint64_t seed = (uint64_t)time(NULL);
    tot_random random;
    tot_random_init(&random, seed, "test");
    print_message("%llu allocations, seed %llu\n", (unsigned long long)calls,
                  (unsigned long long)seed);
    for (int k = 0; k < ROUNDS; k++) {
        // half of them early, where the allocations are the most diverse
        const uint64_t most = k % 2 == 0 ? calls : calls / 8;
        failing_memory_start(&memory, 1 + tot_random_below(&random, most));
        failing_memory_check(&memory, run(TOT_RESUME_NO));
        assert_ok(run(TOT_RESUME_EXACT));
        remove_run();
    }
}

TEST_MAIN(prepare, remove_folder)

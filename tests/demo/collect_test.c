// Demonstrations: which episodes are kept, and which steps of them.
#include "recordings.h"

#include <math.h>

#include "demo/trajectory.h"

static void collect(tot_recording *out, const char *name, const tot_collect_settings *settings) {
    OWNED_PTR(tot_task) task = NULL;
    assert_ok(tot_task_load(&task, name, NULL));
    assert_ok(tot_collect(out, task, settings));
}

static tot_collect_settings defaults(void) {
    tot_collect_settings settings;
    tot_collect_defaults(&settings);
    return settings;
}

// How often the expert's actions of an episode, recorded frame by frame, succeed with noise. after:
// frames for which the expert continued after its first success.
static int steadiness(const tot_task *task, const tot_trajectory *demo, int after) {
    tot_world *world = NULL;
    tot_expert expert = {.hold = tot_task_information(task)->hold, .after = after};
    const tot_policy policy = tot_policy_holding(&expert);
    tot_trajectory whole = {0};
    int steady = -1;
    assert_ok(tot_world_create(&world, task, NULL));
    assert_ok(tot_world_reset(world, (uint64_t)demo->seed, (uint64_t)demo->episode));
    assert_ok(tot_trajectory_record(&whole, world, &policy, NULL, NULL));
    whole.seed = demo->seed;
    whole.episode = demo->episode;
    assert_ok(demo_steady(world, &whole, &steady));
    tot_trajectory_free(&whole);
    tot_world_free(world);
    return steady;
}

// The steadiest of several successful attempts is kept; for this seed it is never the first.
TEST(test_choose) {
    tot_collect_settings settings = defaults();
    OWNED(tot_recording) first = {0};
    OWNED(tot_recording) chosen = {0};
    OWNED_PTR(tot_task) task = NULL;
    assert_ok(tot_task_load(&task, "lever-pull", NULL));
    settings.seed = 100;
    assert_ok(tot_collect(&first, task, &settings));
    settings.choose = 4;
    assert_ok(tot_collect(&chosen, task, &settings));
    assert_int_equal(chosen.count, 2);
    for (size_t k = 0; k < 2; k++) {
        const tot_trajectory *demo = &chosen.trajectories[k];
        assert_int_equal(demo->success[demo->steps - 1], 1);
        assert_true(demo->attempts >= 4);
        const int after = 4 * (int)(demo->episode % 3);
        assert_true(steadiness(task, demo, after) > steadiness(task, &first.trajectories[k], 0));
    }
    // with limited attempts: the steadiest of those found
    const int64_t episode = chosen.trajectories[0].episode;
    settings.attempts = episode + 1;
    settings.count = 1;
    assert_ok(tot_collect(&chosen, task, &settings));
    assert_int_equal(chosen.trajectories[0].episode, episode);
    assert_int_equal(chosen.trajectories[0].attempts, episode + 1);
}

// The expert continues for this many frames after its first success, then stands still.
TEST(test_holds_after) {
    OWNED_PTR(tot_world) world = NULL;
    OWNED_PTR(tot_task) task = NULL;
    OWNED(tot_trajectory) whole = {0};
    assert_ok(tot_task_load(&task, "lever-pull", NULL));
    assert_ok(tot_world_create(&world, task, NULL));
    for (int after = 0; after <= 8; after += 8) {
        tot_expert expert = {.hold = true, .after = after};
        const tot_policy policy = tot_policy_holding(&expert);
        assert_ok(tot_world_reset(world, 100, 8));
        assert_ok(tot_trajectory_record(&whole, world, &policy, NULL, NULL));
        // success[k] belongs to the observation for which action k + 1 is chosen
        const int64_t holds = tot_trajectory_first_success(&whole) + 1 + after;
        for (int64_t step = 0; step < whole.steps; step++) {
            const float *action = whole.actions + step * TOT_ACTION;
            const bool still = action[0] == 0 && action[1] == 0 && action[2] == 0;
            assert_int_equal(still, step >= holds);
        }
    }
}

// A kept pair is the observation before an even frame and the action chosen for it.
TEST(test_what_is_kept) {
    const tot_collect_settings settings = defaults();
    OWNED(tot_recording) demos = {0};
    collect(&demos, "button-press-topdown", &settings);
    assert_int_equal(demos.count, 2);
    assert_string_equal(demos.meta.task, "button-press-topdown");
    assert_int_equal(demos.meta.action_repeat, 2);
    assert_false(demos.meta.hold);
    const tot_trajectory *demo = &demos.trajectories[1];
    assert_int_equal(demo->steps, 63);

    OWNED_PTR(tot_task) task = NULL;
    tot_world *world = NULL;
    assert_ok(tot_task_load(&task, "button-press-topdown", NULL));
    assert_ok(tot_world_create(&world, task, NULL));
    assert_ok(tot_world_reset(world, 0, (uint64_t)demo->episode));
    assert_memory_equal(tot_world_draw(world), demo->rand_vec, 3 * sizeof(double));
    for (int frame = 0; frame <= 125; frame++) {
        float action[TOT_ACTION];
        tot_world_expert(world, action);
        demo_clip_action(action);
        const int64_t k = frame < 125 ? frame / 2 : 63;
        if (frame % 2 == 0 || frame == 125) {
            assert_memory_equal(demo->observations + k * TOT_OBSERVATION,
                                tot_world_observation(world), TOT_OBSERVATION * sizeof(double));
            assert_true(k == 0 || demo->success[k - 1] == tot_world_success(world));
        }
        if (frame % 2 == 0) {
            assert_memory_equal(demo->actions + k * TOT_ACTION, action, sizeof action);
        }
        if (frame < 125) {
            assert_ok(tot_world_step(world, action));
        }
    }
    tot_world_free(world);

    // an agent with action repeat 2 takes the same number of steps
    const tot_world_settings agent = {.action_repeat = TOT_DEMO_REPEAT};
    assert_ok(tot_world_create(&world, task, &agent));
    assert_int_equal(tot_world_steps(world), demo->steps);
    tot_world_free(world);
}

// Attempt k is episode k; discarded ones are counted; files are bit-identical.
TEST(test_deterministic) {
    tot_collect_settings settings = defaults();
    settings.count = 3;
    settings.seed = 11;
    OWNED(tot_recording) demos = {0};
    collect(&demos, "lever-pull", &settings);
    assert_true(demos.meta.hold);
    int64_t attempts = 0;
    for (size_t k = 0; k < demos.count; k++) {
        const tot_trajectory *demo = &demos.trajectories[k];
        assert_int_equal(demo->steps, 88);
        assert_int_equal(demo->success[87], 1);
        assert_int_equal(demo->seed, 11);
        assert_true(demo->attempts >= 1);
        attempts += demo->attempts;
        assert_int_equal(demo->episode, attempts - 1);
    }
    print_message("lever-pull: %lld attempts for 3\n", (long long)attempts);
    assert_true(attempts > 3);
    assert_ok(tot_recording_save(&demos, in_folder("first.npz")));

    // again, into a recording in use, with a new task
    collect(&demos, "lever-pull", &settings);
    assert_ok(tot_recording_save(&demos, in_folder("second.npz")));
    size_t sizes[2];
    uint8_t *first = read_bytes(in_folder("first.npz"), &sizes[0]);
    uint8_t *second = read_bytes(in_folder("second.npz"), &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(first, second, sizes[0]);
    free(first);
    free(second);

    // a larger count starts with the same ones, and another seed gives others
    OWNED(tot_recording) more = {0};
    settings.count = 4;
    collect(&more, "lever-pull", &settings);
    for (size_t k = 0; k < demos.count; k++) {
        assert_same_trajectory(&demos.trajectories[k], &more.trajectories[k]);
    }
    settings.count = 1;
    settings.seed = 12;
    collect(&more, "lever-pull", &settings);
    assert_memory_not_equal(more.trajectories[0].rand_vec, demos.trajectories[0].rand_vec,
                            2 * sizeof(double));
}

// After the first success the hand stands still and the grip is kept.
TEST(test_hold) {
    tot_collect_settings settings = defaults();
    OWNED(tot_recording) demos = {0};
    static const tot_hold holds[] = {TOT_HOLD_AUTO, TOT_HOLD_ON, TOT_HOLD_OFF};
    for (int which = 0; which < 3; which++) {
        settings.count = 1;
        settings.hold = holds[which];
        collect(&demos, "basketball", &settings);
        assert_int_equal(demos.meta.hold, which < 2);
        const tot_trajectory *demo = &demos.trajectories[0];
        const int64_t first = tot_trajectory_first_success(demo);
        assert_true(first > 0 && first < 80);
        int64_t still = 0;
        for (int64_t k = first + 1; k < demo->steps; k++) {
            const float *action = demo->actions + k * TOT_ACTION;
            still += action[0] == 0 && action[1] == 0 && action[2] == 0;
            assert_true(which == 2 || action[3] == action[3 - TOT_ACTION]);
        }
        assert_true(demo->actions[3 + (first + 1) * TOT_ACTION] != 0);
        assert_int_equal(still, which < 2 ? demo->steps - first - 1 : 0);
    }
}

// The hand releases a handle that would otherwise pass the goal: ten frames up, then it rests.
TEST(test_lift) {
    tot_collect_settings settings = defaults();
    OWNED(tot_recording) demos = {0};
    settings.attempts = 1;
    collect(&demos, "handle-press", &settings);
    assert_true(demos.meta.hold);
    for (size_t which = 0; which < demos.count; which++) {
        const tot_trajectory *demo = &demos.trajectories[which];
        const int64_t first = tot_trajectory_first_success(demo);
        int lifted = 0;
        assert_true(first > 0);
        for (int64_t k = first + 1; k < demo->steps; k++) {
            const float *action = demo->actions + k * TOT_ACTION;
            assert_true(action[0] == 0 && action[1] == 0);
            assert_true(action[2] == 0 || (action[2] == 1 && k <= first + 5));
            lifted += action[2] == 1;
        }
        assert_in_range(lifted, 4, 5);
    }
}

TEST(test_speed) {
    tot_collect_settings settings = defaults();
    OWNED(tot_recording) plain = {0};
    OWNED(tot_recording) fast = {0};
    settings.count = 1;
    collect(&plain, "door-open", &settings);
    static const int64_t speeds[] = {2, 3, 5, 62, 63, 1000};
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++) {
        OWNED(tot_trajectory) expected = {0};
        settings.speed = speeds[k];
        collect(&fast, "door-open", &settings);
        assert_int_equal(fast.meta.speed, speeds[k]);
        assert_int_equal(fast.meta.action_repeat, 2);
        assert_ok(tot_trajectory_thin(&expected, &plain.trajectories[0], speeds[k]));
        // a sum of sums is rounded differently
        for (int64_t step = 0; step < expected.steps; step++) {
            const double reward = fast.trajectories[0].rewards[step];
            assert_true(fabs(reward - expected.rewards[step]) <= 1e-12 * fabs(reward));
            expected.rewards[step] = reward;
        }
        assert_same_trajectory(&fast.trajectories[0], &expected);
        assert_true(tot_trajectory_succeeded(&expected));
    }
    assert_int_equal(fast.trajectories[0].steps, 1);
}

static bool count_attempts(void *context, int64_t attempts, int64_t found) {
    int64_t *seen = context;
    assert_int_equal(attempts, seen[0] + 1);
    assert_true(found >= seen[1] && found <= attempts);
    seen[0] = attempts;
    seen[1] = found;
    return attempts < seen[2];
}

// Without hold, lever-pull's expert never ends in success.
TEST(test_gives_up) {
    OWNED_PTR(tot_task) task = NULL;
    tot_collect_settings settings = defaults();
    tot_recording demos = {0};
    int64_t seen[3] = {0, 0, 1000};
    settings.hold = TOT_HOLD_OFF;
    settings.attempts = 4;
    settings.progress = count_attempts;
    settings.progress_context = seen;
    assert_ok(tot_task_load(&task, "lever-pull", NULL));
    assert_fails(
        tot_collect(&demos, task, &settings), TOT_E_ATTEMPTS,
        "lever-pull: gave up on demonstration 0 (of 2, from 0) after 4 attempts; 0 of all 4 ended "
        "in success (0.0 %), with hold off");
    assert_int_equal(seen[0], 4);
    assert_empty(&demos);

    // interrupted by the callback
    memset(seen, 0, sizeof seen);
    seen[2] = 2;
    assert_fails(tot_collect(&demos, task, &settings), TOT_E_INTERRUPTED, "after 2 attempts");
    assert_empty(&demos);
}

TEST(test_bad_settings) {
    OWNED_PTR(tot_task) task = NULL;
    tot_recording demos = {0};
    assert_ok(tot_task_load(&task, "push", NULL));
#define REFUSE(field, value, words)                                                \
    do {                                                                           \
        tot_collect_settings settings = defaults();                                \
        settings.field = value;                                                    \
        assert_fails(tot_collect(&demos, task, &settings), TOT_E_ARGUMENT, words); \
    } while (0)
    REFUSE(count, 0, "count: 0");
    REFUSE(speed, -1, "speed: -1");
    REFUSE(attempts, 0, "attempts: 0");
    REFUSE(choose, -1, "choose: -1");
    REFUSE(seed, UINT64_MAX, "seed: 1844");
#undef REFUSE
    assert_empty(&demos);
}

TEST_MAIN(make_test_folder, remove_test_folder)

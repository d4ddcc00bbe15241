// Costs alone are those that labelling computes.
#include "reward/label.h"

#include "trajectories.h"

enum { STEPS = 5, DEMO_STEPS = 7, WIDE = 32768 };

static void compare_costs(tot_cost cost, const trajectory *demo, const trajectory *episode) {
    tot_reward_config config = config_for("min-distance");
    config.cost = cost;
    const tot_embeddings view = view_f32(demo);
    OWNED_PTR(tot_demos) demos = demos_of(&view, 1);
    OWNED_PTR(tot_labeler) labeler = NULL;
    const double *costs = NULL;
    tot_array expected = {0};
    assert_ok(tot_labeler_create(&labeler, demos, &config, NULL));
    assert_ok(tot_label(labeler, view_f32(episode), "episode", NULL, NULL));
    assert_ok(tot_labeler_cost(labeler, &expected));
    assert_ok(reward_costs(labeler, view_f32(episode), "episode", &costs));
    assert_memory_equal(costs, expected.data, STEPS * DEMO_STEPS * sizeof *costs);
    assert_null(tot_labeler_rewards(labeler));
    tot_array_free(&expected);
}

// Wide frames are compared in float32, and again in float64 if they are nearly identical.
TEST(test_costs_are_those_of_labelling) {
    for (int k = 0; k < 2; k++) {
        tot_random random;
        tot_random_init(&random, 1, "costs");
        OWNED(trajectory) demo = make_noise(&random, DEMO_STEPS, k == 0 ? 48 : WIDE);
        OWNED(trajectory) stranger = make_noise(&random, STEPS, demo.width);
        OWNED(trajectory) similar = make_near(&random, &demo, 0.01);
        similar.steps = STEPS;
        for (int cost = TOT_COST_COSINE; cost <= TOT_COST_CHORD; cost++) {
            compare_costs((tot_cost)cost, &demo, &stranger);
            compare_costs((tot_cost)cost, &demo, &similar);
        }
    }
}

TEST_MAIN(NULL, NULL)

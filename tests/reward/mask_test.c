// The mask returned by a labeler matches its settings.
#include "trajectories.h"

enum { STEPS = 17, DEMO_STEPS = 23, WIDTH = 5 };

// Whether (i, j) is inside, directly from the definition. cost: the row's.
static bool is_inside(const tot_reward_config *config, const double *cost, int64_t i, int64_t j) {
    int64_t cheapest = 0;
    switch (config->mask) {
        case TOT_MASK_BAND:
            return llabs(j * STEPS - i * DEMO_STEPS) <= config->mask_width * STEPS;
        case TOT_MASK_CAUSAL:
            return j <= i;
        case TOT_MASK_DYNAMIC:
            for (int64_t k = 1; k <= i; k++) {
                cheapest = cost[k] < cost[cheapest] ? k : cheapest;
            }
            return llabs(j - cheapest) <= config->mask_width;
        default:
            return true;
    }
}

TEST(test_masks) {
    static const char *const masks[] = {"none", "4", "causal", "dynamic:3"};
    tot_random random;
    tot_random_init(&random, 3, "masks");
    OWNED(trajectory) demo = make_noise(&random, DEMO_STEPS, WIDTH);
    OWNED(trajectory) episode = make_noise(&random, STEPS, WIDTH);
    OWNED(tot_array) mask = {0};
    OWNED(tot_array) cost = {0};
    float rewards[STEPS];
    for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
        tot_reward_config config = config_for("temporalot");
        tot_embeddings view = view_f32(&demo);
        OWNED_PTR(tot_demos) demos = demos_of(&view, 1);
        OWNED_PTR(tot_labeler) labeler = NULL;
        assert_ok(tot_reward_set(&config, "mask", masks[k]));
        assert_ok(tot_labeler_create(&labeler, demos, &config, NULL));
        assert_int_equal(tot_labeler_mask(labeler, &mask), TOT_E_ARGUMENT);
        assert_ok(tot_label(labeler, view_f32(&episode), "episode", rewards, NULL));
        assert_ok(tot_labeler_mask(labeler, &mask));
        assert_ok(tot_labeler_cost(labeler, &cost));
        assert_int_equal(mask.type, TOT_F64);
        assert_int_equal(mask.shape[0], STEPS);
        assert_int_equal(mask.shape[1], DEMO_STEPS);
        for (int64_t at = 0; at < STEPS * DEMO_STEPS; at++) {
            const int64_t i = at / DEMO_STEPS;
            const double *row = (const double *)cost.data + i * DEMO_STEPS;
            const bool inside = is_inside(&config, row, i, at % DEMO_STEPS);
            assert_true(((const double *)mask.data)[at] == (inside ? 1 : 0));
            assert_true(config.mask != TOT_MASK_BAND || isnan(row[at % DEMO_STEPS]) == !inside);
        }
    }
}

TEST_MAIN(NULL, NULL)

// The updates compared with PyTorch's: same weights, batches and noise, and the resulting weights
// and losses (fixtures.txt, written by make_fixtures.py).
#include "asserts.h"

#include "agent/drawn.h"

enum { MOST_LINE = 1 << 16, UPDATES = 10 };

// The state after updates of one kind, for one case.
typedef struct played {
    char kind[32];
    const drawn_case *from;
    tot_agent *agent;
    tot_batch batch;
    int step;
    tot_losses losses;
    float rewards[64];
    int numbers;   // values compared
    double worst;  // largest difference
    int shares;    // number of updates in which some but not all samples preferred the clone
} played;

static void play(played *game) {
    game->step++;
    drawn_batch(game->from, game->step, &game->batch);
    if (strcmp(game->kind, "update") == 0) {
        assert_ok(tot_agent_update(game->agent, &game->batch, &game->losses));
    } else if (strcmp(game->kind, "imitate") == 0) {
        float actions[64 * 4];
        tot_batch expert = drawn_later(&game->batch);
        expert.actions = actions;
        drawn_numbers(game->from, game->step, "expert", 1, 4 * expert.count, actions);
        assert_ok(tot_agent_update_cloned(game->agent, &game->batch, &expert, &game->losses));
    } else if (strcmp(game->kind, "clone") == 0) {
        assert_ok(tot_agent_clone(game->agent, &game->batch, &game->losses));
    } else {
        float mix[64];
        tot_batch policy = drawn_later(&game->batch);
        drawn_numbers(game->from, game->step, "mix", 1, game->batch.count, mix);
        for (int64_t k = 0; k < game->batch.count; k++) {
            mix[k] = (mix[k] + 1) / 2;
        }
        assert_ok(tot_agent_discriminate(game->agent, &game->batch, &policy, mix, &game->losses));
    }
}

static void start(played *game, const char *kind, const drawn_case *from) {
    tot_agent_config config = drawn_config(from);
    *game = (played){.from = from};
    snprintf(game->kind, sizeof game->kind, "%s", kind);
    assert_ok(tot_agent_create(&game->agent, &config, &from->sees, 0, NULL));
    assert_ok(tot_agent_add_discriminator(game->agent));
    assert_ok(tot_batch_create(&game->batch, &from->sees, from->batch));
    if (strcmp(kind, "imitate") == 0) {
        assert_ok(tot_agent_keep_clone(game->agent));
    }
    drawn_weights(game->agent, from);
}

static void stop(played *game) {
    if (game->agent != NULL) {
        print_message("%s %s: %d numbers, furthest %.2g\n", game->kind, game->from->name,
                      game->numbers, game->worst);
        assert_true(game->numbers > 10);
        assert_true(strcmp(game->kind, "imitate") != 0 || game->shares > 0);
    }
    tot_agent_free(game->agent);
    tot_batch_free(&game->batch);
    *game = (played){0};
}

// Our values for a line of the fixtures: a tensor, losses or rewards.
static int64_t ours(played *game, const char *what, float *numbers) {
    const tot_losses *losses = &game->losses;
    if (strcmp(what, "losses") == 0) {
        bool imitate = strcmp(game->kind, "imitate") == 0;
        bool update = imitate || strcmp(game->kind, "update") == 0;
        bool clone = strcmp(game->kind, "clone") == 0;
        numbers[0] = (float)(update  ? losses->critic
                             : clone ? losses->clone
                                     : losses->discriminator);
        numbers[1] = (float)losses->actor;
        numbers[2] = (float)losses->value;
        if (imitate) {
            numbers[3] = (float)losses->clone;
            numbers[4] = (float)losses->clone_share;
            game->shares += losses->clone_share > 0 && losses->clone_share < 1;
        }
        return imitate ? 5 : update ? 3 : 1;
    }
    if (strcmp(what, "rewards") == 0) {
        drawn_batch(game->from, 1, &game->batch);
        assert_ok(tot_agent_discriminator_reward(game->agent, &game->batch, numbers));
        return game->batch.count;
    }
    tot_array array = drawn_find(game->agent, what);
    if (array.data == NULL) {
        fail_msg("no tensor %s", what);
    }
    int64_t all = tot_array_count(&array);
    int64_t count = all < game->from->probes ? all : game->from->probes;
    for (int64_t k = 0; k < count; k++) {
        numbers[k] = ((float *)array.data)[k * (all - 1) / (count > 1 ? count - 1 : 1)];
    }
    return count;
}

static void compare(played *game, const char *what, char *theirs) {
    static float numbers[MOST_LINE];
    int64_t count = ours(game, what, numbers);
    bool weights = strchr(what, '.') != NULL;
    for (int64_t k = 0; k < count; k++) {
        char *end;
        double wanted = strtod(theirs, &end);
        assert_true(end != theirs);
        theirs = end;
        // losses and rewards deviate as much as the weights they come from, but are larger; moments
        // are gradients, which are small, except the encoder's, which are sums over thousands of
        // positions
        bool moment = strstr(what, ".adam.") != NULL;
        bool small = moment && strncmp(what, "encoder", 7) != 0;
        double size = small ? 0.1 + fabs(wanted) : weights && !moment ? 1 : 1 + fabs(wanted);
        double away = fabs((double)numbers[k] - wanted) / size;
        double allowed = game->step == 1 ? 1e-5 : 1e-4;
        if (!(away <= allowed)) {
            print_error("%s %s, update %d: %s, probe %lld: %.8g, PyTorch %.8g\n", game->kind,
                        game->from->name, game->step, what, (long long)k, (double)numbers[k],
                        wanted);
        }
        assert_true(away <= allowed);
        game->worst = away > game->worst ? away : game->worst;
        game->numbers++;
    }
    assert_true(strtok(theirs, " \n") == NULL);
}

TEST(test_beside_pytorch) {
    static char line[MOST_LINE];
    played game = {0};
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/agent/fixtures.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char kind[32], name[32], what[64];
        int step, behind;
        assert_int_equal(sscanf(line, "%31s %31s %d %63s %n", kind, name, &step, what, &behind), 4);
        const drawn_case *from = drawn_case_of(name);
        assert_non_null(from);
        if (SLOW_BUILD && from->sees.pixels == 84) {
            continue;
        }
        if (game.from != from || strcmp(game.kind, kind) != 0) {
            stop(&game);
            start(&game, kind, from);
        }
        while (game.step < step) {
            play(&game);
        }
        compare(&game, what, line + behind);
    }
    stop(&game);
    fclose(file);
}

TEST_MAIN(NULL, NULL)

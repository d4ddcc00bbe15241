// Updates of an agent with fixed batches, and the metrics of a short run.

#include "folder.h"
#include "golden/golden.h"

#include <temporalot/encoder.h>
#include <temporalot/train.h>

enum { STEPS = 24, PIXELS = 36, MOST_LINE = 4096, MOST_COLUMNS = 64 };

// --- updates -----------------------------------------------------------------------------------

static tot_replay *make_replay(const tot_replay_shape *shape) {
    static float observations[(STEPS + 1) * 39];
    static uint8_t pictures[(STEPS + 1) * PIXELS * PIXELS * 3];
    static float actions[STEPS * 4];
    static float rewards[STEPS];
    const tot_episode episode = {.steps = STEPS,
                                 .observations = shape->width > 0 ? observations : NULL,
                                 .pictures = shape->pixels > 0 ? pictures : NULL,
                                 .actions = actions,
                                 .rewards = rewards};
    tot_replay *replay = NULL;
    tot_random random;
    tot_random_init(&random, 16, "replay");
    for (size_t k = 0; k < sizeof observations / sizeof *observations; k++) {
        observations[k] = (float)tot_random_normal(&random);
    }
    for (size_t k = 0; k < sizeof pictures; k++) {
        pictures[k] = (uint8_t)tot_random_word(&random);
    }
    for (int k = 0; k < STEPS * 4; k++) {
        actions[k] = (float)(2 * tot_random_uniform(&random) - 1);
        rewards[k / 4] = -(float)tot_random_uniform(&random);
    }
    assert_ok(tot_replay_create(&replay, shape, 1000, 0));
    assert_ok(tot_replay_add(replay, &episode));
    return replay;
}

// The networks that every method has.
static uint64_t add_networks(uint64_t hash, tot_agent *agent) {
    static const char *const networks[] = {"encoder.", "actor.", "critic.", "target_critic."};
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const char *name = tot_agent_tensor_name(agent, k);
        const tot_array array = tot_agent_tensor(agent, k);
        for (size_t j = 0; j < sizeof networks / sizeof *networks; j++) {
            if (strncmp(name, networks[j], strlen(networks[j])) == 0) {
                hash = golden_add(hash, array.data,
                                  (size_t)tot_array_count(&array) * tot_type_size(array.type));
            }
        }
    }
    return hash;
}

static void check_updates(const char *name, const tot_replay_shape *shape) {
    tot_agent_config config;
    tot_agent *agent = NULL;
    tot_batch batch;
    tot_random random;
    tot_losses losses = {0};
    tot_replay *replay = make_replay(shape);
    tot_agent_defaults(&config);
    config.hidden = 96;
    config.batch = 32;
    assert_ok(tot_agent_create(&agent, &config, shape, 16, NULL));
    assert_ok(tot_batch_create(&batch, shape, config.batch));
    tot_random_init(&random, 16, "batch");
    uint64_t hash = GOLDEN_EMPTY;
    for (int k = 0; k < 3; k++) {
        assert_ok(tot_replay_sample(replay, &random, 3, 0.9, 4, &batch));
        assert_ok(tot_agent_update(agent, &batch, &losses));
        hash = golden_add(hash, &losses.critic, sizeof losses.critic);
        hash = golden_add(hash, &losses.actor, sizeof losses.actor);
        hash = golden_add(hash, &losses.value, sizeof losses.value);
    }
    golden_check(name, add_networks(hash, agent));
    tot_batch_free(&batch);
    tot_agent_free(agent);
    tot_replay_free(replay);
}

void golden_updates(void **state) {
    (void)state;
    check_updates("update-state", &(tot_replay_shape){.width = 39});
    check_updates("update-pixels", &(tot_replay_shape){.pixels = PIXELS});
}

// --- a run -------------------------------------------------------------------------------------

// The columns that do not depend on time; new columns may be added to the file.
static const char *const columns[] = {"step",
                                      "episode",
                                      "success_rate",
                                      "eval_return",
                                      "train_success_rate",
                                      "return",
                                      "task_return",
                                      "critic_loss",
                                      "actor_loss",
                                      "value",
                                      "clone_loss",
                                      "discriminator_loss",
                                      "noise",
                                      "discount",
                                      "reward_scale",
                                      "updates",
                                      "replay_transitions"};

// Adds the cells of these columns, as text, row by row.
static uint64_t add_metrics(const char *path) {
    bool wanted[MOST_COLUMNS] = {false};
    char line[MOST_LINE];
    uint64_t hash = GOLDEN_EMPTY;
    int found = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int row = 0; fgets(line, sizeof line, file) != NULL; row++) {
        char *rest = line;
        line[strcspn(line, "\r\n")] = '\0';
        for (int column = 0; rest != NULL && column < MOST_COLUMNS; column++) {
            const char *cell = strsep(&rest, ",");
            for (size_t k = 0; row == 0 && k < sizeof columns / sizeof *columns; k++) {
                wanted[column] = wanted[column] || strcmp(cell, columns[k]) == 0;
            }
            found += row == 0 && wanted[column] ? 1 : 0;
            hash = wanted[column] ? golden_add(hash, cell, strlen(cell) + 1) : hash;
        }
    }
    fclose(file);
    assert_int_equal(found, sizeof columns / sizeof *columns);
    return hash;
}

static void check_run(const char *method) {
    static const char *const settings[][2] = {
        {"task", "window-open"}, {"encoder", "mobilenetv2"},
        {"size", "32"},          {"stride", "16"},
        {"horizon", "12"},       {"steps", "60"},
        {"hidden", "16"},        {"batch", "16"},
        {"eval_every", "30"},    {"eval_episodes", "2"},
        {"warmup", "13"},        {"update_after", "14"},
        {"update_every", "1"},   {"log_every", "5"},
        {"video", "0"},
    };
    char path[160];
    char name[96];
    tot_train_config config;
    tot_train_defaults(&config);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        assert_ok(tot_train_set(&config, settings[k][0], settings[k][1]));
    }
    assert_ok(tot_train_set(&config, "method", method));
    snprintf(path, sizeof path, "%s/%s", folder, method);
    const tot_train_options options = {.folder = path, .threads = 1};
    assert_ok(tot_train(&config, &options, NULL));
    snprintf(path, sizeof path, "%s/%s/metrics.csv", folder, method);
    snprintf(name, sizeof name, "run-%s", method);
    golden_check(name, add_metrics(path));
}

void golden_run(void **state) {
    const char *weights = NULL;
    if (tot_mujoco_check(NULL, NULL) != TOT_OK || tot_scenes_check(NULL) != TOT_OK ||
        tot_weights_default(&weights) != TOT_OK) {
        print_message("skipped: %s\n", tot_error());
        return;
    }
    assert_int_equal(make_folder(state), 0);
    check_run("temporalot");
    check_run("ads");
    remove_folder(state);
}

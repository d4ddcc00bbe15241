// The settings of a run: by name, from YAML, from presets; and their interactions.
#include <unistd.h>

#include "asserts.h"
#include "base/memory.h"
#include "failing_memory.h"
#include "file/yaml.h"
#include "train/embedder.h"
#include "train/settings.h"

static tot_train_config config;

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

TEST(test_defaults_are_the_papers) {
    tot_train_defaults(&config);
    assert_int_equal(config.steps, 500000);
    assert_int_equal(config.agent.batch, 512);
    assert_int_equal(config.reward.context, 3);
    assert_string_equal(config.method, "temporalot");
    // the preset "paper" gives the same settings, except for the encoder's name
    tot_train_config preset;
    tot_train_defaults(&preset);
    assert_ok(tot_train_preset(&preset, "paper"));
    assert_string_equal(train_config_difference(&config, &preset), "encoder");
    assert_ok(tot_train_set(&config, "encoder", "resnet50"));
    assert_null(train_config_difference(&config, &preset));
    // everything the paper does not have is off
    static const char *const off[][2] = {
        {"observation", "raw"},     {"clock", "off"},           {"view", "camera"},
        {"agent_view", "camera"},   {"match", "best"},          {"layer_norm", "off"},
        {"noise_correlation", "0"}, {"grip_noise", "1"},        {"grip_correlation", "0"},
        {"best_share", "0"},        {"whiten", "off"},          {"grip_reflex", "0"},
        {"weight_decay", "0"},      {"demo_choose", "1"},       {"end_value", "bootstrap"},
        {"still_share", "0"},       {"learning_rate_end", "1"},
    };
    for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
        char text[TOT_TRAIN_TEXT];
        assert_ok(tot_train_get(&preset, off[k][0], text, sizeof text));
        assert_string_equal(text, off[k][1]);
    }
}

// Cameras without an explicit view have that of the setting, which may be two.
TEST(test_views) {
    static const struct {
        const char *camera, *view;
        int64_t count;
    } cases[] = {{"", "camera", 1},
                 {"", "both", 2},
                 {"corner", "hand", 1},
                 {"corner,corner3", "fitted", 2},
                 {"corner,corner3", "both", 4},
                 {":fitted,:hand", "camera", 2},
                 {"corner:camera,corner3", "both", 3},
                 {"corner,corner2,corner3", "hand", 3}};  // set while the view is still `both`
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tot_train_defaults(&config);
        assert_ok(tot_train_set(&config, "view", "both"));
        assert_ok(tot_train_set(&config, "camera", cases[k].camera));
        assert_ok(tot_train_set(&config, "view", cases[k].view));
        assert_int_equal(config.reward.views, cases[k].count);
    }
    assert_fails(tot_train_set(&config, "camera", "corner:above"), TOT_E_ARGUMENT, "'above'");
}

// The agent's view is a single one, of its own kind and size, and always shows the arm.
TEST(test_agent_view) {
    static const struct {
        const char *view;
        bool fitted;
        double around_hand;
    } cases[] = {{"camera", false, 0}, {"fitted", true, 0}, {"hand", false, 0.15}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        train_views views;
        tot_train_defaults(&config);
        assert_ok(tot_train_set(&config, "agent_view", cases[k].view));
        assert_ok(tot_train_set(&config, "view", "both"));
        assert_ok(tot_train_set(&config, "hand_margin", "0.15"));
        assert_ok(tot_train_set(&config, "arm", "hidden"));
        assert_ok(train_views_of(&views, &config));
        assert_int_equal(views.encoder.count, 2);
        assert_int_equal(views.encoder.view[0].arm, TOT_ARM_HIDDEN);
        assert_int_equal(views.encoder.view[1].arm, TOT_ARM_HIDDEN);
        assert_int_equal(views.agent.arm, TOT_ARM_DRAWN);
        assert_int_equal(views.agent.width, config.pixels);
        assert_int_equal(views.agent.fitted, cases[k].fitted);
        assert_true(views.agent.around_hand == cases[k].around_hand);
    }
    assert_fails(tot_train_set(&config, "agent_view", "both"), TOT_E_ARGUMENT, "agent_view");
}

TEST(test_set_and_get) {
    const struct {
        const char *name, *text, *shown;
    } cases[] = {
        {"steps", "123", "123"},        {"learning-rate", "3e-4", "0.0003"},
        {"obs", "pixels", "pixels"},    {"mask", "7", "band:7"},
        {"mask", "none", "none"},       {"reward_tau", "2", "2"},
        {"tau", "0.01", "0.01"},        {"scale", "auto", "auto"},
        {"cost", "cosine", "cosine"},   {"task", "door-open", "door-open"},
        {"noise_end", "0.1", "0.1"},    {"zero_frame", "treat-as-far", "treat-as-far"},
        {"demo", "a.npz,b", "a.npz,b"}, {"epsilon", "0.02", "0.02"},
    };
    tot_train_defaults(&config);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[TOT_TRAIN_TEXT];
        assert_ok(tot_train_set(&config, cases[k].name, cases[k].text));
        assert_ok(tot_train_get(&config, cases[k].name, text, sizeof text));
        assert_string_equal(text, cases[k].shown);
    }
    assert_true(config.reward.tau == 2 && config.agent.tau == 0.01);
}

TEST(test_refusals) {
    tot_train_defaults(&config);
    assert_fails(tot_train_set(&config, "lerning_rate", "1"), TOT_E_ARGUMENT, "learning_rate");
    assert_fails(tot_train_set(&config, "steps", "0"), TOT_E_ARGUMENT, "0 is not in 1");
    assert_fails(tot_train_set(&config, "steps", "1e3"), TOT_E_ARGUMENT, "1e3");
    assert_fails(tot_train_set(&config, "obs", "eyes"), TOT_E_ARGUMENT, "state|pixels");
    assert_fails(tot_train_set(&config, "method", "temporalto"), TOT_E_ARGUMENT, "temporalot");
    assert_fails(tot_train_set(&config, "task", "dor-open"), TOT_E_ARGUMENT, "door-open");
    assert_fails(tot_train_set(&config, "scale", "big"), TOT_E_ARGUMENT, "scale");
    assert_fails(tot_train_set(&config, "noise_start", "nan"), TOT_E_ARGUMENT, "noise_start");
    assert_fails(tot_train_preset(&config, "papper"), TOT_E_ARGUMENT, "paper");
    assert_fails(tot_train_check(&config), TOT_E_ARGUMENT, "task");
    char *endless = malloc(3000);
    memset(endless, 'x', 2999);
    endless[2999] = '\0';
    assert_fails(tot_train_set(&config, "weights", endless), TOT_E_ARGUMENT, "weights");
    free(endless);
    // a rejected setting changes nothing
    tot_train_config fresh;
    tot_train_defaults(&fresh);
    assert_null(train_config_difference(&config, &fresh));
    assert_ok(tot_train_set(&config, "task", "push"));
    assert_ok(tot_train_set(&config, "capacity", "40"));
    assert_fails(tot_train_check(&config), TOT_E_ARGUMENT, "capacity");
}

// Context, mask and cost default to the method's, in whatever order settings are made.
TEST(test_what_the_method_chooses) {
    tot_train_defaults(&config);
    assert_ok(tot_train_set(&config, "method", "ot"));
    assert_int_equal(config.reward.context, 1);
    assert_int_equal(config.reward.mask, TOT_MASK_NONE);
    assert_ok(tot_train_set(&config, "method", "temporalot-no-mask"));
    assert_int_equal(config.reward.context, 3);
    assert_ok(tot_train_set(&config, "context", "5"));
    assert_ok(tot_train_set(&config, "method", "ot"));
    assert_int_equal(config.reward.context, 5);
    assert_ok(tot_train_set(&config, "method", "ads"));
    assert_string_equal(tot_method_name(config.reward.method), "ot");
    assert_int_equal(config.reward.cost, TOT_COST_COSINE);
    assert_ok(tot_train_set(&config, "cost_on", "state"));
    assert_int_equal(config.reward.cost, TOT_COST_EUCLIDEAN);
    assert_ok(tot_train_set(&config, "cost", "cosine"));
    assert_ok(tot_train_set(&config, "seed", "3"));
    assert_int_equal(config.reward.cost, TOT_COST_COSINE);
    for (size_t k = 0; k < tot_train_method_count(); k++) {
        tot_train_method method;
        assert_ok(tot_train_set(&config, "method", tot_train_method_at(k)->name));
        assert_ok(tot_train_method_find(&method, tot_train_method_at(k)->name));
        assert_true(method.acts || method.clones);
    }
}

// config.yaml survives a round trip.
TEST(test_round_trip) {
    char path[] = "/tmp/temporalot-settings-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    tot_train_config again;
    tot_train_defaults(&config);
    assert_ok(tot_train_preset(&config, "quick"));
    assert_ok(tot_train_set(&config, "task", "lever-pull"));
    assert_ok(tot_train_set(&config, "method", "dynamic"));
    assert_ok(tot_train_set(&config, "weights", "a \"strange\" \\ name: #1.pth"));
    assert_ok(tot_train_set(&config, "learning_rate", "0.00012345678901234567"));
    char *text = train_config_text(&config);
    assert_non_null(text);
    write_file(path, text);
    tot_train_defaults(&again);
    assert_ok(tot_train_load(&again, path));
    const char *difference = train_config_difference(&config, &again);
    assert_null(difference);
    char *second = train_config_text(&again);
    assert_string_equal(text, second);
    base_free(text);
    base_free(second);
    unlink(path);
}

// Texts that would not survive in config.yaml are rejected, and the setting is unchanged.
TEST(test_texts_that_cannot_be_kept) {
    static const char *const bad[] = {"a\nb", "\x01", "a\x7f", "\xff.pth", "cut \xc3", "\xc2\x85"};
    tot_train_defaults(&config);
    assert_ok(tot_train_set(&config, "weights", "caf\xc3\xa9 \xf0\x9f\xa4\x96.pth"));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_fails(tot_train_set(&config, "weights", bad[k]), TOT_E_ARGUMENT, "weights");
        assert_string_equal(config.weights, "caf\xc3\xa9 \xf0\x9f\xa4\x96.pth");
    }
}

static tot_status load_text(const char *text) {
    char path[] = "/tmp/temporalot-settings-XXXXXX";
    close(mkstemp(path));
    write_file(path, text);
    tot_train_defaults(&config);
    const tot_status status = tot_train_load(&config, path);
    unlink(path);
    return status;
}

TEST(test_yaml) {
    assert_ok(load_text("# only a comment\n"));
    assert_ok(load_text(""));
    assert_ok(load_text("steps: 77\npreset: quick\nhidden: 9\n"));
    assert_int_equal(config.steps, 77);
    assert_int_equal(config.agent.hidden, 9);
    static tot_train_config quick;
    tot_train_defaults(&quick);
    assert_int_not_equal(config.agent.batch, quick.agent.batch);
    assert_ok(tot_train_preset(&quick, "quick"));
    assert_int_equal(config.agent.batch, quick.agent.batch);
    assert_ok(load_text("demo: [a.npz, 'b.npz']\n"));
    assert_string_equal(config.demo, "a.npz,b.npz");
    assert_fails(load_text("steps: 1\nstpes: 2\n"), TOT_E_ARGUMENT, "line 2");
    assert_fails(load_text("steps: 1\nsteps: 2\n"), TOT_E_FORMAT, "line 2: 'steps'");
    assert_fails(load_text("steps:\n  more: 2\n"), TOT_E_FORMAT, "line 2");
    assert_fails(load_text("- 1\n- 2\n"), TOT_E_FORMAT, "line 1");
    assert_fails(load_text("steps: [1, [2]]\n"), TOT_E_FORMAT, "line 1");
    assert_fails(load_text("steps: 1\n\tx: 2\n"), TOT_E_FORMAT, "line 2");
    assert_fails(load_text("steps: 1\n---\nsteps: 2\n"), TOT_E_FORMAT, "document");
    assert_fails(load_text("steps: 1\ntask: \"a\\0b\"\n"), TOT_E_FORMAT, "line 2: a value holds");
    assert_fails(load_text("a: *b\n"), TOT_E_FORMAT, "line 1");
    assert_fails(tot_train_load(&config, "/nowhere/x.yaml"), TOT_E_FILE, "/nowhere/x.yaml");
}

static tot_status parse_some(void) {
    static const char text[] = "steps: 1\ndemo: [a, b, c]\nseed: 2\n";
    file_yaml yaml = {0};
    tot_status status = file_yaml_parse(&yaml, text, sizeof text - 1, "some");
    file_yaml_free(&yaml);
    return status;
}

// A file from before the setting was called stride.
TEST(test_yaml_of_before) {
    assert_ok(load_text("cell: 8\n"));
    assert_int_equal(config.stride, 8);
    char value[TOT_TRAIN_TEXT];
    assert_ok(tot_train_get(&config, "cell", value, sizeof value));
    assert_string_equal(value, "8");
    char *text = train_config_text(&config);
    assert_non_null(text);
    assert_non_null(strstr(text, "\nstride: 8\n"));
    assert_null(strstr(text, "cell"));
    base_free(text);
}

TEST(test_no_memory) {
    assert_survives_no_memory(parse_some());
}

// Every setting of the list can be read and set, and has a help text.
TEST(test_list) {
    tot_train_defaults(&config);
    assert_true(tot_train_parameter_count() > 60);
    for (size_t k = 0; k < tot_train_parameter_count(); k++) {
        char name[64];
        char text[TOT_TRAIN_TEXT];
        snprintf(name, sizeof name, "%s", tot_train_parameter_at(k)->name);
        assert_true(strlen(tot_train_parameter_at(k)->help) > 5);
        assert_ok(tot_train_get(&config, name, text, sizeof text));
        if (strcmp(name, "task") != 0) {
            assert_ok(tot_train_set(&config, name, text));
        }
    }
    assert_null(tot_train_parameter_at(tot_train_parameter_count()));
}

TEST_MAIN(NULL, NULL)

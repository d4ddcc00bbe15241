// Trajectories in files: round trips, and invalid files.
#include "recordings.h"

#include <math.h>

#include "../failing_memory.h"

static const char *path;

static int begin(void **state) {
    path = in_folder("it.npz");
    return empty_test_folder(state);
}

static void assert_same_meta(const tot_recording_meta *a, const tot_recording_meta *b) {
    char text[512];
    assert_int_equal(tot_recording_differences(a, b, text, sizeof text), 0);
    assert_string_equal(a->policy, b->policy);
    assert_string_equal(a->metaworld, b->metaworld);
    assert_string_equal(a->renderer, b->renderer);
    assert_string_equal(a->program, b->program);
    assert_int_equal(a->hold, b->hold);
    assert_int_equal(a->speed, b->speed);
    assert_int_equal(a->metaworld_box, b->metaworld_box);
}

// --- round trips -------------------------------------------------------------------------------

TEST_EACH(begin, NULL)

TEST(test_round_trip) {
    for (size_t count = 1; count <= 3; count++) {
        OWNED(tot_recording) saved = {0};
        OWNED(tot_recording) loaded = {0};
        make_up_recording(&saved, count, count != 2);
        saved.trajectories[0].seed = -1;
        saved.trajectories[0].episode = -1;
        saved.trajectories[count - 1].episode = INT64_C(9007199254740991);
        snprintf(saved.meta.renderer, sizeof saved.meta.renderer, "%s", count == 1 ? "gl" : "");
        saved.meta.metaworld_box = count == 3;
        assert_ok(tot_recording_save(&saved, path));
        assert_ok(tot_recording_load(&loaded, path));
        assert_int_equal(loaded.count, count);
        assert_same_meta(&loaded.meta, &saved.meta);
        for (size_t k = 0; k < count; k++) {
            assert_same_trajectory(&loaded.trajectories[k], &saved.trajectories[k]);
        }
        tot_npz *npz = NULL;
        assert_ok(tot_npz_open(&npz, path));
        assert_int_equal(tot_npz_has(npz, "observations"), count == 1);
        assert_int_equal(tot_npz_has(npz, "observations_0"), count > 1);
        assert_int_equal(tot_npz_has(npz, count == 1 ? "frames" : "frames_0"), count != 2);
        tot_npz_close(npz);

        // into a recording in use; also from memory
        size_t size;
        uint8_t *bytes = read_bytes(path, &size);
        assert_ok(tot_recording_parse(&loaded, bytes, size, "memory"));
        assert_int_equal(loaded.count, count);
        free(bytes);
    }
}

TEST(test_describe) {
    tot_task *task = NULL;
    tot_recording_meta meta;
    const tot_task_settings box = {.metaworld_box = true};
    assert_ok(tot_task_load(&task, "basketball", &box));
    assert_ok(tot_recording_describe(&meta, task, NULL, "zero"));
    assert_true(meta.metaworld_box && meta.upright && !meta.hold);
    assert_string_equal(meta.task, "basketball");
    assert_string_equal(meta.camera, "corner");
    assert_string_equal(meta.policy, "zero");
    assert_string_equal(meta.mujoco, "3.3.0");
    assert_string_equal(meta.metaworld, "3.1.1");
    assert_string_equal(meta.program, TOT_VERSION);
    assert_string_equal(meta.renderer, "");
    assert_int_equal(meta.horizon, 175);
    assert_int_equal(meta.action_repeat, 1);
    const tot_world_settings settings = {.action_repeat = 3, .horizon = 60};
    assert_ok(tot_recording_describe(&meta, task, &settings, "zero"));
    assert_int_equal(meta.horizon, 60);
    assert_int_equal(meta.action_repeat, 3);
    tot_task_free(task);
    assert_ok(tot_task_load(&task, "basketball", NULL));
    assert_ok(tot_recording_describe(&meta, task, NULL, "zero"));
    assert_false(meta.metaworld_box);
    tot_task_free(task);
}

TEST(test_differences) {
    const tot_recording_meta wanted = made_up_meta();
    tot_recording_meta found = wanted;
    char text[512] = "x";
    assert_int_equal(tot_recording_differences(&found, &wanted, text, sizeof text), 0);
    assert_string_equal(text, "");
    // these may differ
    found.hold = false;
    found.speed = 4;
    snprintf(found.policy, sizeof found.policy, "run");
    snprintf(found.program, sizeof found.program, "9.9.9");
    snprintf(found.renderer, sizeof found.renderer, "gl");
    assert_int_equal(tot_recording_differences(&found, &wanted, text, sizeof text), 0);
    snprintf(found.task, sizeof found.task, "push");
    found.action_repeat = 1;
    found.upright = false;
    assert_int_equal(tot_recording_differences(&found, &wanted, text, sizeof text), 3);
    assert_string_equal(text,
                        "task (push, not door-open), upright (false, not true), "
                        "action_repeat (1, not 2)");
    assert_int_equal(tot_recording_differences(&found, &wanted, NULL, 0), 3);
    assert_int_equal(tot_recording_differences(&found, &wanted, text, 9), 3);
    assert_string_equal(text, "task (pu");
    assert_int_equal(tot_recording_differences(&found, &wanted, text, 1), 3);
    assert_string_equal(text, "");
    snprintf(found.mujoco, sizeof found.mujoco, "3.12.0");
    tot_recording_meta drawn = wanted;
    snprintf(drawn.renderer, sizeof drawn.renderer, "soft");
    assert_int_equal(tot_recording_differences(&found, &drawn, text, sizeof text), 5);
    assert_non_null(strstr(text, "mujoco (3.12.0, not 3.3.0)"));
    assert_non_null(strstr(text, "renderer (gl, not soft)"));
}

TEST(test_cannot_save) {
    tot_recording recording = {.meta = made_up_meta()};
    assert_fails(tot_recording_save(&recording, path), TOT_E_ARGUMENT, "no trajectory");
    tot_trajectory empty = {0};
    assert_ok(tot_recording_add(&recording, &empty));
    assert_fails(tot_recording_save(&recording, path), TOT_E_ARGUMENT, "trajectory 0: 0 steps");
    tot_recording_free(&recording);
    make_up_recording(&recording, 2, false);
    recording.trajectories[1].seed = INT64_C(9007199254740992);
    assert_fails(tot_recording_save(&recording, path), TOT_E_ARGUMENT, "trajectory 1: seed 9007");
    recording.trajectories[1].seed = 0;
    assert_fails(tot_recording_save(&recording, in_folder("nowhere/it.npz")), TOT_E_FILE,
                 "nowhere");
    assert_int_equal(count_files(false), 0);
    tot_recording_free(&recording);
}

// --- invalid files -----------------------------------------------------------------------------

static const char good_meta[] =
    "{\"task\":\"push\",\"policy\":\"expert\",\"camera\":\"corner3\",\"upright\":true,"
    "\"action_repeat\":2,\"horizon\":125,\"hold\":false,\"speed\":1,\"metaworld_box\":false,"
    "\"mujoco\":\"3.3.0\",\"metaworld\":null,\"renderer\":null,\"program\":\"0.1.0\","
    "\"trajectories\":[{\"seed\":0,\"episode\":1,\"attempts\":2}]}";

static double observations[4 * TOT_OBSERVATION];
static float actions[3 * TOT_ACTION];
static uint8_t success[3] = {0, 1, 1};
static double draw[8] = {0.1, 0.2, 0.3};
static uint8_t pixels[4 * 2 * 2 * 3];

enum { OBSERVATIONS, ACTIONS, SUCCESS, DRAW, FRAMES, META, PARTS };

static const char *const part_names[PARTS] = {"observations", "actions", "success",
                                              "rand_vec",     "frames",  "meta"};

static void good_parts(tot_array *parts) {
    const tot_array good[PARTS] = {
        [OBSERVATIONS] = {TOT_F64, 2, {4, TOT_OBSERVATION}, observations, 0},
        [ACTIONS] = {TOT_F32, 2, {3, TOT_ACTION}, actions, 0},
        [SUCCESS] = {TOT_U8, 1, {3}, success, 0},
        [DRAW] = {TOT_F64, 1, {3}, draw, 0},
        [FRAMES] = {TOT_U8, 4, {3, 2, 2, 3}, pixels, 0},
        [META] = {TOT_U8, 1, {sizeof good_meta - 1}, (void *)good_meta, 0},
    };
    memcpy(parts, good, sizeof good);
}

// Writes the parts that have data.
static void write_parts(const tot_array *parts) {
    tot_npz_writer *writer = NULL;
    assert_ok(tot_npz_create(&writer, path, false));
    for (int k = 0; k < PARTS; k++) {
        if (parts[k].data != NULL) {
            assert_ok(tot_npz_add(writer, part_names[k], &parts[k]));
        }
    }
    assert_ok(tot_npz_commit(writer));
}

// Asserts that a file with these parts is rejected with this text and the file's name.
static void assert_refused(const tot_array *parts, tot_status status, const char *words) {
    tot_recording loaded = {0};
    write_parts(parts);
    assert_fails(tot_recording_load(&loaded, path), status, words);
    assert_non_null(strstr(tot_error(), "it.npz: "));
    assert_empty(&loaded);
}

TEST(test_good_parts) {
    tot_array parts[PARTS];
    OWNED(tot_recording) loaded = {0};
    good_parts(parts);
    write_parts(parts);
    assert_ok(tot_recording_load(&loaded, path));
    assert_int_equal(loaded.trajectories[0].steps, 3);
    assert_int_equal(loaded.trajectories[0].attempts, 2);
    assert_string_equal(loaded.meta.metaworld, "");
    // one more picture, or none
    parts[FRAMES].shape[0] = 4;
    write_parts(parts);
    assert_ok(tot_recording_load(&loaded, path));
    assert_int_equal(loaded.trajectories[0].frames.shape[0], 4);
    parts[FRAMES].data = NULL;
    write_parts(parts);
    assert_ok(tot_recording_load(&loaded, path));
    assert_null(loaded.trajectories[0].frames.data);
}

TEST(test_missing_and_wrong_type) {
    for (int k = 0; k < PARTS; k++) {
        tot_array parts[PARTS];
        char words[64];
        if (k != FRAMES) {
            good_parts(parts);
            parts[k].data = NULL;
            snprintf(words, sizeof words, "it.npz: has no array %s", part_names[k]);
            assert_refused(parts, TOT_E_FORMAT, words);
        }
        good_parts(parts);
        // the same bytes as another type of the same size, or a smaller one
        parts[k].type = parts[k].type == TOT_F64 ? TOT_I64 : TOT_I32;
        if (k >= SUCCESS && k != DRAW) {
            parts[k].shape[0] = parts[k].type == TOT_I32 ? 1 : parts[k].shape[0];
            parts[k].dimensions = 1;
        }
        snprintf(words, sizeof words, "%s is %s", part_names[k],
                 k == META ? "not text" : tot_type_text(parts[k].type));
        if (k == SUCCESS) {
            static int32_t one;
            parts[k].data = &one;
        }
        assert_refused(parts, TOT_E_FORMAT, words);
    }
}

TEST(test_wrong_shapes) {
    static const struct {
        int part;
        int dimensions;
        int64_t shape[4];
        tot_status status;
        const char *words;
    } cases[] = {
        {OBSERVATIONS, 1, {156}, TOT_E_SHAPE, "observations is 156, not rows x 39"},
        {OBSERVATIONS, 2, {4, 38}, TOT_E_SHAPE, "observations is 4 x 38"},
        {OBSERVATIONS, 2, {1, 39}, TOT_E_SHAPE, "no step"},
        {OBSERVATIONS, 2, {0, 39}, TOT_E_SHAPE, "0 x 39"},
        {OBSERVATIONS, 2, {3, 39}, TOT_E_SHAPE, "actions has 3 rows, but its observations need 2"},
        {OBSERVATIONS, 0, {0}, TOT_E_SHAPE, "a single number"},
        {ACTIONS, 2, {2, 4}, TOT_E_SHAPE, "actions has 2 rows"},
        {ACTIONS, 2, {4, 3}, TOT_E_SHAPE, "actions is 4 x 3"},
        {ACTIONS, 3, {3, 4, 1}, TOT_E_SHAPE, "actions is 3 x 4 x 1"},
        {SUCCESS, 1, {2}, TOT_E_SHAPE, "success has 2 rows"},
        {SUCCESS, 2, {3, 1}, TOT_E_SHAPE, "success is 3 x 1, not one dimension"},
        {DRAW, 1, {8}, TOT_E_SHAPE, "8 numbers; 6 at most"},
        {DRAW, 1, {0}, TOT_E_SHAPE, "rand_vec is 0"},
        {DRAW, 0, {0}, TOT_E_SHAPE, "rand_vec is a single number"},
        {FRAMES, 4, {2, 2, 2, 3}, TOT_E_SHAPE, "frames is 2 x 2 x 2 x 3, not 3 x height"},
        {FRAMES, 4, {3, 2, 2, 4}, TOT_E_SHAPE, "frames is 3 x 2 x 2 x 4"},
        {FRAMES, 4, {3, 0, 2, 3}, TOT_E_SHAPE, "frames is 3 x 0 x 2 x 3"},
        {FRAMES, 3, {3, 4, 3}, TOT_E_SHAPE, "frames is 3 x 4 x 3"},
        {META, 0, {0}, TOT_E_FORMAT, "meta is not text"},
        {META, 1, {0}, TOT_E_FORMAT, "meta: is not JSON"},
        {META, 1, {20}, TOT_E_FORMAT, "meta: is not JSON, from byte"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        tot_array parts[PARTS];
        good_parts(parts);
        parts[cases[k].part].dimensions = cases[k].dimensions;
        memcpy(parts[cases[k].part].shape, cases[k].shape, sizeof cases[k].shape);
        assert_refused(parts, cases[k].status, cases[k].words);
    }
}

TEST(test_wrong_values) {
    tot_array parts[PARTS];
    good_parts(parts);
    observations[2 * TOT_OBSERVATION + 7] = NAN;
    assert_refused(parts, TOT_E_VALUE, "observations[2, 7] is nan");
    observations[2 * TOT_OBSERVATION + 7] = 0;
    actions[5] = INFINITY;
    assert_refused(parts, TOT_E_VALUE, "actions[1, 1] is inf");
    actions[5] = 0;
    draw[2] = NAN;
    assert_refused(parts, TOT_E_VALUE, "rand_vec[2, 0] is nan");
    draw[2] = 0;
    success[1] = 2;
    assert_refused(parts, TOT_E_VALUE, "step 1: 2 is not 0 or 1");
    success[1] = 1;
}

// The valid metadata with one piece of text replaced.
static void refuse_meta(const char *find, const char *put, tot_status status, const char *words) {
    tot_array parts[PARTS];
    char text[1024];
    const char *at = strstr(good_meta, find);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good_meta), good_meta, put,
             at + strlen(find));
    good_parts(parts);
    parts[META].data = text;
    parts[META].shape[0] = (int64_t)strlen(text);
    assert_refused(parts, status, words);
}

TEST(test_bad_meta) {
    static const struct {
        const char *find, *put, *words;
    } cases[] = {
        {"{\"task\":\"push\",", "{", "meta: task is missing"},
        {"\"push\"", "3", "task is not a text"},
        {"\"push\"", "null", "task is not a text"},
        {"\"push\"", "\"\"", "task has 0 characters"},
        {"\"push\"", "\"a\\nb\"", "task is not of letters"},
        {"\"push\"", "\"a\\u001b[2Jb\"", "task is not of letters"},
        {"\"push\"",
         "\"pushpushpushpushpushpushpushpushpushpushpushpushpushpushpushpush"
         "pushpushpushpushpushpushpushpushpushpushpushpushpushpushpushpush"
         "pushpushpushpushpushpushpushpushpushpushpushpushpushpushpushpush"
         "pushpushpushpushpushpushpushpushpushpushpushpushpushpushpushpush"
         "pushpushpushpushpushpushpushpushpushpushpushpushpushpushpushpush"
         "pushpushpushpushpushpushpushpushpushpushpushpushpushpushpushpush\"",
         "task has 384"},
        {"\"upright\":true", "\"upright\":1", "upright is not true or false"},
        {"\"action_repeat\":2", "\"action_repeat\":0", "action_repeat is not a whole number"},
        {"\"action_repeat\":2", "\"action_repeat\":2.5", "action_repeat is not a whole number"},
        {"\"action_repeat\":2", "\"action_repeat\":1e300", "action_repeat is not a whole number"},
        {"\"action_repeat\":2", "\"action_repeat\":1e999", "action_repeat is not a whole number"},
        {"\"action_repeat\":2", "\"action_repeat\":\"2\"", "action_repeat is not a whole number"},
        {"\"hold\":false", "\"hold\":null", "hold is not true or false"},
        {"\"mujoco\":\"3.3.0\"", "\"mujoco\":null", "mujoco is not a text"},
        {"\"renderer\":null", "\"renderer\":[]", "renderer is not a text"},
        {"\"program\"", "\"crop\":3,\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":\"all\",\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":[],\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":[0,0,1],\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":[0,0,1,1,0],\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":[0,0,1.5,1],\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":[-0.1,0,1,1],\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":[0,0,\"1\",1],\"program\"", "crop is not"},
        {"\"program\"", "\"crop\":[0,0,1e999,1],\"program\"", "crop is not"},
        {",\"trajectories\":[{\"seed\":0,\"episode\":1,\"attempts\":2}]", "",
         "trajectories is not a list"},
        {"[{\"seed\":0,\"episode\":1,\"attempts\":2}]", "[]", "trajectories is not a list"},
        {"[{\"seed\":0,\"episode\":1,\"attempts\":2}]", "{}", "trajectories is not a list"},
        {"[{\"seed\":0,\"episode\":1,\"attempts\":2}]", "[3]", "trajectories[0].seed is not"},
        {"\"seed\":0", "\"seed\":-1", "trajectories[0].seed is not a whole number of 0 or more"},
        {"\"episode\":1", "\"episode\":0.5", "trajectories[0].episode"},
        {"\"attempts\":2", "\"attempts\":0", "trajectories[0].attempts is not a whole number of 1"},
        {"\"attempts\":2", "\"attempts\":null", "trajectories[0].attempts"},
        {"}]}", "},{\"seed\":0,\"episode\":1,\"attempts\":1}]}", "has no array observations_0"},
        {"{\"task\"", "[1] {\"task\"", "is not JSON"},
        {"}]}", "}]} more", "is not JSON, from byte 2"},
        {"}]}", "}]", "is not JSON"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        refuse_meta(cases[k].find, cases[k].put, TOT_E_FORMAT, cases[k].words);
    }
    refuse_meta(good_meta, "[]", TOT_E_FORMAT, "meta: is not a JSON object");
    refuse_meta(good_meta, "7", TOT_E_FORMAT, "meta: is not a JSON object");
    refuse_meta(good_meta, "", TOT_E_FORMAT, "meta: is not JSON");

    // a NUL in the text, unterminated brackets, and unterminated text
    tot_array parts[PARTS];
    static char large[(1 << 20) + 1];
    good_parts(parts);
    parts[META].data = large;
    parts[META].shape[0] = 5;
    assert_refused(parts, TOT_E_FORMAT, "contains a 0 byte");
    memset(large, '[', sizeof large);
    parts[META].shape[0] = 1 << 20;
    assert_refused(parts, TOT_E_FORMAT, "meta: is not JSON");
    parts[META].shape[0] = sizeof large;
    assert_refused(parts, TOT_E_UNSUPPORTED, "meta: has 1048577 bytes");
}

// Truncated anywhere, or with any byte changed: either read completely or rejected in one line.
TEST(test_damaged) {
    tot_array parts[PARTS];
    tot_recording loaded = {0};
    size_t size;
    good_parts(parts);
    write_parts(parts);
    uint8_t *bytes = read_bytes(path, &size);
    for (size_t length = 0; length < size; length += 3) {
        assert_true(tot_recording_parse(&loaded, bytes, length, "cut") != TOT_OK);
        assert_null(strchr(tot_error(), '\n'));
        assert_empty(&loaded);
    }
    size_t refused = 0;
    for (size_t k = 0; k < size; k++) {
        bytes[k] ^= 0x41;
        if (tot_recording_parse(&loaded, bytes, size, "changed") != TOT_OK) {
            assert_null(strchr(tot_error(), '\n'));
            assert_empty(&loaded);
            refused++;
        }
        bytes[k] ^= 0x41;
    }
    // every array has a checksum, so files that can still be read differ only in unused header
    // fields
    assert_true(refused > size / 2);
    tot_recording_free(&loaded);
    free(bytes);

    // other kinds of files
    assert_fails(tot_recording_load(&loaded, in_folder("none.npz")), TOT_E_FILE, "none.npz");
    write_bytes(path, "hello", 5);
    assert_fails(tot_recording_load(&loaded, path), TOT_E_FORMAT, "it.npz");
    assert_fails(tot_recording_load(&loaded, test_folder), TOT_E_FILE, "is a folder");
    assert_empty(&loaded);
}

// --- memory ------------------------------------------------------------------------------------

static tot_status save_and_load(void) {
    tot_recording recording = {.meta = made_up_meta()};
    tot_recording loaded = {0};
    tot_trajectory whole = {0};
    tot_trajectory thin = {0};
    tot_status status = demo_trajectory_allocate(&whole, 7);
    if (status == TOT_OK) {
        memset(whole.observations, 0, 8 * TOT_OBSERVATION * sizeof(double));
        memset(whole.actions, 0, 7 * TOT_ACTION * sizeof(float));
        memset(whole.success, 1, 7);
        whole.draw_length = 3;
        whole.frames =
            (tot_array){.type = TOT_U8, .dimensions = 4, .shape = {1, 2, 2, 3}, .data = pixels};
        status = tot_trajectory_thin(&thin, &whole, 8);
    }
    status = status != TOT_OK ? status : tot_recording_add(&recording, &thin);
    whole.frames = (tot_array){0};
    status = status != TOT_OK ? status : tot_recording_add(&recording, &whole);
    status = status != TOT_OK ? status : tot_recording_save(&recording, path);
    status = status != TOT_OK ? status : tot_recording_load(&loaded, path);
    tot_trajectory_free(&whole);
    tot_trajectory_free(&thin);
    tot_recording_free(&recording);
    tot_recording_free(&loaded);
    return status;
}

TEST(test_no_memory) {
    failing_memory memory;
    uint64_t rounds = 0;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        const tot_status status = save_and_load();
        failing_memory_check(&memory, status);
        rounds = k;
    }
    assert_true(rounds > 15);
    assert_int_equal(count_files(false), 1);
}

TEST_MAIN(make_test_folder, remove_test_folder)

// From sources to rewards in one call: same results as step by step, for any source, number of
// threads and output file; can be interrupted.
#include <sys/stat.h>

#include "asserts.h"
#include "failing_memory.h"
#include "folder.h"

#include <temporalot/label.h>

enum { EPISODES = 11, STEPS = 9, WIDTH = 5, PICTURES = 6, SIDE = 40 };

static float numbers[EPISODES + 2][STEPS * WIDTH];
static tot_array arrays[EPISODES + 2];
static uint8_t pixels[2][PICTURES * SIDE * SIDE * 3];

// The callback's arguments, by episode.
typedef struct taken {
    size_t count;
    size_t stop_at;  // the callback fails after this many episodes; 0: never
    int watched;
    bool stop;  // stop at the first progress call
    float rewards[EPISODES][STEPS];
    double sums[EPISODES];
    double scales[EPISODES];
    bool has_plan[EPISODES];
} taken;

static tot_status take(void *context, const tot_labelled *episode) {
    taken *all = context;
    assert_int_equal(episode->index, all->count);
    assert_int_equal(episode->demos, 2);
    assert_true(episode->steps <= STEPS);
    memcpy(all->rewards[episode->index], episode->rewards,
           (size_t)episode->steps * sizeof *episode->rewards);
    all->sums[episode->index] = episode->info.sum;
    all->scales[episode->index] = episode->scale;
    all->has_plan[episode->index] = episode->plan != NULL && episode->cost != NULL;
    all->count++;
    return all->count == all->stop_at ? TOT_E_VALUE : TOT_OK;
}

static bool watch(void *context, const tot_label_progress *progress) {
    taken *all = context;
    assert_true(progress->done >= 0);
    all->watched++;
    return !all->stop;
}

static tot_label_options options_for(taken *all, int threads) {
    tot_label_options options;
    tot_label_defaults(&options);
    options.threads = threads;
    options.take = take;
    options.watch = watch;
    options.context = all;
    return options;
}

// Two demonstrations, then the episodes, in memory.
static void make_sources(tot_label_source *sources) {
    tot_random random;
    tot_random_init(&random, 1, "label");
    for (int k = 0; k < EPISODES + 2; k++) {
        for (int j = 0; j < STEPS * WIDTH; j++) {
            numbers[k][j] = (float)tot_random_normal(&random);
        }
        arrays[k] = (tot_array){
            .type = TOT_F32, .dimensions = 2, .shape = {STEPS, WIDTH}, .data = numbers[k]};
        sources[k] = (tot_label_source){.path = "in memory", .array = &arrays[k]};
    }
}

// --- embeddings --------------------------------------------------------------------------------

TEST(test_as_by_hand) {
    enum { SHOWN = 8 };  // on the page
    tot_label_source sources[EPISODES + 2];
    float rewards[STEPS];
    char path[128];
    struct stat found;
    taken all = {0};
    tot_demos *demos = NULL;
    tot_labeler *labeler = NULL;
    make_sources(sources);
    snprintf(path, sizeof path, "%s/page.html", folder);
    tot_label_options options = options_for(&all, 3);
    options.page = path;
    assert_ok(tot_label_sources(sources, 2, sources + 2, EPISODES, &options));
    assert_int_equal(all.count, EPISODES);
    assert_true(stat(path, &found) == 0 && all.watched > 1);
    assert_ok(tot_demos_create(&demos));
    for (int k = 0; k < 2; k++) {
        assert_ok(tot_demos_add(demos, tot_embeddings_f32(numbers[k], STEPS, WIDTH), "demo"));
    }
    assert_ok(tot_labeler_create(&labeler, demos, &options.reward, NULL));
    for (int k = 0; k < EPISODES; k++) {
        const tot_embeddings view = tot_embeddings_f32(numbers[k + 2], STEPS, WIDTH);
        assert_ok(tot_label(labeler, view, "episode", rewards, NULL));
        assert_memory_equal(all.rewards[k], rewards, sizeof rewards);
        assert_int_equal(all.has_plan[k], k < SHOWN);
    }
    tot_labeler_free(labeler);
    tot_demos_free(demos);
}

TEST(test_threads_and_scale) {
    tot_label_source sources[EPISODES + 2];
    static taken all[3];
    make_sources(sources);
    for (int k = 0; k < 3; k++) {
        all[k] = (taken){0};
        tot_label_options options = options_for(&all[k], k + 1);
        options.auto_scale = true;
        assert_ok(tot_label_sources(sources, 2, sources + 2, EPISODES, &options));
        assert_memory_equal(all[k].rewards, all[0].rewards, sizeof all->rewards);
    }
    assert_true(all[0].scales[0] == 1);
    assert_true(all[0].scales[1] == tot_scale_auto(all[0].sums[0]));
}

TEST(test_file) {
    tot_label_source sources[EPISODES + 2];
    char path[128], picture[128];
    struct stat found;
    taken all = {0};
    tot_npz *npz = NULL;
    tot_array array = {0};
    make_sources(sources);
    snprintf(path, sizeof path, "%s/rewards.npz", folder);
    tot_label_options options = options_for(&all, 2);
    snprintf(picture, sizeof picture, "%s/rewards.svg", folder);
    options.out = path;
    options.svg = picture;
    options.plan = true;
    assert_ok(tot_label_sources(sources, 2, sources + 2, EPISODES, &options));
    assert_ok(tot_npz_open(&npz, path));
    assert_ok(tot_npz_read(npz, "rewards_7", &array));
    assert_memory_equal(array.data, all.rewards[7], sizeof all.rewards[7]);
    assert_true(tot_npz_has(npz, "plan_10") && !tot_npz_has(npz, "cost_0"));
    tot_npz_close(npz);
    // a single episode has plain names
    all = (taken){0};
    assert_ok(tot_label_sources(sources, 2, sources + 2, 1, &options));
    assert_ok(tot_npz_open(&npz, path));
    assert_ok(tot_npz_read(npz, "rewards", &array));
    assert_memory_equal(array.data, all.rewards[0], sizeof all.rewards[0]);
    tot_npz_close(npz);
    tot_array_free(&array);
    // a failure leaves no file
    assert_int_equal(remove(path), 0);
    assert_int_equal(remove(picture), 0);
    all = (taken){.stop_at = 4};
    assert_int_equal(tot_label_sources(sources, 2, sources + 2, EPISODES, &options), TOT_E_VALUE);
    all = (taken){.stop = true};
    assert_fails(tot_label_sources(sources, 2, sources + 2, EPISODES, &options), TOT_E_INTERRUPTED,
                 "stopped");
    assert_int_not_equal(stat(path, &found), 0);
    assert_int_not_equal(stat(picture, &found), 0);
}

TEST(test_refused) {
    tot_label_source sources[EPISODES + 2];
    taken all = {0};
    make_sources(sources);
    tot_label_options options = options_for(&all, 1);
    assert_fails(tot_label_sources(NULL, 0, sources, 1, &options), TOT_E_ARGUMENT,
                 "demonstrations");
    arrays[3].shape[1] = 3;
    assert_fails(tot_label_sources(sources, 2, sources + 2, 2, &options), TOT_E_SHAPE, "width 3");
    options.plan = true;
    assert_ok(tot_reward_config_for(&options.reward, "dtw"));
    assert_fails(tot_label_sources(sources, 2, sources + 2, 1, &options), TOT_E_ARGUMENT, "plan");
    const tot_label_source none = {.path = "no such file.mp4"};
    tot_label_defaults(&options);
    assert_fails(tot_label_sources(&none, 1, sources, 1, &options), TOT_E_FILE, none.path);
}

TEST(test_failing_memory) {
    tot_label_source sources[EPISODES + 2];
    failing_memory memory;
    char path[128];
    make_sources(sources);
    snprintf(path, sizeof path, "%s/page.html", folder);
    for (int threads = 1; threads <= 2; threads++) {
        for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
            taken all = {0};
            tot_label_options options = options_for(&all, threads);
            options.page = path;
            failing_memory_check(&memory,
                                 tot_label_sources(sources, 2, sources + 2, EPISODES, &options));
        }
    }
}

// --- several views -----------------------------------------------------------------------------

// The columns of two arrays side by side.
static tot_array beside(float *data, const float *left, const float *right) {
    for (int k = 0; k < STEPS; k++) {
        memcpy(data + (size_t)k * 2 * WIDTH, left + k * WIDTH, WIDTH * sizeof *data);
        memcpy(data + (size_t)k * 2 * WIDTH + WIDTH, right + k * WIDTH, WIDTH * sizeof *data);
    }
    return (tot_array){.type = TOT_F32, .dimensions = 2, .shape = {STEPS, 2 * WIDTH}, .data = data};
}

// Views given apart are labelled as views side by side in one array are.
TEST(test_views) {
    static float joined[3][STEPS * 2 * WIDTH];
    tot_label_source parts[EPISODES + 2], sources[3], whole[3];
    tot_array wide[3];
    taken apart = {0}, together = {0};
    make_sources(parts);
    for (int k = 0; k < 3; k++) {
        wide[k] = beside(joined[k], numbers[2 * k], numbers[2 * k + 1]);
        whole[k] = (tot_label_source){.path = "in memory", .array = &wide[k]};
        sources[k] = parts[2 * k];
        sources[k].others = &parts[2 * k + 1];
        sources[k].other_count = 1;
    }
    tot_label_options options = options_for(&apart, 2);
    assert_ok(tot_label_sources(sources, 2, sources + 2, 1, &options));
    options.reward.views = 2;
    options.context = &together;
    assert_ok(tot_label_sources(whole, 2, whole + 2, 1, &options));
    assert_memory_equal(apart.rewards[0], together.rewards[0], sizeof apart.rewards[0]);
    apart = (taken){0};
    options.context = &apart;
    options.reward.views = 3;
    assert_fails(tot_label_sources(sources, 2, sources + 2, 1, &options), TOT_E_ARGUMENT, "views");
    options.reward.views = 1;
    assert_fails(tot_label_sources(sources, 2, parts, 1, &options), TOT_E_SHAPE, "1 view,");
    arrays[5].shape[0]--;
    assert_fails(tot_label_sources(sources, 2, sources + 2, 1, &options), TOT_E_SHAPE, "8 x 5");
    static const size_t too_many[] = {16, 40, SIZE_MAX - 1, SIZE_MAX};
    for (size_t k = 0; k < sizeof too_many / sizeof *too_many; k++) {
        sources[0].other_count = too_many[k];
        assert_fails(tot_label_sources(sources, 1, sources + 2, 1, &options), TOT_E_ARGUMENT,
                     "at most 15");
    }
    sources[0].other_count = 1;
    parts[1].other_count = 1;
    assert_fails(tot_label_sources(sources, 1, sources + 2, 1, &options), TOT_E_ARGUMENT, "own");
    sources[0].others = NULL;
    assert_fails(tot_label_sources(sources, 1, sources + 2, 1, &options), TOT_E_ARGUMENT, "others");
}

static void save_numbers(const char *name) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    const tot_array array = {
        .type = TOT_F32, .dimensions = 2, .shape = {STEPS, WIDTH}, .data = numbers[0]};
    assert_ok(tot_array_save(&array, path));
}

static tot_status list_once(const char *word) {
    tot_source_list list = {0};
    const tot_status status = tot_source_list_add(&list, word);
    tot_source_list_free(&list);
    return status;
}

TEST(test_lists_of_views) {
    tot_source_list list = {0};
    failing_memory memory;
    char word[400], other[160];
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "front%d", k);
        save_numbers(name);
        snprintf(name, sizeof name, "side%d", k);
        save_numbers(name);
    }
    snprintf(word, sizeof word, "%s/front*.npy,%s/side*.npy", folder, folder);
    assert_ok(tot_source_list_add(&list, word));
    assert_int_equal(list.count, 3);
    for (size_t k = 0; k < 3; k++) {
        snprintf(other, sizeof other, "%s/side%zu.npy", folder, k);
        assert_int_equal(list.items[k].other_count, 1);
        assert_string_equal(list.items[k].others[0].path, other);
    }
    tot_source_list_free(&list);
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        failing_memory_check(&memory, list_once(word));
    }
    snprintf(word, sizeof word, "%s/front*.npy,%s/side1.npy", folder, folder);
    assert_fails(tot_source_list_add(&list, word), TOT_E_FILE, "3 episodes");
    assert_fails(tot_source_list_add(&list, "a.npy,"), TOT_E_ARGUMENT, "empty");
    assert_fails(tot_source_list_add(&list, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q"), TOT_E_ARGUMENT,
                 "more than 16");
    assert_int_equal(list.count, 0);
    // a list that names itself, as a view
    snprintf(other, sizeof other, "%s/self.txt", folder);
    FILE *file = fopen(other, "w");
    assert_non_null(file);
    fprintf(file, "%s/front0.npy,@%s\n", folder, other);
    fclose(file);
    snprintf(word, sizeof word, "@%s", other);
    assert_fails(tot_source_list_add(&list, word), TOT_E_FILE, "self.txt: a list cannot name");
    assert_int_equal(list.count, 0);
    // a file whose own name has a comma
    save_numbers("a,b");
    snprintf(word, sizeof word, "%s/a,b.npy", folder);
    assert_ok(tot_source_list_add(&list, word));
    assert_string_equal(list.items[0].path, word);
    assert_int_equal(list.items[0].other_count, 0);
    tot_source_list_free(&list);
    // a list, a pattern and an array of an .npz whose names have one
    static const char *const names[] = {"@%s/a,b.txt", "%s/a,*.npy", "%s/a,b.npz:x"};
    snprintf(other, sizeof other, "%s/a,b.txt", folder);
    file = fopen(other, "w");
    assert_non_null(file);
    fprintf(file, "%s/a,*.npy\n", folder);
    fclose(file);
    snprintf(other, sizeof other, "%s/a,b.npz", folder);
    file = fopen(other, "w");
    assert_non_null(file);
    fclose(file);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(word, sizeof word, names[k], folder);
        assert_ok(tot_source_list_add(&list, word));
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].other_count, 0);
        tot_source_list_free(&list);
        for (uint64_t n = 1; failing_memory_next(&memory, n); n++) {
            failing_memory_check(&memory, list_once(word));
        }
    }
}

// --- pictures ----------------------------------------------------------------------------------

static tot_label_options small_options(taken *all) {
    tot_label_options options = options_for(all, 2);
    options.embedder.encoder.size = 32;
    options.embedder.encoder.batch = 4;
    options.embedder.body.stride = 16;
    return options;
}

// Pictures in memory and in a file, and their embeddings, give the same rewards.
TEST(test_pictures) {
    const char *weights = NULL;
    char path[128];
    taken all = {0};
    tot_embedder *embedder = NULL;
    tot_array embeddings = {0};
    if (tot_weights_default(&weights) != TOT_OK) {
        skip();
    }
    for (size_t k = 0; k < sizeof pixels[0]; k++) {
        pixels[0][k] = (uint8_t)(k / 3 + k * k / 977);
        pixels[1][k] = (uint8_t)(k / 5 + k * k / 887);
    }
    tot_array films[2];
    for (int k = 0; k < 2; k++) {
        films[k] = (tot_array){
            .type = TOT_U8, .dimensions = 4, .shape = {PICTURES, SIDE, SIDE, 3}, .data = pixels[k]};
    }
    tot_label_options options = small_options(&all);
    snprintf(path, sizeof path, "%s/film.npy", folder);
    assert_ok(tot_array_save(&films[1], path));
    const tot_label_source sources[] = {{.path = "first", .array = &films[0]},
                                        {.path = path},
                                        {.path = "second", .array = &films[1]},
                                        {.path = "embeddings", .array = &embeddings}};
    assert_ok(tot_embedder_create(&embedder, &options.embedder, NULL));
    assert_ok(tot_embed_source(embedder, &sources[1], &embeddings));
    assert_int_equal(embeddings.shape[0], PICTURES);
    assert_int_equal(embeddings.shape[1], tot_encoder_width(tot_embedder_encoder(embedder)));
    assert_ok(tot_label_sources(sources, 2, sources + 1, 3, &options));
    assert_int_equal(all.count, 3);
    assert_memory_equal(all.rewards[1], all.rewards[0], sizeof *all.rewards);
    for (int k = 0; k < PICTURES; k++) {
        assert_true(all.rewards[2][k] - all.rewards[0][k] < 1e-6f &&
                    all.rewards[0][k] - all.rewards[2][k] < 1e-6f);
    }
    // two views of the same pictures: the rows stand side by side
    tot_array both = {0};
    const tot_label_source twice = {.path = "twice",
                                    .array = &films[1],
                                    .others = (tot_label_source[]){{.path = path}},
                                    .other_count = 1};
    assert_ok(tot_embed_source(embedder, &twice, &both));
    const size_t row = (size_t)embeddings.shape[1] * sizeof(float);
    assert_int_equal(both.shape[1], 2 * embeddings.shape[1]);
    for (size_t k = 0; k < 2 * (size_t)PICTURES; k++) {
        assert_memory_equal((char *)both.data + k * row, (char *)embeddings.data + k / 2 * row,
                            row);
    }
    tot_array_free(&both);
    films[0].shape[0]--;
    const tot_label_source shorter = {.path = "shorter",
                                      .array = &films[0],
                                      .others = (tot_label_source[]){{.path = path}},
                                      .other_count = 1};
    assert_fails(tot_embed_source(embedder, &shorter, &both), TOT_E_SHAPE, "ends after 5");
    const tot_label_source mixed = {.path = "mixed",
                                    .array = &films[1],
                                    .others = (tot_label_source[]){sources[3]},
                                    .other_count = 1};
    assert_fails(tot_embed_source(embedder, &mixed, &both), TOT_E_SHAPE, "embeddings");
    tot_array_free(&both);
    films[0].shape[0]++;
    // embeddings are passed through
    tot_array copy = {0};
    assert_ok(tot_embed_source(embedder, &sources[3], &copy));
    assert_memory_equal(copy.data, embeddings.data, (size_t)tot_array_count(&copy) * sizeof(float));
    all = (taken){.stop = true};
    assert_fails(tot_label_sources(sources, 2, sources + 1, 3, &options), TOT_E_INTERRUPTED,
                 "first");
    tot_array_free(&copy);
    tot_array_free(&embeddings);
    tot_embedder_free(embedder);
}

TEST(test_missing_calibration) {
    const char *weights = NULL;
    tot_embedder_settings settings;
    tot_embedder *embedder = NULL;
    struct stat found;
    char path[4096];
    if (tot_weights_default(&weights) != TOT_OK) {
        skip();
    }
    snprintf(path, sizeof path, "%s.int8.json", weights);
    if (stat(path, &found) == 0) {
        skip();
    }
    tot_embedder_defaults(&settings);
    settings.encoder.precision = TOT_PRECISION_INT8;
    assert_fails(tot_embedder_create(&embedder, &settings, NULL), TOT_E_MISSING, "calibration");
    assert_null(embedder);
}

// --- lists -------------------------------------------------------------------------------------

TEST(test_list) {
    tot_source_list list = {0};
    char path[160];
    for (int k = 9; k >= 0; k--) {
        snprintf(path, sizeof path, "%s/run%d.npy", folder, k);
        arrays[0] = (tot_array){
            .type = TOT_F32, .dimensions = 2, .shape = {STEPS, WIDTH}, .data = numbers[0]};
        assert_ok(tot_array_save(&arrays[0], path));
    }
    snprintf(path, sizeof path, "%s/run*.npy", folder);
    for (int k = 0; k < 40; k++) {
        assert_ok(tot_source_list_add(&list, path));
    }
    assert_int_equal(list.count, 400);
    for (size_t k = 0; k < list.count; k++) {
        snprintf(path, sizeof path, "%s/run%zu.npy", folder, k % 10);
        assert_string_equal(list.items[k].path, path);
        assert_null(list.items[k].array);
    }
    assert_fails(tot_source_list_add(&list, "nothing*.npy"), TOT_E_FILE, "nothing*.npy");
    tot_source_list_free(&list);
    assert_int_equal(list.count, 0);
}

TEST_MAIN(make_folder, remove_folder)

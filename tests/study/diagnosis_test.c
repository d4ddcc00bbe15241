// Diagnosis of a small run: the returns of the policy and the reference episodes on the same goals,
// and the explanation of episodes that fail in known ways.
#include "study/diagnosis.h"

#include <math.h>

#include "asserts.h"
#include "folder.h"

enum { GOALS = 3, TEXT = 2048 };

static tot_diagnosis *shared;  // of a run that learnt nothing

static void set(tot_train_config *config, const char *name, const char *text) {
    assert_ok(tot_train_set(config, name, text));
}

// Trains for two episodes into a new folder.
static void train(const char *name, const char *const more[][2], char path[96]) {
    static const char *const settings[][2] = {
        {"task", "window-open"}, {"cost_on", "state"},   {"steps", "126"},
        {"hidden", "16"},        {"batch", "8"},         {"feature", "8"},
        {"eval_every", "63"},    {"eval_episodes", "4"}, {"warmup", "70"},
        {"update_after", "110"}, {"video", "0"},         {"capacity", "200"},
        {"scale", "auto"},
    };
    tot_train_config config;
    tot_train_defaults(&config);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        set(&config, settings[k][0], settings[k][1]);
    }
    for (size_t k = 0; more != NULL && more[k][0] != NULL; k++) {
        set(&config, more[k][0], more[k][1]);
    }
    snprintf(path, 96, "%s/%s", folder, name);
    assert_ok(tot_train(&config, &(tot_train_options){.folder = path, .threads = 1}, NULL));
}

static tot_diagnosis_settings few(void) {
    tot_diagnosis_settings settings;
    tot_diagnosis_defaults(&settings);
    assert_int_equal(settings.goals, 8);
    settings.goals = GOALS;
    return settings;
}

static int set_up(void **state) {
    char path[96];
    const tot_diagnosis_settings settings = few();
    if (make_folder(state) != 0) {
        return -1;
    }
    train("shared", NULL, path);
    assert_ok(tot_diagnosis_run(&shared, path, &settings));
    return 0;
}

static int tear_down(void **state) {
    tot_diagnosis_free(shared);
    return remove_folder(state);
}

// --- rows --------------------------------------------------------------------------------------

static const tot_diagnosis_row *row(tot_reference policy) {
    return tot_diagnosis_row_at(shared, 1 + (size_t)policy);
}

TEST(all_are_played_on_the_same_goals) {
    assert_int_equal(tot_diagnosis_row_count(shared), 1 + TOT_REFERENCE_SHIFT);
    assert_null(tot_diagnosis_row_at(shared, 1 + TOT_REFERENCE_SHIFT));
    const tot_diagnosis_row *policy = tot_diagnosis_row_at(shared, 0);
    assert_string_equal(policy->name, "policy");
    assert_int_equal(policy->episodes, GOALS);
    assert_int_equal(row(TOT_REFERENCE_BENT)->episodes, 2 * GOALS);
    assert_int_equal(row(TOT_REFERENCE_RANDOM)->episodes, GOALS);
    assert_true(row(TOT_REFERENCE_BENT)->success == 1);
    assert_true(row(TOT_REFERENCE_RANDOM)->success == 0);
    assert_true(row(TOT_REFERENCE_SHORT)->success == 0);
    for (int k = 0; k < TOT_REFERENCE_SHIFT; k++) {
        assert_true(row((tot_reference)k)->best >= row((tot_reference)k)->sum - 1e-9);
        assert_true(row((tot_reference)k)->sum < 0);
    }
    assert_true(row(TOT_REFERENCE_BENT)->sum > row(TOT_REFERENCE_RANDOM)->sum);
    // the goals are those of the last evaluation
    const tot_train_config *config = tot_diagnosis_config(shared);
    double draw[TOT_MAX_DRAW];
    assert_int_equal(tot_diagnosis_step(shared), 126);
    assert_true(tot_diagnosis_evaluated(shared) >= 0);
    assert_true(shared->references->settings.first_goal > 0);
    assert_int_equal(shared->references->settings.first_goal % (uint64_t)config->eval_episodes, 0);
    for (int k = 0; k < GOALS; k++) {
        tot_task_draw(shared->references->task, shared->references->settings.goal_seed,
                      shared->references->settings.first_goal + (uint64_t)k, draw);
        const double *object = shared->policy[k].observations + STUDY_OBJECT;
        assert_true(fabs(object[0] - draw[0]) < 0.3);
        for (size_t i = 0; i < shared->references->count; i++) {
            if (shared->references->episodes[i].info.goal == k) {
                assert_memory_equal(shared->others[i].observations + STUDY_OBJECT, object,
                                    3 * sizeof *object);
            }
        }
    }
}

// The policy acts as in an evaluation.
TEST(the_policy_acts_as_in_an_evaluation) {
    const tot_world_settings settings = {.action_repeat =
                                             (int)tot_diagnosis_config(shared)->action_repeat};
    tot_world *world = NULL;
    const tot_policy policy = tot_player_policy(shared->player);
    assert_ok(tot_world_create(&world, tot_player_task(shared->player), &settings));
    for (int k = 0; k < GOALS; k++) {
        int64_t steps, stride, step = 0;
        const double *course =
            tot_diagnosis_course(shared, (size_t)k, TOT_COURSE_POLICY, &steps, &stride);
        assert_ok(tot_world_reset(world, shared->references->settings.goal_seed,
                                  shared->references->settings.first_goal + (uint64_t)k));
        while (!tot_world_done(world)) {
            float action[TOT_ACTION];
            if (step <= steps) {
                assert_memory_equal(tot_world_observation(world), course + step * stride,
                                    TOT_OBSERVATION * sizeof *course);
            }
            assert_ok(policy.act(policy.context, world, step++, action));
            assert_ok(tot_world_step(world, action));
        }
        assert_int_equal(tot_world_success(world), shared->policy[k].success);
    }
    tot_world_free(world);
}

// --- explanation of known failures -------------------------------------------------------------

// Replaces episode 0 of the policy by another track, and measures again.
static const tot_diagnosis_episode *pretend(const double *observations, bool success) {
    memcpy(shared->policy[0].observations, observations,
           ((size_t)shared->frames + 1) * TOT_OBSERVATION * sizeof *observations);
    shared->policy[0].success = success;
    shared->policy[0].solved = success ? shared->frames : -1;
    shared->policy[0].demo = 0;
    study_diagnosis_measure(shared);
    return tot_diagnosis_episode_at(shared, 0);
}

// A copy of the track of the successful bent demonstration on goal 0.
static double *bent_track(void) {
    const study_track *bent = study_diagnosis_bent(shared, 0);
    const size_t bytes = ((size_t)shared->frames + 1) * TOT_OBSERVATION * sizeof(double);
    assert_non_null(bent);
    double *copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, bent->observations, bytes);
    return copy;
}

// Moves the hand by some metres; if still, the objects stay where they were at the start.
static void change(double *observations, const double by[3], bool still) {
    for (int64_t k = 0; k <= shared->frames; k++) {
        double *now = observations + k * TOT_OBSERVATION;
        for (int i = 0; i < 3; i++) {
            now[STUDY_HAND + i] += by[i];
            if (still) {
                now[STUDY_OBJECT + i] = observations[STUDY_OBJECT + i];
                now[STUDY_SECOND + i] = observations[STUDY_SECOND + i];
            }
        }
    }
}

static void expect_words(const char *words) {
    char text[TEXT];
    tot_diagnosis_describe(shared, 0, text, sizeof text);
    if (strstr(text, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", text, words);
    }
}

TEST(solved_is_solved) {
    double *track = bent_track();
    const tot_diagnosis_episode *one = pretend(track, true);
    assert_int_equal(one->failure, TOT_FAILURE_NONE);
    assert_true(one->distance < 0.02);
    assert_true(fabs(one->carried - 1) < 0.05);
    expect_words("solved");
    one = pretend(track, false);
    assert_int_equal(one->failure, TOT_FAILURE_CARRY);
    shared->policy[0].solved = 50;
    study_diagnosis_measure(shared);
    assert_int_equal(tot_diagnosis_episode_at(shared, 0)->failure, TOT_FAILURE_END);
    free(track);
}

// The hand rests at one position all the time, and so do the objects.
static const tot_diagnosis_episode *rest_at(const double place[3]) {
    double *track = bent_track();
    change(track, (const double[3]){0}, true);
    for (int64_t k = 0; k <= shared->frames; k++) {
        memcpy(track + k * TOT_OBSERVATION, place, 3 * sizeof *track);
    }
    const tot_diagnosis_episode *one = pretend(track, false);
    free(track);
    return one;
}

TEST(a_hand_that_stops_short_is_told_along_the_ray) {
    const study_bent_demo *demo = &shared->references->demos[0];
    const double *start = demo->observations;
    const double *met = start + demo->contact * TOT_OBSERVATION;
    const double *object = shared->policy[0].observations + STUDY_OBJECT;
    double place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = object[i] + met[i] - start[STUDY_OBJECT + i] +
                   0.08 * shared->references->axes[2][i] - 0.02 * shared->references->axes[0][i];
    }
    const tot_diagnosis_episode *one = rest_at(place);
    assert_int_equal(one->failure, TOT_FAILURE_SHORT);
    assert_true(fabs(one->offset[2] - 0.08) < 1e-9 && fabs(one->offset[0] + 0.02) < 1e-9);
    assert_true(fabs(one->offset[1]) < 1e-9);
    assert_true(fabs(one->distance - sqrt(0.0068)) < 1e-9);
    assert_true(one->moved == 0 && isnan(one->opening));
    expect_words("8.0 cm too close to the camera along its ray, and across it 2.0 cm too far left");
    char text[TEXT];
    for (int k = 1; k < GOALS; k++) {
        shared->policy[k].success = true;
    }
    study_diagnosis_measure(shared);
    tot_diagnosis_verdict(shared, text, sizeof text);
    assert_non_null(strstr(text, "mostly depth"));
}

// All hands rest where demonstration 0 touched its object; if along, shifted by the offset between
// the object of their own goal and that of goal 0. The objects stay.
static void rest_all(bool along) {
    const study_bent_demo *demo = &shared->references->demos[0];
    const double *place = demo->observations + demo->contact * TOT_OBSERVATION;
    for (int k = 0; k < GOALS; k++) {
        double *track = shared->policy[k].observations;
        change(track, (const double[3]){0}, true);
        shared->policy[k].success = false;
        shared->policy[k].solved = -1;
        shared->policy[k].demo = 0;
        for (int64_t t = 0; t <= shared->frames; t++) {
            for (int i = 0; i < 3; i++) {
                track[t * TOT_OBSERVATION + i] =
                    place[i] + (along ? track[STUDY_OBJECT + i] -
                                            shared->policy[0].observations[STUDY_OBJECT + i]
                                      : 0);
            }
        }
    }
    study_diagnosis_measure(shared);
}

TEST(a_hand_at_another_place_is_told) {
    const study_bent_demo *demo = &shared->references->demos[0];
    const double *object = shared->policy[0].observations + STUDY_OBJECT;
    char text[TEXT];
    double gap = 0;
    for (int i = 0; i < 3; i++) {
        gap += pow(object[i] - demo->observations[STUDY_OBJECT + i], 2);
    }
    assert_true(sqrt(gap) > 0.03);  // otherwise the cases could not be distinguished
    rest_all(false);
    const tot_diagnosis_episode *one = tot_diagnosis_episode_at(shared, 0);
    assert_int_equal(one->failure, TOT_FAILURE_ELSEWHERE);
    assert_int_equal(one->elsewhere, 0);
    assert_true(fabs(one->at_contact - sqrt(gap)) < 1e-9);
    assert_true(fabs(one->follows) < 1e-9 && fabs(tot_diagnosis_follows(shared)) < 1e-9);
    expect_words("demonstration 0");
    tot_diagnosis_verdict(shared, text, sizeof text);
    assert_non_null(strstr(text, "times to that of demonstration 0"));
    assert_non_null(strstr(text, "by 0 %"));
    // a hand that moves with the object does not go to a demonstration's position
    rest_all(true);
    assert_true(fabs(tot_diagnosis_follows(shared) - 1) < 1e-9);
    assert_int_equal(tot_diagnosis_episode_at(shared, 0)->failure, TOT_FAILURE_SHORT);
}

TEST(fingers_and_touch_are_told_apart) {
    double *track = bent_track();
    change(track, (const double[3]){0}, true);
    assert_int_equal(pretend(track, false)->failure, TOT_FAILURE_TOUCH);
    expect_words("does not move");
    // if open hands fail, fingers that stay open are the reason
    bool kept[64] = {false};
    for (size_t k = 0; k < shared->references->count && k < 64; k++) {
        kept[k] = shared->others[k].success;
        if (shared->references->episodes[k].info.policy == TOT_REFERENCE_OPEN) {
            shared->others[k].success = false;
        }
    }
    for (int64_t k = 0; k <= shared->frames; k++) {
        track[k * TOT_OBSERVATION + STUDY_FINGERS] = 1;
    }
    const tot_diagnosis_episode *one = pretend(track, false);
    assert_int_equal(one->failure, TOT_FAILURE_GRIP);
    assert_true(one->opening == 1);
    expect_words("fingers stay open");
    for (size_t k = 0; k < shared->references->count && k < 64; k++) {
        shared->others[k].success = kept[k];
    }
    free(track);
}

TEST(the_verdict_knows_what_the_reward_wants) {
    char text[TEXT];
    double *track = bent_track();
    change(track, (const double[3]){0}, true);
    for (int k = 0; k < GOALS; k++) {
        shared->policy[k].success = k > 0;
    }
    const double bent = study_diagnosis_bent(shared, 0)->sum;
    shared->policy[0].sum = bent + 1;
    pretend(track, false);
    tot_diagnosis_verdict(shared, text, sizeof text);
    assert_non_null(strstr(text, "Solves 2 of 3"));
    assert_non_null(strstr(text, "does not favour solving the task"));
    assert_non_null(strstr(text, "in 1 of 1 failures"));
    shared->policy[0].sum = row(TOT_REFERENCE_RANDOM)->sum;
    pretend(track, false);
    tot_diagnosis_verdict(shared, text, sizeof text);
    assert_non_null(strstr(text, "the reward favours solving the task"));
    pretend(track, true);
    assert_string_equal(tot_diagnosis_verdict(shared, text, sizeof text), "Solves 3 of 3 goals.");
    free(track);
}

// --- the page ----------------------------------------------------------------------------------

static char *read_page(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 8 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (8 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

TEST(the_page_is_that_of_the_run_and_more) {
    char path[128];
    static const char *const words[] = {"Diagnosis",    "Solves ",  "bent to this goal",
                                        "Fingers",      "Hand, x",  "Object, z",
                                        "Success rate", "Settings", "The last labelled episode",
                                        "goal by goal"};
    snprintf(path, sizeof path, "%s/page.html", folder);
    assert_ok(tot_diagnosis_write(shared, path));
    char *text = read_page(path);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strstr(text, words[k]) == NULL) {
            fail_msg("the page does not speak of \"%s\"", words[k]);
        }
    }
    assert_null(strstr(text, ">nan<"));
    assert_null(strstr(text, "Second object"));
    // the run's own report has the same curves, but no diagnosis
    snprintf(path, sizeof path, "%s/shared/report.html", folder);
    char *own = read_page(path);
    assert_null(strstr(own, "Diagnosis"));
    const char *curve = strstr(own, "Success rate");
    const char *again = strstr(text, "Success rate");
    assert_non_null(curve);
    assert_memory_equal(curve, again, 2000);
    free(own);
    free(text);
}

// Without a reward that compares episodes, the trajectories are still compared.
TEST(methods_without_demonstrations_have_no_return) {
    char path[96], text[TEXT];
    tot_diagnosis *found = NULL;
    tot_diagnosis_settings settings = few();
    settings.goals = 1;
    train("taskreward", (const char *const[][2]){{"method", "taskreward"}, {NULL, NULL}}, path);
    assert_ok(tot_diagnosis_run(&found, path, &settings));
    assert_true(isnan(tot_diagnosis_row_at(found, 0)->sum));
    assert_true(isnan(tot_diagnosis_follows(found)));
    assert_true(tot_diagnosis_row_at(found, 1)->success == 1);
    assert_null(strstr(tot_diagnosis_verdict(found, text, sizeof text), "nan"));
    tot_diagnosis_free(found);
}

static bool stop(void *context, int64_t done, int64_t total) {
    int64_t *seen = context;
    *seen = done;
    return done < 2 && total >= 0;
}

TEST(it_can_be_stopped) {
    char path[96];
    int64_t seen = 0;
    tot_diagnosis *found = NULL;
    tot_diagnosis_settings settings = few();
    settings.progress = stop;
    settings.progress_context = &seen;
    snprintf(path, sizeof path, "%s/shared", folder);
    assert_fails(tot_diagnosis_run(&found, path, &settings), TOT_E_INTERRUPTED, "after 2 of");
    assert_int_equal(seen, 2);
    assert_null(found);
}

// --- invalid runs ------------------------------------------------------------------------------

// Must be the last test: it damages the run that the others share.
TEST(what_cannot_be_diagnosed_is_named) {
    char path[96];
    tot_diagnosis *none = NULL;
    tot_diagnosis_settings settings = few();
    train("horizon", (const char *const[][2]){{"horizon", "50"}, {NULL, NULL}}, path);
    assert_fails(tot_diagnosis_run(&none, path, &settings), TOT_E_ARGUMENT, "horizon: ");
    assert_null(none);
    settings.goals = 0;
    assert_fails(tot_diagnosis_run(&none, path, &settings), TOT_E_ARGUMENT, "goals: 0");
    assert_fails(tot_diagnosis_run(&none, folder, NULL), TOT_E_FILE, "config.yaml");
    // as if it had been trained on videos
    char command[256];
    snprintf(command, sizeof command,
             "sed -i 's/^demo: .*/demo: \"one.npz,two.mp4\"/' %s/shared/config.yaml", folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/shared", folder);
    assert_fails(tot_diagnosis_run(&none, path, NULL), TOT_E_ARGUMENT, "demo: two.mp4");
}

TEST_MAIN(set_up, tear_down)

// Our statistics compared with those of the package rliable, recorded by make_fixtures.py.
#include <temporalot/statistics.h>

#include <cJSON.h>
#include <math.h>

#include "asserts.h"

enum { MOST_TASKS = 16, MOST_RUNS = 16, MOST_THRESHOLDS = 32, RESAMPLES = 50000 };

struct held {
    double values[MOST_TASKS][MOST_RUNS];
    const double *runs[MOST_TASKS];
    size_t counts[MOST_TASKS];
    size_t total;
    tot_scores scores;
};

static cJSON *fixtures;
static double worst;  // of an interval's end, as a fraction of the tolerance

static int load(void **state) {
    (void)state;
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/study/fixtures/statistics.json", "rb");
    static char text[1 << 20];
    if (file == NULL) {
        return -1;
    }
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    fixtures = cJSON_Parse(text);
    return fixtures != NULL ? 0 : -1;
}

static int unload(void **state) {
    (void)state;
    cJSON_Delete(fixtures);
    return 0;
}

static double number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static size_t read_numbers(const cJSON *array, double *values, size_t most) {
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        assert_true(cJSON_IsNumber(item) && count < most);
        values[count++] = item->valuedouble;
    }
    return count;
}

static void read_scores(const cJSON *tasks, struct held *held) {
    size_t count = 0;
    const cJSON *task;
    held->total = 0;
    cJSON_ArrayForEach(task, tasks) {
        assert_true(count < MOST_TASKS);
        held->counts[count] = read_numbers(task, held->values[count], MOST_RUNS);
        held->runs[count] = held->values[count];
        held->total += held->counts[count++];
    }
    assert_true(count > 0);
    held->scores = (tot_scores){count, held->counts, held->runs};
}

// The value must equal rliable's. The ends of the interval must agree within five standard errors
// of a percentile of that many resamples, assuming a nearly normal distribution: 0.681 of the
// interval's width over the square root of their number; plus one step for discrete scores.
static void compare(const char *name, const char *what, tot_estimate found, const cJSON *wanted,
                    double resamples, double step) {
    double width = number(wanted, "high") - number(wanted, "low");
    double allowed = 5 * 0.681 * width * sqrt(1 / resamples + 1.0 / RESAMPLES) + step + 1e-12;
    double low = fabs(found.low - number(wanted, "low"));
    double high = fabs(found.high - number(wanted, "high"));
    if (fabs(found.value - number(wanted, "value")) > 1e-12 || low > allowed || high > allowed) {
        fail_msg("%s, %s: %.15g in %g .. %g, not %.15g in %g .. %g (within %g)", name, what,
                 found.value, found.low, found.high, number(wanted, "value"), number(wanted, "low"),
                 number(wanted, "high"), allowed);
    }
    worst = fmax(worst, fmax(low, high) / allowed);
}

TEST(agrees) {
    double many = number(fixtures, "resamples");
    double few = number(fixtures, "few_resamples");
    const cJSON *one;
    int cases = 0;
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(fixtures, "cases")) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(one, "name"));
        static struct held x;
        static struct held y;
        read_scores(cJSON_GetObjectItem(one, "x"), &x);
        read_scores(cJSON_GetObjectItem(one, "y"), &y);
        double step = 0.02 / (double)x.total;
        tot_aggregate found;
        assert_ok(tot_scores_aggregate(&found, &x.scores, 1, NULL));
        compare(name, "mean", found.mean, cJSON_GetObjectItem(one, "mean"), many, step);
        compare(name, "median", found.median, cJSON_GetObjectItem(one, "median"), many, step);
        compare(name, "interquartile mean", found.interquartile_mean,
                cJSON_GetObjectItem(one, "interquartile_mean"), many, step);
        compare(name, "optimality gap", found.optimality_gap,
                cJSON_GetObjectItem(one, "optimality_gap"), many, step);
        tot_estimate improvement;
        assert_ok(tot_scores_improvement(&improvement, &x.scores, &y.scores, NULL));
        compare(name, "improvement", improvement, cJSON_GetObjectItem(one, "improvement"), few,
                0.5 / (double)(x.total * y.counts[0]));
        double thresholds[MOST_THRESHOLDS];
        tot_estimate profile[MOST_THRESHOLDS];
        size_t count =
            read_numbers(cJSON_GetObjectItem(one, "thresholds"), thresholds, MOST_THRESHOLDS);
        assert_ok(tot_scores_profile(profile, &x.scores, thresholds, count, NULL));
        for (size_t k = 0; k < count; k++) {
            const cJSON *wanted = cJSON_GetArrayItem(cJSON_GetObjectItem(one, "profile"), (int)k);
            compare(name, "profile", profile[k], wanted, few, 1.0 / (double)x.total);
        }
        cases++;
    }
    assert_int_equal(cases, 4);
    print_message("%d cases; the largest difference is %.2f of what is allowed\n", cases, worst);
}

TEST_MAIN(load, unload)

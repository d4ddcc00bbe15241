// Every operation of nn_ops.def: gradients compared with finite differences, values compared with
// PyTorch's, and bit-identical results for any number of threads.
#include <math.h>

#include "asserts.h"
#include "bench/nn_ops.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { DIRECTIONS = 1, STEPS = 3 };  // sanitizers are ten times slower
#else
enum { DIRECTIONS = 3, STEPS = 6 };
#endif
enum { NAME_SIZE = 128, LINE_SIZE = 4096 };

typedef struct bed {
    tot_pool *pool;
    tot_nn *nn;
    op made;
    char name[NAME_SIZE];
} bed;

static void set_up(bed *test, const op_row *row, int threads) {
    *test = (bed){0};
    op_name(row, test->name, sizeof test->name);
    assert_ok(tot_pool_create(&test->pool, threads));
    assert_ok(tot_nn_create(&test->nn, test->pool));
    assert_true(op_make(&test->made, row, test->nn));
}

static void tear_down(bed *test) {
    op_free(&test->made);
    tot_nn_free(test->nn);
    tot_pool_free(test->pool);
}

static void run(op *made) {
    made->forward(made);
    if (made->backward != NULL) {
        made->backward(made);
    }
}

// --- finite differences ------------------------------------------------------------------------

static double weighted_sum(op *made) {
    made->forward(made);
    double sum = 0;
    for (int k = 0; k < made->outs; k++) {
        const op_array *out = &made->out[k];
        for (int64_t i = 0; out->gradient != NULL && i < out->count; i++) {
            sum += (double)out->data[i] * (double)out->gradient[i];
        }
    }
    return sum;
}

// The change of the sum per step along a direction, by central differences.
static double difference(bed *test, op_array *in, const float *start, uint32_t direction,
                         double step) {
    double sums[2];
    for (int side = 0; side < 2; side++) {
        for (int64_t k = 0; k < in->count; k++) {
            double move = (double)op_number(1000 + direction, (uint64_t)k);
            in->data[k] = (float)((double)start[k] + (side == 0 ? step : -step) * move);
        }
        sums[side] = weighted_sum(&test->made);
    }
    memcpy(in->data, start, (size_t)in->count * sizeof *start);
    return (sums[0] - sums[1]) / (2 * step);
}

// Compares finite differences with the gradient. A long step may cross a kink of ReLU, a short one
// suffers from rounding: one of several must agree.
static void check_direction(bed *test, op_array *in, uint32_t direction) {
    static const double steps[] = {3e-5, 1e-5, 3e-4, 1e-4, 1e-3, 3e-3};
    size_t bytes = (size_t)in->count * sizeof(float);
    float *start = malloc(bytes);
    float *gradient = malloc(bytes);
    assert_non_null(start);
    assert_non_null(gradient);
    memcpy(start, in->data, bytes);
    // losses write their gradient in forward: keep the initial one
    run(&test->made);
    memcpy(gradient, in->gradient, bytes);
    double along = 0;
    double squares = 0;
    for (int64_t k = 0; k < in->count; k++) {
        along += (double)gradient[k] * (double)op_number(1000 + direction, (uint64_t)k);
        squares += (double)gradient[k] * (double)gradient[k];
    }
    double best = INFINITY;
    double seen = 0;
    for (int k = 0; k < STEPS; k++) {
        double now = difference(test, in, start, direction, steps[k]);
        if (fabs(now - along) < best) {
            best = fabs(now - along);
            seen = now;
        }
    }
    if (!(best <= 0.01 * sqrt(squares) + 1e-4)) {
        print_error("%s: d%s along direction %u: %g, by differences %g\n", test->name, in->name,
                    direction, along, seen);
    }
    assert_true(best <= 0.01 * sqrt(squares) + 1e-4);
    assert_true(squares > 0 || in->count == 1);
    free(start);
    free(gradient);
}

TEST(test_gradients) {
    for (int r = 0; r < OP_ROWS; r++) {
        if ((op_rows[r].uses & check) == 0) {
            continue;
        }
        bed test;
        set_up(&test, &op_rows[r], 1);
        for (int k = 0; k < test.made.ins; k++) {
            for (uint32_t d = 0; test.made.in[k].gradient != NULL && d < DIRECTIONS; d++) {
                check_direction(&test, &test.made.in[k], d);
            }
        }
        tear_down(&test);
    }
}

// --- PyTorch -----------------------------------------------------------------------------------

// The result a fixture refers to: an output, or "d" and the name of an input.
static const float *find_result(const op *made, const char *name, int64_t *count) {
    for (int k = 0; k < made->outs; k++) {
        if (strcmp(made->out[k].name, name) == 0) {
            *count = made->out[k].count;
            return made->out[k].data;
        }
    }
    for (int k = 0; name[0] == 'd' && k < made->ins; k++) {
        if (made->in[k].gradient != NULL && strcmp(made->in[k].name, name + 1) == 0) {
            *count = made->in[k].count;
            return made->in[k].gradient;
        }
    }
    return NULL;
}

static double number_after(char **text) {
    char *end = *text;
    double value = strtod(*text, &end);
    assert_ptr_not_equal(end, *text);
    *text = end;
    return value;
}

// text: count, step, sum, sum of squares, and every step-th value
static void compare(const bed *test, const char *what, char *text) {
    int64_t count = 0;
    const float *result = find_result(&test->made, what, &count);
    assert_non_null(result);
    assert_int_equal(count, (int64_t)number_after(&text));
    int64_t step = (int64_t)number_after(&text);
    double sum = number_after(&text);
    double squares = number_after(&text);
    double root = sqrt(squares / (double)count);
    double our_sum = 0;
    double our_squares = 0;
    for (int64_t k = 0; k < count; k++) {
        our_sum += (double)result[k];
        our_squares += (double)result[k] * (double)result[k];
        if (k % step == 0) {
            double theirs = number_after(&text);
            double off = fabs((double)result[k] - theirs);
            if (!(off <= 1e-5 * (root + fabs(theirs)) + 1e-7)) {
                print_error("%s: %s[%lld] is %.9g, PyTorch has %.9g\n", test->name, what,
                            (long long)k, (double)result[k], theirs);
            }
            assert_true(off <= 1e-5 * (root + fabs(theirs)) + 1e-7);
        }
    }
    if (!(fabs(our_sum - sum) <= 1e-5 * root * (double)count + 1e-6)) {
        print_error("%s: sum of %s is %.9g, PyTorch has %.9g\n", test->name, what, our_sum, sum);
    }
    assert_true(fabs(our_sum - sum) <= 1e-5 * root * (double)count + 1e-6);
    assert_true(fabs(our_squares - squares) <= 2e-5 * squares + 1e-9);
}

static int compare_all(const bed *test) {
    int found = 0;
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/nn/fixtures.txt", "r");
    assert_non_null(file);
    char line[LINE_SIZE];
    size_t length = strlen(test->name);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, test->name, length) == 0 && line[length] == ' ') {
            char *what = line + length + 1;
            char *end = strchr(what, ' ');
            assert_non_null(end);
            *end = '\0';
            compare(test, what, end + 1);
            found++;
        }
    }
    fclose(file);
    return found;
}

TEST(test_fixtures) {
    for (int r = 0; r < OP_ROWS; r++) {
        if ((op_rows[r].uses & fixture) != 0) {
            bed test;
            set_up(&test, &op_rows[r], 2);
            run(&test.made);
            if (compare_all(&test) == 0) {
                print_error("%s: not in fixtures.txt\n", test.name);
                fail();
            }
            tear_down(&test);
        }
    }
}

// --- threads -----------------------------------------------------------------------------------

static void compare_bytes(const bed *alone, const bed *shared, const op_array *mine,
                          const op_array *theirs, bool gradient) {
    const float *a = gradient ? mine->gradient : mine->data;
    const float *b = gradient ? theirs->gradient : theirs->data;
    if (a != NULL && b != NULL && memcmp(a, b, (size_t)mine->count * sizeof *a) != 0) {
        print_error("%s: %s%s differs between 1 and %d threads\n", alone->name, gradient ? "d" : "",
                    mine->name, tot_pool_threads(shared->pool));
        fail();
    }
}

TEST(test_threads) {
    for (int r = 0; r < OP_ROWS; r++) {
        if ((op_rows[r].uses & bench) != 0) {
            continue;
        }
        bed alone;
        set_up(&alone, &op_rows[r], 1);
        run(&alone.made);
        for (int threads = 2; threads <= 3; threads++) {
            bed shared;
            set_up(&shared, &op_rows[r], threads);
            run(&shared.made);
            for (int k = 0; k < alone.made.outs; k++) {
                compare_bytes(&alone, &shared, &alone.made.out[k], &shared.made.out[k], false);
            }
            for (int k = 0; k < alone.made.ins; k++) {
                compare_bytes(&alone, &shared, &alone.made.in[k], &shared.made.in[k], true);
            }
            tear_down(&shared);
        }
        tear_down(&alone);
    }
}

TEST_MAIN(NULL, NULL)

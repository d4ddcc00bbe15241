// Rewards from dynamic time warping: along the cheapest monotone path (dtw), or in expectation over
// all paths (soft-dtw). Both fill a table on the shape's entries only.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "reward/methods.h"

// The table entry, infinite outside the shape.
static double at(const reward_pairing *pairing, const double *table, int64_t i, int64_t j) {
    if (i < 0 || j < 0 || !reward_shape_has(&pairing->shape, i, j)) {
        return INFINITY;
    }
    return table[reward_shape_at(&pairing->shape, i, j)];
}

// -smoothing log(sum of exp(-x / smoothing)), or the minimum itself if smoothing is 0; infinite if
// all three are
static double minimum(double a, double b, double c, double smoothing) {
    double least = fmin(a, fmin(b, c));
    if (isinf(least) || smoothing == 0) {
        return least;
    }
    double total =
        exp((least - a) / smoothing) + exp((least - b) / smoothing) + exp((least - c) / smoothing);
    return least - smoothing * log(total);
}

// Fills the table with the cost of the cheapest path up to each entry; smoothing: see minimum.
// tables: to make room for.
static tot_status fill_table(reward_pairing *pairing, size_t tables, double smoothing) {
    const reward_shape *shape = &pairing->shape;
    BASE_RESERVE(pairing->table, pairing->table_capacity, tables * reward_shape_entries(shape),
                 "path table");
    double *table = pairing->table;
    for (int64_t i = 0; i < shape->rows; i++) {
        for (int64_t j = shape->first[i]; j <= shape->last[i]; j++) {
            double before = minimum(at(pairing, table, i - 1, j - 1), at(pairing, table, i - 1, j),
                                    at(pairing, table, i, j - 1), smoothing);
            if (i == 0 && j == 0) {
                before = 0;
            }
            table[reward_shape_at(shape, i, j)] = reward_pairing_cost(pairing, i, j) + before;
        }
    }
    BASE_FAIL_IF(isinf(at(pairing, table, shape->rows - 1, shape->cols - 1)), TOT_E_INFEASIBLE,
                 "the mask leaves no path from the first to the last frames of %lld agent and "
                 "%lld demonstration steps",
                 (long long)shape->rows, (long long)shape->cols);
    return TOT_OK;
}

// Steps back from (i, j) to its cheapest predecessor; ties prefer the diagonal, then the row above.
static void step_back(const reward_pairing *pairing, int64_t *i, int64_t *j) {
    double diagonal = at(pairing, pairing->table, *i - 1, *j - 1);
    double above = at(pairing, pairing->table, *i - 1, *j);
    double left = at(pairing, pairing->table, *i, *j - 1);
    if (diagonal <= above && diagonal <= left) {
        --*i;
        --*j;
    } else if (above <= left) {
        --*i;
    } else {
        --*j;
    }
}

tot_status reward_dtw(reward_pairing *pairing, const tot_reward_config *config) {
    (void)config;
    const reward_shape *shape = &pairing->shape;
    BASE_TRY(fill_table(pairing, 1, 0));
    int64_t i = shape->rows - 1;
    int64_t j = shape->cols - 1;
    // backtrack from the end: mean cost of the path's entries in each row
    int64_t row = i;
    double total = reward_pairing_cost(pairing, i, j);
    double count = 1;
    while (i > 0 || j > 0) {
        step_back(pairing, &i, &j);
        if (i != row) {
            pairing->rewards[row] = -total / count;
            row = i;
            total = 0;
            count = 0;
        }
        total += reward_pairing_cost(pairing, i, j);
        count += 1;
    }
    pairing->rewards[row] = -total / count;
    return TOT_OK;
}

// The part of the expected alignment at (i, j) that passes through a predecessor with table value
// `from`.
static double share(const reward_pairing *pairing, const double *expected, double smoothing,
                    int64_t i, int64_t j, double from) {
    if (i >= pairing->shape.rows || j >= pairing->shape.cols) {
        return 0;
    }
    double value = at(pairing, pairing->table, i, j);
    if (isinf(value)) {
        return 0;
    }
    double before = value - reward_pairing_cost(pairing, i, j);
    return at(pairing, expected, i, j) * exp((before - from) / smoothing);
}

tot_status reward_soft_dtw(reward_pairing *pairing, const tot_reward_config *config) {
    const reward_shape *shape = &pairing->shape;
    double smoothing = config->smoothing;
    BASE_TRY(fill_table(pairing, 2, smoothing));
    double *table = pairing->table;
    double *expected = table + reward_shape_entries(shape);
    // the gradient with respect to the cost, computed backwards: the expected alignment
    for (int64_t i = shape->rows - 1; i >= 0; i--) {
        double reward = 0;
        for (int64_t j = shape->last[i]; j >= shape->first[i]; j--) {
            double value = at(pairing, table, i, j);
            double weight = 0;
            if (i == shape->rows - 1 && j == shape->cols - 1) {
                weight = 1;
            } else if (!isinf(value)) {
                weight = share(pairing, expected, smoothing, i + 1, j, value) +
                         share(pairing, expected, smoothing, i, j + 1, value) +
                         share(pairing, expected, smoothing, i + 1, j + 1, value);
            }
            expected[reward_shape_at(shape, i, j)] = weight;
            reward -= weight > 0 ? weight * reward_pairing_cost(pairing, i, j) : 0;
        }
        pairing->rewards[i] = reward;
    }
    return TOT_OK;
}

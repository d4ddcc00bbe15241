#include <temporalot/ads.h>

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

enum { TRIES = 5 };

static const double start_share = 0.2;
static const double tail_weight = 0.2;
static const double needed_share = 0.9;
static const double percentile = 0.9;

void tot_ads_init(tot_ads *ads, int64_t horizon) {
    BASE_NEED_OR(, ads);
    ads->horizon = horizon;
    int64_t start = (int64_t)(start_share * (double)horizon);
    ads->progress = start > 0 ? start : 1;
}

BASE_GETTER(double, tot_ads_discount, tot_ads, ads, 0,
            exp(log(tail_weight) / (double)ads->progress))

// Patience sorting: ends[k] is the smallest value that ends an increasing subsequence of length
// k + 1.
static int64_t extend(int64_t *ends, int64_t length, int64_t value) {
    int64_t low = 0;
    int64_t high = length;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (ends[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    ends[low] = value;
    return low == length ? length + 1 : length;
}

// ends: workspace, [rows].
static int64_t score_with(int64_t *ends, const double *cost, int64_t rows, int64_t cols,
                          int64_t upto) {
    int64_t last_row = upto < rows ? upto : rows;
    int64_t last_col = upto < cols ? upto : cols;
    int64_t length = 0;
    for (int64_t i = 0; i < last_row && last_col > 0; i++) {
        const double *row = cost + (size_t)i * (size_t)cols;
        int64_t cheapest = 0;
        for (int64_t j = 1; j < last_col; j++) {
            cheapest = row[j] < row[cheapest] ? j : cheapest;
        }
        length = extend(ends, length, cheapest);
    }
    return length;
}

tot_status tot_ads_score(int64_t *score, const double *cost, int64_t rows, int64_t cols,
                         int64_t upto) {
    BASE_NEED(score, cost);
    BASE_FAIL_IF(rows < 1 || cols < 1, TOT_E_SHAPE, "ads: a cost matrix of %lld x %lld",
                 (long long)rows, (long long)cols);
    int64_t *ends = base_alloc((size_t)rows, sizeof *ends, "increasing run");
    BASE_HAVE(ends);
    *score = score_with(ends, cost, rows, cols, upto);
    base_free(ends);
    return TOT_OK;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Interpolates linearly between the two nearest ranks. Sorts the values.
static double quantile(double *values, int64_t count, double share) {
    qsort(values, (size_t)count, sizeof *values, compare);
    double rank = share * (double)(count - 1);
    int64_t below = (int64_t)floor(rank);
    int64_t above = below + 1 < count ? below + 1 : below;
    return values[below] + (rank - (double)below) * (values[above] - values[below]);
}

static double score_quantile(tot_ads_costs costs, int64_t upto, double share, int64_t *ends,
                             double *scores) {
    for (int64_t k = 0; k < costs.count; k++) {
        const double *cost = costs.data + (size_t)k * (size_t)costs.rows * (size_t)costs.cols;
        scores[k] = (double)score_with(ends, cost, costs.rows, costs.cols, upto);
    }
    return quantile(scores, costs.count, share);
}

tot_status tot_ads_update(tot_ads *ads, tot_ads_costs agent, tot_ads_costs expert, int *advanced) {
    BASE_NEED(ads);
    BASE_FAIL_IF(agent.count < 1 || expert.count < 1 || agent.rows < 1 || agent.cols < 1 ||
                     expert.rows < 1 || expert.cols < 1,
                 TOT_E_SHAPE, "ads: at least one agent and one expert cost matrix is needed");
    BASE_NEED(agent.data, expert.data);
    int64_t rows = agent.rows > expert.rows ? agent.rows : expert.rows;
    int64_t most = agent.count > expert.count ? agent.count : expert.count;
    int64_t *ends = base_alloc((size_t)rows, sizeof *ends, "increasing run");
    double *scores = base_alloc((size_t)most, sizeof *scores, "scores");
    if (ends == NULL || scores == NULL) {
        BASE_RELEASE(ends, scores);
        return TOT_E_MEMORY;
    }
    int grew = 0;
    for (int k = 0; k < TRIES && ads->progress < ads->horizon; k++) {
        double reference = score_quantile(expert, ads->progress, 0.5, ends, scores);
        double reached = score_quantile(agent, ads->progress, percentile, ends, scores);
        if (reached < floor(needed_share * reference)) {
            break;
        }
        ads->progress++;
        grew++;
    }
    BASE_RELEASE(ends, scores);
    if (advanced != NULL) {
        *advanced = grew;
    }
    return TOT_OK;
}

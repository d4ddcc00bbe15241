// The cheapest monotone alignment that starts at the first frame of both trajectories and ends at
// the episode's last frame and any frame of the demonstration. The minimum of each row is
// subtracted from its costs, so that an offset common to all frames (a different table cloth, a
// displaced object) does not hold progress back.
#include "reward/progress.h"

#include "base/error.h"
#include "base/memory.h"

enum { BLOCK = 256 };  // rows of cost computed at a time

enum { MOVE_DIAGONAL, MOVE_STAY, MOVE_SKIP };

// Alignment ends whose total costs differ by less than this fraction of the mean cost are
// considered equally good, and the last of them is chosen: a demonstration that rests at its end is
// complete as soon as the rest begins.
static const double equally_good = 0.01;

// The context cost of rows first .. first + count - 1 of the episode.
static tot_status compute_block(reward_progress *capacity, const tot_embeddings *episode,
                                const char *name, const tot_reward_config *config,
                                reward_cost_workspace *cost, tot_pool *pool, int64_t first,
                                int64_t count) {
    reward_pairing *pairing = &capacity->pairing;
    tot_embeddings block = *episode;
    const size_t offset = (size_t)first * (size_t)episode->width * tot_type_size(episode->type);
    block.data = (const char *)episode->data + offset;
    // the context cost also needs the rows after the block
    block.steps = smaller(episode->steps - first,
                          count + smaller(config->context - 1, episode->steps - first));
    BASE_TRY(reward_shape_dense(&pairing->shape, block.steps, pairing->demo->steps));
    BASE_TRY(reward_shape_context(&pairing->base, &pairing->shape, config->context));
    return reward_cost_compute(cost, pairing, 1, &block, name, config, REWARD_QUICK, pool);
}

// Adds one row to the alignment. row and sums are [columns]; before is NULL for the first row.
// Returns the sum of the row's costs above their minimum.
static double add_row(const double *row, int64_t columns, const double *before, double *sums,
                      uint8_t *moves) {
    double least = row[0];
    double total = 0;
    for (int64_t j = 1; j < columns; j++) {
        least = row[j] < least ? row[j] : least;
    }
    for (int64_t j = 0; j < columns; j++) {
        double best = 0;
        uint8_t move = MOVE_DIAGONAL;
        if (before != NULL) {
            best = before[j > 0 ? j - 1 : 0];
            move = j > 0 ? MOVE_DIAGONAL : MOVE_STAY;
            if (before[j] < best) {
                best = before[j];
                move = MOVE_STAY;
            }
        }
        if (j > 0 && (before == NULL || sums[j - 1] < best)) {
            best = sums[j - 1];
            move = MOVE_SKIP;
        }
        sums[j] = best + row[j] - least;
        moves[j] = move;
        total += row[j] - least;
    }
    return total;
}

static int64_t choose_end(const double *sums, int64_t columns, double slack) {
    double least = sums[0];
    for (int64_t j = 1; j < columns; j++) {
        least = sums[j] < least ? sums[j] : least;
    }
    int64_t end = columns - 1;
    while (sums[end] > least + slack) {
        end--;
    }
    return end;
}

// Backtracks from the end: progress of a row is the last column its alignment reaches.
static void trace(const uint8_t *moves, int64_t rows, int64_t columns, int64_t end,
                  float *progress) {
    int64_t j = end;
    for (int64_t i = rows - 1; i >= 0; i--) {
        const uint8_t *row = moves + (size_t)i * (size_t)columns;
        progress[i] = columns > 1 ? (float)((double)j / (double)(columns - 1)) : 0;
        while (row[j] == MOVE_SKIP) {
            j--;
        }
        j -= row[j] == MOVE_DIAGONAL && i > 0 ? 1 : 0;
    }
}

tot_status reward_progress_find(reward_progress *capacity, const reward_demo *demo,
                                const tot_embeddings *episode, const char *name,
                                const tot_reward_config *config, reward_cost_workspace *cost,
                                tot_pool *pool, float *progress) {
    const int64_t rows = episode->steps;
    const int64_t columns = demo->steps;
    size_t entries;
    BASE_FAIL_IF(__builtin_mul_overflow((size_t)rows, (size_t)columns, &entries), TOT_E_MEMORY,
                 "progress: %lld x %lld steps are more than memory can hold", (long long)rows,
                 (long long)columns);
    BASE_RESERVE(capacity->moves, capacity->moves_capacity, entries, "progress");
    BASE_RESERVE(capacity->sums, capacity->sums_capacity, 2 * (size_t)columns, "progress");
    capacity->pairing.demo = demo;
    double total = 0;
    double *sums = capacity->sums;
    double *before = sums + columns;
    for (int64_t first = 0; first < rows; first += BLOCK) {
        const int64_t count = smaller(BLOCK, rows - first);
        BASE_TRY(compute_block(capacity, episode, name, config, cost, pool, first, count));
        for (int64_t k = 0; k < count; k++) {
            double *kept = before;
            before = sums;
            sums = kept;
            total += add_row(capacity->pairing.cost + (size_t)k * (size_t)columns, columns,
                             first + k > 0 ? before : NULL, sums,
                             capacity->moves + (size_t)(first + k) * (size_t)columns);
        }
    }
    const int64_t end = choose_end(sums, columns, equally_good * total / (double)entries);
    trace(capacity->moves, rows, columns, end, progress);
    return TOT_OK;
}

void reward_progress_free(reward_progress *capacity) {
    reward_pairing_free(&capacity->pairing);
    BASE_RELEASE(capacity->sums, capacity->moves);
    *capacity = (reward_progress){0};
}

// The metrics of a run: rows of metrics.csv, also written as TensorBoard events.
#pragma once

#include <temporalot/base.h>

#include "file/csv.h"
#include "file/tfevents.h"

// Column in metrics.csv, tag in TensorBoard. Columns that depend on wall-clock time contain wall or
// per_second in their name.
#define TRAIN_METRICS(METRIC)                                 \
    METRIC(step, "progress/step")                             \
    METRIC(episode, "progress/episode")                       \
    METRIC(success_rate, "evaluation/success_rate")           \
    METRIC(eval_return, "evaluation/return")                  \
    METRIC(train_success_rate, "train/success_rate")          \
    METRIC(return, "train/return")                            \
    METRIC(task_return, "train/task_return")                  \
    METRIC(critic_loss, "loss/critic")                        \
    METRIC(actor_loss, "loss/actor")                          \
    METRIC(value, "train/value")                              \
    METRIC(clone_loss, "loss/clone")                          \
    METRIC(discriminator_loss, "loss/discriminator")          \
    METRIC(noise, "train/noise")                              \
    METRIC(discount, "train/discount")                        \
    METRIC(reward_scale, "train/reward_scale")                \
    METRIC(updates, "progress/updates")                       \
    METRIC(replay_transitions, "progress/replay_transitions") \
    METRIC(wall_seconds, "progress/wall_seconds")             \
    METRIC(steps_per_second, "progress/steps_per_second")

typedef enum train_metric {
#define METRIC(name, tag) TRAIN_METRIC_##name,
    TRAIN_METRICS(METRIC)
#undef METRIC
        TRAIN_METRIC_COUNT
} train_metric;

// Changed only by the functions below.
typedef struct train_record {
    file_csv *csv;          // NULL if the metrics were only read
    file_tfevents *events;  // likewise
    double *values;         // [rows][TRAIN_METRIC_COUNT], for the report and the elapsed time
    size_t capacity;
    int64_t rows;
} train_record;

// Opens both files in the folder and truncates them to the given lengths; 0 and 0: new files.
tot_status train_record_open(train_record **record, const char *folder, int64_t rows,
                             int64_t event_bytes);

// Reads metrics.csv without opening anything for writing. An incomplete last row is ignored.
tot_status train_record_read(train_record **record, const char *folder);

// Reads selected metrics of a run that may be in progress, as file_csv_load_some: *values is
// [*rows][count].
tot_status train_record_load_some(const char *folder, const train_metric *metrics, size_t count,
                                  size_t needed, double **values, int64_t *rows);

// Appends a row; NaN becomes an empty cell.
tot_status train_record_add(train_record *record, const double values[TRAIN_METRIC_COUNT]);

// Synced to disk before a checkpoint names it.
tot_status train_record_sync(train_record *record);

// record may be NULL.
void train_record_close(train_record *record);

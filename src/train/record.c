#include "train/record.h"

#include "base/base.h"
#include "train/folder.h"
#include "train/run.h"

static const char *const columns[] = {
#define METRIC(name, tag) #name,
    TRAIN_METRICS(METRIC)
#undef METRIC
};

static const char *const tags[] = {
#define METRIC(name, tag) tag,
    TRAIN_METRICS(METRIC)
#undef METRIC
};

static tot_status open_files(train_record *record, const char *folder, int64_t rows,
                             int64_t event_bytes) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, folder, "metrics.csv"));
    BASE_TRY(file_csv_open(&record->csv, path, columns, TRAIN_METRIC_COUNT, rows));
    BASE_RESERVE(record->values, record->capacity, ((size_t)rows + 1) * TRAIN_METRIC_COUNT,
                 "metrics");
    BASE_TRY(file_csv_read(record->csv, record->values));
    record->rows = rows;
    BASE_TRY(train_path(path, folder, TRAIN_EVENTS));
    return file_tfevents_open(&record->events, path, event_bytes, train_wall_seconds());
}

tot_status train_record_open(train_record **out, const char *folder, int64_t rows,
                             int64_t event_bytes) {
    *out = NULL;
    BASE_NEW(train_record, record, "record");
    BASE_GIVE(open_files(record, folder, rows, event_bytes), out, record, train_record_close);
}

tot_status train_record_add(train_record *record, const double values[TRAIN_METRIC_COUNT]) {
    const size_t used = (size_t)record->rows * TRAIN_METRIC_COUNT;
    BASE_GROW(record->values, record->capacity, used, used + TRAIN_METRIC_COUNT, "metrics");
    memcpy(record->values + used, values, TRAIN_METRIC_COUNT * sizeof *values);
    BASE_TRY(file_csv_add(record->csv, values));
    record->rows++;
    // TensorBoard stores the step with every value
    return file_tfevents_add(record->events, (int64_t)values[TRAIN_METRIC_step],
                             train_wall_seconds(), tags + 1, values + 1, TRAIN_METRIC_COUNT - 1);
}

tot_status train_record_read(train_record **out, const char *folder) {
    char path[TRAIN_PATH];
    *out = NULL;
    BASE_TRY(train_path(path, folder, "metrics.csv"));
    BASE_NEW(train_record, record, "record");
    BASE_GIVE(file_csv_load(path, columns, TRAIN_METRIC_COUNT, &record->values, &record->rows), out,
              record, train_record_close);
}

tot_status train_record_load_some(const char *folder, const train_metric *metrics, size_t count,
                                  size_t needed, double **values, int64_t *rows) {
    char path[TRAIN_PATH];
    const char *names[TRAIN_METRIC_COUNT];
    for (size_t k = 0; k < count; k++) {
        names[k] = columns[metrics[k]];
    }
    BASE_TRY(train_path(path, folder, "metrics.csv"));
    return file_csv_load_some(path, names, count, needed, values, rows);
}

tot_status train_record_sync(train_record *record) {
    BASE_TRY(file_csv_sync(record->csv));
    return file_tfevents_sync(record->events);
}

void train_record_close(train_record *record) {
    BASE_UNLESS_NULL(record);
    file_csv_close(record->csv);
    file_tfevents_close(record->events);
    BASE_RELEASE(record->values, record);
}

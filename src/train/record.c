#include "train/record.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/csv.h"
#include "file/tfevents.h"
#include "train/folder.h"
#include "train/run.h"

static const char *const columns[] = {
#define METRIC(name, tag) #name,
    TOT_METRICS(METRIC)
#undef METRIC
};

static const char *const tags[] = {
#define METRIC(name, tag) tag,
    TOT_METRICS(METRIC)
#undef METRIC
};

struct tot_record {
    tot_csv *csv;
    tot_tfevents *events;
    double *values;  // [rows][TOT_METRIC_COUNT]
    size_t capacity;
};

static tot_status keep(tot_record *record, size_t rows, size_t more) {
    void *values = record->values;
    TOT_TRY(tot_grow(&values, &record->capacity, rows * TOT_METRIC_COUNT,
                     (rows + more) * TOT_METRIC_COUNT, sizeof *record->values, "metrics"));
    record->values = values;
    return TOT_OK;
}

static tot_status open_files(tot_record *record, const char *folder, int64_t rows,
                             int64_t event_bytes) {
    char path[TOT_PATH];
    TOT_TRY(tot_path(path, folder, "metrics.csv"));
    TOT_TRY(tot_csv_open(&record->csv, path, columns, TOT_METRIC_COUNT, rows));
    TOT_TRY(keep(record, 0, (size_t)rows + 1));
    TOT_TRY(tot_csv_read(record->csv, record->values));
    TOT_TRY(tot_path(path, folder, "events.out.tfevents.0.temporalot"));
    return tot_tfevents_open(&record->events, path, event_bytes, tot_wall_seconds());
}

tot_status tot_record_open(tot_record **out, const char *folder, int64_t rows,
                           int64_t event_bytes) {
    *out = NULL;
    tot_record *record = tot_alloc_zero(1, sizeof *record, "record");
    if (record == NULL) {
        return TOT_E_MEMORY;
    }
    const tot_status status = open_files(record, folder, rows, event_bytes);
    if (status != TOT_OK) {
        tot_record_close(record);
        return status;
    }
    *out = record;
    return TOT_OK;
}

tot_status tot_record_add(tot_record *record, const double values[TOT_METRIC_COUNT]) {
    const size_t rows = (size_t)tot_csv_rows(record->csv);
    TOT_TRY(keep(record, rows, 1));
    memcpy(record->values + rows * TOT_METRIC_COUNT, values, TOT_METRIC_COUNT * sizeof *values);
    TOT_TRY(tot_csv_add(record->csv, values));
    // TensorBoard has the step beside every number already
    return tot_tfevents_add(record->events, (int64_t)values[TOT_METRIC_step], tot_wall_seconds(),
                            tags + 1, values + 1, TOT_METRIC_COUNT - 1);
}

int64_t tot_record_rows(const tot_record *record) {
    return tot_csv_rows(record->csv);
}

int64_t tot_record_event_bytes(const tot_record *record) {
    return tot_tfevents_bytes(record->events);
}

const double *tot_record_values(const tot_record *record) {
    return record->values;
}

tot_status tot_record_sync(tot_record *record) {
    TOT_TRY(tot_csv_sync(record->csv));
    return tot_tfevents_sync(record->events);
}

void tot_record_close(tot_record *record) {
    if (record == NULL) {
        return;
    }
    tot_csv_close(record->csv);
    tot_tfevents_close(record->events);
    tot_free(record->values);
    tot_free(record);
}

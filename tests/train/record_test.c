// metrics.csv and the events: writing, truncating, continuing; and a full disk.
#include <math.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "asserts.h"
#include "base/memory.h"
#include "failing_memory.h"
#include "folder.h"
#include "file/csv.h"
#include "file/tfevents.h"
#include "train/record.h"

static const char *const columns[] = {"step", "value"};

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// The whole file as a text; overwritten by the next call.
static const char *content(const char *path, size_t *size) {
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size = fread(bytes, 1, sizeof bytes - 1, file);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

TEST(test_csv) {
    size_t size = 0;
    file_csv *csv = NULL;
    const char *path = in_folder("a.csv");
    assert_ok(file_csv_open(&csv, path, columns, 2, 0));
    for (int k = 0; k < 3; k++) {
        assert_ok(file_csv_add(csv, (double[]){k, k == 1 ? NAN : k / 3.0}));
    }
    assert_int_equal(file_csv_rows(csv), 3);
    file_csv_close(csv);
    assert_string_equal(content(path, &size), "step,value\n0,0\n1,\n2,0.666666667\n");
    // back to two rows, then continued; a row truncated by a crash is removed, too
    FILE *file = fopen(path, "a");
    fputs("3,0.", file);
    fclose(file);
    assert_ok(file_csv_open(&csv, path, columns, 2, 2));
    assert_ok(file_csv_add(csv, (double[]){7, -1e-20}));
    double values[3][2];
    assert_ok(file_csv_read(csv, values[0]));
    assert_true(values[0][0] == 0 && isnan(values[1][1]) && values[2][0] == 7);
    assert_ok(file_csv_sync(csv));
    file_csv_close(csv);
    assert_string_equal(content(path, &size), "step,value\n0,0\n1,\n7,-1e-20\n");
    assert_fails(file_csv_open(&csv, path, columns, 2, 4), TOT_E_FORMAT, "1 rows are missing");
    assert_fails(file_csv_open(&csv, path, columns, 1, 1), TOT_E_FORMAT, "other columns");
    assert_fails(file_csv_open(&csv, "/nowhere/a.csv", columns, 2, 0), TOT_E_FILE, "/nowhere");
    // zero rows start over
    assert_ok(file_csv_open(&csv, path, columns, 2, 0));
    file_csv_close(csv);
    assert_string_equal(content(path, &size), "step,value\n");
}

// A table that another process is writing is read without modifying it.
TEST(test_csv_load) {
    static const char text[] = "step,value\n0,0.5\n1,\n2,0.";
    size_t size = 0;
    double *values = NULL;
    int64_t rows = -1;
    const char *path = in_folder("load.csv");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    assert_ok(file_csv_load(path, columns, 2, &values, &rows));
    assert_int_equal(rows, 2);
    assert_true(values[0] == 0 && values[1] == 0.5 && values[2] == 1 && isnan(values[3]));
    base_free(values);
    assert_string_equal(content(path, &size), text);
    assert_fails(file_csv_load(path, columns, 1, &values, &rows), TOT_E_FORMAT, "other columns");
    assert_null(values);
    assert_fails(file_csv_load("/nowhere/a.csv", columns, 2, &values, &rows), TOT_E_FILE,
                 "/nowhere");
    file = fopen(path, "a");
    fputs("x\n", file);
    fclose(file);
    assert_fails(file_csv_load(path, columns, 2, &values, &rows), TOT_E_FORMAT, "line 4: ");
    assert_null(values);
}

TEST(test_crc32c) {
    // RFC 3720, B.4
    unsigned char bytes[32] = {0};
    assert_int_equal(file_crc32c(bytes, 32), 0x8A9136AA);
    memset(bytes, 0xFF, 32);
    assert_int_equal(file_crc32c(bytes, 32), 0x62A8AB43);
    for (int k = 0; k < 32; k++) {
        bytes[k] = (unsigned char)k;
    }
    assert_int_equal(file_crc32c(bytes, 32), 0x46DD794E);
    assert_int_equal(file_crc32c("123456789", 9), 0xE3069283);
}

// An event, byte by byte as specified by the formats.
TEST(test_events) {
    size_t size = 0;
    file_tfevents *events = NULL;
    const char *path = in_folder("events");
    const char *const tags[] = {"a", "b"};
    assert_ok(file_tfevents_open(&events, path, 0, 1.0));
    const int64_t begun = file_tfevents_bytes(events);
    assert_ok(file_tfevents_add(events, 300, 2.0, tags, (double[]){1.5, NAN}, 2));
    assert_ok(file_tfevents_sync(events));
    file_tfevents_close(events);
    const unsigned char *bytes = (const unsigned char *)content(path, &size);
    // double 1.0, then the version's text
    const unsigned char first[] = {0x09, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0x1A, 13};
    const unsigned char second[] = {0x09, 0,  0,    0, 0,    0, 0,   0,    0x40, 0x10, 0xAC, 0x02,
                                    0x2A, 10, 0x0A, 8, 0x0A, 1, 'a', 0x15, 0,    0,    0xC0, 0x3F};
    assert_int_equal(bytes[0], 24);
    assert_memory_equal(bytes + 12, first, sizeof first);
    assert_memory_equal(bytes + 12 + sizeof first, "brain.Event:2", 13);
    assert_int_equal(begun, 24 + 16);
    assert_int_equal(bytes[begun], sizeof second);
    assert_memory_equal(bytes + begun + 12, second, sizeof second);
    assert_int_equal(size, (size_t)begun + 16 + sizeof second);
    // back to the start, then continued
    assert_ok(file_tfevents_open(&events, path, begun, 9.0));
    assert_int_equal(file_tfevents_bytes(events), begun);
    file_tfevents_close(events);
    assert_fails(file_tfevents_open(&events, path, begun + 1, 9.0), TOT_E_FORMAT, "41");
}

// Rows stay complete when the disk is full, simulated by a file size limit.
TEST(test_full_disk) {
    size_t size = 0;
    file_csv *csv = NULL;
    const char *path = in_folder("full.csv");
    struct rlimit before;
    assert_ok(file_csv_open(&csv, path, columns, 2, 0));
    assert_ok(file_csv_add(csv, (double[]){1, 2}));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const struct rlimit small = {.rlim_cur = 18, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const tot_status status = file_csv_add(csv, (double[]){1234, 5678});
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, TOT_E_FILE);
    assert_string_equal(content(path, &size), "step,value\n1,2\n");
    assert_ok(file_csv_add(csv, (double[]){3, 4}));
    file_csv_close(csv);
    assert_string_equal(content(path, &size), "step,value\n1,2\n3,4\n");
}

static tot_status record_some(void) {
    train_record *record = NULL;
    double row[TRAIN_METRIC_COUNT] = {0};
    tot_status status = train_record_open(&record, folder, 0, 0);
    for (int k = 0; status == TOT_OK && k < 3; k++) {
        row[TRAIN_METRIC_step] = k;
        status = train_record_add(record, row);
    }
    if (status == TOT_OK && record->values[2 * TRAIN_METRIC_COUNT] != 2) {
        status = TOT_E_VALUE;
    }
    train_record_close(record);
    return status;
}

TEST(test_no_memory) {
    assert_survives_no_memory(record_some());
}

TEST_MAIN(make_folder, remove_folder)

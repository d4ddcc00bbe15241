#include "file/csv.h"

#include "base/base.h"
#include "file/appender.h"
#include "file/source.h"

enum { CELL = 32, HEADER = 1024, LARGEST = 1 << 28 };

struct file_csv {
    file_appender file;
    char *path;
    const char *const *columns;  // [count]
    size_t count;
    int64_t rows;
    char *line;  // of the longest row
};

// The first line, with its end; of at most size bytes.
static size_t header_text(const char *const *columns, size_t count, char *text, size_t size) {
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", columns[k],
                                 k + 1 < count ? "," : "\n");
    }
    return used;
}

static tot_status other_columns(const char *path) {
    return base_fail(TOT_E_FORMAT, "%s: has other columns than this version writes", path);
}

// Where row `rows` would begin: the byte behind so many line ends after the header.
static tot_status find_end(file_csv *csv, size_t header, int64_t rows, int64_t *end) {
    char piece[4096];
    int64_t place = (int64_t)header;
    while (rows > 0 && place < csv->file.size) {
        const int64_t left = csv->file.size - place;
        const size_t size = left < (int64_t)sizeof piece ? (size_t)left : sizeof piece;
        BASE_TRY(file_appender_read(&csv->file, place, piece, size));
        size_t k = 0;
        while (k < size && rows > 0) {
            rows -= piece[k++] == '\n' ? 1 : 0;
        }
        place += (int64_t)k;
    }
    BASE_FAIL_IF(rows > 0, TOT_E_FORMAT, "%s: %lld rows are missing that the checkpoint speaks of",
                 csv->path, (long long)rows);
    *end = place;
    return TOT_OK;
}

static tot_status open_file(file_csv *csv, int64_t rows) {
    char header[HEADER];
    char found[sizeof header];
    const size_t length = header_text(csv->columns, csv->count, header, sizeof header);
    BASE_TRY(file_appender_open(&csv->file, csv->path));
    if (rows == 0) {
        BASE_TRY(file_appender_truncate(&csv->file, 0));
        return file_appender_add(&csv->file, header, length);
    }
    BASE_FAIL_IF(csv->file.size < (int64_t)length, TOT_E_FORMAT, "%s: ends before its first row",
                 csv->path);
    BASE_TRY(file_appender_read(&csv->file, 0, found, length));
    if (memcmp(found, header, length) != 0) {
        return other_columns(csv->path);
    }
    int64_t end = 0;
    BASE_TRY(find_end(csv, length, rows, &end));
    csv->rows = rows;
    return file_appender_truncate(&csv->file, end);
}

tot_status file_csv_open(file_csv **out, const char *path, const char *const *columns, size_t count,
                         int64_t rows) {
    *out = NULL;
    BASE_NEW(file_csv, csv, "table");
    csv->columns = columns;
    csv->count = count;
    csv->file.file = -1;
    csv->path = base_copy_text(path);
    csv->line = base_alloc(count, CELL, "table");
    tot_status status = TOT_E_MEMORY;
    if (csv->path != NULL && csv->line != NULL) {
        status = open_file(csv, rows);
    }
    BASE_GIVE(status, out, csv, file_csv_close);
}

tot_status file_csv_add(file_csv *csv, const double *values) {
    size_t used = 0;
    for (size_t k = 0; k < csv->count; k++) {
        char cell[CELL] = "";
        if (fabs(values[k]) < 1e15 && values[k] == floor(values[k])) {
            snprintf(cell, sizeof cell, "%.0f", values[k]);
        } else if (!isnan(values[k])) {
            snprintf(cell, sizeof cell, "%.9g", values[k]);
        }
        used += (size_t)snprintf(csv->line + used, csv->count * CELL - used, "%s%s", cell,
                                 k + 1 < csv->count ? "," : "\n");
    }
    BASE_TRY(file_appender_add(&csv->file, csv->line, used));
    csv->rows++;
    return TOT_OK;
}

// One line's cells. Returns where the next line begins; NULL: not so many numbers.
static const char *parse_row(const char *text, size_t count, double *values) {
    for (size_t k = 0; k < count; k++) {
        const char last = k + 1 < count ? ',' : '\n';
        char *end = NULL;
        values[k] = *text == last ? NAN : strtod(text, &end);
        text = *text == last ? text : end;
        if (*text != last) {
            return NULL;
        }
        text++;
    }
    return text;
}

tot_status file_csv_read(const file_csv *csv, double *values) {
    const size_t size = (size_t)csv->file.size;
    char *text = base_alloc(size + 1, 1, "table");
    BASE_HAVE(text);
    tot_status status = file_appender_read(&csv->file, 0, text, size);
    text[size] = '\0';
    const char *line = status == TOT_OK ? strchr(text, '\n') : NULL;
    line = line != NULL ? line + 1 : NULL;
    for (int64_t k = 0; status == TOT_OK && k < csv->rows; k++) {
        line = line != NULL ? parse_row(line, csv->count, values + (size_t)k * csv->count) : NULL;
        if (line == NULL) {
            status = base_fail(TOT_E_FORMAT, "%s: row %lld: not %zu numbers", csv->path,
                               (long long)k, csv->count);
        }
    }
    base_free(text);
    return status;
}

static tot_status load_rows(const char *path, const char *text, size_t count, double **values,
                            int64_t *rows) {
    size_t most = 0;
    for (const char *end = text; (end = strchr(end, '\n')) != NULL; end++) {
        most++;
    }
    *values = base_alloc(most * count, sizeof **values, "table");
    if (*values == NULL) {
        return TOT_E_MEMORY;
    }
    for (*rows = 0; *rows < (int64_t)most; (*rows)++) {
        text = parse_row(text, count, *values + (size_t)*rows * count);
        BASE_FAIL_IF(text == NULL, TOT_E_FORMAT, "%s: row %lld: not %zu numbers", path,
                     (long long)*rows, count);
    }
    return TOT_OK;
}

tot_status file_csv_load(const char *path, const char *const *columns, size_t count,
                         double **values, int64_t *rows) {
    char header[HEADER];
    char *text = NULL;
    const size_t length = header_text(columns, count, header, sizeof header);
    *values = NULL;
    *rows = 0;
    size_t size = 0;
    tot_status status = file_source_read_file(&text, &size, path, LARGEST, "table of metrics");
    if (status == TOT_OK && strncmp(text, header, length) != 0) {
        status = other_columns(path);
    }
    BASE_THEN(status, load_rows(path, text + length, count, values, rows));
    if (status != TOT_OK) {
        base_free(*values);
        *values = NULL;
    }
    base_free(text);
    return status;
}

int64_t file_csv_rows(const file_csv *csv) {
    return csv->rows;
}

tot_status file_csv_sync(file_csv *csv) {
    return file_appender_sync(&csv->file);
}

void file_csv_close(file_csv *csv) {
    BASE_UNLESS_NULL(csv);
    file_appender_close(&csv->file);
    BASE_RELEASE(csv->path, csv->line, csv);
}

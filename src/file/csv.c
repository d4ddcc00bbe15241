#include "file/csv.h"

#include "base/base.h"
#include "file/appender.h"
#include "file/source.h"

enum { CELL = 32, HEADER = 1024, LARGEST = 1 << 28, MOST_COLUMNS = 256 };

struct file_csv {
    file_appender file;
    char *path;
    const char *const *columns;  // [count]
    size_t count;
    int64_t rows;
    char *line;  // buffer for the longest row
};

// The header line with its newline, at most size bytes.
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

// The offset of row `rows`: the byte after that many newlines following the header.
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
    BASE_FAIL_IF(rows > 0, TOT_E_FORMAT, "%s: %lld rows are missing that the checkpoint expects",
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

// --- reading -----------------------------------------------------------------------------------

// Parses the cells of the next line, modifying the text; an empty cell is NaN.
static tot_status parse_row(const char *path, int64_t row, char **text, size_t count,
                            double *values) {
    char *line = strsep(text, "\n");
    size_t found = 0;
    line[strcspn(line, "\r")] = '\0';
    for (char *cell; (cell = strsep(&line, ",")) != NULL; found++) {
        char *end = cell;
        const double value = cell[0] != '\0' ? strtod(cell, &end) : (double)NAN;
        BASE_FAIL_IF(*end != '\0', TOT_E_FORMAT, "%s: line %lld: '%.40s' is not a number", path,
                     (long long)row + 2, cell);
        if (found < count) {
            values[found] = value;
        }
    }
    BASE_FAIL_IF(found != count, TOT_E_FORMAT, "%s: line %lld: %zu cells, not %zu", path,
                 (long long)row + 2, found, count);
    return TOT_OK;
}

// Number of terminated lines.
static int64_t count_lines(const char *text) {
    int64_t count = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++) {
        count++;
    }
    return count;
}

static tot_status parse_rows(const file_csv *csv, char *text, double *values) {
    BASE_TRY(file_appender_read(&csv->file, 0, text, (size_t)csv->file.size));
    strsep(&text, "\n");
    BASE_FAIL_IF(text == NULL || count_lines(text) < csv->rows, TOT_E_FORMAT,
                 "%s: rows are missing", csv->path);
    for (int64_t k = 0; k < csv->rows; k++) {
        BASE_TRY(parse_row(csv->path, k, &text, csv->count, values + (size_t)k * csv->count));
    }
    return TOT_OK;
}

tot_status file_csv_read(const file_csv *csv, double *values) {
    char *text = base_alloc_zero((size_t)csv->file.size + 1, 1, "table");
    BASE_HAVE(text);
    BASE_FINALLY(parse_rows(csv, text, values), base_free(text));
}

// The position of each name in a header, modifying the header; -1: missing. Returns the number of
// columns.
static size_t find_columns(char *header, const char *const *columns, size_t count, int *places) {
    size_t all = 0;
    for (size_t k = 0; k < count; k++) {
        places[k] = -1;
    }
    for (char *name; (name = strsep(&header, ",")) != NULL; all++) {
        for (size_t k = 0; k < count; k++) {
            places[k] = strcmp(name, columns[k]) == 0 ? (int)all : places[k];
        }
    }
    return all;
}

static tot_status load_rows(const char *path, char *text, const char *const *columns, size_t count,
                            size_t needed, double **values, int64_t *rows) {
    int places[MOST_COLUMNS];
    double cells[MOST_COLUMNS];
    const int64_t most = count_lines(text) - 1;
    if (most < 0) {
        return TOT_OK;  // its first line is incomplete
    }
    char *header = strsep(&text, "\n");
    header[strcspn(header, "\r")] = '\0';
    const size_t all = find_columns(header, columns, count, places);
    for (size_t k = 0; k < needed; k++) {
        BASE_FAIL_IF(places[k] < 0 || all > MOST_COLUMNS, TOT_E_FORMAT,
                     "%s: line 1 names no column %s", path, columns[k]);
    }
    BASE_ALLOC(*values, (size_t)most * count, "table");
    for (*rows = 0; *rows < most; (*rows)++) {
        BASE_TRY(parse_row(path, *rows, &text, all, cells));
        for (size_t k = 0; k < count; k++) {
            (*values)[(size_t)*rows * count + k] = places[k] >= 0 ? cells[places[k]] : (double)NAN;
        }
    }
    return TOT_OK;
}

// header: what the file must begin with.
static tot_status load(const char *path, const char *header, const char *const *columns,
                       size_t count, size_t needed, double **values, int64_t *rows) {
    char *text = NULL;
    size_t size = 0;
    *values = NULL;
    *rows = 0;
    BASE_TRY(file_source_read_file(&text, &size, path, LARGEST, "table of metrics"));
    tot_status status =
        strlen(text) == size ? TOT_OK : base_fail(TOT_E_FORMAT, "%s: holds a 0 byte", path);
    BASE_THEN(status, strncmp(text, header, strlen(header)) == 0 ? TOT_OK : other_columns(path));
    BASE_THEN(status, load_rows(path, text, columns, count, needed, values, rows));
    base_free(text);
    if (status != TOT_OK) {
        base_free(*values);
        *values = NULL;
    }
    return status;
}

tot_status file_csv_load(const char *path, const char *const *columns, size_t count,
                         double **values, int64_t *rows) {
    char header[HEADER];
    header_text(columns, count, header, sizeof header);
    return load(path, header, columns, count, count, values, rows);
}

tot_status file_csv_load_some(const char *path, const char *const *columns, size_t count,
                              size_t needed, double **values, int64_t *rows) {
    return load(path, "", columns, count, needed, values, rows);
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

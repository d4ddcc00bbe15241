// Determines the rows and columns of a report's table, and the cell of each run.
#include "base/base.h"
#include "study/report_parts.h"

enum { LONGEST_LABEL = 512 };

static const char *value_of(const study_report *report, size_t run, size_t parameter) {
    return report->runs[run].values[parameter];
}

static bool is_readable(const study_report *report, size_t run) {
    return report->runs[run].record->config != NULL;
}

static const char *task_of(const study_report *report, size_t run) {
    return report->runs[run].record->config->task;
}

static const char *method_of(const study_report *report, size_t run) {
    return report->runs[run].record->config->method;
}

// --- settings that distinguish runs ------------------------------------------------------------

// Settings that only identify a run or control its output.
static bool is_aside(const base_setting *setting) {
    return setting->role == BASE_ASIDE || setting->role == BASE_FREE;
}

// Settings that may vary with the seed, and then do not distinguish runs.
static bool may_follow_seed(const base_setting *setting) {
    return setting->role == BASE_SEED || setting->role == BASE_SEED_FILE;
}

// Whether two runs agree in all distinguishing settings found so far.
static bool are_alike(const study_report *report, size_t a, size_t b) {
    if (strcmp(task_of(report, a), task_of(report, b)) != 0 ||
        strcmp(method_of(report, a), method_of(report, b)) != 0) {
        return false;
    }
    for (size_t k = 0; k < report->parameter_count; k++) {
        if (report->tells[k] && strcmp(value_of(report, a, k), value_of(report, b, k)) != 0) {
            return false;
        }
    }
    return true;
}

// Whether the setting distinguishes runs that nothing else does.
static bool splits(const study_report *report, size_t parameter) {
    const bool follows = may_follow_seed(&report->parameters[parameter]);
    for (size_t a = 0; a < report->run_count; a++) {
        for (size_t b = 0; is_readable(report, a) && b < a; b++) {
            if (is_readable(report, b) &&
                strcmp(value_of(report, a, parameter), value_of(report, b, parameter)) != 0 &&
                are_alike(report, a, b) &&
                (!follows ||
                 report->runs[a].record->config->seed == report->runs[b].record->config->seed)) {
                return true;
            }
        }
    }
    return false;
}

static tot_status choose_settings(study_report *report, size_t *asked) {
    const char *wanted = report->settings.columns;
    *asked = wanted != NULL ? study_report_parameter(report, wanted) : REPORT_NONE;
    if (wanted != NULL && *asked == REPORT_NONE) {
        const tot_status status =
            base_settings_unknown(report->parameters, report->parameter_count, wanted);
        return base_fail_in(status, "columns");
    }
    if (*asked != REPORT_NONE && !is_aside(&report->parameters[*asked])) {
        report->tells[*asked] = true;
    }
    for (int files = 0; files <= 1; files++) {
        for (size_t k = 0; k < report->parameter_count; k++) {
            const base_setting *setting = &report->parameters[k];
            if (report->varies[k] && !is_aside(setting) &&
                base_setting_is_file(setting) == (files == 1) && !report->tells[k]) {
                report->tells[k] = splits(report, k);
            }
        }
    }
    return TOT_OK;
}

// --- labels ------------------------------------------------------------------------------------

// Whether a setting varies among the runs of a method; otherwise labels omit it.
static bool varies_within(const study_report *report, const char *method, size_t parameter) {
    const char *first = NULL;
    for (size_t run = 0; run < report->run_count; run++) {
        if (!is_readable(report, run) || strcmp(method_of(report, run), method) != 0) {
            continue;
        }
        const char *value = value_of(report, run, parameter);
        if (first != NULL && strcmp(first, value) != 0) {
            return true;
        }
        first = first != NULL ? first : value;
    }
    return false;
}

// Whether more than half of the method's runs have this run's value of a setting.
static bool is_usual(const study_report *report, size_t run, size_t parameter) {
    size_t same = 0, all = 0;
    for (size_t k = 0; k < report->run_count; k++) {
        if (is_readable(report, k) && strcmp(method_of(report, k), method_of(report, run)) == 0) {
            all++;
            same += strcmp(value_of(report, k, parameter), value_of(report, run, parameter)) == 0;
        }
    }
    return 2 * same > all;
}

// "discount 0.99"; for files only the name: "demonstrations misaligned".
static void add_part(char label[LONGEST_LABEL], const char *name, const char *value) {
    const bool demos = strcmp(name, "demo") == 0;
    const char *slash = strrchr(value, '/');
    const char *shown = slash != NULL && slash[1] != '\0' ? slash + 1 : value;
    const char *dot = strrchr(shown, '.');
    const size_t length = demos && dot != NULL ? (size_t)(dot - shown) : strlen(shown);
    const size_t used = strlen(label);
    snprintf(label + used, LONGEST_LABEL - used, "%s%s%s", used > 0 ? ", " : "",
             demos ? "demonstrations" : name, name[0] != '\0' ? " " : "");
    const size_t begun = strlen(label);
    if (length == 0) {
        snprintf(label + begun, LONGEST_LABEL - begun, "%s", demos ? "as collected" : "none");
    } else {
        snprintf(label + begun, LONGEST_LABEL - begun, "%.*s", (int)length, shown);
    }
}

// "ot, discount 0.99": the method (if there are several) and the settings that distinguish its
// runs; if there are many, only those that are not as in most of them. without: a setting to omit.
static const char *variant_of(study_report *report, size_t run, bool methods, size_t without) {
    enum { MANY = 3 };
    const char *method = method_of(report, run);
    char label[LONGEST_LABEL] = "";
    size_t count = 0;
    if (methods) {
        add_part(label, "", method);
    }
    for (size_t k = 0; k < report->parameter_count; k++) {
        count += report->tells[k] && k != without && varies_within(report, method, k) ? 1 : 0;
    }
    for (size_t k = 0; k < report->parameter_count; k++) {
        if (report->tells[k] && k != without && varies_within(report, method, k) &&
            (count < MANY || !is_usual(report, run, k))) {
            add_part(label, report->parameters[k].name, value_of(report, run, k));
        }
    }
    return study_report_text(report, "%s", label);
}

// --- rows and columns --------------------------------------------------------------------------

// The paper's order first, then that of the table of methods.
static size_t rank_of(const char *method) {
    static const char *const first[] = {"taskreward", "bc", "gaifo", "ot", "ads", "temporalot"};
    enum { COUNT = BASE_LENGTH(first) };
    for (size_t k = 0; k < COUNT; k++) {
        if (strcmp(first[k], method) == 0) {
            return k;
        }
    }
    for (size_t k = 0; k < tot_train_method_count(); k++) {
        if (strcmp(tot_train_method_at(k)->name, method) == 0) {
            return COUNT + k;
        }
    }
    return COUNT + tot_train_method_count();
}

// The name of this run's column in the paper's table; NULL: not in it.
static const char *paper_column(study_report *report, size_t run) {
    const char *method = method_of(report, run);
    if (report->paper == NULL) {
        return NULL;
    }
    if (strcmp(report->paper->column_kind, "speed") == 0) {
        return strcmp(method, "temporalot") == 0 ? study_report_value(report, run, "demo_speed")
                                                 : NULL;
    }
    if (strcmp(report->paper->column_kind, "method") != 0) {
        return NULL;
    }
    return strcmp(method, "ot") == 0
               ? study_report_text(report, "ot%s", study_report_value(report, run, "discount"))
               : method;
}

// The index of an entry with this label, which is added if it is new.
static size_t place_of(study_report_entry *entries, size_t *count,
                       const study_report_entry *entry) {
    for (size_t k = 0; k < *count; k++) {
        if (strcmp(entries[k].label, entry->label) == 0) {
            if (entries[k].method != NULL && strcmp(entries[k].method, entry->method) != 0) {
                entries[k].method = NULL;
            }
            if (entries[k].paper != NULL &&
                (entry->paper == NULL || strcmp(entries[k].paper, entry->paper) != 0)) {
                entries[k].paper = NULL;
            }
            return k;
        }
    }
    entries[*count] = *entry;
    return (*count)++;
}

static int compare_entries(const study_report_entry *a, const study_report_entry *b) {
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return strverscmp(a->label, b->label);
}

// Sorts the entries and updates the indices of the runs.
static void sort_entries(study_report *report, study_report_entry *entries, size_t count,
                         bool columns) {
    for (size_t k = 1; k < count; k++) {
        for (size_t place = k;
             place > 0 && compare_entries(&entries[place - 1], &entries[place]) > 0; place--) {
            const study_report_entry entry = entries[place];
            entries[place] = entries[place - 1];
            entries[place - 1] = entry;
            for (size_t run = 0; run < report->run_count; run++) {
                size_t *at = columns ? &report->runs[run].column : &report->runs[run].row;
                *at = *at == place ? place - 1 : *at == place - 1 ? place : *at;
            }
        }
    }
}

static void place_run(study_report *report, size_t run, size_t asked, bool methods) {
    const char *task = task_of(report, run);
    const char *method = method_of(report, run);
    study_report_entry row = {.label = task, .task = task, .method = method};
    study_report_entry column = {
        .method = method, .rank = rank_of(method), .paper = paper_column(report, run)};
    const char *rest = variant_of(report, run, methods, asked);
    if (asked == REPORT_NONE || strcmp(report->parameters[asked].name, "method") == 0) {
        column.label = rest[0] != '\0' ? rest : method;
    } else {
        const char *name = report->parameters[asked].name;
        column.label = study_report_text(report, "%s %s", name, value_of(report, run, asked));
        column.rank = 0;
        row.label = rest[0] != '\0' ? study_report_text(report, "%s, %s", task, rest) : task;
    }
    report->runs[run].row = place_of(report->rows, &report->row_count, &row);
    report->runs[run].column = place_of(report->columns, &report->column_count, &column);
}

tot_status study_report_label(study_report *report) {
    size_t asked = REPORT_NONE;
    BASE_TRY(choose_settings(report, &asked));
    REPORT_ARRAY(report, report->rows, report->run_count);
    REPORT_ARRAY(report, report->columns, report->run_count);
    const bool methods = report->varies[study_report_parameter(report, "method")];
    const bool by_setting = asked != REPORT_NONE && strcmp(report->settings.columns, "method") != 0;
    report->row_kind = by_setting && methods ? "task and method" : "task";
    report->column_kind = by_setting ? report->settings.columns : methods ? "method" : "setting";
    for (size_t run = 0; run < report->run_count; run++) {
        report->runs[run].row = report->runs[run].column = REPORT_NONE;
        if (is_readable(report, run)) {
            place_run(report, run, asked, methods);
        }
    }
    sort_entries(report, report->rows, report->row_count, false);
    sort_entries(report, report->columns, report->column_count, true);
    return report->status;
}

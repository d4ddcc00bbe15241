// The page of a run with its diagnosis: the return of every kind of episode, what happened on every
// goal, and the motion of hand, fingers and objects compared with the demonstration.
#include "base/base.h"
#include "study/diagnosis.h"
#include "train/player.h"

enum { CELL = 48, LINE = 512, VERDICT = 2048, SHOWN = 2, LINES = 3 };

// --- tables ------------------------------------------------------------------------------------

// Cells of a table with their own storage.
typedef struct cells {
    char (*text)[LINE];
    const char **pointers;
    size_t count;
} cells;

static tot_status cells_open(cells *all, size_t count) {
    *all = (cells){0};
    all->text = base_alloc(count, sizeof *all->text, "table");
    all->pointers = base_alloc(count, sizeof *all->pointers, "table");
    return all->text == NULL || all->pointers == NULL ? TOT_E_MEMORY : TOT_OK;
}

// Adds the table to the page, if it could be filled, and frees its cells.
static tot_status cells_close(cells *all, tot_status status, tot_page *page, const char *title,
                              const tot_column *columns, size_t width) {
    const tot_table table = {.title = title,
                             .columns = columns,
                             .column_count = width,
                             .cells = all->pointers,
                             .row_count = all->count / width};
    BASE_THEN(status, tot_page_add_table(page, &table));
    base_free(all->text);
    base_free((void *)all->pointers);
    return status;
}

static char *next_cell(cells *all) {
    char *text = all->text[all->count];
    all->pointers[all->count++] = text;
    return text;
}

// Adds a number, or a dash if it is not finite.
static void add_number(cells *all, double value, int digits) {
    snprintf(next_cell(all), CELL, isfinite(value) ? "%.*f" : "–", digits, value);
}

static void add_text(cells *all, const char *text) {
    snprintf(next_cell(all), LINE, "%s", text);
}

static tot_status add_rows(const tot_diagnosis *all, tot_page *page) {
    static const tot_column columns[] = {
        {"episode", false}, {"success, %", true}, {"return", true}, {"best of a goal", true}};
    enum { COLUMNS = BASE_LENGTH(columns) };
    cells table;
    tot_status status = cells_open(&table, COLUMNS * STUDY_DIAGNOSIS_ROWS);
    for (int k = 0; status == TOT_OK && k < STUDY_DIAGNOSIS_ROWS; k++) {
        add_text(&table, all->rows[k].help);
        add_number(&table, 100 * all->rows[k].success, 0);
        add_number(&table, all->rows[k].sum, 3);
        add_number(&table, all->rows[k].best, 3);
    }
    return cells_close(&table, status, page, "On the same goals", columns, COLUMNS);
}

static const char *const happened[TOT_FAILURES] = {
    [TOT_FAILURE_NONE] = "solved",
    [TOT_FAILURE_ELSEWHERE] = "goes to demonstration %lld's place",
    [TOT_FAILURE_SHORT] = "does not reach the object",
    [TOT_FAILURE_GRIP] = "fingers stay open",
    [TOT_FAILURE_TOUCH] = "reaches the object, which does not move",
    [TOT_FAILURE_CARRY] = "moves the object, but not to its place",
    [TOT_FAILURE_END] = "solved at some step, but not at the end",
};

static void add_episode_cells(const tot_diagnosis *all, size_t index, cells *table) {
    const tot_diagnosis_episode *one = &all->episodes[index];
    char text[LINE];
    add_number(table, (double)one->goal, 0);
    snprintf(text, sizeof text, happened[one->failure], (long long)one->elsewhere);
    add_text(table, text);
    add_number(table, one->sum, 3);
    add_number(table, one->bent, 3);
    add_number(table, (double)one->demo, 0);
    add_number(table, 100 * one->distance, 1);
    add_number(table, 100 * one->offset[0], 1);
    add_number(table, 100 * one->offset[1], 1);
    add_number(table, 100 * one->offset[2], 1);
    add_number(table, one->opening, 2);
    add_number(table, one->demo_opening, 2);
    add_number(table, 100 * one->moved, 1);
    add_number(table, 100 * one->wanted, 1);
}

static tot_status add_episodes(const tot_diagnosis *all, tot_page *page) {
    static const tot_column columns[] = {
        {"goal", true},  {"what happens", false}, {"return", true}, {"bent", true},
        {"demo", true},  {"off, cm", true},       {"right", true},  {"up", true},
        {"near", true},  {"fingers", true},       {"demo's", true}, {"moved, cm", true},
        {"bent's", true}};
    enum { COLUMNS = BASE_LENGTH(columns) };
    const size_t rows = (size_t)all->settings.goals;
    cells table;
    tot_status status = cells_open(&table, COLUMNS * rows);
    for (size_t k = 0; status == TOT_OK && k < rows; k++) {
        add_episode_cells(all, k, &table);
    }
    return cells_close(&table, status, page, "The policy, goal by goal", columns, COLUMNS);
}

// --- trajectories ------------------------------------------------------------------------------

// Adds a figure of three curves, and frees their values: [LINES][steps + 1].
static tot_status add_curves(tot_page *page, const char *title, const char *unit,
                             const tot_series series[LINES], double *values) {
    const tot_curves figure = {.title = title,
                               .x_name = "agent step",
                               .y_name = unit,
                               .series = series,
                               .series_count = LINES};
    BASE_FINALLY(tot_page_add_curves(page, &figure), base_free(values));
}

static const char *const line_names[LINES] = {"policy", "bent to this goal",
                                              "demonstration, its own goal"};
static const tot_course_of line_of[LINES] = {TOT_COURSE_POLICY, TOT_COURSE_BENT, TOT_COURSE_DEMO};

// Plots one component of the observation over the steps of an episode, for the policy, the bent
// demonstration and the demonstration.
static tot_status add_course(const tot_diagnosis *all, size_t index, int place, const char *title,
                             double unit, const char *unit_name, tot_page *page) {
    const size_t count = (size_t)(all->frames / all->repeat) + 1;
    tot_series series[LINES];
    double *values = base_alloc(LINES * count, sizeof *values, "course");
    BASE_HAVE(values);
    for (int k = 0; k < LINES; k++) {
        int64_t steps = 0, stride = 0;
        const double *from = tot_diagnosis_course(all, index, line_of[k], &steps, &stride);
        double *out = values + (size_t)k * count;
        for (int64_t i = 0; from != NULL && i <= steps; i++) {
            out[i] = unit * from[i * stride + place];
        }
        series[k] =
            (tot_series){.name = line_names[k], .count = from != NULL ? count : 0, .y = out};
    }
    return add_curves(page, title, unit_name, series, values);
}

// Plots the offset of the hand from that of the bent demonstration, in camera coordinates.
static tot_status add_ray(const tot_diagnosis *all, size_t index, tot_page *page) {
    static const char *const names[LINES] = {"right", "up", "towards the camera"};
    int64_t steps = 0, stride = 0;
    const double *hand = tot_diagnosis_course(all, index, TOT_COURSE_POLICY, &steps, &stride);
    const double *bent = tot_diagnosis_course(all, index, TOT_COURSE_BENT, &steps, &stride);
    const size_t count = (size_t)steps + 1;
    tot_series series[LINES];
    double *values = base_alloc(LINES * count, sizeof *values, "course");
    BASE_HAVE(values);
    for (int a = 0; a < LINES; a++) {
        const double *axis = all->references->axes[a];
        double *out = values + (size_t)a * count;
        for (size_t k = 0; k < count; k++) {
            const size_t from = k * (size_t)stride;
            out[k] = 0;
            for (int i = 0; i < 3; i++) {
                out[k] += 100 * axis[i] * (hand[from + (size_t)i] - bent[from + (size_t)i]);
            }
        }
        series[a] = (tot_series){.name = names[a], .count = count, .y = out};
    }
    return add_curves(page,
                      "Offset of the hand from the bent demonstration's, in camera coordinates",
                      "cm", series, values);
}

static tot_status add_place(const tot_diagnosis *all, size_t index, int place, const char *what,
                            tot_page *page) {
    for (int i = 0; i < 3; i++) {
        char title[CELL];
        snprintf(title, sizeof title, "%s, %c", what, "xyz"[i]);
        BASE_TRY(add_course(all, index, place + i, title, 100, "cm", page));
    }
    return TOT_OK;
}

static bool has_second(const tot_diagnosis *all) {
    const double *place = all->policy[0].observations + STUDY_SECOND;
    return demo_is_present(place[0], place[1], place[2]);
}

static tot_status add_courses(const tot_diagnosis *all, size_t index, tot_page *page) {
    char text[LINE], title[CELL];
    const tot_diagnosis_episode *one = &all->episodes[index];
    snprintf(title, sizeof title, "Goal %zu: %s", index, one->success ? "solved" : "not solved");
    BASE_TRY(tot_page_add_heading(page, 2, title));
    tot_diagnosis_describe(all, index, text, sizeof text);
    BASE_TRY(tot_page_add_paragraph(page, text));
    BASE_TRY(tot_page_begin_row(page));
    BASE_TRY(add_ray(all, index, page));
    BASE_TRY(add_course(all, index, STUDY_FINGERS, "Fingers", 1, "opening", page));
    BASE_TRY(add_place(all, index, STUDY_HAND, "Hand", page));
    BASE_TRY(
        add_place(all, index, STUDY_OBJECT, has_second(all) ? "First object" : "Object", page));
    BASE_TRY(has_second(all) ? add_place(all, index, STUDY_SECOND, "Second object", page) : TOT_OK);
    return tot_page_end_row(page);
}

// Chooses one episode that fails and one that is solved; if none is solved, two that fail, if
// possible in different ways. Returns their number.
static size_t choose(const tot_diagnosis *all, size_t chosen[SHOWN]) {
    const size_t goals = (size_t)all->settings.goals;
    size_t count = 0;
    for (int wanted = 0; wanted < 3 && count < SHOWN; wanted++) {
        for (size_t k = 0; k < goals; k++) {
            const tot_diagnosis_episode *one = &all->episodes[k];
            const bool other = count == 0 || one->failure != all->episodes[chosen[0]].failure;
            const bool fits = wanted == 0 ? !one->success : wanted == 1 ? one->success : other;
            if (fits && (count == 0 || k != chosen[0])) {
                chosen[count++] = k;
                break;
            }
        }
    }
    return count;
}

// --- the section, and the page -----------------------------------------------------------------

static tot_status add_section(void *context, tot_page *page) {
    const tot_diagnosis *all = context;
    size_t chosen[SHOWN];
    char text[VERDICT];
    BASE_TRY(tot_page_add_heading(page, 1, "Diagnosis"));
    BASE_TRY(tot_page_add_paragraph(page, tot_diagnosis_verdict(all, text, sizeof text)));
    BASE_TRY(add_rows(all, page));
    BASE_TRY(
        tot_page_add_paragraph(page,
                               "All episodes are rewarded as the run rewards its own. Kinds that "
                               "follow a demonstration have one episode per demonstration on every "
                               "goal; the best of a goal is the better of these."));
    BASE_TRY(add_episodes(all, page));
    BASE_TRY(tot_page_add_paragraph(
        page,
        "bent: return of the best bent demonstration that solves this goal. off: how close the "
        "hand comes to where the demonstration meets the object, and the direction of the "
        "remaining error in camera coordinates. fingers: their smallest opening within 5 cm of "
        "that place. moved: the largest displacement of the object. All of this is taken from the "
        "simulator's state, which the reward does not see."));
    const size_t count = choose(all, chosen);
    for (size_t k = 0; k < count; k++) {
        BASE_TRY(add_courses(all, chosen[k], page));
    }
    return TOT_OK;
}

tot_status tot_diagnosis_write(const tot_diagnosis *diagnosis, const char *path) {
    BASE_NEED(diagnosis, path);
    return train_report_again(diagnosis->folder, train_player_state(diagnosis->player), path,
                              add_section, (void *)diagnosis);
}

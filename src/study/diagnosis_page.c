// The page of a run with its diagnosis: the return of every kind of episode, what happened on every
// goal, and the motion of hand, fingers and objects compared with the demonstration.
#include "base/base.h"
#include "study/diagnosis.h"
#include "study/report_parts.h"
#include "train/player.h"

enum { CELL = 48, LINE = 512, VERDICT = 2048, SHOWN = 2, LINES = 3 };

// --- tables ------------------------------------------------------------------------------------

// Tables are those of a report of many runs, of which only the memory is used: `memory`.

// A number, or a dash if it is not finite.
static const char *say_number(study_report *memory, double value, int digits) {
    return isfinite(value) ? study_report_text(memory, "%.*f", digits, value) : "–";
}

static tot_status add_rows(const tot_diagnosis *all, study_report *memory, tot_page *page) {
    static const tot_column columns[] = {
        {"episode", false}, {"success, %", true}, {"return", true}, {"best of a goal", true}};
    enum { COLUMNS = BASE_LENGTH(columns) };
    study_report_table table;
    BASE_TRY(study_report_table_make(memory, &table, COLUMNS, STUDY_DIAGNOSIS_ROWS, columns));
    for (int k = 0; k < STUDY_DIAGNOSIS_ROWS; k++) {
        const char **cells = table.cells + k * COLUMNS;
        cells[0] = all->rows[k].help;
        cells[1] = say_number(memory, 100 * all->rows[k].success, 0);
        cells[2] = say_number(memory, all->rows[k].sum, 3);
        cells[3] = say_number(memory, all->rows[k].best, 3);
    }
    return study_report_table_add(memory, &table, "On the same goals", page);
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

static const tot_column episode_columns[] = {
    {"goal", true},    {"what happens", false}, {"return", true}, {"bent", true}, {"demo", true},
    {"off, cm", true}, {"right", true},         {"up", true},     {"near", true}, {"fingers", true},
    {"demo's", true},  {"moved, cm", true},     {"bent's", true}};

enum { EPISODE_COLUMNS = BASE_LENGTH(episode_columns) };

static void fill_episode(const tot_diagnosis_episode *one, study_report *memory,
                         const char *cells[EPISODE_COLUMNS]) {
    const struct {
        double value;
        int digits;
    } numbers[] = {{one->sum, 3},
                   {one->bent, 3},
                   {(double)one->demo, 0},
                   {100 * one->distance, 1},
                   {100 * one->offset[0], 1},
                   {100 * one->offset[1], 1},
                   {100 * one->offset[2], 1},
                   {one->opening, 2},
                   {one->demo_opening, 2},
                   {100 * one->moved, 1},
                   {100 * one->wanted, 1}};
    cells[0] = study_report_text(memory, "%lld", (long long)one->goal);
    cells[1] = study_report_text(memory, happened[one->failure], (long long)one->elsewhere);
    for (size_t k = 0; k < BASE_LENGTH(numbers); k++) {
        cells[k + 2] = say_number(memory, numbers[k].value, numbers[k].digits);
    }
}

static tot_status add_episodes(const tot_diagnosis *all, study_report *memory, tot_page *page) {
    const size_t rows = (size_t)all->settings.goals;
    study_report_table table;
    BASE_TRY(study_report_table_make(memory, &table, EPISODE_COLUMNS, rows, episode_columns));
    for (size_t k = 0; k < rows; k++) {
        fill_episode(&all->episodes[k], memory, table.cells + k * EPISODE_COLUMNS);
    }
    return study_report_table_add(memory, &table, "The policy, goal by goal", page);
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

static tot_status fill(const tot_diagnosis *all, study_report *memory, tot_page *page) {
    size_t chosen[SHOWN];
    char text[VERDICT];
    BASE_TRY(tot_page_add_heading(page, 1, "Diagnosis"));
    BASE_TRY(tot_page_add_paragraph(page, tot_diagnosis_verdict(all, text, sizeof text)));
    BASE_TRY(add_rows(all, memory, page));
    BASE_TRY(
        tot_page_add_paragraph(page,
                               "All episodes are rewarded as the run rewards its own. Kinds that "
                               "follow a demonstration have one episode per demonstration on every "
                               "goal; the best of a goal is the better of these."));
    BASE_TRY(add_episodes(all, memory, page));
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

static tot_status add_section(void *context, tot_page *page) {
    study_report memory = {0};
    BASE_FINALLY(fill(context, &memory, page), study_report_free(&memory));
}

tot_status tot_diagnosis_write(const tot_diagnosis *diagnosis, const char *path) {
    BASE_NEED(diagnosis, path);
    return train_report_again(diagnosis->folder, train_player_state(diagnosis->player), path,
                              add_section, (void *)diagnosis);
}

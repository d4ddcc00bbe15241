// The last labelled episode of one run per task and method, for the reader to choose from.
#include "base/base.h"
#include "page/parts.h"
#include "study/report_parts.h"
#include "study/run_read.h"
#include "train/folder.h"
#include "train/episode.h"

enum {
    PAGE_BYTES = 6 << 20,  // of the page up to here: what follows is small, and the limit is 8 MB
    PICTURE_WIDTH = 60,    // so that a row of 16 fits the page
};

typedef struct episodes {
    study_report *report;
    tot_page *page;
    const char *path;     // of the report
    size_t shown;         // cells shown
    size_t none;          // cells that compare episodes but have stored none
    size_t left;          // cells with an episode that does not fit the page
    const char *damaged;  // errors of damaged files, one per line
} episodes;

static bool compares(const tot_run_record *record) {
    tot_train_method method;
    return record->config != NULL &&
           tot_train_method_find(&method, record->config->method) == TOT_OK && method.compares;
}

// --- one episode -------------------------------------------------------------------------------

static tot_status add_run_links(episodes *all, size_t run) {
    study_report *report = all->report;
    const char *folder = report->runs[run].record->folder;
    const char *there = study_report_way(report, all->path, folder);
    page_link links[2] = {{folder, there}, {"its own report", NULL}};
    const bool has_report = study_run_has(folder, "report.html");
    if (there == NULL) {
        return tot_page_add_paragraph(all->page, folder);
    }
    links[1].path = study_report_text(report, "%sreport.html", there);
    BASE_TRY(report->status);
    return page_add_links(all->page, links, has_report ? 2 : 1);
}

// " The run is stopped, with 40.0 % success at the evaluation at step 80000."
static const char *say_run(study_report *report, const tot_run_record *record) {
    if (record->point_count == 0) {
        return "";
    }
    return study_report_text(report,
                             " The run is %s, with %s %% success at the evaluation at step %lld.",
                             tot_run_state_text(record->state),
                             study_report_number(report, 100 * record->success_rate, 1),
                             (long long)record->points[record->point_count - 1].step);
}

static tot_status draw(episodes *all, size_t run, const train_labelled_episode *labelled) {
    char text[256];
    study_report *report = all->report;
    const study_report_run *one = &report->runs[run];
    const char *task = report->rows[one->row].label;
    const char *name = report->columns[one->column].label;
    page_alignment alignment = train_episode_alignment(labelled);
    alignment.picture = PICTURE_WIDTH;
    train_episode_describe(labelled, text, sizeof text);
    const char *words = study_report_text(report, "%s%s", text, say_run(report, one->record));
    const char *heading = study_report_text(report, "%s, %s, seed %s", task, name,
                                            study_report_value(report, run, "seed"));
    BASE_TRY(report->status);
    BASE_TRY(page_begin_box(all->page, PAGE_BOX_CHOICE, name, task));
    BASE_TRY(tot_page_add_heading(all->page, 2, heading));
    BASE_TRY(tot_page_add_paragraph(all->page, words));
    BASE_TRY(add_run_links(all, run));
    BASE_TRY(page_add_alignment(all->page, &alignment));
    return page_end_box(all->page);
}

// --- one cell ----------------------------------------------------------------------------------

// Adds the episode that a run has stored. *done: the cell has an episode, or the page has no room.
static tot_status add_run(episodes *all, size_t run, const char *path, bool *done) {
    train_labelled_episode labelled = {0};
    tot_status status = train_episode_read(&labelled, path);
    if (status != TOT_OK && status != TOT_E_MEMORY) {
        base_log(TOT_LOG_WARNING, "%s; it is skipped", tot_error());
        all->damaged = study_report_text(all->report, "%s\n%s", all->damaged, tot_error());
        train_episode_free(&labelled);
        return all->report->status;
    }
    *done = true;
    const page_place place = page_here(all->page);
    BASE_THEN(status, draw(all, run, &labelled));
    train_episode_free(&labelled);
    BASE_TRY(status);
    if (page_here(all->page).bytes > PAGE_BYTES) {
        page_back(all->page, place);
        all->left++;
    } else {
        all->shown++;
    }
    return TOT_OK;
}

// Adds the episode of the lowest seed that has stored one.
static tot_status add_cell(episodes *all, const study_report_summary *cell) {
    bool expected = false;
    bool done = false;
    for (size_t run = cell->first; !done && run < cell->first + cell->run_count; run++) {
        const tot_run_record *record = all->report->runs[run].record;
        char path[TRAIN_PATH];
        if (!compares(record)) {
            continue;
        }
        expected = true;
        if (study_run_has(record->folder, "episode.npz") &&
            train_path(path, record->folder, "episode.npz") == TOT_OK) {
            BASE_TRY(add_run(all, run, path, &done));
        }
    }
    all->none += expected && !done ? 1 : 0;
    return TOT_OK;
}

// --- the section -------------------------------------------------------------------------------

// The method of a run that does not compare episodes; "" if it does.
static const char *other_method(study_report *report, size_t run) {
    return compares(report->runs[run].record) ? "" : study_report_value(report, run, "method");
}

static tot_status add_notes(episodes *all) {
    study_report *report = all->report;
    const char *others = study_report_say_values(report, other_method, ", ");
    const char *words = "";
    if (others[0] != '\0') {
        words = study_report_text(
            report,
            "Methods that do not match episodes with demonstrations are not shown here: %s.\n",
            others);
    }
    if (all->none > 0) {
        words =
            study_report_text(report,
                              "%sFor %zu cell%s of the table no run has stored an episode that can "
                              "be shown: none has ended yet, or an older version trained it.\n",
                              words, all->none, all->none == 1 ? "" : "s");
    }
    if (all->left > 0) {
        words = study_report_text(report,
                                  "%sTo limit the size of the page, the episodes of %zu cell%s are "
                                  "shown only in the runs' own reports.\n",
                                  words, all->left, all->left == 1 ? "" : "s");
    }
    if (all->damaged[0] != '\0') {
        words = study_report_text(report, "%sCould not be read and are skipped:%s", words,
                                  all->damaged);
    }
    BASE_TRY(report->status);
    return words[0] != '\0' ? tot_page_add_paragraph(all->page, words) : TOT_OK;
}

static tot_status add_cells(episodes *all) {
    const study_report *report = all->report;
    BASE_TRY(
        tot_page_add_paragraph(all->page,
                               "The last episode that a run labelled during training, beside the "
                               "demonstration it was matched with. Pointing at a picture or at a "
                               "matrix shows which steps are matched, and the values there."));
    BASE_TRY(page_begin_box(all->page, PAGE_BOX_CHOICES, report->column_kind, report->row_kind));
    for (size_t k = 0; k < report->row_count * report->column_count; k++) {
        BASE_TRY(add_cell(all, &report->cells[k]));
    }
    return page_end_box(all->page);
}

tot_status study_report_add_episodes(study_report *report, tot_page *page, const char *path) {
    episodes all = {.report = report, .page = page, .path = path, .damaged = ""};
    BASE_TRY(tot_page_add_heading(page, 1, "Episodes"));
    const page_place place = page_here(page);
    BASE_TRY(add_cells(&all));
    if (all.shown == 0) {
        page_back(page, place);
    }
    return add_notes(&all);
}

// Queries Slurm about the runs of a sweep.
#include "base/base.h"
#include "study/cells.h"
#include "study/run_read.h"
#include "study/slurm.h"

// What a job's state in Slurm means for its run.
static const struct {
    const char *slurm;
    tot_cell_state state;
    const char *text;  // NULL: no problem
} meanings[] = {
    {"PENDING", TOT_CELL_QUEUED, NULL},
    {"CONFIGURING", TOT_CELL_QUEUED, NULL},
    {"REQUEUED", TOT_CELL_QUEUED, NULL},
    {"REQUEUE_HOLD", TOT_CELL_QUEUED, "Slurm holds it in its queue"},
    {"SPECIAL_EXIT", TOT_CELL_QUEUED, "Slurm holds it in its queue"},
    {"SUSPENDED", TOT_CELL_QUEUED, "Slurm suspended it"},
    {"RUNNING", TOT_CELL_GOING, NULL},
    {"COMPLETING", TOT_CELL_GOING, NULL},
    {"TIMEOUT", TOT_CELL_FAILED, "Slurm ended it: time limit reached"},
    {"DEADLINE", TOT_CELL_FAILED, "Slurm ended it: deadline reached"},
    {"OUT_OF_MEMORY", TOT_CELL_FAILED, "Slurm ended it: out of memory"},
    {"NODE_FAIL", TOT_CELL_FAILED, "Slurm lost its node"},
    {"BOOT_FAIL", TOT_CELL_FAILED, "Slurm could not start its node"},
    {"PREEMPTED", TOT_CELL_STOPPED, "Slurm preempted it for another job"},
    {"CANCELLED", TOT_CELL_STOPPED, "its job was cancelled"},
    {"FAILED", TOT_CELL_FAILED, "its job failed"},
};

static void apply(study_sweep_cell *cell, const char *state) {
    // for a run that has ended, its folder takes precedence
    if (cell->info.state == TOT_CELL_FINISHED || cell->info.state == TOT_CELL_LEFT_OUT) {
        return;
    }
    for (size_t k = 0; k < BASE_LENGTH(meanings); k++) {
        const size_t length = strlen(meanings[k].slurm);
        // "CANCELLED by 1000"
        if (strncmp(state, meanings[k].slurm, length) != 0 ||
            (state[length] != '\0' && state[length] != ' ' && state[length] != '+')) {
            continue;
        }
        const bool told = cell->info.state == TOT_CELL_FAILED && cell->problem[0] != '\0' &&
                          strcmp(meanings[k].slurm, "FAILED") == 0;
        cell->info.state = meanings[k].state;
        if (!told && meanings[k].text != NULL) {
            snprintf(cell->problem, sizeof cell->problem, "%s (job %s)", meanings[k].text,
                     cell->slurm);
        } else if (!told) {
            cell->problem[0] = '\0';
        }
        return;
    }
}

static void apply_to_job(tot_sweep *sweep, const char *job, const char *state, bool *known) {
    for (size_t k = 0; k < sweep->count; k++) {
        if (strcmp(sweep->cells[k]->slurm, job) == 0 && !known[k]) {
            known[k] = true;
            apply(sweep->cells[k], state);
        }
    }
}

// Lines of "12_3|STATE|...".
static void read_lines(tot_sweep *sweep, char *text, bool *known) {
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *job = strsep(&line, "|");
        char *state = line != NULL ? strsep(&line, "|") : NULL;
        if (state != NULL) {
            apply_to_job(sweep, job, state, known);
        }
    }
}

static tot_status listen(tot_sweep *sweep, char *const *words, bool *known, bool must) {
    char errors[256];
    char *text = NULL;
    int code = 0;
    BASE_TRY(study_program_run(words, &text, errors, sizeof errors, &code));
    if (code == 0 && text != NULL) {
        read_lines(sweep, text, known);
    }
    base_free(text);
    return code == 0 || !must
               ? TOT_OK
               : base_fail(TOT_E_FILE, "%s: %s", words[0],
                           errors[0] != '\0' ? errors : "it failed without a message");
}

// --- the jobs of a sweep -----------------------------------------------------------------------

// Reads which job each run has; the last line for a run counts. *count: number of runs with a job.
static tot_status read_jobs(tot_sweep *sweep, size_t *count) {
    char path[TRAIN_PATH];
    char line[TRAIN_PATH];
    *count = 0;
    BASE_TRY(train_path(path, sweep->folder, "slurm/jobs.csv"));
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *comma = strchr(line, ',');
        line[strcspn(line, "\n")] = '\0';
        for (size_t k = 0; comma != NULL && k < sweep->count; k++) {
            study_sweep_cell *cell = sweep->cells[k];
            if (strcmp(cell->folder, comma + 1) == 0) {
                *count += cell->slurm[0] == '\0';
                snprintf(cell->slurm, sizeof cell->slurm, "%.*s", (int)(comma - line), line);
            }
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return TOT_OK;
}

// The distinct array numbers, separated by commas.
static char *list_arrays(const tot_sweep *sweep) {
    char *list = base_alloc_zero(sweep->count * sizeof sweep->cells[0]->slurm + 1, 1, "jobs");
    size_t used = 0;
    for (size_t k = 0; list != NULL && k < sweep->count; k++) {
        const char *job = sweep->cells[k]->slurm;
        const size_t length = strcspn(job, "_");
        const bool again = k > 0 && strcspn(sweep->cells[k - 1]->slurm, "_") == length &&
                           strncmp(sweep->cells[k - 1]->slurm, job, length) == 0;
        if (length > 0 && !again) {
            used += (size_t)sprintf(list + used, "%s%.*s", used > 0 ? "," : "", (int)length, job);
        }
    }
    return list;
}

// squeue knows current and recent jobs; sacct, on clusters with accounting, all others.
static tot_status ask_slurm(tot_sweep *sweep) {
    bool *known = base_alloc_zero(sweep->count, sizeof *known, "jobs");
    char *arrays = list_arrays(sweep);
    tot_status status = known != NULL && arrays != NULL ? TOT_OK : TOT_E_MEMORY;
    if (status == TOT_OK) {
        char *queue[] = {"squeue", "--noheader",        "--array", "--states=all",
                         "--me",   "--format=%F_%K|%T", NULL};
        char *past[] = {"sacct", "-X", "-n", "-P", "-j", arrays, "-o", "JobID,State", NULL};
        status = listen(sweep, queue, known, true);
        if (status == TOT_OK && study_program_exists("sacct")) {
            status = listen(sweep, past, known, false);
        }
    }
    BASE_RELEASE(arrays, known);
    return status;
}

tot_status study_slurm_look(tot_sweep *sweep) {
    size_t count = 0;
    BASE_TRY(tot_sweep_look(sweep));
    BASE_TRY(read_jobs(sweep, &count));
    if (count == 0) {
        return TOT_OK;
    }
    BASE_FAIL_IF(!study_program_exists("squeue"), TOT_E_MISSING,
                 "Slurm is not installed on this machine (no squeue on the PATH): the states are "
                 "those of the run folders, not of its queue");
    return ask_slurm(sweep);
}

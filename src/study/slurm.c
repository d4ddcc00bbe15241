// Submits the runs of a sweep as job arrays.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/base.h"
#include "page/buffer.h"
#include "study/cells.h"
#include "study/run_read.h"
#include "study/slurm.h"

enum { USUAL_THREADS = 2, LARGEST_ARRAY = 1000, USUAL_MEGABYTES = 2500, ROUND_MEGABYTES = 500 };

// Resources of a job; runs with equal ones share an array.
typedef struct shape {
    int threads;
    int64_t megabytes;
} shape;

typedef struct submission {
    tot_sweep *sweep;
    const study_slurm_settings *settings;
    study_slurm_receipt *receipt;
    char folder[PATH_MAX];   // of the sweep, absolute
    char program[PATH_MAX];  // absolute
    char here[PATH_MAX];     // base of relative paths in settings
} submission;

// --- resources of a run ------------------------------------------------------------------------

static shape shape_of(const study_sweep_cell *cell, const study_slurm_settings *settings) {
    const tot_train_config *config = &cell->config;
    const int usual = settings->threads > 0 ? settings->threads : USUAL_THREADS;
    shape need = {.threads = usual, .megabytes = USUAL_MEGABYTES};
    // a run keeps the number of threads it was started with
    if (cell->threads > 0 && !settings->approximate) {
        need.threads = cell->threads;
    }
    if (config->obs == TOT_OBS_PIXELS) {
        const int64_t replay = config->capacity * config->pixels * config->pixels * 3 / 1000000;
        need.megabytes += replay < config->replay_megabytes ? replay : config->replay_megabytes;
    }
    need.megabytes = (need.megabytes + ROUND_MEGABYTES - 1) / ROUND_MEGABYTES * ROUND_MEGABYTES;
    return need;
}

// --- the script --------------------------------------------------------------------------------

// Words in a script may not contain blanks, quotes or other characters special to the shell. word
// may be NULL.
static tot_status check_word(const char *what, const char *word) {
    for (const char *letter = word; letter != NULL && *letter != '\0'; letter++) {
        BASE_FAIL_IF(!isalnum((unsigned char)*letter) && strchr("/._-+=:,@%", *letter) == NULL,
                     TOT_E_ARGUMENT, "%s: '%s' contains a character that a Slurm script cannot use",
                     what, word);
    }
    return TOT_OK;
}

static void add_head(page_buffer *out, const submission *all, shape need, size_t count,
                     int number) {
    const study_slurm_settings *settings = all->settings;
    const struct {
        const char *name, *value;
    } options[] = {{"partition", settings->partition},
                   {"time", settings->time},
                   {"account", settings->account}};
    page_buffer_add_format(out, "#!/bin/sh\n#SBATCH --job-name=temporalot\n#SBATCH --array=0-%zu\n",
                           count - 1);
    page_buffer_add_format(out,
                           "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%d\n#SBATCH --mem=%lldM\n",
                           need.threads, (long long)need.megabytes);
    for (size_t k = 0; k < BASE_LENGTH(options); k++) {
        if (options[k].value != NULL) {
            page_buffer_add_format(out, "#SBATCH --%s=%s\n", options[k].name, options[k].value);
        }
    }
    page_buffer_add_format(
        out,
        "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:USR1@60\n"
        "#SBATCH --chdir=%s\n#SBATCH --output=%s/slurm/array-%d-%%a.out\n",
        all->here, all->folder, number);
}

// A minute before its time limit a run writes a checkpoint and requeues itself. Slurm requeues the
// jobs that it preempts; the run then resumes from its last checkpoint. Both are bit-identical.
static void add_body(page_buffer *out, const submission *all, shape need, int number) {
    page_buffer_add_format(
        out,
        "folder=%s/$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" %s/slurm/array-%d.txt)\n"
        "again=no\n"
        "trap 'again=yes; kill -TERM \"$run\"' USR1\n"
        "trap 'kill -TERM \"$run\"' TERM\n"
        "echo \"--- Slurm job $SLURM_ARRAY_JOB_ID, run $SLURM_ARRAY_TASK_ID\" "
        ">>\"$folder/log.txt\"\n"
        "%s train --out \"$folder\" --threads %d %s >>\"$folder/log.txt\" 2>&1 &\n"
        "run=$!\n",
        all->folder, all->folder, number, all->program, need.threads,
        all->settings->approximate ? "--resume=approximate" : "--resume");
    page_buffer_add(out,
                    "# a signal ends the waiting, not the run\n"
                    "while kill -0 \"$run\" 2>/dev/null; do\n"
                    "    wait \"$run\"\n"
                    "    code=$?\n"
                    "done\n"
                    "if [ \"$code\" = 130 ]; then\n"
                    "    echo \"--- stopped\" >>\"$folder/log.txt\"\n"
                    "    if [ \"$again\" = yes ]; then\n"
                    "        scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
                    "    fi\n"
                    "fi\n"
                    "exit \"$code\"\n");
}

static tot_status name_file(char *path, const submission *all, int number, const char *end) {
    char name[64];
    snprintf(name, sizeof name, "slurm/array-%d.%s", number, end);
    return train_path(path, all->folder, name);
}

// --- submitting --------------------------------------------------------------------------------

// Records which job has which run, one per line, after those of earlier submissions.
static tot_status note_jobs(const submission *all, study_sweep_cell *const *cells, size_t count,
                            const char *job) {
    char path[TRAIN_PATH];
    BASE_TRY(train_path(path, all->folder, "slurm/jobs.csv"));
    FILE *file = fopen(path, "ae");
    BASE_FAIL_IF(file == NULL, TOT_E_FILE, "%s: cannot write: %s", path, strerror(errno));
    for (size_t k = 0; k < count; k++) {
        fprintf(file, "%s_%zu,%s\n", job, k, cells[k]->folder);
    }
    const bool bad = ferror(file) != 0;
    return fclose(file) == 0 && !bad
               ? TOT_OK
               : base_fail(TOT_E_FILE, "%s: cannot write: %s", path, strerror(errno));
}

static tot_status call_sbatch(char *script, char job[32]) {
    char errors[256];
    char *text = NULL;
    int code = 0;
    char *words[] = {"sbatch", "--parsable", script, NULL};
    BASE_TRY(study_program_run(words, &text, errors, sizeof errors, &code));
    // "12", or "12;cluster"
    const size_t length = text != NULL ? strspn(text, "0123456789") : 0;
    if (code == 0 && length > 0 && length < 32) {
        snprintf(job, 32, "%.*s", (int)length, text);
    }
    base_free(text);
    return code == 0 && length > 0 && length < 32
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT, "sbatch refused %s: %s", script,
                           errors[0] != '\0' ? errors : "it returned no job number");
}

// The next unused number of a script.
static int next_number(const submission *all) {
    int number = 1;
    char name[64];
    for (;; number++) {
        snprintf(name, sizeof name, "slurm/array-%d.sh", number);
        if (!study_run_has(all->folder, name)) {
            return number;
        }
    }
}

// Removes all traces of an array that Slurm rejected.
static void unmake_array(const submission *all, study_sweep_cell *const *cells, size_t count,
                         int number) {
    static const char *const ends[] = {"txt", "sh"};
    // in reverse, because the first ones created the folders that the others share
    for (size_t k = count; k > 0; k--) {
        study_cell_unmake(cells[k - 1]);
    }
    for (size_t k = 0; k < BASE_LENGTH(ends); k++) {
        char path[TRAIN_PATH];
        if (name_file(path, all, number, ends[k]) == TOT_OK) {
            unlink(path);
        }
    }
}

static tot_status offer_array(const submission *all, study_sweep_cell *const *cells, size_t count,
                              shape need, int number, char job[32]) {
    char path[TRAIN_PATH];
    page_buffer list = {0};
    page_buffer script = {0};
    for (size_t k = 0; k < count; k++) {
        BASE_TRY(study_cell_prepare(cells[k]));
    }
    BASE_TRY(name_file(path, all, number, "txt"));
    for (size_t k = 0; k < count; k++) {
        page_buffer_add_format(&list, "%s\n", cells[k]->folder);
    }
    BASE_TRY(page_buffer_save(&list, path));
    BASE_TRY(name_file(path, all, number, "sh"));
    add_head(&script, all, need, count, number);
    add_body(&script, all, need, number);
    BASE_TRY(page_buffer_save(&script, path));
    return call_sbatch(path, job);
}

static tot_status submit_array(const submission *all, study_sweep_cell *const *cells, size_t count,
                               shape need) {
    char job[32];
    study_slurm_receipt *receipt = all->receipt;
    const int number = next_number(all);
    const tot_status status = offer_array(all, cells, count, need, number, job);
    if (status != TOT_OK) {
        unmake_array(all, cells, count, number);
        return status;
    }
    BASE_TRY(note_jobs(all, cells, count, job));
    const size_t used = strlen(receipt->jobs);
    snprintf(receipt->jobs + used, sizeof receipt->jobs - used, "%s%s", used > 0 ? "," : "", job);
    receipt->arrays++;
    receipt->runs += count;
    for (size_t k = 0; k < count; k++) {
        cells[k]->info.state = TOT_CELL_QUEUED;
        cells[k]->problem[0] = '\0';
    }
    return TOT_OK;
}

static bool is_in_slurm(const study_sweep_cell *cell) {
    return cell->info.state == TOT_CELL_QUEUED || cell->info.state == TOT_CELL_GOING;
}

// Collects the first run still to submit, and all with the same resources.
static size_t gather(const submission *all, study_sweep_cell **cells, shape *need) {
    size_t count = 0;
    for (size_t k = 0; k < all->sweep->count && count < LARGEST_ARRAY; k++) {
        study_sweep_cell *cell = all->sweep->cells[k];
        if (is_in_slurm(cell) || cell->info.state == TOT_CELL_FINISHED ||
            cell->info.state == TOT_CELL_LEFT_OUT) {
            continue;
        }
        const shape other = shape_of(cell, all->settings);
        if (count == 0) {
            *need = other;
        }
        if (other.threads == need->threads && other.megabytes == need->megabytes) {
            cells[count++] = cell;
        }
    }
    return count;
}

static tot_status submit_all(const submission *all) {
    study_sweep_cell *cells[LARGEST_ARRAY];
    shape need = {0};
    for (size_t k = 0; k < all->sweep->count; k++) {
        all->receipt->waiting += is_in_slurm(all->sweep->cells[k]);
    }
    for (size_t count; (count = gather(all, cells, &need)) > 0;) {
        BASE_TRY(submit_array(all, cells, count, need));
    }
    return TOT_OK;
}

static tot_status find_paths(submission *all) {
    const study_slurm_settings *settings = all->settings;
    char folder[TRAIN_PATH];
    BASE_TRY(train_path(folder, all->sweep->folder, "slurm"));
    BASE_TRY(train_make_folder(folder));
    const char *program = settings->program != NULL ? settings->program : "/proc/self/exe";
    BASE_FAIL_IF(realpath(all->sweep->folder, all->folder) == NULL ||
                     realpath(program, all->program) == NULL ||
                     getcwd(all->here, sizeof all->here) == NULL,
                 TOT_E_FILE, "%s: %s", all->sweep->folder, strerror(errno));
    BASE_TRY(check_word("folder", all->folder));
    BASE_TRY(check_word("program", all->program));
    BASE_TRY(check_word("folder", all->here));
    BASE_TRY(check_word("partition", settings->partition));
    BASE_TRY(check_word("time", settings->time));
    return check_word("account", settings->account);
}

// Removes a sweep that was created by this call and of which Slurm accepted nothing.
static void unmake_sweep(const tot_sweep *sweep) {
    static const char *const made[] = {"slurm", "sweep.yaml"};
    for (size_t k = 0; k < BASE_LENGTH(made); k++) {
        char path[TRAIN_PATH];
        if (train_path(path, sweep->folder, made[k]) == TOT_OK) {
            remove(path);
        }
    }
    train_unmake_folder(sweep->folder, sweep->existing);
}

static tot_status submit(tot_sweep *sweep, const study_slurm_settings *settings,
                         study_slurm_receipt *receipt) {
    BASE_FAIL_IF(!study_program_exists("sbatch"), TOT_E_MISSING,
                 "Slurm is not installed on this machine (no sbatch on the PATH): submit from a "
                 "login node of the cluster");
    BASE_TRY(study_slurm_look(sweep));
    submission all = {.sweep = sweep, .settings = settings, .receipt = receipt};
    BASE_TRY(find_paths(&all));
    return submit_all(&all);
}

tot_status study_slurm_submit(tot_sweep *sweep, const study_slurm_settings *settings,
                              study_slurm_receipt *receipt) {
    *receipt = (study_slurm_receipt){0};
    const tot_status status = submit(sweep, settings, receipt);
    if (status != TOT_OK && receipt->arrays == 0 && sweep->made) {
        unmake_sweep(sweep);
    }
    return status;
}

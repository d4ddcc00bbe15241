#include "study/run_read.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/base.h"
#include "train/checkpoint.h"
#include "train/folder.h"

bool study_run_has(const char *folder, const char *name) {
    char path[TRAIN_PATH];
    struct stat about;
    return train_path(path, folder, name) == TOT_OK && stat(path, &about) == 0;
}

bool study_is_run_folder(const char *folder) {
    return study_run_has(folder, "config.yaml") || study_run_has(folder, "metrics.csv");
}

// --- metrics.csv -------------------------------------------------------------------------------

enum { STEP, SUCCESS_RATE, EVAL_RETURN, WALL_SECONDS, COLUMNS, NEEDED = EVAL_RETURN };

static const train_metric metrics[COLUMNS] = {TRAIN_METRIC_step, TRAIN_METRIC_success_rate,
                                              TRAIN_METRIC_eval_return, TRAIN_METRIC_wall_seconds};

// row: counted from 0; the line before row 0 is the header.
static tot_status take_row(study_run *run, const char *path, int64_t row,
                           const double cells[COLUMNS]) {
    tot_run_record *record = &run->record;
    const double step = cells[STEP];
    const double success = cells[SUCCESS_RATE];
    const long long line = (long long)row + 2;
    BASE_FAIL_IF(!(step >= 0 && step < 1e15 && step == floor(step)), TOT_E_FORMAT,
                 "%s: line %lld: its step is not a whole number", path, line);
    BASE_FAIL_IF((int64_t)step <= record->step && row > 0, TOT_E_FORMAT,
                 "%s: line %lld: step %.0f comes after step %lld", path, line, step,
                 (long long)record->step);
    record->step = (int64_t)step;
    record->wall_seconds = cells[WALL_SECONDS];
    if (isnan(success)) {
        return TOT_OK;
    }
    BASE_FAIL_IF(!(success >= 0 && success <= 1), TOT_E_FORMAT,
                 "%s: line %lld: success_rate %g is not in 0 .. 1", path, line, success);
    BASE_GROW(run->points, run->capacity, record->point_count, record->point_count + 1,
              "evaluations");
    record->points = run->points;
    run->points[record->point_count++] = (tot_run_point){
        .step = record->step, .success_rate = success, .episode_return = cells[EVAL_RETURN]};
    record->success_rate = success;
    return TOT_OK;
}

static tot_status read_metrics(study_run *run) {
    char path[TRAIN_PATH];
    double *values = NULL;
    int64_t rows = 0;
    BASE_TRY(train_path(path, run->folder, "metrics.csv"));
    BASE_TRY(train_record_load_some(run->folder, metrics, COLUMNS, NEEDED, &values, &rows));
    tot_status status = TOT_OK;
    for (int64_t k = 0; status == TOT_OK && k < rows; k++) {
        status = take_row(run, path, k, values + k * COLUMNS);
    }
    base_free(values);
    return status;
}

// --- the newest checkpoint ---------------------------------------------------------------------

static void take_text(char text[RUN_NAME], const cJSON *meta, const char *name) {
    snprintf(text, RUN_NAME, "%s", train_checkpoint_text(meta, name));
}

// An unreadable checkpoint provides no metadata; its error is reported when it is needed.
static tot_status read_checkpoint(study_run *run) {
    cJSON *meta = NULL;
    BASE_TRY(train_checkpoint_meta(&meta, run->folder));
    take_text(run->version, meta, "version");
    take_text(run->commit, meta, "commit");
    take_text(run->build, meta, "build");
    take_text(run->cpu, meta, "cpu");
    const cJSON *threads = cJSON_GetObjectItemCaseSensitive(meta, "threads");
    run->record.threads = cJSON_IsNumber(threads) ? threads->valueint : 0;
    cJSON_Delete(meta);
    return TOT_OK;
}

// --- the lock ----------------------------------------------------------------------------------

typedef enum held { HELD_NO, HELD_YES, HELD_PERHAPS } held;

// What /proc/locks says about a file. An inode number may belong to a file on another disk, and
// some file systems are listed under a device other than the one stat reports.
static held listed(const struct stat *about) {
    char line[256];
    held found = HELD_NO;
    FILE *locks = fopen("/proc/locks", "re");
    if (locks == NULL) {
        return HELD_PERHAPS;
    }
    // "1: FLOCK  ADVISORY  WRITE 8220 fe:00:10233265 0 EOF"
    while (found != HELD_YES && fgets(line, sizeof line, locks) != NULL) {
        char *number = strrchr(line, ':');
        if (strstr(line, " FLOCK ") == NULL || number == NULL || number - line < 6 ||
            strtoull(number + 1, NULL, 10) != (unsigned long long)about->st_ino) {
            continue;
        }
        char *disk = number;
        while (disk > line && disk[-1] != ' ') {
            disk--;
        }
        char *lower = NULL;
        const bool same = strtoul(disk, &lower, 16) == major(about->st_dev) &&
                          strtoul(lower + 1, NULL, 16) == minor(about->st_dev);
        found = same ? HELD_YES : HELD_PERHAPS;
    }
    fclose(locks);
    return found;
}

// Checks without taking the lock, not even for a moment, unless /proc/locks is inconclusive: a run
// that starts at this moment must not fail. On network file systems flock is a lock of the whole
// file, and is queried as such.
static bool is_held(const char *folder) {
    char path[TRAIN_PATH];
    struct stat about;
    if (train_path(path, folder, "lock") != TOT_OK || stat(path, &about) != 0) {
        return false;
    }
    const held here = listed(&about);
    const int file = here == HELD_YES ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return here == HELD_YES;
    }
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool taken = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (!taken && here == HELD_PERHAPS) {
        taken = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    }
    close(file);
    return taken;
}

// --- the whole ---------------------------------------------------------------------------------

static tot_status read_config(study_run *run) {
    tot_train_method method;
    BASE_ALLOC(run->config, 1, "settings");
    BASE_TRY(tot_train_config_of(run->config, run->folder));
    BASE_TRY(tot_train_method_find(&method, run->config->method));
    BASE_FAIL_IF(run->config->task[0] == '\0', TOT_E_FORMAT, "%s/config.yaml: names no task",
                 run->folder);
    run->record.config = run->config;
    run->record.steps = method.acts ? run->config->steps : run->config->clone_updates;
    return TOT_OK;
}

// Records what is wrong with a run; only a lack of memory is passed on.
static tot_status note_damage(study_run *run, tot_status status) {
    if (status == TOT_OK || status == TOT_E_MEMORY || run->problem != NULL) {
        return status == TOT_E_MEMORY ? status : TOT_OK;
    }
    run->problem = base_copy_text(tot_error());
    BASE_HAVE(run->problem);
    run->record.problem = run->problem;
    run->record.state = TOT_RUN_DAMAGED;
    return TOT_OK;
}

static tot_run_state state_of(const tot_run_record *record, bool begun) {
    if (is_held(record->folder)) {
        return TOT_RUN_GOING;
    }
    const bool whole = record->steps > 0 && record->step >= record->steps;
    const bool evaluated =
        record->point_count > 0 && record->points[record->point_count - 1].step == record->step;
    if (whole && evaluated) {
        return TOT_RUN_FINISHED;
    }
    return begun || record->point_count > 0 ? TOT_RUN_STOPPED : TOT_RUN_NEW;
}

tot_status study_run_read(study_run *run, const char *folder) {
    run->folder = base_copy_text(folder);
    BASE_HAVE(run->folder);
    run->record = (tot_run_record){.folder = run->folder,
                                   .problem = "",
                                   .success_rate = (double)NAN,
                                   .wall_seconds = (double)NAN,
                                   .version = run->version,
                                   .commit = run->commit,
                                   .build = run->build,
                                   .cpu = run->cpu};
    const bool begun = train_checkpoint_exists(folder);
    BASE_TRY(note_damage(run, read_config(run)));
    if (study_run_has(folder, "metrics.csv")) {
        BASE_TRY(note_damage(run, read_metrics(run)));
    } else if (begun) {
        BASE_TRY(note_damage(
            run, base_fail(TOT_E_FILE, "%s: has a checkpoint but no metrics.csv", folder)));
    }
    BASE_TRY(read_checkpoint(run));
    if (run->record.state != TOT_RUN_DAMAGED) {
        run->record.state = state_of(&run->record, begun);
    }
    return TOT_OK;
}

void study_run_free(study_run *run) {
    BASE_RELEASE(run->folder, run->problem, run->config, run->points);
}

// Trains the runs of a sweep, several at a time, each in its own process.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "study/cells.h"
#include "train/run.h"

enum { POLL_MILLISECONDS = 50 };

typedef struct field {
    tot_sweep *sweep;
    const tot_sweep_options *options;
    const char *program;
    int jobs;   // runs at a time
    int share;  // threads per run
    bool stopping;
    double looked;  // time of the last update
} field;

// --- one process -------------------------------------------------------------------------------

static void note(const study_sweep_cell *cell, const char *text) {
    char path[TRAIN_PATH];
    FILE *file = train_path(path, cell->path, "log.txt") == TOT_OK ? fopen(path, "ae") : NULL;
    if (file != NULL) {
        fprintf(file, "%s\n", text);
        fclose(file);
    }
}

// In the child: only async-signal-safe calls between fork and exec.
static void become(const char *program, char *const *words, int log, pid_t parent) {
    sigset_t none;
    // if this process dies, the run writes a checkpoint and stops
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(126);
    }
    // the parent's handlers would swallow a signal that arrives before the run installs its own
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
        dup2(log, STDERR_FILENO) < 0) {
        _exit(126);
    }
    execv(program, words);
    static const char text[] = "temporalot: the program cannot be started\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        _exit(126);
    }
    _exit(127);
}

static tot_status start(field *all, study_sweep_cell *cell) {
    char threads[16];
    char path[TRAIN_PATH];
    // a run keeps its number of threads: another one would not be bit-identical
    const bool kept = cell->threads > 0 && !all->options->approximate;
    snprintf(threads, sizeof threads, "%d", kept ? cell->threads : all->share);
    char *words[] = {"temporalot",
                     "train",
                     "--out",
                     cell->path,
                     "--threads",
                     threads,
                     all->options->approximate ? "--resume=approximate" : "--resume",
                     NULL};
    BASE_TRY(study_cell_prepare(cell));
    BASE_TRY(train_path(path, cell->path, "log.txt"));
    const int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    BASE_FAIL_IF(log < 0, TOT_E_FILE, "%s: cannot write: %s", path, strerror(errno));
    dprintf(log, "--- temporalot train --out %s --threads %s %s\n", cell->path, threads, words[6]);
    const pid_t parent = getpid();
    // block signals until the child has reset the handlers
    sigset_t stops, before;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, &before);
    const pid_t process = fork();
    if (process == 0) {
        become(all->program, words, log, parent);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(log);
    BASE_FAIL_IF(process < 0, TOT_E_FILE, "%s: cannot start a process: %s", cell->path,
                 strerror(errno));
    cell->process = process;
    cell->info.state = TOT_CELL_GOING;
    cell->problem[0] = '\0';
    return TOT_OK;
}

// Determines the outcome of a run whose process has ended.
static tot_status end(field *all, study_sweep_cell *cell, int how) {
    cell->process = 0;
    // killed by the signal before it could handle it: also counts as stopped
    const bool was_asked =
        WIFSIGNALED(how) && (WTERMSIG(how) == SIGINT || WTERMSIG(how) == SIGTERM);
    const int code = WIFEXITED(how) ? WEXITSTATUS(how) : was_asked ? 130 : -1;
    if (code == 130) {
        note(cell, "--- stopped");
    }
    if (code == -1) {
        train_status status;
        train_status_read(cell->path, &status);
        status.state = TRAIN_FAILED;
        snprintf(status.error, sizeof status.error, "killed by signal %d (%s)%s", WTERMSIG(how),
                 strsignal(WTERMSIG(how)), WTERMSIG(how) == SIGKILL ? "; out of memory?" : "");
        note(cell, status.error);
        BASE_TRY(train_status_write(cell->path, &status));
    }
    BASE_TRY(study_cell_look(cell));
    if (code == 1 && cell->info.state == TOT_CELL_GOING) {
        // another process is training it: wait for that one
        cell->tried = false;
        return TOT_OK;
    }
    if (code == 130) {
        cell->info.state = TOT_CELL_STOPPED;
        // Ctrl-C reaches the runs at the same time as this process
        const bool asked = all->stopping ||
                           (all->options->ask != NULL && all->options->ask(all->options->context));
        snprintf(cell->problem, sizeof cell->problem, "%s", asked ? "" : "stopped from outside");
    } else if (code != 0 || cell->info.state != TOT_CELL_FINISHED) {
        cell->info.state = TOT_CELL_FAILED;
        if (cell->problem[0] == '\0') {
            snprintf(cell->problem, sizeof cell->problem, "exited with code %d; see %s/log.txt",
                     code, cell->path);
        }
    }
    return TOT_OK;
}

// --- all runs ----------------------------------------------------------------------------------

static size_t going(const tot_sweep *sweep) {
    size_t count = 0;
    for (size_t k = 0; k < sweep->count; k++) {
        count += sweep->cells[k]->process != 0;
    }
    return count;
}

static bool wants_to_run(const study_sweep_cell *cell) {
    const tot_cell_state state = cell->info.state;
    return !cell->tried && cell->process == 0 && state != TOT_CELL_FINISHED &&
           state != TOT_CELL_LEFT_OUT;
}

// Starts as many runs as there is room for; *left: whether any remain.
static tot_status start_some(field *all, bool *left) {
    *left = false;
    for (size_t k = 0; k < all->sweep->count; k++) {
        study_sweep_cell *cell = all->sweep->cells[k];
        if (!wants_to_run(cell)) {
            continue;
        }
        *left = true;
        if (going(all->sweep) >= (size_t)all->jobs) {
            return TOT_OK;
        }
        // another process may have started or finished this run in the meantime
        if (train_seconds() - cell->looked < 1) {
            continue;
        }
        BASE_TRY(study_cell_look(cell));
        if (!wants_to_run(cell) || cell->info.state == TOT_CELL_GOING) {
            cell->looked = train_seconds();
            continue;
        }
        const tot_status status = start(all, cell);
        cell->tried = true;
        if (status == TOT_E_MEMORY) {
            return status;
        }
        if (status != TOT_OK) {
            cell->info.state = TOT_CELL_FAILED;
            snprintf(cell->problem, sizeof cell->problem, "%s", tot_error());
        }
    }
    return TOT_OK;
}

static tot_status end_some(field *all) {
    for (size_t k = 0; k < all->sweep->count; k++) {
        study_sweep_cell *cell = all->sweep->cells[k];
        int how = 0;
        if (cell->process != 0 && waitpid(cell->process, &how, WNOHANG) == cell->process) {
            BASE_TRY(end(all, cell, how));
            all->looked = 0;
        }
    }
    return TOT_OK;
}

static void tell(const field *all, int number) {
    for (size_t k = 0; k < all->sweep->count; k++) {
        if (all->sweep->cells[k]->process != 0) {
            kill(all->sweep->cells[k]->process, number);
        }
    }
}

static tot_status show(field *all) {
    if (train_seconds() - all->looked < 1) {
        return TOT_OK;
    }
    all->looked = train_seconds();
    for (size_t k = 0; k < all->sweep->count; k++) {
        study_sweep_cell *cell = all->sweep->cells[k];
        if (cell->process != 0) {
            BASE_TRY(study_cell_look(cell));
            // it may not hold its lock yet, or may be about to exit
            cell->info.state = TOT_CELL_GOING;
            cell->problem[0] = '\0';
        }
    }
    if (all->options->progress != NULL) {
        all->options->progress(all->options->context, all->sweep);
    }
    return TOT_OK;
}

static tot_status run_all(field *all) {
    const struct timespec pause = {.tv_nsec = POLL_MILLISECONDS * 1000000L};
    bool left = true;
    while (true) {
        if (!all->stopping && all->options->ask != NULL &&
            all->options->ask(all->options->context)) {
            all->stopping = true;
            tell(all, SIGTERM);
        }
        BASE_TRY(end_some(all));
        if (!all->stopping) {
            BASE_TRY(start_some(all, &left));
        }
        BASE_TRY(show(all));
        if (going(all->sweep) == 0 && (all->stopping || !left)) {
            return all->stopping
                       ? base_fail(TOT_E_INTERRUPTED, "%s: stopped; the same call again continues",
                                   all->sweep->folder)
                       : TOT_OK;
        }
        nanosleep(&pause, NULL);
    }
}

// Stops the runs that are still training, and waits for them.
static void give_up(field *all) {
    tell(all, SIGTERM);
    for (size_t k = 0; k < all->sweep->count; k++) {
        study_sweep_cell *cell = all->sweep->cells[k];
        if (cell->process != 0) {
            waitpid(cell->process, NULL, 0);
            cell->process = 0;
        }
    }
}

tot_status tot_sweep_run(tot_sweep *sweep, const tot_sweep_options *options) {
    BASE_NEED(sweep);
    static const tot_sweep_options usual = {0};
    BASE_FAIL_IF(sweep->folder == NULL, TOT_E_ARGUMENT,
                 "%s: tot_sweep_open comes before tot_sweep_run", sweep->name);
    options = options != NULL ? options : &usual;
    field all = {.sweep = sweep, .options = options, .jobs = options->jobs > 0 ? options->jobs : 1};
    const int threads =
        options->threads > 0 ? options->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    all.share = threads > all.jobs ? threads / all.jobs : 1;
    // /proc/self/exe: this very program, even if the file has been replaced since
    all.program = options->program != NULL ? options->program : "/proc/self/exe";
    BASE_FAIL_IF(access(all.program, X_OK) != 0, TOT_E_MISSING, "%s: not a program that can be run",
                 all.program);
    for (size_t k = 0; k < sweep->count; k++) {
        sweep->cells[k]->tried = false;
    }
    const tot_status status = run_all(&all);
    if (status != TOT_OK) {
        give_up(&all);
    }
    return status;
}

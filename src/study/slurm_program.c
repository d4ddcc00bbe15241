// Runs other programs and captures their output.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "study/slurm.h"
#include "train/folder.h"

bool study_program_exists(const char *name) {
    const char *list = getenv("PATH");
    while (list != NULL && *list != '\0') {
        char path[TRAIN_PATH];
        const size_t length = strcspn(list, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, list, name);
        if (length > 0 && access(path, X_OK) == 0) {
            return true;
        }
        list += length + (list[length] == ':' ? 1 : 0);
    }
    return false;
}

// Starts a program with these files as its two outputs, and waits for it.
static tot_status run(char *const *words, const int files[2], int *code) {
    posix_spawn_file_actions_t actions;
    pid_t process = 0;
    int how = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, files[0], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, files[1], STDERR_FILENO);
    const int failure = posix_spawnp(&process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    BASE_FAIL_IF(failure != 0, TOT_E_FILE, "%s: cannot start: %s", words[0], strerror(failure));
    while (waitpid(process, &how, 0) < 0) {
        BASE_FAIL_IF(errno != EINTR, TOT_E_FILE, "%s: cannot be waited for: %s", words[0],
                     strerror(errno));
    }
    *code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return TOT_OK;
}

static tot_status read_text(int file, char **text) {
    const off_t end = lseek(file, 0, SEEK_END);
    const size_t size = end > 0 ? (size_t)end : 0;
    BASE_ALLOC(*text, size + 1, "output");
    const ssize_t got = pread(file, *text, size, 0);
    (*text)[got > 0 ? got : 0] = '\0';
    return TOT_OK;
}

tot_status study_program_run(char *const *words, char **text, char *errors, size_t size,
                             int *code) {
    // files in memory: unlike a pipe, neither has to be read while the program writes to the other
    const int files[2] = {memfd_create("output", MFD_CLOEXEC), memfd_create("errors", MFD_CLOEXEC)};
    *text = NULL;
    tot_status status =
        files[0] >= 0 && files[1] >= 0
            ? run(words, files, code)
            : base_fail(TOT_E_FILE, "%s: cannot start: %s", words[0], strerror(errno));
    BASE_THEN(status, read_text(files[0], text));
    const ssize_t got = pread(files[1], errors, size - 1, 0);
    errors[got > 0 ? got : 0] = '\0';
    errors[strcspn(errors, "\n")] = '\0';
    close(files[0]);
    close(files[1]);
    return status;
}

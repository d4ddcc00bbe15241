// Runs other programs and captures their output.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

// An output stream of a program.
typedef struct stream {
    int file;
    char *text;
    size_t used, capacity;
} stream;

static tot_status hear(stream *one) {
    BASE_GROW(one->text, one->capacity, one->used, one->used + 4096, "output");
    const ssize_t got = read(one->file, one->text + one->used, 4095);
    if (got > 0) {
        one->used += (size_t)got;
    } else if (got == 0 || errno != EINTR) {
        close(one->file);
        one->file = -1;
    }
    one->text[one->used] = '\0';
    return TOT_OK;
}

static tot_status hear_all(stream streams[2]) {
    while (streams[0].file >= 0 || streams[1].file >= 0) {
        struct pollfd ready[2] = {{.fd = streams[0].file, .events = POLLIN},
                                  {.fd = streams[1].file, .events = POLLIN}};
        BASE_FAIL_IF(poll(ready, 2, -1) < 0 && errno != EINTR, TOT_E_FILE, "poll: %s",
                     strerror(errno));
        for (int k = 0; k < 2; k++) {
            if (streams[k].file >= 0 && ready[k].revents != 0) {
                BASE_TRY(hear(&streams[k]));
            }
        }
    }
    return TOT_OK;
}

static void become(char *const *words, int out, int error) {
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(error, STDERR_FILENO) >= 0) {
        execvp(words[0], words);
    }
    _exit(127);
}

static tot_status start(char *const *words, stream streams[2], pid_t *process) {
    int out[2];
    int error[2];
    BASE_FAIL_IF(pipe2(out, O_CLOEXEC) != 0, TOT_E_FILE, "%s: cannot start: %s", words[0],
                 strerror(errno));
    if (pipe2(error, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return base_fail(TOT_E_FILE, "%s: cannot start: %s", words[0], strerror(errno));
    }
    *process = fork();
    if (*process == 0) {
        become(words, out[1], error[1]);
    }
    close(out[1]);
    close(error[1]);
    streams[0].file = out[0];
    streams[1].file = error[0];
    return *process > 0 ? TOT_OK
                        : base_fail(TOT_E_FILE, "%s: cannot start: %s", words[0], strerror(errno));
}

tot_status study_program_run(char *const *words, char **text, char *errors, size_t size,
                             int *code) {
    stream streams[2] = {{.file = -1}, {.file = -1}};
    pid_t process = -1;
    int how = 0;
    *text = NULL;
    errors[0] = '\0';
    tot_status status = start(words, streams, &process);
    BASE_THEN(status, hear_all(streams));
    for (int k = 0; k < 2; k++) {
        if (streams[k].file >= 0) {
            close(streams[k].file);
        }
    }
    if (process > 0 && waitpid(process, &how, 0) == process) {
        *code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    }
    if (streams[1].text != NULL) {
        snprintf(errors, size, "%.*s", (int)strcspn(streams[1].text, "\n"), streams[1].text);
    }
    base_free(streams[1].text);
    if (status != TOT_OK) {
        base_free(streams[0].text);
        return status;
    }
    *text = streams[0].text;
    return TOT_OK;
}

#include "cli/python.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

extern char **environ;

enum { PATH_SIZE = 4096, FIXED = 3 };

// The folder of this program; empty if unknown.
static void find_folder(char folder[PATH_SIZE]) {
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

// If the program is in the build folder of a checkout, adds the checkout's package to PYTHONPATH.
static void offer_checkout(const char *folder) {
    char package[2 * PATH_SIZE];
    snprintf(package, sizeof package, "%s/../python/temporalot/__main__.py", folder);
    if (folder[0] == '\0' || access(package, R_OK) != 0) {
        return;
    }
    char path[3 * PATH_SIZE];
    const char *before = getenv("PYTHONPATH");
    const bool any = before != NULL && before[0] != '\0' && strlen(before) < PATH_SIZE;
    // last, so that the user's own entries take precedence
    snprintf(path, sizeof path, "%s%s%s/../python", any ? before : "", any ? ":" : "", folder);
    setenv("PYTHONPATH", path, 1);
}

static const char *find_interpreter(void) {
    const char *asked = getenv("TEMPORALOT_PYTHON");
    return asked != NULL && asked[0] != '\0' ? asked : "python3";
}

static int cannot_start(const char *interpreter, int error) {
    fprintf(stderr,
            "temporalot: %s: %s; this command needs Python 3.10 or newer with the package "
            "(TEMPORALOT_PYTHON names another interpreter)\n",
            interpreter, strerror(error));
    return EXIT_FAILED;
}

// Checks that the interpreter has the package; prints an error if not.
static int check_package(const char *interpreter) {
    char *const arguments[] = {
        (char *)interpreter, (char *)"-c",
        (char
             *)"import importlib.util as u, sys; sys.exit(3 * (u.find_spec('temporalot') is None))",
        NULL};
    pid_t child = 0;
    int status = 0;
    const int error = posix_spawnp(&child, interpreter, NULL, NULL, arguments, environ);
    if (error != 0) {
        return cannot_start(interpreter, error);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return cannot_start(interpreter, ENOENT);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        fprintf(stderr,
                "temporalot: %s has no package temporalot: pip install 'temporalot[lerobot]' (a "
                "wheel from `make wheel`), or name the interpreter that has it by "
                "TEMPORALOT_PYTHON\n",
                interpreter);
        return EXIT_FAILED;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_DONE : EXIT_FAILED;
}

int cli_python(char *const *arguments) {
    char folder[PATH_SIZE];
    size_t count = 0;
    while (arguments[count] != NULL) {
        count++;
    }
    char **all = base_alloc_zero(count + FIXED + 1, sizeof *all, "arguments");
    if (all == NULL) {
        return cli_fail();
    }
    find_folder(folder);
    offer_checkout(folder);
    const char *interpreter = find_interpreter();
    int code = check_package(interpreter);
    if (code == EXIT_DONE) {
        all[0] = (char *)interpreter;
        all[1] = (char *)"-m";
        all[2] = (char *)"temporalot";
        memcpy(all + FIXED, arguments, count * sizeof *all);
        fflush(stdout);
        execvp(interpreter, all);
        code = cannot_start(interpreter, errno);
    }
    base_free(all);
    return code;
}

#include "cli/output.h"

#include <sys/stat.h>

#include "file/atomic.h"

enum { OPENING = 4096, PATH_SIZE = 4096 };

// --- recognising our own files -----------------------------------------------------------------

// Whether a file contains the bytes of `mark` in its first or last part; *empty is set if the file
// is empty.
static bool has_mark(const char *path, const char *mark, bool *empty) {
    char part[OPENING];
    bool found = false;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    for (int end = 0; end < 2 && !found; end++) {
        if (end == 1 && fseek(file, -(long)sizeof part, SEEK_END) != 0) {
            break;
        }
        const size_t length = fread(part, 1, sizeof part, file);
        *empty = *empty || (end == 0 && length == 0);
        found = memmem(part, length, mark, strlen(mark)) != NULL;
    }
    fclose(file);
    return found;
}

// Recognises rewards, recordings and policies by the names of their arrays.
static bool is_our_archive(const char *path) {
    static const char *const pairs[][2] = {{"rewards", "marginal_error"},
                                           {"rewards_0", "marginal_error_0"},
                                           {"observations", "meta"},
                                           {"observations_0", "meta"},
                                           {"actor.policy.0.weight", "actor.policy.0.bias"}};
    tot_npz *npz = NULL;
    bool ours = false;
    if (tot_npz_open(&npz, path) != TOT_OK) {
        return false;
    }
    for (size_t k = 0; k < BASE_LENGTH(pairs); k++) {
        ours = ours || (tot_npz_has(npz, pairs[k][0]) && tot_npz_has(npz, pairs[k][1]));
    }
    tot_npz_close(npz);
    return ours;
}

bool cli_is_ours(const char *path) {
    static const struct {
        const char *ending, *mark;
    } kinds[] = {
        {".html", "content=\"temporalot "},
        {".svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width="},
        {".png", "temporalot"},
        {".mp4", "temporalot"},
        {".onnx", "temporalot"},
        {".csv", "task,method,seed"},
        {".tex", "% needs \\usepackage{booktabs}"},
    };
    bool empty = false;
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++) {
        if (base_ends_in(path, kinds[k].ending) && has_mark(path, kinds[k].mark, &empty)) {
            return true;
        }
    }
    return has_mark(path, "", &empty) && (empty || is_our_archive(path));
}

// --- the same file -----------------------------------------------------------------------------

// Finds the file that an argument refers to: FILE.npz for FILE.npz:NAME.
static bool find_file(const char *word, struct stat *found) {
    if (stat(word, found) == 0) {
        return true;
    }
    char path[PATH_SIZE];
    const char *colon = strstr(word, ".npz:");
    if (colon == NULL || (size_t)(colon - word) + 5 > sizeof path) {
        return false;
    }
    snprintf(path, sizeof path, "%.*s", (int)(colon - word) + 4, word);
    return stat(path, found) == 0;
}

static bool is_same(const struct stat *one, const struct stat *other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static void tidy_folder(const char *path) {
    char folder[PATH_SIZE] = ".";
    const char *slash = strrchr(path, '/');
    if (slash != NULL) {
        snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    }
    file_remove_leftovers(folder);
}

// --- the check ---------------------------------------------------------------------------------

static int check_one(cli_output *output, const tot_source_list *inputs, bool overwrite) {
    struct stat here, other;
    tidy_folder(output->path);
    if (stat(output->path, &here) != 0 || !S_ISREG(here.st_mode)) {
        return EXIT_DONE;  // nothing is lost; writing anything but a regular file fails later
    }
    for (size_t k = 0; inputs != NULL && k < inputs->count; k++) {
        const tot_label_source *source = &inputs->items[k];
        for (size_t view = 0; view <= source->other_count; view++) {
            const char *input = view == 0 ? source->path : source->others[view - 1].path;
            CLI_USAGE_IF(find_file(input, &other) && is_same(&here, &other),
                         "--%s %s is also an input (%s); choose another name", output->option,
                         output->path, input);
        }
    }
    CLI_USAGE_IF(!overwrite && !cli_is_ours(output->path),
                 "--%s %s already exists and was not written by temporalot; --overwrite replaces "
                 "it, or choose another name",
                 output->option, output->path);
    output->replaces = true;
    return EXIT_DONE;
}

int cli_outputs_check(cli_output *outputs, size_t count, const tot_source_list *inputs,
                      bool overwrite) {
    int code = EXIT_DONE;
    for (size_t k = 0; k < count && code == EXIT_DONE; k++) {
        if (outputs[k].path == NULL) {
            continue;
        }
        for (size_t i = 0; i < k && code == EXIT_DONE; i++) {
            if (outputs[i].path != NULL && strcmp(outputs[i].path, outputs[k].path) == 0) {
                code = cli_usage("--%s and --%s both name %s", outputs[i].option, outputs[k].option,
                                 outputs[k].path);
            }
        }
        CLI_THEN(code, check_one(&outputs[k], inputs, overwrite));
    }
    return code;
}

// --- reporting ---------------------------------------------------------------------------------

void cli_outputs_print(const cli_output *outputs, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (outputs[k].path != NULL) {
            printf("%s %s\n", outputs[k].replaces ? "replaced" : "wrote", outputs[k].path);
        }
    }
}

void cli_outputs_json(const cli_output *outputs, size_t count) {
    bool replaced = false;
    for (size_t k = 0; k < count; k++) {
        if (outputs[k].path != NULL) {
            printf(", \"%s", outputs[k].option);
            cli_json_put("\": ", outputs[k].path);
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (outputs[k].path != NULL && outputs[k].replaces) {
            cli_json_put(replaced ? ", " : ", \"replaced\": [", outputs[k].path);
            replaced = true;
        }
    }
    printf(replaced ? "]" : "");
}

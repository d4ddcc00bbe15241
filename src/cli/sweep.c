// temporalot sweep: trains a grid of runs.
#include "cli/cli.h"
#include "cli/sweeping.h"

enum { PATH_SIZE = 1200 };

typedef struct request {
    const char *out;
    cli_sweeping how;
    cli_texts files;
    cli_common common;
} request;

// runs/NAME for a file NAME.yaml.
static void name_folder(const char *file, char folder[PATH_SIZE]) {
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    snprintf(folder, PATH_SIZE, "runs/%.*s", (int)length, name);
}

static int sweep_all(tot_sweep *sweep, const request *args) {
    char folder[PATH_SIZE];
    if (args->out != NULL) {
        cli_sweeping_folder(folder, sizeof folder, args->out);
    } else {
        name_folder(args->files.items[0], folder);
    }
    if (args->how.dry_run || args->how.status) {
        return cli_sweeping_list(sweep, folder, &args->how, &args->common);
    }
    int code = cli_result(tot_sweep_open(sweep, folder));
    return CLI_THEN(code, cli_sweeping_run(sweep, &args->how, &args->common));
}

static int sweep_file(const request *args) {
    tot_sweep *sweep = NULL;
    CLI_USAGE_IF(args->files.count != 1, "sweep: %s; see temporalot sweep --help",
                 args->files.count == 0 ? "a grid file is needed" : "one grid file at a time");
    int code = cli_sweeping_check(&args->how);
    CLI_THEN(code, cli_result(tot_sweep_load(&sweep, args->files.items[0])));
    CLI_THEN(code, sweep_all(sweep, args));
    tot_sweep_free(sweep);
    return code;
}

static const char usage[] = "sweep FILE.yaml [--out FOLDER] [--jobs 2] [options]";
static const char about[] =
    "Trains every combination of the settings in a file, `name: value` or `name: [a, b]` per "
    "line,\n"
    "--jobs at a time with the cores divided among them. Finished runs are skipped and "
    "interrupted\n"
    "ones resumed; a run that fails is listed with its last error and does not stop the others.\n"
    "Every run has a folder FOLDER/TASK/METHOD[,name=value]/seed-N. Ctrl-C writes checkpoints.\n"
    "\n"
    "    task: [door-open, push]\n"
    "    method: [ot, temporalot]\n"
    "    seed: [0, 1, 2]\n"
    "    steps: 20000";

int cli_sweep(int argc, char **argv) {
    request args = {.how = {.jobs = 2}};
    const cli_option options[] = {
        {"out", CLI_TEXT, &args.out, "FOLDER",
         "output folder (default runs/NAME, where NAME.yaml is the file)"},
        CLI_SWEEPING_OPTIONS(args.how),
    };
    int code = cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &args.common,
                         &args.files);
    code = code == CLI_GO ? sweep_file(&args) : code;
    cli_texts_free(&args.files);
    return code;
}

// temporalot doctor: what was found and what is missing, with the command that installs it.
#include <limits.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/kernels.h"
#include "cli/cli.h"
#include "demo/meta.h"
#include "encoder/direct.h"
#include "nn/kernels.h"
#include "reward/product.h"
#include "reward/sinkhorn.h"

// The version of Meta-world that the tasks reimplement.
#define SCENES_VERSION "3.1.1"

typedef struct finding {
    const char *name;
    bool needed;
    void (*look)(struct finding *out);
    bool quiet;  // show no progress
    bool found;
    char version[64];  // "": unknown, or not versioned
    char detail[PATH_MAX + 256];
    char mend[256];  // command that fixes it; "": nothing to do
    bool told;       // the detail, an error of the library, already names a command
} finding;

// --- the machine -------------------------------------------------------------------------------

static void look_at_cpu(finding *out) {
    char name[128];
    struct utsname machine;
    base_cpu_name(name, sizeof name);
    if (name[0] == '\0' && uname(&machine) == 0) {
        snprintf(name, sizeof name, "%s", machine.machine);
    }
    out->found = true;
    snprintf(out->detail, sizeof out->detail, "%s, vector code: %s", name, tot_cpu_text(tot_cpu()));
}

// Which kernels are used on this CPU. The renderer has one for every kind of CPU, the others do
// not.
static void look_at_kernels(finding *out) {
    out->found = true;
    snprintf(out->detail, sizeof out->detail,
             "cost %s, plan %s, agent's networks %s, encoder %s, software renderer %s",
             reward_product_get()->kind, reward_sinkhorn_loops_get()->kind, nn_kernels_get()->kind,
             encoder_direct_wanted() ? "avx2" : "oneDNN", tot_cpu_text(tot_cpu()));
}

static void look_at_threads(finding *out) {
    out->found = true;
    snprintf(out->detail, sizeof out->detail, "%d: one per available CPU", tot_cpu_count());
}

// --- simulator and scenes ----------------------------------------------------------------------

// "scripts/deps", preceded by unsetting the variable that points elsewhere.
static void mend_with_deps(finding *out, const char *variable) {
    const char *value = getenv(variable);
    const bool is_set = value != NULL && value[0] != '\0';
    snprintf(out->mend, sizeof out->mend, "%s%s%sscripts/deps", is_set ? "unset " : "",
             is_set ? variable : "", is_set ? " && " : "");
}

// Where a library is, and its version.
static void look_for_library(finding *out, tot_status (*check)(const char **, const char **)) {
    const char *path = NULL;
    const char *version = NULL;
    out->found = check(&path, &version) == TOT_OK;
    snprintf(out->version, sizeof out->version, "%s", out->found ? version : "");
    snprintf(out->detail, sizeof out->detail, "%s", out->found ? path : tot_error());
    out->told = !out->found;
}

static void look_for_mujoco(finding *out) {
    look_for_library(out, tot_mujoco_check);
    if (!out->found) {
        mend_with_deps(out, "MUJOCO_DIR");
    }
}

static void look_for_scenes(finding *out) {
    const char *folder = NULL;
    if (tot_scenes_check(&folder) != TOT_OK) {
        snprintf(out->detail, sizeof out->detail, "%s", tot_error());
        mend_with_deps(out, "METAWORLD_DIR");
        out->told = true;
        return;
    }
    demo_scenes_version(folder, out->version, sizeof out->version);
    out->found = out->version[0] == '\0' || strcmp(out->version, SCENES_VERSION) == 0;
    snprintf(out->detail, sizeof out->detail, "%s%s", folder,
             out->found ? "" : ": not from Meta-world " SCENES_VERSION);
    if (!out->found) {
        mend_with_deps(out, "METAWORLD_DIR");
    }
}

// Loads every task, which detects damaged scenes and missing meshes.
static void look_at_tasks(finding *out) {
    enum { MOST_TASKS = 128 };
    size_t good = 0;
    char first[sizeof out->detail] = "";
    cli_progress progress;
    cli_progress_start(&progress, "doctor", (int64_t)tot_task_count(), out->quiet);
    // keep all of them loaded, so that a scene shared by several tasks is loaded once
    tot_task *tasks[MOST_TASKS] = {0};
    for (size_t k = 0; k < tot_task_count() && k < MOST_TASKS; k++) {
        if (tot_task_load(&tasks[k], tot_task_at(k)->name, NULL) == TOT_OK) {
            good++;
        } else if (first[0] == '\0') {
            snprintf(first, sizeof first, "; %s", tot_error());
        }
        cli_progress_show(&progress, (int64_t)k + 1);
    }
    for (size_t k = 0; k < MOST_TASKS; k++) {
        tot_task_free(tasks[k]);
    }
    cli_progress_end(&progress);
    out->found = good == tot_task_count();
    snprintf(out->detail, sizeof out->detail, "%zu of %zu load%s", good, tot_task_count(), first);
    if (!out->found) {
        const char *own = getenv("METAWORLD_DIR");
        snprintf(out->mend, sizeof out->mend, "%s",
                 own != NULL && own[0] != '\0' ? "unset METAWORLD_DIR && scripts/deps"
                                               : "rm -r third_party/metaworld && scripts/deps");
    }
}

// --- OpenGL ------------------------------------------------------------------------------------

static void look_for_opengl(finding *out) {
    const char *text = NULL;
    out->found = tot_gl_check(&text) == TOT_OK;
    snprintf(out->detail, sizeof out->detail, "%s", out->found ? text : tot_error());
    out->told = !out->found;
    snprintf(out->mend, sizeof out->mend, "%s",
             out->found ? "" : "apt-get install -y libegl1 libgl1-mesa-dri libosmesa6");
}

// --- OpenVINO, for ONNX networks ---------------------------------------------------------------

static void look_for_openvino(finding *out) {
    look_for_library(out, tot_openvino_check);
    snprintf(out->mend, sizeof out->mend, "%s", out->found ? "" : "scripts/deps --onnx");
}

// --- Python peers, for tests and benchmarks ----------------------------------------------------

static void look_for_peers(finding *out) {
    const char *asked = getenv("TEMPORALOT_PEERS");
    char python[PATH_MAX];
    const char *folder =
        asked != NULL && asked[0] != '\0' ? asked : TEMPORALOT_SOURCE_DIR "/build/peers";
    snprintf(python, sizeof python, "%s/bin/python", folder);
    out->found = access(python, X_OK) == 0;
    snprintf(out->detail, sizeof out->detail,
             out->found ? "%s" : "no %s; only tests and benchmarks use it", python);
    snprintf(out->mend, sizeof out->mend, "%s", out->found ? "" : "make peers");
}

// --- printing ----------------------------------------------------------------------------------

static const char *word_of(const finding *found) {
    return found->found ? "ok" : (found->needed ? "missing" : "optional");
}

static void print_text(const finding *found) {
    printf("%-8s %-8s ", word_of(found), found->name);
    if (found->version[0] != '\0') {
        printf("%s, ", found->version);
    }
    printf("%s", found->detail);
    if (found->mend[0] != '\0' && !found->told) {
        printf("; run: %s", found->mend);
    }
    printf("\n");
}

static void print_json_field(const char *name, const char *text) {
    printf(", \"%s\": ", name);
    if (text[0] != '\0') {
        cli_json_put("", text);
    } else {
        printf("null");
    }
}

static void print_json(const finding *found, size_t count, bool good) {
    printf("{\"ok\": %s, \"program\": \"%s\", \"checks\": [", good ? "true" : "false",
           tot_version());
    for (size_t k = 0; k < count; k++) {
        cli_json_put(k > 0 ? ", {\"name\": " : "{\"name\": ", found[k].name);
        printf(", \"status\": \"%s\", \"needed\": %s", word_of(&found[k]),
               found[k].needed ? "true" : "false");
        print_json_field("version", found[k].version);
        print_json_field("detail", found[k].detail);
        print_json_field("mend", found[k].mend);
        printf("}");
    }
    printf("]}\n");
}

// --- the command -------------------------------------------------------------------------------

static int examine(const cli_common *common) {
    finding found[] = {
        {.name = "CPU", .needed = true, .look = look_at_cpu},
        {.name = "kernels", .needed = true, .look = look_at_kernels},
        {.name = "threads", .needed = true, .look = look_at_threads},
        {.name = "MuJoCo", .needed = true, .look = look_for_mujoco},
        {.name = "scenes", .needed = true, .look = look_for_scenes},
        {.name = "tasks", .needed = true, .look = look_at_tasks},
        {.name = "OpenGL", .look = look_for_opengl},
        {.name = "OpenVINO", .look = look_for_openvino},
        {.name = "peers", .look = look_for_peers},
    };
    char missing[128] = "";
    for (size_t k = 0; k < BASE_LENGTH(found); k++) {
        found[k].quiet = common->quiet;
        if (found[k].look == look_at_tasks && missing[0] != '\0') {
            snprintf(found[k].detail, sizeof found[k].detail, "need MuJoCo and the scenes");
        } else {
            found[k].look(&found[k]);
        }
        if (found[k].needed && !found[k].found) {
            const size_t used = strlen(missing);
            snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "",
                     found[k].name);
        }
        if (!common->json && !common->quiet) {
            print_text(&found[k]);
        }
    }
    if (common->json) {
        print_json(found, BASE_LENGTH(found), missing[0] == '\0');
    }
    if (missing[0] != '\0') {
        fprintf(stderr, "temporalot: doctor: missing: %s\n", missing);
    }
    return missing[0] != '\0' ? EXIT_FAILED : EXIT_DONE;
}

static const char usage[] = "doctor [--json]";
static const char about[] =
    "Checks for everything the program needs, and gives the command that installs what is "
    "missing.\n"
    "Exits with 0 if everything required is present, otherwise with 1.";

int cli_doctor(int argc, char **argv) {
    cli_common common = {0};
    const int code = cli_parse(argc, argv, usage, about, NULL, 0, &common, NULL);
    return code == CLI_GO ? examine(&common) : code;
}

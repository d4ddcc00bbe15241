// temporalot dataset: rewards for robot datasets, computed by the Python package.
#include "cli/cli.h"
#include "cli/python.h"

static const char usage[] =
    "dataset label ROOT --demo-episodes 3,17 --camera KEY --out ROOT2\n"
    "       temporalot dataset report ROOT2 [--out report.html]";
static const char about[] =
    "Adds a reward and a progress value to every frame of a LeRobot (v3.0, v2.1) or Minari "
    "dataset,\n"
    "using a few of its good episodes as demonstrations. The source is never modified; an output "
    "is\n"
    "either complete or absent.\n"
    "This runs `python3 -m temporalot dataset`, which lists all options with\n"
    "temporalot dataset label --help. It needs the Python package: pip install\n"
    "'temporalot[lerobot]'. TEMPORALOT_PYTHON selects another interpreter.";

// The options of the Python parser, for the help, the man page and completion.
static int describe(int argc, char **argv) {
    const char *text = NULL;
    int64_t size = 0;
    cli_common common = {0};
    const cli_option options[] = {
        {"out", CLI_TEXT, &text, "ROOT2",
         "a new dataset with next.reward, and sarm_progress.parquet for RA-BC; or F.parquet with "
         "index, episode_index, frame_index, progress_sparse, reward; or F.npz with rewards_0, "
         "progress_0, ..."},
        {"demo-episodes", CLI_TEXT, &text, "3,17",
         "numbers of good episodes to use as demonstrations, or first-success"},
        {"demo", CLI_TEXT, &text, "FILE",
         "a demonstration: a video, an .npz, or ROOT3:17, episode 17 of another dataset"},
        {"camera", CLI_TEXT, &text, "KEY",
         "feature that holds the pictures, such as observation.images.front"},
        {"method", CLI_TEXT, &text, "REWARD",
         "reward, as in label; its settings are options here too (default temporalot)"},
        {"encoder", CLI_TEXT, &text, "ENCODER", "network, as in encode (default mobilenetv2)"},
        {"weights", CLI_TEXT, &text, "FILE", "its weights"},
        {"size", CLI_COUNT, &size, "N", "resize pictures to N x N pixels first (default 128)"},
        {"title", CLI_TEXT, &text, "TEXT", "title of the report"},
    };
    return cli_parse(argc, argv, usage, about, options, BASE_LENGTH(options), &common, NULL);
}

int cli_dataset(int argc, char **argv) {
    if (argc > 1 && argv[1][0] != '-') {
        return cli_python(argv);
    }
    const int code = describe(argc, argv);
    return code == CLI_GO
               ? cli_usage("dataset: label or report is needed; see temporalot dataset --help")
               : code;
}

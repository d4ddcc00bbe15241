// temporalot dataset: rewards for robots' datasets, by the Python package.
#include <string.h>

#include "cli/cli.h"
#include "cli/python.h"

static const char help[] =
    "usage: temporalot dataset label ROOT --demo-episodes 3,17 --camera KEY --out ROOT2\n"
    "       temporalot dataset report ROOT2 [--out report.html]\n"
    "\n"
    "Rewards and progress for every frame of a LeRobot dataset (v3.0, v2.1) or a Minari dataset,\n"
    "from a few good episodes of it. The source is only read; what is written is whole or absent:\n"
    "\n"
    "  --out ROOT2        a new dataset with next.reward, and sarm_progress.parquet for RA-BC\n"
    "  --out F.parquet    index, episode_index, frame_index, progress_sparse, reward\n"
    "  --out F.npz        rewards_0, progress_0, ...\n"
    "\n"
    "  --demo-episodes 3,17   or first-success: what is compared with\n"
    "  --demo FILE            a video, an .npz, or ROOT3:17, episode 17 of another dataset\n"
    "  --camera KEY           which pictures, as observation.images.front\n"
    "  --method, --mask, --context, ...   as in temporalot label\n"
    "  --encoder, --weights, --size       as in temporalot encode\n"
    "  --overwrite            replaces next.reward, or an output that is there\n"
    "\n"
    "This starts `python3 -m temporalot dataset`, which has a --help of its own with every "
    "option:\n"
    "temporalot dataset label --help. It needs the package: pip install 'temporalot[lerobot]'.\n"
    "TEMPORALOT_PYTHON names another interpreter.\n";

int cli_dataset(int argc, char **argv) {
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (argc < 2) {
        return cli_usage("dataset: label or report is needed; see temporalot dataset --help");
    }
    return cli_python(argv);
}

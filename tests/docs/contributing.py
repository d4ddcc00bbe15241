"""Adds a task, a reward, a command, a setting and an encoder to a copy of the source tree, as described in
CONTRIBUTING.md, builds the copy and checks that each of them works. Tests that go through the tables must
pass with one more row in each.

    contributing.py SOURCE_FOLDER THIRD_PARTY [FOLDER_OF_THE_COPY]

With the third argument, the copy is kept.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
THIRD_PARTY = pathlib.Path(sys.argv[2]).resolve()
LEFT_OUT = {"build", "third_party", ".git", "python", "docs/results"}  # not copied

# tests that go through a table and must not depend on its length
TESTS = ["base_name_test", "world_world_test", "world_family_test", "reward_errors_test", "encoder_weights_test",
         "train_settings_test", "train_settings_doc_test"]

REWARD = """// The mean cost of a step over the frames that it may be matched with.
#include "reward/methods.h"

tot_status reward_mean_distance(reward_pairing *pairing, const tot_reward_config *config) {
    (void)config;
    for (int64_t i = 0; i < pairing->shape.rows; i++) {
        const int64_t first = pairing->shape.first[i], last = pairing->shape.last[i];
        double sum = 0;
        for (int64_t j = first; j <= last; j++) {
            sum += reward_pairing_cost(pairing, i, j);
        }
        pairing->rewards[i] = -sum / (double)(last - first + 1);
    }
    return TOT_OK;
}
"""

COMMAND = """// temporalot greet: prints a word.
#include "cli/cli.h"

int cli_greet(int argc, char **argv) {
    const char *name = "world";
    const cli_option options[] = {{"name", CLI_TEXT, &name, "NAME", "who is greeted"}};
    cli_common common = {0};
    cli_texts words = {0};
    const int code = cli_parse(argc, argv, "greet [--name NAME]", "Greets.", options, 1, &common, &words);
    if (code == CLI_GO) {
        printf("hello, %s\\n", name);
    }
    cli_texts_free(&words);
    return code == CLI_GO ? EXIT_DONE : code;
}
"""


class Tree:
    """A copy that records which files were written for which purpose."""

    def __init__(self, root):
        self.root = root
        self.touched = {}

    def write(self, what, path, text):
        self.touched.setdefault(what, []).append(path)
        (self.root / path).write_text(text)

    def insert(self, what, path, before, text):
        """Inserts `text` before the first matching line."""
        old = (self.root / path).read_text()
        at = re.search(before, old, re.M)
        assert at, f"{path}: no line is {before}"
        self.write(what, path, old[:at.start()] + text + old[at.start():])


def add_all(tree):
    task = (tree.root / "src/world/tasks/door_open.c").read_text()
    task = task.replace("door_open", "gate_open").replace('"door-open"', '"gate-open"')
    tree.write("task", "src/world/tasks/gate_open.c", task)
    tree.insert("task", "src/world/tasks.h", r"^    X\(hammer\)", "    X(gate_open) \\\n")
    tree.write("reward", "src/reward/mean_distance.c", REWARD)
    tree.insert("reward", "src/reward/methods.h", r"^tot_status reward_orca",
                "tot_status reward_mean_distance(reward_pairing *pairing, const tot_reward_config *config);\n")
    tree.insert("reward", "src/reward/methods.c", r'^    \{"segment"',
                '    {"mean-distance", "mean distance to the demonstration", 1, TOT_MASK_NONE, REWARD_DISTANCE,\n'
                "     reward_mean_distance},\n")
    tree.write("command", "src/cli/greet.c", COMMAND)
    tree.insert("command", "src/cli/cli.h", r"^int cli_label", "int cli_greet(int argc, char **argv);\n")
    tree.insert("command", "src/cli/main.c", r'^    \{"label"', '    {"greet", "print a word", cli_greet, NULL},\n')
    for station in ("train", "agent", "reward"):
        tree.insert("setting", f"include/temporalot/{station}_parameters.def", r"^TOT_PARAMETER",
                    f'TOT_PARAMETER(real, extra_{station}, 0.5, 0, 1, result, "a number that nothing looks at")\n')
    tree.insert("encoder", "src/encoder/networks.c", r'^    \{\{"resnet34"',
                '    {{"resnet26", 2048, 32, "ResNet-26, of bottlenecks"}, &resnet, {2, 2, 2, 2}, true},\n')


def sections(text):
    """The sections "Add a task" and so on of CONTRIBUTING.md."""
    found = re.findall(r"^## Add an? (\w+).*?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return {name: body for name, body in found}


def check_described(tree):
    said = sections((SOURCE / "CONTRIBUTING.md").read_text())
    for what, paths in tree.touched.items():
        assert what in said, f"CONTRIBUTING.md does not say how to add a {what}"
        for path in paths:
            folder = str(pathlib.PurePath(path).parent)
            new = not (SOURCE / path).exists()
            named = folder + "/" in said[what] if new else path in said[what] or path.rsplit("/", 1)[1] in said[what]
            assert named, f"CONTRIBUTING.md, Add a {what}: does not name {path}"


def run(command, **more):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-6000:]}"
    return done.stdout


def build(root):
    """Builds only the program and the tests above, without optimisation."""
    folder = root / "build"
    environment = dict(os.environ, CCACHE_BASEDIR=str(root), CCACHE_NOHASHDIR="1")
    run(["cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O0",
         f"-DTEMPORALOT_THIRD_PARTY={THIRD_PARTY}"], env=environment)
    run(["cmake", "--build", folder, "--target", "temporalot", *TESTS], env=environment)
    return folder


def check(folder):
    program = folder / "temporalot"
    assert run([program, "greet", "--name", "you"]) == "hello, you\n"
    assert "greet" in run([program, "--help"]) and "greet" in run([program, "completion", "bash"])
    assert "mean-distance" in run([program, "label", "--help"])
    assert "resnet26" in run([program, "encode", "--help"])
    run([program, "rollout", "--task", "gate-open", "--policy", "random", "--steps", "3", "--out", folder / "gate.npz"])
    for station in ("train", "agent", "reward"):
        assert f"extra_{station}" in run([program, "train", "--help"]).replace("-", "_")
    # docs/settings.md is generated from the table
    run([folder / "tests/bin/train_settings_doc_test", "--write"])
    for name in TESTS:
        run([folder / "tests/bin" / name], env=dict(os.environ, TEMPORALOT_THIRD_PARTY=str(THIRD_PARTY)))


def left_out(folder, names):
    return {name for name in names if str((pathlib.Path(folder) / name).relative_to(SOURCE)) in LEFT_OUT}


def main(root):
    shutil.copytree(SOURCE, root, ignore=left_out, symlinks=True, dirs_exist_ok=True)
    tree = Tree(root)
    add_all(tree)
    check_described(tree)
    check(build(root))
    print(sum(map(len, tree.touched.values())), "files touched for", ", ".join(tree.touched))


if len(sys.argv) > 3:
    main(pathlib.Path(sys.argv[3]).resolve())
else:
    with tempfile.TemporaryDirectory() as made:
        main(pathlib.Path(made) / "tree")

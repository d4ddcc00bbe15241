"""The program at a terminal: help, short options, mistakes, completion, the manual, and lines that fit the window."""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
import unicodedata

import numpy as np

from workbench import check, main

COMMANDS = ["label", "demo collect", "dataset", "rollout", "render", "encode", "train", "eval", "policy export", "probe",
            "sweep", "reproduce", "report", "bench", "doctor", "completion", "manual"]
TINY = ["--cost-on", "state", "--steps", "60", "--horizon", "20", "--warmup", "10", "--update-after", "10", "--hidden",
        "16", "--batch", "8", "--eval-every", "20", "--eval-episodes", "2", "--video", "0", "--log-every", "10"]


def columns(text):
    """The width of a text on a terminal, in columns."""
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
               for letter in text)


def at_terminal(bench, width, *arguments, seconds=120, stop_at=None):
    """Output (both streams) on a terminal with this many columns; stop_at: press Ctrl-C once this has been written."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    process = subprocess.Popen([bench.program, *map(str, arguments)], cwd=bench.folder, stdin=theirs, stdout=theirs,
                               stderr=theirs, close_fds=True, env={**os.environ, "TERM": "xterm"},
                               preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
    os.close(theirs)
    said, begun = b"", time.monotonic()
    while time.monotonic() < begun + seconds:
        if stop_at is not None and stop_at in said:
            os.write(ours, b"\x03")
            stop_at = None
        if select.select([ours], [], [], 0.2)[0]:
            try:
                said += os.read(ours, 65536)
            except OSError:
                break
        elif process.poll() is not None:
            break
    process.wait(timeout=seconds)
    os.close(ours)
    return process.returncode, said.decode()


def lines_of(said):
    """The lines as drawn: a carriage return starts a line over."""
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", said)
    return [line for line in re.split(r"[\r\n]+", plain) if line]


def help_of(bench, *words):
    return bench.succeeds(*words, "--help")


def default_of(text, option):
    """The default of an option in a help text."""
    found = re.search(rf"^  (?:-\w, )?--{option}\b(.*?)(?=^  (?:-\w, )?--|^\S|\Z)", text, re.S | re.M)
    check(found is not None, f"--{option} is not in the help")
    shown = re.search(r"\(default ([^)]*)\)", " ".join(found.group(1).split()))
    return shown.group(1) if shown else None


# --- help --------------------------------------------------------------------------------------

def test_defaults_are_those_in_force(bench):
    for words, steps in ([], "30000"), (["--preset", "standard"], "60000"), (["--preset=paper"], "500000"):
        shown = default_of(help_of(bench, "train", *words), "steps")
        check(shown == steps, f"train {words}: --steps (default {shown}), not {steps}")
    (bench / "mine.yaml").write_text("steps: 1234\n")
    check(default_of(help_of(bench, "train", "--config", "mine.yaml"), "steps") == "1234", "a --config is not looked at")
    check(default_of(help_of(bench, "label"), "mask") == "band:10", "label --mask")
    check(default_of(help_of(bench, "label", "--method", "ot"), "mask") == "none", "label --method ot: --mask")


def test_choices_are_listed(bench):
    for command in ["label"], ["probe"], ["train"]:
        text = help_of(bench, *command)
        for option in "--cost cosine|euclidean", "--center off|demos", "--mask N|none|causal|dynamic:N":
            check(option in text, f"{command}: '{option}' is not in the help")


def test_every_setting_is_an_option(bench):
    text = help_of(bench, "train")
    table = open(os.path.join(os.path.dirname(__file__), "../../docs/settings.md")).read()
    names = re.findall(r"^\| `(\w+)` \|", table, re.M)
    check(len(names) > 80, f"{len(names)} settings in docs/settings.md")
    for name in names:
        check(f"--{name.replace('_', '-')} " in text, f"--{name} is not in train --help")


def test_help_fits(bench):
    for command in COMMANDS:
        for width in (60, 80, 132) if command in ("label", "train") else (60,):
            code, said = at_terminal(bench, width, *command.split(), "--help")
            check(code == 0, f"{command} --help: exit {code}")
            for line in lines_of(said):
                example = re.match(r"  +(temporalot|source) ", line)
                name_alone = re.match(r"  (-\w, )?--\S+ \S+$", line)
                check(len(line) < width or example or name_alone, f"{command} at {width}: {len(line)}: {line!r}")
    code, said = at_terminal(bench, 60, "--help")
    check(code == 0 and max(map(len, lines_of(said))) < 60, said)


def test_screens_in_the_docs(bench):
    """docs/terminal.md shows a help text exactly as it is printed at both widths."""
    shown = open(os.path.join(os.path.dirname(__file__), "../../docs/terminal.md")).read()
    for width in 80, 60:
        code, said = at_terminal(bench, width, "eval", "--help")
        screen = "".join(f"    {line}".rstrip() + "\n" for line in said.replace("\r", "").rstrip("\n").split("\n"))
        check(code == 0 and screen in shown, f"not in docs/terminal.md at {width}:\n{screen}")


def test_short_options(bench):
    np.save(bench / "a.npy", np.eye(8, dtype=np.float32))
    for command in COMMANDS:
        check(bench.succeeds(*command.split(), "-h") == help_of(bench, *command.split()), f"{command} -h")
        check(bench.succeeds(*command.split(), "-V").startswith("temporalot "), f"{command} -V")
    check(bench.succeeds("-V").startswith("temporalot "), "-V")
    check(bench.succeeds("help", "label") == help_of(bench, "label"), "help label")
    said = bench.succeeds("label", "-q", "-j", "1", "--demo", "a.npy", "--episode", "a.npy", "-o", "out.npz")
    check(said == "" and (bench / "out.npz").exists(), f"label -q -j -o: {said!r}")
    bench.succeeds("label", "-j2", "--demo", "a.npy", "--episode", "a.npy", "-oother.npz")
    check((bench / "other.npz").exists(), "-oFILE")
    bench.fails("label", "-x", names=["-x"], code=2)


def test_settings_are_options(bench):
    bench.run("train", "--task", "reach", "--method", "taskreward", "-o", "run", "-q", *TINY)
    config = (bench / "run/config.yaml").read_text()
    check("\nsteps: 60\n" in config and "\nupdate_after: 10\n" in config, config)
    bench.fails("train", "--task", "reach", "--steps", "many", names=["--steps", "many"], code=2)
    bench.fails("train", "--task", "reach", "--stpes", "3", names=["--stpes", "--steps"], code=2)


# --- mistakes ----------------------------------------------------------------------------------

def test_dash_is_no_file(bench):
    np.save(bench / "a.npy", np.eye(8, dtype=np.float32))
    for words in (["label", "--demo", "a.npy", "--episode", "a.npy"], ["encode", "--in", "a.npy"], ["render", "--task",
                  "reach"], ["rollout", "--task", "reach", "--policy", "zero"], ["demo", "collect", "--task", "reach"],
                  ["train", "--task", "reach"], ["policy", "export", "--run", "x"], ["sweep", "x.yaml"],
                  ["report", "x"], ["reproduce", "table1"]):
        bench.fails(*words, "--out", "-", names=["--out", "standard"], code=2)
    for option in (["--out=-"], ["-o", "-"], ["-o-"]):
        bench.fails("label", "--demo", "a.npy", "--episode", "a.npy", *option, names=["--out", "standard"], code=2)
    bench.fails("label", "--demo", "-", "--episode", "a.npy", names=["--demo", "standard"], code=2)


def test_no_threads(bench):
    for command in COMMANDS:
        bench.fails(*command.split(), "--threads", "0", names=["--threads"], code=2)
    for count in "-1", "1025", "two":
        bench.fails("label", "--threads", count, names=["--threads"], code=2)


def test_a_mistake_has_one_code(bench):
    """The same mistake gives the same exit code in every command: 2 for usage errors, 1 for what is missing."""
    np.save(bench / "a.npy", np.eye(8, dtype=np.float32))
    for command in COMMANDS:
        words = command.split()
        bench.fails(*words, "--nonsense", names=["--nonsense"], code=2)
        bench.fails(*words, "--threads", names=["--threads", "value"], code=2)
    needs = {"demo collect": [], "rollout": ["--policy", "zero"], "render": ["--out", "x.png"], "train": [], "probe": []}
    for command, rest in needs.items():
        bench.fails(*command.split(), *rest, "--task", "dor-open", names=["dor-open", "door-open"], code=2)
        bench.fails(*command.split(), *rest, "--task", "reach", "--seed", "x", names=["seed", "x"], code=2)
        bench.fails(*command.split(), *rest, names=["--task"], code=2)
    label = ["label", "--demo", "a.npy", "--episode", "a.npy"]
    for words in label, ["probe", "--task", "reach"], ["train", "--task", "reach"]:
        bench.fails(*words, "--method", "temporalto", names=["temporalto"], code=2)
        bench.fails(*words, "--cost", "manhattan", names=["manhattan"], code=2)
        bench.fails(*words, "--epsilon", "0", names=["epsilon"], code=2)
    for words in label, ["probe", "--task", "reach"], ["encode", "--in", "a.npy", "--out", "b.npy"]:
        bench.fails(*words, "--encoder", "resnet51", names=["resnet51"], code=2)
    for words in ["train", "--task", "reach"], ["reproduce", "table1"]:
        bench.fails(*words, "--preset", "quik", names=["quik"], code=2)
        bench.fails(*words, "--set", "stepps=1", names=["stepps"], code=2)
    for words in (["label", "--demo", "no.npy", "--episode", "a.npy"], ["encode", "--in", "no.mp4", "--out", "b.npy"],
                  ["eval", "--run", "no"], ["policy", "export", "--run", "no", "--out", "x.npz"], ["sweep", "no.yaml"],
                  ["report", "no", "--out", "r.html"], ["rollout", "--task", "reach", "--policy", "no.npy"],
                  ["train", "--task", "reach", "--config", "no.yaml"]):
        bench.fails(*words, names=["no"], code=1)


# --- completion and the manual -----------------------------------------------------------------

def options_of(bench, command):
    return set(re.findall(r"^  (?:-\w, )?--([\w-]+)", help_of(bench, *command.split()), re.M))


def complete(bench, *words):
    """What bash offers to complete the last word."""
    script = ("source <(\"$1\" completion bash); shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
              "_temporalot; printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", script, "bash", bench.program, "temporalot", *words], capture_output=True,
                          text=True, cwd=bench.folder)
    check(done.returncode == 0 and done.stderr == "", done.stderr)
    return done.stdout.split()


def test_bash_completes(bench):
    check(set(complete(bench, "la")) == {"label"}, complete(bench, "la"))
    check("--every" in complete(bench, "label", "--ev"), complete(bench, "label", "--ev"))
    costs = re.search(r"--cost (\S+)", help_of(bench, "label")).group(1).split("|")
    check(set(complete(bench, "label", "--cost", "")) == set(costs) >= {"cosine", "euclidean", "chord"}, "--cost")
    check("door-open" in complete(bench, "train", "--task", "door-"), "--task")
    check(set(complete(bench, "train", "--preset", "")) == {"quick", "standard", "pixels", "paper"}, "--preset")
    check(complete(bench, "demo", "") == ["collect"] or "collect" in complete(bench, "demo", ""), "demo collect")
    (bench / "some.npy").write_bytes(b"")
    check(complete(bench, "label", "--demo", "so") == ["some.npy"], "files")


def test_shells_read_their_scripts(bench):
    missing = []
    for shell in "bash", "zsh", "fish":
        script = bench.succeeds("completion", shell)
        for command in COMMANDS:
            for option in options_of(bench, command):
                check(option in script, f"{shell}: {command} --{option}")
        if shutil.which(shell) is None:
            missing.append(shell)
            continue
        (bench / shell).write_text(script)
        done = subprocess.run([shell, "-n", shell], cwd=bench.folder, capture_output=True, text=True)
        check(done.returncode == 0 and done.stderr == "", f"{shell}: {done.stderr}")
    bench.fails("completion", "tcsh", names=["tcsh"], code=2)
    return f"not here: {', '.join(missing)}" if missing else None


def test_manual(bench):
    page = bench.succeeds("manual")
    for command in COMMANDS:
        check(f".SS temporalot {command}" in page, command)
        for option in options_of(bench, command):
            name = option.replace("-", "\\-")
            check(f"\\-\\-{name}\\fR" in page, f"{command} --{option}")
    if shutil.which("groff") is None:
        return "no groff here"
    done = subprocess.run(["groff", "-man", "-Tutf8", "-wall"], input=page, capture_output=True, text=True)
    check(done.returncode == 0 and done.stderr == "", done.stderr[:500])


# --- line widths -------------------------------------------------------------------------------

def test_training_line(bench):
    # long enough that several lines are drawn on an idle machine
    for width in 60, 80:
        code, said = at_terminal(bench, width, "train", "--task", "reach", "--method", "taskreward", "-o",
                                 f"run-{width}", *TINY, "--steps", "6000", "--eval-every", "1200")
        check(code == 0, said)
        drawn = [line for line in lines_of(said) if re.search(r"\d+/\d+", line)]
        check(len(drawn) > 2, said)
        for line in drawn:
            check(columns(line) < width, f"{columns(line)} columns of {width}: {line!r}")
            check(line.startswith("training"), line)
        with_success = [line for line in drawn if "success" in line and "6000" in line]
        check(with_success and all(re.match(r"training: success \d+ % \[[#.]+\] \d+/6000, .* left", line)
                                   for line in with_success), with_success[:1])


def sweep_file(bench):
    bench.succeeds("demo", "collect", "--task", "reach", "--count", "1", "--out", "d.npz", "-q")
    (bench / "grid.yaml").write_text("task: [reach, button-press-topdown-wall]\nmethod: [taskreward]\nseed: [0, 1]\n"
                                     "encoder: [\"\", \"réseau-très-long-名前名前名前名前\"]\n")


def test_sweep_table(bench):
    sweep_file(bench)
    for width in 60, 80, 132:
        code, said = at_terminal(bench, width, "sweep", "grid.yaml", "--dry-run")
        check(code == 0, said)
        rows = [line for line in lines_of(said) if " seed " in line or line.startswith("run ")]
        check(len(rows) > 4, said)
        check(all(columns(row) < width for row in rows), f"{width}: {max(map(columns, rows))}")
        places = {columns(row[:re.search(r"waiting|state", row).start()]) for row in rows}
        check(len(places) == 1, f"the states stand in columns {places}:\n" + "\n".join(rows))


def test_ctrl_c_in_a_sweep(bench):
    """The runs are stopped, and none has failed, even if Ctrl-C comes before they handle signals."""
    (bench / "grid.yaml").write_text("task: reach\nmethod: taskreward\ncost_on: state\nseed: [0, 1]\nsteps: 1000000\n"
                                     "eval_episodes: 1\nvideo: 0\nlog_every: 1000\n")
    for text in b"going", b"1000/":
        code, said = at_terminal(bench, 80, "sweep", "grid.yaml", "--out", f"runs-{text[0]}", stop_at=text)
        check(code == 130 and "2 stopped" in said, f"exit {code}: {said}")
        check("failed" not in said and "signal" not in said, said)


def test_label_table(bench):
    names = ["a.npy", "épisode-ünï.npy", "エピソード.npy", "a-very-long-name-of-an-episode-that-goes-on-and-on-0001.npy"]
    for k, name in enumerate(names):
        np.save(bench / name, np.random.default_rng(k).normal(size=(20, 6)).astype(np.float32))
    for width in 60, 80:
        code, said = at_terminal(bench, width, "label", "--demo", "a.npy", "--episode", *names)
        rows = [line for line in lines_of(said) if ".npy" in line or line.startswith("episode ")]
        check(code == 0 and len(rows) == 5, said)
        check({columns(row) for row in rows} == {width - 1}, [columns(row) for row in rows])


def test_one_run(bench):
    """'1 run', not '1 runs'."""
    bench.run("train", "--task", "reach", "--method", "taskreward", "-o", "runs/one", "-q", *TINY)
    check("1 run:" in bench.succeeds("report", "runs", "--out", "r.html"), "report")
    (bench / "alone.yaml").write_text("task: reach\nmethod: taskreward\nsteps: 100\n")
    said = bench.succeeds("sweep", "alone.yaml", "--dry-run")
    check("1 run," in said, said)


if __name__ == "__main__":
    main(globals())

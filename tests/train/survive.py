#!/usr/bin/env python3
"""Runs that are killed at random moments and resumed end in the same bytes."""
import csv
import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from workbench import check, chosen, main  # noqa: E402

SMALL = ["--threads", "2", "--quiet", "--set", "eval_episodes=4", "video=0", "hidden=32", "batch=32", "warmup=100",
         "update_after=130", "capacity=600", "log_every=50", "checkpoint_every=37", "horizon=50", "whiten_episodes=4"]


def train(bench, out, *more, steps, every):
    return [bench.program, "train", "--task", "window-open", "--out", str(bench / out), *SMALL, f"steps={steps}",
            f"eval_every={every}", *more]


def finish(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)
    check(done.returncode == 0, f"{command}: exit {done.returncode}: {done.stderr.strip()}")
    return done


def rows(folder):
    """metrics.csv without the columns that contain times."""
    with open(folder / "metrics.csv", newline="") as file:
        table = list(csv.reader(file))
    kept = [k for k, name in enumerate(table[0]) if "wall" not in name and "per_second" not in name]
    return [[row[k] for k in kept] for row in table]


def newest(folder):
    return sorted((folder / "checkpoint").glob("at-*.npz"))[-1]


def entries(path):
    """The arrays of a checkpoint, without its description, which contains positions in the replay files."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "meta.npy"}


def same(bench, a, b):
    check(rows(bench / a) == rows(bench / b), f"metrics.csv of {a} and {b} differ")
    left, right = entries(newest(bench / a)), entries(newest(bench / b))
    check(newest(bench / a).name == newest(bench / b).name, "the last checkpoints stand elsewhere")
    check(left.keys() == right.keys(), f"other arrays: {left.keys() ^ right.keys()}")
    differing = [name for name in left if left[name] != right[name]]
    check(not differing, f"these differ after all: {differing}")


def kill_often(command, chance, longest):
    """Kills a run at random moments and resumes it, until it is finished. Returns the number of kills."""
    for count in range(1000):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            # increasing times: a run that is always killed during start-up would never finish
            said = process.communicate(timeout=chance.uniform(0.05, longest * (1 + count / 10)))[1]
            check(process.returncode == 0, f"after {count} kills: exit {process.returncode}: {said}")
            return count
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    check(False, "it never ends")


def survives(bench, kills, *more, steps, every):
    seed = random.randrange(1 << 30)
    chance, begun = random.Random(seed), time.perf_counter()
    finish(train(bench, "whole", *more, steps=steps, every=every))
    taken, killed, runs = time.perf_counter() - begun, 0, 0
    while killed < kills:
        command = train(bench, f"killed{runs}", *more, "--resume", steps=steps, every=every)
        killed += kill_often(command, chance, taken * 0.7)
        try:
            same(bench, "whole", f"killed{runs}")
        except Exception as why:
            raise type(why)(f"seed {seed}: {why}")
        runs += 1
    return f"{killed} kills of {runs} runs, {taken:.1f} s uninterrupted, seed {seed}"


def test_kills_on_states(bench):
    return survives(bench, 16, "cost_on=state", steps=700, every=300)


def test_kills_on_pictures(bench):
    return survives(bench, 4, "size=32", steps=200, every=100)


# all settings that the paper does not have
EVERYTHING = ["observation=shaped", "clock=on", "match=start", "layer_norm=on", "noise_correlation=0.3", "grip_noise=3",
              "grip_correlation=0.95", "best_share=0.3", "best_of=4", "end_value=zero",
              "weight_decay=0.1", "learning_rate_end=0.1", "grip_reflex=0.7", "grip_reach=0.5",
              "still_share=0.3", "whiten=random"]


def test_kills_with_everything(bench):
    return survives(bench, 4, "size=32", "view=fitted", *EVERYTHING, steps=200, every=100)


def test_kills_while_imitating(bench):
    """Behaviour cloning first and in the actor's loss: killed during both, the cloned actor is the same."""
    return survives(bench, 4, "cost_on=state", "method=temporalot-bc", "clone_updates=150", "clone_batch=16", *EVERYTHING,
                    steps=300, every=150)


def stop_with(command, number, folder):
    """Sends a signal once metrics.csv exists; returns exit code and error output of the run."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (folder / "metrics.csv").exists():
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(number)
    said = process.communicate(timeout=120)[1]
    return process.returncode, said


def test_signals(bench):
    """SIGTERM, SIGINT: checkpoint and exit (at once during start-up); SIGUSR1: checkpoint, and the run continues."""
    more = ["cost_on=state", "checkpoint_every=100000"]
    finish(train(bench, "whole", *more, steps=600, every=300))
    command = train(bench, "stopped", *more, "--resume", steps=600, every=300)
    for number in (signal.SIGTERM, signal.SIGINT):
        code, said = stop_with(command, number, bench / "stopped")
        check(code in (0, 130, -number), f"signal {number}: exit {code}: {said}")
        check(code != 130 or "stopped" in said, f"says {said!r}")
    finish(command)
    same(bench, "whole", "stopped")
    saved = train(bench, "saved", *more, steps=600, every=300)
    code, said = stop_with(saved, signal.SIGUSR1, bench / "saved")
    check(code == 0, f"SIGUSR1: exit {code}: {said}")
    same(bench, "whole", "saved")
    check(len(list((bench / "saved" / "checkpoint").glob("at-*.npz"))) == 2, "no checkpoint on SIGUSR1")


def begin(bench, out, *more):
    """Makes a run that was stopped half-way, with two checkpoints; returns the command that resumes it."""
    command = train(bench, out, "cost_on=state", *more, "--resume", steps=400, every=400)
    for attempt in range(50):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and len(list((bench / out / "checkpoint").glob("at-*.npz"))) < 2:
            time.sleep(0.005)
        process.kill()
        process.wait()
        if process.returncode != 0:
            return command
        subprocess.run(["rm", "-r", bench / out])
    check(False, "the run always ended before it could be stopped")


def test_damage(bench):
    """If a checkpoint is damaged, the previous one is used, with a warning, and the result is the same."""
    finish(train(bench, "whole", "cost_on=state", steps=400, every=400))
    for how in ("cut", "changed"):
        command = begin(bench, how)
        path = newest(bench / how)
        raw = bytearray(path.read_bytes())
        if how == "cut":
            raw = raw[:len(raw) // 2]
        else:
            raw[len(raw) // 2] ^= 1
        path.write_bytes(raw)
        said = finish(command).stderr
        check("warning" in said and path.name in said, f"{how}: says {said!r}")
        same(bench, "whole", how)


def refused(command, *words, code=1, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    check(done.returncode == code, f"{command}: exit {done.returncode}: {done.stderr}")
    check(done.stderr.count("\n") == 1, f"{command}: not one line: {done.stderr!r}")
    for word in words:
        check(word in done.stderr, f"{command}: {done.stderr.strip()!r} does not say {word!r}")
    return done.stderr


def test_links(bench):
    """A run folder with a file that is a link to the outside: refused by name, and nothing outside changes."""
    command = begin(bench, "begun")
    outside = bench / "outside"
    events = next((bench / "begun").glob("events.*")).name
    for number, name in enumerate(("metrics.csv", "status.json", "lock", events, "config.yaml", "episode.npz",
                                    "checkpoint")):
        for hard in ((False,) if name == "checkpoint" else (False, True)):
            run = bench / f"run{number}{hard}"
            shutil.copytree(bench / "begun", run)
            shutil.rmtree(outside, ignore_errors=True)
            outside.mkdir()
            shutil.move(run / name, outside / name)
            (os.link if hard else os.symlink)(outside / name, run / name)
            before = {str(path): path.read_bytes() for path in outside.rglob("*") if path.is_file()}
            words = [str(run) if word == str(bench / "begun") else word for word in command]
            words = [word if word != "--resume" else "--resume=approximate" for word in words]
            said = refused(words, "hard links" if hard else "link")
            check(f"{name}:" in said, f"{name}: says {said!r}")
            after = {str(path): path.read_bytes() for path in outside.rglob("*") if path.is_file()}
            check(before == after, f"{name}: something outside changed")


def test_leaves_nothing(bench):
    """A refused run leaves no new folder; an existing folder stays as it was."""
    finish([bench.program, "demo", "collect", "--task", "push", "--out", str(bench / "push.npz"), "--quiet"])
    demo = ["--demo", str(bench / "push.npz")]
    refused(train(bench, "runs/new/run", "cost_on=state", steps=20, every=20) + demo, "push.npz")
    check(not (bench / "runs").exists(), f"left: {list((bench / 'runs').rglob('*'))}")
    (bench / "empty").mkdir()
    refused(train(bench, "empty", "cost_on=state", steps=20, every=20) + demo, "push.npz")
    check(not list((bench / "empty").iterdir()), f"left: {list((bench / 'empty').iterdir())}")
    (bench / "own").mkdir()
    (bench / "own/notes.txt").write_text("mine")
    refused(train(bench, "own", "cost_on=state", steps=20, every=20) + demo, "push.npz")
    check((bench / "own/notes.txt").read_text() == "mine", "a file of the user's is gone")


def test_leftovers(bench):
    """Temporary files of a killed process are removed at the next start; those of a live process stay."""
    command = begin(bench, "run")
    gone = subprocess.Popen(["true"])
    gone.wait()
    folders = (".", "checkpoint", "checkpoint/replay")
    left = [bench / "run" / folder / f".temporalot-{gone.pid}-3.tmp" for folder in folders]
    mine = bench / "run" / f".temporalot-{os.getpid()}-3.tmp"
    for path in (*left, mine):
        path.write_bytes(b"half")
    finish(command)
    check(not [path for path in left if path.exists()], "temporary files of a process that is gone stay")
    check(mine.exists(), "a temporary file of a process that lives is gone")
    mine.unlink()
    stays = [path for path in (bench / "run").rglob(".temporalot-*")]
    check(not stays, f"left: {stays}")


def test_old_checkpoint_stays(bench):
    """An old checkpoint that cannot be removed causes a single warning; the run ends as it would without."""
    finish(train(bench, "whole", "cost_on=state", steps=400, every=400))
    command = begin(bench, "run")
    stuck = bench / "run/checkpoint/at-0000000001.npz"
    stuck.mkdir()  # unlink() fails on a folder, even for root
    said = finish(command).stderr
    check(said.count("cannot remove it") == 1 and stuck.name in said, f"says {said!r}")
    check("warning" in said, f"not a warning: {said!r}")
    check(stuck.exists(), "it is gone")
    same(bench, "whole", "run")


def test_refusals(bench):
    """A run that cannot be resumed bit for bit is refused, unless an approximate resume is requested."""
    command = begin(bench, "run")
    plain = [word for word in command if word != "--resume"]
    refused(plain, "holds a run", "resume it")
    other = [word if word != "2" else "1" for word in command]
    refused(other, "number of threads is 2, not 1", "approximate")
    refused(command + ["--set", "learning_rate=0.1"], "learning_rate", "0.1", "approximate")
    before = newest(bench / "run")
    holder = subprocess.Popen(command + ["--set", "checkpoint_every=1"], stderr=subprocess.DEVNULL)
    while holder.poll() is None and newest(bench / "run") == before:
        time.sleep(0.002)
    holder.send_signal(signal.SIGSTOP)
    check(holder.poll() is None, "the holder of the lock ended before it could be held")
    refused(command, "another process")
    holder.kill()
    holder.wait()
    approximate = [word if word != "--resume" else "--resume=approximate" for word in other]
    finish(approximate)
    again = finish(other + ["--json"])
    check('"step": 400' in again.stdout, f"a finished run: {again.stdout!r}")
    refused(command, "number of threads is 1, not 2", "approximate")


def rewrite(path, change):
    """Rewrites the archive with valid checksums: change(entries) returns the new entries."""
    with zipfile.ZipFile(path) as archive:
        kept = change({name: archive.read(name) for name in archive.namelist()})
    with zipfile.ZipFile(path, "w") as archive:
        for name, raw in kept.items():
            archive.writestr(name, raw)


def elements(raw):
    """Offset of an array's elements after its header."""
    return 10 + int.from_bytes(raw[8:10], "little")


def npy(descr, shape, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def describe(path, **changes):
    """Changes the description of a checkpoint. Returns the previous values."""
    was = {}

    def change(kept):
        was.update(json.loads(kept["meta.npy"][elements(kept["meta.npy"]):]))
        text = json.dumps({**was, **changes}).encode()
        return {**kept, "meta.npy": npy("|u1", f"({len(text)},)", text)}
    rewrite(path, change)
    return {name: was[name] for name in changes}


def test_hostile_numbers(bench):
    """Intact archives with impossible numbers: each is named, and the previous checkpoint is used."""
    finish(train(bench, "whole", "cost_on=state", steps=400, every=400))
    command = begin(bench, "begun")
    nan, longer = struct.pack("<f", float("nan")), bytes(4 * 4 * 10000)
    numbers = [(name, struct.pack("<q", value)) for name, value in
               (("state.rows", -1), ("state.rows", 1 << 39), ("state.step", -3), ("state.event_bytes", -1),
                ("state.event_bytes", 1 << 39), ("state.evaluations", (1 << 63) - 1), ("state.finished", 7),
                ("actor.adam.step", -1))]
    numbers += [("state.scale", struct.pack("<d", float("nan"))), ("actor.policy.0.bias", nan),
                ("world", b"\xff" * 8), ("episode.observations", nan)]

    def changed(name, head):
        def change(kept):
            raw = kept[f"{name}.npy"]
            at = elements(raw)
            return {**kept, f"{name}.npy": raw[:at] + head + raw[at + len(head):]}
        return change
    changes = [(name, changed(name, head)) for name, head in numbers]
    changes += [("state.rows", lambda kept: {**kept, "state.rows.npy": npy("<i8", "(1048576,)", bytes(8 << 20))}),
                ("episode.actions", lambda kept: {**kept, "episode.actions.npy": npy("<f4", "(10000, 4)", longer)})]
    for number, (name, change) in enumerate(changes):
        run = bench / f"run{number}"
        shutil.copytree(bench / "begun", run)
        path = newest(run)
        rewrite(path, change)
        said = finish([str(run) if word == str(bench / "begun") else word for word in command]).stderr
        about = {"world": "state:", "state.event_bytes": "", "state.rows": ""}.get(name, name)
        check("the previous checkpoint is used" in said and about in said, f"{name}: says {said!r}")
        same(bench, "whole", f"run{number}")
    return f"{len(changes)} changes"


def test_kinds(bench):
    """A checkpoint of another version, build, CPU, ...: refused by name and left unchanged; resumed on request."""
    finish(train(bench, "whole", "cost_on=state", steps=400, every=400))
    command = begin(bench, "begun")
    others = {"version": ("9.8.7", "version"), "build": ("0123abcd", "build"), "cpu": ("abacus, wooden", "CPU"),
              "threads": (3, "number of threads"),
              "demonstrations": ("0123456789abcdef", "fingerprint of the demonstrations")}
    for name, (value, called) in others.items():
        shutil.copytree(bench / "begun", bench / name)
        path = newest(bench / name)
        was = describe(path, **{name: value})[name]
        raw = path.read_bytes()
        again = [str(bench / name) if word == str(bench / "begun") else word for word in command]
        refused(again, path.name, f"its {called} is {value}, not {was}", "resume=approximate")
        check(newest(bench / name) == path and path.read_bytes() == raw, f"{name}: refused, and changed all the same")
        finish([word if word != "--resume" else "--resume=approximate" for word in again])
        # only the description was changed, so the result is the same
        same(bench, "whole", name)
        finish(again)  # from now on it is a run of this kind
    # a future format is not damage: it is neither guessed at nor skipped in favour of the previous checkpoint
    path = newest(bench / "begun")
    describe(path, format=2)
    left = sorted((bench / "begun/checkpoint").glob("at-*"))
    for resume in ("--resume", "--resume=approximate"):
        refused([word if word != "--resume" else resume for word in command], path.name, "format 2", "later version")
    refused([bench.program, "eval", "--run", str(bench / "begun"), "--episodes", "1"], path.name, "format 2")
    check(sorted((bench / "begun/checkpoint").glob("at-*")) == left, "refused, and put aside all the same")


def test_older_checkpoint(bench):
    """A checkpoint from before correlated noise and fitted views existed resumes as if they were off, as they are."""
    off = ["observation=raw", "clock=off", "view=camera", "match=best", "layer_norm=off", "grip_noise=1",
           "grip_correlation=0", "grip_reflex=0", "still_share=0", "best_share=0", "end_value=bootstrap",
           "noise_correlation=0", "weight_decay=0", "learning_rate_end=1"]
    finish(train(bench, "whole", "cost_on=state", *off, steps=400, every=400))
    command = begin(bench, "old", *off)
    added = ("state.noise_", "state.crop_", "state.reflex", "state.still_from")
    for path in (bench / "old/checkpoint").glob("at-*.npz"):
        with zipfile.ZipFile(path) as archive:
            kept = {name: archive.read(name) for name in archive.namelist()}
        check(any(name.startswith(added) for name in kept), "there is nothing to take away")
        with zipfile.ZipFile(path, "w") as archive:
            for name, raw in kept.items():
                if not name.startswith(added):
                    archive.writestr(name, raw)
    finish(command)
    same(bench, "whole", "old")
    # nor do its settings include the new ones
    config = bench / "old/config.yaml"
    new = ("observation", "clock", "view", "match", "layer_norm", "noise_correlation", "grip_", "still_share",
           "best_share", "best_of", "end_value", "weight_decay", "learning_rate_end")
    lines = config.read_text().splitlines(keepends=True)
    old = [line for line in lines if not line.startswith(new)]
    check(len(lines) - len(old) >= 9, f"only {len(lines) - len(old)} settings were taken away")
    told = [finish([bench.program, "eval", "--run", str(bench / "old"), "--episodes", "2", "--json"]).stdout]
    config.write_text("".join(old))
    told.append(finish([bench.program, "eval", "--run", str(bench / "old"), "--episodes", "2", "--json"]).stdout)
    check(told[0] == told[1], f"evaluated with and without the new settings: {told}")
    # settings that were removed since: ignored if they were off, with a warning if not
    for last, warned in (("baseline: off\ngrip_steps: 0\n", ()), ("saturation_weight: 0.5\n", ("saturation_weight",))):
        config.write_text("".join(lines) + last)
        done = finish([bench.program, "eval", "--run", str(bench / "old"), "--episodes", "2", "--json"])
        check(done.stdout == told[0], f"with {last!r}: {done.stdout}")
        check(all(name in done.stderr for name in warned) and bool(done.stderr) == bool(warned), f"says {done.stderr!r}")


def test_policy_with_other_settings(bench):
    """A policy is refused where the configuration beside it says that it sees something else than in training, even if
    the sizes agree, and where a resumed run would."""
    run = train(bench, "seen", "cost_on=state", "observation=relative", "clock=on", steps=100, every=50)
    finish(run)
    config = bench / "seen/config.yaml"
    trained = config.read_text()
    evaluate = [bench.program, "eval", "--run", str(bench / "seen"), "--episodes", "1"]
    for name, was, now in (("observation", "relative", "shaped"), ("clock", "on", "waves"), ("view", "fitted", "camera"),
                           ("action_repeat", "2", "3"), ("arm", "drawn", "hidden"), ("hand_margin", "0.2", "0.3"),
                           ("quality", "fast", "full")):
        check(f"\n{name}: {was}\n" in trained, f"{name} is not {was}: {trained}")
        config.write_text(trained.replace(f"\n{name}: {was}\n", f"\n{name}: {now}\n"))
        refused(evaluate, name, was, now)
        refused([bench.program, "policy", "export", "--run", str(bench / "seen"), "--out", str(bench / "p.npz")], name)
    config.write_text(trained)
    finish(evaluate)


def test_other_settings(bench):
    """Approximate resume: settings that do not fit leave the run unchanged; a finished run continues to more steps."""
    run = train(bench, "run", "cost_on=state", steps=100, every=50)
    finish(run)
    before = (bench / "run/config.yaml").read_text()
    done = subprocess.run([*run, "hidden=16", "steps=150", "--resume=approximate"], capture_output=True, text=True)
    check(done.returncode == 1 and "hidden: changes from 32 to 16" in done.stderr and "steps: changes from 100" in done.stderr, done.stderr)
    check((bench / "run/config.yaml").read_text() == before, "settings that were refused stay in config.yaml")
    finish([*run, "steps=150", "--resume=approximate"])
    steps = [row[0] for row in rows(bench / "run")[1:]]
    check(steps == ["0", "50", "100", "150"], f"rows of steps {steps}")
    again = finish([*run, "steps=150", "--resume", "--json"])
    check('"step": 150' in again.stdout, again.stdout)
    (bench / "grid").mkdir()
    (bench / "grid/sweep.yaml").write_text("task: push\n")
    refused(train(bench, "grid", steps=100, every=50), "grid", "a sweep folder")


def test_settings(bench):
    """Unknown names and invalid values: usage errors that suggest the closest."""
    run = [bench.program, "train", "--task", "window-open", "--out", str(bench / "x")]
    refused(run + ["--set", "stesp=3"], "stesp", "steps", code=2)
    refused(run + ["--set", "steps=0"], "steps", "0", code=2)
    refused(run + ["--method", "temporal"], "temporal", "did you mean", code=2)
    refused(run + ["--preset", "quik"], "quick", code=2)
    refused([bench.program, "train", "--task", "windw-open"], "window-open", code=2)
    (bench / "bad.yaml").write_text("# a comment\nsteps: 10\nlerning_rate: 1e-4\n")
    refused(run + ["--config", str(bench / "bad.yaml")], "bad.yaml", "line 3", "learning_rate")
    refused(run + ["--demo", str(bench / "none.npz")], "none.npz")
    check(not (bench / "x" / "checkpoint").exists(), "a refused run left a checkpoint")


def test_demonstrations(bench):
    """Demonstrations of another task are refused by name; a video cannot be cloned."""
    finish([bench.program, "demo", "collect", "--task", "push", "--out", str(bench / "push.npz"), "--quiet"])
    run = train(bench, "run", "cost_on=state", steps=20, every=20)
    refused(run + ["--demo", str(bench / "push.npz")], "push.npz", "task (push, not window-open)", "force accepts")
    done = finish(run + ["--demo", str(bench / "push.npz"), "--force"])
    check("task (push" in done.stderr, f"no warning: {done.stderr!r}")
    collect = [bench.program, "demo", "collect", "--task", "window-open", "--frames", "--size", "32", "--quiet"]
    finish(collect + ["--video", str(bench / "demo.mp4"), "--out", str(bench / "whole.npz")])
    finish(collect + ["--view", "fitted", "--view-margin", "0.1", "--out", str(bench / "own.npz")])
    film = ["--demo", str(bench / "demo.mp4")]
    refused(train(bench, "bc", "method=bc", steps=20, every=20) + film, "demo.mp4", "bc")
    refused(train(bench, "state", "cost_on=state", steps=20, every=20) + film, "demo.mp4", "cost_on state")
    finish(train(bench, "film", "size=32", "view=camera", steps=60, every=60) + film)
    # pictures from a file are the same as those the run would collect itself
    fitted = ["size=32", "view=fitted", "view_margin=0.1"]
    finish(train(bench, "file", *fitted, steps=60, every=60) + ["--demo", str(bench / "own.npz")])
    finish(train(bench, "collected", *fitted, steps=60, every=60))
    same(bench, "file", "collected")
    # also with two views, one of which follows the hand
    finish(collect + ["--view", "both", "--view-margin", "0.1", "--out", str(bench / "both.npz")])
    both = ["size=32", "view_margin=0.1"]
    finish(train(bench, "both-file", *both, "view=both", steps=60, every=60) + ["--demo", str(bench / "both.npz")])
    finish(train(bench, "both", *both, "camera=:fitted,:hand", steps=60, every=60))
    same(bench, "both-file", "both")
    # and with two cameras, one of which does not show the arm
    two = ":fitted,corner:hand:hidden"
    finish(collect + ["--camera", two, "--view-margin", "0.1", "--out", str(bench / "two.npz")])
    finish(train(bench, "two-file", *both, f"camera={two}", steps=60, every=60) + ["--demo", str(bench / "two.npz")])
    finish(train(bench, "two", *both, f"camera={two}", steps=60, every=60))
    same(bench, "two-file", "two")
    refused(train(bench, "arms", *both, "camera=:fitted,corner:hand", steps=20, every=20)
            + ["--demo", str(bench / "two.npz")], "two.npz", "renderer")
    refused(train(bench, "hand", "size=32", "view=hand", steps=20, every=20) + film, "demo.mp4", "set view to camera")
    refused(train(bench, "arm", "size=32", "arm=hidden", "view=camera", steps=20, every=20) + film, "demo.mp4", "set arm to drawn")


def test_full_disk(bench):
    """No space for a checkpoint: the run stops, the previous checkpoint is intact, and the result is the same."""
    finish(train(bench, "whole", "cost_on=state", steps=400, every=400))
    command = begin(bench, "full")
    path = newest(bench / "full")
    before, limit = path.read_bytes(), path.stat().st_size // 2

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    refused(command, "cannot write", preexec_fn=little_room, restore_signals=False)
    check(newest(bench / "full") == path and path.read_bytes() == before, "the checkpoint is not as it was")
    finish(command)
    same(bench, "whole", "full")


def test_read_only_folder(bench):
    folder = "/proc/temporalot"
    if os.geteuid() != 0:
        (bench / "closed").mkdir(mode=0o555)
        folder = str(bench / "closed" / "run")
    refused([bench.program, "train", "--task", "window-open", "--out", folder], folder, "cannot create the folder")


def test_nan(bench):
    """Losses that are not finite: the run stops with a message, and the last good checkpoint is kept."""
    command = train(bench, "bad", "cost_on=state", "scale=4e39", steps=400, every=400)
    refused(command, "stopped at step 1", "update", "critic")
    left = int(newest(bench / "bad").stem[3:])
    check(0 < left <= 130, f"the checkpoint left is of step {left}")


def test_gl(bench):
    """MuJoCo's renderer draws for training and (ADS) evaluation, the same on one thread and on two."""
    more = ["renderer=gl", "size=32", "eval_episodes=2", "warmup=30", "update_after=40", "horizon=30", "--method",
            "ads"]
    first = subprocess.run(train(bench, "one", *more, "--threads", "1", steps=60, every=30), text=True,
                           capture_output=True, timeout=300)
    if first.returncode != 0 and "OpenGL" in first.stderr:
        return "no OpenGL here"
    check(first.returncode == 0, first.stderr)
    finish(train(bench, "two", *more, "--threads", "2", steps=60, every=30))
    same(bench, "one", "two")
    finish([bench.program, "eval", "--run", str(bench / "two"), "--episodes", "1", "--video", str(bench / "eval.mp4")])
    refused(train(bench, "none", *more, steps=60, every=30), "MUJOCO_EGL_DEVICE_ID",
            env={**os.environ, "MUJOCO_GL": "egl", "MUJOCO_EGL_DEVICE_ID": "63"})


METHODS = ["taskreward", "bc", "gaifo", "ads", "temporalot-p", "temporalot-bc", "temporalot", "temporalot-no-mask",
           "temporalot-no-context", "dynamic", "ot", "orca", "dtw", "soft-dtw", "min-distance", "segment", "threshold"]


def test_methods(bench):
    """A short run of every method, with tiny pictures if it needs any; evaluated, recorded as video, exported."""
    tiny = ["--threads", "2", "--quiet", "--set", "eval_episodes=2", "video=0", "hidden=16", "batch=16", "warmup=20",
            "update_after=30", "log_every=20", "horizon=30", "clone_updates=20", "clone_batch=8", "steps=50",
            "eval_every=25", "whiten_episodes=4"]
    # with a sanitizer, one method per path through the loop; the rewards have their own tests
    methods = ("taskreward", "bc", "gaifo", "ads", "temporalot-p") if chosen.sanitized else METHODS
    kinds = [(method, "cost_on=state") for method in methods]
    kinds += [("temporalot", "size=32"), ("ads", "size=32"), ("temporalot", "obs=pixels", "size=32", "pixels=36"),
              ("bc", "obs=pixels", "pixels=36", "agent_view=hand"),
              ("gaifo", "obs=pixels", "pixels=36", "agent_view=fitted")]
    pictures = str(kinds.index(("temporalot", "obs=pixels", "size=32", "pixels=36")))
    for number, (method, *more) in enumerate(kinds):
        out = str(bench / str(number))
        finish([bench.program, "train", "--task", "window-open", "--method", method, "--out", out, *tiny, *more])
        table = rows(bench / str(number))
        check(table[-1][0] in ("50", "20") and table[-1][2] != "", f"{method}: ends with {table[-1]}")
        check((bench / str(number) / "report.html").stat().st_size > 10000, f"{method}: a report with nothing in it")
    refused([bench.program, "train", "--task", "window-open", "--method", "temporalot-bc", "--out", str(bench / "bc"),
             *tiny, "obs=pixels", "pixels=36", "cost_on=state"], "pixel encoder")
    finish([bench.program, "train", "--task", "window-open", "--out", str(bench / "v"), *tiny, "video=1", "size=32"])
    check(len(list((bench / "v" / "videos").glob("*.mp4"))) == 3, "not a video of every evaluation")
    for run in ("0", pictures):
        told = finish([bench.program, "eval", "--run", str(bench / run), "--episodes", "2", "--json"]).stdout
        found = json.loads(told)
        check(found["episodes"] == 2 and 0 <= found["success_rate"] <= found["solved_rate"] <= 1, told)
        check((found["return"] > 0) == (found["solved_rate"] > 0), told)
    for end in ("npz", "onnx"):
        finish([bench.program, "policy", "export", "--run", str(bench / "0"), "--out", str(bench / f"p.{end}")])
    finish([bench.program, "rollout", "--task", "window-open", "--policy", str(bench / "0"), "--out",
            str(bench / "t.npz")])
    return f"{len(kinds)} runs"


if __name__ == "__main__":
    main(globals())

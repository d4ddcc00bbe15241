#!/usr/bin/env python3
"""Sweeps and tables as a user starts them: run, killed, restarted, refused."""
import fcntl
import json
import os
import pty
import random
import signal
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "cli"))
sys.path.insert(0, os.path.join(here, "..", "train"))
from workbench import check, main  # noqa: E402
import survive  # noqa: E402

TINY = {"cost_on": "state", "steps": 400, "eval_every": 100, "eval_episodes": 4, "video": 0, "hidden": 32, "batch": 32,
        "warmup": 50, "update_after": 60, "horizon": 50, "log_every": 50, "checkpoint_every": 37,
        "demo_choose": 1}


def write_grid(bench, name="grid.yaml", **more):
    settings = {"task": "window-open", **TINY, **more}
    (bench / name).write_text("".join(f"{key}: {value}\n" for key, value in settings.items()))


def tiny_set(**more):
    return ["--set", *(f"{key}={value}" for key, value in {**TINY, **more}.items())]


def rows(text):
    return {one["run"]: one for one in map(json.loads, text.splitlines())}


def test_runs(bench):
    """All runs of a grid, with a copy of the grid and a log of every run; the second time, nothing is left to do."""
    write_grid(bench, method="[temporalot, taskreward]", seed="[0, 1]")
    done = bench.run("sweep", "grid.yaml", "--jobs", "2", "--json")
    check(done.returncode == 0 and done.stderr == "", f"exit {done.returncode}: {done.stderr}")
    told = rows(done.stdout)
    check(sorted(told) == ["window-open/taskreward/seed-0", "window-open/taskreward/seed-1",
                           "window-open/temporalot/seed-0", "window-open/temporalot/seed-1"], f"runs {sorted(told)}")
    for name, one in told.items():
        folder = bench / "runs/grid" / name
        check(one["state"] == "finished" and one["step"] == 400, f"{name}: {one}")
        check("train --out" in (folder / "log.txt").read_text(), f"{name}: no log")
        check((folder / "metrics.csv").exists(), f"{name}: no metrics")
    check((bench / "runs/grid/sweep.yaml").read_text() == (bench / "grid.yaml").read_text(), "no copy of the grid")
    logs = [(bench / "runs/grid" / name / "log.txt").read_text() for name in told]
    again = bench.run("sweep", "grid.yaml")
    check(again.returncode == 0 and again.stdout == "4 of 4 finished\n", f"{again.stdout!r} {again.stderr!r}")
    check(logs == [(bench / "runs/grid" / name / "log.txt").read_text() for name in told], "a finished run ran again")
    # a single run gives the same result
    config = bench / "runs/grid/window-open/temporalot/seed-1/config.yaml"
    survive.finish([bench.program, "train", "--task", "window-open", "--config", str(config), "--threads", "1", "--quiet",
                    "--out", str(bench / "alone")])
    if os.cpu_count() == 2:
        survive.same(bench, "alone", "runs/grid/window-open/temporalot/seed-1")


def begun(folder):
    return len(list(folder.glob("**/checkpoint/at-*.npz"))) >= 2


def start(bench, *words):
    return subprocess.Popen([bench.program, *words], cwd=bench.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def wait_until(test, process):
    while process.poll() is None and not test():
        time.sleep(0.005)


def test_killed_and_started_again(bench):
    """SIGTERM: checkpoints, exit 130. SIGKILL: the runs stop by themselves. The result is the same bytes."""
    write_grid(bench, method="[temporalot, ot]", steps=900, eval_every=300)
    whole = bench.run("sweep", "grid.yaml", "--out", "whole", "--threads", "2")
    check(whole.returncode == 0, whole.stderr)
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
        process = start(bench, "sweep", "grid.yaml", "--out", "cut", "--threads", "2")
        if number == signal.SIGTERM:
            wait_until(lambda: begun(bench / "cut"), process)
        else:
            time.sleep(0.4)
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
        check(process.returncode in ((130,) if number == signal.SIGTERM else (0, 130, -number)),
              f"signal {number}: exit {process.returncode}: {said}")
        if number == signal.SIGTERM:
            told = rows(bench.run("sweep", "grid.yaml", "--out", "cut", "--dry-run", "--json").stdout)
            check({one["state"] for one in told.values()} <= {"stopped", "finished", "waiting"}, f"{told}")
    done = bench.run("sweep", "grid.yaml", "--out", "cut", "--threads", "2", "--jobs", "1")
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    for method in ("temporalot", "ot"):
        survive.same(bench, f"whole/window-open/{method}/seed-0", f"cut/window-open/{method}/seed-0")


def test_run_of_another_process(bench):
    """The sweep waits for a run that another process is training, and then handles it."""
    write_grid(bench)
    folder = bench / "out/window-open/temporalot/seed-0"
    folder.mkdir(parents=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = start(bench, "sweep", "grid.yaml", "--out", "out")
        time.sleep(2)
        check(process.poll() is None, "it did not wait")
        shown = rows(bench.run("sweep", "grid.yaml", "--out", "out", "--dry-run", "--json").stdout)
        check([one["state"] for one in shown.values()] == ["going"], f"{shown}")
    said = process.communicate(timeout=120)
    check(process.returncode == 0 and "1 of 1 finished" in said[0], f"exit {process.returncode}: {said}")


def test_failures(bench):
    """A failed run is named with its last error; the others continue. Damage is named, and nothing is lost."""
    write_grid(bench, scale="[auto, 4e39]")
    done = bench.run("sweep", "grid.yaml", "--out", "out")
    check(done.returncode == 1, f"exit {done.returncode}: {done.stderr}")
    last = [line for line in done.stderr.splitlines() if line.startswith("temporalot: ")]
    check(len(last) == 1 and "scale=4e" in last[0] and "stopped at step" in last[0] and "critic" in last[0], f"{last}")
    check(done.stdout == "1 of 2 finished, 1 failed\n", done.stdout)
    told = rows(bench.run("sweep", "grid.yaml", "--out", "out", "--dry-run", "--json").stdout)
    bad = [one for one in told.values() if one["state"] == "failed"]
    check(len(bad) == 1 and "critic" in bad[0]["problem"], f"{told}")
    metrics = bench / "out/window-open/temporalot,scale=auto/seed-0/metrics.csv"
    text = metrics.read_text()
    metrics.write_text(text.replace("\n", "\nx,", 1))
    listed = bench.run("sweep", "grid.yaml", "--out", "out", "--dry-run").stdout
    check("metrics.csv: line 2" in listed, f"damage is not named: {listed}")
    # rows that the run itself does not read again: a finished run does not hide the damage
    metrics.write_text(text.replace("\n100,", "\n50,", 1))
    done = bench.run("sweep", "grid.yaml", "--out", "out", "--quiet")
    check(done.returncode == 1 and "step 50 comes after step 50" in done.stderr, done.stderr)


def test_refusals(bench):
    """An invalid grid or folder: one line of error, and nothing is written."""
    write_grid(bench, stesp=3)
    bench.fails("sweep", "grid.yaml", names=["grid.yaml", f"line {len(TINY) + 2}", "stesp", "steps"])
    write_grid(bench, seed="[]")
    bench.fails("sweep", "grid.yaml", names=["grid.yaml", "seed", "empty"])
    (bench / "empty.yaml").write_text("\n")
    bench.fails("sweep", "empty.yaml", names=["empty.yaml", "empty grid"])
    bench.fails("sweep", "none.yaml", names=["none.yaml"])
    bench.fails("sweep", names=["grid"], code=2)
    bench.fails("sweep", "a", "b", code=2)
    bench.fails("sweep", "grid.yaml", "--jobs", "0", names=["--jobs"], code=2)
    bench.fails("sweep", "grid.yaml", "--time", "4", names=["--slurm"], code=2)
    write_grid(bench)
    check(bench.run("sweep", "grid.yaml", "--out", "out").returncode == 0, "a plain sweep")
    write_grid(bench, "other.yaml", hidden=16)
    bench.fails("sweep", "other.yaml", "--out", "out", names=["out", "hidden is 32 there, but 16 in other.yaml"])
    (bench / "alone.yaml").write_text("seed: 1\n")
    bench.fails("sweep", "alone.yaml", names=["alone.yaml", "no task"])
    bench.fails("sweep", "grid.yaml", "--out", "", names=["empty"])
    bench.fails("reproduce", "rewards", "--out", "", names=["empty"])
    run = "out/window-open/temporalot/seed-0"
    bench.fails("sweep", "grid.yaml", "--out", run, names=[run, "a run folder"])
    bench.fails("reproduce", "components", "--out", "out", names=["out", "another sweep"])
    bench.fails("reproduce", names=["table or figure"], code=2)
    bench.fails("reproduce", "tabel1", names=["table1"], code=2)
    bench.fails("reproduce", "table1", "--seeds", "0", names=["--seeds"], code=2)
    bench.fails("reproduce", "table1", "--tasks", "puhs", names=["puhs"], code=2)
    bench.fails("reproduce", "table1", "--preset", "quik", names=["quik", "quick"], code=2)


def test_no_slurm(bench):
    """Without Slurm: a hint what to do. With jobs of another machine: the state found in the folders."""
    write_grid(bench)
    (bench / "bin").mkdir()
    plain = {"PATH": str(bench / "bin")}
    done = bench.run("sweep", "grid.yaml", "--out", "out", "--slurm", environment=plain)
    bench.one_line("--slurm", done, 1)
    check("Slurm is not installed on this machine" in done.stderr and "login node" in done.stderr, done.stderr)
    check(not (bench / "out").exists(), f"left: {list((bench / 'out').rglob('*'))}")
    done = bench.run("sweep", "grid.yaml", "--out", "out", "--status", environment=plain)
    check(done.returncode == 0 and done.stderr == "" and "waiting" in done.stdout, f"{done.stdout} {done.stderr}")
    (bench / "out/slurm").mkdir(parents=True)
    (bench / "out/slurm/jobs.csv").write_text("7_0,window-open/temporalot/seed-0\n")
    done = bench.run("sweep", "grid.yaml", "--out", "out", "--status", environment=plain)
    check(done.returncode == 0 and "squeue" in done.stderr and "waiting" in done.stdout, f"{done.stdout} {done.stderr}")


def test_refused_by_slurm(bench):
    """If Slurm rejects everything, no new folders remain, so that no report counts them; existing ones stay."""
    write_grid(bench, seed="[0, 1, 2]")
    (bench / "bin").mkdir()
    (bench / "bin/sbatch").write_text("#!/bin/sh\necho no such partition >&2\nexit 1\n")
    (bench / "bin/sbatch").chmod(0o755)
    here = {"PATH": f"{bench / 'bin'}:/usr/bin:/bin"}
    bench.fails("sweep", "grid.yaml", "--out", "runs/out", "--slurm", environment=here, names=["no such partition"])
    check(not (bench / "runs").exists(), "folders stay")
    cell = bench / "runs/out/window-open/temporalot/seed-1"
    cell.mkdir(parents=True)
    (cell / "notes.txt").write_text("mine")
    bench.fails("sweep", "grid.yaml", "--out", "runs/out", "--slurm", environment=here, names=["no such partition"])


def test_what_slurm_says(bench):
    """Every state of a job, as reported by fake squeue and sacct programs."""
    kinds = {"PENDING": "queued", "RUNNING": "going", "COMPLETING": "going", "TIMEOUT": "failed",
             "OUT_OF_MEMORY": "failed", "NODE_FAIL": "failed", "CANCELLED by 1000": "stopped", "PREEMPTED": "stopped",
             "REQUEUED": "queued", "FAILED": "failed", "COMPLETED": "waiting", "SOMETHING_NEW": "waiting"}
    write_grid(bench, seed=f"[{', '.join(str(k) for k in range(len(kinds)))}]")
    (bench / "out/slurm").mkdir(parents=True)
    (bench / "bin").mkdir()
    jobs, queue, past = "", "", ""
    for number, kind in enumerate(kinds):
        jobs += f"3_{number},window-open/temporalot/seed-{number}\n7_{number},window-open/temporalot/seed-{number}\n"
        queue += f"3_{number}|RUNNING\n" + (f"7_{number}|{kind}\n" if number % 2 == 0 else "")
        past += f"7_{number}|{kind}\n" if number % 2 == 1 else ""
    (bench / "out/slurm/jobs.csv").write_text(jobs)
    for name, text in (("squeue", queue), ("sacct", past)):
        (bench / "bin" / name).write_text(f"#!/bin/sh\ncat <<'END'\n{text}END\n")
        (bench / "bin" / name).chmod(0o755)
    path = {"PATH": f"{bench / 'bin'}:{os.environ['PATH']}"}
    done = bench.run("sweep", "grid.yaml", "--out", "out", "--status", "--json", environment=path)
    check(done.returncode == 0, done.stderr)
    told = rows(done.stdout)
    for number, (kind, state) in enumerate(kinds.items()):
        one = told[f"window-open/temporalot/seed-{number}"]
        check(one["state"] == state, f"{kind}: {one}")
        words = {"TIMEOUT": "time limit reached", "OUT_OF_MEMORY": "out of memory", "CANCELLED by 1000": "cancelled"}
        check(words.get(kind, "") in one["problem"], f"{kind}: {one}")
    (bench / "bin/squeue").write_text("#!/bin/sh\necho squeue: error: no controller >&2\nexit 1\n")
    done = bench.run("sweep", "grid.yaml", "--out", "out", "--status", environment=path)
    bench.one_line("--status", done, 1)
    check("no controller" in done.stderr, done.stderr)


def test_tables_from_nothing(bench):
    """Runs, page, CSV and LaTeX of a table; the next table shares its runs; the list needs no runs."""
    options = ["--seeds", "1", "--tasks", "window-open", "--out", "out", *tiny_set(clone_updates=100)]
    listed = bench.run("reproduce", "table1", "--dry-run", *options)
    check("0 of 7 finished, 7 waiting" in listed.stdout, listed.stdout)
    check(all(len(line) < 80 for line in listed.stdout.splitlines()[:8]), f"wider than 80: {listed.stdout}")
    check(not (bench / "out").exists(), "the list left something behind")
    done = bench.run("reproduce", "table1", *options)
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    for end, words in (("html", "temporalot"), ("csv", "task,method,seed"), ("tex", "tabular")):
        check(words in (bench / f"out/table1.{end}").read_text(), f"table1.{end}: no {words}")
    listed = bench.run("reproduce", "components", "--dry-run", *options).stdout
    check("1 of 3 finished, 2 waiting" in listed and "at the current pace" in listed, listed)
    listed = bench.run("reproduce", "all", "--dry-run", "--json", *options).stdout
    check(sum(one["state"] == "finished" for one in rows(listed).values()) == 7, listed)
    page = (bench / "out/table1.html").read_bytes()
    check(bench.run("reproduce", "table1", *options).returncode == 0, "again")
    check((bench / "out/table1.html").read_bytes() == page, "the same runs give another page")
    done = bench.run("reproduce", "bad-cases", *options)
    check(done.returncode == 0 and "<img" in (bench / "out/bad-cases.html").read_text(), done.stderr)


def test_studies(bench):
    """The paper's numbers are shown next to ours; a study that is killed at random and restarted ends the same."""
    options = ["--seeds", "1", "--tasks", "door-open", "--quiet", *tiny_set(steps=200, clone_updates=50)]
    for what, numbers in (("speed", ("78.4", "76.2", "49.4", "20.4")), ("pretrain", ("10.8", "82.0"))):
        done = bench.run("reproduce", what, "--out", "whole", *options)
        check(done.returncode == 0 and done.stderr == "", f"{what}: exit {done.returncode}: {done.stderr}")
        page = (bench / f"whole/{what}.html").read_text()
        missing = [number for number in numbers if number not in page]
        check(not missing, f"{what}: without the paper's {missing}")
    seed = random.randrange(1 << 30)
    chance, kills = random.Random(seed), 0
    while kills < 50:
        process = start(bench, "reproduce", "speed", "--out", "killed", *options)
        try:
            said = process.communicate(timeout=chance.uniform(0.05, 2) if kills < 5 else 120)
            check(process.returncode == 0, f"seed {seed}, after {kills} kills: exit {process.returncode}: {said}")
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
    for speed in ("", ",demo_speed=2", ",demo_speed=3", ",demo_speed=4"):
        survive.same(bench, f"whole/door-open/temporalot{speed}/seed-0", f"killed/door-open/temporalot{speed}/seed-0")
    tables = [(bench / folder / "speed.tex").read_text() for folder in ("whole", "killed")]
    check(tables[0] == tables[1], f"seed {seed}: another table")
    bench.fails("reproduce", "bad-cases", "--out", "whole/demos", names=["whole/demos", "no runs", "table1"])
    return f"{kills} kills, seed {seed}"


def test_misaligned(bench):
    """The demonstrations are made once and differ from those of the plain run. They may be moved with the folder."""
    options = ["--seeds", "1", "--tasks", "window-open", "--methods", "orca", *tiny_set()]
    process = start(bench, "reproduce", "beyond", "--out", "moved", "--jobs", "1", *options)
    run = "window-open/orca,misaligned/seed-0"
    wait_until(lambda: begun(bench / "moved" / run), process)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    (bench / "moved").rename(bench / "out2")
    done = bench.run("reproduce", "beyond", "--out", "out2/", "--jobs", "1", *options)
    check(done.returncode == 0, f"moved: exit {done.returncode}: {done.stderr}")
    done = bench.run("reproduce", "beyond", "--out", "out", "--jobs", "1", *options)
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    survive.same(bench, f"out/{run}", f"out2/{run}")
    check(not (bench / "moved").exists(), "something was written to the place it came from")
    check((bench / "out/demonstrations/window-open/misaligned.npz").exists(), "no misaligned demonstrations")
    plain, other = bench / "out/window-open/orca/seed-0", bench / "out/window-open/orca,misaligned/seed-0"
    check(survive.rows(plain) != survive.rows(other), "misaligned demonstrations make no difference")


def test_rewards(bench):
    """The sum of plain transport does not depend on the order of frames; TemporalOT's does."""
    done = bench.run("reproduce", "rewards", "--tasks", "window-open", "--out", "out", "--set", "cost_on=state")
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    sums = {}
    for line in (bench / "out/rewards.csv").read_text().splitlines()[1:]:
        task, method, episode, step, reward = line.split(",")
        sums[method, episode] = sums.get((method, episode), 0) + float(reward)
    for method in ("ot", "temporalot"):
        check(abs(sums[method, "the expert's"] + 10) < 1e-6, f"{sums}")
        check(sums[method, "spoilt on the way"] < -10.5, f"{method}: spoilt is no worse: {sums}")
    check(abs(sums["ot", "frames shuffled"] + 10) < 1e-3, f"plain transport sees order: {sums}")
    check(sums["temporalot", "frames shuffled"] < -12, f"TemporalOT sees no order: {sums}")
    check((bench / "out/rewards.html").stat().st_size < 4 << 20, "a page of more than 4 MB")


def test_encoders(bench):
    """Missing weights are named, and their encoders left out; available weights are used."""
    options = ["--seeds", "1", "--out", "out", "--dry-run", "--json"]
    told = rows(bench.run("reproduce", "encoders", *options).stdout)
    left = sorted(name for name, one in told.items() if one["state"] == "left out")
    check(len(told) == 4 and len(left) == 3, f"{told}")
    check(all("no weights for resnet" in told[name]["problem"] for name in left), f"{told}")
    (bench / "weights").mkdir()
    (bench / "weights/resnet18-f37072fd.pth").write_text("")
    told = rows(bench.run("reproduce", "encoders", *options).stdout)
    check(sum(one["state"] == "left out" for one in told.values()) == 2, f"{told}")
    # a finished run no longer needs its weights
    run, plain = "door-open/temporalot,encoder=resnet50/seed-0", bench / "out/door-open/temporalot/seed-0"
    tiny = tiny_set(cost_on="image", size=32, whiten_episodes=4, steps=60, eval_every=60, eval_episodes=1, warmup=20,
                    update_after=30)
    done = bench.run("reproduce", "encoders", "--seeds", "1", "--out", "out", "--weights-dir", "none", *tiny)
    check(done.returncode == 0 and "resnet18-f37072fd.pth" in done.stderr, f"exit {done.returncode}: {done.stderr}")
    page = (bench / "out/encoders.html").read_text()
    check("Missing: door-open temporalot encoder=resnet18" in page, "the page does not say what is not in it")
    (bench / "out" / run).parent.mkdir()
    plain.rename(bench / "out" / run)
    config = bench / "out" / run / "config.yaml"
    lines = [line for line in config.read_text().splitlines() if line.split(":")[0] not in ("encoder", "weights")]
    config.write_text("\n".join([*lines, "encoder: resnet50", "weights: elsewhere/resnet50-x.pth", ""]))
    told = rows(bench.run("reproduce", "encoders", *options, *tiny).stdout)
    check(told[run]["state"] == "finished", f"{told}")


def test_report_files(bench):
    """A report only replaces reports: no file of a run, and no file of another program."""
    write_grid(bench, steps=60, eval_every=60)
    check(bench.run("sweep", "grid.yaml", "--out", "out").returncode == 0, "a plain sweep")
    run = bench / "out/window-open/temporalot/seed-0"
    files = {"--out": "a.html", "--csv": "a.csv", "--latex": "a.tex", "--svg": "a.svg"}
    words = [word for pair in files.items() for word in pair]
    for again in range(2):
        check(bench.run("report", "out", *words).returncode == 0, "its own files are not written again")
    bench.fails("report", "out", "--out", run / "report.html", names=["report.html", "that run itself"], code=2)
    bench.fails("report", "out", "--csv", run / "metrics.csv", names=["metrics.csv", "that run itself"], code=2)
    done = bench.run("report", "out", "--out", run / "compared.html")
    check(done.returncode == 0, f"another name beside them: {done.stderr}")
    for option, text in (("--out", "<!DOCTYPE html>\n<p>mine\n"), ("--csv", "a,b\n1,2\n"), ("--svg", "<?xml?><svg>\n"),
                         ("--latex", "\\documentclass{article}\n\\usepackage{booktabs}\n")):
        (bench / files[option]).write_text(text)
        bench.fails("report", "out", option, files[option], names=[files[option], "not a report"], code=2)


def test_terminal(bench):
    """On a terminal: one table, drawn in place, in 80 columns."""
    write_grid(bench, seed="[0, 1]")
    leader, follower = pty.openpty()
    process = subprocess.Popen([bench.program, "sweep", "grid.yaml"], cwd=bench.folder, stderr=follower,
                               stdout=subprocess.DEVNULL)
    os.close(follower)
    text = b""
    try:
        while True:
            text += os.read(leader, 4096)
    except OSError:
        pass
    check(process.wait() == 0, f"exit {process.returncode}")
    check(b"\x1b[" in text and b"2 of 2 finished" in text, f"no table: {text[-300:]}")
    widest = max(len(line.split("\x1b[")[0]) for line in text.decode().replace("\r", "").split("\n"))
    check(widest <= 79, f"{widest} columns")


if __name__ == "__main__":
    main(globals())

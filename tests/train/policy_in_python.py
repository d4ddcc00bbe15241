#!/usr/bin/env python3
"""The Python code in docs/training.md runs, and gives the same actions as the program."""
import argparse
import contextlib
import importlib.util
import io
import os
import re
import shutil
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from workbench import check, run_all  # noqa: E402

warnings.filterwarnings("ignore")
import numpy as np  # noqa: E402


def documented():
    """The code blocks of the section: numpy, onnxruntime, Meta-world."""
    with open(os.path.join(HERE, "..", "..", "docs", "training.md"), encoding="utf-8") as file:
        section = file.read().split("### Use the policy in Python")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.S)
    check(len(blocks) == 3, f"{len(blocks)} blocks of Python in docs/training.md")
    return blocks


def small_run(bench, task="window-open", *more):
    bench.succeeds("train", "--task", task, "--out", "run", "--quiet", "--set", "cost_on=state", "video=0",
                   "hidden=48", "batch=32", "steps=150", "warmup=40", "update_after=60", "eval_every=150",
                   "eval_episodes=2", "horizon=60", *more)
    # an agent step is two frames, also for the clock
    bench.succeeds("rollout", "--task", task, "--policy", "run", "--out", "traj.npz", "--quiet", "--action-repeat", "2",
                   "--steps", "30")
    for end in ("npz", "onnx"):
        bench.succeeds("policy", "export", "--run", "run", "--out", f"policy.{end}", "--quiet")


def compare(act, path, tolerance=1e-5):
    """Checks its actions on recorded observations against the program's. The horizon of 60 frames is 30 agent steps."""
    with np.load(path) as file:
        observations, actions = file["observations"], file["actions"]
    ours = np.array([act(observation, step / 30) for step, observation in enumerate(observations[:len(actions)])])
    check(ours.shape == actions.shape and len(ours) > 20, f"shapes {ours.shape} and {actions.shape}")
    worst = float(np.abs(ours - actions).max())
    check(worst < tolerance, f"actions differ by {worst}")
    check(float(np.ptp(actions, axis=0).max()) > 1e-3, "all actions are the same: nothing is compared")
    return worst


def follow(bench, policy, world):
    """Runs two code blocks as one script in the folder; checks what it prints and returns its globals."""
    names, said, before = {}, io.StringIO(), os.getcwd()
    os.chdir(bench.folder)
    try:
        with contextlib.redirect_stdout(said):
            exec(policy + world, names)
    finally:
        os.chdir(before)
    check(said.getvalue() in ("solved\n", "not solved\n"), f"prints {said.getvalue()!r}")
    return names


def test_documented_lines(bench):
    small_run(bench)
    with_numpy, with_onnxruntime, world = documented()
    told = f"numpy {compare(follow(bench, with_numpy, world)['act'], bench / 'traj.npz'):.1e}"
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        return told + ", no onnxruntime here"
    names = follow(bench, with_onnxruntime, world)
    return told + f", onnxruntime {compare(names['act'], bench / 'traj.npz'):.1e}"


def test_all_that_is_told(bench):
    """Shaped observations with one object and with two, a clock, waves and layer norms: the same code handles them."""
    with_numpy, with_onnxruntime, world = documented()
    kinds = [("window-open", "observation=raw", "clock=on", "layer_norm=off"),
             ("stick-push", "observation=shaped", "clock=waves", "layer_norm=on"),
             ("window-open", "observation=shaped", "clock=off", "layer_norm=on")]
    told = []
    for task, *settings in kinds:
        small_run(bench, task, *settings)
        with np.load(bench / "policy.npz") as file:
            names = set(file)
        check(("input.weight" in names) == ("observation=shaped" in settings), f"{settings}: {sorted(names)}")
        check(("time.weight" in names) == ("clock=off" not in settings), f"{settings}: the time")
        # larger tolerance: a velocity is a difference of float32 values in units of a centimetre
        follows = follow(bench, with_numpy, world.replace("window-open", task))
        told.append(f"{compare(follows['act'], bench / 'traj.npz', 2e-4):.1e}")
        if importlib.util.find_spec("onnxruntime") is not None:
            follows = follow(bench, with_onnxruntime, world.replace("window-open", task))
            told.append(f"onnxruntime {compare(follows['act'], bench / 'traj.npz', 2e-4):.1e}")
        shutil.rmtree(bench / "run")
    return ", ".join(told)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    sys.exit(1 if run_all([test_documented_lines, test_all_that_is_told], parser.parse_args().program, None, []) else 0)

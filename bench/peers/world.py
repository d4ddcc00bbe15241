"""Meta-world's Python environments: the time of a step and of a reset, one JSON line each.

usage: world.py ACTIONS TASK=X,Y,... [TASK=X,Y,... ...]

ACTIONS is a file of float32, four a frame: one episode, which every task plays from the draw
(rand_vec) behind its name.
"""

import json
import sys
import time
import warnings

warnings.filterwarnings("ignore")

import numpy as np
from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments

ROUNDS = 9  # as the C side
PART = 25  # frames


def measure(task, draw, actions):
    """The best time of every part of the episode over the rounds, as the C side takes it."""
    environment = environments[f"{task}-v3-goal-observable"](seed=0)
    environment._last_rand_vec = draw
    environment._freeze_rand_vec = True
    resets, parts = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        environment.reset()
        resets.append(time.perf_counter() - start)
        times = []
        for first in range(0, len(actions), PART):
            start = time.perf_counter()
            for action in actions[first:first + PART]:
                environment.step(action)
            times.append(time.perf_counter() - start)
        parts.append(times)
    return 1e3 * np.min(parts, axis=0).sum() / len(actions), 1e3 * min(resets)


def main():
    actions = np.fromfile(sys.argv[1], np.float32).reshape(-1, 4)
    for word in sys.argv[2:]:
        task, numbers = word.split("=")
        draw = np.array([float(number) for number in numbers.split(",")])
        step, reset = measure(task, draw, actions)
        print(json.dumps({"work": f"world {task}", "ms": step}), flush=True)
        print(json.dumps({"work": f"world {task} reset", "ms": reset}), flush=True)


if __name__ == "__main__":
    main()

"""Meta-world's Python environments: the time per step and per reset, one JSON line each.

usage: world.py PROCESSES ACTIONS TASK=X,Y,... [TASK=X,Y,... ...]

With one process, this is the time of a single environment; with several independent processes, each
with its own environment, that time divided by their number. ACTIONS is a file of float32, four per
frame: one episode, which every task plays from the draw (rand_vec) after its name.
"""

import json
import multiprocessing
import sys
import warnings

warnings.filterwarnings("ignore")

import numpy as np
from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments
from rounds import best_times


def measure(task, draw, actions):
    environment = environments[f"{task}-v3-goal-observable"](seed=0)
    environment._last_rand_vec = draw
    environment._freeze_rand_vec = True
    return best_times(environment.reset, environment.step, actions)


def measure_together(processes, task, draw, actions):
    """Runs all processes at once."""
    with multiprocessing.Pool(processes) as pool:
        times = pool.starmap(measure, [(task, draw, actions)] * processes, chunksize=1)
    return np.mean(times, axis=0) / processes


def main():
    processes = int(sys.argv[1])
    actions = np.fromfile(sys.argv[2], np.float32).reshape(-1, 4)
    kind = "world" if processes == 1 else "worlds"
    for word in sys.argv[3:]:
        task, numbers = word.split("=")
        draw = np.array([float(number) for number in numbers.split(",")])
        if processes == 1:
            step, reset = measure(task, draw, actions)
        else:
            step, reset = measure_together(processes, task, draw, actions)
        print(json.dumps({"work": f"{kind} {task}", "ms": step}), flush=True)
        print(json.dumps({"work": f"{kind} {task} reset", "ms": reset}), flush=True)


if __name__ == "__main__":
    main()

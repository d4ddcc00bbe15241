"""EnvPool's Meta-world: the time of a step and of a reset of one of 16 worlds, one JSON line each.

usage: world_envpool.py THREADS ACTIONS TASK=X,Y,... [TASK=X,Y,... ...]

ACTIONS is a file of float32, four a frame: one episode, which all worlds play. EnvPool draws where
object and goal are itself, so the numbers behind a task's name are not used.
"""

import json
import sys
import time

import numpy as np

WORLDS = 16  # these three as the C side
ROUNDS = 9
PART = 25  # frames


def measure(envpool, task, threads, actions):
    """The best time of every part of the episode over the rounds, as the C side takes it."""
    name = "".join(word.capitalize() for word in task.split("-"))
    environment = envpool.make_gymnasium(
        f"MetaWorld/{name}-v3", num_envs=WORLDS, num_threads=threads)
    resets, parts = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        environment.reset()
        resets.append(time.perf_counter() - start)
        times = []
        for first in range(0, len(actions), PART):
            start = time.perf_counter()
            for action in actions[first:first + PART]:
                environment.step(np.tile(action, (WORLDS, 1)))
            times.append(time.perf_counter() - start)
        parts.append(times)
    environment.close()
    return 1e3 * np.min(parts, axis=0).sum() / len(actions) / WORLDS, 1e3 * min(resets) / WORLDS


def main():
    try:
        import envpool
    except ImportError:
        print("bench: EnvPool is not installed: make peers-full", file=sys.stderr)
        return
    threads = int(sys.argv[1])
    actions = np.fromfile(sys.argv[2], np.float32).reshape(-1, 4)
    for word in sys.argv[3:]:
        task = word.split("=")[0]
        step, reset = measure(envpool, task, threads, actions)
        print(json.dumps({"work": f"worlds {task}", "ms": step}), flush=True)
        print(json.dumps({"work": f"worlds {task} reset", "ms": reset}), flush=True)


if __name__ == "__main__":
    main()

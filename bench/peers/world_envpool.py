"""EnvPool's Meta-world: the time per step and per reset of one of 16 worlds, one JSON line each.

usage: world_envpool.py THREADS ACTIONS TASK=X,Y,... [TASK=X,Y,... ...]

ACTIONS is a file of float32, four per frame: one episode, which all worlds play. EnvPool draws the
positions of object and goal itself, so the numbers after a task's name are not used.
"""

import json
import sys

import numpy as np
from rounds import best_times

WORLDS = 16  # as on the C side


def measure(envpool, task, threads, actions):
    name = "".join(word.capitalize() for word in task.split("-"))
    environment = envpool.make_gymnasium(
        f"MetaWorld/{name}-v3", num_envs=WORLDS, num_threads=threads)
    all_actions = np.repeat(actions[:, None], WORLDS, axis=1)  # (frames, worlds, 4)
    step, reset = best_times(environment.reset, environment.step, all_actions)
    environment.close()
    return step / WORLDS, reset / WORLDS


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

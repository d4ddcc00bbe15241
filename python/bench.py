"""Speed of the Python package beside its peers, in one run: one JSON object per line, as
`temporalot bench` prints them. A peer that is not installed is left out.

    python python/bench.py [--envs 16] [--tasks door-open,push] [--seconds 3]
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from typing import Any, Optional

import gymnasium
import numpy as np

import temporalot

warnings.filterwarnings("ignore")


def measure(call: Callable[[], object], seconds: float) -> float:
    """Milliseconds per call: the best of five rounds."""
    call()
    best = float("inf")
    for _ in range(5):
        count, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds / 5:
            call()
            count += 1
        best = min(best, (time.perf_counter() - begin) / max(count, 1))
    return 1e3 * best


def tell(work: str, ms: float, peer: Optional[str] = None, peer_ms: Optional[float] = None) -> None:
    row: dict[str, Any] = {"work": work, "ms": round(ms, 5)}
    if peer is not None and peer_ms is not None:
        row.update(peer=peer, peer_ms=round(peer_ms, 5), ratio=round(peer_ms / ms, 3))
    print(json.dumps(row), flush=True)


def stepping(env: Any, actions: Any) -> Callable[[], object]:
    env.reset(seed=0)
    return lambda: env.step(actions)


def vectors(task: str, count: int, seconds: float) -> None:
    ours = gymnasium.make_vec(f"temporalot/{task}-v3", num_envs=count)
    actions = np.random.default_rng(0).uniform(-1, 1, (count, 4)).astype(np.float32)
    worlds = ours._worlds
    step = stepping(ours, actions)
    core = measure(lambda: worlds.step(actions), seconds)
    ms = measure(step, seconds)
    tell(f"python vector {task} {count}", ms, "the same step in C", core)
    try:
        import envpool

        theirs = envpool.make(f"MetaWorld/{task}-v3", env_type="gymnasium", num_envs=count)
        theirs.reset()
        tell(f"python vector {task} {count}", ms, "envpool", measure(lambda: theirs.step(actions), seconds))
        theirs.close()
    except ImportError:
        pass
    try:
        from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments
    except ImportError:
        return

    def make() -> Any:
        env = environments[f"{task}-v3-goal-observable"](seed=0)
        env.max_path_length = 10**9
        return env

    theirs = gymnasium.vector.AsyncVectorEnv([make] * count)
    tell(f"python vector {task} {count}", ms, "AsyncVectorEnv", measure(stepping(theirs, actions), seconds))
    theirs.close()


def pictures(task: str, seconds: float) -> None:
    ours = gymnasium.make(f"temporalot/{task}-v3", render_mode="rgb_array", size=224)
    ours.reset(seed=0)
    ms = measure(ours.render, seconds)
    try:
        from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments

        theirs = environments[f"{task}-v3-goal-observable"](
            seed=0, render_mode="rgb_array", camera_name=temporalot.task(task).camera, width=224, height=224
        )
        theirs.reset()
        tell(f"python picture {task} 224", ms, "metaworld", measure(theirs.render, seconds))
    except ImportError:
        tell(f"python picture {task} 224", ms)


def overhead(seconds: float) -> None:
    tiny = np.eye(2, dtype=np.float32)
    labeler = temporalot.Labeler(tiny, "min-distance", threads=1)
    tell("python labeler call", measure(lambda: labeler(tiny), seconds))
    tell("python label call", measure(lambda: temporalot.label(tiny, tiny, "min-distance"), seconds))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--tasks", default="door-open,push")
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    overhead(options.seconds)
    for task in options.tasks.split(","):
        vectors(task, options.envs, options.seconds)
        pictures(task, options.seconds)


if __name__ == "__main__":
    main()

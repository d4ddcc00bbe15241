"""Speed of the Python package compared with its peers, in one run: one JSON object per line, as
`temporalot bench` prints them. A peer that is not installed is skipped. Ours and the peers alternate, with
the same number of threads, and the best round of each counts.

    python python/bench.py [--envs 16] [--threads 2] [--tasks door-open,push|all] [--seconds 1]
                           [--work label,vector,async,picture]
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Optional

import gymnasium
import numpy as np

import temporalot
from temporalot._library import check, library

warnings.filterwarnings("ignore")
Call = Callable[[], object]
ROUNDS = 5
STEPS = 50  # per round of environments


def measure(calls: Sequence[Call], seconds: float) -> list[float]:
    """Milliseconds per call of each: the best of several alternating rounds."""
    best = [float("inf")] * len(calls)
    for call in calls:
        call()
    for _ in range(ROUNDS):
        for k, call in enumerate(calls):
            count, begin = 0, time.perf_counter()
            while (now := time.perf_counter() - begin) < seconds / ROUNDS or count == 0:
                call()
                count += 1
            best[k] = min(best[k], now / count)
    return [1e3 * one for one in best]


def tell(work: str, ms: float, peer: Optional[str] = None, peer_ms: Optional[float] = None) -> None:
    row: dict[str, Any] = {"work": work, "ms": round(ms, 5)}
    if peer is not None and peer_ms is not None:
        row.update(peer=peer, peer_ms=round(peer_ms, 5), ratio=round(peer_ms / ms, 3))
    print(json.dumps(row), flush=True)


def beside(work: str, ours: Call, peers: dict[str, Call], seconds: float) -> None:
    ms, *theirs = measure([ours, *peers.values()], seconds)
    if not peers:
        tell(work, ms)
    for name, peer_ms in zip(peers, theirs):
        tell(work, ms, name, peer_ms)


def steps(players: dict[str, tuple[Call, Callable[[Any], object]]], count: int, seconds: float) -> list[float]:
    """Milliseconds per step of each player, given as (reset, step): the best of several alternating rounds,
    which all play the same actions from the start of an episode."""
    actions = list(np.random.default_rng(0).uniform(-1, 1, (STEPS, count, 4)).astype(np.float32))
    best = dict.fromkeys(players, float("inf"))
    end = time.perf_counter() + seconds * len(players)
    rounds = 0
    while time.perf_counter() < end or rounds < ROUNDS:
        for name, (reset, step) in players.items():
            reset()
            begin = time.perf_counter()
            for action in actions:
                step(action)
            best[name] = min(best[name], (time.perf_counter() - begin) / STEPS)
        rounds += 1
    return [1e3 * one for one in best.values()]


class Core:
    """Worlds called directly through C: tot_worlds_step, with no Python overhead except the call."""

    def __init__(self, task: str, draws: Any, threads: int) -> None:
        count = len(draws)
        self.draws = np.zeros((count, 6))  # TOT_MAX_DRAW
        self.draws[:, : draws.shape[1]] = draws
        self.pool, self.task, self.worlds = (ctypes.c_void_p() for _ in range(3))
        check(library.tot_pool_create(ctypes.byref(self.pool), threads))
        check(library.tot_task_load(ctypes.byref(self.task), task.encode(), None))
        check(
            library.tot_worlds_create(
                ctypes.byref(self.worlds), self.task, None, ctypes.c_size_t(count), self.pool
            )
        )

    def reset(self) -> None:
        check(library.tot_worlds_reset_to(self.worlds, ctypes.c_void_p(self.draws.ctypes.data)))

    def step(self, actions: Any) -> None:
        check(library.tot_worlds_step(self.worlds, ctypes.c_void_p(actions.ctypes.data)))

    def close(self) -> None:
        library.tot_worlds_free(self.worlds)
        library.tot_task_free(self.task)
        library.tot_pool_free(self.pool)


def vectors(task: str, count: int, threads: int, seconds: float) -> None:
    ours = gymnasium.make_vec(f"temporalot/{task}-v3", num_envs=count, threads=threads)
    _, infos = ours.reset(seed=0)
    core = Core(task, infos["rand_vec"], threads)
    players = {"python": (lambda: ours.reset(seed=0), ours.step), "C": (core.reset, core.step)}
    try:
        import envpool

        name = "".join(word.capitalize() for word in task.split("-"))
        theirs = envpool.make_gymnasium(f"MetaWorld/{name}-v3", num_envs=count, num_threads=threads)
        players["envpool"] = (theirs.reset, theirs.step)
    except ImportError:
        pass
    ms, *others = steps(players, count, seconds)
    for peer, peer_ms in zip(list(players)[1:], others):
        tell(f"python vector {task} {count}", ms, peer, peer_ms)
    ours.close()
    core.close()
    if "envpool" in players:
        theirs.close()


def asynchronous(task: str, count: int, threads: int, seconds: float) -> None:
    try:
        from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments
    except ImportError:
        return
    ours = gymnasium.make_vec(f"temporalot/{task}-v3", num_envs=count, threads=threads)
    theirs = gymnasium.vector.AsyncVectorEnv(
        [lambda: environments[f"{task}-v3-goal-observable"](seed=0)] * count
    )
    players = {"python": (lambda: ours.reset(seed=0), ours.step), "theirs": (theirs.reset, theirs.step)}
    ms, peer_ms = steps(players, count, seconds)
    tell(f"python vector {task} {count}", ms, "AsyncVectorEnv", peer_ms)
    ours.close()
    theirs.close()


def pictures(task: str, seconds: float) -> None:
    peers: dict[str, Call] = {}
    try:
        from metaworld.env_dict import ALL_V3_ENVIRONMENTS as environments

        theirs = environments[f"{task}-v3"](
            render_mode="rgb_array", camera_name=temporalot.task(task).camera, width=224, height=224
        )
        theirs._set_task_called = True  # it draws its own goals
        theirs._freeze_rand_vec = False
        theirs.reset()
        assert theirs.render().shape == (224, 224, 3)
        peers["metaworld"] = theirs.render
    except ImportError:
        pass
    for quality in ("fast", "full"):
        ours = gymnasium.make(f"temporalot/{task}-v3", render_mode="rgb_array", size=224, quality=quality)
        ours.reset(seed=0)
        beside(f"python picture {task} {quality} 224", ours.render, peers, seconds)
        ours.close()


def overhead(seconds: float) -> None:
    tiny = np.eye(2, dtype=np.float32)
    labeler = temporalot.Labeler(tiny, "min-distance", threads=1)
    beside("python labeler call", lambda: labeler(tiny), {}, seconds)
    beside("python label call", lambda: temporalot.label(tiny, tiny, "min-distance"), {}, seconds)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--tasks", default="door-open,push", help="names between commas, or all")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each that is measured")
    parser.add_argument("--work", default="label,vector,async,picture")
    options = parser.parse_args()
    works = options.work.split(",")
    tasks = temporalot.tasks() if options.tasks == "all" else options.tasks.split(",")
    if "label" in works:
        overhead(options.seconds)
    for task in tasks:
        if "vector" in works:
            vectors(task, options.envs, options.threads, options.seconds)
        if "async" in works:
            asynchronous(task, options.envs, options.threads, options.seconds)
        if "picture" in works:
            pictures(task, options.seconds)


if __name__ == "__main__":
    main()

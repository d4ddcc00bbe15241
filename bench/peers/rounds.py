"""Timing of the peers of `bench world`, the same as in bench/world.c."""

import time

import numpy as np

ROUNDS = 9
PART = 25  # frames


def best_times(reset, step, actions):
    """Milliseconds per frame and per reset, from the best time of every part of an episode over the rounds."""
    resets, parts = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        reset()
        resets.append(time.perf_counter() - start)
        times = []
        for first in range(0, len(actions), PART):
            start = time.perf_counter()
            for action in actions[first:first + PART]:
                step(action)
            times.append(time.perf_counter() - start)
        parts.append(times)
    return 1e3 * np.min(parts, axis=0).sum() / len(actions), 1e3 * min(resets)

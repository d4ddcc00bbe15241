"""Labels an episode with TemporalOT as a Python user would write it: numpy for the cost, scipy's
logsumexp for Sinkhorn. Prints the median time for each size as one JSON line.

usage: label.py STEPS,WIDTH,REPEATS [...]   (threads: OMP_NUM_THREADS, OPENBLAS_NUM_THREADS)
"""

import json
import sys
import time

import numpy as np
from scipy.special import logsumexp


def frame_cost(agent, expert):
    lengths = np.linalg.norm(agent, axis=1)[:, None] * np.linalg.norm(expert, axis=1)
    return 1 - agent @ expert.T / lengths


def context_cost(agent, expert, context):
    total = np.zeros((len(agent), len(expert)), agent.dtype)
    for ahead in range(context):
        rows = np.minimum(np.arange(len(agent)) + ahead, len(agent) - 1)
        columns = np.minimum(np.arange(len(expert)) + ahead, len(expert) - 1)
        total += frame_cost(agent[rows], expert[columns])
    return total / context


def transport_plan(cost, inside, epsilon=0.01, iterations=100):
    rows, columns = cost.shape
    log_kernel = np.where(inside, -cost / epsilon, -1e6)
    u, v = np.zeros(rows), np.zeros(columns)
    for step in range(iterations):
        v = -np.log(columns) - logsumexp(log_kernel + u[:, None], axis=0)
        u = -np.log(rows) - logsumexp(log_kernel + v, axis=1)
        if step % 10 == 0:
            plan = np.exp(log_kernel + u[:, None] + v)
            if np.linalg.norm(plan.sum(0) - 1 / columns) < 1e-9:
                break
    return np.exp(log_kernel + u[:, None] + v)


def label(agent, experts, context=3, band=10):
    candidates = []
    for expert in experts:
        distance = np.arange(len(agent))[:, None] - np.arange(len(expert))
        cost = context_cost(agent, expert, context)
        plan = transport_plan(cost, np.abs(distance) <= band)
        candidates.append(-(plan * cost).sum(1))
    return max(candidates, key=np.sum)


def main():
    for size in sys.argv[1:]:
        steps, width, repeats = map(int, size.split(","))
        random = np.random.default_rng(0)
        agent = random.random((steps, width), np.float32)
        experts = [random.random((steps, width), np.float32) for _ in range(2)]
        label(agent, experts)
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            label(agent, experts)
            times.append(time.perf_counter() - start)
        line = {"work": f"label T={steps} d={width}", "ms": 1e3 * float(np.median(times))}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()

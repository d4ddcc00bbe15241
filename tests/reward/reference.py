"""The rewards in double precision, written from their formulas with numpy only: the reference for the C code.

Deliberately slow and simple. `label` goes from embeddings to rewards; the functions above it are its parts.
N is the length of the episode, M that of the demonstration, i and j are their steps.
"""
import math

import numpy as np

MASKED = -1e6  # the log-kernel outside the mask

METHODS = {  # name: (family, context, mask, mask width)
    "temporalot": ("transport", 3, "band", 10),
    "temporalot-no-mask": ("transport", 3, "none", 10),
    "temporalot-no-context": ("transport", 1, "band", 10),
    "dynamic": ("transport", 3, "dynamic", 10),
    "ot": ("transport", 1, "none", 10),
    "orca": ("orca", 1, "none", 10),
    "dtw": ("dtw", 1, "none", 10),
    "soft-dtw": ("soft-dtw", 1, "none", 10),
    "min-distance": ("min-distance", 1, "none", 10),
    "segment": ("segment", 1, "none", 10),
    "threshold": ("threshold", 1, "none", 10),
}


class Infeasible(Exception):
    """The method has no solution with this mask."""


class Refused(Exception):
    """Values that are not accepted."""


# --- cost -----------------------------------------------------------------------------------------

def frame_cost(x, y, kind="cosine", zero_frame="refuse"):
    """C[i][j] of single frames, N x M."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    if kind == "euclidean":
        return np.stack([np.sqrt(((row - y) ** 2).sum(1)) for row in x])
    norm_x, norm_y = np.sqrt((x * x).sum(1)), np.sqrt((y * y).sum(1))
    if zero_frame == "refuse" and (not norm_x.all() or not norm_y.all()):
        raise Refused("an all-zero frame")
    product = np.outer(norm_x, norm_y)
    cosine = np.divide(x @ y.T, product, out=np.zeros_like(product), where=product != 0)
    return np.sqrt(np.maximum(2 - 2 * cosine, 0)) if kind == "chord" else 1 - cosine


def context_cost(cost, length):
    """The mean over h = 0 .. length-1 of C[min(i+h, N-1)][min(j+h, M-1)]."""
    n, m = cost.shape
    total = np.zeros_like(cost)
    different = min(length, max(n, m))  # beyond this, both indices are clamped
    for h in range(different):
        rows, columns = np.minimum(np.arange(n) + h, n - 1), np.minimum(np.arange(m) + h, m - 1)
        total += cost[np.ix_(rows, columns)]
    return (total + (length - different) * cost[n - 1, m - 1]) / length


# --- masks ----------------------------------------------------------------------------------------

def make_mask(kind, width, cost):
    """Booleans, N x M, and the margin by which the dynamic mask chose its centres."""
    n, m = cost.shape
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    width = min(width, n + m)  # enough to cover everything, and no product overflows
    if kind == "none":
        return np.ones((n, m), bool), np.inf
    if kind == "band":
        return np.abs(j * n - i * m) <= width * n, np.inf
    if kind == "causal":
        return np.broadcast_to(j <= i, (n, m)).copy(), np.inf
    centres, margin = np.zeros(n, int), np.inf
    for row in range(n):
        seen = cost[row, : min(row, m - 1) + 1]
        centres[row] = np.argmin(seen)
        if len(seen) > 1:
            least = np.partition(seen, 1)
            margin = min(margin, least[1] - least[0])
    return np.abs(j - centres[:, None]) <= width, margin


def check_band(mask):
    """A band admits uniform marginals if and only if no row or column is empty and the staircase is inside it."""
    n, m = mask.shape
    for name, empty in (("row", ~mask.any(1)), ("column", ~mask.any(0))):
        if empty.any():
            raise Infeasible(f"{name} {int(np.argmax(empty))} has no entry")
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    staircase = (i * m < (j + 1) * n) & (j * n < (i + 1) * m)
    outside = staircase & ~mask
    if outside.any():
        raise Infeasible(f"row {int(np.argmax(outside.any(1)))}: too narrow")


# --- Sinkhorn -------------------------------------------------------------------------------------

def log_sum_exp(values, axis):
    peak = values.max(axis, keepdims=True)
    return np.squeeze(peak, axis) + np.log(np.exp(values - peak).sum(axis))


def sinkhorn(cost, mask, epsilon, iterations, tolerance):
    """Plan, number of iterations, column error of the plan, and the errors at the checks {iterations: error}."""
    n, m = cost.shape
    log_kernel = np.where(mask, -cost / epsilon, MASKED)
    u, v = np.zeros(n), np.zeros(m)
    tests = {}

    def plan_and_error():
        plan = np.exp(log_kernel + u[:, None] + v[None, :])
        return plan, float(np.linalg.norm(plan.sum(0) - 1 / m))

    for k in range(iterations):
        v = -math.log(m) - log_sum_exp(log_kernel + u[:, None], 0)
        u = -math.log(n) - log_sum_exp(log_kernel + v[None, :], 1)
        if k % 10 == 0:
            plan, error = plan_and_error()
            tests[k + 1] = error
            if error < tolerance:
                return plan, k + 1, error, tests
    plan, error = plan_and_error()
    tests[iterations] = error
    return plan, iterations, error, tests


# --- methods without a plan: cost (infinite outside the mask) -> rewards and decision margin -------

def orca(cost, options):
    n, m = cost.shape
    p = np.exp(-cost / options["tau"])
    cover = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            above = cover[i - 1, j] if i > 0 else 0.0
            if j == 0:
                cover[i, j] = max(above, p[i, j])
            elif i == 0 or j == m - 1:
                cover[i, j] = cover[i, j - 1] * p[i, j]
            else:
                cover[i, j] = max(above, cover[i, j - 1] * p[i, j])
    return cover[:, m - 1], np.inf


def dtw(cost, _options):
    n, m = cost.shape
    total = np.full((n + 1, m + 1), np.inf)
    total[0, 0] = 0
    for i in range(n):
        for j in range(m):
            total[i + 1, j + 1] = cost[i, j] + min(total[i, j], total[i, j + 1], total[i + 1, j])
    if not np.isfinite(total[n, m]):
        raise Infeasible("no path inside the mask")
    sums, counts, margin = np.zeros(n), np.zeros(n), np.inf
    i, j = n, m
    while i > 0:
        sums[i - 1] += cost[i - 1, j - 1]
        counts[i - 1] += 1
        before = ((i - 1, j - 1), (i - 1, j), (i, j - 1))
        values = [total[step] for step in before]
        best = int(np.argmin(values))
        finite = sorted(value for value in values if np.isfinite(value))
        if len(finite) > 1:
            margin = min(margin, finite[1] - finite[0])
        i, j = before[best]
    return -sums / counts, margin


def soft_costs(cost, smoothing):
    """Soft minimum over all paths from the first cell to (i, j), inclusive."""
    n, m = cost.shape
    total = np.full((n + 1, m + 1), np.inf)
    total[0, 0] = 0
    for i in range(n):
        for j in range(m):
            before = (total[i, j], total[i, j + 1], total[i + 1, j])
            least = min(before)
            if np.isfinite(least) and np.isfinite(cost[i, j]):
                weight = sum(math.exp((least - value) / smoothing) for value in before)
                total[i + 1, j + 1] = cost[i, j] + least - smoothing * math.log(weight)
        total[0, 0] = np.inf
    return total[1:, 1:]


def soft_dtw(cost, options):
    """The expected alignment: the fraction of all paths, weighted by exp(-cost / smoothing), that cross a cell."""
    smoothing = options["smoothing"]
    forward = soft_costs(cost, smoothing)
    backward = soft_costs(cost[::-1, ::-1], smoothing)[::-1, ::-1]
    if not np.isfinite(forward[-1, -1]):
        raise Infeasible("no path inside the mask")
    inside = np.isfinite(forward) & np.isfinite(backward)
    finite = np.where(inside, cost, 0)
    exponent = np.where(inside, forward + backward, 0) - finite - forward[-1, -1]
    expected = np.where(inside, np.exp(-exponent / smoothing), 0)
    return -(finite * expected).sum(1), np.inf


def least_cost(rows):
    least = np.array([row.min() if len(row) else np.inf for row in rows])
    if not np.isfinite(least).all():
        raise Infeasible(f"row {int(np.argmax(~np.isfinite(least)))} has no entry")
    return -least


def min_distance(cost, _options):
    return least_cost(list(cost)), np.inf


def segment(cost, _options):
    n, m = cost.shape
    return least_cost([cost[i, i * m // n : min((i + 1) * m // n, m - 1) + 1] for i in range(n)]), np.inf


def threshold(cost, options):
    n, m = cost.shape
    p = np.exp(-cost / options["tau"])
    rewards, goal, margin = np.zeros(n), 0, np.inf
    for i in range(n):
        rewards[i] = (p[i, goal] + goal) / m
        margin = min(margin, abs(p[i, goal] - options["threshold"]))
        if p[i, goal] > options["threshold"] and goal < m - 1:
            goal += 1
    return rewards, margin


WITHOUT_PLAN = {
    "orca": orca,
    "dtw": dtw,
    "soft-dtw": soft_dtw,
    "min-distance": min_distance,
    "segment": segment,
    "threshold": threshold,
}


# --- all together ---------------------------------------------------------------------------------

def defaults(method="temporalot"):
    _, context, mask, width = METHODS[method]
    return {
        "method": method, "context": context, "mask": mask, "mask_width": width, "cost": "cosine",
        "zero_frame": "refuse", "epsilon": 0.01, "iterations": 100, "tolerance": 1e-9, "scale": 1.0, "best": 1,
        "match": "best",
        "squash_alpha": 0.0, "squash_beta": 5.0, "tau": 1.0, "smoothing": 5.0, "threshold": 0.9,
    }


def label_one(episode, demo, options):
    """Rewards against one demonstration, before scale and squashing."""
    frames = frame_cost(episode, demo, options["cost"], options["zero_frame"])
    cost = context_cost(frames, options["context"])
    mask, margin = make_mask(options["mask"], options["mask_width"], cost)
    told = {"cost": cost, "first": frames[0, 0], "mask": mask, "plan": None, "iterations": 0, "marginal_error": 0.0,
            "tests": {}, "converged": True, "mass_outside": 0.0}
    family = METHODS[options["method"]][0]
    if family == "transport":
        if options["mask"] == "band":
            check_band(mask)
        plan, iterations, error, tests = sinkhorn(
            cost, mask, options["epsilon"], options["iterations"], options["tolerance"])
        outside = float(plan[~mask].sum() / plan.sum())
        told.update(plan=plan, iterations=iterations, marginal_error=error, tests=tests,
                    converged=error < options["tolerance"] and outside <= options["tolerance"],
                    mass_outside=outside)
        rewards = -(plan * cost).sum(1)
    else:
        rewards, decision = WITHOUT_PLAN[family](np.where(mask, cost, np.inf), options)
        margin = min(margin, decision)
    return dict(told, rewards=rewards, margin=margin)


def relative_gap(larger, smaller):
    return (larger - smaller) / max(abs(larger), abs(smaller), 1e-300)


def label(episode, demos, **changes):
    """Rewards of an episode against its demonstrations, and intermediate results.

    margin is how far the closest decision (a dynamic centre, a step of DTW, a threshold, the winning demonstration)
    was from going the other way: if it is 0, the result depends on rounding.
    """
    options = defaults(changes.pop("method", "temporalot"))
    options.update(changes)
    each = [label_one(episode, demo, options) for demo in demos]
    for one in each:
        one["rewards"] = options["scale"] * one["rewards"]
    # demonstrations from best to worst: by sum of rewards, or by the similarity of the first frames
    merits = np.array([-one["first"] if options["match"] == "start" else one["rewards"].sum() for one in each])
    order = np.argsort(-merits, kind="stable")
    count = min(options["best"], len(each))
    told = dict(each[order[0]], demo=int(order[0]), each=each)
    rewards = np.mean([each[k]["rewards"] for k in order[:count]], axis=0)
    if len(each) > 1:
        told["margin"] = min(told["margin"], relative_gap(merits[order[0]], merits[order[1]]))
    if len(each) > count:
        told["margin"] = min(told["margin"], relative_gap(merits[order[count - 1]], merits[order[count]]))
    if options["squash_alpha"] != 0:
        rewards = options["squash_alpha"] * np.exp(options["squash_beta"] * rewards)
    return dict(told, rewards=rewards, sum=float(rewards.sum()))


def auto_scale(first_sum):
    return 10 / abs(first_sum) if first_sum != 0 else 1.0


# --- brute force ----------------------------------------------------------------------------------

def all_paths(n, m):
    """Every warping path from (0, 0) to (n-1, m-1) with steps (1, 0), (0, 1), (1, 1)."""
    def onwards(path):
        i, j = path[-1]
        if (i, j) == (n - 1, m - 1):
            yield path
        for a, b in ((i + 1, j + 1), (i + 1, j), (i, j + 1)):
            if a < n and b < m:
                yield from onwards(path + [(a, b)])
    yield from onwards([(0, 0)])


def brute_dtw(cost):
    path = min(all_paths(*cost.shape), key=lambda cells: sum(cost[cell] for cell in cells))
    sums, counts = np.zeros(len(cost)), np.zeros(len(cost))
    for i, j in path:
        sums[i] += cost[i, j]
        counts[i] += 1
    return -sums / counts


def brute_soft_dtw(cost, smoothing):
    expected, total = np.zeros_like(cost), 0.0
    for path in all_paths(*cost.shape):
        weight = math.exp(-sum(cost[cell] for cell in path) / smoothing)
        total += weight
        for cell in path:
            expected[cell] += weight
    return -(cost * expected / total).sum(1)

"""Writes fixtures/statistics.json: scores, and the statistics that the package rliable computes for them.

Run by hand when the cases change, in an environment with rliable:
    python3 -m venv V
    V/bin/pip install rliable==1.2.0 "pandas<3"
    V/bin/python make_fixtures.py
"""
import json
import os

import numpy as np
import rliable
from rliable import library, metrics

MANY, FEW = 20000, 2000  # the probability of improvement is slow


def success_rates(random, means, runs, episodes=50):
    """Success rates over some episodes, as in evaluations."""
    shape = (runs, len(means))
    true = np.clip(np.asarray(means) + 0.15 * random.standard_normal(shape), 0, 1)
    return random.binomial(episodes, true) / episodes


def interval(scores, measure, reps, seed):
    point, bounds = library.get_interval_estimates(
        {"x": scores}, measure, reps=reps, random_state=np.random.RandomState(seed))
    return np.atleast_1d(point["x"]), np.atleast_2d(bounds["x"].T).T


def estimates(values, bounds):
    return [{"value": float(v), "low": float(low), "high": float(high)}
            for v, low, high in zip(values, bounds[0], bounds[1])]


def case(name, x, y, thresholds, seed):
    aggregate = estimates(*interval(x, lambda s: np.array([
        metrics.aggregate_mean(s), metrics.aggregate_median(s), metrics.aggregate_iqm(s),
        metrics.aggregate_optimality_gap(s)]), MANY, seed))
    profile, bounds = library.create_performance_profile(
        {"x": x}, np.array(thresholds), reps=FEW)
    improvement = estimates(*interval((x, y), metrics.probability_of_improvement, FEW, seed))
    return {"name": name, "x": x.T.tolist(), "y": y.T.tolist(),
            "mean": aggregate[0], "median": aggregate[1], "interquartile_mean": aggregate[2],
            "optimality_gap": aggregate[3], "thresholds": thresholds,
            "profile": estimates(profile["x"], bounds["x"]), "improvement": improvement[0]}


def main():
    random = np.random.RandomState(20240)
    np.random.seed(7)
    high = [0.94, 0.92, 0.33, 0.78, 0.37, 0.54, 0.08, 0.95, 0.55]
    low = [0.42, 0.89, 0.05, 0.52, 0.35, 0.21, 0.17, 0.2, 0.44]
    rates = np.linspace(0, 1, 11).round(1).tolist()
    cases = [
        case("nine tasks, five seeds", success_rates(random, high, 5),
             success_rates(random, low, 5), rates, 1),
        case("nine tasks, ten seeds against four", success_rates(random, high, 10),
             success_rates(random, low, 4), rates, 2),
        case("three tasks, seven runs of any number", 2 * random.standard_normal((7, 3)).round(6),
             2 * random.standard_normal((5, 3)).round(6), [-3.0, -1.0, 0.0, 0.5, 2.0], 3),
        case("one task, six runs", success_rates(random, [0.5], 6),
             success_rates(random, [0.4], 6), [0.25, 0.5, 0.75], 4),
    ]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "statistics.json")
    with open(path, "w") as file:
        version = getattr(rliable, "__version__", "1.2.0")
        json.dump({"rliable": version, "resamples": MANY, "few_resamples": FEW, "cases": cases},
                  file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()

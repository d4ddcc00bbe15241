"""Compares `temporalot label` with reference.py, over lengths, widths, contexts, masks, epsilons and methods.

    grid.py PROGRAM [GROUP ...]     prints the largest errors of each group, exits 1 if one is too large
"""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import reference

REWARD_TOLERANCE = 1e-5  # relative to the largest |reward| of the episode
PLAN_TOLERANCE = 1e-6  # absolute, also for marginals
# A double-precision cost is itself only accurate to a few units in the last place of 1, and rewards are float32.
ROUNDING = {"transport": 1e-15, "orca": 1e-37, "threshold": 1e-15}
# A decision with a smaller margin is a tie, which rounding may break either way.
TIE = 1e-13

failures = []


def fail(text):
    failures.append(text)
    print("FAILED", text, flush=True)


# --- trajectories ---------------------------------------------------------------------------------

def noise(rng, steps, width):
    return rng.normal(size=(steps, width))


def relu(rng, steps, width):
    """Like the output of an encoder: no negative numbers, many zeros."""
    values = np.maximum(rng.normal(size=(steps, width)), 0)
    values[:, 0] += 0.1  # no frame is all zero
    return values


def walk(stride):
    """Neighbouring frames are similar: costs of about stride squared."""
    def make(rng, steps, width):
        return np.cumsum(np.concatenate([rng.normal(size=(1, width)),
                                         stride * rng.normal(size=(steps - 1, width))]), 0)
    return make


def near(stride):
    """Walks that start at the same frame, so that episodes and demonstrations are similar as well."""
    def make(rng, steps, width):
        start = np.random.default_rng(width).normal(size=(1, width))
        return start + np.cumsum(stride * rng.normal(size=(steps, width)), 0)
    return make


def uneven(rng, steps, width):
    """Columns and frames of very different magnitude; squares exceed float32."""
    columns = np.exp(3 * np.random.default_rng(width).normal(size=(1, width)))
    return noise(rng, steps, width) * columns * 10.0 ** rng.uniform(-25, 25, size=(steps, 1))


KINDS = {"noise": noise, "relu": relu, "walk": walk(0.1), "near": near(0.03), "very near": near(0.001),
         "uneven": uneven}


# --- running the program --------------------------------------------------------------------------

class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.saved, self.runs = path, pathlib.Path(folder), {}, 0

    def save(self, array):
        """Saves an array; the same array gives the same file."""
        key = id(array)
        if key not in self.saved:
            path = self.folder / f"{len(self.saved)}.npy"
            np.save(path, array)
            self.saved[key] = (path, array)  # keeps the array alive, so that its id is not reused
        return str(self.saved[key][0])

    def forget(self):
        for path, _ in self.saved.values():
            path.unlink()
        self.saved.clear()

    def label(self, episodes, demos, options, threads=2):
        """(exit code, standard error, list of {name: array})"""
        out = self.folder / "rewards.npz"
        out.unlink(missing_ok=True)
        command = [self.path, "label", "--quiet", "--threads", str(threads), "--out", str(out), "--cost-matrix"]
        for demo in demos:
            command += ["--demo", self.save(demo)]
        for episode in episodes:
            command += ["--episode", self.save(episode)]
        method = options.get("method", "temporalot")
        command += ["--method", method]
        if reference.METHODS[method][0] == "transport":
            command += ["--plan"]
        command += flags_of(options)
        self.runs += 1
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            if out.exists():
                fail(f"{options}: exit {done.returncode}, and yet an output")
            return done.returncode, done.stderr, []
        with np.load(out) as file:
            arrays = {name: file[name] for name in file}
        if len(episodes) == 1:
            return 0, done.stderr, [arrays]
        return 0, done.stderr, [{re.sub(r"_\d+$", "", name): array for name, array in arrays.items()
                                 if name.endswith(f"_{k}")} for k in range(len(episodes))]


def flags_of(options):
    flags = []
    for name, value in options.items():
        if name == "mask":
            width = options.get("mask_width", 10)
            text = {"none": "none", "causal": "causal", "band": str(width), "dynamic": f"dynamic:{width}"}[value]
            flags += ["--mask", text]
        elif name == "mask_width":
            if "mask" not in options:
                flags += ["--mask-width", str(value)]
        elif name == "squash_alpha":
            flags += ["--squash", f"{value},{options.get('squash_beta', 5)}"]
        elif name not in ("method", "squash_beta"):
            flags += ["--" + name.replace("_", "-"), str(value)]
    return flags


# --- comparing ------------------------------------------------------------------------------------

class Group:
    def __init__(self, name, program):
        self.name, self.program, self.begun = name, program, time.perf_counter()
        self.cases = self.refused = self.ties = self.plans = 0
        self.reward = self.plan = self.marginal = self.cost = 0.0
        self.worst = ""

    def report(self):
        seconds = time.perf_counter() - self.begun
        print(f"{self.name:12} {self.cases:5} cases {self.refused:4} refused {self.ties:4} ties  worst: "
              f"reward {self.reward:.1e}  plan {self.plan:.1e}  marginal {self.marginal:.1e}  "
              f"cost {self.cost:.1e}  {seconds:5.1f} s  ({self.worst})", flush=True)
        self.program.forget()

    def check(self, episodes, demos, **options):
        """Labels feasible episodes in one run of the program, each of the others in its own run."""
        feasible, expected = [], []
        for episode in episodes:
            try:
                expected.append(reference.label(episode, demos, **options))
                feasible.append(episode)
            except reference.Infeasible as why:
                self.refuse(episode, demos, options, why)
        if not feasible:
            return
        code, said, got = self.program.label(feasible, demos, options)
        if code != 0:
            fail(f"{self.name} {shape_text(feasible, demos)} {options}: exit {code}: {said.strip()}")
            return
        for episode, one, ours in zip(feasible, expected, got):
            self.compare(f"{self.name} {shape_text([episode], demos)} {options}", one, ours, options)

    def refuse(self, episode, demos, options, why):
        self.refused += 1
        code, said, _ = self.program.label([episode], demos, options)
        what = f"{self.name} {shape_text([episode], demos)} {options}"
        if code != 1 or said.count("\n") != 1:
            fail(f"{what}: {why}, but exit {code}: {said.strip()!r}")
        elif str(why)[:3] in ("row", "col") and not re.search(r"\b(row|column|step|frame) \d+", said):
            fail(f"{what}: {said.strip()!r} names no row or column")

    def compare(self, what, expected, ours, options):
        self.cases += 1
        family = reference.METHODS[options.get("method", "temporalot")][0]
        rewards, got = expected["rewards"], ours["rewards"]
        if got.dtype != np.float32 or got.shape != rewards.shape or not np.isfinite(got).all():
            fail(f"{what}: rewards are {got.dtype} {got.shape}")
            return
        if expected["margin"] < TIE:
            self.ties += 1
            return
        largest = np.abs(rewards).max()
        off = np.abs(got - rewards).max()
        if off > ROUNDING.get(family, 1e-15):
            self.note_reward(off / largest, what)
        if int(ours["demo"]) != expected["demo"]:
            fail(f"{what}: demonstration {int(ours['demo'])}, expected {expected['demo']}")
        self.compare_cost(what, expected, ours, options)
        if family == "transport":
            self.compare_plan(what, expected, ours, options)

    def note_reward(self, share, what):
        if not share <= REWARD_TOLERANCE:
            fail(f"{what}: rewards are off by {share:.2e} of the largest")
        if share > self.reward:
            self.reward, self.worst = share, what.split(" ", 1)[1]

    def compare_cost(self, what, expected, ours, options):
        mask = expected["mask"] if options.get("mask", reference.METHODS[options.get("method", "temporalot")][2]) \
            == "band" else np.ones_like(expected["mask"])
        got = ours["cost"]
        if got.shape != mask.shape or not np.array_equal(np.isnan(got), ~mask):
            fail(f"{what}: the cost is not NaN exactly where the band was never computed")
            return
        off = np.abs(got - expected["cost"])[mask].max() / max(np.abs(expected["cost"][mask]).max(), 1e-10)
        self.cost = max(self.cost, off)
        if off > REWARD_TOLERANCE:
            fail(f"{what}: the cost is off by {off:.2e} of the largest")

    def compare_plan(self, what, expected, ours, options):
        tolerance = options.get("tolerance", 1e-9)
        iterations, tests = int(ours["iterations"]), expected["tests"]
        if iterations != expected["iterations"]:
            at = min(iterations, expected["iterations"])
            close = at in tests and abs(tests[at] - tolerance) <= 0.01 * tolerance
            if not close or abs(iterations - expected["iterations"]) > 10:
                fail(f"{what}: {iterations} iterations, expected {expected['iterations']} {tests.get(at)}")
                return
        elif bool(ours["converged"]) != expected["converged"]:
            margins = [abs(expected[key] - tolerance) for key in ("marginal_error", "mass_outside")]
            if min(margins) > 0.01 * tolerance:
                fail(f"{what}: converged {bool(ours['converged'])} with error {float(ours['marginal_error']):.3e}, "
                     f"expected {expected['marginal_error']:.3e}")
        self.plans += 1
        off = np.abs(ours["plan"] - expected["plan"]).max()
        self.plan = max(self.plan, off)
        if not off <= PLAN_TOLERANCE:
            fail(f"{what}: the plan is off by {off:.2e}")
        n, m = ours["plan"].shape
        carried = ours["converged"] and tolerance <= PLAN_TOLERANCE
        marginal = max(np.abs(ours["plan"].sum(0) - 1 / m).max() if carried else 0,
                       np.abs(ours["plan"].sum(1) - 1 / n).max())
        self.marginal = max(self.marginal, marginal)
        if not marginal <= PLAN_TOLERANCE:
            fail(f"{what}: a marginal is off by {marginal:.2e}")
        if abs(float(ours["marginal_error"]) - expected["marginal_error"]) > PLAN_TOLERANCE:
            fail(f"{what}: marginal error {float(ours['marginal_error']):.3e}, "
                 f"expected {expected['marginal_error']:.3e}")
        if abs(float(ours["mass_outside"]) - expected["mass_outside"]) > PLAN_TOLERANCE:
            fail(f"{what}: {float(ours['mass_outside']):.6f} of the mass outside, "
                 f"expected {expected['mass_outside']:.6f}")


def shape_text(episodes, demos):
    lengths = ",".join(str(len(episode)) for episode in episodes)
    return f"N={lengths} M={','.join(str(len(demo)) for demo in demos)} d={demos[0].shape[1]} {demos[0].dtype}"


# --- the groups -----------------------------------------------------------------------------------

LENGTHS = (1, 2, 3, 63, 88, 500)
MASKS = ({"mask": "none"}, {"mask": "band", "mask_width": 10}, {"mask": "causal"},
         {"mask": "dynamic", "mask_width": 10})


def lengths(group, rng):
    """Every pair of lengths with every mask, cycling through contexts, kinds and types."""
    turn = itertools.count()
    for m in LENGTHS:
        for mask in MASKS:
            k = next(turn)
            kind = KINDS[list(KINDS)[k % len(KINDS)]]
            kind_type = (np.float32, np.float64)[k % 2]
            episodes = [kind(rng, n, 39).astype(kind_type) for n in LENGTHS if n * m < 250000 or k % 4 < 2]
            group.check(episodes, [kind(rng, m, 39).astype(kind_type)], context=(3, 1, 5, 700)[k % 4], **mask)


def widths(group, rng):
    for width, kind_type in itertools.product((1, 39, 2048, 100352), (np.float32, np.float64)):
        for name, kind in KINDS.items():
            if width == 100352 and (name in ("walk", "noise", "uneven")) == (kind_type is np.float32):
                continue
            sizes = ((63, 63), (63, 88)) if width < 100000 else ((31, 34),)
            for n, m in sizes:
                episode, demo = kind(rng, n, width).astype(kind_type), kind(rng, m, width).astype(kind_type)
                group.check([episode], [demo])
                group.check([episode], [demo], method="ot")
                if width == 1 and name != "uneven":
                    group.check([episode], [demo], cost="euclidean", epsilon=0.1)
                if width < 2000:
                    group.check([episode], [demo], method="dynamic", context=5)


def large(group, rng):
    """Both long and wide, in float32: the product is split into blocks in both directions."""
    group.check([relu(rng, 88, 100352).astype(np.float32)], [relu(rng, 63, 100352).astype(np.float32)])
    near_kind = KINDS["near"]
    group.check([near_kind(rng, 300, 20000).astype(np.float32)], [near_kind(rng, 260, 20000).astype(np.float32)])
    group.check([KINDS["near"](rng, 500, 2048)], [KINDS["near"](rng, 500, 2048)], context=3)


def faint(group, rng):
    """Wide float32 episodes close to their demonstration: matched pairs cost far less than the others."""
    all_levels = (0.001, 0.003, 0.01, 0.02, 0.05)
    for width, steps, levels in ((8192, 12, all_levels), (20000, 3, all_levels), (100352, 5, (0.002, 0.015))):
        for noise_level in levels:
            demo = walk(0.3)(rng, steps, width)
            episode = demo + noise_level * rng.normal(size=demo.shape)
            demo, episode = demo.astype(np.float32), episode.astype(np.float32)
            for method in ("temporalot", "ot", "dynamic", "dtw", "soft-dtw", "min-distance", "segment"):
                group.check([episode], [demo], method=method)
            for method in ("temporalot", "ot"):
                group.check([episode], [demo], method=method, epsilon=0.001)


def epsilons(group, rng):
    for name, kind in KINDS.items():
        for n, m in ((63, 63), (40, 57)):
            for kind_type in (np.float32, np.float64):
                episode, demo = kind(rng, n, 39).astype(kind_type), kind(rng, m, 39).astype(kind_type)
                for epsilon, mask in itertools.product((1.0, 0.1, 0.01, 0.001), MASKS):
                    context = int(rng.choice([1, 3, 5, 100]))
                    group.check([episode], [demo], context=context, epsilon=epsilon, **mask)


def stopping(group, rng):
    """Iteration limits between convergence checks, loose and unreachable tolerances, many iterations."""
    for name in ("noise", "near"):
        episode, demo = KINDS[name](rng, 30, 39), KINDS[name](rng, 33, 39)
        for mask in MASKS:
            for iterations in (1, 2, 7, 10, 11, 12, 31, 1500):
                group.check([episode], [demo], iterations=iterations, epsilon=0.05, **mask)
            for tolerance in (0.0, 1e-12, 1e-4, 1e-2, 1.0):
                group.check([episode], [demo], tolerance=tolerance, epsilon=0.05, **mask)


def bands(group, rng):
    """Every small pair of lengths with narrow bands, feasible or not."""
    frames = {n: noise(rng, n, 7) for n in range(1, 13)}
    others = {n: noise(rng, n, 7) for n in range(1, 13)}
    for n, m in itertools.product((1, 2, 3, 5, 7, 8, 12), repeat=2):
        for width in (0, 1, 2, 12):
            group.check([frames[n]], [others[m]], mask="band", mask_width=width, epsilon=0.3)
    for n, m, width in ((500, 63, 1), (63, 500, 8), (63, 500, 7), (500, 499, 0), (500, 500, 0), (88, 63, 2)):
        group.check([noise(rng, n, 7)], [noise(rng, m, 7)], mask="band", mask_width=width)


def methods(group, rng):
    for name, kind in KINDS.items():
        demo = kind(rng, 63, 39)
        episodes = [kind(rng, n, 39) for n in (1, 2, 3, 80)]
        for method in reference.METHODS:
            group.check(episodes, [demo], method=method)
            group.check([kind(rng, 20, 39)], [kind(rng, n, 39) for n in (1, 2)], method=method, mask_width=30)
    for method in ("orca", "dtw", "soft-dtw", "min-distance", "segment", "threshold"):
        for name in ("near", "noise"):
            episode, demo = KINDS[name](rng, 40, 39), KINDS[name](rng, 50, 39)
            for mask in MASKS + ({"mask": "band", "mask_width": 1}, {"mask": "dynamic", "mask_width": 0}):
                for context in (1, 60):
                    group.check([episode], [demo], method=method, context=context, cost="euclidean", **mask)
                group.check([episode], [demo], method=method, tau=0.1, **mask)
    for method in ("orca", "dtw", "min-distance", "segment", "threshold"):
        group.check([KINDS["very near"](rng, 500, 39)], [KINDS["very near"](rng, 500, 39)], method=method)


def method_options(group, rng):
    episode, demo = KINDS["near"](rng, 40, 39), KINDS["near"](rng, 30, 39)
    for value in (0.001, 0.1, 1, 5, 100):
        group.check([episode], [demo], method="soft-dtw", smoothing=value)
        group.check([episode], [demo], method="orca", tau=value)
        group.check([episode], [demo], method="threshold", tau=value)
    for value in (0.0, 0.3, 0.99, 0.999, 1.0):
        group.check([episode], [demo], method="threshold", threshold=value)


def demonstrations(group, rng):
    """One to three demonstrations of different lengths and types, the mean over the best k, scale and squashing."""
    for name in ("noise", "near", "relu"):
        kind = KINDS[name]
        demos = [kind(rng, 50, 39), kind(rng, 44, 39).astype(np.float32), kind(rng, 61, 39)]
        episodes = [kind(rng, n, 39).astype(kind_type) for n in (45, 63) for kind_type in (np.float32, np.float64)]
        for method in reference.METHODS:
            group.check(episodes, demos, method=method)
            group.check(episodes[:1], demos[:2], method=method)
            for best in (2, 3, 10) if method != "soft-dtw" else (2,):
                group.check(episodes[1:2], demos, method=method, best=best)
        for scale in (0.5, 7.25, 1e6):
            group.check(episodes[:2], demos, scale=scale)
        group.check(episodes[:2], demos, squash_alpha=5, squash_beta=5)
        group.check(episodes[:2], demos, method="ot", best=2, scale=2.5, squash_alpha=3.0, squash_beta=0.5)


def starts(group, rng):
    """match=start: the matched demonstration need not be the one with the largest sum."""
    won = set()
    for name, context in itertools.product(("noise", "near", "relu"), (1, 3)):
        kind = KINDS[name]
        demos = [kind(rng, 50, 39), kind(rng, 44, 39).astype(np.float32), kind(rng, 61, 39)]
        for winner in range(3):
            # starts like one demonstration and continues like the next
            other = demos[(winner + 1) % 3]
            episode = np.concatenate([demos[winner][:5], other[5:45]]).astype(np.float64)
            episode += 0.001 * rng.normal(size=episode.shape)
            for match in ("best", "start"):
                group.check([episode], demos, match=match, context=context)
                group.check([episode], demos, match=match, context=context, best=2, scale=3.5)
                group.check([episode], demos, match=match, method="ot", context=context)
            told = [reference.label(episode, demos, match=match, context=context)["demo"] for match in ("best", "start")]
            if told[1] != winner:
                fail(f"starts {name}: demonstration {told[1]} where the episode begins as {winner}")
            won.add(tuple(told))
    if all(best == start for best, start in won):
        fail("starts: nothing tells the two ways of matching apart")


def zero_frames(group, rng):
    episode, demo = noise(rng, 20, 9), noise(rng, 22, 9)
    episode[7], demo[3], demo[21] = 0, 0, 0
    for mask in MASKS:
        group.check([episode], [demo], zero_frame="treat-as-far", **mask)
        group.check([episode], [demo], cost="euclidean", **mask)


def scale_auto(group, rng):
    """The first episode has scale 1, the others 10 / |its sum|."""
    demo = KINDS["near"](rng, 30, 39)
    episodes = [KINDS["near"](rng, n, 39) for n in (30, 33, 28)]
    code, said, got = group.program.label(episodes, [demo], {"scale": "auto"})
    if code != 0:
        fail(f"--scale auto: exit {code}: {said}")
        return
    expected = [reference.label(episode, [demo]) for episode in episodes]
    scale = reference.auto_scale(expected[0]["sum"])
    for k, (one, ours) in enumerate(zip(expected, got)):
        factor = 1 if k == 0 else scale
        group.cases += 1
        share = np.abs(ours["rewards"] - factor * one["rewards"]).max() / np.abs(factor * one["rewards"]).max()
        group.note_reward(share, f"auto episode {k} with scale {factor}")


def euclidean(group, rng):
    for name, kind in KINDS.items():
        if name == "uneven":
            continue  # costs of 1e25 and more make epsilon negligible
        for width, kind_type in itertools.product((1, 39, 2048), (np.float32, np.float64)):
            episode, demo = kind(rng, 63, width).astype(kind_type), kind(rng, 60, width).astype(kind_type)
            for epsilon, mask in itertools.product((1.0, 0.01), MASKS):
                group.check([episode], [demo], cost="euclidean", epsilon=epsilon, **mask)


def chord(group, rng):
    for name, kind in KINDS.items():
        if name == "uneven":
            continue
        for width, kind_type in itertools.product((2, 39, 2048), (np.float32, np.float64)):
            episode, demo = kind(rng, 63, width).astype(kind_type), kind(rng, 60, width).astype(kind_type)
            for epsilon, mask in itertools.product((1.0, 0.01), MASKS):
                group.check([episode], [demo], cost="chord", epsilon=epsilon, **mask)


def brute_force(group, rng):
    """All warping paths, enumerated."""
    for n, m in itertools.product((1, 2, 3, 5, 6), repeat=2):
        episode, demo = noise(rng, n, 5), noise(rng, m, 5)
        cost = reference.frame_cost(episode, demo)
        for options, expected in (({"method": "dtw"}, reference.brute_dtw(cost)),
                                  ({"method": "soft-dtw", "smoothing": 5}, reference.brute_soft_dtw(cost, 5)),
                                  ({"method": "soft-dtw", "smoothing": 0.05}, reference.brute_soft_dtw(cost, 0.05))):
            code, said, got = group.program.label([episode], [demo], options)
            group.cases += 1
            if code != 0:
                fail(f"{options}: exit {code}: {said}")
                continue
            share = np.abs(got[0]["rewards"] - expected).max() / np.abs(expected).max()
            group.note_reward(share, f"brute N={n} M={m} {options}")


def pot(group, rng):
    """The unmasked case, compared with another library."""
    try:
        import ot
    except ImportError:
        print("POT is not installed")
        return
    for name, kind in KINDS.items():
        for (n, m), epsilon in itertools.product(((63, 63), (88, 63), (3, 88)), (1.0, 0.1, 0.01, 0.001)):
            episode, demo = kind(rng, n, 39), kind(rng, m, 39)
            cost = reference.frame_cost(episode, demo)
            plan = ot.sinkhorn(np.full(n, 1 / n), np.full(m, 1 / m), cost, epsilon, method="sinkhorn_log",
                               numItermax=100, stopThr=1e-9, warn=False)
            code, said, got = group.program.label([episode], [demo], {"method": "ot", "epsilon": epsilon})
            if code != 0:
                fail(f"pot {name}: exit {code}: {said}")
                continue
            group.cases += 1
            off = np.abs(got[0]["plan"] - plan).max()
            group.plan = max(group.plan, off)
            if not off <= PLAN_TOLERANCE:
                fail(f"pot {name} N={n} M={m} epsilon {epsilon}: the plan is off by {off:.2e}")
            expected = -(plan * cost).sum(1)
            group.note_reward(np.abs(got[0]["rewards"] - expected).max() / np.abs(expected).max(),
                              f"pot {name} N={n} M={m} epsilon {epsilon}")


GROUPS = (lengths, widths, large, faint, epsilons, stopping, bands, methods, method_options, demonstrations, starts,
          zero_frames, scale_auto, euclidean, chord, brute_force, pot)


def main(arguments):
    chosen = [one for one in GROUPS if len(arguments) < 2 or one.__name__ in arguments[1:]]
    with tempfile.TemporaryDirectory() as folder, np.errstate(over="ignore", under="ignore"):
        program = Program(os.path.abspath(arguments[0]), folder)
        begun = time.perf_counter()
        for one in chosen:
            group = Group(one.__name__, program)
            one(group, np.random.default_rng(20240501))
            group.report()
        print(f"{program.runs} runs of the program, {time.perf_counter() - begun:.0f} s, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))

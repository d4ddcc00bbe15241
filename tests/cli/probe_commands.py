"""`temporalot probe` as a user types it.

    probe_commands.py --program PATH [TEST ...]
"""

import math

from workbench import check, main

SMALL = ["probe", "--task", "window-open", "--episodes", "1", "--goals", "1", "--demos", "1"]
REFERENCES = ["bent", "replay", "open", "short", "expert", "random"]


def test_json(bench):
    (found,) = bench.json(*SMALL, "--cost-on", "state", "--json")
    check([row["policy"] for row in found["references"]] == REFERENCES, found["references"])
    bent, *_, random = found["references"]
    check(bent["success"] == 1 and random["success"] == 0, "bent solves its goal, random does not")
    check(set(found["margins"]) == set(REFERENCES[1:5]), found["margins"])
    check(found["margins"]["short"]["goals"] == 1, "stopping short fails on the one goal")
    check(list(found["shift_loss"]) == ["near", "far", "left", "right", "up", "down"], found["shift_loss"])
    check(found["verdict"].endswith("."), found["verdict"])
    check(len(found["rows"]) >= 10 and "rank_correlation" in found, "what the probe said before is still there")


def test_fitted_view(bench):
    """The two views give different rewards, and the text has every part."""
    look = [*SMALL, "--size", "32", "--stride", "16"]
    whole = bench.succeeds(*look)
    fitted = bench.succeeds(*look, "--view", "fitted", "--view-margin", "0.1")
    for text in (whole, fitted):
        for words in ("rank correlation", "bent to the goal", "fingers never close", "near ", "Solving the task"):
            check(words in text, f"{words!r} is not in {text!r}")
    for first, second in zip(whole.split("on fresh goals"), fitted.split("on fresh goals")):
        check(first != second, "the view makes no difference")
    # the former name of the option
    check(bench.succeeds(*SMALL, "--size", "32", "--cell=16") == whole, "--cell is not --stride")


def test_both_views(bench):
    """The fitted view and that of the hand: other rewards than either alone, and with all weight on the first its own."""
    look = [*SMALL, "--size", "32", "--stride", "16", "--whiten", "random", "--whiten-episodes", "4", "--json", "--view"]
    (fitted,), (hand,), (both,), (first,) = (
        bench.json(*look, *more) for more in (["fitted"], ["hand"], ["both"], ["both", "--first-view", "1"]))
    for part in "rows", "references":
        check(both[part] != fitted[part] and both[part] != hand[part], f"{part}: one of the views makes no difference")
        for one, other in zip(fitted[part], first[part]):
            check(abs(one["reward"] - other["reward"]) < 1e-5, f"the second view has weight: {one} {other}")
    bench.fails(*look, "both", "--views", "2", names=["--views"], code=2)


def test_several_cameras(bench):
    """A list of cameras with their views: `both` is one of them, and a second camera and a hidden arm make a difference."""
    look = [*SMALL, "--size", "32", "--stride", "16", "--json"]
    both, pair, other, bare = (bench.json(*look, *more)[0] for more in (
        ["--view", "both"], ["--camera", ":fitted,:hand"], ["--camera", ":fitted,corner:fitted"],
        ["--camera", ":fitted,:hand:hidden"]))
    check(both == pair, "the same two views are not the same")
    for changed in other, bare:
        check(changed["rows"] != both["rows"] and changed["references"] != both["references"], "makes no difference")


def test_whitening(bench):
    """Whitening changes the rewards in both halves, reproducibly."""
    look = [*SMALL, "--size", "32", "--stride", "16", "--json"]
    (plain,), (whitened,), (again,), (softer,) = (
        bench.json(*look, *more) for more in ([], ["--whiten", "random", "--whiten-episodes", "4"],
                                              ["--whiten", "random", "--whiten-episodes", "4"],
                                              ["--whiten=random", "--whiten-episodes=4", "--whiten-floor=1e6"]))
    check(whitened == again, "whitening is not the same twice")
    check(plain["rows"] != whitened["rows"] and plain["references"] != whitened["references"], "whitening changes nothing")
    for one, other in zip(plain["rows"], softer["rows"]):
        check(abs(one["reward"] - other["reward"]) < 1e-4, f"a floor above all variances is no whitening: {one} {other}")


def test_two_cameras(bench):
    """Demonstrations from another camera give other rewards; from the same camera, the same."""
    look = [*SMALL, "--size", "32", "--stride", "16", "--json", "--camera"]
    (alike,), (named,), (other,), (turned,) = (
        bench.json(*look, *more) for more in (["corner"], ["corner", "--camera-demo", "corner"],
                                              ["corner3", "--camera-demo", "corner"], ["corner", "--orbit", "20"]))
    check(alike == named, "the camera's own name makes a difference")
    check(alike["rows"] != other["rows"] and alike["references"] != other["references"], "another camera makes none")
    check(alike["rows"] != turned["rows"] and alike["references"] != turned["references"], "an orbit makes none")
    bench.fails(*look, "corner", "--camera-demo", "corn", names=["corn", "did you mean"])


def test_search(bench):
    """A row of the search is what probe says with the same settings, and the best row is the one with the largest score."""
    look = [*SMALL, "--size", "32", "--whiten", "random", "--whiten-episodes", "4", "--json"]
    (found,) = bench.json(*look, "--search")
    rows = found["rows"]
    scores = [-math.inf if row["score"] is None else row["score"] for row in rows]  # null: no range
    check(scores[found["best"]] == max(scores) > -math.inf, "the best has not the largest score")
    for view, margin in ("camera", None), ("fitted", 0.2), ("hand", None), ("both", 0.1):
        (row,) = (row for row in rows if (row["view"], row["view_margin"], row["stride"]) == (view, margin, 32)
                  and (row["center"], row["match"], row["context"], row["epsilon"]) == ("demos", "start", 3, 0.01))
        (alone,) = bench.json(*look, "--view", view, "--stride", "32", "--center", "demos", "--match", "start",
                              *(["--view-margin", str(margin)] if margin else []))
        for one, other in zip(row["references"], alone["references"], strict=True):
            check(one == other, f"{view}: {one} in the search, {other} alone")


def test_search_text(bench):
    """What a person reads fits 80 columns and ends in the options to use."""
    said = bench.succeeds(*SMALL, "--size", "32", "--search").splitlines()
    check(max(map(len, said)) <= 80, max(said, key=len))
    (best,) = (k for k, line in enumerate(said) if line.startswith("best: --view "))
    check(said[best + 1].split()[::2] == ["--context", "--epsilon"], said[best + 1])


def test_other_kind(bench):
    """An option that only a task's probe uses is refused with recordings, and the other way round."""
    for option, value in ("camera", "corner"), ("svg", "a.svg"), ("goals", "3"), ("view-margin", "0.1"), ("arm", "drawn"):
        bench.fails("probe", "--demo", "a.npy", f"--{option}", value, names=[f"--{option}", "--task"], code=2)
    bench.fails("probe", "--demo", "a.npy", "--search", names=["--search", "--task"], code=2)
    for option, value in ("crop", "moving"), ("fps", "5"), ("every", "2"):
        bench.fails(*SMALL, f"--{option}", value, names=[f"--{option}", "--demo"], code=2)


def test_refusals(bench):
    for arguments, name in ((["--view", "nowhere"], "--view"),
                            (["--view", "fitted", "--view-margin", "0"], "--view-margin"),
                            (["--view", "fitted", "--zoom", "2"], "--zoom"),
                            (["--whiten", "demos"], "--whiten"),
                            (["--whiten", "random", "--cost-on", "state"], "--whiten"),
                            (["--whiten", "random", "--whiten-episodes", "1"], "--whiten-episodes"),
                            (["--whiten", "random", "--whiten-floor", "0"], "--whiten-floor"),
                            (["--view", "fitted", "--cost-on", "state"], "--view"),
                            (["--search", "--cost-on", "state"], "--search"),
                            (["--search", "--precision", "int8"], "--search"),
                            (["--orbit", "10", "--view", "fitted"], "--orbit"),
                            (["--orbit", "10", "--view", "both"], "--orbit"),
                            (["--view", "both", "--zoom", "2"], "--zoom"),
                            (["--camera", "corner:above"], "'above'"),
                            (["--camera", "corner,corner3", "--view", "both", "--cost-on", "state"], "--view"),
                            (["--camera", "corner,corner2,corner3", "--view", "both"], "4 views"),
                            (["--camera", "corner,corner3", "--orbit", "10"], "--orbit"),
                            (["--camera", "corner,corner3", "--search"], "--search"),
                            (["--view", "hand", "--search"], "--search"),
                            (["--camera", "corner:camera", "--search"], "--search"),
                            (["--zoom", "2", "--search"], "--zoom"),
                            (["--camera-demo", "corner", "--search"], "--camera-demo"),
                            (["--camera-demo", "corner", "--cost-on", "state"], "--camera-demo")):
        bench.fails(*SMALL, *arguments, names=[name], code=2)
    bench.fails("probe", "--task", "window-open", "--cost-on", "state", "--episodes", "1", "--goals", "0",
                names=["goals"])


if __name__ == "__main__":
    main(globals())

"""`temporalot report --diagnose` as a user types it.

    diagnose_commands.py --program PATH [TEST ...]
"""

from workbench import check, main

KINDS = ["policy", "bent", "replay", "open", "short", "expert", "random"]
SMALL = ["--task", "window-open", "--preset", "paper", "--set", "cost_on=state", "steps=63", "hidden=16", "batch=8",
         "feature=8", "eval_every=63", "eval_episodes=2", "warmup=40", "update_after=60", "video=0", "capacity=100"]


def small_run(bench, name="run", *more):
    bench.succeeds("train", *SMALL, *more, "--out", name, "--quiet")
    return bench / name


def test_text(bench):
    run = small_run(bench)
    before = sorted((path, path.stat().st_mtime_ns) for path in run.rglob("*"))
    text = bench.succeeds("report", run, "--diagnose", "--goals", "1")
    for words in ("window-open, temporalot, after 63 steps", "the policy of this run", "demonstration bent to the goal",
                  "fingers never close", "random actions", "what happens", "Solves "):
        check(words in text, f"{words!r} is not in {text!r}")
    check("nan" not in text, text)
    check(max(map(len, text.splitlines())) < 80, "lines fit 80 columns")
    after = sorted((path, path.stat().st_mtime_ns) for path in run.rglob("*"))
    check(before == after, "nothing in the run's folder has changed")


def test_json_and_page(bench):
    run = small_run(bench)
    (found,) = bench.json("report", run, "--diagnose", "--goals", "2", "--json", "--out", "page.html")
    check([row["name"] for row in found["episodes_of"]] == KINDS, found["episodes_of"])
    check(found["episodes_of"][1]["success_rate"] == 1, "bent demonstrations solve their goals")
    check(found["step"] == 63 and len(found["episodes"]) == 2, found)
    for one in found["episodes"]:
        check(one["success"] == (one["failure"] == "solved"), one)
        check(one["distance"] >= 0 and one["bent_return"] < 0 and one["demo"] in (0, 1), one)
        offset = (one["right"] ** 2 + one["up"] ** 2 + one["near"] ** 2) ** 0.5
        check(abs(offset - one["distance"]) < 1e-5, "the offset is as long as the distance")
    check(found["verdict"].startswith("Solves ") and found["out"] == "page.html", found)
    page = (bench / "page.html").read_text()
    check("Diagnosis" in page and "Success rate" in page, "the page is the run's, with the diagnosis")
    check(found["verdict"].split(".")[0] in page, "the verdict is on the page")
    # the diagnosis can also be written to the run's own page
    own = run / "report.html"
    check("Diagnosis" not in own.read_text(), "training does not diagnose")
    bench.succeeds("report", run, "--diagnose", "--goals", "1", "--out", own, "--quiet")
    check("Diagnosis" in own.read_text(), "now it has one")


def test_kinds_of_runs(bench):
    """Several views, an agent that observes pixels, and demonstrations from a file with demo_speed=2."""
    bench.succeeds("demo", "collect", "--task", "window-open", "--out", "demos.npz", "--quiet")
    for name, *more in (["views", "cost_on=image", "size=32", "stride=16", "encoder=mobilenetv2", "renderer=soft",
                         "quality=fast", "camera=corner:fitted,corner3"],
                        ["pixels", "obs=pixels", "pixels=36", "filters=16", "renderer=soft", "quality=fast"],
                        ["file", "demo=demos.npz", "demo_speed=2"]):
        run = small_run(bench, name, *more)
        (found,) = bench.json("report", run, "--diagnose", "--goals", "1", "--json")
        policy, bent, *_, random = found["episodes_of"]
        check(bent["success_rate"] == 1 and bent["return"] > random["return"], f"{name}: {found['episodes_of']}")
        check(policy["return"] < 0, f"{name}: {policy}")


def test_training_says_how(bench):
    done = bench.run("train", *SMALL, "--out", "run")  # progress goes to standard error
    check(done.returncode == 0 and "temporalot report run --diagnose" in done.stdout, done)


def test_refusals(bench):
    run = small_run(bench)
    for arguments, name in ((["--goals", "0"], "--goals"), (["--csv", "a.csv"], "--diagnose"),
                            (["--out", "page.txt"], ".html"),
                            (["--out", run / "metrics.csv"], "metrics.csv")):
        bench.fails("report", run, "--diagnose", *arguments, names=[name], code=2)
    bench.fails("report", "--diagnose", names=["run folders"], code=2)
    (bench / "other.html").write_text("mine")
    bench.fails("report", run, "--diagnose", "--out", "other.html", names=["other.html"], code=2)
    short = small_run(bench, "short", "horizon=50")
    bench.fails("report", short, "--diagnose", names=["horizon: ", "50"])


if __name__ == "__main__":
    main(globals())

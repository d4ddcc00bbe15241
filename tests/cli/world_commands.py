"""`temporalot rollout`, `demo collect` and `doctor` as a user types them.

    world_commands.py --program PATH [--sanitized] [TEST ...]
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np

from workbench import check, chosen, main

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "world"))

TASKS = ["basketball", "button-press-topdown", "door-lock", "door-open", "door-unlock", "hand-insert", "lever-pull",
         "push", "stick-push", "window-open"]
HOLD = {"basketball", "door-open", "lever-pull"}
REWARDS = ["reward", "info_success", "info_near_object", "info_grasp_success", "info_grasp_reward",
           "info_in_place_reward", "info_obj_to_target", "info_unscaled_reward"]


def load(bench, name):
    with np.load(bench / name, allow_pickle=False) as file:
        arrays = {key: file[key] for key in file}
    check(arrays["meta"].dtype == np.uint8 and arrays["meta"].ndim == 1, "meta")
    return arrays, json.loads(bytes(arrays["meta"]).decode("utf-8"))


def check_arrays(arrays, steps, draw, suffix=""):
    kinds = {"observations": ((steps + 1, 39), np.float64), "actions": ((steps, 4), np.float32),
             "success": ((steps,), np.uint8), "rand_vec": ((draw,), np.float64)}
    kinds |= {name: ((steps,), np.float64) for name in REWARDS}
    for name, (shape, kind) in kinds.items():
        array = arrays[name + suffix]
        check(array.shape == shape and array.dtype == kind, f"{name}{suffix}: {array.shape} {array.dtype}")
        check(np.isfinite(array).all(), f"{name}{suffix} is not finite")
    check(set(np.unique(arrays["success" + suffix])) <= {0, 1}, "success")


def same(one, other):
    return set(one) == set(other) and all(np.array_equal(one[key], other[key]) for key in one)


def rollout(bench, *arguments, task="push", policy="expert", out="traj.npz"):
    said = bench.json("rollout", "--task", task, "--policy", policy, "--out", out, "--json", *arguments)[0]
    arrays, meta = load(bench, out)
    return arrays, meta, said


# --- rollout --------------------------------------------------------------------------------------

def test_rollout_expert(bench):
    arrays, meta, said = rollout(bench, task="button-press-topdown")
    check_arrays(arrays, 125, 3)
    check(set(arrays) == {"observations", "actions", "success", "rand_vec", "meta", *REWARDS}, f"names {set(arrays)}")
    check(said["success"] is True and arrays["success"][-1] == 1, "the expert fails")
    check(said["first_success"] == int(np.argmax(arrays["success"])), f"first success {said['first_success']}")
    check(abs(said["return"] - arrays["reward"].sum()) < 1e-9 * abs(said["return"]), f"return {said['return']}")
    check(said["rand_vec"] == arrays["rand_vec"].tolist(), "rand_vec")
    check(said["steps"] == 125 and said["frames"] == 125, f"{said}")
    expected = {"task": "button-press-topdown", "policy": "expert", "seed": 0, "episode": 0, "attempts": 1,
                "camera": "corner", "upright": True, "action_repeat": 1, "horizon": 125, "hold": False, "speed": 1,
                "mujoco": "3.3.0", "metaworld": "3.1.1", "renderer": None, "metaworld_box": False,
                "first_success": said["first_success"]}
    wrong = {key: meta.get(key) for key in expected if meta.get(key, "absent") != expected[key]}
    check(not wrong, f"meta has {wrong}")
    check(meta["program"] == bench.succeeds("--version").split()[1], "program")
    check(np.abs(arrays["actions"]).max() <= 1, "actions are not clipped")

    told = bench.succeeds("rollout", "--task", "button-press-topdown", "--policy", "expert")
    for word in ("success at the last step: yes", f"first success at step {said['first_success']}", "125 frames",
                 "episode 0 of seed 0", "replaced traj.npz"):
        check(word in told, f"{word!r} is not in {told!r}")
    check(bench.succeeds("rollout", "--task", "push", "--policy", "zero", "--quiet") == "", "not quiet")


def test_rollout_seeds(bench):
    first, _, _ = rollout(bench, "--steps", "20")
    again, _, _ = rollout(bench, "--steps", "20", "--threads", "1")
    check(same(first, again), "the same seed gives something else")
    files = [(bench / "traj.npz").read_bytes()]
    rollout(bench, "--steps", "20")
    files.append((bench / "traj.npz").read_bytes())
    check(files[0] == files[1], "other bytes")
    draws = {tuple(rollout(bench, "--steps", "1", "--seed", seed, "--episode", episode)[0]["rand_vec"])
             for seed in (0, 1, 9007199254740991) for episode in ((0, 2) if chosen.sanitized else (0, 1, 2))}
    count = 6 if chosen.sanitized else 9
    check(len(draws) == count, f"{len(draws)} different draws of {count}")


def test_rollout_random(bench):
    first, meta, _ = rollout(bench, policy="random")
    again, _, _ = rollout(bench, policy="random")
    other, _, _ = rollout(bench, "--episode", "1", policy="random")
    actions = first["actions"]
    check(same(first, again), "random is not a function of the seed")
    check(not np.array_equal(actions, other["actions"]), "every episode has the same actions")
    check(np.abs(actions).max() <= 1 and abs(actions.mean()) < 0.15 and actions.std() > 0.5, "not uniform in -1 .. 1")
    check(meta["policy"] == "random", f"{meta}")
    given = ",".join(map(repr, first["rand_vec"].tolist()))
    there, meta, _ = rollout(bench, "--rand-vec", given, policy="random")
    check(np.array_equal(there["observations"], first["observations"]), "a given draw changes random actions")


def test_rollout_action_repeat(bench):
    for task, steps in (("push", 63), ("lever-pull", 88)):
        arrays, meta, said = rollout(bench, "--action-repeat", "2", task=task)
        check_arrays(arrays, steps, len(arrays["rand_vec"]))
        check(meta["action_repeat"] == 2 and said["frames"] == 2 * steps - 1, f"{said}")
    arrays, _, said = rollout(bench, "--action-repeat", "3", "--steps", "100", policy="zero")
    check_arrays(arrays, 100, 6)
    check(said["frames"] == 300, "steps are of 3 frames")


def test_rollout_file_of_actions(bench):
    rng = np.random.default_rng(3)
    wide = rng.uniform(-1.2, 1.2, (150, 4))
    np.save(bench / "wide.npy", wide)
    np.save(bench / "narrow.npy", wide.astype(np.float32))
    np.save(bench / "fortran.npy", np.asfortranarray(wide.astype(np.float32)))
    narrow, meta, said = rollout(bench, policy="narrow.npy")
    check_arrays(narrow, 150, 6)
    check(np.array_equal(narrow["actions"], wide.astype(np.float32)), "actions")
    check(meta["policy"] == "file" and said["policy"] == "narrow.npy", f"{meta}")
    check(same(rollout(bench, policy="fortran.npy")[0], narrow), "Fortran order")
    doubles, _, _ = rollout(bench, policy="wide.npy")
    off = np.abs(doubles["observations"] - narrow["observations"]).max()
    check(0 < off < 0.05, f"float64 and float32 actions differ by {off}")
    short, _, _ = rollout(bench, "--steps", "30", policy="wide.npy")
    check(np.array_equal(short["observations"], doubles["observations"][:31]), "--steps cuts")

    # a recording can be replayed
    rollout(bench, "--seed", "4", out="first.npz")
    expert, _ = load(bench, "first.npz")
    again, _, _ = rollout(bench, "--seed", "4", policy="first.npz:actions")
    check(np.array_equal(again["observations"], expert["observations"]), "a replay goes elsewhere")


def test_rollout_given_draw(bench):
    first, _, _ = rollout(bench, "--seed", "7", "--episode", "3", task="door-open")
    text = ",".join(map(repr, first["rand_vec"].tolist()))
    given, meta, said = rollout(bench, "--rand-vec", text, task="door-open")
    check(np.array_equal(first["observations"], given["observations"]), "the same draw, another episode")
    check(meta["seed"] is None and meta["episode"] is None and said["seed"] is None, f"{meta}")
    told = bench.succeeds("rollout", "--task", "door-lock", "--policy", "zero", "--rand-vec=-0.1,0.8,0.15")
    check("given rand_vec: -0.1 0.8 0.15" in told, told)
    wide = "0,0.6,0.0299,0.09,0.85,0"
    bench.fails("rollout", "--task", "basketball", "--policy", "zero", "--rand-vec", wide, code=2, names=["--rand-vec[3]"])
    _, meta, _ = rollout(bench, "--metaworld-box", "--rand-vec", wide, task="basketball", policy="zero")
    check(meta["metaworld_box"] is True, f"{meta}")


def test_rollout_is_metaworld(bench):
    """The Python package, given the draw and the recorded actions, gives the same observations."""
    from parity import Peer
    for task in ("push", "lever-pull"):
        arrays, _, _ = rollout(bench, "--action-repeat", "2", "--steps", "40", task=task, policy="random")
        peer = Peer(task)
        seen = peer.reset(arrays["rand_vec"])
        for k, action in enumerate(arrays["actions"]):
            check(np.array_equal(seen["observation"], arrays["observations"][k]), f"{task}: observation {k}")
            rewards = []
            for _ in range(2):
                seen = peer.step(action)
                rewards.append(seen["v2"][0])
            check(bool(seen["v2"][1]) == bool(arrays["success"][k]), f"{task}: success {k}")
            check(sum(rewards) == arrays["reward"][k], f"{task}: reward {k}")
            check([arrays[name][k] for name in REWARDS[1:]] == list(seen["v2"][1:]), f"{task}: info {k}")
        check(np.array_equal(seen["observation"], arrays["observations"][-1]), f"{task}: the last observation")


# --- demo collect ---------------------------------------------------------------------------------

def test_collect_all_tasks(bench):
    told = []
    for task in ("door-open", "push") if chosen.sanitized else TASKS:
        said = bench.json("demo", "collect", "--task", task, "--json")[0]
        check(said["out"] == f"demos/{task}.npz" and said["count"] == 2, f"{said}")
        arrays, meta = load(bench, f"demos/{task}.npz")
        steps = 88 if task in ("basketball", "lever-pull") else 63
        for k in range(2):
            check_arrays(arrays, steps, len(arrays["rand_vec_0"]), f"_{k}")
            check(arrays[f"success_{k}"][-1] == 1, f"{task}: demonstration {k} does not end in success")
            check(np.abs(arrays[f"actions_{k}"]).max() <= 1, "actions are not clipped")
        check(not np.array_equal(arrays["rand_vec_0"], arrays["rand_vec_1"]), "twice the same")
        check(meta["hold"] is (task in HOLD), f"{task}: hold {meta['hold']}")
        check(meta["action_repeat"] == 2 and meta["speed"] == 1 and meta["seed"] == 0, f"{meta}")
        episodes = np.cumsum([one["attempts"] for one in meta["trajectories"]]) - 1
        check([one["episode"] for one in meta["trajectories"]] == episodes.tolist(), f"{meta['trajectories']}")
        check(meta["attempts"] == said["attempts"] == episodes[-1] + 1, "attempts")
        check(all(one["first_success"] == int(np.argmax(arrays[f"success_{k}"]))
                  for k, one in enumerate(meta["trajectories"])), "first success")
        told.append(f"{task} {said['attempts']}")
    return "attempts: " + ", ".join(told)


def test_collect_one(bench):
    said = bench.succeeds("demo", "collect", "--task", "door-open", "--count", "1", "--seed", "5", "--out", "a/b/c.npz")
    check("1 demonstration in " in said and "wrote a/b/c.npz" in said and "hold on" in said, said)
    arrays, meta = load(bench, "a/b/c.npz")
    check_arrays(arrays, 63, 3)
    check(meta["seed"] == 5 and meta["episode"] == meta["attempts"] - 1, f"{meta}")
    first = (bench / "a/b/c.npz").read_bytes()
    bench.succeeds("demo", "collect", "--task", "door-open", "--count", "1", "--seed", "5", "--out", "again.npz")
    check((bench / "again.npz").read_bytes() == first, "the same seed, other bytes")
    # label accepts observations as they are
    bench.succeeds("label", "--demo", "again.npz:observations", "--episode", "a/b/c.npz:observations")


def test_collect_speed_and_hold(bench):
    collect = ["demo", "collect", "--task", "basketball", "--count", "1"]
    bench.succeeds(*collect, "--out", "plain.npz")
    bench.succeeds(*collect, "--speed", "3", "--out", "fast.npz")
    plain, _ = load(bench, "plain.npz")
    fast, meta = load(bench, "fast.npz")
    check_arrays(fast, 30, 6)
    check(meta["speed"] == 3 and meta["action_repeat"] == 2, f"{meta}")
    check(np.array_equal(fast["observations"][:-1], plain["observations"][:-1:3]), "observations")
    check(np.array_equal(fast["observations"][-1], plain["observations"][-1]), "the last observation")
    check(np.array_equal(fast["actions"], plain["actions"][::3]), "actions")
    bench.succeeds(*collect, "--hold", "off", "--out", "off.npz")
    off, meta = load(bench, "off.npz")
    first = int(np.argmax(plain["success"]))
    check(meta["hold"] is False and np.array_equal(off["actions"][:first], plain["actions"][:first]), "hold")
    check((plain["actions"][first + 1:, :3] == 0).all() and (off["actions"][first + 1:, :3] != 0).any(), "hold")


def test_collect_is_metaworld(bench):
    """The protocol in Python, frame by frame, with the same draw: the same demonstration."""
    from parity import Peer
    for task in ("door-open", "lever-pull", "door-lock"):
        bench.succeeds("demo", "collect", "--task", task, "--out", "demo.npz")
        arrays, meta = load(bench, "demo.npz")
        peer = Peer(task)
        for k in range(2):
            now = peer.reset(arrays[f"rand_vec_{k}"])
            seen, acted, reached, holding = [], [], [], False
            for _ in range(meta["horizon"]):
                holding = holding or bool(now["v2"][1])
                action = np.clip(now["expert"], -1, 1)
                if meta["hold"] and holding:
                    action = np.array([0, 0, 0, acted[-1][3]], dtype=np.float32)
                seen.append(now["observation"])
                acted.append(action)
                now = peer.step(action)
                reached.append(bool(now["v2"][1]))
            seen = np.array(seen[::2] + [now["observation"]])
            check(np.array_equal(seen, arrays[f"observations_{k}"]), f"{task}: observations of {k}")
            check(np.array_equal(acted[::2], arrays[f"actions_{k}"]), f"{task}: actions of {k}")
            check(reached[1::2] + reached[-1:] == arrays[f"success_{k}"].astype(bool).tolist(), f"{task}: success")


def test_collect_gives_up(bench):
    said = bench.fails("demo", "collect", "--task", "lever-pull", "--hold", "off", "--attempts", "40",
                       names=["lever-pull", "40 attempts", "0.0 %", "hold off"])
    return said.strip()


def test_collect_stopped_by_hand(bench):
    command = [bench.program, "demo", "collect", "--task", "lever-pull", "--hold", "off", "--attempts", "1000000"]
    process = subprocess.Popen(command, cwd=bench.folder, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    check(process.returncode == 130 and said.count("\n") == 1 and "stopped" in said, f"{process.returncode} {said!r}")
    check(bench.files() == [], f"left {bench.files()}")


# --- errors ---------------------------------------------------------------------------------------

def test_usage(bench):
    for command in (["rollout"], ["demo"], ["demo", "collect"], ["doctor"]):
        check("usage: temporalot " + command[0] in bench.succeeds(*command, "--help"), f"{command} --help")
    bench.fails("demo", code=2, names=["demo collect"])
    bench.fails("demo", "colect", code=2, names=["colect"])
    bench.fails("demo", "collect", code=2, names=["--task"])
    bench.fails("demo", "collect", "more", "--task", "push", code=2, names=["more", "temporalot demo collect --help"])
    bench.fails("rollout", "--policy", "expert", code=2, names=["--task"])
    bench.fails("rollout", "--task", "push", code=2, names=["--policy"])
    for command in (["rollout", "--policy", "zero"], ["demo", "collect"]):
        bench.fails(*command, "--task", "dor-open", code=2, names=["dor-open", "door-open"])
        bench.fails(*command, "--task", "xyzzy", code=2, names=["xyzzy", "window-open"])
        bench.fails(*command, "--task", "push", "--seed", "-1", code=2, names=["--seed"])
        bench.fails(*command, "--task", "push", "--seed", "1.5", code=2, names=["--seed"])
    bench.fails("demo", "collect", "--task", "push", "--hold", "maybe", code=2, names=["maybe"])
    bench.fails("demo", "collect", "--task", "push", "--count", "0", names=["count"])
    bench.fails("demo", "collect", "--task", "push", "--speed", "0", names=["speed"])
    bench.fails("demo", "collect", "--task", "push", "--attempts", "0", names=["attempts"])
    bench.fails("demo", "collect", "--task", "push", "--seed", "9007199254740992", names=["seed"])
    run = ["rollout", "--task", "push", "--policy", "zero"]
    bench.fails(*run, "--steps", "-1", code=2, names=["--steps"])
    bench.fails(*run, "--action-repeat", "0", code=2, names=["--action-repeat"])
    bench.fails(*run, "--steps", "1000000", "--action-repeat", "1000000", code=2, names=["--steps"])
    bench.fails(*run, "--episode", "-3", code=2, names=["--episode"])
    bench.fails("doctor", "more", code=2, names=["more"])


def test_bad_draws(bench):
    run = ["rollout", "--task", "hand-insert", "--policy", "zero", "--rand-vec"]
    bench.fails(*run, "0,0.6", code=2, names=["--rand-vec:", "6 numbers, not 2"])
    bench.fails(*run, "0,0.6,x", code=2, names=["--rand-vec[2]", "'x'"])
    bench.fails(*run, "0,,0.05", code=2, names=["--rand-vec[1]"])
    bench.fails(*run, "", code=2, names=["--rand-vec[0]"])
    bench.fails(*run, "0,nan,0.05,0,0.85,0", code=2, names=["nan"])
    bench.fails(*run, "0,0.6,0.05,0,0.85,0,1", code=2, names=["more than 6"])
    bench.fails(*run, "0,0.6,0.05,0,9,-0.02", code=2, names=["--rand-vec[4]", "box"])
    bench.fails(*run, "0,0.7,0.05,0,0.84,-0.02", code=2, names=["--rand-vec:", "apart"])


def test_bad_actions(bench):
    actions = np.zeros((20, 4), np.float32)
    run = ["rollout", "--task", "push", "--policy"]
    for bad in (np.nan, np.inf, -np.inf):
        for kind in (np.float32, np.float64):
            wrong = actions.astype(kind)
            wrong[13, 2] = bad
            np.save(bench / "bad.npy", wrong)
            bench.fails(*run, "bad.npy", names=["bad.npy", "step 13", "column 2"])
    for shape in ((20, 3), (20, 5), (80,), (0, 4), (20, 4, 1), ()):
        np.save(bench / "bad.npy", np.zeros(shape))
        bench.fails(*run, "bad.npy", names=["bad.npy", "steps x 4"])
    np.save(bench / "bad.npy", np.zeros((20, 4), np.int64))
    bench.fails(*run, "bad.npy", names=["bad.npy", "int64"])
    np.save(bench / "bad.npy", actions)
    (bench / "cut.npy").write_bytes((bench / "bad.npy").read_bytes()[:-7])
    bench.fails(*run, "cut.npy", names=["cut.npy", "cut short"])
    bench.fails(*run, "bad.npy", "--steps", "21", code=2, names=["bad.npy", "21", "20"])
    bench.fails(*run, "none.npy", names=["none.npy"])
    bench.fails(*run, "exprt", code=2, names=["exprt", "expert"])
    bench.fails(*run, "", code=2)
    (bench / "runs").mkdir()
    bench.fails(*run, "runs", names=["runs", "config.yaml"])


def test_missing_parts(bench):
    for command in (["rollout", "--task", "push", "--policy", "zero"], ["demo", "collect", "--task", "push"]):
        bench.fails(*command, environment={"MUJOCO_DIR": "/nonexistent"},
                    names=["MUJOCO_DIR", "/nonexistent", "scripts/deps"])
        bench.fails(*command, environment={"METAWORLD_DIR": "/nonexistent"},
                    names=["METAWORLD_DIR", "/nonexistent", "scripts/deps"])
        (bench / "assets/sawyer_xyz").mkdir(parents=True, exist_ok=True)
        bench.fails(*command, environment={"METAWORLD_DIR": str(bench.folder)}, names=["sawyer_push", "scripts/deps"])


def test_output_that_cannot_be_written(bench):
    (bench / "folder").mkdir()
    (bench / "file").write_text("x")
    (bench / "old.npz").write_text("what was there")
    run = ["rollout", "--task", "push", "--policy", "zero", "--steps", "5", "--out"]
    collect = ["demo", "collect", "--task", "push", "--count", "1", "--out"]
    bench.fails(*run, "nowhere/traj.npz", names=["nowhere/traj.npz"])
    for command in (run, collect):
        bench.fails(*command, "folder", names=["folder"])
        bench.fails(*command, "file/traj.npz", names=["file"])
        bench.fails(*command, "", code=(1, 2))
        bench.fails(*command, "/proc/traj.npz", names=["/proc/traj.npz"])
        if os.geteuid() != 0:
            (bench / "folder").chmod(0o555)
            bench.fails(*command, "folder/traj.npz", names=["folder/traj.npz"])
            (bench / "folder").chmod(0o755)
    bench.fails(*collect, "/proc/none/demo.npz", names=["/proc/none"])
    # a failed run keeps the existing file, a successful one replaces it
    bench.fails(*run, "old.npz", code=2, names=["--out", "old.npz", "--overwrite"])
    bench.fails(*collect, "old.npz", code=2, names=["--out", "old.npz", "--overwrite"])
    bench.fails(*run, "old.npz", "--overwrite", "--rand-vec", "1,2,3,4,5,6", code=2, names=["--rand-vec"])
    check((bench / "old.npz").read_text() == "what was there", "gone")
    check("replaced old.npz" in bench.succeeds(*run, "old.npz", "--overwrite"), "not said")
    check("replaced old.npz" in bench.succeeds(*run, "old.npz"), "not said")  # now our own file
    check(load(bench, "old.npz")[0]["actions"].shape == (5, 4), "not replaced")
    full = subprocess.run([bench.program, *run, "old.npz"], cwd=bench.folder, stdout=open("/dev/full", "w"),
                          stderr=subprocess.PIPE, text=True)
    bench.one_line("full output", full, 1)


# --- doctor ---------------------------------------------------------------------------------------

def examined(bench, **environment):
    done = bench.run("doctor", "--json", environment=environment)
    report = json.loads(done.stdout)
    checks = {one["name"]: one for one in report["checks"]}
    missing = [name for name, one in checks.items() if one["status"] == "missing"]
    check(done.returncode == (1 if missing else 0) and report["ok"] is (not missing), f"{done.returncode} {report}")
    check(done.stderr == (f"temporalot: doctor: missing: {', '.join(missing)}\n" if missing else ""), done.stderr)
    return checks, missing


def test_doctor(bench):
    said = bench.succeeds("doctor")
    lines = said.splitlines()
    check(len(lines) >= 8 and all(line.startswith(("ok ", "optional ")) for line in lines), said)
    for word in ("vector code", "3.3.0", "3.1.1"):
        check(word in said, f"{word!r} is not in {said!r}")
    check(re.search(r"\b(\d+) of \1\b", said), f"not all scenes are there: {said}")
    checks, missing = examined(bench)
    kinds = re.findall(r"\b(portable|avx2|avx512|oneDNN)\b", checks["kernels"]["detail"])
    check(len(kinds) == len(checks["kernels"]["detail"].split(", ")), checks["kernels"])
    check(missing == [] and checks["MuJoCo"]["version"] == "3.3.0" and checks["scenes"]["version"] == "3.1.1", f"{checks}")
    check(pathlib.Path(checks["MuJoCo"]["detail"]).exists() and checks["peers"]["status"] == "ok", f"{checks}")
    if chosen.sanitized:
        return "not more: it loads all tasks every time"
    check(bench.succeeds("doctor", "--quiet") == "", "not quiet")
    limited, _ = examined(bench, TEMPORALOT_CPU="portable")
    check("portable" in limited["CPU"]["detail"], f"{limited['CPU']}")
    check(bench.files() == [], f"left {bench.files()}")


def test_doctor_finds_what_is_missing(bench):
    checks, missing = examined(bench, MUJOCO_DIR="/nonexistent")
    check(missing == ["MuJoCo", "tasks"] and checks["MuJoCo"]["mend"] == "unset MUJOCO_DIR && scripts/deps", f"{checks}")
    checks, missing = examined(bench, METAWORLD_DIR="/nonexistent", TEMPORALOT_PEERS="/nonexistent")
    check(missing == ["scenes", "tasks"] and checks["peers"]["status"] == "optional", f"{checks}")
    check(checks["peers"]["mend"] == "make peers" and "METAWORLD_DIR" in checks["scenes"]["mend"], f"{checks}")
    if chosen.sanitized:
        return "not more: it loads all tasks every time"
    checks, missing = examined(bench, MUJOCO_GL="egl", MUJOCO_EGL_DEVICE_ID="63")
    check(missing == [] and checks["OpenGL"]["status"] == "optional" and "libegl1" in checks["OpenGL"]["mend"], f"{checks}")

    # scenes of another version, damaged scenes, and an unknown version
    here, _ = examined(bench)
    original = pathlib.Path(here["scenes"]["detail"])
    (bench / "other/metaworld-2.0.0.dist-info").mkdir(parents=True)
    (bench / "other/assets/sawyer_xyz").mkdir(parents=True)
    checks, missing = examined(bench, METAWORLD_DIR=str(bench / "other"))
    check(missing == ["scenes", "tasks"] and checks["scenes"]["version"] == "2.0.0", f"{checks}")
    damaged = bench / "damaged/assets"
    damaged.mkdir(parents=True)
    for item in original.iterdir():
        if item.name != "sawyer_xyz":
            (damaged / item.name).symlink_to(item)
    (damaged / "sawyer_xyz").mkdir()
    for item in (original / "sawyer_xyz").iterdir():
        if "push_v3" in item.name:
            (damaged / "sawyer_xyz" / item.name).write_text("<mujoco>")
        else:
            (damaged / "sawyer_xyz" / item.name).symlink_to(item)
    checks, missing = examined(bench, METAWORLD_DIR=str(bench / "damaged"))
    check(missing == ["tasks"] and checks["scenes"]["version"] is None, f"{checks}")
    check("sawyer_push_v3.xml" in checks["tasks"]["detail"], f"{checks['tasks']}")
    return checks["tasks"]["detail"][:60]


if __name__ == "__main__":
    main(globals())

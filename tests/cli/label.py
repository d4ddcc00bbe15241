"""`temporalot label` as a user types it: input, output, and everything that can go wrong.

    label.py --program PATH [--preload failing_malloc.so] [TEST ...]
"""
import os
import random
import resource
import signal
import subprocess
import time
import zipfile

import numpy as np

from workbench import Failed, check, main

rng = np.random.default_rng(1)


def frames(steps=12, width=5, kind=np.float32):
    return rng.normal(size=(steps, width)).astype(kind)


def save(bench, name, array):
    np.save(bench / name, array)
    return array


def simple(bench, episodes=1):
    """Writes demo.npy and run0.npy, run1.npy, ...; returns the arguments that label them."""
    save(bench, "demo.npy", frames())
    arguments = ["label", "--demo", "demo.npy"]
    for k in range(episodes):
        save(bench, f"run{k}.npy", frames(12 + k))
        arguments += ["--episode", f"run{k}.npy"]
    return arguments


def load(bench, name="rewards.npz"):
    check((bench / name).exists(), f"no {name}")
    check(zipfile.ZipFile(bench / name).testzip() is None, f"{name} is damaged")
    with np.load(bench / name) as file:
        return {key: file[key] for key in file}


# --- output ---------------------------------------------------------------------------------------

def test_one_episode(bench):
    arguments = simple(bench)
    said = bench.succeeds(*arguments)
    arrays = load(bench)
    check({"rewards", "progress", "demo", "iterations", "marginal_error", "converged"} <= set(arrays), f"names {set(arrays)}")
    check("plan" not in arrays and "cost" not in arrays, "plan and cost were not asked for")
    check(arrays["rewards"].shape == (12,) and arrays["rewards"].dtype == np.float32, "rewards")
    progress = arrays["progress"]
    check(progress.shape == (12,) and progress.dtype == np.float32, "progress")
    check(0 <= progress.min() and progress.max() <= 1 and (np.diff(progress) >= 0).all(), f"progress {progress}")
    check(int(arrays["demo"]) == 0 and int(arrays["iterations"]) >= 1, "demo, iterations")
    check("run0.npy" in said, "the table names the episode")
    check(bench.files() == ["demo.npy", "rewards.npz", "run0.npy"], f"files {bench.files()}")


def test_several_episodes(bench):
    arguments = simple(bench, 3)
    bench.succeeds(*arguments, "--plan", "--cost-matrix", "--out", "out.npz")
    arrays = load(bench, "out.npz")
    for k in range(3):
        for name in ("rewards", "demo", "iterations", "marginal_error", "converged", "plan", "cost"):
            check(f"{name}_{k}" in arrays, f"no {name}_{k} in {set(arrays)}")
        check(arrays[f"rewards_{k}"].shape == (12 + k,), "rewards")
        check(arrays[f"plan_{k}"].shape == (12 + k, 12) and arrays[f"cost_{k}"].shape == (12 + k, 12), "plan, cost")
        bench.succeeds("label", "--demo", "demo.npy", "--episode", f"run{k}.npy", "--out", "alone.npz")
        check(np.array_equal(load(bench, "alone.npz")["rewards"], arrays[f"rewards_{k}"]), "alone and together differ")
    check("rewards" not in arrays and "rewards_3" not in arrays, "names")


def test_same_bytes_every_time(bench):
    arguments = simple(bench, 5) + ["--plan", "--cost-matrix"]
    outputs = []
    for threads in (1, 1, 2, 3):
        bench.succeeds(*arguments, "--threads", threads)
        outputs.append((bench / "rewards.npz").read_bytes())
        time.sleep(0.02)
    check(all(output == outputs[0] for output in outputs), "two runs wrote different bytes")


def test_many_ways_to_name_episodes(bench):
    simple(bench)
    (bench / "runs").mkdir()
    names = [f"runs/run{k:02}.npy" for k in range(12)]
    for k in reversed(range(12)):
        save(bench, names[k], frames(10 + k))
    (bench / "list.txt").write_text("\n".join(names) + "\n")
    (bench / "short.txt").write_text(names[3] + "\n\n" + names[5])  # with an empty line, and without a final newline
    label = ["label", "--demo", "demo.npy", "--quiet", "--out", "out.npz", "--episode"]
    results = []
    # `names` is how a shell expands --episode runs/*.npy
    for way in (["runs"], ["runs/"], ["runs/*.npy"], ["@list.txt"], names,
                names[:1] + sum((["--episode", name] for name in names[1:]), [])):
        bench.succeeds(*label, *way)
        results.append(load(bench, "out.npz"))
        check([len(results[-1][f"rewards_{k}"]) for k in range(12)] == list(range(10, 22)), f"{way}: another order")
    for other in results[1:]:
        check(all(np.array_equal(other[name], results[0][name]) for name in results[0]), "the ways differ")
    bench.succeeds(*label, "@short.txt")
    check([len(load(bench, "out.npz")[f"rewards_{k}"]) for k in range(2)] == [13, 15], "short list")
    bench.succeeds("label", "--demo", "runs", "--episode", "demo.npy", "--quiet", "--out", "out.npz")
    check(0 <= int(load(bench, "out.npz")["demo"]) < 12, "demonstrations from a folder")


def test_file_kinds(bench):
    demo, run = frames(12, 6, np.float64), frames(12, 6, np.float32)
    save(bench, "demo.npy", demo)
    save(bench, "run.npy", run)
    bench.succeeds("label", "--demo", "demo.npy", "--episode", "run.npy")
    expected = load(bench)["rewards"]
    np.savez(bench / "stored.npz", run)
    np.savez_compressed(bench / "deflated.npz", embeddings=run, other=frames(3, 3))
    np.savez(bench / "named.npz", a=frames(12, 6), b=run)
    np.save(bench / "fortran.npy", np.asfortranarray(run))
    np.save(bench / "big.npy", run.astype(">f4"))
    np.save(bench / "double.npy", run.astype(np.float64))
    np.save(bench / "map.npy", run.reshape(12, 2, 3))
    for name in ("stored.npz", "deflated.npz", "named.npz:b", "fortran.npy", "big.npy", "double.npy", "map.npy"):
        bench.succeeds("label", "--demo", "demo.npy", "--episode", name)
        got = load(bench)["rewards"]
        off = np.abs(got - expected).max() / np.abs(expected).max()
        check(off < 1e-6, f"{name}: rewards are off by {off}")
    np.save(bench / "half.npy", run.astype(np.float16))
    np.save(bench / "rounded.npy", run.astype(np.float16).astype(np.float32))
    bench.succeeds("label", "--demo", "demo.npy", "--episode", "half.npy", "--episode", "rounded.npy")
    check(np.array_equal(load(bench)["rewards_0"], load(bench)["rewards_1"]), "float16")
    bench.fails("label", "--demo", "demo.npy", "--episode", "named.npz", names=["named.npz"])
    bench.fails("label", "--demo", "demo.npy", "--episode", "named.npz:c", names=["named.npz", "c"])


def test_json(bench):
    arguments = simple(bench, 3)
    objects = bench.json(*arguments, "--json")
    check(len(objects) == 3, f"{len(objects)} objects")
    arrays = load(bench)
    for k, told in enumerate(objects):
        check(told["episode"] == f"run{k}.npy" and told["steps"] == 12 + k, f"{told}")
        check(told["demo"] == int(arrays[f"demo_{k}"]), "demo")
        check(told["iterations"] == int(arrays[f"iterations_{k}"]), "iterations")
        check(abs(told["progress"] - float(arrays[f"progress_{k}"][-1])) < 1e-6, "progress")
        check(told["converged"] == bool(arrays[f"converged_{k}"]), "converged")
        check(abs(told["sum"] - arrays[f"rewards_{k}"].sum(dtype=float)) < 1e-6 * abs(told["sum"]), "sum")
    odd = 'od"d\\\n\té.npy'
    save(bench, odd, frames())
    told = bench.json("label", "--demo", "demo.npy", "--episode", odd, "--json")
    check(told[0]["episode"] == odd, f"{told}")
    for method in ("dtw", "orca", "dynamic", "threshold"):
        bench.json(*arguments, "--json", "--method", method)


def test_quiet(bench):
    check(bench.succeeds(*simple(bench), "--quiet") == "", "quiet says something")


def test_flags(bench):
    arguments = simple(bench, 2)
    for flags in (["--method", "ot"], ["--context", "1"], ["--context", "1000"], ["--mask", "none"], ["--mask", "3"],
                  ["--mask", "1000000"], ["--mask", "causal"], ["--mask", "dynamic:2"], ["--mask", "dynamic"],
                  ["--epsilon", "1e-1"], ["--iterations", "3"], ["--scale", "2.5"], ["--scale", "auto"],
                  ["--cost", "euclidean"], ["--cost", "cosine"], ["--best", "1"], ["--squash", "otr"],
                  ["--squash", "2,0.5"], ["--squash", "none"], ["--tau", "2"], ["--threads", "1"],
                  ["--zero-frame", "treat-as-far"], ["--zero-frame", "refuse"], ["--tolerance", "1e-3"],
                  ["--match", "start"], ["--match", "best"],
                  ["--method", "soft-dtw", "--smoothing", "0.5"], ["--method", "threshold", "--threshold", "0.5"],
                  ["--epsilon=0.1"], ["--mask=none"]):
        bench.succeeds(*arguments, "--quiet", *flags)
        check(len(load(bench)["rewards_0"]) == 12, f"{flags}")
    # flags whose effect can be verified
    bench.succeeds(*arguments, "-q")
    plain = load(bench)["rewards_0"]
    bench.succeeds(*arguments, "-q", "--scale", "2")
    check(np.allclose(load(bench)["rewards_0"], 2 * plain, rtol=1e-6), "scale")
    bench.succeeds(*arguments, "-q", "--squash", "otr")
    check(np.allclose(load(bench)["rewards_0"], 5 * np.exp(5 * plain), rtol=1e-5), "squash")
    bench.succeeds(*arguments, "-q", "--method", "ot")
    same = load(bench)["rewards_0"]
    bench.succeeds(*arguments, "-q", "--mask", "none", "--context", "1")
    check(np.array_equal(load(bench)["rewards_0"], same), "flags override the method's own")
    bench.succeeds(*arguments, "-q", "--mask", "none", "--context", "1", "--method", "dynamic")
    check(np.array_equal(load(bench)["rewards_0"], same), "in any order")


def test_page(bench):
    arguments = simple(bench, 2)
    bench.succeeds(*arguments, "--page", "page.html", "--svg", "picture.svg")
    page, picture = (bench / "page.html").read_text(), (bench / "picture.svg").read_text()
    check("<svg" in page and "run0.npy" in page and "</html>" in page, "page")
    check(picture.lstrip().startswith(("<svg", "<?xml")) and picture.rstrip().endswith("</svg>"), "picture")
    for name in ("page.html", "picture.svg", "rewards.npz"):
        (bench / name).unlink()
    # the three files are written together or not at all
    bench.fails(*arguments, "--page", "nowhere/page.html", names=["nowhere/page.html"])
    bench.fails(*arguments, "--svg", "nowhere/picture.svg", names=["nowhere/picture.svg"])
    bench.fails(*arguments, "--page", "page.html", "--out", "nowhere/rewards.npz", names=["nowhere/rewards.npz"])
    bad = frames()
    bad[5, 1] = np.nan
    save(bench, "bad.npy", bad)
    bench.fails(*arguments, "--episode", "bad.npy", "--page", "page.html", "--svg", "picture.svg", names=["bad.npy"])


def test_help_and_usage(bench):
    for arguments in (["--help"], ["label", "--help"], ["--version"]):
        check(len(bench.succeeds(*arguments)) > 4, f"{arguments} says nothing")
    arguments = simple(bench)
    for wrong, named in ((["label"], "demo"), (["label", "--demo", "demo.npy"], "episode"),
                         (["label", "--episode", "run0.npy"], "demo"), (arguments + ["--contxt", "3"], "--contxt"),
                         (arguments + ["--context"], "--context"), (arguments + ["--demo"], "--demo"),
                         (["lable"], "lable"), (["--lable"], "lable")):
        bench.fails(*wrong, code=2, names=[named])
    # invalid values: mistyped or out of range; the message matters more than the exit code
    for flag, value in (("--context", "three"), ("--context", "3.5"), ("--context", ""), ("--epsilon", "0.1x"),
                        ("--mask", "diagonal"), ("--mask", "dynamic:x"), ("--cost", "manhattan"), ("--threads", "two"),
                        ("--threads", "-1"), ("--threads", "5000"), ("--context", "99999999999999999999"),
                        ("--method", "temporalto"), ("--zero-frame", "ignore"), ("--match", "first"), ("--squash", "1,2,3"),
                        ("--squash", "x"), ("--scale", "automatic")):
        bench.fails(*arguments, flag, value, code=(1, 2), names=[flag.lstrip("-").split("-")[0], value.split(",")[-1]])
    bench.fails(*arguments, "--method", "dtw", "--plan", code=(1, 2), names=["plan", "dtw"])
    done = bench.run()
    check(done.returncode == 2, f"nothing typed: exit {done.returncode}")


# --- bad input: one line, exit 1, no output -------------------------------------------------------

def test_values_out_of_range(bench):
    arguments = simple(bench)
    for flags in (["--epsilon", "0"], ["--epsilon", "-1"], ["--epsilon", "nan"], ["--epsilon", "inf"],
                  ["--context", "0"], ["--context", "-3"], ["--mask", "-1"], ["--mask", "dynamic:-1"],
                  ["--iterations", "0"], ["--tolerance", "-1"], ["--best", "0"], ["--tau", "0"], ["--scale", "nan"],
                  ["--smoothing", "0"], ["--threshold", "2"]):
        bench.fails(*arguments, *flags, names=[flags[0]], code=2)


def test_bad_files(bench):
    arguments = simple(bench)
    good = (bench / "run0.npy").read_bytes()
    header = good[:128]
    bad = {
        "missing.npy": None,
        "empty.npy": b"",
        "short.npy": good[:5],
        "magic.npy": b"\x93NUMPX" + good[6:],
        "text.npy": b"these are no numbers\n" * 20,
        "version.npy": b"\x93NUMPY\x09\x00" + good[8:],
        "truncated.npy": good[:-1],
        "truncated header.npy": good[:60],
        "longer.npy": header.replace(b"(12, 5)", b"(99, 5)") + good[128:],
        "huge.npy": header.replace(b"(12, 5), }" + b" " * 20, b"(4294967296, 4294967296), }" + b" " * 3) + good[128:],
        "huge2.npy": header.replace(b"(12, 5), }" + b" " * 20, b"(99999999999999999999, 5), }" + b" " * 2) + good[128:],
        "negative.npy": header.replace(b"(12, 5), }" + b" ", b"(-12, 5), }") + good[128:],
        "zip.npz": b"PK\x03\x04" + b"\0" * 50,
    }
    for name, content in bad.items():
        if content is not None:
            (bench / name).write_bytes(content)
        for place in ("--episode", "--demo"):
            others = ["label", "--demo", "demo.npy", "--episode", "run0.npy"]
            bench.fails(*others, place, name, names=[name])
    (bench / "folder.npy").mkdir()
    bench.fails("label", "--demo", "demo.npy", "--episode", "folder.npy", names=["folder.npy"])
    bench.fails("label", "--demo", "demo.npy", "--episode", "nothing*.npy", names=["nothing*.npy"])
    bench.fails("label", "--demo", "demo.npy", "--episode", "@no list", names=["no list"])
    (bench / "empty list").write_text("\n\n")
    (bench / "empty folder").mkdir()
    for nothing in ("@empty list", "empty folder"):
        bench.fails("label", "--demo", "demo.npy", "--episode", nothing, names=[nothing.lstrip("@")])
        bench.fails("label", "--demo", nothing, "--episode", "run0.npy")


def test_bad_arrays(bench):
    simple(bench)
    arrays = {
        "integers.npy": (np.arange(60).reshape(12, 5), ["int64"]),
        "bytes.npy": (np.zeros((12, 5), np.uint8), ["uint8"]),
        "complex.npy": (np.zeros((12, 5), complex), []),
        "text.npy": (np.array([["a", "b"]]), []),
        "vector.npy": (np.ones(12, np.float32), []),
        "scalar.npy": (np.float32(3), []),
        "no steps.npy": (np.zeros((0, 5), np.float32), []),
        "no width.npy": (np.zeros((12, 0), np.float32), []),
        "narrow.npy": (frames(12, 4), ["4", "5"]),
    }
    for name, (array, words) in arrays.items():
        np.save(bench / name, array)
        bench.fails("label", "--demo", "demo.npy", "--episode", name, names=[name] + words)
        bench.fails("label", "--demo", "demo.npy", "--demo", name, "--episode", "run0.npy", names=[name] + words)
    # an object array whose pickle would create a file
    class Evil:
        def __reduce__(self):
            return (open, (str(bench / "unpickled"), "w"))
    np.save(bench / "object.npy", np.array([Evil()], dtype=object), allow_pickle=True)
    bench.fails("label", "--demo", "demo.npy", "--episode", "object.npy", names=["object.npy", "object"])
    np.savez(bench / "object.npz", np.array([Evil()], dtype=object))
    bench.fails("label", "--demo", "demo.npy", "--episode", "object.npz", names=["object.npz", "object"])
    check(not (bench / "unpickled").exists(), "it was unpickled")


def test_bad_values(bench):
    simple(bench)
    for kind in (np.float32, np.float64, np.float16):
        for value in (np.nan, np.inf, -np.inf):
            for step, column in ((0, 0), (11, 4), (7, 2)):
                array = frames(12, 5, kind)
                array[step, column] = value
                save(bench, "bad.npy", array)
                bench.fails("label", "--demo", "demo.npy", "--episode", "run0.npy", "--episode", "bad.npy",
                            names=["bad.npy", f"step {step}", f"column {column}"])
                bench.fails("label", "--demo", "bad.npy", "--episode", "run0.npy",
                            names=["bad.npy", f"step {step}", f"column {column}"])
    zero = frames()
    zero[3] = 0
    save(bench, "zero.npy", zero)
    bench.fails("label", "--demo", "demo.npy", "--episode", "zero.npy", names=["zero.npy", "step 3", "zero"])
    bench.fails("label", "--demo", "zero.npy", "--episode", "run0.npy", names=["zero.npy", "step 3", "zero"])
    bench.succeeds("label", "--demo", "zero.npy", "--episode", "zero.npy", "--zero-frame", "treat-as-far")
    bench.succeeds("label", "--demo", "zero.npy", "--episode", "zero.npy", "--cost", "euclidean")


def test_bands_that_cannot_carry(bench):
    simple(bench)
    save(bench, "one.npy", frames(1))
    save(bench, "long.npy", frames(60))
    said = bench.fails("label", "--demo", "long.npy", "--episode", "one.npy", names=["one.npy"])
    check("row" in said or "column" in said, f"{said!r} names no row or column")
    bench.succeeds("label", "--demo", "long.npy", "--episode", "one.npy", "--mask", "60")


def test_more_than_two_to_the_31(bench):
    """A file of 2^31 + 8 elements (mostly a hole) is refused, here for lack of memory; no size overflows."""
    if not bench.preload:
        return "skipped: sanitizers need more address space than the limit"
    simple(bench)
    width = 2**31 + 8
    with open(bench / "wide.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (1, width)})
        file.write(np.array([1], np.float32).tobytes())
        file.truncate(file.tell() - 4 + 4 * width)
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    done = bench.run("label", "--demo", "demo.npy", "--episode", "wide.npy", preexec_fn=limited)
    bench.one_line("wide.npy", done, 1)
    check("wide.npy" in done.stderr and not (bench / "rewards.npz").exists(), done.stderr)
    check(str(width) in done.stderr or str(4 * width) in done.stderr, f"no true size in {done.stderr!r}")


# --- atomic output --------------------------------------------------------------------------------

def test_inputs_survive(bench):
    """Outputs that are also inputs are always refused, foreign files without --overwrite; replacing is reported."""
    arguments = simple(bench, 2)
    os.link(bench / "run1.npy", bench / "twin.npy")
    (bench / "runs").symlink_to(".")
    np.savez(bench / "demos.npz", a=frames())
    for over in ([], ["--overwrite"]):
        for name in ("demo.npy", "run1.npy", "./run0.npy", "runs/demo.npy", "twin.npy"):
            bench.fails(*arguments, "--out", name, *over, code=2, names=["--out", name, "an input"])
        bench.fails(*arguments, "--page", "run0.npy", *over, code=2, names=["--page", "run0.npy"])
        bench.fails("label", "--demo", "demos.npz:a", "--episode", "run0.npy", "--out", "demos.npz", *over, code=2,
                    names=["demos.npz:a"])
        bench.fails(*arguments, "--page", "x.html", "--svg", "x.html", *over, code=2, names=["--page", "--svg", "x.html"])
    (bench / "twin.npy").unlink()
    (bench / "notes.txt").write_text("mine")
    (bench / "page.html").write_text("<html>mine</html>")
    np.savez(bench / "theirs.npz", rewards=frames())
    for option, name in (("--out", "notes.txt"), ("--page", "page.html"), ("--svg", "notes.txt"), ("--out", "theirs.npz")):
        bench.fails(*arguments, option, name, code=2, names=[option, name, "--overwrite"])
    written = ["--page", "page.html", "--svg", "picture.svg", "--out", "rewards.npz"]
    said = bench.succeeds(*arguments, *written, "--overwrite")
    check("replaced page.html" in said and "wrote picture.svg" in said and "wrote rewards.npz" in said, said)
    said = bench.succeeds(*arguments, *written)  # now our own file
    check(said.count("replaced ") == 3 and "wrote" not in said, said)
    for told in bench.json(*arguments, *written, "--json"):
        check(told["out"] == "rewards.npz" and told["page"] == "page.html" and told["svg"] == "picture.svg", f"{told}")
        check(sorted(told["replaced"]) == ["page.html", "picture.svg", "rewards.npz"], f"{told}")


def test_failed_run_keeps_the_old_output(bench):
    arguments = simple(bench, 2) + ["--quiet"]  # quiet, because not all of them may converge
    bench.succeeds(*arguments)
    bad = frames()
    bad[11, 4] = np.nan
    save(bench, "bad.npy", bad)
    bench.fails(*arguments, "--episode", "bad.npy", names=["bad.npy"])  # compares the contents of all files
    bench.succeeds(*arguments, "--method", "ot")


def test_output_that_cannot_be_written(bench):
    arguments = simple(bench)
    (bench / "folder").mkdir()
    (bench / "folder" / "inside").write_text("x")
    bench.fails(*arguments, "--out", "nowhere/rewards.npz", names=["nowhere/rewards.npz"])
    bench.fails(*arguments, "--out", "folder", names=["folder"])
    bench.fails(*arguments, "--out", "run0.npy/rewards.npz", names=["run0.npy/rewards.npz"])
    bench.fails(*arguments, "--out", "", code=(1, 2))


def test_file_size_limit(bench):
    arguments = simple(bench, 4) + ["--plan", "--quiet"]
    for limit in (0, 100, 1000, 5000):
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        # with the signal ignored, writing fails with an error
        bench.fails(*arguments, preexec_fn=limited, restore_signals=False, names=["rewards.npz"])
        # with the default action the process may be killed, but never leaves half a file
        done = bench.run(*arguments, preexec_fn=limited)
        check(done.returncode in (1, -signal.SIGXFSZ), f"exit {done.returncode}")
        check(not (bench / "rewards.npz").exists(), "half a file")
        for left in bench.folder.glob(".temporalot-*.tmp"):
            left.unlink()


def test_full_disk(bench):
    """On a tiny file system that fills up: at every size, either nothing or the complete file."""
    arguments = simple(bench, 4) + ["--plan", "--out", "small/rewards.npz"]
    (bench / "small").mkdir()
    inside = 'mount -t tmpfs -o size=$0k tmpfs small && { "$@"; code=$?; ls -A small; exit $code; }'
    probe = subprocess.run(["unshare", "-rm", "sh", "-c", inside, "4", "true"], cwd=bench.folder, capture_output=True)
    if probe.returncode != 0:
        return "skipped: no file system can be mounted here"
    seen = set()
    for size in (4, 8, 12, 16, 20, 64):
        done = subprocess.run(["unshare", "-rm", "sh", "-c", inside, str(size), bench.program, *arguments, "--quiet"],
                              cwd=bench.folder, capture_output=True, text=True, timeout=60)
        seen.add(done.returncode)
        if done.returncode == 0:
            check(done.stdout == "rewards.npz\n", f"{size} kB: {done.stdout!r}")
        else:
            bench.one_line(f"{size} kB", done, 1)
            check("small/rewards.npz" in done.stderr, done.stderr)
            check(done.stdout == "", f"{size} kB: {done.stdout!r} is left")
    check(seen == {0, 1}, f"exit codes {seen}")


def thousand(bench, count, steps=63, width=256):
    """A folder of `count` episodes, links to ten different files."""
    save(bench, "demo.npy", frames(steps, width))
    folder = bench / f"runs{count}"
    folder.mkdir()
    for k in range(10):
        save(bench, f"original{k}.npy", frames(steps, width))
    for k in range(count):
        os.link(bench / f"original{k % 10}.npy", folder / f"{k:05}.npy")
    return ["label", "--demo", "demo.npy", "--episode", f"runs{count}", "--quiet"]


def test_killed_in_the_middle(bench):
    arguments = thousand(bench, 1000) + ["--plan", "--overwrite"]
    begun = time.perf_counter()
    bench.succeeds(*arguments)
    whole = time.perf_counter() - begun
    (bench / "rewards.npz").write_bytes(b"what was there")
    killed = 0
    for k in range(12):
        process = subprocess.Popen([bench.program, *arguments], cwd=bench.folder)
        time.sleep(whole * (k + 0.5) / 13)
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        content = (bench / "rewards.npz").read_bytes()
        if content != b"what was there":
            check(len(load(bench)["rewards_999"]) == 63, "half a file")
            (bench / "rewards.npz").write_bytes(b"what was there")
    check(killed >= 6, f"only {killed} runs were killed in time")
    return f"{killed} of 12 killed within {whole:.2f} s"


def test_stopped_by_hand(bench):
    """Ctrl-C leaves neither output nor temporary file, if the program has a chance to clean up."""
    arguments = thousand(bench, 1000) + ["--plan"]
    before = bench.files()
    process = subprocess.Popen([bench.program, *arguments], cwd=bench.folder, stderr=subprocess.PIPE)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate()
    check(not (bench / "rewards.npz").exists() or process.returncode == 0, "an output of a stopped run")
    left = [name for name in bench.files() if name not in before and name != "rewards.npz"]
    return f"left behind: {left}" if left else None


def test_file_that_shrinks(bench):
    """An episode that is truncated while it is read: an error, never a signal."""
    width = 60000
    save(bench, "demo.npy", frames(20, width))
    outcomes = []
    for k in range(12):
        with open(bench / "run.npy", "wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (600, width)})
            file.truncate(file.tell() + 4 * 600 * width)
        process = subprocess.Popen([bench.program, "label", "--demo", "demo.npy", "--episode", "run.npy",
                                    "--mask", "none", "--cost", "euclidean"], cwd=bench.folder,
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        time.sleep(0.002 * 1.6 ** k)
        os.truncate(bench / "run.npy", 1000 if k % 2 else 100 * 4 * width)
        said = process.communicate()[1]
        outcomes.append(process.returncode)
        check(process.returncode in (0, 1), f"exit {process.returncode}")
        if process.returncode == 1:
            check(said.count("\n") == 1 and "run.npy" in said, f"{said!r}")
            check(not (bench / "rewards.npz").exists(), "an output")
        (bench / "rewards.npz").unlink(missing_ok=True)
    check(1 in outcomes, "never in time")
    return f"{outcomes.count(1)} of {len(outcomes)} runs met it"


# --- memory ---------------------------------------------------------------------------------------

def report_of(bench, arguments, fail_at=0):
    """Runs with the failing allocator: (result, allocations, peak kB)."""
    report = bench / "report"
    report.unlink(missing_ok=True)
    done = bench.run(*arguments, environment={"LD_PRELOAD": os.path.abspath(bench.preload), "FAIL_AT": str(fail_at),
                                              "FAIL_REPORT": str(report)})
    told = report.read_text().split() if report.exists() else ("0", "0")
    report.unlink(missing_ok=True)
    return done, int(told[0]), int(told[1])


def fail_every_allocation(bench, arguments, others=()):
    outputs = ("rewards.npz", *others)
    done, count, _ = report_of(bench, arguments)
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    expected = [(bench / name).read_bytes() for name in outputs]
    for name in outputs:
        (bench / name).unlink()
    before = bench.files()
    tries = range(1, count + 1)
    if count > 400:
        tries = sorted(set(range(1, 201)) | set(random.Random(0).sample(range(201, count + 1), 200)))
    tolerated, wrong = 0, []
    for k in tries:
        done, _, _ = report_of(bench, arguments, k)
        try:
            if done.returncode == 0:
                # a buffer that the C library can do without
                tolerated += 1
                got = [(bench / name).read_bytes() for name in outputs if (bench / name).exists()]
                check(got == expected, f"allocation {k}: exit 0, another output")
                for name in outputs:
                    (bench / name).unlink()
                continue
            bench.one_line(f"allocation {k} of {count}", done, 1)
            check(bench.files() == before, f"allocation {k}: left {set(bench.files()) - set(before)}")
        except Failed as why:
            wrong.append(str(why))
            for name in set(bench.files()) - set(before):
                (bench / name).unlink()
    check(not wrong, f"{len(wrong)} of {len(tries)}: " + "; ".join(wrong[:8]))
    check(tolerated < len(tries) / 3, f"{tolerated} of {len(tries)} failures went by unseen")
    return f"{len(tries)} of {count} allocations failed, {tolerated} of them harmless"


def test_every_allocation_fails(bench):
    if not bench.preload:
        return "skipped"
    return fail_every_allocation(bench, simple(bench, 3) + ["--plan", "--cost-matrix", "--threads", "1", "--quiet"])


def test_every_allocation_fails_with_threads(bench):
    if not bench.preload:
        return "skipped"
    arguments = simple(bench, 3)
    np.savez_compressed(bench / "packed.npz", embeddings=frames())
    return fail_every_allocation(bench, arguments + ["--episode", "packed.npz", "--threads", "2", "--json"])


def test_every_allocation_fails_with_a_folder(bench):
    if not bench.preload:
        return "skipped"
    simple(bench)
    (bench / "runs").mkdir()
    for k in range(4):
        save(bench, f"runs/{k}.npy", frames())
    (bench / "list").write_text("runs/0.npy\nruns/1.npy\n")
    return fail_every_allocation(bench, ["label", "--demo", "demo.npy", "--episode", "runs", "--episode", "runs/*.npy",
                                         "--episode", "@list", "--threads", "1"])


def test_every_allocation_fails_with_a_page(bench):
    if not bench.preload:
        return "skipped"
    arguments = simple(bench) + ["--page", "page.html", "--svg", "picture.svg", "--threads", "1", "--quiet"]
    return fail_every_allocation(bench, arguments, others=("page.html", "picture.svg"))


def test_memory_does_not_grow_with_episodes(bench):
    if not bench.preload:
        return "skipped"
    told, too_much = [], False
    arguments = thousand(bench, 1000)
    (bench / "runs10").mkdir()
    for k in range(10):
        os.link(bench / f"original{k}.npy", bench / f"runs10/{k}.npy")
    for flags in ([], ["--plan"], ["--plan", "--cost-matrix", "--threads", "1"]):
        few = report_of(bench, [argument.replace("runs1000", "runs10") for argument in arguments] + flags)
        many = report_of(bench, arguments + flags)
        check(few[0].returncode == 0 and many[0].returncode == 0, f"{few[0].stderr} {many[0].stderr}")
        told.append(f"{' '.join(flags)} {few[2]} and {many[2]} kB ({many[2] / few[2] - 1:+.1%})")
        too_much = too_much or many[2] > 1.2 * few[2]
    check(not too_much, f"10 and 1,000 episodes take {', '.join(told)}")
    return ", ".join(told)


if __name__ == "__main__":
    main(globals())

"""`--encoder FILE.onnx` as a user types it.

    onnx_commands.py --program PATH [--sanitized] [TEST ...]
"""
import os
import sys

import numpy as np

import made_onnx
from workbench import check, chosen, read_arguments, run_all

TINY = ["--threads", "2", "--quiet", "--set", "eval_episodes=2", "video=0", "hidden=16", "batch=16", "warmup=20",
        "update_after=30", "log_every=20", "horizon=30", "steps=50", "eval_every=25", "whiten_episodes=4"]


def frames(count=6, size=64, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (count, size, size, 3), dtype=np.uint8)


def prepare(bench, **options):
    (bench / "net.onnx").write_bytes(made_onnx.network(**options))
    np.save(bench / "f.npy", frames())


def encode(bench, *more):
    bench.succeeds("encode", "--encoder", "net.onnx", "--in", "f.npy", "--out", "e.npy", "--quiet", "--overwrite", *more)
    return np.load(bench / "e.npy")


def near(found, wanted):
    check(found.shape == wanted.shape, f"{found.shape} is not {wanted.shape}")
    check(np.abs(found - wanted).max() < 1e-5, f"{np.abs(found - wanted).max()} off")


def test_encode(bench):
    prepare(bench)
    near(encode(bench, "--size", "64"), made_onnx.expected(frames()))
    near(encode(bench, "--size", "64", "--output", "map"), made_onnx.expected(frames()))
    near(encode(bench, "--size", "64", "--preprocess", "siglip"),
         made_onnx.expected(frames(), (0.5,) * 3, (0.5,) * 3))
    near(encode(bench, "--size", "64", "--mean", "0.1,0.2,0.3", "--std", "2"),
         made_onnx.expected(frames(), (0.1, 0.2, 0.3), (2,) * 3))
    near(encode(bench, "--size", "64", "--pool"), np.tile(np.arange(made_onnx.CHANNELS, dtype=float), (6, 1)))
    check(encode(bench).shape == (6, made_onnx.CHANNELS * 14 * 14), "not 224 pixels where any are welcome")
    first = encode(bench, "--threads", "1", "--batch", "1").tobytes()
    check(encode(bench, "--threads", "2", "--batch", "5").tobytes() == first, "other bytes with other threads")
    (told,) = bench.json("encode", "--weights", "net.onnx", "--in", "f.npy", "--out", "e.npy", "--json", "--overwrite")
    check(told["encoder"].startswith("net f32 224 map "), told["encoder"])


def test_own_size(bench):
    prepare(bench, side=64)
    near(encode(bench), made_onnx.expected(frames()))
    bench.fails("encode", "--encoder", "net.onnx", "--size", "128", "--in", "f.npy", "--out", "x.npy",
                names=["net.onnx", "64"])


def test_label(bench):
    """Labelling pictures gives the same rewards as labelling their embeddings."""
    prepare(bench)
    np.save(bench / "g.npy", frames(seed=1))
    np.save(bench / "e.npy", encode(bench, "--size", "64"))
    both = [bench.json("label", "--demo", demo, "--episode", "g.npy", "--encoder", "net.onnx", "--size", "64",
                       "--json")[0]["sum"] for demo in ("f.npy", "e.npy")]
    check(both[0] == both[1] < 0, f"{both}")


def test_probe_and_train(bench):
    prepare(bench)
    (told,) = bench.json("probe", "--task", "window-open", "--episodes", "1", "--goals", "1", "--demos", "1",
                         "--encoder", "net.onnx", "--size", "64", "--json")
    check(told["looks_at"].startswith("net f32 64 map "), told["looks_at"])
    bench.succeeds("train", "--task", "window-open", "--out", "run", "--encoder", "net.onnx", *TINY, "size=32",
                   "preprocess=siglip")
    config = (bench / "run" / "config.yaml").read_text()
    check('encoder: "net.onnx"' in config and 'preprocess: "siglip"' in config, config)


def test_bad_input(bench):
    prepare(bench)
    whole = made_onnx.network()
    run = ["encode", "--in", "f.npy", "--out", "x.npy", "--size", "64", "--encoder"]
    for name, data, words in (
            ("cut.onnx", whole[:len(whole) // 2], ["cut short"]),
            ("empty.onnx", b"", ["no ONNX model"]),
            ("text.onnx", b"version https://git-lfs.github.com/spec/v1\n", ["no ONNX model"]),
            ("op.onnx", made_onnx.network(extra=made_onnx.node("Gaze", ["map"], "gaze")
                                          + made_onnx.value(12, "gaze", [0])), ["Gaze"]),
            ("two.onnx", made_onnx.network(extra=made_onnx.value(11, "words", [1, 6, 4, 4])
                                           + made_onnx.node("Add", ["map", "words"], "sum")
                                           + made_onnx.value(12, "sum", [0] * 4)), ["picture, words"])):
        (bench / name).write_bytes(data)
        bench.fails(*run, name, names=[name, *words])
    bench.fails(*run, "none.onnx", names=["none.onnx"])
    for more, words in ((["--output", "features"], ["features", "tokens"]),
                        (["--preprocess", "siglib"], ["siglip"]),
                        (["--mean", "1,2"], ["mean", "1,2"]),
                        (["--std", "0"], ["std"]),
                        (["--stride", "16"], ["stride"]),
                        (["--prefix", "a."], ["prefix"]),
                        (["--precision", "int8", "--calibration", "c.json"], ["quantise"]),
                        (["--weights", "w.pth"], ["w.pth"])):
        bench.fails(*run, "net.onnx", *more, names=words)
    bench.fails("encode", "--mean", "0.5", "--in", "f.npy", "--out", "x.npy", names=["mean", "ONNX"])
    bench.fails("encode", "--calibrate", "--encoder", "net.onnx", "--in", "f.npy", names=["quantise"])


def test_not_installed(bench):
    """Says what to install; everything else still works."""
    prepare(bench)
    nowhere = {"OPENVINO_DIR": "/nonexistent"}
    bench.fails("encode", "--encoder", "net.onnx", "--in", "f.npy", "--out", "x.npy", environment=nowhere,
                names=["OPENVINO_DIR", "scripts/deps --onnx", "pip install openvino"])
    bench.succeeds("encode", "--in", "f.npy", "--size", "32", "--out", "x.npy", "--quiet", environment=nowhere)
    checks = bench.json("doctor", "--json", environment=nowhere)[0]["checks"]
    (found,) = [one for one in checks if one["name"] == "OpenVINO"]
    check(found["status"] == "optional" and found["mend"] == "scripts/deps --onnx", f"{found}")


def main():
    read_arguments()
    tests = [value for name, value in globals().items() if name.startswith("test_")]
    found = os.popen(f"'{chosen.program}' doctor --json").read()
    if chosen.sanitized or '"OpenVINO", "status": "ok"' not in found:
        if os.environ.get("CI") and not chosen.sanitized:
            print("no OpenVINO, and CI must have it (scripts/deps --onnx)")
            return 1
        print("only without OpenVINO: it is not there (scripts/deps --onnx), or not built for sanitizers")
        tests = [test_not_installed]
    return 1 if run_all(tests, chosen.program, None, chosen.tests) else 0


if __name__ == "__main__":
    sys.exit(main())

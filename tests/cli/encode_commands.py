"""`temporalot encode`, and `temporalot label` on pictures, as a user types them.

    encode_commands.py --program PATH [--sanitized] [TEST ...]
"""
import os
import signal
import struct
import subprocess
import time
import zlib

import numpy as np

from workbench import check, chosen, main

SMALL = ["--size", "64", "--batch", "4"]  # fast, because the pictures are small
CHANNELS = 1280                           # of MobileNetV2


# --- pictures -------------------------------------------------------------------------------------

def pictures(count=10, width=64, height=48, seed=0):
    """A square that moves over a gradient, with some noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    frames = np.empty((count, height, width, 3), np.uint8)
    for k in range(count):
        frames[k] = np.stack([40 + 2 * y, 30 + 2 * x, 90 + 0 * x], -1) % 256
        left = (seed * 7 + k * 3) % (width // 2)
        frames[k, height // 4:height // 2, left:left + width // 4] = (220, 40, 30)
    return frames + rng.integers(0, 8, frames.shape, dtype=np.uint8)


def write_png(path, rgb):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    height, width = rgb.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in rgb)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_pngs(folder, frames):
    folder.mkdir()
    for k, frame in enumerate(frames):
        write_png(folder / f"{k}.png", frame)  # without leading zeros: files are sorted by number


def write_avi(path, frames):
    """A lossless video: uncompressed BGR, bottom row first."""
    def chunk(kind, data):
        return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    def group(kind, data):
        return chunk(b"LIST", kind + data)
    count, height, width = frames.shape[:3]
    row = (3 * width + 3) // 4 * 4
    size = row * height
    main = struct.pack("<14I", 33333, size * 30, 0, 0x10, count, 0, 1, size, width, height, 0, 0, 0, 0)
    stream = (b"vids" + b"DIB " + struct.pack("<I2H8I4h", 0, 0, 0, 0, 1, 30, 0, count, size, 0, 0, 0, 0, width, height))
    bitmap = struct.pack("<I2i2H6I", 40, width, height, 1, 24, 0, size, 0, 0, 0, 0)
    padded = np.zeros((count, height, row), np.uint8)
    padded[:, :, :3 * width] = frames[:, ::-1, :, ::-1].reshape(count, height, 3 * width)
    data = [chunk(b"00db", one.tobytes()) for one in padded]
    index = b"".join(struct.pack("<4s3I", b"00db", 0x10, 4 + k * len(data[0]), size) for k in range(count))
    body = (group(b"hdrl", chunk(b"avih", main) + group(b"strl", chunk(b"strh", stream) + chunk(b"strf", bitmap)))
            + group(b"movi", b"".join(data)) + chunk(b"idx1", index))
    path.write_bytes(chunk(b"RIFF", b"AVI " + body))


def encode(bench, *arguments, out="out.npy"):
    said = bench.json("encode", *arguments, "--out", out, "--json", "--overwrite", *SMALL)
    return np.load(bench / out), said[0]


def cosine(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    return float(((a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)).min())


# --- encode ---------------------------------------------------------------------------------------

def test_same_frames_by_every_route(bench):
    frames = pictures(13)
    np.save(bench / "frames.npy", frames)
    np.savez(bench / "stored.npz", frames=frames, other=np.zeros(3))
    np.savez_compressed(bench / "packed.npz", frames_0=pictures(2), frames_1=frames)
    write_pngs(bench / "png", frames)
    write_avi(bench / "video.avi", frames)
    first, said = encode(bench, "--in", "frames.npy")
    check(first.shape == (13, CHANNELS * 2 * 2) and first.dtype == np.float32, f"{first.shape} {first.dtype}")
    check(np.isfinite(first).all() and first.std() > 0, "no embeddings")
    check(said["frames"] == 13 and said["width"] == CHANNELS * 4 and said["ms"] > 0 and said["out"] == "out.npy",
          f"{said}")
    check("mobilenetv2 f32 64 map" in said["encoder"], f"{said}")
    whole = (bench / "out.npy").read_bytes()
    for route in ("frames.npy", "stored.npz", "stored.npz:frames", "packed.npz:frames_1", "png", "video.avi"):
        encode(bench, "--in", route)
        check((bench / "out.npy").read_bytes() == whole, f"{route}: other embeddings")
    other = encode(bench, "--in", "frames.npy", "--threads", "1", "--batch", "1")[0]
    check(cosine(first, other) > 0.999999, "a batch of one, on one thread, is something else")


def test_resized(bench):
    frames = pictures(6, 64, 64)
    np.save(bench / "frames.npy", frames)
    np.save(bench / "twice.npy", frames.repeat(2, 1).repeat(2, 2))
    first = encode(bench, "--in", "frames.npy")[0]
    check(np.array_equal(first, encode(bench, "--in", "twice.npy")[0]), "a picture twice as large is another")


def test_pooled(bench):
    np.save(bench / "frames.npy", pictures(5))
    whole = encode(bench, "--in", "frames.npy")[0].reshape(5, CHANNELS, -1)
    pooled, said = encode(bench, "--in", "frames.npy", "--pool")
    check(pooled.shape == (5, CHANNELS) and said["width"] == CHANNELS, f"{pooled.shape}")
    check(np.abs(whole.mean(2) - pooled).max() < 1e-5 * np.abs(pooled).max(), "not the mean")


def test_together_and_apart(bench):
    parts = [pictures(count, seed=count) for count in (3, 9, 4)]
    np.save(bench / "a.npy", parts[0])
    write_avi(bench / "b.avi", parts[1])
    write_pngs(bench / "c", parts[2])
    each = [encode(bench, "--in", name)[0] for name in ("a.npy", "b.avi", "c")]
    together, said = encode(bench, "--in", "a.npy", "b.avi", "--in", "c")
    check(np.array_equal(together, np.concatenate(each)) and said["frames"] == 16, "not one after the other")
    lines = bench.json("encode", "--in", "a.npy", "b.avi", "c", "--out", "apart/", "--json", *SMALL)
    check([line["out"] for line in lines] == ["apart/a.npy", "apart/b.npy", "apart/c.npy"], f"{lines}")
    for name, expected in zip("abc", each):
        check(np.array_equal(np.load(bench / f"apart/{name}.npy"), expected), f"apart/{name}.npy")
    np.savez(bench / "two.npz", frames_0=parts[0], frames_1=parts[1])
    lines = bench.json("encode", "--in", "two.npz", "--out", "apart", "--json", *SMALL)
    check([line["out"] for line in lines] == ["apart/two_frames_0.npy", "apart/two_frames_1.npy"], f"{lines}")
    check(np.array_equal(np.load(bench / "apart/two_frames_1.npy"), each[1]), "frames_1")
    np.save(bench / "b.npy", parts[0])
    bench.fails("encode", "--in", "b.avi", "b.npy", "--out", "apart/", "--overwrite", names=["b.avi", "b.npy"])


def test_folders_and_lists(bench):
    (bench / "runs").mkdir()
    np.save(bench / "runs/2.npy", pictures(2, seed=2))
    write_avi(bench / "runs/1.avi", pictures(3, seed=1))
    write_png(bench / "runs/plot.png", pictures(1)[0])
    both, _ = encode(bench, "--in", "runs")
    each, _ = encode(bench, "--in", "runs/1.avi", "runs/2.npy")
    check(np.array_equal(both, each), "a folder is its videos and arrays by name")
    (bench / "list").write_text("# two of them\nruns/1.avi\nruns/2.npy\n")
    check(np.array_equal(encode(bench, "--in", "@list")[0], both), "a list")
    check(np.array_equal(encode(bench, "--in", "runs/[12]*")[0], both), "a pattern")


def test_video_of_an_episode(bench):
    """A video written by `rollout` can be encoded; the result is close to that of the original pictures."""
    bench.succeeds("rollout", "--task", "push", "--policy", "expert", "--steps", "6", "--frames", "--video", "push.mp4",
                   "--out", "push.npz", "--quiet")
    exact = encode(bench, "--in", "push.npz")[0]
    video = encode(bench, "--in", "push.mp4")[0]
    check(exact.shape == video.shape and len(exact) == 6, f"{exact.shape} {video.shape}")
    near = cosine(exact, video)
    check(near > 0.9, f"cosine {near}")
    return f"smallest cosine {near:.4f}"


def test_said(bench):
    np.save(bench / "frames.npy", pictures(1))
    told = bench.succeeds("encode", "--in", "frames.npy", "--out", "out.npy", *SMALL)
    check("1 picture to 5120 numbers" in told and "wrote out.npy" in told, f"{told!r}")
    check(bench.succeeds("encode", "--in", "frames.npy", "--out", "out.npy", "--quiet", "--overwrite",
                         *SMALL) == "", "not quiet")
    told = bench.succeeds("encode", "--help")
    check("temporalot encode --in demo.mp4 --out demo.npy" in told, "no example")


def test_int8(bench):
    frames = pictures(24)
    np.save(bench / "frames.npy", frames)
    bench.fails("encode", "--in", "frames.npy", "--out", "out.npy", "--precision", "int8", "--calibration", "none.json",
                *SMALL, names=["none.json"])
    said = bench.json("encode", "--calibrate", "--in", "frames.npy", "--calibration", "cal.json", "--json", *SMALL)[0]
    check(said == {"out": "cal.json", "pictures": 24, "network": "mobilenetv2"}, f"{said}")
    exact = encode(bench, "--in", "frames.npy")[0]
    rough, said = encode(bench, "--in", "frames.npy", "--precision", "int8", "--calibration", "cal.json")
    near = cosine(exact, rough)
    check("int8" in said["encoder"] and not np.array_equal(exact, rough), f"{said}")
    check(near > 0.4, f"cosine {near}")  # int8 is inaccurate for small pictures
    # each of two views is cropped to its own part, whichever comes first
    np.save(bench / "flipped.npy", frames[:, ::-1])
    for k, source in enumerate(("frames.npy,flipped.npy", "flipped.npy,frames.npy")):
        bench.succeeds("encode", "--calibrate", "--in", source, "--calibration", f"{k}.json", "--crop", "moving", "-q", *SMALL)
    check((bench / "0.json").read_bytes() == (bench / "1.json").read_bytes(), "the order of the views counts")
    (bench / "cal.json").write_text("{}")
    bench.fails("encode", "--in", "frames.npy", "--out", "out.npy", "--overwrite", "--precision", "int8",
                "--calibration", "cal.json", *SMALL, names=["cal.json"])
    return f"smallest cosine {near:.4f}"


# --- bad input ------------------------------------------------------------------------------------

def test_inputs_survive(bench):
    """An output that is also an input is always refused; a foreign file is refused without --overwrite."""
    np.save(bench / "a.npy", pictures(2))
    (bench / "notes.npy").write_text("mine")
    (bench / "folder").mkdir()
    os.link(bench / "a.npy", bench / "folder/a.npy")
    for over in ([], ["--overwrite"]):
        for out in ("a.npy", "./a.npy", "folder/a.npy"):
            bench.fails("encode", "--in", "a.npy", "--out", out, *SMALL, *over, code=2, names=["--out", out, "an input"])
    bench.fails("encode", "--in", "a.npy", "--out", "notes.npy", *SMALL, code=2, names=["notes.npy", "--overwrite"])
    check("replaced notes.npy" in bench.succeeds("encode", "--in", "a.npy", "--out", "notes.npy", *SMALL, "--overwrite"),
          "what was replaced is not said")


def test_bad_usage(bench):
    np.save(bench / "frames.npy", pictures(1))
    for words, names in ((["--in", "frames.npy"], ["--out"]), (["--out", "x.npy"], ["--in"]),
                         (["--in", "frames.npy", "--out", "x.txt"], ["x.txt"]),
                         (["--in", "frames.npy", "--out", "x.npy", "--size", "8"], ["--size", "8"]),
                         (["--in", "frames.npy", "--out", "x.npy", "--size", "9999"], ["--size", "9999"]),
                         (["--in", "frames.npy", "--out", "x.npy", "--batch", "0"], ["--batch"]),
                         (["--in", "frames.npy", "--out", "x.npy", "--precision", "f64"], ["f64"]),
                         (["--in", "frames.npy", "--out", "x.npy", "--encoder", "resnet5"], ["resnet50"]),
                         (["--in", "frames.npy", "--out", "x.npy", "--encoder", "resnet50"], ["--weights"]),
                         (["--calibrate", "--out", "x.npy"], ["--calibrate"]),
                         (["--calibrate", "--crop", "moving"], ["--crop", "--in"])):
        bench.fails("encode", *words, names=names, code=2)
    bench.fails("label", "--demo", "frames.npy", "--episode", "frames.npy", "--size", "1", names=["--size"], code=2)


def test_bad_pictures(bench):
    good = pictures(4)
    np.save(bench / "float.npy", good.astype(np.float32))
    np.save(bench / "flat.npy", good[0])
    np.save(bench / "first.npy", good.transpose(0, 3, 1, 2))
    np.save(bench / "none.npy", good[:0])
    np.save(bench / "good.npy", good)
    whole = (bench / "good.npy").read_bytes()
    (bench / "short.npy").write_bytes(whole[:-1])
    (bench / "text.mp4").write_text("this is no video\n" * 100)
    (bench / "empty.mp4").write_bytes(b"")
    write_avi(bench / "good.avi", good)
    (bench / "short.avi").write_bytes((bench / "good.avi").read_bytes()[:-5000])
    write_pngs(bench / "mixed", good)
    write_png(bench / "mixed/2.png", pictures(1, 32, 32)[0])
    (bench / "nothing").mkdir()
    (bench / "nothing/readme.txt").write_text("no pictures")
    (bench / "out.npy").write_bytes(b"what was there")
    cases = {"float.npy": "float32", "flat.npy": "48 x 64 x 3", "first.npy": "transpose", "none.npy": "no picture",
             "short.npy": "cut short", "text.mp4": "nor a video", "empty.mp4": "empty", "short.avi": "cut short",
             "mixed": "picture 2 (2.png) has 32 x 32", "nothing": "no .npy", "absent.mp4": "No such file",
             "good.npy:frames": "good.npy"}
    for name, word in cases.items():
        bench.fails("encode", "--in", "good.npy", name, "--out", "out.npy", "--overwrite", *SMALL,
                    names=[name.split(":")[0], word])
    check((bench / "out.npy").read_bytes() == b"what was there", "the old output is gone")


def test_bad_weights(bench):
    np.save(bench / "frames.npy", pictures(1))
    (bench / "text.pth").write_text("no weights")
    for words, names in ((["--weights", "text.pth"], ["text.pth"]), (["--weights", "none.pth"], ["none.pth"])):
        bench.fails("encode", "--in", "frames.npy", "--out", "out.npy", *words, names=names)
        bench.fails("label", "--demo", "frames.npy", "--episode", "frames.npy", *words, names=names)


def test_killed_half_way(bench):
    np.save(bench / "frames.npy", np.repeat(pictures(40), 100, 0))
    before = bench.files()
    arguments = [bench.program, "encode", "--in", "frames.npy", "--out", "out.npy", "--quiet"]
    for number, code in ((signal.SIGTERM, 130), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        process = subprocess.Popen(arguments, cwd=bench.folder, stderr=subprocess.PIPE, text=True)
        begun = time.perf_counter()
        # wait until it starts writing
        while bench.files() == before and process.poll() is None and time.perf_counter() - begun < 60:
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(number)
        said = process.communicate()[1]
        check(process.returncode == code, f"signal {number}: exit {process.returncode}: {said}")
        check(not (bench / "out.npy").exists(), f"signal {number}: half a file")
        if number != signal.SIGKILL:
            check(bench.files() == before, f"signal {number}: left {set(bench.files()) - set(before)}")
            check(said.count("\n") == 1, f"signal {number}: {said!r}")


def peak(bench, *arguments):
    """Peak resident memory in MB."""
    process = subprocess.Popen([bench.program, *arguments], cwd=bench.folder)
    _, code, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    check(process.returncode == 0, f"{arguments}: exit {process.returncode}")
    return usage.ru_maxrss / 1024


def test_memory_does_not_grow(bench):
    if chosen.sanitized:
        return "skipped: sanitizers keep what was freed"
    few, many = pictures(8, 320, 240), np.repeat(pictures(8, 320, 240), 25, 0)
    np.save(bench / "few.npy", few)
    np.save(bench / "many.npy", many)
    np.savez_compressed(bench / "many.npz", frames=many)
    small = peak(bench, "encode", "--in", "few.npy", "--out", "out.npy", "--quiet", *SMALL)
    told = [f"8: {small:.0f} MB"]
    for name in ("many.npy", "many.npz"):
        large = peak(bench, "encode", "--in", name, "--out", "out.npy", "--quiet", "--overwrite", *SMALL)
        check(large < small + 20, f"8 pictures take {small:.0f} MB, 200 of {name} {large:.0f} MB")
        told.append(f"200 of {name}: {large:.0f} MB")
    return ", ".join(told)


# --- label ----------------------------------------------------------------------------------------

def rewards(bench, *arguments):
    bench.succeeds("label", *arguments, "--out", "rewards.npz", "--quiet", *SMALL)
    return (bench / "rewards.npz").read_bytes()


def test_label_on_pictures(bench):
    demos = [pictures(12, seed=k) for k in (0, 1)]
    runs = [pictures(12, seed=k) for k in (2, 3, 4)]
    np.savez(bench / "demos.npz", frames_0=demos[0], frames_1=demos[1])
    np.save(bench / "run0.npy", runs[0])
    write_avi(bench / "run1.avi", runs[1])
    write_pngs(bench / "run2", runs[2])
    bench.succeeds("encode", "--in", "demos.npz", "run0.npy", "run1.avi", "run2", "--out", "e/", "--quiet", *SMALL)
    encoded = rewards(bench, "--demo", "e/demos_frames_0.npy", "e/demos_frames_1.npy", "--episode", "e/run0.npy",
                      "e/run1.npy", "e/run2.npy")
    shown = rewards(bench, "--demo", "demos.npz", "--episode", "run0.npy", "run1.avi", "run2")
    check(shown == encoded, "rewards of pictures are not those of their embeddings")
    mixed = rewards(bench, "--demo", "demos.npz:frames_0", "e/demos_frames_1.npy", "--episode", "e/run0.npy", "run1.avi",
                    "e/run2.npy", "--threads", "2")
    check(mixed == encoded, "pictures and embeddings side by side")
    one = rewards(bench, "--demo", "demos.npz", "--episode", "run1.avi")
    check(one == rewards(bench, "--demo", "e/demos_*", "--episode", "e/run1.npy"), "a single episode")
    scaled = rewards(bench, "--demo", "demos.npz", "--episode", "run0.npy", "run1.avi", "--scale", "auto")
    check(scaled == rewards(bench, "--demo", "e/demos_*", "--episode", "e/run0.npy", "e/run1.npy", "--scale", "auto"),
          "scale auto")


def test_label_says_which_network(bench):
    np.save(bench / "frames.npy", pictures(12))
    arguments = ["label", "--demo", "frames.npy", "--episode", "frames.npy", *SMALL]
    done = bench.run(*arguments)
    check(done.returncode == 0 and done.stderr.count("\n") == 1, f"{done.stderr!r}")
    check("frames.npy" in done.stderr and "mobilenetv2" in done.stderr and "--weights" in done.stderr, done.stderr)
    bench.succeeds(*arguments, "--quiet")
    bench.succeeds(*arguments, "--encoder", "mobilenetv2")


def test_label_mixed_widths(bench):
    np.save(bench / "frames.npy", pictures(12))
    np.save(bench / "other.npy", np.random.default_rng(0).normal(size=(12, 100)).astype(np.float32))
    bench.fails("label", "--demo", "frames.npy", "--episode", "other.npy", "--quiet", *SMALL,
                names=["other.npy", "100", "5120"])
    bench.fails("label", "--demo", "other.npy", "--episode", "frames.npy", "--quiet", *SMALL,
                names=["frames.npy", "100", "5120"])
    bench.fails("label", "--demo", "other.npy", "frames.npy", "--episode", "other.npy", "--quiet", *SMALL,
                names=["frames.npy"])


if __name__ == "__main__":
    main(globals())

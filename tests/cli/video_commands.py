"""Pictures and videos as users have them: JPEGs, GIFs with a wrong suffix, floats, excerpts of videos, pages that
show them, and `probe` with the user's own recordings."""
import re

import numpy as np
from PIL import Image

from workbench import check, main

SMALL = ["--size", "64", "--pool"]


def frames(count, width=64, height=48):
    """Frames with a square that moves to the right."""
    out = np.full((count, height, width, 3), 60, np.uint8)
    for k in range(count):
        out[k, 16:32, k:k + 16, 0] = 220
    return out


def encode(bench, source, *options):
    bench.succeeds("encode", "--in", source, "--overwrite", "--out", "out.npy", *SMALL, *options, "-q")
    return np.load(bench / "out.npy")


def film(bench, name="a.mp4", task="reach", *options):
    bench.succeeds("rollout", "--task", task, "--policy", "expert", "--steps", "30", "--size", "64", "--video", name,
                   "--out", "t.npz", "-q", *options)


def test_float_pictures(bench):
    np.save(bench / "floats.npy", (frames(8) / 255).astype(np.float32))
    np.save(bench / "torch.npy", (frames(8) / 255).transpose(0, 3, 1, 2))
    for name in "floats.npy", "torch.npy":
        bench.fails("label", "--demo", name, "--episode", name, names=[name, "pictures", "uint8", "255"])
        bench.fails("encode", "--in", name, "--out", "x.npy", names=[name, "uint8"])
    np.save(bench / "flat.npy", (frames(8) / 255).reshape(8, -1))
    bench.succeeds("label", "--demo", "flat.npy", "--episode", "flat.npy")


def test_folder_of_jpegs(bench):
    made = frames(12)
    for folder, ending in ("jpegs", "jpg"), ("pngs", "png"):
        (bench / folder).mkdir()
        for k, picture in enumerate(made):
            Image.fromarray(picture).save(bench / folder / f"{k}.{ending}", **({"quality": 95} if ending == "jpg" else {}))
    jpegs, pngs = encode(bench, "jpegs"), encode(bench, "pngs")
    check(jpegs.shape == pngs.shape == (12, jpegs.shape[1]), f"{jpegs.shape} {pngs.shape}")
    close = np.corrcoef(jpegs.ravel(), pngs.ravel())[0, 1]
    check(close > 0.99, f"JPEG and PNG: correlation {close}")
    check(len(encode(bench, "jpegs/3.jpg")) == 1, "a single JPEG")
    bench.succeeds("label", "--demo", "pngs", "--episode", "jpegs", *SMALL, "-q")


def test_gif_named_png(bench):
    pictures = [Image.fromarray(picture) for picture in frames(5)]
    pictures[0].save(bench / "moving.png", format="GIF", save_all=True, append_images=pictures[1:], duration=100)
    check(len(encode(bench, "moving.png")) == 5, "a GIF named .png is a video")
    (bench / "mixed").mkdir()
    pictures[0].save(bench / "mixed/0.png", format="JPEG")
    pictures[1].save(bench / "mixed/1.png", format="PNG")
    check(len(encode(bench, "mixed")) == 2, "a JPEG named .png in a folder")
    (bench / "broken.png").write_bytes(b"neither this nor that")
    bench.fails("encode", "--in", "broken.png", "--out", "x.npy", names=["broken.png", "PNG"])


def test_turned_jpeg(bench):
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:, 32:] = 200
    turned = Image.fromarray(picture)
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    turned.save(bench / "turned.jpg", exif=exif, quality=95)
    Image.fromarray(picture[::-1, ::-1].copy()).save(bench / "upright.png")
    Image.fromarray(picture).save(bench / "stored.png")
    found, upright, stored = (encode(bench, name) for name in ("turned.jpg", "upright.png", "stored.png"))
    near, far = np.abs(found - upright).mean(), np.abs(found - stored).mean()
    check(near < far / 4, f"the EXIF rotation is not applied: as shown {near:.3f}, as stored {far:.3f}")
    return f"as shown {near:.3f}, as stored {far:.3f}"


def test_excerpts(bench):
    film(bench)
    everything = encode(bench, "a.mp4")
    check(len(everything) == 30, f"{len(everything)} frames")
    check(np.array_equal(encode(bench, "a.mp4", "--every", "3"), everything[::3]), "--every 3")
    check(np.array_equal(encode(bench, "a.mp4", "--fps", "10"), everything[::3]), "--fps 10 of 30")
    check(np.array_equal(encode(bench, "a.mp4", "--from", "0.5"), everything[15:]), "--from")
    check(np.array_equal(encode(bench, "a.mp4", "--to", "0.5"), everything[:15]), "--to")
    cropped = encode(bench, "a.mp4", "--crop", "16,16,32,32")
    check(cropped.shape == everything.shape and not np.array_equal(cropped, everything), "--crop")
    rows = bench.json("label", "--demo", "a.mp4", "--episode", "a.mp4", "--every", "2", "--json", *SMALL, "-q")
    check(rows[0]["steps"] == 15, rows)
    bench.fails("encode", "--in", "a.mp4", "--out", "x.npy", "--crop", "60,0,10,10", names=["a.mp4", "crop", "64 x 64"])
    bench.fails("encode", "--in", "a.mp4", "--out", "x.npy", "--from", "9", names=["a.mp4", "from"])
    for words in (["--every", "0"], ["--fps", "0"], ["--from", "-1"], ["--from", "2", "--to", "1"], ["--crop", "1,2"]):
        for command in (["encode", "--in", "a.mp4", "--out", "x.npy"], ["label", "--demo", "a.mp4", "--episode", "a.mp4"],
                        ["probe", "--demo", "a.mp4"]):
            bench.fails(*command, *words, names=[words[0]], code=2)
    np.save(bench / "e.npy", everything)
    bench.fails("label", "--demo", "e.npy", "--episode", "e.npy", "--every", "2", names=["e.npy", "embeddings"])
    np.save(bench / "p.npy", frames(8))
    check(len(encode(bench, "p.npy", "--every", "2")) == 4, "--every of an array")
    bench.fails("encode", "--in", "p.npy", "--out", "x.npy", "--fps", "2", names=["p.npy", "fps", "time stamps"])


def test_ffmpeg_is_silent(bench):
    """Whatever a container or a broken file makes FFmpeg log, only the program's own messages are printed."""
    for name in "a.mp4", "b.avi", "c.mkv", "d.mov", "e.mpg", "f.ts", "g.flv":
        film(bench, name)
        check(len(encode(bench, name)) == 30, name)
    whole = (bench / "a.mp4").read_bytes()
    (bench / "torn.mp4").write_bytes(whole[:len(whole) * 3 // 4])
    (bench / "bent.mp4").write_bytes(whole[:400] + bytes(200) + whole[600:])
    bench.fails("encode", "--in", "torn.mp4", "--out", "x.npy", names=["torn.mp4"])
    said = bench.run("encode", "--in", "bent.mp4", "--out", "x.npy", *SMALL).stderr
    check(all(line.startswith("temporalot: ") for line in said.splitlines()), said)


def test_crop_to_what_moves(bench):
    """--crop moving finds the part of the demonstrations that changes and crops everything to it."""
    for k, width in enumerate((64, 64, 128)):
        made = np.repeat(np.repeat(frames(12), width // 64, 1), width // 64, 2)
        made[:, :, -10:] = np.random.default_rng(k).integers(0, 255, (1, made.shape[1], 10, 3))  # differs, but does not move
        np.save(bench / f"v{k}.npy", made)
    label = ["label", "--demo", "v0.npy", "v1.npy", "--episode", "v2.npy", *SMALL]
    said = bench.run(*label, "--crop", "moving").stderr
    low, high = map(int, re.search(r"from (\d+) to (\d+) % of the width", said).groups())
    check(low == 0 and 42 <= high <= 60, said)
    cropped, whole = (bench.json(*label, *options, "--json", "-q")[0]["sum"] for options in (["--crop", "moving"], []))
    check(cropped > whole / 2, f"what does not move counts: {cropped} {whole}")
    (bench / "mine.txt").write_text("mine")
    for name, *command in (("mine.txt", *label, "--page"), ("v0.npy", "encode", "--in", "v0.npy", *SMALL, "--out")):
        bench.fails(*command, name, "--crop", "moving", names=[name], code=2)  # before any video is read
    np.save(bench / "still.npy", np.repeat(frames(1), 12, 0))
    bench.fails("label", "--demo", "still.npy", "--episode", "v0.npy", "--crop", "moving", names=["still.npy", "nothing moves"])
    bench.fails("label", "--demo", "v0.npy", "--episode", "v0.npy", "--crop", "movin", names=["--crop", "moving"], code=2)


def test_page_shows_frames(bench):
    film(bench)
    bench.run("label", "--demo", "a.mp4", "--episode", "a.mp4", "--page", "page.html", *SMALL, "-q")
    page = (bench / "page.html").read_text()
    rows = page.count('class="frames"')
    check(rows == 2, f"{rows} rows of pictures")
    check(page.count("data:image/png;base64") >= 2, "no pictures")
    np.save(bench / "e.npy", np.eye(20, dtype=np.float32))
    bench.succeeds("label", "--demo", "e.npy", "--episode", "e.npy", "--page", "plain.html", "-q")
    check('class="frames"' not in (bench / "plain.html").read_text(), "embeddings have no pictures")


def test_probe_of_own(bench):
    path = np.linspace(0, 1, 40)[:, None] * np.ones((1, 6)) + np.eye(6)[0]
    for k in range(3):
        noise = np.random.default_rng(k).normal(scale=0.01, size=path.shape)
        np.save(bench / f"d{k}.npy", (path + noise).astype(np.float32))
    np.save(bench / "still.npy", np.repeat(path[:1], 40, 0).astype(np.float32))
    demos = ["--demo", "d0.npy", "d1.npy", "d2.npy"]
    found = bench.json("probe", *demos, "--episode", "still.npy", "--cost", "euclidean", "--json")[0]
    rows = {row["name"]: row for row in found["rows"]}
    check(found["rank_correlation"] > 0.95, found)
    check(rows["whole demonstration"]["reward"] == -1, rows)
    check(rows["played backwards"]["below_whole"] == 1 and rows["still.npy"]["below_whole"] == 1, rows)
    for name in "d0.npy", "d1.npy", "d2.npy":  # no temporal order: nothing to rank
        np.save(bench / name, np.random.default_rng(7).normal(size=(40, 6)).astype(np.float32))
    film(bench)
    said = bench.succeeds("probe", "--demo", "a.mp4", "--episode", "a.mp4", *SMALL)
    check("rank correlation" in said and "a.mp4" in said, said)
    bench.fails("probe", names=["--task", "--demo"], code=2)
    bench.fails("probe", "--task", "reach", "--demo", "a.mp4", names=["--demo", "--task"], code=2)


def test_two_cameras(bench):
    """Two cameras' videos of the same episodes are compared view by view, and the costs averaged."""
    for camera in "corner", "corner3":
        (bench / camera).mkdir()
        for k in 0, 1:
            film(bench, f"{camera}/{k}.mp4", "reach", "--camera", camera, "--episode", str(k))
        film(bench, f"{camera}.mp4", "reach", "--camera", camera, "--policy", "random")
    attempt = "corner.mp4,corner3.mp4"

    def total(demo, episode, *options):
        return bench.json("label", "--demo", demo, "--episode", episode, "--out", "r.npz", "--json", "-q", *options)[0]["sum"]

    for name, source in ("demo", "corner/0.mp4,corner3/0.mp4"), ("attempt", attempt):
        bench.succeeds("encode", "--in", source, "--out", f"{name}.npy", *SMALL, "-q")
    both, first, second = (total(f"{c}/0.mp4" if c else "corner/0.mp4,corner3/0.mp4", f"{c}.mp4" if c else attempt, *SMALL)
                           for c in ("", "corner", "corner3"))
    check(abs(both - total("demo.npy", "attempt.npy", "--views", "2")) < 1e-6, "as side by side in one file")
    check(min(first, second) < both < max(first, second), f"between {first} and {second}: {both}")
    check(total("corner/0.mp4,corner3/0.mp4", "corner/0.mp4,corner3.mp4", *SMALL) < -1e-3, "the second view counts")
    rows = bench.json("label", "--demo", "corner,corner3", "--episode", "corner,corner3", *SMALL, "--json", "-q")
    check([row["episode"] for row in rows] == ["corner/0.mp4", "corner/1.mp4"], rows)
    said = bench.succeeds("probe", "--demo", "corner,corner3", "--episode", attempt, *SMALL)
    check("rank correlation" in said, said)
    demos = ["--demo", "corner,corner3", "--episode"]
    bench.fails("label", *demos, "corner.mp4", *SMALL, names=["corner.mp4", "1 view"])
    for command in "label", "probe":
        bench.fails(command, *demos, attempt, "--views", "3", *SMALL, names=["views: 3", "have 2"])
    bench.fails("label", *demos, attempt, "--out", "corner3/1.mp4", names=["corner3/1.mp4"], code=2)
    film(bench, "short.mp4", "reach", "--camera", "corner3", "--steps", "20")
    bench.fails("label", *demos, "corner.mp4,short.mp4", *SMALL, "-q", names=["short.mp4", "20"])


def test_training_from_a_video(bench):
    tiny = ["--steps", "40", "--horizon", "20", "--warmup", "10", "--update-after", "10", "--hidden", "16", "--batch",
            "8", "--eval-every", "40", "--eval-episodes", "1", "--video", "1", "--size", "32", "--view", "camera",
            "--center", "off", "--demos", "1", "--context", "1"]
    film(bench, "same.mp4", "reach", "--quality", "fast")
    done = bench.run("train", "--task", "reach", "--demo", "same.mp4", "-o", "same", "-q", *tiny)
    check(done.returncode == 0 and "does not look like" not in done.stderr, done.stderr)
    check((bench / "same/demo-0.png").exists(), "no picture of both")
    page = (bench / "same/report.html").read_text()
    check("videos/step-" in page, "the page does not link the videos")
    done = bench.run("train", "--task", "reach", "--demo", "same.mp4", "-o", "zoomed", "-q", "--zoom", "2.5", *tiny)
    check(done.returncode == 0 and "same.mp4" in done.stderr and "does not look like" in done.stderr, done.stderr)
    # the fitted view of a video is the part of it that moves
    tiny[tiny.index("camera")] = "fitted"
    done = bench.run("train", "--task", "reach", "--demo", "same.mp4", "-o", "fitted", "-q", *tiny)
    check(done.returncode == 0 and "does not look like" not in done.stderr, done.stderr)
    np.save(bench / "still.npy", np.full((20, 32, 32, 3), 99, np.uint8))
    bench.fails("train", "--task", "reach", "--demo", "still.npy", "-o", "still", "-q", *tiny, names=["still.npy", "nothing moves"])
    bench.fails("train", "--task", "reach", "--demo", "same.mp4", "-o", "crop", "-q", "--demo-crop", "0,0,32,32", *tiny,
                names=["demo_crop", "view"])
    tiny[tiny.index("fitted")] = "both"
    for name in "same.mp4", "still.npy":
        bench.fails("train", "--task", "reach", "--demo", name, "-o", "both", "-q", *tiny, names=[name, "set view"])
    tiny[tiny.index("both")] = "camera"
    np.save(bench / "noise.npy", np.random.default_rng(0).integers(0, 255, (20, 32, 32, 3), np.uint8))
    done = bench.run("train", "--task", "reach", "--demo", "noise.npy", "-o", "noise", "-q", *tiny)
    check(done.returncode == 0 and "noise.npy" in done.stderr and "does not look like" in done.stderr, done.stderr)


def test_what_convergence_matters(bench):
    random = np.random.default_rng(0)
    for name in "a.npy", "b.npy":
        np.save(bench / name, random.normal(size=(60, 16)).astype(np.float32))
    words = ["label", "--demo", "a.npy", "--episode", "b.npy", "--mask", "none"]
    row = bench.json(*words, "--json", "--epsilon", "0.05", "--iterations", "20", "-o", "few.npz")[0]
    bench.succeeds(*words, "--epsilon", "0.05", "--iterations", "200", "-q", "-o", "many.npz")
    few, many = (np.load(bench / name)["rewards"].astype(float) for name in ("few.npz", "many.npz"))
    expected = np.abs(few - many).sum() / np.abs(many).sum()
    check(not row["converged"] and row["marginal_error"] > 0, row)
    check(abs(row["change"] - expected) < 1e-6 and expected < 0.01, f"{row['change']} is not {expected}")
    table = bench.succeeds(*words, "--epsilon", "0.05", "--iterations", "20")
    check("converged" not in table and re.search(r"\d\.\de-\d\d", table), table)
    done = bench.run(*words, "--iterations", "1", "--epsilon", "0.001")
    check("warning" in done.stderr and "b.npy" in done.stderr and "--iterations" in done.stderr, done.stderr)


if __name__ == "__main__":
    main(globals())

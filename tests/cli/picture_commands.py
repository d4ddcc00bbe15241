"""`temporalot render`, and the pictures of `rollout` and `demo collect`, as a user types them.

    picture_commands.py --program PATH [--sanitized] [TEST ...]
"""
import json
import os
import pathlib
import shutil
import struct
import zlib

import numpy as np

from workbench import check, chosen, main


def read_png(path):
    """Reads 8-bit RGB without interlacing, the only kind that is written."""
    data = path.read_bytes()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"{path}: no PNG")
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        check(zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], "CRC")
        if kind == b"IHDR":
            width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            check((depth, colours, interlaced) == (8, 2, 0), f"{path}: {body}")
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    out = np.zeros((height + 1, 3 * width + 3), int)  # padded with zeros above and to the left
    for y in range(height):
        kind, row, above, here = rows[y, 0], rows[y, 1:].astype(int), out[y], out[y + 1]
        if kind in (0, 2):
            here[3:] = (row + (above[3:] if kind == 2 else 0)) % 256
            continue
        for x in range(3 * width):
            left, up, corner = here[x], above[x + 3], above[x]
            if kind == 1:
                guess = left
            elif kind == 3:
                guess = (left + up) // 2
            else:
                guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            here[x + 3] = (row[x] + guess) % 256
    return out[1:, 3:].reshape(height, width, 3).astype(np.uint8)


def render(bench, *arguments, task="push", out="p.npy"):
    bench.succeeds("render", "--task", task, "--quiet", "--overwrite", "--out", out, *arguments)
    return np.load(bench / out)[0] if out.endswith(".npy") else read_png(bench / out)


def load(bench, name):
    with np.load(bench / name, allow_pickle=False) as file:
        arrays = {key: file[key] for key in file}
    return arrays, json.loads(bytes(arrays["meta"]).decode("utf-8"))


def apart(one, other):
    return float(np.abs(one.astype(int) - other).mean())


# --- render ---------------------------------------------------------------------------------------

def test_render(bench):
    said = bench.json("render", "--task", "door-open", "--json", "--out", "a.png")[0]
    check(said == {"task": "door-open", "seed": 0, "episode": 0, "frames": 0, "success": False,
                   "picture": "soft full corner3 upright 224x224 aspect 1.3333", "width": 224, "height": 224,
                   "out": "a.png"}, f"{said}")
    picture = read_png(bench / "a.png")
    check(picture.shape == (224, 224, 3) and picture.std() > 20, f"{picture.shape}, {picture.std()}")
    check(np.array_equal(picture, render(bench, task="door-open")), ".npy differs from .png")
    first = (bench / "a.png").read_bytes()
    text = bench.succeeds("render", "--task", "door-open", "--out", "b.png", "--threads", "1")
    check("corner3" in text and "wrote b.png" in text, text)
    check(first == (bench / "b.png").read_bytes(), "another number of threads gives other bytes")


def test_options(bench):
    small = ["--size", "64"]
    options = [["--camera", "topview"], ["--seed", "1"], ["--episode", "1"], ["--steps", "40"]]
    turned = render(bench, *small)
    check(np.array_equal(turned[::-1, ::-1], render(bench, *small, "--no-upright")), "upright is not turned by 180")
    wide = render(bench, "--size", "64x48")
    check(wide.shape == (48, 64, 3), f"{wide.shape}")
    check(apart(turned, render(bench, "--size", "64x64")) > 1, "a square view is the same as the paper's")
    for option in options[::3] if chosen.sanitized else options:
        check(apart(turned, render(bench, *small, *option)) > 0, f"{option} changes nothing")
    fast = render(bench, *small, "--quality", "fast")
    check(0.2 < apart(turned, fast) < 40, f"full and fast are {apart(turned, fast)} apart")


def test_renderers(bench):
    """Both renderers draw the same. Without OpenGL, the message says what to install."""
    done = bench.run("render", "--task", "push", "--renderer", "gl", "--out", "gl.npy")
    if done.returncode != 0:
        check("libegl1" in done.stderr, done.stderr)
        return "no OpenGL here"
    told = []
    for quality in ("full", "fast"):
        size = ["--size", "96"] if chosen.sanitized else []
        ours = render(bench, "--quality", quality, *size)
        theirs = render(bench, "--quality", quality, "--renderer", "gl", *size)
        check(apart(ours, theirs) < 6, f"{quality}: {apart(ours, theirs)} apart")
        told.append(f"{quality} {apart(ours, theirs):.2f}")
    return ", ".join(told) + " of 255 apart"


def test_sheet(bench):
    sheet = render(bench, "--sheet", "--size", "48", "--quality", "fast", out="sheet.png")
    check(sheet.shape == (48, 8 * 52 - 4, 3), f"{sheet.shape}")
    check((sheet[:, 48:52] == 255).all(), "the gap is not white")
    first = render(bench, "--size", "48", "--quality", "fast")
    last = render(bench, "--size", "48", "--quality", "fast", "--steps", "125")
    check(np.array_equal(sheet[:, :48], first), "the first picture")
    check(np.array_equal(sheet[:, -48:], last), "the last picture")
    short = render(bench, "--sheet", "--size", "48", "--quality", "fast", "--steps", "2", out="short.png")
    check(short.shape == (48, 3 * 52 - 4, 3), f"{short.shape}")


def test_render_refuses(bench):
    run = ["render", "--task", "push", "--out", "a.png"]
    bench.fails("render", "--out", "a.png", code=2, names=["--task"])
    bench.fails("render", "--task", "push", code=2, names=["--out"])
    bench.fails("render", "--task", "puhs", "--out", "a.png", code=2, names=["puhs", "push"])
    bench.fails(*run, "--camera", "corner9",
                names=["corner9", "topview, corner, corner2, corner3, corner4, behindGripper, gripperPOV"])
    for size in ("0", "4097", "-5", "224x0", "5000x5", "axb", "224x", "x224", "12.5", "1e3", ""):
        bench.fails(*run, "--size", size, code=2, names=["--size"])
    bench.fails(*run, "--renderer", "vulkan", code=2, names=["vulkan", "gl or soft"])
    bench.fails(*run, "--quality", "best", code=2, names=["best", "full or fast"])
    bench.fails(*run, "--steps", "-2", code=2, names=["--steps"])
    bench.fails(*run, "--sheet", "--steps", "0", code=2, names=["--sheet"])
    bench.fails("render", "--task", "push", "--out", "a.jpg", code=2, names=["a.jpg", ".png"])
    bench.fails("render", "--task", "push", "--sheet", "--out", "a.npy", code=2, names=["a.npy"])
    bench.fails("render", "--task", "push", "--out", "no/a.png", names=["no/a.png"])
    # without any EGL the message is different
    bench.fails(*run, "--renderer", "gl", environment={"MUJOCO_GL": "egl", "MUJOCO_EGL_DEVICE_ID": "63"})
    check("usage: temporalot render" in bench.succeeds("render", "--help"), "help")


def test_damaged_scenes(bench):
    """A missing texture, a mesh without faces: reported with the file name when the scene is loaded."""
    said = bench.json("doctor", "--json")[0]["checks"]
    original = pathlib.Path(next(check["detail"] for check in said if check["name"] == "scenes"))
    assets = bench / "scenes/assets"
    shutil.copytree(original, assets, copy_function=os.symlink)
    run = ["render", "--task", "push", "--out", "a.png"]
    here = {"METAWORLD_DIR": str(bench / "scenes")}
    bench.succeeds(*run, "--quiet", "--size", "8", environment=here)
    for name, left in (("floor2.png", None), ("block.stl", bytes(84))):  # 84: an STL header without triangles
        path = next(assets.rglob(name))
        target = path.resolve()
        path.unlink()
        if left is not None:
            path.write_bytes(left)
        bench.fails(*run, environment=here, names=[path.stem])
        path.unlink(missing_ok=True)
        path.symlink_to(target)


# --- rollout --------------------------------------------------------------------------------------

def test_rollout_frames(bench):
    """Picture k shows the world after step k."""
    said = bench.json("rollout", "--task", "push", "--policy", "expert", "--frames", "--size", "48", "--steps", "20",
                      "--video", "v.mp4", "--sheet", "s.png", "--fps", "10", "--json")[0]
    arrays, meta = load(bench, "traj.npz")
    frames = arrays["frames"]
    check(frames.shape == (20, 48, 48, 3) and frames.dtype == np.uint8 and said["steps"] == 20, f"{frames.shape}")
    for step in (7,) if chosen.sanitized else (0, 7, 19):
        there = render(bench, "--size", "48", "--quality", "fast", "--steps", step + 1)
        check(np.array_equal(frames[step], there), f"picture {step} is not that of frame {step + 1}")
    check(meta["renderer"] == "soft fast corner3 upright 48x48 aspect 1.3333" and meta["frames_after"] is True
          and meta["camera"] == "corner3" and meta["upright"] is True and meta["mujoco"] == "3.3.0", f"{meta}")
    check((bench / "v.mp4").read_bytes()[4:8] == b"ftyp", "no MP4")
    sheet = read_png(bench / "s.png")
    check(np.array_equal(sheet[:, :48], frames[0]) and np.array_equal(sheet[:, -48:], frames[-1]), "the sheet")
    # the file can be read as frames, as `encode` does
    check(bench.files() == ["p.npy", "s.png", "traj.npz", "v.mp4"], f"{bench.files()}")


def test_rollout_options(bench):
    run = ["rollout", "--task", "push", "--policy", "zero", "--steps", "3", "--quiet", "--size", "32"]
    bench.succeeds(*run, "--frames", "--camera", "corner", "--no-upright", "--quality", "full")
    arrays, meta = load(bench, "traj.npz")
    check(meta["renderer"] == "soft full corner unturned 32x32 aspect 1.3333" and meta["camera"] == "corner"
          and meta["upright"] is False, f"{meta}")
    # with a video only, the recording has no frames
    bench.succeeds(*run, "--video", "v.mp4")
    arrays, meta = load(bench, "traj.npz")
    check("frames" not in arrays and meta["renderer"] is None and meta["frames_after"] is False, f"{meta}")
    first = (bench / "v.mp4").read_bytes()
    bench.succeeds(*run, "--video", "w.mp4")
    check(first == (bench / "w.mp4").read_bytes(), "the same video has other bytes")


def test_rollout_refuses(bench):
    run = ["rollout", "--task", "push", "--policy", "zero", "--steps", "3", "--size", "32"]
    bench.fails(*run, "--video", "no/v.mp4", names=["no/v.mp4"])
    bench.fails(*run, "--video", "v.txt", names=["v.txt", "not a supported kind of video"])
    bench.fails(*run, "--video", "/dev/full", names=["/dev/full"])
    bench.fails(*run, "--sheet", "no/s.png", names=["no/s.png"])
    bench.fails(*run, "--frames", "--camera", "cornr3", names=["cornr3", "did you mean 'corner3'"])
    bench.fails(*run, "--video", "v.mp4", "--fps", "0", code=2, names=["--fps"])
    bench.fails(*run, "--frames", "--renderer", "gpu", code=2, names=["gpu"])


# --- demonstrations -------------------------------------------------------------------------------

def test_demo_frames(bench):
    """Picture k shows the world before the k-th kept action: after 2 k frames."""
    bench.succeeds("demo", "collect", "--task", "button-press-topdown", "--count", "2", "--hold", "off", "--frames",
                   "--size", "40", "--video", "v.mp4", "--sheet", "s.png", "--quiet", "--out", "d.npz")
    arrays, meta = load(bench, "d.npz")
    check(meta["renderer"] == "soft fast corner upright 40x40 aspect 1.3333" and meta["frames_after"] is False,
          f"{meta}")
    for demo in range(2):
        frames = arrays[f"frames_{demo}"]
        episode = meta["trajectories"][demo]["episode"]
        check(frames.shape == (63, 40, 40, 3), f"{frames.shape}")
        for step in (62,) if chosen.sanitized else (0, 5, 62):
            there = render(bench, "--size", "40", "--quality", "fast", "--steps", 2 * step, "--episode", episode,
                           task="button-press-topdown")
            check(np.array_equal(frames[step], there), f"demonstration {demo}, picture {step}")
    sheet = read_png(bench / "s.png")
    check(sheet.shape == (2 * 44 - 4, 8 * 44 - 4, 3), f"{sheet.shape}")
    check(np.array_equal(sheet[44:, :40], arrays["frames_1"][0]), "the second row")
    # every third of them
    bench.succeeds("demo", "collect", "--task", "button-press-topdown", "--count", "1", "--hold", "off", "--frames",
                   "--size", "40", "--speed", "3", "--quiet", "--out", "fast.npz")
    thin, _ = load(bench, "fast.npz")
    check(np.array_equal(thin["frames"], arrays["frames_0"][::3]), "speed 3")


def test_demo_views(bench):
    """Several views are stacked in the frames, and the sheet and the video show all of them."""
    bench.succeeds("demo", "collect", "--task", "button-press-topdown", "--count", "1", "--frames", "--size", "40", "--sheet",
                   "s.png", "--video", "v.mp4", "--camera", "corner,corner3:hand", "--quiet", "--out", "d.npz")
    frames = load(bench, "d.npz")[0]["frames"]
    sheet = read_png(bench / "s.png")
    check(frames.shape[1:] == (80, 40, 3) and np.array_equal(sheet[:, :40], frames[0]), f"{frames.shape} {sheet.shape}")
    film = bench.json("encode", "--in", "v.mp4", "--crop", "0,40,40,40", "--out", "v.npy", "--size", "32", "--json")
    check(film[0]["frames"] == len(frames), "the video lacks a view")


def test_demo_refuses(bench):
    run = ["demo", "collect", "--task", "push", "--out", "d.npz"]
    bench.fails(*run, "--frames", "--camera", "nowhere", names=["nowhere", "topview"])
    bench.fails(*run, "--frames", "--size", "big", code=2, names=["--size"])


def test_unwritable(bench):
    """A file that cannot be written is reported before the work, not after it."""
    (bench / "folder").mkdir()
    (bench / "file").write_bytes(b"")
    # this would take hours
    rollout = ["rollout", "--task", "push", "--policy", "expert", "--steps", "9999999", "--size", "16"]
    demos = ["demo", "collect", "--task", "push", "--count", "1000000", "--size", "16"]
    for run in (rollout, demos):
        for option, path in (("--sheet", "no/s.png"), ("--sheet", "folder"), ("--video", "no/v.mp4"),
                             ("--video", "v.txt"), ("--video", "file/v.mp4"), ("--out", "folder"),
                             ("--out", "file/d.npz")):
            out = [] if option == "--out" else ["--out", "d.npz"]
            bench.fails(*run, *out, option, path, names=[path])
    bench.fails(*rollout, "--out", "no/traj.npz", names=["no/traj.npz"])
    render = ["render", "--task", "push", "--steps", "9999999", "--size", "16", "--out"]
    (bench / "folder.png").mkdir()
    for path in ("no/a.png", "folder.png", "file/a.npy"):
        bench.fails(*render, path, names=[path])


if __name__ == "__main__":
    main(globals())

"""Compares the software renderer with MuJoCo's OpenGL: soft_parity.py TOOL TASK SCENES FOLDER [STATES FRAMES] [keep].

Renders STATES (5) states provided by TOOL with mujoco.Renderer, in both qualities and both sizes, and fails if
the pictures differ by more than the limits; then saves them side by side in FOLDER (with "keep" in any case).
The motion in FRAMES (30, or 0) frames of the expert is compared as well. Exits 77 without OpenGL.
"""
import os
import subprocess
import sys
import warnings

os.environ.setdefault("MUJOCO_GL", "egl")
warnings.filterwarnings("ignore")
import numpy as np

MEAN_LIMIT = {"full": 3.0, "fast": 6.0}
PSNR_LIMIT = {"full": 30.0, "fast": None}
MOTION_LIMIT = {"full": 0.0, "fast": 0.9}  # at 84 pixels, motion is mostly flicker of tiny triangles in OpenGL
KINDS = [("full", 224), ("fast", 224), ("full", 84), ("fast", 84)]


def read_states(tool, task, mode, count):
    """Yields scene, camera, state arrays and the tool's pictures."""
    process = subprocess.run([tool, task, mode, str(count)], stdout=subprocess.PIPE)
    if process.returncode != 0:
        sys.exit(1)
    data = process.stdout
    nq, nbody, nsite, nmocap, camera, _, pictures = np.frombuffer(data, np.int32, 7)
    scene = data[28:284].split(b"\0")[0].decode()
    offset = 284
    assert pictures == len(KINDS)
    for _ in range(count):
        arrays = []
        for length in (nq, 3 * nmocap, 4 * nmocap, 3 * nbody, 3 * nsite):
            arrays.append(np.frombuffer(data, np.float64, length, offset))
            offset += 8 * length
        images = []
        for _, size in KINDS:
            images.append(np.frombuffer(data, np.uint8, size * size * 3, offset).reshape(size, size, 3))
            offset += size * size * 3
        yield scene, int(camera), arrays, images


class Reference:
    """MuJoCo's renderer for the scene of one task, one for each kind of picture."""

    def __init__(self, scene):
        import mujoco

        self.mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_path(scene)
        self.data = mujoco.MjData(self.model)
        self.renderers = []
        for quality, size in KINDS:
            self.model.vis.quality.offsamples = 4 if quality == "full" else 0
            self.renderers.append(mujoco.Renderer(self.model, size, size))

    def draw(self, camera, arrays):
        mujoco, model, data = self.mujoco, self.model, self.data
        qpos, mocap_pos, mocap_quat, body_pos, site_pos = arrays
        data.qpos[:] = qpos
        data.mocap_pos[:] = mocap_pos.reshape(data.mocap_pos.shape)
        data.mocap_quat[:] = mocap_quat.reshape(data.mocap_quat.shape)
        model.body_pos[:] = body_pos.reshape(model.body_pos.shape)
        model.site_pos[:] = site_pos.reshape(model.site_pos.shape)
        mujoco.mj_forward(model, data)
        for (quality, _), renderer in zip(KINDS, self.renderers):
            renderer.update_scene(data, camera)
            for eye in renderer.scene.camera:
                eye.frustum_width = 0.5 * (4 / 3) * (eye.frustum_top - eye.frustum_bottom)
            renderer.scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = quality == "full"
            renderer.scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = quality == "full"
            yield renderer.render().copy()


def psnr(a, b):
    error = np.mean((a.astype(float) - b.astype(float)) ** 2)
    return 99.0 if error == 0 else 10 * np.log10(255**2 / error)


def save(folder, name, ours, theirs):
    """Saves the two pictures and four times their difference side by side, upright."""
    import struct
    import zlib

    difference = np.clip(4 * np.abs(ours.astype(int) - theirs.astype(int)), 0, 255).astype(np.uint8)
    sheet = np.concatenate([p[::-1, ::-1] for p in (ours, theirs, difference)], axis=1)
    height, width, _ = sheet.shape
    rows = b"".join(b"\0" + row.tobytes() for row in sheet)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".png")
    with open(path, "wb") as file:
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path


def make_reference(folder, scene):
    try:
        return Reference(os.path.join(folder, scene))
    except Exception as problem:
        print("no OpenGL here:", problem)
        sys.exit(77)


def compare_motion(tool, task, reference, frames):
    """The number of picture kinds whose motion from frame to frame differs too much."""
    failures = 0
    ours, theirs = {}, {}
    for _, camera, arrays, images in read_states(tool, task, "expert", frames):
        for kind, a, b in zip(KINDS, images, reference.draw(camera, arrays)):
            ours.setdefault(kind, []).append(a.astype(float))
            theirs.setdefault(kind, []).append(b.astype(float))
    for kind in KINDS:
        a, b = np.diff(ours[kind], axis=0).ravel(), np.diff(theirs[kind], axis=0).ravel()
        motion = float(np.corrcoef(a, b)[0, 1])
        bad = motion < MOTION_LIMIT[kind[0]]
        print(f"{task} {kind[0]} {kind[1]}: what moves correlates at {motion:.4f}{'  FAILED' if bad else ''}")
        failures += bad
    return failures


def main():
    tool, task, scenes, folder = sys.argv[1:5]
    keep = sys.argv[-1] == "keep"
    counts = [int(word) for word in sys.argv[5:] if word != "keep"]
    states, frames = counts or (5, 30)
    reference = None
    failures = 0
    for number, (scene, camera, arrays, images) in enumerate(read_states(tool, task, "random", states)):
        reference = reference or make_reference(scenes, scene)
        for (quality, size), ours, theirs in zip(KINDS, images, reference.draw(camera, arrays)):
            mean = float(np.mean(np.abs(ours.astype(int) - theirs.astype(int))))
            ratio = psnr(ours, theirs)
            limit = PSNR_LIMIT[quality]
            bad = mean > MEAN_LIMIT[quality] or (limit is not None and ratio < limit)
            print(f"{task} {number} {quality} {size}: mean difference {mean:.3f}, PSNR {ratio:.2f} dB{'  FAILED' if bad else ''}")
            if bad or keep:
                print("  ", save(folder, f"{task}-{number}-{quality}-{size}", ours, theirs))
            failures += bad
    if frames > 0:
        failures += compare_motion(tool, task, reference, frames)
    sys.exit(1 if failures else 0)


main()

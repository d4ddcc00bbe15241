"""Compares the gl renderer with Python's mujoco.Renderer: the same bytes for the same settings.

    gl_parity.py TOOL TASK egl|osmesa

The tool plays expert episodes and renders them; here Meta-world's environment gets the same draw and the same
actions, and mujoco.Renderer renders it. Exits 77 (skipped) without the packages or OpenGL.
"""
import os
import subprocess
import sys
import tempfile
import warnings

tool, task, platform = sys.argv[1:]
os.environ["MUJOCO_GL"] = platform
warnings.filterwarnings("ignore")
try:
    import mujoco
    import numpy as np
    from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

LOOKS = (0, 40)
# name: width, height, all effects, the paper's view
VIEWS = {
    "full_224": (224, 224, True, False),
    "fast_224": (224, 224, False, False),
    "full_84": (84, 84, True, False),
    "fast_84": (84, 84, False, False),
    "full_640": (640, 480, True, False),
    "fast_640": (640, 480, False, False),
    "full_paper": (224, 224, True, True),
    "fast_paper": (84, 84, False, True),
}


class Views:
    """One renderer for each kind of picture."""

    def __init__(self, model):
        self.renderers = {}
        for name, (width, height, full, _) in VIEWS.items():
            samples = model.vis.quality.offsamples
            model.vis.quality.offsamples = samples if full else 0
            self.renderers[name] = mujoco.Renderer(model, height, width)
            model.vis.quality.offsamples = samples

    def draw(self, name, data, camera):
        renderer = self.renderers[name]
        _, _, full, paper = VIEWS[name]
        renderer.update_scene(data, camera)
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
            renderer.scene.flags[flag] = full
        if paper:
            for eye in renderer.scene.camera:
                eye.frustum_width = np.float32(4 / 3) * (eye.frustum_top - eye.frustum_bottom) / 2
        picture = renderer.render()
        return picture[::-1, ::-1] if paper else picture

    def close(self):
        for renderer in self.renderers.values():
            renderer.close()


def refresh_sites(environment):
    """Updates the positions of the sites that are fixed in the world from the model.

    A reset moves the goal without updating the positions that are drawn. The pictures would show the goal of the
    previous reset, which in push is a few micrometres higher or lower, depending on how the puck settled.
    """
    model = environment.model
    fixed = (mujoco.mjtSameFrame.mjSAMEFRAME_BODY, mujoco.mjtSameFrame.mjSAMEFRAME_INERTIA)
    for site in range(model.nsite):
        if model.site_bodyid[site] == 0 and model.site_sameframe[site] not in fixed:
            environment.data.site_xpos[site] = model.site_pos[site]


def play(environment, views, ours, episode, camera):
    """The names of the pictures that differ, with the differences; and the number of pictures compared."""
    environment._last_rand_vec = ours[f"draw_{episode}"]
    environment._freeze_rand_vec = True
    environment.reset()
    refresh_sites(environment)
    differing, count = [], 0
    actions = ours[f"actions_{episode}"]
    for frame in range(len(actions) + 1):
        if frame in LOOKS:
            for name in VIEWS:
                theirs = views.draw(name, environment.data, camera)
                key = f"{name}_{episode}_{frame}"
                apart = np.abs(theirs.astype(int) - ours[key])
                count += 1
                if apart.any():
                    differing.append(f"{key}: {(apart > 0).sum()} bytes, up to {apart.max()}")
        if frame < len(actions):
            environment.step(actions[frame])
    return differing, count


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pictures.npz")
        made = subprocess.run([tool, task, path])
        if made.returncode != 0:
            sys.exit(made.returncode)
        ours = dict(np.load(path))
    environment = environments[f"{task}-v3-goal-observable"](seed=0)
    try:
        views = Views(environment.model)
    except Exception as error:
        print(f"skipped: mujoco.Renderer: {error}")
        sys.exit(77)
    camera = ours["camera"].tobytes().decode()
    differing, count = [], 0
    for episode in range(1):
        found = play(environment, views, ours, episode, camera)
        differing += found[0]
        count += found[1]
    views.close()
    print(f"{task}, {camera}, {platform}: {count - len(differing)} of {count} pictures are equal")
    for line in differing:
        print(line)
    sys.exit(1 if differing or count == 0 else 0)


main()

"""Datasets written by the lerobot and minari packages, labelled, and read back by them.

`make lerobot-test` installs the packages, which are large, and runs this file; `make test` does not.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import temporalot
import temporalot.lerobot
import temporalot.minari

PEER = pathlib.Path(__file__).with_name("lerobot_peer.py")
CAMERA = "observation.images.front"
#: a folder with lerobot 0.3.3, the last version that writes v2.1, and its dependencies
OLD = os.environ.get("TEMPORALOT_LEROBOT_21")
VERSIONS = ["v3.0", pytest.param("v2.1", marks=pytest.mark.skipif(not OLD, reason="needs TEMPORALOT_LEROBOT_21"))]


def peer(version: str, *words: object) -> str:
    environment = dict(os.environ, HF_HUB_OFFLINE="1", SVT_LOG="0")
    if version == "v2.1":
        environment["PYTHONPATH"] = os.pathsep.join([str(OLD), environment.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, PEER, *map(str, words)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="session")
def frames(tmp_path_factory) -> pathlib.Path:
    """Pictures of our worlds: two expert episodes, one that stands still, one that stops half-way."""
    folder = tmp_path_factory.mktemp("frames")
    temporalot.collect("door-open", 2, frames=True, size=96, out=folder / "demos.npz")
    recorded = np.load(folder / "demos.npz")
    first, second = recorded["frames_0"], recorded["frames_1"]
    half = second[: len(second) // 2]
    np.savez(
        folder / "frames.npz", a=first, b=second, c=np.repeat(second[:1], 40, 0),
        d=np.concatenate([half, np.repeat(half[-1:], 20, 0)]),
    )
    return folder / "frames.npz"


@pytest.mark.parametrize("version", VERSIONS)
def test_lerobot(version, frames, tmp_path):
    root, out = tmp_path / "source", tmp_path / "out"
    peer(version, "write", root, frames)
    dataset = temporalot.lerobot.Dataset(root)
    assert dataset.version == version and dataset.total_episodes == 4
    assert dataset.features[CAMERA]["info"]["video.codec"] == "av1"
    summary = temporalot.lerobot.label(root, [0], camera=CAMERA, out=out, mask="none")
    assert summary.frames == dataset.total_frames
    peer(version, "check", root, out)
    videos = sorted(path.relative_to(root) for path in root.rglob("*.mp4"))
    assert videos and all((root / path).read_bytes() == (out / path).read_bytes() for path in videos)
    ends = {episode.index: labels.progress[-1] for episode, labels in temporalot.lerobot.iterate(root, [0], mask="none")}
    assert ends[0] > 0.95 and ends[1] > 0.8 and ends[2] < 0.1 and 0.3 < ends[3] < 0.8, ends
    if version == "v3.0":
        peer(version, "weigh", out)


@pytest.mark.parametrize("form", ["hdf5", "arrow", "parquet"])
@pytest.mark.parametrize("part", [None, "state", "pixels"])
def test_minari(form, part, tmp_path, monkeypatch):
    gymnasium, minari = pytest.importorskip("gymnasium"), pytest.importorskip("minari")
    from minari.data_collector import EpisodeBuffer

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    rng = np.random.default_rng(0)
    # the frame of the episode that stands still is close to the demonstration's first frame, but not part of the
    # demonstration as it is compared (step t is represented by observation t + 1)
    demo = np.sin(np.linspace(0, 2, 31)[:, None] + np.arange(12)) + 0.02 * rng.normal(size=(31, 12))
    box = gymnasium.spaces.Box(-np.inf, np.inf, (12,), np.float64)
    space = box
    if part is not None:
        space = gymnasium.spaces.Dict({"state": box, "pixels": gymnasium.spaces.Box(0, 255, (32, 40, 3), np.uint8)})
    buffers = []
    for k, steps in enumerate((range(31), range(0, 31, 2), [0] * 20)):
        pictures = np.zeros((len(steps), 32, 40, 3), np.uint8)
        for at, step in enumerate(steps):
            pictures[at, 10:20, step : step + 9] = 200
            pictures[at, ::4, :, 1] = 90
        state = demo[list(steps)]
        count = len(steps) - 1
        buffers.append(EpisodeBuffer(
            id=k, observations=state if part is None else {"state": state, "pixels": pictures},
            actions=rng.normal(size=(count, 2)).astype(np.float32), rewards=np.zeros(count),
            terminations=np.zeros(count, bool), truncations=np.zeros(count, bool),
        ))
    minari.create_dataset_from_buffers(
        "door/made-v0", buffer=buffers, observation_space=space, data_format=form,
        action_space=gymnasium.spaces.Box(-9, 9, (2,), np.float32),
    )
    temporalot.minari.label(tmp_path / "door/made-v0", [0], camera=part, out=tmp_path / "door/labelled-v0", mask="none", size=64)
    temporalot.minari.label(tmp_path / "door/made-v0", [0], camera=part, out=tmp_path / "r.npz", mask="none", size=64)
    told = np.load(tmp_path / "r.npz")
    assert told["progress_0"][-1] > 0.95 and told["progress_1"][-1] > 0.9 and told["progress_2"].max() < 0.1
    old, new = (minari.load_dataset(f"door/{name}-v0") for name in ("made", "labelled"))
    for k, (before, after) in enumerate(zip(old.iterate_episodes(), new.iterate_episodes())):
        assert np.array_equal(after.rewards.astype(np.float32), told[f"rewards_{k}"])
        assert np.array_equal(before.actions, after.actions)
        assert np.array_equal(before.terminations, after.terminations)
        parts = before.observations if part is not None else {"": before.observations}
        for name, values in parts.items():
            assert np.array_equal(values, after.observations[name] if name else after.observations)

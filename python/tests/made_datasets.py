"""Small LeRobot and Minari datasets, written directly according to their formats."""

from __future__ import annotations

import hashlib
import json
import pathlib

import numpy as np
import pyarrow
import pyarrow.parquet

import temporalot

CAMERA = "observation.images.front"
FPS = 10
SIDE = 48


def pictures(path: np.ndarray, tint: int = 0) -> np.ndarray:
    """Frames with a bright square at horizontal position path[k] (0 to 1) in frame k."""
    frames = np.full((len(path), SIDE, SIDE, 3), 40, np.uint8)
    frames[:, ::6, :, 1] = 90
    for k, at in enumerate(path):
        x = int(round(at * (SIDE - 14)))
        frames[k, 16:30, x : x + 14] = (220, 220 - tint, 60)
    return frames


def paths() -> list[np.ndarray]:
    """Two good episodes, one that stands still, one that stops half-way, one that is fast."""
    return [
        np.linspace(0, 1, 30),
        np.linspace(0, 1, 26),
        np.zeros(24),
        np.concatenate([np.linspace(0, 0.5, 15), np.full(11, 0.5)]),
        np.linspace(0, 1, 18),
    ]


def _rows(index: int, start: int, length: int, success: bool) -> dict[str, object]:
    rng = np.random.default_rng(index)
    return {
        "observation.state": pyarrow.array(list(rng.normal(size=(length, 3)).astype(np.float32)), pyarrow.list_(pyarrow.float32(), 3)),
        "action": pyarrow.array(list(rng.normal(size=(length, 2)).astype(np.float32)), pyarrow.list_(pyarrow.float32(), 2)),
        "timestamp": pyarrow.array((np.arange(length) / FPS).astype(np.float32)),
        "frame_index": pyarrow.array(np.arange(length)),
        "episode_index": pyarrow.array(np.full(length, index)),
        "index": pyarrow.array(np.arange(start, start + length)),
        "task_index": pyarrow.array(np.zeros(length, np.int64)),
        "next.success": pyarrow.array([success and k == length - 1 for k in range(length)]),
    }


def _info(version: str, episodes: list[np.ndarray], **paths_: str) -> dict[str, object]:
    one = {"dtype": "int64", "shape": [1], "names": None}
    features = {
        CAMERA: {"dtype": "video", "shape": [SIDE, SIDE, 3], "names": ["height", "width", "channels"]},
        "observation.images.wrist": {"dtype": "video", "shape": [SIDE, SIDE, 3], "names": None},
        "observation.state": {"dtype": "float32", "shape": [3], "names": ["x", "y", "z"]},
        "action": {"dtype": "float32", "shape": [2], "names": None},
        "timestamp": {"dtype": "float32", "shape": [1], "names": None},
        **{name: one for name in ("frame_index", "episode_index", "index", "task_index")},
        "next.success": {"dtype": "bool", "shape": [1], "names": None},
    }
    return {
        "codebase_version": version, "robot_type": "roböt", "total_episodes": len(episodes),
        "total_frames": int(sum(map(len, episodes))), "chunks_size": 2, "fps": FPS,
        "splits": {"train": f"0:{len(episodes)}"}, **paths_, "features": features,
    }


def _statistics(values: np.ndarray) -> dict[str, list[float]]:
    return dict(min=[float(values.min())], max=[float(values.max())], mean=[float(values.mean())],
                std=[float(values.std())], count=[len(values)])


def _times(episodes: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.arange(len(one)) / FPS for one in episodes])


def write_v3(root: pathlib.Path, episodes: list[np.ndarray] | None = None) -> pathlib.Path:
    """Version 3.0: two episodes per data file, three per video."""
    episodes = paths() if episodes is None else episodes
    info = _info(
        "v3.0", episodes, data_path="data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
        video_path="videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4",
    )
    features = {"index": {"dtype": "int64", "_type": "Value"}}
    start, lines, writer = 0, [], None
    for k, path in enumerate(episodes):
        table = pyarrow.table(_rows(k, start, len(path), k != 0))
        table = table.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
        file = root / f"data/chunk-000/file-{k // 2:03d}.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        if k % 2 == 0:
            writer and writer.close()
            writer = pyarrow.parquet.ParquetWriter(file, table.schema)
        writer.write_table(table)
        before = sum(map(len, episodes[k // 3 * 3 : k])) / FPS
        lines.append({
            "episode_index": k, "tasks": ["push"], "length": len(path), "dataset_from_index": start,
            "dataset_to_index": start + len(path), "data/chunk_index": 0, "data/file_index": k // 2,
            **{f"videos/{camera}/{name}": value for camera in (CAMERA, "observation.images.wrist") for name, value in {
                "chunk_index": 0, "file_index": k // 3, "from_timestamp": before,
                "to_timestamp": before + len(path) / FPS}.items()},
            **{f"stats/timestamp/{name}": value for name, value in _statistics(np.arange(len(path)) / FPS).items()},
        })
        start += len(path)
    writer.close()
    for first in range(0, len(episodes), 3):
        for tint, camera in enumerate((CAMERA, "observation.images.wrist")):
            video = root / f"videos/{camera}/chunk-000/file-{first // 3:03d}.mp4"
            video.parent.mkdir(parents=True, exist_ok=True)
            temporalot.write_video(video, pictures(np.concatenate(episodes[first : first + 3]), 60 * tint), FPS)
    meta = root / "meta/episodes/chunk-000/file-000.parquet"
    meta.parent.mkdir(parents=True)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(lines), meta)
    (root / "meta/info.json").write_text(json.dumps(info, indent=4, ensure_ascii=False), "utf-8")
    (root / "meta/stats.json").write_text(json.dumps({"timestamp": _statistics(_times(episodes))}))
    return root


def write_v2(root: pathlib.Path, episodes: list[np.ndarray] | None = None) -> pathlib.Path:
    """Version 2.1: one file per episode."""
    episodes = paths() if episodes is None else episodes
    info = _info(
        "v2.1", episodes, data_path="data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
        video_path="videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4",
    )
    (root / "meta").mkdir(parents=True)
    start = 0
    with open(root / "meta/episodes.jsonl", "w") as lines, open(root / "meta/episodes_stats.jsonl", "w") as stats:
        for k, path in enumerate(episodes):
            data = root / f"data/chunk-{k // 2:03d}/episode_{k:06d}.parquet"
            data.parent.mkdir(parents=True, exist_ok=True)
            pyarrow.parquet.write_table(pyarrow.table(_rows(k, start, len(path), k != 0)), data)
            for tint, camera in enumerate((CAMERA, "observation.images.wrist")):
                video = root / f"videos/chunk-{k // 2:03d}/{camera}/episode_{k:06d}.mp4"
                video.parent.mkdir(parents=True, exist_ok=True)
                temporalot.write_video(video, pictures(path, 60 * tint), FPS)
            lines.write(json.dumps({"episode_index": k, "tasks": ["push"], "length": len(path)}) + "\n")
            told = {"timestamp": _statistics(np.arange(len(path)) / FPS)}
            stats.write(json.dumps({"episode_index": k, "stats": told}) + "\n")
            start += len(path)
    (root / "meta/info.json").write_text(json.dumps(info, indent=4, ensure_ascii=False), "utf-8")
    (root / "meta/tasks.jsonl").write_text('{"task_index": 0, "task": "push"}\n')
    return root


def write_minari(root: pathlib.Path, form: str) -> pathlib.Path:
    """A Minari dataset of vectors: hdf5, arrow or parquet."""
    rng = np.random.default_rng(3)
    demo = np.cumsum(rng.normal(size=(31, 6)), 0)
    episodes = [demo, demo[::2] + 0.01, np.repeat(demo[:1], 20, 0)]
    data = root / "data"
    data.mkdir(parents=True)
    steps = sum(len(one) - 1 for one in episodes)
    told = {"total_episodes": len(episodes), "total_steps": steps, "data_format": form, "dataset_id": "door/made-v0"}
    (data / "metadata.json").write_text(json.dumps(told))
    if form == "hdf5":
        import h5py

        with h5py.File(data / "main_data.hdf5", "w") as file:
            for k, one in enumerate(episodes):
                group = file.create_group(f"episode_{k}")
                group["observations"] = one
                group["actions"] = np.ones((len(one) - 1, 2), np.float32)
                group.create_dataset("rewards", data=np.zeros(len(one) - 1), maxshape=(None,), chunks=True)
        return root
    for k, one in enumerate(episodes):
        (data / str(k)).mkdir()
        column = pyarrow.FixedSizeListArray.from_arrays(one.reshape(-1), one.shape[1])
        table = pyarrow.table({"observations": column, "rewards": np.zeros(len(one)), "actions": np.ones(len(one))})
        path = data / str(k) / f"part-0.{form}"
        if form == "parquet":
            pyarrow.parquet.write_table(table, path)
        else:
            with pyarrow.ipc.new_file(str(path), table.schema) as writer:
                writer.write_table(table)
        (data / str(k) / "metadata.json").write_text(json.dumps({"id": k}))
    return root


def digest(root: pathlib.Path) -> dict[str, str]:
    """The SHA-256 of every file below a folder."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }

"""Speed of labelling a LeRobot dataset compared with the unavoidable work: FFmpeg decoding and scaling its
videos, and the encoder on pictures that are already scaled. One JSON object per line.

    python python/bench_dataset.py [--episodes 20] [--frames 300] [--threads 2] [--rounds 2] [--keep FOLDER] [--memory]

The dataset is generated: one expert episode at 640 x 480 pixels, encoded as lerobot does (AV1, two pictures
per group) and repeated in one video. `limit_ms` is the sum of the two; all times are per episode. `--memory`
also labels a dataset of 10 episodes, each dataset in its own process, and shows the peak memory of both.
Needs ffmpeg and pyarrow.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import gymnasium
import numpy as np
import pyarrow
import pyarrow.parquet

import temporalot
import temporalot.lerobot

CAMERA = "observation.images.front"
FPS, WIDTH, HEIGHT, SIZE = 30, 640, 480, 128


def film(path: pathlib.Path, frames: int) -> None:
    """Records an expert episode as AV1."""
    env = gymnasium.make(
        "temporalot/pick-place-v3", render_mode="rgb_array", size=(HEIGHT, WIDTH), quality="full", horizon=frames + 1
    )
    env.reset(seed=0)
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}"]
    command += ["-r", str(FPS), "-i", "-", "-c:v", "libsvtav1", "-pix_fmt", "yuv420p", "-g", "2", "-crf", "30"]
    encoder = subprocess.Popen([*command, "-preset", "12", str(path)], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert encoder.stdin is not None
    for _ in range(frames):
        encoder.stdin.write(env.render().tobytes())
        env.step(env.unwrapped.expert_action())
    encoder.stdin.close()
    assert encoder.wait() == 0


def repeat(one: pathlib.Path, times: int, out: pathlib.Path) -> None:
    """Repeats the same pictures in one video, without encoding them again."""
    names = out.with_suffix(".txt")
    names.write_text(f"file '{one.resolve()}'\n" * times)
    command = ["ffmpeg", "-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", str(names), "-c", "copy", str(out)]
    subprocess.run(command, check=True)
    names.unlink()


def make(root: pathlib.Path, one: pathlib.Path, episodes: int, frames: int) -> pathlib.Path:
    """Writes a v3.0 dataset and returns the path of its video."""
    number = {"dtype": "int64", "shape": [1], "names": None}
    features = {
        CAMERA: {"dtype": "video", "shape": [HEIGHT, WIDTH, 3], "names": ["height", "width", "channels"]},
        "timestamp": {"dtype": "float32", "shape": [1], "names": None},
        **{name: number for name in ("frame_index", "episode_index", "index", "task_index")},
    }
    total = episodes * frames
    info = dict(
        codebase_version="v3.0", total_episodes=episodes, total_frames=total, fps=FPS, features=features,
        data_path="data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
        video_path="videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4",
    )
    rows = {
        "timestamp": np.tile(np.arange(frames) / FPS, episodes).astype(np.float32),
        "frame_index": np.tile(np.arange(frames), episodes),
        "episode_index": np.repeat(np.arange(episodes), frames),
        "index": np.arange(total),
        "task_index": np.zeros(total, np.int64),
    }
    starts = np.arange(episodes) * frames
    meta = {
        "episode_index": np.arange(episodes), "length": np.full(episodes, frames),
        "dataset_from_index": starts, "dataset_to_index": starts + frames,
        "data/chunk_index": np.zeros(episodes, np.int64), "data/file_index": np.zeros(episodes, np.int64),
        f"videos/{CAMERA}/chunk_index": np.zeros(episodes, np.int64),
        f"videos/{CAMERA}/file_index": np.zeros(episodes, np.int64),
        f"videos/{CAMERA}/from_timestamp": starts / FPS, f"videos/{CAMERA}/to_timestamp": (starts + frames) / FPS,
    }
    for path, columns in (("data", rows), ("meta/episodes", meta)):
        file = root / path / "chunk-000" / "file-000.parquet"
        file.parent.mkdir(parents=True)
        pyarrow.parquet.write_table(pyarrow.table(columns), file)
    (root / "meta" / "info.json").write_text(json.dumps(info))
    video = root / "videos" / CAMERA / "chunk-000" / "file-000.mp4"
    video.parent.mkdir(parents=True)
    repeat(one, episodes, video)
    return video


def seconds(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def peak_mb(root: pathlib.Path, out: pathlib.Path, threads: int) -> int:
    """Peak memory of labelling a dataset in its own process (ru_maxrss would start at that of the parent)."""
    program = (
        "import re, sys, temporalot.lerobot as l\n"
        f"l.label(sys.argv[1], [0], out=sys.argv[2], size={SIZE}, threads={threads})\n"
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(root), str(out)], check=True, capture_output=True, text=True
    )
    return int(done.stdout) // 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="where the dataset stays, for the next time")
    parser.add_argument("--memory", action="store_true", help="peak memory with 10 episodes and with all")
    options = parser.parse_args()
    threads, episodes = options.threads, options.episodes
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        one, root = folder / f"one-{options.frames}.mp4", folder / f"dataset-{episodes}-{options.frames}"
        if not one.exists():
            film(one, options.frames)
        video = root / "videos" / CAMERA / "chunk-000" / "file-000.mp4"
        if not root.exists():
            make(root, one, episodes, options.frames)
        encoder = temporalot.Encoder(size=SIZE, threads=threads)
        scaled = np.random.default_rng(0).integers(0, 256, (options.frames, SIZE, SIZE, 3), np.uint8)
        scale = f"scale={SIZE}:{SIZE}:flags=bilinear,format=rgb24"
        decode = ["ffmpeg", "-v", "error", "-threads", str(threads), "-i", str(video), "-vf", scale]
        decode += ["-threads", str(threads), "-f", "null", "-"]
        best = dict.fromkeys(("label", "decode", "encode"), float("inf"))
        for turn in range(options.rounds):
            out = pathlib.Path(temporary) / f"out-{turn}"
            calls: dict[str, Callable[[], object]] = {
                "decode": lambda: subprocess.run(decode, check=True),
                "encode": lambda: [encoder(scaled) for _ in range(episodes)],
                "label": lambda: temporalot.lerobot.label(root, [0], out=out, size=SIZE, threads=threads),
            }
            for name, call in calls.items():
                best[name] = min(best[name], seconds(call))
        memory = {}
        if options.memory:
            few = folder / f"dataset-10-{options.frames}"
            if not few.exists():
                make(few, one, 10, options.frames)
            memory["memory_10_mb"] = peak_mb(few, pathlib.Path(temporary) / "few", threads)
            memory["memory_mb"] = peak_mb(root, pathlib.Path(temporary) / "all", threads)
    ms = {name: 1e3 * value / episodes for name, value in best.items()}
    limit = ms["decode"] + ms["encode"]
    row = dict(
        work=f"dataset {episodes} x {options.frames} AV1 {WIDTH}x{HEIGHT} mobilenetv2 {SIZE}", threads=threads,
        ms=round(ms["label"], 1), decode_ms=round(ms["decode"], 1), encode_ms=round(ms["encode"], 1),
        limit_ms=round(limit, 1), ratio=round(ms["label"] / limit, 3),
        **memory,
    )
    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()

"""LeRobot and Minari datasets: nothing else changes, the source is not modified, outputs are atomic."""

from __future__ import annotations

import io
import json
import os
import pathlib
import threading
import shutil
import subprocess
import sys

import numpy as np
import pytest

import temporalot

pytest.importorskip("pyarrow", reason="make peers installs pyarrow")

import made_datasets as made
import pyarrow.parquet
import temporalot.lerobot
import temporalot.minari

WRITERS = {"v3.0": made.write_v3, "v2.1": made.write_v2}


@pytest.fixture(params=WRITERS)
def dataset(request, tmp_path) -> pathlib.Path:
    return WRITERS[request.param](tmp_path / "source")


@pytest.fixture(scope="module")
def encoder():
    with temporalot.Encoder(size=64) as small:
        yield small


def label(root, encoder, demos=(0,), **settings):
    given = dict(camera=made.CAMERA, out=root.parent / "out", encoder=encoder, mask="none")
    return temporalot.lerobot.label(root, demos, **{**given, **settings})


def left_alone(folder: pathlib.Path, *names: str) -> bool:
    """Whether a folder contains exactly these entries."""
    return sorted(os.listdir(folder)) == sorted(names)


def tables(root: pathlib.Path, below: str) -> list:
    return [pyarrow.parquet.read_table(path) for path in sorted((root / below).rglob("*.parquet"))]


# --- output ---------------------------------------------------------------------------------------


def test_videos_decoded_ahead_give_the_same_rewards(dataset, tmp_path):
    for threads in (1, 2, 4):
        temporalot.lerobot.label(
            dataset, [0], camera=made.CAMERA, out=tmp_path / f"{threads}.npz", mask="none", size=64, threads=threads
        )
    one = np.load(tmp_path / "1.npz")
    for threads in (2, 4):
        other = np.load(tmp_path / f"{threads}.npz")
        assert other.files == one.files
        for name in one.files:
            np.testing.assert_allclose(other[name], one[name], rtol=1e-5, atol=1e-6)


def test_what_is_read_ahead_ends_with_its_reader():
    from temporalot._labelling import ahead

    def numbers():
        for number in range(5):
            yield number
        raise ZeroDivisionError

    found = []
    with pytest.raises(ZeroDivisionError):
        for number in ahead(numbers()):
            found.append(number)
    assert found == list(range(5))
    running = ahead(iter(range(10**9)))
    assert [next(running) for _ in range(3)] == [0, 1, 2]
    running.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "temporalot-ahead"]


def test_new_dataset(dataset, encoder, tmp_path):
    before = made.digest(dataset)
    summary = label(dataset, encoder)
    out = tmp_path / "out"
    assert made.digest(dataset) == before and left_alone(tmp_path, "source", "out")
    assert (summary.episodes, summary.frames) == (5, 124)
    after = made.digest(out)
    same = [name for name in before if name.startswith("videos") or "task" in name or name.endswith("episodes.jsonl")]
    assert same and all(after[name] == before[name] for name in same)
    rewards = np.concatenate([table.column("next.reward").to_numpy() for table in tables(out, "data")])
    for old, new in zip(tables(dataset, "data"), tables(out, "data")):
        assert new.drop(["next.reward"]).equals(old)
        assert str(new.schema.field("next.reward").type) == "float"
        told = json.loads((new.schema.metadata or {}).get(b"huggingface", b'{"info": {"features": {"next.reward": {"dtype": "float32", "_type": "Value"}}}}'))
        assert told["info"]["features"]["next.reward"] == {"dtype": "float32", "_type": "Value"}
    old, new = (json.loads((root / "meta/info.json").read_text("utf-8")) for root in (dataset, out))
    assert new["features"].pop("next.reward") == {"dtype": "float32", "shape": [1], "names": None}
    assert new == old
    assert len(rewards) == 124 and np.isfinite(rewards).all()


def test_equals_labelling_by_hand(dataset, encoder, tmp_path):
    label(dataset, encoder, demos=[0, 1], method="temporalot", context=2, out=tmp_path / "r.npz")
    told = np.load(tmp_path / "r.npz")
    if json.loads((dataset / "meta/info.json").read_text("utf-8"))["codebase_version"] == "v3.0":
        frames = np.concatenate([
            temporalot.read_frames(path) for path in sorted((dataset / "videos" / made.CAMERA).rglob("*.mp4"))
        ])
        films = np.split(frames, np.cumsum([len(path) for path in made.paths()])[:-1])
    else:
        films = [temporalot.read_frames(path) for path in sorted(dataset.rglob(f"{made.CAMERA}/*.mp4"))]
    embedded = [encoder(film) for film in films]
    with temporalot.Labeler(embedded[:2], context=2, mask="none") as labeler:
        for k, embeddings in enumerate(embedded):
            labels = labeler(embeddings, progress=True)
            assert told[f"rewards_{k}"].tobytes() == labels.rewards.tobytes()
            assert told[f"progress_{k}"].tobytes() == labels.progress.tobytes()
            assert int(told[f"demo_{k}"]) == labels.demo


def test_progress_of_episodes(dataset, encoder, tmp_path):
    label(dataset, encoder)
    rows = pyarrow.parquet.read_table(tmp_path / "out" / "sarm_progress.parquet").to_pydict()
    assert list(rows)[:4] == ["index", "episode_index", "frame_index", "progress_sparse"]
    assert rows["index"] == list(range(124))
    progress = np.array(rows["progress_sparse"])
    episode, frame = np.array(rows["episode_index"]), np.array(rows["frame_index"])
    ends = [progress[episode == k][-1] for k in range(5)]
    assert all((np.diff(frame[episode == k]) == 1).all() for k in range(5))
    np.testing.assert_allclose(progress[episode == 0], np.linspace(0, 1, 30), atol=0.05)
    assert ends[2] < 0.1 and abs(ends[3] - 0.5) < 0.1 and min(ends[0], ends[1], ends[4]) > 0.9


def test_statistics(dataset, encoder, tmp_path):
    label(dataset, encoder)
    out = tmp_path / "out"
    rewards = np.concatenate([table.column("next.reward").to_numpy() for table in tables(out, "data")]).astype(float)
    starts = np.cumsum([0] + [len(path) for path in made.paths()])
    parts = [rewards[a:b] for a, b in zip(starts, starts[1:])]
    if (out / "meta/stats.json").exists():
        told = json.loads((out / "meta/stats.json").read_text())
        assert told["timestamp"] == json.loads((dataset / "meta/stats.json").read_text())["timestamp"]
        check_statistics(told["next.reward"], rewards)
        episodes, before = tables(out, "meta/episodes")[0], tables(dataset, "meta/episodes")[0]
        assert episodes.select(before.column_names).equals(before)
        for k, row in enumerate(episodes.to_pylist()):
            names = ("min", "max", "mean", "std", "count")
            check_statistics({name: row[f"stats/next.reward/{name}"] for name in names}, parts[k])
    else:
        lines = (out / "meta/episodes_stats.jsonl").read_text().splitlines()
        for k, line in enumerate(lines):
            assert "timestamp" in json.loads(line)["stats"]
            check_statistics(json.loads(line)["stats"]["next.reward"], parts[k])


def check_statistics(told, values):
    assert set(told) == {"min", "max", "mean", "std", "count"} and told["count"] == [len(values)]
    for name in ("min", "max", "mean", "std"):
        np.testing.assert_allclose(told[name], [getattr(values, name)()], rtol=1e-6, atol=1e-12)


def test_existing_rewards(dataset, encoder, tmp_path):
    label(dataset, encoder)
    first = tmp_path / "out"
    with pytest.raises(ValueError, match="next.reward already"):
        label(first, encoder, out=tmp_path / "again")
    with pytest.raises(ValueError, match="is there already"):
        label(dataset, encoder)
    label(first, encoder, out=tmp_path / "again", demos=[1], overwrite=True)
    old, new = tables(first, "data")[0], tables(tmp_path / "again", "data")[0]
    assert old.column_names == new.column_names and not old.equals(new)
    before = made.digest(first)
    label(dataset, encoder, overwrite=True)
    assert made.digest(first) == before and left_alone(tmp_path, "source", "out", "again")
    (tmp_path / "foreign").mkdir()
    with pytest.raises(ValueError, match="not of our making"):
        label(dataset, encoder, out=tmp_path / "foreign", overwrite=True)


def test_demonstrations_from_elsewhere(dataset, encoder, tmp_path):
    video = tmp_path / "good.mp4"
    temporalot.write_video(video, made.pictures(made.paths()[0]), made.FPS)
    label(dataset, encoder, demos=[str(video)], out=tmp_path / "video.npz")
    label(dataset, encoder, demos=[f"{dataset}:0"], out=tmp_path / "other.npz")
    label(dataset, encoder, demos="first-success", out=tmp_path / "success.npz")
    label(dataset, encoder, demos=[1], out=tmp_path / "one.npz")
    told = {name: np.load(tmp_path / f"{name}.npz") for name in ("other", "video", "success", "one")}
    assert told["success"]["rewards_3"].tobytes() == told["one"]["rewards_3"].tobytes()
    assert told["video"]["progress_2"].max() < 0.1 and told["other"]["progress_1"][-1] > 0.9


def test_episodes_one_by_one(dataset, encoder):
    found = list(temporalot.lerobot.iterate(dataset, 0, camera=made.CAMERA, encoder=encoder, mask="none"))
    assert [episode.index for episode, _ in found] == list(range(5))
    assert all(len(labels.rewards) == episode.length for episode, labels in found)


def test_pictures_in_the_rows(tmp_path, encoder):
    image = pytest.importorskip("PIL.Image")
    root = made.write_v3(tmp_path / "source")
    films = [made.pictures(path) for path in made.paths()]
    for path in sorted((root / "data").rglob("*.parquet")):
        table = pyarrow.parquet.read_table(path)
        kept = []
        for episode, frame in zip(table.column("episode_index").to_pylist(), table.column("frame_index").to_pylist()):
            file = io.BytesIO()
            image.fromarray(films[episode][frame]).save(file, "PNG")
            kept.append({"bytes": file.getvalue(), "path": None})
        pyarrow.parquet.write_table(table.append_column(made.CAMERA, pyarrow.array(kept)), path, row_group_size=7)
    info = json.loads((root / "meta/info.json").read_text("utf-8"))
    info["features"][made.CAMERA]["dtype"] = "image"
    (root / "meta/info.json").write_text(json.dumps(info))
    label(root, encoder, out=tmp_path / "r.npz")
    label(root, encoder)
    for old, new in zip(tables(root, "data"), tables(tmp_path / "out", "data")):
        assert new.drop(["next.reward"]).equals(old)
    told = np.load(tmp_path / "r.npz")
    with temporalot.Labeler(encoder(films[0]), mask="none") as labeler:
        for k, film in enumerate(films):
            assert told[f"rewards_{k}"].tobytes() == labeler(encoder(film)).rewards.tobytes()


# --- bad input ------------------------------------------------------------------------------------


def refused(dataset, encoder, words, error=temporalot.TemporalOTError, **settings):
    """Expects an error with these words, and that nothing was written or left behind."""
    before = made.digest(dataset)
    with pytest.raises(error, match=words):
        label(dataset, encoder, **settings)
    assert made.digest(dataset) == before and left_alone(dataset.parent, "source")


def video_of(dataset, last=False) -> pathlib.Path:
    return sorted(path for path in dataset.rglob("*.mp4") if made.CAMERA in str(path))[-1 if last else 0]


def test_unknown_camera(dataset, encoder):
    both = f"{made.CAMERA}, observation.images.wrist"
    refused(dataset, encoder, both, ValueError, camera="front")
    refused(dataset, encoder, f"which one.*{both}", ValueError, camera=None)


def test_unknown_words(dataset, encoder):
    refused(dataset, encoder, "temporalot", ValueError, method="temporal-ot")
    refused(dataset, encoder, "epsilonn", ValueError, epsilonn=1)
    refused(dataset, encoder, "episode 9.*has 5", ValueError, demos=[9])
    refused(dataset, encoder, "there is none", ValueError, demos=[])
    refused(dataset, encoder, "no folder", FileNotFoundError, out=dataset.parent / "nowhere" / "x")
    refused(dataset, encoder, "apart", ValueError, out=dataset / "inside")


def test_missing_and_truncated_rows(dataset, encoder):
    path = sorted((dataset / "data").rglob("*.parquet"))[-1]
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    refused(dataset, encoder, f"{path.name}.*truncated")
    path.unlink()
    refused(dataset, encoder, f"{path.name}.*missing", FileNotFoundError)


def test_missing_and_truncated_video(dataset, encoder):
    path = video_of(dataset, last=True)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    refused(dataset, encoder, path.name)
    path.unlink()
    refused(dataset, encoder, f"{path.name}.*missing", FileNotFoundError)


def test_fewer_pictures_than_rows(dataset, encoder):
    path = video_of(dataset)
    temporalot.write_video(path, made.pictures(made.paths()[0][:20]), made.FPS)
    refused(dataset, encoder, "ends after 20 pictures.*row 20 of episode 0")


def test_variable_frame_rate(dataset, encoder):
    path = video_of(dataset)
    temporalot.write_video(path, made.pictures(np.zeros(120)), made.FPS * 1.3)
    refused(dataset, encoder, "row 1 of episode 0 wants the picture at 0.1000 s.*frames per second")


def test_other_versions(dataset, encoder):
    info = json.loads((dataset / "meta/info.json").read_text("utf-8"))
    for version, words in (("v4.0", "newer temporalot"), ("v1.6", "up to date"), ("nonsense", "nonsense")):
        (dataset / "meta/info.json").write_text(json.dumps({**info, "codebase_version": version}))
        refused(dataset, encoder, words)
    (dataset / "meta/info.json").write_text("{")
    refused(dataset, encoder, "info.json.*JSON")
    (dataset / "meta/info.json").write_text(json.dumps({**info, "total_episodes": 6}))
    refused(dataset, encoder, "5 episodes.*says 6")
    (dataset / "meta/info.json").write_text(json.dumps({**info, "data_path": "../{chunk_index}{episode_chunk}"}))
    refused(dataset, encoder, "path")


def test_episode_that_does_not_fit(tmp_path, encoder):
    root = made.write_v3(tmp_path / "source", [*made.paths()[:2], np.zeros(1)])
    refused(root, encoder, "episode 2, 1 steps, does not fit temporalot.*wider mask", mask=10)
    summary = label(root, encoder)
    assert summary.episodes == 3


def test_settings_of_views_are_no_matter_of_length():
    """Lengths are checked with embeddings of one number, which do not hold two views."""
    temporalot._labelling.check_fit([(0, 30)], [30], "temporalot", {"views": 2, "first_view": 0.7, "center": "demos"})


def test_no_room(dataset, encoder, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 10, 1000))
    refused(dataset, encoder, "MB left", OSError)


def test_disk_full_half_way(dataset, encoder, monkeypatch):
    copied = []

    def copy(source, target):
        if len(copied) == 2:
            raise OSError(28, "No space left on device")
        copied.append(target)

    monkeypatch.setattr(shutil, "copyfile", copy)
    refused(dataset, encoder, "No space left", OSError)


def test_stopped(dataset, encoder):
    def stop(done, total, episode):
        assert total == 124
        if episode == 2:
            raise KeyboardInterrupt

    for out in ("out", "out.npz", "out.parquet"):
        refused(dataset, encoder, None, KeyboardInterrupt, progress=stop, out=dataset.parent / out)


def test_memory_does_not_grow_with_episodes(tmp_path):
    program = (
        "import re, sys, temporalot.lerobot as l\n"
        f"l.label(sys.argv[1], 0, camera={made.CAMERA!r}, out=sys.argv[2], size=128, mask='none', threads=2)\n"
        # not ru_maxrss, which starts at that of the parent process
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1])"
    )
    used = []
    for count in (4, 60):
        root = made.write_v3(tmp_path / str(count), [np.linspace(0, 1, 16)] * count)
        done = subprocess.run(
            [sys.executable, "-c", program, root, tmp_path / f"out{count}"], check=True, capture_output=True, text=True
        )
        used.append(int(done.stdout))
    # the embeddings of 56 episodes are 73 MB, their pictures 44 MB
    assert used[1] < used[0] + 12_000, f"{used} kB"


# --- Minari ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["hdf5", "arrow", "parquet"])
def test_minari(form, tmp_path):
    if form == "hdf5":
        pytest.importorskip("h5py")
    root = made.write_minari(tmp_path / "source", form)
    before = made.digest(root)
    out = tmp_path / "out"
    summary = temporalot.minari.label(root, [0], out=out, mask="none")
    temporalot.minari.label(root, [0], out=tmp_path / "r.npz", mask="none")
    assert made.digest(root) == before and left_alone(tmp_path, "source", "out", "r.npz")
    assert (summary.episodes, summary.frames) == (3, 30 + 15 + 19)
    told = np.load(tmp_path / "r.npz")
    assert told["progress_2"].max() < 0.1 and told["progress_1"][-1] > 0.9
    source, copy = temporalot.minari.Dataset(root), temporalot.minari.Dataset(out)
    for k in range(3):
        assert np.array_equal(source.observations(k), copy.observations(k))
        labels = temporalot.label(source.observations(k)[1:], source.observations(0)[1:], mask="none")
        assert told[f"rewards_{k}"].tobytes() == labels.rewards.tobytes()
        if form == "hdf5":
            import h5py

            with h5py.File(out / "data/main_data.hdf5") as file:
                written = file[f"episode_{k}/rewards"][()]
        else:
            table = temporalot.minari.read_table(copy.parts(k)[0])
            written = table.column("rewards").to_numpy()[:-1]
            assert table.drop(["rewards"]).equals(temporalot.minari.read_table(source.parts(k)[0]).drop(["rewards"]))
        assert np.array_equal(written.astype(np.float32), labels.rewards)


def test_minari_mistakes(tmp_path):
    root = made.write_minari(tmp_path / "source", "arrow")
    for words, settings in {
        "plain array": dict(camera="pixels"), "episode 7": dict(demos=[7]), "by number": dict(demos="first-success"),
        "neither": dict(out=tmp_path / "x.csv"),
    }.items():
        with pytest.raises(ValueError, match=words):
            temporalot.minari.label(root, **{**dict(demos=[0], out=tmp_path / "out", mask="none"), **settings})
    part = root / "data/1/part-0.arrow"
    part.write_bytes(part.read_bytes()[:300])
    with pytest.raises(temporalot.TemporalOTError, match="part-0.arrow.*truncated"):
        temporalot.minari.label(root, [0], out=tmp_path / "out", mask="none")
    assert left_alone(tmp_path, "source")


# --- command line ---------------------------------------------------------------------------------


def shell(program, *words, **environment):
    return subprocess.run(
        [program, *map(str, words)], capture_output=True, text=True,
        env={**os.environ, "TEMPORALOT_PYTHON": sys.executable, **environment},
    )


def test_command(dataset, program, tmp_path):
    out = tmp_path / "out"
    words = ["dataset", "label", dataset, "--demo-episodes", "0,1", "--camera", made.CAMERA, "--size", "64"]
    done = shell(program, *words, "--mask", "none", "--out", out)
    assert done.returncode == 0 and "5 episodes, 124 frames against 0, 1" in done.stdout, done.stderr
    page = tmp_path / "page.html"
    done = shell(program, "report", out, "--out", page)
    assert done.returncode == 0 and "the worst tenth: 2\n" in done.stdout, done.stderr
    text = page.read_text("utf-8")
    assert "delete_episodes" in text and "The worst episodes" in text and "data:image/png" in text
    done = shell(program, *words, "--out", tmp_path / "other", "--mask", "1")
    assert done.returncode == 1 and "does not fit" in done.stderr and not (tmp_path / "other").exists()
    done = shell(program, *words, "--out", out)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    done = shell(program, "report", dataset, "--out", page)
    assert done.returncode == 1 and "next.reward" in done.stderr


def test_command_without_the_package(program, tmp_path):
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    bare.chmod(0o755)
    for python in ("/nowhere/python", str(bare)):
        done = shell(program, "dataset", "--help", TEMPORALOT_PYTHON=python)
        assert done.returncode == 0 and "--demo-episodes" in done.stdout
        done = shell(program, "dataset", "label", "x", TEMPORALOT_PYTHON=python)
        assert done.returncode == 1 and "TEMPORALOT_PYTHON" in done.stderr and python in done.stderr
    assert "pip install" in done.stderr
    assert shell(program, "dataset").returncode == 2


def test_page_of_a_demonstration_from_elsewhere(tmp_path, encoder, program):
    root = made.write_v3(tmp_path / "source")
    temporalot.write_video(tmp_path / "good.mp4", made.pictures(made.paths()[0]), made.FPS)
    label(root, encoder, demos=[tmp_path / "good.mp4"], method="min-distance")
    done = shell(program, "dataset", "report", tmp_path / "out", "--out", tmp_path / "page.html", "--title", "A <b>")
    assert done.returncode == 0, done.stderr
    assert "A &lt;b&gt;" in (tmp_path / "page.html").read_text("utf-8")

"""The encoder, and pictures read from files."""

from __future__ import annotations

import os
import pathlib

import numpy as np
import pytest

import temporalot
from conftest import run


@pytest.fixture(scope="module")
def encoder():
    with temporalot.Encoder(size=32, batch=4, threads=1) as encoder:
        yield encoder


@pytest.fixture
def frames(rng):
    return rng.integers(0, 256, (6, 32, 32, 3), dtype=np.uint8)


def test_equals_the_command(encoder, frames, tmp_path, program):
    np.save(tmp_path / "f.npy", frames)
    run(
        program, "encode", "--in", "f.npy", "--size", "32", "--threads", "1", "--out", "e.npy",
        cwd=tmp_path,
    )
    expected = np.load(tmp_path / "e.npy").reshape(6, -1)
    np.testing.assert_allclose(encoder(frames), expected, rtol=0, atol=1e-5)
    assert encoder(frames).shape == (6, encoder.width)
    assert encoder(frames[0]).shape == (1, encoder.width)
    assert "mobilenetv2" in encoder.text and "mobilenetv2" in repr(encoder)


def test_from_files(encoder, frames, tmp_path):
    expected = encoder(frames)
    np.save(tmp_path / "f.npy", frames)
    np.savez(tmp_path / "f.npz", frames=frames)
    seen: list[tuple[int, int | None]] = []
    again = encoder(tmp_path / "f.npy", progress=lambda done, total: seen.append((done, total)))
    assert again.tobytes() == expected.tobytes()
    assert seen == [(4, 6), (6, 6)]
    assert encoder(str(tmp_path / "f.npz")).tobytes() == expected.tobytes()
    assert (temporalot.read_frames(tmp_path / "f.npy") == frames).all()


def test_excerpts_of_files(encoder, tmp_path):
    shades = np.repeat(np.arange(0, 240, 8, np.uint8), 32 * 32 * 3).reshape(30, 32, 32, 3)
    path = tmp_path / "shades.mp4"
    temporalot.write_video(path, shades, fps=30)
    everything = temporalot.read_frames(path)
    assert (temporalot.read_frames(path, every=3) == everything[::3]).all()
    assert (temporalot.read_frames(path, fps=10) == everything[::3]).all()
    assert (temporalot.read_frames(path, start=0.5, stop=0.9) == everything[15:27]).all()
    assert (temporalot.read_frames(path, crop=(4, 8, 10, 6)) == everything[:, 8:14, 4:14]).all()
    assert len(encoder(path, every=10)) == 3
    for wrong in dict(every=0), dict(fps=-1), dict(start=2, stop=1), dict(crop=(1, 2, 3)):
        with pytest.raises(ValueError):
            temporalot.read_frames(path, **wrong)
    with pytest.raises(ValueError, match="64|32 x 32"):
        temporalot.read_frames(path, crop=(30, 0, 10, 10))
    with pytest.raises(ValueError, match="slice"):
        encoder(everything, every=2)


def test_video_there_and_back(encoder, tmp_path):
    smooth = np.linspace(0, 255, 8 * 32 * 32 * 3).reshape(8, 32, 32, 3).astype(np.uint8)
    path = tmp_path / "smooth.mp4"
    temporalot.write_video(path, smooth, fps=10)
    back = temporalot.read_frames(path)
    assert back.shape == smooth.shape
    assert np.abs(back.astype(int) - smooth.astype(int)).mean() < 12
    assert encoder(path).shape == (8, encoder.width)


def test_pictures_of_another_size_are_resized(encoder, rng):
    large = rng.integers(0, 256, (5, 48, 64, 3), dtype=np.uint8)
    assert encoder(large).shape == (5, encoder.width)
    assert np.isfinite(encoder(large)).all()


FRAME = np.zeros((2, 32, 32, 3), np.uint8)
MISTAKES = [
    (FRAME.astype(np.float32), r"\* 255"),
    (FRAME.transpose(0, 3, 1, 2), "transpose"),
    (np.zeros((2, 32, 32, 4), np.uint8), r"\[\.\.\., :3\]"),
    (FRAME.astype(np.int64), "uint8"),
    (np.zeros((0, 32, 32, 3), np.uint8), "holds nothing"),
    (np.zeros(3, np.uint8), "height"),
    (None, "array"),
]


@pytest.mark.parametrize("wrong, words", MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_say_what_to_do(encoder, wrong, words):
    with pytest.raises(ValueError, match=words):
        encoder(wrong)


def test_missing_and_damaged_files(encoder, tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.mp4"):
        encoder(tmp_path / "nothing.mp4")
    (tmp_path / "bad.mp4").write_bytes(b"no video" * 100)
    with pytest.raises((ValueError, temporalot.TemporalOTError), match="bad.mp4"):
        encoder(tmp_path / "bad.mp4")
    with pytest.raises(FileNotFoundError, match="none.pth"):
        temporalot.Encoder("resnet50", weights=tmp_path / "none.pth")
    with pytest.raises(ValueError, match="weights="):
        temporalot.Encoder("resnet50")
    with pytest.raises(ValueError, match="size"):
        temporalot.Encoder(size=5)
    with pytest.raises(ValueError, match="precision|f32"):
        temporalot.Encoder(precision="f8", size=32)


def test_progress_may_stop_it(encoder, frames):
    class Stop(Exception):
        pass

    def stop(done, total):
        raise Stop

    with pytest.raises(Stop):
        encoder(frames, progress=stop)
    assert len(encoder(frames)) == 6


def test_interrupt(encoder, rng, ctrl_c):
    many = rng.integers(0, 256, (64, 32, 32, 3), dtype=np.uint8)

    def forever():
        while True:
            encoder(many)

    ctrl_c(0.3)
    with pytest.raises(KeyboardInterrupt):
        forever()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_use_after_fork(frames):
    encoder = temporalot.Encoder(size=32, threads=2)
    expected = encoder(frames).tobytes()
    child = os.fork()
    if child == 0:
        os._exit(0 if encoder(frames).tobytes() == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_closed():
    encoder = temporalot.Encoder(size=32)
    encoder.close()
    with pytest.raises(ValueError, match="closed"):
        encoder(FRAME)


def test_folder_of_png(encoder, tmp_path, program, worlds):
    for k in range(3):
        run(
            program, "render", "--task", "door-open", "--seed", str(k), "--size", "32", "--out",
            f"{k}.png", cwd=tmp_path,
        )
    assert encoder(pathlib.Path(tmp_path)).shape == (3, encoder.width)


def test_stride_and_its_name_of_before():
    encoder = temporalot.Encoder(size=32, stride=16, threads=1)
    assert encoder.width == temporalot.Encoder(size=32, cell=16, threads=1).width
    assert encoder.width < temporalot.Encoder(size=32, stride=8, threads=1).width

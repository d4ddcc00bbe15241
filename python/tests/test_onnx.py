"""The encoder with an ONNX network."""

from __future__ import annotations

import multiprocessing
import sys

import numpy as np
import pytest

import temporalot
from conftest import ROOT
from temporalot.encoder import _prepare_onnx
from temporalot._library import library

sys.path.insert(0, str(ROOT / "tests" / "cli"))
made_onnx = pytest.importorskip("made_onnx")


@pytest.fixture
def network(tmp_path):
    _prepare_onnx()
    if library.tot_openvino_check(None, None) != 0:
        pytest.skip("no OpenVINO")
    path = tmp_path / "net.onnx"
    path.write_bytes(made_onnx.network())
    return path


@pytest.fixture
def frames(rng):
    return rng.integers(0, 256, (5, 64, 64, 3), dtype=np.uint8)


def test_encodes(network, frames):
    with temporalot.Encoder(network, size=64, threads=2) as encoder:
        np.testing.assert_allclose(encoder(frames), made_onnx.expected(frames), rtol=0, atol=1e-5)
        assert encoder.size == 64 and encoder.text.startswith("net f32 64 map ")
    with temporalot.Encoder(weights=network, size=64, mean=(0.1, 0.2, 0.3), std=2) as encoder:
        expected = made_onnx.expected(frames, (0.1, 0.2, 0.3), (2, 2, 2))
        np.testing.assert_allclose(encoder(frames), expected, rtol=0, atol=1e-5)
    with temporalot.Encoder(str(network), pool=True, preprocess="siglip", output="tokens") as encoder:
        assert encoder.size == 224 and encoder.width == made_onnx.CHANNELS


def test_own_size(network, frames):
    network.write_bytes(made_onnx.network(side=64))
    with temporalot.Encoder(network) as encoder:
        assert encoder.size == 64 and encoder(frames[:, ::2]).shape == (5, encoder.width)


def _encode(encoder, frames, answers):
    try:
        encoder(frames)
        answers.put("encoded")
    except temporalot.TemporalOTError as error:
        answers.put(str(error))


def test_says_that_a_fork_is_not_survived(network, frames):
    with temporalot.Encoder(network, size=64) as encoder:
        context = multiprocessing.get_context("fork")
        answers = context.Queue()
        child = context.Process(target=_encode, args=(encoder, frames, answers))
        child.start()
        assert "fork" in answers.get(timeout=60)
        child.join(60)
        assert child.exitcode == 0


def test_refusals(network, tmp_path):
    with pytest.raises(FileNotFoundError, match="none.onnx"):
        temporalot.Encoder(tmp_path / "none.onnx")
    with pytest.raises(ValueError, match="holds its own"):
        temporalot.Encoder(network, weights=network)
    with pytest.raises(ValueError, match="did you mean 'siglip'"):
        temporalot.Encoder(network, preprocess="siglib")
    with pytest.raises(ValueError, match="features"):
        temporalot.Encoder(network, output="features")
    network.write_bytes(network.read_bytes()[:-400])
    with pytest.raises((ValueError, temporalot.TemporalOTError), match="cut short"):
        temporalot.Encoder(network)

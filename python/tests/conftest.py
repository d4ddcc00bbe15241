"""Fixtures and helpers shared by the tests."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import threading

# before numpy is imported: with AVX-512 its norms and exponentials differ from those of other CPUs in the
# last digit, and tests compare bit for bit with Meta-world's Python package (as tests/world/parity.py does)
os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL AVX512_SPR")
os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

import numpy as np
import pytest

from temporalot._library import native_folder

ROOT = pathlib.Path(os.environ.get("TEMPORALOT_ROOT", pathlib.Path(__file__).resolve().parents[2]))


# programs started by a test import the same package
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(native_folder().parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def ctrl_c():
    """Restores the usual handling of Ctrl-C, which processes started in the background may ignore. Yields a
    function that sends Ctrl-C after some seconds."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers: list[threading.Timer] = []

    def press(seconds: float) -> None:
        timers.append(threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)))
        timers[-1].start()

    yield press
    for timer in timers:
        timer.cancel()
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def program() -> str:
    """The command: the one installed with this Python, else that of the checkout."""
    for place in (
        native_folder() / "bin" / "temporalot",
        pathlib.Path(sys.executable).parent / "temporalot",
        ROOT / "build" / "temporalot",
    ):
        if place.exists():
            return str(place)
    pytest.skip("there is no program")


@pytest.fixture(scope="session")
def worlds() -> None:
    """Skips if MuJoCo or the scenes are not installed."""
    from temporalot.tasks import prepare_worlds
    from temporalot._library import library

    prepare_worlds()
    if library.tot_mujoco_check(None, None) != 0 or library.tot_scenes_check(None) != 0:
        pytest.skip("MuJoCo or Meta-world's scenes are not installed")
    if importlib.util.find_spec("gymnasium") is None:
        pytest.skip("Gymnasium is not installed")


def run(*command: str, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)


def needs(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")



"""The notebook runs, and every name used in the documents exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import temporalot
from conftest import ROOT, needs


def test_quickstart(worlds, tmp_path):
    needs("gymnasium")
    path = ROOT / "python" / "examples" / "quickstart.ipynb"
    cells = [
        "".join(cell["source"])
        for cell in json.loads(path.read_text())["cells"]
        if cell["cell_type"] == "code"
    ]
    script = tmp_path / "quickstart.py"
    script.write_text("try:\n    import matplotlib\n    matplotlib.use('Agg')\n"
                      "except ImportError:\n    pass\n" + "\n".join(cells))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "the expert solves 8 of 8" in done.stdout


def test_docs_name_what_there_is():
    page = (ROOT / "docs" / "python.md").read_text()
    for name in set(re.findall(r"temporalot\.([A-Za-z_]+)\b", page)) - {"sb3", "lerobot", "minari"}:
        if name not in ("ipynb",) and not hasattr(temporalot, name):
            pytest.fail(f"docs/python.md names temporalot.{name}")


def test_every_public_name_has_a_docstring():
    for name in temporalot.__all__:
        assert getattr(temporalot, name).__doc__, name


def test_without_gymnasium():
    """Everything but the environments works, and the error says what to install."""
    script = """
import sys
sys.modules["gymnasium"] = None
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "gymnasium" else real(name, *rest)
import numpy, temporalot
demo = numpy.random.default_rng(0).normal(size=(9, 3))
assert temporalot.label(demo, demo).rewards.shape == (9,)
try:
    temporalot.OTReward
except ImportError as error:
    assert "pip install" in str(error)
else:
    raise SystemExit("OTReward is there")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

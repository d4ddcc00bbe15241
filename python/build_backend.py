"""Builds the wheel (PEP 517): CMake compiles, this file packs. Uses only the standard library.

Environment variables:

TEMPORALOT_TREE    an installed copy to pack, made by scripts/tree; the wheel is then manylinux.
                   Without it, the library is compiled in build/ with the system's FFmpeg, and the
                   wheel is for this machine only.
TEMPORALOT_BUILD   the folder to compile in, instead of build/.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import tarfile
import tempfile
import zipfile
from typing import Any, Optional

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "temporalot"

# the script that pip puts on the PATH: starts the compiled program without importing the package
PROGRAM = '''#!python
import importlib.util
import os
import sys

package = importlib.util.find_spec("temporalot").submodule_search_locations[0]
environment = dict(os.environ)
for name, module, inside in (
    ("MUJOCO_DIR", "mujoco", "libmujoco.so.3.3.0"),
    ("METAWORLD_DIR", "metaworld", "assets"),
    ("OPENVINO_DIR", "openvino", "libs"),
):
    found = importlib.util.find_spec(module)
    if found is not None and found.submodule_search_locations and not environment.get(name):
        folder = list(found.submodule_search_locations)[0]
        if os.path.exists(os.path.join(folder, inside)):
            environment[name] = folder
# `temporalot dataset` comes back to this interpreter
environment.setdefault("TEMPORALOT_PYTHON", sys.executable)
program = os.path.join(package, "_native", "bin", "temporalot")
if not os.access(program, os.X_OK):
    sys.exit(f"temporalot: no program {program}; install the wheel anew")
os.execve(program, ["temporalot", *sys.argv[1:]], environment)
'''


def project() -> dict[str, Any]:
    """The table [project], with the version from CMakeLists.txt."""
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib  # type: ignore[no-redef]
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = re.search(r"project\(temporalot VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    if found is None:
        raise RuntimeError("CMakeLists.txt tells no version")
    table["version"] = found.group(1)
    return table


def metadata() -> str:
    """The content of METADATA, version 2.4."""
    table = project()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {table['name']}",
        f"Version: {table['version']}",
        f"Summary: {table['description']}",
        f"Requires-Python: {table['requires-python']}",
        f"License-Expression: {table['license']}",
        "License-File: LICENSE",
        *(f"Classifier: {one}" for one in table["classifiers"]),
        *(f"Requires-Dist: {one}" for one in table["dependencies"]),
    ]
    for extra, wanted in table["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {one}; extra == "{extra}"' for one in wanted]
    lines.append("Description-Content-Type: text/markdown")
    return "\n".join(lines) + "\n\n" + (ROOT / table["readme"]).read_text()


# --- the compiled part ----------------------------------------------------------------------------


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(
            f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-3000:]}\n"
            "compiling needs what scripts/deps installs: run `make build` first"
        )


def _build_here(folder: str) -> pathlib.Path:
    if not (ROOT / "third_party" / "mujoco" / "include").exists():
        _run("scripts/deps")
    build = os.environ.get("TEMPORALOT_BUILD", str(ROOT / "build"))
    if not os.path.exists(os.path.join(build, "build.ninja")):
        _run("cmake", "--preset", "release", "-B", build)
    targets = ["temporalot", "temporalot_shared", "temporalot_static"]
    _run("cmake", "--build", build, "--target", *targets)
    _run("cmake", "--install", build, "--prefix", folder, "--strip")
    return pathlib.Path(folder)


def _is_packed(path: pathlib.PurePath) -> bool:
    """Leaves out headers, CMake files, MuJoCo and the scenes: pip installs mujoco and metaworld."""
    parts = path.parts
    if parts[0] == "include" or parts[:2] in (("lib", "cmake"), ("lib", "pkgconfig")):
        return False
    if parts[:2] == ("share", "temporalot") and parts[2] in ("mujoco", "metaworld"):
        return False
    # only the soname, because a zip has no symbolic links
    return not re.search(r"\.a$|\.so$|\.so\.\d+\.\d+", path.name)


def _platform(tree: Optional[pathlib.Path]) -> str:
    machine = platform.machine()
    if tree is None:
        return f"linux_{machine}"
    newest = subprocess.run(
        [str(ROOT / "scripts" / "symbols"), str(tree)], capture_output=True, text=True, check=True
    ).stdout.strip()
    return f"manylinux_{newest.replace('.', '_')}_{machine}"


# --- packing --------------------------------------------------------------------------------------


class _Wheel:
    """A zip with fixed file dates, so that equal inputs give equal bytes."""

    def __init__(self, path: pathlib.Path, info: str, level: int = 9) -> None:
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._level = level
        self._info = info
        self._record: list[str] = []

    def add(self, name: str, data: bytes, executable: bool = False) -> None:
        """Adds a file."""
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self._zip.writestr(entry, data, compresslevel=self._level)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}")

    def finish(self, tag: str) -> None:
        """Adds METADATA, WHEEL and RECORD."""
        self.add(f"{self._info}/METADATA", metadata().encode())
        self.add(f"{self._info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
        wheel = f"Wheel-Version: 1.0\nGenerator: temporalot\nRoot-Is-Purelib: false\nTag: {tag}\n"
        self.add(f"{self._info}/WHEEL", wheel.encode())
        record = f"{self._info}/RECORD"
        self._record.append(f"{record},,")
        self._zip.writestr(
            zipfile.ZipInfo(record, (2020, 1, 1, 0, 0, 0)), "\n".join(self._record) + "\n"
        )
        self._zip.close()


def _pack_tree(wheel: _Wheel, tree: pathlib.Path) -> None:
    for path in sorted(tree.rglob("*")):
        inside = path.relative_to(tree)
        if path.is_file() and _is_packed(inside):
            wheel.add(f"temporalot/_native/{inside}", path.read_bytes(), os.access(path, os.X_OK))


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """PEP 517: builds a wheel."""
    table = project()
    given = os.environ.get("TEMPORALOT_TREE")
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(given) if given else _build_here(folder)
        tag = f"py3-none-{_platform(tree if given else None)}"
        stem = f"temporalot-{table['version']}"
        name = f"{stem}-{tag}.whl"
        # a wheel for this machine is installed right away: packed fast, not small
        level = 9 if given else 1
        wheel = _Wheel(pathlib.Path(wheel_directory) / name, f"{stem}.dist-info", level)
        for path in sorted(PACKAGE.rglob("*")):
            if path.suffix in (".py", ".typed"):
                wheel.add(str(path.relative_to(PACKAGE.parent)), path.read_bytes())
        _pack_tree(wheel, tree)
        wheel.add(f"{stem}.data/scripts/temporalot", PROGRAM.encode(), executable=True)
        wheel.finish(tag)
    return name


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: Optional[dict[str, Any]] = None
) -> str:
    """PEP 517: lets pip read the metadata without a build."""
    name = f"temporalot-{project()['version']}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    return name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_editable(
    wheel_directory: str,
    config_settings: Optional[dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """PEP 660: the sources stay in place, and the library is the one in build/."""
    table = project()
    stem = f"temporalot-{table['version']}"
    tag = f"py3-none-linux_{platform.machine()}"
    name = f"{stem}-{tag}.whl"
    with tempfile.TemporaryDirectory() as folder:
        _build_here(folder)
    wheel = _Wheel(pathlib.Path(wheel_directory) / name, f"{stem}.dist-info")
    wheel.add("temporalot.pth", f"{PACKAGE.parent}\n".encode())
    wheel.finish(tag)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    """PEP 517: packs the files tracked by git."""
    table = project()
    stem = f"temporalot-{table['version']}"
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    target = pathlib.Path(sdist_directory) / f"{stem}.tar.gz"
    with tempfile.NamedTemporaryFile("w", suffix="PKG-INFO") as info:
        info.write(metadata())
        info.flush()
        with tarfile.open(target, "w:gz") as archive:
            archive.add(info.name, f"{stem}/PKG-INFO")
            for file in files:
                if file and (ROOT / file).is_file():
                    archive.add(ROOT / file, f"{stem}/{file}", recursive=False)
    return target.name

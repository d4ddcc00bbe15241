"""Atomic outputs: written next to their destination under a temporary name, then renamed."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
from collections.abc import Iterator


def _sync(path: pathlib.Path) -> None:
    """Flushes a file, or the entries of a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _beside(path: pathlib.Path) -> pathlib.Path:
    return path.with_name(f".{path.name}.{os.getpid()}.partial")


def _remove(path: pathlib.Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_file(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """Yields a temporary path to write to; it is renamed to path on success, and removed otherwise."""
    partial = _beside(path)
    try:
        yield partial
        _sync(partial)
        os.replace(partial, path)
        _sync(path.parent)
    finally:
        _remove(partial)


@contextlib.contextmanager
def whole_folder(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """The same for a folder. An existing folder stays until the new one is complete."""
    partial = _beside(path)
    old = path.with_name(f".{path.name}.{os.getpid()}.old")
    partial.mkdir(parents=True)
    try:
        yield partial
        for folder, _, files in os.walk(partial):
            for name in files:
                _sync(pathlib.Path(folder) / name)
        if path.exists():
            os.replace(path, old)
        try:
            os.replace(partial, path)
        except OSError:
            if old.exists():
                os.replace(old, path)
            raise
        _sync(path.parent)
    finally:
        _remove(partial)
        _remove(old)


def copy_tree(source: pathlib.Path, target: pathlib.Path, without: set[pathlib.Path]) -> None:
    """Copies every file below source byte for byte, except those in ``without`` (relative paths)."""
    for folder, folders, files in os.walk(source):
        here = pathlib.Path(folder)
        relative = here.relative_to(source)
        folders.sort()
        (target / relative).mkdir(parents=True, exist_ok=True)
        for name in sorted(files):
            if relative / name not in without:
                shutil.copyfile(here / name, target / relative / name)


def size_of(folder: pathlib.Path) -> int:
    """Total size in bytes of all files below a folder."""
    return sum(
        os.path.getsize(os.path.join(here, name)) for here, _, files in os.walk(folder) for name in files
    )


def check_apart(source: pathlib.Path, out: pathlib.Path) -> None:
    """Rejects an output that is the source, is inside it, or contains it."""
    here, there = source.resolve(), out.resolve()
    if here == there or here in there.parents or there in here.parents:
        raise ValueError(f"out: {out} is not apart from the source {source}, which is never touched")


def check_room(source: pathlib.Path, out: pathlib.Path) -> None:
    """Rejects a copy for which there is not enough disk space."""
    needed = size_of(source)
    free = shutil.disk_usage(out.parent).free
    if needed > free:
        raise OSError(
            f"out: a copy of {source} takes {needed / 1e6:.0f} MB, and {out.parent} has {free / 1e6:.0f} MB left"
        )

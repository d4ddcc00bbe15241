"""Writes the labels of a dataset to a file or folder that appears only when it is complete."""

from __future__ import annotations

import contextlib
import pathlib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ._labelling import Progress, Summary
from ._whole import check_apart, check_room, whole_file, whole_folder
from .rewards import Labels


class Numbered(Protocol):
    """An episode with an index."""

    @property
    def index(self) -> int:
        """Index of the episode."""


Episode = TypeVar("Episode", bound=Numbered)
Taken = TypeVar("Taken", bound=Numbered, contravariant=True)


class Writer(Protocol[Taken]):
    """Receives labelled episodes one by one."""

    def add(self, episode: Taken, labels: Labels) -> None:
        """Adds an episode."""

    def finish(self) -> None:
        """Called after the last episode."""

    def close(self) -> None:
        """Called in any case."""


class NpzWriter:
    """Writes ``rewards_K``, ``progress_K`` and ``demo_K`` of every episode K as soon as it is added."""

    def __init__(self, path: pathlib.Path) -> None:
        self._zip = zipfile.ZipFile(path, "w", allowZip64=True)

    def _array(self, name: str, array: npt.NDArray[Any]) -> None:
        with self._zip.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as file:
            np.lib.format.write_array(file, array, allow_pickle=False)

    def add(self, episode: Numbered, labels: Labels) -> None:
        """Adds an episode."""
        assert labels.progress is not None
        self._array(f"rewards_{episode.index}", labels.rewards)
        self._array(f"progress_{episode.index}", labels.progress)
        self._array(f"demo_{episode.index}", np.array(labels.demo, np.int64))

    def finish(self) -> None:
        """Writes the directory of the archive."""
        self._zip.close()

    def close(self) -> None:
        """Closes the file, complete or not."""
        self._zip.close()


def _check_new(out: pathlib.Path, ours: pathlib.Path, overwrite: bool) -> None:
    """Rejects an existing output, unless overwrite is set and we wrote it. ours: a file that only our
    outputs contain; for a single-file output, the file itself."""
    if not out.parent.is_dir():
        raise FileNotFoundError(f"out: there is no folder {out.parent}")
    if out.exists() and not (overwrite and ours.is_file()):
        hint = "overwrite replaces it" if ours.is_file() else "it is not of our making: remove it yourself"
        raise ValueError(f"out: {out} is there already ({hint})")


def check_out(
    source: pathlib.Path, out: pathlib.Path, files: Sequence[str], record: pathlib.PurePath, overwrite: bool
) -> None:
    """Rejects an output that cannot be written, before the long work starts.

    Parameters
    ----------
    source : path
        The dataset, which is never modified.
    files : sequence of str
        Suffixes of single-file outputs; any other output is a folder for a new dataset.
    record : path
        The file that identifies such a folder as ours.
    """
    if out.suffix in files:
        _check_new(out, out, overwrite)
        return
    if out.suffix:
        raise ValueError(f"out: {out} is neither {' nor '.join(files)} nor a folder for a new dataset")
    check_apart(source, out)
    _check_new(out, out / record, overwrite)
    check_room(source, out)


@contextlib.contextmanager
def _opened(
    out: pathlib.Path,
    files: Mapping[str, Callable[[pathlib.Path], Writer[Episode]]],
    folder: Callable[[pathlib.Path], Writer[Episode]],
) -> Iterator[Writer[Episode]]:
    with contextlib.ExitStack() as stack:
        make = files.get(out.suffix)
        whole = whole_folder if make is None else whole_file
        writer = (make or folder)(stack.enter_context(whole(out)))
        stack.callback(writer.close)
        yield writer
        writer.finish()


def write_labels(
    labelled: Iterable[tuple[Episode, Labels]],
    summary: Summary,
    files: Mapping[str, Callable[[pathlib.Path], Writer[Episode]]],
    folder: Callable[[pathlib.Path], Writer[Episode]],
    total: int,
    progress: Optional[Progress],
) -> None:
    """Writes episodes as they are labelled; the output appears only if everything succeeds.

    Parameters
    ----------
    labelled : iterable of (episode, labels)
        In order.
    summary : Summary
        Its ``out`` is where to write; every episode is added to it.
    files, folder
        Functions that create a writer: by suffix for single-file outputs, and for a folder.
    total : int
        Total number of frames, passed to ``progress``.
    """
    with _opened(summary.out, files, folder) as writer:
        for episode, labels in labelled:
            writer.add(episode, labels)
            summary.add(labels)
            if progress is not None:
                progress(summary.frames, total, episode.index)

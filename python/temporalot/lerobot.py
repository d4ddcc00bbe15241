"""Labels every frame of a LeRobot dataset with a reward and a progress value, from a few good episodes.

>>> import temporalot.lerobot
>>> temporalot.lerobot.label("pick-cube", [3, 17], camera="observation.images.front", out="pick-cube-labelled")
"""

from __future__ import annotations

import contextlib
import itertools
import pathlib
import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ._labelling import (
    Progress,
    Summary,
    ahead,
    check_fit,
    check_settings,
    label_one,
    list_demos,
    open_encoder,
    record_of,
)
from ._lerobot_read import REWARD, SUCCESS, Dataset, Episode
from ._lerobot_write import RECORD, DatasetWriter, SidecarWriter
from ._library import PathLike, Setting, library
from ._output import NpzWriter, check_out, write_labels
from .encoder import Encoder
from .rewards import Labeler, Labels

__all__ = ["Dataset", "Episode", "Summary", "iterate", "label"]

#: index of an episode of this dataset, a video, or ``"ROOT:17"``: episode 17 of another dataset
Demo = Union[int, PathLike]
_BATCH = 60  # pictures passed to the encoder at a time
_ELSEWHERE = re.compile(r"(.+):(\d+)")


def _embed(dataset: Dataset, episode: Episode, camera: str, encoder: Encoder) -> npt.NDArray[np.float32]:
    embeddings = np.empty((episode.length, encoder.width), np.float32)
    done = 0
    for pictures in dataset.pictures(episode, camera, _BATCH, encoder.size):
        embeddings[done : done + len(pictures)] = encoder(pictures)
        done += len(pictures)
    return embeddings


def _first_success(dataset: Dataset, camera: str) -> int:
    if SUCCESS not in dataset.features:
        raise ValueError(
            f"demos: {dataset.root} has no column {SUCCESS} that tells which episode succeeded; name episodes by number"
        )
    for episode in dataset.episodes(camera):
        if dataset.succeeded(episode):
            return episode.index
    raise ValueError(f"demos: no episode of {dataset.root} succeeded")


def _embed_demo(dataset: Dataset, demo: Demo, camera: str, encoder: Encoder) -> npt.NDArray[np.float32]:
    if isinstance(demo, (int, np.integer)):
        return _embed(dataset, dataset.episode(int(demo), camera), camera, encoder)
    elsewhere = _ELSEWHERE.fullmatch(str(demo))
    if elsewhere is None:
        if pathlib.Path(demo).is_dir() and (pathlib.Path(demo) / "meta" / "info.json").exists():
            raise ValueError(f"demos: {demo} is a dataset; {demo}:17 names its episode 17")
        return encoder(demo)
    other = Dataset(elsewhere[1])
    try:
        other.camera(camera)
        return _embed(other, other.episode(int(elsewhere[2]), camera), camera, encoder)
    finally:
        other.close()


class _Work:
    """A dataset, its demonstrations, and the encoder and labeler for its episodes."""

    def __init__(
        self,
        root: PathLike,
        demos: Any,
        camera: Optional[str],
        method: str,
        encoder: Union[Encoder, PathLike, None],
        size: int,
        weights: Optional[PathLike],
        threads: int,
        settings: dict[str, Setting],
    ) -> None:
        check_settings(method, settings)
        self.dataset = Dataset(root)
        self.camera = self.dataset.camera(camera)
        self.demos: list[Demo] = [
            _first_success(self.dataset, self.camera) if demo == "first-success" else demo for demo in list_demos(demos)
        ]
        self.method = method
        # half of the threads decode videos while the other half encode
        count = threads or int(library.tot_cpu_count())
        self.beside = count > 1
        self.dataset.threads = min(max(count // 2, 1), 16)
        self.encoder = open_encoder(encoder, size, weights, count - count // 2)
        embedded = [_embed_demo(self.dataset, demo, self.camera, self.encoder) for demo in self.demos]
        self.steps = [len(one) for one in embedded]
        lengths = ((episode.index, episode.length) for episode in self.dataset.episodes())
        check_fit(lengths, self.steps, method, settings)
        self.labeler = Labeler(embedded, method, threads=threads, **settings)  # type: ignore[arg-type]

    def run(self) -> Generator[tuple[Episode, Labels], None, None]:
        """Yields every episode with its labels."""
        with contextlib.closing(ahead(self._read()) if self.beside else self._read()) as source:
            for index, batches in itertools.groupby(source, lambda one: one[0].index):
                embedded = []
                for episode, pictures in batches:
                    embedded.append(self.encoder(pictures))
                yield episode, label_one(self.labeler, np.concatenate(embedded), index)

    def _read(self) -> Generator[tuple[Episode, npt.NDArray[np.uint8]], None, None]:
        for episode in self.dataset.episodes(self.camera):
            for pictures in self.dataset.pictures(episode, self.camera, _BATCH, self.encoder.size):
                yield episode, pictures.copy() if self.beside else pictures

    def close(self) -> None:
        """Closes the dataset and frees the labeler."""
        self.dataset.close()
        self.labeler.close()


def iterate(
    root: PathLike,
    demos: Union[str, Demo, Sequence[Demo]],
    *,
    camera: Optional[str] = None,
    method: str = "temporalot",
    encoder: Union[Encoder, PathLike, None] = None,
    size: int = 128,
    weights: Optional[PathLike] = None,
    threads: int = 0,
    **settings: Setting,
) -> Iterator[tuple[Episode, Labels]]:
    """Labels the episodes of a dataset one after another, without writing anything.

    Parameters
    ----------
    root, demos, camera, method, encoder, size, weights, threads, **settings
        As in `label`.

    Yields
    ------
    Episode, Labels
        The labels include ``progress``.
    """
    work = _Work(root, demos, camera, method, encoder, size, weights, threads, settings)
    try:
        with contextlib.closing(work.run()) as labelled:
            yield from labelled
    finally:
        work.close()


def label(
    root: PathLike,
    demos: Union[str, Demo, Sequence[Demo]],
    *,
    out: PathLike,
    camera: Optional[str] = None,
    method: str = "temporalot",
    encoder: Union[Encoder, PathLike, None] = None,
    size: int = 128,
    weights: Optional[PathLike] = None,
    overwrite: bool = False,
    threads: int = 0,
    progress: Optional[Progress] = None,
    **settings: Setting,
) -> Summary:
    """Labels every frame of a dataset. The dataset is not modified; the output is written atomically.

    Parameters
    ----------
    root : path
        A LeRobot dataset, v3.0 or v2.1.
    demos : int, path, sequence of them, or "first-success"
        Good episodes to compare with: their indices, videos, or ``"ROOT:17"`` for episode 17 of
        another dataset with the same camera. ``"first-success"`` is the first episode with
        ``next.success``.
    out : path
        A folder: a new dataset with the column ``next.reward``, including its feature entry and its
        statistics, and ``sarm_progress.parquet`` for LeRobot's RA-BC; everything else is unchanged,
        and videos are copied byte for byte. ``F.parquet``: that sidecar file alone. ``F.npz``:
        ``rewards_K``, ``progress_K`` and ``demo_K`` of every episode K.
    camera : str, optional
        The image feature, such as ``"observation.images.front"``; may be omitted if there is only
        one.
    method, **settings
        As in `temporalot.Labeler`: ``context``, ``mask``, ``epsilon``, ...
    encoder : Encoder or str, optional
        The encoder of the pictures; MobileNetV2 by default.
    size, weights
        Settings of the encoder, unless it is an `Encoder`.
    overwrite : bool
        Replace an existing ``next.reward``, ``sarm_progress.parquet``, or output.
    threads : int
        0: one per CPU.
    progress : callable, optional
        Called with the number of frames done, the total, and the index of the episode. An exception
        stops the work, and nothing is written.

    Returns
    -------
    Summary

    Raises
    ------
    ValueError
        An unknown camera (the message lists the available ones), method or setting; an existing output.
    FileNotFoundError, TemporalOTError
        A missing or damaged file of the dataset, a video with fewer pictures than rows or with a
        variable frame rate, a dataset of a newer version, an episode that does not fit the mask.
    """
    target = pathlib.Path(out)
    source = Dataset(root)
    check_out(source.root, target, (".npz", ".parquet"), RECORD, overwrite)
    if not target.suffix and REWARD in source.features and not overwrite:
        raise ValueError(f"{source.root}: has {REWARD} already (overwrite replaces it in the new dataset)")
    work = _Work(root, demos, camera, method, encoder, size, weights, threads, settings)
    record = record_of(method, settings, work.camera, work.encoder, work.demos, work.steps)
    summary = Summary(target, [str(demo) for demo in record["demos"]])
    try:
        with contextlib.closing(work.run()) as labelled:
            write_labels(
                labelled, summary,
                {".npz": NpzWriter, ".parquet": lambda path: SidecarWriter(path, record)},
                lambda path: DatasetWriter(work.dataset, path, record, overwrite),
                work.dataset.total_frames, progress,
            )
    finally:
        work.close()
    return summary

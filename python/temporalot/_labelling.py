"""Functions shared by the labelling of LeRobot and Minari datasets."""

from __future__ import annotations

import dataclasses
import pathlib
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, TypeVar, Union

import numpy as np

from ._library import PathLike, Setting, TemporalOTError, library, text
from .encoder import Encoder
from .rewards import Labeler, Labels

#: called with the number of frames done, the total, and the index of the episode
Progress = Callable[[int, int, int], object]


@dataclasses.dataclass
class Summary:
    """Result of labelling a dataset.

    Attributes
    ----------
    episodes, frames : int
        Number of labelled episodes and frames.
    demos : list of str
        The demonstrations they were compared with.
    mean_sum, mean_progress : float
        Means over episodes of the sum of rewards and of the progress at the last step.
    out : path
        The file or folder that was written.
    """

    out: pathlib.Path
    demos: list[str]
    episodes: int = 0
    frames: int = 0
    mean_sum: float = 0.0
    mean_progress: float = 0.0

    def add(self, labels: Labels) -> None:
        """Adds one episode."""
        assert labels.progress is not None
        self.episodes += 1
        self.frames += len(labels)
        self.mean_sum += (labels.sum - self.mean_sum) / self.episodes
        self.mean_progress += (float(labels.progress[-1]) - self.mean_progress) / self.episodes


def open_encoder(
    encoder: Union[Encoder, PathLike, None], size: int, weights: Optional[PathLike], threads: int
) -> Encoder:
    """Returns an encoder as it is, or opens one by name; MobileNetV2 by default."""
    if isinstance(encoder, Encoder):
        return encoder
    return Encoder("mobilenetv2" if encoder is None else str(encoder), size=size, weights=weights, threads=threads)


def list_demos(demos: Any) -> list[Any]:
    """One demonstration or several, as a non-empty list."""
    found = [demos] if isinstance(demos, (int, str, pathlib.PurePath)) else list(demos)
    if not found:
        raise ValueError("demos: there is none; name one or two good episodes, as demos=[3, 17]")
    return found


def check_settings(method: str, settings: Mapping[str, Setting]) -> None:
    """Rejects an unknown method or setting before anything is read."""
    Labeler([np.ones((2, 1), np.float32)], method, threads=1, **settings).close()  # type: ignore[arg-type]


def check_fit(
    lengths: Iterable[tuple[int, int]], steps: Sequence[int], method: str, settings: Mapping[str, Setting]
) -> None:
    """Checks by length alone that every episode can be labelled, before the long work starts.

    Parameters
    ----------
    lengths : iterable of (episode, steps)
        Index and length of every episode of the dataset.
    steps : sequence of int
        Lengths of the demonstrations.
    """
    told: dict[str, Any] = {**settings, "iterations": 1, "cost": "euclidean"}
    for name in ("scale", "center", "views", "first_view"):
        told.pop(name, None)
    tried: set[int] = set()
    with Labeler([np.zeros((count, 1), np.float32) for count in steps], method, threads=1, **told) as labeler:
        for index, length in lengths:
            if length in tried:
                continue
            tried.add(length)
            try:
                labeler(np.zeros((length, 1), np.float32))
            except TemporalOTError as error:
                raise TemporalOTError(
                    f"episode {index}, {length} steps, does not fit {method}: {error}; take a wider mask (mask 40), "
                    "mask none, or a method without one (temporalot-no-mask)",
                    error.kind,
                ) from error


Item = TypeVar("Item")


def ahead(items: Iterator[Item]) -> Generator[Item, None, None]:
    """Yields the same items, produced by a separate thread that is at most two items ahead, so that a
    video is decoded while the encoder works. An exception in that thread is raised here, in order."""
    ready: queue.Queue[tuple[Optional[Item], Optional[BaseException]]] = queue.Queue(2)
    stop = threading.Event()

    def put(item: Optional[Item], error: Optional[BaseException]) -> None:
        while not stop.is_set():
            try:
                return ready.put((item, error), timeout=0.1)
            except queue.Full:
                continue

    def work() -> None:
        try:
            for item in items:
                put(item, None)
                if stop.is_set():
                    return
            put(None, StopIteration())
        except BaseException as error:
            put(None, error)

    thread = threading.Thread(target=work, name="temporalot-ahead", daemon=True)
    thread.start()
    try:
        while True:
            item, error = ready.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            assert item is not None
            yield item
    finally:
        stop.set()
        thread.join()


def label_one(labeler: Labeler, embeddings: Any, index: int) -> Labels:
    """Labels an episode; error messages name the episode."""
    try:
        return labeler(embeddings, progress=True)
    except ValueError as error:
        raise ValueError(f"episode {index}: {error}") from error
    except TemporalOTError as error:
        raise TemporalOTError(f"episode {index}: {error}", error.kind) from error


def record_of(
    method: str, settings: Mapping[str, Setting], camera: Optional[str], encoder: Optional[Encoder], demos: Sequence[Any],
    steps: Sequence[int],
) -> dict[str, Any]:
    """A record of how the rewards were computed, to be stored with them."""
    return {
        "temporalot": text(library.tot_version()),
        "method": method,
        "settings": {name: value for name, value in settings.items() if value is not None},
        "camera": camera,
        "encoder": None if encoder is None else encoder.text,
        "demos": [int(demo) if isinstance(demo, (int, np.integer)) else str(demo) for demo in demos],
        "demo_steps": list(steps),
    }

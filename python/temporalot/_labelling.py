"""What labelling a dataset shares, whoever recorded it."""

from __future__ import annotations

import dataclasses
import pathlib
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ._library import PathLike, Setting, TemporalOTError, library, text
from .encoder import Encoder
from .rewards import Labeler, Labels

#: called with the frames done, how many there are, and the episode's number
Progress = Callable[[int, int, int], object]


@dataclasses.dataclass
class Summary:
    """What was labelled.

    Attributes
    ----------
    episodes, frames : int
        How many.
    demos : list of str
        What they were compared with.
    mean_sum, mean_progress : float
        Over episodes: the sum of rewards, and the progress at the end.
    out : path
        What was written.
    """

    out: pathlib.Path
    demos: list[str]
    episodes: int = 0
    frames: int = 0
    mean_sum: float = 0.0
    mean_progress: float = 0.0

    def add(self, labels: Labels) -> None:
        """One more episode."""
        assert labels.progress is not None
        self.episodes += 1
        self.frames += len(labels)
        self.mean_sum += (labels.sum - self.mean_sum) / self.episodes
        self.mean_progress += (float(labels.progress[-1]) - self.mean_progress) / self.episodes


class NpzFile:
    """``rewards_K``, ``progress_K``, ``demo_K`` of every episode K, written as they come."""

    def __init__(self, path: pathlib.Path) -> None:
        self._zip = zipfile.ZipFile(path, "w", allowZip64=True)

    def _array(self, name: str, array: npt.NDArray[Any]) -> None:
        with self._zip.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as file:
            np.lib.format.write_array(file, array, allow_pickle=False)  # type: ignore[no-untyped-call]

    def add(self, index: int, labels: Labels) -> None:
        """One more."""
        assert labels.progress is not None
        self._array(f"rewards_{index}", labels.rewards)
        self._array(f"progress_{index}", labels.progress)
        self._array(f"demo_{index}", np.array(labels.demo, np.int64))

    def close(self) -> None:
        """Writes the list of what there is."""
        self._zip.close()


def open_encoder(
    encoder: Union[Encoder, PathLike, None], size: int, weights: Optional[PathLike], threads: int
) -> Encoder:
    """An encoder as it is, or by its name; MobileNetV2 where there is none."""
    if isinstance(encoder, Encoder):
        return encoder
    return Encoder("mobilenetv2" if encoder is None else str(encoder), size=size, weights=weights, threads=threads)


def check_settings(method: str, settings: Mapping[str, Setting]) -> None:
    """Refuses an unknown method or setting before anything is read."""
    Labeler([np.ones((2, 1), np.float32)], method, threads=1, **settings).close()  # type: ignore[arg-type]


def check_fit(
    lengths: Iterable[tuple[int, int]], steps: Sequence[int], method: str, settings: Mapping[str, Setting]
) -> None:
    """Whether every episode can be compared, by its length alone, before the long work begins.

    Parameters
    ----------
    lengths : iterable of (episode, steps)
        The dataset's.
    steps : sequence of int
        The demonstrations'.
    """
    told: dict[str, Any] = {**settings, "iterations": 1, "cost": "euclidean"}
    for name in ("scale", "center", "looks"):
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


def label_one(labeler: Labeler, embeddings: Any, index: int) -> Labels:
    """Labels an episode; an error names it."""
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
    """How rewards were made, for whoever finds them."""
    return {
        "temporalot": text(library.tot_version()),
        "method": method,
        "settings": {name: value for name, value in settings.items() if value is not None},
        "camera": camera,
        "encoder": None if encoder is None else encoder.text,
        "demos": [int(demo) if isinstance(demo, (int, np.integer)) else str(demo) for demo in demos],
        "demo_steps": list(steps),
    }


def check_new(out: pathlib.Path, ours: pathlib.Path, overwrite: bool) -> None:
    """Refuses an output that is there, but for one of our making with overwrite.

    Parameters
    ----------
    ours : path
        What only an output of our making has; that of a file is the file itself.
    """
    if not out.parent.is_dir():
        raise FileNotFoundError(f"out: there is no folder {out.parent}")
    if out.exists() and not (overwrite and ours.is_file()):
        hint = "overwrite replaces it" if ours.is_file() else "it is not of our making: remove it yourself"
        raise ValueError(f"out: {out} is there already ({hint})")

"""Training runs, and reading run folders."""

from __future__ import annotations

import csv
import ctypes
import os
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._arrays import address, as_array
from ._library import (
    TRAIN_ASK,
    TRAIN_PROGRESS,
    Handle,
    Interrupts,
    PathLike,
    Setting,
    check,
    library,
    path_bytes,
    settings_bytes,
    text,
)
from .tasks import plain_name, prepare_worlds

__all__ = ["Policy", "Progress", "Run", "train"]


@dataclass(frozen=True)
class Progress:
    """Progress of a run.

    Attributes
    ----------
    doing : str
        ``"demonstrations"``, ``"cloning"``, ``"training"`` or ``"evaluation"``.
    done, total : int
        Progress of that activity, in attempts, updates, agent steps or episodes, respectively.
    per_second, seconds_left : float
        Speed, and estimated time until the end of the run (negative: not known yet).
    success_rate, episode_return : float
        Results of the last evaluation; NaN before the first.
    """

    doing: str
    done: int
    total: int
    per_second: float
    seconds_left: float
    success_rate: float
    episode_return: float


class Policy(Handle):
    """The policy of a run: ``policy(observation)`` returns the mean action.

    Parameters
    ----------
    folder : path
        The run folder.

    Attributes
    ----------
    step : int
        Agent steps of training.
    """

    _free = "tot_flat_policy_free"

    def __init__(self, folder: PathLike) -> None:
        super().__init__()
        prepare_worlds()
        if not os.path.isdir(folder):
            raise FileNotFoundError(f"{os.fspath(folder)}: there is no such run folder")
        pointer = ctypes.c_void_p()
        check(library.tot_flat_policy_load(ctypes.byref(pointer), path_bytes(folder)), folder)
        self._pointer = pointer.value
        self.step = int(library.tot_flat_policy_step(self._pointer))

    def __call__(
        self, observation: Any = None, *, step: Any = 0, pictures: Any = None
    ) -> npt.NDArray[np.float32]:
        """Returns the mean action.

        Parameters
        ----------
        observation : array, shape (39,) or (count, 39)
            For runs trained on the state.
        step : int or array of int, shape (count,), optional
            Agent steps taken in the episode so far (of ``action_repeat`` frames each), for an agent with a
            clock. All presets except ``paper`` have one.
        pictures : array of uint8, shape (9, pixels, pixels) or (count, 9, pixels, pixels), optional
            For runs trained on pixels: the last three pictures, oldest first, channels first.

        Returns
        -------
        ndarray of float32, shape (4,) or (count, 4)
            In -1 .. 1.
        """
        seen = shown = None
        single = False
        count = 0
        if observation is not None:
            seen = np.ascontiguousarray(as_array(observation, "observation"), np.float32)
            single = seen.ndim == 1
            seen = np.atleast_2d(seen)
            if seen.ndim != 2 or seen.shape[1] != 39 or len(seen) == 0:
                raise ValueError(f"observation: shape {seen.shape} is not 39 or count x 39")
            count = len(seen)
        if pictures is not None:
            shown = np.ascontiguousarray(as_array(pictures, "pictures"))
            single = shown.ndim == 3
            shown = shown[None] if single else shown
            if shown.dtype != np.uint8 or shown.ndim != 4 or shown.shape[1] != 9:
                raise ValueError(f"pictures: {shown.dtype} {shown.shape} is not uint8, count x 9 x n x n")
            count = len(shown)
        steps = np.array(np.broadcast_to(np.asarray(step, np.int64), max(count, 1)))
        actions = np.empty((max(count, 1), 4), np.float32)
        with self._guard():
            check(
                library.tot_flat_policy_act(
                    self._handle(),
                    None if seen is None else address(seen),
                    None if shown is None else address(shown),
                    address(steps),
                    max(count, 1),
                    address(actions),
                )
            )
        return actions[0] if single else actions


class Run:
    """A run folder: settings, metrics, policy and report.

    Parameters
    ----------
    folder : path
        Written by ``train`` or ``temporalot train``.
    """

    def __init__(self, folder: PathLike) -> None:
        self.folder = pathlib.Path(folder)
        if not (self.folder / "config.yaml").exists():
            raise FileNotFoundError(f"{self.folder}: holds no run (it has no config.yaml)")

    def __repr__(self) -> str:
        return f"temporalot.Run({str(self.folder)!r})"

    def setting(self, name: str) -> str:
        """A setting of the run, as text: ``run.setting("method")``."""
        buffer = ctypes.create_string_buffer(4096)
        check(
            library.tot_flat_run_setting(path_bytes(self.folder), name.encode(), buffer, len(buffer)),
            self.folder,
        )
        return text(buffer.value)

    @property
    def metrics(self) -> dict[str, npt.NDArray[np.float64]]:
        """The columns of ``metrics.csv``, with NaN for empty cells. Read from disk at every access."""
        path = self.folder / "metrics.csv"
        if not path.exists():
            return {}
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        names = rows[0] if rows else []
        whole = [row for row in rows[1:] if len(row) == len(names)]

        def number(cell: str) -> float:
            try:
                return float(cell)
            except ValueError:
                return float("nan")

        return {
            name: np.array([number(row[k]) for row in whole]) for k, name in enumerate(names)
        }

    @property
    def success_rate(self) -> float:
        """Success rate of the last evaluation, 0 to 1; NaN before the first."""
        rates = self.metrics.get("success_rate", np.array([]))
        known = rates[np.isfinite(rates)]
        return float(known[-1]) if len(known) else float("nan")

    @property
    def report(self) -> Optional[pathlib.Path]:
        """The report page; None if there is none yet."""
        path = self.folder / "report.html"
        return path if path.exists() else None

    @property
    def videos(self) -> list[pathlib.Path]:
        """Videos of evaluations, sorted by name."""
        return sorted((self.folder / "videos").glob("*"))

    def policy(self) -> Policy:
        """The policy of the newest checkpoint."""
        return Policy(self.folder)


def train(
    task: str,
    out: PathLike,
    *,
    method: str = "temporalot",
    preset: Optional[str] = "quick",
    seed: int = 0,
    resume: bool = False,
    threads: int = 0,
    progress: Optional[Callable[[Progress], object]] = None,
    **settings: Setting,
) -> Run:
    """Trains a policy until the run is complete.

    Parameters
    ----------
    task : str
        A name from `tasks`.
    out : path
        The run folder; if it already contains a run, ``resume`` is required.
    method : str
        The method to train with; ``temporalot train --help`` lists them.
    preset : str, optional
        ``"quick"``, ``"standard"``, ``"pixels"`` or ``"paper"``; None: the paper's defaults.
    seed : int
        The random seed.
    resume : bool
        Continue a run, with the same bytes as if it had never stopped; start one if there is none yet.
    threads : int
        0: one per CPU.
    progress : callable, optional
        Called with a `Progress` from time to time. An exception stops the run, with a checkpoint.
    **settings
        Any setting of a run by name, such as ``steps=3000``.

    Returns
    -------
    Run

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C. A checkpoint has been written, and ``resume=True`` continues from it.
    """
    prepare_worlds()
    interrupts = Interrupts()

    def on_ask(_: object) -> int:
        return 0 if interrupts.raised is None else 2

    def on_progress(_: object, doing: bytes, numbers: Any) -> None:
        if progress is None or interrupts.raised is not None:
            return
        try:
            progress(Progress(text(doing), int(numbers[0]), int(numbers[1]), *numbers[2:6]))
        except BaseException as error:  # re-raised when the library returns
            interrupts.raised = error

    chosen: dict[str, Setting] = dict(task=plain_name(task), method=method, seed=seed)
    with interrupts:
        status = library.tot_flat_train(
            path_bytes(out),
            None if preset is None else preset.encode(),
            settings_bytes({**chosen, **settings}),
            int(threads),
            1 if resume else 0,
            TRAIN_ASK(on_ask),
            TRAIN_PROGRESS(on_progress),
            None,
        )
    check(status)
    return Run(out)

"""A page about a labelled LeRobot dataset: which episodes are worth keeping?"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._lerobot_read import REWARD, Dataset, Episode, damaged, open_parquet, read_json
from ._lerobot_write import RECORD, SIDECAR
from ._library import PathLike
from ._page import Page, Row
from .rewards import Labeler

_PICTURES = 24  # per strip
_WORST, _BEST = 12, 3  # number of strips
_REACHED, _STILL = 0.95, 0.02
_GROUPS = {
    "worst": "the worst tenth",
    "begun": "the rest, below half of the demonstration",
    "half": "the rest, past half of it",
    "reached": "the rest, that reached its end",
}


@dataclasses.dataclass
class _Line:
    """An episode as listed on the page."""

    episode: Episode
    score: float
    end: float
    leaves: Optional[int]  # step; None: it reached the end
    demo: int
    group: str = ""


def leaves_at(progress: npt.NDArray[np.float32]) -> Optional[int]:
    """The step from which an episode makes no further progress along the demonstration; None if it reached the end."""
    if progress[-1] >= _REACHED:
        return None
    return int(np.argmax(progress >= progress[-1] - _STILL))


class _Sidecar:
    """Reads the rows of ``sarm_progress.parquet`` front to back, one episode at a time."""

    def __init__(self, root: pathlib.Path) -> None:
        self._path = root / SIDECAR
        file = open_parquet(self._path)
        self._columns = [name for name in ("index", "progress_sparse", "demo") if name in file.schema_arrow.names]
        if self._columns[:2] != ["index", "progress_sparse"]:
            raise damaged(self._path, "has no columns index and progress_sparse")
        self._batches: Iterator[Any] = file.iter_batches(columns=self._columns)
        self._held: list[npt.NDArray[Any]] = [np.empty(0) for _ in self._columns]

    def take(self, episode: Episode) -> tuple[npt.NDArray[np.float32], int]:
        """Progress of the next episode, and the index of its demonstration."""
        while len(self._held[0]) < episode.length:
            batch = next(self._batches, None)
            if batch is None:
                raise damaged(self._path, f"ends before episode {episode.index}")
            self._held = [
                np.concatenate([held, column.to_numpy(zero_copy_only=False)]) for held, column in zip(self._held, batch.columns)
            ]
        taken = [held[: episode.length] for held in self._held]
        self._held = [held[episode.length :] for held in self._held]
        if taken[0][0] != episode.start:
            raise damaged(self._path, f"is not of this dataset: episode {episode.index} begins elsewhere")
        return taken[1].astype(np.float32), int(taken[2][0]) if len(taken) > 2 else 0


def _has_plan(method: str) -> bool:
    with Labeler(np.ones((2, 1), np.float32), method) as labeler:
        return labeler.has_plan


def _read(dataset: Dataset, camera: str, method: str) -> list[_Line]:
    whole = _has_plan(method)
    sidecar = _Sidecar(dataset.root)
    lines = []
    for episode in dataset.episodes(camera):
        rewards = dataset.column(episode, REWARD).astype(np.float64)
        progress, demo = sidecar.take(episode)
        score = float(rewards.sum() if whole else rewards.mean())
        lines.append(_Line(episode, score, float(progress[-1]), leaves_at(progress), demo))
    lines.sort(key=lambda line: (line.score, line.episode.index))
    worst = max(1, round(len(lines) / 10)) if len(lines) > 1 else 0
    for place, line in enumerate(lines):
        far = "reached" if line.leaves is None else "half" if line.end >= 0.5 else "begun"
        line.group = "worst" if place < worst else far
    return lines


# --- pictures -------------------------------------------------------------------------------------


def _film(dataset: Dataset, camera: str, episodes: list[Episode]) -> dict[int, tuple[npt.NDArray[np.uint8], Any]]:
    """Evenly spaced pictures of some episodes; the videos are read once, front to back."""
    found = {}
    for episode in sorted(episodes, key=lambda one: one.start):
        steps = np.unique(np.linspace(0, episode.length - 1, _PICTURES).round().astype(np.int64))
        kept: list[npt.NDArray[np.uint8]] = []
        first = 0
        for pictures in dataset.pictures(episode, camera):
            here = steps[(steps >= first) & (steps < first + len(pictures))] - first
            kept.extend(pictures[here].copy())
            first += len(pictures)
        found[episode.index] = (np.stack(kept), steps.astype(np.uint64))
    return found


def _add_strips(page: Page, dataset: Dataset, camera: str, record: dict[str, Any], lines: list[_Line]) -> None:
    worst = [line for line in lines if line.group == "worst"][:_WORST]
    best = [line for line in lines[-_BEST:] if line.group != "worst"][::-1]
    demos = record.get("demos", [])
    numbers = {line.demo for line in worst + best if line.demo < len(demos) and isinstance(demos[line.demo], int)}
    shown = [line.episode for line in worst + best]
    shown += [dataset.episode(demos[k], camera) for k in sorted(numbers)]
    films = _film(dataset, camera, list({episode.index: episode for episode in shown}.values()))
    along = _progress_of(dataset, {line.episode.index for line in worst + best})
    for heading, chosen in (("The worst episodes", worst), ("The best episodes", best)):
        if chosen:
            page.heading(heading)
        for line in chosen:
            frames, steps = films[line.episode.index]
            progress = along[line.episode.index]
            rows = []
            match = None
            if line.demo in numbers:
                demo_frames, demo_steps = films[demos[line.demo]]
                length = int(record["demo_steps"][line.demo])
                rows.append(Row(f"demonstration {demos[line.demo]}", demo_frames, demo_steps, length))
                match = (progress * (length - 1)).round().astype(np.int32)
            rows.append(
                Row(f"episode {line.episode.index}", frames, steps, line.episode.length, progress.astype(float), match)
            )
            left = "" if line.leaves is None else f", gets no further after step {line.leaves}"
            page.strip(
                f"Episode {line.episode.index}: reward {line.score:.4g}, progress {line.end:.2f}{left}", rows, "progress"
            )


def _progress_of(dataset: Dataset, wanted: set[int]) -> dict[int, npt.NDArray[np.float32]]:
    sidecar = _Sidecar(dataset.root)
    taken = ((episode.index, sidecar.take(episode)[0]) for episode in dataset.episodes())
    return {index: progress for index, progress in taken if index in wanted}


# --- the page -------------------------------------------------------------------------------------


def _add_groups(page: Page, lines: list[_Line]) -> None:
    cells, leads = [], []
    for group, words in _GROUPS.items():
        some = [line for line in lines if line.group == group]
        if some:
            mean = sum(line.score for line in some) / len(some)
            end = sum(line.end for line in some) / len(some)
            cells.append([words, str(len(some)), f"{mean:.4g}", f"{end:.2f}"])
            leads.append(group)
    page.table({"episodes": False, "count": True, "mean reward": True, "mean progress": True}, cells, leads=leads)


def _add_worst(page: Page, root: pathlib.Path, worst: list[int]) -> None:
    page.heading("The worst ten percent")
    if not worst:
        page.paragraph("A dataset of one episode has none.")
        return
    listed = ", ".join(map(str, worst))
    page.paragraph(f"Episodes {listed}. LeRobot's own tool writes a dataset without them:")
    page.code(
        f"lerobot-edit-dataset --repo_id NAME --root {root} --operation.type delete_episodes "
        f'--operation.episode_indices "[{listed}]"'
    )


def write_page(root: PathLike, out: PathLike, title: Optional[str] = None) -> list[int]:
    """Writes the page of a labelled dataset and returns the indices of the worst tenth of its episodes.

    Parameters
    ----------
    root : path
        A dataset written by `temporalot.lerobot.label`.
    out : path
        ``FILE.html``.
    title : str, optional
        Title of the page; by default it names the dataset.
    """
    dataset = Dataset(root)
    if REWARD not in dataset.features or not (dataset.root / SIDECAR).is_file():
        raise ValueError(
            f"{dataset.root}: has no {REWARD} or no {SIDECAR}; temporalot dataset label {dataset.root} "
            "--demo-episodes K,K --out ROOT2 writes a dataset that has both"
        )
    if pathlib.Path(out).suffix != ".html":
        raise ValueError(f"out: {out} does not end in .html")
    record = read_json(dataset.root / RECORD) if (dataset.root / RECORD).is_file() else {}
    camera = dataset.camera(record.get("camera"))
    method = record.get("method", "temporalot")
    lines = _read(dataset, camera, method)
    worst = [line.episode.index for line in lines if line.group == "worst"]
    page = Page(title or f"Rewards of {dataset.root.resolve().name}")
    try:
        page.paragraph(
            f"{len(lines)} episodes of {dataset.total_frames} frames, labelled by {method} against "
            f"{', '.join(map(str, record.get('demos', []))) or 'unknown demonstrations'}, seen by {camera}. The reward of "
            f"an episode is the {'sum' if _has_plan(method) else 'mean'} over its steps; nearer to 0 is better. Progress "
            "is how far along the demonstration it came, from 0 to 1; it leaves the demonstration at the step after "
            "which it gets no further."
        )
        _add_groups(page, lines)
        _add_worst(page, dataset.root, worst)
        page.heading("All episodes, the worst first")
        page.table(
            {"episode": True, "steps": True, "reward": True, "progress": True, "leaves at step": True, "group": False},
            [
                [
                    str(line.episode.index), str(line.episode.length), f"{line.score:.6g}", f"{line.end:.3f}",
                    "" if line.leaves is None else str(line.leaves), _GROUPS[line.group],
                ]
                for line in lines
            ],
            names=[line.group for line in lines],
        )
        _add_strips(page, dataset, camera, record, lines)
        page.write(out)
    finally:
        dataset.close()
        page.close()
    return worst

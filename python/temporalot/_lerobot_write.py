"""Writes the labels of a LeRobot dataset: as a new dataset, or as a sidecar file."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow
import pyarrow.parquet

from ._lerobot_read import REWARD, Dataset, Episode, damaged, open_parquet, read_json
from ._whole import copy_tree
from .rewards import Labels

#: LeRobot's RA-BC expects this file at the root of a dataset
SIDECAR = "sarm_progress.parquet"
#: how the rewards of a dataset were computed
RECORD = pathlib.PurePath("meta", "temporalot.json")
_QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}
_CHUNK = 1 << 20


class SidecarWriter:
    """Writes one row per frame: index, episode_index, frame_index, progress_sparse, reward, and demo (an index)."""

    _SCHEMA = pyarrow.schema(
        [
            ("index", pyarrow.int64()),
            ("episode_index", pyarrow.int64()),
            ("frame_index", pyarrow.int64()),
            ("progress_sparse", pyarrow.float32()),
            ("reward", pyarrow.float32()),
            ("demo", pyarrow.int64()),
        ]
    )

    def __init__(self, path: pathlib.Path, record: dict[str, Any]) -> None:
        schema = self._SCHEMA.with_metadata({"temporalot": json.dumps(record)})
        self._writer = pyarrow.parquet.ParquetWriter(path, schema)

    def add(self, episode: Episode, labels: Labels) -> None:
        """Adds an episode."""
        frames = np.arange(episode.length)
        columns = [
            frames + episode.start,
            np.full(episode.length, episode.index, np.int64),
            frames,
            labels.progress,
            labels.rewards,
            np.full(episode.length, labels.demo, np.int64),
        ]
        self._writer.write_table(pyarrow.table(columns, schema=self._SCHEMA))

    def finish(self) -> None:
        """Completes the file."""
        self._writer.close()

    def close(self) -> None:
        """Closes the file, complete or not."""
        self._writer.close()


# --- statistics -----------------------------------------------------------------------------------


def _chunks(values: npt.NDArray[np.float32]) -> Iterator[npt.NDArray[np.float64]]:
    for first in range(0, len(values), _CHUNK):
        yield np.asarray(values[first : first + _CHUNK], np.float64)


def _quantiles(values: npt.NDArray[np.float32], low: float, high: float) -> dict[str, float]:
    """Exact for up to ``_CHUNK`` values, otherwise from a histogram with 10,000 bins."""
    if len(values) <= _CHUNK:
        return dict(zip(_QUANTILES, np.quantile(np.asarray(values, np.float64), list(_QUANTILES.values())).tolist()))
    counts = np.zeros(10_000, np.int64)
    edges = np.linspace(low, max(high, np.nextafter(low, np.inf)), len(counts) + 1)
    for part in _chunks(values):
        counts += np.histogram(part, edges)[0]
    shares = np.cumsum(counts) / len(values)
    return {name: float(edges[int(np.searchsorted(shares, q)) + 1]) for name, q in _QUANTILES.items()}


def statistics(values: npt.NDArray[np.float32]) -> dict[str, list[Any]]:
    """Statistics under LeRobot's names, each a list with one element."""
    low, high, total = np.inf, -np.inf, 0.0
    for part in _chunks(values):
        low, high, total = min(low, part.min()), max(high, part.max()), total + part.sum()
    mean = total / len(values)
    square = sum(float(((part - mean) ** 2).sum()) for part in _chunks(values))
    numbers = dict(min=low, max=high, mean=mean, std=(square / len(values)) ** 0.5, **_quantiles(values, low, high))
    found: dict[str, list[Any]] = {name: [float(number)] for name, number in numbers.items()}
    found["count"] = [len(values)]
    return found


def _like(sibling: dict[str, Any], values: npt.NDArray[np.float32]) -> dict[str, Any]:
    """The statistics that the dataset has for another feature, computed for these values."""
    found = statistics(values)
    return {name: found[name] for name in sibling if name in found}


# --- a new dataset --------------------------------------------------------------------------------


def _with_column(table: Any, name: str, column: Any) -> Any:
    at = table.schema.get_field_index(name)
    return table.append_column(name, column) if at < 0 else table.set_column(at, name, column)


def _tell_features(schema: Any, added: dict[str, Any]) -> Any:
    """Adds features to those that Hugging Face's `datasets` stores in the schema, if there are any.

    ``added`` maps the name of a new column to its feature, or to a column whose feature it copies.
    """
    kept = dict(schema.metadata or {})
    if b"huggingface" not in kept:
        return schema
    told = json.loads(kept[b"huggingface"])
    features = told.get("info", {}).get("features")
    if isinstance(features, dict):
        for name, like in added.items():
            if not isinstance(like, str):
                features[name] = like
            elif like in features:
                features[name] = features[like]
        kept[b"huggingface"] = json.dumps(told).encode()
    return schema.with_metadata(kept)


def _rewrite(
    source: pathlib.Path, target: pathlib.Path, change: Callable[[Any], Any], added: dict[str, Any]
) -> None:
    """Copies a parquet file row group by row group, applying ``change`` to each."""
    file = open_parquet(source)
    if file.num_row_groups == 0:
        raise damaged(source, "holds no rows")
    target.parent.mkdir(parents=True, exist_ok=True)
    writer = None
    try:
        for group in range(file.num_row_groups):
            table = change(file.read_row_group(group))
            if writer is None:
                compression = file.metadata.row_group(group).column(0).compression
                table_schema = _tell_features(table.schema, added)
                writer = pyarrow.parquet.ParquetWriter(
                    target, table_schema, compression="none" if compression == "UNCOMPRESSED" else compression
                )
            writer.write_table(table.replace_schema_metadata(table_schema.metadata), row_group_size=max(1, len(table)))
    except pyarrow.ArrowException as error:
        raise damaged(source, f"damaged: {error}") from error
    finally:
        if writer is not None:
            writer.close()


class DatasetWriter:
    """Copies a dataset and adds ``next.reward``, in a folder that becomes visible when it is complete."""

    def __init__(self, dataset: Dataset, target: pathlib.Path, record: dict[str, Any], overwrite: bool) -> None:
        self._dataset = dataset
        self._target = target
        self._record = record
        self._spool = target / ".rewards"
        # rewards are buffered on disk, because rows and videos are split into files differently
        self._rewards: Any = np.memmap(self._spool, np.float32, "w+", shape=(dataset.total_frames,))
        self._rewards[:] = np.nan
        keeps = (dataset.root / SIDECAR).exists() and not overwrite
        self._sidecar = None if keeps else SidecarWriter(target / SIDECAR, record)

    def add(self, episode: Episode, labels: Labels) -> None:
        """Adds an episode."""
        self._rewards[episode.start : episode.start + episode.length] = labels.rewards
        if self._sidecar is not None:
            self._sidecar.add(episode, labels)

    def _data(self) -> set[pathlib.Path]:
        done = set()
        for path in self._dataset.data_files():
            place = path.relative_to(self._dataset.root)

            def change(table: Any, path: pathlib.Path = path) -> Any:
                rewards = self._rewards[table.column("index").to_numpy()]
                if np.isnan(rewards).any():
                    raise damaged(path, "has rows that belong to no episode")
                return _with_column(table, REWARD, pyarrow.array(rewards, pyarrow.float32()))

            _rewrite(path, self._target / place, change, {REWARD: {"dtype": "float32", "_type": "Value"}})
            done.add(place)
        return done

    def _episodes_3(self) -> set[pathlib.Path]:
        done = set()
        for path in self._dataset.episode_files():
            place = path.relative_to(self._dataset.root)
            names = open_parquet(path).schema_arrow.names
            siblings = {
                name.removeprefix("stats/timestamp/"): name for name in names if name.startswith("stats/timestamp/")
            }
            if not siblings:
                continue

            def change(table: Any) -> Any:
                starts = table.column("dataset_from_index").to_pylist()
                lengths = table.column("length").to_pylist()
                found = [statistics(self._rewards[start : start + length]) for start, length in zip(starts, lengths)]
                for short, sibling in siblings.items():
                    if short in found[0]:
                        kind = table.schema.field(sibling).type
                        column = pyarrow.array([of_one[short] for of_one in found], kind)
                        table = _with_column(table, f"stats/{REWARD}/{short}", column)
                return table

            added = {f"stats/{REWARD}/{short}": sibling for short, sibling in siblings.items()}
            _rewrite(path, self._target / place, change, added)
            done.add(place)
        return done

    def _episodes_2(self) -> set[pathlib.Path]:
        place = pathlib.Path("meta", "episodes_stats.jsonl")
        if not (self._dataset.root / place).is_file():
            return set()
        starts = ((episode.index, episode.start, episode.length) for episode in self._dataset.episodes())
        (self._target / "meta").mkdir(exist_ok=True)
        with open(self._dataset.root / place, encoding="utf-8") as lines, open(
            self._target / place, "w", encoding="utf-8"
        ) as out:
            for line in lines:
                told = json.loads(line)
                index, start, length = next(starts)
                if told.get("episode_index") != index:
                    raise damaged(self._dataset.root / place, f"episode {index} is missing or out of order")
                sibling = told["stats"].get("timestamp", {"min": 0, "max": 0, "mean": 0, "std": 0, "count": 0})
                told["stats"][REWARD] = _like(sibling, self._rewards[start : start + length])
                out.write(json.dumps(told, ensure_ascii=False) + "\n")
        return {place}

    def _meta(self) -> set[pathlib.Path]:
        meta = self._target / "meta"
        meta.mkdir(exist_ok=True)
        info = dict(self._dataset.info)
        feature: dict[str, Any] = {"dtype": "float32", "shape": [1], "names": None}
        if "fps" in info["features"].get("timestamp", {}):
            feature["fps"] = info["features"]["timestamp"]["fps"]
        info["features"] = {**info["features"], REWARD: feature}
        done = {pathlib.Path("meta", "info.json"), pathlib.Path(RECORD)}
        _write_json(meta / "info.json", info)
        _write_json(self._target / RECORD, self._record)
        stats = self._dataset.root / "meta" / "stats.json"
        if stats.is_file():
            told = read_json(stats)
            told[REWARD] = _like(told.get("timestamp", statistics(self._rewards[:1])), self._rewards)
            _write_json(meta / "stats.json", told)
            done.add(pathlib.Path("meta", "stats.json"))
        return done

    def finish(self) -> None:
        """Writes data and metadata, and copies everything else."""
        if self._sidecar is not None:
            self._sidecar.finish()
        self._rewards.flush()
        written = self._data() | self._meta()
        written |= self._episodes_3() if self._dataset.version == "v3.0" else self._episodes_2()
        if self._sidecar is not None:
            written.add(pathlib.Path(SIDECAR))
        copy_tree(self._dataset.root, self._target, written)
        del self._rewards
        self._spool.unlink()

    def close(self) -> None:
        """Closes open files."""
        if self._sidecar is not None:
            self._sidecar.close()


def _write_json(path: pathlib.Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=4, ensure_ascii=False), "utf-8")

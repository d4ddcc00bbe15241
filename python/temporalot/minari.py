"""Labels Minari datasets (HDF5, Arrow, Parquet) with rewards, from a few good episodes.

>>> import temporalot.minari
>>> temporalot.minari.label("~/.minari/datasets/door/human-v2", [0, 3], out="door-labelled")
"""

from __future__ import annotations

import dataclasses
import io
import json
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ._labelling import (
    Progress,
    Summary,
    check_fit,
    check_settings,
    label_one,
    list_demos,
    open_encoder,
    record_of,
)
from ._library import PathLike, Setting, TemporalOTError
from ._output import NpzWriter, check_out, write_labels
from ._whole import copy_tree
from .encoder import Encoder
from .rewards import Labeler, Labels

__all__ = ["Dataset", "Summary", "is_dataset", "label"]

_RECORD = pathlib.PurePath("temporalot.json")
_FORMATS = ("hdf5", "arrow", "parquet")


def is_dataset(root: PathLike) -> bool:
    """Whether a folder contains a Minari dataset."""
    return (pathlib.Path(root) / "data" / "metadata.json").is_file()


def _damaged(path: pathlib.Path, what: object) -> TemporalOTError:
    return TemporalOTError(f"{path}: {what}", "format")


def _need(module: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"this Minari dataset needs {module}: pip install 'temporalot[minari]'") from error


def _jpeg(content: Any) -> npt.NDArray[np.uint8]:
    image = _need("PIL.Image")
    return np.asarray(image.open(io.BytesIO(bytes(content))).convert("RGB"), np.uint8)


class Dataset:
    """A Minari dataset in a folder, opened read-only.

    Parameters
    ----------
    root : path
        The folder that contains ``data``.

    Attributes
    ----------
    format : str
        ``"hdf5"``, ``"arrow"`` or ``"parquet"``.
    total_episodes, total_steps : int
        As stated in its metadata.
    """

    def __init__(self, root: PathLike) -> None:
        self.root = pathlib.Path(root)
        path = self.root / "data" / "metadata.json"
        if not path.is_file():
            raise FileNotFoundError(f"{self.root}: no Minari dataset: there is no data/metadata.json")
        try:
            told = json.loads(path.read_text("utf-8"))
            self.total_episodes = int(told["total_episodes"])
            self.total_steps = int(told["total_steps"])
            self.format = str(told.get("data_format", "hdf5"))
        except (ValueError, KeyError, TypeError) as error:
            raise _damaged(path, f"lacks or garbles {error}") from error
        if self.format not in _FORMATS:
            raise TemporalOTError(f"{path}: data_format {self.format}; {', '.join(_FORMATS)} are read", "unsupported")
        self._space = self._image_shape(told.get("observation_space"))

    @staticmethod
    def _image_shape(told: Any) -> Any:
        try:
            return json.loads(told) if isinstance(told, str) else None
        except ValueError:
            return None

    def parts(self, index: int) -> list[pathlib.Path]:
        """The files of an episode, in the formats arrow and parquet."""
        found = sorted((self.root / "data" / str(index)).glob(f"*.{self.format}"))
        if not found:
            raise FileNotFoundError(f"{self.root / 'data' / str(index)}: no {self.format} file; the dataset is not whole")
        return found

    def observations(self, index: int, key: Optional[str] = None) -> npt.NDArray[Any]:
        """Vectors (steps + 1 x width) or pictures (steps + 1 x height x width x 3) of an episode.

        Parameters
        ----------
        index : int
            Index of the episode.
        key : str, optional
            Element of a dictionary of observations, such as ``"pixels"`` or ``"robot/camera"``.
        """
        if not 0 <= index < self.total_episodes:
            raise ValueError(f"episode {index}: {self.root} has {self.total_episodes}, counted from 0")
        found = self._from_hdf5(index, key) if self.format == "hdf5" else self._from_arrow(index, key)
        return self._shaped(found, key)

    def _space_of(self, key: Optional[str]) -> dict[str, Any]:
        space = self._space if isinstance(self._space, dict) else {}
        for part in (key or "").split("/"):
            space = space.get("subspaces", {}).get(part, {}) if part else space
        return space if isinstance(space, dict) else {}

    def _shaped(self, values: npt.NDArray[Any], key: Optional[str]) -> npt.NDArray[Any]:
        shape = self._space_of(key).get("shape")
        if shape and values.ndim == 2 and int(np.prod(shape)) == values.shape[1]:
            values = values.reshape(len(values), *shape)
        if values.dtype == np.uint8 and values.ndim == 4:
            return np.ascontiguousarray(values)
        if values.dtype.kind != "f":
            raise ValueError(
                f"{self.root}: observations {key or ''} of type {values.dtype} and shape {values.shape[1:]} are "
                "neither pictures nor numbers with a point"
            )
        return np.ascontiguousarray(values.reshape(len(values), -1))

    def _wrong_key(self, key: Optional[str], known: Sequence[str]) -> ValueError:
        asked = "camera: which observation?" if key is None else f"camera: {key!r} is not an observation;"
        return ValueError(f"{asked} {self.root} has {', '.join(known) or 'a plain array'}")

    def _from_hdf5(self, index: int, key: Optional[str]) -> npt.NDArray[Any]:
        h5py = _need("h5py")
        path = self.root / "data" / "main_data.hdf5"
        try:
            with h5py.File(path, "r") as file:
                node = file[f"episode_{index}"]["observations"]
                for part in filter(None, (key or "").split("/")):
                    if not isinstance(node, h5py.Group) or part not in node:
                        raise self._wrong_key(key, list(node) if isinstance(node, h5py.Group) else [])
                    node = node[part]
                if isinstance(node, h5py.Group):
                    raise self._wrong_key(key, list(node))
                values = node[()]
        except (OSError, KeyError) as error:
            raise _damaged(path, f"episode {index}: missing, truncated or damaged: {error}") from error
        if len(values) and (values.dtype == object or values.ndim == 2 and bytes(values[0][:2]) == b"\xff\xd8"):
            return np.stack([_jpeg(one) for one in values])
        return np.asarray(values)

    def _from_arrow(self, index: int, key: Optional[str]) -> npt.NDArray[Any]:
        pyarrow = _need("pyarrow")
        column = pyarrow.concat_tables([read_table(path) for path in self.parts(index)]).column("observations")
        column = column.combine_chunks()
        for part in filter(None, (key or "").split("/")):
            names = [field.name for field in column.type] if pyarrow.types.is_struct(column.type) else []
            if part not in names:
                raise self._wrong_key(key, names)
            column = column.field(part)
        if pyarrow.types.is_struct(column.type):
            raise self._wrong_key(key, [field.name for field in column.type])
        if pyarrow.types.is_binary(column.type):
            return np.stack([_jpeg(one.as_py()) for one in column])
        if pyarrow.types.is_fixed_size_list(column.type):
            return np.asarray(column.flatten()).reshape(len(column), -1)
        return np.asarray(column.to_pylist())


def read_table(path: pathlib.Path) -> Any:
    """Reads a whole arrow or parquet file."""
    pyarrow = _need("pyarrow")
    try:
        if path.suffix == ".parquet":
            return _need("pyarrow.parquet").read_table(path)
        with pyarrow.OSFile(str(path)) as source:
            return _need("pyarrow.ipc").open_file(source).read_all()
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise _damaged(path, f"truncated or damaged: {error}") from error


def _write_table(path: pathlib.Path, table: Any) -> None:
    if path.suffix == ".parquet":
        _need("pyarrow.parquet").write_table(table, path)
        return
    with _need("pyarrow.ipc").new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=len(table))


@dataclasses.dataclass(frozen=True)
class _Episode:
    index: int


class _DatasetWriter:
    """Writes rewards into a copy of a dataset."""

    def __init__(self, dataset: Dataset, target: pathlib.Path, record: dict[str, Any]) -> None:
        self._dataset = dataset
        self._target = target
        copy_tree(dataset.root, target, set())
        (target / _RECORD).write_text(json.dumps(record, indent=4), "utf-8")
        self._file: Any = None
        if dataset.format == "hdf5":
            self._file = _need("h5py").File(target / "data" / "main_data.hdf5", "r+")

    def add(self, episode: _Episode, labels: Labels) -> None:
        """Adds an episode."""
        if self._file is not None:
            self._add_hdf5(self._file[f"episode_{episode.index}"], labels.rewards)
        else:
            self._add_arrow(episode.index, labels.rewards)

    def _add_hdf5(self, group: Any, rewards: npt.NDArray[np.float32]) -> None:
        if group["rewards"].dtype.kind == "f":
            group["rewards"][...] = rewards
            return
        del group["rewards"]
        group.create_dataset("rewards", data=rewards, chunks=True, maxshape=(None,))

    def _add_arrow(self, index: int, rewards: npt.NDArray[np.float32]) -> None:
        pyarrow = _need("pyarrow")
        done = 0
        for path in self._dataset.parts(index):
            table = read_table(path)
            at = table.schema.get_field_index("rewards")
            kind = table.schema.field(at).type
            kind = kind if pyarrow.types.is_floating(kind) else pyarrow.float64()
            column = np.zeros(len(table))  # after the last step comes a row that has only an observation
            some = rewards[done : done + len(table)]
            column[: len(some)] = some
            done += len(table)
            table = table.set_column(at, "rewards", pyarrow.array(column).cast(kind))
            _write_table(self._target / path.relative_to(self._dataset.root), table)

    def finish(self) -> None:
        """Does nothing: episodes are written as they are added."""

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()


def _embed(values: npt.NDArray[Any], encoder: Optional[Encoder]) -> npt.NDArray[Any]:
    """The embeddings to compare. Step t is represented by the observation it leads to, t + 1."""
    after = values[1:]
    return encoder(after) if encoder is not None and values.ndim == 4 else after


def label(
    root: PathLike,
    demos: Union[int, str, Sequence[Union[int, PathLike]]],
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
    """Labels every step of a dataset. The dataset is not modified; the output is written atomically.

    Parameters
    ----------
    root : path
        A Minari dataset: HDF5, Arrow or Parquet.
    demos : int, or sequence of int and paths
        Indices of good episodes to compare with, or files: videos, ``.npy`` of embeddings.
    out : path
        A folder: a copy of the dataset with these rewards. ``F.npz``: ``rewards_K``, ``progress_K`` and
        ``demo_K`` of every episode K.
    camera : str, optional
        Element of a dictionary of observations: pictures, or a vector, which is compared without an
        encoder.
    method, encoder, size, weights, overwrite, threads, progress, **settings
        As in `temporalot.lerobot.label`.

    Returns
    -------
    Summary

    Notes
    -----
    An episode has one observation more than it has steps. The reward of a step is that of the
    observation it leads to.
    """
    check_settings(method, settings)
    dataset, target = Dataset(root), pathlib.Path(out)
    check_out(dataset.root, target, (".npz",), _RECORD, overwrite)
    wanted = list_demos(demos)
    if "first-success" in wanted:
        raise ValueError("demos: Minari does not say which episode succeeded; name episodes by number")
    pictures = dataset.observations(0, camera).ndim == 4
    used = open_encoder(encoder, size, weights, threads) if pictures else None
    embedded = [
        _embed(dataset.observations(int(demo), camera), used)
        if isinstance(demo, (int, np.integer))
        else (used(demo) if used is not None else np.load(demo, allow_pickle=False))
        for demo in wanted
    ]
    steps = [len(one) for one in embedded]
    record = record_of(method, settings, camera, used, wanted, steps)
    summary = Summary(target, [str(demo) for demo in record["demos"]])
    with Labeler(embedded, method, threads=threads, **settings) as labeler:  # type: ignore[arg-type]

        def labelled() -> Iterator[tuple[_Episode, Labels]]:
            for index in range(dataset.total_episodes):
                values = dataset.observations(index, camera)
                if len(values) < 2:
                    raise _damaged(dataset.root, f"episode {index} has no steps")
                check_fit([(index, len(values) - 1)], steps, method, settings)
                yield _Episode(index), label_one(labeler, _embed(values, used), index)

        write_labels(
            labelled(), summary, {".npz": NpzWriter}, lambda path: _DatasetWriter(dataset, path, record),
            dataset.total_steps, progress,
        )
    return summary

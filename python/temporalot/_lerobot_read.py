"""Reads LeRobot datasets (v3.0 and v2.1) from disk, one episode at a time."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._library import PathLike, TemporalOTError
from .encoder import _Frames, read_frames

try:
    import pyarrow
    import pyarrow.parquet
except ImportError as missing:  # pragma: no cover - an environment without it
    raise ImportError("LeRobot datasets need pyarrow: pip install 'temporalot[lerobot]'") from missing

#: maximum difference between the timestamps of a picture and of its row, in seconds, as in LeRobot
TOLERANCE = 1e-4
REWARD = "next.reward"
SUCCESS = "next.success"
VERSIONS = ("v2.1", "v3.0")


@dataclasses.dataclass(frozen=True)
class Episode:
    """Location of an episode in its dataset."""

    index: int
    length: int
    start: int  # `index` of its first row
    data: pathlib.Path
    video: Optional[pathlib.Path]  # None: the pictures are in the rows
    video_start: float = 0.0  # seconds into the video


def damaged(path: pathlib.Path, what: object) -> TemporalOTError:
    """Makes an error about a file of a dataset."""
    return TemporalOTError(f"{path}: {what}", "format")


def open_parquet(path: pathlib.Path) -> Any:
    """Opens a parquet file; error messages name the file."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: is missing; the dataset is not whole")
    try:
        return pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise damaged(path, f"truncated, or not parquet: {error}") from error


def read_batches(path: pathlib.Path, columns: list[str], rows: int = 4096, **where: Any) -> Iterator[Any]:
    """Yields record batches of some columns."""
    file = open_parquet(path)
    lacking = [name for name in columns if name not in file.schema_arrow.names]
    if lacking:
        raise damaged(path, f"has no column {', '.join(lacking)}")
    try:
        yield from file.iter_batches(batch_size=rows, columns=columns, **where)
    except (pyarrow.ArrowException, OSError) as error:
        raise damaged(path, f"damaged: {error}") from error


def read_json(path: pathlib.Path) -> dict[str, Any]:
    """Reads a JSON object."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: is missing")
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise damaged(path, f"is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise damaged(path, "is no JSON object")
    return found


class Dataset:
    """A LeRobot dataset in a folder, opened read-only.

    Parameters
    ----------
    root : path
        The folder that contains ``meta``, ``data`` and ``videos``.

    Attributes
    ----------
    version : str
        ``"v3.0"`` or ``"v2.1"``.
    fps : float
        Frames per second.
    cameras : dict
        The image features and how they are stored: ``"video"`` or ``"image"``.
    total_episodes, total_frames : int
        As stated in ``info.json``.
    """

    def __init__(self, root: PathLike) -> None:
        self.root = pathlib.Path(root)
        if not (self.root / "meta" / "info.json").is_file():
            raise FileNotFoundError(f"{self.root}: no LeRobot dataset: there is no meta/info.json")
        self.info = read_json(self.root / "meta" / "info.json")
        self.version = self._check_version()
        try:
            self.fps = float(self.info["fps"])
            self.features: dict[str, Any] = dict(self.info["features"])
            self.total_episodes = int(self.info["total_episodes"])
            self.total_frames = int(self.info["total_frames"])
            self._data_path = str(self.info["data_path"])
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(self.root / "meta" / "info.json", f"lacks or garbles {error}") from error
        self.cameras = {
            name: feature["dtype"]
            for name, feature in self.features.items()
            if feature.get("dtype") in ("video", "image")
        }
        self._rows_of: Optional[pathlib.Path] = None
        self._rows: dict[str, npt.NDArray[Any]] = {}
        self._open: Optional[_Cursor] = None
        #: number of FFmpeg threads for decoding a video
        self.threads = 1

    def _check_version(self) -> str:
        version = str(self.info.get("codebase_version", "without a codebase_version"))
        if version not in VERSIONS:
            try:
                newer = float(version.lstrip("v")) > 3.0
            except ValueError:
                newer = False
            hint = "a newer temporalot is needed" if newer else "LeRobot's converters bring it up to date"
            raise TemporalOTError(
                f"{self.root}: a dataset {version}; {' and '.join(VERSIONS)} are read: {hint}", "unsupported"
            )
        return version

    def camera(self, name: Optional[str]) -> str:
        """Checks the name of a camera; None selects the only one."""
        known = ", ".join(self.cameras) or "none at all"
        if name is None and len(self.cameras) == 1:
            return next(iter(self.cameras))
        if name is None or name not in self.cameras:
            asked = "camera: which one?" if name is None else f"camera: {name!r} is not known;"
            raise ValueError(f"{asked} {self.root} has {known}")
        return name

    def _place(self, pattern: str, **parts: Any) -> pathlib.Path:
        try:
            path = self.root / pattern.format(**parts)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            raise damaged(self.root / "meta" / "info.json", f"cannot read the path {pattern!r}: {error}") from error
        if ".." in path.parts:
            raise damaged(self.root / "meta" / "info.json", f"the path {pattern!r} leads out of the dataset")
        return path

    # --- episodes ---------------------------------------------------------------------------------

    def data_files(self) -> list[pathlib.Path]:
        """All data files, in order."""
        found = sorted((self.root / "data").glob("*/*.parquet"))
        if not found:
            raise FileNotFoundError(f"{self.root / 'data'}: no parquet file; the dataset is not whole")
        return found

    def episode_files(self) -> list[pathlib.Path]:
        """All files with the episode metadata of a v3.0 dataset, in order."""
        found = sorted((self.root / "meta" / "episodes").glob("*/*.parquet"))
        if not found:
            raise FileNotFoundError(f"{self.root / 'meta' / 'episodes'}: no parquet file; the dataset is not whole")
        return found

    def episodes(self, camera: Optional[str] = None) -> Iterator[Episode]:
        """Yields every episode in order, without keeping them in memory."""
        count = 0
        for episode in self._episodes_3(camera) if self.version == "v3.0" else self._episodes_2(camera):
            if episode.length < 1:
                raise damaged(self.root, f"episode {episode.index} has no rows")
            if episode.start + episode.length > self.total_frames:
                raise damaged(self.root, f"episode {episode.index} ends behind the dataset's {self.total_frames} frames")
            count += 1
            yield episode
        if count != self.total_episodes:
            raise damaged(self.root, f"{count} episodes, and meta/info.json says {self.total_episodes}")

    def _episodes_3(self, camera: Optional[str]) -> Iterator[Episode]:
        columns = ["episode_index", "length", "dataset_from_index", "data/chunk_index", "data/file_index"]
        filmed = camera is not None and self.cameras[camera] == "video"
        of_video = [f"videos/{camera}/{part}" for part in ("chunk_index", "file_index", "from_timestamp")]
        for path in self.episode_files():
            for batch in read_batches(path, columns + (of_video if filmed else [])):
                for row in batch.to_pylist():
                    video, seconds = None, 0.0
                    if filmed:
                        chunk, file, seconds = (row[name] for name in of_video)
                        video = self._place(
                            str(self.info.get("video_path")), video_key=camera, chunk_index=chunk, file_index=file
                        )
                    yield Episode(
                        index=row["episode_index"],
                        length=row["length"],
                        start=row["dataset_from_index"],
                        data=self._place(
                            self._data_path, chunk_index=row["data/chunk_index"], file_index=row["data/file_index"]
                        ),
                        video=video,
                        video_start=seconds,
                    )

    def _episodes_2(self, camera: Optional[str]) -> Iterator[Episode]:
        path = self.root / "meta" / "episodes.jsonl"
        if not path.is_file():
            raise FileNotFoundError(f"{path}: is missing; the dataset is not whole")
        size = int(self.info.get("chunks_size", 1000))
        start = 0
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    told = json.loads(line)
                    index, length = int(told["episode_index"]), int(told["length"])
                except (ValueError, KeyError, TypeError) as error:
                    raise damaged(path, f"line {number}: {error}") from error
                parts = dict(episode_chunk=index // size, episode_index=index)
                video = None
                if camera is not None and self.cameras[camera] == "video":
                    video = self._place(str(self.info.get("video_path")), video_key=camera, **parts)
                yield Episode(index, length, start, self._place(self._data_path, **parts), video)
                start += length

    def episode(self, index: int, camera: Optional[str] = None) -> Episode:
        """Finds an episode by its index."""
        for episode in self.episodes(camera):
            if episode.index == index:
                return episode
        raise ValueError(f"episode {index}: {self.root} has {self.total_episodes}, counted from 0")

    # --- rows and pictures ------------------------------------------------------------------------

    def column(self, episode: Episode, name: str) -> npt.NDArray[Any]:
        """A numeric column of an episode, after checking that its rows are complete and belong to it."""
        if self._rows_of != episode.data or name not in self._rows:
            columns = ["index", "episode_index", *({name} - {"index", "episode_index"})]
            parts = list(read_batches(episode.data, columns))
            self._rows = {
                column: np.concatenate([part.column(k).to_numpy(zero_copy_only=False) for part in parts] or [[]])
                for k, column in enumerate(columns)
            }
            self._rows_of = episode.data
        first = int(np.searchsorted(self._rows["index"], episode.start))
        rows = slice(first, first + episode.length)
        whole = np.array_equal(
            self._rows["index"][rows], np.arange(episode.start, episode.start + episode.length)
        ) and np.all(self._rows["episode_index"][rows] == episode.index)
        if not whole:
            raise damaged(
                episode.data,
                f"the {episode.length} rows of episode {episode.index} are not all there, one after another",
            )
        return self._rows[name][rows]

    def succeeded(self, episode: Episode) -> bool:
        """Whether ``next.success`` is set in any row of an episode."""
        return bool(np.any(self.column(episode, SUCCESS)))

    def _row_groups(self, episode: Episode) -> list[int]:
        """The row groups of its file that contain rows of an episode."""
        self.column(episode, "index")
        first = int(np.searchsorted(self._rows["index"], episode.start))
        told = open_parquet(episode.data).metadata
        ends = np.cumsum([told.row_group(k).num_rows for k in range(told.num_row_groups)])
        begin, end = np.searchsorted(ends, [first, first + episode.length - 1], "right")
        return list(range(int(begin), int(end) + 1))

    def _images(self, episode: Episode, camera: str) -> Iterator[npt.NDArray[np.uint8]]:
        """Yields pictures that are stored in the rows as PNG or JPEG."""
        seen = 0
        groups = self._row_groups(episode)
        with tempfile.TemporaryDirectory(prefix="temporalot-") as folder:
            file = pathlib.Path(folder) / "picture.png"
            for batch in read_batches(episode.data, ["index", camera], 32, row_groups=groups):
                for index, kept in zip(batch.column(0).to_pylist(), batch.column(1)):
                    if not episode.start <= index < episode.start + episode.length:
                        continue
                    content = kept.as_py()
                    content = content.get("bytes") if isinstance(content, dict) else content
                    if not content:
                        raise damaged(episode.data, f"row {index} holds no picture of {camera}")
                    file.write_bytes(content)
                    yield read_frames(file)[0]
                    seen += 1
        if seen != episode.length:
            raise damaged(episode.data, f"{seen} pictures for the {episode.length} rows of episode {episode.index}")

    def pictures(
        self, episode: Episode, camera: str, batch: int = 16, size: Optional[int] = None
    ) -> Iterator[npt.NDArray[np.uint8]]:
        """Yields the pictures of an episode, one per row, in batches. A batch may be overwritten by the next.
        Pictures from a video are resized to size x size pixels, as the encoder would do, if size is given."""
        if episode.video is None:
            images = self._images(episode, camera)
            while some := list(itertools.islice(images, batch)):
                yield np.stack(some)
            return
        times = episode.video_start + self.column(episode, "timestamp").astype(np.float64)
        cursor = self._cursor(episode.video, float(times[0]), size)
        buffer = np.empty((batch, cursor.frames.height, cursor.frames.width, 3), np.uint8)
        filled = 0
        for row, time in enumerate(times.tolist()):
            cursor.read(time, buffer[filled], f"row {row} of episode {episode.index}")
            filled += 1
            if filled == batch or row == len(times) - 1:
                yield buffer[:filled]
                filled = 0

    def _cursor(self, video: pathlib.Path, time: float, size: Optional[int]) -> _Cursor:
        """The open video if it has not passed that time yet; otherwise opens the video anew."""
        found = self._open
        if found is None or found.path != video or found.size != size or found.time > time - TOLERANCE:
            self.close()
            self._open = found = _Cursor(video, self.fps, size, self.threads)
        return found

    def close(self) -> None:
        """Closes the video that is being read."""
        if self._open is not None:
            self._open.frames.close()
        self._open = None


class _Cursor:
    """A video read front to back, addressed by timestamps."""

    def __init__(self, path: pathlib.Path, fps: float, size: Optional[int], threads: int) -> None:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: is missing; the dataset is not whole")
        self.path = path
        self.fps = fps
        self.size = size
        self.frames = _Frames(path, size=size, threads=threads)
        self.taken = 0
        self.time = -math.inf

    def read(self, time: float, out: npt.NDArray[np.uint8], what: str) -> None:
        """Writes the picture at that time into out; earlier pictures are skipped."""
        before = self.time
        while self.time < time - TOLERANCE:
            before = self.time
            if not self.frames.read(out):
                raise damaged(
                    self.path, f"ends after {self.taken} pictures, and {what} wants the one at {time:.4f} s"
                )
            told = self.frames.time
            self.time = told if math.isfinite(told) else self.taken / self.fps
            self.taken += 1
        if self.time > time + TOLERANCE:
            raise damaged(
                self.path,
                f"{what} wants the picture at {time:.4f} s, and there are some at {before:.4f} and {self.time:.4f} s "
                f"only: not the constant {self.fps:g} frames per second that meta/info.json says",
            )

"""Encodes pictures into embeddings, and reads and writes pictures and videos."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ._arrays import address, as_frames
from ._library import (
    Handle,
    PathLike,
    check,
    environment,
    library,
    path_bytes,
    settings_bytes,
    text,
)

__all__ = ["Encoder", "iterate_frames", "read_frames", "write_video"]

#: called with the number of pictures done and the total (None if it is unknown until all are read)
Progress = Callable[[int, Optional[int]], object]


class _Excerpt(ctypes.Structure):
    """tot_excerpt in temporalot/image.h."""

    _fields_ = [
        ("every", ctypes.c_int64),
        ("fps", ctypes.c_double),
        ("start", ctypes.c_double),
        ("stop", ctypes.c_double),
        ("crop", ctypes.c_int * 4),
        ("region", ctypes.c_double * 4),
    ]


def _excerpt(
    every: int,
    fps: Optional[float],
    start: float,
    stop: Optional[float],
    crop: Optional[Sequence[int]],
) -> _Excerpt:
    if every < 1:
        raise ValueError(f"every: {every} is not 1 or more")
    if fps is not None and not fps > 0:
        raise ValueError(f"fps: {fps} is not above 0")
    if stop is not None and not stop > start:
        raise ValueError(f"stop: {stop} is not after start, which is {start}")
    if crop is not None and (len(crop) != 4 or crop[2] < 1 or crop[3] < 1):
        raise ValueError(f"crop: {crop} is not left, top, width, height in pixels")
    return _Excerpt(
        every, fps or 0, start, stop or 0, (ctypes.c_int * 4)(*(crop if crop is not None else ()))
    )


class _Frames(Handle):
    """Reads the pictures of a file one after another."""

    _free = "tot_frames_close"

    def __init__(
        self, path: PathLike, excerpt: Optional[_Excerpt] = None, size: Optional[int] = None, threads: int = 1
    ) -> None:
        """size: resize pictures to size x size pixels, as the encoder would do; threads: of the decoder."""
        super().__init__()
        if not os.path.exists(path) and ":" not in os.fspath(path):
            raise FileNotFoundError(f"{os.fspath(path)}: there is no such file or folder")
        pointer = ctypes.c_void_p()
        check(library.tot_frames_open_threads(ctypes.byref(pointer), path_bytes(path), threads), path)
        self._pointer = pointer.value
        self._path = path
        if excerpt is not None:
            check(library.tot_frames_pick(self._pointer, ctypes.byref(excerpt)), path)
        if size is not None:
            check(library.tot_frames_resize(self._pointer, size, size), path)
        self.height = int(library.tot_frames_height(self._pointer))
        self.width = int(library.tot_frames_width(self._pointer))
        count = int(library.tot_frames_count(self._pointer))
        self.count = None if count < 0 else count

    def read(self, rgb: npt.NDArray[np.uint8]) -> bool:
        """Reads the next picture into rgb; returns False after the last one."""
        end = ctypes.c_bool()
        check(
            library.tot_frames_read(self._handle(), address(rgb), ctypes.byref(end)), self._path
        )
        return not end.value

    @property
    def time(self) -> float:
        """Presentation time in seconds of the last picture read; NaN if unknown."""
        return float(library.tot_frames_time(self._handle()))

    def batches(self, size: int) -> Iterator[npt.NDArray[np.uint8]]:
        """Yields arrays of up to size pictures. Each is overwritten by the next."""
        buffer = np.empty((size, self.height, self.width, 3), np.uint8)
        filled = 0
        while self.read(buffer[filled]):
            filled += 1
            if filled == size:
                yield buffer
                filled = 0
        if filled > 0:
            yield buffer[:filled]


def iterate_frames(
    path: PathLike,
    batch: int = 1,
    *,
    every: int = 1,
    fps: Optional[float] = None,
    start: float = 0.0,
    stop: Optional[float] = None,
    crop: Optional[Sequence[int]] = None,
) -> Iterator[npt.NDArray[np.uint8]]:
    """Reads the pictures of a video, a folder of pictures, a ``.npy`` or an ``.npz`` batch by batch.

    Parameters
    ----------
    path : path
        A video, a folder of PNG or JPEG files, a single one, or a ``.npy`` or ``.npz`` of pictures.
    batch : int
        Pictures per batch; memory use does not grow with their total number.
    every : int
        Every N-th picture.
    fps : float, optional
        Resample the video to this frame rate, whatever its own.
    start, stop : float, optional
        Time range in the video, in seconds.
    crop : sequence of int, optional
        Part of every picture: left, top, width, height in pixels.

    Yields
    ------
    ndarray of uint8, shape (up to batch, height, width, 3)
    """
    if batch < 1:
        raise ValueError(f"batch: {batch} is not 1 or more")
    frames = _Frames(path, _excerpt(every, fps, start, stop, crop))
    try:
        for pictures in frames.batches(batch):
            yield pictures.copy()
    finally:
        frames.close()


def read_frames(path: PathLike, **excerpt: Any) -> npt.NDArray[np.uint8]:
    """Reads the pictures of a video, a folder of pictures, a ``.npy`` or an ``.npz``.

    Parameters
    ----------
    path : path
        As in `iterate_frames`.
    **excerpt
        ``every``, ``fps``, ``start``, ``stop`` and ``crop``, as in `iterate_frames`.

    Returns
    -------
    ndarray of uint8, shape (count, height, width, 3)

    Raises
    ------
    FileNotFoundError, ValueError, TemporalOTError
        The file is missing, has no pictures, or is damaged.
    """
    return np.concatenate(list(iterate_frames(path, 32, **excerpt)))


def write_video(path: PathLike, frames: Any, fps: float = 30.0) -> None:
    """Writes pictures as a video; the suffix of the path selects the container (``.mp4``, ...).

    Parameters
    ----------
    path : path
        Written atomically.
    frames : array of uint8, shape (count, height, width, 3)
        The pictures.
    fps : float
        Frames per second.
    """
    pictures = as_frames(frames)
    _, height, width, _ = pictures.shape
    pointer = ctypes.c_void_p()
    check(
        library.tot_video_create(
            ctypes.byref(pointer), path_bytes(path), width, height, float(fps)
        )
    )
    try:
        for picture in pictures:
            check(library.tot_video_add(pointer, address(picture)))
    except BaseException:
        library.tot_video_discard(pointer)
        raise
    check(library.tot_video_commit(pointer))


def _prepare_onnx() -> None:
    """Tells the library where pip installed OpenVINO, if it does not find it itself."""
    found = environment().get("OPENVINO_DIR")
    if found is not None and library.tot_openvino_check(None, None) != 0:
        os.environ["OPENVINO_DIR"] = found


def _numbers(given: Union[float, Sequence[float], None]) -> Optional[str]:
    """Formats one number or three as a setting."""
    if given is None:
        return None
    return ",".join(repr(float(number)) for number in np.atleast_1d(np.asarray(given, float)))


class Encoder(Handle):
    """A frozen, pretrained network that turns pictures into embeddings.

    Parameters
    ----------
    network : str, optional
        ``"mobilenetv2"`` (its weights come with the package) or one of the ResNets, which need a weight
        file. None: detected from the weights. A path that ends in ``.onnx`` is an ONNX network, run
        with OpenVINO (``pip install openvino``).
    size : int, optional
        Pictures are resized to size x size pixels, 32 to 1024. None: 224, or an ONNX network's own size.
    weights : path, optional
        A ``.pth``, ``.pt`` or ``.safetensors`` file. Nothing in it is ever executed.
    pool : bool
        Average over the last feature map instead of using the whole map; the class token if an ONNX
        network has one.
    stride : int, optional
        Stop at the last feature map whose stride is at most this many pixels: 4, 8 or 16. Formerly
        called ``cell``, which is still accepted.
    batch : int
        Pictures per batch.
    precision : str
        ``"f32"``, ``"bf16"`` (if the CPU supports it) or ``"int8"`` (needs ``calibration``).
    prefix : str, optional
        Prefix of the tensor names in the weight file; detected by default.
    calibration : path, optional
        A file for ``precision="int8"``, written by ``temporalot encode``.
    output : str, optional
        Name of the ONNX network's tensor to use as embedding, possibly an intermediate one; by default
        the first output that is a feature map or tokens.
    preprocess : str, optional
        Preprocessing of pictures for an ONNX network: ``"imagenet"`` (default), ``"dinov2"``,
        ``"r3m"``, ``"vip"``, ``"clip"`` or ``"siglip"``.
    mean, std : float or sequence of three floats, optional
        Used instead of those of ``preprocess``.
    threads : int
        0: one per CPU. Results are bitwise reproducible for the same number of threads.

    Attributes
    ----------
    width : int
        Values per picture.
    size : int
        Pixels per side.
    text : str
        Description to store with embeddings: network, precision, size and hash of the weights.

    Examples
    --------
    >>> encoder = temporalot.Encoder()
    >>> encoder(frames).shape               # frames: (88, 480, 640, 3), uint8
    (88, 62720)
    >>> encoder("attempt.mp4", progress=lambda done, total: print(done, total))
    >>> temporalot.Encoder("siglip.onnx", preprocess="siglip", pool=True)
    """

    _free = "tot_flat_encoder_free"

    def __init__(
        self,
        network: Optional[PathLike] = "mobilenetv2",
        *,
        size: Optional[int] = None,
        weights: Optional[PathLike] = None,
        pool: bool = False,
        stride: Optional[int] = None,
        batch: int = 8,
        precision: str = "f32",
        prefix: Optional[str] = None,
        calibration: Optional[PathLike] = None,
        output: Optional[str] = None,
        preprocess: Optional[str] = None,
        mean: Union[float, Sequence[float], None] = None,
        std: Union[float, Sequence[float], None] = None,
        threads: int = 0,
        cell: Optional[int] = None,
    ) -> None:
        super().__init__()
        if network is not None and os.fspath(network).lower().endswith(".onnx"):
            if weights is not None:
                raise ValueError(f"weights: {os.fspath(network)} holds its own")
            network, weights = None, network
        if weights is None and network not in (None, "mobilenetv2"):
            raise ValueError(
                f"network: only mobilenetv2's weights come with the package; give those of "
                f"{network} as weights='FILE.pth'"
            )
        if weights is not None and not os.path.exists(weights):
            raise FileNotFoundError(f"weights: there is no file {os.fspath(weights)}")
        if calibration is not None and not os.path.exists(calibration):
            raise FileNotFoundError(f"calibration: there is no file {os.fspath(calibration)}")
        # with the network left at its default, weights of any network are accepted
        named = network if weights is None or network != "mobilenetv2" else None
        onnx = weights is not None and os.fspath(weights).lower().endswith(".onnx")
        if size is None:
            size = 0 if onnx else 224
        if onnx:
            _prepare_onnx()
        settings = settings_bytes(
            dict(
                network=None if named is None else os.fspath(named),
                size=size,
                pool=pool,
                stride=cell if stride is None else stride,
                batch=batch,
                precision=precision,
                prefix=prefix,
                calibration=None if calibration is None else os.fspath(calibration),
                output=output,
                preprocess=preprocess,
                mean=_numbers(mean),
                std=_numbers(std),
            )
        )
        pointer = ctypes.c_void_p()
        check(
            library.tot_flat_encoder_create(
                ctypes.byref(pointer),
                None if weights is None else path_bytes(weights),
                settings,
                int(threads),
            ),
            weights,
        )
        self._pointer = pointer.value
        self._batch = int(batch)
        self.width = int(library.tot_flat_encoder_width(self._pointer))
        self.size = int(library.tot_flat_encoder_size(self._pointer))
        self.text = text(library.tot_flat_encoder_text(self._pointer))

    def __enter__(self) -> Encoder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<temporalot.Encoder {self.text}>"

    def __call__(
        self,
        frames: Union[PathLike, Any],
        *,
        progress: Optional[Progress] = None,
        every: int = 1,
        fps: Optional[float] = None,
        start: float = 0.0,
        stop: Optional[float] = None,
        crop: Optional[Sequence[int]] = None,
    ) -> npt.NDArray[np.float32]:
        """Encodes pictures.

        Parameters
        ----------
        frames : array of uint8, shape (count, height, width, 3), or path
            RGB, top row first; or the path of a video, a folder of pictures, a ``.npy`` or an ``.npz``.
        progress : callable, optional
            Called with the number of pictures done and the total (None if it is unknown until all are
            read). An exception stops the work, as Ctrl-C does.
        every, fps, start, stop, crop : optional
            Which pictures of a file to encode, as in `iterate_frames`.

        Returns
        -------
        ndarray of float32, shape (count, width)
        """
        excerpt = _excerpt(every, fps, start, stop, crop)
        if isinstance(frames, (str, os.PathLike)):
            return self._encode_file(frames, progress, excerpt)
        if bytes(excerpt) != bytes(_excerpt(1, None, 0.0, None, None)):
            raise ValueError("every, fps, start, stop and crop are for files; slice the array")
        pictures = as_frames(frames)
        out = np.empty((len(pictures), self.width), np.float32)
        # in chunks, so that Ctrl-C is noticed
        step = max(self._batch, 1) * 4
        for k in range(0, len(pictures), step):
            self._encode(pictures[k : k + step], out[k : k + step])
            if progress is not None:
                progress(min(k + step, len(pictures)), len(pictures))
        return out

    def _encode(self, pictures: npt.NDArray[np.uint8], out: npt.NDArray[np.float32]) -> None:
        count, height, width, _ = pictures.shape
        with self._guard():
            check(
                library.tot_flat_encode(
                    self._handle(), address(pictures), count, width, height, address(out)
                )
            )

    def _encode_file(
        self, path: PathLike, progress: Optional[Progress], excerpt: _Excerpt
    ) -> npt.NDArray[np.float32]:
        frames = _Frames(path, excerpt)
        parts: list[npt.NDArray[np.float32]] = []
        done = 0
        try:
            for pictures in frames.batches(max(self._batch, 1)):
                part = np.empty((len(pictures), self.width), np.float32)
                self._encode(pictures, part)
                parts.append(part)
                done += len(pictures)
                if progress is not None:
                    progress(done, frames.count)
        finally:
            frames.close()
        return np.concatenate(parts)

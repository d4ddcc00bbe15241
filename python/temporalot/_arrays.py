"""Converts arrays of any kind to what the library reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_DLPACK_CPU = 1


def _kind(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _from_dlpack(value: Any, name: str) -> npt.NDArray[Any]:
    device = value.__dlpack_device__()[0] if hasattr(value, "__dlpack_device__") else _DLPACK_CPU
    if int(device) != _DLPACK_CPU:
        raise ValueError(f"{name}: the {_kind(value)} is not in the CPU's memory; call .cpu() first")
    if getattr(value, "requires_grad", False):
        value = value.detach()
    if "bfloat16" in str(getattr(value, "dtype", "")):
        value = value.float()  # numpy has no bfloat16; the conversion is exact
    try:
        return np.from_dlpack(value)
    except (TypeError, BufferError, RuntimeError) as error:
        raise ValueError(f"{name}: the {_kind(value)} cannot be read: {error}") from error


def as_array(value: Any, name: str) -> npt.NDArray[Any]:
    """A numpy view of an array, of an object with ``__dlpack__`` or of a buffer; nested lists are copied."""
    if isinstance(value, np.ndarray):
        return value
    if value is None or isinstance(value, (str, bytes, dict)):
        raise ValueError(f"{name}: expected an array of numbers, steps x width, not {value!r:.60}")
    if hasattr(value, "__dlpack__") and not isinstance(value, np.generic):
        return _from_dlpack(value, name)
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(
            f"{name}: its rows have different lengths; an array is steps x width"
        ) from error


def as_embeddings(value: Any, name: str) -> npt.NDArray[Any]:
    """A contiguous array, steps x width, float32 or float64. Copies only if layout or type differ."""
    array = as_array(value, name)
    dtype, flags = array.dtype, array.flags
    if array.ndim == 2 and dtype.char in "fd" and dtype.isnative and array.size > 0:
        if flags.c_contiguous and flags.aligned:
            return array  # fast path for the usual case
    if array.ndim == 4 and array.shape[-1] in (3, 4):
        raise ValueError(
            f"{name}: shape {array.shape} is that of pictures, not of embeddings; "
            "encode them first: temporalot.Encoder()(frames)"
        )
    if array.dtype.kind != "f" or array.dtype.itemsize > 8:
        hint = "" if array.dtype.kind in "OUSV" else "; convert with .astype(numpy.float32)"
        raise ValueError(
            f"{name}: numbers of type {array.dtype} are not float16, float32 or float64{hint}"
        )
    if array.ndim < 2:
        raise ValueError(
            f"{name}: has {array.ndim} dimension{'' if array.ndim == 1 else 's'}, not 2: "
            "an episode or a demonstration is steps x width"
        )
    if 0 in array.shape:
        raise ValueError(f"{name}: shape {array.shape} holds nothing")
    array = array.reshape(array.shape[0], -1)
    wanted = np.float64 if array.dtype.itemsize == 8 else np.float32
    return np.require(array, wanted, ["C", "A"])


def as_frames(value: Any, name: str = "frames") -> npt.NDArray[np.uint8]:
    """Pictures as a contiguous uint8 array, count x height x width x 3. A single picture gets count 1."""
    array = as_array(value, name)
    if array.ndim == 3 and array.shape[-1] == 3:
        array = array[None]
    if array.ndim != 4 or array.shape[-1] != 3:
        hint = ""
        if array.ndim == 4 and array.shape[1] == 3:
            hint = "; move the colours last: frames.transpose(0, 2, 3, 1)"
        elif array.ndim == 4 and array.shape[-1] == 4:
            hint = "; drop the transparency: frames[..., :3]"
        raise ValueError(f"{name}: shape {array.shape} is not count x height x width x 3{hint}")
    if array.dtype != np.uint8:
        hint = "; from 0 .. 1: (frames * 255).round().astype(numpy.uint8)"
        raise ValueError(
            f"{name}: colours of type {array.dtype}, not uint8 (0 .. 255)"
            + (hint if array.dtype.kind == "f" else "")
        )
    if 0 in array.shape:
        raise ValueError(f"{name}: shape {array.shape} holds nothing")
    return np.require(array, np.uint8, ["C", "A"])


def address(array: npt.NDArray[Any]) -> int:
    """The memory address of an array's data."""
    return array.ctypes.data

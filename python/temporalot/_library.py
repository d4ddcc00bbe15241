"""Finds and loads the shared library, declares its functions, and raises its errors.

No struct of the library is mirrored here: handles are opaque pointers, settings are text, arrays
belong to numpy (see ``include/temporalot/flat.h``).
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import pathlib
import signal
import threading
from collections.abc import Mapping
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_size_t,
    c_void_p,
)
from typing import Any, NoReturn, Optional, Union

PathLike = Union[str, "os.PathLike[str]"]
Setting = Union[str, int, float, bool, None]

#: progress of collecting: (context, attempts, found) -> whether to continue
COLLECT_PROGRESS = CFUNCTYPE(c_bool, c_void_p, c_int64, c_int64)
#: (context) -> 0 continue, 1 save a checkpoint, 2 stop
TRAIN_ASK = CFUNCTYPE(c_int, c_void_p)
#: (context, current activity, six numbers)
TRAIN_PROGRESS = CFUNCTYPE(None, c_void_p, c_char_p, POINTER(c_double))


class TemporalOTError(RuntimeError):
    """An error that is neither an invalid argument nor a missing file.

    A damaged or unsupported file, a library or scene that is not installed, a reward that a task
    does not have, a simulation that diverged. The message says what is wrong and, if possible, how to
    fix it.

    Attributes
    ----------
    kind : str
        The library's name for the error: ``"format"``, ``"unsupported"``, ``"infeasible"``,
        ``"missing"``, ``"physics"``, ``"interrupted"``, ``"attempts"``.
    """

    def __init__(self, text: str, kind: str = "unsupported") -> None:
        super().__init__(text)
        self.kind = kind


TemporalOTError.__module__ = "temporalot"

_HANDLE = c_void_p
_OUT = POINTER(c_void_p)
_TEXT = c_char_p
_STATUS = c_int
# name: (result, arguments). A result of type _STATUS is passed to `check`.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "tot_error": (_TEXT, []),
    "tot_version": (_TEXT, []),
    "tot_commit": (_TEXT, []),
    "tot_cpu_count": (c_int, []),
    "tot_mujoco_check": (_STATUS, [POINTER(_TEXT), POINTER(_TEXT)]),
    "tot_scenes_check": (_STATUS, [POINTER(_TEXT)]),
    "tot_openvino_check": (_STATUS, [POINTER(_TEXT), POINTER(_TEXT)]),
    "tot_weights_default": (_STATUS, [POINTER(_TEXT)]),
    "tot_frames_open_threads": (_STATUS, [_OUT, _TEXT, c_int]),
    "tot_frames_pick": (_STATUS, [_HANDLE, c_void_p]),
    "tot_frames_resize": (_STATUS, [_HANDLE, c_int, c_int]),
    "tot_frames_width": (c_int, [_HANDLE]),
    "tot_frames_height": (c_int, [_HANDLE]),
    "tot_frames_count": (c_int64, [_HANDLE]),
    "tot_frames_read": (_STATUS, [_HANDLE, c_void_p, POINTER(c_bool)]),
    "tot_frames_time": (c_double, [_HANDLE]),
    "tot_frames_close": (None, [_HANDLE]),
    "tot_page_create": (_STATUS, [_OUT, _TEXT]),
    "tot_page_add_heading": (_STATUS, [_HANDLE, c_int, _TEXT]),
    "tot_page_add_paragraph": (_STATUS, [_HANDLE, _TEXT]),
    "tot_page_add_code": (_STATUS, [_HANDLE, _TEXT]),
    "tot_page_write": (_STATUS, [_HANDLE, _TEXT]),
    "tot_page_free": (None, [_HANDLE]),
    "tot_flat_page_table": (
        _STATUS,
        [_HANDLE, _TEXT, c_size_t, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p],
    ),
    "tot_flat_page_strip": (
        _STATUS,
        [_HANDLE, _TEXT, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, _TEXT]
        + [c_void_p],
    ),
    "tot_video_create": (_STATUS, [_OUT, _TEXT, c_int, c_int, c_double]),
    "tot_video_add": (_STATUS, [_HANDLE, c_void_p]),
    "tot_video_commit": (_STATUS, [_HANDLE]),
    "tot_video_discard": (None, [_HANDLE]),
    "tot_world_info_name": (_TEXT, [c_size_t]),
    "tot_flat_status_name": (_TEXT, [c_int]),
    "tot_flat_labeler_create": (_STATUS, [_OUT, _TEXT, _TEXT, c_int]),
    "tot_flat_labeler_add": (_STATUS, [_HANDLE, c_void_p, c_int, c_int64, c_int64, _TEXT]),
    "tot_flat_labeler_demos": (c_int64, [_HANDLE]),
    "tot_flat_labeler_width": (c_int64, [_HANDLE]),
    "tot_flat_labeler_steps": (c_int64, [_HANDLE, c_int64]),
    "tot_flat_labeler_longest": (c_int64, [_HANDLE]),
    "tot_flat_labeler_has_plan": (c_bool, [_HANDLE]),
    "tot_flat_fact_count": (c_int, []),
    "tot_flat_fact_name": (_TEXT, [c_int]),
    "tot_flat_label": (
        _STATUS,
        [_HANDLE, c_int64, c_void_p, c_void_p, c_void_p, c_int64]
        + [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p],
    ),
    "tot_flat_labeler_free": (None, [_HANDLE]),
    "tot_flat_method": (_TEXT, [c_size_t]),
    "tot_flat_method_help": (_TEXT, [c_size_t]),
    "tot_flat_task": (_TEXT, [c_size_t]),
    "tot_flat_family": (_TEXT, [c_size_t]),
    "tot_flat_family_task": (_TEXT, [_TEXT, c_size_t]),
    "tot_flat_task_text": (_STATUS, [_TEXT, _TEXT, POINTER(_TEXT)]),
    "tot_flat_task_numbers": (_STATUS, [_TEXT, _TEXT, POINTER(c_double), c_int, POINTER(c_int)]),
    "tot_flat_envs_create": (_STATUS, [_OUT, _TEXT, c_int64, _TEXT, c_int]),
    "tot_flat_envs_bind": (_STATUS, [_HANDLE, _TEXT, c_void_p, c_size_t]),
    "tot_flat_envs_reset": (_STATUS, [_HANDLE, c_void_p, c_void_p, c_void_p, c_size_t]),
    "tot_flat_envs_step": (_STATUS, [_HANDLE, c_void_p, c_int]),
    "tot_flat_envs_expert": (None, [_HANDLE, c_void_p]),
    "tot_flat_envs_draw_of": (_STATUS, [_HANDLE, c_int64, c_void_p]),
    "tot_flat_envs_picture": (_STATUS, [_HANDLE, c_int64, c_void_p]),
    "tot_flat_envs_input_width": (c_int64, [_HANDLE]),
    "tot_flat_envs_state_size": (c_size_t, [_HANDLE]),
    "tot_flat_envs_save": (_STATUS, [_HANDLE, c_int64, c_void_p, c_size_t]),
    "tot_flat_envs_restore": (_STATUS, [_HANDLE, c_int64, c_void_p, c_size_t]),
    "tot_flat_envs_free": (None, [_HANDLE]),
    "tot_flat_encoder_create": (_STATUS, [_OUT, _TEXT, _TEXT, c_int]),
    "tot_flat_encoder_width": (c_int64, [_HANDLE]),
    "tot_flat_encoder_size": (c_int, [_HANDLE]),
    "tot_flat_encoder_text": (_TEXT, [_HANDLE]),
    "tot_flat_encode": (_STATUS, [_HANDLE, c_void_p, c_int64, c_int, c_int, c_void_p]),
    "tot_flat_encoder_free": (None, [_HANDLE]),
    "tot_flat_collect": (_STATUS, [_TEXT, _TEXT, _TEXT, c_int, COLLECT_PROGRESS, c_void_p]),
    "tot_flat_train_setting": (_STATUS, [_TEXT, _TEXT, _TEXT, c_void_p, c_size_t]),
    "tot_flat_train": (
        _STATUS,
        [_TEXT, _TEXT, _TEXT, c_int, c_int, TRAIN_ASK, TRAIN_PROGRESS, c_void_p],
    ),
    "tot_flat_run_setting": (_STATUS, [_TEXT, _TEXT, c_void_p, c_size_t]),
    "tot_flat_policy_load": (_STATUS, [_OUT, _TEXT]),
    "tot_flat_policy_step": (c_int64, [_HANDLE]),
    "tot_flat_policy_act": (_STATUS, [_HANDLE, c_void_p, c_void_p, c_void_p, c_int64, c_void_p]),
    "tot_flat_policy_free": (None, [_HANDLE]),
}

_PACKAGE = pathlib.Path(__file__).resolve().parent


def native_folder() -> pathlib.Path:
    """The folder with ``lib``, ``bin`` and ``share`` inside the package."""
    return _PACKAGE / "_native"


def _find() -> pathlib.Path:
    asked = os.environ.get("TEMPORALOT_LIBRARY")
    if asked:
        return pathlib.Path(asked)
    places = [
        native_folder() / "lib" / "libtemporalot.so.0",
        _PACKAGE.parent.parent / "build" / "libtemporalot.so.0",  # a checkout
    ]
    for place in places:
        if place.exists():
            return place
    raise ImportError(
        "temporalot: no libtemporalot.so.0 in "
        + " or ".join(str(place.parent) for place in places)
        + "; install the wheel, or run `make build` in a checkout"
    )


def package_folder(name: str) -> Optional[str]:
    """The folder of another installed package, found without importing it."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return next(iter(spec.submodule_search_locations), None)


def environment() -> dict[str, str]:
    """MUJOCO_DIR, METAWORLD_DIR and OPENVINO_DIR for installed packages, unless they are already set."""
    found = {}
    mujoco = package_folder("mujoco")
    if mujoco and os.path.exists(os.path.join(mujoco, "libmujoco.so.3.3.0")):
        found["MUJOCO_DIR"] = mujoco
    metaworld = package_folder("metaworld")
    if metaworld and os.path.isdir(os.path.join(metaworld, "assets", "sawyer_xyz")):
        found["METAWORLD_DIR"] = metaworld
    openvino = package_folder("openvino")
    if openvino and os.path.isdir(os.path.join(openvino, "libs")):
        found["OPENVINO_DIR"] = openvino
    return {name: value for name, value in found.items() if not os.environ.get(name)}


def _load() -> ctypes.CDLL:
    path = _find()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"temporalot: {path} cannot be loaded: {error}") from error
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"temporalot: {path} is another version: it has no {name}")
        function.restype = result
        function.argtypes = arguments
    return library


library: Any = _load()

_KINDS: list[str] = []
while (_name := library.tot_flat_status_name(len(_KINDS))) is not None:
    _KINDS.append(_name.decode())


def text(value: Optional[bytes]) -> str:
    """Decodes a string returned by the library."""
    return "" if value is None else value.decode("utf-8", "replace")


def _raise(status: int, path: Optional[PathLike]) -> NoReturn:
    kind = _KINDS[status] if 0 <= status < len(_KINDS) else "unknown"
    message = text(library.tot_error())
    if kind == "memory":
        raise MemoryError(message)
    if kind in ("argument", "shape", "value"):
        raise ValueError(message)
    if kind == "file":
        if path is not None and not os.path.exists(path):
            raise FileNotFoundError(message)
        raise OSError(message)
    if kind == "missing" and "temporalot[metaworld]" not in message:
        message += "; in Python: pip install 'temporalot[metaworld]'"
    raise TemporalOTError(message, kind)


def check(status: int, path: Optional[PathLike] = None) -> None:
    """Raises the library's last error if status is not 0. path: the file that the call was about."""
    if status != 0:
        _raise(status, path)


def path_bytes(path: PathLike) -> bytes:
    """Encodes a path for the library."""
    encoded = os.fsencode(os.fspath(path))
    if b"\0" in encoded:
        raise ValueError("a path cannot hold a null character")
    return encoded


def setting_text(value: Setting) -> str:
    """Formats a setting for the library."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return repr(float(value))
    item = getattr(value, "item", None)
    if item is not None:  # a numpy scalar
        return setting_text(item())
    return str(value)


def settings_bytes(settings: Mapping[str, Setting]) -> bytes:
    """Encodes settings as lines of name=value; None values are left out."""
    lines = []
    for name, value in settings.items():
        if value is None:
            continue
        if not isinstance(value, (str, int, float)) and not hasattr(value, "item"):
            raise TypeError(f"{name}: {value!r} is neither a number nor a text")
        line = f"{name}={setting_text(value)}"
        if "\n" in line or "\0" in line:
            raise ValueError(f"{name}: a setting is a single line")
        lines.append(line + "\n")
    return "".join(lines).encode()


class Interrupts:
    """Records Ctrl-C while the library works, so that callbacks can check for it, and raises it afterwards.

    Python's own handler would raise inside a callback, where the exception is lost.
    """

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_: object) -> None:
        self.raised = self.raised or KeyboardInterrupt()

    def __exit__(self, kind: object, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if kind is None and self.raised is not None:
            raise self.raised


class Handle:
    """An object of the library, freed once. Concurrent calls are serialised."""

    _free = ""

    def __init__(self) -> None:
        self._pointer: Optional[int] = None
        self._lock = threading.Lock()
        self._process = os.getpid()

    def _guard(self) -> threading.Lock:
        """The lock that a call holds. A forked child gets a new one: no thread of it would release the parent's."""
        if self._process != os.getpid():
            self._lock = threading.Lock()
            self._process = os.getpid()
        return self._lock

    def _handle(self) -> int:
        if self._pointer is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._pointer

    def close(self) -> None:
        """Frees the object. Any later use raises ValueError; closing again does nothing."""
        if getattr(self, "_pointer", None) is None:
            return
        with self._guard():
            pointer, self._pointer = self._pointer, None
            if pointer is not None:
                getattr(library, self._free)(pointer)

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._pointer is None

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # the interpreter is shutting down
            pass

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} belongs to its process and cannot be pickled; "
            "make one in each worker"
        )

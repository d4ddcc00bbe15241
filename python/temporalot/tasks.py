"""Meta-world's tasks, and demonstrations of their scripted experts."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._library import (
    COLLECT_PROGRESS,
    Interrupts,
    PathLike,
    Setting,
    check,
    environment,
    library,
    path_bytes,
    settings_bytes,
    text,
)

__all__ = ["Demonstration", "Task", "collect", "load_demonstrations", "task", "tasks"]


@dataclass(frozen=True)
class Task:
    """A Meta-world task.

    Attributes
    ----------
    name : str
        Such as ``"door-open"``.
    camera : str
        The camera used in the paper.
    horizon : int
        Frames per episode in the paper.
    hold : bool
        Whether the expert ends in success more often if it stops after its first success.
    draw_low, draw_high : tuple of float
        The reset box from which ``rand_vec`` is drawn: object, or object and goal.
    draw_distance : float
        Minimum distance between object and goal (in x and y).
    """

    name: str
    camera: str
    horizon: int
    hold: bool
    draw_low: tuple[float, ...]
    draw_high: tuple[float, ...]
    draw_distance: float

    @property
    def env_id(self) -> str:
        """Environment ID for ``gymnasium.make``."""
        return f"temporalot/{self.name}-v3"


def tasks() -> list[str]:
    """The names of all tasks."""
    names: list[str] = []
    while (name := library.tot_flat_task(len(names))) is not None:
        names.append(text(name))
    return names


def benchmarks() -> dict[str, list[str]]:
    """Meta-world's benchmarks (``MT10``, ``ML45-train``, ...) and their tasks, in Meta-world's order."""
    found: dict[str, list[str]] = {}
    while (name := library.tot_flat_family(len(found))) is not None:
        members: list[str] = []
        while (member := library.tot_flat_family_task(name, len(members))) is not None:
            members.append(text(member))
        found[text(name)] = members
    return found


def plain_name(name: str) -> str:
    """Converts ``door-open-v3`` and ``temporalot/door-open-v3`` to ``door-open``."""
    if not isinstance(name, str):
        raise ValueError(f"task: {name!r} is not a name; temporalot.tasks() lists them")
    return name.rsplit("/", 1)[-1].removesuffix("-v3")


def task(name: str) -> Task:
    """Returns the properties of a task.

    Raises
    ------
    ValueError
        There is no task of that name; the message suggests the closest.
    """
    encoded = plain_name(name).encode()

    def numbers(field_name: str) -> tuple[float, ...]:
        buffer = (ctypes.c_double * 16)()
        count = ctypes.c_int()
        check(
            library.tot_flat_task_numbers(
                encoded, field_name.encode(), buffer, len(buffer), ctypes.byref(count)
            )
        )
        return tuple(buffer[: count.value])

    camera = ctypes.c_char_p()
    check(library.tot_flat_task_text(encoded, b"camera", ctypes.byref(camera)))
    return Task(
        name=encoded.decode(),
        camera=text(camera.value),
        horizon=int(numbers("horizon")[0]),
        hold=bool(numbers("hold")[0]),
        draw_low=numbers("draw_low"),
        draw_high=numbers("draw_high"),
        draw_distance=numbers("draw_distance")[0],
    )


_prepared = False


def prepare_worlds() -> None:
    """Tells the library where pip installed MuJoCo and Meta-world's scenes, if it does not find them itself."""
    global _prepared
    if _prepared:
        return
    found = environment()
    for name, status in (
        ("MUJOCO_DIR", library.tot_mujoco_check(None, None)),
        ("METAWORLD_DIR", library.tot_scenes_check(None)),
    ):
        if status != 0 and name in found:
            os.environ[name] = found[name]
    _prepared = True


@dataclass
class Demonstration:
    """A recorded episode.

    Attributes
    ----------
    observations : ndarray of float64, shape (steps + 1, 39)
    actions : ndarray of float32, shape (steps, 4)
        ``actions[k]`` was chosen at ``observations[k]``.
    success : ndarray of bool, shape (steps,)
        Whether the task is solved at ``observations[k + 1]``.
    rand_vec : ndarray of float64
        Positions of object and goal.
    frames : ndarray of uint8, shape (steps, height, width, 3), or None
        Pictures, if they were recorded.
    meta : dict
        Task, camera, versions and settings of the recording.
    """

    observations: npt.NDArray[np.float64]
    actions: npt.NDArray[np.float32]
    success: npt.NDArray[np.bool_]
    rand_vec: npt.NDArray[np.float64]
    frames: Optional[npt.NDArray[np.uint8]] = field(default=None, repr=False)
    meta: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def pictures(self) -> dict[str, Any]:
        """Settings of its pictures, for an environment that renders the same way:
        ``gymnasium.make("temporalot/door-open-v3", render_mode="rgb_array", **demos[0].pictures)``."""
        return _pictures(self)


def _pictures(demo: Demonstration) -> dict[str, Any]:
    if demo.frames is None:
        raise ValueError("pictures: this demonstration has none; collect with frames=True")
    words = str(demo.meta.get("renderer", "")).split()  # "soft fast corner3 upright 96x96 aspect ..."
    if len(words) < 2 or "+" in words or len(demo.meta.get("crop") or [0] * 4) != 4:
        raise ValueError(f"pictures: no environment films as {demo.meta.get('renderer')!r}")
    told = dict(zip(words[3:], words[4:]))
    found: dict[str, Any] = dict(
        camera=demo.meta["camera"],
        size=demo.frames.shape[1:3],
        renderer=words[0],
        quality=words[1],
        arm=told.get("arm", "drawn"),
        zoom=float(told.get("zoom", 1.0)),
    )
    if "hand" in told:
        found["around_hand"] = float(told["hand"])
    if demo.meta.get("crop"):
        found["crop"] = tuple(demo.meta["crop"])
    return found


def load_demonstrations(path: PathLike) -> list[Demonstration]:
    """Reads a recording written by ``collect``, ``temporalot demo`` or ``temporalot rollout``.

    Parameters
    ----------
    path : path
        An ``.npz`` file.

    Raises
    ------
    FileNotFoundError
        The file does not exist.
    ValueError
        The file is not a recording.
    """
    try:
        archive = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise FileNotFoundError(f"{os.fspath(path)}: there is no such file") from None
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{os.fspath(path)}: not a recording: {error}") from error
    if not isinstance(archive, np.lib.npyio.NpzFile) or "meta" not in archive:
        raise ValueError(f"{os.fspath(path)}: not a recording: it has no meta")
    with archive:
        meta = json.loads(archive["meta"].tobytes())
        endings = [""] if "observations" in archive else []
        while f"observations_{len(endings)}" in archive:
            endings.append(f"_{len(endings)}")
        return [
            Demonstration(
                observations=archive["observations" + ending],
                actions=archive["actions" + ending],
                success=archive["success" + ending].astype(bool),
                rand_vec=archive["rand_vec" + ending],
                frames=archive["frames" + ending] if "frames" + ending in archive else None,
                meta=meta,
            )
            for ending in endings
        ]


def collect(
    task: str,
    count: int = 2,
    *,
    seed: int = 0,
    frames: bool = False,
    size: int = 224,
    camera: Optional[str] = None,
    quality: str = "fast",
    arm: str = "drawn",
    renderer: str = "soft",
    zoom: float = 1.0,
    view: str = "camera",
    view_margin: float = 0.05,
    hand_margin: float = 0.2,
    speed: int = 1,
    hold: str = "auto",
    choose: int = 1,
    out: Optional[PathLike] = None,
    threads: int = 0,
    progress: Optional[Callable[[int, int], object]] = None,
) -> list[Demonstration]:
    """Runs the scripted expert of a task and keeps episodes that end in success.

    Parameters
    ----------
    task : str
        A name from `tasks`.
    count : int
        Number of demonstrations.
    seed : int
        Attempt k is episode k of this seed.
    frames : bool
        Whether to render them, with the given size, camera (the task's by default), quality
        (``"fast"`` or ``"full"``), arm (``"drawn"``, or ``"hidden"``: of the robot only the fingers),
        renderer (``"soft"`` or ``"gl"``) and zoom.
    view : str
        ``"camera"``: the camera's whole view; ``"fitted"``: the part of it in which hand and objects
        move in these demonstrations, with a margin of view_margin metres; ``"hand"``: the camera
        follows the hand and shows hand_margin metres around it; ``"both"``: ``"fitted"`` above
        ``"hand"``, in one frame of twice the height.
    speed : int
        Keep every speed-th step.
    hold : str
        ``"auto"``, ``"on"`` or ``"off"``: whether the hand stops after the first success.
    choose : int
        Each demonstration is the steadiest of this many successful episodes: the one whose actions,
        replayed with noise, end in success most often.
    out : path, optional
        Also save the demonstrations to this ``.npz``.
    threads : int
        0: one per CPU.
    progress : callable, optional
        Called with the numbers of attempts and of successes after every attempt.

    Returns
    -------
    list of Demonstration
        They have every second observation, as in the paper.
    """
    prepare_worlds()
    interrupts = Interrupts()

    def on_progress(_: object, attempts: int, found: int) -> bool:
        try:
            if progress is not None:
                progress(attempts, found)
        except BaseException as error:  # re-raised when the library returns
            interrupts.raised = error
        return interrupts.raised is None

    settings: dict[str, Setting] = dict(count=count, seed=seed, speed=speed, hold=hold, choose=choose)
    if frames:
        settings.update(
            pictures=True, width=size, height=size, camera=camera, quality=quality, arm=arm,
            renderer=renderer, zoom=zoom, view=view, view_margin=view_margin, hand_margin=hand_margin,
        )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "demos.npz") if out is None else os.fspath(out)
        with interrupts:
            status = library.tot_flat_collect(
                path_bytes(path),
                plain_name(task).encode(),
                settings_bytes(settings),
                int(threads),
                COLLECT_PROGRESS(on_progress),
                None,
            )
        check(status)
        return load_demonstrations(path)

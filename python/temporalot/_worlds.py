"""Worlds that are stepped together and write into numpy arrays; the basis of the environments."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._arrays import address, as_array
from ._library import Handle, Setting, check, library, settings_bytes, text
from .tasks import benchmarks, plain_name, prepare_worlds, task as task_info

OBSERVATION = 39
ACTION = 4
LARGEST_SEED = 2**53 - 1
INFO: list[str] = []
while (_name := library.tot_world_info_name(len(INFO))) is not None:
    INFO.append(text(_name))
FLAGS = ("terminated", "truncated", "success", "diverged", "finished")
OBSERVE = ("state", "shaped", "relative", "pixels", "both")


class Worlds(Handle):
    """``count`` worlds of one task, or of the tasks of a benchmark in turn. reset and step overwrite
    the arrays."""

    _free = "tot_flat_envs_free"

    def __init__(
        self,
        name: str,
        count: int,
        *,
        observation: str,
        size: Any,
        keep_final: bool,
        threads: int,
        settings: dict[str, Setting],
        clock: str = "off",
    ) -> None:
        super().__init__()
        if observation not in OBSERVE:
            raise ValueError(
                f"observation: {observation!r} is not one of {', '.join(map(repr, OBSERVE))}"
            )
        if observation == "pixels" and clock != "off":
            raise ValueError("clock: pixels have no room for it; take observation='both'")
        shape = observation if observation in ("shaped", "relative") else "raw"
        settings = {**settings, "observation": shape, "clock": clock}
        members = benchmarks().get(name.rsplit("/", 1)[-1], [name])
        if int(count) % len(members) != 0:
            raise ValueError(
                f"num_envs: {count} is not a multiple of the {len(members)} tasks of {name}"
            )
        self.tasks = [task_info(member) for member in members]
        self.height, self.width = _height_width(size)
        self.count = int(count)
        prepare_worlds()
        pointer = ctypes.c_void_p()
        check(
            library.tot_flat_envs_create(
                ctypes.byref(pointer),
                plain_name(name).encode(),
                self.count,
                settings_bytes({**settings, "width": self.width, "height": self.height}),
                int(threads),
            )
        )
        self._pointer = pointer.value
        self._observes = observation
        # float32, as networks expect, unless it is exactly Meta-world's observation
        told = shape != "raw" or clock != "off"
        self.numbers = int(library.tot_flat_envs_input_width(self._pointer)) if told else OBSERVATION
        name, kind = ("input", np.float32) if told else ("state", np.float64)
        numbers = (self.count, self.numbers)
        picture = (self.count, self.height, self.width, 3)
        self.state = self.pixels = self.final_state = self.final_pixels = None
        if observation != "pixels":
            self.state = self._bind(name, numbers, kind)
            if keep_final:
                self.final_state = self._bind(f"final_{name}", numbers, kind)
        if observation in ("pixels", "both"):
            self.pixels = self._bind("pixels", picture, np.uint8)
            if keep_final:
                self.final_pixels = self._bind("final_pixels", picture, np.uint8)
        # all results of a step in two arrays, so that two copies are enough
        self.told = np.zeros((1 + len(INFO), self.count))  # reward, then INFO
        self.flags = np.zeros((len(FLAGS), self.count), np.bool_)
        self._bind_to("reward", self.told[0])
        self._bind_to("info", self.told[1:])
        for flag, row in zip(FLAGS, self.flags):
            self._bind_to(flag, row)
        self.finished = self.flags[FLAGS.index("finished")]
        self._takes = (self.count, ACTION)
        self._taken = np.zeros(self._takes, np.float32)
        self._taken_at = address(self._taken)

    def _bind(self, name: str, shape: tuple[int, ...], kind: Any) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = np.zeros(shape, kind)
        self._bind_to(name, array)
        return array

    def _bind_to(self, name: str, array: npt.NDArray[Any]) -> None:
        check(
            library.tot_flat_envs_bind(self._handle(), name.encode(), address(array), array.nbytes)
        )

    def observe(self, final: bool = False) -> Any:
        """The arrays of the observation, without a copy."""
        state = self.final_state if final else self.state
        pixels = self.final_pixels if final else self.pixels
        if self._observes == "both":
            return {"state": state, "pixels": pixels}
        return pixels if self._observes == "pixels" else state

    def reset(
        self,
        seeds: Optional[npt.NDArray[np.int64]],
        draws: Optional[npt.NDArray[np.float64]],
        chosen: Optional[npt.NDArray[np.bool_]] = None,
    ) -> None:
        """Starts episodes, as tot_flat_envs_reset."""
        with self._guard():
            check(
                library.tot_flat_envs_reset(
                    self._handle(),
                    None if chosen is None else address(chosen),
                    None if seeds is None else address(seeds),
                    None if draws is None else address(draws),
                    0 if draws is None else draws.shape[1],
                )
            )

    def step(self, actions: Any) -> None:
        """Steps all worlds."""
        if (
            type(actions) is np.ndarray
            and actions.dtype == np.float32
            and actions.shape == self._takes
        ):
            with self._guard():
                self._taken[...] = actions  # faster than asking numpy for the address of an array
                check(library.tot_flat_envs_step(self._handle(), self._taken_at, 4))
            return
        actions = self._actions(actions)
        with self._guard():
            check(library.tot_flat_envs_step(self._handle(), actions.ctypes.data, actions.itemsize))

    def _actions(self, actions: Any) -> npt.NDArray[Any]:
        """Converts actions to an array that the library accepts."""
        array = actions if isinstance(actions, np.ndarray) else as_array(actions, "action")
        if array.dtype.char not in "fd":
            if array.dtype.kind not in "fiu":
                raise ValueError(f"action: numbers of type {array.dtype} are not float32")
            array = array.astype(np.float32)
        if array.size != self.count * ACTION or array.shape[-1:] != (ACTION,):
            wanted = f"({ACTION},)" if self.count == 1 else f"({self.count}, {ACTION})"
            raise ValueError(f"action: shape {array.shape}, not {wanted}")
        if not array.flags.c_contiguous or not array.dtype.isnative:
            array = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
        return array

    def expert(self) -> npt.NDArray[np.float32]:
        """The scripted expert's actions."""
        actions = np.empty((self.count, ACTION), np.float32)
        with self._guard():
            library.tot_flat_envs_expert(self._handle(), address(actions))
        return actions

    def draw_of(self, index: int) -> npt.NDArray[np.float64]:
        """The rand_vec of a world."""
        draw = np.empty(len(self.tasks[index % len(self.tasks)].draw_low))
        with self._guard():
            check(library.tot_flat_envs_draw_of(self._handle(), index, address(draw)))
        return draw

    def draws(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """The rand_vec of the chosen worlds, one row each. Other rows, and values a task does not use, are 0."""
        draws = np.zeros((self.count, max(len(task.draw_low) for task in self.tasks)))
        for k in np.flatnonzero(chosen):
            draw = self.draw_of(int(k))
            draws[k, : len(draw)] = draw
        return draws

    def picture(self, index: int) -> npt.NDArray[np.uint8]:
        """Renders a world."""
        rgb = np.empty((self.height, self.width, 3), np.uint8)
        with self._guard():
            check(library.tot_flat_envs_picture(self._handle(), index, address(rgb)))
        return rgb

    def save(self, index: int) -> bytes:
        """The complete state of a world."""
        size = int(library.tot_flat_envs_state_size(self._handle()))
        buffer = ctypes.create_string_buffer(size)
        with self._guard():
            check(library.tot_flat_envs_save(self._handle(), index, buffer, size))
        return buffer.raw

    def restore(self, index: int, state: bytes) -> None:
        """Restores a saved state of a world. The arrays show it after the next step."""
        if not isinstance(state, (bytes, bytearray)):
            raise ValueError(f"state: {type(state).__name__}, not the bytes of get_state()")
        with self._guard():
            check(library.tot_flat_envs_restore(self._handle(), index, bytes(state), len(state)))


def _height_width(size: Any) -> tuple[int, int]:
    if isinstance(size, (int, np.integer)):
        return int(size), int(size)
    try:
        height, width = (int(side) for side in size)
    except (TypeError, ValueError):
        raise ValueError(f"size: {size!r} is neither pixels per side nor (height, width)") from None
    return height, width


def check_seed(seed: Any) -> int:
    """Checks that the library accepts a seed."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise ValueError(f"seed: {seed!r} is not a whole number")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed: {seed} is not in 0 .. 2**53 - 1")
    return int(seed)

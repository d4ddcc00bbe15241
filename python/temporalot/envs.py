"""Gymnasium environments: Meta-world's tasks, registered as ``temporalot/NAME-v3``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._library import Setting
from ._worlds import ACTION, INFO, LARGEST_SEED, OBSERVATION, Worlds, check_seed
from .tasks import benchmarks, tasks

__all__ = ["MetaworldEnv", "MetaworldVectorEnv", "register_envs"]

Size = Union[int, Sequence[int]]
Observation = Any  # ndarray, or a dict of ndarrays
_RENDER_MODES = (None, "rgb_array")
_INFO = (*INFO, "is_success", "diverged")
_KNOWN = [f"_{name}" for name in _INFO]  # masks in a vector environment's infos


def _observation_space(worlds: Worlds, observation: str, more: int = 0) -> spaces.Space[Any]:
    """more: number of values in 0 .. 1 appended to the state."""
    own = worlds.numbers == OBSERVATION  # Meta-world's observation
    kind = np.float64 if own else np.float32
    low = np.r_[np.full(worlds.numbers, -np.inf), np.zeros(more)].astype(kind)
    high = np.r_[np.full(worlds.numbers, np.inf), np.ones(more)].astype(kind)
    for start in (0, 18) if own else ():  # hand position and gripper opening, now and one frame earlier
        low[start : start + 4] = (-0.525, 0.348, -0.0525, -1.0)
        high[start : start + 4] = (0.525, 1.025, 0.7, 1.0)
    state = spaces.Box(low, high, dtype=kind)
    pixels = spaces.Box(0, 255, (worlds.height, worlds.width, 3), np.uint8)
    if observation == "both":
        return spaces.Dict({"state": state, "pixels": pixels})
    return pixels if observation == "pixels" else state


def _settings(
    reward: str,
    reward_version: int,
    goal: str,
    horizon: Optional[int],
    action_repeat: int,
    terminate_on_success: bool,
    metaworld_box: bool,
    camera: Optional[str],
    renderer: str,
    quality: str,
    arm: str,
    zoom: float,
    crop: Optional[Sequence[float]],
    around_hand: float,
    autoreset: str,
) -> dict[str, Setting]:
    if horizon is not None and horizon < 1:
        raise ValueError(f"horizon: {horizon} is not 1 or more (None: the task's)")
    return dict(
        reward=reward,
        reward_version=reward_version,
        goal=goal,
        horizon=horizon,
        action_repeat=action_repeat,
        terminate_on_success=terminate_on_success,
        metaworld_box=metaworld_box,
        camera=camera,
        renderer=renderer,
        quality=quality,
        arm=arm,
        zoom=zoom,
        crop=None if crop is None else ",".join(repr(float(side)) for side in crop),
        around_hand=around_hand,
        autoreset=autoreset,
    )


def _draws(options: Optional[dict[str, Any]], worlds: Worlds) -> Optional[npt.NDArray[np.float64]]:
    if not options or "rand_vec" not in options:
        return None
    draws = np.asarray(options["rand_vec"], np.float64)
    if draws.ndim == 1:
        draws = np.broadcast_to(draws, (worlds.count, len(draws)))
    if draws.ndim != 2 or len(draws) != worlds.count:
        raise ValueError(f"rand_vec: shape {draws.shape} does not fit {worlds.count} environments")
    return np.ascontiguousarray(draws)


def _check_options(options: Optional[dict[str, Any]], known: Sequence[str]) -> None:
    for name in options or {}:
        if name not in known:
            raise ValueError(f"options: {name!r} is not one of {', '.join(map(repr, known))}")


def _check_render_mode(render_mode: Optional[str]) -> None:
    if render_mode not in _RENDER_MODES:
        raise ValueError(f"render_mode: {render_mode!r} is not None or 'rgb_array'")


class MetaworldEnv(gymnasium.Env[Any, Any]):
    """A Meta-world task as a Gymnasium environment.

    Created by ``gymnasium.make("temporalot/door-open-v3")`` after ``import temporalot``.

    Parameters
    ----------
    task : str
        A name from ``temporalot.tasks()``.
    render_mode : str, optional
        ``"rgb_array"``.
    observation : str
        ``"state"``: Meta-world's 39 numbers, float64; ``"shaped"``: 34 numbers of order 1, float32,
        with velocities and positions relative to the hand; ``"relative"``: the same without x and y of
        hand, objects and goal, so that an agent cannot learn the positions of a demonstration
        (``docs/training.md``); ``"pixels"``: height x width x 3, uint8; ``"both"``: a dict of
        ``state`` and ``pixels``.
    clock : str
        ``"on"``: appends the time, -1 at the first step and 1 at the horizon; ``"waves"``: also four
        sines and four cosines of it. The state is then float32.
    reward : str
        ``"sparse"``: 1 where the task is solved, else 0; ``"dense"``: Meta-world's dense reward, summed
        over the frames of a step; ``"none"``: 0.
    reward_version : int
        Version of the dense reward: 2, or Meta-world's older 1.
    goal : str
        ``"observable"``, as in the paper; ``"hidden"``: the last three numbers are 0, Meta-world's
        default.
    horizon : int, optional
        Frames until truncation; None: the task's horizon, as in the paper.
    action_repeat : int
        Frames per step.
    terminate_on_success : bool
        Whether an episode terminates when the task is solved.
    metaworld_box : bool
        Draw from Meta-world's own reset box where the paper's is narrower (basketball).
    camera, size, renderer, quality, arm, zoom, crop, around_hand
        Settings of pictures. camera: the task's by default. size: pixels per side, or (height, width).
        renderer: ``"soft"`` or ``"gl"`` (MuJoCo's). quality: ``"fast"`` or ``"full"`` (shadows,
        reflections, antialiasing). arm: ``"drawn"``, or ``"hidden"``: of the robot only the fingers.
        zoom: magnification around the centre of the table, 1 for the camera's full view. crop: the part
        of the picture to render, as left, top, right and bottom in 0 .. 1. around_hand: metres shown
        around the hand by a camera that follows it (0: it does not).
        To render as a demonstration was rendered: ``gymnasium.make(..., **demos[0].pictures)``.

    Notes
    -----
    ``reset(seed=s)`` starts episode 0 of seed s, the next ``reset()`` episode 1, and so on, with the
    same bits on every machine. ``reset(options={"rand_vec": [...]})`` places object and goal.
    ``info`` has Meta-world's values (``success``, 0.0 or 1.0, ``near_object``, ``grasp_success``,
    ``grasp_reward``, ``in_place_reward``, ``obj_to_target``, ``unscaled_reward``), ``is_success``
    (bool, as Stable-Baselines3 expects) and ``diverged``; after a reset also ``rand_vec``.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 80}

    def __init__(
        self,
        task: str,
        render_mode: Optional[str] = None,
        *,
        observation: str = "state",
        clock: str = "off",
        reward: str = "sparse",
        reward_version: int = 2,
        goal: str = "observable",
        horizon: Optional[int] = None,
        action_repeat: int = 1,
        terminate_on_success: bool = False,
        metaworld_box: bool = False,
        camera: Optional[str] = None,
        size: Size = 224,
        renderer: str = "soft",
        quality: str = "fast",
        arm: str = "drawn",
        zoom: float = 1.0,
        crop: Optional[Sequence[float]] = None,
        around_hand: float = 0.0,
    ) -> None:
        _check_render_mode(render_mode)
        self.render_mode = render_mode
        self._worlds = Worlds(
            task,
            1,
            observation=observation,
            clock=clock,
            size=size,
            keep_final=False,
            threads=1,
            settings=_settings(
                reward, reward_version, goal, horizon, action_repeat, terminate_on_success, metaworld_box, camera,
                renderer, quality, arm, zoom, crop, around_hand, "disabled",
            ),
        )
        self._kind = observation
        self.observation_space = _observation_space(self._worlds, observation)
        self.action_space = spaces.Box(-1.0, 1.0, (ACTION,), np.float32)
        self._seeded = False

    @property
    def task(self) -> str:
        """The task's name."""
        return self._worlds.tasks[0].name

    def _observation(self) -> Observation:
        seen = self._worlds.observe()
        if self._kind == "both":
            return {name: array[0].copy() for name, array in seen.items()}
        return seen[0].copy()

    def _told(self) -> tuple[float, bool, bool, dict[str, Any]]:
        """Reward, terminated, truncated and info."""
        (reward, *info), flags = self._worlds.told[:, 0].tolist(), self._worlds.flags[:, 0].tolist()
        terminated, truncated, success, diverged, _ = flags
        return reward, terminated, truncated, dict(zip(_INFO, (*info, success, diverged)))

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode.

        Parameters
        ----------
        seed : int, optional
            0 to 2**53 - 1: start episode 0 of this seed. None: the next episode of the current seed.
        options : dict, optional
            ``rand_vec``: positions of object and goal.

        Returns
        -------
        observation, info
        """
        _check_options(options, ["rand_vec"])
        seeds = None
        if seed is not None:
            seeds = np.array([check_seed(seed)], np.int64)
        elif not self._seeded:
            seeds = np.random.default_rng().integers(0, LARGEST_SEED, 1)
        super().reset(seed=seed)
        self._worlds.reset(seeds, _draws(options, self._worlds))
        self._seeded = True
        *_, info = self._told()
        info["rand_vec"] = self._worlds.draw_of(0)
        return self._observation(), info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes a step; action: four numbers, clipped to -1 .. 1."""
        self._worlds.step(action)
        return self._observation(), *self._told()

    def render(self) -> Any:
        """Renders a picture, height x width x 3, uint8; None without a render mode."""
        return self._worlds.picture(0) if self.render_mode == "rgb_array" else None

    def expert_action(self) -> npt.NDArray[np.float32]:
        """The action of Meta-world's scripted policy in the current state, shape (4,)."""
        action: npt.NDArray[np.float32] = self._worlds.expert()[0]
        return action

    def get_state(self) -> bytes:
        """The complete state: ``set_state`` continues from it bit for bit, here or in another process."""
        return self._worlds.save(0)

    def set_state(self, state: bytes) -> None:
        """Restores a state saved with the same task and settings."""
        self._worlds.restore(0, state)
        self._seeded = True

    def close(self) -> None:
        """Frees the world."""
        if hasattr(self, "_worlds"):
            self._worlds.close()


def _mode(autoreset_mode: Union[str, AutoresetMode]) -> AutoresetMode:
    if isinstance(autoreset_mode, AutoresetMode):
        return autoreset_mode
    for mode in AutoresetMode:
        if autoreset_mode in (mode.value, mode.name, mode.name.lower()):
            return mode
    names = ", ".join(mode.name for mode in AutoresetMode)
    raise ValueError(f"autoreset_mode: {autoreset_mode!r} is not one of {names}")


class MetaworldVectorEnv(VectorEnv[Any, Any, Any]):
    """Many environments of a task or of a benchmark, stepped by threads of the library.

    Created by ``gymnasium.make_vec("temporalot/door-open-v3", num_envs=16)``, or
    ``gymnasium.make_vec("temporalot/MT10", num_envs=10)``, where environment k runs task k (modulo
    their number) of ``temporalot.benchmarks()["MT10"]``. In addition to those of `MetaworldEnv`:

    Parameters
    ----------
    num_envs : int
        Number of environments; for a benchmark, a multiple of the number of its tasks.
    one_hot : bool
        Append a one-hot task ID to the state, with one number per task of the benchmark.
    threads : int
        0: one per CPU.
    autoreset_mode : AutoresetMode or str
        ``NEXT_STEP`` (default), ``SAME_STEP`` (``infos["final_obs"]`` and ``infos["final_info"]``
        have the end of a finished episode) or ``DISABLED`` (``reset(options={"reset_mask": mask})``).
    copy : bool
        False: observations are the same arrays at every step, overwritten in place.

    Notes
    -----
    ``reset(seed=s)`` gives environment k the seed s + k, so that it plays the same episodes as a
    single environment with that seed; a list gives each environment its own seed.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 80}

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        render_mode: Optional[str] = None,
        *,
        threads: int = 0,
        autoreset_mode: Union[str, AutoresetMode] = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        one_hot: bool = False,
        observation: str = "state",
        clock: str = "off",
        reward: str = "sparse",
        reward_version: int = 2,
        goal: str = "observable",
        horizon: Optional[int] = None,
        action_repeat: int = 1,
        terminate_on_success: bool = False,
        metaworld_box: bool = False,
        camera: Optional[str] = None,
        size: Size = 224,
        renderer: str = "soft",
        quality: str = "fast",
        arm: str = "drawn",
        zoom: float = 1.0,
        crop: Optional[Sequence[float]] = None,
        around_hand: float = 0.0,
    ) -> None:
        _check_render_mode(render_mode)
        if one_hot and (observation != "state" or clock != "off"):
            raise ValueError(
                f"one_hot: observation={observation!r} with clock={clock!r} has no room for it; "
                "observation='state' without a clock has"
            )
        mode = _mode(autoreset_mode)
        self._worlds = Worlds(
            task,
            num_envs,
            observation=observation,
            clock=clock,
            size=size,
            keep_final=mode is AutoresetMode.SAME_STEP,
            threads=threads,
            settings=_settings(
                reward, reward_version, goal, horizon, action_repeat, terminate_on_success, metaworld_box, camera,
                renderer, quality, arm, zoom, crop, around_hand, mode.name.lower(),
            ),
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        played = len(self._worlds.tasks)
        self._identity = np.tile(np.eye(played), (num_envs // played, 1)) if one_hot else None
        self.single_observation_space = _observation_space(
            self._worlds, observation, played if one_hot else 0
        )
        self.single_action_space = spaces.Box(-1.0, 1.0, (ACTION,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._kind = observation
        self._same_step = mode is AutoresetMode.SAME_STEP
        self._next_step = mode is AutoresetMode.NEXT_STEP
        self._over = np.zeros(num_envs, bool)
        self._seeded = False
        self._all = np.ones(num_envs, bool)
        self._all.flags.writeable = False  # shared mask of all infos that are known for every environment
        self._known = dict.fromkeys(_KNOWN, self._all)

    def _observe(self, final: bool = False) -> Observation:
        seen = self._worlds.observe(final)
        return seen if self._identity is None else np.hstack([seen, self._identity])

    def _observation(self) -> Observation:
        seen = self._observe()
        if not self.copy or self._identity is not None:
            return seen
        if self._kind == "both":
            return {name: array.copy() for name, array in seen.items()}
        return seen.copy()

    def _seeds(self, seed: Any) -> Optional[npt.NDArray[np.int64]]:
        count = self.num_envs
        if seed is None:
            if self._seeded:
                return None
            return np.random.default_rng().integers(0, LARGEST_SEED, count)
        if isinstance(seed, (int, np.integer)):
            check_seed(seed + count - 1)
            return np.arange(check_seed(seed), int(seed) + count, dtype=np.int64)
        if len(seed) != count:
            raise ValueError(f"seed: {len(seed)} seeds for {count} environments")
        return np.array([-1 if one is None else check_seed(one) for one in seed], np.int64)

    def reset(
        self,
        *,
        seed: Any = None,
        options: Optional[dict[str, Any]] = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts episodes.

        Parameters
        ----------
        seed : int or sequence of int or None, optional
            Environment k gets seed + k, or the k-th element.
        options : dict, optional
            ``rand_vec``: one for all, or one per environment; ``reset_mask``: which environments to
            reset, an array of bool.
        """
        _check_options(options, ["rand_vec", "reset_mask"])
        mask = None
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(
                    f"reset_mask: not an array of {self.num_envs} bool with at least one True"
                )
            mask = np.ascontiguousarray(mask)
        self._worlds.reset(self._seeds(seed), _draws(options, self._worlds), mask)
        self._seeded = True
        begun = self._all if mask is None else mask
        self._over[begun] = False
        infos = self._infos(begun)
        self._add_draws(infos, begun)
        return self._observation(), infos

    def _add_draws(self, infos: dict[str, Any], begun: npt.NDArray[np.bool_]) -> None:
        infos["rand_vec"] = self._worlds.draws(begun)
        infos["_rand_vec"] = begun.copy()

    def _infos(self, known: npt.NDArray[np.bool_]) -> dict[str, Any]:
        return self._told(known)[3]

    def _told(self, known: npt.NDArray[np.bool_]) -> tuple[Any, Any, Any, dict[str, Any]]:
        """Rewards, terminated, truncated and infos, copied. Kept short: stepping has evicted Python from the caches."""
        reward, *info = self._worlds.told.copy()
        terminated, truncated, success, diverged, _ = self._worlds.flags.copy()
        infos = dict(zip(_INFO, (*info, success, diverged)))
        infos.update(self._known if known is self._all else dict.fromkeys(_KNOWN, known.copy()))
        return reward, terminated, truncated, infos

    def step(
        self, actions: Any
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Steps all environments; actions: (num_envs, 4), float32 or float64."""
        worlds = self._worlds
        worlds.step(actions)
        reward, terminated, truncated, infos = self._told(self._all)
        # tobytes(), because numpy's any() would take longer than everything else here
        if self._same_step and 1 in worlds.finished.tobytes():
            self._add_final(infos)
            self._add_draws(infos, worlds.finished)
        elif self._next_step:
            if 1 in self._over.tobytes():
                self._add_draws(infos, self._over)
            self._over = terminated | truncated
        return self._observation(), reward, terminated, truncated, infos

    def _add_final(self, infos: dict[str, Any]) -> None:
        finished = self._worlds.finished.copy()
        seen = self._observe(final=True)
        final = np.full(self.num_envs, None, dtype=object)
        for k in np.flatnonzero(finished):
            if self._kind == "both":
                final[k] = {name: array[k].copy() for name, array in seen.items()}
            else:
                final[k] = seen[k].copy()
        infos["final_info"] = self._infos(finished)
        infos["_final_info"] = finished
        infos["final_obs"] = final
        infos["_final_obs"] = finished.copy()
        # the next episode has begun, and nothing has happened in it yet
        for name in _INFO:
            infos[name] = np.where(finished, infos[name].dtype.type(0), infos[name])

    def render(self) -> Optional[tuple[npt.NDArray[np.uint8], ...]]:
        """Renders a picture of each environment, height x width x 3; None without a render mode."""
        if self.render_mode != "rgb_array":
            return None
        return tuple(self._worlds.picture(k) for k in range(self.num_envs))

    def expert_actions(self) -> npt.NDArray[np.float32]:
        """The actions of Meta-world's scripted policy, shape (num_envs, 4)."""
        return self._worlds.expert()

    def rand_vecs(self) -> npt.NDArray[np.float64]:
        """Positions of object and goal, one row per environment."""
        return self._worlds.draws(self._all)

    def get_state(self, index: int) -> bytes:
        """The complete state of one environment, as in `MetaworldEnv.get_state`."""
        return self._worlds.save(index)

    def set_state(self, index: int, state: bytes) -> None:
        """Restores a saved state of one environment."""
        self._worlds.restore(index, state)
        self._seeded = True

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the worlds."""
        if hasattr(self, "_worlds"):
            self._worlds.close()


def register_envs() -> None:
    """Registers every task as ``temporalot/NAME-v3``, and every benchmark, for `make_vec` only, as
    for example ``temporalot/MT10``. Called by ``import temporalot``."""
    single: dict[str, Any] = {"entry_point": "temporalot.envs:MetaworldEnv"}
    known = [(f"{name}-v3", name, single) for name in tasks()]
    known += [(name, name, {}) for name in benchmarks()]
    for env_id, name, entry in known:
        if f"temporalot/{env_id}" not in gymnasium.registry:
            gymnasium.register(
                id=f"temporalot/{env_id}",
                vector_entry_point="temporalot.envs:MetaworldVectorEnv",
                kwargs={"task": name},
                **entry,
            )

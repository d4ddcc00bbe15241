"""Rewards for other training loops: a Gymnasium wrapper, and a function that writes rewards back.

The reward of a step is known only when its episode has ended. `OTReward` therefore returns 0 during an
episode and the rewards of all its steps in the last ``info``. They are then written to wherever the
transitions are stored: by `temporalot.sb3.OTReplayBuffer` for Stable-Baselines3, or with `write_back`
in your own loop.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import gymnasium
import numpy as np
import numpy.typing as npt

from ._arrays import as_array
from .encoder import Encoder
from .rewards import Labeler, Labels
from .tasks import Demonstration

__all__ = ["OTReward", "write_back"]

Embed = Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]]
_ON = ("pixels", "state")


def _embed_demo(demo: Any, on: str, encoder: Optional[Embed], k: int) -> npt.NDArray[Any]:
    if isinstance(demo, Demonstration):
        if on == "state":
            return demo.observations
        if demo.frames is None:
            raise ValueError(
                f"demos[{k}]: it has no pictures; collect with frames=True, or compare on='state'"
            )
        demo = demo.frames
    is_path = isinstance(demo, (str, os.PathLike))
    if not is_path:
        demo = as_array(demo, f"demos[{k}]")
    if is_path or (demo.ndim == 4 and demo.dtype == np.uint8):
        if encoder is None:
            raise ValueError(f"demos[{k}]: these are pictures, and on='state' compares observations")
        return np.asarray(encoder(demo))
    return np.asarray(demo)


class OTReward(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Renders and encodes an episode, and labels it against demonstrations when it ends.

    Parameters
    ----------
    env : gymnasium.Env
        With ``render_mode="rgb_array"`` for ``on="pixels"``.
    demos : sequence of Demonstration, path, or array
        From ``temporalot.collect``, videos, pictures, or embeddings (steps, width).
    on : str
        ``"pixels"``: compares pictures from ``env.render()``, through the encoder; ``"state"``: compares
        the observations themselves.
    encoder : Encoder or callable, optional
        Maps pictures (count, height, width, 3) to embeddings (count, width). MobileNetV2 by default.
    method, **settings
        As in `Labeler`, such as ``context=3``, ``mask=10``; ``scale`` is ``"auto"`` by default.

    Notes
    -----
    ``step`` returns reward 0.0; the environment's own reward is in ``info["env_reward"]``. The last
    ``info`` of an episode has ``ot_rewards`` (float32, one per step) and ``ot`` (`Labels`).

    Examples
    --------
    >>> env = gymnasium.make("temporalot/window-open-v3", render_mode="rgb_array", size=64)
    >>> demos = temporalot.collect("window-open", frames=True, size=64)
    >>> env = temporalot.OTReward(env, demos, encoder=temporalot.Encoder(size=64))
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        demos: Union[Sequence[Any], Any],
        *,
        on: str = "pixels",
        encoder: Optional[Embed] = None,
        method: str = "temporalot",
        scale: Union[float, str] = "auto",
        threads: int = 1,
        **settings: Any,
    ) -> None:
        super().__init__(env)
        if on not in _ON:
            raise ValueError(f"on: {on!r} is not 'pixels' or 'state'")
        if on == "pixels" and env.render_mode != "rgb_array":
            raise ValueError("env: make it with render_mode='rgb_array', or compare on='state'")
        self._on = on
        self._encoder = encoder
        if on == "pixels" and encoder is None:
            self._encoder = Encoder()
        several = isinstance(demos, (list, tuple)) and not isinstance(demos, str)
        shown = list(demos) if several else [demos]
        if not shown:
            raise ValueError("demos: there is none")
        embedded = [_embed_demo(demo, on, self._encoder, k) for k, demo in enumerate(shown)]
        self._labeler = Labeler(embedded, method, scale=scale, threads=threads, **settings)
        self._seen: list[npt.NDArray[Any]] = []

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        self._seen = []
        return self.env.reset(**kwargs)

    def _look(self, observation: Any) -> npt.NDArray[Any]:
        if self._on == "pixels":
            return np.asarray(self.env.render())
        state = observation["state"] if isinstance(observation, dict) else observation
        return np.array(state, np.float64).reshape(-1)

    def _label(self) -> Labels:
        seen = np.stack(self._seen)
        return self._labeler(seen if self._encoder is None else self._encoder(seen))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a step; the rewards are in the info of the last step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._seen.append(self._look(observation))
        info = {**info, "env_reward": float(reward)}
        if terminated or truncated:
            labels = self._label()
            info["ot"] = labels
            info["ot_rewards"] = labels.rewards
            self._seen = []
        return observation, 0.0, terminated, truncated, info

    def close(self) -> None:
        """Frees the labeler and closes the environment."""
        self._labeler.close()
        super().close()


def write_back(rewards: Any, last: int, labels: Union[Labels, Any], env: Optional[int] = None) -> None:
    """Writes the rewards of an episode into a replay buffer, in place.

    Parameters
    ----------
    rewards : array or tensor, shape (capacity,) or (capacity, environments)
        The rewards of a ring buffer; an episode may wrap around its end.
    last : int
        Index of the last transition of the episode.
    labels : Labels or array
        Rewards of the episode, shape (steps,); step k belongs to transition ``last - steps + 1 + k``.
    env : int, optional
        Column to write to, if there are several environments.

    Examples
    --------
    >>> rewards = np.zeros(1000, np.float32)
    >>> temporalot.write_back(rewards, last=124, labels=info["ot"])
    """
    values = labels.rewards if isinstance(labels, Labels) else np.asarray(labels)
    capacity = len(rewards)
    if values.ndim != 1 or len(values) > capacity:
        raise ValueError(f"labels: {values.shape} does not fit a buffer of {capacity}")
    if not -capacity <= last < capacity:
        raise ValueError(f"last: {last} is not in 0 .. {capacity - 1}")
    if isinstance(rewards, np.ndarray) and not rewards.flags.writeable:
        raise ValueError("rewards: the array is read-only")
    places = (np.arange(len(values)) + last - len(values) + 1) % capacity
    if not isinstance(rewards, np.ndarray) and hasattr(rewards, "new_tensor"):
        values = rewards.new_tensor(values)  # PyTorch
    if env is None:
        rewards[places] = values
    else:
        rewards[places, env] = values

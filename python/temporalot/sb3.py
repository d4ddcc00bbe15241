"""A replay buffer for Stable-Baselines3 that waits for the rewards of an episode."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    from stable_baselines3.common.buffers import ReplayBuffer
except ImportError as error:
    raise ImportError(
        "temporalot.sb3 needs Stable-Baselines3: pip install 'temporalot[sb3]'"
    ) from error

__all__ = ["OTReplayBuffer"]


@dataclass
class _Row:
    observation: Any
    next_observation: Any
    action: npt.NDArray[Any]
    done: npt.NDArray[Any]
    infos: list[dict[str, Any]]
    rewards: npt.NDArray[np.float32]
    known: npt.NDArray[np.bool_]


class OTReplayBuffer(ReplayBuffer):  # type: ignore[misc]
    """A replay buffer for environments wrapped in `temporalot.OTReward`.

    Transitions are held back until their episode has ended and its rewards are known; only then can
    they be sampled. With several environments, a row waits for the episodes of all of them.

    Examples
    --------
    >>> SAC("MlpPolicy", env, replay_buffer_class=temporalot.sb3.OTReplayBuffer)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._held: deque[_Row] = deque()
        self._begun = [0] * self.n_envs  # rows held since the current episode of each environment began

    def add(
        self,
        obs: Any,
        next_obs: Any,
        action: npt.NDArray[Any],
        reward: npt.NDArray[Any],
        done: npt.NDArray[Any],
        infos: list[dict[str, Any]],
    ) -> None:
        """Holds a transition back, and stores those whose rewards are now known."""
        row = _Row(
            np.array(obs),
            np.array(next_obs),
            np.array(action),
            np.array(done),
            [{"TimeLimit.truncated": info.get("TimeLimit.truncated", False)} for info in infos],
            np.zeros(self.n_envs, np.float32),
            np.zeros(self.n_envs, bool),
        )
        self._held.append(row)
        for env, info in enumerate(infos):
            self._begun[env] += 1
            if not done[env]:
                continue
            if "ot_rewards" not in info:
                raise ValueError(
                    "the episode ended without ot_rewards: wrap the environment in temporalot.OTReward"
                )
            self._fill(env, np.asarray(info["ot_rewards"]))
        while self._held and self._held[0].known.all():
            kept = self._held.popleft()
            super().add(
                kept.observation, kept.next_observation, kept.action, kept.rewards, kept.done, kept.infos
            )

    def _fill(self, env: int, rewards: npt.NDArray[np.float32]) -> None:
        steps = self._begun[env]
        if len(rewards) != steps:
            raise ValueError(f"ot_rewards: {len(rewards)} rewards for an episode of {steps} steps")
        for k in range(steps):
            row = self._held[len(self._held) - steps + k]
            row.rewards[env] = rewards[k]
            row.known[env] = True
        self._begun[env] = 0

"""Stable-Baselines3's SAC learns window-open from two demonstrations, with no reward of the task.

    pip install 'temporalot[sb3]'
    python sb3_sac.py --steps 100000

Every step is filmed; when an episode ends, its pictures are encoded, compared with the
demonstrations, and the rewards written into the replay buffer (OTReplayBuffer).
"""

import argparse
import csv
import pathlib

import gymnasium
import numpy as np
import torch
from stable_baselines3 import SAC
from stable_baselines3.common.callbacks import BaseCallback

import temporalot
from temporalot.sb3 import OTReplayBuffer

# Two frames per agent step, as in the paper. The agent is told the time, and where things are
# relative to its hand, not where they are on the table: it would learn the demonstrations' places.
AGENT = dict(action_repeat=2, observation="relative", clock="waves")
# small pictures of the part of the scene in which hand and objects move
PICTURES = dict(size=96, view="fitted", view_margin=0.1)


def evaluate(model: SAC, task: str, episodes: int) -> float:
    """The share of episodes that end in success."""
    envs = gymnasium.make_vec(
        f"temporalot/{task}-v3", num_envs=episodes, autoreset_mode="DISABLED", **AGENT
    )
    seen, _ = envs.reset(seed=10_000)
    over = np.zeros(episodes, bool)
    while not over.any():  # all have the same horizon
        actions, _ = model.predict(seen, deterministic=True)
        seen, _, _, over, infos = envs.step(actions)
    envs.close()
    return float(infos["is_success"].mean())


class Curve(BaseCallback):
    """Evaluates now and then, and keeps the curve."""

    def __init__(self, task: str, every: int, episodes: int, path: pathlib.Path):
        super().__init__()
        self.task, self.every, self.episodes = task, every, episodes
        self.file = path.open("w", newline="")
        self.rows = csv.writer(self.file)
        self.rows.writerow(["step", "success_rate"])

    def _on_step(self) -> bool:
        if self.num_timesteps % self.every == 0:
            rate = evaluate(self.model, self.task, self.episodes)
            self.rows.writerow([self.num_timesteps, rate])
            self.file.flush()
            print(f"step {self.num_timesteps}: success {100 * rate:.0f} %", flush=True)
        return True


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", default="window-open")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--episodes", type=int, default=20, help="of an evaluation")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch and the encoder")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    demos = temporalot.collect(options.task, 2, frames=True, **PICTURES)
    encoder = temporalot.Encoder(size=96, stride=16, threads=options.threads)
    env = gymnasium.make(
        f"temporalot/{options.task}-v3", render_mode="rgb_array", **AGENT, **demos[0].pictures
    )
    env = temporalot.OTReward(env, demos, encoder=encoder, center="demos", match="start")
    model = SAC(
        "MlpPolicy", env, replay_buffer_class=OTReplayBuffer, learning_starts=2_000, batch_size=128,
        policy_kwargs=dict(net_arch=[128, 128]), learning_rate=3e-4, gamma=0.9, seed=options.seed,
        ent_coef="auto_0.05", buffer_size=150_000, device="cpu",  # rewards are about -0.15 per step
    )
    every = max(min(5_000, options.steps // 2), 1)
    model.learn(options.steps, Curve(options.task, every, options.episodes, options.out / "curve.csv"))
    model.save(options.out / "sac.zip")
    print(f"success {100 * evaluate(model, options.task, options.episodes):.0f} %")


if __name__ == "__main__":
    main()

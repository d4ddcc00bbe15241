"""SAC of Stable-Baselines3 learns window-open from two demonstrations, without any task reward.

    pip install 'temporalot[sb3]'
    python sb3_sac.py --steps 100000                # compares observations of the agent; curve: docs/python.md
    python sb3_sac.py --steps 100000 --on pixels    # compares pictures from a camera, through the encoder

The rewards of an episode are computed when it has ended, and then stored in the replay buffer (OTReplayBuffer).
"""

import argparse
import csv
import itertools
import pathlib

import gymnasium
import numpy as np
import torch
from stable_baselines3 import SAC
from stable_baselines3.common.callbacks import BaseCallback

import temporalot
from temporalot.sb3 import OTReplayBuffer

# Two frames per agent step, as in the paper. The agent observes the time and positions relative to its
# hand, not positions on the table, so that it cannot learn those of the demonstrations.
AGENT = dict(action_repeat=2, observation="relative", clock="waves")
# small pictures of the part of the scene in which hand and objects move
PICTURES = dict(size=96, view="fitted", view_margin=0.1)


class NormReLU(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.nn.functional.layer_norm(x, x.shape[-1:]))


def expert(env: gymnasium.Env, count: int) -> list[np.ndarray]:
    """The agent's observations in episodes of Meta-world's scripted policy that end in success."""
    found: list[np.ndarray] = []
    for seed in itertools.takewhile(lambda _: len(found) < count, itertools.count()):
        seen, over = [env.reset(seed=seed)[0]], False
        while not over:
            observation, _, _, over, info = env.step(env.unwrapped.expert_action())
            seen.append(observation)
        found += [np.stack(seen[1:])] if info["is_success"] else []
    return found


class Curve(BaseCallback):
    """Evaluates the agent regularly and records its success."""

    def __init__(self, envs: gymnasium.vector.VectorEnv, every: int, path: pathlib.Path):
        super().__init__()
        self.envs, self.every, self.file = envs, every, path.open("w", newline="")
        csv.writer(self.file).writerow(["step", "success_at_end", "success"])

    def _on_step(self) -> bool:
        if self.num_timesteps % self.every == 0:
            seen, _ = self.envs.reset(seed=10_000)
            over = ever = np.zeros(self.envs.num_envs, bool)
            while not over.any():  # all have the same horizon
                seen, _, _, over, infos = self.envs.step(self.model.predict(seen, deterministic=True)[0])
                ever = ever | infos["is_success"]  # at any step, Meta-world's criterion
            end, ever = infos["is_success"].mean(), ever.mean()
            csv.writer(self.file).writerow([self.num_timesteps, end, ever])
            self.file.flush()
            print(f"step {self.num_timesteps}: success {ever:.0%}, at the end {end:.0%}", flush=True)
        return True


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", default="window-open")
    parser.add_argument("--on", choices=["state", "pixels"], default="state")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()
    torch.set_num_threads(1)  # small networks
    name = f"temporalot/{options.task}-v3"
    if options.on == "state":
        env = gymnasium.make(name, **AGENT)
        env = temporalot.OTReward(env, expert(env, 2), on="state", cost="euclidean")
    else:
        demos = temporalot.collect(options.task, 2, frames=True, **PICTURES)
        env = gymnasium.make(name, render_mode="rgb_array", **AGENT, **demos[0].pictures)
        encoder = temporalot.Encoder(size=96, stride=16, threads=1)
        env = temporalot.OTReward(env, demos, encoder=encoder, center="demos", match="start")
    model = SAC(
        "MlpPolicy", env, replay_buffer_class=OTReplayBuffer, learning_starts=2_000, batch_size=128,
        policy_kwargs=dict(net_arch=[128, 128], activation_fn=NormReLU, optimizer_kwargs=dict(fused=True)),
        ent_coef="auto_0.02", gamma=0.95, buffer_size=150_000, seed=options.seed, device="cpu",
    )
    tests = gymnasium.make_vec(name, num_envs=50, autoreset_mode="DISABLED", threads=1, **AGENT)
    model.learn(options.steps, Curve(tests, max(min(5_000, options.steps // 2), 1), options.out / "curve.csv"))
    model.save(options.out / "sac.zip")


if __name__ == "__main__":
    main()

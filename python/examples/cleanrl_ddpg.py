"""A single file in the style of CleanRL: DDPG with target noise on window-open, rewards from demonstrations.

    pip install 'temporalot[metaworld]' torch
    python cleanrl_ddpg.py --steps 100000
"""

import argparse
import copy
import pathlib

import gymnasium
import numpy as np
import torch
from torch import nn

import temporalot

parser = argparse.ArgumentParser()
parser.add_argument("--task", default="window-open")
parser.add_argument("--steps", type=int, default=100_000)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--start", type=int, default=2_000, help="steps with random actions")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
options = parser.parse_args()

torch.manual_seed(options.seed)
rng = np.random.default_rng(options.seed)
env = gymnasium.make(f"temporalot/{options.task}-v3", action_repeat=2)
# on="state": the cost compares the 39 numbers; pictures work the same way, as sb3_sac.py shows
demos = temporalot.collect(options.task, 2)
env = temporalot.OTReward(env, demos, on="state", center="demos", context=3, mask=10)


def network(inputs: int, outputs: int, *last: nn.Module) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, 256), nn.LayerNorm(256), nn.Tanh(), nn.Linear(256, 256), nn.ReLU(),
        nn.Linear(256, outputs), *last,
    )


actor = network(39, 4, nn.Tanh())
critics = nn.ModuleList([network(43, 1), network(43, 1)])
targets = copy.deepcopy(critics)
actor_adam = torch.optim.Adam(actor.parameters(), lr=3e-4)
critic_adam = torch.optim.Adam(critics.parameters(), lr=3e-4)

# the replay buffer, as plain tensors
seen = torch.zeros(options.steps, 39)
next_observations = torch.zeros(options.steps, 39)
acted = torch.zeros(options.steps, 4)
rewards = torch.zeros(options.steps)
labelled = 0  # transitions whose reward is known


def value(nets: nn.ModuleList, state: torch.Tensor, action: torch.Tensor) -> list[torch.Tensor]:
    return [net(torch.cat([state, action], 1)).squeeze(1) for net in nets]


def update(batch: int = 128) -> None:
    rows = torch.from_numpy(rng.integers(0, labelled, batch))
    with torch.no_grad():  # an episode is truncated at its horizon, not terminated: always bootstrap
        action = actor(next_observations[rows])
        action = (action + (0.2 * torch.randn_like(action)).clamp(-0.3, 0.3)).clamp(-1, 1)
        best = torch.min(*value(targets, next_observations[rows], action))
        wanted = rewards[rows] + 0.9 * best
    loss = sum(((q - wanted) ** 2).mean() for q in value(critics, seen[rows], acted[rows]))
    critic_adam.zero_grad()
    loss.backward()
    critic_adam.step()
    loss = -torch.min(*value(critics, seen[rows], actor(seen[rows]))).mean()
    actor_adam.zero_grad()
    loss.backward()
    actor_adam.step()
    for slow, fast in zip(targets.parameters(), critics.parameters()):
        slow.data.lerp_(fast.data, 0.005)


observation, _ = env.reset(seed=options.seed)
successes: list[float] = []
for step in range(options.steps):
    state = torch.as_tensor(observation, dtype=torch.float32)
    with torch.no_grad():
        noise = max(0.4 * (1 - step / 50_000), 0.05) * torch.randn(4)
        action = (actor(state) + noise).clamp(-1, 1).numpy()
    if step < options.start:
        action = rng.uniform(-1, 1, 4).astype(np.float32)
    observation, _, terminated, truncated, info = env.step(action)
    seen[step], acted[step] = state, torch.from_numpy(action)
    next_observations[step] = torch.as_tensor(observation, dtype=torch.float32)
    if terminated or truncated:
        temporalot.write_back(rewards, step, info["ot"])  # now the rewards are known
        labelled = step + 1
        successes.append(info["success"])
        if len(successes) % 20 == 1 or step + 100 > options.steps:
            print(f"step {step + 1}: success {100 * np.mean(successes[-20:]):.0f} %", flush=True)
        observation, _ = env.reset()
    if labelled > 256 or (step >= options.start and labelled > 0):
        update()
torch.save(actor.state_dict(), options.out / "actor.pt")

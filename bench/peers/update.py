"""One DrQ-v2 update (critic, actor, target) as a Python user would write it in PyTorch. Prints the
median time of each kind as one JSON line.

usage: update.py state|pixels [...]   (threads: OMP_NUM_THREADS)
"""

import json
import os
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH, HIDDEN, FEATURE, WIDTH, PIXELS = 512, 1024, 50, 39, 84


def mlp(inputs, outputs):
    return nn.Sequential(
        nn.Linear(inputs, HIDDEN),
        nn.ReLU(inplace=True),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(inplace=True),
        nn.Linear(HIDDEN, outputs),
    )


def trunk(inputs):
    return nn.Sequential(nn.Linear(inputs, FEATURE), nn.LayerNorm(FEATURE), nn.Tanh())


class Actor(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.trunk, self.policy = trunk(inputs), mlp(FEATURE, 4)

    def forward(self, x):
        return torch.tanh(self.policy(self.trunk(x)))


class Critic(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.trunk, self.q1, self.q2 = trunk(inputs), mlp(FEATURE + 4, 1), mlp(FEATURE + 4, 1)

    def forward(self, x, action):
        both = torch.cat([self.trunk(x), action], -1)
        return self.q1(both), self.q2(both)


def shifted(pictures, pad=4):
    """Shifts every picture by up to `pad` pixels, repeating its edge."""
    padded = F.pad(pictures, (pad,) * 4, mode="replicate")
    side = pictures.shape[-1]
    corners = enumerate(torch.randint(0, 2 * pad + 1, (len(pictures), 2)).tolist())
    return torch.stack([padded[k, :, y : y + side, x : x + side] for k, (x, y) in corners])


def make_encoder():
    layers = []
    for channels, stride in ((3 * 3, 2), (32, 1), (32, 1), (32, 1)):
        layers += [nn.Conv2d(channels, 32, 3, stride), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers, nn.Flatten())


def noisy(mean):
    return (mean + (torch.randn_like(mean) * 0.1).clamp(-0.3, 0.3)).clamp(-1, 1)


def make_update(pixels):
    width = 32 * 35 * 35 if pixels else WIDTH
    encoder = make_encoder() if pixels else nn.Identity()
    actor, critic, target = Actor(width), Critic(width), Critic(width)
    target.load_state_dict(critic.state_dict())
    actor_optimizer = torch.optim.Adam(actor.parameters(), 1e-4)
    critic_optimizer = torch.optim.Adam([*critic.parameters(), *encoder.parameters()], 1e-4)
    if pixels:
        shape = (BATCH, 9, PIXELS, PIXELS)
        seen = [torch.randint(0, 256, shape, dtype=torch.uint8) for _ in range(2)]
    else:
        seen = [torch.rand(BATCH, WIDTH) for _ in range(2)]
    action, reward = torch.rand(BATCH, 4) * 2 - 1, torch.rand(BATCH, 1)

    def look(numbers):
        return encoder(shifted(numbers.float()) / 255 - 0.5) if pixels else numbers

    def update():
        with torch.no_grad():
            next_features = look(seen[1])
            td_target = reward + 0.729 * torch.min(*target(next_features, noisy(actor(next_features))))
        now = look(seen[0])
        q1, q2 = critic(now, action)
        critic_optimizer.zero_grad(set_to_none=True)
        (F.mse_loss(q1, td_target) + F.mse_loss(q2, td_target)).backward()
        critic_optimizer.step()
        now = now.detach()
        actor_optimizer.zero_grad(set_to_none=True)
        (-torch.min(*critic(now, noisy(actor(now)))).mean()).backward()
        actor_optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(target.parameters()), list(critic.parameters()), 0.005)

    return update


def main():
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    torch.manual_seed(0)
    for kind in sys.argv[1:]:
        update = make_update(kind == "pixels")
        update()
        times = []
        for _ in range(3 if kind == "pixels" else 15):
            start = time.perf_counter()
            update()
            times.append(time.perf_counter() - start)
        figure = {"work": f"update {kind}", "ms": 1e3 * float(np.median(times))}
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()

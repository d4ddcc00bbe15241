"""Writes fixtures.txt: the agent's updates computed with PyTorch. Weights, batches and noise come from a
generator that drq_test.c has as well, so only results are stored. Run it in an environment that has
torch (`make peers-full`):

    build/peers/bin/python tests/agent/make_fixtures.py

A line is: case, number of updates so far, name of the tensor, then some of its elements, evenly spaced
from the first to the last (all of them if there are fewer than the case's number of probes).
"""

import pathlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

LEARNING_RATE, TAU, DEVIATION, CLIP, CLONE_DEVIATION, PENALTY = 1e-4, 0.005, 0.1, 0.3, 0.1, 10
CLONE_WEIGHT = 0.03
UPDATES = 10

# name, width, pixels, feature, hidden, batch, shift, probes per tensor, layer norm, weight decay
CASES = [
    ("tiny", 3, 0, 4, 6, 8, 0, 10000, False, 0),
    ("state", 39, 0, 50, 64, 32, 0, 7, False, 0),
    ("small-pixels", 0, 20, 12, 16, 6, 2, 7, False, 0),
    ("pixels", 0, 84, 50, 32, 3, 4, 7, False, 0),
    ("tiny-normed", 3, 0, 4, 6, 8, 0, 10000, True, 0),
    ("normed", 35, 0, 50, 64, 32, 0, 7, True, 0),
    ("normed-pixels", 0, 20, 12, 16, 6, 2, 7, True, 0),
    ("tiny-decayed", 3, 0, 4, 6, 8, 0, 10000, True, 100),
    ("decayed-pixels", 0, 20, 12, 16, 6, 2, 7, False, 10),
]


def draw(name, count):
    """count numbers in -1 .. 1, determined by the name."""
    seed = 2166136261
    for letter in name.encode():
        seed = (seed ^ letter) * 16777619 % 2**32
    with np.errstate(over="ignore"):
        x = np.uint32(seed) + np.arange(count, dtype=np.uint32) * np.uint32(0x9E3779B9)
        x ^= x >> np.uint32(16)
        x *= np.uint32(0x85EBCA6B)
        x ^= x >> np.uint32(13)
        x *= np.uint32(0xC2B2AE35)
        x ^= x >> np.uint32(16)
    return (x >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-23) - np.float32(1)


def mlp(inputs, hidden, outputs, normed=False):
    layers = []
    for width in (inputs, hidden):
        layers += [nn.Linear(width, hidden)]
        layers += [nn.LayerNorm(hidden)] if normed else []
        layers += [nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(hidden, outputs))


def trunk(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, outputs), nn.LayerNorm(outputs), nn.Tanh())


class Actor(nn.Module):
    def __init__(self, inputs, feature, hidden, normed):
        super().__init__()
        self.trunk, self.policy = trunk(inputs, feature), mlp(feature, hidden, 4, normed)

    def forward(self, x):
        return torch.tanh(self.policy(self.trunk(x)))


class Critic(nn.Module):
    def __init__(self, inputs, feature, hidden, normed):
        super().__init__()
        self.trunk = trunk(inputs, feature)
        self.q1 = mlp(feature + 4, hidden, 1, normed)
        self.q2 = mlp(feature + 4, hidden, 1, normed)

    def forward(self, x, action):
        both = torch.cat([self.trunk(x), action], -1)
        return self.q1(both)[:, 0], self.q2(both)[:, 0]


def conv_encoder():
    layers = []
    for channels, stride in ((9, 2), (32, 1), (32, 1), (32, 1)):
        layers += [nn.Conv2d(channels, 32, 3, stride), nn.ReLU()]
    return nn.Sequential(*layers, nn.Flatten())


class Agent:
    def __init__(self, case):
        self.name, width, self.pixels, feature, hidden, self.batch, self.shift, *rest = case
        self.probes, normed, decay = rest
        self.encoder = nn.Identity()
        self.width = width
        if self.pixels:
            self.encoder = conv_encoder()
            side = (self.pixels - 3) // 2 + 1 - 6
            width = 32 * side * side
        shape = (width, feature, hidden, normed)
        self.actor, self.critic, self.target_critic = Actor(*shape), Critic(*shape), Critic(*shape)
        self.cloned_actor = Actor(*shape)
        self.discriminator = mlp(feature, hidden, 1)
        self.networks = {
            "encoder": self.encoder,
            "actor": self.actor,
            "critic": self.critic,
            "discriminator": self.discriminator,
        }
        for name, network in self.networks.items():
            for part, tensor in network.named_parameters():
                self.fill(f"{name}.{part}", tensor)
        for part, tensor in self.cloned_actor.named_parameters():
            self.fill(f"cloned_actor.{part}", tensor)
        self.target_critic.load_state_dict(self.critic.state_dict())
        self.optimizers = {
            name: torch.optim.AdamW(network.parameters(), LEARNING_RATE, weight_decay=decay)
            for name, network in self.networks.items()
            if list(network.parameters())
        }

    def fill(self, name, tensor):
        numbers = draw(f"{self.name} {name}", tensor.numel())
        if tensor.dim() > 1:
            numbers = numbers * np.float32(np.sqrt(3.0 / (tensor.numel() // tensor.shape[0])))
        else:
            # layer norm gains are the only weights with one dimension
            centre = 1 if name.endswith("weight") else 0
            numbers = numbers * np.float32(0.125) + np.float32(centre)
        tensor.data = torch.from_numpy(numbers.reshape(tensor.shape))

    # --- a batch

    def numbers(self, what, *shape):
        return torch.from_numpy(draw(f"{self.name} {what}", int(np.prod(shape))).reshape(shape))

    def look(self, what):
        """Input of the networks: observations, or the features of shifted pictures."""
        if not self.pixels:
            return self.numbers(f"{what} observations", self.batch, self.width)
        shape = (self.batch, 9, self.pixels, self.pixels)
        pictures = torch.floor((self.numbers(f"{what} pictures", *shape) + 1) * 128)
        places = 2 * self.shift + 1
        drawn = self.numbers(f"{what} shifts", self.batch, 2)
        shifts = torch.floor((drawn + 1) / 2 * places).long()
        padded = F.pad(pictures, (self.shift,) * 4, mode="replicate")
        side = self.pixels
        corners = enumerate(shifts.tolist())
        cut = [padded[k, :, y : y + side, x : x + side] for k, (x, y) in corners]
        return self.encoder(torch.stack(cut) / 255 - 0.5)

    def noisy(self, mean, noise):
        wanted = mean + (noise * DEVIATION).clamp(-CLIP, CLIP)
        return wanted + (wanted.clamp(-1, 1) - wanted).detach()

    def learn(self, loss, *names):
        for name in self.optimizers:
            self.optimizers[name].zero_grad(set_to_none=True)
        loss.backward()
        for name in names:
            if name in self.optimizers:
                self.optimizers[name].step()

    # --- updates

    def update(self, k, imitates=False):
        noise = self.numbers(f"{k} noise", self.batch, 4) * 4
        noise_actor = self.numbers(f"{k} noise_actor", self.batch, 4) * 4
        action = self.numbers(f"{k} actions", self.batch, 4)
        reward = self.numbers(f"{k} rewards", self.batch)
        discount = torch.full((self.batch,), 0.729)
        with torch.no_grad():
            next_features = self.look(f"{k} following")
            q1, q2 = self.target_critic(next_features, self.noisy(self.actor(next_features), noise))
            target = reward + discount * torch.min(q1, q2)
        x = self.look(f"{k} now")
        q1, q2 = self.critic(x, action)
        critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
        value = q1.mean().item()
        self.learn(critic_loss, "critic", "encoder")
        x = x.detach()
        p1, p2 = self.critic(x, self.noisy(self.actor(x), noise_actor))
        actor_loss = -torch.min(p1, p2).mean()
        clone_losses = ()
        if imitates:
            with torch.no_grad():
                clone = torch.min(*self.critic(x, self.noisy(self.cloned_actor(x), noise_actor)))
                share = (clone > torch.min(p1, p2)).float().mean()
            clone_loss = self.likelihood(f"{k} following", f"{k} expert")
            actor_loss = (1 - share) * actor_loss + share * CLONE_WEIGHT * clone_loss
            clone_losses = (clone_loss.item(), share.item())
        self.learn(actor_loss, "actor")
        with torch.no_grad():
            for p, t in zip(self.critic.parameters(), self.target_critic.parameters()):
                t.lerp_(p, TAU)
        return critic_loss.item(), actor_loss.item(), value, *clone_losses

    def imitate(self, k):
        return self.update(k, True)

    def likelihood(self, look, actions):
        mean = self.actor(self.look(look))
        action = self.numbers(actions, self.batch, 4)
        return -torch.distributions.Normal(mean, CLONE_DEVIATION).log_prob(action).sum(-1).mean()

    def clone(self, k):
        loss = self.likelihood(f"{k} now", f"{k} actions")
        self.learn(loss, "actor", "encoder")
        return (loss.item(),)

    def discriminate(self, k):
        with torch.no_grad():
            expert = self.critic.trunk(self.look(f"{k} now"))
            policy = self.critic.trunk(self.look(f"{k} following"))
        mix = ((self.numbers(f"{k} mix", self.batch) + 1) / 2)[:, None]
        logits = self.discriminator(torch.cat([expert, policy]))[:, 0]
        labels = torch.cat([torch.ones(self.batch), torch.zeros(self.batch)])
        loss = F.binary_cross_entropy_with_logits(logits, labels, reduction="sum") / self.batch
        mixed = (mix * expert + (1 - mix) * policy).requires_grad_()
        (gradient,) = torch.autograd.grad(self.discriminator(mixed).sum(), mixed, create_graph=True)
        loss = loss + PENALTY * ((gradient.norm(dim=1) - 1) ** 2).sum() / self.batch
        self.learn(loss, "discriminator")
        return (loss.item(),)

    def discriminator_reward(self, k):
        with torch.no_grad():
            features = self.critic.trunk(self.look(f"{k} now"))
            s = torch.sigmoid(self.discriminator(features)[:, 0].double())
            return (s.log() - (1 - s).log()).tolist()

    # --- output

    def lines(self, kind, k, networks, figures, figure_name):
        head = f"{kind} {self.name} {k}"
        yield f"{head} {figure_name} " + " ".join(f"{f:.8g}" for f in figures)
        for name in networks:
            for part, tensor in getattr(self, name).named_parameters():
                yield f"{head} {name}.{part} {self.some(tensor)}"
                # the first moment is a tenth of the first gradient; an Adam step alone only shows its signs
                if k == 1 and name in self.optimizers:
                    moment = self.optimizers[name].state[tensor]["exp_avg"]
                    yield f"{head} {name}.adam.m.{part} {self.some(moment)}"

    def some(self, tensor):
        flat = tensor.detach().numpy().ravel()
        count = min(len(flat), self.probes)
        at = [i * (len(flat) - 1) // max(count - 1, 1) for i in range(count)]
        return " ".join(f"{flat[i]:.8g}" for i in at)


def main():
    lines = []
    for case in CASES:
        for kind, networks in (
            ("update", ["encoder", "actor", "critic", "target_critic"]),
            ("imitate", ["actor", "critic", "target_critic", "cloned_actor"]),
            ("clone", ["encoder", "actor"]),
            ("discriminate", ["discriminator"]),
        ):
            agent = Agent(case)
            if kind == "imitate" and agent.pixels:
                continue  # an agent that observes pixels has no cloned actor
            for k in range(1, UPDATES + 1):
                figures = getattr(agent, kind)(k)
                if k in (1, UPDATES):
                    lines += agent.lines(kind, k, networks, figures, "losses")
            if kind == "discriminate":
                lines += agent.lines(kind, UPDATES, [], agent.discriminator_reward(1), "rewards")
    pathlib.Path(__file__).with_name("fixtures.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

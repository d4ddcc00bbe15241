"""An agent step of the paper's method end to end, with the packages a Python user would choose:
Meta-world for the world, MuJoCo's renderer, PyTorch for encoder and agent, numpy and scipy for the
reward. Prints the time of a step and of its parts as JSON lines.

usage: train.py EPISODES STEPS TASK X Y ...   (the draw of the task; threads: OMP_NUM_THREADS)
"""

import json
import os
import sys
import time
import warnings

threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
# MuJoCo renders on the CPU here, with as many threads as everything else (0: only the calling thread)
os.environ.setdefault("MUJOCO_GL", "egl")
os.environ.setdefault("LP_NUM_THREADS", str(threads if threads > 1 else 0))
warnings.filterwarnings("ignore")

import mujoco
import numpy as np
import torch
import torch.nn.functional as F
import torchvision
from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments

from label import label
from update import WIDTH, Actor, make_update

ACTION_REPEAT, UPDATE_EVERY = 2, 2
DRAWN, SEEN = (480, 640), 224  # size as rendered, and as passed to the encoder
WARM_UP = 8  # steps
MEAN = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)


class Parts:
    """Total time of every part, in seconds."""

    def __init__(self):
        self.seconds = {}

    def time(self, part, call, *arguments):
        start = time.perf_counter()
        result = call(*arguments)
        self.seconds[part] = self.seconds.get(part, 0) + time.perf_counter() - start
        return result


class Agent:
    def __init__(self, task, draw, steps):
        self.environment = environments[f"{task}-v3-goal-observable"](seed=0)
        self.environment._last_rand_vec = np.array(draw)
        self.environment._freeze_rand_vec = True
        self.environment.max_path_length = 10**9
        self.observation, _ = self.environment.reset()
        self.renderer = mujoco.Renderer(self.environment.model, *DRAWN)
        whole = torchvision.models.resnet50(weights=None)
        self.body = torch.nn.Sequential(*list(whole.children())[:8]).eval()
        self.actor, self.update = Actor(WIDTH), make_update(False)
        self.steps = steps

    def act(self):
        with torch.no_grad():
            mean = self.actor(torch.as_tensor(self.observation, dtype=torch.float32)[None])[0]
        return np.clip(mean.numpy() + 0.4 * np.random.randn(4), -1, 1)

    def move(self):
        action = self.act()
        for _ in range(ACTION_REPEAT):
            self.observation = self.environment.step(action)[0]

    def draw(self):
        self.renderer.update_scene(self.environment.data, "corner3")
        picture = torch.from_numpy(self.renderer.render()[::-1, ::-1].copy())
        picture = picture.permute(2, 0, 1)[None].float()
        return F.interpolate(picture, SEEN, mode="bilinear") / 255

    def encode(self, pictures):
        with torch.inference_mode():
            return self.body((pictures - MEAN) / DEVIATION).flatten(1)

    def encode_all(self, pictures, batch):
        return torch.cat([self.encode(torch.cat(pictures[k:k + batch]))
                          for k in range(0, len(pictures), batch)]).numpy()

    def episode(self, experts, batch, parts):
        parts.time("world", self.environment.reset)
        pictures = []
        for step in range(self.steps):
            parts.time("world", self.move)
            pictures.append(parts.time("picture", self.draw))
            if step == self.steps - 1:
                embeddings = parts.time("encoder", self.encode_all, pictures, batch)
                parts.time("reward", label, embeddings, experts)
            if step % UPDATE_EVERY == 1:
                parts.time("update", self.update)


def faster_batch(agent, pictures):
    """Batch size for the encoder: one picture at a time, as in the paper's code, or several."""
    times = {}
    for batch in (1, WARM_UP):
        start = time.perf_counter()
        agent.encode_all(pictures, batch)
        times[batch] = time.perf_counter() - start
    return min(times, key=times.get)


def main():
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    np.random.seed(0)
    episodes, steps, task = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    agent = Agent(task, [float(number) for number in sys.argv[4:]], steps)
    pictures = []
    for _ in range(WARM_UP):
        agent.move()
        pictures.append(agent.draw())
    embeddings = agent.encode_all(pictures, 1)
    batch = faster_batch(agent, pictures)
    agent.update()
    # two demonstrations as long as an episode, repeated from the few available pictures
    experts = [np.repeat(embeddings, -(-steps // WARM_UP), axis=0)[:steps] for _ in range(2)]
    experts[1] = experts[1][::-1].copy()
    parts = Parts()
    start = time.perf_counter()
    for _ in range(episodes):
        agent.episode(experts, batch, parts)
    total = time.perf_counter() - start
    count = episodes * steps
    for part, seconds in parts.seconds.items():
        print(json.dumps({"work": part, "ms": 1e3 * seconds / count}))
    print(json.dumps({"work": "agent step paper", "ms": 1e3 * total / count, "batch": batch}))


if __name__ == "__main__":
    main()

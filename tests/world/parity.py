"""Meta-world's Python package and this library side by side, for one task.

    parity.py TOOL TASK [draws] [seeds]

For each of `draws` draws of the reset box: 200 steps of random actions. For each of `seeds`
episodes of seed 0: a whole episode of the scripted expert. Observations must agree within 1e-9,
expert actions within 1e-6, success flags exactly. Says whether all was equal to the last bit.
"""
import struct
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
import numpy as np
import metaworld.policies as policies
from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments

RECORD = np.dtype([("observation", "<f8", 39), ("expert", "<f4", 4), ("success", "u1")])
RANDOM_STEPS = 200


class Tool:
    """Our side."""

    def __init__(self, path, *arguments):
        self.process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send(b"I")
        self.length, self.horizon = struct.unpack("<ii", self.receive(8))
        self.low = self.doubles(self.length)
        self.high = self.doubles(self.length)

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self, size):
        data = self.process.stdout.read(size)
        if len(data) != size:
            sys.exit("the tool ended early: see its message above")
        return data

    def doubles(self, count):
        return np.frombuffer(self.receive(8 * count), "<f8")

    def draw(self, seed, episode):
        self.send(b"D" + struct.pack("<QQ", seed, episode))
        return self.doubles(self.length)

    def records(self, count):
        return np.frombuffer(self.receive(count * RECORD.itemsize), RECORD)

    def reset(self, draw):
        self.send(b"R" + draw.astype("<f8").tobytes())

    def step(self, actions):
        kind = b"S" if actions.dtype == np.float32 else b"F"
        self.send(kind + struct.pack("<i", len(actions)) + actions.tobytes())

    def expert(self, steps):
        self.send(b"E" + struct.pack("<i", steps))

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit("the tool failed")


class Comparison:
    """What was seen so far."""

    def __init__(self, task):
        self.task = task
        self.observation = 0.0
        self.expert = 0.0
        self.frames = 0
        self.inexact = 0

    def check(self, theirs, ours, where):
        """theirs: a list of (observation, expert action, success)."""
        if len(theirs) != len(ours):
            sys.exit(f"{self.task}: {where}: {len(theirs)} frames and {len(ours)}")
        for k, ((observation, expert, success), record) in enumerate(zip(theirs, ours)):
            mine = record["observation"]
            off = np.abs(observation - mine).max()
            if not off <= 1e-9:
                slot = int(np.abs(observation - mine).argmax())
                sys.exit(f"{self.task}: {where}, frame {k}: observation[{slot}] is {mine[slot]!r}, "
                         f"Python has {observation[slot]!r}")
            expert_off = np.abs(expert - record["expert"]).max()
            if not expert_off <= 1e-6:
                sys.exit(f"{self.task}: {where}, frame {k}: the expert does {record['expert']}, "
                         f"Python's {expert}")
            if bool(success) != bool(record["success"]):
                sys.exit(f"{self.task}: {where}, frame {k}: success is {record['success']}, "
                         f"Python has {success}")
            self.observation = max(self.observation, off)
            self.expert = max(self.expert, expert_off)
            self.inexact += observation.tobytes() != mine.tobytes()
            self.inexact += expert.tobytes() != record["expert"].tobytes()
            self.frames += 1


class Peer:
    """Their side."""

    def __init__(self, task):
        self.env = environments[task + "-v3-goal-observable"](seed=0)
        self.env.max_path_length = 10**9
        name = "Sawyer" + "".join(word.capitalize() for word in task.split("-")) + "V3Policy"
        self.policy = getattr(policies, name)()

    def reset(self, draw):
        self.env._last_rand_vec = draw.copy()
        self.env._freeze_rand_vec = True
        observation, _ = self.env.reset()
        return self.seen(observation, False)

    def seen(self, observation, success):
        # the policy of door-open writes into the observation it is given
        return observation.copy(), self.policy.get_action(observation.copy()), success

    def step(self, action):
        observation, _, _, _, info = self.env.step(action)
        return self.seen(observation, info["success"])


def draw_in_box(env, rng, near):
    space = env._random_reset_space
    while True:
        draw = rng.uniform(space.low, space.high)
        if near == 0 or np.linalg.norm(draw[:2] - draw[3:5]) >= near:
            return draw


def main():
    tool_path, task = sys.argv[1:3]
    draws = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 50
    peer = Peer(task)
    seen = Comparison(task)

    # random actions, in Meta-world's own box
    tool = Tool(tool_path, task, "metaworld")
    space = peer.env._random_reset_space
    if not (np.array_equal(space.low, tool.low) and np.array_equal(space.high, tool.high)):
        sys.exit(f"{task}: the reset box is {tool.low} .. {tool.high}, "
                 f"Python has {space.low} .. {space.high}")
    near = 0 if tool.length == 3 else 0.1 if task == "stick-push" else 0.15
    rng = np.random.default_rng(2024)
    for k in range(draws):
        draw = draw_in_box(peer.env, rng, near)
        # a little beyond what is clipped; the last draw in double precision
        actions = rng.uniform(-1.2, 1.2, (RANDOM_STEPS, 4))
        if k < draws - 1:
            actions = actions.astype(np.float32)
        tool.reset(draw)
        tool.step(actions)
        theirs = [peer.reset(draw)] + [peer.step(action) for action in actions]
        seen.check(theirs, tool.records(RANDOM_STEPS + 1), f"draw {k}, random actions")
    tool.close()

    # the expert, in the paper's box
    tool = Tool(tool_path, task)
    ended = [0, 0]
    ever = 0
    for k in range(seeds):
        draw = tool.draw(0, k)
        tool.reset(draw)
        tool.expert(tool.horizon)
        theirs = [peer.reset(draw)]
        for _ in range(tool.horizon):
            theirs.append(peer.step(theirs[-1][1]))
        ours = tool.records(tool.horizon + 1)
        seen.check(theirs, ours, f"seed 0, episode {k}, expert")
        ended[0] += bool(theirs[-1][2])
        ended[1] += bool(ours[-1]["success"])
        ever += bool(ours["success"].any())
    tool.close()
    if ended[0] != ended[1]:
        sys.exit(f"{task}: the expert ends in success in {ended[1]} of {seeds}, "
                 f"Python's in {ended[0]}")
    exact = "bit-exact" if seen.inexact == 0 else f"{seen.inexact} not bit-exact"
    print(f"{task}: {seen.frames} frames, {exact}; observations within {seen.observation:.1e}, "
          f"expert within {seen.expert:.1e}; the expert ends in success in {ended[1]} of {seeds} "
          f"(touches it in {ever})")


if __name__ == "__main__":
    main()

"""Compares this library with Meta-world's Python package on one task.

    parity.py TOOL TASK [draws] [seeds]

For each of `draws` draws from the reset box: 200 steps of random actions. For each of `seeds` episodes of
seed 0: a whole episode of the scripted expert. Observations, expert actions, rewards (v1 and v2) and all values
of info must be bitwise equal.
"""
import os
import struct
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
# NumPy's AVX-512 exp and log differ from libm's in the last digit; without them it calls libm
os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"
# and OpenBLAS's AVX-512 kernels fuse the multiply-adds of a norm, unlike those for other CPUs
os.environ["OPENBLAS_CORETYPE"] = "Haswell"
import numpy as np
import metaworld.policies as policies
from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments

INFO = ("success", "near_object", "grasp_success", "grasp_reward", "in_place_reward",
        "obj_to_target", "unscaled_reward")
RECORD = np.dtype([("observation", "<f8", 39), ("expert", "<f4", 4), ("v1", "<f8", 8),
                   ("v2", "<f8", 8)])
RANDOM_STEPS = 200


class Tool:
    """This library."""

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

    def allows(self, draw):
        self.send(b"C" + draw.astype("<f8").tobytes())
        return self.receive(1) == b"\1"

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
    """Compares records and counts frames."""

    def __init__(self, task):
        self.task = task
        self.frames = 0

    def check(self, theirs, ours, where):
        """theirs: a list of records with the same fields."""
        if len(theirs) != len(ours):
            sys.exit(f"{self.task}: {where}: {len(theirs)} frames and {len(ours)}")
        for k, (their, our) in enumerate(zip(theirs, ours)):
            for field in RECORD.names:
                if their[field].tobytes() != our[field].tobytes():
                    self.differ(f"{where}, frame {k}", field, their[field], our[field])
            self.frames += 1

    def differ(self, where, field, their, our):
        same = (their == our) | (np.isnan(their) & np.isnan(our))
        if same.all():  # -0 and 0, or different NaNs
            return
        slot = int(np.flatnonzero(~same)[0])
        name = f"{field}[{slot}]"
        if field in ("v1", "v2"):
            name = f"{field} " + ("reward", *INFO)[slot]
        sys.exit(f"{self.task}: {where}: {name} is {our[slot]!r}, Python has {their[slot]!r}")


class Peer:
    """Meta-world."""

    def __init__(self, task):
        self.env = environments[task + "-v3-goal-observable"](seed=0)
        self.env.max_path_length = 10**9
        self.policy = policies.ENV_POLICY_MAP[task + "-v3"]()

    def reset(self, draw):
        self.env._last_rand_vec = draw.copy()
        self.env._freeze_rand_vec = True
        self.env.reward_function_version = "v1"  # one task stores more state in v1
        observation, _ = self.env.reset()
        return self.record(observation)

    def record(self, observation):
        record = np.zeros((), RECORD)
        record["observation"] = observation
        # door-open's policy writes into its observation
        record["expert"] = self.policy.get_action(observation.copy())
        return record

    def step(self, action):
        self.env.reward_function_version = "v2"
        observation, *rest = self.env.step(action)
        record = self.record(observation)
        record["v2"] = numbers(rest[0], rest[3])
        self.env.reward_function_version = "v1"
        record["v1"] = numbers(*self.env.evaluate_state(observation, action))
        return record


def numbers(reward, info):
    return [reward] + [info[name] for name in INFO]


def draw_in_box(env, tool, rng):
    space = env._random_reset_space
    while True:
        draw = rng.uniform(space.low, space.high)
        if tool.allows(draw):
            return draw


def main():
    tool_path, task = sys.argv[1:3]
    draws = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    if f"{task}-v3-goal-observable" not in environments:
        print(f"skipped: Meta-world has no {task}")
        sys.exit(77)
    peer = Peer(task)
    seen = Comparison(task)

    # random actions, in Meta-world's own box
    tool = Tool(tool_path, task, "metaworld")
    space = peer.env._random_reset_space
    if not (np.array_equal(space.low, tool.low) and np.array_equal(space.high, tool.high)):
        sys.exit(f"{task}: the reset box is {tool.low} .. {tool.high}, "
                 f"Python has {space.low} .. {space.high}")
    rng = np.random.default_rng(2024)
    for k in range(draws):
        draw = draw_in_box(peer.env, tool, rng)
        # slightly outside the clipping range; the last draw in double precision
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
            theirs.append(peer.step(theirs[-1]["expert"]))
        ours = tool.records(tool.horizon + 1)
        seen.check(theirs, ours, f"seed 0, episode {k}, expert")
        ended[0] += theirs[-1]["v2"][1] != 0
        ended[1] += ours[-1]["v2"][1] != 0
        ever += (ours["v2"][:, 1] != 0).any()
    tool.close()
    if ended[0] != ended[1]:
        sys.exit(f"{task}: the expert ends in success in {ended[1]} of {seeds}, "
                 f"Python's in {ended[0]}")
    print(f"{task}: {seen.frames} frames, bit-exact; the expert ends in success in {ended[1]} of "
          f"{seeds} (touches it in {ever})")


if __name__ == "__main__":
    main()

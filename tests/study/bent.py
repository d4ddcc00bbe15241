"""Compares demonstrations bent to the goal with a Python implementation on Meta-world's package.

    bent.py TOOL TASK [demonstrations] [goals]

The rule: the hand path of a demonstration is shifted by the offset of the object until contact, and by the offset
of the goal until success; the timing is unchanged; the path is tracked with Meta-world's mocap control, frame
by frame. For every pair of a demonstration and a goal: bent, bent with open fingers, replayed. Success must be
equal, and so must the times of contact and success; actions must agree within 1e-6 and the last observations
within 1e-9.
"""
import struct
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
import numpy as np
import metaworld.policies as policies
from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments

HOLD = {"basketball", "door-lock", "door-open", "lever-pull"}
FRAMES = {"basketball": 175, "lever-pull": 175}


class Tool:
    """This library."""

    def __init__(self, path, task):
        self.process = subprocess.Popen(
            [path, task], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def receive(self, size):
        data = self.process.stdout.read(size)
        if len(data) != size:
            sys.exit("the tool ended early: see its message above")
        return data

    def ask(self, command, draw):
        self.process.stdin.write(command + draw.astype("<f8").tobytes())
        self.process.stdin.flush()
        frames, contact, success = struct.unpack("<iii", self.receive(12))
        actions = np.frombuffer(self.receive(16 * frames), "<f4").reshape(frames, 4)
        observation = np.frombuffer(self.receive(8 * 39), "<f8")
        return contact, success, actions, observation, self.receive(1) != b"\0"

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit("the tool failed")


class Peer:
    """Meta-world."""

    def __init__(self, task):
        self.task = task
        self.frames = FRAMES.get(task, 125)
        self.environment = environments[f"{task}-v3-goal-observable"](seed=0)
        self.environment.max_path_length = 10**9
        words = "".join(word.capitalize() for word in task.split("-"))
        self.policy = getattr(policies, f"Sawyer{words}V3Policy")

    def reset(self, draw):
        self.environment._freeze_rand_vec = True
        self.environment._last_rand_vec = np.array(draw)
        return self.environment.reset()[0]

    def mocap(self):
        return self.environment.data.mocap_pos[0].copy()

    def draws(self, count, seed):
        random = np.random.default_rng(seed)
        space = self.environment._random_reset_space
        found = []
        while len(found) < count:
            draw = random.uniform(space.low, space.high)
            if self.task == "basketball":  # the paper's box is narrower
                draw[3] = random.uniform(-0.025, 0.025)
            nearest = 0.1 if self.task == "stick-push" else 0.15
            if len(draw) == 6 and np.linalg.norm(draw[:2] - draw[3:5]) < nearest:
                continue
            found.append(draw)
        return found

    def demonstrate(self, draw, hold):
        policy = self.policy()
        observation = self.reset(draw)
        observations, actions, path, success = [observation], [], [self.mocap()], []
        for _ in range(self.frames):
            action = np.clip(policy.get_action(observation), -1, 1).astype(np.float32)
            if hold and any(success):
                action = np.concatenate([np.zeros(3, np.float32), actions[-1][3:]])
            observation, _, _, _, info = self.environment.step(action)
            observations.append(observation)
            actions.append(action)
            path.append(self.mocap())
            success.append(bool(info["success"]))
        self.demo_draw = draw
        self.actions = np.array(actions)
        self.path = np.array(path)
        objects = np.array(observations)[:, 4:7]
        moved = np.linalg.norm(objects - objects[0], axis=1) > 0.003
        self.contact = int(np.argmax(moved)) if moved.any() else self.frames // 2
        self.success = int(np.argmax(success)) if any(success) else self.frames
        return self.actions, observation, success[-1]

    def wanted(self, draw):
        def ease(x):
            x = np.clip(x, 0, 1)
            return x * x * (3 - 2 * x)

        object_moved = draw[:3] - self.demo_draw[:3]
        goal_moved = draw[-3:] - self.demo_draw[-3:]
        frame = np.arange(self.frames + 1)
        reach = ease(frame / max(self.contact - 8, 5))
        carry = ease((frame - self.contact - 8) / max(self.success - self.contact - 8, 5))
        return self.path + reach[:, None] * object_moved + carry[:, None] * (goal_moved - object_moved)

    def bend(self, draw, opened):
        wanted = self.wanted(draw)
        self.reset(draw)
        actions = []
        for k in range(self.frames):
            move = np.clip((wanted[k + 1] - self.mocap()) / 0.01, -1, 1)
            grip = [-1.0] if opened else self.actions[k, 3:]
            actions.append(np.concatenate([move, grip]).astype(np.float32))
            observation, _, _, _, info = self.environment.step(actions[-1])
        return np.array(actions), observation, bool(info["success"])

    def replay(self, draw):
        self.reset(draw)
        for action in self.actions:
            observation, _, _, _, info = self.environment.step(action)
        return self.actions, observation, bool(info["success"])


def compare(where, peer, theirs, ours):
    contact, success, actions, observation, solved = ours
    if (contact, success) != (peer.contact, peer.success):
        sys.exit(f"{where}: contact and success {contact}, {success}, not {peer.contact}, {peer.success}")
    if solved != theirs[2]:
        sys.exit(f"{where}: success {solved}, not {theirs[2]}")
    worst = np.abs(actions - theirs[0]).max()
    if not worst <= 1e-6:
        sys.exit(f"{where}: actions differ by {worst}")
    worst = np.abs(observation - theirs[1]).max()
    if not worst <= 1e-9:
        sys.exit(f"{where}: last observations differ by {worst}")


def main():
    task = sys.argv[2]
    demos = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    goals = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    tool, peer = Tool(sys.argv[1], task), Peer(task)
    hold = task in HOLD
    solved = {"bent": [], "open": [], "replay": []}
    for d, demo_draw in enumerate(peer.draws(demos, 1000)):
        theirs = peer.demonstrate(demo_draw, hold)
        compare(f"{task}, demonstration {d}", peer, theirs,
                tool.ask(b"D" + (b"\1" if hold else b"\0"), demo_draw))
        for g, draw in enumerate(peer.draws(goals, 2000)):
            for name, command, play in (("bent", b"B", lambda: peer.bend(draw, False)),
                                        ("open", b"O", lambda: peer.bend(draw, True)),
                                        ("replay", b"R", lambda: peer.replay(draw))):
                theirs = play()
                compare(f"{task}, demonstration {d}, goal {g}, {name}", peer, theirs,
                        tool.ask(command, draw))
                solved[name].append(theirs[2])
    tool.close()
    print(task, {name: f"{np.mean(one):.2f}" for name, one in solved.items()})


main()

"""Compares the goals of Meta-world's benchmarks with ours, drawn from the same seed.

    goals.py TOOL

Every task as MT1, and every benchmark whose tasks are all in our table. Meta-world simulates a reset for each
goal; the simulation has no influence on the draws, so the hand is not moved here.
"""
import copy
import functools
import pickle
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
import mujoco
import numpy as np
import metaworld
import metaworld.env_dict as env_dict
from metaworld.sawyer_xyz_env import SawyerXYZEnv

SEEDS = (0, 1, 4294967295)
LONGEST = 6


def reset_hand(self, steps=50):
    mujoco.mj_forward(self.model, self.data)
    self.init_tcp = self.tcp_center


@functools.cache
def compiled(path):
    return compile_scene(path)


# the draws take seconds, compiling the scene anew for each of the 330 environments minutes
compile_scene = mujoco.MjModel.from_xml_path
mujoco.MjModel.from_xml_path = lambda path: copy.copy(compiled(path))


def ours(tool, name, seed):
    data = subprocess.run([tool, "goals", name, str(seed)], stdout=subprocess.PIPE, check=True)
    return np.frombuffer(data.stdout, "<f8").reshape(-1, LONGEST)


def theirs(names, seed):
    classes = env_dict._get_env_dict(names)
    arguments = env_dict._get_args_kwargs(env_dict.ALL_V3_ENVIRONMENTS, classes)
    tasks = metaworld._make_tasks(classes, arguments, {}, seed=seed)
    rows = [pickle.loads(task.data)["rand_vec"] for task in tasks]
    return np.array([np.pad(row, (0, LONGEST - len(row))) for row in rows])


def families():
    yield "MT10", env_dict.MT10_V3
    yield "MT25", env_dict.MT25_V3
    yield "MT50", env_dict.MT50_V3
    for name in ("ML10", "ML25", "ML45"):
        for split in ("train", "test"):
            yield f"{name}-{split}", getattr(env_dict, name + "_V3")[split]


def main():
    tool = sys.argv[1]
    table = subprocess.run([tool], stdout=subprocess.PIPE, check=True).stdout.decode().split()
    SawyerXYZEnv._reset_hand = reset_hand
    compared = 0
    wanted = [(task, [task + "-v3"]) for task in table]
    wanted += [(name, list(classes)) for name, classes in families()]
    for name, names in wanted:
        if not all(each[:-3] in table for each in names):
            continue
        for seed in SEEDS if len(names) == 1 else SEEDS[:1]:
            if theirs(names, seed).tobytes() != ours(tool, name, seed).tobytes():
                sys.exit(f"{name}: the goals of seed {seed} differ")
            compared += len(names) * metaworld._N_GOALS
    print(f"{compared} goals of {len(wanted)} tasks and families, equal")


if __name__ == "__main__":
    main()

"""Runs the lerobot package in its own process, because two of its versions are tested.

    python lerobot_peer.py write ROOT FRAMES.npz     write a dataset with lerobot's own API, from recorded pictures
    python lerobot_peer.py check ROOT ROOT2          load both: next.reward is there, everything else is equal
    python lerobot_peer.py weigh ROOT2               RA-BC finds the sidecar and weights samples by it
"""

from __future__ import annotations

import inspect
import pathlib
import sys

import numpy as np
from lerobot.datasets.lerobot_dataset import LeRobotDataset

CAMERA = "observation.images.front"
NAME = "someone/door"


def write(root: str, frames: str) -> None:
    recorded = np.load(frames)
    episodes = [recorded[name] for name in sorted(recorded.files)]
    joints = {"dtype": "float32", "shape": (4,), "names": ["a", "b", "c", "d"]}
    features = {
        CAMERA: {"dtype": "video", "shape": episodes[0].shape[1:], "names": ["height", "width", "channels"]},
        "observation.state": joints,
        "action": joints,
        "next.success": {"dtype": "bool", "shape": (1,), "names": None},
    }
    dataset = LeRobotDataset.create(NAME, fps=20, features=features, root=root, robot_type="sawyer")
    rng = np.random.default_rng(0)
    apart = "task" in inspect.signature(dataset.add_frame).parameters
    for episode in episodes:
        for k, picture in enumerate(episode):
            frame = {
                CAMERA: picture,
                "observation.state": rng.normal(size=4).astype(np.float32),
                "action": rng.normal(size=4).astype(np.float32),
                "next.success": np.array([k == len(episode) - 1]),
            }
            dataset.add_frame(frame, "open the door") if apart else dataset.add_frame({**frame, "task": "open the door"})
        dataset.save_episode()
    if hasattr(dataset, "finalize"):
        dataset.finalize()


def check(root: str, root2: str) -> None:
    old, new = (LeRobotDataset(NAME, root=folder, video_backend="pyav") for folder in (root, root2))
    assert len(old) == len(new) and new.meta.total_episodes == old.meta.total_episodes
    assert set(new.features) - set(old.features) == {"next.reward"}
    rewards = np.array(new.hf_dataset.with_format("numpy")["next.reward"])
    told = new.meta.stats["next.reward"]
    assert rewards.dtype == np.float32 and np.isfinite(rewards).all()
    np.testing.assert_allclose([told["min"][0], told["max"][0]], [rewards.min(), rewards.max()], rtol=1e-6)
    np.testing.assert_allclose(told["mean"], rewards.astype(float).mean(), rtol=1e-5)
    for name, of_old in old.meta.stats.items():
        for kind, values in of_old.items():
            assert np.array_equal(values, new.meta.stats[name][kind]), (name, kind)
    for k in range(0, len(old), 7):
        before, after = old[k], new[k]
        assert float(after.pop("next.reward")) == float(rewards[k])
        assert set(before) == set(after)
        for name, value in before.items():
            assert value == after[name] if isinstance(value, str) else np.array_equal(value.numpy(), after[name].numpy()), name


def weigh(root: str) -> None:
    import torch
    from lerobot.configs.default import DatasetConfig
    from lerobot.configs.train import TrainPipelineConfig
    from lerobot.policies.act.configuration_act import ACTConfig
    from lerobot.utils.rabc import RABCWeights

    policy = ACTConfig(push_to_hub=False, device="cpu")
    config = TrainPipelineConfig(dataset=DatasetConfig(repo_id=NAME, root=root), policy=policy, use_rabc=True)
    sys.argv = sys.argv[:1]
    config.output_dir = pathlib.Path(root).parent / "training"
    config.validate()
    assert config.rabc_progress_path == str(pathlib.Path(root) / "sarm_progress.parquet"), config.rabc_progress_path
    weights = RABCWeights(config.rabc_progress_path, chunk_size=10, device=torch.device("cpu"))
    dataset = LeRobotDataset(NAME, root=root, video_backend="pyav")
    assert weights.get_stats()["num_frames"] == len(dataset)
    index = np.array(dataset.hf_dataset.with_format("numpy")["index"])
    episode = np.array(dataset.hf_dataset.with_format("numpy")["episode_index"])
    given, _ = weights.compute_batch_weights({"index": torch.tensor(index)})
    means = [float(given[torch.tensor(episode == k)].mean()) for k in range(dataset.meta.total_episodes)]
    # the third episode stands still; the first two open the door
    assert means[2] < 0.7 * min(means[0], means[1]), means
    print(means)


if __name__ == "__main__":
    {"write": write, "check": check, "weigh": weigh}[sys.argv[1]](*sys.argv[2:])

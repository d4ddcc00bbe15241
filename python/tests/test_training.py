"""Demonstrations, training, runs, and the wrapper for other training loops."""

from __future__ import annotations

import importlib
import signal
import subprocess
import sys

import numpy as np
import pytest

import temporalot
from conftest import ROOT, needs

gymnasium = pytest.importorskip("gymnasium")
pytestmark = pytest.mark.usefixtures("worlds")
SMALL = dict(
    steps=126, warmup=60, update_after=80, update_every=8, cost_on="state", hidden=16, batch=8,
    eval_every=126, eval_episodes=1, log_every=63, video=0, demos=1, checkpoint_every=126,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "first"
    seen: list[str] = []
    run = temporalot.train(
        "window-open", folder, progress=lambda at: seen.append(at.doing), threads=1, **SMALL
    )
    assert "training" in seen
    return run


def test_run(run):
    assert run.setting("task") == "window-open"
    assert run.setting("steps") == "126"
    assert run.metrics["step"][-1] == 126
    assert 0 <= run.success_rate <= 1
    assert run.report is not None and run.report.exists()
    with pytest.raises(ValueError, match="did you mean"):
        run.setting("stepz")


def test_policy(run):
    policy = run.policy()
    assert policy.step == 126
    action = policy(np.zeros(39))
    assert action.shape == (4,) and np.abs(action).max() <= 1
    many = policy(np.zeros((3, 39)))
    assert many.shape == (3, 4) and np.allclose(many, action)
    # a clock: one step for all observations, or one per observation
    later = policy(np.zeros(39), step=40)
    assert not np.allclose(later, action)
    assert np.allclose(policy(np.zeros((2, 39)), step=[0, 40]), [action, later])
    for wrong, words in ((np.zeros(38), "39"), (np.full(39, np.nan), "observation"), (None, "39")):
        with pytest.raises(ValueError, match=words):
            policy(wrong)


def test_mistakes(run, tmp_path):
    with pytest.raises(ValueError, match="did you mean .window-open."):
        temporalot.train("window-opn", tmp_path / "x")
    with pytest.raises(ValueError, match="did you mean .steps."):
        temporalot.train("window-open", tmp_path / "x", stepz=3)
    with pytest.raises(ValueError, match="preset"):
        temporalot.train("window-open", tmp_path / "x", preset="slow")
    with pytest.raises((ValueError, OSError, temporalot.TemporalOTError)):
        temporalot.train("window-open", run.folder, **SMALL)
    with pytest.raises(FileNotFoundError):
        temporalot.Run(tmp_path / "nowhere")


def test_interrupted_training_goes_on(tmp_path, ctrl_c):
    once: list[str] = []

    def interrupt(at):
        if at.doing == "training" and not once:
            once.append(at.doing)
            ctrl_c(0)

    settings = {**SMALL, "steps": 20000}
    with pytest.raises(KeyboardInterrupt):
        temporalot.train("window-open", tmp_path / "r", progress=interrupt, threads=1, **settings)
    assert temporalot.Run(tmp_path / "r").policy().step < 20000
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_collect(tmp_path):
    demos = temporalot.collect("window-open", 1, frames=True, size=32, out=tmp_path / "d.npz")
    (demo,) = demos
    assert demo.success[-1] and demo.actions.shape == (63, 4)
    assert demo.frames.shape == (63, 32, 32, 3)
    assert demo.meta["task"] == "window-open"
    (again,) = temporalot.load_demonstrations(tmp_path / "d.npz")
    assert again.observations.tobytes() == demo.observations.tobytes()
    with pytest.raises(FileNotFoundError):
        temporalot.load_demonstrations(tmp_path / "none.npz")
    np.save(tmp_path / "x.npy", np.zeros(3))
    with pytest.raises(ValueError, match="not a recording"):
        temporalot.load_demonstrations(tmp_path / "x.npy")

    def stop(attempts, found):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        temporalot.collect("window-open", 1, progress=stop)


def test_an_environment_films_as_a_demonstration_was_filmed():
    for how in (dict(view="fitted", view_margin=0.1), dict(zoom=2, quality="full", camera="corner2"),
                dict(view="hand", hand_margin=0.15), dict(arm="hidden")):
        demos = temporalot.collect("window-open", 1, frames=True, size=48, **how)
        env = gymnasium.make(
            "temporalot/window-open-v3", render_mode="rgb_array", **demos[0].pictures
        )
        env.reset(seed=0)
        assert np.array_equal(env.render(), demos[0].frames[0])
    with pytest.raises(ValueError, match="frames=True"):
        temporalot.collect("window-open", 1)[0].pictures
    with pytest.raises(ValueError, match="no environment films"):
        temporalot.collect("window-open", 1, frames=True, size=48, view="both")[0].pictures
    with pytest.raises(ValueError, match="fitted"):
        temporalot.collect("window-open", 1, frames=True, view="fited")


def expert_episode(env):
    env.reset(seed=0)
    over = False
    while not over:
        _, reward, terminated, truncated, info = env.step(env.unwrapped.expert_action())
        assert reward == 0.0 and "env_reward" in info
        over = terminated or truncated
    return info


def test_reward_on_state_and_pixels():
    demos = temporalot.collect("window-open", 2, frames=True, size=32)
    state = temporalot.OTReward(
        gymnasium.make("temporalot/window-open-v3", action_repeat=2), demos, on="state"
    )
    info = expert_episode(state)
    assert info["ot_rewards"].shape == (63,) and info["ot"].demo in (0, 1)
    encoder = temporalot.Encoder(size=32, threads=1)
    pixels = temporalot.OTReward(
        gymnasium.make(
            "temporalot/window-open-v3", action_repeat=2, render_mode="rgb_array", size=32
        ),
        demos, encoder=encoder, scale=1,
    )
    labels = expert_episode(pixels)["ot"]
    # the expert is closer to a demonstration than an agent that stands still
    pixels.reset(seed=0)
    over = False
    while not over:
        *_, over, info = pixels.step(np.zeros(4, np.float32))
    assert labels.sum > info["ot"].sum


def test_wrapper_mistakes():
    env = gymnasium.make("temporalot/window-open-v3")
    demos = temporalot.collect("window-open", 1)
    with pytest.raises(ValueError, match="render_mode"):
        temporalot.OTReward(env, demos)
    with pytest.raises(ValueError, match="'state'"):
        temporalot.OTReward(env, demos, on="stat")
    with pytest.raises(ValueError, match="none"):
        temporalot.OTReward(env, [], on="state")
    shown = gymnasium.make("temporalot/window-open-v3", render_mode="rgb_array", size=32)
    with pytest.raises(ValueError, match="frames=True"):
        temporalot.OTReward(shown, demos, encoder=temporalot.Encoder(size=32))


def test_write_back():
    ring = np.zeros(10, np.float32)
    temporalot.write_back(ring, 2, np.arange(1, 6, dtype=np.float32))
    assert ring.tolist() == [3, 4, 5, 0, 0, 0, 0, 0, 1, 2]
    columns = np.zeros((10, 2), np.float32)
    temporalot.write_back(columns, 3, np.ones(4), env=1)
    assert columns[:4, 1].all() and not columns[:, 0].any()
    ring.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        temporalot.write_back(ring, 2, np.ones(3))
    with pytest.raises(ValueError, match="fit"):
        temporalot.write_back(columns, 2, np.ones(30), env=0)


def test_replay_buffer_waits_for_the_rewards():
    needs("stable_baselines3")
    from gymnasium import spaces

    sb3 = importlib.import_module("temporalot.sb3")
    buffer = sb3.OTReplayBuffer(
        40, spaces.Box(-1, 1, (2,)), spaces.Box(-1, 1, (1,)), n_envs=2, device="cpu"
    )
    # two environments whose episodes have 3 and 4 steps
    for step in range(12):
        infos, done = [{}, {}], np.array([step % 3 == 2, step % 4 == 3])
        for env, length in enumerate((3, 4)):
            if done[env]:
                infos[env] = {"ot_rewards": np.arange(step - length + 1, step + 1) + 100 * env}
        at = np.full((2, 2), step, np.float32)
        buffer.add(at, at, np.zeros((2, 1)), np.zeros(2), done, infos)
        # a row is stored when both of its episodes have ended
        assert buffer.pos == min((step + 1) // 3 * 3, (step + 1) // 4 * 4)
    assert buffer.rewards[:12, 0].tolist() == list(range(12))
    assert buffer.rewards[:12, 1].tolist() == [100 + k for k in range(12)]
    assert buffer.observations[:12, 0, 0].tolist() == list(range(12))
    with pytest.raises(ValueError, match="OTReward"):
        buffer.add(at, at, np.zeros((2, 1)), np.zeros(2), np.array([True, True]), [{}, {}])


def test_torch_buffers():
    needs("torch")
    import torch

    ring = torch.zeros(6)
    temporalot.write_back(ring, 1, np.array([1, 2, 3], np.float32))
    assert ring.tolist() == [2, 3, 0, 0, 0, 1]


@pytest.mark.parametrize("example", ["sb3_sac.py", "sb3_sac.py --on pixels", "cleanrl_ddpg.py"])
def test_examples_run(example, tmp_path):
    needs("torch")
    needs("stable_baselines3")
    name, *options = example.split()
    path = ROOT / "python" / "examples" / name
    assert len(path.read_text().splitlines()) < 100
    done = subprocess.run(
        [sys.executable, str(path), *options, "--steps", "140", "--out", str(tmp_path)],
        capture_output=True, text=True, cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "success" in done.stdout

"""Environments: the checkers of Gymnasium and Stable-Baselines3, and bitwise equality with Meta-world."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

import temporalot
from conftest import needs

gymnasium = pytest.importorskip("gymnasium")
pytestmark = pytest.mark.usefixtures("worlds")
AutoresetMode = gymnasium.vector.AutoresetMode
TASKS = temporalot.tasks()


def make(task: str = "door-open", **kwargs):
    return gymnasium.make(f"temporalot/{task}-v3", **kwargs)


def make_vec(task: str = "door-open", num_envs: int = 3, **kwargs):
    return gymnasium.make_vec(f"temporalot/{task}-v3", num_envs=num_envs, **kwargs)


@pytest.mark.parametrize("observation", ["state", "relative", "pixels", "both"])
def test_gymnasium_checker(observation):
    from gymnasium.utils.env_checker import check_env

    env = make(observation=observation, size=32, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*infinity.*")
        check_env(env.unwrapped)
    env.close()


def test_stable_baselines_checker():
    needs("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env

    check_env(make(), warn=False)


def test_every_task_is_registered():
    assert len(TASKS) >= 10
    for name in TASKS:
        assert temporalot.task(name).env_id in gymnasium.registry


def same_bits(ours, theirs):
    """Bitwise equal, with numpy's AVX-512 kernels disabled (scripts/pytest)."""
    assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("number, task", list(enumerate(TASKS)))
def test_equal_to_metaworld_bit_for_bit(number, task):
    kind = (np.float32, np.float64)[number % 2]
    needs("metaworld")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from metaworld import ALL_V3_ENVIRONMENTS_GOAL_OBSERVABLE as environments

        theirs = environments[f"{task}-v3-goal-observable"](seed=0)
    ours = make(task, horizon=25, reward="dense")
    rng = np.random.default_rng(0)
    for seed in range(2):
        observation, info = ours.reset(seed=seed)
        theirs._last_rand_vec = info["rand_vec"].copy()
        theirs._freeze_rand_vec = True
        expected, _ = theirs.reset()
        same_bits(observation, expected)
        for step in range(25):
            if seed == 0:
                action = rng.uniform(-1.2, 1.2, 4).astype(kind)
            else:
                action = ours.unwrapped.expert_action().astype(kind)
            observation, reward, terminated, truncated, info = ours.step(action)
            expected, wanted, _, _, told = theirs.step(action.copy())
            same_bits(observation, expected)
            assert reward == wanted
            for name, number in told.items():
                assert info[name] == float(number), name
            assert not terminated and truncated == (step == 24)


def test_benchmark_equals_its_tasks():
    names = temporalot.benchmarks()["MT10"]
    assert len(names) == 10 and len(temporalot.benchmarks()["MT50"]) == 50
    many = gymnasium.make_vec(
        "temporalot/MT10", num_envs=20, reward="dense", one_hot=True, horizon=6, threads=2,
        autoreset_mode="SAME_STEP",
    )
    seen, infos = many.reset(seed=3)
    assert many.single_observation_space.contains(seen[0]) and seen.shape == (20, 49)
    assert (seen[:, 39:] == np.tile(np.eye(10), (2, 1))).all()
    singles = [make(names[k % 10], reward="dense", horizon=6) for k in range(20)]
    for k, env in enumerate(singles):
        alone, info = env.reset(seed=3 + k)
        same_bits(seen[k, :39].copy(), alone)
        width = len(info["rand_vec"])
        assert (infos["rand_vec"][k, :width] == info["rand_vec"]).all()
        assert not infos["rand_vec"][k, width:].any()
    state = many.unwrapped.get_state(13)
    for step in range(6):
        actions = many.unwrapped.expert_actions()
        seen, rewards, _, truncated, infos = many.step(actions)
        for k, env in enumerate(singles):
            alone, reward, *_ = env.step(actions[k])
            shown = infos["final_obs"][k] if step == 5 else seen[k]
            same_bits(shown[:39].copy(), alone)
            assert rewards[k] == reward and truncated[k] == (step == 5)
    first = many.unwrapped.rand_vecs()[13]
    many.unwrapped.set_state(13, state)
    assert (many.unwrapped.rand_vecs()[13] != first).any()
    draws = many.unwrapped.rand_vecs()
    many.reset(options={"rand_vec": draws})
    assert (many.unwrapped.rand_vecs() == draws).all()
    many.close()


def test_benchmark_errors():
    with pytest.raises(ValueError, match="num_envs: 4 is not a multiple of the 10 tasks"):
        gymnasium.make_vec("temporalot/MT10", num_envs=4)
    with pytest.raises(ValueError, match="one_hot"):
        make_vec(one_hot=True, observation="pixels", size=32)


def test_seeds_hold():
    env = make()
    first, info = env.reset(seed=5)
    second, _ = env.reset()
    again, info_again = env.reset(seed=5)
    assert first.tobytes() == again.tobytes() and first.tobytes() != second.tobytes()
    assert env.reset()[0].tobytes() == second.tobytes()
    assert (info["rand_vec"] == info_again["rand_vec"]).all()
    placed, info = env.reset(options={"rand_vec": [0.05, 0.9, 0.15]})
    assert info["rand_vec"].tolist() == [0.05, 0.9, 0.15]


def test_unseeded_environments_differ():
    draws = {tuple(make().reset()[1]["rand_vec"]) for _ in range(3)}
    assert len(draws) == 3


def test_goal_hidden_and_observable():
    shown, _ = make().reset(seed=1)
    hidden, _ = make(goal="hidden").reset(seed=1)
    assert (shown[:36] == hidden[:36]).all()
    assert shown[36:].any() and not hidden[36:].any()


def test_rewards():
    env = make("window-open", horizon=125)
    none = make("window-open", reward="none")
    for one in (env, none):
        one.reset(seed=0)
    rewards, truncated = [], False
    while not truncated:
        action = env.unwrapped.expert_action()
        _, reward, _, truncated, info = env.step(action)
        assert none.step(action)[1] == 0.0
        assert reward == info["success"] == float(info["is_success"])
        rewards.append(reward)
    assert len(rewards) == 125 and rewards[-1] == 1.0
    early = make("window-open", terminate_on_success=True)
    early.reset(seed=0)
    for _ in range(125):
        _, reward, terminated, _, _ = early.step(early.unwrapped.expert_action())
        if terminated:
            break
    assert terminated and reward == 1.0


def test_dense_reward_of_both_versions():
    rewards = []
    for version in (1, 2):
        env = make(reward="dense", reward_version=version)
        env.reset(seed=0)
        rewards.append(env.step(np.zeros(4, np.float32))[1])
    assert rewards[0] != rewards[1] and rewards[1] > 0


def test_state_is_exact():
    env, other = make(), make()
    env.reset(seed=3)
    actions = np.random.default_rng(0).uniform(-1, 1, (60, 4)).astype(np.float32)
    for action in actions[:20]:
        env.step(action)
    state = env.unwrapped.get_state()
    expected = [env.step(action)[0].tobytes() for action in actions[20:]]
    following = env.reset()[0].tobytes()
    other.reset()
    other.unwrapped.set_state(state)
    assert [other.step(action)[0].tobytes() for action in actions[20:]] == expected
    assert other.reset()[0].tobytes() == following
    with pytest.raises((ValueError, temporalot.TemporalOTError), match="state"):
        env.unwrapped.set_state(b"nothing")
    with pytest.raises((ValueError, temporalot.TemporalOTError)):
        make("push").unwrapped.set_state(state)


def test_pictures():
    env = make(render_mode="rgb_array", size=(48, 64), camera="corner2")
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape == (48, 64, 3) and picture.std() > 10
    both = make(observation="both", size=48)
    observation, _ = both.reset(seed=0)
    assert observation["pixels"].shape == (48, 48, 3) and observation["state"].shape == (39,)
    assert make().unwrapped.render() is None


def test_what_the_agent_is_told():
    """observation=shaped and relative, and a clock from -1 to 1 over the episode"""
    raw = make("window-open", action_repeat=2)
    told = {kind: make("window-open", action_repeat=2, observation=kind, clock="on") for kind in ("shaped", "relative")}
    state, _ = raw.reset(seed=3)
    seen = {kind: env.reset(seed=3)[0] for kind, env in told.items()}
    over, steps = False, 0
    while not over:
        for kind, numbers in seen.items():
            assert numbers.shape == (35,) and numbers.dtype == np.float32
            np.testing.assert_allclose(numbers[11:14], (state[4:7] - state[:3]) / 0.05, rtol=1e-4, atol=1e-4)
            np.testing.assert_allclose(numbers[34], 2 * steps / 63 - 1, atol=1e-6)
        assert seen["shaped"][0] != 0
        assert not seen["relative"][[0, 1, 8, 9, 28, 29]].any()  # x, y of hand, object and goal
        action = raw.unwrapped.expert_action()
        state, _, _, over, _ = raw.step(action)
        seen = {kind: env.step(action)[0] for kind, env in told.items()}
        steps += 1
    assert steps == 63 and seen["relative"][34] == 1
    both = make("window-open", observation="both", clock="waves", size=16)
    assert both.reset(seed=0)[0]["state"].shape == (39 + 9,)


@pytest.mark.parametrize("observation", ["state", "relative", "both"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_equals_gymnasiums_own(mode, observation):
    settings = dict(observation=observation, size=24, horizon=12)
    kwargs = {"task": "door-open", **settings}
    theirs = gymnasium.vector.SyncVectorEnv(
        [lambda: temporalot.envs.MetaworldEnv(**kwargs)] * 3, autoreset_mode=mode
    )
    ours = make_vec(autoreset_mode=mode, threads=2, **settings)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] is mode

    def same(a, b):
        if isinstance(b, dict):
            assert set(a) >= set(b)
            for name in b:
                same(a[name], b[name])
        elif isinstance(b, np.ndarray) and b.dtype == object:
            for one, other in zip(a, b):
                same(one, other)
        else:
            np.testing.assert_array_equal(a, b)

    seen, told = ours.reset(seed=7)
    expected, told_expected = theirs.reset(seed=7)
    same(seen, expected)
    theirs.action_space.seed(0)
    for step in range(30):
        actions = theirs.action_space.sample()
        result, wanted = ours.step(actions), theirs.step(actions)
        for a, b in zip(result[:4], wanted[:4]):
            same(a, b)
        same(result[4], wanted[4])
        assert ("final_obs" in result[4]) == ("final_obs" in wanted[4])
        if mode is AutoresetMode.DISABLED and wanted[3].any():
            mask = wanted[3].copy()
            same(
                ours.reset(options={"reset_mask": mask.copy()})[0],
                theirs.reset(options={"reset_mask": mask.copy()})[0],
            )
    ours.close()
    theirs.close()


def test_vector_in_place_and_copied():
    env = make_vec(copy=False)
    first, _ = env.reset(seed=0)
    second, *_ = env.step(env.expert_actions())
    assert first is second
    env = make_vec()
    first, _ = env.reset(seed=0)
    before = first.copy()
    second, *_ = env.step(env.expert_actions())
    assert (first == before).all() and (first != second).any()


def test_vector_seeds_and_states():
    env = make_vec(num_envs=3)
    seen, _ = env.reset(seed=4)
    for k in range(3):
        assert make().reset(seed=4 + k)[0].tobytes() == seen[k].tobytes()
    listed, _ = env.reset(seed=[9, None, 4])
    assert listed[2].tobytes() == seen[0].tobytes()
    state = env.get_state(2)
    env.set_state(0, state)
    moved, *_ = env.step(np.zeros((3, 4), np.float32))
    assert moved[0].tobytes() == moved[2].tobytes()
    assert env.rand_vecs().shape == (3, 3)
    assert len(make_vec(render_mode="rgb_array", size=16).reset(seed=0)) == 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_vector_after_fork():
    env = make_vec(num_envs=4, threads=2)
    env.reset(seed=0)
    actions = np.zeros((4, 4), np.float32)
    env.step(actions)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.isfinite(env.step(actions)[0]).all() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    env.step(actions)


ZERO = np.zeros(4, np.float32)


def started(**kwargs):
    env = make(**kwargs)
    env.reset(seed=0)
    return env


MISTAKES = [
    (lambda: temporalot.task("door-opn"), "did you mean .door-open."),
    (lambda: make(reward="shaped"), "sparse"),
    (lambda: make(reward_version=3), "reward_version"),
    (lambda: make(goal="visible"), "observable"),
    (lambda: make(observation="picture"), "'pixels'"),
    (lambda: make(clock="wave"), "waves"),
    (lambda: make(observation="pixels", clock="on"), "both"),
    (lambda: make(crop=(0.5, 0, 0.2, 1)), "LEFT,TOP,RIGHT,BOTTOM"),
    (lambda: make(crop=(0.5, 0)), "LEFT,TOP,RIGHT,BOTTOM"),
    (lambda: make(horizon=0), "horizon"),
    (lambda: make(action_repeat=0), "action_repeat"),
    (lambda: make(size=0, observation="pixels").reset(), "1 .. 4096"),
    (lambda: make(size="large"), "size"),
    (lambda: make(camera="cornr3", observation="pixels").reset(), "corner3"),
    (lambda: make(renderer="vulkan"), "soft"),
    (lambda: make().unwrapped.reset(seed=-1), "seed"),
    (lambda: make().unwrapped.reset(seed="one"), "seed"),
    (lambda: make().reset(options={"randvec": [0, 0, 0]}), "rand_vec"),
    (lambda: make().reset(options={"rand_vec": [0.0, 0.9]}), "rand_vec"),
    (lambda: make().reset(options={"rand_vec": [9.0, 0.9, 0.15]}), "9"),
    (lambda: make().unwrapped.step(ZERO), "reset"),
    (lambda: started().step(ZERO[:3]), r"not \(4,\)"),
    (lambda: started().step(ZERO * np.nan), "action"),
    (lambda: started().step("left"), "action"),
    (lambda: make().unwrapped.get_state(), "reset"),
    (lambda: make_vec(num_envs=0), "1 .."),
    (lambda: make_vec(autoreset_mode="now"), "NEXT_STEP"),
    (lambda: make_vec(num_envs=3).reset(seed=[1, 2]), "3 environments"),
    (lambda: make_vec().reset(options={"reset_mask": np.zeros(3, bool)}), "reset_mask"),
]


@pytest.mark.parametrize("call, words", MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_say_what_to_do(call, words):
    with pytest.raises(ValueError, match=words), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call()


def test_an_episode_that_is_over():
    env = started(horizon=3)
    for _ in range(3):
        env.step(ZERO)
    with pytest.raises(ValueError, match="over"):
        env.step(ZERO)
    env.reset()
    env.step(ZERO)


def test_several_threads_and_a_close_meanwhile():
    import threading

    env = make_vec(num_envs=4, threads=2)
    env.reset(seed=0)
    actions = np.zeros((4, 4), np.float32)
    told: list[str] = []

    def work() -> None:
        try:
            for _ in range(100_000):  # never finishes: the environments are closed earlier
                env.step(actions)
        except ValueError as error:
            told.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    env.close()
    for thread in threads:
        thread.join()
    assert len(told) == 3 and all("closed" in one for one in told)


def test_closed_environment():
    env = started()
    env.close()
    env.close()
    with pytest.raises(ValueError, match="closed"):
        env.step(ZERO)

"""Rewards: byte-identical to the command's, equal to POT's, and every mistake has its message."""

from __future__ import annotations

import gc
import os
import pathlib
import threading

import numpy as np
import pytest

import temporalot
from conftest import needs, run


def pair(rng: np.random.Generator, steps: int = 40, width: int = 32) -> tuple[np.ndarray, np.ndarray]:
    demo = np.cumsum(rng.normal(size=(steps, width)), axis=0)
    return demo + 0.3 * rng.normal(size=demo.shape), demo


@pytest.mark.parametrize("method", list(temporalot.methods()))
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_equals_the_command(method, kind, rng, tmp_path, program):
    episode, demo = (array.astype(kind) for array in pair(rng))
    other = demo[::-1].copy()
    for name, array in (("e", episode), ("d0", demo), ("d1", other)):
        np.save(tmp_path / f"{name}.npy", array)
    run(
        program, "label", "--demo", "d0.npy", "d1.npy", "--episode", "e.npy", "--method", method,
        "--out", "r.npz", cwd=tmp_path,
    )
    told = np.load(tmp_path / "r.npz")
    labels = temporalot.label(episode, [demo, other], method, progress=True)
    assert labels.rewards.tobytes() == told["rewards"].tobytes()
    assert labels.progress.tobytes() == told["progress"].tobytes()
    assert labels.demo == int(told["demo"])
    assert labels.iterations == int(told["iterations"])


def test_progress_is_no_clock(rng):
    _, demo = pair(rng, 60)
    with temporalot.Labeler(demo) as labeler:
        assert labeler(demo).progress is None
        np.testing.assert_allclose(labeler(demo, progress=True).progress, np.linspace(0, 1, 60), atol=0.05)
        still, half = labeler.batch([demo[[0] * 60], demo[list(range(30)) + [29] * 30]], progress=True)
    assert still.progress.max() < 0.1
    assert abs(half.progress[-1] - 0.5) < 0.05


def test_plain_transport_equals_pot(rng):
    needs("ot")
    import ot

    episode, demo = pair(rng, 25, 8)
    labels = temporalot.label(
        episode, demo, "ot", epsilon=0.05, iterations=5000, cost="euclidean", details=True
    )
    cost = ot.dist(episode, demo, metric="euclidean")
    np.testing.assert_allclose(labels.cost, cost, atol=1e-9)
    plan = ot.sinkhorn(
        np.full(25, 1 / 25), np.full(25, 1 / 25), cost, 0.05, method="sinkhorn_log",
        numItermax=5000, stopThr=1e-9,
    )
    np.testing.assert_allclose(labels.plan, plan, atol=1e-7)
    np.testing.assert_allclose(labels.rewards, -(plan * cost).sum(1), atol=1e-5)


def test_details_have_their_shapes(rng):
    episode, demo = pair(rng)
    labels = temporalot.label(episode[:30], demo, mask=5, details=True)
    assert labels.cost.shape == labels.mask.shape == labels.plan.shape == (30, 40)
    assert set(np.unique(labels.mask)) == {0.0, 1.0}
    assert np.isnan(labels.cost[labels.mask == 0]).all()
    assert labels.plan.sum() == pytest.approx(1)
    assert temporalot.label(episode, demo, "dtw", details=True).plan is None


def test_batch_is_the_same_bytes_for_any_number_of_threads(rng):
    _, demo = pair(rng)
    episodes = [pair(rng, steps)[0] for steps in range(20, 50)]
    alone = [temporalot.label(episode, demo).rewards for episode in episodes]
    for threads in (1, 2, 5):
        with temporalot.Labeler([demo], threads=threads) as labeler:
            for labels, expected in zip(labeler.batch(episodes), alone):
                assert labels.rewards.tobytes() == expected.tobytes()


def test_wide_episodes_share_their_work(rng):
    demo = rng.normal(size=(60, 20000)).astype(np.float32)
    episode = rng.normal(size=(60, 20000)).astype(np.float32)
    one = temporalot.label(episode, demo, threads=1)
    two = temporalot.label(episode, demo, threads=2)
    assert one.rewards.tobytes() == two.rewards.tobytes()


def test_auto_scale_is_set_by_the_first_episode(rng):
    episode, demo = pair(rng)
    with temporalot.Labeler(demo, scale="auto") as labeler:
        first, second = labeler(episode), labeler(episode)
        assert first.scale == 1
        assert second.scale == pytest.approx(10 / abs(first.sum))
        assert second.sum == pytest.approx(-10)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_layouts_give_the_same_rewards(kind, rng):
    episode, demo = (array.astype(kind) for array in pair(rng))
    expected = temporalot.label(episode, demo).rewards
    wide = np.zeros((40, 64), kind)
    wide[:, ::2] = episode
    swapped = episode.astype(episode.dtype.newbyteorder(">"))
    readonly = episode.copy()
    readonly.flags.writeable = False
    for other in (
        np.asfortranarray(episode), wide[:, ::2], episode[::-1].copy()[::-1], swapped, readonly,
        memoryview(episode), episode.reshape(40, 4, 8),
    ):
        assert temporalot.label(other, demo).rewards.tobytes() == expected.tobytes()


def test_torch_and_dlpack(rng):
    needs("torch")
    import torch

    episode, demo = (array.astype(np.float32) for array in pair(rng))
    expected = temporalot.label(episode, demo).rewards.tobytes()
    tensor = torch.from_numpy(episode)
    assert temporalot.label(tensor, torch.from_numpy(demo)).rewards.tobytes() == expected
    assert temporalot.label(tensor.requires_grad_(), demo).rewards.tobytes() == expected
    assert len(temporalot.label(tensor.detach().bfloat16(), demo)) == 40

    class Other:
        def __dlpack__(self, **kwargs):
            return episode.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return episode.__dlpack_device__()

    assert temporalot.label(Other(), demo).rewards.tobytes() == expected

    class Far(Other):
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(ValueError, match=r"\.cpu\(\)"):
        temporalot.label(Far(), demo)


def test_lists_are_taken(rng):
    episode, demo = pair(rng, 10, 4)
    expected = temporalot.label(episode, demo).rewards.tobytes()
    assert temporalot.label(episode.tolist(), demo.tolist()).rewards.tobytes() == expected
    assert temporalot.label(episode, [demo.tolist()]).rewards.tobytes() == expected


GOOD = np.random.default_rng(1).normal(size=(10, 4))
NAN = np.where(np.arange(40).reshape(10, 4) == 13, np.nan, GOOD)
MISTAKES = [
    (dict(method="temporalto"), "did you mean 'temporalot'"),
    (dict(contxt=3), "did you mean 'context'"),
    (dict(context="three"), "three"),
    (dict(context=0), "context"),
    (dict(mask="bnad:3"), "mask"),
    (dict(epsilon=-1.0), "epsilon"),
    (dict(threads=-1), "threads"),
    (dict(method=7), "methods"),
    (dict(episode=GOOD[:, :3]), "3 numbers per step, and the demonstrations have 4"),
    (dict(demos=[GOOD, GOOD[:, :3]]), r"demos\[1\]"),
    (dict(episode=GOOD[0]), "1 dimension"),
    (dict(episode=GOOD.astype(int)), "astype"),
    (dict(episode=GOOD.astype(complex)), "complex"),
    (dict(episode=GOOD.astype(object)), "object"),
    (dict(episode=np.zeros((0, 4))), "holds nothing"),
    (dict(episode=NAN), "step 3"),
    (dict(demos=NAN), "step 3"),
    (dict(episode=np.zeros((5, 4))), "zero"),
    (dict(episode=np.zeros((5, 8, 8, 3), np.uint8)), "Encoder"),
    (dict(episode=np.zeros((5, 8, 8, 3), np.float32)), "Encoder"),
    (dict(episode="episode.npy"), "array"),
    (dict(episode=None), "array"),
    (dict(demos=[]), "none"),
    (dict(demos=None), "array"),
    (dict(episode=[[1.0, 2.0], [3.0]]), "different lengths"),
    (dict(tolerance=float("nan")), "tolerance"),
]


@pytest.mark.parametrize("wrong, words", MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_say_what_to_do(wrong, words):
    given = {"episode": GOOD, "demos": [GOOD], **wrong}
    with pytest.raises(ValueError, match=words):
        temporalot.label(given.pop("episode"), given.pop("demos"), **given)


def test_settings_must_be_numbers_or_texts():
    with pytest.raises(TypeError, match="context"):
        temporalot.label(GOOD, GOOD, context=[3])
    with pytest.raises(ValueError, match="single line"):
        temporalot.label(GOOD, GOOD, mask="none\nepsilon=1")


def test_errors_in_a_batch_name_the_episode():
    with temporalot.Labeler(GOOD, threads=2) as labeler:
        with pytest.raises(ValueError, match="episode 2"):
            labeler.batch([GOOD, GOOD, NAN, GOOD])
        assert len(labeler.batch([])) == 0
        assert len(labeler(GOOD)) == 10


def test_closed_labeler():
    labeler = temporalot.Labeler(GOOD)
    labeler.close()
    labeler.close()
    assert labeler.closed
    with pytest.raises(ValueError, match="closed"):
        labeler(GOOD)


def test_cannot_be_pickled():
    import pickle

    with pytest.raises(TypeError, match="each worker"):
        pickle.dumps(temporalot.Labeler(GOOD))


def test_several_threads_at_once(rng):
    episodes = [pair(rng, steps)[0] for steps in range(20, 40)]
    with temporalot.Labeler(pair(rng)[1], threads=2) as labeler:
        expected = [labeler(episode).rewards.tobytes() for episode in episodes]
        wrong: list[int] = []

        def work() -> None:
            for _ in range(10):
                for k, episode in enumerate(episodes):
                    if labeler(episode).rewards.tobytes() != expected[k]:
                        wrong.append(k)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_use_after_fork(rng):
    episode, demo = pair(rng)
    labeler = temporalot.Labeler(demo, threads=2)
    expected = [labels.rewards.tobytes() for labels in labeler.batch([episode] * 8)]
    child = os.fork()
    if child == 0:
        again = [labels.rewards.tobytes() for labels in labeler.batch([episode] * 8)]
        os._exit(0 if again == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert labeler.batch([episode])[0].rewards.tobytes() == expected[0]


def test_interrupt_in_a_batch(rng, ctrl_c):
    demo = rng.normal(size=(200, 64))
    with temporalot.Labeler(demo, "ot", iterations=2000, tolerance=0.0, threads=1) as labeler:
        ctrl_c(0.3)
        with pytest.raises(KeyboardInterrupt):
            labeler.batch([demo] * 4000)
        assert len(labeler(demo)) == 200


def resident() -> int:
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_nothing_leaks_in_ten_thousand_calls():
    def call() -> None:
        temporalot.label(GOOD, GOOD, details=True)
        with pytest.raises(ValueError):
            temporalot.label(NAN, GOOD)

    for _ in range(500):
        call()
    gc.collect()
    before = resident()
    for _ in range(5000):
        call()
    gc.collect()
    assert resident() - before < 4e6


def test_plot(rng):
    needs("matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    episode, demo = pair(rng)
    figure = temporalot.label(episode, demo, details=True).plot(title="an episode")
    titles = [axis.get_title() for axis in figure.axes]
    assert {"cost", "mask", "plan", "reward (temporalot)"} <= set(titles)
    assert len(temporalot.label(episode, demo).plot().axes) == 1


def test_plot_without_matplotlib(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        temporalot.label(GOOD, GOOD).plot()

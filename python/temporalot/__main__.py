"""``python -m temporalot dataset``: labels LeRobot and Minari datasets from the command line.

All other commands belong to the program ``temporalot``, which runs this module for ``dataset``.
"""

from __future__ import annotations

import argparse
import pathlib
import signal
import sys
import time
from typing import Any, Optional, Union

_ENCODER = ("encoder", "weights", "size")
_REWARD = {
    "context": "frames per context",
    "mask": "none, causal, a width, or dynamic:WIDTH",
    "epsilon": "entropy of the plan",
    "iterations": "Sinkhorn's, at most",
    "scale": "factor of the rewards, or auto",
    "cost": "cosine, euclidean or chord",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="temporalot dataset",
        description="Rewards and progress for every frame of a robot's dataset, from a few good episodes of it.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="label|report")
    label = commands.add_parser(
        "label",
        help="rewards for a dataset",
        description="Labels a LeRobot dataset (v3.0, v2.1), or a Minari dataset. The source is only read; the "
        "output is whole or absent.",
    )
    label.add_argument("root", metavar="ROOT", help="the dataset's folder")
    label.add_argument(
        "--demo-episodes", metavar="K,K", help="numbers of good episodes to compare with, or first-success"
    )
    label.add_argument(
        "--demo", metavar="FILE", action="append", default=[],
        help="a video, an .npz of pictures, or ROOT3:17, episode 17 of another dataset; may be given again",
    )
    label.add_argument("--camera", metavar="KEY", help="the feature with the pictures, as observation.images.front")
    label.add_argument(
        "-o", "--out", metavar="PATH", required=True,
        help="a folder: a new dataset with next.reward and sarm_progress.parquet; F.parquet: that sidecar; F.npz",
    )
    label.add_argument("--overwrite", action="store_true", help="replace next.reward, or an output that is there")
    label.add_argument("--method", metavar="NAME", default="temporalot", help="as in temporalot label")
    for name, told in _REWARD.items():
        label.add_argument(f"--{name}", metavar="X", help=told)
    label.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], help="any other setting of the reward"
    )
    label.add_argument("--encoder", metavar="NAME", help="what turns pictures into embeddings (default mobilenetv2)")
    label.add_argument("--weights", metavar="FILE", help="its weights")
    label.add_argument("--size", metavar="N", type=int, default=128, help="pixels per side (default 128)")
    label.add_argument("-j", "--threads", metavar="N", type=int, default=0, help="0: one per CPU")
    report = commands.add_parser(
        "report",
        help="a page to look at",
        description="A page about a labelled dataset: episodes by reward, with pictures, where each leaves the "
        "demonstration, and the worst ten percent.",
    )
    report.add_argument("root", metavar="ROOT", help="a dataset that `dataset label` has written")
    report.add_argument("-o", "--out", metavar="FILE.html", default="report.html", help="default report.html")
    report.add_argument("--title", metavar="TEXT", help="over the page")
    for command in (label, report):
        command.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    return parser


class _Bar:
    """A progress line on a terminal, with an estimate of the time left."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._started = time.monotonic()
        self._drawn = 0.0

    def __call__(self, done: int, total: int, episode: int) -> None:
        now = time.monotonic()
        if not self._shown or now - self._drawn < 0.2:
            return
        self._drawn = now
        left = (now - self._started) / max(done, 1) * max(total - done, 0)
        print(f"\repisode {episode}: {done} of {total} frames, {left:.0f} s left   ", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Erases the line."""
        if self._drawn:
            print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)


def _demos(asked: argparse.Namespace) -> Union[str, list[Any]]:
    demos: list[Any] = list(asked.demo)
    if asked.demo_episodes == "first-success":
        demos.insert(0, "first-success")
    elif asked.demo_episodes is not None:
        try:
            demos = [int(word) for word in asked.demo_episodes.split(",")] + demos
        except ValueError:
            raise ValueError(
                f"--demo-episodes {asked.demo_episodes}: neither numbers with commas between them nor first-success"
            ) from None
    if not demos:
        raise ValueError("name good episodes to compare with: --demo-episodes 3,17, or --demo FILE")
    return demos


def _settings(asked: argparse.Namespace) -> dict[str, Any]:
    settings = {name: getattr(asked, name) for name in _REWARD if getattr(asked, name) is not None}
    for word in asked.set:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"--set {word}: is not NAME=VALUE")
        settings[name.replace("-", "_")] = value
    return settings


def _label(asked: argparse.Namespace) -> None:
    from . import minari

    if minari.is_dataset(asked.root):
        module: Any = minari
    else:
        from . import lerobot as module
    bar = _Bar(asked.quiet)
    try:
        made = module.label(
            asked.root, _demos(asked), out=asked.out, camera=asked.camera, method=asked.method,
            overwrite=asked.overwrite, threads=asked.threads, progress=bar,
            **{name: getattr(asked, name) for name in _ENCODER}, **_settings(asked),
        )
    finally:
        bar.clear()
    if not asked.quiet:
        print(
            f"{made.episodes} episodes, {made.frames} frames against {', '.join(made.demos)}: "
            f"mean sum of rewards {made.mean_sum:.6g}, mean progress at the end {made.mean_progress:.2f}"
        )
        print(f"wrote {made.out}")
        if pathlib.Path(made.out).is_dir() and module is not minari:
            print(f"temporalot report {made.out} shows the episodes, and which are the worst")


def _report(asked: argparse.Namespace) -> None:
    from ._dataset_page import write_page

    worst = write_page(asked.root, asked.out, asked.title)
    if not asked.quiet:
        print(f"the worst tenth: {','.join(map(str, worst))}")
        print(f"wrote {asked.out}")


def main(words: Optional[list[str]] = None) -> int:
    """Runs a command and returns the exit code."""
    words = sys.argv[1:] if words is None else words
    if words[:1] != ["dataset"]:
        print("temporalot: python -m temporalot dataset label|report; the program temporalot has the other commands",
              file=sys.stderr)
        return 2
    asked = _parser().parse_args(words[1:])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _label(asked) if asked.command == "label" else _report(asked)
    except KeyboardInterrupt:
        print("temporalot: stopped; nothing was written", file=sys.stderr)
        return 130
    except (ValueError, OSError, RuntimeError, ImportError, MemoryError) as error:
        print(f"temporalot: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

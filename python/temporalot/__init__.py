"""TemporalOT: rewards from demonstrations, image encoders, and fast Meta-world environments.

>>> import temporalot
>>> rewards = temporalot.label(episode, demos).rewards          # embeddings -> rewards
>>> embeddings = temporalot.Encoder()("attempt.mp4")            # video -> embeddings
>>> env = gymnasium.make("temporalot/door-open-v3")             # Meta-world, registered on import
"""

from __future__ import annotations

import importlib.util as _importlib_util

from ._library import TemporalOTError, library as _c, text as _text
from .encoder import Encoder, read_frames, write_video
from .rewards import Labeler, Labels, label, methods
from .tasks import Demonstration, Task, benchmarks, collect, load_demonstrations, task, tasks
from .training import Policy, Run, train

__version__: str = _text(_c.tot_version())

__all__ = [
    "Demonstration",
    "Encoder",
    "Labeler",
    "Labels",
    "Policy",
    "Run",
    "Task",
    "TemporalOTError",
    "benchmarks",
    "collect",
    "label",
    "load_demonstrations",
    "methods",
    "read_frames",
    "task",
    "tasks",
    "train",
    "write_video",
]

if _importlib_util.find_spec("gymnasium") is not None:
    from .envs import register_envs as _register_envs
    from .wrappers import OTReward, write_back

    __all__ += ["OTReward", "write_back"]
    _register_envs()
else:

    def __getattr__(name: str) -> object:
        if name in ("OTReward", "write_back"):
            raise ImportError(f"temporalot.{name} needs Gymnasium: pip install 'temporalot[metaworld]'")
        raise AttributeError(f"module 'temporalot' has no attribute {name!r}")

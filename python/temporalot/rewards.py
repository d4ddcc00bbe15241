"""Rewards for every step of an episode, from a comparison with demonstrations."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ._arrays import address, as_array, as_embeddings
from ._library import Handle, Setting, check, library, settings_bytes, text

__all__ = ["Labeler", "Labels", "label", "methods"]

_FACTS = [text(library.tot_flat_fact_name(k)) for k in range(library.tot_flat_fact_count())]
_POINTERS = ctypes.c_void_p * 1
_COUNTS = ctypes.c_int64 * 1
_INTS = ctypes.c_int * 1
_FACT_ROW = ctypes.c_double * len(_FACTS)
# episodes between two checks for Ctrl-C
_CHUNK = 64


@dataclass
class Labels:
    """Rewards of an episode, and facts about how they were computed.

    Attributes
    ----------
    rewards : ndarray of float32, shape (steps,)
        One reward per step.
    demo : int
        Index of the matched demonstration: the one with the largest sum of rewards, unless
        ``match="start"``.
    sum : float
        Sum of the rewards, before rounding to float32.
    iterations : int
        Sinkhorn iterations for that demonstration; 0 for methods without a plan.
    marginal_error : float
        2-norm of the error of the plan's column sums.
    converged : bool
        Whether that is below the tolerance, and no mass is outside the mask.
    mass_outside : float
        Fraction of the plan's mass outside the mask (masks ``dynamic`` and ``causal`` only).
    scale : float
        The scale of the rewards, as determined by ``scale="auto"`` or given.
    method : str
        Name of the method.
    progress : ndarray of float32, shape (steps,), or None
        With ``progress=True``: how far along that demonstration every step is, 0 to 1, from a monotone
        alignment that may end anywhere. It never decreases; an episode that stands still stays at 0.
    cost, mask, plan : ndarray of float64, shape (steps, steps of the demonstration), or None
        With ``details=True``: the context cost, the mask (1 inside, 0 outside), and the transport plan
        (None for methods without one). With a band mask, the cost outside is not computed and is NaN.
    """

    rewards: npt.NDArray[np.float32]
    demo: int
    sum: float
    iterations: int
    marginal_error: float
    converged: bool
    mass_outside: float
    scale: float
    method: str
    progress: Optional[npt.NDArray[np.float32]] = field(default=None, repr=False)
    cost: Optional[npt.NDArray[np.float64]] = field(default=None, repr=False)
    mask: Optional[npt.NDArray[np.float64]] = field(default=None, repr=False)
    plan: Optional[npt.NDArray[np.float64]] = field(default=None, repr=False)

    def plot(self, figure: Any = None, title: Optional[str] = None) -> Any:
        """Plots cost, mask, plan and rewards, as far as they are available.

        Parameters
        ----------
        figure : matplotlib.figure.Figure, optional
            Figure to draw into; a new one by default.
        title : str, optional
            Title of the figure.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ImportError
            matplotlib is not installed.
        """
        from .plotting import plot_labels

        return plot_labels(self, figure, title)

    def __len__(self) -> int:
        return len(self.rewards)


def methods() -> dict[str, str]:
    """The methods of ``label``, each with one line of help."""
    found: dict[str, str] = {}
    while (name := library.tot_flat_method(len(found))) is not None:
        found[text(name)] = text(library.tot_flat_method_help(len(found)))
    return found


def _demo_list(demos: Any) -> list[npt.NDArray[Any]]:
    if isinstance(demos, (list, tuple)):
        if not demos:
            raise ValueError("demos: there is none; pass a list of arrays, each steps x width")
        first = demos[0]
        if np.isscalar(first) or (isinstance(first, (list, tuple)) and np.isscalar(first[0])):
            # nested lists of numbers are a single demonstration
            demos = [np.asarray(demos, dtype=np.float64)]
        return [as_embeddings(demo, f"demos[{k}]") for k, demo in enumerate(demos)]
    array = as_array(demos, "demos")
    if array.ndim == 3 and array.dtype.kind == "f":
        return [as_embeddings(demo, f"demos[{k}]") for k, demo in enumerate(array)]
    return [as_embeddings(array, "demos")]


class Labeler(Handle):
    """Labels many episodes with the same demonstrations and settings.

    Parameters
    ----------
    demos : array or sequence of arrays, each of shape (steps, width)
        The expert's embeddings, float16, float32 or float64: numpy, PyTorch on the CPU, or anything
        with ``__dlpack__`` or the buffer protocol. They are copied. A single array is one
        demonstration; an array of shape (count, steps, width) is several.
    method : str
        A name from `methods`.
    context, mask, epsilon, iterations, scale, cost : optional
        Settings of the reward; None: the method's default. ``mask`` is ``"none"``, ``"causal"``, a
        width (``10`` or ``"band:10"``) or ``"dynamic:10"``; ``scale`` may be ``"auto"``: the first
        episode is labelled with scale 1 and determines the scale of all others; ``cost`` is
        ``"cosine"``, ``"euclidean"`` or ``"chord"``.
    threads : int
        Episodes of a batch are labelled in parallel, and the work on a large one is split between
        threads; 0: one thread per CPU. The rewards do not depend on the number of threads.
    **settings
        Any other setting of the reward by name (``docs/rewards.md``), such as ``tolerance=1e-6``.

    Notes
    -----
    C-contiguous float32 and float64 arrays are used without a copy. Other layouts and float16 are
    copied first. Calls from several threads are serialised.

    Raises
    ------
    ValueError
        An unknown method or setting (the closest one is suggested), arrays that do not fit, NaN.

    Examples
    --------
    >>> import numpy as np, temporalot
    >>> expert = np.eye(4, dtype=np.float32)
    >>> with temporalot.Labeler(expert, context=1) as labeler:
    ...     labeler(expert).rewards.shape
    (4,)
    """

    _free = "tot_flat_labeler_free"

    def __init__(
        self,
        demos: Any,
        method: str = "temporalot",
        *,
        context: Optional[int] = None,
        mask: Union[str, int, None] = None,
        epsilon: Optional[float] = None,
        iterations: Optional[int] = None,
        scale: Union[float, str, None] = None,
        cost: Optional[str] = None,
        threads: int = 0,
        **settings: Setting,
    ) -> None:
        super().__init__()
        if not isinstance(method, str):
            raise ValueError(f"method: {method!r} is not a name; temporalot.methods() lists them")
        arrays = _demo_list(demos)
        given: dict[str, Setting] = dict(
            context=context, mask=mask, epsilon=epsilon, iterations=iterations, scale=scale, cost=cost
        )
        pointer = ctypes.c_void_p()
        check(
            library.tot_flat_labeler_create(
                ctypes.byref(pointer),
                method.encode(),
                settings_bytes({**given, **settings}),
                int(threads),
            )
        )
        self._pointer = pointer.value
        self._method = method
        for k, demo in enumerate(arrays):
            steps, width = demo.shape
            name = b"demos[%d]" % k if len(arrays) > 1 else b"demos"
            check(
                library.tot_flat_labeler_add(
                    self._pointer, address(demo), demo.itemsize, steps, width, name
                )
            )
        self._width = int(arrays[0].shape[1])
        self._steps = [demo.shape[0] for demo in arrays]
        # arguments of the call for a single episode, reused: creating them takes as long as the call
        self._episode, self._rewards = _POINTERS(), _POINTERS()
        self._bytes, self._count = _INTS(), _COUNTS()
        self._facts = _FACT_ROW()

    @property
    def method(self) -> str:
        """Name of the method."""
        return self._method

    @property
    def width(self) -> int:
        """Values per step."""
        return self._width

    @property
    def has_plan(self) -> bool:
        """Whether the method computes a transport plan."""
        return bool(library.tot_flat_labeler_has_plan(self._handle()))

    @property
    def demo_steps(self) -> list[int]:
        """Number of steps of every demonstration."""
        return list(self._steps)

    def __enter__(self) -> Labeler:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, episode: Any, details: bool = False, progress: bool = False) -> Labels:
        """Labels one episode.

        Parameters
        ----------
        episode : array, shape (steps, width)
            The agent's embeddings, of the same width as the demonstrations'.
        details : bool
            Whether to return cost, mask and plan.
        progress : bool
            Whether to compute how far along the demonstration every step is.

        Returns
        -------
        Labels
        """
        array = as_embeddings(episode, "episode")
        if details or progress:
            return self._label([array], details, progress)[0]
        return self._label_one(array)

    def batch(
        self, episodes: Iterable[Any], details: bool = False, progress: bool = False
    ) -> list[Labels]:
        """Labels many episodes, in parallel on all threads.

        Parameters
        ----------
        episodes : iterable of arrays, each of shape (steps, width)
            Their lengths may differ.
        details : bool
            Whether to return cost, mask and plan.
        progress : bool
            Whether to compute how far along the demonstration every step is.

        Returns
        -------
        list of Labels
            In the order of the episodes.
        """
        arrays = [as_embeddings(episode, f"episodes[{k}]") for k, episode in enumerate(episodes)]
        labels: list[Labels] = []
        for k in range(0, len(arrays), _CHUNK):
            labels += self._label(arrays[k : k + _CHUNK], details, progress)
        return labels

    def _check_width(self, array: npt.NDArray[Any], name: str) -> None:
        if array.shape[1] != self._width:
            raise ValueError(
                f"{name}: {array.shape[1]} numbers per step, and the demonstrations have "
                f"{self._width}; both must come from the same encoder with the same settings"
            )

    def _label_one(self, array: npt.NDArray[Any]) -> Labels:
        """Only the rewards of a single episode, with as little overhead as possible."""
        self._check_width(array, "episode")
        steps = array.shape[0]
        rewards = np.empty(steps, np.float32)
        with self._guard():
            self._episode[0] = array.ctypes.data
            self._rewards[0] = rewards.ctypes.data
            self._bytes[0] = array.itemsize
            self._count[0] = steps
            check(
                library.tot_flat_label(
                    self._handle(), 1, self._episode, self._bytes, self._count, self._width, self._rewards,
                    None, None, None, None, self._facts,
                )
            )
            row = self._facts[:]
        return self._labels(rewards, None, row, {})

    def _label(
        self, arrays: Sequence[npt.NDArray[Any]], details: bool, progress: bool
    ) -> list[Labels]:
        count = len(arrays)
        for k, array in enumerate(arrays):
            self._check_width(array, "episode" if count == 1 else f"episodes[{k}]")
        rewards = [np.empty(len(array), np.float32) for array in arrays]
        along = [np.empty(len(array), np.float32) for array in arrays] if progress else None
        facts = np.empty((count, len(_FACTS)))
        matrices: dict[str, list[npt.NDArray[np.float64]]] = {}
        if details:
            kinds = ("cost", "mask", "plan") if self.has_plan else ("cost", "mask")
            longest = max(self._steps)
            matrices = {
                kind: [np.empty(len(array) * longest) for array in arrays] for kind in kinds
            }
        pointers, counts = ctypes.c_void_p * count, ctypes.c_int64 * count
        ints = ctypes.c_int * count
        buffers = [
            pointers(*map(address, matrices[kind])) if kind in matrices else None
            for kind in ("cost", "mask", "plan")
        ]
        with self._guard():
            check(
                library.tot_flat_label(
                    self._handle(),
                    count,
                    pointers(*map(address, arrays)),
                    ints(*(array.itemsize for array in arrays)),
                    counts(*map(len, arrays)),
                    self._width,
                    pointers(*map(address, rewards)),
                    None if along is None else pointers(*map(address, along)),
                    *buffers,
                    address(facts),
                )
            )
        return [
            self._labels(
                rewards[k],
                None if along is None else along[k],
                facts[k].tolist(),
                {name: kept[k] for name, kept in matrices.items()},
            )
            for k in range(count)
        ]

    def _labels(
        self,
        rewards: npt.NDArray[np.float32],
        progress: Optional[npt.NDArray[np.float32]],
        row: list[float],
        buffers: dict[str, npt.NDArray[np.float64]],
    ) -> Labels:
        told = dict(zip(_FACTS, row))
        demo = int(told["demo"])
        shape = (len(rewards), self._steps[demo])
        return Labels(
            rewards=rewards,
            demo=demo,
            sum=told["sum"],
            iterations=int(told["iterations"]),
            marginal_error=told["marginal_error"],
            converged=told["converged"] != 0,
            mass_outside=told["mass_outside"],
            scale=told["scale"],
            method=self._method,
            progress=progress,
            **{name: buffer[: shape[0] * shape[1]].reshape(shape) for name, buffer in buffers.items()},
        )


def label(
    episode: Any,
    demos: Any,
    method: str = "temporalot",
    *,
    context: Optional[int] = None,
    mask: Union[str, int, None] = None,
    epsilon: Optional[float] = None,
    iterations: Optional[int] = None,
    scale: Union[float, str, None] = None,
    cost: Optional[str] = None,
    details: bool = False,
    progress: bool = False,
    threads: int = 1,
    **settings: Setting,
) -> Labels:
    """Labels one episode against demonstrations.

    Parameters
    ----------
    episode : array, shape (steps, width)
        The agent's embeddings, float16, float32 or float64.
    demos : array or sequence of arrays, each of shape (steps, width)
        The expert's embeddings.
    method : str
        A name from `methods`.
    context, mask, epsilon, iterations, scale, cost, threads, **settings
        As in `Labeler`.
    details : bool
        Whether to return cost, mask and plan, which ``Labels.plot`` shows.
    progress : bool
        Whether to compute how far along the demonstration every step is.

    Returns
    -------
    Labels
        Its ``rewards`` have shape (steps,).

    Examples
    --------
    >>> import numpy as np, temporalot
    >>> rng = np.random.default_rng(0)
    >>> demo = rng.normal(size=(60, 512)).astype(np.float32)
    >>> result = temporalot.label(demo[:50], demo, mask=10)
    >>> result.rewards.shape, result.demo
    ((50,), 0)
    """
    with Labeler(
        demos,
        method,
        context=context,
        mask=mask,
        epsilon=epsilon,
        iterations=iterations,
        scale=scale,
        cost=cost,
        threads=threads,
        **settings,
    ) as labeler:
        return labeler(episode, details, progress)

"""Plots of a labelled episode. Needs matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

if TYPE_CHECKING:
    from .rewards import Labels

__all__ = ["plot_labels"]


def _matplotlib() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: pip install matplotlib") from error
    return pyplot


def plot_labels(labels: Labels, figure: Any = None, title: Optional[str] = None) -> Any:
    """Plots cost, mask, plan and rewards of an episode side by side.

    Parameters
    ----------
    labels : Labels
        Computed with ``details=True`` to show more than the rewards.
    figure : matplotlib.figure.Figure, optional
        Figure to draw into; a new one by default.
    title : str, optional
        Title of the figure.

    Returns
    -------
    matplotlib.figure.Figure
    """
    pyplot = _matplotlib()
    shown = [
        (name, matrix)
        for name, matrix in (("cost", labels.cost), ("mask", labels.mask), ("plan", labels.plan))
        if matrix is not None
    ]
    if figure is None:
        figure = pyplot.figure(figsize=(3.2 * (len(shown) + 1), 3.2), layout="constrained")
    axes = np.atleast_1d(figure.subplots(1, len(shown) + 1))
    for axis, (name, matrix) in zip(axes, shown):
        image = axis.imshow(
            np.where(np.isfinite(matrix), matrix, np.nan), aspect="auto", origin="upper",
            cmap="gray" if name == "mask" else "viridis", interpolation="nearest",
        )
        axis.set_title(name)
        axis.set_xlabel("step of the demonstration")
        axis.set_ylabel("step of the episode")
        if name != "mask":
            figure.colorbar(image, ax=axis, shrink=0.8)
    axes[-1].plot(labels.rewards, color="tab:blue")
    axes[-1].set_title(f"reward ({labels.method})")
    axes[-1].set_xlabel("step of the episode")
    axes[-1].margins(x=0)
    if title is not None:
        figure.suptitle(title)
    return figure

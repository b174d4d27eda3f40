"""Figures, one file each: a PNG, the CSV that it was drawn from, and a JSON with its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crtools.errors import InputError
from crtools.plotting.figure import Figure

FIGURES: tuple[str, ...] = (
    "log-fit", "geometric", "two-point", "convergence", "transitions", "lengths", "exp-1", "exp-2", "exp-3",
)  # fmt: skip
"""The names that ``figure`` knows."""

__all__ = ["FIGURES", "Figure", "figure"]


def figure(name: str, progress: Callable[[Sequence[Any]], Any] = iter) -> Figure:
    """Compute a figure's data and return it, ready to be saved. Raises ``InputError`` for an unknown name."""
    if name == "log-fit":
        from crtools.papers.adaptive.figures.log_fit import log_fit

        return log_fit(progress)
    if name == "geometric":
        from crtools.papers.adaptive.figures.geometric import geometric

        return geometric()
    if name == "convergence":
        from crtools.papers.adaptive.figures.convergence import convergence

        return convergence(progress)
    if name == "transitions":
        from crtools.papers.adaptive.figures.transitions import transitions_figure

        return transitions_figure(progress)
    if name == "two-point":
        from crtools.papers.adaptive.figures.two_point import two_point

        return two_point()
    if name == "lengths":
        from crtools.papers.adaptive.figures.lengths import lengths_figure

        return lengths_figure()
    if name in ("exp-1", "exp-2", "exp-3"):
        from crtools.papers.adaptive.figures.experiments import experiment_figure

        return experiment_figure(int(name[-1]), progress)
    raise InputError("figure", name, f"must be one of {', '.join(FIGURES)}, or all")

"""Figures: a PNG, the CSV that it was drawn from, and a JSON with its numbers. Ledgers bring them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from crtools.installed_ledgers import brought
from crtools.names import canonical
from crtools.plotting.figure import Drawing, Figure
from crtools.plotting.slider import Slider

__all__ = ["Figure", "Slider", "figure", "known_figures"]


@cache
def known_figures() -> dict[str, Drawing]:
    """Return what draws each figure of the installed ledgers, by its name."""
    return brought("figures", {})


def figure(name: str, progress: Callable[[Sequence[Any]], Any] = iter, **parameters: Any) -> Figure:
    """Compute a figure's data and return it, ready to be saved.

    ``parameters`` are the figure's own (``crtools figure NAME --help``), as values or as on the command line. Raises
    ``InputError`` for an unknown name, a parameter that the figure has not, or a bad value.

    >>> figure("hsf-lower").fits["optimum"]["text"]
    'total latency 12'
    >>> figure("hsf-lower", lengths="1,1,1,1", memory=4).fits["H-SF"]["text"]
    'total latency 6'
    """
    own = canonical("figure", name, known_figures())
    return known_figures()[own](progress, own, **parameters)

"""Figures: a picture, the CSV that it was drawn from, and a JSON file with its numbers. Ledgers bring them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from crtools.installed_ledgers import brought
from crtools.names import canonical
from crtools.plotting.figure import Drawing, Figure, Slider

__all__ = ["Figure", "Slider", "figure", "known_figures"]


@cache
def known_figures() -> dict[str, Drawing]:
    """Return the figures of the installed ledgers by name."""
    return brought("figures", {})


def figure(name: str, progress: Callable[[Sequence[Any]], Any] = iter, **parameters: object) -> Figure:
    """Compute a figure's data and return it, ready to be saved.

    Parameters
    ----------
    name
        One of :func:`known_figures` (``crtools list figures``).
    progress
        Wraps the steps of the computation, as ``tqdm`` does.
    **parameters
        The figure's own (``crtools figure NAME --help``), as values or as on the command line.

    Returns
    -------
    Figure
        The data with what draws it: ``.save(folder)``, ``.data``, ``.table()``.

    Raises
    ------
    InputError
        For an unknown name, a parameter that the figure does not have, or a bad value.

    Examples
    --------
    >>> figure("hsf-lower").fits["optimum"]["text"]
    'total latency 12'
    >>> figure("hsf-lower", lengths="1,1,1,1", memory=4).fits["H-SF"]["text"]
    'total latency 6'
    """
    full_name = canonical("figure", name, known_figures())
    return known_figures()[full_name](progress, full_name, **parameters)

"""The figures of the further results, one file each."""

from __future__ import annotations

from typing import Any

from crtools.plotting.figure import Drawing
from crtools.plotting.parameters import Parameter, whole


def _blind(progress: Any) -> Any:
    from crtools.papers.beyond.figures.blind import blind

    return blind(progress)


def _minimax(progress: Any, u: int) -> Any:
    from crtools.papers.beyond.figures.minimax import minimax_map

    return minimax_map(progress, u)


FIGURES: dict[str, Drawing] = {
    "blind": Drawing(
        "simulated: a-offset stays near ρ*, A_min and A_max grow with $u$", _blind, ("blind-upper", "blind-lower")
    ),
    "minimax": Drawing(
        "certified: the best blind worst case on $[\\ell, u]$, by $\\ell/u$ and $s/\\ell$", _minimax, ("minimax-closes",),
        {"u": Parameter("the largest length; 100 take several minutes", "20", whole(2, 100))},
    ),
}  # fmt: skip
"""By name."""

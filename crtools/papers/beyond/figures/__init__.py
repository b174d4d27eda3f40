"""The figures of the further results, one file each."""

from __future__ import annotations

from typing import Any

from crtools.plotting.figure import Drawing


def _blind(progress: Any) -> Any:
    from crtools.papers.beyond.figures.blind import blind

    return blind(progress)


FIGURES: dict[str, Drawing] = {
    "blind": Drawing(
        "simulated: a-offset stays near ρ*, A_min and A_max grow with $u$", _blind, ("blind-upper", "blind-lower")
    )
}
"""By name."""

"""What the installed ledgers have proved about worst cases: Perron structure, formulas, bounds from both sides, intervals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NamedTuple

from crtools.enclosure import Enclosure
from crtools.forms import Form
from crtools.installed_ledgers import installed


class Formula(NamedTuple):
    """A pair of forms with a proved worst case: S as a function of (l, u, s), in balls, and the theorem's name."""

    policy: Form
    against: Form
    rest: Callable[[int, int, int], Any]
    theorem: str


class TwoSided(NamedTuple):
    """A pair of forms with proved bounds from both sides as a function of (l, u, s), in a time that hardly grows with u."""

    policy: Form
    against: Form
    bounds: Callable[[int, int, int], Enclosure]


class WorstCases(NamedTuple):
    """What a theory proves: pairs (N, D) with D⁻¹N > 0 for every s ≥ 0 and u ≥ l ≥ 1, formulas, and bounds.

    All of these are for one interval. ``blockwise``: pairs whose worst case on several is the largest of theirs.
    """

    positive: tuple[tuple[Form, Form], ...] = ()
    proved: tuple[Formula, ...] = ()
    bounded: tuple[TwoSided, ...] = ()
    blockwise: tuple[tuple[Form, Form], ...] = ()


@cache
def _every() -> list[WorstCases]:
    return [ledger.worst_cases() for ledger in installed().values() if ledger.worst_cases is not None]


def known(
    what: Literal["positive", "proved", "bounded", "blockwise"], policy: Form, against: Form
) -> tuple[Any, ...] | None:
    """Return what an installed ledger says of a pair of forms under this name, or None."""
    rows = (row for own in _every() for row in getattr(own, what))
    return next((row for row in rows if row[0] is policy and row[1] is against), None)

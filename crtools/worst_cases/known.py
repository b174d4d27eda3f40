"""What the installed ledgers have proved about worst cases: Perron structure, formulas, bounds from both sides, intervals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from crtools.enclosure import Enclosure
from crtools.forms import Form
from crtools.installed import installed


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

    ``blockwise``: pairs whose worst case on several intervals is the largest of the intervals'.
    """

    positive: tuple[tuple[Form, Form], ...] = ()
    proved: tuple[Formula, ...] = ()
    bounded: tuple[TwoSided, ...] = ()
    blockwise: tuple[tuple[Form, Form], ...] = ()


@cache
def known() -> WorstCases:
    """Return what all installed ledgers prove, taken together."""
    proved = [ledger.worst_cases() for ledger in installed().values() if ledger.worst_cases is not None]
    return WorstCases(
        tuple(pair for own in proved for pair in own.positive),
        tuple(formula for own in proved for formula in own.proved),
        tuple(bounds for own in proved for bounds in own.bounded),
        tuple(pair for own in proved for pair in own.blockwise),
    )

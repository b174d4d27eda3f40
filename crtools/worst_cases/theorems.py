"""The theorems of the installed ledgers about worst cases: Perron structure, formulas, two-sided bounds, intervals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from crtools.enclosure import Enclosure
from crtools.forms import Form
from crtools.installed_ledgers import installed
from crtools.numeric_types import Ball


class Formula(NamedTuple):
    """A pair of forms with a proved worst case: S as a function of (l, u, s), in balls, and the theorem's name."""

    policy: Form
    against: Form
    rest: Callable[[int, int, int], Ball]
    theorem: str


class TwoSided(NamedTuple):
    """A pair of forms with proved bounds from both sides as a function of (l, u, s), in a time that hardly grows with u."""

    policy: Form
    against: Form
    bounds: Callable[[int, int, int], Enclosure]


class WorstCases(NamedTuple):
    """The theorems of a ledger about worst cases: pairs (N, D) with D⁻¹N > 0 for every s ≥ 0 and u ≥ l ≥ 1, formulas, and bounds.

    All of these are for one interval. ``blockwise``: pairs whose worst case on several is the largest of theirs.
    """

    positive: tuple[tuple[Form, Form], ...] = ()
    proved: tuple[Formula, ...] = ()
    bounded: tuple[TwoSided, ...] = ()
    blockwise: tuple[tuple[Form, Form], ...] = ()


@cache
def _installed() -> list[WorstCases]:
    return [ledger.worst_cases() for ledger in installed().values() if ledger.worst_cases is not None]


def theorems_about(policy: Form, against: Form) -> WorstCases:
    """Return what the installed ledgers prove about one pair of forms."""
    return WorstCases(
        *(
            tuple(row for rows in field for row in rows if row[0] is policy and row[1] is against)
            for field in zip(*_installed(), strict=True)
        )
    )

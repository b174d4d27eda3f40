"""The theorems of the installed ledgers about worst cases: Perron structure, formulas, two-sided bounds, intervals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

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


class PairTheorems(NamedTuple):
    """The theorems about one pair of forms: ``positive`` and ``blockwise`` as in :class:`WorstCases`."""

    positive: bool
    proved: Formula | None
    bounded: TwoSided | None
    blockwise: bool


@cache
def _installed() -> list[WorstCases]:
    return [ledger.worst_cases() for ledger in installed().values() if ledger.worst_cases is not None]


def theorems_about(policy: Form, against: Form) -> PairTheorems:
    """Return what the installed ledgers prove about a pair of forms."""

    def is_the_pair(row: tuple[Any, ...]) -> bool:
        return row[0] is policy and row[1] is against

    theories = _installed()
    return PairTheorems(
        positive=any(is_the_pair(row) for theory in theories for row in theory.positive),
        proved=next((row for theory in theories for row in theory.proved if is_the_pair(row)), None),
        bounded=next((row for theory in theories for row in theory.bounded if is_the_pair(row)), None),
        blockwise=any(is_the_pair(row) for theory in theories for row in theory.blockwise),
    )

"""What the installed ledgers have proved about worst cases: pairs with Perron structure, and pairs with a formula."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from crtools.forms import Form
from crtools.installed import installed


class Formula(NamedTuple):
    """A pair of forms with a proved worst case: S as a function of (l, u, s), in balls, and the theorem's name."""

    policy: Form
    against: Form
    rest: Callable[[int, int, int], Any]
    theorem: str


class WorstCases(NamedTuple):
    """What a theory proves: pairs (N, D) with D⁻¹N > 0 for every s ≥ 0 and u ≥ l ≥ 1, and formulas."""

    positive: tuple[tuple[Form, Form], ...] = ()
    proved: tuple[Formula, ...] = ()


@cache
def known() -> WorstCases:
    """Return what all installed ledgers prove, taken together."""
    proved = [ledger.worst_cases() for ledger in installed().values() if ledger.worst_cases is not None]
    return WorstCases(
        tuple(pair for own in proved for pair in own.positive),
        tuple(formula for own in proved for formula in own.proved),
    )

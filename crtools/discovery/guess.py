"""Formulas for measured entries: a guess from some of them that others confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from crtools.discovery.entries import Entries, Point
from crtools.discovery.interpolation import Formula, confirms, interpolate
from crtools.discovery.third_differences import ThirdDifferences

FITTED = tuple((i, j, s) for i, j in combinations(range(1, 5), 2) for s in range(3))
"""The lengths i < j and the s whose entries make the guess."""

HELD_BACK = ((2, 5, 1), (3, 5, 3), (4, 5, 0), (1, 6, 2))
"""Those that confirm it; the first is measured first."""

Values = Mapping[Point, Fraction]


@dataclass(frozen=True)
class Guess:
    """One formula for i ≤ j, or three at (l, l), (l, u) and (u, u). fitted, confirmed: how many values made and confirm each."""

    formulas: tuple[Formula, ...]
    fitted: int
    confirmed: int


def guess(entries: Mapping[Point, Entries]) -> Guess | None:
    """Return formulas through the entries at ``FITTED`` that those at ``HELD_BACK`` confirm, or None."""
    for count in (1, 3):
        fit, held = (values({at: entries[at] for at in part}, count) for part in (FITTED, HELD_BACK))
        if values(entries, count) is None or fit is None or held is None:
            continue
        formulas = [interpolate(*halves) for halves in zip(fit, held, strict=True)]
        found = tuple(formula for formula in formulas if formula is not None)
        if len(found) == count:
            return Guess(found, len(fit[0]), len(held[0]))
    return None


def values(entries: Mapping[Point, Entries], count: int) -> tuple[Values, ...] | None:
    """Return what one or three formulas have to give; None where one on the diagonal would depend on the other length."""
    if count == 3:
        return tuple({at: getattr(e, part) for at, e in entries.items()} for part in ("low", "mixed", "high"))
    merged: dict[Point, Fraction] = {}
    for (i, j, s), e in entries.items():
        for at, value in (((i, i, s), e.low), ((i, j, s), e.mixed), ((j, j, s), e.high)):
            if merged.setdefault(at, value) != value:
                return None
    return (merged,)


def agree(formulas: Sequence[Formula], entries: Mapping[Point, Entries]) -> int:
    """Return how many values each of the formulas has to give, and does; 0 where one does not."""
    wanted = values(entries, len(formulas))
    if wanted is None or not all(confirms(f, part) for f, part in zip(formulas, wanted, strict=True)):
        return 0
    return len(wanted[0])


def at_shares(formula: Formula, pattern: Sequence[int], s: int) -> Fraction:
    """Return the form with this entry at the shares of a pattern of lengths."""
    pairs = [(Fraction(min(a, b)), Fraction(max(a, b))) for a in pattern for b in pattern]
    return sum((formula.function(i, j, Fraction(s)) for i, j in pairs), Fraction(0)) / len(pattern) ** 2


def apart(formulas: Sequence[Formula], before: ThirdDifferences, last: ThirdDifferences) -> float:
    """Return how far the formulas are from the values at random orders, extrapolated to n/M → ∞, at most."""
    i, j, s = map(Fraction, last.at)
    at = ((i, i, s), (i, j, s), (j, j, s)) if len(formulas) == 1 else ((i, j, s),) * 3
    low, mixed, high = (f.function(*p) for f, p in zip((*formulas,) * (3 // len(formulas)), at, strict=True))
    weight = last.n / last.memory / (last.n / last.memory - before.n / before.memory)
    steps = len(last.values) - 1
    worst = 0.0
    for k, (one, two) in enumerate(zip(before.values, last.values, strict=True)):
        share = Fraction(k, steps)
        form = float(share**2 * low + 2 * share * (1 - share) * mixed + (1 - share) ** 2 * high)
        worst = max(worst, abs(one + weight * (two - one) - form) / form if form else float("inf"))
    return worst

"""The entries of a form on two lengths, and formulas for them: rational functions of i, j and s through some, confirmed by the others.

Ansätze are tried from the simplest on: homogeneous of degree 2 with denominators of degree 0 and 1, then polynomials of total
degree 2 and 3. A function is accepted only if it is the only one through the points and passes through every held-back point.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from types import CodeType
from typing import Self

from crtools.enclosure import kernel, rational
from crtools.errors import InputError
from crtools.forms import known_forms
from crtools.forms.rational_entry import Entry
from crtools.numeric_types import RingElement, SymObject
from crtools.setting import Setting

Point = tuple[int, int, int]
"""Two lengths i ≤ j and the prompt size s."""


@dataclass(frozen=True)
class Entries:
    """The entries of a form on two lengths i < j: at (i, i), (i, j) and (j, j)."""

    low: RingElement
    mixed: RingElement
    high: RingElement


def at_shares(entry: Entry, pattern: Sequence[int], s: int) -> Fraction:
    """Return the value of the form with this entry at the shares of a pattern of lengths."""
    pairs = (sorted(map(Fraction, pair)) for pair in product(pattern, repeat=2))
    return sum((entry(i, j, Fraction(s)) for i, j in pairs), Fraction(0)) / len(pattern) ** 2


def known_form(values: Mapping[tuple[Setting, int, int], RingElement]) -> str | None:
    """Return a known form's name with these values of entries (i, j) in settings, those that need no l and u first; or None."""
    for name, form in sorted(known_forms().items(), key=lambda item: item[1].bind is not None):
        with suppress(InputError):
            if all(form.on(setting).entry(i, j) == value for (setting, i, j), value in values.items()):
                return name
    return None


Powers = tuple[Point, ...]
"""The exponents of i, j and s in the monomials of a polynomial."""


def _powers(low: int, high: int) -> Powers:
    """Return the exponents of total degree low, …, high."""
    return tuple((a, b, c) for a, b, c in product(range(high + 1), repeat=3) if low <= a + b + c <= high)


ANSATZE: tuple[tuple[Powers, Powers], ...] = (
    (_powers(2, 2), _powers(0, 0)),
    (_powers(3, 3), _powers(1, 1)),
    (_powers(0, 2), _powers(0, 0)),
    (_powers(0, 3), _powers(0, 0)),
)
"""The monomials of numerator and denominator, in the order in which they are tried.

The last has 21 unknowns: it is never tried for three formulas, which go through 18 points each.
"""

FITTED = tuple((i, j, s) for i, j in combinations(range(1, 5), 2) for s in range(3))
"""The lengths i < j and the s whose entries make the guess."""

HELD_BACK = ((2, 5, 1), (3, 5, 3), (4, 5, 0), (1, 6, 2))
"""Those that confirm it; the first is measured first."""

Values = Mapping[Point, Fraction]
"""Exact values at (i, j, s)."""


@dataclass(frozen=True)
class Formula:
    """A rational function of i, j and s as text that Python and SymPy read."""

    text: str

    @classmethod
    def of(cls, value: SymObject) -> Self:
        """Return the formula of a SymPy expression, factored."""
        from sympy import factor

        factored: SymObject = factor(value)
        return cls(f"({factored.p} + 0*i)/{factored.q}" if factored.is_Rational else str(factored))

    def function(self, i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        """Return the value at fractions, balls, symbols or arrays."""
        return eval(_code(self.text), {"__builtins__": {}}, {"i": i, "j": j, "s": s})


@cache
def _code(text: str) -> CodeType:
    return compile(text, "formula", "eval")


def interpolate(points: Values, held_back: Values) -> Formula | None:
    """Return the simplest rational function through ``points`` that passes through those held back, or None.

    points, held_back: exact values at (i, j, s). At least one point must be held back, or nothing is returned.
    """
    for above, below in ANSATZE:
        formula = _through(points, above, below)
        if formula is not None:
            return formula if held_back and confirms(formula, held_back) else None
    return None


def confirms(formula: Formula, points: Values) -> bool:
    """Return whether the formula has exactly these values."""
    try:
        return all(formula.function(*map(Fraction, point)) == value for point, value in points.items())
    except ZeroDivisionError:
        return False


def _through(points: Values, above: Powers, below: Powers) -> Formula | None:
    """Return P/Q with P(point) = value · Q(point) at every point, factored, where there is one and only one."""
    from sympy import symbols

    unknowns = len(above) + len(below)
    if len(points) <= unknowns:
        return None
    rows = [
        [*(_monomial(p, at) for p in above), *(-value * _monomial(p, at) for p in below)]
        for at, value in points.items()
    ]
    factors = kernel([[rational(x) for x in row] for row in rows])
    if factors is None:
        return None
    terms = [c * _monomial(p, symbols("i j s")) for c, p in zip(factors, above + below, strict=True)]
    denominator = sum(terms[len(above) :])
    return None if denominator == 0 else Formula.of(sum(terms[: len(above)]) / denominator)


def _monomial(powers: Point, at: Sequence[RingElement]) -> RingElement:
    return at[0] ** powers[0] * at[1] ** powers[1] * at[2] ** powers[2]


@dataclass(frozen=True)
class Guess:
    """One formula for i ≤ j, or three at (l, l), (l, u) and (u, u). fitted, confirmed: how many values made and confirm each."""

    formulas: tuple[Formula, ...]
    fitted: int
    confirmed: int


def guess(entries: Mapping[Point, Entries]) -> Guess | None:
    """Return formulas through the entries at ``FITTED`` that those at ``HELD_BACK`` confirm, or None."""
    for count in (1, 3):
        fit, held = (per_formula({at: entries[at] for at in part}, count) for part in (FITTED, HELD_BACK))
        if per_formula(entries, count) is None or fit is None or held is None:
            continue
        formulas = tuple(filter(None, map(interpolate, fit, held)))
        if len(formulas) == count:
            return Guess(formulas, len(fit[0]), len(held[0]))
    return None


def per_formula(entries: Mapping[Point, Entries], count: int) -> tuple[Values, ...] | None:
    """Return the values that one or three formulas must have; None if one formula would need two values at a point."""
    if count == 3:
        return tuple({at: getattr(e, part) for at, e in entries.items()} for part in ("low", "mixed", "high"))
    merged: dict[Point, Fraction] = {}
    for (i, j, s), e in entries.items():
        for at, value in (((i, i, s), e.low), ((i, j, s), e.mixed), ((j, j, s), e.high)):
            if merged.setdefault(at, value) != value:
                return None
    return (merged,)


def number_confirmed(formulas: Sequence[Formula], entries: Mapping[Point, Entries]) -> int:
    """Return the number of values that confirm each formula; 0 where one value differs."""
    wanted = per_formula(entries, len(formulas))
    if wanted is None or not all(confirms(f, part) for f, part in zip(formulas, wanted, strict=True)):
        return 0
    return len(wanted[0])

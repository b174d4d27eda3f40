"""A rational function of i, j and s through exact points, found on some of them and confirmed on others held back.

Ansätze are tried from the simplest on: homogeneous of degree 2 with denominators of degree 0 and 1, then polynomials of
total degree 2 and 3. One is taken only where the points leave a single function and every held-back point lies on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from crtools.discovery.entries import Point
from crtools.enclosure import kernel, rational

Powers = tuple[Point, ...]
"""The exponents of i, j and s in the monomials of a polynomial."""


def _powers(least: int, most: int) -> Powers:
    every = product(range(most + 1), range(most + 1), range(most + 1))
    return tuple(p for p in every if least <= sum(p) <= most)


ANSATZE: tuple[tuple[Powers, Powers], ...] = (
    (_powers(2, 2), _powers(0, 0)),
    (_powers(3, 3), _powers(1, 1)),
    (_powers(0, 2), _powers(0, 0)),
    (_powers(0, 3), _powers(0, 0)),
)
"""The monomials of numerator and denominator, in the order in which they are tried."""


@dataclass(frozen=True)
class Formula:
    """A rational function of i, j and s as text that Python and SymPy read."""

    text: str

    @classmethod
    def of(cls, value: Any) -> Formula:
        """Return the formula of a SymPy expression, factored."""
        from sympy import factor

        found: Any = factor(value)
        return cls(f"({found.p} + 0*i)/{found.q}" if found.is_Rational else str(found))

    @cached_property
    def function(self) -> Callable[[Any, Any, Any], Any]:
        """The formula as a function of i, j and s: fractions, balls, symbols and arrays."""
        code = compile(self.text, "formula", "eval")
        return lambda i, j, s: eval(code, {"__builtins__": {}}, {"i": i, "j": j, "s": s})


def interpolate(points: Mapping[Point, Fraction], held_back: Mapping[Point, Fraction]) -> Formula | None:
    """Return the simplest rational function through ``points`` that passes through those held back, or None.

    points, held_back: exact values at (i, j, s). At least one point must be held back, or nothing is returned.
    """
    for above, below in ANSATZE:
        formula = _through(points, above, below)
        if formula is not None:
            return formula if held_back and confirms(formula, held_back) else None
    return None


def confirms(formula: Formula, points: Mapping[Point, Fraction]) -> bool:
    """Return whether the formula has exactly these values."""
    try:
        return all(formula.function(*map(Fraction, point)) == value for point, value in points.items())
    except ZeroDivisionError:
        return False


def _through(points: Mapping[Point, Fraction], above: Powers, below: Powers) -> Formula | None:
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


def _monomial(powers: Point, at: Any) -> Any:
    return at[0] ** powers[0] * at[1] ** powers[1] * at[2] ** powers[2]

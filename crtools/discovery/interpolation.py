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

Point = tuple[int, int, int]
"""Two lengths i ≤ j and the prompt size s."""

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
class Guess:
    """A rational function of i, j, s: a guess. fitted, confirmed: the points that it was made from and that confirm it."""

    text: str
    fitted: tuple[Point, ...]
    confirmed: tuple[Point, ...]

    @cached_property
    def function(self) -> Callable[[Any, Any, Any], Any]:
        """The guess as a function of i, j and s: fractions, balls, symbols and arrays."""
        code = compile(self.text, "guess", "eval")
        return lambda i, j, s: eval(code, {"__builtins__": {}}, {"i": i, "j": j, "s": s})


def interpolate(points: Mapping[Point, Fraction], held_back: Mapping[Point, Fraction]) -> Guess | None:
    """Return the simplest rational function through ``points`` that passes through those held back, or None.

    points, held_back: exact values at (i, j, s). At least one point must be held back, or nothing is returned.
    """
    for above, below in ANSATZE:
        text = _through(points, above, below)
        if text is None:
            continue
        guess = Guess(text, tuple(points), tuple(held_back))
        return guess if held_back and confirms(guess, held_back) else None
    return None


def confirms(guess: Guess, points: Mapping[Point, Fraction]) -> bool:
    """Return whether the guess has exactly these values."""
    try:
        return all(guess.function(*map(Fraction, point)) == value for point, value in points.items())
    except ZeroDivisionError:
        return False


def _through(points: Mapping[Point, Fraction], above: Powers, below: Powers) -> str | None:
    """Return P/Q with P(point) = value · Q(point) at every point, factored, where there is one and only one."""
    from sympy import Rational, factor, symbols

    unknowns = len(above) + len(below)
    if len(points) <= unknowns:
        return None
    rows = [
        [_monomial(p, at) for p in above] + [-value * _monomial(p, at) for p in below] for at, value in points.items()
    ]
    kernel = _kernel(rows, unknowns)
    if kernel is None:
        return None
    names = symbols("i j s")
    terms = [
        Rational(c.numerator, c.denominator) * _monomial(p, names) for c, p in zip(kernel, above + below, strict=True)
    ]
    denominator = sum(terms[len(above) :])
    if denominator == 0:
        return None
    found: Any = factor(sum(terms[: len(above)]) / denominator)
    return f"({found.p} + 0*i)/{found.q}" if found.is_Rational else str(found)


def _monomial(powers: Point, at: Any) -> Any:
    return at[0] ** powers[0] * at[1] ** powers[1] * at[2] ** powers[2]


def _kernel(rows: list[list[Fraction]], unknowns: int) -> list[Fraction] | None:
    """Return the vector that all rows are orthogonal to, where it is unique up to a factor."""
    from flint import fmpq, fmpq_mat

    matrix = fmpq_mat([[fmpq(Fraction(x).numerator, Fraction(x).denominator) for x in row] for row in rows])
    reduced, rank = matrix.rref()
    if rank != unknowns - 1:
        return None
    vector: list[Fraction] = []
    row, free = 0, None
    pivots: list[int] = []
    for column in range(unknowns):
        if row < rank and reduced[row, column] != 0 and all(reduced[row, c] == 0 for c in range(column)):
            pivots.append(column)
            row += 1
        else:
            free = column
    assert free is not None
    for column in range(unknowns):
        value = fmpq(1) if column == free else -reduced[pivots.index(column), free]
        vector.append(Fraction(int(value.p), int(value.q)))
    return vector

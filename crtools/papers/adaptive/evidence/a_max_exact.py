"""A_max's form against H-SF's at one setting, exactly: its supremum, rational weights near it, and bounds above it.

With tails T and w_k, a, d as in ``a_max_a_random``. What confirms a number here goes by plain sums over lengths, or by
elimination on plain entries; neither uses the tails.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.worst_cases import proved

NEAR_ONE = tuple((10**k - 1, 10**k) for k in (2, 4, 6, 9, 12, 20, 40))
"""Settings (l, u) with α → 1."""

SETTINGS = ((1, 2), (1, 3), (1, 4), (1, 10), (1, 30), (3, 4), *NEAR_ONE, (1, 100), (30, 40), (10, 100), (100, 1000))
"""(l, u) at which suprema are compared with bounds."""

WIDEST = 40
"""Up to so many lengths more than one a bound is confirmed by elimination."""


def supremum(low: int, up: int, size: int = 0) -> Any:
    """Return the exact supremum of A_max's form over H-SF's on [low, up] as an expression."""
    rest = (size + up) ** 2 * sum((Fraction(1, size + 2 * j - 1) for j in range(low + 1, up + 1)), Fraction(0))
    return proved.supremum(sp.Integer((size + up) * low), sp.Integer(low * (size + low)), sp.Rational(rest), sp.sqrt)


def tails_near(low: int, up: int, size: int) -> list[Fraction]:
    """Return rational tails T_l = 1, …, T_u near the maximiser (s+u)/(2 K w_k)."""
    near = Fraction(enclose(supremum(low, up, size), {}, 15).middle).limit_denominator(10**6)
    top = Fraction(size + up)
    return [
        Fraction(1),
        *(min(top / (2 * near * (size + 2 * j - 1)), Fraction(1)) for j in range(low + 1, up + 1)),
    ]


def by_tails(low: int, up: int, size: int, tails: list[Fraction]) -> Fraction:
    """Return the ratio (s+u)(l + Σ T_k) / (a + Σ w_k T_k²)."""
    rest = list(zip(range(low + 1, up + 1), tails[1:], strict=True))
    return (
        (size + up)
        * (low + sum(t for _, t in rest))
        / (low * (size + low) + sum(((size + 2 * k - 1) * t * t for k, t in rest), Fraction(0)))
    )


def literal(low: int, up: int, size: int, tails: list[Fraction]) -> Fraction:
    """Return A_max's ratio by the plain sums over lengths at the weights x_k = T_k − T_{k+1}."""
    x = [a - b for a, b in zip(tails, [*tails[1:], Fraction(0)], strict=True)]
    lengths = range(low, up + 1)
    top = (size + up) * sum(x) * sum(i * v for i, v in zip(lengths, x, strict=True))
    above, bottom = Fraction(0), Fraction(0)
    for i, v in zip(reversed(lengths), reversed(x), strict=True):
        bottom += i * (size + i) * v * (v + 2 * above)
        above += v
    return Fraction(top) / bottom


def witness(low: int, up: int, size: int = 0) -> dict[str, Any]:
    """Return rational weights near the worst ones, and their ratio by two computations."""
    tails = tails_near(low, up, size)
    one, two = by_tails(low, up, size, tails), literal(low, up, size, tails)
    if one != two:
        raise AssertionError("two computations of A_max's ratio differ")
    return {
        "s": size,
        "l": low,
        "u": up,
        "tails T_k": [str(t) for t in tails[:6]] + ["…"] * (up - low > 5),
        "ratio": one,
        "as a float": float(one),
    }


def everywhere_below(bound: Fraction, low: int, up: int, size: int, against: str = "h-sf") -> bool:
    """Return whether bound · H-SF (or volume) − A_max is positive definite, by elimination on the plain entries."""
    lengths = range(low, up + 1)

    def entry(m: int) -> Fraction:
        return Fraction(size * m) + (m * m if against == "h-sf" else Fraction(m * (m + 1), 2))

    rows = [[bound * entry(min(i, j)) - Fraction((size + up) * (i + j), 2) for j in lengths] for i in lengths]
    for a, row in enumerate(rows):
        if row[a] <= 0:
            return False
        for b in range(a + 1, len(rows)):
            factor = rows[b][a] / row[a]
            rows[b] = [x - factor * y for x, y in zip(rows[b], row, strict=True)]
    return True

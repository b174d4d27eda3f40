"""Polynomials in j and ln j: sums, products, and the sign for all large j."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from crtools.enclosure import ball
from crtools.numeric_types import Ball, Rational

Key = tuple[int, int]
Terms: TypeAlias = "Mapping[Key, Rational | Ball]"
"""Σ c_{m,n} j^m (ln j)^n as {(m, n): c}, c an exact rational or a ball; exact zeros are left out."""


def add(*parts: Terms) -> dict[Key, Rational | Ball]:
    """Return the sum."""
    total: dict[Key, Rational | Ball] = {}
    for part in parts:
        for key, c in part.items():
            total[key] = total[key] + c if key in total else c
    return {key: c for key, c in total.items() if not _is_zero(c)}


def product(one: Terms, other: Terms) -> dict[Key, Rational | Ball]:
    """Return the product."""
    return add(*({(a + m, b + n): c * d for (m, n), d in other.items()} for (a, b), c in one.items()))


def _is_zero(c: Rational | Ball) -> bool:
    return not hasattr(c, "is_exact") and c == 0  # a ball may be around 0 and not be it


def sign_beyond(terms: Terms, last: int) -> int:
    """Return the sign that Σ c j^m (ln j)^n is shown to have at all j > ``last``, or 0.

    Terms are divided by the leading j^m (ln j)^n; where each quotient falls in j, the one at ``last`` bounds it. Terms of the
    leading one's sign are left out.
    """
    if not terms:
        return 0
    top = max(terms)
    log = ball(last).log()
    head, others = ball(0) + terms[top], ball(0)
    sign = 1 if head > 0 else -1
    for (m, n), c in terms.items():
        if (m, n) != top and not sign * c >= 0:
            if not log * (top[0] - m) >= n - top[1]:
                return 0
            others += abs(ball(0) + c) * ball(last) ** (m - top[0]) * log ** (n - top[1])
    return sign if sign * head > others else 0

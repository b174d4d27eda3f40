"""Entries of B_u⁻¹ and the paper's T_1 and T_2 at s = 0, l = 1, exactly, by two routes that share no code."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from crtools.papers.adaptive.literal import forms as literal

LARGEST = 9
"""Sizes u up to this one are compared with dense exact matrices."""

FURTHER = 16
"""Where there is no proof, sizes up to this one are looked at for a counterexample."""


def sizes(first: int, last: int) -> list[dict[str, int]]:
    """Return the sizes u = first, …, last as points."""
    return [{"u": size} for size in range(first, last + 1)]


def rows(first: int, last: int) -> list[dict[str, int]]:
    """Return the rows i < u of the sizes u = first, …, last as points."""
    return [{"u": size, "i": row} for size in range(first, last + 1) for row in range(1, size)]


@lru_cache(maxsize=FURTHER + 1)
def dense(size: int) -> tuple[list[list[Fraction]], tuple[Fraction, Fraction]]:
    """Return B_u⁻¹ by elimination, and T_1 and T_2 from it."""
    _, b = literal.matrices(size)
    return literal.inverse(b), literal.t1_t2(size)


def direct(size: int, row: int, column: int) -> Fraction:
    """Solve min(i,j)² x = e_column by the differences of min(i,j)², another route than elimination."""

    def second(m: int) -> Fraction:  # (T_k)/w_k with T the tail sums' right-hand side
        return Fraction(int(m == column) - int(m - 1 == column), 2 * m - 1)

    return second(row) - (second(row + 1) if row < size else 0)


def dense_t1(size: int) -> Fraction:
    """Return T_1 by elimination."""
    return dense(size)[1][0]


def dense_t2(size: int) -> Fraction:
    """Return T_2 by elimination."""
    return dense(size)[1][1]


def direct_t1(size: int) -> Fraction:
    """Return T_1 from :func:`direct`."""
    return sum((direct(size, k, k) * k * k for k in range(1, size + 1)), Fraction(0))


def direct_t2(size: int) -> Fraction:
    """Return T_2 from :func:`direct`."""
    return sum((direct(size, k, k + 1) * literal.a_min_entry(k, k + 1) for k in range(1, size)), Fraction(0))


def dense_term(row: int) -> Fraction:
    """Return the summand of T_2 at i = row, as a difference of two sums."""
    return dense_t2(row + 1) - (dense_t2(row) if row > 1 else 0)


def direct_term(row: int) -> Fraction:
    """Return the summand of T_2 at i = row from :func:`direct`."""
    return direct(FURTHER, row, row + 1) * literal.a_min_entry(row, row + 1)

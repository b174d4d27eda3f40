"""The paper's sums, evaluated literally with exact fractions: the second computation behind a refutation.

Nothing here is shared with ``crtools.forms`` or the paper's theorems: sums run as Lemma "Amin" prints them, inverses
by Gaussian elimination. Weights are dictionaries {length: weight}.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

Weights = Mapping[int, int | Fraction]


def a_min_sum(x: Weights, s: int, l: int, u: int) -> Fraction:
    """Return Σ_k δ(k) (Σ_{i≥k} i x_i)(Σ_{i≥k} δ(k)/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i)."""
    total = Fraction(0)
    for k in range(l, u + 1):
        delta = s + l if k == l else 1
        first = sum((Fraction(i) * w for i, w in x.items() if i >= k), Fraction(0))
        second = sum((Fraction(delta, s + i) * w for i, w in x.items() if i >= k), Fraction(0))
        third = sum((Fraction(i - k, s + i) * w for i, w in x.items() if i > k), Fraction(0))
        total += delta * first * (second + 2 * third)
    return total


def h_sf_sum(x: Weights, s: int) -> Fraction:
    """Return Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i)."""
    return sum(
        (
            k * (s + k) * Fraction(w) * (w + 2 * sum((Fraction(v) for i, v in x.items() if i > k), Fraction(0)))
            for k, w in x.items()
        ),
        Fraction(0),
    )


def areas_over_peaks(x: Weights, s: int) -> Fraction:
    """Return Σ_o x_o Σ_{a ≤ o} (s+a), token by token, times Σ x over :func:`h_sf_sum`."""
    tokens = sum((w * sum(s + age for age in range(1, o + 1)) for o, w in x.items()), Fraction(0))
    return tokens * sum(x.values()) / h_sf_sum(x, s)


def a_min_entry(i: int, j: int, s: int = 0, l: int = 1) -> Fraction:
    """Return the coefficient matrix's entry of :func:`a_min_sum` at lengths i and j, by polarisation."""
    top = max(i, j)
    if i == j:
        return a_min_sum({i: 1}, s, l, top)
    both = a_min_sum({i: 1, j: 1}, s, l, top)
    return (both - a_min_sum({i: 1}, s, l, top) - a_min_sum({j: 1}, s, l, top)) / 2


def h_sf_entry(i: int, j: int, s: int = 0) -> Fraction:
    """Return the coefficient matrix's entry of :func:`h_sf_sum` at lengths i and j, by polarisation."""
    if i == j:
        return h_sf_sum({i: 1}, s)
    return (h_sf_sum({i: 1, j: 1}, s) - h_sf_sum({i: 1}, s) - h_sf_sum({j: 1}, s)) / 2


def inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return the inverse by Gauss–Jordan elimination."""
    n = len(matrix)
    rows = [[*row, *(Fraction(int(a == b)) for b in range(n))] for a, row in enumerate(matrix)]
    for a in range(n):
        pivot = next(b for b in range(a, n) if rows[b][a] != 0)
        rows[a], rows[pivot] = rows[pivot], rows[a]
        rows[a] = [value / rows[a][a] for value in rows[a]]
        for b in range(n):
            if b != a and rows[b][a] != 0:
                factor = rows[b][a]
                rows[b] = [x - factor * y for x, y in zip(rows[b], rows[a], strict=True)]
    return [row[n:] for row in rows]


def matrices(u: int, s: int = 0, l: int = 1) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Return the matrices of A_min and H-SF on [l, u]."""
    lengths = range(l, u + 1)
    a = [[a_min_entry(i, j, s, l) for j in lengths] for i in lengths]
    b = [[h_sf_entry(i, j, s) for j in lengths] for i in lengths]
    return a, b


def t1_t2(u: int) -> tuple[Fraction, Fraction]:
    """Return the paper's T_1(u) and T_2(u) from a dense inverse."""
    a, b = matrices(u)
    inverted = inverse(b)
    return (
        sum((inverted[i][i] * a[i][i] for i in range(u)), Fraction(0)),
        sum((inverted[i][i + 1] * a[i][i + 1] for i in range(u - 1)), Fraction(0)),
    )


def determinant(matrix: list[list[Fraction]]) -> Fraction:
    """Return the determinant by elimination."""
    rows, result = [list(row) for row in matrix], Fraction(1)
    for a in range(len(rows)):
        pivot = next((b for b in range(a, len(rows)) if rows[b][a] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != a:
            rows[a], rows[pivot], result = rows[pivot], rows[a], -result
        result *= rows[a][a]
        _clear_below(rows, a)
    return result


def positive_definite(matrix: list[list[Fraction]]) -> bool:
    """Return whether a symmetric matrix is positive definite: every pivot is positive."""
    rows = [list(row) for row in matrix]
    for a, row in enumerate(rows):
        if row[a] <= 0:
            return False
        _clear_below(rows, a)
    return True


def _clear_below(rows: list[list[Fraction]], a: int) -> None:
    for b in range(a + 1, len(rows)):
        if rows[b][a] != 0:
            factor = rows[b][a] / rows[a][a]
            rows[b] = [x - factor * y for x, y in zip(rows[b], rows[a], strict=True)]

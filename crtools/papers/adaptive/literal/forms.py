"""The paper's sums, exactly or with a bound on the neglected part: the second computation behind a refutation.

Nothing here is shared with ``crtools.forms``, ``crtools.closed_form``, ``crtools.ratios.ratio`` or the paper's theorems. A_min's sum
is the judge's; H-SF's is over lengths and what is longer. Weights are dictionaries {length: weight}.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count, takewhile
from operator import truediv
from typing import Any

import mpmath
import numpy as np

from check import enclosures as judge
from crtools.enclosure import Enclosure

Weights = Mapping[int, int | Fraction]


def a_min_sum(x: Weights, s: int, l: int) -> Fraction:
    """Return Σ_k δ(k) (Σ_{i≥k} i x_i)(Σ_{i≥k} δ(k)/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i), as the judge does."""
    return Fraction(judge.forms(sorted(x.items()), s, l)[0])


def h_sf_sum(x: Weights, s: int) -> Fraction:
    """Return Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i)."""
    total, longer = Fraction(0), Fraction(0)
    for k, w in sorted(x.items(), reverse=True):
        total += k * (s + k) * Fraction(w) * (w + 2 * longer)
        longer += Fraction(w)
    return total


def areas_over_peaks(x: Weights, s: int) -> Fraction:
    """Return Σ_o x_o Σ_{a ≤ o} (s+a), token by token, times Σ x over :func:`h_sf_sum`."""
    tokens = sum((w * sum(s + age for age in range(1, o + 1)) for o, w in x.items()), Fraction(0))
    return tokens * sum(x.values()) / h_sf_sum(x, s)


def a_min_entry(i: int, j: int, s: int = 0) -> Fraction:
    """Return the coefficient matrix's entry of :func:`a_min_sum` at lengths i and j, l = 1."""
    return _polarised(lambda x: a_min_sum(x, s, 1), i, j)


def h_sf_entry(i: int, j: int) -> Fraction:
    """Return the coefficient matrix's entry of :func:`h_sf_sum` at lengths i and j, s = 0."""
    return _polarised(lambda x: h_sf_sum(x, 0), i, j)


def _polarised(form: Callable[[Weights], Fraction], i: int, j: int) -> Fraction:
    return form({i: 1}) if i == j else (form({i: 1, j: 1}) - form({i: 1}) - form({j: 1})) / 2


def a_min_matrix(u: int, s: int = 0) -> list[list[Fraction]]:
    """Return the matrix of A_min on [1, u]."""
    lengths = range(1, u + 1)
    return [[a_min_entry(i, j, s) for j in lengths] for i in lengths]


def determinant(matrix: list[list[Fraction]]) -> Fraction:
    """Return the determinant, by FLINT."""
    import flint

    result = flint.fmpq_mat([[flint.fmpq(x.numerator, x.denominator) for x in row] for row in matrix]).det()
    return Fraction(int(result.p), int(result.q))


def positive_definite(matrix: list[list[Fraction]]) -> bool:
    """Return whether a symmetric matrix is positive definite: every pivot of an elimination is positive."""
    rows = [list(row) for row in matrix]
    for a, row in enumerate(rows):
        if row[a] <= 0:
            return False
        for b in range(a + 1, len(rows)):
            if rows[b][a] != 0:
                factor = rows[b][a] / row[a]
                rows[b] = [x - factor * y for x, y in zip(rows[b], row, strict=True)]
    return True


# ---- kill and restart, and Algorithm 2 with long prompts: plain sums over phases and requests -----------------------


def _doubled(l: int, u: int) -> list[int]:
    """Return l, 2l, 4l, … below u, and u."""
    return [*takewhile(lambda threshold: threshold < u, (l << k for k in count())), u]


def restart_sum(tails: list[Fraction], l: int, u: int, s: int) -> Fraction:
    """Return Σ over phases of L(s+L) T (T + T'), the tails being those at l and after each threshold below u."""
    phases = zip(_doubled(l, u), tails, [*tails[1:], Fraction(0)], strict=True)
    return sum((last * (s + last) * tail * (tail + after) for last, tail, after in phases), Fraction(0))


def denominator_lower_bound(tails: list[Fraction], l: int, u: int, s: int, against: str) -> Fraction:
    """Return Σ_j (weight of j) T_j² with T_j replaced by the next phase's tail: at most the form ``against``.

    The weights are s + j of ``volume`` and s + 2j − 1 of ``h-sf`` for j > l.
    """
    edges = [l, *(threshold + 1 for threshold in _doubled(l, u)[:-1])]
    steep = 1 if against == "volume" else 2
    total = (l * s + Fraction(l * (l + 1), 2) if against == "volume" else Fraction(l * (s + l))) * tails[0] ** 2
    for k, edge in enumerate(edges):
        if k:
            total += (s + steep * edge - steep + 1) * tails[k] ** 2
        if k + 1 < len(edges):
            first, last = edge + 1, edges[k + 1] - 1  # Σ of the weights, by the sum of an arithmetic progression
            twice = (last - first + 1) * (2 * (s - steep + 1) + steep * (first + last))
            total += Fraction(twice, 2) * tails[k + 1] ** 2
    return total


def minors(factor: Fraction, s: int, l: int, u: int, against: str = "volume") -> bool:
    """Return whether every leading minor of factor · ``against`` − a-restart, as a form in the phases' tails, is positive."""
    size = len(_doubled(l, u))

    def value(*indices: int) -> Fraction:
        tails = [Fraction(int(k in indices)) for k in range(size)]
        return factor * denominator_lower_bound(tails, l, u, s, against) - restart_sum(tails, l, u, s)

    alone = [value(k) for k in range(size)]
    rows = [[alone[i] if i == j else (value(i, j) - alone[i] - alone[j]) / 2 for j in range(size)] for i in range(size)]
    return all(determinant([row[:k] for row in rows[:k]]) > 0 for k in range(1, size + 1))


def ratio_lower_bound(s: int, l: int, u: int, share: Fraction) -> Fraction:
    """Return A_min's bound over H-SF's form: from first principles."""
    instants = Fraction(u * ((s + 1) + (s + u)), 2)  # ages 1, …, u, each with its prompt
    leave = Fraction(1, instants) + Fraction(1, (s + 1) * (s + 2))
    numerator = (1 - share) * share / leave + instants * share**2
    return numerator / h_sf_sum({l: 1 - share, u: share}, s)


# ---- the ratio of A_min to H-SF under P(k) ∝ k^e q^k, e = 0 or 1 -----------------------------------------------------
# Lemma "Amin"'s sums run over k ≤ K, and the neglected tails are bounded by a geometric series. Short sums run in mpmath, long ones in
# NumPy's extended floats, where all terms are ≥ 0 and n successive roundings cost at most a factor (1 + ε)^n.

LARGEST_SHORT = 2000
BLOCK = 500_000
"""The last k of a short sum, and the number of terms of a long one that are in memory at once."""


def ratio_by_sums(power: int, s: int, q: Fraction, digits: int) -> Enclosure:
    """Return an enclosure of the ratio at the weights k^power q^k.

    A slack of 10^(−digits−2) covers the tail beyond K and, of a short sum, the rounding, at 20 digits more.
    """
    base, last = float(q), 50
    while (last + s) ** 6 * base**last > 10.0 ** (-digits - 6) * (1 - base) ** 2:
        last = last * 5 // 4
    if last > LARGEST_SHORT:
        return _long(power, s, q, digits, last)
    context = mpmath.MPContext()
    context.dps = max(60, digits + 20)
    root = context.mpf(q.numerator) / q.denominator
    a_min, h_sf, _ = judge.forms([(k, root**k * k**power) for k in range(1, last + 1)], s, 1, truediv)
    value, slack = Fraction(str(context.nstr(a_min / h_sf, context.dps - 10))), Fraction(1, 10 ** (digits + 2))
    return Enclosure(value - slack, value + slack, f"plain sums with {context.dps} digits")


def limit_by_integral(power: int, digits: int) -> Enclosure:
    """Return an enclosure of the limit as q → 1, where lengths over their mean have the density x^e e^(−x), e = ``power``.

    Lemma "Amin"'s sums become ∫ Γ(e+2, t) · 2(Γ(e+1, t) − t Γ(e, t)) dt over 2 ∫ t² · t^e e^(−t) Γ(e+1, t) dt; by mpmath's
    quadrature with 20 digits more.
    """
    e, context = power, mpmath.MPContext()
    context.dps = digits + 20

    def above(t: Any) -> Any:
        return context.gammainc(e + 2, t) * 2 * (context.gammainc(e + 1, t) - t * context.gammainc(e, t))

    def below(t: Any) -> Any:
        return 2 * t ** (e + 2) * context.exp(-t) * context.gammainc(e + 1, t)

    breakpoints = [0, 1, 4, 16, 64, 256, context.inf]
    parts: list[Any] = [context.quad(part, breakpoints) for part in (above, below)]
    ratio = parts[0] / parts[1]
    value, slack = Fraction(str(context.nstr(ratio, digits + 10))), Fraction(1, 10 ** (digits + 2))
    return Enclosure(value - slack, value + slack, "quadrature of the limit's integrals")


def _long(power: int, s: int, q: Fraction, digits: int, last: int) -> Enclosure:
    """Evaluate the sums in blocks, from the largest k down; Σ_{i>k} (i−k)/(s+i) x_i is a sum of suffix sums of x/(s+i)."""
    real = np.longdouble
    step = np.log(real(q.numerator) / real(q.denominator))
    numerator = denominator = mass = length = over = above = real(0)
    for top in range(last, 0, -BLOCK):
        k = np.arange(top, max(top - BLOCK, 0), -1).astype(real)
        x = np.exp(k * step) * k**power
        masses, lengths = mass + np.cumsum(x), length + np.cumsum(k * x)
        overs = over + np.cumsum(x / (s + k))
        aboves = above + np.concatenate(([real(0)], np.cumsum(overs[:-1])))
        delta = np.where(k == 1, real(s + 1), real(1))
        numerator += (delta * lengths * (delta * overs + 2 * aboves)).sum()
        denominator += (k * (s + k) * x * (x + 2 * (masses - x))).sum()
        mass, length, over, above = masses[-1], lengths[-1], overs[-1], aboves[-1] + overs[-1]
    value = Fraction(*(numerator / denominator).as_integer_ratio())
    slack = value * Fraction(20 * last * float(np.finfo(real).eps)) + Fraction(1, 10 ** (digits + 2))
    return Enclosure(value - slack, value + slack, "plain sums in extended floats, all terms ≥ 0")

"""The ratio under P(k) ∝ poly(k) q^k by plain sums of the literal entries: the second computation behind a refutation.

Nothing is shared with ``crtools.forms``, ``crtools.closed_form`` or ``crtools.ratios``: Lemma "Amin"'s sums run in
mpmath with 60 digits over k ≤ K, and the neglected tails are bounded by a geometric series.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath

from crtools.enclosure import Enclosure


def ratio_by_sums(weight: str, s: int, q: Fraction, digits: int) -> Enclosure:
    """Return an interval around the ratio of A_min's to H-SF's sum; ``weight`` is "1" or "k" (times q^k).

    Rounding at 60 digits is covered by a width of 10^(−digits−2); the tail beyond K by its bound.
    """
    context = mpmath.MPContext()
    context.dps = 60
    base = context.mpf(q.numerator) / q.denominator
    last = 50
    while (last + s) ** 6 * float(base) ** last > 10.0 ** (-digits - 6) * (1 - float(base)) ** 2:
        last = last * 5 // 4
    x = [context.mpf(0)] + [base**k * (k if weight == "k" else 1) for k in range(1, last + 1)]
    # suffix sums of x, i x, x/(s+i), i x/(s+i) over i ≥ k
    mass, length, over, long_over = (context.mpf(0) for _ in range(4))
    numerator = denominator = context.mpf(0)
    for k in range(last, 0, -1):
        strict_over, strict_long, strict_mass = over, long_over, mass
        mass += x[k]
        length += k * x[k]
        over += x[k] / (s + k)
        long_over += k * x[k] / (s + k)
        delta = s + 1 if k == 1 else 1
        numerator += delta * length * (delta * over + 2 * (strict_long - k * strict_over))
        denominator += k * (s + k) * x[k] * (x[k] + 2 * strict_mass)
    value = Fraction(str(context.nstr(numerator / denominator, 50)))
    slack = Fraction(1, 10 ** (digits + 2))
    return Enclosure(value - slack, value + slack, "plain sums with 60 digits")

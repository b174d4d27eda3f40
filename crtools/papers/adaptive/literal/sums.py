"""The ratio of A_min to H-SF under P(k) ∝ q^k or k q^k by sums of the literal entries: a second computation behind a refutation.

It shares nothing with ``crtools.forms``, ``crtools.closed_form`` or ``crtools.ratios.ratio``: Lemma "Amin"'s sums run over
k ≤ K, and the neglected tails are bounded by a geometric series. Short sums run in mpmath with 60 digits, long ones
in NumPy's extended floats, where all terms are ≥ 0 and n successive roundings cost at most a factor (1 + ε)^n.
"""

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from crtools.enclosure import Enclosure

LARGEST_SHORT = 2000
BLOCK = 500_000
"""The last k of a short sum, and the number of terms of a long one that are in memory at once."""


def ratio_by_sums(weight: str, s: int, q: Fraction, digits: int) -> Enclosure:
    """Return an enclosure of the ratio at the weights q^k (``weight`` "1") or k q^k ("k").

    A slack of 10^(−digits−2) covers the rounding at 60 digits and the tail beyond K.
    """
    base, last = float(q), 50
    while (last + s) ** 6 * base**last > 10.0 ** (-digits - 6) * (1 - base) ** 2:
        last = last * 5 // 4
    if last > LARGEST_SHORT:
        return _long(weight, s, q, digits, last)
    numerator, denominator = _short(weight, s, q, last)
    value, slack = Fraction(str(mpmath.nstr(numerator / denominator, 50))), Fraction(1, 10 ** (digits + 2))
    return Enclosure(value - slack, value + slack, "plain sums with 60 digits")


def limit_by_integral(linear: bool, digits: int) -> Enclosure:
    """Return an enclosure of the limit as q → 1, where lengths over their mean have the density x^e e^(−x), e = 0 or 1.

    Lemma "Amin"'s sums become ∫ Γ(e+2, t) · 2(Γ(e+1, t) − t Γ(e, t)) dt over 2 ∫ t² · t^e e^(−t) Γ(e+1, t) dt; by mpmath's
    quadrature with 20 digits more.
    """
    e, context = int(linear), mpmath.MPContext()
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


def _short(weight: str, s: int, q: Fraction, last: int) -> tuple[Any, Any]:
    context = mpmath.MPContext()
    context.dps = 60
    base = context.mpf(q.numerator) / q.denominator
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
    return numerator, denominator


def _long(weight: str, s: int, q: Fraction, digits: int, last: int) -> Enclosure:
    """Evaluate the sums in blocks, from the largest k down; Σ_{i>k} (i−k)/(s+i) x_i is a sum of suffix sums of x/(s+i)."""
    real = np.longdouble
    step = np.log(real(q.numerator) / real(q.denominator))
    numerator = denominator = mass = length = over = above = real(0)
    for top in range(last, 0, -BLOCK):
        k = np.arange(top, max(top - BLOCK, 0), -1).astype(real)
        x = np.exp(k * step) * (k if weight == "k" else 1)
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

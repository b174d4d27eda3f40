"""Signs of polynomials, enclosures of logarithms and of sums over geometric laws: exact rational numbers throughout."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any

from check.kernel import Ratio, coefficients, exponent, fraction, integer, need, ratio, variable

# ---- signs and enclosures ---------------------------------------------------------------------------------------


def positive_on_unit(poly: Sequence[int | Fraction], depth: int = 24) -> bool:
    """Return whether a polynomial (constant first) is > 0 on [0, 1]: Bernstein coefficients, halving as needed."""
    n = len(poly) - 1
    if all(sum(Fraction(comb(i, j), comb(n, j)) * poly[j] for j in range(i + 1)) > 0 for i in range(n + 1)):
        return True
    half = [Fraction(c, 2**k) for k, c in enumerate(poly)]
    shifted = [sum((comb(k, j) * half[k] for k in range(j, n + 1)), Fraction(0)) for j, _ in enumerate(half)]
    return depth > 0 and positive_on_unit(half, depth - 1) and positive_on_unit(shifted, depth - 1)


def without_ends(poly: Sequence[Fraction]) -> Sequence[Fraction]:
    """Divide a polynomial in q (constant first) by q and by 1 − q as often as it goes; 0 stays 0."""
    while any(poly) and poly[0] == 0:
        poly = poly[1:]
    while any(poly) and sum(poly) == 0:
        poly = list(accumulate(poly[:-1]))  # p = (1 − q) g gives g_k = p_k + g_{k−1}
    return poly


UNIT = 10**25
FINE = UNIT**2
"""How finely logarithms and sums over a law are counted: in parts of 1/UNIT, and of 1/FINE."""


def log_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return numbers below and above ln x for x > 0: 2 artanh t, t = (x−1)/(x+1), after powers of 2."""
    x = Fraction(x)
    if x < 1:
        low, high = log_bounds(1 / x)
        return -high, -low
    twos = 0
    while x > 2:
        x, twos = x / 2, twos + 1
    own, two = (_artanh_twice((y - 1) / (y + 1)) for y in (x, Fraction(2)))
    return Fraction(own[0] + twos * two[0], UNIT), Fraction(own[1] + twos * two[1], UNIT)


def _artanh_twice(t: Fraction) -> tuple[int, int]:
    """Return 2 artanh t = 2 Σ t^(2n+1)/(2n+1) for 0 ≤ t ≤ 1/3 between two integers, in units of 1/UNIT."""
    odd, power = 1, t
    terms: list[int] = []
    while power * UNIT > 1:
        terms.append(2 * power.numerator * UNIT // (odd * power.denominator))
        odd, power = odd + 2, power * t * t
    return sum(terms), sum(terms) + len(terms) + 3  # one unit per term, and a rest below 2 · 9/8


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return numbers below and above e^x, |x| ≤ 50, by its series; after n ≥ 2x terms the rest is at most the last term."""
    need(abs(x) <= 50, "expected an exponent from -50 to 50")
    if x < 0:
        low, high = exp_bounds(-x)
        return 1 / high, 1 / low
    n, term, total = 0, Fraction(1), Fraction(1)
    while n < 2 * x or term * UNIT > 1:
        n, term = n + 1, term * x / (n + 1)
        total += term
    return total, total + term


def positive(function: Ratio) -> bool:
    """Return whether a polynomial in q is > 0 on (0, 1): without its powers of q and 1 − q it is on [0, 1].

    Its denominator has to be a positive number.
    """
    poly = [Fraction(c) for c in coefficients(function.num, "q")]
    return function.den == {0: abs(function.den[0])} and positive_on_unit(without_ends(poly))


def derivative(function: Ratio) -> Ratio:
    """Return the derivative of a polynomial in q."""
    q = variable("q")
    terms = [k * c * q ** (k - 1) for k, c in enumerate(coefficients(function.num, "q")) if k]
    return sum(terms, ratio(0)) / Ratio(function.den)


# ---- latency forms ----------------------------------------------------------------------------------------------
# TEL ≈ n²/(2M) · form(x) as n → ∞ and then M → ∞, for the share x_i of requests of length i.

Law = Sequence[Sequence[Any]]
"""Lengths, increasing, each with its share or weight."""


def law(value: Any) -> Law:
    """Read {length: share, …}: the shares are positive and sum to 1; return them in the order of the lengths."""
    need(isinstance(value, dict) and 1 <= len(value) <= 10, "expected an object of up to ten lengths with their shares")
    need(all(re.fullmatch("[1-9][0-9]{0,3}", length) for length in value), "expected lengths as whole numbers")
    found = sorted((integer(int(length), 1, 1000), fraction(share)) for length, share in value.items())
    shares = [share for _, share in found]
    need(min(shares) > 0 and sum(shares) == 1, "the law's shares must be positive and sum to 1")
    return found


def forms(x: Law, s: int, l: int, divide: Callable[[Any, int], Any] = Fraction) -> tuple[Any, Any, Any]:
    """Return A_min's form, H-SF's, and Σ (s+i) x_i; ``divide`` may round, as everything is ≥ 0.

    A_min's: Σ_{k≥l} δ(k) (Σ_{i≥k} i x_i)(Σ_{i≥k} δ(k)/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i), δ(l) = s+l, else 1.
    H-SF's: Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i). From the longest down to k: ``mass`` Σ x_i, ``span`` Σ i x_i, ``share``
    Σ x_i/(s+i), and ``later`` Σ (i−k) x_i/(s+i), which gains ``share`` at each step.
    """
    shares = dict[int, Any]((k, weight) for k, weight in x)
    mass = span = share = later = a_min = h_sf = 0
    for k in range(x[-1][0], l - 1, -1):
        own = shares.get(k, 0)
        later += share
        h_sf += k * (s + k) * own * (own + 2 * mass)
        mass += own
        span += k * own
        share += divide(own, s + k)
        delta = s + l if k == l else 1
        a_min += delta * span * (delta * share + 2 * later)
    return a_min, h_sf, span + s * mass


# ---- sums over geometric laws -----------------------------------------------------------------------------------
# x_k ∝ q^k (power 0) or k q^k (power 1) on k ≥ 1.


def law_ratio(power: int, s: int, q: Fraction) -> tuple[Fraction, Fraction]:
    """Return numbers below and above A_min's form over H-SF's, from the sums themselves up to a length."""
    need(0 < q <= Fraction(199, 200) and q.denominator <= 1000, "q must be in (0, 199/200], with at most three digits")
    length = 60
    while int(beyond(power, q, length) * UNIT):
        length += length
    return ratio_up_to(length, power, s, q)


def ratio_up_to(length: int, power: int, s: int, q: Fraction) -> tuple[Fraction, Fraction]:
    """Return numbers below and above the ratio, from the sums up to a length: what is beyond is at most ``missing``."""
    low_top, low_bottom, _ = partial_sums(power, s, q, length, up=False)
    high_top, high_bottom, moment = partial_sums(power, s, q, length, up=True)
    far = beyond(power, q, length)
    missing = 2 * far * (moment + (s + 1) * far)
    return low_top / (high_bottom + missing), (high_top + missing) / low_bottom


def beyond(power: int, q: Fraction, length: int) -> Fraction:
    """Return a number above Σ_{j>length} j^(power+1) q^j: a geometric series."""
    shrink = q * Fraction(length + 2, length + 1) ** (power + 1)
    return (length + 1) ** (power + 1) * q ** (length + 1) / (1 - shrink) if shrink < 1 else Fraction(UNIT)


def partial_sums(power: int, s: int, q: Fraction, length: int, up: bool) -> tuple[Fraction, Fraction, Fraction]:
    """Return both forms and Σ (s + i) x_i for lengths up to ``length``, all rounded down, or all up, to parts of 1/FINE."""

    def divide(a: int, b: int) -> int:
        return -(-a // b) if up else a // b

    powers = [FINE]
    while len(powers) <= length:
        powers.append(divide(powers[-1] * q.numerator, q.denominator))
    x = [(k, k**power * powers[k]) for k in range(1, length + 1)]
    a_min, h_sf, moment = forms(x, s, 1, divide)
    return Fraction(a_min, FINE**2), Fraction(h_sf, FINE**2), Fraction(moment, FINE)


def power_sums(most: int, t: Ratio) -> list[Ratio]:
    """Return Σ_{j≥1} j^p t^j, p = 0, 1, …: each is t times the derivative of the one before, N_p(t)/(1 − t)^(p+1)."""
    q = variable("q")
    tops = [q]
    for p in range(most):
        tops.append(q * (1 - q) * derivative(tops[-1]) + (p + 1) * q * tops[-1])
    return [(top / (1 - q) ** p).at(q=t) for p, top in enumerate(tops, start=1)]


def double_sum(entry: Ratio) -> Ratio:
    """Return Σ_{i,j} entry(min, max) q^(i+j) for a polynomial entry in i ≤ j: i = j, and twice j = i + t."""
    q = variable("q")
    squares, plain = power_sums(11, q * q), power_sums(11, q)
    same, other = entry.at(j=variable("i")), entry.at(j=variable("i") + variable("t"))
    once = [c * squares[exponent(mono, "i")] for mono, c in same.num.items()]
    twice = [2 * c * squares[exponent(mono, "i")] * plain[exponent(mono, "t")] for mono, c in other.num.items()]
    return sum(once, ratio(0)) / Ratio(same.den) + sum(twice, ratio(0)) / Ratio(other.den)

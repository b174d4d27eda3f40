"""Closed forms, limits and suprema of randomly drawn laws, policies and s against plain sums in mpmath at 50 digits.

Every run draws anew. A failure prints the seed; CRTOOLS_SEED=… draws the same again.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy as sp
from amount import every_third

from crtools import derive, ratio
from crtools.enclosure import Enclosure
from crtools.ratios import Derivation

SEED = int(os.environ["CRTOOLS_SEED"])
WORKING, AGREED = 80, 50
"""Digits of the plain sums, and those that must agree."""

Number = Any
POLICIES: dict[str, Callable[[int, int, int], Number]] = {
    "a-min": lambda i, j, s: mpmath.mpf((s + i) * (j * j + 2 * i * j - i * i + s * (i + j))) / (2 * (s + j)),
    "a-random": lambda i, j, s: mpmath.mpf(i * (s + i) + j * (s + j)) / 2,
    "a-random-area": lambda i, j, s: mpmath.mpf(s * (i + j)) / 2 + mpmath.mpf(i * (i + 1) + j * (j + 1)) / 4,
    "volume": lambda i, j, s: mpmath.mpf(s * i) + mpmath.mpf(i * (i + 1)) / 2,
}
"""The entries written out once more, for i ≤ j."""

FAMILIES: dict[str, Callable[[int, Number], Number]] = {
    "geometric(q)": lambda k, q: q**k,
    "linear-geometric(q)": lambda k, q: k * q**k,
    "negative-binomial(r=3, q)": lambda k, q: k * (k + 1) * q**k,
    "log-series(q)": lambda k, q: q**k / k,
    "pmf(k**2*q**k)": lambda k, q: k * k * q**k,
    "pmf((k+1)*q**k/k)": lambda k, q: (k + 1) * q**k / k,
    "pmf(q**k+(1/3)**k)": lambda k, q: q**k + mpmath.mpf(3) ** -k,
    "pmf(q**k-(q/2)**k)": lambda k, q: q**k - (q / 2) ** k,
    "pmf((1-q)**k)": lambda k, q: (1 - q) ** k,
    "mix(1/2*geometric(q)+1/2*geometric(q=1/2))": lambda k, q: (1 - q) * q ** (k - 1) + mpmath.mpf(2) ** -k,
    "mix(1/3*geometric(q)+2/3*linear-geometric(q))": lambda k, q: (1 - q) * q ** (k - 1) * (1 + 2 * k * (1 - q)),
    "mix(q*geometric(1/2)+(1-q)*geometric(1/3))": lambda k, q: q * mpmath.mpf(2) ** -k + 2 * (1 - q) * mpmath.mpf(3) ** -k,
}  # fmt: skip
"""Each law's weights written out, up to a factor."""

CASES = [
    (number, spec, policy, s)
    for number, (spec, policy, s) in enumerate(
        (spec, chosen.choice(sorted(POLICIES)), chosen.choice([0, 0, 1, 2, chosen.randrange(3, 9)]))
        for chosen in [random.Random(SEED)]
        for spec in FAMILIES
        for _ in range(2)
    )
]


def rng(number: int) -> random.Random:
    return random.Random(SEED + 1000 * number)


@pytest.fixture(autouse=True)
def _say_the_seed() -> None:
    print(f"CRTOOLS_SEED={SEED}")  # pytest shows it where a test fails


@cache
def derived(spec: str, policy: str, s: int) -> Derivation:
    return derive(spec, policy, s)


def plain(spec: str, policy: str, s: int, q: Fraction) -> Number:
    """The ratio by summing pairs with a running row over i, cut where nothing is left at 80 digits."""
    with mpmath.workdps(WORKING + 20):
        weight, x = FAMILIES[spec], mpmath.mpf(q.numerator) / q.denominator
        base = max(1 - x if "(1-q)**k" in spec else x, mpmath.mpf(1) / 2)
        last = int((WORKING + 12) * mpmath.log(10) / -mpmath.log(base))
        w = [weight(k, x) for k in range(1, last + 1)]
        return quadratic(policy, s, w) / quadratic("h-sf", s, w)


def quadratic(policy: str, s: int, w: list[Number]) -> Number:
    """Σ_{i,j} N_ij w_i w_j by moments Σ_{i<j} i^n w_i, n ≤ 3, another way than tails or pairs of closed sums."""
    total, below = mpmath.mpf(0), [mpmath.mpf(0)] * 4
    for j, own in enumerate(w, start=1):
        total += own * (2 * _row(policy, s, j, below) + _row(policy, s, j, [own * j**n for n in range(4)]))
        below = [b + own * j**n for n, b in enumerate(below)]
    return total


def _row(policy: str, s: int, j: int, m: list[Number]) -> Number:
    """Σ_i N_ij w_i from the moments m_n = Σ_i i^n w_i."""
    if policy == "h-sf":
        return s * m[1] + m[2]
    if policy == "volume":
        return s * m[1] + (m[2] + m[1]) / 2
    if policy == "a-random":
        return (s * m[1] + m[2] + j * (s + j) * m[0]) / 2
    if policy == "a-random-area":
        return (s * m[1] + (m[2] + m[1]) / 2 + (s * j + mpmath.mpf(j * (j + 1)) / 2) * m[0]) / 2
    # (s+i)(j² + s j + (2j + s) i − i²) / (2(s+j))
    a, b = j * j + s * j, 2 * j + s
    return (s * a * m[0] + (a + s * b) * m[1] + (b - s) * m[2] - m[3]) / (2 * (s + j))


def test_the_rows_are_the_entries() -> None:
    for policy, entry in POLICIES.items():
        for s in (0, 3):
            w = [mpmath.mpf(1) / (k * k + 1) for k in range(1, 9)]
            pairs = [(min(i, j), max(i, j), w[i - 1] * w[j - 1]) for i in range(1, 9) for j in range(1, 9)]
            direct = sum(entry(i, j, s) * x for i, j, x in pairs)
            assert abs(quadratic(policy, s, w) / direct - 1) < mpmath.mpf(10) ** -13


def contains(found: Enclosure, value: Number, room: Number) -> bool:
    low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
    return low - room <= value <= high + room


def places(number: int, how_many: int) -> list[Fraction]:
    draw = rng(number)
    return [Fraction(draw.randrange(1, 94), 97 + draw.randrange(5)) for _ in range(how_many)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("number", "spec", "policy", "s"), every_third(CASES))
def test_closed_forms_and_certified_sums(number: int, spec: str, policy: str, s: int) -> None:
    own = derived(spec, policy, s)
    for q in places(number, 1):
        value, law = plain(spec, policy, s, q), own.distribution.at({"q": q})  # type: ignore[attr-defined]
        with mpmath.workdps(WORKING):
            room = mpmath.mpf(10) ** -AGREED * value
            for found in (own.enclosure(q, AGREED + 2), ratio(policy, law, s).direct(AGREED + 2)):
                assert found.relative_width() < 10.0**-AGREED
                assert contains(found, value, room)
            assert own.value(q) == pytest.approx(float(value), rel=1e-14)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("number", "spec", "policy", "s"), rng(-2).sample(CASES, 12))
def test_a_limit_is_where_values_tend(number: int, spec: str, policy: str, s: int) -> None:
    """Values at q = 1 ∓ 2^−n (or 2^−n), extrapolated: the error has terms t^a (ln t)^b, or 1/(ln t)^b where logarithms rule."""
    own = derived(spec, policy, s)
    for name, end, limit in own.limits:
        assert name == "q"
        inward = 1 if end == 0 else -1

        def value(t: Fraction, end: Any = end, inward: int = inward) -> Number:
            found = own.enclosure(Fraction(int(end)) + inward * t, AGREED)
            return mpmath.mpf(found.lower.numerator) / found.lower.denominator

        with mpmath.workdps(AGREED):
            if limit is sp.oo:
                sizes = [value(Fraction(1, 2**n)) for n in (20, 40, 80, 160)]
                assert all(b > 1.5 * a for a, b in pairwise(sizes))
                continue
            target = mpmath.mpmathify(sp.N(limit, AGREED))
            gaps = [abs(value(Fraction(1, 2**n)) - target) for n in (40, 80, 160, 320)]
            if gaps[-1] > mpmath.mpf(10) ** -30:  # logarithmic: c_1/n + c_2/n² + …, extrapolated in 1/n
                n = [2**m for m in range(5, 12)]
                rows = [value(Fraction(1, 2**k)) for k in n]
                for order in range(1, len(n)):
                    rows = [(2**order * b - a) / (2**order - 1) for a, b in pairwise(rows)]
                assert abs(rows[-1] - target) < mpmath.mpf(10) ** -5 * target
                assert abs(rows[-1] - target) < gaps[-1] / 100
            else:
                assert all(b <= a / 2**20 + mpmath.mpf(10) ** (5 - AGREED) for a, b in pairwise(gaps))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("number", "spec", "policy", "s"), rng(-1).sample(CASES, 7))
def test_a_supremum_is_at_least_every_sum_and_is_reached(number: int, spec: str, policy: str, s: int) -> None:
    own = derived(spec, policy, s)
    found = own.supremum()
    if found.bounds is None:
        assert sp.oo in [limit for _, _, limit in own.limits]
        return
    values = {q: plain(spec, policy, s, q) for q in places(number, 4)}
    limits = [mpmath.mpmathify(sp.N(limit, 30)) for _, _, limit in own.limits]
    low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (found.enclosure.lower, found.enclosure.upper))
    room = 1 + mpmath.mpf(10) ** -12
    assert found.status in ("proved", "certified")
    assert all(value <= high * room for value in (*values.values(), *limits))
    if isinstance(found.at, Enclosure):
        middle = plain(spec, policy, s, (found.at.lower + found.at.upper) / 2)
        assert low * (1 - mpmath.mpf(10) ** -7) <= middle <= high * room  # the maximum is flat
        assert found.attained
    elif found.at in (0, 1):
        assert min(abs(limit / low - 1) for limit in limits) < mpmath.mpf(10) ** -12

"""The supremum of a ratio over the mean λ of a Poisson law: branch and bound up to a mean, an inequality beyond.

N and D are power series in λ. Beyond, the entries must satisfy, for all 1 ≤ i ≤ j and some r, A and B > 0,

    N_ij ≤ r D_ij + A (j−i)(s+i+j),    D_ij ≥ B i(s+i).

With X, Y independent of the distribution, m = min(X, Y), V = Var X and E = E X, Cauchy–Schwarz and E m ≥ E − √(V/2) give

    N/D ≤ r + A √(2V) √((s+2E)² + 2V) / (B (E − √(V/2)) (s + E − √(V/2))).

For λ ≥ 100 the distribution given k ≥ 1 has λ ≤ E ≤ 1.01 λ and V ≤ 1.01 λ, so the bound is at most its value with these, which
decreases in λ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from crtools.distributions import Poisson
from crtools.enclosure import ball, ends, precision
from crtools.errors import NotCertified
from crtools.forms import Form
from crtools.forms.rational_entry import trace
from crtools.numeric_types import Ball, RingElement
from crtools.ratios.ratio import Ratio
from crtools.ratios.supremum import Supremum
from crtools.ratios.unit_interval_supremum import Bounds, PowerSeries, inner_supremum, polish

MEANS = (100, 400, 1600)
"""Means from one of which on the inequality is used."""

FACTORS = tuple(Fraction(n, 8) for n in (0, 1, 2, 4, 8, 16, 32, 64, 128))
"""Values that r, A and B are searched for among."""


def poisson_supremum(policy: Form, against: Form, s: int, name: str) -> Supremum:
    """Return the certified supremum over λ > 0 of the ratio under λ^k/k!, k ≥ 1.

    Raises ``NotCertified`` unless it is attained and above the bound for large means.
    """
    first = Fraction(against.entry(1, 1, s))
    if not (policy.nonnegative_at(s) and against.nonnegative_at(s) and first > 0):
        raise NotCertified("the forms are not known to have non-negative entries, the first > 0")

    def both(rate: Fraction) -> tuple[Ball, Ball]:
        return Ratio(policy, against, Poisson(rate), s).both(30)

    bounds = Bounds(PowerSeries(both, first, 2), Fraction(2 * MEANS[-1]))
    for k in range(1, 60):
        bounds.at(Fraction(k, 4))
    polish(bounds)
    level = Fraction(int(bounds.largest * (1 - Fraction(1, 100)) * 2**40), 2**40)
    last = next((mean for mean in MEANS if any(b < level for b in _beyond(policy, against, s, mean))), None)
    if last is None:
        raise NotCertified("the maximum does not exceed the bound of the ratio for large means")
    method = f"branch and bound on chords of ln N and ln D, convex in ln λ; an inequality for λ ≥ {last}"
    return inner_supremum(bounds, Fraction(last), level, name, method)


def _beyond(policy: Form, against: Form, s: int, mean: int) -> Iterator[Fraction]:
    """Iterate over upper bounds of the ratio for all λ ≥ mean, one for each r for which there are A and B."""
    assert policy.rational is not None
    assert against.rational is not None
    n, d = policy.rational.value, against.rational.value

    def holds(gap: Callable[[RingElement, RingElement, RingElement], RingElement]) -> bool:
        """Whether the coefficients show that gap(i, j, s) ≥ 0 for all 1 ≤ i ≤ j."""
        entry = trace(gap)
        return entry is not None and entry.nonnegative(s)

    def least(b: Fraction) -> bool:
        return holds(lambda i, j, s: d(i, j, s) - b * i * (s + i))

    def most(r: Fraction, a: Fraction) -> bool:
        return holds(lambda i, j, s: r * d(i, j, s) + a * (j - i) * (s + i + j) - n(i, j, s))

    below = next((b for b in reversed(FACTORS) if b and least(b)), None)
    if below is None:
        return
    with precision(64):
        e, v = ball(Fraction(101, 100) * mean), ball(Fraction(101, 100) * mean)
        smaller = mean - (v / 2).sqrt()
        top = (2 * v * ((s + 2 * e) ** 2 + 2 * v)).sqrt()
        factor = ends(top / (ball(below) * smaller * (s + smaller)))[1]
    for r in FACTORS:
        a = next((a for a in FACTORS if most(r, a)), None)
        if a is not None:
            yield r + a * factor

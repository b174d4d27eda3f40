"""Log-normal and Pareto lengths, rounded to whole tokens, with bounds on their tails; and densities, the limit u → ∞ of large lengths."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from math import ceil, exp, floor, lcm, log
from statistics import NormalDist

import numpy as np
import sympy as sp

from crtools.distributions.base import Distribution, ExpressionDistribution, K, given_ends, spec_text
from crtools.distributions.real_weights import RealWeights, powers
from crtools.enclosure import ball, fraction
from crtools.errors import InputError
from crtools.expressions import number
from crtools.numeric_types import Ball, FloatArray, IntArray, RingElement, SymExpr
from crtools.signs.parameters import sign_on
from crtools.signs.ranges import UNIT

LARGEST_LENGTH = 2**62
"""A drawn length must fit into an integer array."""


class _Rounded(RealWeights):
    """A continuous law in whole tokens, up to u where u is given; lengths are drawn by inversion."""

    @abstractmethod
    def quantile(self, share: float) -> int:
        """Return the smallest length k with P(o ≤ k) ≥ share, of the distribution without u, rounded in floats."""

    @abstractmethod
    def share_until(self, u: int) -> float:
        """Return P(o ≤ u) of the distribution without u, as a float."""

    def quantiles(self, shares: FloatArray) -> IntArray:
        """Return the length at each share of the cumulative probability."""
        below, until = self.share_until(self.l - 1), 1.0 if self.u is None else self.share_until(self.u)
        lengths = [max(self.quantile(below + (until - below) * share), self.l) for share in shares]
        if max(lengths, default=1) > LARGEST_LENGTH:
            raise self.refusal("has too heavy a tail to draw from; give it an end, u=…")
        return np.array([min(k, self.u or k) for k in lengths], dtype=np.int64)


class LogNormal(_Rounded):
    """A log-normal length rounded up: P(o = k) = F(k) − F(k−1), F(x) = Φ((ln x − mu)/sigma), given l ≤ o, and o ≤ u if given.

    >>> LogNormal(1, "1/2", u=100)
    lognormal(mu=1, sigma=1/2, u=100)
    """

    def __init__(
        self, mu: Fraction | int | str, sigma: Fraction | int | str, u: int | None = None, *, l: int = 1
    ) -> None:
        self.mu, self.sigma = _number("mu", mu), _number("sigma", sigma)
        if abs(self.mu) > 20:
            raise InputError("mu", self.mu, "must lie between −20 and 20: the mean of ln X")
        if not Fraction(1, 20) <= self.sigma <= 5:
            raise InputError("sigma", self.sigma, "must lie between 1/20 and 5: the standard deviation of ln X")
        scale = sp.Rational(self.sigma) * sp.sqrt(2)
        until, before = (sp.erf((sp.log(x) - sp.Rational(self.mu)) / scale) for x in (K, K - 1))
        expr = sp.Piecewise(((1 + until) / 2, sp.Eq(K, 1)), ((until - before) / 2, True))
        super().__init__(l, u, expr, spec_text("lognormal", mu=self.mu, sigma=self.sigma, **given_ends(l, u)))

    def _half_erfc(self, k: RingElement, side: int) -> RingElement:
        """Return P(X > k) for side 1 and P(X ≤ k) for side −1."""
        return ((k.log() - ball(self.mu)) * (side / (ball(self.sigma) * ball(2).sqrt()))).erfc() / 2

    def weight_over(self, k: RingElement) -> RingElement:
        """Return F(k) − F(k−1), as a difference of what is small."""
        first = k.coeffs()[0] if hasattr(k, "coeffs") else k
        if first == 1:
            return self._half_erfc(k, -1)
        if float(first.mid().log()) > self.mu:
            return self._half_erfc(k - 1, 1) - self._half_erfc(k, 1)
        return self._half_erfc(k, -1) - self._half_erfc(k - 1, -1)

    def beyond(self, k: int) -> Ball:
        """Return P(X > k)."""
        return self._half_erfc(ball(k), 1) if k else ball(1)

    def power_beyond(self, k: int, power: Fraction) -> Ball:
        """Return (1 + 1/k)^power E[X^power; X > k] for a power ≥ 0, without the factor else, since X ≤ o ≤ X + 1."""
        p, variance = ball(power), ball(self.sigma) ** 2
        moved = (ball(k).log() - ball(self.mu) - p * variance) / (ball(self.sigma) * ball(2).sqrt())
        moment = (p * ball(self.mu) + p**2 * variance / 2).exp() * moved.erfc() / 2
        return moment * (p * (1 + 1 / ball(k)).log()).exp() if power > 0 else moment

    def quantile(self, share: float) -> int:
        """Return ⌈F⁻¹(share)⌉."""
        if not 0 < share < 1:
            return 1 if share <= 0 else LARGEST_LENGTH + 1
        return max(ceil(exp(float(self.mu) + float(self.sigma) * NormalDist().inv_cdf(share))), 1)

    def share_until(self, u: int) -> float:
        """Return F(u)."""
        return NormalDist().cdf((log(u) - float(self.mu)) / float(self.sigma)) if u else 0.0

    def until(self, u: int) -> Distribution:
        """Return the distribution with the end u."""
        return LogNormal(self.mu, self.sigma, u, l=self.l)


class Pareto(_Rounded):
    """A Pareto length rounded down: P(o ≥ k) = (l/k)^a, k ≥ l, so P(o = k) = (l/k)^a − (l/(k+1))^a; up to u if given.

    >>> Pareto(2, u=100)
    pareto(a=2, u=100)
    """

    def __init__(self, a: Fraction | int | str, l: int = 1, u: int | None = None) -> None:
        self.a = _number("a", a)
        if not 0 < self.a <= 64:
            raise InputError("a", self.a, "must be a number from 0 (excluded) to 64")
        power = -sp.Rational(self.a)
        super().__init__(l, u, K**power - (K + 1) ** power, spec_text("pareto", a=self.a, **given_ends(l, u)))
        self.decay = self.a + 1 if u is None else None

    def weight_over(self, k: RingElement) -> RingElement:
        """Return k^(−a) − (k+1)^(−a)."""
        return (-ball(self.a) * k.log()).exp() - (-ball(self.a) * (k + 1).log()).exp()

    def beyond(self, k: int) -> Ball:
        """Return (k + 1)^(−a)."""
        return (-ball(self.a) * ball(k + 1).log()).exp()

    def power_beyond(self, k: int, power: Fraction) -> Ball:
        """Return a k^(power−a)/(a−power): the weight of j is at most a j^(−a−1), the slope's largest value."""
        exponent = self.a - power
        return ball(self.a) * (-ball(exponent) * ball(k).log()).exp() / ball(exponent)

    def quantile(self, share: float) -> int:
        """Return the k with P(o ≥ k+1) < 1 − share ≤ P(o ≥ k)."""
        above = max(1 - share, 2.0**-60)
        return floor(min(self.l * above ** (-1 / float(self.a)), 2.0 * LARGEST_LENGTH))

    def share_until(self, u: int) -> float:
        """Return 1 − P(o ≥ u + 1)."""
        return 1 - (self.l / (u + 1)) ** float(self.a)

    def until(self, u: int) -> Distribution:
        """Return the distribution with the end u."""
        return Pareto(self.a, self.l, u)


def _number(name: str, value: object) -> Fraction:
    if isinstance(value, sp.Symbol):
        raise InputError(name, value, "must be a number here: the weights are not rational in it")
    return Fraction(value) if isinstance(value, int | Fraction) else number(name, str(value))


X = sp.Symbol("x", positive=True)
"""The share of u that a length is."""


class Density(ExpressionDistribution):
    """Lengths x·u, u → ∞, with x of the density proportional to f(x) = Σ c x^m on 0 < x ≤ 1, rational c and m > −1.

    Only ``ratio`` takes it. Raises ``InputError`` for an f that is of another kind, negative somewhere, or 0.
    """

    parameters = ()  # pyright: ignore[reportAssignmentType] -- x, the share of u, is no parameter

    def __init__(self, density: SymExpr, spec: str) -> None:
        super().__init__(1, None, density, spec)
        terms = powers(self._expr, X) or []
        self.powers = {-a: fraction(c) for c, a in terms if c.is_Rational and c != 0}
        if not self.powers or len(self.powers) < len(terms) or min(self.powers) <= -1:
            raise InputError("distribution", spec, "must be a sum of terms c·x^m with rational c and m > −1")
        if not _nonnegative(self.powers):
            raise InputError("distribution", spec, "must be ≥ 0 for 0 < x ≤ 1")

    @property
    def support(self) -> tuple[int, int | None]:
        """Refused: the lengths are shares of u → ∞."""
        raise self.refusal("is a limit u → ∞, which only ratio takes; elsewhere give it an end, u=…")

    def weight(self, k: int) -> Fraction:
        """Refused: the lengths are shares of u → ∞."""
        return Fraction(self.support[0])


def _nonnegative(powers: dict[Fraction, Fraction]) -> bool:
    """Return whether Σ c x^m ≥ 0 on (0, 1): with x = z^n and a power of z taken out, it is a polynomial in z."""
    n, lowest_power = lcm(*(m.denominator for m in powers)), min(powers)
    z = sp.Symbol("z")
    terms = (sp.Rational(c) * z ** int((m - lowest_power) * n) for m, c in powers.items())
    return sign_on(sp.Add(*terms), {z: UNIT}) == 1

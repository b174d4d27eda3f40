"""Laws whose weights are real numbers, enclosed in balls: powers of k and other expressions, finite or with a heavy tail."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np
import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.distributions.base import LARGEST_SUPPORT, Distribution, ExpressionDistribution, K
from crtools.enclosure import ball, ball_range, ends, fraction, objects, precision, working_bits
from crtools.errors import NotCertified
from crtools.numeric_types import Ball, ObjectArray, RingElement, SymExpr, SymPoly
from crtools.setting import integer

SIGN_BITS = 2000
"""A weight whose sign is not determined with this number of bits is refused unless it is exactly 0."""


class RealWeights(ExpressionDistribution):
    """A distribution whose weights are known as balls, not as fractions, on l ≤ k ≤ u (u None: unbounded)."""

    rational = False
    analytic = True
    """Whether ``weight_over`` takes power series too."""

    def __init__(self, l: int, u: int | None, expr: SymExpr, spec: str) -> None:
        l = integer("l", l, 1, LARGEST_SUPPORT)
        super().__init__(l, None if u is None else integer("u", u, l, LARGEST_SUPPORT), expr, spec)

    @abstractmethod
    def weight_over(self, k: RingElement) -> RingElement:
        """Return the weight of the length k: over a ball, or a power series of balls where ``analytic``."""

    def power_beyond(self, k: int, power: Fraction) -> Ball:
        """Return a ball, no smaller than Σ_{j>k} j^power weight(j), for an unbounded law where the sum is finite."""
        raise self.refusal("has no bound on its tail; give it an end, u=…")

    def weight(self, k: int) -> Fraction:
        """Refused: the weights are not fractions."""
        raise self.refusal("must have rational weights here; ratio, best, simulate and compare take other weights too")

    def moment(self, power: int) -> RingElement:
        """Refused, as ``weight``."""
        return self.weight(self.l)

    def ball_weights(self, first: int, last: int) -> ObjectArray:
        """Return balls of the weights of the lengths first, …, last, all in the support, as an array."""
        return objects(map(self.weight_over, ball_range(first, last)))

    def beyond(self, k: int) -> Ball | None:
        """Return the sum of the weights of the lengths above k ≥ l − 1, without an end, or None where it has no closed form."""
        return None

    def mass(self, first: int, last: int) -> Ball:
        """Return a ball of the sum of the weights of the lengths first, …, last."""
        above, after = self.beyond(first - 1), self.beyond(last)
        return super().mass(first, last) if above is None or after is None else above - after

    def total_ball(self) -> Ball:
        """Return a ball of the sum of all weights; of an unbounded law to the precision that is set."""
        whole = self.beyond(self.l - 1) if self.u is None else self.mass(self.l, self.u)
        if whole is not None:
            return whole
        last, total = self.l + 63, self.ball_weights(self.l, self.l + 63).sum()
        while not (tail := self.power_beyond(last, Fraction(0))) < total * ball(Fraction(1, 2 ** working_bits())):
            if last > LARGEST_SUPPORT:
                raise self.refusal("has a total weight that is not enclosed; give it an end, u=…")
            total += self.ball_weights(last + 1, 2 * last).sum()
            last *= 2
        return total + tail.union(ball(0))

    @cached_property
    def least_total(self) -> Fraction:
        """The weights of the first lengths, rounded down."""
        with precision(64):
            return ends(self.ball_weights(self.l, self.l + 63).sum())[0]

    def tail_bound(self, k: int) -> Fraction:
        """Return an upper bound of Σ_{j>k} weight(j)."""
        if self.u is not None:
            return self.tail_moment_bound(k, 0)
        with precision(64):
            return ends(self.power_beyond(k, Fraction(0)))[1]

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Return an upper bound of Σ_{j>k} (s + j)² weight(j): (1 + s)² Σ_{j>k} j² weight(j), or the sum up to an end u."""
        if self.u is not None:
            first = max(k + 1, self.l)
            if first > self.u:
                return Fraction(0)
            with precision(64):
                moments = self.ball_weights(first, self.u) * (ball_range(first, self.u) + s) ** 2
                return ends(moments.sum())[1]
        if self.decay is not None and self.decay <= 3:
            raise self.refusal("has an infinite second moment (heavy tail); give it an end, u=…")
        with precision(64):
            return ends((1 + s) ** 2 * self.power_beyond(k, Fraction(2)))[1]


class RealPmf(RealWeights):
    """The distribution with weights proportional to an expression in k that need not be rational, such as k^(−5/2).

    Without u it must be a sum Σ c k^(−a) with c > 0 and rational a > 1, or a weight whose steps weight(k+1)/weight(k) are a number
    c > 0 times a rational function, such as 20^k/k! or k² e^(−k/10). Raises ``InputError`` for a weight that is negative, or whose
    sign is not determined.
    """

    def __init__(self, weight: SymExpr, *, l: int = 1, u: int | None = None, spec: str) -> None:
        super().__init__(l, u, weight, spec)
        self._powers = powers(self._expr, K)
        self.analytic = self._powers is not None
        if u is not None or self._powers is None:
            with precision(64):
                if not any(w > 0 for w in self.ball_weights(self.l, min(u or self.l + 63, self.l + 63))):
                    raise self.refusal("must have a weight > 0 on the first lengths")
        if u is not None:
            return
        if self._powers is None:
            if self._steps is None:
                raise self.refusal(
                    "must be a sum of terms c·k^(−a), have a rational weight(k+1)/weight(k), or be given an end, u=…"
                )
            self._ratio_bound(self.l + 63, Fraction(0))
            return
        self.decay = min(a for _, a in self._powers)
        if self.decay <= 1:
            raise self.refusal(f"is not summable: its weights are like k^({-self.decay}); give it an end, u=…")
        if not all(c.is_positive for c, _ in self._powers):
            raise self.refusal("must have coefficients > 0 on an unbounded support")

    @cached_property
    def _steps(self) -> tuple[SymExpr, SymPoly, SymPoly] | None:
        """(c, P, Q) with weight(k+1)/weight(k) = c P(k)/Q(k), c > 0 and rational P and Q; None for another weight."""
        step: Any = sp.hypersimp(self._expr, K)
        if step is None:
            return None
        factors: Any = sp.factor(step)
        c, quotient = factors.as_independent(K)
        try:
            above, below = (sp.Poly(part, K, domain="QQ") for part in sp.fraction(sp.together(quotient)))
        except (sp.CoercionFailed, sp.PolynomialError):
            return None
        if below.LC() < 0:
            above, below = -above, -below
        return (c, above, below) if c.is_positive and above.LC() > 0 else None

    def _ratio_bound(self, k: int, power: Fraction) -> tuple[int, Ball]:
        """Return a j ≥ k, and an r < 1 that no quotient of neighbours among i^power weight(i) for i > j exceeds.

        At i = j + 1 + t, P and Q have coefficients ≥ 0 in t, so that P/Q is at most the largest quotient of two of them.
        """
        assert self._steps is not None
        (c, above, below), j = self._steps, k
        while j <= LARGEST_SUPPORT:
            top, bottom = (p.shift(j + 1).all_coeffs()[::-1] for p in (above, below))
            pairs = list(zip_longest(top, bottom, fillvalue=sp.S.Zero))
            if all(a >= 0 and (b > 0 or a == 0 == b) for a, b in pairs):
                largest = max(a / b for a, b in pairs if b)
                r = ball_value(c, {}) * ball(fraction(largest)) * (ball(power) * (ball(j + 2) / (j + 1)).log()).exp()
                if r < 1 and (r < 0.9 or j >= k + 64):  # a smaller r is a better bound
                    return j, r
            j += max(j - k, 16)
        raise self.refusal("is not shown to be summable and ≥ 0 for large k; give it an end, u=…")

    def weight_over(self, k: RingElement) -> RingElement:
        """Return Σ c k^(−a), or the value of another weight."""
        if self._powers is None:
            return self._value(k)
        log = k.log()
        return sum((ball_value(c, {}) * (-ball(a) * log).exp() for c, a in self._powers), start=0 * k)

    def ball_weights(self, first: int, last: int) -> ObjectArray:
        """Return balls of the weights of the lengths first, …, last."""
        weights = super().ball_weights(first, last)
        for index in np.flatnonzero(~(weights > 0).astype(bool)):
            weights[index] = self._checked(first + int(index))
        return weights

    def _value(self, k: Ball) -> Ball:
        try:
            return ball_value(self._expr, {K: k})
        except NotCertified as error:
            raise self.refusal(f"has a weight that is not enclosed: {error.reason}") from None

    def _checked(self, k: int) -> Ball:
        """Return the ball of a weight that was not shown to be > 0."""
        with precision(SIGN_BITS):
            value = self._value(ball(k))
        if value > 0:
            return self._value(ball(k))
        if not value < 0 and sp.simplify(self._expr.subs(K, k)) == 0:
            return ball(0)
        raise self.refusal(f"must have weights ≥ 0; this is not shown at k = {k}")

    def power_beyond(self, k: int, power: Fraction) -> Ball:
        """Return Σ c k^(power−a+1)/(a−power−1), the integrals from k on of what decreases; else a geometric series."""
        if self._powers is None:
            j, r = self._ratio_bound(k, power)
            moments = self.ball_weights(k + 1, j + 1) * objects(
                (ball(power) * i.log()).exp() for i in ball_range(k + 1, j + 1)
            )
            return moments.sum() + moments[-1] * r / (1 - r)
        pairs = ((ball_value(c, {}), ball(a - power - 1)) for c, a in self._powers or ())
        return sum((c * (-exponent * ball(k).log()).exp() / exponent for c, exponent in pairs), start=ball(0))

    def beyond(self, k: int) -> Ball | None:
        """Return the sum of the weights above k by the Hurwitz zeta function, for powers k^(−a) with a > 1."""
        if self._powers is None or min(a for _, a in self._powers) <= 1:
            return None
        return sum((ball_value(c, {}) * ball(a).zeta(ball(k + 1)) for c, a in self._powers), start=ball(0))

    def until(self, u: int) -> Distribution:
        """Return the distribution with the end u."""
        head, _, arguments = self._spec.rstrip(")").partition("(")
        kept = [part for part in arguments.split(", ") if not part.startswith("u=")]
        return RealPmf(self._expr, l=self.l, u=u, spec=f"{head}({', '.join([*kept, f'u={u}'])})")


def powers(expr: SymExpr, x: SymExpr) -> list[tuple[SymExpr, Fraction]] | None:
    """Write an expression as Σ c x^(−a) with real numbers c and rational a, as pairs (c, a); None where it is none."""
    pairs: list[tuple[SymExpr, Fraction]] = []
    for term in sp.Add.make_args(sp.expand(expr)):
        c, power = term.as_coeff_exponent(x)
        if not (power.is_Rational and c.is_number and c.is_real and c != 0):
            return None
        pairs.append((c, -fraction(power)))
    return pairs

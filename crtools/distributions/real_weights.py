"""Laws whose weights are real numbers, enclosed in balls: powers of k and other expressions, finite or with a heavy tail."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.distributions.base import LARGEST_SUPPORT, Distribution, K
from crtools.enclosure import ball, balls, ends, fraction, precision
from crtools.errors import InputError, NotCertified
from crtools.setting import integer

SIGN_BITS = 2000
"""A weight whose sign is not seen with so many bits is refused unless it is exactly 0."""


class RealWeights(Distribution):
    """A law whose weights are known as balls, not as fractions, on l ≤ k ≤ u (u None: unbounded)."""

    rational = False

    def __init__(self, l: int, u: int | None) -> None:
        self._l = integer("l", l, 1, LARGEST_SUPPORT)
        self._u = None if u is None else integer("u", u, self._l, LARGEST_SUPPORT)

    @property
    def support(self) -> tuple[int, int | None]:
        """The ends as given."""
        return self._l, self._u

    @property
    def analytic(self) -> bool:
        """Whether ``weight_over`` takes power series too."""
        return True

    @property
    def decay(self) -> Fraction | None:
        """The exponent a of an unbounded law whose weights are like k^(−a); None where all moments are finite."""
        return None

    @abstractmethod
    def weight_over(self, k: Any) -> Any:
        """Return the weight of the length k: over a ball, or a power series of balls where ``analytic``."""

    @abstractmethod
    def until(self, u: int) -> Distribution:
        """Return the law conditioned on lengths ≤ u."""

    def power_beyond(self, k: int, power: Fraction) -> Any:
        """Return a ball, no smaller than Σ_{j>k} j^power weight(j), for an unbounded law where the sum is finite."""
        raise InputError("distribution", self.spec(), "has no bound on its tail; give it an end, u=…")

    def weight(self, k: int) -> Fraction:
        """Refused: the weights are not fractions."""
        raise InputError(
            "distribution", self.spec(), "has weights that are not rational: only ratio and simulate take it"
        )

    def _moment(self, power: int) -> Any:
        return self.weight(self._l)

    def truncate(self, u: int) -> Distribution:
        """Return the law conditioned on lengths ≤ u."""
        u = integer("u", u, self._l, LARGEST_SUPPORT)
        return self.until(u if self._u is None else min(u, self._u))

    def ball_weights(self, first: int, last: int) -> Any:
        """Return balls of the weights of the lengths first, …, last, all in the support, as an array."""
        found = balls(range(first, last + 1))
        for place, k in enumerate(found):
            found[place] = self.weight_over(k)
        return found

    @cached_property
    def least_total(self) -> Fraction:
        """The weights of the first lengths, rounded down."""
        with precision(64):
            return ends(self.ball_weights(self._l, self._l + 63).sum())[0]

    def cut(self, share: Fraction, start: int = 64) -> int:
        """Return a length beyond which at most ``share`` of the weight lies."""
        k = self._l - 1 + start
        with precision(64):
            while not self.power_beyond(k, Fraction(0)) <= ball(share * self.least_total):
                k *= 2
                if k > LARGEST_SUPPORT:
                    raise InputError(
                        "distribution", self.spec(), "has too heavy a tail to draw from; give it an end, u=…"
                    )
        return k

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Return an upper bound of Σ_{j>k} (s + j)² weight(j) ≤ (1 + s)² Σ_{j>k} j² weight(j)."""
        if self.decay is not None and self.decay <= 3:
            raise InputError(
                "distribution", self.spec(), "heavy tail: the second moment is infinite; give it an end, u=…"
            )
        with precision(64):
            return ends((1 + s) ** 2 * self.power_beyond(k, Fraction(2)))[1]

    @cached_property
    def _table(self) -> tuple[Any, Any]:
        if self._u is None:
            return super()._table
        with precision(64):
            values = [float(w) for w in self.ball_weights(self._l, self._u)]
        return np.arange(self._l, self._u + 1), np.cumsum(values)


class RealPmf(RealWeights):
    """The law with weights proportional to an expression in k that need not be rational, such as k^(−5/2).

    Without u it must be a sum Σ c k^(−a) with c > 0 and rational a > 1. Raises ``InputError`` for a weight that is negative,
    or whose sign is not seen.
    """

    def __init__(self, weight: Any, *, l: int = 1, u: int | None = None, spec: str) -> None:
        super().__init__(l, u)
        self._expr, self._spec = weight, spec
        if u is not None:
            with precision(64):
                if not any(w > 0 for w in self.ball_weights(self._l, min(u, self._l + 63))):
                    raise InputError("distribution", spec, "has no weight on the first lengths")
            return
        if self._powers is None:
            raise InputError("distribution", spec, "must be a sum of terms c·k^(−a), or be given an end, u=…")
        if self.decay is not None and self.decay <= 1:
            raise InputError(
                "distribution", spec, f"is not summable: its weights are like k^({-self.decay}); give it an end, u=…"
            )
        if not all(c.is_positive for c, _ in self._powers):
            raise InputError("distribution", spec, "must have coefficients > 0 on an unbounded support")

    @property
    def expr(self) -> Any:
        """The weight as given."""
        return self._expr

    def spec(self) -> str:
        """Return the spec text."""
        return self._spec

    @cached_property
    def _powers(self) -> list[tuple[Any, Fraction]] | None:
        return powers(self._expr)

    @property
    def analytic(self) -> bool:
        """Whether the weight is a sum of powers."""
        return self._powers is not None

    @property
    def decay(self) -> Fraction | None:
        """The smallest exponent, of an unbounded law."""
        return None if self._u is not None or self._powers is None else min(a for _, a in self._powers)

    def weight_over(self, k: Any) -> Any:
        """Return Σ c k^(−a)."""
        assert self._powers is not None
        log = k.log()
        return sum((ball_value(c, {}) * (-ball(a) * log).exp() for c, a in self._powers), start=0 * k)

    def ball_weights(self, first: int, last: int) -> Any:
        """Return balls of the weights of the lengths first, …, last."""
        if self.analytic:
            found = super().ball_weights(first, last)
        else:
            found = balls(range(first, last + 1))
            for place, k in enumerate(found):
                found[place] = self._value(k)
        for place in np.flatnonzero(~(found > 0).astype(bool)):
            found[place] = self._checked(first + int(place))
        return found

    def _value(self, k: Any) -> Any:
        try:
            return ball_value(self._expr, {K: k})
        except NotCertified as error:
            raise InputError("distribution", self._spec, f"has a weight that is not enclosed: {error.reason}") from None

    def _checked(self, k: int) -> Any:
        """Return the ball of a weight that was not seen to be > 0."""
        with precision(SIGN_BITS):
            value = self._value(ball(k))
        if value > 0:
            return self._value(ball(k))
        if not value < 0 and sp.simplify(self._expr.subs(K, k)) == 0:
            return ball(0)
        raise InputError("distribution", self._spec, f"has a weight at k = {k} that is not seen to be ≥ 0")

    def power_beyond(self, k: int, power: Fraction) -> Any:
        """Return Σ c k^(power−a+1)/(a−power−1), the integrals from k on of what decreases."""
        total = ball(0)
        for c, a in self._powers or ():
            rest = a - power - 1
            total += ball_value(c, {}) * (-ball(rest) * ball(k).log()).exp() / ball(rest)
        return total

    def until(self, u: int) -> Distribution:
        """Return the law with the end u."""
        head, _, rest = self._spec.rstrip(")").partition("(")
        kept = [part for part in rest.split(", ") if not part.startswith("u=")]
        return RealPmf(self._expr, l=self._l, u=u, spec=f"{head}({', '.join([*kept, f'u={u}'])})")


def powers(expr: Any) -> list[tuple[Any, Fraction]] | None:
    """Write an expression as Σ c k^(−a) with real numbers c and rational a, as pairs (c, a); None where it is none."""
    found: list[tuple[Any, Fraction]] = []
    for term in sp.Add.make_args(sp.expand(expr)):
        c, rest = term.as_independent(K)
        base, power = rest.as_base_exp() if rest != 1 else (K, sp.S.Zero)
        if base != K or not power.is_Rational or not (c.is_number and c.is_real):
            return None
        found.append((c, -fraction(power)))
    return found

"""``Mixture``: a convex combination of normalised distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any, cast

import numpy as np
import sympy as sp

from crtools.closed_form.sums import NotClosed, Summand
from crtools.distributions.base import Distribution, K
from crtools.distributions.pmf import MOST_APART, Pmf
from crtools.distributions.ranges import Condition
from crtools.distributions.real_weights import RealWeights
from crtools.enclosure import ball, balls, ends, fraction, midpoint, precision, working_bits
from crtools.errors import InputError
from crtools.numeric_types import Ball, FieldElement, IntArray, ObjectArray, RingElement, Symbol, SymExpr
from crtools.setting import integer
from crtools.signs.ranges import Interval


class Mixture(Distribution):
    """Σ w_i · law_i, each distribution normalised first; the weights w_i are numbers > 0 or symbols. ``parts``: the pairs (w_i, law_i).

    >>> from crtools.distributions import Empirical
    >>> Mixture([("1/4", Empirical({1: 3, 10: 1})), ("3/4", Empirical({10: 1}))]).weight(10)
    Fraction(13, 16)
    """

    def __init__(self, parts: Sequence[tuple[Any, Distribution]]) -> None:
        if not parts:
            raise InputError("mixture", "none", "must have at least one component")
        self.parts = tuple((_weight(w), d) for w, d in parts)
        components = [d for _, d in self.parts]
        self.skipped, self.analytic = sum(d.skipped for d in components), all(d.analytic for d in components)
        self.decay = min((d.decay for d in components if d.decay is not None), default=None)
        supports = [d.support for d in components]
        self.breaks = tuple(
            sorted({low for low, _ in supports} | {high + 1 for _, high in supports if high is not None})
        )
        self._scales_at: dict[int, list[Ball]] = {}
        if all(d.rational for d in components):
            _ = self._scaled  # which refuses what has no total

    @cached_property
    def _scaled(self) -> list[tuple[SymExpr, Distribution]]:
        """Each weight over the total of its distribution, which may be no rational number; a component alone needs no total."""
        totals = [d.moment(0) if len(self.parts) > 1 else Fraction(1) for _, d in self.parts]
        return [(sp.sympify(w) / sp.sympify(t), d) for (w, d), t in zip(self.parts, totals, strict=True)]

    @cached_property
    def rational(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether all weights are rational numbers, as those of the components and their totals; symbols count as such."""
        return all(d.rational for _, d in self.parts) and all(c.is_Rational or c.free_symbols for c, _ in self._scaled)

    def _scales(self) -> list[Ball]:
        """Return balls of the weights over the totals, at the precision that is set."""
        if self.parameters:
            needed = ", ".join(x.name for x in self.parameters)
            raise self.refusal(f"needs a value for {needed}")
        if (bits := working_bits()) not in self._scales_at:
            several = len(self.parts) > 1
            self._scales_at[bits] = [ball(w) / (d.total_ball() if several else 1) for w, d in self.parts]
        return self._scales_at[bits]

    @property
    def support(self) -> tuple[int, int | None]:
        """From the smallest to the largest length of any component."""
        supports = [d.support for _, d in self.parts]
        highs = [h for _, h in supports]
        return min(low for low, _ in supports), None if None in highs else max(h for h in highs if h is not None)

    @property
    def expr(self) -> SymExpr:
        """The weighted sum of the components' expressions, each on its own support."""
        return sum((c * _on_support(d) for c, d in self._scaled), sp.S.Zero)

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        """The components' symbols and the weights'."""
        free = {x for w, d in self.parts for x in (*d.parameters, *getattr(w, "free_symbols", ()))}
        return tuple(sorted(free, key=lambda x: x.name))

    def weight(self, k: int) -> Fraction:
        """Return the mixture's weight at length k."""
        total = Fraction(0)
        for c, d in self._scaled:
            low, high = d.support
            if low <= k and (high is None or k <= high):
                if not c.is_Rational:
                    raise InputError("mixture", self.spec(), "must have components of rational total weight here")
                total += fraction(c) * d.weight(k)
        return total

    def ball_weights(self, first: int, last: int) -> ObjectArray:
        """Return balls of the weights of the lengths first, …, last, each component's by its own way."""
        result = balls([Fraction(0)] * (last - first + 1))
        for c, d, low, high in self._within(first, last):
            result[low - first : high - first + 1] += c * d.ball_weights(low, high)
        return result

    def mass(self, first: int, last: int) -> Ball:
        """Return a ball of the sum of the weights of the lengths first, …, last, of each component by its own way."""
        return sum((c * d.mass(low, high) for c, d, low, high in self._within(first, last)), start=ball(0))

    def _within(self, first: int, last: int) -> Iterator[tuple[Ball, Distribution, int, int]]:
        """Yield scale, component and the ends of the lengths first, …, last that it has, for each component that has some."""
        for c, (_, d) in zip(self._scales(), self.parts, strict=True):
            low, high = max(d.support[0], first), min(d.support[1] or last, last)
            if low <= high:
                yield c, d, low, high

    # ---- sums over blocks of lengths -------------------------------------------------------------------------------

    def weight_over(self, k: RingElement) -> RingElement:
        """Return the weight of the length k, over a ball or as a power series, by the components that have its middle."""
        first = k.coeffs()[0] if hasattr(k, "coeffs") else k
        middle = floor(ends(midpoint(first))[0])
        return sum((c * cast(RealWeights, d).weight_over(k) for c, d, *_ in self._within(middle, middle)), start=0 * k)

    def power_beyond(self, k: int, power: Fraction) -> Ball:
        """Return the sum of the components' bounds; one with an end u > k is at most max(1, u^power) of its total."""
        total = ball(0)
        for c, (w, d) in zip(self._scales(), self.parts, strict=True):
            high = d.support[1]
            if high is None:
                total += c * cast(RealWeights, d).power_beyond(k, power)
            elif high > k:
                total += ball(w) * (ball(max(power, Fraction(0))) * ball(high).log()).exp()
        return total

    def spec(self) -> str:
        """Return mix(w*law + …)."""
        return "mix(" + "+".join(f"{_plain(w)}*{d.spec()}" for w, d in self.parts) + ")"

    @cached_property
    def summand(self) -> Summand:
        """The components of unbounded support as Σ P(k) ρ^k / k^e on all k ≥ 1: with ``point_weights`` the weights of the distribution.

        Raises ``NotClosed`` where a component is not of that kind.
        """
        total: SymExpr = sp.S.Zero
        for c, d in self._rational_parts():
            if d.finite:
                continue
            if not isinstance(d, Pmf):
                raise NotClosed(f"the component {d.spec()} is not a sum of terms polynomial(k)·q^k/k^e")
            self._scale(c, d)
            total += c * d.expr
        return Summand.of(self.field, total, K)

    @cached_property
    def point_weights(self) -> dict[int, FieldElement]:
        """The weights of single lengths in addition to ``summand``: the components of finite support, and minus what lies below l.

        Raises ``NotClosed`` where they are too many, or not rational in the parameters.
        """
        point_weights: dict[int, FieldElement] = {}
        for c, d in self._rational_parts():
            scale, domain, read = self._scale(c, d), self.field.domain, d.field.domain.to_sympy
            for k, w in d.point_weights.items():
                point_weights[k] = point_weights.get(k, domain.zero) + scale * domain.from_sympy(read(w))
        if len(point_weights) > MOST_APART:
            raise NotClosed(f"more than {MOST_APART} lengths are not written out")
        return point_weights

    def _rational_parts(self) -> list[tuple[SymExpr, Distribution]]:
        for _, d in self.parts:
            if not d.rational:
                raise NotClosed(f"the weights of the component {d.spec()} are not rational")
        return self._scaled

    def _scale(self, scale: SymExpr, component: Distribution) -> FieldElement:
        """Return a component's share over its total as an element of the field."""
        try:
            return self.field.element(scale)
        except NotClosed:
            raise NotClosed(f"the total weight of {component.spec()} is not rational in the parameters") from None

    def conditions(self, last: int) -> list[Condition]:
        """Return those of the components, and that the shares are ≥ 0 and not all 0."""
        weights = [sp.sympify(w) for w, _ in self.parts]
        conditions = [Condition(w, strict=False) for w in weights] + [Condition(sum(weights, sp.S.Zero))]
        return [*conditions, *(c for _, part in self.parts for c in part.conditions(last))]

    def nonnegative_beyond(self, last: int, intervals: Mapping[Symbol, Interval]) -> bool:
        """Return whether the weights of each component are shown to be."""
        return all(part.nonnegative_beyond(last, intervals) for _, part in self.parts)

    def at(self, values: Mapping[str, Fraction]) -> Mixture:
        """Return the mixture with numbers for its symbols; components whose weight is 0 there are left out."""
        put = {sp.Symbol(n, positive=True): sp.sympify(v) for n, v in values.items()}
        parts: list[tuple[Any, Distribution]] = []
        for w, d in self.parts:
            weight = sp.sympify(w).xreplace(put)
            if weight == 0:
                continue
            own_values = {p.name: values[p.name] for p in d.parameters}
            parts.append((fraction(weight), d.at(own_values) if own_values else d))
        return Mixture(parts)

    def moment(self, power: int) -> Any:
        """Return the weighted sum of the components' moments."""
        moments = ((c, sp.sympify(d.moment(power))) for c, d in self._scaled)
        total: Any = sum((c * moment for c, moment in moments), sp.S.Zero)
        return fraction(total) if total.is_Rational else total

    @cached_property
    def least_total(self) -> Fraction:
        """The sum of the weights of normalised components."""
        return self.parts[0][1].least_total if len(self.parts) == 1 else sum((w for w, _ in self.parts), Fraction(0))

    def tail_bound(self, k: int) -> Fraction:
        """Return the weighted sum of the components' bounds."""
        return self._bound(lambda d: d.tail_bound(k))

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Return the weighted sum of the components' bounds."""
        return self._bound(lambda d: d.tail_moment_bound(k, s))

    def _bound(self, bound: Callable[[Distribution], Fraction]) -> Fraction:
        with precision(64):
            scales = [ends(c)[1] for c in self._scales()]
        return sum((c * bound(d) for c, (_, d) in zip(scales, self.parts, strict=True)), Fraction(0))

    def sample(self, n: int, rng: np.random.Generator) -> IntArray:
        """Return n lengths; where weights are only enclosed each is drawn from a component that is drawn first."""
        if self.rational:
            return super().sample(n, rng)
        shares = np.array([float(w) for w, _ in self.parts])
        part, drawn = rng.choice(len(shares), integer("n", n, 0), p=shares / shares.sum()), np.zeros(n, dtype=np.int64)
        for number, (_, d) in enumerate(self.parts):
            drawn[part == number] = d.sample(int((part == number).sum()), rng)
        return drawn


def _weight(w: Any) -> Any:
    """Return a weight as a ``Fraction`` > 0 or as an expression in symbols."""
    value = sp.sympify(w)
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise InputError("mixture weight", str(w), "must not divide by zero")
    if any(x.name == K.name for x in value.free_symbols):
        raise InputError("mixture weight", str(w), f"must not have a parameter named {K.name}, the length")
    if value.free_symbols:
        return value
    if not value.is_Rational or value <= 0:
        raise InputError("mixture weight", str(w), "must be a rational number > 0")
    return fraction(value)


def _on_support(d: Distribution) -> SymExpr:
    low, high = d.support
    if low == 1 and high is None:
        return d.expr
    upper = sp.true if high is None else sp.Le(K, high)
    return sp.Piecewise((d.expr, sp.And(sp.Ge(K, low), upper)), (0, True))


def _plain(w: object) -> str:
    text = str(w)
    return f"({text})" if any(c in text for c in "+-") else text

"""``Mixture``: a convex combination of normalised distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.quadratic import law_summand
from crtools.closed_form.summand import NotClosed, Summand
from crtools.distributions.base import Distribution, K
from crtools.distributions.pmf import MOST_APART, Pmf, terms
from crtools.distributions.ranges import Condition
from crtools.enclosure import ball, balls, fraction
from crtools.errors import InputError
from crtools.numeric_types import FieldElement, ObjectArray, Symbol, SymExpr, SymPoly
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
        self.skipped = sum(d.skipped for _, d in self.parts)
        for _, d in self.parts:
            if not d.rational:
                allowed = "has weights that are not rational, which a mixture does not take"
                raise InputError("mixture", d.spec(), allowed)
        several = len(self.parts) > 1  # a component alone needs no total, which may not be rational
        totals = [d._moment(0) if several else Fraction(1) for _, d in self.parts]  # pyright: ignore[reportPrivateUsage]
        self._scaled = [(sp.sympify(w) / sp.sympify(t), d) for (w, d), t in zip(self.parts, totals, strict=True)]

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
                total += self._rational(c) * d.weight(k)
        return total

    def ball_weights(self, first: int, last: int) -> ObjectArray:
        """Return balls of the weights of the lengths first, …, last, each component's by its own way."""
        result = balls([Fraction(0)] * (last - first + 1))
        for c, d in self._scaled:
            low, high = d.support
            low, high = max(low, first), last if high is None else min(last, high)
            if low <= high:
                result[low - first : high - first + 1] += ball(self._rational(c)) * d.ball_weights(low, high)
        return result

    def _rational(self, scale: SymExpr) -> Fraction:
        if not scale.is_Rational:
            raise InputError("mixture", self.spec(), "has a component whose total weight is not rational")
        return fraction(scale)

    def spec(self) -> str:
        """Return mix(w*law + …)."""
        return "mix(" + "+".join(f"{_plain(w)}*{d.spec()}" for w, d in self.parts) + ")"

    @cached_property
    def summand(self) -> Summand:
        """The components of unbounded support as Σ P(k) ρ^k / k^e on all k ≥ 1: with ``point_weights`` the weights of the distribution.

        Raises ``NotClosed`` where a component is not of that kind.
        """
        parts: list[tuple[SymPoly, FieldElement, int]] = []
        for c, d in self._scaled:
            if d.finite:
                continue
            if not isinstance(d, Pmf):
                raise NotClosed(f"the component {d.spec()} is not a sum of terms polynomial(k)·q^k/k^e")
            self._scale(c, d)
            parts += terms(self.field, c * d.expr)
        return law_summand(self.field, parts)

    @cached_property
    def point_weights(self) -> dict[int, FieldElement]:
        """The weights of single lengths in addition to ``summand``: the components of finite support, and minus what lies below l.

        Raises ``NotClosed`` where they are too many, or not rational in the parameters.
        """
        point_weights: dict[int, FieldElement] = {}
        for c, d in self._scaled:
            scale, convert = self._scale(c, d), self.field.domain.convert
            if isinstance(d, Pmf | Mixture):
                to_sympy = d.field.domain.to_sympy
                items = [(k, self.field.domain.from_sympy(to_sympy(w))) for k, w in d.point_weights.items()]
            else:
                items = [(k, convert(QQ(w.numerator, w.denominator))) for k, w in d.items()]
            for k, w in items:
                point_weights[k] = point_weights.get(k, self.field.domain.zero) + scale * w
        if len(point_weights) > MOST_APART:
            raise NotClosed(f"more than {MOST_APART} lengths are not written out")
        return point_weights

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

    def _moment(self, power: int) -> Any:
        moments = ((c, sp.sympify(d._moment(power))) for c, d in self._scaled)  # pyright: ignore[reportPrivateUsage]
        total: Any = sum((c * moment for c, moment in moments), sp.S.Zero)
        return fraction(total) if total.is_Rational else total

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Return the weighted sum of the components' bounds."""
        return sum((self._rational(c) * d.tail_moment_bound(k, s) for c, d in self._scaled), Fraction(0))


def _weight(w: Any) -> Any:
    """Return a weight as a ``Fraction`` > 0 or as an expression in symbols."""
    value = sp.sympify(w)
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise InputError("mixture weight", str(w), "divides by zero")
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

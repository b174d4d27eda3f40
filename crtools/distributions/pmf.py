"""``Pmf``: a distribution given by an expression in k and parameters, normalised by the tool.

The general case is Σ P(k) q^k / k^e, for which sums have closed forms; other expressions need a finite support.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.closed_form.sums import Field, NotClosed, Summand
from crtools.distributions.base import LARGEST_SUPPORT, ExpressionDistribution, K, given_ends, spec_text
from crtools.distributions.ranges import Condition, defined
from crtools.enclosure import ball, ball_range, ends, fraction, objects, precision, running_products
from crtools.errors import InputError
from crtools.numeric_types import FieldElement, ObjectArray, RingElement, Symbol, SymExpr, SymPoly
from crtools.setting import integer
from crtools.signs.parameters import sign_on
from crtools.signs.ranges import Interval

CHECKED, LAST_CHECKED = 64, 10**4
"""A weight's sign is examined for that many lengths; beyond them an unbounded law's sign is decided by its expression."""

MOST_APART = 300
"""Upper limit on the lengths with single weights in closed forms."""

LONGEST_WRITTEN_OUT = 300
"""A finite law up to this many lengths has all its weights as conditions."""


class NotRational(InputError):
    """A weight is no rational number."""


class Pmf(ExpressionDistribution):
    """The distribution with weights proportional to ``weight`` (a SymPy expression in k) on l ≤ k ≤ u.

    ``values`` gives parameters numbers; a parameter without one stays a symbol. Raises ``InputError`` for a weight
    that is negative, vanishes, or is not summable.

    >>> k, q = sp.Symbol("k", positive=True, integer=True), sp.Symbol("q", positive=True)
    >>> Pmf(k**2 * q**k, values={"q": Fraction(1, 2)}).weight(2)
    Fraction(1, 1)
    """

    def __init__(
        self,
        weight: Any,
        values: Mapping[str, Fraction] | None = None,
        *,
        l: int = 1,
        u: int | None = None,
        spec: str | None = None,
    ) -> None:
        l = integer("l", l, 1, LARGEST_SUPPORT)
        u = None if u is None else integer("u", u, l, LARGEST_SUPPORT)
        weight, values = sp.sympify(weight), dict(values or {})
        put = {x: sp.Rational(values[x.name]) for x in weight.free_symbols if x.name in values}
        super().__init__(l, u, weight.subs(put), spec or spec_text("pmf", weight, **{**values, **given_ends(l, u)}))
        if weight.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
            raise self.refusal("must not divide by zero")
        if any(x.name == "k" and x != K for x in weight.free_symbols) or "k" in values:
            raise self.refusal("must not have a parameter named k, the length")
        if not self.parameters:
            self._validate()

    # ---- the interface ---------------------------------------------------------------------------------------------

    def weight(self, k: int) -> Fraction:
        """Return the exact weight of length k, 0 outside the support."""
        if k < self.l or (self.u is not None and k > self.u):
            return Fraction(0)
        if self.parameters:
            raise self.refusal(f"needs a value for {', '.join(p.name for p in self.parameters)}")
        pieces, below = self._plain or ([], [])
        if divisor := _horner(below, k):
            weight = sum((_horner(p, k) * rho**k for rho, p in pieces), Fraction(0)) / divisor
        else:
            value = self._expr.subs(K, k)
            if not value.is_Rational:
                value = sp.cancel(sp.simplify(value))
            if not value.is_Rational:
                raise NotRational("distribution", self.spec(), f"its weight at k = {k} is not a rational number")
            weight = fraction(value)
        if weight < 0:
            raise self.refusal(f"must have weights ≥ 0, not {weight} at k = {k}")
        return weight

    @cached_property
    def _plain(self) -> tuple[list[tuple[Fraction, list[Fraction]]], list[Fraction]] | None:
        """(ρ, P) and Q with the weight Σ P(k) ρ^k / Q(k), by coefficients, highest first, for fast values; None for another kind."""
        try:
            law = Summand.of(Field.of(), self._expr, K)
        except NotClosed:
            try:
                above, below = (sp.Poly(x, K, domain="QQ") for x in sp.fraction(sp.together(self._expr)))
            except (sp.CoercionFailed, sp.PolynomialError):
                return None
            return [(Fraction(1), [*map(fraction, above.all_coeffs())])], [*map(fraction, below.all_coeffs())]
        pieces = [
            (fraction(rho), [fraction(p.coeff(law.field.k**m)) for m in range(int(p.degree()), -1, -1)])
            for rho, p in law.terms.items()
        ]
        return pieces, [Fraction(1)] + [Fraction(0)] * law.poles.get(0, 0)

    def at(self, values: Mapping[str, Fraction]) -> Pmf:
        """Return the distribution with numbers for its symbols."""
        return Pmf(self._expr, values, l=self.l, u=self.u)

    def conditions(self, last: int) -> list[Condition]:
        """Return conditions on bases, coefficients and the first weights; for a finite law on all of them."""
        if not self.parameters:
            return []
        if self.u is not None:
            if self.u - self.l >= LONGEST_WRITTEN_OUT:
                raise NotClosed("the lengths are too many to be written out")
            weights: list[Any] = [sp.together(self._expr.subs(K, k)) for k in range(self.l, self.u + 1)]
            if not all(w.is_rational_function(*self.parameters) for w in weights):
                raise NotClosed("the weights are not rational in the parameters")
            return [*defined([w for w in weights if w != 0]), *(Condition(w, strict=False) for w in weights)]
        pieces, one = self._pieces, len(self._pieces) == 1
        conditions = [c for rho, _ in pieces for c in (Condition(rho), Condition(1 - rho))]
        conditions += defined([c for _, p in pieces for c in p.all_coeffs() if c != 0])
        nonnegative: list[Any] = [
            sum((p.eval(k) * (1 if one else rho**k) for rho, p in pieces), sp.S.Zero)
            for k in range(self.l, self.l + last)
        ]
        nonnegative += [pieces[0][1].LC()] if one else []
        return [*conditions, *(Condition(value, strict=False) for value in nonnegative)]

    @cached_property
    def _pieces(self) -> list[tuple[SymExpr, SymPoly]]:
        """(base, polynomial in k) for each base, as SymPy expressions in the parameters."""
        convert, terms = self.field.domain.to_sympy, self.summand.terms
        return [(convert(rho), sp.Poly({m: convert(c) for m, c in p.terms()}, K)) for rho, p in terms.items()]

    def nonnegative_beyond(self, last: int, intervals: Mapping[Symbol, Interval]) -> bool:
        """Return whether all weights of k > ``last`` are shown to be ≥ 0 on the ranges, by signs of coefficients."""
        return self.finite or not self.parameters or self._nonnegative_from(self.l + last, intervals)

    def _nonnegative_from(self, start: int, intervals: Mapping[Symbol, Interval]) -> bool:
        """Return whether all weights of k ≥ ``start`` are shown to be ≥ 0.

        With k = start + t, each base's polynomial in t has coefficients ≥ 0; or the negative ones, at most their
        (r/top)^start-fold against the largest base, are outweighed by those of that base. A coefficient that is negative
        for some values only is examined with and without it, one for each power of t.
        """
        shifted = [(rho, dict(p.shift(start).terms()), sp.Dummy()) for rho, p in self._pieces]
        signs = {(mark, m): sign_on(c, intervals) for _, coefficients, mark in shifted for m, c in coefficients.items()}
        if all(sign > 0 for sign in signs.values()):
            return True
        for top, coefficients_of_top, mark in shifted:
            others = [piece for piece in shifted if piece[2] is not mark]
            if any(sign_on(top - rho, intervals) <= 0 for rho, _, _ in others):
                continue
            lowest = dict(coefficients_of_top)  # with the terms that are always ≤ 0
            sometimes = dict[Any, Any]()  # the terms that are ≤ 0 for some values only
            for rho, coefficients, other in others:
                for m, c in coefficients.items():
                    scaled = c * (rho / top) ** start
                    if signs[other, m] < 0:
                        lowest[m] = lowest.get(m, sp.S.Zero) + scaled
                    elif not signs[other, m]:
                        sometimes[m] = sp.nan if m in sometimes else scaled
            whole = [*lowest.values(), *(lowest.get(m, sp.S.Zero) + extra for m, extra in sometimes.items())]
            if all(c is not sp.nan and sign_on(c, intervals) > 0 for c in whole):
                return True
        return False

    # ---- exponential polynomials -----------------------------------------------------------------------------------

    @cached_property
    def summand(self) -> Summand:
        """The weight as Σ P(k) ρ^k / k^e on all k ≥ 1, 0 for a finite support: with ``point_weights`` the weights of the distribution.

        Raises ``NotClosed`` where it is not of that kind.
        """
        return Summand.of(self.field, self._expr if self.u is None else sp.S.Zero, K)

    @cached_property
    def point_weights(self) -> dict[int, FieldElement]:
        """The weights of single lengths in addition to ``summand``: minus the weight below l, or all weights of a finite support.

        Raises ``NotClosed`` where they are too many, or not rational in the parameters.
        """
        if self.u is None:
            return {k: -self.summand.at(k) for k in range(1, self.l)}
        if self.u - self.l >= MOST_APART:
            raise NotClosed(f"more than {MOST_APART} lengths are not written out")
        return {k: self.field.element(self._expr.subs(K, k)) for k in range(self.l, self.u + 1)}

    def moment(self, power: int) -> Any:
        """Return Σ k^power weight(k), in closed form where there is no end."""
        if self.u is not None and not self.parameters:
            return super().moment(power)
        domain = self.field.domain
        single_lengths = sum((w * domain(k**power) for k, w in self.point_weights.items()), domain.zero)
        total: Any = self.summand.times(self.field.k**power).complete_sum().expr() + domain.to_sympy(single_lengths)
        return fraction(total) if total.is_Rational else total

    @cached_property
    def _majorant(self) -> Summand:
        """At least the weight at every k ≥ 1: without poles, and with the coefficients' absolute values."""
        terms, ring = self.summand.terms, self.field.ring
        positive = {rho: ring.from_dict({m: abs(c) for m, c in p.terms()}) for rho, p in terms.items()}
        return Summand(self.field, positive)

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Return Σ_{j>k} (s + j)² · majorant(j), rounded up; a finite sum for a finite support."""
        if self.u is not None:
            return super().tail_moment_bound(k, s)
        domain, total = self.field.domain, Fraction(0)
        tails = self._majorant.times((self.field.k + domain(s)) ** 2).tails_above()
        with precision(64):  # ρ^k itself would have as many digits as k
            for rho, p in tails.terms.items():
                total += ends(ball(fraction(p.evaluate(0, domain(k)))) * ball(fraction(rho)) ** k)[1]
        return total

    def ball_weights(self, first: int, last: int) -> ObjectArray:
        """Return balls of the weights of the lengths first, …, last, with running powers of the bases."""
        k = ball_range(first, last)
        if self._plain is None:
            if not self._expr.has(sp.factorial, sp.binomial):
                return super().ball_weights(first, last)
            return self._enclosed(objects(ball_value(self._expr, {K: length}) for length in k), first)
        pieces, below = self._plain
        result = 0 * k
        for rho, p in pieces:
            polynomial, base = _horner(map(ball, p), k), ball(rho)
            result = result + (polynomial if rho == 1 else polynomial * running_products(base**first, base, len(k)))
        return self._enclosed(result / _horner(map(ball, below), k), first)

    def _enclosed(self, weights: ObjectArray, first: int) -> ObjectArray:
        """Return the balls of the weights from ``first`` on, exact where they may be 0, or not allowed."""
        for index in np.flatnonzero(~(weights > 0).astype(bool)):
            weights[index] = ball(self.weight(first + int(index)))
        return weights

    def _validate(self) -> None:
        """Refuse weights that are negative, as ``weight`` does, that vanish, or that are not summable."""
        if self.u is not None:
            checked = range(self.l, min(self.u, self.l + CHECKED - 1) + 1)
            weights = [self.weight(k) for k in checked]
            if not any(weights) and not any(self.weight(k) for k in range(checked.stop, self.u + 1)):
                raise self.refusal("must have a weight > 0")
            return
        try:
            bases = self.summand.terms
        except NotClosed:
            raise self.refusal("must be a sum of terms polynomial(k)·q^k/k^e, or be given a finite support u") from None
        for rho in bases:
            if not -1 < rho < 1:
                raise self.refusal(f"is not summable: the base {rho} is not in (−1, 1); give it an end, u=…")
            if rho < 0:
                raise self.refusal(f"must have bases > 0, not {rho}, or an end, u=…")
        weights = [self.weight(k) for k in range(self.l, self.l + CHECKED)]
        if not any(weights):
            raise self.refusal(f"must have a weight > 0 at one of the first {CHECKED} lengths")
        start = CHECKED
        while not self._nonnegative_from(start, {}):
            start *= 2
            if start >= LAST_CHECKED:
                raise self.refusal("must have weights ≥ 0; this is not shown for large k: give it an end, u=…")
        for k in range(CHECKED + 1, start + 1):
            self.weight(k)


def _horner(coefficients: Iterable[RingElement], k: RingElement) -> RingElement:
    value: RingElement = 0 * k
    for c in coefficients:
        value = value * k + c
    return value

"""``Pmf``: a law given by an expression in k and parameters, normalised by the tool.

The general case is Σ P(k) q^k / k^e, for which sums have closed forms; other expressions need a finite support.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from crtools.closed_form.exponential_polynomial import ExponentialPolynomial, Field
from crtools.closed_form.quadratic import law_summand
from crtools.closed_form.summand import NotClosed, Summand
from crtools.distributions.base import LARGEST_SUPPORT, Distribution, K
from crtools.enclosure import ball, ball_range, ends, fraction, precision, running_products
from crtools.errors import InputError
from crtools.setting import integer

Number = int | float | str | Fraction
CHECKED = 64
"""A weight's sign is looked at for this many lengths; beyond, an unbounded law's sign is decided by its expression."""

MOST_APART = 300
"""So many lengths have weights of their own in closed forms."""


class NotRational(InputError):
    """A weight is no rational number."""


class Pmf(Distribution):
    """The law with weights proportional to ``weight`` (a SymPy expression in k) on l ≤ k ≤ u.

    ``values`` gives parameters numbers; a parameter without one stays a symbol. Raises ``InputError`` for a weight
    that is negative, vanishes, or is not summable.
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
        self._l = integer("l", l, 1, LARGEST_SUPPORT)
        self._u = None if u is None else integer("u", u, self._l, LARGEST_SUPPORT)
        self._values = dict(values or {})
        known = {n: sp.Rational(v) for n, v in self._values.items()}
        self._expr: Any = sp.sympify(weight).subs(
            {x: known[x.name] for x in sp.sympify(weight).free_symbols if x.name in known}
        )
        self._raw = sp.sympify(weight)
        if self._raw.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
            raise InputError("distribution", spec or str(weight), "divides by zero")
        if any(x.name == "k" and x != K for x in self._raw.free_symbols) or "k" in self._values:
            raise InputError("distribution", spec or str(weight), "must not have a parameter named k, the length")
        self._spec = spec
        if not self.parameters:
            self._validate()

    # ---- the interface ---------------------------------------------------------------------------------------------

    @property
    def support(self) -> tuple[int, int | None]:
        """The ends as given."""
        return self._l, self._u

    @property
    def expr(self) -> Any:
        """The weight as given, with the parameters' values."""
        return self._expr

    @property
    def parameters(self) -> tuple[Any, ...]:
        """The symbols other than k."""
        return tuple(sorted((x for x in self._expr.free_symbols if x != K), key=lambda x: x.name))

    def weight(self, k: int) -> Fraction:
        """Return the exact weight of length k, 0 outside the support."""
        if k < self._l or (self._u is not None and k > self._u):
            return Fraction(0)
        if self.parameters:
            raise InputError(
                "distribution", self.spec(), f"needs a value for {', '.join(p.name for p in self.parameters)}"
            )
        value = self._plain_weight(k)
        if value is not None:
            return self._checked(k, value)
        value = self._expr.subs(K, k)
        if not value.is_Rational:
            value = sp.cancel(sp.simplify(value))
        if not value.is_Rational:
            raise NotRational("distribution", self.spec(), f"its weight at k = {k} is not a rational number")
        return self._checked(k, fraction(value))

    def _checked(self, k: int, value: Fraction) -> Fraction:
        if value < 0:
            raise InputError("distribution", self.spec(), f"has a negative weight at k = {k}")
        return value

    def _plain_weight(self, k: int) -> Fraction | None:
        """Return Σ P(k) ρ^k / Π (k+c)^m or P(k)/Q(k) where the weight is of that kind: much faster than substitution."""
        own = self._plain
        if own is None:
            above, below = (_horner(p, k) for p in self._quotient or ([], []))
            return above / below if below else None
        total = Fraction(0)
        for rho, coefficients in own[0]:
            total += _horner(coefficients, k) * rho**k
        for c, m in own[1].items():
            total /= (k + c) ** m
        return total

    @cached_property
    def _plain(self) -> tuple[list[tuple[Fraction, list[Fraction]]], Mapping[int, int]] | None:
        try:
            law = law_summand(Field.of(), terms(Field.of(), self._expr))
        except NotClosed:
            return None
        zero = law.field.domain.zero
        pieces = [
            (_fraction(rho), [_fraction(p.get((m,), zero)) for m in range(p.degree(), -1, -1)])
            for rho, p in law.function.terms.items()
        ]
        return pieces, law.poles

    @cached_property
    def _quotient(self) -> tuple[list[Fraction], ...] | None:
        """The coefficients of P and Q, highest first, where the weight is P(k)/Q(k)."""
        try:
            polynomials = [sp.Poly(x, K, domain="QQ") for x in sp.fraction(sp.together(self._expr))]
        except (sp.polys.polyerrors.CoercionFailed, sp.polys.polyerrors.PolynomialError):
            return None
        return tuple([fraction(c) for c in p.all_coeffs()] for p in polynomials)

    def spec(self) -> str:
        """Return the spec text."""
        if self._spec is not None:
            return self._spec
        parts = [str(self._raw), *(f"{n}={v}" for n, v in self._values.items())]
        parts += [f"l={self._l}"] if self._l != 1 else []
        parts += [f"u={self._u}"] if self._u is not None else []
        return f"pmf({', '.join(parts)})"

    def at(self, values: Mapping[str, Fraction]) -> Pmf:
        """Return the law with numbers for its symbols."""
        return Pmf(self._expr, {**values}, l=self._l, u=self._u)

    # ---- exponential polynomials -----------------------------------------------------------------------------------

    @cached_property
    def field(self) -> Field:
        """ℚ(parameters)."""
        return Field.of(*self.parameters)

    @cached_property
    def summand(self) -> Summand:
        """The weight as Σ P(k) ρ^k / k^e on all k ≥ 1, 0 for a finite support: with ``apart`` the weights of the law.

        Raises ``NotClosed`` where it is not of that kind.
        """
        if self._u is not None:
            return Summand(ExponentialPolynomial(self.field, {}))
        return law_summand(self.field, terms(self.field, self._expr))

    @cached_property
    def apart(self) -> dict[int, Any]:
        """What single lengths have beside ``summand``: minus the weight below l, or all weights of a finite support.

        Raises ``NotClosed`` where they are too many, or not rational in the parameters.
        """
        if self._u is None:
            return {k: -self.summand.at(k) for k in range(1, self._l)}
        if self._u - self._l >= MOST_APART:
            raise NotClosed(f"more than {MOST_APART} lengths are not written out")
        return {k: _element(self.field, self._expr.subs(K, k)) for k in range(self._l, self._u + 1)}

    def _moment(self, power: int) -> Any:
        if self._u is not None and not self.parameters:
            return super()._moment(power)
        total = self.summand.times(self.field.k**power).complete_sum().expr()
        own: Any = self.field.domain.to_sympy(
            sum((w * self.field.domain(k**power) for k, w in self.apart.items()), self.field.domain.zero)
        )
        return fraction(total + own) if (total + own).is_Rational else total + own

    @cached_property
    def _majorant(self) -> list[tuple[Any, Fraction]]:
        """Pairs (polynomial with non-negative coefficients, base): Σ P(k) ρ^k is at least the weight for k ≥ 1."""
        pairs: list[tuple[Any, Fraction]] = []
        for rho, p in self.summand.function.terms.items():
            positive = self.field.ring.from_dict({m: abs(c) for m, c in p.terms()})
            pairs.append((positive, abs(rho)))
        return pairs

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Return Σ_{j>k} (s + j)² · majorant(j), rounded up; poles only make the weight smaller."""
        total = Fraction(0)
        for p, rho in self._majorant:
            lifted = p * (self.field.k + self.field.domain(s)) ** 2
            rest = ExponentialPolynomial(self.field, {rho: lifted}).tails_above().terms[rho]
            value = _fraction(rest.evaluate(0, self.field.domain(k)))
            with precision(64):  # ρ^k itself would have as many digits as k
                total += ends(ball(value) * ball(_fraction(rho)) ** k)[1]
        return total

    def ball_weights(self, first: int, last: int) -> Any:
        """Return balls of the weights of the lengths first, …, last, with running powers of the bases."""
        k = ball_range(first, last)
        if self._plain is not None:
            pieces, poles = self._plain
            result = 0 * k
            for rho, coefficients in pieces:
                own = _horner([ball(c) for c in coefficients], k)
                base = ball(rho)
                result = result + (own if rho == 1 else own * running_products(base**first, base, len(k)))
            for c, m in poles.items():
                for _ in range(m):
                    result = result / (k + c)
        elif self._quotient is not None:
            above, below = ([ball(c) for c in p] for p in self._quotient)
            result = _horner(above, k) / _horner(below, k)
        else:
            return super().ball_weights(first, last)
        for place in np.flatnonzero(~(result > 0).astype(bool)):  # it may be 0, or not allowed
            result[place] = ball(self.weight(first + int(place)))
        return result

    def _validate(self) -> None:
        try:
            closed = self.summand if self._u is None else None
        except NotClosed:
            allowed = "must be a sum of terms polynomial(k)·q^k/k^e, or be given a finite support u"
            raise InputError("distribution", self.spec(), allowed) from None
        if closed is not None:
            for rho in closed.function.terms:
                if not -1 < rho < 1:
                    raise InputError(
                        "distribution",
                        self.spec(),
                        f"is not summable: the base {rho} is not in (−1, 1); give it an end, u=…",
                    )
                if rho < 0:
                    raise InputError("distribution", self.spec(), f"its base {rho} is negative")
        some = False
        for k in range(self._l, min(self._u or LARGEST_SUPPORT, self._l + CHECKED - 1) + 1):
            w = self.weight(k)
            if w < 0:
                raise InputError("distribution", self.spec(), f"has a negative weight at k = {k}")
            some = some or w > 0
        if not some and self._u is None:
            raise InputError("distribution", self.spec(), "has no weight on the first lengths")
        if not some and self._u is not None and not any(self.weight(k) for k in range(self._l, self._u + 1)):
            raise InputError("distribution", self.spec(), "has no weight at all")
        if closed is not None:
            self._validate_beyond(closed)

    def _validate_beyond(self, closed: Summand) -> None:
        """Refuse a weight that is, or cannot be seen not to be, negative for large k: shift by CHECKED and look at signs."""
        function = closed.function.terms
        shifted = {r: p.compose(self.field.k, self.field.k + self.field.domain(CHECKED)) for r, p in function.items()}
        if all(c >= 0 for p in shifted.values() for c in p.values()):
            return
        top, start = max(shifted), CHECKED
        while start < 10**4:
            # for k = start + t: the dominant base's polynomial in t must exceed the others', coefficient by coefficient
            at = {r: p.compose(self.field.k, self.field.k + self.field.domain(start)) for r, p in function.items()}
            rest = dict(at[top].terms())
            for r, p in at.items():
                for m, c in () if r == top else p.terms():
                    rest[m] = rest.get(m, self.field.domain.zero) - abs(c) * (r / top) ** start
            if all(c >= 0 for c in rest.values()):
                break
            start *= 2
        else:
            raise InputError("distribution", self.spec(), "cannot be shown to be non-negative for large k")
        for k in range(CHECKED + 1, start + 1):
            if self.weight(k) < 0:
                raise InputError("distribution", self.spec(), f"has a negative weight at k = {k}")


def _horner(coefficients: Sequence[Any], k: Any) -> Any:
    value: Any = 0 * k
    for c in coefficients:
        value = value * k + c
    return value


def _element(field: Field, weight: Any) -> Any:
    """Return a weight as an element of the field; ``NotClosed`` where it is not rational in the parameters."""
    try:
        return field.domain.from_sympy(sp.together(weight))
    except (ValueError, sp.polys.polyerrors.CoercionFailed, sp.polys.polyerrors.PolynomialError):
        raise NotClosed("the weights are not rational in the parameters") from None


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator))


def terms(field: Field, expr: Any) -> list[tuple[Any, Any, int]]:
    """Write Σ P(k) ρ^k / k^e as (P as a SymPy polynomial in k, ρ in the field, e); raises ``NotClosed`` otherwise."""
    result: list[tuple[Any, Any, int]] = []
    for term in sp.Add.make_args(sp.expand(expr)):
        coefficient, power, rho = sp.S.One, 0, sp.S.One
        for factor in sp.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            if not factor.has(K):
                coefficient *= factor
            elif base == K and exponent.is_Integer:
                power += int(exponent)
            elif not base.has(K) and exponent.is_polynomial(K) and sp.Poly(exponent, K).degree() == 1:
                slope: Any = exponent.coeff(K, 1)
                offset: Any = exponent.coeff(K, 0)
                if not (slope.is_Integer and offset.is_Integer):
                    raise NotClosed(f"the exponent {exponent}")
                rho *= base**slope
                coefficient *= base**offset
            else:
                raise NotClosed(f"the factor {factor}")
        e = max(-power, 0)
        try:
            result.append((sp.Poly(coefficient * K ** max(power, 0), K), field.domain.from_sympy(sp.together(rho)), e))
        except (ValueError, sp.polys.polyerrors.CoercionFailed, sp.polys.polyerrors.PolynomialError):
            raise NotClosed(f"the term {term}") from None
    return result

"""The ratio under weights x_k on l ≤ k ≤ u as a sequence in u: its values, its limit, its supremum over u.

For N_ij = Σ_a i^a c_a(j)/d(j) the length j adds ΔN_j = x_j (x_j N_jj + 2 Σ_a P_a(j) c_a(j)/d(j)), P_a(j) = Σ_{i<j} i^a x_i. The
first lengths, up to U, are summed in balls. For all others, j > U, P_a(j) = polynomial(j) + c ln j + a constant in a small ball:

- weights that are rational in k: i^a x_i is a polynomial plus c/i plus at most E/i², and H_{j−1} − ln j increases by at most
  1/(U+1) from U + 1 on;
- summable weights of an unbounded law: P_a increases to its limit, so it lies between P_a(U+1) and that.

So ΔN_j and ΔD_j are x_j times such functions of j, whose signs for all j > U are those of their leading terms if these outweigh the
others. With ΔD_j > 0 the ratio beyond U is at most c ≥ N_U/D_U if ΔN_j ≤ c ΔD_j there, and at most its limit r if
ΔN_j ≥ r ΔD_j there and D_u converges. Where D_u → ∞ the limit is that of ΔN_j/ΔD_j (Stolz–Cesàro).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from crtools.closed_form.sums import faulhaber
from crtools.distributions import Pmf
from crtools.distributions.base import K
from crtools.distributions.families import SymbolicEnd
from crtools.enclosure import Enclosure, ball, ball_range, fraction, objects, precision, rational
from crtools.errors import NotCertified
from crtools.forms import Form
from crtools.numeric_types import Ball, ObjectArray, Rational, RingElement, SymPoly
from crtools.ratios.direct_sums import separated
from crtools.ratios.ratio import Ratio
from crtools.ratios.supremum import Supremum
from crtools.signs.charts import Key, Terms, add, product, sign_beyond

SUMMED = (64, 512, 4096)
"""Lengths up to U = l + this are summed one by one; tried in turn until the remainder is bounded."""

WIDEST = 1e-3
"""A limit is reported as the supremum only if its enclosure is narrower than this, relatively."""

BITS = 192


def _terms(poly: SymPoly) -> dict[Key, Rational]:
    return {(m, 0): rational(fraction(c)) for (m,), c in poly.terms() if c != 0}


@dataclass(frozen=True)
class _Part:
    """A form at prompts of s tokens: columns a ↦ c_a(j), and the common denominator d(j) > 0."""

    columns: Mapping[int, Terms]
    below: Terms

    @classmethod
    def of(cls, form: Form, s: int) -> _Part:
        """Return the pieces of a form; raises ``NotCertified`` where its entry is not of that kind, or not ≥ 0."""
        entry = separated(form, s)
        if entry is None or not entry.nonnegative(s):
            raise NotCertified(f"the form {form.name} is not a sum of products ≥ 0 of a power of i and a quotient in j")
        above, below = entry.monomials(s)
        sign = 1 if sum(below.values()) > 0 else -1
        columns = {a: {(m, 0): rational(sign * c) for (n, m), c in above.items() if n == a} for a, _ in above}
        return cls(columns, {(m, 0): rational(sign * c) for (_, m), c in below.items()})

    @property
    def diagonal(self) -> Terms:
        """d(j) times the entry at (j, j)."""
        return add(*({(m + a, 0): c for (m, _), c in column.items()} for a, column in self.columns.items()))


class LastLength:
    """The ratio of two forms under the weights of a distribution up to its last length u, for all u."""

    def __init__(self, policy: Form, against: Form, law: SymbolicEnd, s: int, summed: int) -> None:
        self.policy, self.against, self.law, self.s = policy, against, law, s
        self.parts = (_Part.of(policy, s), _Part.of(against, s))
        self.last = law.l + summed

    # ---- the first lengths ----------------------------------------------------------------------------------------

    @cached_property
    def _table(self) -> tuple[list[tuple[Ball, Ball]], dict[int, Ball]]:
        """(N_u, D_u) for u = l, …, U, and P_a(U + 1)."""
        low, sums = self.law.l, list[ObjectArray]()
        with precision(BITS):
            j, x = ball_range(low, self.last), self.law.up_to(self.last).ball_weights(low, self.last)
            powers = {a for part in self.parts for a in part.columns}
            below = {a: np.cumsum(objects([ball(0), *(x * j**a)])) for a in powers}
            for part in self.parts:
                before = sum((_value(column, j) * below[a][:-1] for a, column in part.columns.items()), 0 * j)
                sums.append(np.cumsum(x * (x * _value(part.diagonal, j) + 2 * before) / _value(part.below, j)))
        return list(zip(*sums, strict=True)), {a: partial[-1] for a, partial in below.items()}

    @cached_property
    def values(self) -> list[Enclosure]:
        """The ratio at u = l, …, U."""
        with precision(BITS):
            return [Enclosure.from_ball(n / d) for n, d in self._table[0]]

    # ---- all others -----------------------------------------------------------------------------------------------

    @cached_property
    def below(self) -> dict[int, Terms]:
        """P_a(j) for j > U."""
        partial = self._table[1]
        if self.law.unbounded is None:
            return {a: self._rational(a, value) for a, value in partial.items()}
        with precision(BITS):
            return {a: {(0, 0): value.union(value + ball(self._tail(a)))} for a, value in partial.items()}

    def _tail(self, a: int) -> Fraction:
        """Return an upper bound of Σ_{k>U} k^a x_k."""
        return Pmf(self.law.expr * K ** max(a - 2, 0), l=self.law.l).tail_moment_bound(self.last, 0)

    def _rational(self, a: int, partial: Ball) -> Terms:
        above, below = self._quotient(a)
        divided: Any = sp.div(above, below)
        whole, remainder = divided
        summed = sp.Poly(sum((c * faulhaber(m, K - 1) for (m,), c in whole.terms()), sp.S.Zero), K)
        if remainder.is_zero:
            return add(_terms(summed - summed.eval(self.law.l)))
        simple = remainder.LC() / below.LC() if remainder.degree() == below.degree() - 1 else sp.S.Zero  # c of c/i
        numerator_left = sp.Poly(remainder * K - simple * below, K)  # left/(i · below) is at most E/i²
        n = self.last + 1
        with precision(BITS):
            # |left(i)| ≤ E below(i)/i for all i > U
            zero_term: dict[Key, Ball | Rational] = {(int(below.degree()), 0): rational(0)}
            size = zero_term | _terms(numerator_left * sp.Poly(K, K))
            error = _size(size, self.last) / _lower_bound(_terms(below), self.last)
            c = ball(fraction(simple))
            moved = partial - _value(_terms(summed), ball(n)) - c * ball(n).log()
            moved += c * ball(0).union(1 / ball(n)) + error / ball(self.last) * ball(-1).union(ball(1))
        return add(_terms(summed), {(0, 1): rational(fraction(simple))}, {(0, 0): moved})

    @cached_property
    def _weight(self) -> tuple[Terms, Terms]:
        """x_j = p(j)/q(j); the p of a summable law is a ball that holds j² x_j."""
        if self.law.unbounded is not None:
            return {(0, 0): ball(0).union(ball(self._tail(2)))}, {(2, 0): rational(1)}
        p, q = map(_terms, self._quotient(0))
        with precision(BITS):
            if sign_beyond(p, self.last) <= 0 or sign_beyond(q, self.last) <= 0:
                raise NotCertified("the weights of large lengths are not shown to be positive")
        return p, q

    def _quotient(self, a: int) -> tuple[SymPoly, SymPoly]:
        """Return k^a x_k as polynomials, the denominator's leading coefficient > 0."""
        try:
            above, below = (sp.Poly(part, K, domain="QQ") for part in sp.fraction(sp.cancel(K**a * self.law.expr)))
        except (sp.polys.polyerrors.CoercionFailed, sp.polys.polyerrors.PolynomialError):
            raise NotCertified("the weights are neither summable nor rational in k: give u a number") from None
        return (above, below) if below.LC() > 0 else (-above, -below)

    def _increment(self, part: _Part) -> Terms:
        """ΔN_j d(j) q(j)/x_j for j > U."""
        p, q = self._weight
        inner = add(*(product(self.below[a], column) for a, column in part.columns.items()))
        return add(product(p, part.diagonal), product({(0, 0): rational(2)}, product(q, inner)))

    @cached_property
    def _increments(self) -> tuple[Terms, Terms]:
        """ΔN_j and ΔD_j, times one factor > 0."""
        with precision(BITS):
            top, bottom = (self._increment(part) for part in self.parts)
            return product(top, self.parts[1].below), product(bottom, self.parts[0].below)

    def _compared(self, level: Ball | Rational) -> int:
        """Return the sign of ΔN_j − level · ΔD_j for all j > U, or 0 where it is not shown."""
        top, bottom = self._increments
        with precision(BITS):
            return sign_beyond(add(top, product({(0, 0): -level}, bottom)), self.last)

    @cached_property
    def _orders(self) -> tuple[int, int]:
        """The powers of j that bound ΔN_j and ΔD_j, up to logarithms."""
        p, q = self._weight
        same = max(p)[0] - 2 * max(q)[0] - sum(max(part.below)[0] for part in self.parts)
        top, bottom = self._increments
        return max(top)[0] + same, max(bottom)[0] + same

    @cached_property
    def limit(self) -> tuple[Any, Enclosure | None]:
        """The limit for u → ∞: exact or None, and an enclosure (None where it is ∞).

        Raises ``NotCertified`` where it is not known.
        """
        if self.law.unbounded is not None:
            unbounded = Ratio(self.policy, self.against, self.law.unbounded, self.s)
            return unbounded.exact, unbounded.enclosure(30)
        top, bottom = self._increments
        if not all(terms and ball(0) + terms[max(terms)] > 0 for terms in (top, bottom)):
            raise NotCertified("the growth of the sums is not determined")
        if self._orders[1] < -1:  # D_u converges
            if self._orders[0] >= -1:
                return sp.oo, None
            with precision(BITS):
                pairs = zip(self._table[0][-1], self.parts, strict=True)
                n, d = (value.union(value + self._remainder(part)) for value, part in pairs)
                return None, Enclosure.from_ball(n / d)
        (a, p), (b, q) = max(top), max(bottom)
        if (a, p) != (b, q):
            return (sp.oo, None) if (a, p) > (b, q) else (sp.S.Zero, Enclosure(Fraction(0), Fraction(0)))
        head, foot = top[a, p], bottom[b, q]
        if hasattr(head, "is_exact") or hasattr(foot, "is_exact"):
            with precision(BITS):
                return None, Enclosure.from_ball((ball(0) + head) / foot)
        exact = fraction(head / foot)
        return sp.Rational(exact), Enclosure(exact, exact)

    def _remainder(self, part: _Part) -> Ball:
        """Return an upper bound of Σ_{j>U} ΔN_j, by integrals of x^e and x^e ln x for e ≤ −2."""
        p, q = self._weight
        factor, same = _size(p, self.last), max(p)[0]
        for poly in (q, q, part.below):
            factor, same = factor / _lower_bound(poly, self.last), same - max(poly)[0]
        total, start = ball(0), ball(self.last)
        for (m, n), c in self._increment(part).items():
            power = -(m + same) - 1
            if power < 1 or n > 1:
                raise NotCertified("the sums' tails are not bounded")
            integral = start.log() / power + 1 / ball(power) ** 2 if n else 1 / ball(power)
            total += abs(ball(0) + c) * start**-power * integral
        return total * factor

    # ---- the supremum ---------------------------------------------------------------------------------------------

    @cached_property
    def supremum(self) -> Supremum:
        """The supremum over all u ≥ l; raises ``NotCertified`` where it is not separated from the limit."""
        name, (exact, bounds) = self.law.u.name, self.limit
        if bounds is None:
            return Supremum(name, None, sp.oo, sp.oo, False, "certified", "the leading terms of both sums")
        if sign_beyond(self._increments[1], self.last) <= 0:
            raise NotCertified("the denominator is not shown to grow")
        method = f"sums up to u = {self.last} in balls; beyond, the sign of the increments"
        best = max(range(len(self.values)), key=lambda n: self.values[n].lower)
        largest_value, last = self.values[best].lower, self.values[-1]
        if largest_value > bounds.upper and self._compared(rational(largest_value)) < 0:
            at = best + self.law.l
            value, top = self.exact(at), max(v.upper for n, v in enumerate(self.values) if n != best)
            enclosure, exact = Enclosure(largest_value, max(top, self.values[best].upper)), None
            if value is not None and top <= value:
                enclosure, exact = Enclosure(value, value), sp.Rational(value)
            return Supremum(name, enclosure, exact, sp.Integer(at), True, "certified", method)
        with precision(BITS):
            level = rational(bounds.lower) if bounds.width == 0 else ball(bounds.lower).union(ball(bounds.upper))
        sign, largest = self._compared(level), max(v.upper for v in self.values[:-1])
        below = largest < bounds.lower and last.upper < bounds.lower
        converges = self.law.unbounded is not None or self._orders[1] < -1
        increases = converges and sign > 0 and (below or largest <= last.lower)
        if bounds.relative_width() < WIDEST and (increases or (below and sign < 0)):
            return Supremum(name, bounds, exact, sp.oo, False, "certified", method)
        raise NotCertified(f"the largest value up to u = {self.last} and the limit are not separated")

    def exact(self, u: int) -> Fraction | None:
        """Return the exact ratio at a last length, another route than the sums in balls; None for large u.

        Raises ``AssertionError`` where they differ.
        """
        exact = Ratio(self.policy, self.against, self.law.up_to(u), self.s).exact
        if exact is None:
            return None
        assert isinstance(exact, Fraction)
        if exact not in self.values[u - self.law.l]:
            raise AssertionError(f"sums in balls and the exact ratio differ at {self.law.u} = {u}")
        return exact


def over_last_length(policy: Form, against: Form, law: SymbolicEnd, s: int) -> LastLength:
    """Return the ratio for all last lengths u, with as many lengths summed as its supremum needs.

    Raises ``NotCertified`` for forms of another kind. For weights of another kind, ``supremum`` and ``limit`` of the result raise it.
    """
    for summed in SUMMED[:-1]:
        sequence = LastLength(policy, against, law, s, summed)
        with suppress(NotCertified):
            if sequence.supremum:
                return sequence
    return LastLength(policy, against, law, s, SUMMED[-1])


def _value(terms: Terms, j: RingElement) -> RingElement:
    """Return a polynomial at a ball j, or at an array of balls."""
    return sum((j**m * c for (m, _), c in terms.items()), 0 * j)


def _size(poly: Terms, last: int) -> Ball:
    """Return c with |poly(j)| ≤ c j^degree for all j > last."""
    top = max(poly)[0]
    return sum((abs(c) * ball(last) ** (m - top) for (m, _), c in poly.items()), ball(0))


def _lower_bound(poly: Terms, last: int) -> Ball:
    """Return c > 0 with poly(j) ≥ c j^degree for all j > last; raises ``NotCertified`` where there is none."""
    top = max(poly)
    bound = poly[top] - _size({**poly, top: rational(0)}, last)
    if not bound > 0:
        raise NotCertified("a denominator is not shown to be positive")
    return bound

"""The exact limits of a closed form at the ends of its parameters' ranges, by power series in t and Λ = ln t.

At the end q = 1 put q = 1 − t, at q = 0 put q = t, t → 0+. Rational functions and logarithms of polynomials that are
positive there are power series in t; a logarithm of a polynomial that vanishes is an integer times Λ plus such a
series; a dilogarithm at a base ρ → 1 is Li_2(ρ) = π²/6 − ln ρ ln(1 − ρ) − Li_2(1 − ρ).

Coefficients are exact: polynomials over ℚ in Λ, π² and logarithms of primes. So a coefficient is 0 only if it is shown to be 0, and
the leading one determines the limit. The remainder is bounded by balls on 0 < t ≤ δ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import prod
from operator import mul
from typing import Any, cast

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing

from crtools.closed_form.quotient import Quotient, by_powers
from crtools.closed_form.sums import add_by_key
from crtools.enclosure import Ball, ball, fraction, precision
from crtools.errors import NotCertified
from crtools.expressions import arguments
from crtools.numeric_types import RingElement, RingPoly, Symbol, SymExpr, SymPoly
from crtools.signs.ranges import Interval

BITS = 256

Sizes = Mapping[int, Ball]
"""{j: bound of a coefficient of |Λ|^j}."""


def _product(one: Sizes, other: Sizes) -> dict[int, Ball]:
    return add_by_key(*({i + j: x * y for j, y in other.items()} for i, x in one.items()))


@dataclass(frozen=True)
class Expansion:
    """poly(t, Λ) + t^n r(t), with |r(t)| ≤ Σ_j remainder[j] |Λ|^j for 0 < t ≤ δ; ``poly`` has powers of t below n."""

    at: Frame
    poly: RingPoly
    remainder: Sizes

    def __add__(self, other: Expansion) -> Expansion:
        return Expansion(self.at, self.poly + other.poly, add_by_key(self.remainder, other.remainder))

    def __mul__(self, other: Expansion | RingElement) -> Expansion:
        """Return the product with another one, an element of the ring, or a rational."""
        at = self.at
        if not isinstance(other, Expansion):
            other = at.truncated(at.ring.one * other)
        product = at.truncated(self.poly * other.poly)
        pairs = ((self, other), (other, self))
        errors = [_product(at.size(one.poly), two.remainder) for one, two in pairs if two.remainder]
        errors.append({j: r * at.delta**at.order for j, r in _product(self.remainder, other.remainder).items()})
        return Expansion(at, product.poly, add_by_key(product.remainder, *errors))

    def leading(self) -> tuple[int, int, RingPoly] | None:
        """Return (i, j, coefficient) of the leading term t^i Λ^j as t → 0, or None if ``poly`` is 0."""
        if not self.poly:
            return None
        i, j = min((i, -j) for i, j, *_ in self.poly.monoms())
        head = {(0, 0, *m[2:]): c for m, c in self.poly.terms() if m[:2] == (i, -j)}
        return i, -j, self.at.ring.from_dict(head)

    def sign(self) -> int:
        """Return the sign that the function is certified to have on all of 0 < t ≤ δ, or 0."""
        lead = self.leading()
        if lead is None:
            return 0
        i, j, _ = lead
        with precision(BITS):
            others = self.at.split(self.poly)
            head, total, delta = others.pop((i, j)), ball(0), self.at.delta
            size = -delta.log()  # |Λ| ≥ size
            remainder = (((self.at.order, b), r) for b, r in self.remainder.items())
            for (a, b), value in (*others.items(), *remainder):
                gap, logs = a - i, b - j
                # t^gap |Λ|^logs on (0, δ] is largest at δ if gap · |ln δ| ≥ logs
                if gap < 0 or (gap == 0 and logs >= 0) or not size * gap >= logs:
                    return 0
                total += abs(value) * delta**gap * size**logs
            if not total < abs(head):
                return 0
            return 1 if (head > 0) == (j % 2 == 0) else -1  # Λ < 0


class Frame:
    """Expansions of closed forms in one parameter at one end: order n, 0 < t ≤ δ.

    ``ring``: polynomials over ℚ in t, Λ and ``constants``, which are π² and logarithms of primes.
    """

    def __init__(self, parameter: Symbol, end: int, expr: SymExpr, order: int, delta: Fraction) -> None:
        self.parameter, self.end, self.order = parameter, end, order
        with precision(BITS):
            self.delta = ball(delta)
        self._t = sp.Dummy("t")
        self._q = sp.Poly(1 - self._t if end == 1 else self._t, self._t, domain="QQ")
        numbers = [_lowest(self._at(arguments(log)[0]))[1] for log in expr.atoms(sp.log)]
        for base in (self._at(arguments(part)[1]) for part in expr.atoms(sp.polylog)):
            numbers += [_lowest(1 - base)[1]] if base.eval(0) == 1 else []
        primes = sorted({int(p) for number in numbers for p in cast(Any, sp.factorrat(number))})
        self.constants: tuple[SymExpr, ...] = (sp.pi**2, *(sp.log(p) for p in primes))
        self.ring: Any = PolyRing([f"c{n}" for n in range(2 + len(self.constants))], QQ)

    # ---- the ring --------------------------------------------------------------------------------------------------

    def value(self, element: RingPoly) -> SymExpr:
        """Return an element without t and Λ as a SymPy expression."""
        return sp.sympify(element.as_expr(self._t, sp.Symbol("Lambda"), *self.constants))

    def split(self, element: RingPoly) -> dict[tuple[int, int], Ball]:
        """Return {(i, j): ball of the coefficient of t^i Λ^j}, at the current precision."""
        values = [Ball.pi() ** 2, *(ball(int(arguments(log)[0])).log() for log in self.constants[1:])]
        coefficients = (
            {(i, j): prod((v**m for v, m in zip(values, powers, strict=True)), start=ball(fraction(c)))}
            for (i, j, *powers), c in element.terms()
        )
        return add_by_key(*coefficients)

    def size(self, element: RingPoly) -> dict[int, Ball]:
        """Return {j: Σ_i |c_ij| δ^i}, a bound of Σ c_ij t^i Λ^j by powers of |Λ|."""
        return add_by_key(*({j: abs(c) * self.delta**i} for (i, j), c in self.split(element).items()))

    def truncated(self, element: RingPoly) -> Expansion:
        """Return an element of the ring with the powers of t from the order on in the remainder."""
        n = self.order
        low = {m: c for m, c in element.terms() if m[0] < n}
        beyond = {(m[0] - n, *m[1:]): c for m, c in element.terms() if m[0] >= n}
        return Expansion(self, self.ring.from_dict(low), self.size(self.ring.from_dict(beyond)))

    # ---- polynomials in the parameter, and their functions ------------------------------------------------------------

    def _at(self, expr: SymExpr | SymPoly) -> SymPoly:
        """Return a polynomial in the parameter as one in t."""
        return sp.Poly(sp.Poly(expr, self.parameter).all_coeffs(), self._t, domain="QQ").compose(self._q)

    def _polynomial(self, poly: SymPoly) -> Expansion:
        no_constants = (0,) * (1 + len(self.constants))
        coefficients = {(m, *no_constants): QQ(int(c.p), int(c.q)) for (m,), c in poly.terms() if c}
        return self.truncated(self.ring.from_dict(coefficients))

    def _series(self, x: Expansion, coefficient: Callable[[int], Any], bound: Callable[[int], Fraction]) -> Expansion:
        """Return Σ_{1≤k} coefficient(k) x^k, |coefficient(k)| ≤ bound(n) for k ≥ n, x free of Λ with x(0) = 0."""
        n = self.order
        total, power = self.truncated(self.ring.zero), self.truncated(self.ring.one)
        for k in range(1, n):
            power = power * x
            total = total + power * coefficient(k)
        # |x| ≤ slope · t on (0, δ]
        slope = (self.size(x.poly).get(0, ball(0)) + x.remainder.get(0, ball(0)) * self.delta**n) / self.delta
        reach = slope * self.delta
        if not reach < ball(Fraction(9, 10)):
            raise NotCertified("the expansion does not converge on the range asked")
        return Expansion(self, total.poly, add_by_key(total.remainder, {0: ball(bound(n)) * slope**n / (1 - reach)}))

    def log(self, poly: SymPoly) -> Expansion:
        """Return ln of a polynomial in t that is positive on the range: m Λ + ln c + ln(1 + …)."""
        m, c = _lowest(poly)
        x = self._polynomial(sp.Poly({(i - m,): a / c for (i,), a in poly.terms() if i > m}, self._t, domain="QQ"))
        series = self._series(x, lambda k: QQ((-1) ** (k + 1), k), lambda k: Fraction(1, k))
        factors: Any = sp.factorrat(sp.Rational(c))
        logs = (self.ring.gens[2 + self.constants.index(sp.log(p))] * power for p, power in factors.items())
        return series + self.truncated(cast(RingPoly, sum(logs, self.ring.gens[1] * m)))

    def polylog(self, m: int, base: SymPoly) -> Expansion:
        """Return Li_m of a polynomial base in t that tends to 0 or to 1."""
        if base.eval(0) == 0:
            return self._series(self._polynomial(base), lambda k: QQ(1, k**m), lambda k: Fraction(1, k**m))
        if base.eval(0) != 1 or m != 2:
            raise NotCertified(f"a polylogarithm of order {m} is not expanded at this end")
        other = 1 - base
        product, dual = self.log(base) * self.log(other), self.polylog(2, other)
        return self.truncated(self.ring.gens[2] * QQ(1, 6)) + (product + dual) * QQ(-1)

    def expand(self, poly: SymPoly, parts: Mapping[Symbol, SymExpr]) -> Expansion:
        """Return a polynomial in ``parts`` (symbol ↦ log or polylog) and the parameter."""
        with precision(BITS):
            part_series = [
                self.log(self._at(part.args[0]))
                if isinstance(part, sp.log)
                else self.polylog(int(arguments(part)[0]), self._at(arguments(part)[1]))
                for part in parts.values()
            ]
            total = self.truncated(self.ring.zero)
            for powers, coefficient in by_powers(sp.Poly(poly, *parts, self.parameter)).items():
                factors = [each for each, power in zip(part_series, powers, strict=True) for _ in range(power)]
                total = total + reduce(mul, factors, self._polynomial(self._at(sp.Poly(coefficient, self.parameter))))
            return total


def _lowest(poly: SymPoly) -> tuple[int, Any]:
    """Return (m, c) with poly = c t^m + …."""
    (m,), c = min(poly.terms(), key=lambda term: term[0])
    return m, c


def expansions(ratio: Quotient, end: int, order: int, delta: Fraction) -> tuple[Expansion, Expansion]:
    """Return the expansions of numerator and denominator at an end of (0, 1).

    Raises ``NotCertified`` where a logarithm or a polylogarithm is not of a polynomial.
    """
    [parameter] = ratio.parameters
    values: Any = sp.Tuple(*ratio.parts.values())
    if not all(part.args[-1].is_polynomial(parameter) for part in values if part.args):
        raise NotCertified("a part is not a logarithm or a polylogarithm of a polynomial")
    frame = Frame(parameter, end, values, order, delta)
    return frame.expand(ratio.numerator, ratio.parts), frame.expand(ratio.denominator, ratio.parts)


def limit_at_end(ratio: Quotient, interval: Interval, side: int) -> SymExpr:
    """Return the limit at the lower (0) or the upper end (1) of the range of the one parameter (oo where unbounded).

    Raises ``NotCertified`` where no expansion is known, and at an irrational end.
    """
    if not interval.exact():
        raise NotCertified("the limit at an irrational end is not known")
    [x], end, parts = ratio.parameters, interval.ends[side], ratio.parts.values()
    if not parts:
        return limit_of_polynomials(sp.Poly(ratio.numerator.as_expr(), x), sp.Poly(ratio.denominator.as_expr(), x), end)
    if end is sp.oo and all(isinstance(part, sp.harmonic) and part.has(x) for part in parts):
        return _of_harmonic(ratio)
    expandable = interval.unit and all(arguments(part)[-1].is_polynomial(x) for part in parts if part.args)
    i, j, c = leading_term(ratio if expandable else _moved(ratio, interval), side)
    return c if i == j == 0 else sp.oo if (i, -j) < (0, 0) else sp.S.Zero


def limit_of_polynomials(top: SymPoly, bottom: SymPoly, end: SymExpr) -> SymExpr:
    """Return the limit of a quotient in lowest terms, ≥ 0 near the end; the coefficients may have other symbols."""
    if end.is_infinite:
        more = int(top.degree()) - int(bottom.degree())
        above, below = top.LC() if more >= 0 else sp.S.Zero, bottom.LC() if more <= 0 else sp.S.Zero
    else:
        above, below = top.eval(end), bottom.eval(end)
    return sp.oo if below == 0 else cast(SymExpr, sp.factor(sp.cancel(above / below)))


def _of_harmonic(ratio: Quotient) -> SymExpr:
    """Return the limit for u → ∞ of a quotient of polynomials in u and harmonic numbers H ~ ln u."""
    tops: list[tuple[tuple[int, int], Any]] = []
    for poly in (ratio.numerator, ratio.denominator):
        whole = sp.Poly(poly, *ratio.parameters, *ratio.parts)
        key = max((m[0], sum(m[1:])) for m, _ in whole.terms())
        tops.append((key, sum(c for m, c in whole.terms() if (m[0], sum(m[1:])) == key)))
    (a, p), (b, q) = tops
    return p / q if a == b else sp.oo if a > b else sp.S.Zero


def leading_term(ratio: Quotient, end: int) -> tuple[int, int, SymExpr]:
    """Return (i, j, c) such that the ratio is c t^i Λ^j (1 + o(1)) at 0 or 1 from inside, by expansions."""
    for order in (8, 24, 80, 260, 800):
        p, q = expansions(ratio, end, order, Fraction(1, 2**30))
        up, down = p.leading(), q.leading()
        if up is not None and down is not None:
            return up[0] - down[0], up[1] - down[1], sp.cancel(p.at.value(up[2]) / q.at.value(down[2]))
    raise NotCertified("the leading terms vanish to a high order")


def _moved(quotient: Quotient, interval: Interval) -> Quotient:
    """Return a ratio as a function of the share v of the range, 0 < v < 1, with logarithms of polynomials."""
    [x] = quotient.parameters
    v = sp.Dummy("v", positive=True)
    expr: Any = quotient.expr.subs(x, interval.place(v))
    logs = {log: _split(log.args[0], v) for log in expr.atoms(sp.log) if log.has(v)}
    return Quotient.of(expr.xreplace(logs), (v,))


def _split(argument: SymExpr, v: SymExpr) -> SymExpr:
    """Return the logarithm of a positive rational function as a difference of logarithms of positive polynomials."""
    above, below = sp.fraction(sp.cancel(sp.together(argument)))
    sign = sp.sign(below.subs(v, sp.Rational(1, 3)))
    return sp.log(sp.expand(sign * above)) - sp.log(sp.expand(sign * below))


def limits_of_each(quotient: Quotient, ranges: Mapping[str, Interval]) -> list[tuple[str, SymExpr, SymExpr]]:
    """Return (name, end, limit) at the rational and infinite ends of each range, the other parameters kept as they are.

    Ends that are another parameter, and limits that depend on logarithms, are left out.
    """
    limits: list[tuple[str, SymExpr, SymExpr]] = []
    for x in quotient.parameters:
        if any(x in part.free_symbols for part in quotient.parts.values()):
            continue
        top, bottom = (sp.Poly(part.as_expr(), x) for part in (quotient.numerator, quotient.denominator))
        interval = ranges[x.name]
        for end in interval.ends[interval.integer and not interval.low_in :]:  # lengths u > 1 do not come near 1
            if end is sp.oo or end.is_Rational:
                limit = limit_of_polynomials(top, bottom, end)
                if not limit.free_symbols & set(quotient.parts):
                    limits.append((x.name, end, limit))
    return limits

"""Sums in closed form: of exponential polynomials Σ_ρ P_ρ(k) ρ^k over a field, and of these over Π (k + c)^m, integers c ≥ 0.

The field is ℚ or ℚ(parameters); ρ is a field element; P_ρ is a polynomial in k. Exponential polynomials are closed under sums,
products, prefix sums and tails. ``docs/closed-forms.md`` has the mathematics. No distribution is named here.

A quadratic form's value at a distribution Σ_c P_c(k) ρ_c^k / k^e_c on k ≥ 1, with other weights at single lengths, is such a sum:
Σ_{i,j} N_ij x_i x_j = Σ_j N_jj x_j² + 2 Σ_{i<j} N_ij x_i x_j, and for i < j an entry is a sum of products of a function
of i and a function of j. In each product the side without a pole is summed first, as a prefix sum or a tail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as data_field
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import pairwise, product
from math import comb, lcm, prod
from typing import Any, cast

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing

from crtools.enclosure import fraction
from crtools.numeric_types import FieldElement, RingElement, RingPoly, SymExpr

LARGEST_POLE = 100
"""A sum over 1/(k + c) brings ρ^(−c) and c terms, which are written out up to this c; in a form's entries c is s."""


class NotClosed(ArithmeticError):
    """A sum is outside the class that the algebra closes, for instance a nested sum with two poles."""


@dataclass(frozen=True)
class Field:
    """The field of coefficients and the polynomial ring in k over it.

    Over ℚ(parameters) a sum of fractions takes a greatest common divisor at every step, so longer computations are done
    over one denominator, in ``numerators``, and end with one cancellation for each coefficient.
    """

    domain: Any

    @cached_property
    def ring(self) -> PolyRing:
        """The ring of polynomials in k."""
        return PolyRing("k", self.domain)

    @cached_property
    def numerators(self) -> PolyRing:
        """The ring of polynomials in k over ℤ, or over ℚ[parameters]."""
        return PolyRing("k", self.domain.get_ring())

    @property
    def k(self) -> RingPoly:
        """The polynomial k."""
        return self.ring.gens[0]

    @classmethod
    def of(cls, *symbols: SymExpr) -> Field:
        """Return ℚ(symbols), or ℚ without symbols."""
        return cls(QQ.frac_field(*symbols) if symbols else QQ)

    def element(self, expr: SymExpr) -> SymExpr:
        """Return a SymPy expression as an element; raises ``NotClosed`` where it is not rational in the parameters."""
        try:
            return self.domain.from_sympy(sp.together(expr))
        except (ValueError, sp.CoercionFailed, sp.PolynomialError):
            raise NotClosed(f"{expr} is not rational in the parameters") from None

    def parts(self, element: FieldElement) -> tuple[FieldElement, FieldElement]:
        """Return numerator and denominator, in ℤ or ℚ[parameters]."""
        return self.domain.numer(element), self.domain.denom(element)

    def quotient(self, above: FieldElement, below: FieldElement) -> FieldElement:
        """Return above/below, in lowest terms."""
        return self.domain(above) / self.domain(below)

    def over_one(self, p: RingPoly) -> tuple[RingPoly, FieldElement]:
        """Return (P, d) with p = P/d, P in ``numerators``."""
        domain, parts = self.numerators.domain, {m: self.parts(c) for m, c in p.items()}
        below = reduce(domain.lcm, {d for _, d in parts.values()}, domain.one)
        return self.numerators.from_dict({m: c * domain.exquo(below, d) for m, (c, d) in parts.items()}), below

    def divided(self, p: RingPoly, below: FieldElement) -> RingPoly:
        """Return P/d for P in ``numerators``."""
        return self.ring.from_dict({m: self.quotient(c, below) for m, c in p.items()})


def add_by_key(*parts: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the sums of the values of mappings, key by key."""
    sums: dict[Any, Any] = {}
    for key, value in (item for part in parts for item in part.items()):
        sums[key] = sums[key] + value if key in sums else value
    return sums


def complete_sum(field: Field, p: RingPoly, rho: FieldElement) -> RingPoly:
    """Return Σ_{k≥1} p(k) ρ^k = −F(1) ρ for |ρ| < 1."""
    numerator, below = field.over_one(p)
    values = [numerator.evaluate(0, field.numerators.domain(n)) for n in range(1, max(int(numerator.degree()), 0) + 2)]
    firsts: list[FieldElement] = []  # Δ^n p at 1
    while values:
        firsts.append(values[0])
        values = [y - x for x, y in pairwise(values)]
    total, power = _solved(field, firsts, rho)
    a, b = field.parts(rho)
    return field.quotient(-a * total, below * power * b)


def _solved(field: Field, differences: list[Any], rho: Any) -> tuple[Any, Any]:
    """Return the antidifference F = P/d for ρ ≠ 1, from p, Δp, … (or from their values at one place).

    With Δ the difference, (ρ(1 + Δ) − 1) F = p, so F = Σ_n (−ρ)^n Δ^n p / (ρ − 1)^{n+1}; ρ = a/b.
    """
    a, b = field.parts(rho)
    total, power = 0 * differences[0], field.parts(field.domain.one)[1]
    for difference in reversed(differences):
        total, power = difference * power - total * a, power * (a - b)
    return total * b, power


def _antidifference(field: Field, p: RingPoly, rho: FieldElement) -> tuple[RingPoly, FieldElement]:
    """Return F = P/d, as (P, d), with F(k+1) ρ^{k+1} − F(k) ρ^k = p(k) ρ^k, for ρ ≠ 1; its degree is that of p."""
    numerator, below = field.over_one(p)
    differences = [numerator]
    while differences[-1].degree() > 0:
        differences.append(differences[-1].shift(1) - differences[-1])
    total, power = _solved(field, differences, rho)
    return total, below * power


def faulhaber(m: int, n: SymExpr) -> SymExpr:
    """Return Σ_{k=1}^{n} k^m as a polynomial in n, by Faulhaber's formula."""
    return sp.Add(*(sp.Rational(c) * n**power for power, c in enumerate(sum_of_powers(m))))


@lru_cache(maxsize=64)
def sum_of_powers(m: int) -> list[Fraction]:
    """Return the coefficients of Σ_{k=1}^{n} k^m in n, the lowest first."""
    return [Fraction(0), *(comb(m + 1, j) * fraction(sp.bernoulli(j)) / (m + 1) for j in range(m, -1, -1))]


# ---- with poles ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """rational + Σ coefficient · part, of one field; ``terms`` maps each part to its coefficient.

    A part (m, ρ) is Li_m(ρ), with Li_1(ρ) = −log(1 − ρ); a part that is a closed form is its square.
    """

    field: Field
    rational: FieldElement
    terms: Mapping[tuple[int, FieldElement] | ClosedForm, FieldElement] = data_field(default_factory=dict[Any, Any])

    def __add__(self, other: ClosedForm) -> ClosedForm:
        return ClosedForm(self.field, self.rational + other.rational, add_by_key(self.terms, other.terms))

    def __sub__(self, other: ClosedForm) -> ClosedForm:
        return self + other.scaled(-self.field.domain.one)

    def scaled(self, factor: FieldElement) -> ClosedForm:
        """Return factor times the value."""
        return ClosedForm(self.field, self.rational * factor, {part: c * factor for part, c in self.terms.items()})

    def expr(self) -> SymExpr:
        """Return a SymPy expression; logarithms are split along the factors of 1 − ρ and collected."""
        logs: dict[SymExpr, SymExpr] = {}
        to_sympy = self.field.domain.to_sympy
        total: SymExpr = to_sympy(self.rational)
        for part, value in self.terms.items():
            coefficient = to_sympy(value)
            if isinstance(part, ClosedForm):
                total += coefficient * part.expr() ** 2
            elif part[0] > 1:
                total += coefficient * sp.polylog(part[0], to_sympy(part[1]))
            else:
                for argument, power in _factors(1 - to_sympy(part[1])):
                    logs[argument] = logs.get(argument, 0) - coefficient * power
        for argument, coefficient in logs.items():
            total += sp.factor(sp.cancel(sp.together(coefficient))) * sp.log(argument)
        return total


def _factors(expr: SymExpr) -> list[tuple[SymExpr, int]]:
    """Split a polynomial or number that is positive for bases in (0, 1) into factors with that property."""
    numerator, denominator = sp.fraction(sp.together(expr))
    if not expr.free_symbols:
        return [(sp.cancel(expr), 1)]
    factored: Any = sp.factor_list(numerator)
    constant, pieces = factored
    result: list[tuple[SymExpr, int]] = []
    for piece, power in pieces:
        # at 1/3, a point where every 1 − ρ and its factors are non-zero, the sign tells which of ±piece is positive
        sign = -1 if piece.subs(dict.fromkeys(piece.free_symbols, sp.Rational(1, 3))) < 0 else 1
        result.append((sp.expand(sign * piece), power))
        constant *= sign**power
    constant /= denominator
    if constant.free_symbols or constant <= 0:
        return [(expr, 1)]
    if constant != 1:
        result.append((constant, 1))
    return result


class Summand:
    """An immutable function k ↦ Σ_ρ P_ρ(k) ρ^k / Π_c (k + c)^{poles[c]} on the integers k ≥ 1, in lowest terms."""

    __slots__ = ("field", "poles", "terms")

    def __init__(
        self, field: Field, terms: Mapping[FieldElement, RingPoly], poles: Mapping[int, int] | None = None
    ) -> None:
        self.field = field
        self.terms: dict[FieldElement, RingPoly] = {rho: p for rho, p in terms.items() if p}
        self.poles: dict[int, int] = {}
        for c, power in (poles or {}).items():
            factor = field.k + field.domain(c)
            while power and all(not p.rem(factor) for p in self.terms.values()):
                self.terms = {rho: cast(RingPoly, p.quo(factor)) for rho, p in self.terms.items()}
                power -= 1
            if power:
                self.poles[c] = power

    @classmethod
    def of(cls, field: Field, expr: SymExpr, k: SymExpr) -> Summand:
        """Return a SymPy expression Σ P(k) ρ^k / k^e in k as a summand; raises ``NotClosed`` for another."""
        pieces: list[tuple[FieldElement, SymExpr, int]] = []
        for term in sp.Add.make_args(sp.expand(expr)):
            coefficient, power, rho = sp.S.One, 0, sp.S.One
            for factor in sp.Mul.make_args(term):
                base, exponent = factor.as_base_exp()
                if not factor.has(k):
                    coefficient *= factor
                elif base == k and exponent.is_Integer:
                    power += int(exponent)
                elif not base.has(k) and exponent.is_polynomial(k) and sp.Poly(exponent, k).degree() == 1:
                    slope: Any = exponent.coeff(k, 1)
                    offset: Any = exponent.coeff(k, 0)
                    if not (slope.is_Integer and offset.is_Integer):
                        raise NotClosed(f"the exponent {exponent}")
                    rho *= base**slope
                    coefficient *= base**offset
                else:
                    raise NotClosed(f"the factor {factor}")
            pieces.append((field.element(rho), coefficient, power))
        deepest = max(0, *(-power for _, _, power in pieces))
        terms = add_by_key(*({rho: field.k ** (power + deepest) * field.element(c)} for rho, c, power in pieces))
        return cls(field, terms, {0: deepest})

    def __add__(self, other: Summand) -> Summand:
        """Return the sum of two summands without poles."""
        assert not (self.poles or other.poles)
        return Summand(self.field, add_by_key(self.terms, other.terms))

    def __mul__(self, other: Summand) -> Summand:
        pairs = product(self.terms.items(), other.terms.items())
        terms = add_by_key(*({rho * sigma: self._product(p, r)} for (rho, p), (sigma, r) in pairs))
        return Summand(self.field, terms, add_by_key(self.poles, other.poles))

    def _product(self, p: RingPoly, r: RingPoly) -> RingPoly:
        (above, below), (other, under) = self.field.over_one(p), self.field.over_one(r)
        return self.field.divided(above * other, below * under)

    def times(self, polynomial: RingPoly, poles: Mapping[int, int] | None = None) -> Summand:
        """Return the product with polynomial(k) / Π (k + c)^m."""
        return self * Summand(self.field, {self.field.domain.one: polynomial}, poles)

    def over(self, field: Field) -> Summand:
        """Return the same function with coefficients in a larger field."""
        read, write = self.field.domain.to_sympy, field.domain.from_sympy
        terms = {
            write(read(rho)): field.ring.from_dict({m: write(read(c)) for m, c in p.terms()})
            for rho, p in self.terms.items()
        }
        return Summand(field, terms, self.poles)

    def shifted(self, n: int) -> Summand:
        """Return k ↦ the value at k + n, n ≥ 0."""
        field = self.field
        moved = {rho: p.shift(field.domain(n)) * rho**n for rho, p in self.terms.items()}
        return Summand(field, moved, {c + n: m for c, m in self.poles.items()})

    def at(self, k: int) -> FieldElement:
        """Return the value at k ≥ 1, an element of the field."""
        domain = self.field.domain
        above = sum((p.evaluate(0, domain(k)) * rho**k for rho, p in self.terms.items()), domain.zero)
        return above / domain(prod((k + c) ** m for c, m in self.poles.items()))

    def sums_below(self) -> Summand:
        """Return j ↦ Σ_{k=1}^{j−1} of the function; it has no poles, and no base may be 1."""
        assert not self.poles
        field, constant = self.field, self.field.domain.zero
        terms: dict[FieldElement, RingPoly] = {}
        for rho, p in self.terms.items():
            terms[rho] = field.divided(*_antidifference(field, p, rho))
            constant = constant + complete_sum(field, p, rho)
        return Summand(field, {**terms, field.domain.one: field.ring.one * constant})

    def tails_above(self) -> Summand:
        """Return i ↦ Σ_{k>i} of the function; it has no poles, and every |ρ| must be below 1."""
        assert not self.poles
        terms: dict[FieldElement, RingPoly] = {}
        for rho, p in self.terms.items():
            above, below = _antidifference(self.field, p, rho)
            a, b = self.field.parts(rho)
            terms[rho] = self.field.divided(above.shift(1) * -a, below * b)
        return Summand(self.field, terms)

    def complete_sum(self) -> ClosedForm:
        """Return Σ_{k≥1} in closed form; every base must lie in (0, 1)."""
        if self.field.domain.one in self.terms:
            raise NotClosed("a sum does not converge")
        zero = ClosedForm(self.field, self.field.domain.zero)
        return sum((_sum_with_poles(self.field, p, rho, self.poles) for rho, p in self.terms.items()), start=zero)


def _sum_with_poles(field: Field, p: RingPoly, rho: FieldElement, poles: Mapping[int, int]) -> ClosedForm:
    """Return Σ_{k≥1} p(k) ρ^k / Π (k+c)^m by partial fractions."""
    if not p:
        return ClosedForm(field, field.domain.zero)
    if not poles:
        return ClosedForm(field, complete_sum(field, p, rho))

    def without(q: RingPoly, pole: int) -> ClosedForm:
        """Return the sum for q in the place of p and one factor k + c less."""
        return _sum_with_poles(field, q, rho, {c: m - (c == pole) for c, m in poles.items() if m > (c == pole)})

    c, *others = sorted(poles)
    if others:  # 1/((k+c)(k+d)) = (1/(k+c) − 1/(k+d))/(d−c)
        d = others[0]
        return (without(p, d) - without(p, c)).scaled(field.domain.one / field.domain(d - c))
    quotient, remainder = cast("tuple[RingPoly, RingPoly]", p.div(field.k + field.domain(c)))
    tail, m = without(quotient, c), poles[c]
    if not remainder:
        return tail
    if c > LARGEST_POLE:
        raise NotClosed(
            f"a sum over 1/(k + {c}) is not written out: its closed form has {c} terms (at most {LARGEST_POLE})"
        )
    # Σ_{k≥1} ρ^k/(k+c)^m = ρ^{−c} (Li_m(ρ) − Σ_{j=1}^{c} ρ^j/j^m), and p leaves a number: the divisor is linear
    a, b = field.parts(rho)
    common = lcm(*range(1, c + 1)) ** m
    head: FieldElement = field.numerators.domain.zero
    for j in range(c, 0, -1):  # common · Σ_{j≤c} a^j b^{c−j} / j^m
        head = a * (head + b ** (c - j) * (common // j**m))
    part = ClosedForm(field, -field.quotient(head, a**c * common), {(m, rho): field.quotient(b**c, a**c)})
    return tail + part.scaled(remainder.LC)


_I, _J = sp.symbols("i j", positive=True)


Formula = Callable[[RingElement, RingElement, RingElement], RingElement]
"""The entry at i ≤ j and s, over any ring."""


def quadratic_value(
    field: Field, law: Summand, formula: Formula, s: Any, point_weights: Mapping[int, FieldElement] | None = None
) -> ClosedForm:
    """Return the form with entries ``formula(i, j, s)``, i ≤ j, at the weights ``law`` + ``point_weights``.

    ``point_weights``: length ↦ an addition to its weight, in the field. If s is a symbol, it is one of the field, and
    ``point_weights`` is empty.
    Raises ``NotClosed`` where a nested sum with a pole on both sides appears.
    """
    point_weights, two = point_weights or {}, field.domain(2)
    total = ClosedForm(field, value_of_points(field, point_weights, lambda i, j: _scalar(formula, i, j, s)))
    if not law.terms:
        return total
    total += (law * law).times(*_rational(field, formula(_J, _J, sp.sympify(s)))).complete_sum()
    for left, right in _products(field, formula(_I, _J, sp.sympify(s))):
        total += _ordered_sum(law.times(left), law.times(*right)).scaled(two)
    for k, weight in point_weights.items():
        total += _row(field, law, formula, s, k).scaled(two * weight)
    return total


def value_of_points(
    field: Field, weights: Mapping[int, FieldElement], entry: Callable[[int, int], FieldElement]
) -> FieldElement:
    """Return Σ N_ij w_i w_j over lengths with single weights, in the field."""
    numerators, below = field.over_one(field.ring.from_dict({(k,): w for k, w in weights.items() if w}))
    items = sorted((k, w) for (k,), w in numerators.terms())
    total = field.numerators.domain.zero
    for n, (j, w) in enumerate(items):
        row = sum((v * (2 * entry(i, j)) for i, v in items[:n]), w * entry(j, j))
        total += row * w
    return field.quotient(total, below * below)


def _scalar(formula: Formula, i: int, j: int, s: Any) -> FieldElement:
    value = Fraction(formula(Fraction(i), Fraction(j), Fraction(s)))
    return QQ(value.numerator, value.denominator)


def _row(field: Field, law: Summand, formula: Formula, s: Any, k: int) -> ClosedForm:
    """Return Σ_{i<k} N_ik x_i + Σ_{j≥k} N_kj x_j at the weights of the distribution."""
    total = law.times(*_rational(field, formula(sp.Integer(k), _J, sp.sympify(s)))).complete_sum()
    for i in range(1, k):
        entry = _scalar(formula, i, k, s) - _scalar(formula, k, i, s)
        total += ClosedForm(field, law.at(i) * field.domain.convert(entry))
    return total


def _ordered_sum(first: Summand, second: Summand) -> ClosedForm:
    """Return Σ_{i<j} first(i) second(j)."""
    field = first.field
    if not first.terms or not second.terms:
        return ClosedForm(field, field.domain.zero)
    if not first.poles:
        return (second * first.sums_below()).complete_sum()
    if not second.poles:
        return (first * second.tails_above()).complete_sum()
    factor = _multiple(first, second)
    if factor is None:
        raise NotClosed("a nested sum has a pole on both sides")
    # Σ_{i<j} f_i f_j = ½ ((Σ f)² − Σ f²)
    square = ClosedForm(field, field.domain.zero, {first.complete_sum(): field.domain.one})
    return (square - (first * first).complete_sum()).scaled(factor / field.domain(2))


def _multiple(first: Summand, second: Summand) -> FieldElement:
    """Return c with second = c · first, or None."""
    if first.poles != second.poles or first.terms.keys() != second.terms.keys():
        return None
    rho, p = next(iter(first.terms.items()))
    factor = second.terms[rho].LC / p.LC
    return factor if all(second.terms[r] == p * factor for r, p in first.terms.items()) else None


def _rational(field: Field, expr: SymExpr) -> tuple[RingPoly, dict[int, int]]:
    """Write a rational function of j as P(k) / Π (k + c)^m at j = k."""
    numerator, denominator = sp.fraction(sp.together(expr))
    factored: Any = sp.factor_list(denominator, _J)
    constant, factors = factored
    poles: dict[int, int] = {}
    for factor, power in factors:
        poly = sp.Poly(factor, _J)
        root = poly.nth(0) / poly.nth(1) if poly.degree() == 1 else None
        if root is None or not root.is_Integer or root < 0:
            raise NotClosed(f"the entry has the denominator {denominator}")
        constant *= poly.nth(1) ** power
        poles[int(root)] = poles.get(int(root), 0) + power
    poly = sp.Poly(sp.expand(numerator / constant), _J)
    return field.ring.from_dict({m: field.element(c) for m, c in poly.terms()}), poles


def _products(field: Field, entry: SymExpr) -> Iterator[tuple[RingPoly, tuple[RingPoly, dict[int, int]]]]:
    """Write an entry as Σ left(i) · right(j): left is a power of i, right a rational function of j."""
    numerator, denominator = sp.fraction(sp.together(entry))
    if denominator.has(_I):
        raise NotClosed(f"the entry has the denominator {denominator}")
    for (power,), coefficient in sp.Poly(sp.expand(numerator), _I).terms():
        whole: SymExpr = sp.apart(sp.cancel(coefficient / denominator), _J)
        for part in sp.Add.make_args(whole):
            yield field.k**power, _rational(field, part)

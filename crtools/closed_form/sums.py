"""Sums in closed form: of exponential polynomials Σ_ρ P_ρ(k) ρ^k over a field, and of these over Π (k + c)^m, integers c ≥ 0.

The field is ℚ or ℚ(parameters); ρ is a field element; P_ρ is a polynomial in k. Exponential polynomials are closed under sums,
products, prefix sums and tails. ``docs/closed-forms.md`` has the mathematics. No distribution is named here.

A quadratic form's value at a distribution Σ_c P_c(k) ρ_c^k / k^e_c on k ≥ 1, with other weights at single lengths, is such a sum:
Σ_{i,j} N_ij x_i x_j = Σ_j N_jj x_j² + 2 Σ_{i<j} N_ij x_i x_j, and for i < j an entry is a sum of products of a function
of i and a function of j. In each product the side without a pole is summed first, as a prefix sum or a tail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as data_field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise, product
from math import comb, prod
from typing import Any, cast

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing

from crtools.enclosure import fraction
from crtools.numeric_types import FieldElement, RingElement, RingPoly, Symbol, SymExpr, SymPoly

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
        """The ring of polynomials in k over ℚ[parameters]."""
        return self.ring if self.domain is QQ else PolyRing("k", self.domain.field.ring.to_domain())

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
        """Return numerator and denominator in ℚ[parameters]."""
        return (element, self.domain.one) if self.domain is QQ else (element.numer, element.denom)

    def quotient(self, above: FieldElement, below: FieldElement) -> FieldElement:
        """Return above/below, in lowest terms."""
        return above / below if self.domain is QQ else self.domain.field.new(above, below)

    def over_one(self, p: RingPoly) -> tuple[RingPoly, FieldElement]:
        """Return (P, d) with p = P/d, P in ``numerators``."""
        below: FieldElement = self.parts(self.domain.one)[1]
        for denominator in {self.parts(c)[1] for c in p.values()}:
            below = below * (denominator if self.domain is QQ else denominator.exquo(denominator.gcd(below)))
        numerators = {
            m: above * (below / d if self.domain is QQ else below.exquo(d))
            for m, c in p.items()
            for above, d in [self.parts(c)]
        }
        return self.numerators.from_dict(numerators), below

    def divided(self, p: RingPoly, below: FieldElement) -> RingPoly:
        """Return P/d for P in ``numerators``."""
        return self.ring.from_dict({m: self.quotient(c, below) for m, c in p.items()})


class ExponentialPolynomial:
    """An immutable function k ↦ Σ_ρ P_ρ(k) ρ^k on the integers k ≥ 1."""

    __slots__ = ("field", "terms")

    def __init__(self, field: Field, terms: Mapping[FieldElement, RingPoly]) -> None:
        self.field = field
        self.terms: dict[FieldElement, RingPoly] = {rho: p for rho, p in terms.items() if p}

    def __add__(self, other: ExponentialPolynomial) -> ExponentialPolynomial:
        return ExponentialPolynomial(self.field, add_by_key(self.terms, other.terms))

    def __mul__(self, other: ExponentialPolynomial) -> ExponentialPolynomial:
        pairs = product(self.terms.items(), other.terms.items())
        terms = add_by_key(*({rho * sigma: self._product(p, r)} for (rho, p), (sigma, r) in pairs))
        return ExponentialPolynomial(self.field, terms)

    def _product(self, p: RingPoly, r: RingPoly) -> RingPoly:
        (above, below), (other, under) = self.field.over_one(p), self.field.over_one(r)
        return self.field.divided(above * other, below * under)

    def times(self, polynomial: RingPoly) -> ExponentialPolynomial:
        """Return the product with a polynomial in k."""
        return self * ExponentialPolynomial(self.field, {self.field.domain.one: polynomial})

    def sums_below(self) -> ExponentialPolynomial:
        """Return j ↦ Σ_{k=1}^{j−1} of the function; no base may be 1."""
        field, constant = self.field, self.field.domain.zero
        terms: dict[FieldElement, RingPoly] = {}
        for rho, p in self.terms.items():
            terms[rho] = field.divided(*_antidifference(field, p, rho))
            constant = constant + complete_sum(field, p, rho)
        return ExponentialPolynomial(field, {**terms, field.domain.one: field.ring.one * constant})

    def tails_above(self) -> ExponentialPolynomial:
        """Return i ↦ Σ_{k>i} of the function; every |ρ| must be below 1."""
        terms: dict[FieldElement, RingPoly] = {}
        for rho, p in self.terms.items():
            above, below = _antidifference(self.field, p, rho)
            a, b = self.field.parts(rho)
            terms[rho] = self.field.divided(_shift(above) * -a, below * b)
        return ExponentialPolynomial(self.field, terms)


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
        differences.append(_shift(differences[-1]) - differences[-1])
    total, power = _solved(field, differences, rho)
    return total, below * power


def _shift(p: RingPoly) -> RingPoly:
    """Return p(k + 1) for p ≠ 0."""
    c = [p.get((m,), p.ring.domain.zero) for m in range(int(p.degree()) + 1)]
    for first in range(len(c) - 1):
        for m in range(len(c) - 2, first - 1, -1):
            c[m] = c[m] + c[m + 1]
    return p.ring.from_dict({(m,): x for m, x in enumerate(c) if x})


def faulhaber(m: int, n: SymExpr) -> SymExpr:
    """Return Σ_{k=1}^{n} k^m as a polynomial in n, by Faulhaber's formula."""
    return sp.Add(*(sp.Rational(c) * n**power for power, c in enumerate(sum_of_powers(m))))


@lru_cache(maxsize=64)
def sum_of_powers(m: int) -> list[Fraction]:
    """Return the coefficients of Σ_{k=1}^{n} k^m in n, the lowest first."""
    return [Fraction(0), *(comb(m + 1, j) * fraction(sp.bernoulli(j)) / (m + 1) for j in range(m, -1, -1))]


# ---- with poles ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClosedForm:
    """rational + Σ coefficient · Li_m(ρ) + Σ coefficient · (closed form)², with Li_1(ρ) = −log(1 − ρ); of one field."""

    field: Field
    rational: FieldElement
    polylogs: Mapping[tuple[int, FieldElement], FieldElement] = data_field(
        default_factory=dict[tuple[int, FieldElement], FieldElement]
    )
    squares: tuple[tuple[FieldElement, ClosedForm], ...] = ()

    def __add__(self, other: ClosedForm) -> ClosedForm:
        kept = {k: v for k, v in add_by_key(self.polylogs, other.polylogs).items() if v}
        return ClosedForm(self.field, self.rational + other.rational, kept, self.squares + other.squares)

    def __sub__(self, other: ClosedForm) -> ClosedForm:
        return self + other.scaled(-self.field.domain.one)

    def scaled(self, factor: FieldElement) -> ClosedForm:
        """Return factor times the value."""
        kept = {k: v * factor for k, v in self.polylogs.items() if v * factor}
        squares = tuple((c * factor, root) for c, root in self.squares)
        return ClosedForm(self.field, self.rational * factor, kept, squares)

    def expr(self) -> SymExpr:
        """Return a SymPy expression; logarithms are split along the factors of 1 − ρ and collected."""
        logs: dict[SymExpr, SymExpr] = {}
        polylogs: SymExpr = sp.S.Zero
        for (order, rho), value in self.polylogs.items():
            base, coefficient = _expr(self.field, rho), _expr(self.field, value)
            if order == 1:
                for argument, power in _factors(1 - base):
                    logs[argument] = logs.get(argument, 0) - coefficient * power
            else:
                polylogs += coefficient * sp.polylog(order, base)
        total = _expr(self.field, self.rational) + polylogs
        total += sum((_expr(self.field, c) * root.expr() ** 2 for c, root in self.squares), sp.S.Zero)
        for argument, coefficient in logs.items():
            reduced = sp.factor(sp.cancel(sp.together(coefficient)))
            if reduced != 0:
                total += reduced * sp.log(argument)
        return total


def _expr(field: Field, element: FieldElement) -> SymExpr:
    return field.domain.to_sympy(element)


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
        sign = piece.subs(dict.fromkeys(piece.free_symbols, sp.Rational(1, 3)))
        result.append((sp.expand(-piece), power) if sign < 0 else (piece, power))
        if sign < 0:
            constant *= (-1) ** power
    constant = constant / denominator
    if constant.free_symbols or constant <= 0:
        return [(expr, 1)]
    if constant != 1:
        result.append((constant, 1))
    return result


@dataclass(frozen=True)
class Summand:
    """k ↦ function(k) / Π_c (k + c)^{poles[c]}, k ≥ 1."""

    function: ExponentialPolynomial
    poles: Mapping[int, int] = data_field(default_factory=dict[int, int])

    @property
    def field(self) -> Field:
        """The field of the coefficients."""
        return self.function.field

    def __mul__(self, other: Summand) -> Summand:
        return Summand(self.function * other.function, add_by_key(self.poles, other.poles)).reduced()

    def over(self, field: Field) -> Summand:
        """Return the same function with coefficients in a larger field."""
        read, write = self.field.domain.to_sympy, field.domain.from_sympy
        terms = {
            write(read(rho)): field.ring.from_dict({m: write(read(c)) for m, c in p.terms()})
            for rho, p in self.function.terms.items()
        }
        return Summand(ExponentialPolynomial(field, terms), self.poles)

    def times(self, polynomial: RingPoly, poles: Mapping[int, int] | None = None) -> Summand:
        """Return the product with polynomial(k) / Π (k + c)^m."""
        return Summand(self.function.times(polynomial), add_by_key(self.poles, poles or {})).reduced()

    def shifted(self, n: int) -> Summand:
        """Return k ↦ the value at k + n, n ≥ 0."""
        field = self.field
        moved = {rho: p.compose(field.k, field.k + field.domain(n)) * rho**n for rho, p in self.function.terms.items()}
        return Summand(ExponentialPolynomial(field, moved), {c + n: m for c, m in self.poles.items()})

    def at(self, k: int) -> FieldElement:
        """Return the value at k ≥ 1, an element of the field."""
        domain = self.field.domain
        above = sum((p.evaluate(0, domain(k)) * rho**k for rho, p in self.function.terms.items()), domain.zero)
        return above / domain(prod((k + c) ** m for c, m in self.poles.items()))

    def reduced(self) -> Summand:
        """Cancel common factors k + c."""
        function, poles = self.function, {c: m for c, m in self.poles.items() if m}
        for c in list(poles):
            factor = self.field.k + self.field.domain(c)
            while poles.get(c) and all(not p.rem(factor) for p in function.terms.values()):
                function = ExponentialPolynomial(
                    self.field, {r: cast(RingPoly, p.quo(factor)) for r, p in function.terms.items()}
                )
                poles[c] -= 1
                if not poles[c]:
                    del poles[c]
        return Summand(function, poles)

    def complete_sum(self) -> ClosedForm:
        """Return Σ_{k≥1} in closed form; every base must lie in (0, 1)."""
        reduced = self.reduced()
        total = ClosedForm(self.field, self.field.domain.zero)
        for rho, p in reduced.function.terms.items():
            if rho == self.field.domain.one:
                raise NotClosed("a sum does not converge")
            total = total + _sum_with_poles(self.field, p, rho, reduced.poles)
        return total


def _sum_with_poles(field: Field, p: RingPoly, rho: FieldElement, poles: Mapping[int, int]) -> ClosedForm:
    """Return Σ_{k≥1} p(k) ρ^k / Π (k+c)^m by partial fractions."""
    if not p:
        return ClosedForm(field, field.domain.zero)
    if not poles:
        return ClosedForm(field, complete_sum(field, p, rho))
    if len(poles) > 1:
        (c, m), (d, n), *more = sorted(poles.items())
        # 1/((k+c)(k+d)) = (1/(k+c) − 1/(k+d))/(d−c)
        others = dict(more)
        first = _sum_with_poles(field, p, rho, {**others, c: m, d: n - 1} if n > 1 else {**others, c: m})
        second = _sum_with_poles(field, p, rho, {**others, c: m - 1, d: n} if m > 1 else {**others, d: n})
        factor = field.domain.one / field.domain(d - c)
        return (first + second.scaled(-field.domain.one)).scaled(factor)
    [(c, m)] = poles.items()
    factor = field.k + field.domain(c)
    if m == 0:
        return _sum_with_poles(field, p, rho, {})
    quotient, remainder = cast("tuple[RingPoly, RingPoly]", p.div(factor))
    constant = remainder.LC if remainder else field.domain.zero  # a number: the divisor is linear
    tail = _sum_with_poles(field, quotient, rho, {c: m - 1} if m > 1 else {})
    if not constant:
        return tail
    if c > LARGEST_POLE:
        raise NotClosed(
            f"a sum over 1/(k + {c}) is not written out: its closed form has {c} terms (at most {LARGEST_POLE})"
        )
    # Σ_{k≥1} ρ^k/(k+c)^m = ρ^{−c} (Li_m(ρ) − Σ_{j=1}^{c} ρ^j/j^m)
    a, b = field.parts(rho)
    head: FieldElement = field.numerators.domain.zero
    for j in range(c, 0, -1):  # Σ_{j≤c} a^j b^{c−j} / j^m
        head = a * (head + b ** (c - j) / j**m)
    shifted = field.quotient(b**c, a**c)
    return tail + ClosedForm(field, -constant * field.quotient(head, a**c), {(m, rho): constant * shifted})


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
    total = ClosedForm(field, field.domain.zero)
    if law.function.terms:
        total = _summand_value(field, law, formula, s)
        two = field.domain(2)
        for k, weight in (point_weights or {}).items():
            total = total + _row(field, law, formula, s, k).scaled(two * weight)
    return total + ClosedForm(field, _value_of_points(field, point_weights or {}, formula, s))


def _value_of_points(field: Field, weights: Mapping[int, FieldElement], formula: Formula, s: Any) -> FieldElement:
    """Return Σ N_ij w_i w_j over lengths with single weights, in the field."""
    numerators, below = field.over_one(field.ring.from_dict({(k,): w for k, w in weights.items() if w}))
    items = sorted((k, w) for (k,), w in numerators.terms())
    total = field.numerators.domain.zero
    for n, (j, w) in enumerate(items):
        row = sum((v * (2 * _scalar(formula, i, j, s)) for i, v in items[:n]), w * _scalar(formula, j, j, s))
        total += row * w
    return field.quotient(total, below * below)


def _scalar(formula: Formula, i: int, j: int, s: Any) -> FieldElement:
    value = Fraction(formula(Fraction(i), Fraction(j), Fraction(s)))
    return QQ(value.numerator, value.denominator)


def _row(field: Field, law: Summand, formula: Formula, s: Any, k: int) -> ClosedForm:
    """Return Σ_{i<k} N_ik x_i + Σ_{j≥k} N_kj x_j at the weights of the distribution."""
    above, poles = _rational(field, formula(sp.Integer(k), _J, sp.sympify(s)), _J)
    total = law.times(above, poles).complete_sum()
    for i in range(1, k):
        entry = _scalar(formula, i, k, s) - _scalar(formula, k, i, s)
        total = total + ClosedForm(field, law.at(i) * field.domain.convert(entry))
    return total


def _summand_value(field: Field, law: Summand, formula: Formula, s: Any) -> ClosedForm:
    diagonal, poles = _rational(field, formula(_J, _J, sp.sympify(s)), _J)
    total = (law * law).times(diagonal, poles).complete_sum()
    for left_factor, right_factor, right_poles in _products(field, formula(_I, _J, sp.sympify(s))):
        total = total + _ordered_sum(law.times(left_factor), law.times(right_factor, right_poles)).scaled(
            field.domain(2)
        )
    return total


def mass(field: Field, law: Summand, point_weights: Mapping[int, FieldElement]) -> ClosedForm:
    """Return the sum of the weights ``law`` on k ≥ 1 and ``point_weights``."""
    return law.complete_sum() + ClosedForm(field, sum(point_weights.values(), field.domain.zero))


def _ordered_sum(first: Summand, second: Summand) -> ClosedForm:
    """Return Σ_{i<j} first(i) second(j)."""
    if not first.function.terms or not second.function.terms:
        return ClosedForm(first.field, first.field.domain.zero)
    first, second = first.reduced(), second.reduced()
    if not first.poles:
        return Summand(second.function * first.function.sums_below(), second.poles).complete_sum()
    if not second.poles:
        return Summand(first.function * second.function.tails_above(), first.poles).complete_sum()
    factor = _multiple(first, second)
    if factor is None:
        raise NotClosed("a nested sum has a pole on both sides")
    # Σ_{i<j} f_i f_j = ½ ((Σ f)² − Σ f²)
    half = factor / first.field.domain(2)
    square = ClosedForm(first.field, first.field.domain.zero, squares=((half, first.complete_sum()),))
    return square + (first * first).complete_sum().scaled(-half)


def _multiple(first: Summand, second: Summand) -> FieldElement:
    """Return c with second = c · first, or None."""
    if first.poles != second.poles or first.function.terms.keys() != second.function.terms.keys():
        return None
    rho, p = next(iter(first.function.terms.items()))
    factor = second.function.terms[rho].LC / p.LC
    same = all(second.function.terms[r] == first.function.terms[r] * factor for r in first.function.terms)
    return factor if same else None


def _rational(field: Field, expr: SymExpr, variable: Symbol) -> tuple[RingPoly, dict[int, int]]:
    """Write a rational function of ``variable`` as polynomial / Π (variable + c)^m."""
    numerator, denominator = sp.fraction(sp.together(expr))
    factored: Any = sp.factor_list(denominator, variable)
    constant, factors = factored
    poles: dict[int, int] = {}
    for factor, power in factors:
        poly = sp.Poly(factor, variable)
        root = poly.nth(0) / poly.nth(1) if poly.degree() == 1 else None
        if root is None or not root.is_Integer or root < 0:
            raise NotClosed(f"the entry has the denominator {denominator}")
        constant *= poly.nth(1) ** power
        poles[int(root)] = poles.get(int(root), 0) + power
    return _polynomial(field, sp.Poly(sp.expand(numerator / constant), variable)), poles


def _polynomial(field: Field, poly: SymPoly) -> RingPoly:
    return field.ring.from_dict({monomial: field.element(c) for monomial, c in poly.terms()})


def _products(field: Field, entry: SymExpr) -> list[tuple[RingPoly, RingPoly, dict[int, int]]]:
    """Write an entry as Σ left(i) · right(j): left is a power of i, right a rational function of j."""
    numerator, denominator = sp.fraction(sp.together(entry))
    if denominator.has(_I):
        raise NotClosed(f"the entry has the denominator {denominator}")
    pieces: list[tuple[RingPoly, RingPoly, dict[int, int]]] = []
    for (power,), coefficient in sp.Poly(sp.expand(numerator), _I).terms():
        whole: SymExpr = sp.apart(sp.cancel(coefficient / denominator), _J)
        for part in sp.Add.make_args(whole):
            right, poles = _rational(field, part, _J)
            pieces.append((field.k**power, right, poles))
    return pieces


def law_summand(field: Field, parts: list[tuple[SymPoly, FieldElement, int]]) -> Summand:
    """Return Σ_c P_c(k) ρ_c^k / k^e_c from (P_c as a SymPy polynomial in k, ρ_c as a field element, e_c)."""
    deepest = max((e for _, _, e in parts), default=0)
    terms = add_by_key(*({rho: _polynomial(field, poly) * field.k ** (deepest - e)} for poly, rho, e in parts))
    return Summand(ExponentialPolynomial(field, terms), {0: deepest} if deepest else {}).reduced()

"""A quadratic form's value at a distribution Σ_c P_c(k) ρ_c^k / k^e_c on k ≥ 1, with other weights at single lengths, in closed form.

Σ_{i,j} N_ij x_i x_j = Σ_j N_jj x_j² + 2 Σ_{i<j} N_ij x_i x_j, and for i < j an entry is a sum of products of a function
of i and a function of j. In each product the side without a pole is summed first, as a prefix sum or a tail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.exponential_polynomial import ExponentialPolynomial, Field
from crtools.closed_form.summand import ClosedForm, NotClosed, Summand
from crtools.numeric_types import FieldElement, RingElement, RingPoly, Symbol, SymExpr, SymPoly

_I, _J = sp.symbols("i j", positive=True)


Formula = Callable[[RingElement, RingElement, RingElement], RingElement]
"""The entry at i ≤ j and s, over any ring."""


def quadratic_value(
    field: Field,
    law: Summand,
    formula: Formula,
    s: Any,
    point_weights: Mapping[int, FieldElement] | None = None,
) -> ClosedForm:
    """Return the form with entries ``formula(i, j, s)``, i ≤ j, at the weights ``law`` + ``point_weights``.

    ``point_weights``: length ↦ what is added to its weight, in the field. A symbol s is one of the field; then
    ``point_weights`` is empty.
    Raises ``NotClosed`` where a nested sum with a pole on both sides appears.
    """
    total = ClosedForm(field, field.domain.zero)
    if law.function.terms:
        total = _summand_value(field, law, formula, s)
        two = field.domain(2)
        for k, weight in (point_weights or {}).items():
            total = total + _row(field, law, formula, s, k).scaled(two * weight)
    return total + ClosedForm(field, _listed_value(field, point_weights or {}, formula, s))


def _listed_value(field: Field, weights: Mapping[int, FieldElement], formula: Formula, s: Any) -> FieldElement:
    """Return Σ N_ij w_i w_j over the lengths that are given, in the field."""
    numerators, below = field.over_one(field.ring.from_dict({(k,): w for k, w in weights.items() if w}))
    items = sorted((k, w) for (k,), w in numerators.terms())
    total = field.numerators.domain.zero
    for n, (j, w) in enumerate(items):
        row = w * _scalar(formula, j, j, s)
        for i, v in items[:n]:
            row += v * (2 * _scalar(formula, i, j, s))
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
    result = field.ring.zero
    for (power,), coefficient in poly.terms():
        result += field.k**power * field.element(coefficient)
    return result


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
    function = ExponentialPolynomial(field, {})
    for poly, rho, e in parts:
        lifted = _polynomial(field, poly) * field.k ** (deepest - e)
        function = function + ExponentialPolynomial(field, {rho: lifted})
    return Summand(function, {0: deepest} if deepest else {}).reduced()

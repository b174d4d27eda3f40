"""Closed forms of ratios under distributions on finitely many lengths with symbolic ends: two points, and uniform on [l, u]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Protocol

import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.exponential_polynomial import Field, faulhaber
from crtools.closed_form.summand import LARGEST_POLE, NotClosed
from crtools.forms import Form
from crtools.numeric_types import FieldElement, Symbol, SymExpr, SymPoly

K = sp.Symbol("k", integer=True, positive=True)
"""The length, in expressions."""

MOST_LENGTHS = 64
"""Upper limit on the lengths of a sum with one term each, where s is a symbol."""


class _Law(Protocol):
    """The part of ``Distribution`` that finite sums use."""

    @property
    def support(self) -> tuple[int, int | None]: ...
    @property
    def expr(self) -> Any: ...
    def items(self) -> Iterator[tuple[int, Fraction]]: ...


def bound(form: Form, l: Any, u: Any) -> Form:
    """Return the form for the ends l, u where it depends on them; ``NotClosed`` where it needs numbers for them."""
    if form.bind is None:
        return form
    try:
        return form.bind(l, u)
    except TypeError:  # it compares them
        raise NotClosed(f"the form {form.name} needs numbers for the ends of the interval") from None


def two_point_value(form: Form, l: Any, u: Any, share: Any, s: Any) -> Any:
    """Return the form at a share of length l, the rest of length u; entries may branch on ends that are numbers."""
    w, bound_form, size = sp.sympify(share), bound(form, l, u), s if isinstance(s, sp.Symbol) else Fraction(s)
    ll, lu, uu = (sp.sympify(bound_form.formula(i, j, size)) for i, j in ((l, l), (l, u), (u, u)))
    return ll * w**2 + 2 * lu * w * (1 - w) + uu * (1 - w) ** 2


def finite_value(form: Form, parameters: Sequence[Symbol], law: _Law, s: Any) -> Any:
    """Return the form at a distribution on finitely many lengths, with s as a symbol: a rational function of s and the parameters.

    Raises ``NotClosed`` for more than ``MOST_LENGTHS`` lengths or weights that are not rational in the parameters.
    """
    domain = Field.of(*parameters, s).domain
    bound_form, size = bound(form, *law.support), domain.from_sympy(s)
    if bound_form.user_defined and not bound_form.rational:
        raise NotClosed(bound_form.unclosed)
    formula, weights = (
        bound_form.rational.value if bound_form.rational else bound_form.formula,
        _weights(parameters, law, domain),
    )
    total = domain.zero
    for j, y in weights:
        row = sum((2 * formula(QQ(i), QQ(j), size) * x for i, x in weights if i < j), formula(QQ(j), QQ(j), size) * y)
        total += row * y
    return domain.to_sympy(total)


def finite_mass(parameters: Sequence[Symbol], law: _Law) -> SymExpr:
    """Return the sum of the weights that :func:`finite_value` takes."""
    domain = Field.of(*parameters).domain
    return domain.to_sympy(sum((w for _, w in _weights(parameters, law, domain)), domain.zero))


def _weights(parameters: Sequence[Symbol], law: _Law, domain: Any) -> list[tuple[int, FieldElement]]:
    """Return the lengths with their weights in the domain, those of weight 0 left out."""
    low, high = law.support
    assert high is not None
    if high - low >= MOST_LENGTHS:
        raise NotClosed(f"with s as a symbol at most {MOST_LENGTHS} lengths are written out")
    if not parameters:
        return [(k, domain(QQ(w.numerator, w.denominator))) for k, w in law.items()]
    try:
        weights = [(k, domain.from_sympy(sp.together(law.expr.subs(K, k)))) for k in range(low, high + 1)]
    except (ValueError, sp.polys.polyerrors.CoercionFailed):
        raise NotClosed("the weights are not rational in the parameters") from None
    return [(k, w) for k, w in weights if w]


def uniform_value(form: Form, l: Any, u: Any, s: Any) -> Any:
    """Return Σ_{l≤i,j≤u} N_ij as an expression in l and u; harmonic numbers stand for what is not rational.

    Raises ``NotClosed`` for an entry that is not a polynomial in i over a polynomial in j with integer roots.
    """
    low, u = sp.sympify(l), sp.sympify(u)
    i, j = sp.Dummy("i", positive=True), sp.Dummy("j", positive=True)
    bound_form = bound(form, low, u)
    entry = sp.together(bound_form.formula(i, j, sp.sympify(s)))
    above, below = sp.fraction(entry)
    if below.has(i):
        raise NotClosed(f"the entry has the denominator {below}")
    inner = _polynomial_sum(sp.Poly(above, i), low, j - 1)  # Σ_{i=l}^{j−1}
    outer: SymExpr = sp.apart(sp.cancel((2 * inner + above.subs(i, j)) / below), j)
    total: SymExpr = sp.S.Zero
    for term in sp.Add.make_args(outer):
        up, down = sp.fraction(sp.together(term))
        if not down.has(j):
            total += _polynomial_sum(sp.Poly(up / down, j), low, u)
            continue
        poly = sp.Poly(down, j)
        root = poly.nth(0) / poly.nth(1) if poly.degree() == 1 else None
        if root is None or not root.is_Integer or root < 0 or up.has(j):
            raise NotClosed(f"the sum over 1/({down.subs(j, sp.Symbol('j'))})")
        if low.is_Integer and low + root > LARGEST_POLE:
            raise NotClosed(f"l + {root} is above {LARGEST_POLE}: the closed form has so many terms")
        total += up / poly.nth(1) * (sp.harmonic(u + root) - sp.harmonic(low - 1 + root))
    return total


def _polynomial_sum(poly: SymPoly, low: Any, top: Any) -> SymExpr:
    """Return Σ_{k=low}^{top} of a polynomial in its one generator, by Faulhaber's formula."""
    total: SymExpr = sp.S.Zero
    for (m,), c in poly.terms():
        total += c * (faulhaber(m, top) - faulhaber(m, low - 1))
    return sp.expand(total)

"""Closed forms of ratios under laws on finitely many lengths with symbolic ends: two points, and uniform on [l, u]."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.summand import LARGEST_POLE, NotClosed
from crtools.distributions.families import SymbolicUniform, TwoPoint
from crtools.forms import Form


def bound(form: Form, l: Any, u: Any) -> Form:
    """Return the form for the ends l, u where it depends on them; ``NotClosed`` where it needs numbers for them."""
    if form.bind is None:
        return form
    try:
        return form.bind(l, u)
    except TypeError:  # it compares them
        raise NotClosed(f"the form {form.name} needs numbers for the ends of the interval") from None


def two_point_value(form: Form, law: TwoPoint, s: int) -> Any:
    """Return the form at weight w on l and 1 − w on u."""
    l, u, w = (
        law.l,
        law.u,
        sp.sympify(law.share),
    )  # l and u stay plain numbers where they are: entries may branch on them
    own, size = bound(form, l, u), Fraction(s)
    ll, lu, uu = (sp.sympify(own.formula(i, j, size)) for i, j in ((l, l), (l, u), (u, u)))
    return ll * w**2 + 2 * lu * w * (1 - w) + uu * (1 - w) ** 2


def uniform_value(form: Form, law: SymbolicUniform, s: int) -> Any:
    """Return Σ_{l≤i,j≤u} N_ij as an expression in u; harmonic numbers stand for what is not rational.

    Raises ``NotClosed`` for an entry that is not a polynomial in i over a polynomial in j with integer roots.
    """
    [u] = law.parameters
    i, j = sp.symbols("i j", positive=True)
    own, low = bound(form, sp.Integer(law.l), u), law.l
    entry = sp.together(own.formula(i, j, sp.Integer(s)))
    above, below = sp.fraction(entry)
    if below.has(i):
        raise NotClosed(f"the entry has the denominator {below}")
    inner = _polynomial_sum(sp.Poly(above, i), low, j - 1)  # Σ_{i=l}^{j−1}
    outer: Any = sp.apart(sp.cancel((2 * inner + above.subs(i, j)) / below), j)
    total: Any = sp.S.Zero
    for term in sp.Add.make_args(outer):
        up, down = sp.fraction(sp.together(term))
        if not down.has(j):
            total += _polynomial_sum(sp.Poly(up / down, j), low, u)
            continue
        poly = sp.Poly(down, j)
        root = poly.nth(0) / poly.nth(1) if poly.degree() == 1 else None
        if root is None or not root.is_Integer or root < 0 or up.has(j):
            raise NotClosed(f"the sum over 1/({down})")
        if low + root > LARGEST_POLE:
            raise NotClosed(f"l + {root} is above {LARGEST_POLE}: the closed form has so many terms")
        total += up / poly.nth(1) * (sp.harmonic(u + root) - sp.harmonic(low - 1 + int(root)))
    return total


def _polynomial_sum(poly: Any, low: int, top: Any) -> Any:
    """Return Σ_{k=low}^{top} of a polynomial in its one generator, by Faulhaber's formula."""
    total: Any = sp.S.Zero
    for (m,), c in poly.terms():
        total += c * (_faulhaber(m, top) - _faulhaber(m, sp.Integer(low - 1)))
    return sp.expand(total)


def _faulhaber(m: int, n: Any) -> Any:
    """Return Σ_{k=1}^{n} k^m."""
    return (sp.bernoulli(m + 1, n + 1) - sp.bernoulli(m + 1, 1)) / (m + 1)

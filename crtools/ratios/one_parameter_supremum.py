"""The supremum of a ratio over one of its parameters, in closed form in the others, with the point that attains it.

On the parameter's range x = (low + high·t)/(1 + t), t > 0, the derivative of N/D has the sign of K = N'D − ND', a polynomial in t.
Factors of constant sign are dropped. If the remaining factor has degree at most 2, and its coefficients have the same signs for all
values of the other parameters, these signs determine where the maximum is, and a root of the factor gives its value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import Any, TypeAlias, cast

import sympy as sp

from crtools.closed_form.quotient import Quotient
from crtools.errors import InputError, NotCertified
from crtools.expressions import free_symbols, substitute
from crtools.numeric_types import JsonObject, Symbol, SymExpr, SymPoly
from crtools.ratios.limits import limit_of_polynomials
from crtools.ratios.supremum import end_text, quotient_supremum
from crtools.signs.parameters import factored, sign_on
from crtools.signs.ranges import Interval

METHOD = "the sign of the derivative, by the signs of its coefficients (Descartes), and its root"

factor: Callable[..., Any] = sp.factor  # whose type SymPy leaves open

CHECKED_AT = (1, Fraction(5, 2), 7)
"""Distances from the lower ends of the other parameters at which the formula is compared with the supremum at numbers."""


@dataclass(frozen=True)
class SupremumOver:
    """sup of the ratio over ``parameter``, for all values of the other parameters in their ranges.

    ``value`` and ``at``: expressions in the others, ``value`` ∞ where the ratio is unbounded; ``at`` is None for a ratio
    that does not depend on the parameter. ``alternative``: the value in α = l/u where it depends on that alone, else None.
    """

    parameter: str
    value: SymExpr
    at: SymExpr | None
    attained: bool
    alternative: SymExpr | None = None
    status: str = "proved"
    method: str = METHOD

    @property
    def place(self) -> str:
        """Where the supremum is, in words."""
        if self.at is None:
            return f"at every {self.parameter}"
        if self.attained:
            return f"at {self.parameter} = {self.at}"
        return f"{self.parameter} → {end_text(self.at)} (not attained)"

    def as_json(self) -> JsonObject:
        """Return JSON data; formulas as text that SymPy reads."""
        return {
            "over": self.parameter,
            "value": str(self.value),
            "at": None if self.at is None else str(self.at),
            "alternative": None if self.alternative is None else str(self.alternative),
            "attained": self.attained,
            "status": self.status,
            "method": self.method,
            "latex": sp.latex(self.value, ln_notation=True),
        }


def supremum_over(ratio: Quotient, ranges: Mapping[str, Interval], name: str) -> SupremumOver:
    """Return the supremum over the named parameter. Raises ``NotCertified`` where the signs or the root are not determined."""
    symbols = {x.name: x for x in ratio.parameters}
    if name not in symbols:
        allowed = f"must be one of {', '.join(symbols)}" if symbols else "the ratio has no parameter"
        raise InputError("over", name, allowed)
    if ranges[name].integer:
        allowed = "is an integer length: only a share or another real parameter has such a supremum"
        raise InputError("over", name, allowed)
    hidden = [str(interval) for interval in ranges.values() if not interval.shown]
    if hidden:
        raise NotCertified(f"the range is not shown: {hidden[0]}")
    if ratio.parts:
        raise NotCertified(f"the ratio has logarithms: give numbers for all parameters but {name}")
    return OneParameterProblem(ratio, ranges, symbols[name]).solve()


Surd: TypeAlias = "tuple[SymExpr, SymExpr]"
"""(a, b) for a + b·√r, with one r for all."""

Parts: TypeAlias = "tuple[SymExpr, SymExpr, SymExpr]"
"""The arguments of :func:`surd_expression`."""


def surd_expression(a: SymExpr, b: SymExpr, root: SymExpr) -> SymExpr:
    """Return a·(1 + b·√root), or b·√root for a = 0, as one expression; the root is not split into roots of its factors."""
    if not b or not root:
        return a
    root_term = b * (sp.Pow(root, sp.S.Half, evaluate=False) if root.free_symbols else sp.sqrt(root))
    if not a:
        return root_term
    return a * (1 + root_term) if root.free_symbols | a.free_symbols else sp.expand(a * (1 + root_term))


class OneParameterProblem:
    """The ratio as a quotient of polynomials in t, and the signs that determine where its supremum is."""

    def __init__(self, ratio: Quotient, ranges: Mapping[str, Interval], x: Symbol) -> None:
        self.ratio, self.ranges, self.x, self.interval = ratio, ranges, x, ranges[x.name]
        self.others = tuple(y for y in ratio.parameters if y is not x)
        self.t = sp.Dummy("t", positive=True)
        if self.interval.low.is_infinite:
            raise NotCertified(f"the range of {x} has no lower end")
        self.place = self.interval.place(self.t / (1 + self.t))
        above, below = sp.fraction(sp.cancel(ratio.expr.xreplace({x: self.place})))
        self.top, self.bottom = sp.Poly(above, self.t), sp.Poly(below, self.t)

    def solve(self) -> SupremumOver:
        """Return the supremum; raises ``NotCertified`` where the signs do not determine it."""
        if self._sign_of_all(self.bottom) is None:
            raise NotCertified(f"the denominator is not shown to keep its sign for all {self.x}")
        rate = self.top.diff(self.t) * self.bottom - self.top * self.bottom.diff(self.t)
        if rate.is_zero:
            return SupremumOver(self.x.name, self.ratio.expr, None, True)
        main = self._main(cast(SymPoly, rate))
        signs = [self._sign(c) for c in reversed(main.all_coeffs())]  # the lowest first
        nonzero_signs: list[int] = [sign for sign in signs if sign]
        changes = sum(a != b for a, b in pairwise(nonzero_signs))
        if main.degree() == 2 and signs[0] == signs[2] and self._sign(sp.discriminant(main)) == -1:
            signs, nonzero_signs, changes = signs[:1], nonzero_signs[:1], 0
        middle = main.degree() == 2 and signs[1] is None and signs[0] and signs[2] and signs[0] != signs[2]
        if None in signs and not middle:
            unknown = factor(main.nth(signs.index(None)))
            raise NotCertified(f"where it is depends on the sign of {unknown}: give numbers for its letters")
        if changes == 0:
            return self._at_end(nonzero_signs[0] > 0)
        if changes == 1 and nonzero_signs[0] < 0:
            gap = sp.cancel(self._value_at_end(True) - self._value_at_end(False))
            sign = 1 if gap.is_infinite else self._sign(gap)
            if sign is None:
                raise NotCertified(f"which end has the larger ratio depends on the sign of {factor(gap)}")
            return self._at_end(sign >= 0)
        if changes == 1 and main.degree() <= 2:
            return self._inside(main)
        raise NotCertified(f"the derivative is of degree {main.degree()} with {changes} changes of sign: give numbers")

    def _main(self, rate: SymPoly) -> SymPoly:
        """Return a polynomial in t with the derivative's sign: without the factors that are shown to have a constant sign."""
        constant, factors = factored(rate.as_expr())
        main: Any = sp.Integer(constant)
        for base, power in factors.items():
            sign = self._sign_of_all(sp.Poly(base, self.t))
            if sign is None:
                main *= base ** (power if sp.Poly(base, self.t).degree() else 2 - power % 2)
            else:
                main *= sign**power
        return sp.Poly(sp.expand(main), self.t)

    def _sign_of_all(self, poly: SymPoly) -> int | None:
        """Return the one sign that all coefficients of a polynomial in t have, or None."""
        signs = {self._sign(c) for c in poly.all_coeffs()} - {0}
        return signs.pop() if len(signs) == 1 else None

    def _value_at_end(self, upper: bool) -> SymExpr:
        """Return the limit of the ratio for t → ∞ or 0."""
        return limit_of_polynomials(self.top, self.bottom, sp.oo if upper else sp.S.Zero)

    def _at_end(self, upper: bool) -> SupremumOver:
        value, end = self._value_at_end(upper), self.interval.ends[upper]
        attained = self.interval.closed[upper] and not end.is_infinite and not value.is_infinite
        return self._checked_result((value, sp.S.Zero, sp.S.Zero), end, attained)

    def _inside(self, main: SymPoly) -> SupremumOver:
        """Return the maximum at the one zero of a derivative that is positive before it."""
        if main.degree() == 1:
            radicand, root = sp.S.Zero, (sp.cancel(-main.nth(0) / main.nth(1)), sp.S.Zero)
        else:
            radicand = factor(sp.discriminant(main))
            root = (-main.nth(1) / (2 * main.nth(2)), -1 / (2 * main.nth(2)))  # the larger: the leading one is < 0
        value = self._at(sp.Poly(self.top, self.t).rem(main), sp.Poly(self.bottom, self.t).rem(main), root, radicand)
        up, down = (sp.Poly(part, self.t) for part in sp.fraction(sp.together(self.place)))
        at = self._at(up, down, root, radicand)
        return self._checked_result(self._parts(value, radicand), surd_expression(*self._parts(at, radicand)), True)

    def _at(self, above: SymPoly, below: SymPoly, root: Surd, radicand: SymExpr) -> Surd:
        """Return a quotient of polynomials of degree 1 at most in t at a root."""
        (a, b), (c, d) = ((p.nth(1) * root[0] + p.nth(0), p.nth(1) * root[1]) for p in (above, below))
        norm = c**2 - d**2 * radicand
        return sp.cancel((a * c - b * d * radicand) / norm), sp.cancel((b * c - a * d) / norm)

    def _parts(self, value: Surd, radicand: SymExpr) -> Parts:
        """Return a + b√r as a·(1 ± √((b/a)²·r)), or with a = 0 as ±√(b²r), if the sign is determined."""
        a, b = factor(value[0]), value[1]
        if not b or not radicand:
            return a, sp.S.Zero, sp.S.Zero
        share = b / a if a else b
        sign = self._sign(share)
        if sign is None:
            return a, factor(share), radicand
        return a, sp.Integer(sign), factor(sp.cancel(share**2 * radicand))

    def _checked_result(self, value: Parts, at: SymExpr, attained: bool) -> SupremumOver:
        supremum = SupremumOver(self.x.name, surd_expression(*value), at, attained, self._in_alpha(value))
        self._check(supremum)
        return supremum

    def _in_alpha(self, value: Parts) -> SymExpr | None:
        """Return the value in α = l/u if it depends on l and u by their quotient only."""
        l, u = (next((y for y in self.others if y.name == name), None) for name in ("l", "u"))
        letters = set[SymExpr]().union(*(part.free_symbols for part in value))
        if l is None or u is None or letters != {l, u}:
            return None
        alpha, m = sp.Symbol("alpha", positive=True), sp.Dummy("m", positive=True)
        if any(sp.cancel(part.xreplace({l: l * m, u: u * m}) - part) for part in value):
            return None
        return surd_expression(*(factor(part.xreplace({l: alpha, u: sp.S.One})) for part in value))

    # ---- signs for all values of the others

    @cached_property
    def _ranges(self) -> dict[Symbol, Interval]:
        """The ranges of the others, lower ends first; an upper end that is a parameter has this one as its lower end."""
        named, ranges = {y.name: y for y in self.others}, dict[Symbol, Interval]()
        for x in self.others:
            interval = self.ranges[x.name]
            if interval.low.is_infinite:
                raise NotCertified(f"the range of {x} has no lower end")
            low = substitute(interval.low, {y: named[y.name] for y in free_symbols(interval.low)})
            ranges[x] = replace(interval, low=low, high=sp.oo if interval.high.free_symbols else interval.high)
        order = TopologicalSorter({x: free_symbols(interval.low) for x, interval in ranges.items()}).static_order()
        return {x: ranges[x] for x in order}

    def _sign(self, expr: SymExpr | SymPoly) -> int | None:
        """Return the sign (±1, 0 for zero) of a rational function inside the ranges, None if its factors do not determine it."""
        return 0 if expr == 0 else sign_on(cast(SymExpr, sp.sympify(expr)), self._ranges) or None

    def _check(self, supremum: SupremumOver) -> None:
        """Compare the formula with the supremum at numbers, computed in another way; ``AssertionError`` where they differ."""
        for distance in CHECKED_AT:
            point = dict[Any, Any]()
            for x, interval in self._ranges.items():
                whole: Any = sp.Integer(1 + int(distance)) if interval.integer else sp.Rational(distance)
                point[x] = sp.Rational(interval.place(whole / (1 + whole)).xreplace(point))
                if interval.integer and not point[x].is_Integer:
                    point[x] = sp.floor(point[x])
            low, high = (end.xreplace(point) for end in self.interval.ends)
            interval = replace(self.interval, low=low, high=high)
            near = quotient_supremum(Quotient.of(substitute(self.ratio.expr, point), (self.x,)), interval).bounds
            value = supremum.value.xreplace(point)
            if value.is_infinite or near is None:
                assert value.is_infinite and near is None, f"two suprema differ at {point}"
                continue
            number = sp.N(value, 40)
            error = abs(number - sp.Rational(*near.middle.as_integer_ratio()))
            assert error <= 1e-9 * abs(number), f"two suprema differ at {point}: {number} and {near}"

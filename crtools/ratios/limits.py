"""The limits of a closed form at the ends of its parameters' ranges, exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.quotient import Quotient
from crtools.errors import NotCertified
from crtools.expressions import arguments
from crtools.numeric_types import SymExpr, SymPoly
from crtools.ratios.expansions import expansions
from crtools.signs.ranges import Interval


def limit_at_end(ratio: Quotient, interval: Interval, side: int) -> SymExpr:
    """Return the limit at the lower (0) or the upper end (1) of the range of the one parameter (oo where unbounded).

    Raises ``NotCertified`` where no expansion is known, and at an irrational end.
    """
    if not interval.exact():
        raise NotCertified("the limit at an irrational end is not known")
    [x], end, parts = ratio.parameters, interval.ends[side], ratio.parts.values()
    if not parts:
        return _of_polynomials(sp.Poly(ratio.numerator.as_expr(), x), sp.Poly(ratio.denominator.as_expr(), x), end)
    if end is sp.oo and all(isinstance(part, sp.harmonic) and part.has(x) for part in parts):
        return _of_harmonic(ratio)
    expandable = interval.unit and all(arguments(part)[-1].is_polynomial(x) for part in parts if part.args)
    return _expanded(ratio if expandable else _moved(ratio, interval), side)


def _of_polynomials(top: SymPoly, bottom: SymPoly, end: SymExpr) -> SymExpr:
    """Return the limit of a quotient in lowest terms, ≥ 0 near the end; the coefficients may have other symbols."""
    if end.is_infinite:
        more = int(top.degree()) - int(bottom.degree())
        above, below = top.LC() if more >= 0 else sp.S.Zero, bottom.LC() if more <= 0 else sp.S.Zero
    else:
        above, below = top.eval(end), bottom.eval(end)
    return sp.oo if below == 0 else sp.factor(sp.cancel(above / below))


def _of_harmonic(ratio: Quotient) -> SymExpr:
    """Return the limit for u → ∞ of a quotient of polynomials in u and harmonic numbers H ~ ln u."""
    tops: list[tuple[tuple[int, int], Any]] = []
    for poly in (ratio.numerator, ratio.denominator):
        whole = sp.Poly(poly, *ratio.parameters, *ratio.parts)
        key = max((m[0], sum(m[1:])) for m, _ in whole.terms())
        tops.append((key, sum(c for m, c in whole.terms() if (m[0], sum(m[1:])) == key)))
    (a, p), (b, q) = tops
    return p / q if a == b else sp.oo if a > b else sp.S.Zero


def _expanded(ratio: Quotient, end: int) -> SymExpr:
    """Return the limit at 0 or 1 from inside, by the leading terms of expansions."""
    for order in (8, 24, 80, 260, 800):
        p, q = expansions(ratio, end, order, Fraction(1, 2**30))
        up, down = p.leading(), q.leading()
        if up is not None and down is not None:
            if up[:2] == down[:2]:
                return sp.cancel(p.at.value(up[2]) / q.at.value(down[2]))
            # t^i Λ^j: a smaller i, or with the same i a larger j, is larger
            return sp.oo if (up[0], -up[1]) < (down[0], -down[1]) else sp.S.Zero
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

    Left out are ends that are another parameter, and limits that logarithms decide.
    """
    limits: list[tuple[str, SymExpr, SymExpr]] = []
    for x in quotient.parameters:
        if any(x in part.free_symbols for part in quotient.parts.values()):
            continue
        top, bottom = (sp.Poly(part.as_expr(), x) for part in (quotient.numerator, quotient.denominator))
        interval = ranges[x.name]
        for end in interval.ends[interval.integer and not interval.low_in :]:  # lengths u > 1 do not come near 1
            if end is sp.oo or end.is_Rational:
                limit = _of_polynomials(top, bottom, end)
                if not limit.free_symbols & set(quotient.parts):
                    limits.append((x.name, end, limit))
    return limits

"""Is a given bound at least a known function or number? Decided exactly, or refuted at a rational point."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.errors import NotCertified


@dataclass(frozen=True)
class Comparison:
    """``holds`` is True (everywhere), False (fails at ``point``) or None (not decided, ``reason``)."""

    holds: bool | None
    point: Fraction | None = None
    reason: str = ""


def at_least(bound: Any, target: Any, x: Any, low: Fraction, high: Fraction) -> Comparison:
    """Decide whether bound(x) ≥ target(x) on low < x < high, for a rational target.

    A rational bound is decided by its difference's roots (Sturm); another one can only be refuted at sample points.
    """
    gap: Any = sp.together(bound - target)
    if not gap.is_rational_function(x) or gap.free_symbols - {x}:
        return _sampled(bound, target, x, low, high)
    above, below = (sp.Poly(part, x) for part in sp.fraction(sp.cancel(gap)))
    if not (above.domain.is_QQ or above.domain.is_ZZ) or not (below.domain.is_QQ or below.domain.is_ZZ):
        return _sampled(bound, target, x, low, high)
    a, b = sp.Rational(low.numerator, low.denominator), sp.Rational(high.numerator, high.denominator)
    marks = _marks([above, below], a, b)
    for place in marks:
        bottom, top = below.eval(place), above.eval(place)
        if bottom == 0 or top / bottom < 0:
            return Comparison(False, Fraction(int(place.p), int(place.q)))
    if any(f.count_roots(a, b) - (f.eval(a) == 0) - (f.eval(b) == 0) for f, _ in below.factor_list()[1]):
        return Comparison(None, reason="the bound has a pole in the range")
    return Comparison(True)


def _marks(polys: list[Any], low: Any, high: Any) -> list[Any]:
    """Return a rational point in every interval between neighbouring roots of the polynomials in (low, high)."""
    ends: list[Any] = [(low, low)]
    product = sp.Poly(sp.prod([p.as_expr() for p in polys if not p.is_ground]), *polys[0].gens)
    if not product.is_ground:
        inside: Any = product.sqf_part().intervals(eps=sp.Rational(1, 10**12), inf=low, sup=high)
        ends += [interval for interval, _ in inside if interval[0] > low or interval[1] > low]
    ends.append((high, high))
    found = [(left[1] + right[0]) / 2 for left, right in itertools.pairwise(ends) if left[1] < right[0]]
    return [sp.Rational(f) for f in found]


def _sampled(bound: Any, target: Any, x: Any, low: Fraction, high: Fraction) -> Comparison:
    for k in range(1, 400):
        point = low + (high - low) * Fraction(k, 400)
        put = {x: sp.Rational(point.numerator, point.denominator)}
        try:
            if enclose(sp.expand_log((bound - target).subs(put)), {}, 3).upper < 0:
                return Comparison(False, point)
        except (NotCertified, ArithmeticError, TypeError):
            continue
    return Comparison(None, reason="the bound is not rational; no counterexample at 399 sample points")


def number_at_least(bound: Fraction, supremum: Enclosure) -> bool | None:
    """Decide whether bound ≥ the number enclosed; None where the enclosure does not tell."""
    if bound >= supremum.upper:
        return True
    return False if bound < supremum.lower else None

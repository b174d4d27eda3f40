"""Decide whether an expression is > 0, ≥ 0, ≠ 0 or an integer for all values of its parameters.

The decision is exact for a rational function of one parameter; for several, by the signs of coefficients or by exact roots on
lines; for anything else by the signs of its parts, or by balls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any, Literal, cast

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.closed_form.normal_form import simplified
from crtools.expressions import arguments, free_symbols, substitute
from crtools.numeric_types import Symbol, SymExpr, SymPoly
from crtools.signs.one_variable import limit_of, polynomials, positive_everywhere, real_roots
from crtools.signs.ranges import Answer, Interval, Range, parameter

Need = Literal["≠ 0", "> 0", "≥ 0", "an integer"]

Point = Mapping[Any, SymExpr]
"""Values of parameters."""

MET, UNDECIDED = Answer(True), Answer(None)


def nonnegative_on(on: Range, expr: SymExpr) -> bool:
    """Return whether an expression in a range's names is shown to be ≥ 0 on all of it, by the signs of its parts."""
    return all(
        positive(substitute(expr, {x: sp.sympify(case[x.name]) for x in free_symbols(expr)}), parameters, False)
        for case, parameters in zip(on.cases, on.parameters, strict=True)
    )


def in_parameters(expr: SymExpr, need: Need, parameters: tuple[SymExpr, ...]) -> Answer:
    """Decide whether an expression in parameters is what it must be, for all their values."""
    expr = sp.sympify(expr)
    if expr.has(sp.Max, sp.Min):
        expr = simplified(expr, lambda part: positive(part, parameters, False))
    if need == "an integer":
        return MET if expr.is_integer else _first_unmet(expr, need, _points(parameters, (0, 1, 2, 3)))
    if not expr.free_symbols:
        return Answer(_number_is(expr, need), {})
    if isinstance(expr, sp.log):
        return in_parameters(arguments(expr)[0] - 1, need, parameters)
    if need == "≠ 0" and expr.is_Mul:
        answers = [in_parameters(arg, need, parameters) for arg in arguments(expr)]
        return next((a for a in answers if not a.holds), MET)
    if isinstance(expr, sp.Pow) and expr.exp.is_Rational and need != "≥ 0":
        # a power that is defined is 0 where its base is, and negative at most where its exponent is odd
        return in_parameters(expr.base, "> 0" if expr.exp.is_odd and need == "> 0" else "≠ 0", parameters)
    poly = _polynomial(expr, parameters)
    if poly is not None:
        return _decide_polynomial(poly, need, parameters)
    if positive(expr, parameters, need != "≥ 0") or (need == "≠ 0" and _shown_sign(expr, parameters, True) == -1):
        return MET
    squared = _squared(expr, parameters)
    return _decide_by_balls(expr, need, parameters) if squared is None else in_parameters(squared, need, parameters)


def _squared(expr: SymExpr, parameters: tuple[SymExpr, ...]) -> SymExpr | None:
    """Return R² − S for R − √S, or S − R² for √S − R, where R ≥ 0: it has the same sign; None for anything else."""
    roots = [
        t
        for t in sp.Add.make_args(expr)
        if isinstance(power := t.as_coeff_Mul()[1], sp.Pow) and power.exp.as_numer_denom()[1] == 2
    ]
    if len(roots) != 1:
        return None
    others, sign = expr - roots[0], 1 if roots[0].as_coeff_Mul()[0] > 0 else -1
    return sign * (roots[0] ** 2 - others**2) if positive(-sign * others, parameters, False) else None


def _number_is(value: SymExpr, need: Need) -> bool:
    if need == "an integer":
        return bool(value.is_Integer)
    enclosure = enclosed(value, {}, 5)
    if enclosure is None or (enclosure.width == 0 and enclosure.lower == 0):
        value = sp.simplify(value)
        return bool(value.is_zero) and need == "≥ 0"
    return enclosure.lower > 0 or (need == "≠ 0" and enclosure.upper < 0)


def _points(parameters: Iterable[SymExpr], values: Iterable[int]) -> Iterator[dict[Any, Any]]:
    """Iterate over points whose parameters have these values, as far as they may."""
    allowed = [
        [(p, sp.Integer(v)) for v in values if v > 0 or not (p.is_positive or (p.is_nonnegative and v))]
        for p in parameters
    ]
    yield from map(dict, product(*allowed))


def _first_unmet(expr: SymExpr, need: Need, points: Iterable[Point]) -> Answer:
    """Return the first point at which an expression is no number or not what it must be."""
    values = ((point, expr.subs(point)) for point in points)
    unmet = (point for point, value in values if value.free_symbols or not _number_is(value, need))
    return next((Answer(False, point) for point in unmet), UNDECIDED)


def _polynomial(expr: SymExpr, parameters: tuple[SymExpr, ...]) -> SymPoly | None:
    """Return a polynomial with the sign and the zeros of a rational function, or None: its coefficients are not rational."""
    pair = polynomials(expr, *parameters) if parameters else None
    return None if pair is None else pair[0] * pair[1]


def positive(expr: SymExpr, parameters: tuple[SymExpr, ...], strict: bool) -> bool:
    """Return whether an expression is shown to be > 0, or ≥ 0 unless ``strict``, by the signs of its parts."""
    need: Need = "> 0" if strict else "≥ 0"
    if not expr.free_symbols:
        return _number_is(expr, need)
    poly = _polynomial(expr, parameters)
    if isinstance(expr, sp.exp) or (poly is not None and _coefficients_are(poly, strict)):
        return True
    if poly is not None and len(poly.free_symbols) <= 1 and _decide_polynomial(poly, need, parameters).holds:
        return True
    if isinstance(expr, sp.log):
        return positive(arguments(expr)[0] - 1, parameters, strict)
    if isinstance(expr, sp.Sum) and len(expr.limits) == 1:
        index, low, _ = expr.limits[0]
        step = parameter(101, whole=True)
        return not strict and positive(
            substitute(cast(SymExpr, expr.function), {index: low + step}), (*parameters, step), False
        )
    if isinstance(expr, sp.Pow):
        even = expr.exp.is_even and not strict
        return even or positive(expr.base, parameters, strict or not expr.exp.is_positive)
    if isinstance(expr, sp.Max):
        return any(positive(arg, parameters, strict) for arg in arguments(expr))
    if isinstance(expr, sp.Min):
        return all(positive(arg, parameters, strict) for arg in arguments(expr))
    if isinstance(power := 1 - expr, sp.Pow) and positive(power.base, parameters, True):  # 1 − x^e, x ≤ 1, e ≥ 0
        return all(positive(part, parameters, strict) for part in (1 - power.base, power.exp))
    if expr.is_Add:
        return all(positive(arg, parameters, False) for arg in arguments(expr)) and (
            not strict or any(positive(arg, parameters, True) for arg in arguments(expr))
        )
    return expr.is_Mul and _shown_sign(expr, parameters, strict) == 1


def _shown_sign(expr: SymExpr, parameters: tuple[SymExpr, ...], strict: bool) -> int:
    """Return the sign that the signs of the parts show, 1 or −1; 0 where they show none. Not ``strict``: 1 for ≥ 0, −1 for ≤ 0."""
    if expr.is_Mul:
        sign = 1
        for arg in arguments(expr):
            if not (sign := sign * _shown_sign(arg, parameters, strict)):
                break
        return sign
    if isinstance(expr, sp.log) and positive(1 - arguments(expr)[0], parameters, strict):
        return -1
    if (expr.is_Add or expr.is_number) and positive(-expr, parameters, strict):
        return -1
    return int(positive(expr, parameters, strict))


def _coefficients_are(poly: SymPoly, strict: bool) -> bool:
    """Return whether no coefficient is negative and, where ``strict``, some term does not vanish in the range."""
    if not all(p.is_nonnegative for p in poly.gens) or any(c < 0 for c in poly.coeffs()):
        return False
    return not strict or any(
        all(p.is_positive or not power for p, power in zip(poly.gens, powers, strict=True))
        for powers, _ in poly.terms()
    )


LINES = (0, 1, 2, 3, 5)
"""Values of the other parameters on the lines on which a rational function of several is examined."""


def _decide_polynomial(poly: SymPoly, need: Need, parameters: tuple[SymExpr, ...]) -> Answer:
    """Decide a need by the signs of coefficients, by roots, or for several parameters on lines, where it may not be met."""
    if _coefficients_are(poly, need != "≥ 0") or (need == "≠ 0" and _coefficients_are(-poly, True)):
        return MET
    used = [p for p in parameters if poly.has(p)] or parameters[:1]
    for free in used:
        for point in _points([p for p in used if p != free], LINES):
            value = _unmet(sp.Poly(poly.as_expr().subs(point), free), need)
            if value is not None:
                return Answer(False, {**dict.fromkeys(parameters, sp.Integer(1)), **point, free: value})
    return UNDECIDED if len(used) > 1 else MET


def _unmet(poly: SymPoly, need: Need) -> SymExpr | None:
    """Return a value of the one parameter at which the polynomial is not what it must be, or None: there is none."""
    if poly.is_zero:
        return None if need == "≥ 0" else sp.Integer(1)
    [p] = poly.gens
    roots: list[Any] = real_roots(poly)
    if p.is_integer:
        near = {sp.Integer(0)} | {sp.floor(root) + e for root in roots for e in (0, 1)}
        points = sorted(point for point in near if point >= (1 if p.is_positive else 0))
    else:
        low = [] if not p.is_nonnegative else [sp.S.Zero]
        inside = [root for root in roots if not low or root > 0]
        marks = [*low, *inside]
        between = [(a + b) / 2 for a, b in pairwise(marks)]
        outside = [marks[-1] + 1, *([] if low else [marks[0] - 1])] if marks else [sp.S.Zero]
        points = [*([] if p.is_positive else low), *inside, *between, *outside]
    for point in points:
        sign = 0 if point in roots else sp.sign(sp.N(poly.eval(point), 30))
        if sign == 0 if need == "≠ 0" else sign < 0 if need == "≥ 0" else sign <= 0:
            return point
    return None


SAMPLES = (*(Fraction(k, 40) for k in range(1, 40)), *(Fraction(1, 10**k) for k in (3, 6)), 1 - Fraction(1, 10**6))
"""Parts of the way from one end of a range to the other."""


def _decide_by_balls(expr: SymExpr, need: Need, parameters: tuple[SymExpr, ...]) -> Answer:
    """Look for a point at which what is not rational is not what it must be; with one parameter, also by balls."""
    if len(parameters) != 1:
        return _first_unmet(expr, need, _points(parameters, (0, 1, 2, 5)))
    [r] = parameters
    if r.is_integer or not r.is_nonnegative:
        return _first_unmet(expr, need, _points(parameters, range(-10, 12)))
    part = sp.Symbol("w", nonnegative=True)  # r = w/(1−w)
    put: Any = expr.subs(r, part / (1 - part))
    put = put.replace(lambda e: e.is_rational_function(part), sp.cancel)
    signs: list[tuple[Fraction, bool]] = []
    for at in sorted(SAMPLES):
        enclosure = enclosed(put, {part: at}, 5)
        if enclosure is not None and enclosure.upper < 0 and need != "≠ 0":
            return Answer(False, {r: sp.Rational(at.numerator, at.denominator - at.numerator)})
        signs += [] if enclosure is None else [(at, enclosure.lower > 0)]
    change = next(((a, b) for (a, one), (b, two) in pairwise(signs) if one != two), None)
    if change is not None:  # it is continuous, so that it is 0 between them
        root = cast(SymExpr, sp.nsolve(put, part, [float(end) for end in change], solver="bisect"))
        return Answer(False, {r: root / (1 - root)})
    sign = 1 if not signs or signs[0][1] else -1
    return MET if positive_everywhere(sign * put, part, Fraction(0), Fraction(1)) else UNDECIDED


def near_zero(expr: SymExpr, need: Need, big: SymExpr) -> Answer:
    """Decide a need for all large L."""
    if need == "an integer" or not expr.free_symbols:
        return in_parameters(expr, need, (big,))
    if any(positive_at_infinity(sign * expr, big) for sign in ((1, -1) if need == "≠ 0" else (1,))):
        return MET
    fails = need != "≠ 0" and positive_at_infinity(-expr, big)
    return Answer(False, {big: 20 * sp.log(10)}) if fails else UNDECIDED


def positive_at_infinity(expr: SymExpr, big: SymExpr) -> bool:
    """Return whether the expression is positive for large L, by its limit, or where that is 0 by that of the reciprocal."""
    limit = limit_of(expr, big)
    if limit == 0:  # from above: the reciprocal goes to +∞
        limit = limit_of(1 / expr, big)
    return bool(limit is not None and limit.is_extended_real and limit > 0)


def factored(expr: SymExpr) -> tuple[int, dict[SymExpr, int]]:
    """Return the sign of the constant and {irreducible factor: power} of a rational function."""
    sign, powers = 1, dict[SymExpr, int]()
    for part, direction in zip(sp.fraction(sp.cancel(sp.together(expr))), (1, -1), strict=True):
        factored: Any = sp.factor_list(part)
        constant, factors = factored
        sign *= int(sp.sign(constant))
        for factor, power in factors:
            powers[factor] = powers.get(factor, 0) + direction * power
    return sign, powers


def sign_on(expr: SymExpr, intervals: Mapping[Symbol, Interval]) -> int:
    """Return 1 where a rational function is ≥ 0 on the ranges, −1 where it is ≤ 0, 0 where that is not shown.

    The lower end of a range may depend on the symbols of those before it.
    """
    if expr.is_Rational:
        return 1 if expr >= 0 else -1
    sign, powers = factored(expr)
    signs = (factor_sign(factor, intervals) for factor, power in powers.items() if power % 2)
    return prod(signs, start=sign)


def factor_sign(factor: SymExpr, intervals: Mapping[Symbol, Interval]) -> int:
    """Return the sign that an irreducible polynomial has inside the intervals, 0 where none is shown."""
    free = free_symbols(factor)
    if len(free) == 1 and not intervals[x := free.pop()].low.free_symbols:
        interval = intervals[x]
        if any(interval.low < root < interval.high for root in real_roots(sp.Poly(factor, x))):
            return 0
        return 1 if factor.subs(x, interval.place(Fraction(1, 2))) > 0 else -1
    # x = place(y/(1+y)), y > 0: one sign if all coefficients of the numerator have it
    shares: dict[Symbol, Symbol] = {x: sp.Dummy(positive=True) for x in intervals}
    moved = factor
    for x, y in reversed(shares.items()):
        moved = substitute(moved, {x: intervals[x].place(y / (1 + y))})
    above, below = (sp.Poly(part, *shares.values()).coeffs() for part in sp.fraction(sp.together(moved)))
    signs = {int(sp.sign(c)) for c in above}
    return signs.pop() if len(signs) == 1 and all(c > 0 for c in below) else 0

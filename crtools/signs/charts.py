"""Sign charts: the zeros of a function of one parameter, each in a short interval of its own, and its signs between them.

Intervals are cut until none has more than one zero; in balls, so that a polynomial's coefficients may have logarithms of
numbers. A polynomial is taken factor by factor, so that its zeros are simple, and counted by Descartes' rule of signs.
A quotient has the signs between its zeros, or the sign at every integer. Tests: tests/signs/test_zeros.py,
tests/signs/test_signs.py; charts of ratios: tests/ratios/test_switch.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import groupby, pairwise
from math import ceil, floor
from typing import NamedTuple, TypeAlias, cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.closed_form.quotient import LARGEST_FACTORED, Quotient
from crtools.closed_form.sums import add_by_key
from crtools.enclosure import Enclosure, ball, ball_polynomial, fraction, precision, rational
from crtools.errors import NotCertified
from crtools.expressions import arguments
from crtools.numeric_types import Ball, Rational, Symbol, SymExpr, SymPoly
from crtools.signs.numbers import sign
from crtools.signs.one_variable import simplest
from crtools.signs.ranges import Interval

WIDTH = Fraction(1, 10**25)
"""A zero is enclosed at least so closely, as a share of the range or of its distance to 0."""

MAX_INTERVALS = 4000
"""Upper limit on the intervals that are examined."""

SPLIT = Fraction(34, 55)
"""The share at which an interval is bisected; hardly ever a zero."""

BITS, LOST = 256, 4
"""Bits of the balls, and those that a polynomial may lose in [0, 1] for each of its degrees."""


@dataclass(frozen=True)
class Zero:
    """The only zero in ``place``; ``polynomial`` is irreducible over ℚ and has it, None where it is not known to be algebraic."""

    place: Enclosure
    polynomial: SymPoly | None = None


Count = Callable[[Fraction, Fraction], int | None]
"""Returns whether a function has 0 or 1 zeros between two points, None where that is not shown."""

SignAt = Callable[[Fraction], int]
"""Returns the sign of a function at a point, 0 where that is not shown."""


def isolated(count: Count, sign_of: SignAt, starts: Sequence[Fraction]) -> list[Enclosure]:
    """Return the zeros on the intervals between the points, the function ≠ 0 at the first and the last."""
    pending = list(pairwise(starts))[::-1]
    isolating: list[Enclosure] = []
    for _ in range(MAX_INTERVALS):
        if not pending:
            return isolating
        a, b = pending.pop()
        number = count(a, b)
        if number is None and b - a < WIDTH**2 * max(a, b / 2):
            break
        if number is None:
            middle = a + (b - a) * SPLIT
            pending += [(middle, b), (a, middle)]
        elif number:
            isolating.append(_narrowed(sign_of, a, b))
    raise NotCertified("zeros are not separated, or two curves touch")


def _narrowed(sign_of: SignAt, a: Fraction, b: Fraction) -> Enclosure:
    """Return the one zero of a function between points of opposite signs in a short interval."""
    first = sign_of(a)
    while b - a > WIDTH * max(a, b / 2):
        middle = simplest(a + (b - a) / 3, b - (b - a) / 3)
        middle_sign = sign_of(middle)
        if not middle_sign or not first:
            raise NotCertified("a zero is not enclosed closely enough")
        a, b = (middle, b) if middle_sign == first else (a, middle)
    return Enclosure(a, b)


def _in_unit(coefficients: list[Ball]) -> list[Enclosure]:
    """Return the zeros in (0, 1) of a polynomial with ball coefficients, the lowest first."""
    poly = ball_polynomial(coefficients)

    def count(a: Fraction, b: Fraction) -> int | None:
        """Count by Descartes' rule of signs, which is exact where it leaves 0 or 1."""
        inside = poly(ball_polynomial([ball(a), ball(b - a)]))  # on [0, 1]
        moved = ball_polynomial(inside.coeffs()[::-1])(ball_polynomial([1, 1]))  # its zeros > 0 are those in (0, 1)
        signs = [_sign(c) for c in moved.coeffs()]
        changes = sum(one != other for one, other in pairwise(signs))
        return changes if all(signs) and changes < 2 else None

    return isolated(count, lambda q: _sign(poly(ball(q))), (Fraction(0), Fraction(1)))


def _sign(value: Ball) -> int:
    return (value > 0) - (value < 0)


def zeros(poly: SymPoly, x: SymExpr, interval: Interval, parts: Mapping[Symbol, SymExpr] | None = None) -> list[Zero]:
    """Return the zeros inside a range, in order, of a polynomial over ℚ in x and in ``parts`` (symbol ↦ number).

    Raises ``NotCertified`` for an irrational end of the range, and where zeros are not separated.
    """
    if not interval.exact():
        raise NotCertified(f"an end of the range {interval} is irrational")
    whole = sp.Poly(poly.as_expr(), x, *(parts or ()), domain="QQ")
    small = not parts or whole.total_degree() <= LARGEST_FACTORED
    factors: list[SymPoly] = [factor for factor, _ in whole.factor_list()[1]] if small else [whole]
    all_zeros = [zero for factor in factors for zero in _simple(sp.Poly(factor.as_expr(), x), interval, parts or {})]
    return sorted(all_zeros, key=lambda zero: zero.place.lower)


def _simple(poly: SymPoly, interval: Interval, parts: Mapping[Symbol, SymExpr]) -> Iterator[Zero]:
    """Iterate over the zeros of a polynomial in x, irreducible or with few factors, whose coefficients may have ``parts``."""
    algebraic = not poly.as_expr().has(*parts)
    if algebraic and poly.degree() == 1:
        root = -poly.nth(0) / poly.nth(1)
        if interval.low < root < interval.high:
            yield Zero(Enclosure(fraction(root), fraction(root)), poly)
        return
    v = sp.Dummy("v")
    above, below = (sp.Poly(part, v) for part in sp.fraction(sp.together(interval.place(v))))
    moved = cast(SymPoly, sp.Poly(poly.all_coeffs(), v).transform(above, below))  # 0 < v < 1: the share of the range
    for end in (0, 1):
        while not moved.is_zero and sp.expand(moved.eval(end)) == 0:
            moved = cast(SymPoly, sp.quo(moved, sp.Poly(v - end, v)))
    with precision(BITS + LOST * int(poly.degree())):
        values = {symbol: ball_value(part, {}) for symbol, part in parts.items()}
        coefficients = [ball_value(c, values) for c in reversed(moved.all_coeffs())]
        enclosures = _in_unit(coefficients)
    for enclosure in enclosures:
        yield Zero(Enclosure(interval.at(enclosure.lower), interval.at(enclosure.upper)), poly if algebraic else None)


def integers_near_zeros(polys: Sequence[SymPoly], x: SymExpr, interval: Interval) -> list[int]:
    """Return the integers of a range that are next to zeros of polynomials over ℚ, or to its ends, in order."""
    low, high = interval.integers
    candidates = {low, low if high is None else high}
    for zero in (zero for poly in polys for zero in zeros(poly, x, interval)):
        candidates |= set(range(floor(zero.place.lower), ceil(zero.place.upper) + 1))
    return sorted(n for n in candidates if n in interval)


# ---- quotients -------------------------------------------------------------------------------------------------------

MAX_INTEGERS = 400
"""Upper limit on the integers that are evaluated one by one where the function is no quotient of polynomials."""


@dataclass(frozen=True)
class Chart:
    """The zeros inside a range in increasing order, and the function's sign before, between and after them."""

    zeros: tuple[Zero, ...]
    signs: tuple[int, ...]
    status: str
    method: str
    uses: tuple[str, ...] = ()


def quotient_chart(gap: Quotient, interval: Interval) -> Chart:
    """Return the chart of a quotient whose transcendental parts are numbers, inside the range of its parameter.

    Raises ``NotCertified`` for an irrational end, a pole inside, or zeros that are not separated.
    """
    [x] = gap.parameters
    if zeros(gap.denominator, x, interval, gap.parts):
        raise NotCertified("a pole inside the range")
    inner_zeros = zeros(gap.numerator, x, interval, gap.parts)
    signs = tuple(sign_at(gap, sp.Rational(point)) for point in _between(inner_zeros, interval))
    status = "certified" if gap.parts else "proved"
    return Chart(tuple(inner_zeros), signs, status, "signs between the roots of the difference", ("Descartes",))


def _between(zeros: Sequence[Zero], interval: Interval) -> Iterator[Fraction]:
    """Iterate over a rational point before, between and after the zeros; raises ``NotCertified`` where they overlap."""
    low, high = (None if end.is_infinite else fraction(end) for end in interval.ends)
    marks = [(low, low), *((z.place.lower, z.place.upper) for z in zeros), (high, high)]
    for (_, a), (b, _) in pairwise(marks):
        if a is None and b is None:
            yield Fraction(0)
        elif a is None or b is None:
            yield b - 1 if b is not None else Fraction(1) + (a or 0)
        elif a < b:
            yield simplest(a, b)
        else:
            raise NotCertified("two zeros are not separated")


# ---- at integers ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SignRun:
    """Integers from ``low`` to ``high`` (oo: all from ``low`` on) at which the function has one sign: 1, 0 or −1."""

    low: SymExpr
    high: SymExpr
    sign: int


class SignRuns(NamedTuple):
    """The runs in order; ``inconclusive``, with a ``reason``, where those after the last are not known."""

    runs: list[SignRun]
    status: str
    method: str = ""
    uses: tuple[str, ...] = ()
    reason: str = ""


def _joined(runs: Iterable[SignRun]) -> list[SignRun]:
    """Join neighbours of one sign."""
    groups = (list(group) for _, group in groupby(runs, key=lambda run: run.sign))
    return [SignRun(group[0].low, group[-1].high, group[0].sign) for group in groups]


Key = tuple[int, int]
Terms: TypeAlias = "Mapping[Key, Rational | Ball]"
"""Σ c_{m,n} j^m (ln j)^n as {(m, n): c}, c an exact rational or a ball; exact zeros are left out."""


def add(*parts: Terms) -> dict[Key, Rational | Ball]:
    """Return the sum."""
    # a ball may be around 0 and not be it
    return {key: c for key, c in add_by_key(*parts).items() if hasattr(c, "is_exact") or c != 0}


def product(one: Terms, other: Terms) -> dict[Key, Rational | Ball]:
    """Return the product."""
    return add(*({(a + m, b + n): c * d for (m, n), d in other.items()} for (a, b), c in one.items()))


def sign_beyond(terms: Terms, last: int) -> int:
    """Return the sign that Σ c j^m (ln j)^n is shown to have at all j > ``last``, or 0.

    Terms are divided by the leading j^m (ln j)^n; where each quotient falls in j, the one at ``last`` bounds it. Terms of the
    leading one's sign are left out.
    """
    if not terms:
        return 0
    top = max(terms)
    log = ball(last).log()
    head, others = ball(0) + terms[top], ball(0)
    sign = 1 if head > 0 else -1
    for (m, n), c in terms.items():
        if (m, n) != top and not sign * c >= 0:
            if not log * (top[0] - m) >= n - top[1]:
                return 0
            others += abs(ball(0) + c) * ball(last) ** (m - top[0]) * log ** (n - top[1])
    return sign if sign * head > others else 0


def integer_runs(gap: Quotient, interval: Interval) -> SignRuns:
    """Return the signs at the integers of the range of the one parameter, polynomials and harmonic numbers in it allowed.

    Raises ``NotCertified`` where the sign at one of them is not decided.
    """
    low, high = interval.integers
    if not gap.parts:
        method = "signs at the integers beside the roots of the difference, and between them"
        return SignRuns(_joined(_stretches(gap, interval)), "proved", method, ("Descartes",))
    last = low + MAX_INTEGERS if high is None else min(high, low + MAX_INTEGERS)
    runs = _joined(SignRun(sp.Integer(n), sp.Integer(n), sign_at(gap, n)) for n in range(low, last + 1))
    if last == high:
        return SignRuns(runs, "certified", "signs in balls at every integer")
    beyond = _sign_from(gap, last + 1) if high is None else 0
    if not beyond:
        return SignRuns(runs, "inconclusive", reason=f"certified up to {last}, nothing is known beyond")
    method = f"signs in balls for {interval.name} <= {last}, the leading term beyond"
    return SignRuns(_joined([*runs, SignRun(sp.Integer(last + 1), sp.oo, beyond)]), "certified", method)


def sign_at(gap: Quotient, point: SymExpr | int) -> int:
    """Return the sign at a place of the one parameter; raises ``NotCertified`` where it is not decided."""
    value_sign = sign(gap.expr.subs(gap.parameters[0], point))
    if value_sign is None:
        raise NotCertified(f"the sign at {point} is not decided")
    return value_sign


def _stretches(gap: Quotient, interval: Interval) -> Iterator[SignRun]:
    """Iterate over the integers next to zeros and poles, and over the stretches between them."""
    near = integers_near_zeros([gap.numerator, gap.denominator], gap.parameters[0], interval)
    for n, after in pairwise([*map(sp.Integer, near), sp.oo]):
        yield SignRun(n, n, sign_at(gap, n))
        if n + 1 < after and n + 1 in interval:
            yield SignRun(n + 1, after - 1, sign_at(gap, n + 1))


def _sign_from(gap: Quotient, n: int) -> int:
    """Return the sign that a quotient with one harmonic number H(u + c) has at all u ≥ n, or 0 where it is not shown.

    It is ln u + K with γ ≤ K ≤ γ + (c + ½)/u.
    """
    [u], [part, *others] = gap.parameters, gap.parts.values()
    shift = arguments(part)[0] - u if isinstance(part, sp.harmonic) else sp.nan
    if others or not shift.is_Integer or shift < 0:
        return 0
    total_sign = 1
    with precision(128):
        gamma = -ball(1).digamma()
        log: Terms = {(0, 1): rational(1), (0, 0): gamma.union(gamma + ball(Fraction(2 * int(shift) + 1, 2 * n)))}
        for poly in (gap.numerator, gap.denominator):
            terms = ({(m, 0): rational(fraction(c))} for (_, m), c in poly.terms())
            powers = (reduce(product, [log] * j, {(0, 0): rational(1)}) for (j, _), _ in poly.terms())
            total_sign *= sign_beyond(add(*map(product, terms, powers)), n - 1)
    return total_sign


def positive_on(quotient: Quotient, interval: Interval) -> bool:
    """Return whether a quotient is shown to be positive on a range, with the ends that belong to it."""
    closed = [end for end, inside in zip(interval.ends, interval.closed, strict=True) if inside]
    try:
        if interval.integer:
            integer_signs = integer_runs(quotient, interval)
            return integer_signs.status != "inconclusive" and all(run.sign > 0 for run in integer_signs.runs)
        return quotient_chart(quotient, interval).signs == (1,) and all(sign_at(quotient, end) == 1 for end in closed)
    except NotCertified:
        return False

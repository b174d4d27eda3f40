"""The supremum of a ratio over its one parameter, proved by Sturm's theorem or certified by branch and bound.

Rational ratios: the critical points are the roots of one polynomial in the open interval, which are counted and
isolated exactly. Ratios with logarithms: for weights c_k q^k with c_k ≥ 0 and forms with non-negative entries, N and D
are power series in q with non-negative coefficients, so ln N and ln D are **convex** functions of x = ln q (Hölder).
On an interval ln N lies below its chord and ln D above its secants from outside, which bounds ln N − ln D by a
concave piecewise linear function: an error of second order from values at four points. Near q = 0 the first term of D
bounds it from below; near q = 1 the expansion of ``one_sided`` takes over.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, ball, ends, hull, polynomial_ball, precision
from crtools.errors import NotCertified
from crtools.ratios.normal_form import Quotient
from crtools.ratios.one_sided import Frame
from crtools.ratios.ranges import Range

ORDER = 12
"""Terms of the expansions at an end."""

TOLERANCE = Fraction(1, 10**12)
"""The relative width to which a supremum inside the range is enclosed."""

MOST_INTERVALS = 20_000

SAMPLES = 200

NOISE = 1e-12
"""A sample that exceeds a limit by less than this share, its rounding, does not exceed it."""


@dataclass(frozen=True)
class Supremum:
    """sup of the ratio over the parameter's range.

    ``bounds``: lower and upper, None where it is infinite; ``value``: an exact expression where there is one (``oo``
    where it is infinite), else None; ``at``: the place, an ``Enclosure`` of an interior point, an exact number or ±oo,
    or None for a constant ratio; ``attained``: whether a parameter in the range attains it (None: not decided). With
    status ``supported`` the bounds are one float and no guarantee.
    """

    parameter: str
    bounds: Enclosure | None
    value: Any
    at: Any
    attained: bool | None
    status: str
    method: str
    uses: tuple[str, ...] = ()

    @property
    def enclosure(self) -> Enclosure:
        """The bounds; raises ``NotCertified`` where the supremum is infinite."""
        if self.bounds is None:
            raise NotCertified(f"the ratio is unbounded, {self.place}")
        return self.bounds

    @property
    def place(self) -> str:
        """Where the supremum is, in words."""
        if self.at is None:
            return f"at every {self.parameter}"
        if self.attained is False:
            return f"{self.parameter} → {shown_end(self.at)} (not attained)"
        if isinstance(self.at, Enclosure):
            return f"{self.parameter} in [{', '.join(self.at.decimals(8))}]"
        if self.status == "supported" and self.attained is None:
            return f"{self.parameter} ≈ {float(self.at):.8g}"
        return f"{self.parameter} = {self.at}"

    def _at(self) -> str | None:
        if self.at is None:
            return None
        if isinstance(self.at, Enclosure):
            return repr(self.at.middle)
        return repr(float(self.at)) if self.status == "supported" and self.attained is None else str(self.at)

    def as_json(self) -> dict[str, Any]:
        """Return JSON data: decimal strings rounded outward, and the place."""
        low, high = (None, None) if self.bounds is None or self.status == "supported" else self.bounds.decimals(15)
        interval = list(self.at.decimals(10)) if isinstance(self.at, Enclosure) else None
        return {
            "value": str(self.value) if self.value is not None else repr(self.enclosure.middle),
            "lower": low,
            "upper": high,
            "at": self._at(),
            "at_interval": interval,
            "attained": self.attained,
            "status": self.status,
            "method": self.method,
            "uses": list(self.uses),
        }


def shown_end(end: Any) -> str:
    """Return an end of a range in print."""
    return "∞" if end is sp.oo else "−∞" if end == -sp.oo else str(end)


class Evaluator:
    """A quotient in one parameter, evaluated in balls at rational points to a relative accuracy."""

    def __init__(self, quotient: Quotient) -> None:
        [self._parameter] = quotient.parameters
        self._parts = tuple(quotient.parts.values())
        self._above = self._compiled(quotient.numerator, quotient)
        self._below = self._compiled(quotient.denominator, quotient)
        self._bits = 128

    @staticmethod
    def _compiled(poly: Any, quotient: Quotient) -> list[tuple[tuple[int, ...], list[int]]]:
        names = tuple(quotient.parts)
        whole = sp.Poly(poly, *names, *quotient.parameters)
        grouped: dict[tuple[int, ...], dict[int, int]] = {}
        for monomial, c in whole.terms():
            if c.q != 1:
                raise AssertionError("the coefficients are integers")
            grouped.setdefault(monomial[: len(names)], {})[monomial[-1]] = int(c)
        return [(key, [own.get(m, 0) for m in range(max(own) + 1)]) for key, own in grouped.items()]

    def at(self, q: Fraction, accuracy: Fraction = Fraction(1, 10**24)) -> Any:
        """Return a ball of the value at q of the relative accuracy asked; raises ``NotCertified``."""
        while self._bits <= 40_000:
            with precision(self._bits):
                x = ball(q)
                parts = [ball_value(part, {self._parameter: x}) for part in self._parts]
                value = self._sum(self._above, x, parts) / self._sum(self._below, x, parts)
                if value.is_zero() or (value.is_finite() and value.rad() < abs(value) * ball(accuracy)):
                    return value
            self._bits *= 2
        raise NotCertified("the closed form cancels beyond the largest precision")

    @staticmethod
    def _sum(groups: list[tuple[tuple[int, ...], list[int]]], x: Any, parts: list[Any]) -> Any:
        total = ball(0)
        for key, coefficients in groups:
            term = polynomial_ball(coefficients, x)
            for part, power in zip(parts, key, strict=True):
                term = term * part**power
            total += term
        return total


# ---- rational ratios ------------------------------------------------------------------------------------------------


def rational_supremum(ratio: Quotient, own: Range) -> Supremum:
    """Return the supremum of a rational ratio on the range of its parameter, whose ends are rational or infinite.

    Raises ``NotCertified`` where the ratio has a pole inside.
    """
    if own.unit:
        return _unit_supremum(ratio, {0: own.low_in, 1: own.high_in})
    v = sp.Dummy("v")
    moved = Quotient.of(ratio.expr.subs(ratio.parameters[0], own.place(v)), (v,))
    found = _unit_supremum(moved, {0: own.low_in, 1: own.high_in})
    return replace(found, parameter=own.name, at=_moved(found.at, own))


def _moved(at: Any, own: Range) -> Any:
    """Return the place in the range for a place in [0, 1]."""
    if at is None or at in (0, 1):
        return None if at is None else own.ends[int(at)]
    if isinstance(at, Enclosure):
        return Enclosure(own.at(at.lower), own.at(at.upper))
    return sp.sympify(own.place(at))


def _unit_supremum(ratio: Quotient, closed: Mapping[int, bool]) -> Supremum:
    """Return the supremum over 0 < x < 1 and the ends that are ``closed``."""
    [x] = ratio.parameters
    p, q = (sp.Poly(part.as_expr(), x, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    if any(_roots_inside(f) for f, _ in q.factor_list()[1]):
        raise NotCertified("the ratio has a pole inside the parameter's range")
    rate: Any = p.diff(x) * q - p * q.diff(x)
    method = "the derivative's roots counted by Descartes' rule or Sturm sequences, and isolated"
    if rate.is_zero:
        value = p.LC() / q.LC()
        return Supremum(x.name, _point(value), value, None, True, "proved", "the ratio is constant")
    values = {end: _end_value(p, q, end) for end in (0, 1)}
    best_end = max(values, key=lambda end: (values[end], closed[end]))
    top: Any = values[best_end]
    if top is sp.oo:
        return Supremum(x.name, None, top, sp.sympify(best_end), False, "proved", "the limits at the ends")
    roots: list[tuple[Fraction, Fraction]] = []
    for factor, _ in rate.factor_list()[1]:
        if _roots_inside(factor):
            for (a, b), _ in factor.intervals(eps=sp.Rational(1, 10**25), inf=0, sup=1):
                if not (a == b and a in (0, 1)):
                    roots.append((_fraction(a), _fraction(b)))
    with precision(400):
        inner = [(Enclosure(*ends(_eval(p, hull(a, b)) / _eval(q, hull(a, b)))), a, b) for a, b in roots if a != b]
    for a, b in roots:
        if a == b:
            exact = _fraction(p.eval(sp.Rational(a)) / q.eval(sp.Rational(a)))
            inner.append((Enclosure(exact, exact), a, b))
    least = max([_fraction(top), *(value.lower for value, _, _ in inner)])
    over = [item for item in inner if item[0].upper >= least]
    if not over:
        return Supremum(x.name, _point(top), top, sp.sympify(best_end), closed[best_end], "proved", method, ("Sturm",))
    upper = max(value.upper for value, _, _ in over)
    low, high = min(a for _, a, _ in over), max(b for _, _, b in over)
    if low == high:
        value, place = sp.Rational(upper), sp.Rational(low)
        return Supremum(x.name, _point(value), value, place, True, "proved", method, ("Sturm",))
    # where the end may be as large, only an interior value above it, or a closed end, tells that it is attained
    attained = True if least > _fraction(top) or closed[best_end] else None
    return Supremum(x.name, Enclosure(least, upper), None, Enclosure(low, high), attained, "proved", method, ("Sturm",))


def integer_supremum(ratio: Quotient, low: int) -> Supremum:
    """Return the supremum of a rational ratio over the integers u ≥ ``low``.

    The ratio is monotone between roots of its derivative, so the integers beside them, ``low`` and the limit suffice.
    """
    [u] = ratio.parameters
    p, q = (sp.Poly(part.as_expr(), u, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    if any(f.count_roots(low, None) for f, _ in q.factor_list()[1]):
        raise NotCertified("the ratio has a pole inside the parameter's range")
    rate: Any = p.diff(u) * q - p * q.diff(u)
    if rate.is_zero:
        value = p.LC() / q.LC()
        return Supremum(u.name, _point(value), value, None, True, "proved", "the ratio is constant")
    beside = {low}
    for factor, _ in rate.factor_list()[1]:
        for (a, b), _ in factor.intervals(eps=sp.Rational(1, 4), inf=low):
            beside |= set(range(max(int(sp.floor(a)), low), int(sp.ceiling(b)) + 1))
    values: dict[int, Any] = {n: p.eval(n) / q.eval(n) for n in sorted(beside)}
    best = max(values, key=lambda n: values[n])
    limit = limit_at_infinity(ratio)
    method = "the integers beside the derivative's roots, isolated by Sturm sequences, and the limit"
    if limit > values[best]:
        bounds = None if limit is sp.oo else _point(limit)
        return Supremum(u.name, bounds, limit, sp.oo, False, "proved", method, ("Sturm",))
    return Supremum(u.name, _point(values[best]), values[best], sp.Integer(best), True, "proved", method, ("Sturm",))


def limit_at_infinity(quotient: Quotient) -> Any:
    """Return the limit for u → ∞ of a quotient of polynomials in u and harmonic numbers H ~ ln u."""
    [u] = quotient.parameters
    tops: list[tuple[tuple[int, int], Any]] = []
    for poly in (quotient.numerator, quotient.denominator):
        whole = sp.Poly(poly, u, *quotient.parts)
        key = max((m[0], sum(m[1:])) for m, _ in whole.terms())
        tops.append((key, sum(c for m, c in whole.terms() if (m[0], sum(m[1:])) == key)))
    (a, p), (b, q) = tops
    return p / q if a == b else sp.oo if a > b else sp.S.Zero


def _roots_inside(poly: Any) -> int:
    """Return the number of roots in (0, 1) of a polynomial without multiple roots: by Descartes' rule, else by Sturm."""
    moved = sp.Poly(poly.all_coeffs()[::-1], poly.gen).shift(1)  # its roots > 0 are those of the polynomial in (0, 1)
    signs = [c > 0 for c in moved.all_coeffs() if c != 0]
    changes = sum(a != b for a, b in itertools.pairwise(signs))
    return changes if changes <= 1 else poly.count_roots(0, 1) - sum(1 for end in (0, 1) if poly.eval(end) == 0)


def _end_value(p: Any, q: Any, end: Any) -> Any:
    below, above = q.eval(end), p.eval(end)
    return sp.oo if below == 0 else above / below  # p/q is in lowest terms


def _eval(poly: Any, x: Any) -> Any:
    total = ball(0)
    for c in poly.all_coeffs():
        total = total * x + ball(_fraction(c))
    return total


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def _point(value: Any) -> Enclosure:
    return Enclosure(_fraction(value), _fraction(value))


# ---- ratios with logarithms ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PowerSeries:
    """What branch and bound needs: N and D as quotients in q, power series with coefficients ≥ 0.

    D(q) ≥ ``first`` · q^``degree`` is D's lowest term, and N(q)/q^``degree`` increases.
    """

    numerator: Quotient
    denominator: Quotient
    first: Fraction
    degree: int


class _Bounds:
    """ln N, ln D and x = ln q at rational points, kept. ``both`` gives balls of N and D at a point."""

    def __init__(
        self, both: Callable[[Fraction], tuple[Any, Any]], first: Fraction, degree: int, end: Fraction
    ) -> None:
        self._both, self.first, self.degree, self.end = both, first, degree, end
        self._kept: dict[Fraction, tuple[Any, Any, Any]] = {}
        self.most = Fraction(0)  # the largest lower bound of the ratio at a point seen so far
        self.place = Fraction(1, 2)

    def at(self, q: Fraction) -> tuple[Any, Any, Any]:
        """Return (x, ln N, ln D) at q."""
        if q not in self._kept:
            n, d = self._both(q)
            with precision(128):
                lower = ends(n / d)[0]
                if lower > self.most:
                    self.most, self.place = lower, q
                self._kept[q] = ball(q).log(), n.log(), d.log()
        return self._kept[q]

    def upper(self, a: Fraction, b: Fraction) -> Fraction:
        """Return an upper bound of N/D on [a, b]."""
        h = b - a
        points = [self.at(q) for q in (max(a - h, a / 2), a, b, min(b + h, (self.end + b) / 2))]
        with precision(128):
            (xz, _, dz), (xa, na, da), (xb, nb, db), (xc, _, dc) = points
            chord, left, right = (nb - na) / (xb - xa), (da - dz) / (xa - xz), (dc - db) / (xc - xb)
            # the two lower lines of ln D meet at xm (any xm in [xa, xb] gives a bound)
            gap = float((right - left).mid())
            place = 0.5
            if gap > 0:
                meet = float(((da - left * xa - db + right * xb) / (right - left)).mid())
                place = (meet - float(xa.mid())) / float((xb - xa).mid())
            xm = xa + (xb - xa) * ball(min(max(place, 0.0), 1.0))
            top = na + chord * (xm - xa)
            candidates = [na - da, nb - db, top - (da + left * (xm - xa)), top - (db + right * (xm - xb))]
            return max(ends(c.exp())[1] for c in candidates)

    def near_zero(self, q: Fraction) -> Fraction:
        """Return an upper bound of N/D on (0, q]: N(q)/(first · q^degree)."""
        value, _ = self._both(q)
        self.at(q)
        with precision(128):
            return ends(value / ball(self.first * q**self.degree))[1]


def certified_supremum(ratio: Quotient, series: PowerSeries, name: str) -> Supremum:
    """Return the certified supremum over 0 < q < 1 of N/D; raises ``NotCertified`` where a step does not go through."""
    at_zero, at_one = _NearEnd(ratio, 0), _NearEnd(ratio, 1)
    for near in (at_zero, at_one):
        if near.limit is None:
            return Supremum(name, None, sp.oo, sp.Integer(near.end), False, "certified", "expansions at both ends")
    low, high = at_zero.finite, at_one.finite
    n, d = Evaluator(series.numerator), Evaluator(series.denominator)
    bounds = _Bounds(lambda q: (n.at(q), d.at(q)), series.first, series.degree, Fraction(1))
    for place in _samples():
        bounds.at(place)
    method = "branch and bound on chords of ln N and ln D, convex in ln q; expansion with remainder at the ends"
    if bounds.most <= max(low.upper, high.upper):
        same = sp.simplify(at_zero.limit_expr - at_one.limit_expr) == 0
        if not same and low.upper >= high.lower and high.upper >= low.lower:
            raise NotCertified("the limits at the two ends are too close to be told apart")
        top, other = (at_one, at_zero) if same or high.lower > low.upper else (at_zero, at_one)
        level = top.finite.lower
        deltas = {top.end: top.range_where_below(None)}
        if same:
            deltas[other.end] = other.range_where_below(None)
        elif other is at_one:
            deltas[1] = other.range_where_below(level)
        _search(bounds, 1 - deltas[1], level, None, deltas.get(0))
        return Supremum(name, top.limit, top.limit_expr, sp.Integer(top.end), False, "certified", method)
    _polish(bounds)
    limit = max(low.upper, high.upper)
    level = bounds.most - (bounds.most - limit) / 100
    level = Fraction(int(level * 2**40), 2**40)
    if not limit < level < bounds.most:
        raise NotCertified("the maximum inside and the limit at an end are too close to be told apart")
    delta = at_one.range_where_below(level)
    upper, left, right = _search(bounds, 1 - delta, level, TOLERANCE)
    return Supremum(name, Enclosure(bounds.most, upper), None, Enclosure(left, right), True, "certified", method)


def poisson_supremum(both: Callable[[Fraction], tuple[Any, Any]], s: int, name: str) -> Supremum:
    """Return the certified supremum over the mean λ > 0 of A_min's ratio to H-SF's under λ^k/k!, k ≥ 1.

    N and D are power series in λ. For λ ≥ 100: with independent X, Y of the law and m = min(X, Y), the entries give
    N − D ≤ E (s+m)|X−Y| and D ≥ E m · (s + E m); Cauchy–Schwarz and Var X ≤ 1.01 λ, λ ≤ E X ≤ 1.01 λ give
    N/D ≤ 1 + 1.7/√λ ≤ 1.17 (docs/closed-forms.md).
    """
    bounds = _Bounds(both, Fraction(1 + s), 2, Fraction(200))
    for k in range(1, 60):
        bounds.at(Fraction(k, 4))
    _polish(bounds)
    level = Fraction(int(bounds.most * (1 - Fraction(1, 100)) * 2**40), 2**40)
    if not level > Fraction(117, 100):
        raise NotCertified("the maximum does not exceed the bound for large means")
    upper, low, high = _search(bounds, Fraction(100), level, TOLERANCE)
    method = "branch and bound on chords of ln N and ln D, convex in ln λ; a bound for λ ≥ 100"
    return Supremum(name, Enclosure(bounds.most, upper), None, Enclosure(low, high), True, "certified", method)


def _samples() -> list[Fraction]:
    near_one = [1 - Fraction(1, 2**k) for k in range(1, 15)]
    return [*(Fraction(k, 32) for k in range(2, 31)), *near_one]


def _polish(bounds: _Bounds) -> None:
    """Move towards the maximum by interval halving, so that the lower bound is good before the search."""
    step = min(bounds.place, bounds.end - bounds.place) / 4
    for _ in range(70):
        before = bounds.place
        for q in (before - step, before + step):
            if 0 < q < bounds.end:
                bounds.at(q)
        if bounds.place == before:
            step /= 2
        if step < Fraction(1, 2**30):
            break


def _search(
    bounds: _Bounds, last: Fraction, level: Fraction, tolerance: Fraction | None, first: Fraction | None = None
) -> tuple[Fraction, Fraction, Fraction]:
    """Bound N/D on (0, last], or on [first, last]. Without a tolerance: by ``level``; else to within it of the largest value.

    Returns (upper bound, hull of what may attain it). Raises ``NotCertified`` where the intervals run out.
    """
    goal = level if tolerance is None else bounds.most
    if first is None:
        first = Fraction(1, 16)
        while bounds.near_zero(first) > min(goal, level):
            first /= 2
            if first < Fraction(1, 2**80):
                raise NotCertified("the ratio is not below its supremum near 0")
    marks = [first]
    while marks[-1] < last:
        marks.append(min(marks[-1] + min(marks[-1], bounds.end - marks[-1]) / 4, last))
    heap: list[tuple[float, int, Fraction, Fraction, Fraction]] = []
    count = 0

    def push(a: Fraction, b: Fraction) -> None:
        nonlocal count
        count += 1
        bound = bounds.upper(a, b)
        floor = level if tolerance is None else bounds.most
        if bound > floor:
            heapq.heappush(heap, (-float(bound), count, bound, a, b))

    for a, b in itertools.pairwise(marks):
        push(a, b)
    while heap:
        _, _, bound, a, b = heap[0]
        if tolerance is not None and bound <= bounds.most * (1 + tolerance):
            left = [item for item in heap if item[2] >= bounds.most]
            return max(i[2] for i in left), min(i[3] for i in left), max(i[4] for i in left)
        heapq.heappop(heap)
        if count > MOST_INTERVALS:
            raise NotCertified("branch and bound ran out of intervals")
        middle = (a + b) / 2
        push(a, middle)
        push(middle, b)
    if tolerance is not None:
        return bounds.most, bounds.place, bounds.place
    return level, last, last


class _NearEnd:
    """The ratio at an end of (0, 1): its limit, and ranges on which it is certified to stay below a level."""

    def __init__(self, ratio: Quotient, end: int) -> None:
        self.ratio, self.end = ratio, end
        self.limit_expr = limit_at(ratio, end)
        self.limit = None if self.limit_expr is sp.oo else enclose(self.limit_expr, {}, 30)

    @property
    def finite(self) -> Enclosure:
        """The limit, where it is finite."""
        assert self.limit is not None
        return self.limit

    def range_where_below(self, level: Fraction | None) -> Fraction:
        """Return δ with ratio < level (None: < the limit) at all places closer than δ to the end."""
        for power in range(4, 41):
            delta = Fraction(1, 2**power)
            try:
                if self._below(level, delta):
                    return delta
            except NotCertified:
                continue
        raise NotCertified(f"the ratio could not be compared with its limit near {self.end}")

    def _below(self, level: Fraction | None, delta: Fraction) -> bool:
        frame, p, q = expansions(self.ratio, self.end, ORDER, delta)
        if q.leading() is None:
            frame, p, q = expansions(self.ratio, self.end, 3 * ORDER, delta)
        sign_q = q.sign()
        (_, _, p0), (_, _, q0) = p.leading() or (0, 0, frame.constants.ring.zero), q.leading() or (0, 0, None)
        if not sign_q or q0 is None:
            return False
        if level is not None:
            gap = q.scaled(QQ(level.numerator, level.denominator)) + p.scaled(QQ(-1))
            return gap.sign() == sign_q
        with precision(256):
            head = frame.constants.split(q0)[0]
        sign_head = 1 if head > 0 else -1
        gap = q.scaled(p0) + p.scaled(q0 * -1)  # p0 q − q0 p
        return gap.sign() == sign_q * sign_head


def expansions(ratio: Quotient, end: int, order: int, delta: Fraction) -> tuple[Frame, Any, Any]:
    """Return the frame and the expansions of numerator and denominator at an end of (0, 1).

    Raises ``NotCertified`` where a logarithm or a polylogarithm is not of a polynomial.
    """
    [parameter] = ratio.parameters
    values: Any = sp.Tuple(*ratio.parts.values())
    if not all(part.args[-1].is_polynomial(parameter) for part in values if part.args):
        raise NotCertified("a part is not a logarithm or a polylogarithm of a polynomial")
    frame = Frame(parameter, end, values, order, delta)
    return frame, frame.expand(ratio.numerator, ratio.parts), frame.expand(ratio.denominator, ratio.parts)


def limit_at(ratio: Quotient, end: int) -> Any:
    """Return the limit of a ratio in one parameter at 0 or 1 from inside, exactly (oo where unbounded).

    Raises ``NotCertified`` where no expansion is known.
    """
    [x] = ratio.parameters
    if not ratio.parts:
        p, q = (sp.Poly(part.as_expr(), x, domain="QQ") for part in (ratio.numerator, ratio.denominator))
        return _end_value(p, q, end)
    for order in (8, 24, 80, 260, 800):
        frame, p, q = expansions(ratio, end, order, Fraction(1, 2**30))
        up, down = p.leading(), q.leading()
        if up is not None and down is not None:
            if up[:2] == down[:2]:
                return sp.cancel(frame.constants.expr(up[2]) / frame.constants.expr(down[2]))
            # t^i Λ^j: a smaller i, or with the same i a larger j, is larger
            return sp.oo if (up[0], -up[1]) < (down[0], -down[1]) else sp.S.Zero
    raise NotCertified("the leading terms vanish to a high order")


def sampled_supremum(value: Callable[[Fraction], float], own: Range, limits: Mapping[int, Any]) -> Supremum:
    """Return the largest of sampled values and of the limits at the ends (0 or 1 ↦ limit), as ``supported``: no guarantee.

    A closed end attains its limit, an open one does not; at an interior sample ``attained`` is not decided.
    """
    shares = [Fraction(k, SAMPLES) for k in range(1, SAMPLES)]
    shares += [part for k in range(8, 25, 2) for part in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))]
    best, top = max(((share, value(own.at(share))) for share in shares), key=lambda pair: pair[1])
    step = Fraction(1, 4 * SAMPLES)
    while step > Fraction(1, 2**34):
        around = [share for share in (best - step, best + step) if 0 < share < 1]
        share, most = max(((share, value(own.at(share))) for share in around), key=lambda pair: pair[1])
        if most > top:
            best, top = share, most
        else:
            step /= 2
    known = "and the limits at the ends" if len(limits) == 2 else "without the limit at an end, which is not known"
    method = f"largest of {len(shares)} samples, refined, {known}"
    if limits:
        closed = (own.low_in, own.high_in)
        end = max(limits, key=lambda e: (limits[e].evalf(30), closed[e]))
        if limits[end] is sp.oo:
            return Supremum(own.name, None, sp.oo, own.ends[end], False, "certified", "the limit at the end")
        limit = enclose(limits[end], {}, 20)
        if limit.middle >= top * (1 - NOISE):
            return Supremum(own.name, limit, limits[end], own.ends[end], closed[end], "supported", method)
    place = own.place(best)
    return Supremum(own.name, Enclosure(Fraction(top), Fraction(top)), None, place, None, "supported", method)

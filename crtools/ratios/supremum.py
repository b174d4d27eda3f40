"""``Supremum``, the supremum of a ratio over its parameters; computed for a quotient of polynomials, or sampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias, cast

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.closed_form.quotient import Quotient
from crtools.enclosure import Enclosure, ends, fraction, polynomial_on, precision
from crtools.errors import NotCertified
from crtools.numeric_types import JsonObject, SymExpr, SymPoly
from crtools.ratios.limits import limit_at_end
from crtools.signs.ranges import Interval
from crtools.signs.zeros import LOST, Zero, integers_near_zeros, zeros

NARROW = 1e-11
"""Above this relative width both ends are printed."""

LONGEST = 60
"""Longer exact values are printed as decimals."""

SAMPLES = 200

DIGITS = (20, 60, 200)
"""A sample and a limit are compared in this number of digits, until they are separated."""


Location: TypeAlias = "Enclosure | SymExpr | tuple[tuple[str, SymExpr, bool], ...] | None"
"""Where a supremum is attained or approached."""


@dataclass(frozen=True)
class Supremum:
    """sup of the ratio over the range of its parameter, or of several together (``parameter``: their names).

    ``bounds``: lower and upper, None if it is infinite. ``value``: an exact expression if there is one (``oo`` if infinite), else None.
    ``at``: an ``Enclosure`` of an interior point, an exact number or ±oo, or None for a constant ratio; for several parameters triples
    (name, exact number or oo, whether it is reached or a limit), a point near the largest computed value. ``others``: further points
    where the ratio is as large within the accuracy reached. ``attained``: whether parameters in the range attain it (None: not
    decided). With status ``supported`` the bounds enclose one value or limit, which bounds the supremum from below only.
    """

    parameter: str
    bounds: Enclosure | None
    value: SymExpr | None
    at: Location
    attained: bool | None
    status: str
    method: str
    uses: tuple[str, ...] = ()
    others: tuple[Location, ...] = ()

    @property
    def enclosure(self) -> Enclosure:
        """The bounds; raises ``NotCertified`` where the supremum is infinite."""
        if self.bounds is None:
            raise NotCertified(f"the ratio is unbounded, {self.place}")
        return self.bounds

    @property
    def value_text(self) -> str:
        """The value in print; a supremum that is only ``supported`` is at least it."""
        if self.bounds is None:
            return "∞"
        if self.status != "supported":
            digits = f"{self.enclosure.middle:.12g}" if isinstance(self.at, tuple) else repr(self.enclosure.middle)
            if self.enclosure.relative_width() > NARROW:
                digits = "between {} and {}".format(*self.enclosure.decimals(5))
            return digits if self.value is None or len(str(self.value)) > LONGEST else str(self.value)
        return f"at least {self.bounds.decimals(12)[0] if self.value is None else self.value}"

    @property
    def place(self) -> str:
        """Where the supremum is, in words."""
        if self.at is None:
            return f"at every {self.parameter}"
        if isinstance(self.at, tuple):
            return "near " + ", ".join(f"{name} {_near(value, reached)}" for name, value, reached in self.at)
        return " or ".join(map(self._location_text, (self.at, *self.others)))

    def _location_text(self, at: Any) -> str:
        if self.attained is False:
            return f"{self.parameter} → {end_text(at)} (not attained)"
        if isinstance(at, Enclosure):
            return f"{self.parameter} in [{', '.join(at.decimals(8))}]"
        if self.status == "supported" and self.attained is None:
            return f"{self.parameter} ≈ {float(at):.8g}"
        return f"{self.parameter} = {at}"

    def _at(self, at: Any) -> str | dict[str, str] | None:
        if at is None:
            return None
        if isinstance(at, tuple):
            return {name: str(value) for name, value, _ in at}
        if isinstance(at, Enclosure):
            return repr(at.middle)
        return repr(float(at)) if self.status == "supported" and self.attained is None else str(at)

    def as_json(self) -> JsonObject:
        """Return JSON data: decimal strings rounded outward, and the place; ``places`` has it and all others."""
        low, high = (None, None) if self.bounds is None or self.status == "supported" else self.bounds.decimals(15)
        interval = list(self.at.decimals(10)) if isinstance(self.at, Enclosure) else None
        return {
            "value": str(self.value) if self.value is not None else repr(self.enclosure.middle),
            "lower": low,
            "upper": high,
            "at": self._at(self.at),
            "at_interval": interval,
            "places": [self._at(at) for at in (self.at, *self.others)],
            "attained": self.attained,
            "status": self.status,
            "method": self.method,
            "uses": list(self.uses),
        }


def _near(value: SymExpr, reached: bool) -> str:
    """Return a coordinate of a place in print: an end as a limit, a short number exactly, others to eight digits."""
    if value is sp.oo or not reached:
        return f"→ {end_text(value)}"
    return f"= {value}" if len(str(value)) < 8 else f"≈ {float(value):.8g}"


def end_text(end: SymExpr) -> str:
    """Return an end of a range in print."""
    return "∞" if end is sp.oo else "−∞" if end == -sp.oo else str(end)


# ---- without a certificate -----------------------------------------------------------------------------------------


def sampled_supremum(
    value: Callable[[Fraction, int], Enclosure], interval: Interval, limits: Mapping[int, SymExpr]
) -> Supremum:
    """Return the largest of samples and of the limits at the ends (0 or 1 ↦ limit), as ``supported``.

    ``value(at, digits)`` encloses the ratio. The supremum is at least the lower end of the bounds, which is certified;
    nothing bounds it from above. A closed end attains its limit, an open one does not; at an interior sample ``attained``
    is not decided.
    """
    for end, limit in limits.items():
        if limit is sp.oo:
            return Supremum(interval.name, None, sp.oo, interval.ends[end], False, "certified", "the limit at the end")
    shares = [Fraction(k, SAMPLES) for k in range(1, SAMPLES)]
    shares += [part for k in range(8, 25, 2) for part in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))]
    value_at_share = cache(lambda share: value(interval.at(share), 15).middle)
    best, step = max(shares, key=value_at_share), Fraction(1, 4 * SAMPLES)
    while step > Fraction(1, 2**34):
        before = best
        best = max((share for share in (best, best - step, best + step) if 0 < share < 1), key=value_at_share)
        step = step / 2 if best == before else step
    at_ends = "and the limits at the ends" if len(limits) == 2 else "without the limit at an end, which is not known"
    method = f"largest of {len(shares)} samples, refined, {at_ends}"
    for digits in DIGITS:
        sample = value(interval.at(best), digits)
        enclosed_limits = {end: enclose(limit, {}, digits) for end, limit in limits.items()}
        end = max(enclosed_limits, key=lambda e: (enclosed_limits[e].lower, interval.closed[e]), default=None)
        if end is None or enclosed_limits[end].upper < sample.lower:
            return Supremum(interval.name, sample, None, interval.place(best), None, "supported", method)
        if enclosed_limits[end].lower > sample.upper or digits == DIGITS[-1]:
            at_end = enclosed_limits[end], limits[end], interval.ends[end], interval.closed[end]
            return Supremum(interval.name, *at_end, "supported", method)
    raise AssertionError("the last number of digits decides")


MOST_LISTED = 10**4
"""Upper limit on the integer values of a parameter that are evaluated one by one."""

MOST_WITH_PARTS = 300
"""The same limit where the ratio has harmonic numbers, whose exact values are long."""

BITS = 400
"""Bits of the balls of values."""


def quotient_supremum(ratio: Quotient, interval: Interval) -> Supremum:
    """Return the supremum on the range of the one parameter, whose ends are rational or infinite.

    It is at a zero of the derivative, or at an end; proved where the coefficients are rational, and certified where they have
    logarithms of numbers. Raises ``NotCertified`` for logarithms in the parameter, a pole inside, or values that are not separated.
    """
    if any(part.free_symbols for part in ratio.parts.values()):
        raise NotCertified("the weights are not power series in one base y, 0 < y < 1")
    [x] = ratio.parameters
    status = "certified" if ratio.parts else "proved"
    if zeros(ratio.denominator, x, interval, ratio.parts):
        raise NotCertified("the ratio has a pole inside the parameter's range")
    limits = {end: limit_at_end(ratio, interval, end) for end in (0, 1)}
    if sp.oo in limits.values():
        at = interval.ends[0 if limits[0] is sp.oo else 1]
        return Supremum(interval.name, None, sp.oo, at, False, status, "the limits at the ends")
    rate = _derivative(ratio)
    if rate.is_zero:
        value = enclose(limits[0], {}, 30)
        return Supremum(interval.name, value, limits[0], None, True, status, "the ratio is constant")
    at_ends = {end: _point(limit) if limit.is_Rational else enclose(limit, {}, 30) for end, limit in limits.items()}
    end = max((0, 1), key=lambda e: (at_ends[e].lower, interval.closed[e]))
    top, highest = at_ends[end], max(limit.upper for limit in at_ends.values())
    tied = at_ends[1 - end].upper > top.lower and limits[0] != limits[1]  # the ends are not separated
    inner = [(_value(ratio, zero), zero.place) for zero in zeros(rate, x, interval, ratio.parts)]
    lower_bound = max([top.lower, *(value.lower for value, _ in inner)])
    over = [(value, place) for value, place in inner if value.upper >= lower_bound]
    evidence = status, "the derivative's roots isolated by Descartes' rule of signs", ("Descartes",)
    if not over:
        if tied:
            raise NotCertified("the limits at the two ends are too close to be separated")
        other = (interval.ends[1 - end],) if limits[0] == limits[1] and all(interval.closed) else ()
        return Supremum(interval.name, top, limits[end], interval.ends[end], interval.closed[end], *evidence, other)
    over.sort(key=lambda one: one[0].lower, reverse=True)
    bounds = Enclosure(lower_bound, max(value.upper for value, _ in over))
    closed = [interval.ends[e] for e in (0, 1) if interval.closed[e] and at_ends[e].upper >= lower_bound]
    place, *others = (*(sp.Rational(at.upper) if at.width == 0 else at for _, at in over), *closed)
    if bounds.width == 0 and not isinstance(place, Enclosure):
        return Supremum(interval.name, bounds, sp.Rational(bounds.upper), place, True, *evidence, tuple(others))
    # if an end may be as large, the supremum is known to be attained only for a larger interior value or a closed end
    attained = True if lower_bound > highest or (interval.closed[end] and not tied) else None
    bounds = Enclosure(lower_bound, max(bounds.upper, highest))
    return Supremum(interval.name, bounds, None, place, attained, *evidence, tuple(others))


def _derivative(ratio: Quotient) -> SymPoly:
    """Return N'D − ND', as a polynomial in the parameter and the parts."""
    [x] = ratio.parameters
    p, q = (sp.Poly(part.as_expr(), x, *ratio.parts, domain="QQ") for part in (ratio.numerator, ratio.denominator))
    return cast(SymPoly, p.diff(x) * q - p * q.diff(x))


def _value(ratio: Quotient, zero: Zero) -> Enclosure:
    """Return the ratio at a place, exact where both are rational."""
    [x], (a, b) = ratio.parameters, (zero.place.lower, zero.place.upper)
    p, q = (sp.Poly(part.as_expr(), x) for part in (ratio.numerator, ratio.denominator))
    if a == b and not ratio.parts:
        return _point(p.eval(sp.Rational(a)) / q.eval(sp.Rational(a)))
    with precision(BITS + LOST * max(int(p.degree()), int(q.degree()))):
        values = {symbol: ball_value(part, {}) for symbol, part in ratio.parts.items()}
        above, below = ([ball_value(c, values) for c in reversed(poly.all_coeffs())] for poly in (p, q))
        return Enclosure(*ends(polynomial_on(above, a, b) / polynomial_on(below, a, b)))


def integer_supremum(ratio: Quotient, interval: Interval) -> Supremum:
    """Return the largest value at the integers of a range; the ratio may have harmonic numbers where they are listed.

    Where there is no last one, the ratio is monotone between zeros of its derivative, so the integers next to them and the
    limit suffice. Raises ``NotCertified`` for many integers, a pole or logarithms.
    """
    [x], (low, high) = ratio.parameters, interval.integers
    if high is None:
        if zeros(ratio.denominator, x, interval):
            raise NotCertified("the ratio has a pole inside the parameter's range")
        rate = _derivative(ratio)
        lengths, limit = integers_near_zeros([rate], x, interval), limit_at_end(ratio, interval, 1)
        method = "the integers beside the derivative's roots, isolated by Descartes' rule of signs, and the limit"
        if rate.is_zero:
            return Supremum(x.name, _point(limit), limit, None, True, "proved", "the ratio is constant")
    else:
        lengths, limit, method = range(low, high + 1), -sp.oo, "exact values at every length"
        largest_count = MOST_WITH_PARTS if ratio.parts else MOST_LISTED
        harmonic = all(isinstance(part, sp.harmonic) for part in ratio.parts.values())
        if not (harmonic and 0 < len(lengths) <= largest_count):
            raise NotCertified("the lengths are too many to be listed")
    p, q = (sp.Poly(part.as_expr(), *ratio.parts, x) for part in (ratio.numerator, ratio.denominator))
    values: dict[int, Any] = {}
    for n in lengths:
        point = (*(part.xreplace({x: sp.Integer(n)}) for part in ratio.parts.values()), n)
        values[n] = p(*point) / q(*point)
    best = max(values, key=lambda n: values[n])
    others = tuple(sp.Integer(n) for n in values if n != best and values[n] == values[best])
    uses = ("Descartes",) if high is None else ()
    if limit > values[best]:
        bounds = None if limit is sp.oo else _point(limit)
        return Supremum(x.name, bounds, limit, sp.oo, False, "proved", method, uses)
    return Supremum(x.name, _point(values[best]), values[best], sp.Integer(best), True, "proved", method, uses, others)


def _point(value: SymExpr) -> Enclosure:
    return Enclosure(fraction(value), fraction(value))

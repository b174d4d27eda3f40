"""The supremum of a ratio N/D of polynomials over a box of several parameters, certified by branch and bound.

On the unit box N and D are written in Bernstein's basis, whose polynomials are ≥ 0 and sum to 1: where D's coefficients are
≥ 0, N_k ≤ c D_k for every k shows N ≤ c D on all of the box, and the coefficients at its corners are values. The arithmetic is
exact, in rational numbers. At a corner where N and D vanish together the ratio has no limit; there the box is blown up: for each
x among the parameters x, y, … that are 0 there, substitute y = x y' with 0 ≤ y' ≤ 1, and cancel a power of x.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from math import comb, prod
from typing import Any

import numpy as np
import sympy as sp
from flint import fmpq_mpoly_ctx

from crtools.closed_form.quotient import Quotient
from crtools.enclosure import Enclosure, fraction, rational
from crtools.errors import NotCertified
from crtools.numeric_types import ObjectArray, Rational, RationalPolys, RingElement, SymPoly
from crtools.ratios.supremum import Supremum
from crtools.signs.ranges import Interval

TOLERANCE = Fraction(1, 10**12)
"""The relative width at which the search ends."""

WIDEST = Fraction(1, 100)
"""The largest relative width of a result."""

MOST_WORK = 6 * 10**5
"""Upper limit on arithmetic operations, some seconds."""

EACH = 100
"""The cost of a box in arithmetic operations, without those for its coefficients."""

NEAR = Fraction(1, 16)
"""Boxes that are blown up have at most this part of the unit interval on every axis."""

MOST_BLOWN_UP = 6
"""Upper limit on nested blow-ups of a corner."""

METHOD = "branch and bound on boxes, by exact coefficients in Bernstein's basis"


@dataclass(frozen=True, eq=False)
class Box:
    """N and D on a box, as polynomials in its local coordinates, and the ``point`` of the unit box as such polynomials too.

    ``shape``: how many of Bernstein's coefficients there are along each axis. ``parts``: the part (a, b) of each axis, in the
    coordinates of the last blow-up; ``bent``: the axes that are multiples of another since then. ``dense``: whether points at
    infinity are limits of points whose lengths and s are integers.
    """

    top: RationalPolys
    bottom: RationalPolys
    point: tuple[RationalPolys, ...]
    shape: tuple[int, ...]
    parts: tuple[tuple[Rational, Rational], ...]
    blown: int = 0
    bent: frozenset[int] = frozenset()
    centre: frozenset[int] = frozenset()
    dense: bool = True

    @cached_property
    def coefficients(self) -> tuple[ObjectArray, ObjectArray]:
        """N and D in Bernstein's basis."""
        top, bottom = (_in_bernstein_basis(poly, self.shape) for poly in (self.top, self.bottom))
        return top, bottom

    def bound(self) -> Rational | None:
        """Return the least c that the coefficients show to bound N/D here, None where they show none."""
        top, bottom = (array.ravel() for array in self.coefficients)
        if any(d < 0 or (d == 0 and n > 0) for n, d in zip(top, bottom, strict=True)):
            return None
        return max((n / d for n, d in zip(top, bottom, strict=True) if d > 0), default=None)

    def corners(self) -> Iterator[tuple[tuple[int, ...], Rational, Rational]]:
        """Iterate over the corners, (0 or 1 on each axis), with N and D there."""
        top, bottom = self.coefficients
        for sides in itertools.product(*(((0, 1) if n > 1 else (0,)) for n in self.shape)):
            index = tuple(-side for side in sides)
            yield sides, top[index], bottom[index]

    def unit_point(self, corner: tuple[int, ...]) -> list[Rational]:
        """Return the point of the unit box at a corner."""
        return [coordinate(*map(rational, corner)) for coordinate in self.point]

    def _moved(self, coordinates: Mapping[int, RationalPolys], **changes: Any) -> Box:
        """Return the box with polynomials in new coordinates in place of some of the old ones."""
        ring = self.bottom.context()
        put = [coordinates.get(n, v) for n, v in enumerate(ring.gens())]
        top, bottom, *point = (poly.compose(*put, ctx=ring) for poly in (self.top, self.bottom, *self.point))
        return replace(self, top=top, bottom=bottom, point=tuple(point), **changes)

    def part(self, axis: int, a: Rational, b: Rational) -> Box:
        """Return the part between the local coordinates a and b of an axis; the axis vanishes where a = b."""
        low, high = self.parts[axis]
        interval = (low + (high - low) * a, low + (high - low) * b)
        return self._moved(
            {axis: a + (b - a) * self.bottom.context().gens()[axis]},
            parts=(*self.parts[:axis], interval, *self.parts[axis + 1 :]),
            shape=(*self.shape[:axis], 1, *self.shape[axis + 1 :]) if a == b else self.shape,
        )

    def steepest(self, level: Any) -> int:
        """Return the axis along which level · D − N changes most from one coefficient to the next."""
        top, bottom = self.coefficients
        gap = level * bottom - top
        changes = [max(map(abs, np.diff(gap, axis=n).ravel()), default=-1) for n in range(gap.ndim)]
        return changes.index(max(changes))

    def turned(self, corner: tuple[int, ...]) -> Box:
        """Return the box with a corner, (0 or 1 on each axis), at the origin."""
        box: Box = self
        for axis, side in enumerate(corner):
            if side:
                box = box.part(axis, rational(1), rational(0))
        return box

    def vanishing(self) -> tuple[int, ...]:
        """Return the fewest axes such that N and D vanish where these coordinates are 0."""
        monomials = [*self.top.monoms(), *self.bottom.monoms()]
        axes = [n for n, size in enumerate(self.shape) if size > 1]
        for number in range(1, len(axes) + 1):
            for chosen in itertools.combinations(axes, number):
                if all(any(powers[n] for n in chosen) for powers in monomials):
                    return chosen
        raise NotCertified("the ratio has no limit at a corner of the box")

    def blown_up(self, axes: tuple[int, ...], integers: frozenset[int]) -> list[Box]:
        """Return boxes that cover this one, with other coordinates near 0 on the ``axes``, where N = D = 0.

        ``integers``: the axes of integers. At a limit of their quotients other than 0 or ∞ their differences stay integers.
        """
        if self.blown == MOST_BLOWN_UP:
            raise NotCertified("the ratio has no limit at a corner of the box")
        dense = self.dense and not any(axis in integers & self.bent and self.parts[axis][0] for axis in axes)
        box = replace(self, blown=self.blown + 1, centre=self.centre | set(axes), dense=dense)
        return [box._chart(axis, [other for other in axes if other != axis]) for axis in axes]

    def _chart(self, axis: int, others: list[int]) -> Box:
        """Return the part where the coordinates ``others`` are at most that of ``axis``, as multiples of it."""
        coordinates = self.bottom.context().gens()
        whole = (rational(0), rational(1))
        box = self._moved(
            {n: coordinates[n] * coordinates[axis] for n in others},
            parts=tuple(whole if n in others else part for n, part in enumerate(self.parts)),
            bent=self.bent | set(others),
        )
        common = min(powers[axis] for poly in (box.top, box.bottom) for powers in poly.monoms())
        top, bottom = (poly // coordinates[axis] ** common for poly in (box.top, box.bottom))
        return replace(box, top=top, bottom=bottom, shape=_shape(top, bottom))


class Search:
    """Branch and bound of a ratio over the ranges of its parameters."""

    def __init__(self, ratio: Quotient, axes: Sequence[_Axis]) -> None:
        self.axes = axes
        self.largest: Any = None  # the largest value or limit seen, and where
        self.at: list[Rational] = []
        self.approached = set[int]()  # axes whose value there is a limit
        self.heap: list[tuple[float, int, Any, Box]] = []
        self.work = self.count = 0
        self._push(_unit_box(ratio, self.axes))

    def run(self) -> Any:
        """Search, and return an upper bound; None where the ratio is unbounded.

        Raises ``NotCertified`` where no bound is reached.
        """
        while self.heap and self.work < MOST_WORK and self.largest is not sp.oo:
            _, _, bound, box = self.heap[0]
            if None not in (bound, self.largest) and bound - self.largest <= abs(self.largest) * rational(TOLERANCE):
                break
            heapq.heappop(self.heap)
            for part in self._parts(box):
                self._push(part)
        if self.largest is sp.oo:
            return None
        bounds = [bound for _, _, bound, _ in self.heap]
        if self.largest is None or None in bounds:
            raise NotCertified("branch and bound found no upper bound in its time")
        upper = max([self.largest, *bounds])
        if upper - self.largest > abs(self.largest) * rational(WIDEST):
            reached = f"{float(fraction(self.largest)):.6g} and {float(fraction(upper)):.6g}"
            raise NotCertified(f"branch and bound came to between {reached} only")
        return upper

    def _push(self, box: Box) -> None:
        self.count += 1
        self.work += EACH + prod(box.shape) * (1 + max(box.shape))
        self._look(box)
        bound = box.bound()
        if self.largest is sp.oo or (bound is not None and self.largest is not None and bound <= self.largest):
            return
        key = float("inf") if bound is None else float(fraction(bound))
        heapq.heappush(self.heap, (-key, self.count, bound, box))

    def _look(self, box: Box) -> None:
        """Take the values and limits at the corners of a box."""
        for sides, top, bottom in box.corners():
            value = top / bottom if bottom > 0 else sp.oo if bottom == 0 and top > 0 else None
            if value is None or (self.largest is not None and value is not sp.oo and value <= self.largest):
                continue
            at = box.unit_point(sides)
            integers = [x for x, axis in zip(self.values(at), self.axes, strict=True) if axis.integer]
            if all(box.dense if x is sp.oo else x.q == 1 for x in integers):  # ones, or from ∞
                self.largest, self.at, self.approached = value, at, {n for n in box.centre if at[n] in (0, 1)}
                if value is sp.oo:
                    return

    def values(self, unit: Sequence[Any]) -> list[Any]:
        """Return the parameters' values at a point of the unit box, ∞ among them."""
        values: list[Any] = []
        for v, axis in zip(unit, self.axes, strict=True):
            value = axis.value(v)
            if axis.base is not None:
                value = sp.oo if sp.oo in (value, values[axis.base]) else value + values[axis.base]
            values.append(value)
        return values

    def attained(self) -> bool | None:
        """Return whether a point of the ranges is shown to attain the supremum."""
        points = [self.at, *(box.unit_point(sides) for *_, box in self.heap for sides, _, _ in box.corners())]
        coordinates = (pair for unit in points for pair in zip(unit, self.axes, strict=True))
        return None if any(v == end and not axis.closed[end] for v, axis in coordinates for end in (0, 1)) else True

    def _parts(self, box: Box) -> list[Box]:
        corner = next((sides for sides, top, bottom in box.corners() if top == 0 and bottom == 0), None)
        if corner is None:
            axis = box.steepest(rational(1) if self.largest is None else self.largest)
        else:
            turned = box.turned(corner)
            centre = turned.vanishing()
            integers = frozenset(n for n, axis_range in enumerate(self.axes) if axis_range.integer)
            wide = [n for n in centre if not integers.isdisjoint(centre) and self._halved_first(turned, n)]
            if not wide:
                return turned.blown_up(centre, integers)
            axis = wide[0]
        if axis in box.bent or not self.axes[axis].integer:
            half = rational(Fraction(1, 2))
            return [box.part(axis, rational(0), half), box.part(axis, half, rational(1))]
        a, b = box.parts[axis]
        halves = self.axes[axis].halves(*sorted((a, b)))
        return [box.part(axis, *sorted((v - a) / (b - a) for v in interval)) for interval in halves]

    def _halved_first(self, box: Box, axis: int) -> bool:
        """Return whether a box is halved along an axis before it is blown up at 0: integers are separated only before."""
        (a, b), axis_range = box.parts[axis], self.axes[axis]
        if axis in box.bent:
            return False
        return abs(b - a) > rational(NEAR) or (axis_range.integer and axis_range.value(a) is not sp.oo)


@dataclass(frozen=True)
class _Axis:
    """A parameter's values low + v/(1−v), or low + (high−low) v where there is a largest one, 0 ≤ v ≤ 1.

    ``base``: an axis whose value is added. ``closed``: whether each end belongs to the range.
    """

    low: Any
    high: Any
    integer: bool
    base: int | None
    closed: tuple[bool, bool]

    def quotient(self, v: RingElement) -> tuple[RingElement, RingElement]:
        """Return numerator and denominator of the value at v, without that of the base."""
        if self.high is None:
            return self.low * (1 - v) + v, 1 - v
        return self.low + (self.high - self.low) * v, 1 + 0 * v

    def value(self, v: Any) -> Any:
        """Return the value at v, without that of the base."""
        above, below = self.quotient(v)
        return sp.oo if below == 0 else above / below

    def halves(self, a: Any, b: Any) -> list[tuple[Any, Any]]:
        """Split the part [a, b] between two integers, for ends a < b at integers or ∞."""
        first, last = self.value(a), self.value(b)
        middle = 2 * first - self.low + 1 if last is sp.oo else (first + last) / 2
        split_at = rational(int(middle.p // middle.q))
        return [(a, self._share(split_at)), (self._share(split_at + 1), b)]

    def _share(self, x: Any) -> Any:
        y = x - self.low
        return y / (1 + y) if self.high is None else y / (self.high - self.low)


def box_supremum(ratio: Quotient, ranges: Mapping[str, Interval]) -> Supremum:
    """Return the supremum of a rational ratio over the ranges of its parameters, all together.

    Raises ``NotCertified`` where an end of a range is irrational, or no narrow enclosure is reached.
    """
    search = Search(ratio, _axes(ratio, ranges))
    upper = search.run()
    names = [x.name for x in ratio.parameters]
    values = (x if x is sp.oo else sp.Rational(fraction(x)) for x in search.values(search.at))
    attained = (n not in search.approached for n in range(len(names)))
    name, point = ", ".join(names), tuple(zip(names, values, attained, strict=True))
    if upper is None:
        return Supremum(name, None, sp.oo, point, False, "certified", METHOD)
    largest = fraction(search.largest)
    exact = sp.Rational(largest) if upper == search.largest else None
    bounds = Enclosure(largest, fraction(upper))
    return Supremum(name, bounds, exact, point, search.attained(), "certified", METHOD)


def _axes(ratio: Quotient, ranges: Mapping[str, Interval]) -> list[_Axis]:
    """Return the axes of the unit box; an end that is another parameter makes that one the base."""
    names = [x.name for x in ratio.parameters]
    axes: list[_Axis] = []
    for interval in (ranges[name] for name in names):
        low, high, base = interval.low, interval.high, None
        if low.free_symbols:
            base, low = names.index(str(low)), sp.S.Zero
            if base >= names.index(interval.name):
                raise NotCertified("the ranges depend on each other")
        if high.free_symbols:  # the other parameter has this one as its base
            high = sp.oo
        if not low.is_Rational or not (high.is_Rational or high is sp.oo):
            raise NotCertified(f"the range {interval} has an irrational or infinite end")
        if interval.integer:
            low, high = low + int(not interval.low_in), high - int(not interval.high_in)
        end = None if high is sp.oo else rational(fraction(high))
        closed = (interval.integer or interval.low_in, high is not sp.oo and (interval.integer or interval.high_in))
        axes.append(_Axis(rational(fraction(low)), end, interval.integer, base, closed))
    return axes


def _unit_box(ratio: Quotient, axes: Sequence[_Axis]) -> Box:
    """Return N and D on the unit box, D > 0 at its centre."""
    pairs = zip(ratio.parameters, axes, strict=True)
    put: dict[Any, Any] = {x: x + ratio.parameters[axis.base] for x, axis in pairs if axis.base is not None}
    parts = (part.as_expr().subs(put) for part in (ratio.numerator, ratio.denominator))
    polys = [sp.Poly(part, *ratio.parameters, domain="QQ") for part in parts]
    degrees = [max(pair) for pair in zip(*(poly.degree_list() for poly in polys), strict=True)]
    ring = fmpq_mpoly_ctx.get(("v", len(axes)))
    quotients = [axis.quotient(v) for axis, v in zip(axes, ring.gens(), strict=True)]

    def onto(poly: SymPoly) -> RationalPolys:
        """Return a polynomial in the parameters on the unit box, times the denominators."""
        total = ring.constant(0)
        for powers, c in poly.terms():
            triples = zip(quotients, powers, degrees, strict=True)
            total += rational(fraction(c)) * prod(above**k * below ** (d - k) for (above, below), k, d in triples)
        return total

    top, bottom = map(onto, polys)
    sign = 1 if bottom(*[rational(Fraction(1, 2))] * len(axes)) > 0 else -1
    whole = (rational(0), rational(1))
    return Box(sign * top, sign * bottom, ring.gens(), _shape(top, bottom), tuple(whole for _ in axes))


# ---- Bernstein's basis -----------------------------------------------------------------------------------------------


def _shape(top: RationalPolys, bottom: RationalPolys) -> tuple[int, ...]:
    """Return the number of coefficients along each axis, for the larger of both degrees."""
    return tuple(1 + max(pair) for pair in zip(top.degrees(), bottom.degrees(), strict=True))


def _in_bernstein_basis(poly: RationalPolys, shape: tuple[int, ...]) -> ObjectArray:
    array = np.full(shape, rational(0), dtype=object)
    for powers, c in poly.terms():
        array[powers] = c
    for axis, size in enumerate(shape):
        array = np.moveaxis(np.tensordot(_from_powers(size - 1), array, axes=([1], [axis])), 0, axis)
    return array


@cache
def _from_powers(degree: int) -> ObjectArray:
    """x^k = Σ_{j≥k} C(j,k)/C(d,k) · (the j-th of Bernstein's polynomials of degree d)."""
    numbers = range(degree + 1)
    return np.array([[rational(Fraction(comb(j, k), comb(degree, k))) for k in numbers] for j in numbers], dtype=object)

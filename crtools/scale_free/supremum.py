"""The supremum of a symbol over all real ξ, by balls on [0, reach] and the symbol's own bound beyond."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from crtools.enclosure import Enclosure, ball, ends, hull
from crtools.errors import NotCertified
from crtools.scale_free.kernel import Symbol, at, jet

MOST_BOXES = 20_000

FURTHEST = Fraction(10_000)


@dataclass(frozen=True)
class Cover:
    """``boxes`` intervals of [0, ``reach``] on each of which a symbol was bounded; beyond reach its own bound did it."""

    boxes: int
    reach: Fraction


def at_most(symbol: Symbol, bound: Any, start: Fraction = Fraction(0)) -> Cover:
    """Return the boxes that prove m(ξ) < bound for every ξ ≥ start.

    Raises ``NotCertified`` where the symbol is seen above the bound, or the boxes do not show that it is below.
    """
    reach = _reach(symbol, bound, start)

    def below(low: Fraction, high: Fraction) -> bool:
        middle = (low + high) / 2
        if at(symbol, ball(middle)) >= bound:
            raise NotCertified(f"the symbol is above the bound at ξ = {float(middle):.6g}")
        return _upper(symbol, low, high) < bound

    return Cover(_boxes(below, start, reach), reach)


def peak_at_zero(symbol: Symbol, near: Fraction = Fraction(1, 16)) -> Cover:
    """Return the boxes that prove m(ξ) < m(0) for every ξ > 0.

    m is even, so on [0, near] it is enough that its second derivative is negative; beyond, :func:`at_most`.
    Raises ``NotCertified`` where that is not so, or not reached.
    """

    def falls(low: Fraction, high: Fraction) -> bool:
        if jet(symbol, ball((low + high) / 2))[2] >= 0:
            raise NotCertified("the symbol does not fall from ξ = 0 on")
        return _jet_on(symbol, low, high)[2] < 0

    cover = at_most(symbol, at(symbol, ball(0)).lower(), near)
    return Cover(cover.boxes + _boxes(falls, Fraction(0), near), cover.reach)


def supremum(symbol: Symbol, tolerance: Fraction = Fraction(1, 10**6)) -> Enclosure:
    """Return an enclosure of sup m(ξ): of m(0) where it is seen to be there, else of a width ≤ ``tolerance``."""
    try:
        cover, found = peak_at_zero(symbol), Enclosure.from_ball(at(symbol, ball(0)))
        low, high, where = found.lower, found.upper, "; it is at ξ = 0"
    except NotCertified:
        low = max(ends(at(symbol, ball(Fraction(n, 256))))[0] for n in range(256 * 16))
        high, where = low + tolerance, ""
        cover = at_most(symbol, ball(high))
    return Enclosure(low, high, f"balls on {cover.boxes} intervals of ξ, and a bound beyond{where}")


def _reach(symbol: Symbol, bound: Any, start: Fraction) -> Fraction:
    """Return the ξ from which on the symbol's own bound is below ``bound``."""
    if symbol.period is not None:
        return max(start, ends(symbol.period)[1])
    reach = max(start, Fraction(1))
    while not symbol.beyond(ball(reach)) < bound:
        reach = reach * 9 / 8
        if reach > FURTHEST:
            raise NotCertified("the symbol's bound for large ξ does not fall below the bound")
    return reach


def _boxes(holds: Callable[[Fraction, Fraction], bool], low: Fraction, high: Fraction) -> int:
    """Return into how many intervals [low, high] was cut until ``holds`` on each."""
    left, boxes = [(low, high)], 0
    while left:
        low, high = left.pop()
        if holds(low, high):
            boxes += 1
            continue
        middle = (low + high) / 2
        left += [(middle, high), (low, middle)]
        if boxes + len(left) > MOST_BOXES:
            raise NotCertified(f"{MOST_BOXES} intervals of ξ are not enough")
    return boxes


def _upper(symbol: Symbol, low: Fraction, high: Fraction) -> Any:
    """Return a ball above which m is nowhere on [low, high]: Taylor's formula at the middle, of second order."""
    radius = ball((high - low) / 2)
    value, slope, _ = jet(symbol, ball((low + high) / 2))
    return value + abs(slope) * radius + abs(_jet_on(symbol, low, high)[2]) * radius**2


def _jet_on(symbol: Symbol, low: Fraction, high: Fraction) -> tuple[Any, Any, Any]:
    try:
        return jet(symbol, hull(low, high))
    except ValueError:  # a denominator's ball holds 0
        return ball("nan"), ball("nan"), ball("nan")

"""The supremum of a symbol over all real ξ, by balls on [0, reach] and the symbol's ``beyond`` bound for larger ξ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from crtools.enclosure import Enclosure, ball, ends, hull
from crtools.errors import NotCertified
from crtools.numeric_types import Ball
from crtools.scale_free.kernel import Symbol, at, jet

MOST_BOXES = 20_000

LARGEST_REACH = Fraction(10_000)


@dataclass(frozen=True)
class Cover:
    """Size of a proof: ``boxes`` intervals that cover [0, ``reach``], a bound on each, and the ``beyond`` bound for larger ξ."""

    boxes: int
    reach: Fraction


def at_most(symbol: Symbol, bound: Ball, start: Fraction = Fraction(0)) -> Cover:
    """Return the cover that proves m(ξ) < bound for every ξ ≥ start.

    Raises ``NotCertified`` if the symbol exceeds the bound somewhere, or if the boxes do not prove the bound.
    """
    reach = _reach(symbol, bound, start)

    def below(low: Fraction, high: Fraction) -> bool:
        middle = (low + high) / 2
        if at(symbol, ball(middle)) >= bound:
            raise NotCertified(f"the symbol is above the bound at ξ = {float(middle):.6g}")
        return _upper(symbol, low, high) < bound

    return Cover(_boxes(below, start, reach), reach)


def peak_at_zero(symbol: Symbol, near: Fraction = Fraction(1, 16)) -> Cover:
    """Return the cover that proves m(ξ) < m(0) for every ξ > 0.

    m is even, so on [0, near] a negative second derivative suffices; beyond, :func:`at_most`. Raises ``NotCertified`` otherwise.
    """

    def falls(low: Fraction, high: Fraction) -> bool:
        if jet(symbol, ball((low + high) / 2))[2] >= 0:
            raise NotCertified("the symbol does not fall from ξ = 0 on")
        return _jet_on(symbol, low, high)[2] < 0

    cover = at_most(symbol, at(symbol, ball(0)).lower(), near)
    return Cover(cover.boxes + _boxes(falls, Fraction(0), near), cover.reach)


def supremum(symbol: Symbol, tolerance: Fraction = Fraction(1, 10**6)) -> Enclosure:
    """Return an enclosure of sup m(ξ): of m(0) if it is proved to be the supremum, else of width ≤ ``tolerance``."""
    try:
        cover, (low, high), where = peak_at_zero(symbol), ends(at(symbol, ball(0))), "; it is at ξ = 0"
    except NotCertified:
        low = max(ends(at(symbol, ball(Fraction(n, 256))))[0] for n in range(256 * 16))
        high, where = low + tolerance, ""
        cover = at_most(symbol, ball(high))
    return Enclosure(low, high, f"balls on {cover.boxes} intervals of ξ, and a bound beyond{where}")


def _reach(symbol: Symbol, bound: Ball, start: Fraction) -> Fraction:
    """Return a ξ beyond which the symbol's ``beyond`` bound is below ``bound``."""
    if symbol.period is not None:
        return max(start, ends(symbol.period)[1])
    reach = max(start, Fraction(1))
    while not symbol.beyond(ball(reach)) < bound:
        reach = reach * 9 / 8
        if reach > LARGEST_REACH:
            raise NotCertified("the symbol's bound for large ξ does not fall below the bound")
    return reach


def _boxes(holds: Callable[[Fraction, Fraction], bool], low: Fraction, high: Fraction) -> int:
    """Bisect [low, high] until each interval ``holds``, and return their number."""
    pending, boxes = [(low, high)], 0
    while pending:
        low, high = pending.pop()
        if holds(low, high):
            boxes += 1
            continue
        middle = (low + high) / 2
        pending += [(middle, high), (low, middle)]
        if boxes + len(pending) > MOST_BOXES:
            raise NotCertified(f"{MOST_BOXES} intervals of ξ are not enough")
    return boxes


def _upper(symbol: Symbol, low: Fraction, high: Fraction) -> Ball:
    """Return an upper bound on m over [low, high]: Taylor's formula of second order at the middle."""
    radius = ball((high - low) / 2)
    value, slope, _ = jet(symbol, ball((low + high) / 2))
    return value + abs(slope) * radius + abs(_jet_on(symbol, low, high)[2]) * radius**2


def _jet_on(symbol: Symbol, low: Fraction, high: Fraction) -> tuple[Ball, Ball, Ball]:
    try:
        return jet(symbol, hull(low, high))
    except ValueError:  # a denominator's ball contains 0
        nan = ball("nan")
        return nan, nan, nan

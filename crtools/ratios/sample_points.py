"""Points at which a closed form is compared with direct sums: rational values of a law's parameters, inside their ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.distributions import Distribution, Mixture, Pmf, TwoPoint, distribution
from crtools.distributions.families import SymbolicUniform
from crtools.errors import InputError
from crtools.signs.ranges import Interval

PLACES = tuple(Fraction(a, b) for a, b in ((1, 3), (4, 5), (3, 5), (2, 7), (1, 2), (5, 9), (3, 4), (1, 5), (2, 3)))
"""Where parameters in (0, 1) are put for the comparison; neighbours differ, so no two parameters are equal."""


SIZES = (2, 0, 7)
"""Prompt sizes for the comparison where s is a symbol."""


def sample_points(
    law: Distribution, own: Mapping[str, Interval], number: int
) -> list[tuple[dict[str, Fraction], Distribution]]:
    """Return points at which all parameters have rational values inside their ranges, with the laws there.

    Where a range is assumed, points that give no law are left out.
    """
    found: list[tuple[dict[str, Fraction], Distribution]] = []
    shown = all(r.shown for r in own.values())
    for point in _candidates(law, own):
        try:
            found.append((point, _with_values(law, point)))
        except InputError:
            if shown:
                raise
        if len(found) == number:
            break
    if not found:
        raise InputError("distribution", law.spec(), "gives no law at any of the points tried")
    return found


def _candidates(law: Distribution, within: Mapping[str, Interval]) -> list[dict[str, Fraction]]:
    names = [p.name for p in law.parameters]
    if not names:
        return [{}]
    if isinstance(law, SymbolicUniform):
        pairs = [(1, 1), (2, 7), (4, 27)]
        if isinstance(law.l, int):
            pairs = [(law.l, law.l + k) for k in (0, 5, 23)]
        elif isinstance(law.u, int):
            pairs = [(l, law.u) for l in dict.fromkeys((1, (law.u + 1) // 2, law.u))]
        return [_symbols(zip((law.l, law.u), pair, strict=True)) for pair in pairs]
    if isinstance(law, TwoPoint):
        found: list[dict[str, Fraction]] = []
        for n, (l, u, share) in enumerate(((1, 2, Fraction(1, 2)), (3, 10, Fraction(5, 7)), (7, 40, Fraction(1, 9)))):
            l = 1 + n * (int(law.u) - 2) // 2 if isinstance(law.u, Fraction) else l
            u = u + int(law.l) if isinstance(law.l, Fraction) else u
            found.append(_symbols(zip((law.l, law.u, law.share), (l, u, share), strict=True)))
        return found
    if len(names) == 1:
        return [{name: within[name].at(share) for name in names} for share in PLACES]
    ways = [(k, step) for step in (2, -2, 1, 4) for k in range(len(PLACES))]
    shares = [{name: PLACES[(k + step * n) % len(PLACES)] for n, name in enumerate(names)} for k, step in ways]
    if not all(r.shown for r in within.values()):
        return shares
    return [{name: within[name].at(share) for name, share in point.items()} for point in shares]


def _symbols(pairs: Iterable[tuple[Any, Any]]) -> dict[str, Fraction]:
    """Return the values of what is a symbol, by name."""
    return {own.name: Fraction(value) for own, value in pairs if isinstance(own, sp.Symbol)}


def _with_values(law: Distribution, point: dict[str, Fraction]) -> Distribution:
    """Return the law with its symbols replaced."""
    if not point:
        return law
    if isinstance(law, SymbolicUniform):
        l, u = (point.get(str(end), end) for end in (law.l, law.u))
        return distribution(f"uniform(l={l}, u={u})")
    if isinstance(law, TwoPoint):
        put = [point.get(v.name, v) if isinstance(v, sp.Symbol) else v for v in (law.l, law.u, law.share)]
        return TwoPoint(*put)
    assert isinstance(law, Pmf | Mixture)
    return law.at(point)

"""A supremum without a certificate: at least the largest of sampled values and of the limits at the ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.ratios.supremum import Supremum
from crtools.signs.ranges import Interval

SAMPLES = 200

DIGITS = (20, 60, 200)
"""A sample and a limit are compared in so many digits, until they are told apart."""


def sampled_supremum(value: Callable[[Fraction, int], Enclosure], own: Interval, limits: Mapping[int, Any]) -> Supremum:
    """Return the largest of samples and of the limits at the ends (0 or 1 ↦ limit), as ``supported``.

    ``value(at, digits)`` encloses the ratio. The supremum is at least the lower end of the bounds, which is certified;
    nothing bounds it from above. A closed end attains its limit, an open one does not; at an interior sample ``attained``
    is not decided.
    """
    for end, limit in limits.items():
        if limit is sp.oo:
            return Supremum(own.name, None, sp.oo, own.ends[end], False, "certified", "the limit at the end")
    shares = [Fraction(k, SAMPLES) for k in range(1, SAMPLES)]
    shares += [part for k in range(8, 25, 2) for part in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))]
    seen = cache(lambda share: value(own.at(share), 15).middle)
    best, step = max(shares, key=seen), Fraction(1, 4 * SAMPLES)
    while step > Fraction(1, 2**34):
        before = best
        best = max((share for share in (best, best - step, best + step) if 0 < share < 1), key=seen)
        step = step / 2 if best == before else step
    known = "and the limits at the ends" if len(limits) == 2 else "without the limit at an end, which is not known"
    method = f"largest of {len(shares)} samples, refined, {known}"
    for digits in DIGITS:
        sample = value(own.at(best), digits)
        found = {end: enclose(limit, {}, digits) for end, limit in limits.items()}
        end = max(found, key=lambda e: (found[e].lower, own.closed[e]), default=None)
        if end is None or found[end].upper < sample.lower:
            return Supremum(own.name, sample, None, own.place(best), None, "supported", method)
        if found[end].lower > sample.upper or digits == DIGITS[-1]:
            return Supremum(own.name, found[end], limits[end], own.ends[end], own.closed[end], "supported", method)
    raise AssertionError("the last number of digits decides")

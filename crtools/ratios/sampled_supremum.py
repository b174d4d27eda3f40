"""A supremum without a certificate: at least the largest of sampled values and of the limits at the ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.ratios.ranges import Range
from crtools.ratios.supremum import Supremum

SAMPLES = 200

DIGITS = (20, 60, 200)
"""A sample and a limit are compared in so many digits, until they are told apart."""


def sampled_supremum(value: Callable[[Fraction, int], Enclosure], own: Range, limits: Mapping[int, Any]) -> Supremum:
    """Return the largest of samples and of the limits at the ends (0 or 1 ↦ limit), as ``supported``.

    ``value(at, digits)`` encloses the ratio. The supremum is at least the lower end of the bounds, which is certified;
    nothing bounds it from above. A closed end attains its limit, an open one does not; at an interior sample ``attained``
    is not decided.
    """
    shares = [Fraction(k, SAMPLES) for k in range(1, SAMPLES)]
    shares += [part for k in range(8, 25, 2) for part in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))]

    def seen(share: Fraction) -> float:
        return value(own.at(share), 15).middle

    best, top = max(((share, seen(share)) for share in shares), key=lambda pair: pair[1])
    step = Fraction(1, 4 * SAMPLES)
    while step > Fraction(1, 2**34):
        around = [share for share in (best - step, best + step) if 0 < share < 1]
        share, most = max(((share, seen(share)) for share in around), key=lambda pair: pair[1])
        if most > top:
            best, top = share, most
        else:
            step /= 2
    known = "and the limits at the ends" if len(limits) == 2 else "without the limit at an end, which is not known"
    method = f"largest of {len(shares)} samples, refined, {known}"
    closed = (own.low_in, own.high_in)
    for end in (0, 1):
        if limits.get(end) is sp.oo:
            return Supremum(own.name, None, sp.oo, own.ends[end], False, "certified", "the limit at the end")
    for digits in DIGITS:
        sample = value(own.at(best), digits)
        found = {end: enclose(limit, {}, digits) for end, limit in limits.items()}
        end = max(found, key=lambda e: (found[e].lower, closed[e]), default=None)
        if end is None or found[end].upper < sample.lower:
            return Supremum(own.name, sample, None, own.place(best), None, "supported", method)
        if found[end].lower > sample.upper or digits == DIGITS[-1]:
            return Supremum(own.name, found[end], limits[end], own.ends[end], closed[end], "supported", method)
    raise AssertionError("the last number of digits decides")

"""``Supremum``: the supremum of a ratio over its parameters, and in words where it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.errors import NotCertified
from crtools.numeric_types import JsonObject, SymExpr
from crtools.signs.ranges import Interval

NARROW = 1e-11
"""The relative width from which on both ends are shown."""

LONGEST = 60
"""Longer exact values are shown as decimals."""


SAMPLES = 200

DIGITS = (20, 60, 200)
"""A sample and a limit are compared in this number of digits, until they are separated."""


Place: TypeAlias = "Enclosure | SymExpr | tuple[tuple[str, SymExpr, bool], ...] | None"
"""Where a supremum is attained or approached."""


@dataclass(frozen=True)
class Supremum:
    """sup of the ratio over the range of its parameter, or of several together (``parameter``: their names).

    ``bounds``: lower and upper, None where it is infinite; ``value``: an exact expression where there is one (``oo``
    where it is infinite), else None; ``at``: the place, an ``Enclosure`` of an interior point, an exact number or ±oo,
    or None for a constant ratio; for several parameters triples (name, exact number or oo, whether it is reached or a
    limit), a point near which the largest value was seen; ``others``: further places, apart from it, where the ratio is as
    large within the accuracy reached; ``attained``: whether parameters in the range attain it (None:
    not decided). With status ``supported`` the bounds enclose one value or limit: the supremum is at least it, and nothing
    bounds it from above.
    """

    parameter: str
    bounds: Enclosure | None
    value: SymExpr | None
    at: Place
    attained: bool | None
    status: str
    method: str
    uses: tuple[str, ...] = ()
    others: tuple[Place, ...] = ()

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
        return " or ".join(map(self._place, (self.at, *self.others)))

    def _place(self, at: Any) -> str:
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
    """Return a coordinate of a place in print: an end as a limit, a short number as it is, others to eight digits."""
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
    limits_text = (
        "and the limits at the ends" if len(limits) == 2 else "without the limit at an end, which is not known"
    )
    method = f"largest of {len(shares)} samples, refined, {limits_text}"
    for digits in DIGITS:
        sample = value(interval.at(best), digits)
        enclosed_limits = {end: enclose(limit, {}, digits) for end, limit in limits.items()}
        end = max(enclosed_limits, key=lambda e: (enclosed_limits[e].lower, interval.closed[e]), default=None)
        if end is None or enclosed_limits[end].upper < sample.lower:
            return Supremum(interval.name, sample, None, interval.place(best), None, "supported", method)
        if enclosed_limits[end].lower > sample.upper or digits == DIGITS[-1]:
            return Supremum(
                interval.name,
                enclosed_limits[end],
                limits[end],
                interval.ends[end],
                interval.closed[end],
                "supported",
                method,
            )
    raise AssertionError("the last number of digits decides")

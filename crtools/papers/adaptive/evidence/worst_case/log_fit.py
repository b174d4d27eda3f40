"""The figure's fit: are the printed coefficients those of least squares, and is R² as large as it says?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.ledger import Certified, Evidence, Given, Open
from crtools.ledger.deciders.measured import Interval, compared, measured
from crtools.papers.adaptive.figures.least_squares import (
    Fit,
    Maxima,
    least_squares,
    maxima,
    point,
    squared_error,
    total_squares,
)

COEFFICIENTS = ("slope", "shift", "intercept")
USES = ("Perron–Frobenius", "Collatz–Wielandt", "ieee754")
BOUNDARY = 1e-7
"""A coefficient this near to where rounding changes decides nothing."""

FLOATS = 1e-9
"""R² in floats is not further than this from the exact one."""


Box = dict[str, Enclosure]
"""For each coefficient all numbers that round to the printed one."""


def printed(given: Given) -> Box:
    """Read the coefficients that a claim is given; ``InputError`` where one is not a plain decimal."""
    box: Box = {}
    for name in COEFFICIENTS:
        value = decimal(name, given[name])
        half = Fraction(1, 2 * 10 ** len(given[name].strip().partition(".")[2]))
        box[name] = Enclosure(value - half, value + half)
    return box


def _margins(fit: Fit, box: Box) -> dict[str, float]:
    """Return how far each coefficient of a fit lies inside the values that round to the printed one."""
    return {
        name: float(own.width / 2) - abs(getattr(fit, name) - float((own.lower + own.upper) / 2))
        for name, own in box.items()
    }


def _beyond(fit: Fit, box: Box) -> list[Interval]:
    """Return how far each coefficient lies beyond what rounds to the printed one, give or take the error of the fit."""
    return [(-margin - BOUNDARY, -margin + BOUNDARY) for margin in _margins(fit, box).values()]


def rounds(fit: Fit, box: Box) -> bool:
    """Return whether a fit rounds to the printed coefficients."""
    return compared(_beyond(fit, box), -inf, 0) == "supported"


def decimal(name: str, text: str) -> Fraction:
    """Return a plain decimal: its digits say to how many places a coefficient is claimed."""
    if not re.fullmatch(r"[+-]?\d{1,6}(\.\d{1,12})?", text.strip()):
        raise InputError(name, text, "must be a plain decimal such as 0.2555, with at most 12 decimals")
    return Fraction(text.strip())


@lru_cache(maxsize=2)
def _from_one(last: int) -> Maxima:
    return maxima(1, last)


def data(first: int, last: int, computed: int = 0) -> Maxima:
    """Return the certified worst cases for u = first, …, last, of those that are kept up to ``computed``."""
    found, part = _from_one(computed or last), slice(first - 1, last)
    return Maxima(found.u[part], found.value[part], found.lower[part], found.upper[part])


def coefficients(found: Maxima, fit: Fit, box: Box) -> Evidence:
    """Decide that the fit rounds to the printed coefficients.

    At most contradicted: which sizes the paper fitted is inferred. That no coefficients which round to the printed ones
    can be the least-squares fit of these sizes is shown by rigorous squared errors.
    """
    first, last = int(found.u[0]), int(found.u[-1])
    sample = f"{len(found.u)} sizes, {_span(found)}; the paper does not print its sizes"
    values: dict[str, Any] = {"fit": fit.as_json(), "shift_on_other_sizes": _other_sizes(first, last, fit.name)}
    with np.errstate(invalid="ignore", divide="ignore"):
        own = _in_floats(found, fit.offset, *((box[name].lower + box[name].upper) / 2 for name in COEFFICIENTS))
    if np.isfinite(own):
        values["r_squared_of_the_printed_curve"] = own
    uses: tuple[str, ...] = ()
    if compared(_beyond(fit, box), -inf, 0) == "contradicted":
        uses = USES
        if box["shift"].lower + first - fit.offset > 0:
            theirs = squared_error(found, fit.offset, *box.values())
            ours = squared_error(found, fit.offset, *(point(getattr(fit, name)) for name in COEFFICIENTS))
            values["squared_error_of_what_rounds_to_the_printed_at_least"] = float(theirs.lower)
            values["squared_error_of_this_fit_at_most"] = float(ours.upper)
    margin = _margins(fit, box)
    return measured(_beyond(fit, box), most=0, sample=sample, margin=margin, values=values, uses=uses)


def _other_sizes(first: int, last: int, name: str) -> list[dict[str, Any]]:
    """Refit on other ranges of sizes: the paper does not print its own."""
    ranges = [(low, high) for low in (1, 2, 3, 10, 50) for high in (100, 200, 500, 1000, 2000) if high <= last]
    return [
        {"first": low, "last": high, "shift": round(least_squares(data(low, high, last), name).shift, 4)}
        for low, high in ranges
        if (low, high) != (first, last)
    ]


def r_squared(found: Maxima, fit: Fit, bound: Fraction) -> Evidence:
    """Certified where an exhibited fit has R² above the bound; contradicted where the best one found has less."""
    values = {"fit": fit.as_json(), "bound": str(bound)}
    own = _above(found, fit.offset, [getattr(fit, name) for name in COEFFICIENTS], bound, values)
    if isinstance(own, Certified):
        return own
    in_floats = (fit.r_squared - FLOATS, fit.r_squared + FLOATS)
    sample = f"{len(found.u)} sizes, {_span(found)}"
    return measured([in_floats], least=bound, sample=sample, margin=fit.r_squared - float(bound), values=values)


def rounded_curve(found: Maxima, fit: Fit, bound: Fraction) -> tuple[str, Evidence]:
    """Return the curve with a fit's coefficients rounded to four decimals, and whether its own R² is above the bound."""
    near = [Fraction(round(getattr(fit, name) * 10**4), 10**4) for name in COEFFICIENTS]
    curve = Fit("rounded", fit.offset, *map(float, near), r_squared=0.0).text().partition(",")[0]
    return curve, _above(found, fit.offset, near, bound, {})


def _above(
    found: Maxima, offset: int, coefficients: Sequence[float | Fraction], bound: Fraction, values: dict[str, Any]
) -> Certified | Open:
    """Certify that R² of a curve, 1 − SSE/SST, is above the bound, by rigorous squared errors."""
    least = 1 - squared_error(found, offset, *map(point, coefficients)).upper / total_squares(found).lower
    if least <= bound:
        return Open(f"R² is at least {float(least)} only")
    second = {"in_floats": _in_floats(found, offset, *coefficients)}
    return Certified({"r_squared_at_least": float(least)}, _span(found), second, values, USES)


def _span(found: Maxima) -> str:
    return f"u = {found.u[0]}, …, {found.u[-1]}"


def _in_floats(found: Maxima, offset: int, *coefficients: float | Fraction) -> float:
    """Return R² of a curve in floats."""
    curve = Fit("", offset, *map(float, coefficients), r_squared=0.0)
    return 1 - float(((curve(found.u) - found.value) ** 2).sum() / ((found.value - found.value.mean()) ** 2).sum())

"""The figure's fit: are the printed coefficients those of least squares, and is R² as large as it says?"""

from __future__ import annotations

import re
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Printed:
    """Printed coefficients, and half a unit of each one's last decimal."""

    value: dict[str, Fraction]
    half_unit: dict[str, Fraction]

    @classmethod
    def read(cls, given: Given) -> Printed:
        """Read the coefficients that a claim is given; ``InputError`` where one is not a plain decimal."""
        decimals = {name: len(given[name].strip().partition(".")[2]) for name in COEFFICIENTS}
        value = {name: decimal(name, given[name]) for name in COEFFICIENTS}
        return cls(value, {name: Fraction(1, 2 * 10 ** decimals[name]) for name in COEFFICIENTS})

    def margins(self, fit: Fit) -> dict[str, float]:
        """Return how far each coefficient of a fit lies inside the values that round to the printed one."""
        return {
            name: float(self.half_unit[name]) - abs(getattr(fit, name) - float(self.value[name]))
            for name in COEFFICIENTS
        }

    def beyond(self, fit: Fit) -> list[Interval]:
        """Return how far each coefficient lies beyond what rounds to the printed one, give or take the error of the fit."""
        return [(-margin - BOUNDARY, -margin + BOUNDARY) for margin in self.margins(fit).values()]

    def rounds(self, fit: Fit) -> bool:
        """Return whether a fit rounds to the printed coefficients."""
        return compared(self.beyond(fit), -inf, 0) == "supported"

    @property
    def box(self) -> dict[str, Enclosure]:
        """All coefficients that round to the printed ones."""
        return {n: Enclosure(v - self.half_unit[n], v + self.half_unit[n]) for n, v in self.value.items()}


def decimal(name: str, text: str) -> Fraction:
    """Return a plain decimal: its digits say to how many places a coefficient is claimed."""
    if not re.fullmatch(r"[+-]?\d{1,6}(\.\d{1,12})?", text.strip()):
        raise InputError(name, text, "must be a plain decimal such as 0.2555, with at most 12 decimals")
    return Fraction(text.strip())


@lru_cache(maxsize=2)
def _from_one(last: int) -> Maxima:
    return maxima(1, last)


def data(first: int, last: int) -> Maxima:
    """Return the certified worst cases for u = first, …, last."""
    return _of(first, last, last)


def _of(first: int, last: int, computed: int) -> Maxima:
    found, part = _from_one(computed), slice(first - 1, last)
    return Maxima(found.u[part], found.value[part], found.lower[part], found.upper[part])


def coefficients(found: Maxima, fit: Fit, printed: Printed) -> Evidence:
    """Decide that the fit rounds to the printed coefficients.

    At most contradicted: which sizes the paper fitted is inferred. That no coefficients which round to the printed ones
    can be the least-squares fit of these sizes is shown by rigorous squared errors.
    """
    sample = f"{len(found.u)} sizes, u = {found.u[0]}, …, {found.u[-1]}; the paper does not print its sizes"
    values: dict[str, Any] = {"fit": fit.as_json(), "shift_on_other_sizes": _other_sizes(found, fit.name)}
    shown = Fit("printed", fit.offset, *(float(printed.value[name]) for name in COEFFICIENTS), r_squared=0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        missed = float(((shown(found.u) - found.value) ** 2).sum() / ((found.value - found.value.mean()) ** 2).sum())
    if np.isfinite(missed):
        values["r_squared_of_the_printed_curve"] = 1 - missed
    away = compared(printed.beyond(fit), -inf, 0) == "contradicted"
    box = printed.box
    if away and box["shift"].lower + int(found.u[0]) - fit.offset > 0:
        theirs = squared_error(found, fit.offset, box["slope"], box["shift"], box["intercept"])
        ours = squared_error(found, fit.offset, *(point(getattr(fit, name)) for name in COEFFICIENTS))
        values["squared_error_of_what_rounds_to_the_printed_at_least"] = float(theirs.lower)
        values["squared_error_of_this_fit_at_most"] = float(ours.upper)
        values["first_sizes_by_a_dense_solver"] = _dense_check(found, fit, shown)
    uses = USES if away else ()
    return measured(printed.beyond(fit), most=0, sample=sample, margin=printed.margins(fit), values=values, uses=uses)


def _other_sizes(found: Maxima, name: str) -> list[dict[str, Any]]:
    """Refit on other ranges of sizes: the paper does not print its own."""
    own, last = (int(found.u[0]), int(found.u[-1])), int(found.u[-1])
    ranges = [(low, high) for low in (1, 2, 3, 10, 50) for high in (100, 200, 500, 1000, 2000) if high <= last]
    return [
        {"first": low, "last": high, "shift": round(least_squares(_of(low, high, last), name).shift, 4)}
        for low, high in ranges
        if (low, high) != own
    ]


def _dense_check(found: Maxima, fit: Fit, shown: Fit) -> dict[str, float]:
    """Recompute the first maxima by a dense eigenvalue solver and the literal entries, and compare squared errors."""
    import scipy.linalg

    sizes = found.u[: 40 if found.u[0] < 100 else 2]
    k = np.arange(1, sizes[-1] + 1, dtype=float)
    low, high = np.minimum.outer(k, k), np.maximum.outer(k, k)
    a = low**2 / (low * high) * ((low + high) ** 2 / 2 - low**2)  # the paper's A_u
    b = low**2
    value = np.array([scipy.linalg.eigh(a[:n, :n], b[:n, :n], eigvals_only=True)[-1] for n in sizes])
    if not np.allclose(value, found.value[: len(sizes)], rtol=1e-9):
        raise AssertionError("the dense solver and the power iteration give different maxima")
    return {
        "sizes": float(len(sizes)),
        "squared_error_of_the_printed_fit": float(((shown(sizes) - value) ** 2).sum()),
        "squared_error_of_this_fit": float(((fit(sizes) - value) ** 2).sum()),
    }


def r_squared(found: Maxima, fit: Fit, bound: Fraction) -> Evidence:
    """Certified where an exhibited fit has R² above the bound; contradicted where the best one found has less."""
    coefficients = {name: point(getattr(fit, name)) for name in COEFFICIENTS}
    least = _least_r_squared(found, fit.offset, coefficients)
    values = {"fit": fit.as_json(), "bound": str(bound)}
    span = f"u = {found.u[0]}, …, {found.u[-1]}"
    if least > bound:
        return Certified({"r_squared_at_least": float(least)}, span, {"in_floats": fit.r_squared}, values, USES)
    in_floats = (fit.r_squared - FLOATS, fit.r_squared + FLOATS)
    sample = f"{len(found.u)} sizes, {span}"
    return measured([in_floats], least=bound, sample=sample, margin=fit.r_squared - float(bound), values=values)


def rounded_curve(found: Maxima, fit: Fit, bound: Fraction) -> tuple[str, Evidence]:
    """Return the curve with a fit's coefficients rounded to four decimals, and whether its own R² is above the bound."""
    near = {name: Fraction(round(getattr(fit, name) * 10**4), 10**4) for name in COEFFICIENTS}
    axis = f"u − {fit.offset}" if fit.offset else "u"
    sign = "+" if near["shift"] >= 0 else "−"
    curve = f"{float(near['slope']):.4f} log({axis} {sign} {abs(float(near['shift'])):.4f}) + {float(near['intercept']):.4f}"
    own = Fit("rounded", fit.offset, *(float(near[name]) for name in COEFFICIENTS), r_squared=0.0)
    spread = ((found.value - found.value.mean()) ** 2).sum()
    in_floats = 1 - float(((own(found.u) - found.value) ** 2).sum() / spread)
    least = _least_r_squared(found, fit.offset, {name: Enclosure(value, value) for name, value in near.items()})
    span = f"u = {found.u[0]}, …, {found.u[-1]}"
    if least <= bound:
        return curve, Open(f"R² is at least {float(least)} only")
    return curve, Certified({"r_squared_at_least": float(least)}, span, {"in_floats": in_floats}, uses=USES)


def _least_r_squared(found: Maxima, offset: int, box: dict[str, Enclosure]) -> Fraction:
    """Return a rigorous lower bound of 1 − SSE/SST."""
    error = squared_error(found, offset, box["slope"], box["shift"], box["intercept"])
    return 1 - error.upper / total_squares(found).lower

"""The data of the paper's Figure log_CR: worst cases against u, and logarithmic fits a·log(x + b) + c.

The published fit 0.2555 log(u + 0.2793) + 1.1587 comes out to every printed digit when the maxima for matrix sizes
3, …, 2000 are fitted against size − 1 (``published-index``); against the size itself, which is u as the caption says
(``caption-index``), the shift is smaller by 1 and nothing else changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from crtools.enclosure import Enclosure, ball, ends, hull, precision
from crtools.errors import NotCertified
from crtools.forms import form
from crtools.ledger.data import json_fields
from crtools.numeric_types import JsonObject
from crtools.process.sweep import Progress
from crtools.setting import Setting, integer
from crtools.worst_cases.perron import TailPencil, power_iteration

FIRST, LAST = 3, 2000
"""The matrix sizes of the published fit; the paper does not print them, these reproduce its digits."""

INDICES = {"published-index": 1, "caption-index": 0}
"""What is subtracted from the matrix size u to get the fit's abscissa."""


@dataclass(frozen=True)
class Fit:
    """A fit λ ≈ slope · log(u − offset + shift) + intercept, with its R² (floats, no guarantee)."""

    name: str
    offset: int
    slope: float
    shift: float
    intercept: float
    r_squared: float

    def __call__(self, u: Any) -> Any:
        """Return the fitted values at sizes u."""
        return self.slope * np.log(u - self.offset + self.shift) + self.intercept

    @property
    def curve(self) -> str:
        """The fit as a formula in u with four decimals."""
        abscissa = f"u − {self.offset}" if self.offset else "u"
        sign = "+" if self.shift >= 0 else "−"
        inside = f"{abscissa} {sign} {abs(self.shift):.4f}"
        return f"{self.slope:.4f} log({inside}) + {self.intercept:.4f}"

    def text(self) -> str:
        """Return the curve and its R²."""
        return f"{self.curve}, R² = {self.r_squared:.6f}"

    def as_json(self) -> JsonObject:
        """Return the coefficients as JSON data."""
        abscissa = f"u - {self.offset}" if self.offset else "u"
        fitted = json_fields(self, "slope", "shift", "intercept", "r_squared")
        return {"name": self.name, "abscissa": abscissa, **fitted, "text": self.text()}


@dataclass(frozen=True)
class Maxima:
    """The worst cases of A_min's form over H-SF's at s = 0, l = 1 for consecutive u, with rigorous ends."""

    u: Any
    value: Any
    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]


def maxima(first: int = FIRST, last: int = LAST, progress: Progress = iter) -> Maxima:
    """Return the worst cases for u = first, …, last, each with a Collatz–Wielandt enclosure (about 1 ms each)."""
    first = integer("first", first, 1, 10**5)
    last = integer("last", last, first + 3, 10**5)
    values: list[float] = []
    bounds: list[tuple[Fraction, Fraction]] = []
    for u in progress(range(first, last + 1)):
        result = power_iteration(TailPencil(form("a-min"), form("h-sf"), Setting(0, 1, u)), tolerance=1e-11)
        values.append(result.value)
        bounds.append(result.bounds())
    lower, upper = zip(*bounds, strict=True)
    return Maxima(np.arange(first, last + 1), np.array(values), lower, upper)


def least_squares(data: Maxima, name: str) -> Fit:
    """Return the least-squares fit of a·log(u − offset + b) + c; the shift b is found by a one-dimensional search.

    For a fixed b the best a and c are linear regression, so only b is searched: on a grid, and then for the zero of
    Σ residual/(x + b), which is the derivative in b but for a factor and tells b to more digits than the error does.
    """
    from scipy.optimize import brentq

    offset = INDICES[name]
    x = data.u - offset

    def regress(b: float) -> tuple[Any, float, float]:
        z = np.log(x + b)
        centred = z - z.mean()
        slope = float(centred @ data.value / (centred @ centred))
        intercept = float(data.value.mean() - slope * z.mean())
        return data.value - slope * z - intercept, slope, intercept

    def error(b: float) -> float:
        residual = regress(b)[0]
        return float(residual @ residual)

    low = -float(x[0]) + 1e-6
    grid = low + np.geomspace(1e-3, 20.0 * float(x[-1]), 400)
    start = int(np.argmin([error(float(b)) for b in grid]))
    if start in (0, len(grid) - 1):
        raise NotCertified("the least-squares shift lies outside the range that is searched")
    between = float(grid[start - 1]), float(grid[start + 1])
    zero: Any = brentq(lambda b: float(regress(b)[0] @ (1 / (x + b))), *between, xtol=1e-14, rtol=np.float64(1e-14))
    shift = float(zero)
    _, slope, intercept = regress(shift)
    centred = data.value - data.value.mean()
    return Fit(name, offset, slope, shift, intercept, 1 - error(shift) / float(centred @ centred))


def squared_error(data: Maxima, offset: int, slope: Enclosure, shift: Enclosure, intercept: Enclosure) -> Enclosure:
    """Return a rigorous enclosure of Σ (slope·log(u − offset + shift) + intercept − λ_u)² over the box of coefficients."""
    with precision(80):
        a, b, c = (hull(e.lower, e.upper) for e in (slope, shift, intercept))
        lower, upper = ball(0), ball(0)
        for u, lowest, highest in zip(data.u.tolist(), data.lower, data.upper, strict=True):
            residual = a * (b + int(u) - offset).log() + c - hull(lowest, highest)
            lower += residual.abs_lower() ** 2
            upper += residual.abs_upper() ** 2
        return Enclosure(
            ends(lower)[0], ends(upper)[1], "ball arithmetic", ("Perron–Frobenius", "Collatz–Wielandt", "ieee754")
        )


def total_squares(data: Maxima) -> Enclosure:
    """Return a rigorous enclosure of Σ (λ_u − mean)²."""
    with precision(80):
        values = [hull(lowest, highest) for lowest, highest in zip(data.lower, data.upper, strict=True)]
        mean = sum(values, ball(0)) / len(values)
        return Enclosure.from_ball(
            sum(((v - mean) ** 2 for v in values), ball(0)), uses=("Collatz–Wielandt", "ieee754")
        )


def point(number: float | Fraction) -> Enclosure:
    """Return the enclosure of one exact number."""
    exact = Fraction(number)
    return Enclosure(exact, exact)

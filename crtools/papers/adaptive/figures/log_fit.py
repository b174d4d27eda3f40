"""Figure log_CR: the worst case against u, logarithmic fits a·log(x + b) + c under both indices, the proved bounds, the residuals."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from crtools.enclosure import Enclosure, ball, ends, hull, precision
from crtools.errors import NotCertified
from crtools.forms import form
from crtools.ledger.evidence import json_fields
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures import style
from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet
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

    def as_json(self) -> JsonObject:
        """Return the coefficients as JSON data."""
        abscissa = f"u - {self.offset}" if self.offset else "u"
        fitted = json_fields(self, "slope", "shift", "intercept", "r_squared")
        return {"name": self.name, "abscissa": abscissa, **fitted, "text": f"{self.curve}, R² = {self.r_squared:.6f}"}


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
        uses = ("Perron–Frobenius", "Collatz–Wielandt", "ieee754")
        return Enclosure(ends(lower)[0], ends(upper)[1], "ball arithmetic", uses)


def total_squares(data: Maxima) -> Enclosure:
    """Return a rigorous enclosure of Σ (λ_u − mean)²."""
    with precision(80):
        values = [hull(lowest, highest) for lowest, highest in zip(data.lower, data.upper, strict=True)]
        mean = sum(values, ball(0)) / len(values)
        squares = sum(((value - mean) ** 2 for value in values), ball(0))
        return Enclosure.from_ball(squares, uses=("Collatz–Wielandt", "ieee754"))


def point(number: float | Fraction) -> Enclosure:
    """Return the enclosure of one exact number."""
    exact = Fraction(number)
    return Enclosure(exact, exact)


PUBLISHED = {"slope": 0.2555, "shift": 0.2793, "intercept": 1.1587}
"""The coefficients printed in the caption of Figure log_CR."""


def log_fit(progress: Progress, u: int) -> Figure:
    """Compute the maxima for lengths 3, …, u and both fits, and return the figure."""
    data = maxima(last=u, progress=progress)
    fits = {name: least_squares(data, name) for name in INDICES}
    published = {name: Fit(name, offset, *PUBLISHED.values(), r_squared=0.0) for name, offset in INDICES.items()}
    odd = np.cumsum(1 / (2 * np.arange(1, data.u[-1] + 1) - 1.0))[data.u - 1]  # E = 1 + Σ_{k=2}^{u} 1/(2k−1)
    upper, lower = 0.75 + odd / 2, 0.75 + odd / 2 - 1 / (4 * odd)
    harmonic = np.cumsum(1 / np.arange(1.0, data.u[-1] + 1))[data.u - 1]
    table: JsonObject = {
        "u": data.u.tolist(),
        "worst_case": data.value.tolist(),
        "proved_lower": lower.tolist(),
        "proved_upper": upper.tolist(),
        "trace_bound_H_u": harmonic.tolist(),
        "fit_published_index": fits["published-index"](data.u).tolist(),
        "fit_caption_index": fits["caption-index"](data.u).tolist(),
        "published_formula_at_u_minus_1": published["published-index"](data.u).tolist(),
        "published_formula_at_u": published["caption-index"](data.u).tolist(),
    }
    notes = {
        "published": PUBLISHED | {"source": "caption of Figure log_CR, against u"},
        "range": [int(data.u[0]), int(data.u[-1])],
        "finding": "the published coefficients come out against u − 1; against u the shift is smaller by 1",
    }
    numbers = {name: fit.as_json() for name, fit in fits.items()}
    return Figure("log-fit", table, partial(_draw, table=table, fits=fits), numbers, notes)


def _draw(sheet: Sheet, table: JsonObject, fits: dict[str, Fit]) -> Any:
    u, value = np.array(table["u"]), np.array(table["worst_case"])
    page = sheet.canvas(8.4, 8.6)
    top, bottom = page.subplots(2, 1, sharex=True, height_ratios=(1, 1))
    few = np.unique(np.geomspace(1, len(u), 45).astype(int)) - 1
    ours = fits["caption-index"]
    a_min = style.LOOKS["a-min"]
    top.plot(u, table["trace_bound_H_u"], color=style.PUBLISHED, ls="--")
    highest = 1.12 * max(value)
    index = max(int(np.searchsorted(table["trace_bound_H_u"], 0.95 * highest)) - 1, 0)
    top.annotate(
        "trace bound $H_u$" if sheet.narrow else r"paper's trace bound $H_u=\sum_{k=1}^{u}\frac{1}{k}$",
        (u[index], table["trace_bound_H_u"][index]), (12, 0),
        textcoords="offset points", va="center", color=style.PUBLISHED,
    )  # fmt: skip
    top.fill_between(
        "u", "proved_lower", "proved_upper", data=table, color=style.PROVED, alpha=0.35, lw=0,
        label=r"proved: $\frac{3}{4}+\frac{1}{2}O_u-\frac{1}{4O_u}\leq\lambda_u<\frac{3}{4}+\frac{1}{2}O_u$, "
        r"$O_u=\sum_{k=1}^{u}\frac{1}{2k-1}$",
    )  # fmt: skip
    top.plot("u", "published_formula_at_u", data=table, color=style.PUBLISHED, ls=":",
             label=r"published formula at $u$ (caption): $0.2555\,\ln(u+0.2793)+1.1587$")  # fmt: skip
    top.plot("u", "fit_caption_index", data=table, color="black", lw=1,
             label=rf"our fit at $u$: ${ours.slope:.4f}\,\ln(u{ours.shift:+.4f})+{ours.intercept:.4f}$")  # fmt: skip
    top.plot(u[few], value[few], a_min.marker, color=a_min.colour, ms=4,
             label=rf"worst case $\lambda_u$ of {a_min.label}: largest ratio to H-SF's form, $s=0$")  # fmt: skip
    of_form = "" if sheet.narrow else f" of the form of {a_min.label}"
    top.set(ylabel=f"competitive ratio{of_form}", ylim=(1, highest))
    bottom.axhline(0, color="black", lw=0.6)
    bottom.plot(u, np.array(table["published_formula_at_u"]) - value, color=style.PUBLISHED, ls=":")
    bottom.plot(u, np.array(table["published_formula_at_u_minus_1"]) - value, color=style.PUBLISHED, lw=4, alpha=0.35,
                label="published formula at $u-1$")  # fmt: skip
    bottom.plot(u, np.array(table["fit_caption_index"]) - value, color="black", lw=1)
    bottom.set_ylabel(r"fit − $\lambda_u$" if sheet.narrow else "fit − worst case")
    bottom.set(xlabel=r"upper end $u$ of the prediction interval $[1,u]$", xscale="log", ylim=(-0.012, 0.1))
    for axis in (top, bottom):
        axis.grid(alpha=0.25)
    handles = [handle for axis in (top, bottom) for handle in axis.get_legend_handles_labels()[0]]
    title = rf"Figure log_CR: the worst case of {a_min.label} grows like $\frac{{1}}{{4}}\ln u$"
    return sheet.finished(page, title + _finding(table), handles)


def _finding(table: JsonObject) -> str:
    """Return against which index the published formula is nearer to the worst cases."""
    value = np.array(table["worst_case"])
    far = [np.abs(np.array(table[f"published_formula_at_{at}"]) - value).max() for at in ("u_minus_1", "u")]
    return ";\nthe published fit comes out against $u-1$, not against $u$" if far[0] < far[1] else ""

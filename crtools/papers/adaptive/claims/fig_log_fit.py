"""fig-log-fit: the published logarithmic fit of the worst cases, against the caption's u or against u − 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import inf

import numpy as np

from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Open, Repair
from crtools.ledger.deciders.measured import Interval, compared, measured
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.reading import first_failure, one_of, whole
from crtools.papers.adaptive.figures import log_fit
from crtools.papers.adaptive.figures.log_fit import Fit, Maxima, least_squares, point, squared_error
from crtools.papers.adaptive.theory import AT_ZERO, reading_of, stated_claim

AGAINST = {"u": "caption-index", "u-1": "published-index"}
"""Allowed abscissas of the fit, with their names in the figure's data."""


PRINTED = {"slope": "0.2555", "shift": "0.2793", "intercept": "1.1587", "r_squared": "0.9999"}


@stated_claim("fig-log-fit", given={**PRINTED, "against": "u", "first": "3", "last": "2000"})
def fig_log_fit(given: Given) -> Decision:
    """Decide the printed coefficients and R² for the given abscissa."""
    first = whole("first", given["first"], 1, 2000)
    last = whole("last", given["last"], first + 20, 3000)
    against = one_of(given, "against", AGAINST)
    printed: Box = {}
    for name in COEFFICIENTS:
        value = decimal(name, given[name])
        half = Fraction(1, 2 * 10 ** len(given[name].strip().partition(".")[2]))
        printed[name] = Enclosure(value - half, value + half)
    bound = decimal("r_squared", given["r_squared"])
    data = maxima_at(first, last)
    fits = {axis: least_squares(data, name) for axis, name in AGAINST.items()}
    fit = fits[against]
    coefficients = decide_coefficients(data, fit, printed)
    findings = (
        Finding("coefficients", "the least-squares coefficients are the printed ones", coefficients),
        Finding("r-squared", f"$R² > {float(bound)}$", r_squared(data, fit, bound)),
    )
    why, summary = _why(findings, fits, printed)
    read = reading_of("fig-log-fit", first=first, last=last, against=against)
    # the curve of the fit against u − 1 with its coefficients rounded to four decimals, where its R² is above the bound
    decimals = [Fraction(round(getattr(fits["u-1"], name) * 10**4), 10**4) for name in COEFFICIENTS]
    offset = fits["u-1"].offset
    rounded = Fit("rounded", offset, *map(float, decimals), r_squared=0.0).curve
    sentence = f"for $u = {first}, …, {last}$ the curve ${rounded}$, with $u − 1$ for the caption's $u$, has $R² > {float(bound)}$"
    evidence = _certify_r_squared(data, offset, decimals, bound, {})
    repair = Repair(AT_ZERO, sentence, (Finding("rounded-curve", f"$R²$ of ${rounded}$", evidence),))
    return Decision(summary, (read.verdict(AT_ZERO, why, *findings),), read.proof(), (repair,))


def _why(findings: tuple[Finding, ...], fits: dict[str, Fit], printed: Box) -> tuple[str, str]:
    """Return the verdict's line and the clause for the line of the ledger."""
    coefficients, failure = findings[0].evidence, first_failure(findings)
    if [finding.status for finding in findings] == ["supported", "certified"]:
        failure = "the fit rounds to the printed coefficients"
    if coefficients.status != "contradicted" or not rounds(fits["u-1"], printed):
        return failure, failure
    others = coefficients.values["shift_on_other_sizes"]
    negative = ", with a negative shift on every other range tried" * all(row["shift"] < 0 for row in others)
    curve = fits["u"].curve
    explanation = f"against $u$ these sizes give ${curve}${negative}; the printed coefficients come out against $u − 1$"
    return explanation, "the coefficients are those against $u − 1$"


# ---- The figure's fit: are the printed coefficients those of least squares, and is R² as large as it says? -----------

COEFFICIENTS = ("slope", "shift", "intercept")
USES = ("Perron–Frobenius", "Collatz–Wielandt", "ieee754")
BOUNDARY = 1e-7
"""Coefficients nearer than this to a rounding boundary are left open."""

FLOATS = 1e-9
"""Bound on the error of R² in floats."""


Box = dict[str, Enclosure]
"""For each coefficient all numbers that round to the printed one."""


def _margins(fit: Fit, box: Box) -> dict[str, float]:
    """Return how far each coefficient of a fit lies inside the values that round to the printed one."""
    return {
        name: float(interval.width / 2) - abs(getattr(fit, name) - float((interval.lower + interval.upper) / 2))
        for name, interval in box.items()
    }


def _excess(fit: Fit, box: Box) -> list[Interval]:
    """Return, for each coefficient, an interval of its distance beyond the values that round to the printed one."""
    return [(-margin - BOUNDARY, -margin + BOUNDARY) for margin in _margins(fit, box).values()]


def rounds(fit: Fit, box: Box) -> bool:
    """Return whether a fit rounds to the printed coefficients."""
    return compared(_excess(fit, box), -inf, 0) == "supported"


def decimal(name: str, text: str) -> Fraction:
    """Return a plain decimal: its digits say to how many places a coefficient is claimed."""
    if not re.fullmatch(r"[+-]?\d{1,6}(\.\d{1,12})?", text.strip()):
        raise InputError(name, text, "must be a plain decimal such as 0.2555, with at most 12 decimals")
    return Fraction(text.strip())


@lru_cache(maxsize=2)
def _from_one(last: int) -> Maxima:
    return log_fit.maxima(1, last)


def maxima_at(first: int, last: int, computed: int = 0) -> Maxima:
    """Return the certified worst cases for u = first, …, last, of those that are kept up to ``computed``."""
    all_maxima, chosen = _from_one(computed or last), slice(first - 1, last)
    return Maxima(all_maxima.u[chosen], all_maxima.value[chosen], all_maxima.lower[chosen], all_maxima.upper[chosen])


def decide_coefficients(data: Maxima, fit: Fit, box: Box) -> Evidence:
    """Decide that the fit rounds to the printed coefficients.

    At most contradicted: which sizes the paper fitted is inferred. That no coefficients which round to the printed ones
    can be the least-squares fit of these sizes is shown by rigorous squared errors.
    """
    first, last = int(data.u[0]), int(data.u[-1])
    sample = f"{len(data.u)} sizes, {_span(data)}; the paper does not print its sizes"
    others = [  # the paper does not print its sizes, so the fit is repeated on other ranges
        {"first": low, "last": high, "shift": round(least_squares(maxima_at(low, high, last), fit.name).shift, 4)}
        for low, high in product((1, 2, 3, 10, 50), (100, 200, 500, 1000, 2000))
        if high <= last and (low, high) != (first, last)
    ]
    values: JsonObject = {"fit": fit.as_json(), "shift_on_other_sizes": others}
    with np.errstate(invalid="ignore", divide="ignore"):
        r_squared_printed = _in_floats(data, fit.offset, *((own.lower + own.upper) / 2 for own in box.values()))
    if np.isfinite(r_squared_printed):
        values["r_squared_of_the_printed_curve"] = r_squared_printed
    uses: tuple[str, ...] = ()
    if compared(_excess(fit, box), -inf, 0) == "contradicted":
        uses = USES
        if box["shift"].lower + first - fit.offset > 0:
            printed_error = squared_error(data, fit.offset, *box.values())
            fitted_error = squared_error(data, fit.offset, *(point(getattr(fit, name)) for name in COEFFICIENTS))
            values["squared_error_of_what_rounds_to_the_printed_at_least"] = float(printed_error.lower)
            values["squared_error_of_this_fit_at_most"] = float(fitted_error.upper)
    margin = _margins(fit, box)
    return measured(_excess(fit, box), most=0, sample=sample, margin=margin, values=values, uses=uses)


def r_squared(data: Maxima, fit: Fit, bound: Fraction) -> Evidence:
    """Certified where an exhibited fit has R² above the bound; contradicted where the best one found has less."""
    values = {"fit": fit.as_json(), "bound": str(bound)}
    certified = _certify_r_squared(data, fit.offset, [getattr(fit, name) for name in COEFFICIENTS], bound, values)
    if isinstance(certified, Certified):
        return certified
    in_floats = (fit.r_squared - FLOATS, fit.r_squared + FLOATS)
    sample = f"{len(data.u)} sizes, {_span(data)}"
    return measured([in_floats], least=bound, sample=sample, margin=fit.r_squared - float(bound), values=values)


def _certify_r_squared(
    data: Maxima, offset: int, coefficients: Sequence[float | Fraction], bound: Fraction, values: JsonObject
) -> Certified | Open:
    """Certify that R² of a curve, 1 − SSE/SST, is above the bound, by rigorous squared errors."""
    lower_bound = 1 - squared_error(data, offset, *map(point, coefficients)).upper / log_fit.total_squares(data).lower
    if lower_bound <= bound:
        return Open(f"R² is at least {float(lower_bound)} only")
    second = {"in_floats": _in_floats(data, offset, *coefficients)}
    return Certified({"r_squared_at_least": float(lower_bound)}, _span(data), second, values, USES)


def _span(data: Maxima) -> str:
    return f"u = {data.u[0]}, …, {data.u[-1]}"


def _in_floats(data: Maxima, offset: int, *coefficients: float | Fraction) -> float:
    """Return R² of a curve in floats."""
    curve = Fit("", offset, *map(float, coefficients), r_squared=0.0)
    return 1 - float(((curve(data.u) - data.value) ** 2).sum() / ((data.value - data.value.mean()) ** 2).sum())

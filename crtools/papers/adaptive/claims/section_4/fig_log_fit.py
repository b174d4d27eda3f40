"""fig-log-fit: the published logarithmic fit of the worst cases, under the caption's index and under the one used."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

import numpy as np

from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.result import Decision, Part, Proof, Repair, Status, Verdict
from crtools.papers.adaptive.figures.least_squares import (
    INDICES,
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


def decide(given: Given) -> Decision:
    """Decide the printed coefficients and R² under both indices."""
    first, last = _integer("first", given["first"]), _integer("last", given["last"])
    if not 1 <= first <= 2000:
        raise InputError("first", first, "must be from 1 to 2000")
    if not first + 20 <= last <= 3000:
        raise InputError("last", last, f"must be from first + 20 = {first + 20} to 3000")
    printed = {name: _decimal(name, given[name]) for name in COEFFICIENTS}
    r_squared = _decimal("r_squared", given["r_squared"])
    data = _maxima(first, last)
    verdicts: list[Verdict] = []
    fits = {name: least_squares(data, name) for name in INDICES}
    for scope, name in (("as-stated", "caption-index"), ("where-argued", "published-index")):
        fit = fits[name]
        parts = (_coefficients(data, fit, printed, given), _r_squared(data, fit, r_squared))
        axis = "u" if name == "caption-index" else "u − 1 (the matrix size minus one)"
        verdicts.append(
            Verdict(
                "as-stated" if scope == "as-stated" else "where-argued",
                f"least squares of the worst cases at s = 0, l = 1 for u = {first}, …, {last} (the paper does not print the range) "
                f"against {axis}; coefficients to the digits given; of the form",
                "certified maxima; least squares in floats; squared errors over the box of rounded coefficients in balls",
                parts,
                f"{name}: {fit.text()}",
            )
        )
    state = Proof("not-examined", "a numerical figure; its data are not published")
    own = tuple(_rounded(data, fits[name], r_squared) for name in INDICES)
    return Decision(tuple(verdicts), state, own)


def _rounded(data: Maxima, fit: Fit, bound: Fraction) -> Repair:
    """The curve with the fit's coefficients rounded to four decimals, and a certified bound of its own R²."""
    near = {key: Fraction(round(getattr(fit, key) * 10**4), 10**4) for key in COEFFICIENTS}
    error = squared_error(data, fit.offset, *(Enclosure(value, value) for value in near.values()))
    least = 1 - error.upper / total_squares(data).lower
    axis = f"u − {fit.offset}" if fit.offset else "u"
    sign = "+" if near["shift"] >= 0 else "−"
    curve = f"{float(near['slope']):.4f} log({axis} {sign} {abs(float(near['shift'])):.4f}) + {float(near['intercept']):.4f}"
    evidence = {"1 − SSE/SST, at least": float(least), "bound": str(bound)}
    status: Status = "certified" if least > bound else "inconclusive"
    part = Part(f"R² of the rounded curve against {axis}", status, evidence, USES)
    return Repair(f"for u = {data.u[0]}, …, {data.u[-1]} the curve {curve} has R² > {float(bound)!r}", (part,))


@lru_cache(maxsize=2)
def _maxima(first: int, last: int) -> Maxima:
    return maxima(first, last)


def _integer(name: str, text: str) -> int:
    value = number(name, text)
    if value.denominator != 1:
        raise InputError(name, text, "must be an integer")
    return int(value)


def _decimal(name: str, text: str) -> Fraction:
    """Return a plain decimal: its digits say to how many places a coefficient is claimed."""
    if not re.fullmatch(r"[+-]?\d{1,6}(\.\d{1,12})?", text.strip()):
        raise InputError(name, text, "must be a plain decimal such as 0.2555, with at most 12 decimals")
    return Fraction(text.strip())


def _half_unit(text: str) -> Fraction:
    """Return half a unit of the last printed decimal."""
    decimals = len(text.strip().partition(".")[2])
    return Fraction(1, 2 * 10**decimals)


def _coefficients(data: Maxima, fit: Fit, printed: dict[str, Fraction], given: Given) -> Part:
    """Supported where the fit rounds to the printed digits; refuted where no coefficients that do can be the fit."""
    name = "the least-squares coefficients"
    ours = {key: getattr(fit, key) for key in COEFFICIENTS}
    units = {key: _half_unit(given[key]) for key in COEFFICIENTS}
    margins = {key: float(units[key]) - abs(ours[key] - float(printed[key])) for key in COEFFICIENTS}
    evidence: dict[str, object] = {
        "fit": fit.as_json(),
        "printed": {k: given[k] for k in COEFFICIENTS},
        "margin": margins,
    }
    shown = Fit("printed", fit.offset, *(float(printed[key]) for key in COEFFICIENTS), r_squared=0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        missed = float(((shown(data.u) - data.value) ** 2).sum() / ((data.value - data.value.mean()) ** 2).sum())
    evidence["R² of the printed curve itself"] = 1 - missed if np.isfinite(missed) else None
    evidence["least-squares shift on other ranges of u, same abscissa"] = _other_ranges(data, fit.name)
    if all(margin > 1e-7 for margin in margins.values()):
        return Part(name, "supported", {**evidence, "sample": f"{len(data.u)} sizes"})
    if all(margin > -1e-7 for margin in margins.values()):
        return Part(
            name, "inconclusive", {**evidence, "tried": "a coefficient lies within 1e-7 of a rounding boundary"}
        )
    box = {key: Enclosure(printed[key] - units[key], printed[key] + units[key]) for key in COEFFICIENTS}
    if box["shift"].lower + int(data.u[0]) - fit.offset <= 0:
        return Part(
            name,
            "refuted",
            {
                **evidence,
                "counterexample": "the logarithm is undefined at the first size",
                "second computation": str(int(data.u[0]) - fit.offset + printed["shift"]),
            },
        )
    theirs = squared_error(data, fit.offset, box["slope"], box["shift"], box["intercept"])
    better = squared_error(data, fit.offset, *(point(ours[key]) for key in COEFFICIENTS))
    evidence["squared error of any coefficients that round to the printed ones, at least"] = float(theirs.lower)
    evidence["squared error of ours, at most"] = float(better.upper)
    if theirs.lower > better.upper:
        evidence["counterexample"] = ours
        evidence["second computation"] = _dense_check(data, fit, printed)
        return Part(name, "refuted", evidence, USES)
    return Part(name, "contradicted", evidence)


def _other_ranges(data: Maxima, name: str) -> dict[str, float]:
    """Refit on parts of the data: the paper does not print its range."""
    shifts: dict[str, float] = {}
    for skip in (0, 7, 47):
        for keep in (200, 500, 1000, len(data.u)):
            part = slice(skip, keep)
            if len(data.u[part]) < 100:
                continue
            piece = Maxima(data.u[part], data.value[part], data.lower[part], data.upper[part])
            shifts[f"{piece.u[0]}…{piece.u[-1]}"] = round(least_squares(piece, name).shift, 4)
    return shifts


def _dense_check(data: Maxima, fit: Fit, printed: dict[str, Fraction]) -> dict[str, float]:
    """Recompute the first maxima by a dense eigenvalue solver and the literal entries, and compare squared errors."""
    import scipy.linalg

    sizes = data.u[: 40 if data.u[0] < 100 else 2]
    k = np.arange(1, sizes[-1] + 1, dtype=float)
    low, high = np.minimum.outer(k, k), np.maximum.outer(k, k)
    a = low**2 / (low * high) * ((low + high) ** 2 / 2 - low**2)  # the paper's A_u
    b = low**2
    value = np.array([scipy.linalg.eigh(a[:n, :n], b[:n, :n], eigvals_only=True)[-1] for n in sizes])
    if not np.allclose(value, data.value[: len(sizes)], rtol=1e-9):
        raise AssertionError("the dense solver and the power iteration give different maxima")
    x = sizes - fit.offset
    shown = float(printed["slope"]) * np.log(x + float(printed["shift"])) + float(printed["intercept"])
    return {
        "sizes": float(len(sizes)),
        "squared error of the printed fit, first sizes only": float(((shown - value) ** 2).sum()),
        "squared error of ours, first sizes only": float(((fit(sizes) - value) ** 2).sum()),
    }


def _r_squared(data: Maxima, fit: Fit, bound: Fraction) -> Part:
    """Certified where an exhibited fit has R² above the bound; contradicted where the best one found has less."""
    error = squared_error(data, fit.offset, point(fit.slope), point(fit.shift), point(fit.intercept))
    total = total_squares(data)
    least = 1 - error.upper / total.lower
    status: Status = (
        "certified" if least > bound else "contradicted" if fit.r_squared < float(bound) - 1e-9 else "inconclusive"
    )
    evidence = {"fit": fit.as_json(), "1 − SSE/SST, at least": float(least), "bound": str(bound)}
    return Part(
        f"R² > {float(bound)!r} for the least-squares fit", status, evidence, USES if status == "certified" else ()
    )


CLAIM = Claim(
    id="fig-log-fit",
    place="Figure log_CR",
    statement="the maximum against u is fitted by 0.2555 log(u + 0.2793) + 1.1587, with R² > 0.9999",
    given={
        "slope": "0.2555",
        "shift": "0.2793",
        "intercept": "1.1587",
        "r_squared": "0.9999",
        "first": "3",
        "last": "2000",
    },
    decide=decide,
    rests_on=("cor-ab",),
    corrupted=(
        Variant("a slope off by 1 %", {"slope": "0.2581"}),
        Variant("a shift off by 1 %", {"shift": "0.2821"}),
        Variant("an intercept off by 1 %", {"intercept": "1.1703"}),
        Variant("an R² that is not reached", {"r_squared": "0.999999"}),
        Variant("a sign", {"shift": "-0.2793"}),
    ),
    variants=(
        Variant("a weaker R²", {"r_squared": "0.999"}),
        Variant("fewer digits", {"slope": "0.26", "shift": "0.28", "intercept": "1.16"}),
    ),
)

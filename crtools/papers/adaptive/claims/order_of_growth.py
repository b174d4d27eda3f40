"""thm-log, wlog and cor-intervals: "the worst case of A_min is O(g)", of its form and of Algorithm 2; fig-log-fit: Figure 1's fit of it.

For each s, as the paper has it ("the value of s is known"). At s = 0 the worst case is ¼ ln(1/α) + Θ(1), for each s it is
O(ln(1/α)), and over all s it is of the order √(1/α). So each question is one limit. One constant for all s is a stricter
sentence; it is shown and does not decide.

A growth is any formula in α that :func:`crtools.ledger.deciders.orders.growth_of` reads, such as ``log(log(1/alpha))``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import pairwise, product
from math import inf
from typing import Literal

import numpy as np
import sympy as sp

from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.forms import form
from crtools.ledger import Decision, Finding, Given, PublishedProof, Repair, Verdict
from crtools.ledger.deciders.measured import Interval, compared, measured
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order, growth_of
from crtools.ledger.evidence import Certified, Evidence, Open, agree, by_theorem
from crtools.ledger.readings import Reading
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.algorithm_two import order_of_growth
from crtools.papers.adaptive.evidence.reading import first_failure, one_of, phrase, repairs, whole
from crtools.papers.adaptive.figures import log_fit
from crtools.papers.adaptive.figures.log_fit import Fit, Maxima, least_squares, point, squared_error
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim, theorem
from crtools.proof.theorem import Theorem
from crtools.setting import Setting

ONE_INTERVAL = "all $u ≥ ℓ ≥ 1$"


@stated_claim("thm-log")
def thm_log(given: Given) -> Decision:
    """Decide Theorem "aminmain" of the form at s = 0, of the form, and of Algorithm 2."""
    growth = growth_of("growth", given["growth"])
    read = reading_of("thm-log", order=growth.order, settings=ONE_INTERVAL, of="of Algorithm 2")
    proof = read.proof(wlog=of_the_form("each-s", growth), trace_bound=by_theorem(theorem("trace bound")))
    line, names = "Algorithm 2: at least like $α⁻¹/log(1/α)$", ["a-min-order-at-zero", "a-min-order-for-every-s"]
    return _of_form_and_algorithm(growth, read, form_verdicts(growth, read), line, names, proof)


@stated_claim("wlog")
def wlog(given: Given) -> Decision:
    """Decide the reduction to s = 0, l = 1 by the worst case for general s and l."""
    growth = growth_of("growth", given["growth"])
    each, every = (of_the_form(sizes, growth).status for sizes in ("each-s", "every-s"))
    line = {"refuted": "a smaller order than $ln(1/α)$"}.get(each, "open for general $s$")
    if each == "proved":
        other = {"proved": ", and with one constant", "refuted": ", not with one constant for all"}.get(every, "")
        line = f"for each $s${other}"
    true = repairs("a-min-order-at-zero", "a-min-order-for-every-s") if every == "refuted" else ()
    read = reading_of("wlog", order=growth.order, settings=ONE_INTERVAL)
    return Decision(line, form_verdicts(growth, read), read.proof(), true)


@stated_claim("cor-intervals")
def cor_intervals(given: Given) -> Decision:
    """Decide the corollary: one interval is a case of several, and several are at most one for the form."""
    growth = growth_of("growth", given["growth"])
    lists = "all lists of intervals with $u_j ≤ ℓ_{j+1}$, one interval included, $α = ℓ_1/u_m$"
    of = f"{lists}, of the revised Algorithm 2"
    read = reading_of("cor-intervals", order=growth.order, settings=lists, of=of)
    below = TEXT.named("intervals below single")
    of_form = form_verdicts(growth, read, below, worst="the worst case over lists")
    line, names = "Algorithm 2, one interval: $≥ α⁻¹/log(1/α)$", ["intervals-at-zero", "intervals-for-each-s"]
    return _of_form_and_algorithm(growth, read, of_form, line, names, read.proof())


def _of_form_and_algorithm(
    growth: Growth, read: Reading, of_form: tuple[Verdict, Verdict], false: str, true: list[str], proof: PublishedProof
) -> Decision:
    """Return the decision on "CR is O(g)", of a form and of Algorithm 2 itself.

    ``false`` says that CR grows faster; ``true`` names the repairs of the form at s = 0 and for each s.
    """
    evidence = order_of_growth(growth)
    refuted = evidence.status == "refuted"
    why = "only a bound from below is known, of the order $α⁻¹/log(1/α)$"
    if refuted:
        where = "for every $s$: where memory needs shrink with age"
        why = f"{where} Algorithm 2's ratio is at least of the order $α⁻¹/log(1/α)$"
    algorithm = read.verdict(ALGORITHM, why, Finding("algorithm", f"{growth.order} of Algorithm 2", evidence))
    at_zero, each_s = true
    not_every_s = of_the_form("every-s", growth).status == "refuted"
    names = (at_zero, *[each_s] * not_every_s, *["algorithm-2-growth"] * refuted)
    line = false if refuted else "of Algorithm 2 this is open"
    return Decision(line, (*of_form, algorithm), proof, repairs(*names))


def form_verdicts(
    growth: Growth, read: Reading, *also: Callable[[], Theorem], worst: str = "the worst case"
) -> tuple[Verdict, Verdict]:
    """Return the verdicts on "the worst case of the form is O(g)" at s = 0 and for each s; for all s at once stands beside.

    ``worst``: what the worst case is called; ``also`` as in :func:`of_the_form`.
    """
    open_ = "the limit of the order over the growth is not found"
    below = f"{worst} is at least of the order $ln(1/α)$"
    zero, each, every = (of_the_form(sizes, growth, *also) for sizes in ("at-zero", "each-s", "every-s"))
    stricter = {
        "proved": "; one constant does for all $s$",
        "refuted": "; one constant does not do for all $s$: at $s = u$ two lengths give a ratio above $⅓√(1/α)$",
    }.get(every.status, "")
    for_each = f"for each $s$ {worst} is at most $1 + (½ + √s)(1 + ½ ln(1/α))${stricter}"
    why_zero = phrase(zero.status, below, f"{worst} is at most $3/2 + ¼ ln(1/α)$", open_)
    why_each = phrase(each.status, f"{below}, at $s = 0$ already", for_each, open_)
    at_zero = Finding("at-zero", f"{growth.order} at $s = 0$", zero)
    each_s = Finding("each-s", f"{growth.order} for each $s$", each)
    every_s = Finding("every-s", f"stricter: {growth.order} with one constant for all $s$", every, decides=False)
    return read.verdict(AT_ZERO, why_zero, at_zero), read.verdict(FORM, why_each, each_s, every_s)


# ---- the worst case of A_min's form: of the order ln(1/α) at s = 0 and for each s, of the order √(1/α) over all s -------

Sizes = Literal["at-zero", "each-s", "every-s"]
"""s = 0; each s ≥ 0, with a constant that may depend on s; or all s, with one constant."""

BOUNDS: dict[Sizes, tuple[str, str]] = {
    "at-zero": ("upper bound", "lower bound"),
    "each-s": ("upper bound for each s", "lower bound"),
    "every-s": ("upper bound for every s", "not logarithmic in s"),
}
"""The theorems that bound the worst case from above and below."""

FAMILY = (4, 10, 30, 100)
"""The m of the family u = s = m² at which it is evaluated by two computations."""


def of_the_form(sizes: Sizes, growth: Growth, *also: Callable[[], Theorem]) -> Evidence:
    """Decide whether the worst case is O(g); ``also``: further theorems that the upper bound rests on."""
    above, below = map(TEXT.named, BOUNDS[sizes])
    rows, order = (_prompt_as_long_as_u, sp.exp(BIG / 2)) if sizes == "every-s" else (_near_the_logarithm, BIG)
    stays = "a statement on forms: no $n$, no $M$ and no rounding in it"
    return decide_order(growth, Order(rows, order, (below,), order, (above, *also), stays))


def _prompt_as_long_as_u(growth: Growth) -> tuple[JsonObject, str, list[str]]:
    ratios = {m: _ratio_at(m**2, m**2, ((1, m), (m**2, 1))) for m in FAMILY}
    members = [
        {"s": m**2, "l": 1, "u": m**2, "ratio": str(ratio), "x_l": m, "x_u": 1, "about": float(ratio)}
        for m, ratio in ratios.items()
    ]
    family = "$ℓ = 1$, $u = s = m²$: weights $m$ at length 1, 1 at length $u$"
    return {"family": family, "members": members}, "above $⅓√(1/α)$", [*map(str, ratios.values())]


def _near_the_logarithm(growth: Growth) -> tuple[JsonObject, str, list[str]]:
    ratios = dict[int, str]()
    for u in (2, 10, 100):
        tails = [*(Fraction(1, 2 * k - 1) for k in range(1, u + 1)), 0]
        weights = tuple((k, tail - after) for k, (tail, after) in enumerate(pairwise(tails), start=1))
        ratios[u] = str(_ratio_at(0, u, weights))
    members = [{"s": 0, "l": 1, "u": u, "ratio": ratio} for u, ratio in ratios.items()]
    family = "$s = 0$, $ℓ = 1$: weights $2/(4k²−1)$ for $k < u$, $1/(2u−1)$ at $u$"
    actual = "at least $¾ + ½E − 1/(4E)$ with $E = ½ ln(1/α) + Θ(1)$"
    return {"family": family, "members": members}, actual, [*ratios.values()]


@cache
def _ratio_at(s: int, u: int, weights: tuple[tuple[int, int | Fraction], ...]) -> Fraction:
    """Return the ratio at weights of lengths in [1, u], by the forms and by the paper's sums."""
    x, setting = dict(weights), Setting(s, 1, u)
    top, bottom = (
        sum((x[i] * x[j] * on.entry(i, j) for i, j in product(x, repeat=2)), Fraction(0))
        for on in (form(name).on(setting) for name in ("a-min", "h-sf"))
    )
    by_sums = literal.a_min_sum(x, s, 1) / literal.h_sf_sum(x, s)
    return agree(top / bottom, by_sums, f"a ratio at s = {s}, u = {u}")


# ---- fig-log-fit: the logarithm fitted to the form's worst cases at s = 0, against the caption's u or against u − 1 ----

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
    return read.judged(summary, why, *findings, repairs=(repair,))


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


_from_one = lru_cache(maxsize=2)(partial(log_fit.maxima, 1))


def maxima_at(first: int, last: int, computed: int = 0) -> Maxima:
    """Return the certified worst cases for u = first, …, last, of those that are kept up to ``computed``."""
    all_maxima, chosen = _from_one(computed or last), slice(first - 1, last)
    return Maxima(all_maxima.u[chosen], all_maxima.value[chosen], all_maxima.lower[chosen], all_maxima.upper[chosen])


def decide_coefficients(data: Maxima, fit: Fit, box: Box) -> Evidence:
    """Decide that the fit rounds to the printed coefficients.

    Never refuted, only contradicted, since the paper does not print which sizes it fitted. That no coefficients which round to the
    printed ones can be the least-squares fit of these sizes is shown by rigorous squared errors.
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

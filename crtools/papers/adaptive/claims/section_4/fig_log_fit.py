"""fig-log-fit: the published logarithmic fit of the worst cases, against the caption's u or against u − 1."""

from __future__ import annotations

from fractions import Fraction

from crtools.errors import InputError
from crtools.ledger import Claim, Decision, Finding, Given, PublishedProof, Repair, Variant, Verdict
from crtools.papers.adaptive.evidence.formulas.summary import first_failure
from crtools.papers.adaptive.evidence.reading import one_of, whole
from crtools.papers.adaptive.evidence.worst_case import log_fit
from crtools.papers.adaptive.figures.least_squares import Fit, Maxima, least_squares
from crtools.papers.adaptive.levels import AT_ZERO

AGAINST = {"u": "caption-index", "u-1": "published-index"}
"""What the fit's abscissa may be, and its name in the figure's data."""


def decide(given: Given) -> Decision:
    """Decide the printed coefficients and R² against the abscissa that is given."""
    first, last = _sizes(given)
    against = one_of(given, "against", AGAINST)
    printed, least = log_fit.printed(given), log_fit.decimal("r_squared", given["r_squared"])
    data = log_fit.data(first, last)
    fits = {axis: least_squares(data, name) for axis, name in AGAINST.items()}
    own = fits[against]
    findings = (
        Finding(
            "coefficients",
            "the least-squares coefficients are the printed ones",
            log_fit.coefficients(data, own, printed),
        ),
        Finding("r-squared", f"$R² > {float(least)}$", log_fit.r_squared(data, own, least)),
    )
    why, short = _why(findings, fits, printed)
    verdict = Verdict(
        AT_ZERO,
        f"least squares of the worst cases at $s = 0$, $ℓ = 1$ for $u = {first}, …, {last}$ against ${against}$, "
        "coefficients to the digits given; the paper does not print the range of $u$",
        why,
        "certified maxima; least squares in floats; squared errors over the box of rounded coefficients in balls",
        findings,
    )
    proof = PublishedProof(note="a numerical figure; its data are not published")
    return Decision(short, (verdict,), proof, (_rounded(data, fits["u-1"], least),))


def _why(findings: tuple[Finding, ...], fits: dict[str, Fit], printed: log_fit.Box) -> tuple[str, str]:
    """Return the verdict's line and the clause for the line of the ledger."""
    if [finding.status for finding in findings] == ["supported", "certified"]:
        short = "the fit rounds to the printed coefficients"
        return short, short
    failure = first_failure(findings)
    coefficients = findings[0].evidence
    if coefficients.status != "contradicted" or not log_fit.rounds(fits["u-1"], printed):
        return failure, failure
    others = coefficients.values["shift_on_other_sizes"]
    negative = ", with a negative shift on every other range tried" if all(row["shift"] < 0 for row in others) else ""
    curve = fits["u"].text().partition(",")[0]
    long = f"against $u$ these sizes give ${curve}${negative}; the printed coefficients come out against $u − 1$"
    return long, "the coefficients are those against $u − 1$"


def _rounded(data: Maxima, fit: Fit, least: Fraction) -> Repair:
    """Return the curve with the fit's coefficients rounded to four decimals, and a certified bound of its own R²."""
    rounded, evidence = log_fit.rounded_curve(data, fit, least)
    sizes = f"$u = {data.u[0]}, …, {data.u[-1]}$"
    sentence = f"for {sizes} the curve ${rounded}$, with $u − 1$ for the caption's $u$, has $R² > {float(least)}$"
    return Repair(AT_ZERO, sentence, (Finding("rounded-curve", f"$R²$ of ${rounded}$", evidence),))


def _sizes(given: Given) -> tuple[int, int]:
    first, last = whole("first", given["first"]), whole("last", given["last"])
    if not 1 <= first <= 2000:
        raise InputError("first", first, "must be from 1 to 2000")
    if not first + 20 <= last <= 3000:
        raise InputError("last", last, f"must be from first + 20 = {first + 20} to 3000")
    return first, last


CLAIM = Claim(
    id="fig-log-fit",
    place="Section 4.1, Figure 1 (fig:log_CR)",
    statement="the maximum against $u$ is fitted by $0.2555 log(u+0.2793)+1.1587$, $R² > 0.9999$",
    stated_at=AT_ZERO,
    given={
        "slope": "0.2555",
        "shift": "0.2793",
        "intercept": "1.1587",
        "r_squared": "0.9999",
        "against": "u",
        "first": "3",
        "last": "2000",
    },
    decide=decide,
    corrupted=(
        Variant("a slope off by 1 %", {"slope": "0.2581", "against": "u-1"}, "coefficients"),
        Variant("a shift off by 1 %", {"shift": "0.2821", "against": "u-1"}, "coefficients"),
        Variant("an intercept off by 1 %", {"intercept": "1.1703", "against": "u-1"}, "coefficients"),
        Variant("an R² that is not reached", {"r_squared": "0.999999"}, "r-squared"),
        Variant("a sign", {"shift": "-0.2793", "against": "u-1"}, "coefficients"),
    ),
    variants=(
        Variant("the sizes less one", {"against": "u-1"}),
        Variant("the sizes themselves", {"shift": "-0.7207"}),
        Variant("a weaker R²", {"r_squared": "0.999"}, "r-squared"),
        Variant("fewer digits", {"slope": "0.26", "shift": "0.28", "intercept": "1.16", "against": "u-1"}),
    ),
)

"""lg-mode: where k q^k peaks."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import Evidence, Measured, Proved, Refuted
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.laws.lg_mode import near_the_mode
from crtools.papers.adaptive.evidence.laws.one_parameter import q
from crtools.papers.adaptive.levels import AT_ZERO

TRUE = {"rational": ("1/(1−q)", 1 / (1 - q)), "reciprocal": ("1/ln(1/q)", 1 / sp.log(1 / q))}
"""Formulas within 1 of the mode: in words, as an expression."""


def decide(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1, or what is given, of m(q) for every q."""
    _, claimed = formula_on("mode", given["mode"], {"q": q}, unit("q"))
    within = number("within", given["within"])
    found = near_the_mode(claimed, within)
    line, why = _line_and_why(found)
    says = f"the mode is within ${given['within'].strip()}$ of ${given['mode'].strip()}$"
    reading = (
        f"for every $0 < q < 1$: some mode of $P(k) = k p² q^{{k−1}}$ differs from the formula by at most ${within}$ ($s$ does "
        "not occur)"
    )
    method = "exact comparison of $P(k+1)$ with $P(k)$"
    verdict = Verdict(AT_ZERO, reading, why, method, (Finding("near-the-mode", says, found),))
    near = tuple(
        Finding(f"near-the-{name}", f"the mode is within 1 of ${text}$", near_the_mode(form, Fraction(1)))
        for name, (text, form) in TRUE.items()
    )
    repair = Repair(AT_ZERO, "$LG(p)$ peaks within 1 of $1/(1−q)$, and of $1/ln(1/q)$", near)
    return Decision(line, (verdict,), PublishedProof(note="a remark without proof"), (repair,))


def _line_and_why(found: Evidence) -> tuple[str, str]:
    if isinstance(found, Refuted):
        at, mode = f"at $q = {found.witness['q']}$ the mode is", found.actual[0]
        line = f"{at} {mode}, not {float(found.claimed):.4g}"
        short = line if len(line) <= 45 else "next to a jump the mode is further away"
        return short, f"{at} {mode}, the formula gives {found.claimed}"
    if isinstance(found, Proved):
        return "near the mode for every $q$", "the mode and the formula lie in one interval, for every $q$"
    near = f"clearly near it at {found.sample}" if isinstance(found, Measured) else "not decided for every $q$"
    return "not decided for every $q$", near


CLAIM = Claim(
    id="lg-mode",
    place="Section 5.3",
    statement="$LG(p)$ peaks around $log(1/q)$",
    stated_at=AT_ZERO,
    given={"mode": "log(1/q)", "within": "1"},
    decide=decide,
    corrupted=(
        Variant("a sign", {"mode": "log(q)"}),
        Variant("a factor", {"mode": "2/log(1/q)"}),
        Variant("another function", {"mode": "1/(1-q)**2"}),
        Variant("the reciprocal off by 1 %", {"mode": "1.01/log(1/q)"}),
        Variant("the reciprocal, closer than it is", {"mode": "1/log(1/q)", "within": "0.99"}),
        Variant("a rational form, closer than it is by a hair", {"mode": "1/(1-q)", "within": "1-1e-30*1e-30"}),
    ),
    variants=(
        Variant("the reciprocal", {"mode": "1/log(1/q)"}),
        Variant("a rational form", {"mode": "1/(1-q)"}),
        Variant("the middle of the interval", {"mode": "(1+q)/(2*(1-q))"}),
        Variant("the middle of the interval, as near as it is", {"mode": "(1+q)/(2*(1-q))", "within": "1/2"}),
    ),
)

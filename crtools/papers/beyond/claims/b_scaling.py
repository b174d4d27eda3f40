"""b-scaling: the published ratios of the b-scaling policies are their kernels' symbols at ξ = 0, where the supremum is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.enclosure import ball, precision
from crtools.errors import InputError, NotCertified
from crtools.expressions import formula, number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import Certified, Evidence, Open, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict
from crtools.papers.beyond.levels import NUMBER, OWN
from crtools.papers.beyond.theorems import b_scaling
from crtools.scale_free import common_offset, fixed_thresholds, own_offsets, supremum
from crtools.scale_free.kernel import at

SYMBOLS: dict[str, Any] = {"fixed": fixed_thresholds, "common": common_offset, "own": own_offsets}
WORDS = {"fixed": "fixed thresholds", "common": "one common random offset", "own": "own random offsets"}
POINTS = (Fraction(2), Fraction(3), Fraction(8), Fraction(69, 5))


def is_symbol(policy: str, text: str) -> Evidence:
    """Decide whether a formula in b is a policy's symbol at ξ = 0: proved for every b, or refuted at one."""
    b = sp.Symbol("b", positive=True)
    _, expr = formula(policy, text, {"b": b})
    in_y = sp.expand_log(expr.subs(b, b_scaling.y**2)).subs(sp.log(b_scaling.y), b_scaling.L)
    proved = by_theorem(b_scaling.theorem(policy, in_y))
    if proved.status == "proved":
        return proved
    for point in POINTS:
        with precision(128):
            found, claimed = at(SYMBOLS[policy](point), ball(0)), enclosed(expr, {b: point}, 20)
            if claimed is not None and not found.overlaps(ball(claimed.lower).union(ball(claimed.upper))):
                root = sp.sqrt(sp.Rational(point.numerator, point.denominator))
                second = sp.N(b_scaling.VALUES[policy]().subs({b_scaling.y: root, b_scaling.L: sp.log(root)}), 12)
                return Refuted({"b": str(point)}, str(claimed), found.str(12, radius=False), str(second), "at one base")
    return proved


def within(policy: str, base: Fraction, most: Fraction) -> Evidence:
    """Decide whether the symbol is at most a number at a base, for every ξ."""
    with precision(96):
        try:
            found = supremum(SYMBOLS[policy](base))
        except NotCertified as error:
            return Open(str(error))
    second = float(at(SYMBOLS[policy](base), ball(0)))
    if found.upper <= most:
        return Certified(str(found), f"{found.method}; b = {base}", second)
    if found.lower > most:
        return Refuted({"b": str(base)}, f"at most {most}", str(found), second, "it is the symbol at one ξ")
    return Open(f"the supremum is in {found}")


def decide(given: Given) -> Decision:
    """Decide the three formulas, the best fixed base, and the value at the best common one."""
    base = number("base", given["base"])
    if not Fraction(3, 2) <= base <= 1000:
        raise InputError("base", given["base"], "must be a number from 3/2 to 1000")
    findings = [
        Finding(
            policy, f"of {WORDS[policy]}: $m(0) = {given[policy]}$", given.evidence(is_symbol, policy, given[policy])
        )
        for policy in SYMBOLS
    ]
    most = number("most", given["most"])
    least = by_theorem(b_scaling.least_at_three())
    findings += [
        Finding("best-fixed", "of fixed thresholds the best base is 3, with $1 + 3√3$", least),
        Finding(
            "common-value",
            f"one common offset has at most {given['most']} at base {given['base']}",
            within("common", base, most),
        ),
    ]
    verdict = Verdict(
        NUMBER, "every base $b > 1$", "the symbols at 0 are these", "exact transforms; balls", tuple(findings)
    )
    why = "the published ratios come out" if verdict.status != "refuted" else "a kernel has another symbol"
    return Decision(why, (verdict,), PublishedProof(note=OWN))


CLAIM = Claim(
    id="b-scaling",
    place="docs/beyond/minimax.md, the literature; arXiv 2211.02044",
    statement="the ratios of b-scaling with fixed thresholds, one common offset and own offsets are their symbols at 0",
    stated_at=NUMBER,
    given={
        "fixed": "1 + 2*b*sqrt(b)/(b-1)",
        "common": "(2*b+sqrt(b)-1)/(sqrt(b)*log(b))",
        "own": "4*(sqrt(b)-1)*(2*sqrt(b)-1)/(sqrt(b)*log(b)**2)",
        "base": "8.16",
        "most": "3.032",
    },
    decide=decide,
    corrupted=(
        Variant("twice the last term", {"fixed": "1 + 4*b*sqrt(b)/(b-1)"}, "fixed"),
        Variant("a sign", {"common": "(2*b-sqrt(b)-1)/(sqrt(b)*log(b))"}, "common"),
        Variant("a quarter", {"own": "(sqrt(b)-1)*(2*sqrt(b)-1)/(sqrt(b)*log(b)**2)"}, "own"),
        Variant("a digit less", {"most": "3.031"}, "common-value"),
    ),
    variants=(
        Variant("the same, otherwise", {"fixed": "(b-1+2*sqrt(b)*b)/(b-1)"}, "fixed"),
        Variant("another base", {"base": "8", "most": "3.0313"}, "common-value"),
    ),
)

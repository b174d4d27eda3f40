"""against-h-sf: what the volume bound's form is at most in units of H-SF's, so that blind ratios can be read against it."""

from __future__ import annotations

from itertools import product
from typing import Any

from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict
from crtools.papers.beyond.levels import FORM, OWN
from crtools.papers.beyond.theorems import against_h_sf
from crtools.proof.symbols import l, s
from crtools.setting import Setting


def is_enough(expr: Any) -> Evidence:
    """Decide whether volume ≤ factor · H-SF: a theorem for every s and l, or equal lengths at which it fails."""
    proved = by_theorem(against_h_sf.theorem(expr))
    if proved.status == "proved":
        return proved
    for low, prompt in product(range(1, 12), (0, 1, 2, 5, 20)):
        claimed = expr.subs({s: prompt, l: low})
        actual = against_h_sf.at_equal_lengths().subs({s: prompt, l: low})
        if claimed < actual:
            setting = Setting(s=prompt, l=low, u=low)
            second = form("volume").on(setting).value([1]) / form("h-sf").on(setting).value([1])
            return Refuted(
                {"s": prompt, "l": low, "lengths": "all l"}, str(claimed), str(actual), str(second), "at every n"
            )
    return proved


def decide(given: Given) -> Decision:
    """Decide the factor."""
    _, expr = formula_on("factor", given["factor"], {"s": s, "l": l}, integers_from(s=0, l=1))
    evidence = given.evidence(is_enough, expr)
    says = f"$volume(x) ≤ ({given['factor']}) · h-sf(x)$: what is within $ρ^*$ of the one is within $ρ^*$ times that of the other"
    why = {"proved": "both forms are squares of tails", "refuted": "equal lengths need more"}.get(
        evidence.status, "the signs do not show it"
    )
    verdict = Verdict(
        FORM, "every s ≥ 0, ℓ ≥ 1 and $x ≥ 0$", why, "signs of coefficients", (Finding("factor", says, evidence),)
    )
    return Decision(why, (verdict,), PublishedProof(note=OWN))


CLAIM = Claim(
    id="against-h-sf",
    place="docs/beyond/minimax.md, against H-SF",
    statement="against H-SF's form the best blind ratio is at most $ρ^*(2s+ℓ+1)/(2(s+ℓ))$",
    stated_at=FORM,
    given={"factor": "(2*s+l+1)/(2*(s+l))"},
    decide=decide,
    rests_on=("rho-star",),
    corrupted=(
        Variant("half", {"factor": "(2*s+l+1)/(4*(s+l))"}, "factor"),
        Variant("without the 1", {"factor": "(2*s+l)/(2*(s+l))"}, "factor"),
        Variant("a hair less", {"factor": "(2*s+l+1)/(2*(s+l)) - 1/1000000"}, "factor"),
    ),
    variants=(
        Variant("1, which holds for every s and l", {"factor": "1"}, "factor"),
        Variant("the same, otherwise", {"factor": "1/2 + (s+1)/(2*(s+l))"}, "factor"),
    ),
)

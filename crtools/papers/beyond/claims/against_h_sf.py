"""against-h-sf: what the volume bound's form is at most in units of H-SF's, so that blind ratios can be read against it."""

from __future__ import annotations

from itertools import product
from typing import Any

from crtools.forms import form
from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Refuted, Variant
from crtools.papers.beyond.deciding import decision, formula_in, proved_or_refuted, verdict
from crtools.papers.beyond.levels import FORM
from crtools.papers.beyond.theorems import against_h_sf
from crtools.proof.symbols import l, s
from crtools.setting import Setting


def is_enough(expr: Any) -> Evidence:
    """Decide whether volume ≤ factor · H-SF: a theorem for every s and l, or equal lengths at which it fails."""

    def refuted(place: tuple[int, int]) -> Refuted | None:
        low, prompt = place
        claimed, actual = (each.subs({s: prompt, l: low}) for each in (expr, against_h_sf.at_equal_lengths()))
        if claimed >= actual:
            return None
        setting = Setting(s=prompt, l=low, u=low)
        second = form("volume").on(setting).value([1]) / form("h-sf").on(setting).value([1])
        witness = {"s": prompt, "l": low, "lengths": "all l"}
        return Refuted(witness, str(claimed), str(actual), str(second), "at every n")

    return proved_or_refuted(against_h_sf.theorem(expr), product(range(1, 12), (0, 1, 2, 5, 20)), refuted)


def decide(given: Given) -> Decision:
    """Decide the factor."""
    evidence = given.evidence(is_enough, formula_in(given, "factor", s=0, l=1))
    says = f"$volume(x) ≤ ({given['factor']}) · h-sf(x)$: what is within ρ* of the one is within ρ* times that of the other"
    holds, fails = "both forms are squares of tails", "equal lengths need more"
    finding = Finding("factor", says, evidence)
    return decision(verdict(FORM, "every s ≥ 0, ℓ ≥ 1 and $x ≥ 0$", "signs of coefficients", holds, fails, finding))


CLAIM = Claim(
    id="against-h-sf",
    place="docs/beyond/minimax.md, against H-SF",
    statement="against H-SF's form the best blind ratio is at most $ρ⋆(2s+ℓ+1)/(2(s+ℓ))$",
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

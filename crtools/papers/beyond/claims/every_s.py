"""every-s: the worst case of A_min's form over H-SF's, for every s, from both sides by one equation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from crtools.enclosure import ball, ends, precision
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.bounds import apart
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.theorems.form.every_s import explicit, long_prompts
from crtools.papers.adaptive.theorems.form.intervals import largest_of_intervals
from crtools.papers.adaptive.two_sided import kappa
from crtools.papers.beyond.levels import FORM, OWN
from crtools.papers.beyond.theorems.every_s import gap_at_least, gap_at_most
from crtools.proof.symbols import s, u
from crtools.worst_cases import worst_case

PLACES = ((0, 1, 1), (1, 2, 2), (0, 1, 2), (1, 1, 2), (0, 1, 20), (1, 1, 20), (40, 1, 20), (0, 1, 2000), (1, 1, 2000))
"""s, l and u at which a gap is compared with the worst case less ½(1+κ)."""


def decided(gap: Any, side: str) -> Evidence:
    """Decide whether the worst case is at most (at least) ½(1+κ) + gap: a theorem, or one setting at which it is not."""
    proved = by_theorem((gap_at_most if side == "at most" else gap_at_least)(gap))
    if proved.status == "proved":
        return proved
    for prompt, low, up in PLACES:
        claimed = gap.subs({s: prompt, u: up})
        if not claimed.is_Rational:
            continue
        case = worst_case(l=low, u=up, s=prompt).enclosure(12)
        with precision(160):
            least, most = ends(ball(case.lower).union(ball(case.upper)) - (1 + kappa(low, up, prompt)) / 2)
        wrong = least > claimed if side == "at most" else most < claimed
        if wrong:
            said, actual = apart(claimed, least) if side == "at most" else apart(most, claimed)[::-1]
            second = worst_case(l=low, u=up, s=prompt).value - float(kappa(low, up, prompt)) / 2 - 0.5
            return Refuted(
                {"s": prompt, "l": low, "u": up}, f"{side} {said}", actual, second, "of the forms: no limit is taken"
            )
    return proved


def decide(given: Given) -> Decision:
    """Decide both gaps."""
    above, below = (
        formula_on(name, given[name], {"s": s, "u": u}, integers_from(s=0, u=1))[1] for name in ("above", "below")
    )
    findings = (
        Finding(
            "at-most",
            f"the worst case is at most $½(1+κ) + {given['above']}$",
            given.evidence(decided, above, "at most"),
        ),
        Finding(
            "at-least",
            f"the worst case is at least $½(1+κ) + {given['below']}$",
            given.evidence(decided, below, "at least"),
        ),
        Finding("explicit", "an upper bound without $κ$", given.proved(explicit)),
        Finding("long-prompts", "it tends to $½(1+√(u/l))$ as $s → ∞$", given.proved(long_prompts)),
        Finding("intervals", "on several intervals it is the largest of theirs", given.proved(largest_of_intervals)),
    )
    verdict = Verdict(FORM, "all integers $s ≥ 0$ and $u ≥ l ≥ 1$", "", "squares, and a Gram matrix", findings)
    why = "between two formulas, less than $¼$ apart" if verdict.status == "proved" else "the gap is another one"
    return Decision(why, (replace(verdict, why=why),), PublishedProof(note=OWN))


CLAIM = Claim(
    id="every-s",
    place="docs/beyond/every-s.md, one equation",
    statement="with $κ ≥ 1$ from $∑_{k=l+1}^{u} 1/(κ(s+2k−1)+s) = (κ−1)/(κ−1+(s+l)/l)$ the worst case of $A_min$'s form over "
    "H-SF's lies between $½(1+κ)$ and $½(1+κ) + u/(s+4u)$",
    stated_at=FORM,
    given={"above": "u/(s+4*u)", "below": "0"},
    decide=decide,
    corrupted=(
        Variant("a fifth", {"above": "1/5"}, "at-most"),
        Variant("one u fewer", {"above": "u/(s+5*u)"}, "at-most"),
        Variant("sixteen times the prompts", {"above": "u/(16*s+4*u)"}, "at-most"),
        Variant("a hair more below", {"below": "1/1000000"}, "at-least"),
        Variant("a gap below that u closes", {"below": "1/u - 1/(2*u+s)"}, "at-least"),
    ),
    variants=(
        Variant("a quarter", {"above": "1/4"}, "at-most"),
        Variant("the same, otherwise", {"above": "1/(4 + s/u)"}, "at-most"),
        Variant("less below", {"below": "-u/(s+u)"}, "at-least"),
    ),
)

"""switch-every-s: on two lengths, where A_ℓ's supremum is below A_min's, for every s."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.theorems.form.two_lengths import a_ell_every_s_theorem
from crtools.papers.beyond.levels import FORM, OWN
from crtools.papers.beyond.theorems.every_s import same_threshold
from crtools.proof.symbols import l, s, u
from crtools.worst_cases import worst_case

PLACES = tuple((prompt, low, up) for up in range(2, 24) for low in range(1, up) for prompt in (0, 1, 3, 20))


def a_min(s: int, l: int, u: int) -> float:
    """Return A_min's supremum on {l, u}, 1 + (√(yz) − 1)/(2z) with y = u/l, z = (s+u)/(s+l)."""
    y, z = Fraction(u, l), Fraction(s + u, s + l)
    return 1 + (float(y * z) ** 0.5 - 1) / (2 * float(z))


def decided(threshold: Any) -> Evidence:
    """Decide whether A_ℓ is the better one exactly where √(u/l) exceeds the threshold: a theorem, or a setting that tells."""
    proved = by_theorem(same_threshold(threshold))
    if proved.status == "proved":
        return proved
    known = sp.sqrt((s + l) / (s + u))
    for prompt, low, up in PLACES:
        put = {s: prompt, l: low, u: up}
        pays, claimed = (sp.sqrt(sp.Rational(up, low)) - value.subs(put) > 0 for value in (1 + known, threshold))
        if bool(pays) != bool(claimed):
            of_a_ell, of_a_min = worst_case("a-ell", low, up, prompt).value, a_min(prompt, low, up)
            if (of_a_ell < of_a_min) != bool(pays):
                raise AssertionError("two computations of the suprema differ")
            return Refuted(
                {"s": prompt, "l": low, "u": up},
                f"A_ℓ is {'' if claimed else 'not '}the better one",
                f"A_ℓ is {'' if pays else 'not '}the better one, by the exact threshold",
                {"A_ell": of_a_ell, "A_min": of_a_min},
                "of the forms: no limit is taken",
            )
    return proved


def decide(given: Given) -> Decision:
    """Decide the threshold, and A_ℓ's supremum for every s."""
    expr = formula_on("threshold", given["threshold"], {"s": s, "l": l, "u": u}, integers_from(s=0, l=1, u="l"))[1]
    findings = (
        Finding(
            "threshold",
            f"$A_ℓ$ is the better one exactly where $√(u/l) > {given['threshold']}$",
            given.evidence(decided, expr),
        ),
        Finding("a-ell", "$A_ℓ$'s supremum for every $s$", given.proved(a_ell_every_s_theorem)),
    )
    verdict = Verdict(FORM, "every $s ≥ 0$ and $1 ≤ l < u$, weights on ${l, u}$", "", "the exact suprema", findings)
    why = "the exact suprema cross there" if verdict.status == "proved" else "they cross elsewhere"
    return Decision(why, (replace(verdict, why=why),), PublishedProof(note=OWN))


CLAIM = Claim(
    id="switch-every-s",
    place="docs/beyond/every-s.md, two lengths",
    statement="on ${l, u}$ with $g = √(l(s+l)/(u(s+u)))$ $A_ℓ$'s form has the worst case $1 + g/(2(1−g))$ for $g ≤ ½$, else $1 + 2g²$; it "
    "is below $A_min$'s exactly where $√(u/l) > 1 + √((s+l)/(s+u))$",
    stated_at=FORM,
    given={"threshold": "1+sqrt((s+l)/(s+u))"},
    decide=decide,
    corrupted=(
        Variant("the one at s = 0 for every s", {"threshold": "1+sqrt(l/u)"}, "threshold"),
        Variant("without the root", {"threshold": "1+(s+l)/(s+u)"}, "threshold"),
        Variant("half of it", {"threshold": "1+sqrt((s+l)/(s+u))/2"}, "threshold"),
    ),
    variants=(Variant("the same, otherwise", {"threshold": "(sqrt(s+u)+sqrt(s+l))/sqrt(s+u)"}, "threshold"),),
)

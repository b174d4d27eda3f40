"""every-s: the worst case of A_min's form over H-SF's, for every s, from both sides by one equation."""

from __future__ import annotations

import sympy as sp

from crtools.enclosure import ends, hull, precision
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted
from crtools.ledger.claims import claim, decision_at, proved_or_refuted
from crtools.ledger.deciders.bounds import separating_decimals
from crtools.ledger.deciders.ranges import formula_in
from crtools.numeric_types import RingElement, SymExpr
from crtools.papers.adaptive.theory import TEXT
from crtools.papers.adaptive.worst_cases import kappa
from crtools.papers.beyond.levels import FORM
from crtools.papers.beyond.theory import theorem
from crtools.proof.symbols import s, u
from crtools.worst_cases import worst_case

SETTINGS = ((0, 1, 1), (1, 2, 2), (0, 1, 2), (1, 1, 2), (0, 1, 20), (1, 1, 20), (40, 1, 20), (0, 1, 2000), (1, 1, 2000))
"""s, l and u at which a gap is compared with the worst case less ½(1+κ)."""

CONSEQUENCES = (
    ("explicit", "an upper bound without $κ$", "A_min's worst case for every s, without κ"),
    ("long-prompts", "it tends to $½(1+√(u/l))$ as $s → ∞$", "A_min's worst case for long prompts"),
    ("intervals", "on several intervals it is the largest of theirs", "largest of the intervals"),
)
"""Theorems that follow: a finding's id, its sentence, and the name of the theorem."""


def gap_evidence(gap: SymExpr, side: str) -> Evidence:
    """Decide whether the worst case is at most (at least) ½(1+κ) + gap: a theorem, or one setting at which it is not."""

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        claimed: RingElement = gap.subs({s: prompt, u: up})
        case = worst_case(l=low, u=up, s=prompt)
        with precision(160):
            bounds = case.enclosure(12)
            low_gap, high_gap = ends(hull(bounds.lower, bounds.upper) - (1 + kappa(low, up, prompt)) / 2)
        if not claimed.is_Rational or (low_gap <= claimed if side == "at most" else high_gap >= claimed):
            return None
        said, actual = (
            separating_decimals(claimed, low_gap) if side == "at most" else separating_decimals(high_gap, claimed)[::-1]
        )
        second = case.value - float(kappa(low, up, prompt)) / 2 - 0.5
        witness = {"s": prompt, "l": low, "u": up}
        return Refuted(witness, f"{side} {said}", actual, second, "of the forms: no limit is taken")

    name = "a gap above" if side == "at most" else "a gap below"
    return proved_or_refuted(theorem(name, gap=sp.Lambda((s, u), gap)), SETTINGS, refuted)


@claim(
    "every-s",
    FORM,
    "docs/beyond/every-s.md, one equation",
    "with $κ ≥ 1$ from $∑_{k=l+1}^{u} 1/(κ(s+2k−1)+s) = (κ−1)/(κ−1+(s+l)/l)$ the worst case of $A_min$'s form over "
    "H-SF's lies between $½(1+κ)$ and $½(1+κ) + u/(s+4u)$",
)
def every_s(given: Given) -> Decision:
    """Decide both gaps."""
    above, below = (
        Finding(
            side.replace(" ", "-"),
            f"the worst case is {side} $½(1+κ) + {given[name]}$",
            given.evidence(gap_evidence, formula_in(given, name, s=0, u=1), side),
        )
        for name, side in (("above", "at most"), ("below", "at least"))
    )
    return decision_at(
        FORM,
        "all integers $s ≥ 0$ and $u ≥ l ≥ 1$",
        "squares, and a Gram matrix",
        ("between two formulas, less than $¼$ apart", "the gap is another one"),
        above,
        below,
        *(Finding(id, says, given.proved(TEXT.named(theorem))) for id, says, theorem in CONSEQUENCES),
    )

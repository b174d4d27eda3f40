"""h-sf-charge: what a request costs H-SF at least, in token-instants of the whole memory."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import sympy as sp

from crtools.ledger import Decision, Evidence, Finding, Given, Refuted
from crtools.ledger.claims import claim, decision_at, proved_or_refuted
from crtools.ledger.deciders.ranges import formula_in
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.bounds import staggered
from crtools.papers.adaptive.theory import theorem
from crtools.papers.beyond.levels import ALGORITHM
from crtools.papers.beyond.theory import theorem as beyond
from crtools.process import simulate
from crtools.proof.symbols import k, l, s

SETTINGS = ((0, 1, 2), (1, 1, 2), (0, 1, 3), (0, 2, 4), (1, 1, 3), (3, 1, 2))


def charge_evidence(charge: SymExpr) -> Evidence:
    """Decide whether H-SF is no faster than with this charge: a theorem, or staggered starts that are faster."""

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        claimed, actual = charge.subs({s: prompt, l: low, k: up}), staggered.unit(prompt, low, up)
        if claimed <= actual or not theorem("A_random in step, H-SF staggered").holds:
            return None
        row = staggered.family(prompt, low, up, 1, 60)
        total = simulate("h-sf", row.lengths, row.memory, prompt, engine="fast").total_latency
        return Refuted(
            {"s": prompt, "l": low, "u": up, "M": row.memory, "shorter_than_u": row.short, "n": row.n},
            f"at least ${claimed}$ for each request of length ${up}$",
            f"{actual} as n → ∞",
            {"2M_TEL_over_n_squared": float(Fraction(2 * row.memory * total, row.n**2)), "n": row.n},
            "the limit is the same at every multiple of this M",
            theorem("A_random in step, H-SF staggered").records,
        )

    proof = beyond("a charge of H-SF's requests", claimed=sp.Lambda((k, s, l), charge))
    return proved_or_refuted(proof, SETTINGS, refuted)


@claim(
    "h-sf-charge",
    ALGORITHM,
    "docs/beyond/a-max.md, H-SF's generations",
    "$liminf 2M·TEL(H-SF)/n² ≥ ∑_{i,j} min(c_i, c_j) x_i x_j$ with $c_k = sk + k(k+1)/2 + l(l−1)/2$",
)
def h_sf_charge(given: Given) -> Decision:
    """Decide the charge, and that it is attained."""
    charge = given.evidence(charge_evidence, formula_in(given, "charge", s=0, l=1, k="l"))
    attained = given.proved(partial(theorem, "A_random in step, H-SF staggered"))
    generations = given.proved(partial(theorem, "generations of H-SF"))
    return decision_at(
        ALGORITHM,
        "every $s ≥ 0$, all lengths in $[l, u]$, $n → ∞$ and then $M → ∞$; starts in the order of the lengths",
        "generations of starts",
        ("H-SF needs at least these charges", "staggered starts need less"),
        Finding("at-least", f"H-SF's total is at least that of charges ${given['charge']}$", charge),
        Finding("attained", "at lengths $u$, for every $s$, $l < u$", attained),
        Finding("generations", "at every $n$, with an error term", generations),
    )

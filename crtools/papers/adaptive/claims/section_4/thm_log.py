"""thm-log: is the competitive ratio of A_min O(log 1/α)?"""

from __future__ import annotations

from crtools.ledger import Decision, Finding, Given, PublishedProof, Repair, by_theorem
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence import orders
from crtools.papers.adaptive.evidence.shrinking_needs import order_of_growth
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem


@claim(
    "thm-log",
    ALGORITHM,
    "Section 4.1, Theorem 5 (thm:aminmain)",
    "$CR(A_min) = O(log 1/α)$ as $M → ∞$, for each $s$",
    rests_on=["lem-amin", "wlog", "cor-ab", "lem-pd", "b-inverse", "t1", "t2", "trace"],
)
def thm_log(given: Given) -> Decision:
    """Decide Theorem "aminmain" of the form at s = 0, of the form, and of Algorithm 2."""
    growth = orders.growth_of(given)
    itself = order_of_growth(growth)
    verdicts = (
        *orders.verdicts(growth, "all $u ≥ ℓ ≥ 1$, of the form"),
        orders.at_algorithm(growth, "of Algorithm 2", itself),
    )
    proof = PublishedProof(
        (
            Finding(
                "wlog",
                '"W.L.O.G., we take $s = 0$, $ℓ = 1$"',
                orders.each_s(growth),
                instead="for each $s$ the order is the same, by an argument of its own",
            ),
            Finding(
                "trace-bound",
                "the Rayleigh quotient is at most $ρ(C_u) ≤ tr(C_u) = H_u$",
                by_theorem(theorem("trace bound")),
            ),
        ),
        gaps=(orders.NO_REASON,),
    )
    false = itself.status == "refuted"
    short = "Algorithm 2: at least like $α⁻¹/log(1/α)$" if false else "of Algorithm 2 this is open"
    repairs = (orders.repair_at_zero(),)
    repairs += (orders.repair_for_every_s(),) if orders.every_s(growth).status == "refuted" else ()
    return Decision(short, verdicts, proof, (*repairs, growth_repair()) if false else repairs)


def growth_repair() -> Repair:
    """How fast Algorithm 2's ratio grows at least."""
    return Repair(
        ALGORITHM,
        "at $ℓ = 1$, for every $s ≥ 0$ and $u ≥ 2$, as $n → ∞$ and then $M → ∞$: "
        "$CR(A_min) ≥ (u/2)/(1 + 2(s+1) ln((s+u)/(s+1)))$, of the order $α⁻¹/log(1/α)$",
        (
            Finding(
                "growth-of-algorithm-2",
                "Algorithm 2's ratio under laws whose needs shrink",
                by_theorem(theorem("growth")),
            ),
        ),
    )

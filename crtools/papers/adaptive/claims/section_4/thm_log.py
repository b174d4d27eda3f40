"""thm-log: is the competitive ratio of A_min O(log 1/α)?"""

from __future__ import annotations

from crtools.ledger import Decision, Finding, Given, PublishedProof, by_theorem
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence import orders
from crtools.papers.adaptive.evidence.reading import repairs
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
    names = ["a-min-order-at-zero"]
    names += ["a-min-order-for-every-s"] if orders.every_s(growth).status == "refuted" else []
    names += ["algorithm-2-growth"] if false else []
    return Decision(short, verdicts, proof, repairs(*names))

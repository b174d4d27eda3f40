"""cor-intervals: does the revised A_min on several intervals keep O(log 1/α)?"""

from __future__ import annotations

from crtools.ledger import Decision, Finding, Given, PublishedProof, Repair, by_theorem
from crtools.ledger.claims import claim
from crtools.papers.adaptive.claims.section_4.thm_log import growth_repair
from crtools.papers.adaptive.evidence import orders
from crtools.papers.adaptive.evidence.shrinking_needs import order_of_growth
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import TEXT, theorem


@claim(
    "cor-intervals",
    ALGORITHM,
    "Section 4.2, Corollary 2",
    "the revised $A_min$ keeps $O(log 1/α)$, $α = ℓ_1/u_m$, for each $s$",
    rests_on=["thm-log", "intervals-help"],
)
def cor_intervals(given: Given) -> Decision:
    """Decide the corollary: one interval is a case of several, and several are at most one for the form."""
    growth = orders.growth_of(given)
    itself = order_of_growth(growth)
    lists = "all lists of intervals with $u_j ≤ ℓ_{j+1}$, one interval included, $α = ℓ_1/u_m$"
    verdicts = (
        *orders.verdicts(
            growth, f"{lists}, of the form", TEXT.named("intervals below single"), worst="the worst case over lists"
        ),
        orders.at_algorithm(growth, f"{lists}, of the revised Algorithm 2", itself),
    )
    false = itself.status == "refuted"
    short = "Algorithm 2, one interval: $≥ α⁻¹/log(1/α)$" if false else "of Algorithm 2 this is open"
    levels = (AT_ZERO, FORM) if orders.every_s(growth).status == "refuted" else (AT_ZERO,)
    repairs = tuple(_below_one_interval(level) for level in levels)
    proof = PublishedProof(note="the paper gives no proof")
    return Decision(short, verdicts, proof, (*repairs, growth_repair()) if false else repairs)


def _below_one_interval(level: str) -> Repair:
    """What holds of the form on several intervals."""
    at_zero = level == AT_ZERO
    bound = "3/2 + ¼ ln(1/α)" if at_zero else "1 + (½ + √s)(1 + ½ ln(1/α))"
    bounded = theorem("upper bound" if at_zero else "upper bound for each s")
    return Repair(
        level,
        f"on disjoint intervals{'' if at_zero else ', for each $s ≥ 0$,'} the revised $A_min$'s worst case is at most that "
        f"on the one interval $[ℓ_1, u_m]$, which is at most ${bound}$",
        (
            Finding(
                "below-one-interval", "at most the one interval's form", by_theorem(theorem("intervals below single"))
            ),
            Finding("one-interval", f"$sup CR(A_min) ≤ {bound}$", by_theorem(bounded)),
        ),
    )

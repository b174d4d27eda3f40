"""cor-intervals: does the revised A_min on several intervals keep O(log 1/α)?"""

from __future__ import annotations

from crtools.ledger import Decision, Given, PublishedProof
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence import orders
from crtools.papers.adaptive.evidence.reading import repairs
from crtools.papers.adaptive.evidence.shrinking_needs import order_of_growth
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import TEXT


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
    names = ["intervals-at-zero"]
    names += ["intervals-for-each-s"] if orders.every_s(growth).status == "refuted" else []
    names += ["algorithm-2-growth"] if false else []
    return Decision(short, verdicts, PublishedProof(note="the paper gives no proof"), repairs(*names))

"""wlog: does "W.L.O.G. s = 0, l = 1" lose nothing?"""

from __future__ import annotations

from crtools.ledger import Decision, Given, PublishedProof
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence import orders
from crtools.papers.adaptive.evidence.reading import repairs
from crtools.papers.adaptive.levels import FORM


@claim(
    "wlog",
    FORM,
    "Section 4.1, sentence before Corollary 1 (cor:A/B)",
    '"W.L.O.G." $s = 0$, $ℓ = 1$: the worst case over $x$ for general $ℓ$ and each $s$ is $O(log 1/α)$ as well',
)
def wlog(given: Given) -> Decision:
    """Decide the reduction to s = 0, l = 1 by the worst case for general s and l."""
    growth = orders.growth_of(given)
    uniform = orders.every_s(growth).status == "refuted"
    return Decision(
        orders.line(growth),
        orders.verdicts(growth, "all $u ≥ ℓ ≥ 1$, of the form"),
        PublishedProof(gaps=(orders.NO_REASON,)),
        repairs("a-min-order-at-zero", "a-min-order-for-every-s") if uniform else (),
    )

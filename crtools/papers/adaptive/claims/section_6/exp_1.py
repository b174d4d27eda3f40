"""exp-1: what Section 6 says about its first experiment."""

from __future__ import annotations

from math import inf

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence.experiments import SETUP, decision, measured_ratio, setup_of
from crtools.papers.adaptive.evidence.reading import positive
from crtools.papers.adaptive.levels import ALGORITHM


@claim(
    "exp-1",
    ALGORITHM,
    "Section 6, Results for Experiment 1",
    "with $[1,1000]$ for all, $A_min$'s average latency is nearly identical to H-SF's; $A_max$'s is far higher",
    given={"nearly_identical": "1.10", "far_higher": "2", **SETUP},
)
def exp_1(given: Given) -> Decision:
    """Decide experiment 1."""
    setup = setup_of(given)
    nearly_identical, far_higher = positive(given, "nearly_identical"), positive(given, "far_higher")
    near = measured_ratio(setup, lambda x: x.over(1, 0, x.a_min), 0, nearly_identical)
    far = measured_ratio(setup, lambda x: x.over(1, 0, "a-max"), far_higher, inf)
    return decision(
        setup,
        (
            Finding("a-min-near", "$A_min$'s average latency is nearly identical to H-SF's at every $n$", near),
            Finding("a-max-far", "$A_max$'s average latency is far higher than H-SF's at every $n$", far),
        ),
    )

"""exp-2: what Section 6 says about its second experiment."""

from __future__ import annotations

from crtools.errors import InputError
from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence.experiments import SETUP, decision, measured_ratio, setup_of
from crtools.papers.adaptive.evidence.reading import positive
from crtools.papers.adaptive.levels import ALGORITHM


@claim(
    "exp-2",
    ALGORITHM,
    "Section 6, Results for Experiment 2",
    "with ten buckets $A_max$'s latency is nearly halved against experiment 1, and $A_min$ is close to H-SF",
    given={"halved_from": "0.40", "halved_to": "0.60", "close": "1.25", **SETUP},
)
def exp_2(given: Given) -> Decision:
    """Decide experiment 2."""
    setup = setup_of(given)
    low, high, close = (positive(given, name) for name in ("halved_from", "halved_to", "close"))
    if low > high:
        raise InputError("halved_to", given["halved_to"], f"must be at least halved_from = {given['halved_from']}")
    halved = measured_ratio(setup, lambda x: x.across(x.a_max, (2, 0), (1, 0)), low, high)
    near = measured_ratio(setup, lambda x: x.over(2, 0, x.a_min), 0, close)
    says = "$A_max$'s average latency is nearly halved against experiment 1 at every $n$"
    return decision(
        setup,
        (
            Finding("a-max-halved", says, halved),
            Finding("a-min-close", "$A_min$'s average latency is close to H-SF's at every $n$", near),
        ),
    )

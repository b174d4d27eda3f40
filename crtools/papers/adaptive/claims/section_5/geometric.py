"""geometric: the law P(k) ∝ q^k."""

from __future__ import annotations

from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict
from crtools.papers.adaptive.claims.section_5.one_parameter import (
    ARGUED,
    GEOMETRIC,
    METHOD,
    READING,
    bound_part,
    derived,
    directed,
    direction_of,
    larger_part,
    place_of,
    supremum,
)
from crtools.papers.adaptive.evidence.law_in_process import law_part


def decide_geometric(given: Given) -> Decision:
    """Decide the bound and the monotonicity of the geometric law's ratio."""
    bound, direction = number("bound", given["bound"]), direction_of(given)
    at_zero = bound_part("bounded, s = 0", GEOMETRIC, 0, bound)
    monotone = directed("monotone in q, s = 0", GEOMETRIC, 0, direction)
    larger = larger_part("bounded, s ≥ 1", GEOMETRIC, bound)
    no_longer = directed("monotone in q, s = 1", GEOMETRIC, 1, direction)
    process = law_part("bounded, of the algorithm itself", GEOMETRIC, bound)
    form = {"closed form at s = 0": str(derived(GEOMETRIC, 0).ratio), "checked against": derived(GEOMETRIC, 0).evidence}
    at_zero = Part(at_zero.part, at_zero.status, {**at_zero.evidence, **form}, at_zero.uses)
    argued = (at_zero, monotone)
    why0 = f"s = 0: the ratio is {derived(GEOMETRIC, 0).ratio}, → {derived(GEOMETRIC, 0).limit(q=1)} as q → 1"
    why1 = f"s = 1: the supremum is {supremum(GEOMETRIC, 1).enclosure.middle:.5f}, at q = {place_of(GEOMETRIC, 1)}"
    return Decision(
        (
            Verdict("as-stated", f"{READING}; and of Algorithm 2", METHOD, (larger, no_longer, process, *argued), why1),
            Verdict("where-argued", ARGUED, METHOD, argued, why0),
        ),
        Proof(
            "not-examined", "the paper reads it off a plot and calls a theoretical result hard; a closed form exists"
        ),
        (
            Repair(
                f"at s = 0, of the form: CR(A_min) under G(p) increases with q and is at most {given['bound'].strip()}",
                argued,
            ),
        )
        if direction == "increases"
        else (),
    )


CLAIM = Claim(
    id="geometric",
    place="Section 5.2",
    statement="CR(A_min) under G(p) increases with q and is bounded by 1.7",
    given={"bound": "1.7", "direction": "increases"},
    decide=decide_geometric,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "1.66"}, "bounded, s = 0"),
        Variant("the other direction", {"direction": "decreases"}, "monotone in q, s = 0"),
        Variant("a bound just below the limit", {"bound": "1.6822"}, "bounded, s = 0"),
        Variant("a bound below the limit by a hair", {"bound": "1.68223383"}, "bounded, s = 0"),
    ),
    variants=(
        Variant("a weaker bound", {"bound": "1.75"}, "bounded, s = 0"),
        Variant("a bound just above the limit", {"bound": "1.6822338337"}, "bounded, s = 0"),
    ),
)

"""uniform-bounds: one bound for each of three families of laws."""

from __future__ import annotations

from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict
from crtools.papers.adaptive.claims.section_5.one_parameter import (
    ARGUED,
    GEOMETRIC,
    LINEAR,
    METHOD,
    READING,
    bound_part,
    larger_part,
)
from crtools.papers.adaptive.evidence.law_in_process import law_part


def decide_uniform(given: Given) -> Decision:
    """Decide the three uniform bounds of the abstract."""
    from crtools.papers.adaptive.claims.section_5.two_point import PROCESS, decide_two_point

    bounds = {n: number(n, given[n]) for n in ("two_point", "geometric", "linear_geometric")}
    inner = decide_two_point({**TWO_POINT_GIVEN, "bound": given["two_point"]})
    stated, argued = inner.verdicts
    two = {"stated": stated.parts[0], "argued": argued.parts[0]}
    names = {"geometric": GEOMETRIC, "linear_geometric": LINEAR}
    at_zero = tuple(bound_part(f"{n}: at most the bound, s = 0", spec, 0, bounds[n]) for n, spec in names.items())
    larger = tuple(larger_part(f"{n}: at most the bound, s ≥ 1", spec, bounds[n]) for n, spec in names.items())
    zero_two = Part(
        "two_point: at most the bound, s = 0",
        two["argued"].status,
        two["argued"].evidence,
        two["argued"].uses,
    )
    more_two = Part("two_point: at most the bound, s ≥ 1", two["stated"].status, two["stated"].evidence)
    of_two = next(p for p in stated.parts if p.part == PROCESS)
    process = (
        Part("two_point: at most the bound, of the algorithm itself", of_two.status, of_two.evidence),
        *(law_part(f"{n}: at most the bound, of the algorithm itself", spec, bounds[n]) for n, spec in names.items()),
    )
    why = "; ".join(f"{p.part}: {p.status}" for p in (more_two, *larger, *process))
    return Decision(
        (
            Verdict(
                "as-stated",
                f"{READING}; and of Algorithm 2",
                METHOD,
                (more_two, *larger, *process, zero_two, *at_zero),
                why,
            ),
            Verdict(
                "where-argued",
                ARGUED,
                METHOD,
                (zero_two, *at_zero),
                "; ".join(f"{p.part}: {p.status}" for p in (zero_two, *at_zero)),
            ),
        ),
        Proof("not-examined", "a summary of Theorems no and LG and of the geometric figure"),
        (
            Repair(
                f"at s = 0, of the form: {given['two_point']}, {given['geometric']} and {given['linear_geometric']} bound "
                "CR(A_min) uniformly under two-point, geometric and LG laws",
                (zero_two, *at_zero),
            ),
        ),
    )


def _two_point_given() -> dict[str, str]:
    from crtools.papers.adaptive.claims.section_5.two_point import TWO_POINT

    return dict(TWO_POINT.given)


TWO_POINT_GIVEN = _two_point_given()


UNIFORM = Claim(
    id="uniform-bounds",
    place="abstract, contributions",
    statement="1.5, 1.7 and 1.56 bound CR(A_min) uniformly under two-point, geometric and LG laws",
    given={"two_point": "1.5", "geometric": "1.7", "linear_geometric": "1.56"},
    decide=decide_uniform,
    rests_on=("thm-two-point", "geometric", "thm-lg"),
    corrupted=(
        Variant("1.5 less 1 %", {"two_point": "1.485"}, "two_point: at most the bound, s = 0"),
        Variant("1.7 less 2 %", {"geometric": "1.66"}, "geometric: at most the bound, s = 0"),
        Variant("1.56 less 1 %", {"linear_geometric": "1.5444"}, "linear_geometric: at most the bound, s = 0"),
        Variant("1.5 less a hair", {"two_point": "1.5-1e-9"}, "two_point: at most the bound, s = 0"),
        Variant(
            "two bounds exchanged",
            {"geometric": "1.56", "linear_geometric": "1.7"},
            "geometric: at most the bound, s = 0",
        ),
    ),
    variants=(
        Variant(
            "weaker",
            {"two_point": "1.6", "geometric": "1.8", "linear_geometric": "1.6"},
            "geometric: at most the bound, s = 0",
        ),
        Variant("an exact supremum", {"linear_geometric": "14/9"}, "linear_geometric: at most the bound, s = 0"),
    ),
)

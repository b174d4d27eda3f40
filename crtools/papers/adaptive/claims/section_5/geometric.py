"""geometric: the law P(k) ∝ q^k."""

from __future__ import annotations

from crtools.ledger import Claim, Decision, Evidence, Finding, Given, PublishedProof, Refuted, Repair, Variant, Verdict
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import constant
from crtools.papers.adaptive.evidence.laws.one_parameter import (
    GEOMETRIC,
    METHODS,
    READINGS,
    bounded_at,
    derived,
    directed_at,
    direction_of,
    q,
    supremum,
    typed,
)  # fmt: skip
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM


def decide(given: Given) -> Decision:
    """Decide the bound and the monotonicity of the geometric law's ratio."""
    bound, direction = Bound.given("bound", given["bound"], q, constant()), direction_of(given)
    levels = (AT_ZERO, FORM, ALGORITHM)
    bounds = tuple(given.evidence(bounded_at, level, GEOMETRIC, bound) for level in levels)
    own = derived(GEOMETRIC, 0)
    why = {
        AT_ZERO: why_beyond(bounds[0])
        or f"the ratio is ${typed(own.ratio)}$, which tends to ${typed(own.limit(q=1))}$ as $q → 1$",
        FORM: why_beyond(bounds[1]) or f"at $s = 1$ the supremum is {supremum(GEOMETRIC, 1).enclosure.middle:.5f}",
        ALGORITHM: why_beyond(bounds[2]) or "no setting was found at which the ratio exceeds the bound",
    }
    says = f"$CR(A_min)$ under $G(p)$ is at most ${bound.text}$"
    verdicts = tuple(
        Verdict(
            level,
            READINGS[level],
            why[level],
            METHODS[level],
            (
                Finding("bound", says, limit),
                Finding(
                    "monotone", f"it {direction} with $q$", given.evidence(directed_at, level, GEOMETRIC, direction)
                ),
            ),
        )
        for level, limit in zip(levels, bounds, strict=True)
    )
    note = "the paper reads it off a plot and calls a theoretical result hard; a closed form exists"
    sentence = f"at $s = 0$: $CR(A_min)$ under $G(p)$ is ${typed(own.ratio)}$, increases with $q$ and is at most ${bound.text}$"
    repairs = (Repair(AT_ZERO, sentence, verdicts[0].findings),) if direction == "increases" else ()
    return Decision(_line(bounds), verdicts, PublishedProof(note=note), repairs)


def _line(bounds: tuple[Evidence, ...]) -> str:
    zero, larger, process = bounds
    if isinstance(process, Refuted):
        return f"at $s = {process.witness['s']}$, $q = {process.witness['q']}$: {ratio_of(process)}"
    if isinstance(larger, Refuted):
        return f"at $s = {larger.witness['s']}$ the forms exceed the bound"
    return f"bounded at $s = 0$: {zero.status}"


CLAIM = Claim(
    id="geometric",
    place="Section 5.2",
    statement="$CR(A_min)$ under $G(p)$ increases with $q$ and is bounded by 1.7",
    stated_at=ALGORITHM,
    given={"bound": "1.7", "direction": "increases"},
    decide=decide,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "1.66"}, "bound", AT_ZERO),
        Variant("the other direction", {"direction": "decreases"}, "monotone", AT_ZERO),
        Variant("a bound just below the limit", {"bound": "1.6822"}, "bound", AT_ZERO),
        Variant("a bound below the limit by a hair", {"bound": "1.68223383"}, "bound", AT_ZERO),
    ),
    variants=(
        Variant("a weaker bound", {"bound": "1.75"}, "bound", AT_ZERO),
        Variant("a bound just above the limit", {"bound": "1.6822338337"}, "bound", AT_ZERO),
    ),
)

"""thm-two-point: A_min's bound on laws on two lengths, and A_max's ratio there.

The given formulas (``bound``, ``num``, ``den``, ``ratio``) stand below ``claim thm-two-point`` in ``check/adaptive.txt``.
"""

from __future__ import annotations

from functools import partial

from crtools.ledger import Decision, Evidence, Finding, Given, Open, Refuted, Verdict
from crtools.ledger.claims import claim
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import unit
from crtools.papers.adaptive.bounds.two_lengths import alpha
from crtools.papers.adaptive.evidence.process_bounds import exceeded
from crtools.papers.adaptive.evidence.reading import repairs
from crtools.papers.adaptive.evidence.two_lengths import METHOD, READINGS, a_min_at_zero, a_min_every_s, published_proof
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import TEXT, theorem


@claim(
    "thm-two-point",
    ALGORITHM,
    "Section 5.1, Theorem 6 (thm:no)",
    "on ${ℓ, u}$: $CR(A_min) ≤ (3−α)/2$; $A_max$'s ratio there is unbounded",
    rests_on=["lem-amin"],
)
def thm_two_point(given: Given) -> Decision:
    """Decide the bound and A_max's unboundedness at every level, and the displays of the proof."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    zero, larger, process = (given.evidence(each, bound) for each in (a_min_at_zero, a_min_every_s, exceeded))
    itself = "proved lower bounds on A_min and A_max, a proved upper bound on H-SF"
    verdicts = tuple(
        Verdict(
            level,
            READINGS[level],
            _why(evidence),
            method,
            (
                Finding("a-min-bound", f"on ${{ℓ, u}}$: $CR(A_min) ≤ {bound.text}$", evidence),
                Finding("a-max-unbounded", "$A_max$'s ratio there is unbounded", given.proved(*theorems)),
            ),
        )
        for level, evidence, theorems, method in (
            (AT_ZERO, zero, (TEXT.named("a_max on two points"), TEXT.named("a_max unbounded on two points")), METHOD),
            (FORM, larger, (TEXT.named("a_max on two points"), TEXT.named("a_max unbounded on two points")), METHOD),
            (ALGORITHM, process, (partial(theorem, "A_max in the process, two lengths"),), itself),
        )
    )
    true = repairs("a-min-on-two-lengths-at-zero", "a-min-on-two-lengths")
    return Decision(_line(larger, process), verdicts, published_proof(given), true)


def _line(larger: Evidence, process: Evidence) -> str:
    if isinstance(process, Refuted):
        at = process.witness
        return f"Algorithm 2 at $s = {at['s']}$, $u = {at['u']}$: {ratio_of(process)}"
    if isinstance(larger, Refuted):
        return f"the form at $s = {larger.witness['s']}$: {ratio_of(larger)}"
    return {"proved": "the bound holds for every $s$, of the forms"}.get(larger.status, "not decided for every $s$")


def _why(evidence: Evidence) -> str:
    if isinstance(evidence, Open):
        return "not decided: " + evidence.tried
    if "with_prompts" in evidence.values:
        prompts = evidence.values["with_prompts"]
        return f"{why_beyond(evidence)}; with prompts too: {prompts['ratio_at_least']} at $s = 1$, $u = {prompts['u']}$"
    tight = evidence.values.get("the_bound_is_the_supremum")
    attained = ", which is attained at $x_ℓ : x_u = u : ℓ$ for every $α$" if tight else ""
    return why_beyond(evidence) or f"the bound is at least the supremum{attained}"

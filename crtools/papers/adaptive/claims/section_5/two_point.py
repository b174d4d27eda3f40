"""thm-two-point: A_min's bound on laws on two lengths, and A_max's ratio there.

The given formulas (``bound``, ``num``, ``den``, ``ratio``) stand below ``claim thm-two-point`` in ``check/adaptive.txt``.
"""

from __future__ import annotations

from functools import partial

import sympy as sp

from crtools.ledger import Decision, Evidence, Finding, Given, Open, PublishedProof, Refuted
from crtools.ledger.claims import claim
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import unit
from crtools.papers.adaptive.bounds.two_lengths import alpha, at_zero, s, value_of
from crtools.papers.adaptive.evidence.process_bounds import exceeded
from crtools.papers.adaptive.evidence.reading import Reading, reading_of, repairs
from crtools.papers.adaptive.evidence.two_lengths import a_min_at_zero, a_min_every_s, display
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
    read = reading_of("thm-two-point")
    of_form = TEXT.named("a_max on two points"), TEXT.named("a_max unbounded on two points")
    of_process = (partial(theorem, "A_max in the process, two lengths"),)
    verdicts = tuple(
        read.verdict(
            level,
            _why(evidence),
            Finding("a-min-bound", f"on ${{ℓ, u}}$: $CR(A_min) ≤ {bound.text}$", evidence),
            Finding("a-max-unbounded", "$A_max$'s ratio there is unbounded", given.proved(*theorems)),
        )
        for level, evidence, theorems in (
            (AT_ZERO, zero, of_form),
            (FORM, larger, of_form),
            (ALGORITHM, process, of_process),
        )
    )
    true = repairs("a-min-on-two-lengths-at-zero", "a-min-on-two-lengths")
    return Decision(_line(larger, process), verdicts, _proof(given, read), true)


def _proof(given: Given, read: Reading) -> PublishedProof:
    """Judge the displays in the proof of Theorem 6, which takes s = 0."""
    truth = {
        "num": value_of("a-min").subs(s, 0),
        "den": value_of("h-sf").subs(s, 0),
        "ratio": sp.cancel(at_zero("a-min") / at_zero("h-sf")),
    }
    displays = {
        name: given.evidence(display, name, given[name], true, f"two points: {name}") for name, true in truth.items()
    }
    return read.proof(**displays, square=given.proved(TEXT.named("a_min on two points")))


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

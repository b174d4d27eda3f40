"""amax-not-tight: is the upper bound of Theorem 1 above every ratio of A_max?"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.ledger import Decision, Evidence, Finding, Given, Open, Proved, PublishedProof, Verdict, by_theorem
from crtools.ledger.claims import claim
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import unit
from crtools.papers.adaptive.evidence import a_max_exact as a_max
from crtools.papers.adaptive.evidence import random_in_process as in_process
from crtools.papers.adaptive.evidence.reading import phrase
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.proof.symbols import alpha

OF_FORM, OF_PROCESS = "A_max's bound is not tight", "A_max in the process, below its bound"
WEIGHTS = "all $l < u$ with $l/u = α$, the supremum over all weights"
FORMS = (
    ("at-zero", AT_ZERO, 0, "of the form at $s = 0$", f"$s = 0$, {WEIGHTS}"),
    ("of-form", FORM, 1, "of the form for every $s$", f"every $s ≥ 0$, {WEIGHTS}"),
)
PROCESS = (
    "every $s ≥ 0$ and all $l < u$ with $l/u = α$; the supremum over $n$ and all lengths in $[l, u]$ of $E TEL(A_max)$ against H-SF, as "
    "$M → ∞$; at $α = 1$ the bound and the ratio are 1"
)


@claim(
    "amax-not-tight",
    ALGORITHM,
    "Section 3.2, after Theorem 1 (thm:Amax)",
    "the upper bound $α⁻¹(1+α⁻¹)/2$ of Theorem 1 is not tight",
)
def amax_not_tight(given: Given) -> Decision:
    """Decide whether A_max's supremum is below the bound for every α < 1, at the three levels."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    at_one = a_max.at_one(Fraction(1))
    verdicts = [
        _verdict(level, id, reading, of, strictly(a_max.bounded(bound, s), OF_FORM, bound), at_one)
        for id, level, s, of, reading in FORMS
    ]
    process = strictly(in_process.max_bounded(bound, strictly=True), OF_PROCESS, bound)
    limit = by_theorem(theorem("A_max against H-SF's generations"))
    says = "as $n/M → ∞$ and then $M → ∞$ the ratio is at most $½α⁻¹(1+α^{−1/2})$"
    in_the_limit = Finding("in-the-limit-of-algorithm", says, limit, decides=False)
    equal = in_process.at_equal_lengths(Fraction(1))
    verdicts.append(_verdict(ALGORITHM, "of-algorithm", PROCESS, "of A_max itself", process, equal, in_the_limit))
    summary = phrase(
        verdicts[-1].status,
        "false of $A_max$ itself",
        "$⅕α⁻¹(3+2α⁻¹)$ is below it, and holds",
        "open of $A_max$ itself",
    )
    note = "“because it treats all output lengths as equal to u”: a reason in words"
    return Decision(summary, tuple(verdicts), PublishedProof(note=note))


def strictly(evidence: Evidence, name: str, bound: Bound) -> Evidence:
    """Sharpen a proof that the supremum is at most the bound to one that it is below it; other evidence stays as it is."""
    if not isinstance(evidence, Proved):
        return evidence
    proof = TEXT.theorem(name, B=lambda value: bound.expr.xreplace({alpha: sp.sympify(value)}))
    return by_theorem(proof) if proof.holds else Open("the bound was not told from the least that is proved")


def _verdict(
    level: str, id: str, reading: str, of: str, evidence: Evidence, at_one: Evidence, *others: Finding
) -> Verdict:
    why = phrase(
        evidence.status, "the supremum is not below the bound", "the supremum is below the bound for every $α < 1$"
    )
    findings = (
        Finding(f"not-tight-{id}", f"for $α < 1$ the supremum {of} is below the bound", evidence),
        *others,
        Finding(f"at-one-{id}", f"at $α = 1$ the ratio {of} is 1, as the bound", at_one, decides=False),
    )
    return Verdict(level, reading, why, "a smaller bound that is proved", findings)

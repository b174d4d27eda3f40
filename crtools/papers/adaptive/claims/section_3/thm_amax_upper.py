"""thm-amax-upper: α⁻¹(1+α⁻¹)/2 bounds CR(A_max)."""

from __future__ import annotations

from fractions import Fraction

from crtools.ledger import Decision, Finding, Given, PublishedProof, Verdict
from crtools.ledger.claims import claim
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import unit
from crtools.papers.adaptive.evidence import a_max_exact as a_max
from crtools.papers.adaptive.evidence import random_in_process as in_process
from crtools.papers.adaptive.evidence.max_against_random import random_at_less_memory, without_error_term
from crtools.papers.adaptive.evidence.reading import phrase
from crtools.papers.adaptive.evidence.repairs import conclusion, repairs
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.proof.symbols import alpha

SAYS = "$CR(A_max)$ is at most the bound"
HOLDS = "holds of the form and of $A_max$ itself"


@claim(
    "thm-amax-upper",
    ALGORITHM,
    "Section 3.2, Theorem 1 (thm:Amax)",
    "$CR(A_max) ≤ α⁻¹(1+α⁻¹)/2 + O(1/M)$",
    rests_on=["lem-max-random", "packed-random", "prop-memory", "thm-random"],
)
def thm_amax_upper(given: Given) -> Decision:
    """Decide CR(A_max) ≤ bound at the three levels."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    zero = Finding("bound-at-zero", f"{SAYS}, of the form at $s = 0$", a_max.bounded(bound, 0))
    every = Finding("bound-of-form", f"{SAYS}, of the form for every $s$", a_max.bounded(bound, 1))
    process = Finding("bound-of-algorithm", f"{SAYS}, of A_max itself", in_process.max_bounded(bound))
    form = "all lengths $l < u$ with $l/u = α$, all weights, of the form as $M → ∞$"
    verdicts = (
        Verdict(AT_ZERO, f"$s = 0$, {form}", _form_why(zero), "sums of squares", (zero,)),
        Verdict(FORM, f"every $s ≥ 0$, {form}", _form_why(every), "sums of squares", (every,)),
        Verdict(
            ALGORITHM,
            "every $s$ and $l < u$, $E$ over the permutation, against H-SF, the supremum over all lengths in $[l, u]$ and $n$; the "
            "constant in $O(1/M)$ may depend on $s$, $l$ and $u$",
            phrase(
                process.status,
                "lengths 1 give a larger ratio",
                "proved at every $n$: A_max is at most list scheduling on $⌊M/(s+u)⌋$ machines, and H-SF's starts fall into "
                "generations",
                "neither proved nor refuted: $½α⁻¹(1+α⁻¹)$ and $α⁻¹(1+α^{−1/2}) + 1$ are the least bounds proved",
            ),
            "an upper bound at every n and M",
            (process,),
        ),
    )
    line = phrase(
        zero.status,
        "$A_max$'s form exceeds the bound",
        phrase(process.status, "not of $A_max$ itself", HOLDS, "true of the form, open for $A_max$ itself"),
        phrase(process.status, "not of $A_max$ itself", HOLDS, "open"),
    )
    true = repairs("a-max-at-zero", "a-max-of-form", "a-max-at-most")
    return Decision(line, verdicts, _proof(), true)


def _form_why(finding: Finding) -> str:
    return phrase(
        finding.status,
        "the form exceeds the bound",
        "the form's exact supremum is below the bound",
        "the bound is too near to the form's supremum",
    )


def _proof() -> PublishedProof:
    where = "Section EC.3, proof of Theorem 1"
    return PublishedProof(
        (
            Finding(
                "by-lemma",
                f"{where}: $E TEL(o; A_max) ≤ E TEL(o; A_random(αM))$",
                without_error_term(Fraction(1), None),
                instead=conclusion("a-max-below-twice-a-random"),
            ),
            Finding(
                "by-proposition",
                f"{where}: $E TEL(o; A_random(αM)) ≤ α⁻¹ E TEL(o; A_random(M))$",
                random_at_less_memory(),
                instead=conclusion("a-random-at-less-memory"),
            ),
        ),
        gaps=("the display before “Taking expectations” has $M$ and $αM$ exchanged",),
    )

"""The claim infeasible-pair: without cancellation, two active jobs cannot both complete within the memory."""

from __future__ import annotations

import sympy as sp

from crtools.ledger import Decision, Finding, Given, Open, Proved, PublishedProof, Refuted, Verdict, by_theorem
from crtools.ledger.claims import claim
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import whole
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule

LARGEST_REMAINING = 10**6


@claim(
    "infeasible-pair",
    ALGORITHM,
    "Section 2, “Batch Processing, Memory Constraint, and Cancellation of Requests”",
    "with memory use $M − 1$ and two active jobs, each with at least two tokens remaining, there is no way to "
    "complete both without exceeding the memory at some time",
)
def infeasible_pair(given: Given) -> Decision:
    """Decide whether two active jobs can both complete without cancellation.

    They hold ``use`` tokens of memory now, and each has at least ``remaining`` tokens to generate. A delayed job keeps its memory.
    While the first to complete generates its last ``remaining`` tokens, the other frees nothing, so the use rises by at least as many.
    """
    size = sp.Symbol("M", positive=True)
    _, use = formula_on("use", given["use"], {"M": size}, integers_from(M=1))
    remaining = whole("remaining", given["remaining"], 1, LARGEST_REMAINING)
    over = sp.expand(use + remaining - size)
    evidence = _evidence(over, remaining)
    says = (
        f"at use ${given['use'].strip()}$ with at least {remaining} tokens left each, the two jobs cannot both complete"
    )
    line, why = {
        "proved": (
            f"the first to end passes $M$ by {over} or more",
            "whichever job ends first generates its last tokens while the other keeps its memory",
        ),
        "refuted": (
            "the two jobs can end one after the other",
            "the first job ends within the memory, and what it held is free for the second",
        ),
        "inconclusive": ("the use is not $M$ plus a constant", "the use was not compared with $M$"),
    }[evidence.status]
    reading = (
        "two active jobs hold all the use; jobs may be delayed but not cancelled (with cancellation, which the paper "
        "introduces next, both can end one after the other); every $M$ and $s > 0$"
    )
    verdict = Verdict(ALGORITHM, reading, why, "an inequality", (Finding("not-both", says, evidence),))
    display = Finding("more-memory", "“Even if the decision-maker delays one job and processes the other”", evidence)
    return Decision(line, (verdict,), PublishedProof((display,)))


def _evidence(over: SymExpr, remaining: int) -> Proved | Refuted | Open:
    """Decide whether ``over``, the use at the first job's last token minus M, is positive."""
    if not over.is_Integer:
        return Open("the first job's last token; the use must be $M$ plus a constant")
    if over >= 1:
        return by_theorem(_exceeded(over, remaining))
    # one job runs to its end and frees its memory, then the other; ``over - remaining`` is the use now minus M
    s, generated, held = 1, 1, 2
    memory = 2 * held - int(over - remaining)
    alone = Schedule((0,), (generated + remaining,), s).peak_memory
    witness = {"s": s, "tokens_generated_by_each": generated, "M": memory, "tokens_left": remaining}
    return Refuted(
        witness,
        claimed=f"more than {memory} tokens at some time",
        actual={"use_while_the_first_ends": 2 * held + remaining, "use_while_the_second_ends": held + remaining},
        second=f"the first alone peaks at {alone}, with the other's {held} tokens at {alone + held}",
        stays="for every $M$ and $s$: the use is $M$ plus a constant",
    )


def _exceeded(over: SymExpr, remaining: int) -> Theorem:
    """Return the text's theorem, or its proof for another use or another number of remaining tokens."""
    if (over, remaining) == (1, 2):
        return theorem("two jobs")
    remaining_tokens = sp.Symbol("r")
    proof = Proof(
        "two jobs",
        "no cancellation, no other job, a delayed job keeps its memory; r: tokens that the first to end has left",
        rf"\text{{use}} + r > M \text{{ for }} r \ge {remaining}",
    )
    proof.positive(
        "use + r − M > 0 for every r at least as large",
        over - remaining + remaining_tokens,
        remaining_tokens >= remaining,
    )
    return proof.therefore(r"\text{whichever job ends first, the memory is exceeded by its last token}").qed()

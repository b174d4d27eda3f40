"""infeasible-pair: two requests that cannot both complete."""

from __future__ import annotations

import sympy as sp

from crtools.errors import InputError
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

MOST = 10**6


@claim(
    "infeasible-pair",
    ALGORITHM,
    "Section 2, “Batch Processing, Memory Constraint, and Cancellation of Requests”",
    "with memory use $M − 1$ and two active jobs, each with at least two tokens remaining, there is no way to "
    "complete both without exceeding the memory at some time",
)
def infeasible_pair(given: Given) -> Decision:
    """Decide whether two active jobs at a given use, each with a given number of tokens left, can both end without cancellation.

    A job that is delayed keeps its memory. Whichever ends first generates all its remaining tokens while the other
    holds what it has, so the use reaches the start's plus that number; the other order of tokens only adds to it.
    """
    size = sp.Symbol("M", positive=True)
    _, use = formula_on("use", given["use"], {"M": size}, integers_from(M=1))
    remaining = whole("remaining", given["remaining"], 1)
    if remaining > MOST:
        raise InputError("remaining", given["remaining"], f"must be at most {MOST}")
    over = sp.expand(use + remaining - size)
    evidence = decide_pair(over, remaining)
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


def decide_pair(over: SymExpr, remaining: int) -> Proved | Refuted | Open:
    """Decide by how much the memory is exceeded: ``over`` is the use at the first job's last token less M."""
    if not over.is_Integer:
        return Open("the first job's last token; the use must be $M$ plus a constant")
    if over >= 1:
        return by_theorem(_exceeded(over, remaining))
    # run one to its end, then the other: the first frees its memory
    s, generated, memory = 1, 1, 2 * (1 + 1) - int(over - remaining)
    use_at_ends = [2 * (s + generated) + remaining, (s + generated) + remaining]
    # the other keeps its memory for as long, as a prompt of s + generated tokens and no more would
    alone = Schedule((0,), (generated + remaining,), s).peak_memory
    witness = {"s": s, "tokens_generated_by_each": generated, "M": memory, "tokens_left": remaining}
    return Refuted(
        witness,
        claimed=f"more than {memory} tokens at some time",
        actual={"use_while_the_first_ends": use_at_ends[0], "use_while_the_second_ends": use_at_ends[1]},
        second=f"the first alone peaks at {alone}, with the other's {s + generated} tokens at {alone + s + generated}",
        stays="for every $M$ and $s$: the use is $M$ plus a constant",
    )


def _exceeded(over: SymExpr, remaining: int) -> Theorem:
    """Return the theorem of the text, or the same with what a claim is given."""
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

"""a-max and a-random: upper bounds on the two queues in the process, for long queues and much memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from crtools.ledger import Decision, Evidence, Finding, Given
from crtools.ledger.claims import claim, decision_at
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import unit
from crtools.papers.adaptive.evidence.random_in_process import max_bounded, random_bounded
from crtools.papers.adaptive.theory import theorem
from crtools.papers.beyond.levels import ALGORITHM
from crtools.proof.symbols import alpha
from crtools.proof.theorem import Theorem

READING = (
    "every $s ≥ 0$ and $l < u$, all lengths in $[l, u]$, $E$ over the order, against H-SF; $n/M → ∞$ and then $M → ∞$"
)


def _decide(
    given: Given,
    bounded: Callable[..., Evidence],
    says: str,
    holds: str,
    others: tuple[tuple[str, str, Callable[[], Theorem]], ...],
) -> Decision:
    """Decide the bound, beside theorems in s, l and u."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    findings = (
        Finding("bound", f"{says} at most ${given['bound']}$", bounded(bound, in_the_limit=True)),
        *(Finding(id, words, given.proved(theorem)) for id, words, theorem in others),
    )
    method = "slots or volumes above, H-SF's generations below"
    return decision_at(ALGORITHM, READING, method, (holds, "instances exceed it"), *findings)


@claim(
    "a-max",
    ALGORITHM,
    "docs/beyond/a-max.md, long queues",
    "$CR(A_max) ≤ ½ (s+u)/(s+l) (1 + √(1 + (s+l)/l · ∑_{k=l+1}^{u} 1/(s+k))) ≤ ½ α⁻¹(1 + √(1/α))$",
    rests_on=["h-sf-charge"],
)
def a_max(given: Given) -> Decision:
    """Decide a bound on A_max."""
    others = (
        ("exactly", "the bound with the sum over $s + k$", partial(theorem, "A_max against H-SF's generations")),
        ("slots", "$E TEL(A_max) ≤ m̄ ∑_{k≤n} ⌈k/N⌉$ at every $n$", partial(theorem, "A_max in slots")),
        (
            "at-every-n",
            "$E TEL(A_max)$ against H-SF at every $n$ for large $M$",
            partial(theorem, "A_max in the process, against H-SF"),
        ),
    )
    return _decide(given, max_bounded, "$CR(A_max)$ is", "for long queues; else the paper's bound", others)


@claim(
    "a-random",
    ALGORITHM,
    "docs/beyond/a-max.md, A_random",
    "$CR(A_random) ≤ ½ (1 + √(1 + Q/(l(s+l)))) ≤ ½ (1 + α⁻¹√(2 − α²))$ with $Q = ∑_{k=l+1}^{u} (s+2k−1)²/(s+k)$",
    rests_on=["h-sf-charge"],
)
def a_random(given: Given) -> Decision:
    """Decide a bound on A_random."""
    others = (
        (
            "exactly",
            "the bound with the sum over $(s+2k−1)²/(s+k)$",
            partial(theorem, "A_random against H-SF's generations"),
        ),
        (
            "staggered",
            "it is at least $2u(s+u)/(2u(s+l)+d(d+1))$, $d = u − l$",
            partial(theorem, "A_random in step, H-SF staggered"),
        ),
    )
    return _decide(given, random_bounded, "$CR(A_random)$ is", "for long queues; the paper's is exceeded", others)

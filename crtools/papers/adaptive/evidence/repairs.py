"""What is true of A_max and A_random in place of false claims: each sentence with its theorem, once."""

from __future__ import annotations

from crtools.ledger import Finding, Repair, by_theorem
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.proof.theorem import Theorem

EVERY = "for every $s ≥ 0$ and $l ≤ u$, every $n$ and $M > s+u$, against every schedule"
LESS = (
    "$TEL(A_random, βM) ≤ ρM/(βM−s−u) · (TEL(A_random, M) + n·u)$, for every permutation, with $ρ = 2(s+u)/(2s+u+1) < 2$; as "
    "$n/M → ∞$ and then $M → ∞$ the factor is at most $ρ/β$"
)
TWICE = "$TEL(A_max) ≤ 2M/(M−s−u) · (TEL(A_random(αM)) + n·u)$, for every permutation"
"""What is true in place of Lemma EC.1 on each permutation."""


def _repair(level: str, sentence: str, id: str, says: str, theorem: Theorem) -> Repair:
    return Repair(level, sentence, (Finding(id, says, by_theorem(theorem)),))


def a_max_at_zero() -> Repair:
    """How fast the supremum of A_max's form grows at s = 0."""
    sentence = "for all $l ≤ u$: $α⁻¹ ≤ sup CR(A_max) ≤ ½α⁻¹(1 + √(1 + ½ln(1/α)))$, of the form; at $α = 1$ it is 1"
    return _repair(
        AT_ZERO, sentence, "growth", "the growth of the supremum at $s = 0$", theorem("A_max's supremum at s = 0")
    )


def a_max_of_form() -> Repair:
    """The exact supremum of A_max's form."""
    sentence = (
        "for every $s ≥ 0$ and $1 ≤ l ≤ u$: $sup CR(A_max) = ½ (s+u)/(s+l) (1 + √(1 + (s+l)S/l))$ with "
        "$S = ∑_{k=l+1}^{u} 1/(s+2k−1)$, of the form"
    )
    return _repair(FORM, sentence, "exactly", "the supremum of $A_max$'s form", theorem("A_max's supremum"))


def a_max_at_most() -> Repair:
    """An upper bound on A_max at every n and M."""
    sentence = (
        f"{EVERY}: $E TEL(A_max) ≤ M/(M−s−u) · α⁻¹(1+α^{{−1/2}}) · TEL + ∑o_i$; the factor $α⁻¹(1+α^{{−1/2}})$ is at most "
        "$α⁻¹(1+α⁻¹)/2$ where $α ≤ 3 − 2√2$"
    )
    return _repair(
        ALGORITHM,
        sentence,
        "at-every-n",
        "$E TEL(A_max)$ at every $n$ and $M$",
        TEXT.theorem("A_max in the process, against every schedule"),
    )


def a_max_at_least() -> Repair:
    """A lower bound on A_max's ratio."""
    sentence = (
        "for every $s ≥ 0$ and $u ≥ l = 1$, on lengths 1, $n → ∞$ and then $M → ∞$: $CR(A_max) ≥ (s+u)/(s+1)$, which is $α⁻¹$ "
        "at $s = 0$"
    )
    return _repair(
        ALGORITHM, sentence, "on-lengths-one", "$A_max$ where every length is 1", TEXT.theorem("A_max on lengths 1")
    )


def a_random_of_form() -> Repair:
    """The exact supremum of A_random's form."""
    sentence = (
        "for every $s ≥ 0$ and $1 ≤ l ≤ u$: the worst case of $A_random$'s form over all weights on $[l, u]$ is attained on ${l, u}$, "
        "where it is $½(1 + √(u(s+u)/(l(s+l))))$"
    )
    return _repair(FORM, sentence, "exactly", "the supremum of $A_random$'s form", theorem("A_random's supremum"))


def a_random_at_most() -> Repair:
    """An upper bound on A_random at every n and M."""
    sentence = (
        f"{EVERY}: $E TEL(A_random) ≤ M/(M−s−u) · (s+u)/(2s+u+1) · (1 + √(v_u/v_l)) · TEL + ∑o_i$ with $v_o = so + o(o+1)/2$; "
        "the factor is below $1 + α⁻¹$"
    )
    return _repair(
        ALGORITHM,
        sentence,
        "at-every-n",
        "$E TEL(A_random)$ at every $n$ and $M$",
        TEXT.theorem("A_random in the process"),
    )


def a_max_below_a_random() -> Repair:
    """A_max with M against A_random with αM, of the forms."""
    sentence = "for every $s ≥ 0$, all $l ≤ u$ and $x ≥ 0$: $A_max$ with memory $M$ is at most $A_random$ with memory $αM$, of the forms"
    return _repair(
        FORM, sentence, "entries", "$A_max$'s form below $A_random$'s", theorem("A_max's form and A_random's(stretch)")
    )


def a_max_below_twice_a_random() -> Repair:
    """The same of the algorithms, with a factor and an error term."""
    sentence = f"for every $s ≥ 0$, all lengths in $[l, u]$, every $n$ and $M > s+u$: {TWICE}"
    says = "$A_max$ at $M$ below twice $A_random$ at $αM$"
    return _repair(ALGORITHM, sentence, "twice", says, TEXT.theorem("A_max at M below twice A_random at αM"))


def order_kept() -> Repair:
    """What is true of A_random's queue at two memories."""
    sentence = (
        "where $A_random$'s queue stops at the first request that does not fit, its schedules with one permutation at $M$ and at $βM$ "
        "preserve the corresponding order"
    )
    return _repair(ALGORITHM, sentence, "order-kept", "the order of a queue", TEXT.theorem("the order of a queue"))


def packed_by_passing() -> Repair:
    """What is true of A_random where it passes over what does not fit."""
    sentence = "where $A_random$ passes over what does not fit, its schedules are optimally packed: no request could start earlier"
    return _repair(
        ALGORITHM,
        sentence,
        "packed-by-passing",
        "a queue that passes over is packed",
        TEXT.theorem("a queue that passes over is packed"),
    )


def a_random_at_less_memory() -> Repair:
    """A_random with βM against A_random with M."""
    sentence = (
        "of $A_random$ itself, whose queue stops at the first request that does not fit, for every $s ≥ 0$, all lengths up to $u$, every "
        f"$n$ and $0 < β ≤ 1$ with $βM > s+u$: {LESS}"
    )
    return _repair(
        ALGORITHM, sentence, "less-memory", "$A_random$ at $βM$ against $M$", TEXT.theorem("A_random with less memory")
    )

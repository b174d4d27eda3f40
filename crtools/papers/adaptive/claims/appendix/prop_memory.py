"""prop-memory: packed schedules in corresponding order, with less memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil

import sympy as sp

from check import process as judge
from crtools.errors import InputError
from crtools.expressions import is_rational
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import integers_from
from crtools.ledger.deciders.search import Hit, SmallInstance, first_hit, search_evidence
from crtools.papers.adaptive.claims.appendix import threes_and_fours
from crtools.papers.adaptive.claims.appendix.threes_and_fours import not_in_proportion
from crtools.papers.adaptive.evidence.reading import phrase, reading_of, repairs, schedule, with_smallest
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import TEXT
from crtools.schedule import Schedule


@claim(
    "prop-memory",
    ALGORITHM,
    "Section EC.1, Proposition EC.1 (prop:memo_latency)",
    "for optimally packed schedules in corresponding order: $TEL(I') ≤ β⁻¹ TEL(I)$, and $L_i' ≤ β⁻¹ L_i$ for every $i$",
    rests_on=["tel-identity"],
)
def prop_memory(given: Given) -> Decision:
    """Decide TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion; the factor may depend on n."""
    factor = factor_of(given["factor"])
    times = "" if factor.text == "1" else f"{factor.text} · "
    findings = (
        Finding("total", f"$TEL(I') ≤ {times}β⁻¹ TEL(I)$", in_total(factor)),
        Finding("each", f"$L_i' ≤ {times}β⁻¹ L_i$ for every $i$", of_each(factor)),
    )
    read = reading_of("prop-memory")
    verdict = read.verdict(ALGORITHM, _why(findings[0].evidence), *findings)
    true = repairs("a-random-at-less-memory") if any(f.status == "refuted" for f in findings) else ()
    return Decision(_line(*findings), (verdict,), read.proof(in_proportion=not_in_proportion()), true)


def _why(evidence: Evidence) -> str:
    if not isinstance(evidence, Refuted):
        return phrase(evidence.status, "", "the totals differ by at most the factor", "the factor was not decided")
    if less := evidence.witness.get("less"):
        return f"threes, then fours: at {less} tokens less than $M = 340k$ the ratio of the latencies nears $20/17$, while $β⁻¹ → 1$"
    return "by rounding: with a little less memory one request runs at a time instead of two"


def _line(total: Finding, each: Finding) -> str:
    evidence = total.evidence
    if isinstance(evidence, Refuted) and "less" in evidence.witness:
        ratio, inverse = (100 * float(evidence.values[name]) - 100 for name in ("ratio", "inverse_beta"))
        return f"{ratio:.1f} % slower with {inverse:.1f} % less memory"
    if isinstance(evidence, Refuted):
        return "false by rounding of the memory"
    return phrase(each.status, "false of single requests", "not decided")


# ---- Does less memory cost latency in proportion only? TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion

n = sp.Symbol("n", positive=True)

LARGEST_N = 16
"""Largest number of requests in the families."""

FAR, FAR_OF_FRACTIONS = (10**2, 10**3), (10**6, 10**40)
"""Numbers of requests at which a factor is compared with n as well; the second where it is a fraction."""


def factor_of(text: str) -> Bound:
    """Read the factor, a formula of the number n of requests; ``InputError`` where it is not > 0 for few requests."""
    factor = Bound.given("factor", text, n, integers_from(n=1))
    for size in range(1, LARGEST_N + 1):
        if at(factor, size) <= 0:
            raise InputError("factor", text, f"must be > 0 for n = {size} requests")
    return factor


def in_total(factor: Bound) -> Evidence:
    """Decide the inequality between the totals: by a family at large memory, the smallest instance, or one due to rounding."""
    look = small_instance(factor, each=False)
    small = search_evidence(first_hit(2, 3, (1,), look, fewest=2))
    lasting = threes_and_fours.slower(partial(at, factor), each=False)
    if lasting is not None:
        return with_smallest(lasting, small)
    if isinstance(small, Refuted):
        return small
    sizes = range(2, LARGEST_N + 1)
    family = next(filter(None, (slow_total(size, at(factor, size)) for size in sizes)), None)
    if family is not None:
        return family
    proof = TEXT.theorem("packed schedules are not idle for long", F=sp.Lambda(n, factor.expr))
    if proof.holds:
        return by_theorem(proof)
    if any(at(factor, size) < size for size in (*sizes, *FAR, *(FAR_OF_FRACTIONS if is_rational(factor.tree) else ()))):
        return Open("below $n$, which a family with growing $o$ tends to; $o$ is too long to be run")
    return search_evidence(first_hit(3, 3, (1,), look, fewest=2))


def of_each(factor: Bound) -> Evidence:
    """Decide the inequality for every request; it is false for every factor."""
    small = search_evidence(first_hit(2, 3, (1,), small_instance(factor, each=True), fewest=2))
    lasting = threes_and_fours.slower(partial(at, factor), each=True)
    if lasting is not None:
        return with_smallest(lasting, small)
    if isinstance(small, Refuted):
        return small
    family = late_request(at(factor, 2))
    return family or Open("false for every factor, with $L = 1$ and $L' = o + 1$; $o$ is too long to be run")


# ---- Packed schedules in corresponding order at M and at less: the smallest instances, and families that exist by rounding only
# The families have prompts of nearly half the memory, M/(s+u) < 2: a token less, and one request runs instead of two.

LONGEST = 300
"""Families with lengths up to this one are run; a longer one would take too long to be confirmed."""


def at(factor: Bound, size: int) -> Fraction:
    """Return the factor at n = ``size``: exact if rational, else an upper bound, so that exceeding it is conclusive."""
    value = factor.at(Fraction(size), 12)
    if value is None:
        raise InputError("factor", factor.text, f"must be a real number for n = {size} requests")
    return value.upper


def small_instance(factor: Bound, *, each: bool) -> Callable[[SmallInstance], Hit | None]:
    """Return a check that looks at all pairs of schedules of an instance, at M and at every smaller memory."""

    def look(row: SmallInstance) -> Hit | None:
        large, factor_at_n = _schedules(row), at(factor, len(row.lengths))
        for smaller in range(row.s + max(row.lengths), row.memory):
            for a, b in product(large, _schedules(SmallInstance(row.lengths, row.s, smaller))):
                if judge.same_order(a, b):
                    hit = _compared(row, smaller, a, b, factor_at_n * Fraction(row.memory, smaller), each=each)
                    if hit is not None:
                        return hit
        return None

    return look


def _schedules(row: SmallInstance) -> list[tuple[int, ...]]:
    return [
        starts
        for starts in product(range(sum(row.lengths)), repeat=len(row.lengths))
        if judge.feasible(starts, row.lengths, row.s, row.memory)
        and judge.packed(starts, row.lengths, row.s, row.memory)
    ]


def _compared(
    row: SmallInstance, smaller: int, a: Sequence[int], b: Sequence[int], bound: Fraction, *, each: bool
) -> Hit | None:
    """Return a pair that contradicts the bound, confirmed by the schedules' own predicates."""
    totals = judge.total(a, row.lengths), judge.total(b, row.lengths)
    completions = [(p + o, r + o) for p, r, o in zip(a, b, row.lengths, strict=True)]
    late = [i for i, (before, after) in enumerate(completions) if after > bound * before]
    if not (late if each else totals[1] > bound * totals[0]):
        return None
    one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
    packed = one.optimally_packed(row.memory) and two.optimally_packed(smaller)
    facts = (one.feasible(row.memory) and two.feasible(smaller), packed, one.corresponds(two))
    agree(facts, (True, True, True), "a schedule's properties")
    agree(totals, (one.total_latency, two.total_latency), "two total latencies")
    claimed = f"request {late[0]} ends by {bound * completions[late[0]][0]}" if each else f"at most {bound * totals[0]}"
    values = {
        "beta_M": smaller, "I": a, "I_prime": b, "totals": totals, "bound": str(bound), "late": late,
        "by_rounding": f"$M/(s+u) = {Fraction(row.memory, row.s + max(row.lengths))}$",
        "schedules": [
            schedule(f"I at M = {row.memory}", a, row.lengths, row.s, row.memory),
            schedule(f"I' at βM = {smaller}", b, row.lengths, row.s, smaller),
        ],
    }  # fmt: skip
    second = {"totals": totals, "packed_and_in_order": "by the schedules' own predicates"}
    return Hit(claimed, completions[late[0]][1] if each else totals[1], second, values=values)


def slow_total(size: int, factor: Fraction) -> Refuted | None:
    """One request of o tokens and n − 1 of one: at M = 2s+o+1 they run beside it, at 2s+1 they wait for it.

    TEL = o + k(k+1)/2 and TEL' = (k+1) o + k(k+1)/2 with k = n − 1, so TEL'/TEL → n as o → ∞; β → 1 as s/o → ∞.
    """
    k = size - 1
    for o in range(max(k, 2), LONGEST + 1):
        less, more = o + k * (k + 1) // 2, size * o + k * (k + 1) // 2
        if more > factor * less:
            s = max(o, ceil(factor * less * o / (2 * (more - factor * less))) + 1)  # then factor · M/βM · TEL < TEL'
            row = SmallInstance((o, *[1] * k), s, 2 * s + o + 1)
            return _member(row, 2 * s + 1, (0, *range(k)), (0, *range(o, o + k)), factor, each=False)
    return None


def late_request(factor: Fraction) -> Refuted | None:
    """Two requests of o and 1 tokens: at M = 2s+2 both start at 0, at 2s+1 the short one waits for o instants."""
    o = max(2, 2 * ceil(factor))
    if o > LONGEST:
        return None
    return _member(SmallInstance((o, 1), o, 2 * o + 2), 2 * o + 1, (0, 0), (0, o), factor, each=True)


def _member(
    row: SmallInstance, smaller: int, a: tuple[int, ...], b: tuple[int, ...], factor: Fraction, *, each: bool
) -> Refuted:
    """Check a pair of schedules by both sets of predicates, and return it."""
    good = judge.same_order(a, b) and all(
        judge.feasible(starts, row.lengths, row.s, memory) and judge.packed(starts, row.lengths, row.s, memory)
        for starts, memory in ((a, row.memory), (b, smaller))
    )
    hit = _compared(row, smaller, a, b, factor * Fraction(row.memory, smaller), each=each) if good else None
    if hit is None:
        raise AssertionError("the family's schedules are not what they are made for")
    witness = {"lengths": row.lengths, "s": row.s, "M": row.memory, "beta_M": smaller, "I": a, "I_prime": b}
    return Refuted(witness, hit.claimed, hit.actual, hit.second, values=hit.values)

"""prop-memory: packed schedules in corresponding order, with less memory."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import Small, first, searched
from crtools.ledger.result import Decision, Part, Proof, Repair, from_theorem
from crtools.papers.adaptive.evidence.reading import PROCESS, found_so, one_verdict, schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.proof.steps import Inference, Positive
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule

TOTAL, EACH = "TEL(I') ≤ β⁻¹ TEL(I)", "L_i' ≤ β⁻¹ L_i for every i"
n = sp.Symbol("n", positive=True)


def decide_memory(given: Given) -> Decision:
    """Decide TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion; the factor may depend on n."""
    tree, expr = formula_on("factor", given["factor"], {"n": n}, integers_from(n=1))
    factors = [_factor(given["factor"], tree, expr, size) for size in range(1, MOST_REQUESTS + 1)]
    below = any(_factor(given["factor"], tree, expr, size) < size for size in (*range(2, MOST_REQUESTS), *FAR))
    parts = tuple(_part(name, expr, factors, below) for name in (TOTAL, EACH))
    why = found_so(parts)
    bad = [p.part for p in parts if p.status == "refuted"]
    reading = (
        "all pairs of feasible, optimally packed schedules in corresponding order at M and βM, s ≥ 1; a request of the "
        f"first batch could move to any earlier instant; {PROCESS}"
    )
    state = (
        Proof("false-step", "“at each moment the number processed in I' is β times that in I”")
        if bad
        else Proof("not-examined")
    )
    repair = Repair(
        "for every feasible, optimally packed I' (its first batch at 0) and every feasible I of the same n requests: TEL(I') ≤ 2n TEL(I)",
        (from_theorem("packed schedules are not idle for long", _busy(2 * n)),),
    )
    method = "explicit families; exhaustive search over all schedules"
    return one_verdict(reading, method, parts, why, state, (repair,) if bad else ())


MOST_REQUESTS = 16
"""Families of up to so many requests are tried."""

FAR = (10**2, 10**3, 10**6, 10**40)

LONGEST = 300
"""Families with lengths up to this one are run; a longer one would take too long to be confirmed."""


def _factor(text: str, tree: Any, expr: Any, size: int) -> Fraction:
    try:
        try:
            value = evaluate(tree, {"n": size})
        except ZeroDivisionError:
            raise
        except ArithmeticError:  # not rational: an upper end, so that what exceeds it exceeds the factor
            value = enclose(expr, {n: Fraction(size)}, 12).upper
    except (ArithmeticError, TypeError, ValueError):
        raise InputError("factor", text, f"must be a real number for n = {size} requests") from None
    if value <= 0:
        raise InputError("factor", text, f"must be > 0 for n = {size} requests")
    return value


def _part(name: str, expr: Any, factors: list[Fraction], below: bool) -> Part:
    """Decide one inequality; ``below``: the factor is below n for some n, and a family tends to n."""
    each = name == EACH
    part = searched(name, first(2, 3, (1,), _check(factors, each), fewest=2))
    family = (
        _late_family(factors[1])
        if each
        else next(filter(None, map(_total_family, range(2, MOST_REQUESTS + 1), factors[1:])), None)
    )
    if part.status == "refuted":
        return Part(name, "refuted", {**part.evidence, "not an effect of small n or M": _grown()})
    if family is not None:
        return Part(name, "refuted", family)
    if each:
        return Part(
            name,
            "inconclusive",
            {"tried": "false for every factor, with L = 1 and L' = o + 1; o is too long to be run"},
        )
    proof = _busy(expr)
    if proof.holds:
        return from_theorem(name, proof)
    if below:
        return Part(
            name, "inconclusive", {"tried": "below n, which a family with growing o tends to; o is too long to be run"}
        )
    return searched(name, first(3, 3, (1,), _check(factors, each), fewest=2))


def _schedules(row: Small) -> list[tuple[int, ...]]:
    return [
        starts
        for starts in product(range(sum(row.lengths)), repeat=len(row.lengths))
        if literal.feasible(starts, row.lengths, row.s, row.memory)
        and literal.packed(list(starts), row.lengths, row.s, row.memory) is None
    ]


def _check(factors: list[Fraction], each: bool) -> Any:
    def look(row: Small) -> Any:
        large = _schedules(row)
        for smaller in range(row.s + max(row.lengths), row.memory):
            small = _schedules(Small(row.lengths, row.s, smaller))
            bound = factors[len(row.lengths) - 1] * Fraction(row.memory, smaller)
            for a, b in product(large, small):
                if not literal.ordered(a, b):
                    continue
                totals = literal.total(a, row.lengths), literal.total(b, row.lengths)
                rows = enumerate(zip(a, b, row.lengths, strict=True))
                late = [i for i, (p, r, o) in rows if r + o > bound * (p + o)]
                if late if each else totals[1] > bound * totals[0]:
                    return {
                        "smaller memory βM": smaller, "I": list(a), "I'": list(b),
                        "TEL(I), TEL(I')": list(totals), "bound on TEL(I')/TEL(I)": str(bound), "late requests": late,
                        "second computation": _again(row, smaller, a, b),
                        "schedules": _pair(row.lengths, row.s, row.memory, smaller, a, b),
                    }  # fmt: skip
        return None

    return look


def _pair(
    lengths: Sequence[int], s: int, memory: int, smaller: int, a: Sequence[int], b: Sequence[int]
) -> list[dict[str, Any]]:
    return [
        schedule(f"I at M = {memory}", a, lengths, s, memory),
        schedule(f"I' at βM = {smaller}", b, lengths, s, smaller),
    ]


def _grown() -> list[dict[str, Any]]:
    """Prompts of nearly half the memory, o = 1: two run at once at M, one at M − 1. TEL'/TEL → 2 as n grows, β → 1."""
    rows: list[dict[str, Any]] = []
    for s, size in ((10, 10), (40, 20)):
        length, memory = 1, 2 * (s + 1)
        lengths = [length] * size
        starts = [tuple(literal.shortest_first(lengths, s, m)) for m in (memory, memory - 1)]
        totals = [literal.total(x, lengths) for x in starts]
        row = {"n": size, "o": length, "s": s, "M": memory, "βM": memory - 1, "TEL(I')/TEL(I)": totals[1] / totals[0]}
        shown = _again(Small(tuple(lengths), s, memory), memory - 1, starts[0], starts[1])
        rows.append({**row, "by the schedules' predicates": shown})
    return rows


def _total_family(size: int, factor: Fraction) -> dict[str, Any] | None:
    """One request of o tokens and n − 1 of one: at M = 2s+o+1 they run beside it, at 2s+1 they wait for it.

    TEL = o + k(k+1)/2 and TEL' = (k+1) o + k(k+1)/2 with k = n − 1, so TEL'/TEL → n as o → ∞; β → 1 as s/o → ∞.
    """
    k = size - 1
    for o in range(max(k, 2), LONGEST + 1):
        less, more = o + k * (k + 1) // 2, size * o + k * (k + 1) // 2
        if not more > factor * less:
            continue
        s = max(o, ceil(factor * less * o / (2 * (more - factor * less))) + 1)  # then factor · M/βM · TEL < TEL'
        lengths = (o, *[1] * k)
        found = _family(lengths, s, 2 * s + o + 1, 2 * s + 1, (0, *range(k)), (0, *range(o, o + k)))
        if not found["TEL(I')"] > factor * Fraction(found["M"], found["βM"]) * found["TEL(I)"]:
            raise AssertionError("the family's latencies are not those that it is made for")
        return {"counterexample": found, "bound on TEL(I')/TEL(I)": str(factor * Fraction(found["M"], found["βM"])),
                "second computation": found["by the schedules' predicates"], "schedules": _shown(found)}  # fmt: skip
    return None


def _late_family(factor: Fraction) -> dict[str, Any] | None:
    """Two requests of o and 1 tokens: at M = 2s+2 both start at 0, at 2s+1 the short one waits for o instants."""
    o = max(2, 2 * ceil(factor))
    if o > LONGEST:
        return None
    found = _family((o, 1), o, 2 * o + 2, 2 * o + 1, (0, 0), (0, o))
    if not o + 1 > factor * Fraction(found["M"], found["βM"]):
        raise AssertionError("the short request is not as late as it is made to be")
    return {"counterexample": found, "late request": 1, "L": 1, "L'": o + 1,
            "second computation": found["by the schedules' predicates"], "schedules": _shown(found)}  # fmt: skip


def _shown(found: dict[str, Any]) -> list[dict[str, Any]]:
    return _pair(*(found[name] for name in ("lengths", "s", "M", "βM", "I", "I'")))


def _family(
    lengths: tuple[int, ...], s: int, memory: int, smaller: int, a: tuple[int, ...], b: tuple[int, ...]
) -> dict[str, Any]:
    """Check a pair of schedules by both sets of predicates, and return it."""
    for starts, size in ((a, memory), (b, smaller)):
        if not literal.feasible(starts, lengths, s, size) or literal.packed(starts, lengths, s, size) is not None:
            raise AssertionError("a schedule of the family is not feasible or not packed")
    if not literal.ordered(a, b):
        raise AssertionError("the family's schedules are not in corresponding order")
    return {
        "lengths": list(lengths), "s": s, "M": memory, "βM": smaller, "I": list(a), "I'": list(b),
        "TEL(I)": literal.total(a, lengths), "TEL(I')": literal.total(b, lengths),
        "by the schedules' predicates": _again(Small(lengths, s, memory), smaller, a, b),
    }  # fmt: skip


def _busy(factor: Any) -> Theorem:
    """A packed schedule ends by 2 Σ o_j, so that TEL' ≤ 2n Σ o_j ≤ 2n TEL."""
    s, x, o = sp.symbols("s x o", nonnegative=True)
    return Theorem(
        "packed schedules are not idle for long",
        r"\mathrm{TEL}(I') \le 2n \sum_j o_j \le 2n\,\mathrm{TEL}(I)",
        "every feasible, optimally packed I', every feasible I; the factor is at least 2n for every n ≥ 1",
        (
            Positive(
                name="alone",
                text="a request of age x ≤ o holds s + x ≤ s + o ≤ βM tokens, so it fits on an empty machine",
                expr=(s + o) - (s + x),
                where=((s, 0), (x, 0), (o, x)),
                strict=False,
            ),
            Inference(
                name="gap",
                conclusion=r"\text{before a batch the machine is empty for less than } o_i \text{: else } i \text{ could run then}",
                follows_from=("alone",),
            ),
            Inference(
                name="end",
                conclusion=r"L_i' \le \sum_j o_j \text{ (busy)} + \sum_j o_j \text{ (empty)}",
                follows_from=("gap",),
            ),
            Positive(name="factor", text="factor ≥ 2n", expr=factor - 2 * n, where=((n, 1),), strict=False),
        ),
    )


def _again(row: Small, smaller: int, a: tuple[int, ...], b: tuple[int, ...]) -> str:
    one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
    if not (one.feasible(row.memory) and two.feasible(smaller) and one.corresponds(two)):
        raise AssertionError("two computations of a schedule's properties differ")
    if not (one.optimally_packed(row.memory) and two.optimally_packed(smaller)):
        raise AssertionError("two computations of optimal packing differ")
    return f"by the schedule's own predicates; totals {one.total_latency} and {two.total_latency}"


MEMORY = Claim(
    id="prop-memory",
    place="Proposition memo_latency",
    statement="for optimally packed schedules in corresponding order: TEL(I') ≤ β⁻¹ TEL(I), and L_i' ≤ β⁻¹ L_i",
    given={"factor": "1"},
    decide=decide_memory,
    rests_on=("tel-identity",),
    corrupted=(
        Variant("1 % weaker, still false", {"factor": "1.01"}, TOTAL),
        Variant("1 % stronger", {"factor": "0.99"}, TOTAL),
        Variant("half", {"factor": "1/2"}, TOTAL),
        Variant("nearly six times weaker, still false", {"factor": "5.9"}, TOTAL),
        Variant("just below the number of requests", {"factor": "0.99*n"}, TOTAL),
    ),
    variants=(Variant("twice the number of requests", {"factor": "2*n"}, TOTAL),),
)

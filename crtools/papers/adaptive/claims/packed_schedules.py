"""ex-order, packed-random and prop-memory: schedules that are feasible, optimally packed, and in corresponding order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product, repeat
from math import ceil
from operator import ge
from typing import NamedTuple

import numpy as np
import sympy as sp

from check import process as judge
from crtools.errors import InputError
from crtools.expressions import is_rational
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Open, Refuted, agree, by_theorem
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import integers_from
from crtools.ledger.deciders.search import Check, Hit, SmallInstance, first_hit, search, search_evidence
from crtools.ledger.evidence import Data
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence import reading
from crtools.papers.adaptive.evidence.reading import integers, one_of, phrase, repairs, schedule, whole
from crtools.papers.adaptive.literal import batches
from crtools.papers.adaptive.theory import ALGORITHM, TEXT, reading_of, stated_claim, theorem
from crtools.process import optimum, simulate
from crtools.schedule import Schedule

LARGEST = 100
"""The largest start."""

SAYS = {
    "feasible": "$I_1$, $I_2$, $I_3$ are feasible",
    "corresponding-order": "$I_1$, $I_2$, $I_3$ preserve the corresponding order pairwise",
    "neither-delayed": "neither of $I_1$, $I_2$ is delayed relative to the other",
    "both-delayed": "$I_3 ≤ I_1, I_2$",
    "optimal": "$I_3$ is optimal",
}


@stated_claim("ex-order")
def ex_order(given: Given) -> Decision:
    """Check the appendix example's schedules against the definitions."""
    lengths = tuple(integers("o", given["o"]))
    s, memory = (whole(name, given[name], 0, 100) for name in ("s", "M"))
    if len(lengths) > 4 or sum(lengths) > 12 or min(lengths) < 1:
        raise InputError("o", given["o"], "must be at most four lengths ≥ 1 that sum to at most 12")
    starts = {name: tuple(integers(name, given[name])) for name in ("i1", "i2", "i3")}
    for name, row in starts.items():
        if len(row) != len(lengths) or max(row) > LARGEST:
            raise InputError(name, given[name], f"must hold {len(lengths)} start times, each at most {LARGEST}")
    first, second = by_schedules(starts, lengths, s, memory), by_definitions(starts, lengths, s, memory)
    agree(first, second, "the example's facts")
    drawn = [schedule(f"I_{name[1:]}", row, lengths, s, memory) for name, row in starts.items()]
    instance: JsonObject = {"lengths": lengths, "s": s, "M": memory, **starts}

    def judged(id: str) -> Certified | Refuted:
        values = {"schedules": drawn} if id == "feasible" else {}
        if not first[id]:
            return Refuted(instance, "true", "false", second[id], "the example itself", values=values)
        return Certified(first[id], "the example's three schedules", second[id], {"starts": starts, **values})

    findings = tuple(Finding(id, says, judged(id)) for id, says in SAYS.items())
    false = [f.says for f in findings if f.status == "refuted"]
    why = "each property by its definition, the optimum by enumeration"
    line = "every property holds as printed"
    if false:
        why, line = f"not so: {'; '.join(false)}", f"not so: {len(false)} of {len(findings)} properties"
    read = reading_of("ex-order", M=memory, s=s, o=", ".join(map(str, lengths)))
    return read.judged(line, why, *findings, begin_earlier=judged("both-delayed"))


# ---- Three schedules against the definitions of the corresponding order, of delay and of optimality, by two routes ---

Rows = dict[str, tuple[int, ...]]
"""The starts of I_1, I_2 and I_3, under the names i1, i2 and i3."""


def by_schedules(starts: Rows, lengths: tuple[int, ...], s: int, memory: int) -> dict[str, bool]:
    """Return which properties hold by the schedules' own predicates and the mixed-integer optimum."""
    plans = {name: Schedule(row, lengths, s) for name, row in starts.items()}
    best = optimum(lengths, memory, s)
    total = best.proved and plans["i3"].total_latency == best.total_latency
    return {
        "feasible": all(p.feasible(memory) for p in plans.values()),
        "corresponding-order": all(a.corresponds(b) for a, b in combinations(plans.values(), 2)),
        "neither-delayed": not (plans["i1"].delayed(plans["i2"]) or plans["i2"].delayed(plans["i1"])),
        "both-delayed": plans["i1"].delayed(plans["i3"]) and plans["i2"].delayed(plans["i3"]),
        "optimal": total and plans["i3"].feasible(memory),
    }


def by_definitions(starts: Rows, lengths: tuple[int, ...], s: int, memory: int) -> dict[str, bool]:
    """Return the same by the literal definitions, the optimum by enumeration."""
    one, two, three = starts.values()
    feasible = [judge.feasible(row, lengths, s, memory) for row in starts.values()]
    return {
        "feasible": all(feasible),
        "corresponding-order": all(judge.same_order(a, b) for a, b in combinations(starts.values(), 2)),
        "neither-delayed": not _later(one, two) and not _later(two, one),
        "both-delayed": _later(one, three) and _later(two, three),
        "optimal": feasible[2] and judge.total(three, lengths) == _optimal_total(lengths, s, memory),
    }


def _later(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(map(ge, a, b))


def _optimal_total(lengths: tuple[int, ...], s: int, memory: int) -> int:
    """Return the least total latency; no optimal schedule is ever empty before its end, or worse than shortest first."""
    greedy = sum(judge.shortest_first(lengths, s, memory))
    return min(
        judge.total(starts, lengths)
        for starts in product(range(sum(lengths)), repeat=len(lengths))
        if sum(starts) <= greedy and judge.feasible(starts, lengths, s, memory)
    )


LARGEST_N = 4
"""Largest number of requests of an instance, in the search and of those drawn at random; a queue may have all permutations as orders."""

FALSE = {
    "packed-passing": "a queue that passes over a request leaves room in which another could start",
    "order-passing": "a shorter request that was passed over at $M$ is not at $αM$, or the other way round, so that two change their order",
}
"""What a refutation of a deciding finding means, by the finding's id."""

STOPPING = "where the queue stops at the first that does not fit"


@stated_claim("packed-random")
def packed_random(given: Given) -> Decision:
    """Search A_random's schedules for coupled pairs that change their order, and one that is not optimally packed."""
    policy = one_of(given, "policy", ORDERS)
    largest_n = reading.largest_n_given(given["requests"])
    limit = min(largest_n or LARGEST_N, LARGEST_N)

    def find(look: Check, n: int, tries: int) -> Evidence:
        sizes = {"n": min(limit, n), "longest": 4, "random_n": limit, "random_longest": 8}
        return search_evidence(search(look, **sizes, prompts=(1, 2), tries=tries), largest_n)

    stopping, passing = Queue(policy), Queue(policy, skip=True)
    if knows_lengths := policy != "a-max":  # A_max does not
        packed, kept = map(by_theorem, map(theorem, ("a queue that passes over is packed", "the order of a queue")))
    else:
        packed, kept = find(passing.not_packed, 3, 100), find(stopping.out_of_order, 3, 20)
    exchanged = find(passing.out_of_order, 3, 20)
    findings = (
        Finding("order-passing", "the coupled schedules at $M$ and $αM$ preserve the corresponding order", exchanged),
        Finding("packed-passing", f"{policy}'s schedules are optimally packed", packed),
        Finding("order", f"the first {STOPPING}: in order", kept, decides=False),
        Finding("packed", f"the second {STOPPING}: packed", find(stopping.not_packed, 4, 100), decides=False),
    )
    refuted = [f.id for f in findings if f.decides and f.status == "refuted"]
    why = "; ".join(FALSE[id] for id in refuted) or "no instance that was looked at contradicts it"
    if refuted and findings[3].status == "refuted":
        why += f"; {STOPPING}, they keep their order and are not packed"
    read = reading_of("packed-random", instances=reading.which_instances(largest_n))
    verdict = read.verdict(ALGORITHM, why, *findings)
    summary = FALSE["packed-passing"] if refuted else "no counterexample was found"
    if "order-passing" in refuted:
        summary = "at $M$ and $αM$ two requests change order"
    true = repairs("packed-by-passing", "order-kept") if refuted and knows_lengths else ()
    uncorrected = ["coupled"] * (exchanged.status != "refuted")
    proof = read.proof(*uncorrected, by_construction=packed, coupled=exchanged)
    return Decision(summary, (verdict,), proof, true)


# ---- Queues in a fixed order: schedules that are not optimally packed, and pairs that change their order -------------

ORDERS: dict[str, Callable[[int], Iterable[tuple[int, ...]]]] = {
    "a-random": lambda n: permutations(range(n)),
    "a-max": lambda n: permutations(range(n)),
    "h-sf": lambda n: [tuple(range(n))],
    "longest-first": lambda n: [tuple(reversed(range(n)))],
    "shortest-last": lambda n: [(*range(1, n), 0)],
}
"""The orders in which a policy's queue may have n requests, numbered by their length from the shortest, 0."""

GROWN = ((60, 60), (100, 120), (160, 200))
"""Sizes (M, n) of larger instances, with lengths 4 and 8 and s = 1: M/(s+u) grows at α = 1/2."""


@dataclass(frozen=True)
class Queue:
    """A policy's queue, which stops at the first request that does not fit, or passes over it (``skip``)."""

    policy: str
    skip: bool = False

    def starts(self, order: Sequence[int], row: SmallInstance, memory: int) -> list[int]:
        """Return the starts on an instance at a memory, by the literal process."""
        assumed = [max(row.lengths)] * len(row.lengths) if self.policy == "a-max" else list(row.lengths)
        return judge.run_queue(order, assumed, row.lengths, row.s, memory, passing=self.skip)

    def not_packed(self, row: SmallInstance) -> Hit | None:
        """Return a schedule with a request that could move to an earlier instant."""
        instance = row.lengths, row.s, row.memory
        for order in ORDERS[self.policy](len(row.lengths)):
            starts = self.starts(order, row, row.memory)
            earlier = ((i, k) for i, start in enumerate(starts) for k in range(start))
            if move := next((to for to in earlier if judge.may_move(starts, *instance, *to)), None):
                return self._packed_hit(row, order, starts, *move)
        return None

    def _packed_hit(self, row: SmallInstance, order: Sequence[int], starts: list[int], request: int, to: int) -> Hit:
        earlier = [*starts[:request], to, *starts[request + 1 :]]
        agree(Schedule(starts, row.lengths, row.s).optimally_packed(row.memory), False, "whether a schedule is packed")
        peak = Schedule(earlier, row.lengths, row.s).peak_memory
        if not self.skip:
            engine = "a-max" if self.policy == "a-max" else "a-random"  # the other orders are permutations of a-random
            simulated = simulate(engine, row.lengths, row.memory, row.s, order=order)
            agree([int(p) for p in simulated.starts], starts, "a queue's starts")
        rows = {f"{self.policy}, order {list(order)}": starts, f"request {request} moved to {to}": earlier}
        schedules = [schedule(name, each, row.lengths, row.s, row.memory) for name, each in rows.items()]
        return Hit(
            "no request can start earlier, back to the batch before its own",
            f"request {request} can start at {to} instead of {starts[request]}",
            f"not packed by the schedule's own predicate; with the request moved the peak is {peak} ≤ {row.memory}",
            self._stays(self._is_not_packed),
            {"order": list(order), "starts": starts, "request": request, "to": to, "schedules": schedules},
        )

    def out_of_order(self, row: SmallInstance) -> Hit | None:
        """Return two schedules with one order of the queue, at M and at αM, of which one exchanges two requests.

        α = l/u, where u is the largest length and l at most the least, and αM an integer at which each request can run.
        """
        high = max(row.lengths)
        for low in range(min(row.lengths), 0, -1):
            smaller, remainder = divmod(low * row.memory, high)
            if remainder or not row.s + high <= smaller < row.memory:
                continue
            for order in ORDERS[self.policy](len(row.lengths)):
                a, b = (self.starts(order, row, memory) for memory in (row.memory, smaller))
                if not judge.same_order(a, b):
                    return self._order_hit(row, low, smaller, order, a, b)
        return None

    def _order_hit(
        self, row: SmallInstance, low: int, smaller: int, order: Sequence[int], a: list[int], b: list[int]
    ) -> Hit:
        high = max(row.lengths)
        one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
        agree(one.corresponds(two), False, "the order of two schedules")
        agree(one.feasible(row.memory) and two.feasible(smaller), True, "whether two schedules are feasible")
        rows = (("M", row.memory, a), ("αM", smaller, b))
        schedules = [schedule(f"{self.policy} at {name} = {m}", x, row.lengths, row.s, m) for name, m, x in rows]
        sizes = [row.lengths[i] for i in order]
        i, j = next((j, i) for i in range(len(a)) for j in range(i) if (a[i] - a[j]) * (b[i] - b[j]) < 0)
        return Hit(
            "no two requests change their order",
            f"with $[l, u] = [{low}, {high}]$ and the queue {sizes}, starts {[a[i] for i in order]} at $M = {row.memory}$ and "
            f"{[b[i] for i in order]} at $αM = {smaller}$",
            f"requests {i} and {j} are exchanged; both feasible, by the schedules' own predicates",
            self._stays(self._is_exchanged_at_half),
            {"order": list(order), "l": low, "u": high, "alpha_M": smaller, "starts": [a, b], "schedules": schedules},
        )

    def _is_not_packed(self, row: SmallInstance, order: Sequence[int]) -> bool:
        return not judge.packed(self.starts(order, row, row.memory), row.lengths, row.s, row.memory)

    def _is_exchanged_at_half(self, row: SmallInstance, order: Sequence[int]) -> bool:
        return not judge.same_order(*(self.starts(order, row, memory) for memory in (row.memory, row.memory // 2)))

    def _stays(self, fails: Callable[[SmallInstance, Sequence[int]], bool]) -> str:
        """Say at which larger instances one of ten random orders fails too; "" unless one does at each size."""
        random = np.random.default_rng(0)

        def some(memory: int, n: int) -> bool:
            drawn = ((random.choice((4, 8), n).tolist(), random.permutation(n).tolist()) for _ in range(10))
            return any(fails(SmallInstance(tuple(sorted(o)), 1, memory), order) for o, order in drawn)

        if self.policy != "a-random" or not all(some(*size) for size in GROWN):
            return ""
        memories, sizes = (", ".join(map(str, values)) for values in zip(*GROWN, strict=True))
        return f"in orders drawn at random, also at $M = {memories}$ and $n = {sizes}$, lengths 4 and 8, $s = 1$"


# ---- prop-memory: packed schedules in corresponding order, with less memory -------------------------------------------


@stated_claim("prop-memory")
def prop_memory(given: Given) -> Decision:
    """Decide TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion; the factor may depend on n."""
    factor = Bound.given("factor", given["factor"], n, integers_from(n=1))
    for size in range(1, LARGEST_IN_FAMILY + 1):
        if factor_at(factor, size) <= 0:
            raise InputError("factor", given["factor"], f"must be > 0 for n = {size} requests")
    times = "" if factor.text == "1" else f"{factor.text} · "
    findings = (
        Finding("total", f"$TEL(I') ≤ {times}β⁻¹ TEL(I)$", decide_less_memory(factor, each=False)),
        Finding("each", f"$L_i' ≤ {times}β⁻¹ L_i$ for every $i$", decide_less_memory(factor, each=True)),
    )
    line, why = _words(*findings)
    true = repairs("a-random-at-less-memory") if any(f.status == "refuted" for f in findings) else ()
    return reading_of("prop-memory").judged(line, why, *findings, repairs=true, in_proportion=not_in_proportion())


def _words(total: Finding, each: Finding) -> tuple[str, str]:
    """Return the clause for the line of the ledger, and the verdict's reason."""
    evidence = total.evidence
    if not isinstance(evidence, Refuted):
        why = phrase(total.status, "", "the totals differ by at most the factor", "the factor was not decided")
        return phrase(each.status, "false of single requests", "not decided"), why
    if "less" not in evidence.witness:
        why = "by rounding: with a little less memory one request runs at a time instead of two"
        return "false by rounding of the memory", why
    ratio, inverse = (100 * float(evidence.values[name]) - 100 for name in ("ratio", "inverse_beta"))
    tokens = f"at {evidence.witness['less']} tokens less than $M = 340k$"
    why = f"threes, then fours: {tokens} the ratio of the latencies nears $20/17$, while $β⁻¹ → 1$"
    return f"{ratio:.1f} % slower with {inverse:.1f} % less memory", why


# ---- Does less memory cost latency in proportion only? TEL(I') ≤ factor · β⁻¹ TEL(I), and the same of each completion

n = sp.Symbol("n", positive=True)

LARGEST_IN_FAMILY = 16
"""Largest number of requests in the families."""

FAR, FAR_OF_FRACTIONS = (10**2, 10**3), (10**6, 10**40)
"""Numbers of requests at which a factor is compared with n as well; the second where it is a fraction."""


def decide_less_memory(factor: Bound, *, each: bool) -> Evidence:
    """Decide the inequality of the totals, or of every request: by a family at large memory, the smallest instance, or rounding."""
    look = small_instance(factor, each=each)
    small = search_evidence(first_hit(2, 3, (1,), look, fewest=2))
    lasting = slower(factor, each=each)
    if lasting is not None:
        return reading.with_smallest(lasting, small)
    if isinstance(small, Refuted):
        return small
    if each:  # false for every factor
        open_ = Open("false for every factor, with $L = 1$ and $L' = o + 1$; $o$ is too long to be run")
        return late_request(factor_at(factor, 2)) or open_
    sizes = range(2, LARGEST_IN_FAMILY + 1)
    family = next(filter(None, (slow_total(size, factor_at(factor, size)) for size in sizes)), None)
    if family is not None:
        return family
    proof = TEXT.theorem("packed schedules are not idle for long", F=sp.Lambda(n, factor.expr))
    if proof.holds:
        return by_theorem(proof)
    far = (*FAR, *(FAR_OF_FRACTIONS if is_rational(factor.tree) else ()))
    if any(factor_at(factor, size) < size for size in (*sizes, *far)):
        return Open("below $n$, which a family with growing $o$ tends to; $o$ is too long to be run")
    return search_evidence(first_hit(3, 3, (1,), look, fewest=2))


# ---- Packed schedules in corresponding order at M and at less: the smallest instances, families by rounding
# The families have prompts of nearly half the memory, M/(s+u) < 2: a token less, and one request runs instead of two.

LONGEST = 300
"""Families with lengths up to this one are run; a longer one would take too long to be confirmed."""


def factor_at(factor: Bound, size: int) -> Fraction:
    """Return the factor at n = ``size``: exact if rational, else an upper bound, so that exceeding it is conclusive."""
    value = factor.at(Fraction(size), 12)
    if value is None:
        raise InputError("factor", factor.text, f"must be a real number for n = {size} requests")
    return value.upper


def small_instance(factor: Bound, *, each: bool) -> Callable[[SmallInstance], Hit | None]:
    """Return a check that looks at all pairs of schedules of an instance, at M and at every smaller memory."""

    def look(row: SmallInstance) -> Hit | None:
        large, factor_at_n = _schedules(row), factor_at(factor, len(row.lengths))
        for smaller in range(row.s + max(row.lengths), row.memory):
            for a, b in product(large, _schedules(SmallInstance(row.lengths, row.s, smaller))):
                if judge.same_order(a, b):
                    hit = _compared(row, smaller, a, b, factor_at_n * Fraction(row.memory, smaller), each=each)
                    if hit is not None:
                        return hit
        return None

    return look


def _schedules(row: SmallInstance) -> list[tuple[int, ...]]:
    every = product(range(sum(row.lengths)), repeat=len(row.lengths))
    return [starts for starts in every if _is_packed(starts, row, row.memory)]


def _is_packed(starts: Sequence[int], row: SmallInstance, memory: int) -> bool:
    instance = row.lengths, row.s, memory
    return judge.feasible(starts, *instance) and judge.packed(starts, *instance)


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
    good = judge.same_order(a, b) and _is_packed(a, row, row.memory) and _is_packed(b, row, smaller)
    hit = _compared(row, smaller, a, b, factor * Fraction(row.memory, smaller), each=each) if good else None
    if hit is None:
        raise AssertionError("the family's schedules are not what they are made for")
    witness = {"lengths": row.lengths, "s": row.s, "M": row.memory, "beta_M": smaller, "I": a, "I_prime": b}
    return Refuted(witness, hit.claimed, hit.actual, hit.second, values=hit.values)


# ---- Threes, then fours, at M = 340k and three tokens less: a family that persists as M grows --------------------------

PROMPT, LESS = 1, 3
STAYS = "$α = 3/4$, $s = 1$, $M = 340k$, $n → ∞$: $80k$ to $68k$ starts every four instants at each $k$ run, as $β → 1$"

WITNESSES = ((1, 1_000), (1, 3_000))
"""Members (k, fours for each k) that are a witness, by the schedules' own predicates as well."""

TREND = ((1, 10_000), (10, 10_000), (100, 10_000), (1_000, 10_000), (1_000, 100_000))
"""Members of the trend, run in batches."""


class Member(NamedTuple):
    """25k threes and k·``fours`` fours, in this order, at M = 340k and at M − 3: both schedules in batches.

    ``counts``: (length, how many), the shorter first. ``memories``: M and βM.
    """

    counts: tuple[tuple[int, int], tuple[int, int]]
    memories: tuple[int, int]
    runs: tuple[list[batches.Batch], list[batches.Batch]]

    @property
    def n(self) -> int:
        """The number of requests."""
        return sum(count for _, count in self.counts)

    @property
    def inverse(self) -> Fraction:
        """1/β."""
        return Fraction(*self.memories)

    @property
    def totals(self) -> tuple[int, int]:
        """TEL(I) and TEL(I')."""
        one, two = map(batches.total, self.runs)
        return one, two

    @property
    def witness(self) -> dict[str, int]:
        """The instance: how many requests have each length."""
        (_, threes), (_, fours) = self.counts
        large, small = self.memories
        return {"threes": threes, "fours": fours, "s": PROMPT, "M": large, "beta_M": small, "less": LESS}

    def completions(self) -> Iterator[tuple[int, int]]:
        """Iterate over the pairs L_i, L_i'."""
        one, two = ([t for t, count in batches.completions(run) for t in repeat(t, count)] for run in self.runs)
        return zip(one, two, strict=True)


@cache
def member(k: int, fours: int) -> Member:
    """Return a member, whose schedules are packed and in one order by the literal definitions."""
    counts, memories = ((3, 25 * k), (4, fours * k)), (340 * k, 340 * k - LESS)
    one, two = (batches.shortest_first(counts, PROMPT, memory) for memory in memories)
    for run, memory in zip((one, two), memories, strict=True):
        if not (batches.packed(run, PROMPT, memory) and batches.in_order(run)):
            raise AssertionError("a schedule of threes and fours is not packed, or not in order")
    return Member(counts, memories, (one, two))


@cache
def simulated_schedules(k: int, fours: int) -> tuple[Schedule, Schedule]:
    """Return both schedules of a member by the simulator, feasible, packed and in corresponding order by their own predicates."""
    row = member(k, fours)
    lengths = [length for length, count in row.counts for length in repeat(length, count)]
    one, two = (simulate("h-sf", lengths, memory, PROMPT).schedule for memory in row.memories)
    packed = [plan.feasible(m) and plan.optimally_packed(m) for plan, m in zip((one, two), row.memories, strict=True)]
    agree((*packed, one.corresponds(two)), (True, True, True), "whether the schedules are packed and in order")
    return one, two


def slower(factor: Bound, *, each: bool) -> Refuted | None:
    """Return a member with TEL(I') > factor · β⁻¹ TEL(I), or L_i' > factor · β⁻¹ L_i for some i, or None."""
    for sizes in WITNESSES:
        row = member(*sizes)
        bound = factor_at(factor, row.n) * row.inverse
        pairs = list(row.completions()) if each else [row.totals]
        late = max(range(len(pairs)), key=lambda i: pairs[i][1] - bound * pairs[i][0])
        before, after = pairs[late]
        if after <= bound * before:
            continue
        second = [int(plan.completions[late]) if each else plan.total_latency for plan in simulated_schedules(*sizes)]
        agree(second, [before, after], "latencies of threes and fours")
        if each:
            claimed, name = f"request {late} ends by {_fraction_text(bound * before)}", "completions"
            values: Data = {"request": late, "completions": pairs[late]}
        else:
            claimed, name = f"at most {_fraction_text(bound * before)}", "totals"
            ratios: Data = {"ratio": after / before, "inverse_beta": float(row.inverse)}
            values = {"totals": second, **ratios, "trend": trend()}
        return Refuted(row.witness, claimed, after, {name: second}, STAYS, values=values)
    return None


def not_in_proportion() -> Refuted:
    """At some instant the numbers in process are not as M to βM: the one, up to I's last start, at which I' has fewest."""
    row = member(*WITNESSES[0])
    one, two = row.runs
    numbers = {t: (batches.running(one, t), batches.running(two, t)) for t in range(1, one[-1][0] + 1)}
    instant = max(numbers, key=lambda t: numbers[t][0] - numbers[t][1] * row.inverse)
    spans = (zip(plan.starts, plan.completions, strict=True) for plan in simulated_schedules(*WITNESSES[0]))
    second = tuple(sum(p < instant <= e for p, e in rows) for rows in spans)
    first, actual = agree(numbers[instant], second, "the numbers in process")
    claimed = f"{_fraction_text(first / row.inverse)} requests at the instant {instant}"
    values = {"in_process": [first, actual], "instant": instant}
    return Refuted(row.witness, claimed, actual, {"in_process": second}, STAYS, values=values)


@cache
def trend() -> list[JsonObject]:
    """Return the ratio of the latencies and 1/β as M and n grow, in exact integers, shown as floats.

    Beside them stands how many requests start in four instants, near the end of both schedules.
    """
    rows: list[JsonObject] = []
    for row in (member(*sizes) for sizes in TREND):
        one, two = row.totals
        pace = [sum(count for start, _, count in run if 4 < run[-1][0] - start <= 8) for run in row.runs]
        rows.append({
            "n": row.n, "M": row.memories[0], "totals": row.totals, "ratio": two / one,
            "inverse_beta": float(row.inverse), "starts_in_four_instants": pace,
        })  # fmt: skip
    return rows


def _fraction_text(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ≈ {float(value):.6g}"

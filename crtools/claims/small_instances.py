"""Statements about single schedules: tel-identity, hsf-cardinality, amax-safe, the two examples, packed-random,
prop-memory and hsf-lower. They are decided on instances that a reader can follow by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

import sympy as sp

from crtools.claims import literal_process as literal
from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.result import Decision, Part, Proof, Verdict, from_theorem
from crtools.claims.search import Found, Small, first
from crtools.errors import InputError
from crtools.expressions import evaluate, formula, number
from crtools.process import optimum, simulate
from crtools.schedule import Schedule
from crtools.theorems.steps import Identity, Inference, Positive
from crtools.theorems.theorem import Theorem

PROCESS = "of the discrete process (docs/model.md)"


def _whole(name: str, text: str, least: int = 0) -> int:
    value = number(name, text)
    if value.denominator != 1 or value < least:
        raise InputError(name, text, f"must be an integer ≥ {least}")
    return int(value)


def _integers(name: str, text: str) -> list[int]:
    return [_whole(name, part) for part in text.split(",")]


def _one(reading: str, method: str, parts: tuple[Part, ...], why: str, proof: Proof) -> Decision:
    return Decision((Verdict("as-stated", reading, method, parts, why),), proof)


# ---- tel-identity -------------------------------------------------------------------------------------------------


def decide_tel(given: Given) -> Decision:
    """Decide TEL = a Σ_t t |I_t| + b Σ_i o_i: both sides are sums over requests of p + o and a p + b o."""
    a, b = (number(name, given[name]) for name in ("waiting", "processing"))
    p, o = sp.symbols("p o", integer=True, nonnegative=True)
    theorem = Theorem(
        "total latency",
        r"\sum_i L_i = \sum_t t\,|I_t| + \sum_i o_i",
        "every schedule; p is a request's last start, so t·|I_t| is the sum of p over the requests of I_t",
        (
            Identity(
                name="one request",
                text="a request of I_p adds p + o to the left side, and a·p + b·o to the right",
                lhs=p + o,
                rhs=sp.Rational(a.numerator, a.denominator) * p + sp.Rational(b.numerator, b.denominator) * o,
            ),
            Inference(
                name="sum",
                conclusion=r"\text{summing over the requests, grouped by their last start, gives the identity}",
                follows_from=("one request",),
            ),
        ),
    )
    name = "TEL = Σ t·|I_t| + Σ o_i"
    part = from_theorem(name, theorem)
    if part.status != "proved":
        starts, lengths = (0, 2), (1, 3)
        shown = a * sum(starts) + b * sum(lengths)
        schedule = Schedule(starts, lengths)
        if shown != schedule.total_latency:
            evidence = {
                "counterexample": {"starts": list(starts), "lengths": list(lengths)},
                "claimed": str(shown),
                "actual": schedule.total_latency,
                "second computation": literal.total(starts, lengths),
            }
            part = Part(name, "refuted", evidence)
    state = Proof("sound") if part.status == "proved" else Proof("false-step", name)
    return _one(f"every schedule, {PROCESS}", "an identity per request", (part,), f"{name}: {part.status}", state)


# ---- infeasible-pair ------------------------------------------------------------------------------------------------


def decide_pair(given: Given) -> Decision:
    """Decide whether two active jobs at a given use, each with so many tokens left, can both end without cancellation.

    A job that is delayed keeps its memory. Whichever ends first generates all its remaining tokens while the other
    holds what it has, so the use reaches the start's plus that number; the other order of tokens only adds to it.
    """
    size, left = sp.symbols("M r", positive=True)
    _, use = formula("use", given["use"], {"M": size})
    remaining = _whole("remaining", given["remaining"], 1)
    over = sp.expand(use + remaining - size)
    name = (
        f"two jobs at use {given['use'].strip()}, at least {remaining} tokens left each: not both without exceeding M"
    )
    if not over.is_Integer:
        part = Part(name, "inconclusive", {"tried": "the use must be M plus a constant"})
    elif over >= 1:
        theorem = Theorem(
            "two jobs",
            r"(M - 1) + r > M \text{ for } r \ge 2",
            "no cancellation, no other job, a delayed job keeps its memory; r: tokens that the first to end has left",
            (
                Positive(
                    name="use at its end",
                    text="use + r − M > 0 for every r at least as large",
                    expr=over - remaining + left,
                    where=((left, remaining),),
                ),
                Inference(
                    name="either order",
                    conclusion=r"\text{whichever job ends first, the memory is exceeded by its last token}",
                    follows_from=("use at its end",),
                ),
            ),
        )
        part = from_theorem(name, theorem)
    else:
        # run one to its end, then the other: the first frees its memory
        s, generated, memory = 1, 1, 2 * (1 + 1) - int(over - remaining)
        first_end = 2 * (s + generated) + remaining
        second_end = (s + generated) + remaining
        evidence = {
            "counterexample": {"s": s, "tokens generated by each": generated, "M": memory, "tokens left": remaining},
            "use while the first ends": first_end,
            "use while the second ends": second_end,
            "second computation": [2 * (s + generated) + k for k in range(remaining + 1)],
        }
        part = Part(name, "refuted" if max(first_end, second_end) <= memory else "inconclusive", evidence)
    reading = (
        "two active jobs hold all the use; jobs may be delayed but not cancelled (with cancellation, which the paper "
        "introduces next, both can end one after the other); every M and s > 0"
    )
    states = {"proved": Proof("sound"), "refuted": Proof("false-step", name)}
    state = states.get(part.status, Proof("not-examined"))
    return _one(reading, "an inequality", (part,), part.status, state)


# ---- domination: hsf-cardinality and amax-safe ----------------------------------------------------------------------


def _domination() -> tuple[Any, ...]:
    s, x = sp.symbols("s x", nonnegative=True)
    return (
        Positive(
            name="use",
            text="a request of age x holds s + x ≥ 0 tokens, so one that ends sooner never holds more",
            expr=s + x,
            where=((s, 0), (x, 0)),
            strict=False,
        ),
    )


def decide_cardinality(given: Given) -> Decision:
    """Decide whether the longest fitting prefix in increasing o is a fitting set of largest cardinality."""
    order = given["order"].strip()
    if order not in ("increasing", "decreasing"):
        raise InputError("order", order, "must be increasing or decreasing")
    prompts = given["prompts"].strip()
    if prompts not in ("equal", "unequal"):
        raise InputError("prompts", prompts, "must be equal or unequal")
    name = f"the longest prefix in {order} o that fits has the largest cardinality, {prompts} prompts"
    found = _cardinality_counterexample(order, prompts)
    if found is not None:
        part = Part(name, "refuted", found)
    elif order == "increasing" and prompts == "equal":
        theorem = Theorem(
            "largest prefix",
            r"|U| \le m \text{ for every fitting } U",
            "one round: running requests fixed, the waiting ones all start now; every s ≥ 0, M and lengths",
            (
                *_domination(),
                Inference(
                    name="exchange",
                    conclusion=r"\text{the } k\text{-th shortest waiting request is no longer than the } k\text{-th shortest of } U",
                    follows_from=("use",),
                ),
                Inference(
                    name="prefix",
                    conclusion=r"\text{so the } |U| \text{ shortest hold at most what } U \text{ holds at every instant, and fit}",
                    follows_from=("use", "exchange"),
                ),
            ),
        )
        part = from_theorem(name, theorem, checked="every set of at most 4 requests with o ≤ 4 at every M, s ≤ 2")
    else:
        part = Part(name, "inconclusive", {"tried": "every set of at most 4 requests with o ≤ 4"})
    state = Proof("not-examined", "stated without proof")
    return _one(
        f"one scheduling round, {PROCESS}", "exchange argument; exhaustive check", (part,), f"{part.status}", state
    )


def _cardinality_counterexample(order: str, prompts: str) -> dict[str, Any] | None:
    """Compare the longest prefix with the best of all sets, on an empty machine."""
    sizes = (0, 1, 2) if prompts == "equal" else (0,)
    for n in range(1, 5):
        for kinds in product(range(1, 5), repeat=n) if prompts == "equal" else product(range(1, 4), repeat=n):
            lengths = sorted(kinds, reverse=order == "decreasing")
            if prompts == "equal" and list(kinds) != lengths:
                continue
            choices = [[s] * n for s in sizes] if prompts == "equal" else [list(x) for x in product((0, 2), repeat=n)]
            if prompts == "unequal" and list(kinds) != lengths:
                continue
            for own in choices:
                for memory in range(1, sum(lengths) + sum(own) + 1):
                    prefix = next((k for k in range(n, 0, -1) if _fits(lengths[:k], own[:k], memory)), 0)
                    best = max(
                        (k for k in range(n + 1) for c in combinations(range(n), k)
                         if _fits([lengths[i] for i in c], [own[i] for i in c], memory)),
                        default=0,
                    )  # fmt: skip
                    if best > prefix:
                        return {
                            "counterexample": {"lengths": lengths, "s": own, "M": memory},
                            "longest prefix": prefix,
                            "largest set": best,
                            "second computation": "both by enumeration of all subsets, memory summed at every instant",
                        }
    return None


def _fits(lengths: Sequence[int], prompts: Sequence[int], memory: int) -> bool:
    top = max(lengths, default=0)
    return all(sum(s + t for o, s in zip(lengths, prompts, strict=True) if t <= o) <= memory for t in range(1, top + 1))


def decide_safe(given: Given) -> Decision:
    """Decide whether a queue that assumes a length never exceeds the memory: true where the assumption is not below o."""
    low_end, gap, high_end = sp.symbols("l d u", nonnegative=True)
    tree, expr = formula("assumed", given["assumed"], {"l": low_end, "u": high_end})
    name = (
        f"assuming {given['assumed'].strip()} for every request, the memory is never exceeded and nothing is cancelled"
    )
    excess = sp.expand(expr.subs(low_end, high_end - gap) - high_end)  # l = u − d with d ≥ 0
    enough = excess == 0 or (
        excess.is_polynomial(gap, high_end) and all(c >= 0 for c in sp.Poly(excess, gap, high_end).coeffs())
    )

    def check(row: Small) -> Any:
        low, high = min(row.lengths), max(row.lengths)
        value = max(1, int(evaluate(tree, {"l": low, "u": high})))
        if row.s + value > row.memory:
            return None  # refused before it starts
        for order in permutations(range(len(row.lengths))):
            starts = literal.queue(order, [value] * len(order), row.lengths, row.s, row.memory)
            if not literal.feasible(starts, row.lengths, row.s, row.memory):
                return {"order": list(order), "starts": starts}
        return None

    found = first(3, 3, (0, 1, 2), check)
    if found.instance is not None:
        row = found.instance
        again = Schedule(found.hit["starts"], row.lengths, row.s).peak_memory
        evidence = {
            "counterexample": found.as_json(),
            **found.hit,
            "second computation": f"peak {again} > {row.memory}",
        }
        part = Part(name, "refuted", evidence)
    elif enough:
        theorem = Theorem(
            "A_max is safe",
            r"\sum_{i} (s + t - p_i) \le M \text{ at every } t",
            "every instance with o_i ≤ u, every order, every s ≥ 0",
            (
                *_domination(),
                Inference(
                    name="invariant",
                    conclusion=r"\text{admission keeps the projected use within } M \text{; the true use is never above it, as } o_i \le u",
                    follows_from=("use",),
                ),
            ),
        )
        part = from_theorem(name, theorem, checked=found.as_json())
    else:
        part = Part(name, "inconclusive", found.as_json())
    proof = Proof("sound") if part.status == "proved" else Proof("false-step", name)
    return _one(f"every instance, {PROCESS}", "invariant; exhaustive check", (part,), part.status, proof)


# ---- the two examples -----------------------------------------------------------------------------------------------


def decide_ex_amax(given: Given) -> Decision:
    """Run Example 1 with both computations and compare every printed number."""
    lengths, s, memory, high = [1] * 5, 1, 10, 4
    best, slow = simulate("h-sf", lengths, memory, s, 1, high), simulate("a-max", lengths, memory, s, 1, high)
    own = literal.queue(range(5), [high] * 5, lengths, s, memory)
    actual: dict[str, Any] = {
        "h_sf": best.total_latency,
        "a_max": slow.total_latency,
        "latencies": sorted(int(p) + 1 for p in slow.starts),
        "batch": memory // (s + high),
    }
    second: dict[str, Any] = {
        "h_sf": literal.total(literal.shortest_first(lengths, s, memory), lengths),
        "a_max": literal.total(own, lengths),
        "latencies": sorted(p + 1 for p in own),
        "batch": sum(1 for p in own if p == 0),
    }
    parts: list[Part] = []
    titles = {
        "h_sf": "H-SF's total",
        "a_max": "A_max's total",
        "latencies": "A_max's latencies",
        "batch": "A_max's batch",
    }
    for key, title in titles.items():
        wanted: Any = _integers(key, given[key]) if key == "latencies" else _whole(key, given[key])
        if actual[key] != second[key]:
            raise AssertionError(f"two computations of Example 1 differ: {actual} and {second}")
        evidence = {"computed": actual[key], "printed": given[key], "second computation": second[key]}
        if wanted == actual[key]:
            parts.append(Part(title, "certified", evidence))
        else:
            parts.append(Part(title, "refuted", {"counterexample": "the example itself", **evidence}))
    why = ", ".join(f"{p.part}: {p.evidence['computed']}" for p in parts)
    state = (
        Proof("sound")
        if all(p.status == "certified" for p in parts)
        else Proof("false-step", "a number of the example")
    )
    return _one(f"n = 5, s = 1, M = 10, o = 1, [1, 4], {PROCESS}", "two engines", tuple(parts), why, state)


def decide_ex_order(given: Given) -> Decision:
    """Check the appendix example's schedules against the definitions."""
    lengths, s, memory = (1, 2, 3, 4), 1, 7
    starts = {name: tuple(_integers(name, given[name])) for name in ("i1", "i2", "i3")}
    for name, row in starts.items():
        if len(row) != 4:
            raise InputError(name, given[name], "must hold four start times")
    plans = {name: Schedule(row, lengths, s) for name, row in starts.items()}
    best = optimum(lengths, memory, s)
    pairs = list(combinations(plans, 2))
    facts = {
        "I_1, I_2, I_3 are feasible": all(literal.feasible(r, lengths, s, memory) for r in starts.values()),
        "I_1, I_2, I_3 preserve the corresponding order pairwise": all(
            plans[a].corresponds(plans[b]) for a, b in pairs
        ),
        "neither of I_1, I_2 is delayed relative to the other": not plans["i1"].delayed(plans["i2"])
        and not plans["i2"].delayed(plans["i1"]),
        "I_1 and I_2 are delayed relative to I_3": plans["i1"].delayed(plans["i3"])
        and plans["i2"].delayed(plans["i3"]),
        "I_3 is optimal": best.proved and plans["i3"].total_latency == best.total_latency,
    }
    second = {
        "I_1, I_2, I_3 are feasible": all(p.feasible(memory) for p in plans.values()),
        "I_1, I_2, I_3 preserve the corresponding order pairwise": all(
            _ordered(starts[a], starts[b]) for a, b in pairs
        ),
        "neither of I_1, I_2 is delayed relative to the other": not _later(starts["i1"], starts["i2"])
        and not _later(starts["i2"], starts["i1"]),
        "I_1 and I_2 are delayed relative to I_3": _later(starts["i1"], starts["i3"])
        and _later(starts["i2"], starts["i3"]),
        "I_3 is optimal": literal.total(starts["i3"], lengths) == _least_total(lengths, s, memory),
    }
    if facts != second:
        raise AssertionError("two computations of the appendix example differ")
    shown = {name: list(row) for name, row in starts.items()}
    parts = tuple(
        Part(name, "certified", {"starts": shown, "second computation": "agrees"})
        if holds
        else Part(name, "refuted", {"counterexample": shown, "second computation": "agrees"})
        for name, holds in facts.items()
    )
    bad = [p.part for p in parts if p.status == "refuted"]
    why = "all as printed" if not bad else f"false: {'; '.join(bad)}"
    state = Proof("sound") if not bad else Proof("false-step", "; ".join(bad))
    return _one(f"M = 7, s = 1, o = (1, 2, 3, 4), {PROCESS}", "definitions; optimum by enumeration", parts, why, state)


def _ordered(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all((a[i] - a[j]) * (b[i] - b[j]) >= 0 for i in range(len(a)) for j in range(len(a)))


def _later(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))


def _least_total(lengths: tuple[int, ...], s: int, memory: int) -> int:
    horizon = sum(lengths)
    return min(
        literal.total(starts, lengths)
        for starts in product(range(horizon), repeat=len(lengths))
        if sum(starts) <= 12 and literal.feasible(starts, lengths, s, memory)
    )


# ---- packed-random, prop-memory, hsf-lower ---------------------------------------------------------------------------


def _every(n: int) -> Any:
    return permutations(range(n))


ORDERS: dict[str, Callable[[int], Any]] = {
    "a-random": _every,
    "a-max": _every,
    "h-sf": lambda n: [tuple(range(n))],
    "longest-first": lambda n: [tuple(reversed(range(n)))],
    "shortest-last": lambda n: [(*range(1, n), 0)],
}
"""Queues over sorted lengths that the claim may be made about; the shortest request has index 0."""


def decide_packed(given: Given) -> Decision:
    """Search A_random's schedules for one that is not optimally packed, and coupled pairs that change their order."""
    policy = given["policy"].strip()
    if policy not in ORDERS:
        raise InputError("policy", policy, f"must be one of {', '.join(ORDERS)}")
    orders = ORDERS[policy]

    def assumed(row: Small) -> list[int]:
        return [max(row.lengths)] * len(row.lengths) if policy == "a-max" else list(row.lengths)

    def check(row: Small, *, skip: bool = False) -> Any:
        for order in orders(len(row.lengths)):
            starts = literal.queue(order, assumed(row), row.lengths, row.s, row.memory, skip=skip)
            moved = literal.packed(starts, row.lengths, row.s, row.memory)
            if moved is not None:
                return {"order": list(order), "starts": starts, "request that could move": moved[0], "to": moved[1]}
        return None

    def coupled(row: Small, *, skip: bool = False) -> Any:
        for smaller in range(row.s + max(row.lengths), row.memory):
            for order in orders(len(row.lengths)):
                a, b = (
                    tuple(literal.queue(order, assumed(row), row.lengths, row.s, m, skip=skip))
                    for m in (row.memory, smaller)
                )
                if not _ordered(a, b):
                    return {"order": list(order), "smaller memory": smaller, "starts": [list(a), list(b)]}
        return None

    found = first(4, 4, (1, 2), check)
    part = _searched(f"{policy}'s schedules are optimally packed (Definition 2)", found)
    if part.status == "refuted" and found.instance is not None:
        row = found.instance
        engine = "a-max" if policy == "a-max" else "a-random"  # the other orders are permutations of a-random
        again = simulate(engine, row.lengths, row.memory, row.s, order=found.hit["order"])
        schedule = Schedule(again.starts, row.lengths, row.s)
        if list(schedule.starts) != found.hit["starts"] or schedule.optimally_packed(row.memory):
            raise AssertionError("two computations of a schedule differ")
        part = Part(
            part.part, "refuted", {**part.evidence, "second computation": "the simulator's run has the same starts"}
        )
    pair = _searched(
        "the coupled schedules at two memories preserve the corresponding order", first(3, 4, (1, 2), coupled)
    )
    skipping = partial(check, skip=True), partial(coupled, skip=True)
    skipped = (
        _searched("optimally packed, where a queue passes over what does not fit", first(3, 4, (1, 2), skipping[0])),
        _searched("corresponding order, where a queue passes over what does not fit", first(3, 4, (1, 2), skipping[1])),
    )
    skipped = tuple(_both_orders(p) if p.status == "refuted" else p for p in skipped)
    why = "; ".join(f"{p.part}: {p.status}" for p in (part, pair, *skipped))
    state = Proof("false-step", part.part) if part.status == "refuted" else Proof("not-examined")
    reading = (
        "every instance and permutation; a queue stops at the first request that does not fit, or, as the pseudo-code may "
        f"be read, passes over it; {PROCESS}"
    )
    return _one(reading, "exhaustive search", (part, pair, *skipped), why, state)


def _searched(name: str, found: Found) -> Part:
    """A refuted part from a hit, else a supported one: no counterexample in a finite range proves nothing beyond it."""
    if found.instance is None:
        return Part(name, "supported", {"sample": "no counterexample in the whole range", **found.as_json()})
    return Part(name, "refuted", {"counterexample": found.as_json(), **found.hit})


def _both_orders(part: Part) -> Part:
    """Confirm a pair of schedules that changes its order by the schedules' own predicate."""
    row, hit = part.evidence["counterexample"], part.evidence
    if "smaller memory" in hit:
        one, two = (Schedule(tuple(x), tuple(row["lengths"]), row["s"]) for x in hit["starts"])
        if one.corresponds(two) or not (one.feasible(row["M"]) and two.feasible(hit["smaller memory"])):
            raise AssertionError("two computations of an order differ")
    return Part(part.part, part.status, {**part.evidence, "second computation": "by the schedules' own predicates"})


def decide_memory(given: Given) -> Decision:
    """Search pairs of optimally packed schedules in corresponding order for TEL(I') > factor · β⁻¹ TEL(I)."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")

    def schedules(row: Small) -> list[tuple[int, ...]]:
        horizon = sum(row.lengths)
        return [
            starts
            for starts in product(range(horizon), repeat=len(row.lengths))
            if literal.feasible(starts, row.lengths, row.s, row.memory)
            and literal.packed(list(starts), row.lengths, row.s, row.memory) is None
        ]

    def check(each: bool) -> Any:
        def look(row: Small) -> Any:
            large = schedules(row)
            for smaller in range(row.s + max(row.lengths), row.memory):
                bound = factor * Fraction(row.memory, smaller)
                for a in large:
                    for b in schedules(Small(row.lengths, row.s, smaller)):
                        if not _ordered(a, b):
                            continue
                        totals = literal.total(a, row.lengths), literal.total(b, row.lengths)
                        late = [
                            i
                            for i, (p, r, o) in enumerate(zip(a, b, row.lengths, strict=True))
                            if r + o > bound * (p + o)
                        ]
                        if late if each else totals[1] > bound * totals[0]:
                            return {
                                "smaller memory βM": smaller, "I": list(a), "I'": list(b),
                                "TEL(I), TEL(I')": list(totals), "bound on TEL(I')/TEL(I)": str(bound), "late requests": late,
                                "second computation": _again(row, smaller, a, b),
                            }  # fmt: skip
            return None

        return look

    parts = (
        _searched("TEL(I') ≤ β⁻¹ TEL(I)", first(3, 3, (1,), check(False), fewest=2)),
        _searched("L_i' ≤ β⁻¹ L_i for every i", first(3, 3, (1,), check(True), fewest=2)),
    )
    grown = _families()
    if parts[0].status == "refuted":
        more = {"not an effect of small n or M": grown}
        parts = (Part(parts[0].part, "refuted", {**parts[0].evidence, **more}), parts[1])
    else:
        hit = next((r for r in grown if r["TEL(I')/TEL(I)"] > factor * Fraction(r["M"], r["βM"])), None)
        if hit is not None:  # then some request is late by more than the factor, too
            evidence = {"counterexample": hit, "second computation": hit["by the schedules' predicates"]}
            parts = tuple(Part(p.part, "refuted", evidence) for p in parts)
    why = "; ".join(f"{p.part}: {p.status}" for p in parts)
    bad = [p.part for p in parts if p.status == "refuted"]
    reading = f"all pairs of feasible, optimally packed schedules in corresponding order at M and βM, s ≥ 1, {PROCESS}"
    state = (
        Proof("false-step", "“at each moment the number processed in I' is β times that in I”")
        if bad
        else Proof("not-examined")
    )
    return _one(reading, "exhaustive search over all schedules", parts, why, state)


def _families() -> list[dict[str, Any]]:
    """Prompts of nearly half the memory, o = 1: two run at once at M, one at M − 1. TEL'/TEL → 2 as n grows, β → 1."""
    rows: list[dict[str, Any]] = []
    for s, n in ((10, 10), (40, 20)):
        length, memory = 1, 2 * (s + 1)
        lengths = [length] * n
        starts = [tuple(literal.shortest_first(lengths, s, m)) for m in (memory, memory - 1)]
        totals = [literal.total(x, lengths) for x in starts]
        row = {"n": n, "o": length, "s": s, "M": memory, "βM": memory - 1, "TEL(I')/TEL(I)": totals[1] / totals[0]}
        shown = _again(Small(tuple(lengths), s, memory), memory - 1, starts[0], starts[1])
        rows.append({**row, "by the schedules' predicates": shown})
    return rows


def _again(row: Small, smaller: int, a: tuple[int, ...], b: tuple[int, ...]) -> str:
    one, two = Schedule(a, row.lengths, row.s), Schedule(b, row.lengths, row.s)
    if not (one.feasible(row.memory) and two.feasible(smaller) and one.corresponds(two)):
        raise AssertionError("two computations of a schedule's properties differ")
    if not (one.optimally_packed(row.memory) and two.optimally_packed(smaller)):
        raise AssertionError("two computations of optimal packing differ")
    return f"by the schedule's own predicates; totals {one.total_latency} and {two.total_latency}"


def decide_max_random(given: Given) -> Decision:
    """Search for E TEL(A_max, M) > factor · E TEL(A_random, αM), and for a permutation with A_max's total above."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")
    looked_at = 0
    mean: dict[str, Any] | None = None
    settings = [(n, up, low) for n in (1, 2) for up in range(2, 9) for low in range(1, up)]
    for n, u, l in settings:
        for lengths in combinations_with_replacement(range(l, u + 1), n):
            for memory in range(1 + u, n * (1 + u) + 1):
                smaller = Fraction(l * memory, u)
                if smaller.denominator != 1 or smaller < 1 + max(lengths):
                    continue
                totals = _both_totals(lengths, l, u, 1, memory, int(smaller))
                if mean is None and sum(totals[0]) > factor * sum(totals[1]):
                    mean = _max_random_hit(lengths, l, u, memory, int(smaller), totals, looked_at)
                looked_at += 1
    names = ("in expectation over the permutation", "for every permutation, under the coupling")
    if mean is None:
        nothing = f"{looked_at} instances with n ≤ 2, u ≤ 8, s = 1 and αM an integer: no counterexample"
        large = _grown(1, 100)
        if large["A_max over A_random"] > factor:
            evidence = {"counterexample": large, "second computation": _grown_again(1, 100)}
            parts = tuple(Part(name, "refuted", evidence) for name in names)
        else:
            parts = tuple(Part(name, "supported", {"sample": nothing, "a family": large}) for name in names)
    else:
        grown = [_grown(size, n) for size, n in ((1, 10), (1, 100), (5, 30))]
        both = {**mean, "not an effect of small n or M (s, l, u, M scaled; n grows)": grown}
        parts = tuple(Part(name, "refuted", both) for name in names)
    why = "; ".join(f"{p.part}: {p.status}" for p in parts)
    false = parts[0].status == "refuted"
    state = Proof("false-step", "“A_max tends to process more requests earlier”") if false else Proof("not-examined")
    reading = f"every instance with s ≥ 1 and αM an integer at which both can run; E over the permutation, {PROCESS}"
    return _one(reading, "exhaustive search, all permutations", parts, why, state)


def _both_totals(
    lengths: Sequence[int], l: int, u: int, s: int, memory: int, smaller: int
) -> tuple[list[int], list[int]]:
    del l
    orders = list(permutations(range(len(lengths))))
    return (
        [literal.total(literal.queue(o, [u] * len(lengths), lengths, s, memory), lengths) for o in orders],
        [literal.total(literal.queue(o, lengths, lengths, s, smaller), lengths) for o in orders],
    )


def _max_random_hit(
    lengths: Sequence[int], l: int, u: int, memory: int, smaller: int, totals: tuple[list[int], list[int]], before: int
) -> dict[str, Any]:
    orders = list(permutations(range(len(lengths))))
    again = [
        [simulate("a-max", lengths, memory, 1, l, u, order=o).total_latency for o in orders],
        [simulate("a-random", lengths, smaller, 1, l, u, order=o).total_latency for o in orders],
    ]
    if again != [list(x) for x in totals]:
        raise AssertionError("two computations of totals differ")
    return {
        "counterexample": {"lengths": list(lengths), "s": 1, "l": l, "u": u, "M": memory, "αM": smaller},
        "A_max's totals, by permutation": totals[0],
        "A_random's totals at αM": totals[1],
        "smaller instances": f"{before} were looked at before it, in increasing (n, u, l, lengths, M)",
        "second computation": again,
    }


def _grown(size: int, n: int) -> dict[str, Any]:
    """The family s = m, l = 4m, u = 8m, all o = l, M = 14m: every permutation is the same."""
    lengths = [4 * size] * n
    order = range(n)
    slow = literal.total(literal.queue(order, [8 * size] * n, lengths, size, 14 * size), lengths)
    fast = literal.total(literal.queue(order, lengths, lengths, size, 7 * size), lengths)
    return {"n": n, "s": size, "l": 4 * size, "u": 8 * size, "M": 14 * size, "A_max over A_random": slow / fast}


def _grown_again(size: int, n: int) -> dict[str, int]:
    lengths = [4 * size] * n
    slow = simulate("a-max", lengths, 14 * size, size, 4 * size, 8 * size, order=range(n))
    fast = simulate("a-random", lengths, 7 * size, size, 4 * size, 8 * size, order=range(n))
    return {"A_max": slow.total_latency, "A_random": fast.total_latency}


def decide_hsf_lower(given: Given) -> Decision:
    """Search for a schedule that is better than H-SF's."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")

    def check(row: Small) -> Any:
        greedy = literal.total(literal.shortest_first(row.lengths, row.s, row.memory), row.lengths)
        if factor * greedy <= _volume_least(row):
            return None
        best = optimum(row.lengths, row.memory, row.s)
        if best.total_latency < factor * greedy:
            starts = list(best.schedule.starts)
            if not literal.feasible(starts, row.lengths, row.s, row.memory):
                raise AssertionError("the better schedule is not feasible")
            return {
                "H-SF's total": greedy,
                "starts of a better schedule": starts,
                "its total": best.total_latency,
                "second computation": f"{literal.total(starts, row.lengths)}, memory summed at every instant",
            }
        return None

    part = _searched(f"no schedule is better than {given['factor']} × H-SF's total", first(4, 5, (1, 2), check))
    why = f"{part.part}: {part.status}"
    state = Proof("not-examined", "stated without proof")
    reading = f"every instance, s ≥ 1, every schedule without cancellation, {PROCESS}"
    return _one(reading, "mixed-integer optimum, exhaustive search", (part,), why, state)


def _volume_least(row: Small) -> Fraction:
    """A bound below every schedule's total: no request ends before its own length."""
    return Fraction(sum(row.lengths))


TEL = Claim(
    id="tel-identity",
    place="Eq. latency",
    statement="TEL = Σ_t t·|I_t| + Σ_i o_i",
    given={"waiting": "1", "processing": "1"},
    decide=decide_tel,
    corrupted=(
        Variant("a coefficient", {"waiting": "1.01"}),
        Variant("a sign", {"processing": "-1"}),
        Variant("a missing term", {"waiting": "0"}),
    ),
    variants=(Variant("an equivalent wording", {"waiting": "2/2"}),),
)
PAIR = Claim(
    id="infeasible-pair",
    place="Section 2",
    statement="with memory use M − 1 and two active jobs with at least two tokens left each, not both can be completed",
    given={"use": "M-1", "remaining": "2"},
    decide=decide_pair,
    corrupted=(
        Variant("one token left", {"remaining": "1"}),
        Variant("less use", {"use": "M-2"}),
        Variant("much less use", {"use": "M-5", "remaining": "4"}),
    ),
    variants=(Variant("three tokens left", {"remaining": "3"}), Variant("full memory", {"use": "M", "remaining": "1"})),
)
CARDINALITY = Claim(
    id="hsf-cardinality",
    place="Algorithm H-SF",
    statement="the longest prefix in increasing o that fits is a set of largest cardinality that fits",
    given={"order": "increasing", "prompts": "equal"},
    decide=decide_cardinality,
    corrupted=(
        Variant("the other order", {"order": "decreasing"}),
        Variant("unequal prompts", {"prompts": "unequal"}),
        Variant("both", {"order": "decreasing", "prompts": "unequal"}),
    ),
    variants=(Variant("as it stands, spaced", {"order": " increasing"}),),
)
SAFE = Claim(
    id="amax-safe",
    place="Algorithm 1",
    statement="A_max never exceeds the memory and never cancels",
    given={"assumed": "u"},
    decide=decide_safe,
    corrupted=(
        Variant("the lower end", {"assumed": "l"}),
        Variant("one token less", {"assumed": "u-1"}),
        Variant("the middle", {"assumed": "(l+u)/2"}),
    ),
    variants=(Variant("one token more", {"assumed": "u+1"}), Variant("more", {"assumed": "2*u-l"})),
)
EX_AMAX = Claim(
    id="ex-amax",
    place="Example 1",
    statement="n = 5, s = 1, M = 10, o = 1, [1,4]: H-SF 5, A_max latencies 1,1,2,2,3, total 9",
    given={"h_sf": "5", "a_max": "9", "latencies": "1,1,2,2,3", "batch": "2"},
    decide=decide_ex_amax,
    corrupted=(
        Variant("a total", {"a_max": "10"}),
        Variant("a latency", {"latencies": "1,1,2,3,3"}),
        Variant("another total", {"h_sf": "6"}),
    ),
    variants=(Variant("the same latencies", {"latencies": "1, 1, 2, 2, 3"}),),
)
EX_ORDER = Claim(
    id="ex-order",
    place="Example of Definition 1",
    statement="M = 7, s = 1, o = (1,2,3,4): I_1, I_2, I_3 in corresponding order; I_1, I_2 not delayed; I_3 ≤ I_1, I_2; I_3 optimal",
    given={"i1": "0,2,0,3", "i2": "1,1,0,3", "i3": "0,0,0,2"},
    decide=decide_ex_order,
    corrupted=(
        Variant("a start that breaks the order", {"i1": "0,2,0,1"}),
        Variant("a later start", {"i3": "0,0,0,3"}),
        Variant("a swap", {"i2": "0,2,0,3"}),
    ),
    variants=(Variant("the same starts", {"i1": "0, 2, 0, 3"}),),
)
PACKED = Claim(
    id="packed-random",
    place="before Theorem fully_random",
    statement="A_random's schedules are optimally packed, and the coupled schedules preserve the corresponding order",
    given={"policy": "a-random"},
    decide=decide_packed,
    corrupted=(
        Variant("the longest first", {"policy": "longest-first"}),
        Variant("A_max", {"policy": "a-max"}),
        Variant("the shortest last", {"policy": "shortest-last"}),
    ),
    variants=(Variant("H-SF, in the range searched", {"policy": "h-sf"}),),
)
MEMORY = Claim(
    id="prop-memory",
    place="Proposition memo_latency",
    statement="for optimally packed schedules in corresponding order: TEL(I') ≤ β⁻¹ TEL(I), and L_i' ≤ β⁻¹ L_i",
    given={"factor": "1"},
    decide=decide_memory,
    rests_on=("tel-identity",),
    corrupted=(
        Variant("1 % weaker, still false", {"factor": "1.01"}),
        Variant("1 % stronger", {"factor": "0.99"}),
        Variant("half", {"factor": "1/2"}),
    ),
    variants=(Variant("three times the bound, in the range searched", {"factor": "3"}),),
)
HSF_LOWER = Claim(
    id="hsf-lower",
    place="Section 6",
    statement="H-SF serves as a lower bound on achievable latency",
    given={"factor": "1"},
    decide=decide_hsf_lower,
    corrupted=(
        Variant("1 % more", {"factor": "1.01"}),
        Variant("5 % more", {"factor": "1.05"}),
        Variant("twice", {"factor": "2"}),
    ),
    variants=(Variant("half, in the range searched", {"factor": "1/2"}),),
)
MAX_RANDOM = Claim(
    id="lem-max-random",
    place="Lemma max<random",
    statement="E TEL(A_max, M) ≤ E TEL(A_random, αM); pathwise under the coupling",
    given={"factor": "1"},
    decide=decide_max_random,
    corrupted=(
        Variant("1 % weaker, still false", {"factor": "1.01"}),
        Variant("1 % stronger", {"factor": "0.99"}),
        Variant("5 % weaker, still false", {"factor": "1.05"}),
    ),
    variants=(Variant("twice the bound, in the range searched", {"factor": "2"}),),
)

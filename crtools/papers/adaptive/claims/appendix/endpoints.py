"""thm-endpoints: is the worst case over [l, u]ⁿ attained on {l, u}ⁿ, for every policy? And the identity of its proof."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import isqrt
from typing import Any

from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.search import Small, first, searched
from crtools.ledger.result import Decision, Part, Proof, Verdict, from_theorem
from crtools.papers.adaptive.claims.section_3.a_max_a_random import random_repair, random_theorem
from crtools.papers.adaptive.evidence import a_max_exact as a_max
from crtools.papers.adaptive.evidence.reading import found_so, schedule
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.literal import process as process
from crtools.process import simulate
from crtools.setting import Setting

POLICIES = ("a-min", "a-max", "a-random")


def decide(given: Given) -> Decision:
    """Decide both parts for one policy's form on [1, u] and for A_random's process."""
    policy = given["policy"].strip()
    if policy not in POLICIES:
        raise InputError("policy", policy, f"must be one of {', '.join(POLICIES)}")
    size = number("u", given["u"])
    if size.denominator != 1 or not 3 <= size <= 60:
        raise InputError("u", given["u"], "must be an integer from 3 to 60")
    factor = number("sum_factor", given["sum_factor"])
    attained = tuple(_attained(policy, int(size), s) for s in (0, 1))
    identity = _identity(factor)
    parts = (*attained, identity)
    why = found_so(parts)
    reading = (
        "for every policy: so one policy's form, at one interval [1, u], in the limit n, M → ∞, can refute it; the identity "
        "for every small instance of the discrete process"
    )
    bad = [p.part for p in parts if p.status == "refuted"]
    state = Proof("false-step", identity.part) if identity.status == "refuted" else Proof("not-examined")
    if bad and identity.status != "refuted":
        state = Proof("gap", bad[0])
    return Decision(
        (Verdict("as-stated", reading, "exact ratios at rational weights; exhaustive search", parts, why),),
        state,
        (random_repair(),),
    )


def _attained(policy: str, up: int, s: int) -> Part:
    """Compare the best ratio on {1, u} with the ratio at weights on all of [1, u]."""
    name = f"the worst case of {policy}'s form is attained on two lengths, s = {s}"
    if policy == "a-random":
        return from_theorem(name, random_theorem())
    low = 1
    tails = [Fraction(1), *(_tail(policy, k, up, s) for k in range(low + 1, up + 1))]
    x = [a - b for a, b in zip(tails, [*tails[1:], Fraction(0)], strict=True)]
    setting = Setting(s, low, up)
    ratio = form(policy).on(setting).value(x) / form("h-sf").on(setting).value(x)
    weights = dict(zip(range(low, up + 1), x, strict=True))
    by_sums = {
        "a-min": lambda: literal.a_min_sum(weights, s, low, up) / literal.h_sf_sum(weights, s),
        "a-max": lambda: a_max.literal(low, up, s, tails),
    }
    again = by_sums[policy]()
    if ratio != again:
        raise AssertionError("two computations of a ratio differ")
    best = _two_lengths(policy, low, up, s)
    if not ratio > best:
        return Part(name, "inconclusive", {"tried": f"the ratio {float(ratio)} at one law on [1, {up}]"})
    return Part(
        name,
        "refuted",
        {
            "counterexample": {"s": s, "l": low, "u": up, "tails T_k": [str(v) for v in tails[:6]] + ["…"] * (up > 6)},
            "ratio": str(ratio) if up <= 12 else float(ratio),
            "largest ratio on two lengths, at most": float(best),
            "second computation": float(again),
        },
    )


def _tail(policy: str, k: int, up: int, s: int) -> Fraction:
    """Return the tail T_k of a law that is near the worst one: 1/(2k−1) at s = 0, the exact maximiser for A_max."""
    if policy == "a-min":
        return Fraction(1, s + 2 * k - 1)
    near = Fraction(enclose(a_max.supremum(1, up, s), {}, 15).middle).limit_denominator(1000)
    return Fraction(s + up) / (2 * near * (s + 2 * k - 1))


def _two_lengths(policy: str, low: int, up: int, s: int) -> Fraction:
    """Return an upper bound of the supremum over weights on {l, u}: N − D is c x y, or for A_max quadratic in t."""
    a, d = low * (s + low), up * (s + up)
    if policy == "a-min":
        cross = Fraction((s + low) * (up - low) * (s + up + low), s + up)
        return 1 + cross / (2 * (a + isqrt(a * d)))
    # A_max with x_l = t, x_u = 1: (s+u)(t+1)(l t+u) ≤ K (a t² + 2 a t + d) for all t ≥ 0 iff a discriminant is ≤ 0
    top = s + up
    good, bad = Fraction(10 * up * top), Fraction(0)
    for _ in range(60):
        middle = (good + bad) / 2
        p, q, r = middle * a - top * low, 2 * middle * a - top * (low + up), middle * d - top * up
        if p > 0 and r >= 0 and (q >= 0 or q * q <= 4 * p * r):
            good = middle
        else:
            bad = middle
    return good


def _identity(factor: Fraction) -> Part:
    """Search instances for E TEL(o⁻) + E TEL(o⁺) ≠ factor · E TEL(o) under A_random, over all permutations."""
    name = f"E TEL(o⁻) + E TEL(o⁺) = {factor} · E TEL(o) for A_random"

    def mean(lengths: tuple[int, ...], s: int, memory: int) -> Fraction:
        orders = list(permutations(range(len(lengths))))
        totals = [process.total(process.queue(o, lengths, lengths, s, memory), lengths) for o in orders]
        return Fraction(sum(totals), len(orders))

    def check(row: Small) -> Any:
        for i, o in enumerate(row.lengths):
            if o < 2 or row.s + o + 1 > row.memory:
                continue
            three = [(*row.lengths[:i], o + e, *row.lengths[i + 1 :]) for e in (-1, 0, 1)]
            less, same, more = (mean(x, row.s, row.memory) for x in three)
            if less + more != factor * same:
                return {"request changed": i, "means": [str(less), str(same), str(more)]}
        return None

    found = first(3, 4, (1,), check)
    if found.instance is None:
        return searched(name, found)
    row, i = found.instance, found.hit["request changed"]
    orders = list(permutations(range(len(row.lengths))))
    again: list[str] = []
    shown: dict[tuple[Any, ...], dict[str, Any]] = {}
    for e in (-1, 0, 1):
        lengths = [o + e * (n == i) for n, o in enumerate(row.lengths)]
        runs = [simulate("a-random", lengths, row.memory, row.s, order=o).total_latency for o in orders]
        again.append(str(Fraction(sum(runs), len(runs))))
        for order in orders:  # schedules that differ in more than the names of the requests
            starts = process.queue(order, lengths, lengths, row.s, row.memory)
            title = f"{('o⁻', 'o', 'o⁺')[e + 1]} = {lengths}, order {list(order)}"
            key = e, *sorted(zip(starts, lengths, strict=True))
            shown.setdefault(key, schedule(title, starts, lengths, row.s, row.memory))
    if again != found.hit["means"]:
        raise AssertionError("two computations of expected latencies differ")
    more = {"second computation": again, "schedules": list(shown.values())}
    return Part(name, "refuted", {"counterexample": found.as_json(), **found.hit, **more})


CLAIM = Claim(
    id="thm-endpoints",
    place="Theorem fully_random, part 1",
    statement="for any feasible policy the worst case over [ℓ,u]ⁿ is attained on {ℓ,u}ⁿ; E TEL(o⁻) + E TEL(o⁺) = 2 E TEL(o)",
    given={"policy": "a-min", "u": "20", "sum_factor": "2"},
    decide=decide,
    rests_on=("tel-identity",),
    corrupted=(
        Variant("A_max", {"policy": "a-max"}, "the worst case of"),
        Variant("A_max, small u", {"policy": "a-max", "u": "3"}, "the worst case of"),
        Variant("A_min, larger u", {"policy": "a-min", "u": "40"}, "the worst case of"),
        Variant("A_max, an interval end", {"policy": "a-max", "u": "4"}, "the worst case of"),
    ),
    variants=(
        Variant("A_random's form, for which it holds", {"policy": "a-random"}, "the worst case of"),
        Variant("A_random's form, another u", {"policy": "a-random", "u": "60"}, "the worst case of"),
    ),
)

"""Is a worst case attained on two lengths? Of a policy's form, and of A_random's process; and two displays on o⁻, o, o⁺."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement, permutations
from math import factorial, isqrt
from typing import Any

from crtools.forms import form
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import apart
from crtools.ledger.deciders.search import Hit, Small, first, searched
from crtools.ledger.evidence import Certified, Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.evidence.queues import a_max_exact as a_max
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import forms as literal_forms
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.form.a_random import random_theorem
from crtools.process import simulate
from crtools.setting import Setting
from crtools.worst_cases import worst_case

Lengths = tuple[int, ...]


# ---- forms ---------------------------------------------------------------------------------------------------------


def of_a_form(policy: str, up: int, s: int) -> Evidence:
    """Compare a bound on the ratio over weights on {1, u} with the ratio at weights on all of [1, u] near the worst ones."""
    if policy == "a-random":
        return by_theorem(random_theorem())
    low, setting = 1, Setting(s, 1, up)
    x = [Fraction(float(w)).limit_denominator(1000) for w in worst_case(policy, s=s, l=low, u=up).weights]
    ratio = form(policy).on(setting).value(x) / form("h-sf").on(setting).value(x)
    if policy == "a-min":
        weights = dict(zip(range(low, up + 1), x, strict=True))
        again = literal_forms.a_min_sum(weights, s, low, up) / literal_forms.h_sf_sum(weights, s)
    else:
        again = a_max.literal(low, up, s, list(accumulate(reversed(x)))[::-1])
    agree(ratio, again, "a ratio")
    best = _two_lengths(policy, low, up, s)
    if not ratio > best:
        return Open(f"the ratio at one law on $[1, {up}]$")
    claimed, actual = apart(best, ratio)
    return Refuted(
        {"s": s, "l": low, "u": up, "x": [str(v) for v in x[:6]] + ["…"] * (up > 6)},
        f"at most {claimed}, which bounds every law on two lengths",
        f"at least {actual}",
        f"at least {actual}, by the paper's sums",
        "of the form, which is the limit $n, M → ∞$",
    )


def _two_lengths(policy: str, low: int, up: int, s: int) -> Fraction:
    """Return an upper bound of the supremum over weights on {l, u}: N − D is c x y, or for A_max quadratic in t."""
    a, d = low * (s + low), up * (s + up)
    if policy == "a-min":
        cross = Fraction((s + low) * (up - low) * (s + up + low), s + up)
        return 1 + cross / (2 * (a + Fraction(isqrt(a * d * 10**12), 10**6)))
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


# ---- the process ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def of_the_process(n: int, memory: int, high: int) -> Evidence:
    """Compare A_random's largest ratio over all lengths in [1, high]ⁿ with that over {1, high}ⁿ, s = 1, all permutations."""
    ratios = {
        lengths: _ratio(lengths, memory, high) for lengths in combinations_with_replacement(range(1, high + 1), n)
    }
    ends = {lengths: ratio for lengths, ratio in ratios.items() if set(lengths) <= {1, high}}
    most, worst = max(ends.values()), max(ratios, key=lambda lengths: ratios[lengths])
    where = f"$n = {n}$, $M = {memory}$, $[1, {high}]$, $s = 1$, A_random"
    if not ratios[worst] > most:
        return Certified(
            f"{most}, on the ends", where, f"{most}, by another implementation", {"lengths_looked_at": len(ratios)}
        )
    return Refuted(
        {"s": 1, "l": 1, "u": high, "M": memory, "o": list(worst)},
        f"at most {most}, the largest ratio on ${{1, {high}}}^{n}$",
        str(ratios[worst]),
        f"{_literal_ratio(worst, memory)}, by another implementation",
        "the sentence has neither a limit nor an error term: it speaks of every $n$ and $M$",
        values={
            "ratios_on_the_ends": {",".join(map(str, lengths)): str(ratio) for lengths, ratio in ends.items()},
            "schedules": list(_schedules(worst, 1, memory, "")),
        },
    )


def _ratio(lengths: Lengths, memory: int, high: int) -> Fraction:
    orders = list(permutations(range(len(lengths))))
    runs = [simulate("a-random", lengths, memory, 1, 1, high, order=o).total_latency for o in orders]
    best = simulate("h-sf", lengths, memory, 1, 1, high).total_latency
    return agree(Fraction(sum(runs), len(runs) * best), _literal_ratio(lengths, memory), "A_random's ratio")


def _literal_ratio(lengths: Lengths, memory: int) -> Fraction:
    return _mean(lengths, 1, memory) / _shortest_first(lengths, 1, memory)


def _mean(lengths: Lengths, s: int, memory: int) -> Fraction:
    orders = permutations(range(len(lengths)))
    totals = (literal.total(literal.queue(o, lengths, lengths, s, memory), lengths) for o in orders)
    return Fraction(sum(totals), factorial(len(lengths)))


def _shortest_first(lengths: Lengths, s: int, memory: int) -> Fraction:
    return Fraction(literal.total(literal.shortest_first(lengths, s, memory), lengths))


def _schedules(lengths: Lengths, s: int, memory: int, title: str) -> Iterator[dict[str, Any]]:
    """Iterate over A_random's schedules that differ in more than the names of the requests."""
    seen: set[tuple[tuple[int, int], ...]] = set()
    for order in permutations(range(len(lengths))):
        starts = literal.queue(order, lengths, lengths, s, memory)
        key = tuple(sorted(zip(starts, lengths, strict=True)))
        if key not in seen:
            seen.add(key)
            yield schedule(f"{title}{list(lengths)}, order {list(order)}", starts, lengths, s, memory)


# ---- displays of the proof -----------------------------------------------------------------------------------------


@cache
def expectations(factor: Fraction) -> Evidence:
    """Search for E TEL(o⁻) + E TEL(o⁺) ≠ factor · E TEL(o) under A_random, over all permutations."""

    def again(lengths: Lengths, s: int, memory: int) -> Fraction:
        orders = list(permutations(range(len(lengths))))
        return Fraction(
            sum(simulate("a-random", lengths, memory, s, order=o).total_latency for o in orders), len(orders)
        )

    return _three(_mean, again, lambda less, same, more: less + more == factor * same, f"{factor} · E TEL(o)")


@cache
def hindsight() -> Evidence:
    """Search for TEL(o⁻) + TEL(o⁺) > 2 · TEL(o) under H-SF."""

    def again(lengths: Lengths, s: int, memory: int) -> Fraction:
        return Fraction(simulate("h-sf", lengths, memory, s).total_latency)

    return _three(_shortest_first, again, lambda less, same, more: less + more <= 2 * same, "at most 2 · TEL(o)")


Latency = Callable[[Lengths, int, int], Fraction]


def _three(
    latency: Latency, again: Latency, holds: Callable[[Fraction, Fraction, Fraction], bool], claimed: str
) -> Evidence:
    def check(row: Small) -> Hit | None:
        for i, o in enumerate(row.lengths):
            if o < 2 or row.s + o + 1 > row.memory:
                continue
            triple = [(*row.lengths[:i], o + e, *row.lengths[i + 1 :]) for e in (-1, 0, 1)]
            less, same, more = (latency(lengths, row.s, row.memory) for lengths in triple)
            if not holds(less, same, more):
                second = agree(
                    [less, same, more], [again(x, row.s, row.memory) for x in triple], "latencies of o⁻, o, o⁺"
                )
                names = ("o⁻ = ", "o = ", "o⁺ = ")
                drawn = [
                    d for x, name in zip(triple, names, strict=True) for d in _schedules(x, row.s, row.memory, name)
                ]
                return Hit(
                    f"{claimed}: the sum of the first and the last",
                    [str(v) for v in (less, same, more)],
                    [str(v) for v in second],
                    "the display has no error term",
                    {"request_changed": i, "schedules": drawn if latency is _mean else []},
                )
        return None

    return searched(first(3, 4, (1,), check))

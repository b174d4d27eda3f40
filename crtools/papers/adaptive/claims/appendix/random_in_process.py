"""A_random and A_max as processes: a family on which A_random is in lock step and H-SF is not, and bounds on both."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd, log
from random import Random
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose, enclosed
from crtools.enclosure import Enclosure
from crtools.ledger.result import Part, Repair, from_theorem
from crtools.papers.adaptive.evidence import a_max_exact
from crtools.papers.adaptive.evidence.process_bounds import apart, approximately
from crtools.papers.adaptive.evidence.process_bounds import at_most as rounded_up
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.form import random_order
from crtools.papers.adaptive.theorems.process import lock_step
from crtools.process import simulate
from crtools.proof.theorem import Theorem
from crtools.ratios.comparison import at_least
from crtools.worst_cases import proved

RANDOM, MAX = "A_random itself, with O(1/M)", "A_max itself, with O(1/M)"

PLACES = (
    *((1, low, up) for up in range(2, 25) for low in range(up - 1, 0, -1)),
    *((1, low, up) for up in (40, 60, 100) for low in range(up - 1, up // 5, -1)),
)
"""Settings (s, l, u) of the family at which a bound is compared with its limit, one after the other."""

SETTINGS = tuple((size, 1, up) for size in (1, 10, 100) for up in (4, 10, 40))
"""Settings (s, l, u) at which an upper bound on A_max is compared with a claimed lower bound."""

MOST_LITERAL = 1500
"""Instances of up to so many requests are run by the slow second implementation as well."""


def random_part(bound: Any, alpha: Any) -> Part:
    """Decide CR(A_random) ≤ bound(α) + O(1/M) in the process."""
    for looked_at, place in enumerate(PLACES):
        value = enclosed(bound, {alpha: Fraction(place[1], place[2])}, 20)
        if value is not None and value.upper < lock_step.ratio(*map(Fraction, place)):
            return _exceeded(place, value.upper, looked_at)
    return _from_above(RANDOM, bound, alpha, 1 + 1 / alpha, random_order.random_upper())


def max_part(bound: Any, alpha: Any) -> Part:
    """Decide CR(A_max) ≤ bound(α) + O(1/M) in the process: proved of weak bounds, else open."""
    return _from_above(MAX, bound, alpha, (1 + 1 / sp.sqrt(alpha)) / alpha, random_order.max_upper())


def max_lower_part(bound: Any, alpha: Any) -> Part:
    """Decide CR(A_max) ≥ bound(α) in the process: refuted where the upper bound at some setting is below it."""
    name = "A_max itself: CR(A_max) is at least the bound"
    theorem = random_order.max_upper()
    for size, low, up in SETTINGS:
        value, at_most = enclosed(bound, {alpha: Fraction(low, up)}, 20), volume_supremum(size, low, up)
        if value is None or not at_most.upper + 1 < value.lower or not theorem.holds:
            continue
        if not a_max_exact.everywhere_below(value.lower - 1, low, up, size, "volume"):
            raise AssertionError("two computations of A_max's supremum differ")
        evidence = {
            "counterexample": {
                "s": size,
                "l": low,
                "u": up,
                "lengths": "any in [l, u], any n; M → ∞",
                "CR(A_max), at most": rounded_up(at_most.upper + 1),
                "claimed at least": approximately(Fraction(value.middle)),
            },
            "theorem": theorem.as_json(),
            "second computation": "(bound − 1) · volume − A_max is positive definite, by exact elimination",
        }
        return Part(name, "refuted", evidence)
    if at_least(sp.Integer(1), bound, alpha, Fraction(0), Fraction(1)).holds:
        return Part(name, "proved", {"argument": "n = 1, where both total latencies are the request's length"})
    return Part(name, "inconclusive", {"tried": f"upper bounds at {len(SETTINGS)} settings"})


def max_rate_part(name: str, slow: Fraction) -> Part:
    """Decide whether CR(A_max) grows at least as fast as α^(−slow) in the process, s = 1 and l = 1."""
    if slow <= 1:
        return from_theorem(
            name, random_order.max_lower(), argument="at s = l = 1 the ratio is at least (u+1)/2 ≥ ½ α⁻¹"
        )
    theorem = random_order.max_upper()
    rows: list[dict[str, Any]] = []
    for up in (10, 100, 1000):
        most, again = volume_supremum(1, 1, up).upper + 1, Fraction(up + 1, 4) * (1 + Fraction(1 + 2 * log(up + 1))) + 1
        if most > again:
            raise AssertionError("two computations of A_max's supremum differ")
        rows.append(
            {"s": 1, "l": 1, "u": up, "CR, at most": rounded_up(most), "over the rate": float(most) / up ** float(slow)}
        )
    evidence = {
        "counterexample": rows,
        "reason": "at s = l = 1: CR ≤ ¼(u+1)(1+√(1+2S)) + 1 with S ≤ ln((u+1)/2), of the order α⁻¹ √(ln(1/α))",
        "theorem": theorem.as_json(),
        "second computation": "at most ¼(u+1)(2 + 2 ln(u+1)) + 1 at each, as √(1+x) ≤ 1 + x",
    }
    return Part(name, "refuted" if theorem.holds else "inconclusive", evidence)


def volume_supremum(size: int, low: int, up: int) -> Enclosure:
    """Return the supremum of A_max's form over volume's on [low, up]."""
    rest = (size + up) ** 2 * sum((Fraction(1, size + k) for k in range(low + 1, up + 1)), Fraction(0))
    first, weight = sp.Integer((size + up) * low), sp.Rational(low * (2 * size + low + 1), 2)
    return enclose(proved.supremum(first, weight, sp.Rational(rest), sp.sqrt), {}, 20)


def _from_above(name: str, bound: Any, alpha: Any, known: Any, theorem: Theorem) -> Part:
    """Prove a bound that is at least ``known`` + 1, which holds at every n."""
    if at_least(bound, known + 1, alpha, Fraction(0), Fraction(1)).holds:
        return from_theorem(name, theorem)
    tried = f"CR ≤ M/(M−s−u) · {known} + 1 at every n and M > s+u is proved; this bound is not so weak"
    return Part(name, "inconclusive", {"tried": tried, "a weaker bound": theorem.as_json()})


def _exceeded(place: tuple[int, int, int], above: Fraction, looked_at: int) -> Part:
    theorem = lock_step.theorem()
    periods = 1
    while True:
        row = lock_step.family(*place, 1, periods)
        least, total = lock_step.a_random_least(row), lock_step.h_sf_total(row)
        if least > above * total:
            break
        periods *= 2
    s, l, u = place
    limit, shown = lock_step.ratio(*map(Fraction, place)), apart(above, least / total)
    evidence: dict[str, Any] = {
        "counterexample": {
            "s": s,
            "l": l,
            "u": u,
            "M": row.memory,
            "n_l": row.short,
            "n_u": row.long,
            "ratio, at least": shown[1],
            "claimed bound": shown[0],
            "limit as n → ∞, at least": f"{limit} ≈ {approximately(limit)}",
            "E TEL(A_random), at least": str(least),
            "TEL(H-SF)": total,
            "why it stays": f"s and α = {l}/{u} are fixed; the same limit at every multiple of this M, with as many times more "
            "requests of length l; n → ∞",
        },
        "where this family exceeds (1+α⁻¹)/2": "s small against u and α above (√5−1)/2 = 0.618…, where 2α > 1 + α³",
        "smaller instances": f"{looked_at} settings of the family were looked at before it",
        "theorem": theorem.as_json(),
        "second computation": _confirmed(place),
        "schedules": [_two_groups(place)],
    }
    return Part(RANDOM, "refuted" if theorem.holds else "inconclusive", evidence)


@lru_cache(maxsize=16)
def _confirmed(place: tuple[int, int, int]) -> dict[str, Any]:
    """Run small members: H-SF's total, A_random in lock step, and the ratio at one order of a larger member."""
    row = lock_step.family(*place, 1, 2)
    starts = list(simulate("h-sf", row.lengths, row.memory, row.s, engine="fast").schedule.starts)
    if sum(starts) + sum(row.lengths) != lock_step.h_sf_total(row):
        raise AssertionError("two computations of H-SF's total differ")
    if row.n <= MOST_LITERAL and literal.shortest_first(row.lengths, row.s, row.memory) != starts:
        raise AssertionError("two implementations of H-SF differ")
    one = [row.u] * (row.batch // 2) + [row.l] + [row.u] * (2 * row.batch)  # one request of length l among the first
    order = range(len(one))
    found = list(simulate("a-random", one, row.memory, row.s, order=order, engine="fast").schedule.starts)
    if len(one) <= MOST_LITERAL and literal.queue(order, one, one, row.s, row.memory) != found:
        raise AssertionError("two implementations of A_random differ")
    longs = [start for start, length in zip(found, one, strict=True) if length == row.u]
    if longs != [row.u * (k // row.batch) for k in range(len(longs))]:
        raise AssertionError("A_random is not in lock step")
    large = lock_step.family(*place, 1, max(1, 200_000 // (row.early + row.late)))
    order = list(range(large.n))
    Random(0).shuffle(order)
    measured = simulate("a-random", large.lengths, large.memory, large.s, order=order, engine="fast").total_latency
    by = "two implementations of the process" if row.n <= MOST_LITERAL else "the simulator"
    return {
        "H-SF with two periods": f"{lock_step.h_sf_total(row)} by {by} and by the formula",
        "A_random with one request of length l": f"requests of length u start at 0, {row.u}, {2 * row.u}, …, by {by}",
        "ratio in a run": {"n": large.n, "ratio": measured / lock_step.h_sf_total(large), "order": "shuffled, seed 0"},
    }


def _two_groups(place: tuple[int, int, int]) -> dict[str, Any]:
    """Return H-SF's schedule of two periods at the least memory at which its groups are exact, to be drawn."""
    s, l, u = place
    row = lock_step.at_scale(s, l, u, (s + l) // gcd(s + l, lock_step.unit(s, l, u)), 2)
    starts = simulate("h-sf", row.lengths, row.memory, s).schedule.starts
    return schedule(
        f"H-SF at M = {row.memory}: two groups of length {u}, out of step", starts, row.lengths, s, row.memory
    )


def random_repair() -> Repair:
    """What holds of A_random in the process, against every schedule."""
    return Repair(
        "of the process, for every s ≥ 0 and l ≤ u, against every schedule as n/M → ∞ and M → ∞: CR(A_random) ≤ "
        "(s+u)/(2s+u+1) (1 + √(v_u/v_l)) < 1 + α⁻¹ with v_o = s·o + o(o+1)/2",
        (from_theorem("E TEL(A_random) at every n and M", random_order.random_upper()),),
    )


def max_repair() -> Repair:
    """What holds of A_max in the process, against every schedule."""
    return Repair(
        "of the process, for every s ≥ 0 and l ≤ u, against every schedule as n/M → ∞ and M → ∞: CR(A_max) ≤ α⁻¹(1+α^(−1/2)); this is "
        "below α⁻¹(1+α⁻¹)/2 where α ≤ 3 − 2√2",
        (from_theorem("E TEL(A_max) at every n and M", random_order.max_upper()),),
    )

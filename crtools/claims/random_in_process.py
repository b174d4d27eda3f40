"""A_random and A_max as processes: a family on which A_random is in lock step and H-SF is not, and bounds on both."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

import sympy as sp

from crtools.claims import literal_process as literal
from crtools.claims.process_bounds import approximately
from crtools.claims.result import Part, Repair, from_theorem
from crtools.closed_form.evaluate import enclose
from crtools.derivation.comparison import at_least
from crtools.errors import NotCertified
from crtools.process import simulate
from crtools.theorems import lock_step, random_order

RANDOM, MAX = "A_random itself, with O(1/M)", "A_max itself, with O(1/M)"

PLACES = (
    *((1, low, up) for up in range(2, 25) for low in range(up - 1, 0, -1)),
    *((1, low, up) for up in (40, 60, 100) for low in range(up - 1, up // 5, -1)),
)
"""Settings (s, l, u) of the family at which a bound is compared with its limit, one after the other."""

MOST_LITERAL = 1500
"""Instances of up to so many requests are run by the slow second implementation as well."""


def random_part(bound: Any, alpha: Any) -> Part:
    """Decide CR(A_random) ≤ bound(α) + O(1/M) in the process."""
    for looked_at, place in enumerate(PLACES):
        above = _above(bound, alpha, Fraction(place[1], place[2]))
        if above is not None and above < lock_step.ratio(*map(Fraction, place)):
            return _exceeded(place, above, looked_at)
    return _from_above(RANDOM, bound, alpha, 1 + 1 / alpha, "random")


def max_part(bound: Any, alpha: Any) -> Part:
    """Decide CR(A_max) ≤ bound(α) + O(1/M) in the process: proved of weak bounds, else open."""
    return _from_above(MAX, bound, alpha, (1 + 1 / sp.sqrt(alpha)) / alpha, "max")


def _from_above(name: str, bound: Any, alpha: Any, known: Any, policy: str) -> Part:
    """Prove a bound that is at least ``known`` + 1, which holds at every n."""
    theorem = _upper(policy)
    if at_least(bound, known + 1, alpha, Fraction(0), Fraction(1)).holds:
        return from_theorem(name, theorem)
    tried = f"CR ≤ {known} + 1 at every n, and without the 1 as n/M → ∞, is proved; this bound is not so weak"
    return Part(name, "inconclusive", {"tried": tried, "a weaker bound": theorem.as_json()})


def _upper(policy: str) -> Any:
    return random_order.random_upper() if policy == "random" else random_order.max_upper()


def _above(bound: Any, alpha: Any, at: Fraction) -> Fraction | None:
    try:
        return enclose(bound, {alpha: at}, 20).upper
    except (NotCertified, ArithmeticError, TypeError, ValueError):
        return None


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
    limit = lock_step.ratio(*map(Fraction, place))
    evidence: dict[str, Any] = {
        "counterexample": {
            "s": s,
            "l": l,
            "u": u,
            "M": row.memory,
            "requests of length l": row.short,
            "requests of length u": row.long,
            "E TEL(A_random), at least": str(least),
            "TEL(H-SF)": total,
            "ratio, at least": approximately(least / total),
            "claimed bound": approximately(above),
            "limit as n → ∞, at least": f"{limit} ≈ {approximately(limit)}",
            "why it stays": f"s and α = {l}/{u} are fixed; the same limit at every multiple of this M, with as many times more "
            "requests of length l; n → ∞",
        },
        "where this family exceeds (1+α⁻¹)/2": "s small against u and α above (√5−1)/2 = 0.618…, where 2α > 1 + α³",
        "smaller instances": f"{looked_at} settings of the family were looked at before it",
        "theorem": theorem.as_json(),
        "second computation": _confirmed(place),
    }
    return Part(RANDOM, "refuted" if theorem.holds else "inconclusive", evidence)


@lru_cache(maxsize=16)
def _confirmed(place: tuple[int, int, int]) -> dict[str, Any]:
    """Run small members: H-SF's total, A_random in lock step, and the ratio at one order of a larger member."""
    row = lock_step.family(*place, 1, 2)
    lengths = [row.l] * row.short + [row.u] * row.long
    starts = list(simulate("h-sf", lengths, row.memory, row.s, engine="fast").schedule.starts)
    if sum(starts) + sum(lengths) != lock_step.h_sf_total(row):
        raise AssertionError("two computations of H-SF's total differ")
    if row.n <= MOST_LITERAL and literal.shortest_first(lengths, row.s, row.memory) != starts:
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
    lengths = [large.l] * large.short + [large.u] * large.long
    order = list(range(large.n))
    Random(0).shuffle(order)
    measured = simulate("a-random", lengths, large.memory, large.s, order=order, engine="fast").total_latency
    by = "two implementations of the process" if row.n <= MOST_LITERAL else "the simulator"
    return {
        "H-SF with two periods": f"{lock_step.h_sf_total(row)} by {by} and by the formula",
        "A_random with one request of length l": f"requests of length u start at 0, {row.u}, {2 * row.u}, …, by {by}",
        "ratio in a run": {"n": large.n, "ratio": measured / lock_step.h_sf_total(large), "order": "shuffled, seed 0"},
    }


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

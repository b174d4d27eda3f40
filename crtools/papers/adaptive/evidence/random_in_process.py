"""Evidence on bounds and rates of A_max and A_random as processes: proved bounds, and a family with H-SF out of step.

Used by the claims on Theorems 1, 2 and EC.1. The family is ``bounds/staggered.py``.
"""

from fractions import Fraction
from functools import lru_cache, partial
from math import lcm, log
from random import Random
from typing import Any

import sympy as sp

from check import process as judge
from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.ledger import Evidence, Open, Refuted, by_theorem
from crtools.ledger.deciders.bounds import Bound, Family, ProvedBound, Side, decide_bound, rounded, separating_decimals
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order, power_of
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.bounds import staggered
from crtools.papers.adaptive.evidence import a_max_exact
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.process import simulate
from crtools.proof.symbols import alpha
from crtools.schedule import batch_total

FamilySetting = tuple[int, int, int]
"""s, l and u."""

FAMILY_SETTINGS: tuple[FamilySetting, ...] = tuple(
    (1, low, up) for up in (*range(2, 25), 40, 60, 100) for low in range(up - 1, 0, -1)
)
"""Settings of the family at which a bound is compared with its limit, one after the other."""

INTERVALS = (4, 10, 40)
"""Ends u of the intervals [1, u] on which an upper bound on A_max is compared with a claimed lower bound."""

LARGEST_LITERAL = 1500
"""Largest n that the slow second implementation runs as well."""


LARGEST_ONES = 400
"""Largest number of requests of length 1 at a small memory."""


# ---- A_max ---------------------------------------------------------------------------------------------------------


def max_bounded(bound: Bound, *, in_the_limit: bool = False, strictly: bool = False) -> Evidence:
    """Decide CR(A_max) ≤ bound(α) + O(1/M): proved of weak bounds, refuted where lengths 1 exceed it, else open.

    ``in_the_limit``: of n/M → ∞ and then M → ∞ only, where a sharper bound is known. ``strictly``: what is proved is the least
    bound that is known at every n.
    """

    def ratio(interval: tuple[int, int], claimed: Fraction) -> Fraction | None:
        return Fraction(sum(interval), interval[0] + 1) if theorem("A_max on lengths 1").holds else None

    def refuted(interval: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        claimed_text, actual = separating_decimals(claimed.upper, ratio)
        return Refuted(
            {"s": interval[0], "l": 1, "u": interval[1], "lengths": "all 1"},
            f"at most {claimed_text}",
            f"at least {actual} as $n → ∞$ and $M → ∞$",
            _on_ones(*interval),
            "the ratio on lengths 1 tends to $(s+u)/(s+1)$",
            theorem("A_max on lengths 1").records,
        )

    ones = Family(
        lambda interval: Fraction(1, interval[1]), ratio, refuted, [(s, up) for s in (1, 0) for up in (2, *INTERVALS)]
    )
    root, text = sp.sqrt(alpha), TEXT.named
    proved_bounds = [
        ProvedBound((1 + 1 / alpha) / (2 * alpha), text("A_max in the process, against H-SF")),
        ProvedBound((1 + 1 / root) / alpha + 1, text("A_max in the process, against every schedule")),
    ]
    if in_the_limit:
        proved_bounds.insert(0, ProvedBound((1 + 1 / root) / (2 * alpha), text("A_max against H-SF's generations")))
    if strictly:
        strict = text("A_max in the process, below its bound(a_max_bound)")
        proved_bounds = [ProvedBound((3 + 2 / alpha) / (5 * alpha), strict)]
    tried = "$½α⁻¹(1+α⁻¹)$ and $α⁻¹(1+α^{−1/2}) + 1$ are proved at every $n$ for large $M$; this bound is no weaker than one of them"
    return decide_bound(bound, ones, _alike(), tried=tried, proved=proved_bounds)


def _alike() -> Family[tuple[int, int]]:
    """Return intervals [l, u] on which all requests have length u, so that A_max and H-SF make the same schedule."""

    def ratio(interval: tuple[int, int], claimed: Fraction) -> Fraction | None:
        return Fraction(1) if theorem("equal lengths").holds else None

    def refuted(interval: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        lengths = "all u, which is what A_max reserves for: as where l = u"
        return Refuted(
            {"s": 1, "l": interval[0], "u": interval[1], "lengths": lengths},
            f"at most {separating_decimals(claimed.upper, ratio)[0]}",
            "1, at every $n$ and $M$",
            [_all_of_length_u(u) for u in (2, 9)],
            "every $s$, $n$ and $M$",
            theorem("equal lengths").records,
        )

    def near(at: Fraction) -> list[tuple[int, int]]:
        return [(at.numerator, at.denominator)]

    intervals = a_max_exact.NEAR_ONE
    return Family(lambda interval: Fraction(*interval), ratio, refuted, intervals, near, ProvedBound(sp.S.One, None))


def _all_of_length_u(u: int) -> JsonObject:
    """Run A_max and H-SF on [u − 1, u] where all have length u; both totals again by the slow implementation."""
    n, memory = 7, 2 * u + 3
    totals = [simulate(p, [u] * n, memory, 1, u - 1, u, order=range(n)).total_latency for p in ("a-max", "h-sf")]
    recomputed = judge.total(judge.run_queue(range(n), [u] * n, [u] * n, 1, memory), [u] * n)
    agree(totals, [recomputed, recomputed], "totals of equal lengths")
    return {"s": 1, "l": u - 1, "u": u, "n": n, "M": memory, "A_max": totals[0], "H_SF": totals[1]}


def _on_ones(size: int, up: int) -> JsonObject:
    """Run A_max and H-SF on lengths 1, each by two implementations where that is short."""
    memory, n = 6 * (size + up), 360
    slow, best = (simulate(p, [1] * n, memory, size, 1, up, order=range(n)).total_latency for p in ("a-max", "h-sf"))
    recomputed = judge.total(judge.run_queue(range(n), [up] * n, [1] * n, size, memory), [1] * n)
    agree(slow, recomputed, "A_max's total on lengths 1")
    return {"n": n, "M": memory, "A_max_over_H_SF": slow / best}


def max_reached(bound: Bound, sizes: tuple[int, ...]) -> Evidence:
    """Decide CR(A_max) ≥ bound(α): refuted where the proved upper bound at some s of ``sizes`` is below it."""

    def ratio(setting: tuple[int, int], claimed: Fraction) -> Fraction | None:
        return upper_bound(*setting) if theorem("A_max in the process, against every schedule").holds else None

    def refuted(setting: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        size, up = setting
        if not a_max_exact.everywhere_below(claimed.lower - 1, 1, up, size, "volume"):
            raise AssertionError("two computations of A_max's supremum differ")
        actual, claimed_text = separating_decimals(ratio, claimed.lower)
        small_memory = by_rounding(size, up, claimed.upper)
        enough = (claimed.lower - 1) / (ratio - 1)  # M/(M−s−u) below this is enough
        threshold = (size + up) * enough / (enough - 1)
        return Refuted(
            {"s": size, "l": 1, "u": up, "lengths": f"any in $[1, {up}]$", "n": "any", "least_M": int(threshold) + 1},
            f"at least {claimed_text}",
            f"at most {actual} as $M → ∞$: $M/(M−s−u) · {rounded(ratio - 1, up=True)} + 1$ at every $n$",
            "(bound − 1) · volume − A_max is positive definite, by exact elimination on the entries",
            f"at every $n$ and every $M ≥ {int(threshold) + 1}$ the upper bound is below the claim"
            + _reached(small_memory),
            theorem("A_max in the process, against every schedule").records,
            small_memory,
        )

    family = Family(lambda at: Fraction(1, at[1]), ratio, refuted, [(size, up) for size in sizes for up in INTERVALS])
    why = "$n = 1$, where both total latencies are the request's length; the bound is at most 1"
    trivial = ProvedBound(sp.S.One, None, why)
    tried = f"upper bounds on $[1, u]$ for $u$ in {set(INTERVALS)}, $s$ in {set(sizes)}"
    return decide_bound(bound, family, tried=tried, proved=[trivial], side="at least")


def by_rounding(size: int, up: int, claimed: Fraction) -> JsonObject:
    """Return n lengths 1 whose ratio is above the claimed one at M = 2(s+u) − 1, n ≤ ``LARGEST_ONES``; {} if there is none.

    A_max has room for one of them at each instant, H-SF for ⌊M/(s+1)⌋.
    """
    memory = 2 * (size + up) - 1
    batch = memory // (size + 1)
    sizes = range(batch, LARGEST_ONES + 1, batch)
    n = next((n for n in sizes if batch_total(n, 1) > claimed * batch_total(n, batch)), None)
    if n is None:
        return {}
    totals = [simulate(p, [1] * n, memory, size, 1, up, order=range(n)).total_latency for p in ("a-max", "h-sf")]
    agree(totals, [batch_total(n, 1), batch_total(n, batch)], "totals on lengths 1")
    ratio = rounded(Fraction(*totals))
    return {"true_by_rounding": {"M": memory, "lengths": "all 1", "n": n, "totals": totals, "ratio": ratio}}


def _reached(values: JsonObject) -> str:
    example = values.get("true_by_rounding")
    if example is None:
        return ""
    return f"; by rounding it is reached at some small $M$, as at $M = {example['M']}$: {example['ratio']} with {example['n']} lengths 1"


def max_grows(power: Fraction, side: Side) -> Evidence:
    """Decide whether CR(A_max) is at most, or at least, of the order α^(−power), at s = 0 and 1, l = 1.

    It is of the order α⁻¹ at least, on lengths 1, and for every s of the order α^(−3/2) at most.
    """

    def ones(growth: Growth) -> tuple[JsonObject, Any, Any]:
        runs = [_on_ones(1, up) for up in INTERVALS]
        return {"s": 1, "l": 1, "u": list(INTERVALS), "lengths": "all 1"}, "at least $(1+u)/2$", runs

    def rows(growth: Growth) -> tuple[JsonObject, Any, Any]:
        settings = [_rate_row(size, up, power) for size in (0, 1) for up in (10, 100, 1000)]
        actual = {"CR_over_this_rate_at_most": [row["over_the_rate"] for row in settings]}
        second = "at most $½(s+u)(2 + 2 ln(u+1)) + 1$ at each, as $√(1+x) ≤ 1 + x$"
        return {"s": [0, 1], "l": 1, "u": [10, 100, 1000], "settings": settings}, actual, second

    if side == "at most":
        upper, witness, stays = sp.exp(BIG * 3 / 2), ones, "the ratio on lengths 1 tends to $(s+u)/(s+1)$"
    else:
        upper, witness = a_max_exact.RATE, rows
        stays = (
            "as $u → ∞$, at every $n$, $M → ∞$: CR is at most $½(s+u)(1+√(1+v_l S)) + 1$ with $S ≤ ln u$, "
            "of the order $α⁻¹ √(ln(1/α))$"
        )
    below, above = (TEXT.named(name) for name in ("A_max on lengths 1", "A_max in the process, against every schedule"))
    return decide_order(power_of(power), Order(witness, sp.exp(BIG), (below,), upper, (above,), stays), side)


def _rate_row(size: int, up: int, power: Fraction) -> JsonObject:
    bound = upper_bound(size, up)
    if bound > Fraction(size + up, 2) * Fraction(2 + 2 * log(up + 1)) + 1:
        raise AssertionError("two computations of A_max's supremum differ")
    over = float(bound) / up ** float(power)
    return {"s": size, "u": up, "CR_at_most": rounded(bound, up=True), "over_the_rate": over}


def upper_bound(size: int, up: int) -> Fraction:
    """Return what A_max's ratio on [1, up] is at most: the supremum of its form over the volumes', and 1."""
    return enclose(a_max_exact.supremum(1, up, size, "volume"), {}, 20).upper + 1


def at_equal_lengths(claimed: Fraction) -> Evidence:
    """Decide whether CR(A_max) at l = u is the number claimed."""
    if claimed == 1:
        return by_theorem(theorem("equal lengths"))
    lengths, memory = [2] * 5, 7
    total, best = (simulate(p, lengths, memory, 1, 2, 2, order=range(5)).total_latency for p in ("a-max", "h-sf"))
    recomputed = judge.total(judge.run_queue(range(5), lengths, lengths, 1, memory), lengths)
    second = Fraction(recomputed, judge.total(judge.shortest_first(lengths, 1, memory), lengths))
    value = agree(Fraction(total, best), second, "A_max's ratio at equal lengths")
    return Refuted({"s": 1, "l": 2, "u": 2, "n": 5, "M": memory}, str(claimed), str(value), str(second))


# ---- A_random ------------------------------------------------------------------------------------------------------


def random_bounded(bound: Bound, *, in_the_limit: bool = False) -> Evidence:
    """Decide CR(A_random) ≤ bound(α) + O(1/M): by a family at which it is in lock step, or proved of weak bounds.

    ``in_the_limit``: of n/M → ∞ and then M → ∞ only, where a sharper bound is known.
    """

    def ratio(setting: FamilySetting, claimed: Fraction) -> Fraction | None:
        return staggered.ratio(*map(Fraction, setting)) if theorem("A_random in step, H-SF staggered").holds else None

    in_step = Family(lambda setting: Fraction(setting[1], setting[2]), ratio, _exceeded, FAMILY_SETTINGS)
    proved_bounds = (ProvedBound(2 + 1 / alpha, partial(theorem, "A_random in the process")),)
    if in_the_limit:
        proved_bounds = (
            ProvedBound(
                (1 + sp.sqrt(2 - alpha**2) / alpha) / 2, partial(theorem, "A_random against H-SF's generations")
            ),
            *proved_bounds,
        )
    tried = "CR $≤ M/(M−s−u) ·$ $(1+α⁻¹)$ $+ 1$ at every $n$ and $M > s+u$ is proved; this bound is not so weak"
    return decide_bound(bound, in_step, tried=tried, proved=proved_bounds)


def _exceeded(setting: FamilySetting, claimed: Enclosure, limit: Fraction, looked_at: int) -> Refuted:
    """Refute a bound by the first member of the family, with more and more periods, that is beyond it."""
    s, l, u = setting
    row, bound = staggered.family(*setting, 1, 1), max(claimed.upper, Fraction(0))
    while (lower_bound := staggered.a_random_lower_bound(row)) <= bound * (total := staggered.h_sf_total(row)):
        row = row._replace(periods=2 * row.periods)
    claimed_text, actual = separating_decimals(claimed.upper, lower_bound / total)
    others = _other_numbers(setting)
    shorter = {"n_l": row.short} if l == u - 1 else {f"n_{l + r}": number for r, number in enumerate(row.shorter)}
    return Refuted(
        {"s": s, "l": l, "u": u, "M": row.memory, **shorter, "n_u": row.long},
        f"at most {claimed_text}",
        f"at least {actual}; as $n → ∞$ at least ${limit} ≈ {rounded(limit)}$",
        _confirmed(setting),
        f"s and $α = {l}/{u}$ are fixed; the limit ${limit}$ as $n → ∞$ is the same at every multiple of this $M$, with as many times "
        "more shorter requests" + _typical(others),
        theorem("A_random in step, H-SF staggered").records,
        {
            "E_TEL_A_random_at_least": str(lower_bound),
            "TEL_H_SF": total,
            "A_random_at_finite_n": "$E TEL ≥ (1 − h(h−1)(B+1)/(n−1)) · u(B·f(f+1)/2 + g(f+1))$ with $B = M/(s+u)$, $n_u = f·B + g$, "
            "$h$ shorter requests",
            "H_SF_at_finite_n": "$TEL = Σ n_o o + c·(u²·P(P+1)/2 + (l+…+(u−1))·P)$, the sum over the shorter ones, with "
            "$c = M/(u(s+l)+d(d+1)/2)$, $d = u−l$, $n_u = c·u·P$",
            **others,
            "where_it_exceeds": "$s$ small against $u$ and $α$ above $√2 − 1 = 0.414…$, where $α² + 2α > 1$, for the bound $(1+α⁻¹)/2$",
            "settings_looked_at_before": looked_at,
            **_groups(setting),
        },
    )


@lru_cache(maxsize=16)
def _confirmed(setting: FamilySetting) -> JsonObject:
    """Run small members: H-SF's total, A_random in lock step, and the ratio at one order of a larger member.

    Where two periods are too long for the slow implementation, a simpler setting is run.
    """
    row = staggered.family(*setting, 1, 2)
    if row.n > LARGEST_LITERAL:
        return _confirmed((1, 3, 4))
    starts = simulate("h-sf", row.lengths, row.memory, row.s, engine="fast").schedule.starts
    agree(list(starts), judge.shortest_first(row.lengths, row.s, row.memory), "H-SF's schedule")
    agree(staggered.h_sf_total(row), sum(starts) + sum(row.lengths), "H-SF's total")
    one = [row.u] * (row.batch // 2) + [row.l] + [row.u] * (2 * row.batch)  # one request of length l among the first
    order = range(len(one))
    a_random_starts = list(simulate("a-random", one, row.memory, row.s, order=order, engine="fast").schedule.starts)
    agree(a_random_starts, judge.run_queue(order, one, one, row.s, row.memory), "A_random's schedule")
    longs = [start for start, length in zip(a_random_starts, one, strict=True) if length == row.u]
    agree([row.u * (k // row.batch) for k in range(len(longs))], longs, "A_random's lock step")
    large = row._replace(periods=max(1, 400_000 // row.long))
    order = list(range(large.n))
    Random(0).shuffle(order)
    measured = simulate("a-random", large.lengths, large.memory, large.s, order=order, engine="fast").total_latency
    by = "by two implementations of the process"
    return {
        "s": row.s,
        "l": row.l,
        "u": row.u,
        "H_SF_with_two_periods": f"{staggered.h_sf_total(row)} {by} and by the formula",
        "A_random_with_one_short_request": f"requests of length u start at 0, {row.u}, {2 * row.u}, …, {by}",
        "one_shuffled_order": {"n": large.n, "ratio": measured / staggered.h_sf_total(large), "seed": 0},
    }


PERIODS = 150
"""Periods of the runs of H-SF with other numbers of requests of length l."""


def _typical(others: JsonObject) -> str:
    if "n_l_that_is_needed" not in others:
        return ""
    needed, typical = others["n_l_that_is_needed"], others["ratio_at_a_typical_n_l"]
    return f"; $n_l$ has to be {needed}: the ratio in runs is {others['ratio_at_that_n_l']} there and {typical} at a typical one"


@lru_cache(maxsize=16)
def _other_numbers(setting: FamilySetting) -> JsonObject:
    """Run H-SF with other numbers n_l of short requests: the ratio, with A_random in lock step, is near 1 at nearly all."""
    row = staggered.family(*setting, 1, PERIODS)
    cycle = row.memory // (row.s + row.l)  # so many requests of length l fit at once
    if len(row.shorter) > 1 or cycle > 200:
        return {"numbers_of_shorter_requests_that_are_needed": f"{row.short} in all; others: not run"}
    in_step = Fraction(row.u * row.long * (row.long + row.batch), 2 * row.batch)

    def ratio(shorts: int) -> float:
        lengths = [row.l] * shorts + [row.u] * row.long
        return float(in_step / simulate("h-sf", lengths, row.memory, row.s, engine="fast").total_latency)

    ratios = {shorts: ratio(shorts) for shorts in range(cycle + 1)}
    other_ratios = sorted(value for shorts, value in ratios.items() if shorts != row.short)
    return {
        "n_l_that_is_needed": f"${row.short}$ modulo $M/(s+l) = {cycle}$: one number in {cycle}",
        "ratio_at_that_n_l": round(ratios[row.short], 4),
        "ratio_at_a_typical_n_l": round(other_ratios[len(other_ratios) // 2], 4),
        "largest_ratio_at_another_n_l": round(other_ratios[-1], 4),
        "measured_with": f"$n_u = {row.long}$, $n_l$ from 0 to {cycle}, A_random in lock step",
    }


def _groups(setting: FamilySetting) -> JsonObject:
    """Return H-SF's schedule of two periods at the least memory at which its groups are exact, to be drawn if it is short."""
    s, l, u = setting
    row = staggered.at_scale(s, l, u, lcm(*range(s + l, s + u)), 2)
    if row.n > LARGEST_LITERAL:
        return {}
    starts = simulate("h-sf", row.lengths, row.memory, s).schedule.starts
    name = f"H-SF at M = {row.memory}: {u - l + 1} groups of length {u}, out of step"
    return {"schedules": [schedule(name, starts, row.lengths, s, row.memory)]}


def charged_by_peaks() -> Evidence:
    """Decide the proof's TEL(H-SF) ≥ ½(l(s+l)N_l² + 2l(s+l)N_l N_u + u(s+u)N_u²)/M at a member of the family."""
    row = staggered.family(1, 3, 4, 1, 15)
    a, d, memory = row.l * (row.s + row.l), row.u * (row.s + row.u), row.memory
    claimed = Fraction(a * row.short**2 + 2 * a * row.short * row.long + d * row.long**2, 2 * memory)
    total = simulate("h-sf", row.lengths, memory, row.s).total_latency
    second = judge.total(judge.shortest_first(row.lengths, row.s, memory), row.lengths)
    agree(total, second, "H-SF's total")
    if not total < claimed or not theorem("A_random in step, H-SF staggered").holds:
        return Open(f"one member of a family, where the total is {total} and the display says {claimed}")
    limit = 1 / staggered.ratio(Fraction(row.s), row.l, row.u)
    return Refuted(
        {"s": row.s, "l": row.l, "u": row.u, "M": memory, "N_l": row.short, "N_u": row.long},
        f"at least {rounded(claimed)}, up to a factor $1 + O(1/M)$",
        str(total),
        str(second),
        f"the quotient tends to ${limit}$ as $N_u → ∞$ at every multiple of this $M$: requests of different ages share the memory, "
        "which the display charges with each one's peak for all of its time",
        theorem("A_random in step, H-SF staggered").records,
    )

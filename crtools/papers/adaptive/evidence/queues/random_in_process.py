"""A_random and A_max as processes: what proved bounds, and a family on which H-SF is out of step, say of a bound or a rate."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import gcd, log
from random import Random
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import Bound, Family, Known, Side, apart, decide_bound, rounded
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order, power_of
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.evidence.queues import a_max_exact
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.process import a_max, a_random, generations, lock_step, staggered
from crtools.process import simulate
from crtools.proof.symbols import alpha

PLACES = (
    *((1, low, up) for up in range(2, 25) for low in range(up - 1, 0, -1)),
    *((1, low, up) for up in (40, 60, 100) for low in range(up - 1, up // 5, -1)),
)
"""Settings (s, l, u) of the family at which a bound is compared with its limit, one after the other."""

WIDER = tuple((1, low, up) for up in (*range(3, 13), 20, 40) for low in range(up - 1, 0, -1))
"""The same of the family in which H-SF's starts are staggered."""

Place = tuple[int, int, int]
"""s, l and u."""

INTERVALS = (4, 10, 40)
"""Ends u of the intervals [1, u] on which an upper bound on A_max is compared with a claimed lower bound."""

MOST_LITERAL = 1500
"""Instances of up to so many requests are run by the slow second implementation as well."""


# ---- A_max ---------------------------------------------------------------------------------------------------------


def max_bounded(bound: Bound, *, in_the_limit: bool = False) -> Evidence:
    """Decide CR(A_max) ≤ bound(α) + O(1/M): proved of weak bounds, refuted where lengths 1 exceed it, else open.

    ``in_the_limit``: of n/M → ∞ and then M → ∞ only, where a sharper bound is known.
    """

    def ratio(place: tuple[int, int], claimed: Fraction) -> Fraction | None:
        return Fraction(sum(place), place[0] + 1) if a_max.on_ones().holds else None

    def refuted(place: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        said, actual = apart(claimed.upper, ratio)
        return Refuted(
            {"s": place[0], "l": 1, "u": place[1], "lengths": "all 1"},
            f"at most {said}",
            f"at least {actual} as $n → ∞$ and $M → ∞$",
            _on_ones(*place),
            "the ratio on lengths 1 tends to $(s+u)/(s+1)$",
            a_max.on_ones().records,
        )

    ones = Family(
        lambda place: Fraction(1, place[1]), ratio, refuted, [(s, up) for s in (1, 0) for up in (2, *INTERVALS)]
    )
    known = (
        Known((1 + 1 / alpha) / (2 * alpha), generations.a_max_at_every_n),
        Known((1 + 1 / sp.sqrt(alpha)) / alpha + 1, a_max.upper),
    )
    if in_the_limit:
        known = (Known((1 + 1 / sp.sqrt(alpha)) / (2 * alpha), generations.a_max_in_the_limit), *known)
    tried = "$½α⁻¹(1+α⁻¹)$ and $α⁻¹(1+α^{−1/2}) + 1$ are proved at every $n$ for large $M$; this bound is no weaker than one of them"
    return decide_bound(bound, ones, tried=tried, known=known)


def _weaker(written: str) -> str:
    return f"CR $≤ M/(M−s−u) ·$ {written} $+ 1$ at every $n$ and $M > s+u$ is proved; this bound is not so weak"


def _on_ones(size: int, up: int) -> dict[str, Any]:
    """Run A_max and H-SF on lengths 1, each by two implementations where that is short."""
    memory, n = 6 * (size + up), 360
    slow, best = (simulate(p, [1] * n, memory, size, 1, up, order=range(n)).total_latency for p in ("a-max", "h-sf"))
    again = literal.total(literal.queue(range(n), [up] * n, [1] * n, size, memory), [1] * n)
    agree(slow, again, "A_max's total on lengths 1")
    return {"n": n, "M": memory, "A_max_over_H_SF": slow / best}


def max_reached(bound: Bound, sizes: tuple[int, ...]) -> Evidence:
    """Decide CR(A_max) ≥ bound(α): refuted where the proved upper bound at some s of ``sizes`` is below it."""

    def ratio(place: tuple[int, int], claimed: Fraction) -> Fraction | None:
        return upper_bound(*place) if a_max.upper().holds else None

    def refuted(place: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        size, up = place
        if not a_max_exact.everywhere_below(claimed.lower - 1, 1, up, size, "volume"):
            raise AssertionError("two computations of A_max's supremum differ")
        actual, said = apart(ratio, claimed.lower)
        enough = (claimed.lower - 1) / (ratio - 1)  # M/(M−s−u) below this is enough
        least = (size + up) * enough / (enough - 1)
        return Refuted(
            {"s": size, "l": 1, "u": up, "lengths": f"any in $[1, {up}]$", "n": "any", "least_M": int(least) + 1},
            f"at least {said}",
            f"at most {actual} as $M → ∞$: $M/(M−s−u) · {rounded(ratio - 1, up=True)} + 1$ at every $n$",
            "(bound − 1) · volume − A_max is positive definite, by exact elimination on the entries",
            f"at every $n$ and every $M ≥ {int(least) + 1}$ the upper bound is below the claim",
            a_max.upper().records,
        )

    family = Family(lambda at: Fraction(1, at[1]), ratio, refuted, [(size, up) for size in sizes for up in INTERVALS])
    why = "$n = 1$, where both total latencies are the request's length; the bound is at most 1"
    known = Known(sp.S.One, None, why)
    tried = f"upper bounds on $[1, u]$ for $u$ in {set(INTERVALS)}, $s$ in {set(sizes)}"
    return decide_bound(bound, family, tried=tried, known=known, side="at least")


def max_grows(power: Fraction, side: Side) -> Evidence:
    """Decide whether CR(A_max) is at most, or at least, of the order α^(−power), at s = 0 and 1, l = 1.

    It is of the order α⁻¹ at least, on lengths 1, and for every s of the order α^(−3/2) at most.
    """

    def ones(growth: Growth) -> tuple[dict[str, Any], Any, Any]:
        runs = [_on_ones(1, up) for up in INTERVALS]
        return {"s": 1, "l": 1, "u": list(INTERVALS), "lengths": "all 1"}, "at least $(1+u)/2$", runs

    def rows(growth: Growth) -> tuple[dict[str, Any], Any, Any]:
        found = [_at_most(size, up, power) for size in (0, 1) for up in (10, 100, 1000)]
        actual = {"CR_over_this_rate_at_most": [row["over_the_rate"] for row in found]}
        second = "at most $½(s+u)(2 + 2 ln(u+1)) + 1$ at each, as $√(1+x) ≤ 1 + x$"
        return {"s": [0, 1], "l": 1, "u": [10, 100, 1000], "settings": found}, actual, second

    if side == "at most":
        most, witness, stays = sp.exp(BIG * 3 / 2), ones, "the ratio on lengths 1 tends to $(s+u)/(s+1)$"
    else:
        most, witness = a_max_exact.RATE, rows
        stays = (
            "as $u → ∞$, at every $n$, $M → ∞$: CR is at most $½(s+u)(1+√(1+v_l S)) + 1$ with $S ≤ ln u$, "
            "of the order $α⁻¹ √(ln(1/α))$"
        )
    known = Order(witness, sp.exp(BIG), (a_max.on_ones,), most, (a_max.upper,), stays)
    return decide_order(power_of(power), known, side)


def _at_most(size: int, up: int, power: Fraction) -> dict[str, Any]:
    most = upper_bound(size, up)
    if most > Fraction(size + up, 2) * Fraction(2 + 2 * log(up + 1)) + 1:
        raise AssertionError("two computations of A_max's supremum differ")
    over = float(most) / up ** float(power)
    return {"s": size, "u": up, "CR_at_most": rounded(most, up=True), "over_the_rate": over}


def upper_bound(size: int, up: int) -> Fraction:
    """Return what A_max's ratio on [1, up] is at most: the supremum of its form over the volumes', and 1."""
    return enclose(a_max_exact.supremum(1, up, size, "volume"), {}, 20).upper + 1


def at_equal_lengths(claimed: Fraction) -> Evidence:
    """Decide whether CR(A_max) at l = u is the number claimed."""
    if claimed == 1:
        return by_theorem(a_random.equal_lengths())
    lengths, memory = [2] * 5, 7
    found, best = (simulate(p, lengths, memory, 1, 2, 2, order=range(5)).total_latency for p in ("a-max", "h-sf"))
    again = literal.total(literal.queue(range(5), lengths, lengths, 1, memory), lengths)
    second = Fraction(again, literal.total(literal.shortest_first(lengths, 1, memory), lengths))
    value = agree(Fraction(found, best), second, "A_max's ratio at equal lengths")
    return Refuted({"s": 1, "l": 2, "u": 2, "n": 5, "M": memory}, str(claimed), str(value), str(second))


# ---- A_random ------------------------------------------------------------------------------------------------------


def random_bounded(bound: Bound, *, in_the_limit: bool = False) -> Evidence:
    """Decide CR(A_random) ≤ bound(α) + O(1/M): by two families in lock step, or proved of weak bounds.

    ``in_the_limit``: of n/M → ∞ and then M → ∞ only, where a sharper bound is known.
    """

    def ratio(place: Place, claimed: Fraction) -> Fraction | None:
        return lock_step.ratio(*map(Fraction, place)) if lock_step.theorem().holds else None

    def further(place: Place, claimed: Fraction) -> Fraction | None:
        return staggered.ratio(*map(Fraction, place)) if staggered.theorem().holds else None

    alpha_at: Callable[[Place], Fraction] = lambda place: Fraction(place[1], place[2])  # noqa: E731
    in_step, out_of_step = Family(alpha_at, ratio, _exceeded, PLACES), Family(alpha_at, further, _further, WIDER)
    known = (Known(2 + 1 / alpha, a_random.upper),)
    if in_the_limit:
        known = (Known((1 + sp.sqrt(2 - alpha**2) / alpha) / 2, generations.a_random_in_the_limit), *known)
    return decide_bound(bound, in_step, out_of_step, tried=_weaker("$(1+α⁻¹)$"), known=known)


def _long_enough(of: Any, place: Place, claimed: Enclosure) -> tuple[Any, Fraction, int, str, str]:
    """Return the first member of a family beyond a bound, A_random's total at least, H-SF's, and what is said and is so."""
    periods, bound = 1, max(claimed.upper, Fraction(0))
    while True:
        row = of.family(*place, 1, periods)
        least, total = lock_step.a_random_least(row), of.h_sf_total(row)
        if least > bound * total:
            return row, least, total, *apart(claimed.upper, least / total)
        periods *= 2


def _further(place: Place, claimed: Enclosure, limit: Fraction, looked_at: int) -> Refuted:
    """Refute a bound by H-SF's staggered starts, which reach α = √2 − 1."""
    s, l, u = place
    row, least, total, said, actual = _long_enough(staggered, place, claimed)
    shorter = {f"{l + r}": number for r, number in enumerate(row.shorter)}
    return Refuted(
        {"s": s, "l": l, "u": u, "M": row.memory, "requests_shorter_than_u": shorter, "n_u": row.long},
        f"at most {said}",
        f"at least {actual}; as $n → ∞$ at least ${limit} ≈ {rounded(limit)}$",
        _small_staggered(),
        f"s and $α = {l}/{u}$ are fixed; the limit ${limit}$ as $n → ∞$ is the same at every multiple of this $M$",
        staggered.theorem().records,
        {
            "E_TEL_A_random_at_least": str(least),
            "TEL_H_SF": total,
            "settings_looked_at_before": looked_at,
        },
    )


@lru_cache(maxsize=1)
def _small_staggered() -> dict[str, str]:
    """Run a small member by a second implementation: H-SF's schedule and its total."""
    row = staggered.family(0, 2, 4, 1, 3)
    found = literal.shortest_first(row.lengths, row.s, row.memory)
    agree(row.starts, found, "H-SF's staggered schedule")
    agree(staggered.h_sf_total(row), literal.total(found, row.lengths), "H-SF's total")
    return {
        "H_SF_at_s_0_on_2_to_4": f"total {staggered.h_sf_total(row)} at M = {row.memory}, by the literal process and by the formula"
    }


def _exceeded(place: Place, claimed: Enclosure, limit: Fraction, looked_at: int) -> Refuted:
    s, l, u = place
    row, least, total, said, actual = _long_enough(lock_step, place, claimed)
    return Refuted(
        {"s": s, "l": l, "u": u, "M": row.memory, "n_l": row.short, "n_u": row.long},
        f"at most {said}",
        f"at least {actual}; as $n → ∞$ at least ${limit} ≈ {rounded(limit)}$",
        _confirmed(place),
        f"s and $α = {l}/{u}$ are fixed; the limit ${limit}$ as $n → ∞$ is the same at every multiple of this $M$, with as many times "
        f"more requests of length $l$",
        lock_step.theorem().records,
        {
            "E_TEL_A_random_at_least": str(least),
            "TEL_H_SF": total,
            "A_random_at_finite_n": "$E TEL ≥ (1 − n_l(n_l−1)(B+1)/(n−1)) · u(B·f(f+1)/2 + g(f+1))$ with $B = M/(s+u)$, $n_u = f·B + g$",
            "H_SF_at_finite_n": "$TEL = n_l·l + c·u²·P(P+1)/2 + (u−l)·c·l·P$ with $c = M/(l(s+u)+(u−l)(s+u−l))$, $n_u = c·u·P$",
            **_other_numbers(place),
            "where_it_exceeds": "$s$ small against $u$ and $α$ above $(√5−1)/2 = 0.618…$, where $2α > 1 + α³$, for the bound $(1+α⁻¹)/2$; "
            "by H-SF's staggered starts $α$ above $√2 − 1 = 0.414…$, where $α² + 2α > 1$",
            "settings_looked_at_before": looked_at,
            "schedules": [_two_groups(place)],
        },
    )


@lru_cache(maxsize=16)
def _confirmed(place: tuple[int, int, int]) -> dict[str, Any]:
    """Run small members: H-SF's total, A_random in lock step, and the ratio at one order of a larger member."""
    row = lock_step.family(*place, 1, 2)
    starts = list(simulate("h-sf", row.lengths, row.memory, row.s, engine="fast").schedule.starts)
    agree(lock_step.h_sf_total(row), sum(starts) + sum(row.lengths), "H-SF's total")
    if row.n <= MOST_LITERAL:
        agree(starts, literal.shortest_first(row.lengths, row.s, row.memory), "H-SF's schedule")
    one = [row.u] * (row.batch // 2) + [row.l] + [row.u] * (2 * row.batch)  # one request of length l among the first
    order = range(len(one))
    found = list(simulate("a-random", one, row.memory, row.s, order=order, engine="fast").schedule.starts)
    if len(one) <= MOST_LITERAL:
        agree(found, literal.queue(order, one, one, row.s, row.memory), "A_random's schedule")
    longs = [start for start, length in zip(found, one, strict=True) if length == row.u]
    agree([row.u * (k // row.batch) for k in range(len(longs))], longs, "A_random's lock step")
    large = lock_step.family(*place, 1, max(1, 200_000 // (row.early + row.late)))
    order = list(range(large.n))
    Random(0).shuffle(order)
    measured = simulate("a-random", large.lengths, large.memory, large.s, order=order, engine="fast").total_latency
    by = "two implementations of the process" if row.n <= MOST_LITERAL else "the simulator"
    return {
        "H_SF_with_two_periods": f"{lock_step.h_sf_total(row)} by {by} and by the formula",
        "A_random_with_one_short_request": f"requests of length u start at 0, {row.u}, {2 * row.u}, …, by {by}",
        "one_shuffled_order": {"n": large.n, "ratio": measured / lock_step.h_sf_total(large), "seed": 0},
    }


PERIODS = 150
"""H-SF is run over so many periods to see what another number of requests of length l gives."""


@lru_cache(maxsize=16)
def _other_numbers(place: tuple[int, int, int]) -> dict[str, Any]:
    """Run H-SF with other numbers n_l of short requests: the ratio, with A_random in lock step, is near 1 at nearly all."""
    row = lock_step.family(*place, 1, 1)
    cycle = row.memory // (row.s + row.l)  # so many requests of length l fit at once
    if cycle > 200:
        return {"n_l_that_is_needed": f"${row.short}$ of those that $M/(s+l) = {cycle}$ allows", "others": "not run"}
    longs = PERIODS * (row.early + row.late)
    in_step = Fraction(row.u * longs * (longs + row.batch), 2 * row.batch)

    def ratio(shorts: int) -> float:
        lengths = [row.l] * shorts + [row.u] * longs
        return float(in_step / simulate("h-sf", lengths, row.memory, row.s, engine="fast").total_latency)

    found = {shorts: ratio(shorts) for shorts in range(cycle + 1)}
    rest = sorted(value for shorts, value in found.items() if shorts != row.short)
    return {
        "n_l_that_is_needed": f"${row.short}$ modulo $M/(s+l) = {cycle}$: one number in {cycle}",
        "ratio_at_that_n_l": round(found[row.short], 4),
        "ratio_at_a_typical_n_l": round(rest[len(rest) // 2], 4),
        "largest_ratio_at_another_n_l": round(rest[-1], 4),
        "measured_with": f"$n_u = {longs}$, $n_l$ from 0 to {cycle}, A_random in lock step",
    }


def _two_groups(place: tuple[int, int, int]) -> dict[str, Any]:
    """Return H-SF's schedule of two periods at the least memory at which its groups are exact, to be drawn."""
    s, l, u = place
    row = lock_step.at_scale(s, l, u, (s + l) // gcd(s + l, lock_step.unit(s, l, u)), 2)
    starts = simulate("h-sf", row.lengths, row.memory, s).schedule.starts
    return schedule(
        f"H-SF at M = {row.memory}: two groups of length {u}, out of step", starts, row.lengths, s, row.memory
    )


def charged_by_peaks(place: tuple[int, int, int] = (1, 3, 4), periods: int = 15) -> Evidence:
    """Decide the proof's TEL(H-SF) ≥ ½(l(s+l)N_l² + 2l(s+l)N_l N_u + u(s+u)N_u²)/M at a member of the family."""
    row = lock_step.family(*place, 1, periods)
    a, d, memory = row.l * (row.s + row.l), row.u * (row.s + row.u), row.memory
    claimed = Fraction(a * row.short**2 + 2 * a * row.short * row.long + d * row.long**2, 2 * memory)
    total = simulate("h-sf", row.lengths, memory, row.s).total_latency
    second = literal.total(literal.shortest_first(row.lengths, row.s, memory), row.lengths)
    agree(total, second, "H-SF's total")
    if not total < claimed or not lock_step.theorem().holds:
        return Open(f"one member of a family, where the total is {total} and the display says {claimed}")
    limit = 1 / lock_step.ratio(*map(Fraction, place))
    return Refuted(
        {"s": row.s, "l": row.l, "u": row.u, "M": memory, "N_l": row.short, "N_u": row.long},
        f"at least {rounded(claimed)}, up to a factor $1 + O(1/M)$",
        str(total),
        str(second),
        f"the quotient tends to ${limit}$ as $N_u → ∞$ at every multiple of this $M$: requests of different ages share the memory, "
        "which the display charges with each one's peak for all of its time",
        lock_step.theorem().records,
    )

"""Instances at which A_random runs in lock step and H-SF does not: almost all lengths are u, a few lie between l and u.

At 0 the shorter requests start beside cl of length u. As those of length l + r end, for r = 0, …, d−1, d = u − l, c requests of
length u start in their place, and so H-SF has d + 1 groups of length u, one instant out of step with each other, that together
fill the memory at d + 1 instants of every u. It serves uc requests per u instants, each for c_u token-instants of the memory: no
schedule of H-SF is faster. A_random meets the few shorter requests one by one, and none of them can break the step: all B
requests of a batch start and end together.

The family refutes bounds on A_random as a process, and a charge in a published proof; used by the claims on Theorem EC.1.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import lcm
from random import Random
from typing import NamedTuple

import sympy as sp

from crtools.enclosure import Enclosure
from crtools.ledger import Evidence, Refuted
from crtools.ledger.deciders.bounds import Bound, Family, ProvedBound, decide_bound, rounded, separating_decimals
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject, RingElement
from crtools.papers.adaptive.evidence.confirmed_runs import confirmed_total, judged_starts
from crtools.papers.adaptive.evidence.reading import schedule
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.process import simulate
from crtools.proof.symbols import alpha
from crtools.schedule import volume


def unit(s: RingElement, l: RingElement, u: RingElement) -> RingElement:
    """Return M/c = u(s+l) + d(d+1)/2, d = u − l."""
    return u * (s + l) + volume(0, u - l)


def ratio(s: RingElement, l: RingElement, u: RingElement) -> RingElement:
    """Return A_random's latency over H-SF's in the limit: u(s+u) over :func:`unit`."""
    return u * (s + u) / unit(s, l, u)


def first_generation(r: RingElement, s: RingElement, l: RingElement, u: RingElement) -> RingElement:
    """Return A_r/c, where A_r requests of the first generation are at least l + r long: those that fill up the memory at l + r."""
    return (unit(s, l, u) - volume(s, r)) / (s + l + r)


class Staggered(NamedTuple):
    """An instance: ``shorter`` requests of length l + r each, ``scale`` = c, and ``periods`` times uc of length u."""

    s: int
    l: int
    u: int
    memory: int
    shorter: tuple[int, ...]
    scale: int
    periods: int

    @property
    def short(self) -> int:
        """The number of requests shorter than u."""
        return sum(self.shorter)

    @property
    def long(self) -> int:
        """The number of requests of length u."""
        return self.periods * self.u * self.scale

    @property
    def n(self) -> int:
        """The number of requests."""
        return self.short + self.long

    @property
    def batch(self) -> int:
        """How many requests of length u fit at once when they start together."""
        return self.memory // (self.s + self.u)

    @property
    def lengths(self) -> list[int]:
        """The lengths, sorted."""
        short = [self.l + r for r, number in enumerate(self.shorter) for _ in range(number)]
        return short + [self.u] * self.long


def family(s: int, l: int, u: int, smallest_scale: int, periods: int) -> Staggered:
    """Return the instance with the smallest c ≥ ``smallest_scale`` that is a common multiple of s+l, …, s+u."""
    common = lcm(*range(s + l, s + u + 1))
    return at_scale(s, l, u, -(-smallest_scale // common) * common, periods)


def at_scale(s: int, l: int, u: int, scale: int, periods: int) -> Staggered:
    """Return the instance at c, a multiple of s+l, …, s+u−1; A_random is in lock step only where s+u divides M too."""
    kept = [int(scale * first_generation(Fraction(r), s, l, u)) for r in range(u - l + 1)]
    shorter = tuple(first - after for first, after in pairwise(kept))
    return Staggered(s, l, u, scale * unit(s, l, u), shorter, scale, periods)


def h_sf_total(row: Staggered) -> int:
    """Return H-SF's total latency: cl of length u end at u, 2u, …, and c each at l + r after these, r < d."""
    first = sum(number * (row.l + r) for r, number in enumerate(row.shorter))
    later = sum(range(row.l, row.u)) * row.periods
    return first + row.scale * (row.u * row.u * row.periods * (row.periods + 1) // 2 + later)


def a_random_lower_bound(row: Staggered) -> Fraction:
    """Return a lower bound on the expectation of A_random's total latency."""
    full, remainder = divmod(row.long, row.batch)
    in_step = row.u * (row.batch * full * (full + 1) // 2 + remainder * (full + 1))
    disturbed = Fraction(row.short * (row.short - 1) * (row.batch + 1), row.n - 1)
    return (1 - disturbed) * in_step


# ---- what it refutes -----------------------------------------------------------------------------------------------

STAGGERED = "A_random in step, H-SF staggered"

FamilySetting = tuple[int, int, int]
"""s, l and u."""

FAMILY_SETTINGS = tuple((1, low, up) for up in (*range(2, 25), 40, 60, 100) for low in range(up - 1, 0, -1))
"""Settings of the family at which a bound is compared with its limit, one after the other."""

LARGEST_LITERAL = 1500
"""Largest n that the slow second implementation runs as well."""


def random_bounded(bound: Bound, *, in_the_limit: bool = False) -> Evidence:
    """Decide CR(A_random) ≤ bound(α) + O(1/M): by a family at which it is in lock step, or proved of weak bounds.

    ``in_the_limit``: of n/M → ∞ and then M → ∞ only, where a sharper bound is known.
    """
    in_step = Family(
        lambda setting: Fraction(setting[1], setting[2]),
        lambda setting, _: ratio(*map(Fraction, setting)),
        _exceeded,
        FAMILY_SETTINGS,
    )
    proved_bounds = [ProvedBound(2 + 1 / alpha, TEXT.named("A_random in the process"))]
    if in_the_limit:
        sharper = (1 + sp.sqrt(2 - alpha**2) / alpha) / 2
        proved_bounds.insert(0, ProvedBound(sharper, TEXT.named("A_random against H-SF's generations")))
    tried = "CR $≤ M/(M−s−u) ·$ $(1+α⁻¹)$ $+ 1$ at every $n$ and $M > s+u$ is proved; this bound is not so weak"
    return decide_bound(bound, in_step, tried=tried, proved=proved_bounds)


def _exceeded(setting: FamilySetting, claimed: Enclosure, limit: Fraction, looked_at: int) -> Refuted:
    """Refute a bound by the first member of the family, with more and more periods, that is beyond it."""
    s, l, u = setting
    row, bound = family(*setting, 1, 1), max(claimed.upper, Fraction(0))
    while (lower_bound := a_random_lower_bound(row)) <= bound * (total := h_sf_total(row)):
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
        theorem(STAGGERED).records,
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
    """Run small members: H-SF's total, A_random in lock step, and the ratio at one order; simpler ones where runs are long."""
    row = family(*setting, 1, 2)
    if row.n > LARGEST_LITERAL:
        return _confirmed((1, 3, 4))
    agree(h_sf_total(row), confirmed_total("h-sf", row.lengths, row.memory, row.s, row.l, row.u), "H-SF's total")
    one = [row.u] * (row.batch // 2) + [row.l] + [row.u] * (2 * row.batch)  # one request of length l among the first
    confirmed_total("a-random", one, row.memory, row.s, row.l, row.u)
    starts = zip(judged_starts("a-random", one, row.memory, row.s), one, strict=True)
    longs = [start for start, length in starts if length == row.u]
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
        "H_SF_with_two_periods": f"{h_sf_total(row)} {by} and by the formula",
        "A_random_with_one_short_request": f"requests of length u start at 0, {row.u}, {2 * row.u}, …, {by}",
        "one_shuffled_order": {"n": large.n, "ratio": measured / h_sf_total(large), "seed": 0},
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
    row = family(*setting, 1, PERIODS)
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
    row = at_scale(s, l, u, lcm(*range(s + l, s + u)), 2)
    if row.n > LARGEST_LITERAL:
        return {}
    starts = simulate("h-sf", row.lengths, row.memory, s).schedule.starts
    name = f"H-SF at M = {row.memory}: {u - l + 1} groups of length {u}, out of step"
    return {"schedules": [schedule(name, starts, row.lengths, s, row.memory)]}


def charged_by_peaks() -> Refuted:
    """Refute the proof's TEL(H-SF) ≥ ½(l(s+l)N_l² + 2l(s+l)N_l N_u + u(s+u)N_u²)/M at a member of the family."""
    row = family(1, 3, 4, 1, 15)
    a, d, memory = row.l * (row.s + row.l), row.u * (row.s + row.u), row.memory
    claimed = Fraction(a * row.short**2 + 2 * a * row.short * row.long + d * row.long**2, 2 * memory)
    total = confirmed_total("h-sf", row.lengths, memory, row.s, row.l, row.u)
    agree(total < claimed, True, "whether H-SF's total is below the display")
    limit = 1 / ratio(Fraction(row.s), row.l, row.u)
    return Refuted(
        {"s": row.s, "l": row.l, "u": row.u, "M": memory, "N_l": row.short, "N_u": row.long},
        f"at least {rounded(claimed)}, up to a factor $1 + O(1/M)$",
        str(total),
        str(total),
        f"the quotient tends to ${limit}$ as $N_u → ∞$ at every multiple of this $M$: requests of different ages share the memory, "
        "which the display charges with each one's peak for all of its time",
        theorem(STAGGERED).records,
    )

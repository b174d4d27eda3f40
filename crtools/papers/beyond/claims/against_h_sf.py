"""Policies against H-SF. against-h-sf: blind ones, of the forms. h-sf-charge, a-max, a-random, a-max-conjecture: the process's queues."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, permutations, product
from math import lcm, sqrt
from random import Random

import numpy as np
import sympy as sp

from crtools.blind import offsets_against_h_sf
from crtools.blind.offsets_against_h_sf import ratio_under
from crtools.enclosure import ends
from crtools.expressions import number
from crtools.forms import form
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Open, Refuted, by_theorem
from crtools.ledger.claims import proved_or_refuted
from crtools.ledger.deciders.bounds import Bound, rounded
from crtools.ledger.deciders.ranges import formula_in, unit
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence import staggered
from crtools.papers.adaptive.evidence.a_max import max_bounded
from crtools.papers.adaptive.evidence.reading import whole
from crtools.papers.adaptive.evidence.staggered import random_bounded
from crtools.papers.adaptive.theory import theorem as adaptive
from crtools.papers.beyond.one_machine import on_one_machine
from crtools.papers.beyond.policies import A_OFFSET
from crtools.papers.beyond.theory import constant, reading_of, stated_claim, theorem
from crtools.process import simulate
from crtools.proof.symbols import alpha, k, l, s, u
from crtools.proof.theorem import Theorem
from crtools.schedule import volume
from crtools.setting import Setting


def is_enough(expr: SymExpr) -> Evidence:
    """Decide whether volume ≤ factor · H-SF: a theorem for every s and l, or equal lengths at which it fails."""
    quotient = VOLUME.formula(l, l, s) / H_SF.formula(l, l, s)

    def refuted(lengths: tuple[int, int]) -> Refuted | None:
        low, prompt = lengths
        claimed, actual = (each.subs({s: prompt, l: low}) for each in (expr, quotient))
        if claimed >= actual:
            return None
        setting = Setting(s=prompt, l=low, u=low)
        second = form("volume").on(setting).value([1]) / form("h-sf").on(setting).value([1])
        witness = {"s": prompt, "l": low, "lengths": "all l"}
        return Refuted(witness, str(claimed), str(actual), str(second), "at every n")

    proof = theorem("volume against H-SF", factor=sp.Lambda((l, s), expr))
    return proved_or_refuted(proof, product(range(1, 12), (0, 1, 2, 5, 20)), refuted)


LARGEST, FURTHER, JOBS = 10_000, 12, 20_000
"""The largest s and l; the number of lengths of the distribution; the number of requests of the run."""


def law(prompt: int, low: int) -> dict[int, Fraction]:
    """Return the shares of l, …, l + 11 with P(o ≥ k) near √(v(l)/v(k))."""
    tails = [Fraction(round(1000 * sqrt(volume(prompt, low) / volume(prompt, low + k))), 1000) for k in range(FURTHER)]
    return {low + k: a - b for k, (a, b) in enumerate(zip(tails, [*tails[1:], Fraction(0)], strict=True))}


def measured(prompt: int, shares: dict[int, Fraction]) -> float:
    """Return the total of a run of a-offset on one machine over H-SF's form."""
    lengths = np.repeat([*shares], [round(JOBS * share) for share in shares.values()])
    on = Setting(s=prompt, l=min(shares), u=max(shares))
    weights = [*shares.values()]
    scale = form("volume").on(on).value(weights) / form("h-sf").on(on).value(weights)
    return on_one_machine(A_OFFSET, np.random.default_rng(0).permutation(lengths), prompt) * float(scale)


def own_offsets(prompt: int, low: int, factor: Fraction) -> Theorem:
    """Return the theorem that own offsets have at most ``factor`` times H-SF's form, for every u."""
    late = offsets_against_h_sf.bound(prompt, low).last + 1
    numbers = {"prompt": prompt, "low": low, "factor": factor, "late": late}
    return theorem("own offsets against H-SF's form", **{name: constant(value) for name, value in numbers.items()})


def at_most(prompt: int, low: int, claimed: Fraction) -> Evidence:
    """Decide whether own offsets have at most ``claimed`` times H-SF's form for every u: by a theorem, or a distribution with more."""
    proved = by_theorem(own_offsets(prompt, low, claimed))
    if proved.status == "proved":
        return proved
    shares = law(prompt, low)
    ratio = ends(ratio_under(prompt, shares))[0]
    if claimed >= ratio:
        return Open(f"at most {rounded(claimed, 6)} is not shown; a law has {rounded(ratio, 6)}")
    actual, second = f"at least {rounded(ratio, 9)}", f"{measured(prompt, shares):.4f}, a run of {JOBS} requests"
    witness = {"s": prompt, "l": low, "shares": {k: str(share) for k, share in shares.items()}}
    return Refuted(witness, f"at most {claimed}", actual, second, "it is the form, so the limit")


@stated_claim("against-h-sf")
def against_h_sf(given: Given) -> Decision:
    """Decide the factor, and what own offsets have."""
    prompt, low = whole("s", given["s"], 0, LARGEST), whole("l", given["l"], 1, LARGEST)
    claimed = number("own", given["own"])
    factor = given.evidence(is_enough, formula_in(given, "factor", s=0, l=1))
    of_own_offsets = given.evidence(at_most, prompt, low, claimed)
    says = f"$volume(x) ≤ ({given['factor']}) · h-sf(x)$: what is within ρ* of the one is within ρ* times that of the other"
    has = f"at $s = {prompt}$, $l = {low}$ own offsets in steps have at most {given['own']} times H-SF's form, for every u"
    return reading_of("against-h-sf").decision(
        (f"own offsets: at most {given['own']} at $s = {prompt}$, $l = {low}$", "a law needs more"),
        Finding("factor", says, factor),
        Finding("own-offsets", has, of_own_offsets),
    )


# ---- what a request costs H-SF at least -----------------------------------------------------------------------------

CHARGE_SETTINGS = ((0, 1, 2), (1, 1, 2), (0, 1, 3), (0, 2, 4), (1, 1, 3), (3, 1, 2))


def charge_evidence(charge: SymExpr) -> Evidence:
    """Decide whether H-SF is no faster than with this charge: a theorem, or staggered starts that are faster."""

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        claimed, actual = charge.subs({s: prompt, l: low, k: up}), staggered.unit(prompt, low, up)
        if claimed <= actual or not adaptive("A_random in step, H-SF staggered").holds:
            return None
        row = staggered.family(prompt, low, up, 1, 60)
        total = simulate("h-sf", row.lengths, row.memory, prompt, engine="fast").total_latency
        return Refuted(
            {"s": prompt, "l": low, "u": up, "M": row.memory, "shorter_than_u": row.short, "n": row.n},
            f"at least ${claimed}$ for each request of length ${up}$",
            f"{actual} as n → ∞",
            {"2M_TEL_over_n_squared": float(Fraction(2 * row.memory * total, row.n**2)), "n": row.n},
            "the limit is the same at every multiple of this M",
            adaptive("A_random in step, H-SF staggered").records,
        )

    proof = theorem("a charge of H-SF's requests", claimed=sp.Lambda((k, s, l), charge))
    return proved_or_refuted(proof, CHARGE_SETTINGS, refuted)


@stated_claim("h-sf-charge")
def h_sf_charge(given: Given) -> Decision:
    """Decide the charge, and that it is attained."""
    charge = given.evidence(charge_evidence, formula_in(given, "charge", s=0, l=1, k="l"))
    attained = given.proved(partial(adaptive, "A_random in step, H-SF staggered"))
    generations = given.proved(partial(adaptive, "generations of H-SF"))
    return reading_of("h-sf-charge").decision(
        ("H-SF needs at least these charges", "staggered starts need less"),
        Finding("at-least", f"H-SF's total is at least that of charges ${given['charge']}$", charge),
        Finding("attained", "at lengths $u$, for every $s$, $l < u$", attained),
        Finding("generations", "at every $n$, with an error term", generations),
    )


# ---- upper bounds ---------------------------------------------------------------------------------------------------


def _decide(
    id: str, given: Given, bounded: Callable[..., Evidence], policy: str, holds: str, *others: tuple[str, str, str]
) -> Decision:
    """Decide the bound, beside theorems in s, l and u: each has a finding's id, its sentence and its name."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    return reading_of(id).decision(
        (holds, "instances exceed it"),
        Finding("bound", f"$CR({policy})$ is at most ${given['bound']}$", bounded(bound, in_the_limit=True)),
        *(Finding(id, says, given.proved(partial(adaptive, name))) for id, says, name in others),
    )


@stated_claim("a-max")
def a_max(given: Given) -> Decision:
    """Decide a bound on A_max."""
    at_every_n = "$E TEL(A_max)$ against H-SF at every $n$ for large $M$"
    others = (
        ("exactly", "the bound with the sum over $s + k$", "A_max against H-SF's generations"),
        ("slots", "$E TEL(A_max) ≤ m̄ ∑_{k≤n} ⌈k/N⌉$ at every $n$", "A_max in slots"),
        ("at-every-n", at_every_n, "A_max in the process, against H-SF"),
    )
    return _decide("a-max", given, max_bounded, "A_max", "for long queues; else the paper's bound", *others)


@stated_claim("a-random")
def a_random(given: Given) -> Decision:
    """Decide a bound on A_random."""
    others = (
        ("exactly", "the bound with the sum over $(s+2k−1)²/(s+k)$", "A_random against H-SF's generations"),
        ("staggered", "it is at least $2u(s+u)/(2u(s+l)+d(d+1))$, $d = u − l$", "A_random in step, H-SF staggered"),
    )
    return _decide("a-random", given, random_bounded, "A_random", "for long queues; the paper's is exceeded", *others)


# ---- a conjecture ------------------------------------------------------------------------------------------------------

SMALL = ((0, 1, 2), (0, 1, 3), (1, 1, 3), (0, 2, 3), (1, 2, 4))
LARGE = ((0, 1, 2), (1, 1, 4), (0, 2, 5), (2, 3, 7), (0, 4, 5))
LARGEST_COUNT = 4
SHARES = (0, 1, 5, 20, 50, 100)
"""Percentages of requests that are not of length l."""


def ratio(orders: Sequence[Sequence[int]], memory: int, setting: tuple[int, int, int]) -> Fraction:
    """Return the mean of A_max's total over orders of the same lengths, over H-SF's."""
    prompt, low, up = setting
    best = simulate("h-sf", orders[0], memory, prompt, engine="fast").total_latency
    runs = (
        simulate("a-max", lengths, memory, prompt, low, up, order=range(len(lengths)), engine="fast")
        for lengths in orders
    )
    return Fraction(sum(run.total_latency for run in runs), best * len(orders))


def exhaustive() -> Iterator[tuple[tuple[int, int, int], Fraction, str]]:
    """Yield the ratio over every order at every small list, M a common multiple of s + l and s + u: no rounding."""
    for setting in SMALL:
        prompt, low, up = setting
        memory = lcm(prompt + low, prompt + up)
        for count in range(2, LARGEST_COUNT + 1):
            for lengths in combinations_with_replacement(range(low, up + 1), count):
                yield setting, ratio([*permutations(lengths)], memory, setting), f"o = {lengths}, M = {memory}"


def at_random() -> Iterator[tuple[tuple[int, int, int], Fraction, str]]:
    """Yield the ratio in long runs: a share of lengths u, or of lengths drawn from [l, u], two orders each."""
    draw = Random(0)
    for setting in LARGE:
        prompt, low, up = setting
        common = lcm(prompt + low, prompt + up)
        memory = -(-20 * (prompt + up) // common) * common
        for share, others in product(SHARES, ((up,), range(low, up + 1))):
            count = 30 * memory // (prompt + low)
            lengths = [draw.choice(others) if draw.random() * 100 < share else low for _ in range(count)]
            orders: list[list[int]] = []
            for _ in range(2):
                draw.shuffle(lengths)
                orders.append(list(lengths))
            yield setting, ratio(orders, memory, setting), f"{share} % of {list(others)}, M = {memory}"


def search(factor: SymExpr) -> Evidence:
    """Search for a ratio above the factor; where it is below the ratio on lengths 1, a theorem says so."""
    for prompt, up in ((0, 2), (1, 3), (0, 10)):
        claimed, actual = Fraction(str(factor.subs({s: prompt, l: 1, u: up}))), Fraction(prompt + up, prompt + 1)
        if claimed < actual and adaptive("A_max on lengths 1").holds:
            memory = 40 * (prompt + 1) * (prompt + up)
            witness = {"s": prompt, "l": 1, "u": up, "lengths": "all 1"}
            second = {"M": memory, "n": 4000, "ratio": float(ratio([[1] * 4000], memory, (prompt, 1, up)))}
            stays = "the ratio on lengths 1 tends to $(s+u)/(s+1)$"
            records = adaptive("A_max on lengths 1").records
            return Refuted(witness, f"at most {claimed}", f"at least {actual} in the limit", second, stays, records)
    ratios = [*exhaustive(), *at_random()]
    limits = {at: Fraction(str(factor.subs(dict(zip((s, l, u), at, strict=True))))) for at in (*SMALL, *LARGE)}
    largest, at, words = max((float(ratio / limits[at]), at, words) for at, ratio, words in ratios)
    small = f"every one of 2 to {LARGEST_COUNT} lengths at {len(SMALL)} settings, every order"
    sample = f"{len(ratios)} lists: {small}; long ones at {len(LARGE)}"
    values = {**dict(zip("slu", at, strict=True)), "where": words}
    return Measured(largest <= 1, sample, f"the largest quotient is {largest:.4f}", values)


@stated_claim("a-max-conjecture", given={"factor": "(s+u)/(s+l)"})
def a_max_conjecture(given: Given) -> Decision:
    """Search for a counterexample."""
    evidence = given.evidence(search, formula_in(given, "factor", s=0, l=1, u="l"))
    finding = Finding("factor", f"$CR(A_max) ≤ {given['factor']}$", evidence)
    holds, fails = "no list found exceeds it", "lists exceed it"
    return reading_of("a-max-conjecture").decision((holds, fails), finding)

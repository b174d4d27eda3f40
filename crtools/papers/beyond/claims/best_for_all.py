"""best-uniform, blind-finite, minimax-closes, minimax-always: one policy for every law, and bounds on one interval of lengths."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, partial

import numpy as np

from check.best import proved_by_price
from crtools.blind.dual_price import DualPrice, find_price
from crtools.blind.mixture import Mixture
from crtools.blind.worst_law import Closed, closed
from crtools.enclosure import ball, decimal, ends
from crtools.errors import NotCertified
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Measured, Open, Refuted, by_theorem
from crtools.ledger.claims import decision, verdict
from crtools.ledger.deciders.bounds import Side, rounded
from crtools.ledger.evidence import agree, records
from crtools.papers.adaptive.evidence.reading import whole
from crtools.papers.beyond.claims.best_blind import by_the_checker, in_floats, positive_number, refuted_by
from crtools.papers.beyond.claims.minimax import own_offsets_do_better
from crtools.papers.beyond.theory import ALGORITHM, MACHINE, reading_of, stated_claim, theorem
from crtools.papers.nonclairvoyant import literal
from crtools.papers.nonclairvoyant.theory import theorem as nonclairvoyant
from crtools.schedule import volume

# ---- one policy for every law -----------------------------------------------------------------------------------

ONE_POLICY = {
    MACHINE: ("one policy for all laws",),
    ALGORITHM: ("one policy for all laws in the process", "a price for a law in the process"),
}


def uniformly(factor: Fraction, level: str) -> Evidence:
    """Decide whether one policy has at most factor · V(x) under every distribution; equal sizes refute a factor below 1."""
    if factor >= 1:
        return by_theorem(*map(theorem, ONE_POLICY[level]))
    law = {Fraction(1): Fraction(1)}
    return refuted_by(law, f"at most {factor}", "at least 1: it is the optimum's", in_floats(law))


@stated_claim("best-uniform")
def best_uniform(given: Given) -> Decision:
    """Decide whether one policy is best under every law."""
    says = f"one policy has at most {given['factor']} times $V(x)$ under every law x, uniformly"
    levels = [
        verdict(
            level,
            theorem(names[0]).reading,
            "a part of the requests shows the law; what a mixture pays is continuous in it",
            ("one policy has $V(x)$ under every law x", "false for equal sizes"),
            Finding("ratio", says, given.evidence(uniformly, positive_number(given), level)),
        )
        for level, names in ONE_POLICY.items()
    ]
    return decision(*levels)


# ---- the worst law on an interval -------------------------------------------------------------------------------

LARGEST_COUNT = 24
"""Upper limit on the lengths of a claim's interval."""


_closed = cache(closed)


def on_interval(given: Mapping[str, str]) -> Closed:
    """Return the minimax ratio on the interval of a claim."""
    s, l = whole("s", given["s"], 0, 1000), whole("l", given["l"], 1, 1000)
    return _closed(s, l, whole("u", given["u"], l, l + LARGEST_COUNT - 1))


def under_every_law(mixture: Mixture) -> float:
    """Return the largest ratio of the mixture, in its order, under any weights of any sign: an eigenvalue in floats."""
    from scipy.linalg import eigh

    v = np.array([0.0, *mixture.requests.sizes]) / mixture.requests.sizes[-1]
    count, total = len(v) - 1, float(sum(mixture.weights))
    cost, unfinished = np.zeros((count, count)), np.ones(count)
    positions = np.arange(1, count + 1)
    for stage in mixture.stages:
        share = stage.flow / total
        after = unfinished - share * ((positions > stage.after) & (positions <= stage.until))
        cost += np.outer(share * np.minimum(v[1:], v[stage.until]) * (positions > stage.after), unfinished + after)
        unfinished = after
    return float(eigh((cost + cost.T) / 2, np.minimum.outer(v[1:], v[1:]), eigvals_only=True)[-1])


def bounded(given: Mapping[str, str], bound: Fraction, side: Side) -> Evidence:
    """Decide whether no blind policy has less than the bound under some distribution on the interval, or some policy has at most it.

    ``side``: "at least", or "at most" the bound under every distribution.
    """
    minimax = on_interval(given)
    low, high, worst = minimax.value.lower, minimax.value.upper, under_every_law(minimax.mixture)
    lower, upper = f"at least {decimal(low, 12, up=False)}", f"at most {decimal(high, 12, up=True)}"
    if bound > high if side == "at least" else bound < low:
        witness = {"law": {str(o): str(w) for o, w in minimax.weights.items()}}
        return Refuted(witness, f"{side} {bound}", upper if side == "at least" else lower, worst, "as n → ∞")
    if bound > low if side == "at least" else bound < high:
        return Open("the bound is within the digits that were found")
    agree(abs(worst - float(high)) < 1e-7, True, "the mixture under every law")
    by_price = float(agree(by_the_checker(minimax.mixture)[0], low, "what the price proves"))
    plans, count = minimax.mixture.plans, minimax.u - minimax.l
    where = f"s = {minimax.s}, lengths {minimax.l} to {minimax.u}, a mixture of {len(plans)} plans"
    kills = [[int(k + 1 in plan) for k in range(count)] for plan in plans]
    values = {"weights": [*minimax.mixture.requests.weights], "shares": [*minimax.mixture.weights], "kills": kills}
    proved, second = (lower, by_price) if side == "at least" else (upper, worst)
    return Certified(proved, where, second, values)


GOOD = "good under every law"


@stated_claim("minimax-closes")
def minimax_closes(given: Given) -> Decision:
    """Decide both sides, on one machine and in the process."""
    lower, upper = number("lower", given["lower"]), number("upper", given["upper"])
    rows = (
        (MACHINE, "a price for a law", (GOOD,)),
        (ALGORITHM, "a price for a law in the process", (GOOD, "a mixture in the process")),
    )
    read = reading_of("minimax-closes", **given)
    levels = [
        read.reasoned(
            level,
            ("to the optimum: both bounds meet", "the other bound excludes it"),
            Finding(
                "below", f"no blind policy is below {given['lower']}", given.evidence(bounded, given, lower, "at least")
            ),
            Finding(
                "above",
                f"one is within {given['upper']} under every law",
                given.evidence(bounded, given, upper, "at most"),
            ),
            Finding("duality", "a price bounds every policy", given.proved(partial(theorem, price))),
            Finding("every-law", "$ρD − N$ bounds a mixture", by_theorem(*map(theorem, mixture))),
            undecided="within the digits that were found",
        )
        for level, price, mixture in rows
    ]
    return decision(*levels)


# ---- what is only observed --------------------------------------------------------------------------------------

INTERVALS = ((0, 1, 2), (0, 1, 4), (0, 1, 8), (0, 1, 16), (0, 5, 12), (0, 20, 30), (3, 1, 6), (20, 1, 10), (50, 10, 20))
"""s, l and u."""


def closing(factor: Fraction) -> Evidence:
    """Try intervals: is the mixture at the worst law within factor · V + 10⁻⁸ under every law?"""
    worst, at = 0.0, ""
    for s, l, u in INTERVALS:
        try:
            value = _closed(s, l, u).value
        except NotCertified:
            return Measured(False, f"s = {s}, [{l}, {u}]", "no gap was closed there", {})
        gap = float(value.upper - factor * value.lower)
        if gap > worst:
            worst, at = gap, f"s = {s}, [{l}, {u}]"
    sample = f"{len(INTERVALS)} intervals of up to {max(u - l for _, l, u in INTERVALS) + 1} lengths"
    return Measured(worst <= 1e-8, sample, f"the largest gap is {worst:.1e}, at {at}", {"gap": worst})


@stated_claim("minimax-always", given={"factor": "1"})
def minimax_always(given: Given) -> Decision:
    """Try intervals."""
    gap = f"the mixture of the worst law is within {given['factor']} times its V under every law, on every interval"
    return reading_of("minimax-always").decision(
        ("every interval that was tried closes", "some interval does not close"),
        Finding("closes", gap, given.evidence(closing, positive_number(given))),
    )


# ---- a lower bound on one interval, by a price ----------------------------------------------------------------------

LARGEST = 10_000
LENGTHS, TIMES = 24, 30
"""Upper limits on the price's lengths and times, so that a certificate can be read."""


@cache
def _price(s: int, l: int, u: int) -> DualPrice:
    return find_price(s, l, u, LENGTHS, TIMES)


def prices(s: int, l: int, u: int) -> Iterator[DualPrice]:
    """Yield prices for the interval and for parts of it, whose largest length is divided by 10 each time."""
    yield _price(s, l, u)
    while (u := u // 10) > l:
        yield _price(s, l, u)


def to_their_ends(price: DualPrice, u: int, bound: Fraction) -> Refuted | None:
    """Return the refutation by running jobs to their ends in random order, whose ratio is at most ½(1 + √(v(u)/v(l))); else None."""
    smallest, largest = volume(price.s, price.lengths[0]), volume(price.s, u)
    if (2 * bound - 1) ** 2 <= Fraction(largest, smallest) or bound < 1 or not nonclairvoyant("a random order").holds:
        return None
    actual = decimal((1 + ends(ball(Fraction(largest, smallest)).sqrt())[1]) / 2, 10, up=True)
    second = str(literal.random_order(Fraction(smallest, largest))) if smallest < largest else "all jobs are equal"
    witness = {"policy": "a random order, no kill", "sizes": f"from {smallest} to {largest}"}
    stays = "at every n, and for all sizes"
    return Refuted(
        witness, f"at least {bound}", f"at most {actual}", second, stays, records(nonclairvoyant("a random order"))
    )


def at_least(s: int, l: int, u: int, bound: Fraction, level: str) -> Evidence:
    """Decide whether every blind policy's ratio to the optimum is at least the bound, on the interval."""
    for price in prices(s, l, u):
        if bound <= max(Fraction(1), price.check()):
            return _by_price(price)
    price = _price(s, l, u)
    if level == MACHINE and (refuted := to_their_ends(price, u, bound)) is not None:
        return refuted
    tried = f"the prices that were found prove {rounded(max(Fraction(1), price.check()), 6)}, own offsets have at most 2.7284"
    return own_offsets_do_better(bound, level) or Open(tried)


def _by_price(price: DualPrice) -> Certified:
    """Return the bound of the price, confirmed by other code."""
    bound = max(Fraction(1), price.check())
    sizes = [volume(price.s, o) for o in price.lengths]
    second = max(1.0, float(proved_by_price(sizes, price.tails, price.times, price.prices)))
    agree(abs(second - float(bound)) < 1e-6, True, "what the price proves")
    where = f"s = {price.s}, {len(price.lengths)} lengths up to {price.lengths[-1]}, {len(price.times)} times"
    rows = {name: [*map(str, getattr(price, name))] for name in ("tails", "times", "prices")}
    values = {"lengths": [*price.lengths], **rows, "ratio": str(price.check())}
    return Certified(f"at least {rounded(bound, 12)}", where, second, values)


@stated_claim("blind-finite")
def blind_finite(given: Given) -> Decision:
    """Decide the bound for sizes on one machine, and in the process."""
    bound, s, l = (
        number("bound", given["bound"]),
        whole("s", given["s"], 0, LARGEST),
        whole("l", given["l"], 1, LARGEST),
    )
    u = whole("u", given["u"], l, LARGEST)
    says = f"no blind policy has a ratio to the optimum below {given['bound']}"
    rows = ((MACHINE, "weak duality on one machine"), (ALGORITHM, "weak duality in the process"))
    read = reading_of("blind-finite", **given)
    levels = [
        read.reasoned(
            level,
            ("no blind ratio to the optimum is smaller", "own random offsets, or jobs run to their ends, do better"),
            Finding("bound", says, given.evidence(at_least, s, l, u, bound, level)),
            Finding("duality", "a price bounds every policy", given.proved(partial(theorem, duality))),
            undecided="no price shows it",
        )
        for level, duality in rows
    ]
    return decision(*levels)

"""blind-finite: what every blind policy pays at least on one interval of lengths, by a price that is checked in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, partial

from check.best import proved_by_price
from crtools.blind.dual_price import DualPrice, find_price
from crtools.enclosure import ball, decimal, ends
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Open, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision, verdict
from crtools.ledger.deciders.bounds import rounded
from crtools.ledger.evidence import records
from crtools.papers.adaptive.evidence.reading import whole
from crtools.papers.beyond.claims.minimax import own_offsets_do_better
from crtools.papers.beyond.levels import ALGORITHM, MACHINE
from crtools.papers.beyond.theory import theorem
from crtools.papers.nonclairvoyant.evidence import literal
from crtools.papers.nonclairvoyant.theory import theorem as nonclairvoyant
from crtools.schedule import volume

LARGEST = 10_000
LENGTHS, TIMES = 24, 30
"""Upper limits on the price's lengths and times, so that a certificate can be read."""


def by_the_judge(price: DualPrice) -> float:
    """Return the bound of the price by the checker's code."""
    sizes = [volume(price.s, o) for o in price.lengths]
    return float(proved_by_price(sizes, price.tails, price.times, price.prices))


def price_on(given: Mapping[str, str]) -> DualPrice:
    """Return the price for the interval of a claim."""
    s, l = whole("s", given["s"], 0, LARGEST), whole("l", given["l"], 1, LARGEST)
    return _price(s, l, whole("u", given["u"], l, LARGEST))


@cache
def _price(s: int, l: int, u: int) -> DualPrice:
    return find_price(s, l, u, LENGTHS, TIMES)


def prices_on(given: Mapping[str, str]) -> Iterator[DualPrice]:
    """Yield prices for the claim's interval and for parts of it, whose largest length is divided by 10 each time."""
    yield price_on(given)
    u = int(number("u", given["u"])) // 10
    while u > int(number("l", given["l"])):
        yield price_on({**given, "u": str(u)})
        u //= 10


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


def at_least(given: Mapping[str, str], bound: Fraction, level: str) -> Evidence:
    """Decide whether every blind policy's ratio to the optimum is at least the bound, on the claim's interval."""
    prices = prices_on(given)
    price = next(prices)
    for other in (price, *prices):
        if bound <= max(Fraction(1), other.check()):
            return _certified(other)
    if level == MACHINE and (refuted := to_their_ends(price, int(number("u", given["u"])), bound)) is not None:
        return refuted
    tried = f"the prices that were found prove {rounded(max(Fraction(1), price.check()), 6)}, own offsets have at most 2.7284"
    return own_offsets_do_better(bound, level) or Open(tried)


def _certified(price: DualPrice) -> Certified:
    """Return the bound of the price, confirmed by other code."""
    bound = max(Fraction(1), price.check())
    second = max(1.0, by_the_judge(price))
    agree(abs(second - float(bound)) < 1e-6, True, "what the price proves")
    where = f"s = {price.s}, {len(price.lengths)} lengths up to {price.lengths[-1]}, {len(price.times)} times"
    rows = {name: [*map(str, getattr(price, name))] for name in ("tails", "times", "prices")}
    values = {"lengths": [*price.lengths], **rows, "ratio": str(price.check())}
    return Certified(f"at least {rounded(bound, 12)}", where, second, values)


@claim(
    "blind-finite",
    MACHINE,
    "docs/beyond/minimax.md, one interval",
    "with lengths in $[1, 100]$ and $s = 0$ no blind policy has a ratio to the optimum below 2.1",
)
def blind_finite(given: Given) -> Decision:
    """Decide the bound for sizes on one machine, and in the process."""
    bound = number("bound", given["bound"])
    says = f"no blind policy has a ratio to the optimum below {given['bound']}"
    rows = (
        (MACHINE, "sizes $v(o) = so + o(o+1)/2$, $n → ∞$", "weak duality on one machine"),
        (ALGORITHM, "$n → ∞$, then $M → ∞$", "weak duality in the process"),
    )
    levels = [
        verdict(
            level,
            f"$s = {given['s']}$, lengths $o$ in $[{given['l']}, {given['u']}]$, {limit}",
            "a linear program's dual, checked in fractions",
            ("no blind ratio to the optimum is smaller", "own random offsets, or jobs run to their ends, do better"),
            Finding("bound", says, given.evidence(at_least, given, bound, level)),
            Finding("duality", "a price bounds every policy", given.proved(partial(theorem, duality))),
            undecided="no price shows it",
        )
        for level, limit, duality in rows
    ]
    return decision(*levels)

"""blind-finite: what every blind policy pays at least on one interval of lengths, by a price that is checked in exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from crtools.blind.certificate import DualPrice, find_price, shared, use
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Certified, Claim, Decision, Evidence, Finding, Given, Open, Variant
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import rounded
from crtools.papers.beyond.claims.blind_lower import own_offsets_do_better
from crtools.papers.beyond.deciding import decision, verdict
from crtools.papers.beyond.levels import ALGORITHM, MACHINE
from crtools.papers.beyond.theorems import blind_lower

LARGEST = 10_000
LENGTHS, TIMES = 24, 30
"""At most so many of the price: few enough to be read."""


def forwards(price: DualPrice) -> float:
    """Return what the price proves, in floats: the cheapest plan by relaxing from the first length and time on."""
    import numpy as np

    tails = np.array([1.0, *map(float, price.tails)])
    uses, rates = use(price.s, price.lengths, price.tails), np.array([*map(float, price.prices)])
    times = np.array([*map(float, price.times)])
    costs = [np.zeros(len(times))]
    for c in range(1, len(tails)):
        steps = ((tails[a] - tails[c]) * times + rates * float(uses[a][c]) for a in range(c))
        costs.append(
            np.minimum.accumulate(np.min([cost + step for cost, step in zip(costs, steps, strict=True)], axis=0))
        )
    paid = float(np.trapezoid(rates, times))
    return 2 * (float(costs[-1].min()) - paid) / float(shared(price.s, price.lengths, price.tails))


def price_on(given: Mapping[str, str]) -> DualPrice:
    """Return the price for the interval of a claim."""
    s, l, u = (number(name, given[name]) for name in ("s", "l", "u"))
    for name, value, low in (("s", s, 0), ("l", l, 1), ("u", u, int(l))):
        if value.denominator != 1 or not low <= value <= LARGEST:
            raise InputError(name, given[name], f"must be an integer from {low} to {LARGEST}")
    return find_price(int(s), int(l), int(u), LENGTHS, TIMES)


def at_least(price: DualPrice, bound: Fraction, level: str) -> Evidence:
    """Decide whether every blind policy's ratio is at least the bound, on the interval for which the price was found."""
    found = max(Fraction(1), price.check())
    if bound <= found:
        second = max(1.0, forwards(price))
        agree(abs(second - float(found)) < 1e-6, True, "what the price proves")
        where = f"s = {price.s}, {len(price.lengths)} lengths, {len(price.times)} times"
        return Certified(f"at least {rounded(found, 12)}", where, second)
    tried = f"the price that was found proves {rounded(found, 6)}, own offsets have at most 2.7284"
    return own_offsets_do_better(bound, level) or Open(tried)


def decide(given: Given) -> Decision:
    """Decide the bound for sizes on one machine, and in the process."""
    price, bound = price_on(given), number("bound", given["bound"])
    says = f"no blind policy has a ratio below {given['bound']}"
    rows = (
        (MACHINE, "sizes $v(o) = so + o(o+1)/2$", blind_lower.duality_on_machine),
        (ALGORITHM, "then $M → ∞$", blind_lower.duality_in_process),
    )
    return decision(
        *(
            verdict(
                level,
                f"$s = {given['s']}$, lengths $o$ in $[{given['l']}, {given['u']}]$, {sizes}, $n → ∞$",
                "a linear program's dual, checked in fractions",
                "by a price on lengths, checked in fractions",
                "own random offsets do better",
                Finding("bound", says, given.evidence(at_least, price, bound, level)),
                Finding("duality", "a price bounds every policy", given.proved(theorem)),
                undecided="no price shows it",
            )
            for level, sizes, theorem in rows
        )
    )


CLAIM = Claim(
    id="blind-finite",
    place="docs/beyond/minimax.md, one interval",
    statement="with lengths in $[1, 100]$ and $s = 0$ no blind policy has a ratio below 2.1",
    stated_at=MACHINE,
    given={"s": "0", "l": "1", "u": "100", "bound": "2.1"},
    decide=decide,
    corrupted=(
        Variant("above the best there is", {"bound": "2.73"}, "bound", MACHINE),
        Variant("twice as much", {"bound": "3.9"}, "bound", MACHINE),
    ),
    variants=(
        Variant("less, in the process", {"bound": "2"}, "bound", ALGORITHM),
        Variant("ten lengths", {"u": "10", "bound": "1.83"}, "bound", MACHINE),
        Variant("long prompts", {"u": "10", "s": "5", "bound": "1.73"}, "bound", MACHINE),
    ),
)

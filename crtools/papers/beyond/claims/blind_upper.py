"""blind-upper: own random offsets have ratio at most ρ*, on one machine at every n and in the process in the limit."""

from __future__ import annotations

from fractions import Fraction

from crtools.blind.least import least_cost
from crtools.blind.price import limit_bound
from crtools.enclosure import ends
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem, records
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict, weakest
from crtools.papers.beyond.levels import ALGORITHM, MACHINE, OWN
from crtools.papers.beyond.theorems import blind_lower, blind_upper, sampled_pace
from crtools.proof.theorem import kept


def at_most(bound: Fraction, base: Fraction | None, level: str = MACHINE) -> Evidence:
    """Decide whether own offsets at the base (None: the best) have ratio at most the bound; in the process at the best base."""
    least = least_cost(40).value
    if bound < least.lower:
        return _refuted(bound, level)
    if base is not None:
        return by_theorem(blind_upper.theorem(base, bound))
    if bound < least.upper:
        return Open("the bound is within the digits of ρ*")
    return by_theorem(kept(blind_upper.theorem if level == MACHINE else sampled_pace.theorem))


def _refuted(bound: Fraction, level: str) -> Evidence:
    """Return the law under which every blind policy pays more than a bound below ρ*: more than ρ*(L − 1.22)/(k + L), L = ln R."""
    lower, constant = least_cost(40).value.lower, blind_lower.CONSTANT
    law, k, theorem = _LAWS[level]
    log_ratio = max(Fraction(10), (k * bound + constant * lower) / (lower - bound) + 1)
    exact = lower * (log_ratio - constant) / (k + log_ratio)
    return Refuted(
        {"law": law, "log_R": str(log_ratio.limit_denominator(10**6))},
        f"at most {bound}",
        f"at least {float(exact):.9f} for n to infinity",
        f"{float(ends(limit_bound(log_ratio, k))[0]):.9f}, from the price itself in balls",
        "for every policy, and as n → ∞",
        records(kept(theorem)),
    )


_LAWS = {
    MACHINE: ("P(v > t) = 1/sqrt(t) up to R", 1, blind_lower.on_machine),
    ALGORITHM: ("P(o > k) = sqrt(v(l)/v(k)) up to u, R = v(u)/v(l)", 5, blind_lower.in_process),
}
"""By level: the law, what the theorem has below the line beside ln R, and the theorem."""


def _base(text: str) -> Fraction | None:
    if text.strip() == "best":
        return None
    base = number("base", text)
    if not Fraction(3, 2) <= base <= 1000:
        raise InputError("base", text, "must be best, or a number from 3/2 to 1000")
    return base


def decide(given: Given) -> Decision:
    """Decide the ratio at the given base and at the best one, and at the best one in the process."""
    bound, base = number("bound", given["bound"]), _base(given["base"])
    most = f"is at most {given['bound']}"
    on_machine = (
        Finding("given-base", f"with own offsets of base {given['base']} the ratio {most}", at_most(bound, base)),
        Finding("best-base", f"at the best base it {most}", at_most(bound, None)),
    )
    in_process = (Finding("best-base", f"at the best base it {most} in the process", at_most(bound, None, ALGORITHM)),)
    every = "every $n$ and all sizes; the mean over the offsets; sizes fixed before; against the optimum"
    limit = "all $s$, $ℓ ≤ u$ and lengths; each class of attempts at a sampled pace; $n → ∞$, then $M → ∞$"
    verdicts = tuple(
        Verdict(level, reading, _WHYS[weakest(f.status for f in found)].format(bound=given["bound"]), _METHOD, found)
        for level, reading, found in ((MACHINE, every, on_machine), (ALGORITHM, limit, in_process))
    )
    return Decision(verdicts[0].why, verdicts, PublishedProof(note=OWN))


_METHOD = "Mellin symbol, balls on a bounded range and a bound beyond"
_WHYS = {
    "proved": "own random offsets pay at most {bound}",
    "refuted": "no blind policy pays less than ρ*",
    "inconclusive": "at this base the symbol is above the bound",
}

CLAIM = Claim(
    id="blind-upper",
    place="docs/beyond/minimax.md, the upper bound",
    statement="own random offsets have a competitive ratio of at most $2.7284$ at base $69/5$, and of ρ* at the best base",
    stated_at=MACHINE,
    given={"bound": "2.7284", "base": "69/5"},
    decide=decide,
    rests_on=("rho-star",),
    corrupted=(
        Variant("2.72 as an upper bound", {"bound": "2.72"}, "given-base", MACHINE),
        Variant("2.7283", {"bound": "2.7283"}, "best-base", MACHINE),
        Variant("one digit less", {"bound": "2.7283724269"}, "best-base", MACHINE),
        Variant("2.7283 in the process", {"bound": "2.7283"}, "best-base", ALGORITHM),
    ),
    variants=(
        Variant("2.73", {"bound": "2.73"}, "given-base", MACHINE),
        Variant("a smaller base", {"bound": "2.75", "base": "12"}, "given-base", MACHINE),
        Variant("ten digits at the best base", {"bound": "2.7283724270", "base": "best"}, "best-base", MACHINE),
        Variant("2.73 in the process", {"bound": "2.73"}, "best-base", ALGORITHM),
    ),
)

"""blind-upper: own random offsets have ratio at most ρ* on one machine, at every n."""

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
from crtools.papers.beyond.theorems import blind_lower, blind_upper
from crtools.proof.theorem import kept

PROCESS = (
    "in the process refunds and offsets fluctuate, so that attempts must leave room or be evicted; that the volumes can be "
    "paced without loss as n/M → ∞ and M → ∞ is not proved here"
)


def at_most(bound: Fraction, base: Fraction | None) -> Evidence:
    """Decide whether own offsets at the base (None: the best) have ratio at most the bound."""
    least = least_cost(40).value
    if bound < least.lower:
        return _refuted(bound)
    if base is None:
        return (
            by_theorem(kept(blind_upper.theorem))
            if bound >= least.upper
            else Open("the bound is within the digits of ρ*")
        )
    return by_theorem(blind_upper.theorem(base, bound))


def _refuted(bound: Fraction) -> Evidence:
    """Return the law under which every blind policy pays more than a bound below ρ*."""
    lower, constant = least_cost(40).value.lower, blind_lower.CONSTANT
    log_ratio = max(Fraction(10), (bound + constant * lower) / (lower - bound) + 1)
    exact = lower * (log_ratio - constant) / (1 + log_ratio)
    return Refuted(
        {"law": "P(v > t) = 1/sqrt(t) up to R", "log_R": str(log_ratio.limit_denominator(10**6))},
        f"at most {bound}",
        f"at least {float(exact):.9f} for n to infinity",
        f"{float(ends(limit_bound(log_ratio))[0]):.9f}, from the price itself in balls",
        "for every policy, and as n → ∞",
        records(kept(blind_lower.on_machine)),
    )


def _base(text: str) -> Fraction | None:
    if text.strip() == "best":
        return None
    base = number("base", text)
    if not Fraction(3, 2) <= base <= 1000:
        raise InputError("base", text, "must be best, or a number from 3/2 to 1000")
    return base


def decide(given: Given) -> Decision:
    """Decide the ratio at the given base and at the best one; of the process nothing is proved."""
    bound, base = number("bound", given["bound"]), _base(given["base"])
    findings = (
        Finding(
            "given-base",
            f"with own offsets of base {given['base']} the ratio is at most {given['bound']}",
            at_most(bound, base),
        ),
        Finding("best-base", f"at the best base it is at most {given['bound']}", at_most(bound, None)),
    )
    why = _WHYS[weakest(finding.status for finding in findings)].format(bound=given["bound"])
    reading = "every n and all sizes; the mean over the offsets; sizes fixed before; against the optimum"
    verdicts = (
        Verdict(MACHINE, reading, why, "Mellin symbol, balls on a bounded range and a bound beyond", findings),
        Verdict(
            ALGORITHM,
            "$n → ∞$, then $M → ∞$",
            PROCESS,
            "none",
            (Finding("best-base", "the same in the process", Open(PROCESS)),),
        ),
    )
    return Decision(why, verdicts, PublishedProof(note=OWN))


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
    ),
    variants=(
        Variant("2.73", {"bound": "2.73"}, "given-base", MACHINE),
        Variant("a smaller base", {"bound": "2.75", "base": "12"}, "given-base", MACHINE),
        Variant("ten digits at the best base", {"bound": "2.7283724270", "base": "best"}, "best-base", MACHINE),
    ),
)

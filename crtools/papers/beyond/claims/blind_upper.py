"""blind-upper: own random offsets have ratio at most ρ*, on one machine at every n, and in the process in the limit."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.blind.rho_star import cost, least_cost, limit_bound
from crtools.closed_form.evaluate import enclose
from crtools.enclosure import ends
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision, verdict
from crtools.ledger.evidence import records
from crtools.papers.beyond.claims.blind_lower import LOWER, best
from crtools.papers.beyond.claims.rho_star import bracket_of_y
from crtools.papers.beyond.evidence import computed
from crtools.papers.beyond.levels import ALGORITHM, MACHINE
from crtools.papers.beyond.theory import constant, theorem
from crtools.papers.nonclairvoyant.evidence.literal import with_own_offsets as symbols_supremum
from crtools.papers.nonclairvoyant.theory import theorem as nonclairvoyant
from crtools.proof.theorem import Theorem

LAW = {
    MACHINE: ("P(v > t) = 1/sqrt(t) up to R", "for every policy, and as n → ∞"),
    ALGORITHM: ("P(o > k) = sqrt(v(a)/v(k)) up to v(u) = R v(a), a large", "for every policy; n → ∞, M → ∞, a → ∞"),
}
"""The distribution under which every blind policy has ρ* in the limit, and for which limits."""


def at_base(base: Fraction, bound: Fraction, level: str) -> tuple[Theorem, ...]:
    """Return the theorems that own offsets of a base have at most the bound."""
    machine = theorem("own offsets at a given base", base=constant(base), bound=constant(bound))
    return (machine,) if level == MACHINE else (theorem("own offsets in the process", base=constant(base)), machine)


def at_most(bound: Fraction, base: Fraction | None, level: str) -> Evidence:
    """Decide whether own offsets at the base (None: the best) have ratio at most the bound."""
    minimum = least_cost(40).value
    if bound < minimum.lower:
        return below_rho_star(bound, level)
    bracket = bracket_of_y(8)
    if base is None:
        within = "the bound is within the digits of ρ*"
        return by_theorem(*best(level), values=bracket) if bound >= minimum.upper else Open(within)
    proved = by_theorem(*at_base(base, bound, level), values=bracket)
    return (level == MACHINE and proved.status != "proved" and _more_at(base, bound)) or proved


def _more_at(base: Fraction, bound: Fraction) -> Refuted | None:
    """Return the refutation of the bound at this base, if own offsets have more as n → ∞; else None."""
    root = sp.sqrt(sp.Rational(str(base)))
    exact = enclose(cost(root, sp.log(root)), {}, 25)
    if exact.lower <= bound or not nonclairvoyant("own offsets").holds:
        return None
    second = agree(exact, symbols_supremum(base), "what own offsets have")
    return Refuted(
        {"base": str(base), "law": "P(v > t) = 1/sqrt(t) up to R"},
        f"at most {bound}",
        f"{exact.decimals(12)[0]} in the limit",
        str(second),
        "as n → ∞ and R → ∞",
        records(nonclairvoyant("own offsets")),
    )


def below_rho_star(bound: Fraction, level: str) -> Evidence:
    """Return the refutation of a bound below ρ*: a distribution under which every blind policy has more."""
    (law, stays), lower, lost = LAW[level], least_cost(40).value.lower, computed.CONSTANT
    log_ratio = max(Fraction(10), (bound + lost * lower) / (lower - bound) + 1)
    exact = lower * (log_ratio - lost) / (1 + log_ratio)
    return Refuted(
        {"law": law, "log_R": str(log_ratio.limit_denominator(10**6))},
        f"at most {bound}",
        f"at least {float(exact):.9f} in the limit",
        f"{float(ends(limit_bound(log_ratio))[0]):.9f}, from the price itself in balls",
        stays,
        records(theorem(LOWER[level])),
    )


def offset_base(text: str) -> Fraction | None:
    """Return the base that a claim is given, None for the best."""
    if text.strip() == "best":
        return None
    base = number("base", text)
    if not Fraction(3, 2) <= base <= 1000:
        raise InputError("base", text, "must be best, or a number from 3/2 to 1000")
    return base


@claim(
    "blind-upper",
    MACHINE,
    "docs/beyond/minimax.md, the upper bound",
    "own random offsets are within $2.7284$ of the optimum at base $69/5$, and within ρ* at the best base",
    rests_on=["rho-star"],
)
def blind_upper(given: Given) -> Decision:
    """Decide the ratio at the given base and at the best one."""
    bound, base = number("bound", given["bound"]), offset_base(given["base"])
    at_given_base = f"with own offsets of base {given['base']} the ratio is at most {given['bound']}"
    at_best_base = f"at the best base it is at most {given['bound']}"
    levels = [
        verdict(
            level,
            reading,
            method,
            (
                f"own offsets: within {given['bound']} of the optimum",
                "own offsets, or every blind policy, have more",
            ),
            Finding("given-base", at_given_base, given.evidence(at_most, bound, base, level)),
            Finding("best-base", at_best_base, given.evidence(at_most, bound, None, level)),
            undecided="at this base the symbol is above the bound",
        )
        for level, (reading, method) in READINGS.items()
    ]
    return decision(*levels)


READINGS = {
    MACHINE: (
        "every n and all sizes; the mean over the offsets; sizes fixed before; against the optimum",
        "Mellin symbol, balls on a bounded range and a bound beyond",
    ),
    ALGORITHM: (
        "every $s ≥ 0$ and $l ≤ u$, uniformly in the lengths; own offsets in steps, at a rate that a pilot sets; $n → ∞$, then $M → ∞$; "
        "against the optimum, so against H-SF as a process too",
        "random order within each interval of thresholds; the bound on one machine",
    ),
}

"""any-prompts: own random offsets have ratio at most ρ* in the limit, for any prompts."""

from __future__ import annotations

from fractions import Fraction

from crtools.blind.rho_star import least_cost
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Open, by_theorem
from crtools.ledger.claims import claim, decision, verdict
from crtools.papers.any_memory.claims.lower_bound import PAGE
from crtools.papers.any_memory.theory import theorem
from crtools.papers.beyond.claims.blind_upper import below_rho_star, offset_base
from crtools.papers.beyond.levels import ALGORITHM
from crtools.papers.beyond.theory import constant


def at_most(bound: Fraction, base: Fraction | None) -> Evidence:
    """Decide whether own offsets at the base (None: the best) have at most the bound in the limit, for any prompts."""
    rho_star = least_cost(40).value
    if bound < rho_star.lower:
        return below_rho_star(bound, ALGORITHM)
    if base is not None:
        kernel = theorem("the kernel at a base", base=constant(base), bound=constant(bound))
    elif bound >= rho_star.upper:
        kernel = theorem("the kernel at the best base")
    else:
        return Open("the bound is within the digits of ρ*")
    return by_theorem(theorem("own offsets with any prompts"), kernel)


@claim(
    "any-prompts",
    ALGORITHM,
    f"{PAGE}, any prompts in the limit",
    "blind, for any prompts: own random offsets are within $(1 + ε)·2.7284$ of the optimum in the limit at base $69/5$, and within "
    "$(1 + ε)$ρ* at the best base",
)
def any_prompts(given: Given) -> Decision:
    """Decide the ratio at the given base and at the best one."""
    bound, base = number("bound", given["bound"]), offset_base(given["base"])
    return decision(
        verdict(
            ALGORITHM,
            "every P and ε > 0, all prompts and lengths with peaks up to P, fixed before; own offsets in stages; $n → ∞$, then $M → ∞$; "
            "against the optimum",
            "random order in each stage, Hoeffding; the kernel in balls",
            ("own offsets reach $(1 + ε)$ρ* in the limit", "every blind policy has more"),
            Finding(
                "given-base", f"base {given['base']}: within {given['bound']}", given.evidence(at_most, bound, base)
            ),
            Finding("best-base", f"at the best base within {given['bound']}", given.evidence(at_most, bound, None)),
            undecided="the kernel at this base is not shown to be within the bound",
        )
    )


CLAIMS = (any_prompts,)

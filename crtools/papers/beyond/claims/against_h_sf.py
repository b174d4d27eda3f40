"""against-h-sf: blind policies in units of H-SF's form: the volume bound's form, and what own random offsets have."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import sympy as sp

from crtools.blind import offsets_against_h_sf
from crtools.blind.offsets_against_h_sf import ratio_under
from crtools.enclosure import ends
from crtools.expressions import number
from crtools.forms import form
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Refuted, by_theorem
from crtools.ledger.claims import proved_or_refuted
from crtools.ledger.deciders.bounds import rounded
from crtools.ledger.deciders.ranges import formula_in
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import whole
from crtools.papers.beyond.one_machine import on_one_machine
from crtools.papers.beyond.policies import A_OFFSET
from crtools.papers.beyond.theory import constant, reading_of, stated_claim, theorem
from crtools.proof.symbols import l, s
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

"""long-prompts: A_min's worst case where s, l and u grow together, by a hypergeometric equation that is solved in floats."""

from __future__ import annotations

from fractions import Fraction

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Measured
from crtools.ledger.claims import claim, decision_at
from crtools.papers.beyond.evidence.limits import at_finite, with_prompts
from crtools.papers.beyond.levels import FORM

FAR, NEAR = 1000, 2e-6
"""l of the worst case that is compared, and how near it has to be."""


def value(alpha: Fraction, tau: Fraction, claimed: Fraction) -> Evidence:
    """Compare the equation's root with the worst case at a large l, and both with a number of six decimals."""
    root, finite = with_prompts(alpha, tau), at_finite(alpha, tau, FAR)
    agrees = abs(root - claimed) <= 5e-7 and abs(root - finite) <= NEAR
    sample = f"α = {alpha}, s/l = {tau}: the equation's root {root:.9f}, and the worst case at l ≤ {FAR}, {finite:.9f}"
    return Measured(agrees, sample, f"{abs(root - finite):.1e} between the two", {"root": root, "at_finite_l": finite})


@claim(
    "long-prompts",
    FORM,
    "docs/beyond/every-s.md, l and u together",
    "as $s, l → ∞$ with $s/l → 1$ and $l/u → 1/10$, the worst case of $A_min$'s form over H-SF's tends to 1.795015…",
    given={"alpha": "1/10", "tau": "1", "value": "1.795015"},
)
def long_prompts(given: Given) -> Decision:
    """Decide the number."""
    alpha, tau, claimed = (number(name, given[name]) for name in ("alpha", "tau", "value"))
    if not Fraction(1, 100) <= alpha <= Fraction(9, 10) or alpha.numerator > 9:
        raise InputError("alpha", given["alpha"], "must be a fraction from 1/100 to 9/10 with a numerator below 10")
    if not Fraction(1, 10) <= tau <= 100 or tau.denominator > 10:
        raise InputError("tau", given["tau"], "must be a fraction from 1/10 to 100 with a denominator of at most 10")
    says = f"at $α = {alpha}$ and $s/l → {tau}$ it is {given['value']} to six decimals"
    finding = Finding("value", says, given.evidence(value, alpha, tau, claimed))
    reading = "$s, l → ∞$, $s/l → τ > 0$, $l/u → α < 1$; of the equation nothing is proved"
    holds, fails = f"the worst case at l = {FAR} is at its root", "it is another number"
    return decision_at(FORM, reading, "a hypergeometric equation, in floats", (holds, fails), finding)

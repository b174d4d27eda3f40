"""dominates: from which α on is 1 + 2α² the larger of the two printed bounds?"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.ledger import Decision, Finding, Given, PublishedProof, Verdict
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.ledger.deciders.ranges import constant, formula_on, unit
from crtools.ledger.evidence import Evidence, Open, Proved, Refuted
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.bounds.two_lengths import alpha
from crtools.papers.adaptive.evidence.reading import repairs
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.signs.numbers import compare, sign
from crtools.signs.one_variable import at_least, polynomials

DIGITS = 40
IN_FORCE = 1 + alpha / (2 * (1 - alpha))
"""A_ℓ's bound up to ½."""


@claim(
    "dominates", AT_ZERO, "Section 5.1, after Theorem 7 (thm:Al_CR)", "for $α ≥ (3−√5)/2$ the bound $1 + 2α²$ dominates"
)
def dominates(given: Given) -> Decision:
    """Decide whether one bound is at least the other for every α from the threshold on."""
    _, threshold = formula_on("threshold", given["threshold"], {}, constant())
    if not (compare(threshold, 0) == 1 and compare(threshold, 1) == -1):
        raise InputError("threshold", given["threshold"], "must be between 0 and 1")
    large, small = (
        formula_on(key, given[key], {"alpha": alpha}, unit("alpha"))[1] for key in ("dominating", "a_min_bound")
    )
    evidence, in_force = larger_from(threshold, large, small), larger_from(threshold, large, IN_FORCE)
    dominating_text, a_min_text, threshold_text = (
        f"${given[key].strip()}$" for key in ("dominating", "a_min_bound", "threshold")
    )
    why = (
        f"smaller at $α = {evidence.witness['alpha']}$"
        if isinstance(evidence, Refuted)
        else f"{evidence.status} by exact signs"
    )
    reading = (
        "of the printed bounds, as functions of $α$: for every $α$ from the threshold on, $α < 1$, the one is at least $A_min$'s, which "
        "makes $A_min$'s the better one"
    )
    findings = (
        Finding("dominates", f"{dominating_text} is at least {a_min_text} for $α ≥ {threshold_text[1:]}", evidence),
        Finding(
            "in-force",
            f"{dominating_text} is at least $1 + α/(2(1−α))$ there, $A_ℓ$'s bound up to ½",
            in_force,
            decides=False,
        ),
    )
    verdict = Verdict(AT_ZERO, reading, why, "exact signs of rational functions", findings)
    true = repairs("one-plus-two-alpha-squared-dominates", "a-ell-bound-dominates")
    return Decision(why, (verdict,), PublishedProof(note="a conclusion without proof"), true)


def larger_from(threshold: SymExpr, large: SymExpr, small: SymExpr) -> Evidence:
    """Decide whether large(α) ≥ small(α) for threshold ≤ α < 1."""
    near, one = enclose(threshold, {}, DIGITS), Fraction(1)
    beyond = at_least(large, small, alpha, near.upper, one, closed=(near.upper,))
    if beyond.point is not None:
        ours, other = (expr.subs({alpha: sp.Rational(beyond.point)}) for expr in (large, small))
        floats = [float(expr.subs({alpha: float(beyond.point)})) for expr in (large, small)]
        agree(bool(ours < other), floats[0] < floats[1], "which bound is the larger one")
        second = {"in_floats": floats, "threshold_in_floats": float(threshold)}
        witness, stays = {"alpha": str(beyond.point)}, "two functions of $α$: no limit is taken"
        return Refuted(witness, f"at least {other}", str(ours), second, stays)
    if beyond.holds and (
        near.width == 0
        or at_least(large, small, alpha, near.lower, one).holds
        or _turns(large - small, threshold, near)
    ):
        return Proved(argument="signs between the exact roots of the difference", uses=("Sturm",))
    return Open("; ".join(filter(None, ("exact roots of the difference", beyond.reason))))


def _turns(gap: SymExpr, threshold: SymExpr, near: Enclosure) -> bool:
    """Return whether the threshold is the only root of the difference near it."""
    pair = polynomials(gap, alpha)
    factors = [] if pair is None else [f for poly in pair for f, _ in poly.factor_list()[1]]
    here = [f for f in factors for _ in range(f.count_roots(sp.Rational(near.lower), sp.Rational(near.upper)))]
    return len(here) == 1 and sign(here[0].as_expr().subs(alpha, threshold)) == 0

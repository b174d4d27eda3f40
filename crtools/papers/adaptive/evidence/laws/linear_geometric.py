"""thm-lg: the closed form, at one q after another, and the two sums displayed in its proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.exponential_polynomial import ExponentialPolynomial, Field
from crtools.closed_form.summand import Summand
from crtools.expressions import number
from crtools.ledger import Display, Evidence, Given, PublishedProof, Refuted
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.papers.adaptive.evidence.laws.one_parameter import LINEAR, derived, direct, q

SUM = "$Σ_k k³q^{k−1}(k q^{k−1} + 2 Σ_{i>k} i q^{i−1})$"


def closed_form(s: int, claimed: Bound) -> Evidence:
    """Decide a closed form of the ratio at one s: for every q, or by a q at which it fails."""

    truth = derived(LINEAR, s).ratio

    def second(at: Mapping[str, Fraction]) -> str:
        value = direct(LINEAR, s, at["q"], 40)
        return agree(enclose(truth, {q: at["q"]}, 40), value, "the ratio under k q^k").decimals(30)[0]

    found = decide_identity(
        f"the ratio under k q^k at s = {s}", claimed.expr, truth, unit("q"), second, f"s = {s}, 0 < q < 1"
    )
    return replace(found, witness={"s": s, **found.witness}) if isinstance(found, Refuted) else found


def published_proof(given: Given, form: Evidence, bound: Evidence) -> PublishedProof:
    """Judge the two sums as displayed, and what the proof concludes from them at s = 0: the closed form and the bound."""
    where, text = "proof of Theorem 8,", given["display_denominator"]
    own, tail = (number(name, given[name]) for name in ("display_own", "display_tail"))
    right = given.evidence(denominator, Fraction(1), Fraction(2), text)
    instead = f"{SUM} has the value shown" if right.status == "proved" else ""
    above = given.evidence(numerator, given["display_numerator"])
    shown = (
        Display("denominator", f"{where} the denominator's sum", given.evidence(denominator, own, tail, text), instead),
        Display("numerator", f"{where} the numerator's sum", above),
        Display("quotient", f"{where} the quotient", form),
        Display("at-most", f"{where} the last inequality", bound),
    )
    return PublishedProof(shown, gaps=("$s = 0$ is assumed",))


def denominator(own: Fraction, tail: Fraction, text: str) -> Evidence:
    """Decide a displayed value of Σ k³q^{k−1}(own·k q^{k−1} + tail·Σ_{i>k} i q^{i−1})."""
    field = Field.of(q)
    cubes, weights = _term(field, field.k**3), _term(field, field.k)
    sums = (Summand(cubes * part).complete_sum().expr() for part in (weights, weights.tails_above()))
    value = sum(sp.Rational(c) * part for c, part in zip((own, tail), sums, strict=True))
    return _displayed("denominator", text, value, partial(_plain_denominator, own, tail))


def numerator(text: str) -> Evidence:
    """Decide a displayed value of Σ_k (Σ_{i≥k} i² q^{i−1})(Σ_{i≥k} q^{i−1} + 2 Σ_{i>k} (i − k) q^{i−1})."""
    field = Field.of(q)
    one, weights, squares = (_term(field, field.k**power) for power in range(3))
    from_k = squares + squares.tails_above()
    second = one + one.tails_above()
    twice = weights.tails_above() + one.tails_above().times(-field.k)
    value = Summand(from_k * (second + twice.times(field.ring.one * 2))).complete_sum().expr()
    return _displayed("numerator", text, value, _plain_numerator)


def _term(field: Field, poly: Any) -> ExponentialPolynomial:
    """Return poly(k) q^{k−1}."""
    rho = field.domain.from_sympy(q)
    return ExponentialPolynomial(field, {rho: poly * (field.domain.one / rho)})


def _displayed(which: str, text: str, value: Any, plain: Any) -> Evidence:
    _, shown = formula_on(f"display_{which}", text, {"q": q}, unit("q"))
    text = "the other side is the sum, by Σ_k k^p t^k as rational functions of t, at t = q and t = q²"
    return decide_identity(f"LG: the {which} sum", shown, value, unit("q"), plain, "0 < q < 1", text)


LAST = 300
"""Terms of the sums in floats; at q ≤ 3/4 the rest is below 10^−20."""


def _plain_denominator(own: Fraction, tail: Fraction, at: Mapping[str, Fraction]) -> float:
    """The displayed sum, term by term in floats."""
    x = float(at["q"])
    w = [0.0] + [i * x ** (i - 1) for i in range(1, LAST)]
    return sum(k**3 * x ** (k - 1) * (float(own) * w[k] + float(tail) * sum(w[k + 1 :])) for k in range(1, LAST))


def _plain_numerator(at: Mapping[str, Fraction]) -> float:
    """The displayed numerator sum, term by term in floats."""
    x, total = float(at["q"]), 0.0
    for k in range(1, LAST):
        first = sum(i * i * x ** (i - 1) for i in range(k, LAST))
        second = sum(x ** (i - 1) for i in range(k, LAST)) + 2 * sum((i - k) * x ** (i - 1) for i in range(k + 1, LAST))
        total += first * second
    return total

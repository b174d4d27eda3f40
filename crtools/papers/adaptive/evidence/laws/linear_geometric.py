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
from crtools.ledger.agree import agree
from crtools.ledger.claim import Given
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import Evidence, Refuted
from crtools.ledger.verdict import Display, PublishedProof
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


def published_proof(given: Given, zero: tuple[Evidence, ...]) -> PublishedProof:
    """Judge the two sums as displayed, and what the proof concludes from them; it takes s = 0."""
    sums, where = displayed_sums(given), "proof of Theorem 8,"
    right = displayed_sums({**given, "display_own": "1", "display_tail": "2"})["display_denominator"]
    instead = f"{SUM} has the value shown" if right.status == "proved" else ""
    shown = (
        Display("denominator", f"{where} the denominator's sum", sums["display_denominator"], instead),
        Display("numerator", f"{where} the numerator's sum", sums["display_numerator"]),
        Display("quotient", f"{where} the quotient", zero[0]),
        Display("at-most", f"{where} the last inequality", zero[1]),
    )
    return PublishedProof(shown, gaps=("$s = 0$ is assumed",))


def displayed_sums(given: Mapping[str, str]) -> dict[str, Evidence]:
    """Decide the displayed sums Σ k³q^{k−1}(c₁ k q^{k−1} + c₂ Σ_{i>k} i q^{i−1}) and the numerator's.

    They are returned under the names of their values in ``given``.
    """
    field = Field.of(q)
    k, one = field.k, field.domain.one
    rho = field.domain.from_sympy(q)

    def term(poly: Any) -> ExponentialPolynomial:  # poly(k) q^{k−1}
        return ExponentialPolynomial(field, {rho: poly * (one / rho)})

    own, tail_of = (number(n, given[n]) for n in ("display_own", "display_tail"))
    first_own = Summand(term(k**3) * term(k)).complete_sum()
    first_tail = Summand(term(k**3) * term(k).tails_above()).complete_sum()
    left = sp.Rational(own) * first_own.expr() + sp.Rational(tail_of) * first_tail.expr()
    # Σ_{i≥k} i² q^{i−1} and Σ_{i≥k} q^{i−1} + 2 Σ_{i>k} (i − k) q^{i−1}
    from_k = term(k**2) + term(k**2).tails_above()
    second = term(field.ring.one) + term(field.ring.one).tails_above()
    twice = term(k).tails_above() + term(field.ring.one).tails_above().times(-k)
    numerator = Summand(from_k * (second + twice.times(field.ring.one * 2))).complete_sum().expr()
    found: dict[str, Evidence] = {}
    for key, value, plain in (
        ("display_denominator", left, partial(_plain_denominator, own, tail_of)),
        ("display_numerator", numerator, _plain_numerator),
    ):
        _, shown = formula_on(key, given[key], {"q": q}, unit("q"))
        title = f"LG: the {key.removeprefix('display_')} sum"
        found[key] = decide_identity(title, shown, value, unit("q"), plain, "0 < q < 1")
    return found


LAST = 300
"""Terms of the sums in floats; at q ≤ 3/4 the rest is below 10^−20."""


def _plain_denominator(own: Fraction, tail_of: Fraction, at: Mapping[str, Fraction]) -> float:
    """The displayed sum, term by term in floats."""
    x = float(at["q"])
    w = [0.0] + [i * x ** (i - 1) for i in range(1, LAST)]
    return sum(k**3 * x ** (k - 1) * (float(own) * w[k] + float(tail_of) * sum(w[k + 1 :])) for k in range(1, LAST))


def _plain_numerator(at: Mapping[str, Fraction]) -> float:
    """The displayed numerator sum, term by term in floats."""
    x, total = float(at["q"]), 0.0
    for k in range(1, LAST):
        first = sum(i * i * x ** (i - 1) for i in range(k, LAST))
        second = sum(x ** (i - 1) for i in range(k, LAST)) + 2 * sum((i - k) * x ** (i - 1) for i in range(k + 1, LAST))
        total += first * second
    return total

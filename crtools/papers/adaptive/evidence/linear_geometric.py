"""thm-lg: the closed form, at one q after another, and the two sums displayed in its proof."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose, enclosed
from crtools.closed_form.exponential_polynomial import ExponentialPolynomial, Field
from crtools.closed_form.summand import Summand
from crtools.errors import NotCertified
from crtools.expressions import number
from crtools.ledger.claim import Given
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.evidence.law_in_process import compared_in_process
from crtools.papers.adaptive.evidence.one_parameter import LINEAR, derived, direct, q, typed
from crtools.proof.builder import Proof


def closed_form(claimed: Any, s: int) -> Evidence:
    """Decide a closed form of the ratio at one s: for every q, or by a q at which it fails."""
    truth = derived(LINEAR, s).ratio
    proof = Proof(f"the ratio under k q^k at s = {s}", f"s = {s}, 0 < q < 1", sp.latex(truth)).identity(
        "", claimed, truth
    )
    return _differs(claimed, s) or by_theorem(proof.qed(), values={"derived": typed(truth)})


def closed_form_in_process(claimed: Any) -> Refuted | Open:
    """Refute a closed form for Algorithm 2 itself where the ratio that it has at least exceeds it."""

    def value(at: Fraction) -> Fraction | None:
        found = enclosed(claimed, {q: at}, 12)
        return None if found is None else found.upper

    return compared_in_process(LINEAR, value)


def _differs(claimed: Any, s: int) -> Refuted | None:
    """Refute a closed form at a rational q, by two computations."""
    for place in (Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)):
        value = enclose(derived(LINEAR, s).ratio, {q: place}, 15)
        try:
            theirs = enclose(claimed, {q: place}, 15)
        except (NotCertified, ArithmeticError):
            continue
        second = direct(LINEAR, s, place)
        if theirs.upper < min(value.lower, second.lower) or theirs.lower > max(value.upper, second.upper):
            return Refuted(
                witness={"s": s, "q": str(place)},
                claimed=theirs.decimals(12)[0],
                actual=value.decimals(12)[0],
                second=second.decimals(12)[0],
                stays="the forms are the limit $M → ∞$; the law is not cut",
            )
    return None


def displayed_sums(given: Given) -> dict[str, Evidence]:
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
    left = (
        sp.Rational(own.numerator, own.denominator) * first_own.expr()
        + sp.Rational(tail_of.numerator, tail_of.denominator) * first_tail.expr()
    )
    # Σ_{i≥k} i² q^{i−1} and Σ_{i≥k} q^{i−1} + 2 Σ_{i>k} (i − k) q^{i−1}
    from_k = term(k**2) + term(k**2).tails_above()
    second = term(field.ring.one) + term(field.ring.one).tails_above()
    twice = term(k).tails_above() + term(field.ring.one).tails_above().times(-k)
    numerator = Summand(from_k * (second + twice.times(field.ring.one * 2))).complete_sum().expr()
    found: dict[str, Evidence] = {}
    for title, key, value, plain in (
        ("LG: the denominator sum", "display_denominator", left, partial(_plain_denominator, own, tail_of)),
        ("LG: the numerator sum", "display_numerator", numerator, _plain_numerator),
    ):
        _, shown = formula_on(key, given[key], {"q": q}, unit("q"))
        proof = Proof(title, "0 < q < 1", sp.latex(shown)).identity("", value, shown)
        found[key] = _display_counterexample(value, shown, plain) or by_theorem(proof.qed())
    return found


def _display_counterexample(value: Any, shown: Any, plain: Callable[[Fraction], float]) -> Refuted | None:
    """Refute a displayed value of a sum at a rational q, with the sum itself term by term in floats."""
    for place in (Fraction(1, 2), Fraction(1, 3), Fraction(3, 4)):
        put = {q: sp.Rational(place.numerator, place.denominator)}
        try:
            gap = enclose(value - shown, {q: place}, 5)
            ours, again = enclose(sp.sympify(value), {q: place}, 12), plain(place)
        except (NotCertified, ArithmeticError, TypeError, ValueError):
            continue
        if gap.lower <= 0 <= gap.upper or not abs(ours.middle - again) < 1e-9 * again:
            continue
        return Refuted(
            witness={"q": str(place)},
            claimed=str(shown.subs(put)),
            actual=str(sp.cancel(value).subs(put)),
            second=again,
            stays="an identity in $q$: no limit is taken",
        )
    return None


LAST = 300
"""Terms of the sums in floats; at q ≤ 3/4 the rest is below 10^−20."""


def _plain_denominator(own: Fraction, tail_of: Fraction, at: Fraction) -> float:
    """The displayed sum, term by term in floats."""
    w = [0.0] + [i * float(at) ** (i - 1) for i in range(1, LAST)]
    return sum(
        k**3 * float(at) ** (k - 1) * (float(own) * w[k] + float(tail_of) * sum(w[k + 1 :])) for k in range(1, LAST)
    )


def _plain_numerator(at: Fraction) -> float:
    """The displayed numerator sum, term by term in floats."""
    x, total = float(at), 0.0
    for k in range(1, LAST):
        first = sum(i * i * x ** (i - 1) for i in range(k, LAST))
        second = sum(x ** (i - 1) for i in range(k, LAST)) + 2 * sum((i - k) * x ** (i - 1) for i in range(k + 1, LAST))
        total += first * second
    return total

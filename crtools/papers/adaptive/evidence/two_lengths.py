"""Bounds on laws on two lengths, and displays in l, u, x, y: decided by exact suprema, refuted at rational weights."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.expressions import evaluate
from crtools.ledger.agree import agree
from crtools.ledger.deciders.ranges import formula_on, lengths_and_weights
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.evidence.process_bounds import Bound
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form.two_lengths import alpha, l, s, t, u, value_of, x, y
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem
from crtools.ratios.comparison import Comparison

Weights = tuple[int, int]
"""x_l and x_u."""

METHOD = "exact suprema of quotients linear over quadratic in $t = x_ℓ/x_u$; Sturm"
READINGS = {
    AT_ZERO: "$s = 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms",
    FORM: "every $s ≥ 0$, all lengths $1 ≤ ℓ < u$, all weights $x_ℓ, x_u ≥ 0$, in the limit $M → ∞$, of the forms",
    ALGORITHM: "every $s ≥ 0$, all lengths $1 ≤ ℓ < u$ and all shares of the two, $n → ∞$ and then $M → ∞$, against H-SF; "
    "policies to the letter",
}
LONGEST = 1000
"""Sums over lengths up to this one are evaluated term by term."""

POINTS = ({l: 1, u: 3, x: 2, y: 5}, {l: 2, u: 5, x: 3, y: 1}, {l: 3, u: 4, x: 1, y: 7})


def bound_function(tree: ast.expr, expr: Any) -> Bound:
    """Return a bound as a function of α; where it is not rational, a number just above it."""

    def value(at: Fraction) -> Fraction | None:
        try:
            return evaluate(tree, {"alpha": at})
        except ArithmeticError:
            pass
        found = enclosed(expr, {alpha: at}, 12)
        return None if found is None else found.upper  # not rational: what exceeds the upper end exceeds the bound

    return value


def quick_ratio(policy: str, size: int, low: int, up: int, weights: Weights) -> Fraction:
    """Return the ratio of a-min's or a-ell's form to H-SF's, from the excess of the one over the other."""
    p, q = weights
    a, d = low * (size + low), up * (size + up)
    below = a * p * p + 2 * a * p * q + d * q * q
    if policy == "a-ell":
        return 1 + Fraction(a * q * (p + 2 * q), below)
    return 1 + Fraction((size + low) * (up - low) * (size + low + up) * p * q, (size + up) * below)


def literal_ratio(policy: str, size: int, low: int, up: int, weights: Weights) -> Fraction:
    """Return the ratio by the paper's sums, evaluated term by term; A_ℓ's by its own definition in words."""
    p, q = weights
    pair = {low: p, up: q}
    if policy == "a-min":
        return literal.a_min_sum(pair, size, low, up) / literal.h_sf_sum(pair, size)
    first = low * (size + low) * (p + q)  # all requests run l tokens; each batch delays what finishes with or after it
    second = up * (size + up) * q
    return Fraction(first * p + 2 * first * q + second * q, 1) / literal.h_sf_sum(pair, size)


def _form_ratio(policy: str, size: int, low: int, up: int, weights: Weights) -> Fraction:
    put = {s: size, l: low, u: up, x: weights[0], y: weights[1]}
    value: Any = sp.Rational((value_of(policy) / value_of("h-sf")).subs(put))
    return Fraction(int(value.p), int(value.q))


def instance(policy: str, size: int, low: int, up: int, weights: Weights, claimed: Fraction, looked_at: int) -> Refuted:
    """Return a witness, its ratio computed twice: by the forms, and term by term where that is short."""
    again = literal_ratio if up <= LONGEST else quick_ratio
    found = _form_ratio(policy, size, low, up, weights)
    second = agree(found, again(policy, size, low, up, weights), f"{policy}'s ratio")
    return Refuted(
        witness={"s": size, "l": low, "u": up, "x_l": weights[0], "x_u": weights[1]},
        claimed=str(claimed),
        actual=str(found),
        second=str(second),
        stays="the forms are the limit; the ratio is continuous in the weights",
        values={"ratio": float(found), "settings_looked_at": looked_at},
    )


def best_weights(policy: str, size: int, low: int, up: int) -> Weights:
    """Return integer weights near the maximiser."""
    if size == 0:
        return (up, low) if policy == "a-min" else (max(up - 2 * low, 0), low)
    a, d = low * (size + low), up * (size + up)
    scale = 10**6
    root = isqrt(d * scale * scale // a)  # √(d/a) in units of 10⁻⁶
    if policy == "a-ell":
        root = max(root - 2 * scale, 0)
    found = Fraction(root, scale).limit_denominator(200)
    return found.numerator, found.denominator


def plain_weights(policy: str, size: int, low: int, up: int, claimed: Fraction) -> Weights:
    """Return the plainest weights near the maximiser at which the ratio exceeds a bound, the best ones if none does."""
    best = best_weights(policy, size, low, up)
    near = [Fraction(*best).limit_denominator(largest) for largest in (1, 2, 3, 5, 10, 20, 50)]
    few = [Fraction(1, k) for k in (1, 2, 3, 5, 10, 100, 10**4)]  # where only the longer length is worst
    for share in few if best[0] == 0 else filter(None, near):
        weights = share.numerator, share.denominator
        if quick_ratio(policy, size, low, up, weights) > claimed:
            return weights
    return best


def settings() -> Iterator[tuple[int, int, int]]:
    """Iterate over the settings (s, l, u) with s ≥ 1 at which bounds are tried, smallest first."""
    for size in (1, 2, 3, 5, 10, 30, 100, 1000, 10**5, 10**8):
        for up in (*range(2, 13), 20, 50, 100, 1000, 10**4):
            for low in dict.fromkeys((*range(1, min(up, 6)), up * 9 // 10, up - 1)):
                yield size, low, up


def search(policy: str, bound: Bound) -> Refuted | Open:
    """Return the first setting with s ≥ 1 at which the ratio at good weights exceeds the bound, else what was tried."""
    checked = 0
    for size, low, up in settings():
        claimed = bound(Fraction(low, up))
        if claimed is None:
            continue
        weights = plain_weights(policy, size, low, up, claimed)
        if quick_ratio(policy, size, low, up, weights) > claimed:
            return instance(policy, size, low, up, weights, claimed, checked)
        checked += 1
    return Open("the exact supremum at many settings with $s ≥ 1$: the bound holds at each", {"settings": checked})


def against_supremum(outcome: Comparison, theorem: Theorem, policy: str, bound: Bound, tightness: str = "") -> Evidence:
    """Decide a bound at s = 0 from its comparison with the exact supremum."""
    if outcome.holds:
        values = {"tightness": tightness} if tightness else {}
        return by_theorem(
            theorem, argument="the given bound is at least the supremum on its whole range", values=values
        )
    if outcome.holds is None:
        return Open(outcome.reason)
    point = outcome.point or Fraction(1, 2)
    low, up = point.numerator, point.denominator
    claimed = bound(point)
    weights = best_weights(policy, 0, low, up) if claimed is None else plain_weights(policy, 0, low, up, claimed)
    if claimed is None or not quick_ratio(policy, 0, low, up, weights) > claimed:
        tried = "the supremum exceeds the bound; no rational weights were found at which the ratio does"
        return Open(tried, {"alpha": str(point)})
    return instance(policy, 0, low, up, weights, claimed, 0)


def display(name: str, text: str, truth: Any, theorem: str) -> Evidence:
    """Decide a displayed formula: it must equal the expression computed from the forms.

    Both are written in l, u, x, y, so that α and t may stand for l/u and x/y in either.
    """
    symbols = {"l": l, "u": u, "x": x, "y": y, "alpha": alpha, "t": t}
    _, given_as = formula_on(name, text, symbols, lengths_and_weights())
    claimed, true = (sp.sympify(side).subs({alpha: l / u, t: x / y}) for side in (given_as, truth))
    proof = Proof(theorem, "s = 0", sp.latex(true)).identity("", claimed, true)
    return _display_counterexample(claimed, true) or by_theorem(proof.qed())


def _display_counterexample(claimed: Any, true: Any) -> Refuted | None:
    for point in POINTS:
        ours, theirs = true.subs(point), claimed.subs(point)
        if not (ours.is_Rational and theirs.is_Rational and ours != theirs):
            continue
        try:
            again = sp.lambdify(list(point), claimed, "math")(*(float(v) for v in point.values()))
        except (ArithmeticError, ValueError, TypeError):
            continue
        return Refuted(
            witness={str(k): str(v) for k, v in point.items()},
            claimed=str(theirs),
            actual=str(ours),
            second={"as_displayed_in_floats": again, "by_the_forms_in_floats": float(ours)},
            stays="an identity in $ℓ, u, x_ℓ, x_u$: no limit is taken",
        )
    return None

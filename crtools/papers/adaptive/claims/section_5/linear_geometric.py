"""thm-lg: the law P(k) ∝ k q^k, its closed form, and the two sums displayed in the proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.exponential_polynomial import ExponentialPolynomial, Field
from crtools.closed_form.summand import Summand
from crtools.errors import NotCertified
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.result import Decision, Part, Repair, Verdict, from_theorem
from crtools.papers.adaptive.claims.section_5.one_parameter import (
    ARGUED,
    LINEAR,
    METHOD,
    READING,
    WORDS,
    bound_part,
    derived,
    direct,
    directed,
    direction_of,
    larger_part,
    q,
)
from crtools.papers.adaptive.claims.section_5.two_point import published_proof
from crtools.papers.adaptive.evidence.law_in_process import law_part
from crtools.proof.steps import Identity
from crtools.proof.theorem import Theorem


def decide_lg(given: Given) -> Decision:
    """Decide the closed form, both bounds, the monotonicity and the two displayed sums."""
    direction = direction_of(given)
    bounds = {name: number(name, given[name]) for name in ("bound", "weaker_bound")}
    _, claimed = formula_on("closed_form", given["closed_form"], {"q": q}, unit("q"))
    closed = _closed_form_part(claimed)
    argued = (
        closed,
        *(bound_part(f"at most the {WORDS[n]}, s = 0", LINEAR, 0, b) for n, b in bounds.items()),
        directed("monotone in q, s = 0", LINEAR, 0, direction),
    )
    displays = _sums(given)
    larger = (
        _other_s(claimed),
        *(larger_part(f"at most the {WORDS[n]}, s ≥ 1", LINEAR, b) for n, b in bounds.items()),
        directed("monotone in q, s = 1", LINEAR, 1, direction),
        *(law_part(f"at most the {WORDS[n]}, of the algorithm itself", LINEAR, b) for n, b in bounds.items()),
    )
    bad = [p.part for p in displays if p.status == "refuted"]
    holds = all(p.status in ("proved", "certified") for p in argued)
    state = "hold" if holds else "do not all hold"
    why = f"s = 0: closed form, bounds and monotonicity {state}; false as displayed: {'; '.join(bad) or 'nothing'}"
    return Decision(
        (
            Verdict(
                "as-stated",
                f"{READING}; and of Algorithm 2",
                METHOD,
                (*larger, *argued, *displays),
                f"{why}; s = 1: {larger[0].status}",
            ),
            Verdict("where-argued", ARGUED, METHOD, (*argued, *displays), why),
        ),
        published_proof((*argued[:2], *displays)),
        _repairs(given, direction, argued, displays),
    )


def _repairs(given: Given, direction: str, argued: tuple[Part, ...], displays: tuple[Part, ...]) -> tuple[Repair, ...]:
    """The claim at s = 0, and the denominator's sum with the coefficients that give the value shown."""
    found: list[Repair] = []
    if direction == "increases":
        text = f"at s = 0, of the form: the closed form holds, increases with q and is at most {given['bound'].strip()}"
        found.append(Repair(text, (argued[0], argued[1], argued[3])))
    if displays[0].status == "refuted" and given["display_denominator"] == LG.given["display_denominator"]:
        right = _sums({**given, "display_own": "1", "display_tail": "2"})[0]
        own = "Σ_{k≥1} k³q^{k−1}(k q^{k−1} + 2 Σ_{i>k} i q^{i−1})"
        value = "(1+2q+11q²+8q³+11q⁴+2q⁵+q⁶)/((1−q)⁶(1+q)⁴)"
        found.append(Repair(f"the denominator's sum: {own} = {value}", (replace(right, part="the sum with 1 and 2"),)))
    return tuple(found)


def _closed_form_part(claimed: Any) -> Part:
    truth, name = derived(LINEAR, 0).ratio, "the closed form, s = 0"
    theorem = Theorem("LG", "the closed form", "s = 0, 0 < q < 1", (Identity(name="equal", lhs=claimed, rhs=truth),))
    return _differs(name, claimed, 0) or from_theorem(name, theorem, derived=str(truth))


def _other_s(claimed: Any) -> Part:
    name = "the closed form, s = 1"
    return _differs(name, claimed, 1) or Part(
        name, "inconclusive", {"tried": "agrees with the derived ratio at three points"}
    )


def _differs(name: str, claimed: Any, s: int) -> Part | None:
    """Refute a closed form at a rational q, by two computations."""
    for place in (Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)):
        value = enclose(derived(LINEAR, s).ratio, {q: place}, 15)
        try:
            theirs = enclose(claimed, {q: place}, 15)
        except (NotCertified, ArithmeticError):
            continue
        second = direct(LINEAR, s, place)
        if theirs.upper < min(value.lower, second.lower) or theirs.lower > max(value.upper, second.upper):
            evidence = {
                "counterexample": {"s": s, "q": str(place)},
                "claimed": theirs.decimals(12)[0],
                "actual": value.decimals(12)[0],
                "second computation": second.decimals(12)[0],
            }
            return Part(name, "refuted", evidence)
    return None


def _sums(given: Given) -> tuple[Part, ...]:
    """Decide the two displayed sums: Σ k³q^{k−1}(c₁ k q^{k−1} + c₂ Σ_{i>k} i q^{i−1}) and the numerator's."""
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
    parts: list[Part] = []
    for title, key, value, plain in (
        ("the displayed denominator sum", "display_denominator", left, partial(_plain_denominator, own, tail_of)),
        ("the displayed numerator sum", "display_numerator", numerator, _plain_numerator),
    ):
        _, shown = formula_on(key, given[key], {"q": q}, unit("q"))
        theorem = Theorem(title, title, "0 < q < 1", (Identity(name="display", text=title, lhs=value, rhs=shown),))
        parts.append(_display_counterexample(title, value, shown, plain) or from_theorem(title, theorem))
    return tuple(parts)


def _display_counterexample(title: str, value: Any, shown: Any, plain: Callable[[Fraction], float]) -> Part | None:
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
        evidence = {
            "counterexample": {"q": str(place)},
            "the sum": str(sp.cancel(value).subs(put)),
            "as displayed": str(shown.subs(put)),
            "second computation": repr(again),
            "right with": "k q^{k−1} + 2 Σ, not 2k q^{k−1} + Σ" if "denominator" in title else "",
        }
        return Part(title, "refuted", evidence)
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


DENOMINATOR = "the displayed denominator"

LG = Claim(
    id="thm-lg",
    place="Theorem LG",
    statement="the closed form under LG(p), ≤ 14/9, increasing in q, bounded by 1.6; the two sums displayed in its proof",
    given={
        "closed_form": "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)",
        "bound": "14/9",
        "weaker_bound": "1.6",
        "direction": "increases",
        "display_own": "2",
        "display_tail": "1",
        "display_denominator": "(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4)",
        "display_numerator": "(1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)",
    },
    decide=decide_lg,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "1.54"}, "at most the bound, s = 0"),
        Variant(
            "a coefficient",
            {"closed_form": "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5)"},
            "the closed form, s = 0",
        ),
        Variant(
            "a sign", {"display_numerator": "(1-3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)"}, "the displayed numerator"
        ),
        Variant("a bound less by a hair", {"bound": "14/9-1e-9"}, "at most the bound, s = 0"),
        Variant("the weaker bound off by 3 %", {"weaker_bound": "1.552"}, "at most the weaker bound, s = 0"),
        Variant("the other direction", {"direction": "decreases"}, "monotone in q, s = 0"),
        Variant("an index of the right display", {"display_own": "2", "display_tail": "2"}, DENOMINATOR),
        Variant("1 % of the right display", {"display_own": "1.01", "display_tail": "2"}, DENOMINATOR),
    ),
    variants=(
        Variant(
            "the closed form expanded",
            {"closed_form": "(1+5*q+13*q**2+18*q**3+13*q**4+5*q**5+q**6)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)"},
            "the closed form, s = 0",
        ),
        Variant("a right display", {"display_own": "1", "display_tail": "2"}, "the displayed denominator"),
        Variant("a weaker bound", {"bound": "1.56"}, "at most the bound, s = 0"),
    ),
)

"""thm-two-point, thm-aell and switch: laws on two lengths l < u, weights x_l : x_u = t, α = l/u.

Both ratios are 1 + (a quotient linear over quadratic in t), so their suprema over t are exact, for every s ≥ 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.expressions import evaluate
from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import (
    formula_on,
    from_half,
    half_and_weights,
    lengths_and_weights,
    unit,
    up_to_half,
)
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem
from crtools.papers.adaptive.evidence.all_long import all_long
from crtools.papers.adaptive.evidence.process_bounds import exceeded
from crtools.papers.adaptive.literal import forms as literal
from crtools.proof.steps import Identity, Inference, Positive
from crtools.proof.theorem import Theorem, prefixed
from crtools.ratios.comparison import Comparison, at_least

alpha, t = sp.symbols("alpha t", positive=True)
l, u, s, x, y = sp.symbols("l u s x y", positive=True)  # x = x_l, y = x_u

A_MIN_SUP = (3 - alpha) / 2
A_ELL_LOW = 1 + alpha / (2 * (1 - alpha))
A_ELL_HIGH = 1 + 2 * alpha**2

PROCESS = "the bound of CR(A_min), of the algorithm itself"

READING = "for every s ≥ 0, all lengths 1 ≤ l < u, all weights x_l, x_u ≥ 0, in the limit M → ∞, of the form"
ARGUED = "s = 0, all lengths 1 ≤ l < u, all weights x_l, x_u ≥ 0, in the limit M → ∞, of the form"


def value_of(name: str) -> Any:
    """Return a form at weights x on l and y on u, as an expression in l, u, s, x, y."""
    own = form(name)
    own = own if own.bind is None else own.bind(l, u)
    return own.formula(l, l, s) * x**2 + 2 * own.formula(l, u, s) * x * y + own.formula(u, u, s) * y**2


def at_zero(name: str) -> Any:
    """Return a form at s = 0 divided by u² y², in α and t."""
    return sp.cancel(value_of(name).subs({s: 0}).subs({l: alpha * u, x: t * y}) / (u**2 * y**2))


def a_min_theorem() -> Theorem:
    """At s = 0 the supremum over t is (3 − α)/2, attained at t = 1/α only."""
    below = at_zero("h-sf")
    extra = sp.cancel(at_zero("a-min") - below)
    square = (alpha * t - 1) ** 2
    return Theorem(
        "a_min on two points",
        r"\sup_{t \ge 0} \frac{x^\top A x}{x^\top B x} = \frac{3-\alpha}{2}",
        "s = 0, every 0 < α < 1; attained at t = x_l/x_u = 1/α, that is x_l l = x_u u, and nowhere else",
        (
            Identity(name="denominator", text="H-SF's form", lhs=below, rhs=alpha**2 * t**2 + 2 * alpha**2 * t + 1),
            Identity(name="excess", text="A_min's form minus H-SF's", lhs=extra, rhs=alpha * (1 - alpha**2) * t),
            Identity(
                name="square",
                text="½(1−α) · denominator − excess is a square times (1−α)/2: ≥ 0, and 0 at t = 1/α only",
                lhs=(1 - alpha) / 2 * below - extra,
                rhs=(1 - alpha) / 2 * square,
            ),
        ),
    )


def general_theorem() -> Theorem:
    """For every s the excess sits in the cross term, and the supremum over the weights is explicit."""
    a, d = l * (s + l), u * (s + u)
    c = (s + l) * (u - l) * (s + l + u) / (s + u)
    root = sp.Symbol("r", positive=True)  # r² = d/a
    return Theorem(
        "a_min on two points, every s",
        r"\sup = 1 + \frac{(s+l)(u-l)(s+l+u)}{2(s+u)\,(a + \sqrt{a d})},\quad a = l(s+l),\ d = u(s+u)",
        "every s ≥ 0 and 1 ≤ l < u; attained at x_l/x_u = √(d/a)",
        (
            Identity(
                name="excess",
                text="the two forms differ in the cross term only",
                lhs=value_of("a-min") - value_of("h-sf"),
                rhs=c * x * y,
            ),
            Identity(
                name="denominator", text="H-SF's form", lhs=value_of("h-sf"), rhs=a * x**2 + 2 * a * x * y + d * y**2
            ),
            Identity(
                name="square",
                text="with r² = d/a: denominator − 2(a + a r) x y = a (x − r y)² ≥ 0",
                lhs=a * x**2 + 2 * a * x * y + a * root**2 * y**2 - 2 * (a + a * root) * x * y,
                rhs=a * (x - root * y) ** 2,
            ),
        ),
    )


EVERY_S = 1 + (1 + alpha) * (1 / sp.sqrt(alpha) - 1) / 2


def every_s_theorem() -> Theorem:
    """For every s the supremum is at most 1 + ½(1+α)(√(1/α) − 1)."""
    r = sp.Symbol("r", positive=True)  # u = r² l
    return Theorem(
        "a_min on two points, one bound for every s",
        r"\sup \le 1 + \tfrac12(1+\alpha)\Bigl(\sqrt{1/\alpha} - 1\Bigr)",
        "every s ≥ 0 and 1 ≤ l < u; from the exact supremum 1 + (u−l)(s+l+u)/(2(s+u)(l + √(l u (s+u)/(s+l))))",
        (
            *prefixed("supremum", general_theorem()),
            Positive(
                name="prompt",
                text="(s+l+u)/(s+u) ≤ (u+l)/u, as (u+l)(s+u) − u(s+l+u) = l s ≥ 0",
                expr=(u + l) * (s + u) - u * (s + l + u),
                where=((s, 0), (l, 1), (u, l)),
                strict=False,
            ),
            Positive(
                name="root",
                text="√(l u (s+u)/(s+l)) ≥ √(l u), as s+u ≥ s+l",
                expr=(s + u) - (s + l),
                where=((s, 0), (l, 1), (u, l)),
                strict=False,
            ),
            Identity(
                name="value",
                text="with u = r² l: (u−l)/(l + √(l u)) = r − 1, r = √(1/α)",
                lhs=(r**2 * l - l) / (l + r * l),
                rhs=r - 1,
            ),
            Inference(
                name="bound",
                conclusion=r"\sup - 1 \le \tfrac12 \cdot \tfrac{u+l}{u} \cdot (r - 1)",
                follows_from=(
                    "supremum: excess",
                    "supremum: denominator",
                    "supremum: square",
                    "prompt",
                    "root",
                    "value",
                ),
            ),
        ),
    )


def a_ell_theorem() -> Theorem:
    """At s = 0: 1 + α²(t+2)/(α²t² + 2α²t + 1), largest at t = max(0, 1/α − 2)."""
    below = at_zero("h-sf")
    extra = sp.cancel(at_zero("a-ell") - below)
    r = sp.Symbol("r", positive=True)
    return Theorem(
        "a_ell on two points",
        r"\sup_t = 1 + \frac{\alpha}{2(1-\alpha)}\ (\alpha \le \tfrac12),\qquad 1 + 2\alpha^2\ (\alpha \ge \tfrac12)",
        "s = 0, every 0 < α < 1; attained at t = 1/α − 2 for α ≤ ½ and at t = 0 above",
        (
            Identity(name="excess", text="A_ℓ's form minus H-SF's", lhs=extra, rhs=alpha**2 * (t + 2)),
            Identity(
                name="low",
                text="for α ≤ ½: α/(2(1−α)) · denominator − excess = α/(2(1−α)) (α t − (1 − 2α))² ≥ 0",
                lhs=alpha / (2 * (1 - alpha)) * below - extra,
                rhs=alpha / (2 * (1 - alpha)) * (alpha * t - (1 - 2 * alpha)) ** 2,
            ),
            Identity(
                name="high",
                text="for α = ½ + r: 2α² · denominator − excess = α² t (2α² t + 4α² − 1) and 4α² − 1 = 4r + 4r² ≥ 0",
                lhs=(2 * alpha**2 * below - extra).subs(alpha, sp.Rational(1, 2) + r),
                rhs=((sp.Rational(1, 2) + r) ** 2 * t * (2 * (sp.Rational(1, 2) + r) ** 2 * t + 4 * r + 4 * r**2)),
            ),
        ),
    )


def literal_ratio(policy: str, size: int, low: int, up: int, weights: tuple[int, int]) -> Fraction:
    """Return the ratio by the paper's sums, evaluated term by term; A_ℓ's by its own definition in words."""
    p, q = weights
    pair = {low: p, up: q}
    if policy == "a-min":
        return literal.a_min_sum(pair, size, low, up) / literal.h_sf_sum(pair, size)
    first = low * (size + low) * (p + q)  # all requests run l tokens; each batch delays what finishes with or after it
    second = up * (size + up) * q
    return Fraction(first * p + 2 * first * q + second * q, 1) / literal.h_sf_sum(pair, size)


LONGEST = 1000
"""Sums over lengths up to this one are evaluated term by term."""


def _form_ratio(policy: str, size: int, low: int, up: int, weights: tuple[int, int]) -> Fraction:
    put = {s: size, l: low, u: up, x: weights[0], y: weights[1]}
    value: Any = sp.Rational((value_of(policy) / value_of("h-sf")).subs(put))
    return Fraction(int(value.p), int(value.q))


def instance(policy: str, size: int, low: int, up: int, weights: tuple[int, int], claimed: str) -> dict[str, Any]:
    """Return a counterexample as data, its ratio computed twice: by the forms, and term by term where that is short."""
    second = literal_ratio if up <= LONGEST else _quick_ratio
    one, two = _form_ratio(policy, size, low, up, weights), second(policy, size, low, up, weights)
    if one != two:
        raise AssertionError(f"two computations of {policy}'s ratio differ: {one} and {two}")
    return {
        "counterexample": {"s": size, "l": low, "u": up, "x_l": weights[0], "x_u": weights[1]},
        "ratio": str(one),
        "ratio as a float": float(one),
        "claimed bound": claimed,
        "second computation": str(two),
    }


def best_weights(policy: str, size: int, low: int, up: int) -> tuple[int, int]:
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


def search(policy: str, bound: Callable[[Fraction], Fraction | None]) -> dict[str, Any] | None:
    """Return the first (s, l, u) with s ≥ 1 at which the ratio at good weights exceeds the bound, else None."""
    checked = 0
    for size in (1, 2, 3, 5, 10, 30, 100, 1000, 10**5, 10**8):
        for up in (*range(2, 13), 20, 50, 100, 1000, 10**4):
            for low in dict.fromkeys((*range(1, min(up, 6)), up * 9 // 10, up - 1)):
                claimed = bound(Fraction(low, up))
                if claimed is None:
                    continue
                weights = best_weights(policy, size, low, up)
                if _quick_ratio(policy, size, low, up, weights) > claimed:
                    found = instance(policy, size, low, up, weights, str(claimed))
                    return {**found, "settings looked at before": checked}
                checked += 1
    return None


def _quick_ratio(policy: str, size: int, low: int, up: int, weights: tuple[int, int]) -> Fraction:
    p, q = weights
    a, d = low * (size + low), up * (size + up)
    below = a * p * p + 2 * a * p * q + d * q * q
    if policy == "a-ell":
        return 1 + Fraction(a * q * (p + 2 * q), below)
    return 1 + Fraction((size + low) * (up - low) * (size + low + up) * p * q, (size + up) * below)


def _bound_part(name: str, outcome: Comparison, theorem: Theorem, policy: str, claimed: Any) -> Part:
    """A part at s = 0 from the comparison of the given bound with the exact supremum."""
    if outcome.holds:
        return from_theorem(
            name, theorem, comparison="the given bound is at least the supremum on the whole range of α"
        )
    if outcome.holds is None:
        return Part(name, "inconclusive", {"tried": outcome.reason})
    point = outcome.point or Fraction(1, 2)
    weights = best_weights(policy, 0, point.numerator, point.denominator)
    shown = claimed(point)
    data = instance(policy, 0, point.numerator, point.denominator, weights, str(shown))
    if shown is None or not _quick_ratio(policy, 0, point.numerator, point.denominator, weights) > shown:
        return Part(
            name, "inconclusive", {**data, "tried": "the supremum exceeds the bound; no rational weights found"}
        )
    return Part(name, "refuted", data)


def _displays(given: Given, names: dict[str, tuple[str, Any]]) -> list[Part]:
    """Decide displayed formulas: each must equal the expression computed from the forms.

    Both are written in l, u, x, y, so that α and t may stand for l/u and x/y in either.
    """
    parts: list[Part] = []
    symbols = {"l": l, "u": u, "x": x, "y": y, "alpha": alpha, "t": t}
    for key, (title, truth) in names.items():
        _, given_as = formula_on(key, given[key], symbols, lengths_and_weights())
        claimed, true = (sp.sympify(side).subs({alpha: l / u, t: x / y}) for side in (given_as, truth))
        theorem = Theorem(title, title, "s = 0", (Identity(name="display", text=title, lhs=claimed, rhs=true),))
        parts.append(_display_counterexample(title, claimed, true) or from_theorem(title, theorem))
    return parts


POINTS = ({l: 1, u: 3, x: 2, y: 5}, {l: 2, u: 5, x: 3, y: 1}, {l: 3, u: 4, x: 1, y: 7})


def _display_counterexample(title: str, claimed: Any, true: Any) -> Part | None:
    for point in POINTS:
        ours, theirs = true.subs(point), claimed.subs(point)
        if not (ours.is_Rational and theirs.is_Rational and ours != theirs):
            continue
        try:
            again = sp.lambdify(list(point), claimed, "math")(*(float(v) for v in point.values()))
        except (ArithmeticError, ValueError, TypeError):
            continue
        evidence = {
            "counterexample": {str(k): str(v) for k, v in point.items()},
            "as displayed": str(theirs),
            "actual": str(ours),
            "second computation": f"in floats, as displayed: {again!r}; by the forms: {float(ours)!r}",
        }
        return Part(title, "refuted", evidence)
    return None


def _bound_function(tree: Any, expr: Any) -> Callable[[Fraction], Fraction | None]:
    def value(at: Fraction) -> Fraction | None:
        try:
            return evaluate(tree, {"alpha": at})
        except ArithmeticError:
            pass
        found = enclosed(expr, {alpha: at}, 12)
        return None if found is None else found.upper  # not rational: what exceeds the upper end exceeds the bound

    return value


def published_proof(parts: Sequence[Part]) -> Proof:
    """Return the state of a published proof from its steps: a refuted one is false, an open one a gap."""
    for status, state in (("refuted", "false-step"), ("inconclusive", "gap")):
        bad = [p.part for p in parts if p.status == status]
        if bad:
            return Proof("false-step" if state == "false-step" else "gap", "; ".join(bad))
    return Proof("sound")


def decide_two_point(given: Given) -> Decision:
    """Decide the bound (3−α)/2, A_max's unboundedness and the displays of the proof."""
    tree, bound = formula_on("bound", given["bound"], {"alpha": alpha}, unit("alpha"))
    theorem = a_min_theorem()
    outcome = at_least(bound, A_MIN_SUP, alpha, Fraction(0), Fraction(1))
    argued = _bound_part("the bound of CR(A_min), s = 0", outcome, theorem, "a-min", _bound_function(tree, bound))
    if argued.status == "proved":
        tight = sp.cancel(bound - A_MIN_SUP) == 0
        note = "attained at x_l : x_u = u : l for every α" if tight else "larger than the supremum (3 − α)/2"
        argued = Part(argued.part, argued.status, {**argued.evidence, "tightness": note}, argued.uses)
    names = {
        "num": ("display num", value_of("a-min").subs(s, 0)),
        "den": ("display den", value_of("h-sf").subs(s, 0)),
        "ratio": ("display CR(A_min)", sp.cancel(at_zero("a-min") / at_zero("h-sf"))),
    }
    displays = _displays(given, names)
    general = from_theorem("general s", general_theorem()).evidence
    limit = "as s → ∞ the supremum tends to ½(1 + √(1/α)); for every s it is at most 1 + ½(1+α)(√(1/α) − 1)"
    found = search("a-min", _bound_function(tree, bound))
    name = "the bound of CR(A_min), s ≥ 1"
    if found:
        stated = Part(name, "refuted", {**found, "exact supremum for every s": general, "strongest true form": limit})
    elif at_least(bound, EVERY_S, alpha, Fraction(0), Fraction(1)).holds:
        stated = from_theorem(name, every_s_theorem(), comparison="the given bound is at least this on 0 < α < 1")
    else:
        stated = Part(name, "inconclusive", {"tried": "no counterexample in the search", "exact supremum": general})
    process = exceeded(PROCESS, _bound_function(tree, bound))
    unbounded = _a_max_part()
    where = f" ({argued.evidence['tightness']})" if "tightness" in argued.evidence else ""
    why = f"s = 0: {argued.status}{where}; s ≥ 1: {stated.status}"
    method = "exact suprema of linear over quadratic functions; Sturm"
    return Decision(
        (
            Verdict("as-stated", READING, method, (stated, argued, process, unbounded, *displays), why),
            Verdict(
                "where-argued", ARGUED, method, (argued, unbounded, *displays), f"at s = 0: {argued.status}{where}"
            ),
        ),
        published_proof((*displays, argued)),
        (
            Repair(
                "on {l, u} at s = 0, of the form: CR(A_min) ≤ (3−α)/2, attained at x_l : x_u = u : l",
                (from_theorem("the supremum at s = 0", theorem),),
            ),
            Repair(
                "on {l, u} for every s ≥ 0, of the form: sup CR(A_min) = 1 + (s+l)(u−l)(s+l+u)/(2(s+u)(a+√(ad))) with "
                "a = l(s+l) and d = u(s+u)",
                (from_theorem("the supremum for every s", general_theorem()),),
            ),
        ),
    )


def _a_max_part() -> Part:
    """A_max's ratio at x_u = 0 is (s+u)/(s+l), which is unbounded as u grows."""
    theorem = Theorem(
        "a_max on two points",
        r"\frac{(s+u)(x_l+x_u)(l x_l+u x_u)}{\dots} = \frac{s+u}{s+l}\ \text{at}\ x_u = 0",
        "every s ≥ 0: for every K there is u with a ratio above K",
        (
            Identity(
                name="all requests short",
                text="the ratio at x_u = 0; by continuity it is approached with x_u > 0",
                lhs=(value_of("a-max") / value_of("h-sf")).subs(y, 0),
                rhs=(s + u) / (s + l),
            ),
        ),
    )
    return from_theorem("A_max's ratio is unbounded on two-point laws", theorem)


def decide_a_ell(given: Given) -> Decision:
    """Decide the two-piece bound, displays (1)–(3) and the proof's implication."""
    low_tree, low = formula_on("bound_low", given["bound_low"], {"alpha": alpha}, up_to_half("alpha"))
    high_tree, high = formula_on("bound_high", given["bound_high"], {"alpha": alpha}, from_half("alpha"))
    theorem, half = a_ell_theorem(), Fraction(1, 2)
    bounds = (_bound_function(low_tree, low), _bound_function(high_tree, high))
    pieces = (
        ("the bound for α ≤ ½, s = 0", at_least(low, A_ELL_LOW, alpha, Fraction(0), half, closed=(half,)), bounds[0]),
        ("the bound for α ≥ ½, s = 0", at_least(high, A_ELL_HIGH, alpha, half, Fraction(1), closed=(half,)), bounds[1]),
    )
    argued = tuple(_bound_part(n, o, theorem, "a-ell", value) for n, o, value in pieces)
    whole = sp.cancel(value_of("a-ell").subs(s, 0) / 2)
    names = {
        "display_1_left": ("display (1), left: the sum before u²/2[…]", whole),
        "display_1_right": ("display (1), right: u²/2[α²x² + 3α²xy + (2α²+1)y²]", whole.subs(l, alpha * u)),
        "display_2": ("display (2)", sp.cancel(value_of("h-sf").subs(s, 0) / 2).subs(l, alpha * u)),
        "display_3": ("display (3)", sp.cancel(at_zero("a-ell") / at_zero("h-sf")).subs(t, x / y)),
    }
    displays = tuple(_displays(given, names))
    implied = _implication(given)

    def claimed(at: Fraction) -> Fraction | None:
        own = bounds[0](at) if at < half else bounds[1](at)
        other = bounds[1](at) if at == half else own
        return own if own is None or other is None else max(own, other)

    found = search("a-ell", claimed)
    name = "the bound, s ≥ 1"
    truth = "the same two pieces with √(l(s+l)/(u(s+u))) in the place of α, exactly, for every s ≥ 0"
    stated = (
        Part(name, "refuted", {**found, "strongest true form": truth})
        if found
        else Part(name, "inconclusive", {"tried": "no counterexample in the search", "exact supremum": truth})
    )
    process = all_long("the bound of CR(A_ℓ), of the algorithm itself", claimed)
    method = "exact suprema of linear over quadratic functions; Sturm"
    holds = all(p.status == "proved" for p in argued)
    bad = [p.part for p in (*displays, implied) if p.status == "refuted"]
    state = "holds" if holds else ", ".join(p.status for p in argued)
    tight = holds and sp.cancel(low - A_ELL_LOW) == 0 and sp.cancel(high - A_ELL_HIGH) == 0
    why = f"the bound at s = 0: {state}{' and is tight' if tight else ''}; false as printed: {'; '.join(bad) or 'nothing'}"
    return Decision(
        (
            Verdict(
                "as-stated",
                f"{READING}; and of A_ℓ itself",
                method,
                (stated, process, *argued, *displays, implied),
                f"{why}; s ≥ 1: {stated.status}",
            ),
            Verdict("where-argued", ARGUED, method, (*argued, *displays, implied), why),
        ),
        published_proof((*displays, implied, *argued)),
        _a_ell_repairs(theorem, names["display_1_left"]),
    )


def _a_ell_repairs(theorem: Theorem, display: tuple[str, Any]) -> tuple[Repair, ...]:
    """The bound at s = 0, display (1) with the right sum, and the step that the proof needs."""
    right = {"sum": "l*(l/2)*(x+y)*(x+2*y)+u**2/2*y**2"}
    proved = from_theorem("the supremum at s = 0", theorem)
    return (
        Repair(
            "on {l, u} at s = 0, of the form: sup CR(A_ℓ) = 1 + α/(2(1−α)) for α ≤ ½ and 1 + 2α² for α ≥ ½", (proved,)
        ),
        Repair(
            "display (1), left: l(l/2)(x+y)(x+2y) + (u²/2) y²",
            tuple(_displays(right, {"sum": ("the right sum of display (1)", display[1])})),
        ),
        Repair(
            "for α ≤ ½ the last inference follows from α/(2(1−α)) (α²t²+2α²t+1) − α²(t+2) = α/(2(1−α)) (αt−1+2α)² ≥ 0",
            (proved,),
        ),
    )


def _implication(given: Given) -> Part:
    """Read "α²t²+2α²t+1 ≥ premise implies h(t) ≤ α/[2(1−α)]" as an inference, for 0 < α ≤ ½ and t ≥ 0.

    The premise must hold, and α²(t+2)/premise must be at most α/(2(1−α)): a premise that is too small gives too
    little. So it must lie between 2α(1−α)(t+2) and α²t²+2α²t+1 = 2α(1−α)(t+2) + (αt−1+2α)².
    """
    tree, premise = formula_on("premise", given["premise"], {"alpha": alpha, "t": t}, half_and_weights())
    name = f"the inference from α²t²+2α²t+1 ≥ {given['premise'].strip()} to h(t) ≤ α/[2(1−α)]"
    r = sp.Symbol("r", positive=True)
    put = {alpha: 1 / (2 + r)}
    enough = 2 * alpha * (1 - alpha) * (t + 2)
    whole = alpha**2 * t**2 + 2 * alpha**2 * t + 1
    square = (alpha * t - 1 + 2 * alpha).subs(put)
    where = ((r, 0), (t, 0))
    theorem = Theorem(
        "inference",
        r"\alpha^2t^2+2\alpha^2t+1 \ge p \ge 2\alpha(1-\alpha)(t+2)",
        "α = 1/(2+r), r ≥ 0: every 0 < α ≤ ½, every t ≥ 0",
        (
            Positive(name="true", expr=(whole - premise).subs(put), where=where, strict=False, squares=(square,)),
            Positive(name="enough", expr=(premise - enough).subs(put), where=where, strict=False),
        ),
    )
    for a, at in product(
        (Fraction(1, 4), Fraction(1, 2), Fraction(1, 10), Fraction(2, 5)), (Fraction(k, 2) for k in range(1, 20))
    ):
        try:
            shown = evaluate(tree, {"alpha": a, "t": at})
        except ArithmeticError:
            continue
        wanted, below = a / (2 * (1 - a)), a**2 * at**2 + 2 * a**2 * at + 1
        gives = a**2 * (at + 2) / shown if shown > 0 else None
        if shown <= below and gives is not None and gives <= wanted:
            continue
        evidence = {
            "counterexample": {"alpha": str(a), "t": str(at)},
            "the premise": f"{below} ≥ {shown}" + (" is false" if shown > below else ""),
            "it gives h ≤": "nothing" if gives is None else str(gives),
            "the conclusion says h ≤": str(wanted),
            "second computation": f"in floats: {float(below)!r} ≥ {float(shown)!r}",
            "h itself": f"{a**2 * (at + 2) / below}: the conclusion is true, the premise does not give it",
            "repair": "α/(2(1−α))·(α²t²+2α²t+1) − α²(t+2) = α/(2(1−α))·(αt−1+2α)² ≥ 0",
        }
        return Part(name, "refuted", evidence)
    return from_theorem(name, theorem)


TWO_POINT = Claim(
    id="thm-two-point",
    place="Theorem no",
    statement="on {l, u}: CR(A_min) ≤ (3−α)/2; A_max's ratio there is unbounded",
    given={
        "bound": "(3-alpha)/2",
        "num": "l*(l*x+u*y)*(x+l/u*y+2*(u-l)/u*y)+u**2*y*((u-l)/u)**2*y",
        "den": "l**2*x**2+2*l**2*x*y+u**2*y**2",
        "ratio": "1+alpha*(1-alpha**2)*t/(alpha**2*t**2+2*alpha**2*t+1)",
    },
    decide=decide_two_point,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "0.99*(3-alpha)/2"}, "the bound of CR(A_min), s = 0"),
        Variant("a sign", {"bound": "(3-2*alpha)/2"}, "the bound of CR(A_min), s = 0"),
        Variant(
            "a coefficient of the ratio", {"ratio": "1+alpha*(1-alpha)*t/(alpha**2*t**2+2*alpha**2*t+1)"}, "display CR"
        ),
        Variant("an index: u for l", {"den": "l**2*x**2+2*u**2*x*y+u**2*y**2"}, "display den"),
        Variant(
            "a term of the numerator", {"num": "l*(l*x+u*y)*(x+l/u*y+(u-l)/u*y)+u**2*y*((u-l)/u)**2*y"}, "display num"
        ),
        Variant("a bound less by a hair", {"bound": "(3-alpha)/2-1e-9"}, "the bound of CR(A_min), s = 0"),
        Variant("a bound for every s less 1 %", {"bound": "0.99/sqrt(alpha)"}, "the bound of CR(A_min), s ≥ 1"),
    ),
    variants=(
        Variant("a weaker bound", {"bound": "3/2"}, "the bound of CR(A_min), s = 0"),
        Variant("a bound for every s", {"bound": "1/sqrt(alpha)"}, "the bound of CR(A_min), s ≥ 1"),
        Variant(
            "a ratio in other words",
            {"ratio": "(alpha**2*t**2+(2*alpha**2+alpha-alpha**3)*t+1)/(1+2*alpha**2*t+alpha**2*t**2)"},
            "display CR",
        ),
        Variant("an equivalent wording", {"bound": "1+(1-alpha)/2"}, "the bound of CR(A_min), s = 0"),
    ),
)

A_ELL = Claim(
    id="thm-aell",
    place="Theorem Al_CR",
    statement="on {l, u}: CR(A_ℓ) ≤ 1+α/(2(1−α)) for α ≤ ½, 1+2α² above; display (1) and the inequalities of its proof",
    given={
        "bound_low": "1+alpha/(2*(1-alpha))",
        "bound_high": "1+2*alpha**2",
        "display_1_left": "l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y",
        "display_1_right": "u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2)",
        "display_2": "u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2)",
        "display_3": "1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2)",
        "premise": "2*alpha*(1+alpha)*t",
    },
    decide=decide_a_ell,
    corrupted=(
        Variant("a constant off by 1 %", {"bound_high": "0.99*(1+2*alpha**2)"}, "the bound for α ≥ ½"),
        Variant("a sign", {"bound_low": "1+alpha/(2*(1+alpha))"}, "the bound for α ≤ ½"),
        Variant("a coefficient", {"display_2": "u**2/2*(alpha**2*x**2+alpha**2*x*y+y**2)"}, "display (2)"),
        Variant("a bound less by a hair", {"bound_low": "1+alpha/(2*(1-alpha))-1e-9"}, "the bound for α ≤ ½"),
        Variant(
            "a term of display (1)",
            {"display_1_right": "u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(alpha**2+1)*y**2)"},
            "display (1), right",
        ),
        Variant(
            "a sign in display (3)",
            {"display_3": "1-(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2)"},
            "display (3)",
        ),
        Variant("a premise that is not true", {"premise": "2*alpha*(1-alpha)*(t+2)+1e-9"}, "the inference"),
        Variant("a premise that does not give it", {"premise": "alpha*(1-alpha)*(t+2)"}, "the inference"),
    ),
    variants=(
        Variant("a weaker bound", {"bound_low": "1+alpha"}, "the bound for α ≤ ½"),
        Variant("a right display", {"display_1_left": "l*(l/2)*(x+y)*(x+2*y)+u**2/2*y**2"}, "display (1), left"),
        Variant("a premise that gives it", {"premise": "2*alpha*(1-alpha)*(t+2)"}, "the inference"),
        Variant("an equivalent wording", {"bound_low": "(2-alpha)/(2-2*alpha)"}, "the bound for α ≤ ½"),
    ),
)

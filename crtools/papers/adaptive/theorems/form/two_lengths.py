"""Laws on two lengths l < u, weights x on l and y on u, t = x/y and α = l/u: exact suprema of the forms' ratios.

Both ratios are 1 + (a quotient linear over quadratic in t), so their suprema over t are exact; A_min's for every s ≥ 0.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.proof.steps import Identity, Inference, Positive
from crtools.proof.theorem import Theorem, prefixed

alpha, t = sp.symbols("alpha t", positive=True)
l, u, s, x, y = sp.symbols("l u s x y", positive=True)  # x = x_l, y = x_u

A_MIN_SUP = (3 - alpha) / 2
A_ELL_LOW = 1 + alpha / (2 * (1 - alpha))
A_ELL_HIGH = 1 + 2 * alpha**2


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


def a_ell_every_s_theorem() -> Theorem:
    """For every s the ratio is the one at s = 0 with β = √(l(s+l)/(u(s+u))) in the place of α."""
    beta = sp.Symbol("beta", positive=True)
    first, second = l * (s + l), u * (s + u)
    scale = second * y**2
    put = {l: beta * u, s: 0, x: t * y}
    own, best = (sp.cancel(value_of(name).subs(put) / (u**2 * y**2)).subs(t, x / y) for name in ("a-ell", "h-sf"))
    return Theorem(
        "a_ell on two points, every s",
        r"\sup_t = 1 + \frac{\beta}{2(1-\beta)}\ (\beta \le \tfrac12),\qquad 1 + 2\beta^2\ (\beta \ge \tfrac12),"
        r"\qquad \beta = \sqrt{\tfrac{l(s+l)}{u(s+u)}}",
        "every s ≥ 0 and 1 ≤ l < u, so that 0 < β < 1; attained at t = 1/β − 2 for β ≤ ½ and at t = 0 above",
        (
            *prefixed("at s = 0", a_ell_theorem()),
            Identity(
                name="A_ℓ's form",
                text="u(s+u) y² times the one at s = 0 and α = β",
                lhs=value_of("a-ell"),
                rhs=sp.expand(scale * own).subs(beta**2, first / second),
            ),
            Identity(
                name="H-SF's form",
                text="u(s+u) y² times the one at s = 0 and α = β",
                lhs=value_of("h-sf"),
                rhs=sp.expand(scale * best).subs(beta**2, first / second),
            ),
            Inference(
                name="supremum",
                conclusion=r"\sup_t \text{ as at } s = 0 \text{ with } \beta \text{ for } \alpha",
                follows_from=("at s = 0: low", "at s = 0: high", "A_ℓ's form", "H-SF's form"),
            ),
        ),
    )


def a_max_theorem() -> Theorem:
    """A_max's ratio at x_u = 0 is (s+u)/(s+l), which is unbounded as u grows."""
    return Theorem(
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

"""Laws on two lengths l < u, weights x on l and y on u, t = x/y and α = l/u: exact suprema of the forms' ratios.

Both ratios are 1 + (a quotient linear over quadratic in t), so their suprema over t are exact; A_min's for every s ≥ 0.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.symbols import v
from crtools.proof.theorem import Theorem

alpha, t = sp.symbols("alpha t", positive=True)
l, u, s, x, y = sp.symbols("l u s x y", positive=True)  # x = x_l, y = x_u
K = sp.Symbol("K", positive=True)

A_MIN_SUP = (3 - alpha) / 2
A_ELL_LOW = 1 + alpha / (2 * (1 - alpha))
A_ELL_HIGH = 1 + 2 * alpha**2


def value_of(name: str, l: Any = l, u: Any = u, s: Any = s, x: Any = x, y: Any = y) -> Any:
    """Return a form at weights x on l and y on u, numbers or expressions."""
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
    proof = Proof(
        "a_min on two points",
        "s = 0, every 0 < α < 1; attained at t = x_l/x_u = 1/α, that is x_l l = x_u u, and nowhere else",
        r"\sup_{t \ge 0} \frac{x^\top A x}{x^\top B x} = \frac{3-\alpha}{2}",
    )
    proof.identity("H-SF's form", below, alpha**2 * t**2 + 2 * alpha**2 * t + 1, name="denominator")
    proof.identity("A_min's form minus H-SF's", extra, alpha * (1 - alpha**2) * t, name="excess")
    proof.identity(
        "½(1−α) · denominator − excess is a square times (1−α)/2: ≥ 0, and 0 at t = 1/α only",
        (1 - alpha) / 2 * below - extra,
        (1 - alpha) / 2 * (alpha * t - 1) ** 2,
        name="square",
    )
    return proof.qed()


def general_theorem() -> Theorem:
    """For every s the excess sits in the cross term, and the supremum over the weights is explicit."""
    a, d = l * (s + l), u * (s + u)
    root = sp.Symbol("r", positive=True)  # r² = d/a
    proof = Proof(
        "a_min on two points, every s",
        "every s ≥ 0 and 1 ≤ l < u; attained at x_l/x_u = √(d/a)",
        r"\sup = 1 + \frac{(s+l)(u-l)(s+l+u)}{2(s+u)\,(a + \sqrt{a d})},\quad a = l(s+l),\ d = u(s+u)",
    )
    proof.identity(
        "the two forms differ in the cross term only",
        value_of("a-min") - value_of("h-sf"),
        (s + l) * (u - l) * (s + l + u) / (s + u) * x * y,
    )
    proof.identity("H-SF's form", value_of("h-sf"), a * x**2 + 2 * a * x * y + d * y**2)
    proof.identity(
        "with r² = d/a: denominator − 2(a + a r) x y = a (x − r y)² ≥ 0",
        a * x**2 + 2 * a * x * y + a * root**2 * y**2 - 2 * (a + a * root) * x * y,
        a * (x - root * y) ** 2,
    )
    return proof.qed()


EVERY_S = 1 + (1 + alpha) * (1 / sp.sqrt(alpha) - 1) / 2


def every_s_theorem() -> Theorem:
    """For every s the supremum is at most 1 + ½(1+α)(√(1/α) − 1)."""
    r = sp.Symbol("r", positive=True)  # u = r² l
    lengths = ((s, 0), l >= 1, u >= l)
    proof = Proof(
        "a_min on two points, one bound for every s",
        "every s ≥ 0 and 1 ≤ l < u; from the exact supremum 1 + (u−l)(s+l+u)/(2(s+u)(l + √(l u (s+u)/(s+l))))",
        r"\sup \le 1 + \tfrac12(1+\alpha)\Bigl(\sqrt{1/\alpha} - 1\Bigr)",
    )
    proof.cite(general_theorem())
    proof.nonnegative(
        "(s+l+u)/(s+u) ≤ (u+l)/u, as (u+l)(s+u) − u(s+l+u) = l s ≥ 0", (u + l) * (s + u) - u * (s + l + u), *lengths
    )
    proof.nonnegative("√(l u (s+u)/(s+l)) ≥ √(l u), as s+u ≥ s+l", (s + u) - (s + l), *lengths)
    proof.identity("with u = r² l: (u−l)/(l + √(l u)) = r − 1, r = √(1/α)", (r**2 * l - l) / (l + r * l), r - 1)
    return proof.therefore(r"\sup - 1 \le \tfrac12 \cdot \tfrac{u+l}{u} \cdot (r - 1)").qed()


def a_ell_theorem() -> Theorem:
    """At s = 0: 1 + α²(t+2)/(α²t² + 2α²t + 1), largest at t = max(0, 1/α − 2)."""
    below = at_zero("h-sf")
    extra = sp.cancel(at_zero("a-ell") - below)
    r = sp.Symbol("r", positive=True)
    above_half = sp.Rational(1, 2) + r
    proof = Proof(
        "a_ell on two points",
        "s = 0, every 0 < α < 1; attained at t = 1/α − 2 for α ≤ ½ and at t = 0 above",
        r"\sup_t = 1 + \frac{\alpha}{2(1-\alpha)}\ (\alpha \le \tfrac12),\qquad 1 + 2\alpha^2\ (\alpha \ge \tfrac12)",
    )
    proof.identity("A_ℓ's form minus H-SF's", extra, alpha**2 * (t + 2), name="excess")
    proof.identity(
        "for α ≤ ½: α/(2(1−α)) · denominator − excess = α/(2(1−α)) (α t − (1 − 2α))² ≥ 0",
        alpha / (2 * (1 - alpha)) * below - extra,
        alpha / (2 * (1 - alpha)) * (alpha * t - (1 - 2 * alpha)) ** 2,
        Bound(alpha, 0, high=1),
        name="low",
    )
    proof.identity(
        "for α = ½ + r: 2α² · denominator − excess = α² t (2α² t + 4α² − 1) and 4α² − 1 = 4r + 4r² ≥ 0",
        (2 * alpha**2 * below - extra).subs(alpha, above_half),
        above_half**2 * t * (2 * above_half**2 * t + 4 * r + 4 * r**2),
    )
    return proof.qed()


def a_ell_every_s_theorem() -> Theorem:
    """For every s the ratio is the one at s = 0 with β = √(l(s+l)/(u(s+u))) in the place of α."""
    beta = sp.Symbol("beta", positive=True)
    first, second = l * (s + l), u * (s + u)
    put = {l: beta * u, s: 0, x: t * y}
    proof = Proof(
        "a_ell on two points, every s",
        "every s ≥ 0 and 1 ≤ l < u, so that 0 < β < 1; attained at t = 1/β − 2 for β ≤ ½ and at t = 0 above",
        r"\sup_t = 1 + \frac{\beta}{2(1-\beta)}\ (\beta \le \tfrac12),\qquad 1 + 2\beta^2\ (\beta \ge \tfrac12),"
        r"\qquad \beta = \sqrt{\tfrac{l(s+l)}{u(s+u)}}",
    )
    proof.cite(a_ell_theorem())
    for policy, called in (("a-ell", "A_ℓ"), ("h-sf", "H-SF")):
        at_beta = sp.cancel(value_of(policy).subs(put) / (u**2 * y**2)).subs(t, x / y)
        proof.identity(
            f"{called}'s form is u(s+u) y² times the one at s = 0 and α = β",
            value_of(policy),
            sp.expand(second * y**2 * at_beta).subs(beta**2, first / second),
        )
    return proof.therefore(r"\sup_t \text{ as at } s = 0 \text{ with } \beta \text{ for } \alpha").qed()


A_ELL_EVERY_S_LOW = A_ELL_LOW.subs(alpha, sp.sqrt(alpha))
A_ELL_EVERY_S_HIGH = 1 + 2 * alpha


def a_ell_one_bound_theorem() -> Theorem:
    """For every s the supremum is at most the one at s = 0 with √α in the place of α, as β ≤ √α."""
    beta, gamma = sp.symbols("beta gamma", positive=True)
    proof = Proof(
        "a_ell on two points, one bound for every s",
        "every s ≥ 0 and 1 ≤ l < u, with γ = √α, so that 0 < β ≤ γ < 1; approached as s → ∞",
        r"\sup_t \le 1 + \frac{\gamma}{2(1-\gamma)}\ (\alpha \le \tfrac14),\qquad 1 + 2\alpha\ (\alpha \ge \tfrac14)",
    )
    proof.cite(a_ell_every_s_theorem())
    proof.nonnegative("β² = l(s+l)/(u(s+u)) ≤ l/u = γ², as s+u ≥ s+l", (s + u) - (s + l), (s, 0), l >= 1, u >= l)
    low, high = ((lambda x, own=own: own.subs(alpha, x)) for own in (A_ELL_LOW, A_ELL_HIGH))
    proof.identity(
        "the piece up to ½ increases",
        low(gamma) - low(beta),
        (gamma - beta) / (2 * (1 - gamma) * (1 - beta)),
        Bound(beta, 0, strict=True, high=1),
        Bound(gamma, beta, high=1),
    )
    proof.identity("and so does the other", high(gamma) - high(beta), 2 * (gamma - beta) * (gamma + beta))
    proof.identity("they meet at ½", low(sp.Rational(1, 2)), high(sp.Rational(1, 2)))
    return proof.therefore(r"\sup_t \le \text{the same with } \gamma \text{ for } \beta").qed()


def switch_every_s_theorem() -> Theorem:
    """For every s A_ℓ's supremum is below A_min's exactly where √y > 1 + 1/√z, y = u/l, z = (s+u)/(s+l)."""
    q, w = sp.symbols("q w", positive=True)  # q² = y, w² = z
    first, more = l * (s + l), sp.Symbol("m", positive=True)
    y_, z_ = u / l, (s + u) / (s + l)
    a_ell, a_min = 1 / (2 * (q * w - 1)), (q * w - 1) / (2 * w**2)
    proof = Proof(
        "the switch on two points, every s",
        "every s ≥ 0 and 1 ≤ l < u, of the forms; y = u/l, z = (s+u)/(s+l)",
        r"\sup \mathcal A_\ell < \sup \mathcal A_{\min} \iff \sqrt y > 1 + \sqrt{\tfrac{s+l}{s+u}}",
    )
    proof.cite(general_theorem(), a_ell_every_s_theorem())
    proof.identity(
        "A_min's supremum − 1 is (√(yz) − 1)/(2z): with y z = r² in (u−l)(s+l+u)/(2(s+u) l (1+r)), up to the factor r² − 1",
        (s + l) * (u - l) * (s + l + u) / (2 * (s + u) * first),
        (y_ * z_ - 1) / (2 * z_),
    )
    proof.identity("β = 1/√(yz)", first / (u * (s + u)), 1 / (y_ * z_))
    proof.identity(
        "for β ≤ ½ A_ℓ's is 1/(2(√(yz) − 1)), the smaller one where √z < √(yz) − 1",
        a_min - a_ell,
        ((q * w - 1) ** 2 - w**2) / (2 * w**2 * (q * w - 1)),
        q > 1,
        w > 1,
    )
    proof.nonnegative(
        "for β > ½ A_ℓ's 2/(yz) is not the smaller one: 2/v² ≥ (v−1)/(2z) for 1 ≤ v = √(yz) < 2 and √z = 1 + m, m ≥ 0",
        (2 / v**2 - (v - 1) / (2 * w**2)).subs(w, 1 + more).subs(v, 2 - 1 / (1 + t)),
        (more, 0),
        (t, 0),
    )
    return proof.therefore(
        r"\sqrt z < \sqrt{yz} - 1 \iff \sqrt y > 1 + 1/\sqrt z",
        "for β > ½ neither holds: √(yz) < 2 ≤ 1 + √z",
    ).qed()


def suprema(s: int, l: int, u: int) -> tuple[float, float]:
    """Return the suprema of A_min's and A_ℓ's form over H-SF's on {l, u}: those of the theorems for every s, in floats."""
    z = (s + u) / (s + l)
    root = sqrt(z * u / l)
    return 1 + (root - 1) / (2 * z), 1 + (1 / (2 * (root - 1)) if root >= 2 else 2 / root**2)


def a_max_theorem() -> Theorem:
    """A_max's ratio at x_u = 0 is (s+u)/(s+l)."""
    proof = Proof(
        "a_max on two points",
        "every s ≥ 0 and u > l ≥ 1, of the forms",
        r"\frac{(s+u)(x_l+x_u)(l x_l+u x_u)}{\dots} = \frac{s+u}{s+l}\ \text{at}\ x_u = 0",
    )
    proof.identity(
        "all requests short: the ratio at x_u = 0; by continuity it is approached with x_u > 0",
        (value_of("a-max") / value_of("h-sf")).subs(y, 0),
        (s + u) / (s + l),
    )
    return proof.qed()


def a_max_unbounded() -> Theorem:
    """For every K there is a u at which A_max's ratio is at least K: u = K(s+l)."""
    proof = Proof(
        "a_max unbounded on two points",
        "every s ≥ 0, l ≥ 1 and integer K ≥ 2, at u = K(s+l) > l, of the forms",
        r"\frac{(s+u)(x_l+x_u)(l x_l+u x_u)}{\dots} \ge K\ \text{at}\ x_u = 0",
    )
    at_zero = (value_of("a-max") / value_of("h-sf")).subs(y, 0).subs(u, K * (s + l))
    return proof.nonnegative("the ratio at x_u = 0 less K", at_zero - K, (s, 0), (l, 1), (K, 2)).qed()

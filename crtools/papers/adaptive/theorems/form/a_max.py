"""A_max's form against H-SF's and A_random's: its exact supremum, how that grows, and the fraction in the paper's proof.

With the tails T and w_k of ``a_random``: A_max's form is (s+u)(l + Σ T_k).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from crtools.papers.adaptive.forms import a_max, a_random
from crtools.papers.adaptive.theorems.form import log_bound, squares
from crtools.papers.adaptive.theorems.form.a_random import tails
from crtools.proof.steps import Identity, Inference, Positive
from crtools.proof.symbols import i, j, k, l, r, s, u
from crtools.proof.theorem import Theorem

c = sp.Symbol("c", positive=True)


@cache
def max_theorem() -> Theorem:
    """sup of A_max's form: the larger root K of K a − (s+u) l − (s+u)² S/(4K) = 0, S = Σ 1/w_k."""
    return Theorem(
        "A_max's supremum",
        r"\sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} = "
        r"\tfrac12\,\tfrac{s+u}{s+l}\Bigl(1 + \sqrt{1 + \tfrac{s+l}{l} S}\Bigr),\ S = \sum_{k=l+1}^{u}\tfrac1{s+2k-1}",
        "every s ≥ 0, 1 ≤ l ≤ u; attained at T_k = (s+u)/(2 K w_k), which decrease and are ≤ (s+l)/(2 w_k) < 1",
        (
            *tails()[:2],
            squares.weighted("w", c),
            Identity(
                name="constant",
                text="with r² = 1 + (s+l) S/l and K = c (1+r)/(2(s+l)): K a − c l − c² S/(4K) = 0",
                lhs=(c * (1 + r) / (2 * (s + l))) * l * (s + l)
                - c * l
                - c**2 * ((r**2 - 1) * l / (s + l)) / (4 * (c * (1 + r) / (2 * (s + l)))),
                rhs=sp.S.Zero,
            ),
            Positive(
                name="a term of S",
                text="(s+l)/(l w_k) ≤ 1/l for k > l: w_k − (s+l) = 2k − 1 − l ≥ 0; so 1 + (s+l)S/l ≤ u/l",
                expr=2 * k - 1 - l,
                where=((l, 1), (k, l + 1)),
                strict=True,
            ),
            Positive(
                name="the factor",
                text="(s+u)/(s+l) ≤ u/l: u(s+l) − l(s+u) = s(u − l) ≥ 0",
                expr=u * (s + l) - l * (s + u),
                where=((s, 0), (l, 1), (u, l)),
                strict=False,
            ),
            Inference(
                name="supremum",
                conclusion=r"K\,\text{H-SF} - \mathcal A_{\max} = \sum K w_k \bigl(T_k - \tfrac{s+u}{2 K w_k}\bigr)^2 \ge 0",
                follows_from=("square", "constant"),
            ),
            Inference(
                name="below the paper's lower bound",
                conclusion=r"K < \tfrac{u}{l}\cdot\tfrac12(1 + \sqrt{u/l}) \text{ for } l < u",
                follows_from=("a term of S", "the factor", "supremum"),
            ),
        ),
    )


@cache
def max_rate_theorem() -> Theorem:
    """At s = 0 A_max's supremum lies between 1/α and ½ α⁻¹ (1 + √(1 + ½ ln(1/α)))."""
    return Theorem(
        "A_max's supremum at s = 0",
        r"\tfrac1\alpha \le \sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} \le "
        r"\tfrac1{2\alpha}\Bigl(1 + \sqrt{1 + \tfrac12\ln(1/\alpha)}\Bigr)",
        "s = 0, all integers 1 ≤ l ≤ u, of the form; with equality on both sides at l = u",
        (
            *max_theorem().steps,
            *log_bound.logarithm_above(),
            Inference(
                name="rate",
                text="K = ½ α⁻¹ (1 + √(1 + S)) at s = 0 with 0 ≤ S = E − 1",
                conclusion=r"\tfrac1\alpha \le K \le \tfrac1{2\alpha}\Bigl(1 + \sqrt{1 + \tfrac12\ln(1/\alpha)}\Bigr)",
                follows_from=("supremum", "E"),
            ),
        ),
    )


@cache
def fraction_theorem() -> Theorem:
    """The fraction in the proof of the lower bound at a/b = √α, with α = r² (so l = r² u and a = r b)."""
    a, b = r * c, c
    low = r**2 * u
    shown = (u / low) * (a * u + b * low) * (a + b) / (u * a**2 + low * 2 * a * b + u * b**2)
    return Theorem(
        "the fraction at a/b = √α",
        r"\frac{u}{\ell}\,\frac{(au+b\ell)(a+b)}{ua^2+2\ell ab+ub^2} = "
        r"\frac{(1+\sqrt\alpha)^2}{\sqrt\alpha\,(1+\alpha+2\alpha\sqrt\alpha)}",
        "every 0 < l < u with a/b = √(l/u)",
        (
            Identity(
                name="fraction",
                text="with α = r²",
                lhs=shown,
                rhs=(1 + r) ** 2 / (r * (1 + r**2 + 2 * r**3)),
            ),
        ),
    )


def below_a_random(share: Any = l / u, factor: Any = 1) -> Theorem:
    """A_max's form over M is at most ``factor`` times A_random's over ``share`` · M, entry by entry."""
    at_m, at_less = a_max.bind(l, u).formula(i, j, s), a_random.entry(i, j, s) / share
    times = "" if factor == 1 else sp.latex(sp.sympify(factor))
    return Theorem(
        "A_max's form and A_random's",
        rf"\tfrac1M\,\mathcal A_{{\max}} \le {times}\tfrac1{{\alpha M}}\,\mathcal A_{{\mathrm{{random}}}} \text{{ for all }} x \ge 0",
        "every s ≥ 0 and l ≤ u, all weights on [l, u], α = l/u; of the forms",
        (
            Positive(
                name="entries",
                text="α⁻¹ (i(s+i) + j(s+j))/2 − (s+u)(i+j)/2 for l ≤ i ≤ j ≤ u: term by term u(s+i) − l(s+u) = s(u−l) + u(i−l) ≥ 0",
                expr=factor * at_less - at_m,
                where=((s, 0), (l, 1), (i, l), (j, i), (u, j)),
                strict=False,
            ),
            Inference(
                name="forms",
                conclusion=rf"\tfrac1M\,\mathcal A_{{\max}} \le {times}\tfrac1{{\alpha M}}\,\mathcal A_{{\mathrm{{random}}}}",
                follows_from=("entries",),
            ),
        ),
    )


def instance_limit() -> Theorem:
    """As a, b → ∞ at l = 1 the ratio of the totals tends to the proof's fraction: their leading terms."""
    a, b = sp.symbols("a b", positive=True)
    latency, best = (a * u + b) * (a * u + b * u) / 2, (u * a**2 + 2 * a * b + u * b**2) / 2
    shown = u * (a * u + b) * (a + b) / (u * a**2 + 2 * a * b + u * b**2)
    steps = (Identity(name="leading terms", text="½(au+b)(au+bu) over ½(ua²+2ab+ub²)", lhs=latency / best, rhs=shown),)
    return Theorem(
        "the instance of Theorem Amaxlower",
        r"\mathrm{CR} \to \tfrac{u(au+b)(a+b)}{ua^2+2ab+ub^2}",
        "s = 0, l = 1",
        steps,
    )

"""A_max's form against H-SF's and A_random's: its exact supremum, how that grows, and the fraction in the paper's proof.

With the tails T and w_k of ``a_random``: A_max's form is (s+u)(l + Σ T_k).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from crtools.papers.adaptive.forms import a_max, a_random
from crtools.papers.adaptive.theorems.form import squares
from crtools.papers.adaptive.theorems.form.a_random import h_sf_in_tails
from crtools.papers.adaptive.theorems.form.log_bound import logarithm_above
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, r, s, u
from crtools.proof.theorem import Theorem

c = sp.Symbol("c", positive=True)


@cache
def max_theorem() -> Theorem:
    """sup of A_max's form: the larger root K of K a − (s+u) l − (s+u)² S/(4K) = 0, S = Σ 1/w_k."""
    proof = Proof(
        "A_max's supremum",
        "every s ≥ 0, 1 ≤ l ≤ u; attained at T_k = (s+u)/(2 K w_k), which decrease and are ≤ (s+l)/(2 w_k) < 1",
        r"\sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} = "
        r"\tfrac12\,\tfrac{s+u}{s+l}\Bigl(1 + \sqrt{1 + \tfrac{s+l}{l} S}\Bigr),\ S = \sum_{k=l+1}^{u}\tfrac1{s+2k-1}",
    )
    shown = "a = l(s+l), r² = 1 + (s+l) S/l and K = c (1+r)/(2(s+l))"
    proof.cite(h_sf_in_tails()).add(*squares.weighted("w", c, l * (s + l), shown))
    proof.therefore(
        r"K\,\text{H-SF} - \mathcal A_{\max} = \sum K w_k \bigl(T_k - \tfrac{s+u}{2 K w_k}\bigr)^2 \ge 0",
        "with T_l = 1 the left side is K a − c l + Σ_{k>l} (K w_k T_k² − c T_k), c = s + u; what the squares leave of it is K a − c l − "
        "c² S/(4K) = 0",
    )
    proof.positive(
        "(s+l)/(l w_k) ≤ 1/l for k > l: w_k − (s+l) = 2k − 1 − l ≥ 0; so 1 + (s+l)S/l ≤ u/l",
        2 * k - 1 - l,
        *(l >= 1, k >= l + 1),
    )
    proof.nonnegative(
        "(s+u)/(s+l) ≤ u/l: u(s+l) − l(s+u) = s(u − l) ≥ 0",
        u * (s + l) - l * (s + u),
        *(s >= 0, l >= 1, u >= l),
    )
    proof.therefore(
        r"K < \tfrac{u}{l}\cdot\tfrac12(1 + \sqrt{u/l}) \text{ for } l < u", "this is below the paper's lower bound"
    )
    return proof.qed()


@cache
def max_rate_theorem() -> Theorem:
    """At s = 0 A_max's supremum lies between 1/α and ½ α⁻¹ (1 + √(1 + ½ ln(1/α)))."""
    proof = Proof(
        "A_max's supremum at s = 0",
        "s = 0, all integers 1 ≤ l ≤ u, of the form; with equality on both sides at l = u",
        r"\tfrac1\alpha \le \sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} \le "
        r"\tfrac1{2\alpha}\Bigl(1 + \sqrt{1 + \tfrac12\ln(1/\alpha)}\Bigr)",
    )
    proof.cite(max_theorem(), logarithm_above())
    proof.therefore(
        r"\tfrac1\alpha \le K \le \tfrac1{2\alpha}\Bigl(1 + \sqrt{1 + \tfrac12\ln(1/\alpha)}\Bigr)",
        "K = ½ α⁻¹ (1 + √(1 + S)) at s = 0 with 0 ≤ S = E − 1",
    )
    return proof.qed()


@cache
def fraction_theorem() -> Theorem:
    """The fraction in the proof of the lower bound at a/b = √α, with α = r² (so l = r² u and a = r b)."""
    a, b = r * c, c
    low = r**2 * u
    shown = (u / low) * (a * u + b * low) * (a + b) / (u * a**2 + low * 2 * a * b + u * b**2)
    proof = Proof(
        "the fraction at a/b = √α",
        "every 0 < l < u with a/b = √(l/u)",
        r"\frac{u}{\ell}\,\frac{(au+b\ell)(a+b)}{ua^2+2\ell ab+ub^2} = "
        r"\frac{(1+\sqrt\alpha)^2}{\sqrt\alpha\,(1+\alpha+2\alpha\sqrt\alpha)}",
    )
    return proof.identity("with α = r²", shown, (1 + r) ** 2 / (r * (1 + r**2 + 2 * r**3))).qed()


def below_a_random(share: Any = l / u, factor: Any = 1) -> Theorem:
    """A_max's form over M is at most ``factor`` times A_random's over ``share`` · M, entry by entry."""
    at_m, at_less = a_max.bind(l, u).formula(i, j, s), a_random.entry(i, j, s) / share
    times = "" if factor == 1 else sp.latex(sp.sympify(factor))
    compared = rf"\tfrac1M\,\mathcal A_{{\max}} \le {times}\tfrac1{{\alpha M}}\,\mathcal A_{{\mathrm{{random}}}}"
    proof = Proof(
        f"A_max's form and {factor} times A_random's" if times else "A_max's form and A_random's",
        "every s ≥ 0 and l ≤ u, all weights on [l, u], α = l/u; of the forms",
        rf"{compared} \text{{ for all }} x \ge 0",
    )
    proof.nonnegative(
        "α⁻¹ (i(s+i) + j(s+j))/2 − (s+u)(i+j)/2 for l ≤ i ≤ j ≤ u: term by term u(s+i) − l(s+u) = s(u−l) + u(i−l) ≥ 0",
        factor * at_less - at_m,
        *(s >= 0, l >= 1, i >= l, j >= i, u >= j),
    )
    return proof.therefore(compared).qed()


def instance_limit() -> Theorem:
    """As a, b → ∞ at l = 1 the ratio of the totals tends to the proof's fraction: their leading terms."""
    a, b = sp.symbols("a b", positive=True)
    latency, best = (a * u + b) * (a * u + b * u) / 2, (u * a**2 + 2 * a * b + u * b**2) / 2
    shown = u * (a * u + b) * (a + b) / (u * a**2 + 2 * a * b + u * b**2)
    proof = Proof(
        "the instance of Theorem Amaxlower", "s = 0, l = 1", r"\mathrm{CR} \to \tfrac{u(au+b)(a+b)}{ua^2+2ab+ub^2}"
    )
    return proof.identity("leading terms: ½(au+b)(au+bu) over ½(ua²+2ab+ub²)", latency / best, shown).qed()

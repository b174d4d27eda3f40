"""The worst case of A_min's form over H-SF's, for every s, between two bounds less than ¼ apart.

B is H-SF's matrix, G the one with entries (s+i) j for i ≤ j, and κ ≥ 1 the supremum of xᵀGx / xᵀBx over x ≥ 0. With
H_ij = i (s+i)²/(s+j) for i ≤ j, A_min's matrix is A = B + ½G − ½H, and H lies between c B, c = (s+2u)/(s+4u), and B. So the
worst case is between ½(1 + κ) and ½(1 + κ) + u/(s+4u).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.form.a_random import h_sf_in_tails
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.symbols import i, j, k, l, s, u, v
from crtools.proof.theorem import Theorem

kappa = sp.Symbol("kappa", positive=True)
READING = "for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms"
EQUATION = r"\sum_{k=l+1}^{u} \frac{1}{\kappa(s+2k-1)+s} = \frac{\kappa-1}{\kappa-1+(s+l)/l}"
WORST = r"\sup_{x\ge0} \frac{x^\top A x}{x^\top B x}"

SHARE = (s + 2 * u) / (s + 4 * u)
"""c: xᵀHx ≥ c xᵀBx for all weights on lengths up to u."""


def _product(x: Any, y: Any) -> Any:
    """G's entry for x ≤ y."""
    return (s + x) * y


def _rest(x: Any, y: Any) -> Any:
    """H's entry for x ≤ y."""
    return x * (s + x) ** 2 / (s + y)


@cache
def product() -> Theorem:
    """The supremum κ of G over H-SF's form."""
    t, total, g, c = sp.symbols("T Sigma g c", positive=True)
    weight = kappa * (s + 2 * k - 1) + s
    before = l * (kappa - 1) + s + l
    base = (s >= 0, l >= 1)
    proof = Proof(
        "the product form",
        f"{READING}; κ = 1 for u = l",
        rf"\sup_{{x\ge0}} \frac{{x^\top G x}}{{x^\top B x}} = \kappa \ge 1,\quad {EQUATION}",
    )
    proof.cite(h_sf_in_tails())
    second = _product(i, j) - _product(i - 1, j) - _product(i, j - 1) + _product(i - 1, j - 1)
    own = _product(k, k) - 2 * _product(k - 1, k) + _product(k - 1, k - 1)
    proof.identity("G in the tails: at l, l", _product(l, l), l * (s + l))
    proof.identity("at l, k", _product(l, k) - _product(l, k - 1), s + l)
    proof.identity("at i < j, both above l", second, 1)
    proof.identity("at k, k, above l", own, 1 - s)
    proof.therefore(
        r"\kappa B - G = (\kappa-1)\,l(s+l)\,T_l^2 - 2(s+l)\,T_l \Sigma + \sum_{k>l} g_k T_k^2 - \Sigma^2,\quad "
        r"\Sigma = \sum_{k>l} T_k,\ g_k = \kappa(s+2k-1)+s",
        "G is l(s+l) T_l² + 2(s+l) T_l Σ + Σ² − s Σ_{k>l} T_k²: its entries above l are 1, which give Σ², and s less on the diagonal. "
        "H-SF's form has l(s+l) and the s+2k−1 on the diagonal, and nothing beside it",
    )
    proof.identity("a square", g * t**2 - 2 * c * t + c**2 / g, g * (t - c / g) ** 2)
    proof.therefore(
        r"\sum_{k>l} g_k T_k^2 \ge \Sigma^2/R,\quad R = \sum_{k>l} 1/g_k",
        "the sum of these squares with c = Σ/R",
    )
    proof.identity(
        "with Σ²/R in the place of Σ g_k T_k², and R = (κ−1)/(κ−1+(s+l)/l), κB − G is a square",
        (kappa - 1) * l * (s + l) * t**2
        - 2 * (s + l) * t * total
        + ((kappa - 1 + (s + l) / l) / (kappa - 1) - 1) * total**2,
        (s + l) / (l * (kappa - 1)) * (total - l * (kappa - 1) * t) ** 2,
        *base,
        Bound(kappa, 1, strict=True),
    )
    proof.therefore(
        r"\kappa B - G \ge 0,\quad = 0 \text{ at } \Sigma = l(\kappa-1)T_l,\ T_k = \Sigma/(R g_k)",
        "Σ g_k T_k² is at least Σ²/R, and equal to it where each T_k is Σ/(R g_k); then the square is left, which vanishes at this Σ",
    )
    there = "there T_k = (l(κ−1) + s + l) T_l / g_k"
    largest = l * (kappa - 1) / ((kappa - 1) * l / before)
    proof.identity(there, largest, before, *base, Bound(kappa, 1, strict=True))
    proof.positive("T_{l+1} < T_l", weight.subs(k, l + 1) - before, *base, (kappa, 1))
    proof.positive("T_{k+1} < T_k", weight.subs(k, k + 1) - weight, *base, k >= l + 1, (kappa, 1))
    proof.positive("the right side of the equation grows with κ", (s + l) / l, *base)
    proof.therefore(
        r"\text{for } l < u \text{ the equation has one solution } \kappa > 1 \text{, and the weights there are positive}",
        "its left side falls from a positive number to 0, its right side grows from 0 to 1",
    )
    return proof.qed()


@cache
def remainder() -> Theorem:
    """H − c B is positive semidefinite on lengths up to u, c = (s+2u)/(s+4u)."""
    y, p = (s + 2 * u) / u, s + v
    squared, mixed, plain = (y + 1) * p**2 * (p + 3 * v), y * p * (p + 2 * v), (y - SHARE) * (p + v)
    proof = Proof(
        "the remainder", READING, r"x^\top H x \ge \tfrac{s+2u}{s+4u}\,x^\top B x \text{ for all } x \text{ on } [l, u]"
    )
    proof.integral(
        "H − c B as an integral over v ≤ i of a form in (1/(s+i), −1) and (1/(s+j), −1), i ≤ j",
        squared / ((s + i) * (s + j)) - mixed * (1 / (s + i) + 1 / (s + j)) + plain,
        (v, 0, i),
        _rest(i, j) - SHARE * i * (s + i),
        name="Gram",
    )
    determinant = (s + 2 * u) * (s + v) ** 2 / (u**2 * (s + 4 * u))
    proof.identity(
        "its determinant",
        squared * plain - mixed**2,
        determinant * ((u * (s + 3 * v)) ** 2 - (v * (s + 3 * u)) ** 2),
        name="determinant",
    )
    where = ((s, 0), (v, 0), (u, 1 + v))
    proof.nonnegative("u(s+3v) ≥ v(s+3u) for v ≤ u", u * (s + 3 * v) - v * (s + 3 * u), *where)
    proof.nonnegative("the first diagonal entry", squared, (s, 0), (u, 1), (v, 0), name="diagonal")
    proof.nonnegative("the second", plain, (s, 0), (u, 1), (v, 0), name="second diagonal")
    return proof.therefore(
        r"x^\top H x - c\,x^\top B x = \int_0^u (\dots) \, dv \ge 0",
        "at each v a semidefinite form of Σ_{i≥v} x_i/(s+i) and Σ_{i≥v} x_i",
    ).qed()


@cache
def two_sided() -> Theorem:
    """½(1+κ) ≤ worst case ≤ min(κ, ½(1+κ) + u/(s+4u))."""
    a, b, g = form("a-min").formula(i, j, s), form("h-sf").formula(i, j, s), _product(i, j)
    where = (s >= 0, i >= 1, j >= i)
    proof = Proof(
        "A_min's worst case for every s",
        READING,
        rf"\frac{{1+\kappa}}2 \le {WORST} \le \min\Bigl(\kappa,\ \frac{{1+\kappa}}2 + \frac{{u}}{{s+4u}}\Bigr),\quad {EQUATION}",
    )
    proof.cite(product(), remainder())
    proof.identity("A = B + ½G − ½H, i ≤ j", a, b + g / 2 - _rest(i, j) / 2, name="split")
    proof.nonnegative("A ≥ ½(B + G) entry by entry", 2 * a - b - g, *where, name="below")
    proof.nonnegative("A ≤ G entry by entry", g - a, *where, name="above")
    proof.therefore(rf"\tfrac12(1+\kappa) \le {WORST} \le \kappa", "from below at the weights that attain κ")
    proof.identity("1 − ½c", 1 - SHARE / 2, sp.Rational(1, 2) + u / (s + 4 * u))
    return proof.therefore(rf"{WORST} \le 1 + \tfrac12\kappa - \tfrac12 c").qed()


@cache
def explicit() -> Theorem:
    """The upper bound without κ: 5/4 + ¼S + ¼√((1−S)² + 4S(s+l)/l), less where s > 0."""
    total = sp.Symbol("S", positive=True)
    q = sp.Symbol("q", positive=True)  # (s+l)/l
    proof = Proof(
        "A_min's worst case for every s, without κ",
        READING,
        rf"{WORST} \le 1 + \tfrac12\kappa - \tfrac12 c,\ \kappa \le \tfrac12\Bigl(1 + S + \sqrt{{(1-S)^2 + 4S(s+l)/l}}\Bigr),\ "
        r"S = \sum_{k=l+1}^{u} \tfrac{1}{s+2k-1},\ \tfrac12 \le c = \tfrac{s+2u}{s+4u}",
    )
    proof.cite(two_sided())
    weight = s + 2 * k - 1
    proof.nonnegative(
        "1/(κ w + s) ≤ 1/(κ w), w = s+2k−1, so that S/κ ≥ (κ−1)/(κ−1+q), q = (s+l)/l",
        1 / (kappa * weight) - 1 / (kappa * weight + s),
        *(s >= 0, k >= 1),
        (kappa, 1),
    )
    proof.identity(
        "κ² − (1+S)κ − S(q−1) ≤ 0",
        total * (kappa - 1 + q) - kappa * (kappa - 1),
        -(kappa**2 - (1 + total) * kappa - total * (q - 1)),
    )
    proof.identity("its discriminant", (1 + total) ** 2 + 4 * total * (q - 1), (1 - total) ** 2 + 4 * total * q)
    proof.nonnegative("c ≥ ½", SHARE - sp.Rational(1, 2), s >= 0, u >= 1)
    return proof.qed()


@cache
def long_prompts() -> Theorem:
    """As s → ∞ the worst case tends to ½(1 + √y), y = u/l."""
    proof = Proof(
        "A_min's worst case for long prompts",
        "for all integers u ≥ l ≥ 1 as s → ∞, y = u/l, of the forms",
        rf"\lim_{{s\to\infty}} {WORST} = \tfrac12\bigl(1+\sqrt y\bigr)",
    )
    proof.cite(two_sided())
    where = (s >= 1, k >= 1, u >= k, (kappa, 1))
    term = 1 / (kappa * (s + 2 * k - 1) + s)
    proof.nonnegative("each term is at most 1/((κ+1)s)", 1 / ((kappa + 1) * s) - term, *where)
    proof.nonnegative("and at least 1/((κ+1)(s+2u))", term - 1 / ((kappa + 1) * (s + 2 * u)), *where)
    proof.identity(
        "so with κ² − 1 = (y−1)·f, f = (s + lκ)/s or (s + lκ)/(s+2u), the equation would hold",
        (u - l) / ((kappa + 1) * s) / ((kappa - 1) / (kappa - 1 + (s + l) / l)),
        (u / l - 1) * (s + l * kappa) / s / (kappa**2 - 1),
        s >= 1,
        l >= 1,
        u >= l,
        Bound(kappa, 1, strict=True),
    )
    return proof.therefore(
        r"(y-1)\tfrac{s+l\kappa}{s+2u} \le \kappa^2 - 1 \le (y-1)\tfrac{s+l\kappa}{s},\quad \kappa \to \sqrt y,\quad "
        r"\tfrac{u}{s+4u} \to 0"
    ).qed()

"""Positive definiteness of A_u and B_u at s = 0, and where it ends for s > 0 (Lemma "positive-definite")."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.papers.adaptive.forms.a_min import entry as a_min
from crtools.papers.adaptive.theorems.form.tails import generators, tails
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, m, s, u, v
from crtools.proof.theorem import Theorem

xi = sp.Symbol("xi", real=True)


def b_definite() -> Theorem:
    """B is positive definite for every s ≥ 0 and u ≥ l ≥ 1: B = UᵀWU with W > 0."""
    rule = generators("h-sf")
    proof = Proof("B positive definite", "for all integers s ≥ 0 and u ≥ l ≥ 1")
    proof.cite(tails("h-sf"))
    proof.positive("the first weight", rule.first(l, s).diagonal, s >= 0, l >= 1, name="W_l")
    proof.positive("the others", rule.inner(k, s).diagonal, s >= 0, l >= 1, k >= l + 1, name="W_k")
    return proof.therefore(r"B \succ 0", "xᵀBx = Σ_k W_k T_k² and x ↦ T is invertible").qed()


def a_definite() -> Theorem:
    """A_u is positive definite at s = 0 for every u: a Gram matrix plus a rank-one square."""
    g = 2 * (i / j) - (i / j) ** 2
    proof = Proof("A positive definite", "for every integer u ≥ 1 at s = 0, l = 1 (hence every l)", r"A_u \succ 0")
    proof.identity(
        "a_ij = ½ ij (1 + g_ij) with g = 2r − r², r = i/j, i ≤ j", a_min(i, j, 0), i * j * (1 + g) / 2, name="split"
    )
    proof.integral(
        "g_ij = ∫ f_i f_j with f_i(v) = √(12 v) (1 − v/i)/i on [0, i] and 0 beyond",
        12 * v * (1 - v / i) * (1 - v / j) / (i * j),
        (v, 0, i),
        g,
        name="Gram",
    )
    proof.positive(
        "at v = i − ½, inside (i−1, i) where every f_m with m < i vanishes, f_i is not 0",
        1 - (i - sp.Rational(1, 2)) / i,
        i >= 1,
        name="independent",
    )
    proof.therefore(
        r"A_u = \tfrac12 dd^\top + \tfrac12 D\,(g_{ij})\,D \succ 0",
        "the f_i are linearly independent, so (g_ij) is a positive definite Gram matrix; scaling by ij/2 keeps it so",
    )
    return proof.qed()


def normalised(g: Any, r: Any) -> Theorem:
    """(2/(ij)) a_ij − 1 at s = 0 is ``g`` at ``r`` = i/j, i ≤ j."""
    proof = Proof("normalised entries", "for all integers 1 ≤ i ≤ j, s = 0", rf"a'_{{ij}} = {sp.latex(g)}")
    return proof.identity("r = i/j, i ≤ j", 2 * a_min(i, j, 0) / (i * j) - 1, g.subs(r, i / j)).qed()


def fourier(g: Any, claimed: Any) -> Theorem:
    """The transform of g(d) = Σ c_m e^{−m|d|} (``g`` a polynomial in r = e^{−|d|}) is ``claimed`` and is positive.

    ∫ e^{−m|d|} e^{−iξd} dd = 2m/(m² + ξ²).
    """
    poly, square = sp.Poly(g, sp.Symbol("r", positive=True)), sp.Symbol("X")
    transform = sum((c * 2 * p / (p**2 + xi**2) for (p,), c in poly.terms()), sp.Integer(0))
    proof = Proof("Fourier transform", "for every real ξ", rf"\hat g(\xi) = {sp.latex(claimed)} > 0")
    proof.identity("g(d) → 0, so g is integrable", poly.eval(0), 0)
    proof.identity("term by term", transform, claimed)
    positive: Any = sp.sympify(claimed).subs(xi**2, square).subs(xi, sp.sqrt(square))
    return proof.positive("in X = ξ² ≥ 0", positive, (square, 0)).qed()


def hadamard(power: Any) -> Theorem:
    """min(i, j)^p is positive definite: it is UᵀWU with weights k^p − (k−1)^p, checked for an integer p ≥ 1."""
    proof = Proof("Hadamard power", f"for every u, p = {power}", r"(\min(i,j)^p) \succ 0")
    weight = sp.expand(k**power - (k - 1) ** power)
    proof.positive("k^p − (k−1)^p > 0 for k ≥ 1", weight, k >= 1, name="weights")
    proof.therefore(
        r"(\min(i,j))^{\circ p} \succ 0",
        "min(i,j)^p = Σ_{k ≤ min(i,j)} (k^p − (k−1)^p), so the matrix is UᵀWU; for p = 2 this is the Hadamard square",
    )
    return proof.qed()


def indefinite_from_three() -> Theorem:
    """For every integer s ≥ 3, A at l = 1 is not positive definite from u = 2 on: its 2 × 2 minor is negative."""
    shown = (s + 1) * (s + 3) * (s**2 - 5) / (4 * (s + 2) ** 2)
    proof = Proof("A indefinite, s ≥ 3", "for every integer s ≥ 3, l = 1")
    proof.identity("the minor of order 2", a_min(1, 1, s) * a_min(2, 2, s) - a_min(1, 2, s) ** 2, -shown)
    proof.positive("s² > 5", shown, s >= 3)
    return proof.therefore(r"\det A_2 < 0", "a positive definite matrix has positive leading minors").qed()


def indefinite_at_one() -> Theorem:
    """At s = 1, l = 1, A_u is not positive definite from u = 2³⁷ on: an explicit vector has a negative value.

    With rows scaled by 2/(i+1) and twice differenced (D_1 = e_1, D_2 = e_2 − 2e_1, D_m = e_m − 2e_{m−1} + e_{m−2})
    the matrix is t + wwᵀ with t tridiagonal and w = (4, 1, 2, 2, …). The vector z_2 = 1, z_3 = 0, z_m = 1/(6m) for
    4 ≤ m ≤ u, z_1 = −½ Σ_{m≥2} z_m, in those coordinates, has w·z = −1 and value 8 − H/3 − (1 + 4 Σ 1/m²)/36
    with H = Σ_{m=4}^{u} 1/m, and H > ln((u+1)/4).
    """

    def scaled(*pair: Any) -> Any:
        x, y = sorted(map(sp.sympify, pair), key=lambda at: at.subs({m: 4, k: 2}))  # m ≥ 4 and k ≥ 2 have one order
        return 2 * (x + 1) * (y + 1) * a_min(x, y, sp.S.One)

    def row(at: Any) -> Any:
        return {1: ((1, 1),), 2: ((2, 1), (1, -2))}.get(at, ((at, 1), (at - 1, -2), (at - 2, 1)))

    def differenced(x: Any, y: Any) -> Any:
        return sum(c * d * scaled(p, q) for p, c in row(x) for q, d in row(y))

    def total(term: Any, last: Any) -> Any:
        return sp.Sum(term, (m, 4, last))

    proof = Proof("A indefinite, s = 1", "for every integer u ≥ 2³⁷ at s = 1, l = 1", r"A_u \not\succ 0")
    for place, x, y, value in (
        ("(m,n), m ≥ 3, n ≥ m+2", m, m + k, 4),
        ("(m,m+1)", m, m + 1, 2 * m + 4),
        ("(m,m)", m, m, 8 * m),
        ("(1,1)", 1, 1, 16),
        ("(1,2)", 1, 2, 8),
        ("(2,2)", 2, 2, 12),
        ("(2,3)", 2, 3, 6),
        ("(1,m), m ≥ 3", 1, m, 8),
        ("(2,m), m ≥ 4", 2, m, 2),
    ):
        proof.identity(f"t + wwᵀ at {place}", differenced(x, y), value, *([m >= x + 2] if y == m != x else []))
    proof.induction(
        "Σ t_mm z_m² + 2 Σ t_{m,m+1} z_m z_{m+1}, times 36",
        total((8 * m - 4) / m**2, u) + total(4 / (m + 1), u - 1),
        12 * total(1 / m, u) - 1 - 4 * total(1 / m**2, u),
        u,
        start=4,
    )
    h, q = sp.symbols("H Q")
    z_1: Any = -(1 + h / 6) / 2
    proof.identity(
        "twice the quadratic form, H = Σ 1/m and Q = Σ 1/m² over 4 ≤ m ≤ u",
        (4 * z_1 + 1 + 2 * h / 6) ** 2 + 8 * z_1 + 11 + (12 * h - 1 - 4 * q) / 36,
        8 - h / 3 - (1 + 4 * q) / 36,
    )
    proof.positive(
        "ln 2 ≥ 2(1/3 + 1/81); H ≥ ln((u+1)/4) > 35 ln 2 > 24 at u = 2³⁷",
        35 * 2 * (sp.Rational(1, 3) + sp.Rational(1, 81)) - 24,
        u >= 2**37,
    )
    return proof.therefore(r"x^\top A_u x < 0", "8 − H/3 < 0 as soon as H ≥ 24").qed()

"""The worst case of A_min's form over H-SF's: bounds from above and below, for every l, at s = 0 and for s > 0.

Notation: E = 1 + Σ_{k=l+1}^{u} 1/(2k−1), which is ½ ln(1/α) + Θ(1).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms.h_sf import entry as h_sf
from crtools.papers.adaptive.forms.a_min import entry as a_min
from crtools.papers.adaptive.theorems.form.definiteness import a_definite, b_definite
from crtools.papers.adaptive.theorems.form.intervals import difference
from crtools.papers.adaptive.theorems.form.tails import generators, tails
from crtools.papers.adaptive.theorems.form.trace import general_trace
from crtools.papers.adaptive.theorems.form.two_lengths import value_of
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, m, s, u, v
from crtools.proof.theorem import Theorem

e = sp.Symbol("e")
t = sp.Symbol("t", positive=True)
AT_ZERO = "for all integers u ≥ l ≥ 1 at s = 0, of the forms"
RATIO = r"\frac{x^\top A x}{x^\top B x}"


def _w(k: Any, s: Any = 0) -> Any:
    return generators("h-sf").inner(k, s).diagonal


def cauchy() -> Theorem:
    """At s = 0 (Σ i x_i)² is at most E times H-SF's form."""
    proof = Proof("Cauchy–Schwarz in the tails", AT_ZERO)
    proof.identity("in the tails Σ i x_i = l T_l + Σ_{k>l} T_k; the term of l", l**2 / h_sf(l, l, 0), 1, name="weights")
    proof.identity("the others", 1 / _w(k), 1 / (2 * k - 1), name="weights, k > l")
    proof.therefore(
        r"(\textstyle\sum_i i x_i)^2 \le E \cdot x^\top B x",
        "Cauchy–Schwarz with weights: 0 ≤ Σ W_k (T_k − c_k S/(W_k E))² = xᵀBx − S²/E, S = Σ c_k T_k",
        uses=("Abel summation",),
    )
    return proof.qed()


def logarithm_above() -> Theorem:
    """E ≤ 1 + ½ ln(1/α)."""
    proof = Proof("E from above", "for all integers u ≥ l ≥ 1")
    proof.positive(
        "artanh t − t is 0 at t = 0 and its derivative is t²/(1−t²) > 0; t = 1/(2k−1), t = 1/(1+q), q > 0",
        (t**2 / (1 - t**2)).subs(t, 1 / (1 + m)),
        m >= 1,
        name="artanh above",
    )
    proof.therefore(
        r"E \le 1 + \tfrac12 \ln(1/\alpha)",
        "1/(2k−1) ≤ artanh(1/(2k−1)) = ½ ln(k/(k−1)), summed over l < k ≤ u",
    )
    return proof.qed()


def upper() -> Theorem:
    """At s = 0 the worst case is at most 3/2 + ¼ ln(1/α), for every u ≥ l ≥ 1."""
    proof = Proof("upper bound", AT_ZERO)
    proof.positive(
        "b_ij + ½ij − a_ij, i ≤ j", h_sf(i, j, 0) + i * j / 2 - a_min(i, j, 0), i >= 1, j >= i, name="entrywise"
    )
    proof.cite(cauchy(), logarithm_above())
    proof.therefore(
        rf"\sup_{{x\ge0}} {RATIO} \le 1 + \tfrac12 E \le \tfrac32 + \tfrac14\ln(1/\alpha)",
        "xᵀAx ≤ xᵀBx + ½(Σ i x_i)² for x ≥ 0",
    )
    return proof.qed()


def sharp_upper() -> Theorem:
    """At s = 0 the worst case is less than ¾ + ½E = 5/4 + ½ Σ_{k=l+1}^{u} 1/(2k−1), for every u ≥ l ≥ 1."""
    kernel = i / j
    g = 2 * kernel - kernel**2
    proof = Proof("sharp upper bound", AT_ZERO)
    proof.identity(
        "a_ij = ½ij(1 + g_ij), b_ij = ij·κ_ij, κ = r, i ≤ j", a_min(i, j, 0), i * j * (1 + g) / 2, name="split"
    )
    proof.identity("", h_sf(i, j, 0), i * j * kernel, name="split B")
    proof.integral(
        "(3/2)κ − g is a Gram matrix of h_i(v) = √(3v)(1 − 2v/i)/i on [0, i]",
        3 * v / (i * j) * (1 - 2 * v / i) * (1 - 2 * v / j),
        (v, 0, i),
        sp.Rational(3, 2) * kernel - g,
        name="Gram",
    )
    proof.positive(
        "at v = i − ¼, where every h_m with m < i vanishes, −h_i is positive up to a positive factor",
        2 * (i - sp.Rational(1, 4)) / i - 1,
        i >= 1,
        name="independent",
    )
    proof.cite(cauchy())
    proof.therefore(
        rf"\sup_{{x\ge0}} {RATIO} < \tfrac34 + \tfrac12 E = \tfrac54 + \tfrac12\sum_{{k=l+1}}^{{u}}\tfrac{{1}}{{2k-1}}",
        "xᵀAx = ½(Σ i x_i)² + ½ Σ ij g_ij x_i x_j < ½E xᵀBx + ¾ xᵀBx",
    )
    return proof.qed()


def weighted_tails() -> Any:
    """Σ_{i<u} p_i T_i at T_l = 1/l, T_k = 1/(2k−1), p the second left generator of A_min's tails, with E_{u−1} = 1 + e."""
    return (l**2 - 1) / 4 + sp.Rational(3, 4) * (u - 1) ** 2 + (1 + e) / 4


def gain() -> Any:
    """What the term of u adds to TᵀCT − ½E² − ¾E at these tails."""
    inner, top, before = generators("a-min").inner(u, sp.S.Zero), 1 / (2 * u - 1), 1 + e
    return (
        inner.diagonal * top**2
        + 2 * top * (before / 2 + inner.right[1] * weighted_tails() / 2)
        - ((before + top) ** 2 - before**2) / 2
        - sp.Rational(3, 4) * top
    )


def lower() -> Theorem:
    """At s = 0 the worst case is at least ¾ + ½E − 1/(4E), for every u ≥ l ≥ 1, by the tails T_l = 1/l, T_k = 1/(2k−1)."""
    rows, top = generators("a-min"), 1 / (2 * u - 1)
    first, inner = rows.first(l, sp.S.Zero), rows.inner(u, sp.S.Zero)
    proof = Proof("lower bound", AT_ZERO)
    proof.cite(tails("a-min"))
    proof.positive("the weights are positive", 1 / l - 1 / (2 * l + 1), l >= 1, name="x_l")
    proof.positive("", 1 / (2 * k - 1) - 1 / (2 * k + 1), l >= 1, k >= l + 1, name="x_k")
    proof.identity("W_l T_l² = 1", h_sf(l, l, 0) / l**2, 1, name="H-SF, l")
    proof.identity("so H-SF's form is E", _w(k) / (2 * k - 1) ** 2, 1 / (2 * k - 1), name="H-SF, k > l")
    proof.identity(
        "Σ_{i<u} p_i T_i = ¼(l²−1) + ¾(u−1)² + ¼E_{u−1}: at u = l+1",
        2 * first.left[1] / l,
        weighted_tails().subs(u, l + 1).subs(e, 0),
        name="p, start",
    )
    increment = weighted_tails().subs(u, u + 1).subs(e, e + top) - weighted_tails()
    proof.identity("and its increment", 2 * inner.left[1] * top, increment, name="p, step")
    proof.identity("Σ q_i T_i = E: the term of l", 2 * first.left[0] / l, 1)
    proof.identity("and its increment", 2 * inner.left[0] * top, top)
    proof.identity("at u = l, TᵀCT = ½E² + ¾E − ¼ with E = 1", first.diagonal / l**2, 1, name="start")
    proof.positive(
        "TᵀCT − ½E² − ¾E grows with u: its increment, with E_{u−1} = 1 + e",
        gain(),
        *(l >= 1, e >= 0, u >= l + 1),
        name="step",
    )
    proof.therefore(rf"\sup_{{x\ge0}} {RATIO} \ge \tfrac34 + \tfrac12 E - \frac{{1}}{{4E}}")
    return proof.qed()


def logarithmic_order() -> Theorem:
    """At s = 0: E ≥ 1 + ½ ln(1/α) − ½ ln(3/2), so the worst case is ¼ ln(1/α) + Θ(1)."""
    proof = Proof("logarithmic order", AT_ZERO)
    proof.positive(
        "t/(1−t) − artanh t is 0 at t = 0, its derivative 1/(1−t)² − 1/(1−t²) is > 0; t = 1/(1+q)",
        (1 / (1 - t) ** 2 - 1 / (1 - t**2)).subs(t, 1 / (1 + m)),
        m >= 1,
        name="artanh below",
    )
    proof.nonnegative(
        "(2u+1)/(2l+1) ≥ (2/3)·u/l",
        (2 * u + 1) / (2 * l + 1) - sp.Rational(2, 3) * u / l,
        *(l >= 1, u >= l),
        name="ends",
    )
    proof.therefore(
        r"E \ge 1 + \tfrac12\ln\tfrac{2u+1}{2l+1} \ge 1 + \tfrac12\ln(1/\alpha) - \tfrac12\ln\tfrac32",
        "1/(2k−1) ≥ artanh(1/(2k)) = ½ ln((2k+1)/(2k−1)), summed over l < k ≤ u",
    )
    proof.cite(logarithm_above(), sharp_upper(), lower())
    return proof.therefore(r"\text{worst case} = \tfrac14\ln(1/\alpha) + \Theta(1)").qed()


def trace_bound() -> Theorem:
    """At s = 0 the worst case is at most tr(B⁻¹A) = 1 + Σ_{i=l+1}^{u} 1/i, the paper's bound H_u at l = 1."""
    proof = Proof("trace bound", AT_ZERO).cite(a_definite(), b_definite(), general_trace())
    proof.therefore(
        rf"\sup_{{x\ge0}} {RATIO} \le \operatorname{{tr}}(B^{{-1}}A) = 1 + \sum_{{i=l+1}}^{{u}}\tfrac1i",
        "the eigenvalues of B⁻¹A are those of B^{-1/2} A B^{-1/2}, which is positive definite",
    )
    return proof.qed()


FOR_ALL = "for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms"
BOUND = rf"\sup_{{x\ge0}}{RATIO} \le "


def by_sums() -> Theorem:
    """For every s ≥ 0: worst case ≤ 1 + ½E_s + s √(E_s/(l(s+l))), E_s = l/(s+l) + Σ 1/(s+2k−1)."""
    proof = Proof("upper bound by sums", FOR_ALL).cite(difference())
    proof.positive(
        "½(s+i)j − (a_ij − b_ij), i ≤ j",
        (s + i) * j / 2 - (s + i) * (j - i) * (s + i + j) / (2 * (s + j)),
        *(s >= 0, i >= 1, j >= i),
    )
    proof.identity("Cauchy–Schwarz for Σ i x_i = l T_l + Σ T_k: the weight of l", l**2 / h_sf(l, l, s), l / (s + l))
    proof.identity("the others", 1 / _w(k, s), 1 / (s + 2 * k - 1))
    return proof.therefore(
        BOUND
        + r"1 + \tfrac12 E_s + s\sqrt{E_s/(l(s+l))},\quad E_s = \tfrac{l}{s+l} + \sum_{k=l+1}^{u} \tfrac1{s+2k-1}",
        "(s+min)·max ≤ s(i+j) + ij, and (Σ x_i)² = T_l² ≤ xᵀBx/(l(s+l))",
        uses=("Abel summation",),
    ).qed()


def upper_for_each_s() -> Theorem:
    """For each s ≥ 0: worst case ≤ 1 + ½E + √(sE) ≤ 1 + (½ + √s)(1 + ½ ln(1/α)), which for a fixed s is O(log 1/α)."""
    base = (s >= 0, l >= 1)
    proof = Proof("upper bound for each s", FOR_ALL).cite(by_sums(), logarithm_above())
    proof.nonnegative("E_s ≤ E: l/(s+l) ≤ 1", 1 - l / (s + l), *base)
    proof.nonnegative("and the terms of k", 1 / _w(k) - 1 / _w(k, s), s >= 0, k >= 1)
    proof.nonnegative("s²/(l(s+l)) ≤ s", s - s**2 / (l * (s + l)), *base)
    proof.nonnegative("sE ≤ sE², as E ≥ 1", s * e**2 - s * e, s >= 0, (e, 1))
    return proof.therefore(
        BOUND + r"1 + \tfrac12E + \sqrt{sE} \le 1 + (\tfrac12 + \sqrt s)\,E \le "
        r"1 + (\tfrac12 + \sqrt s)(1 + \tfrac12\ln(1/\alpha))",
        "in the bound by sums s²E_s/(l(s+l)) is at most sE",
    ).qed()


def general_upper() -> Theorem:
    """For every s ≥ 0 with one constant: worst case ≤ 3/2 + ¼ ln(1/α) + √(1/α), an order that is attained at s = u."""
    base, later = (s >= 0, l >= 1), (s >= 0, l >= 1, k >= l + 1)
    statement = BOUND + r"\tfrac32 + \tfrac14\ln(1/\alpha) + \sqrt{1/\alpha}"
    proof = Proof("upper bound for every s", FOR_ALL, statement).cite(by_sums(), logarithm_above())
    proof.nonnegative("E_s ≤ E: l/(s+l) ≤ 1", 1 - l / (s + l), *base)
    proof.nonnegative("and the terms of k", 1 / _w(k) - 1 / _w(k, s), *later)
    proof.nonnegative("s²/(l(s+l)) · l/(s+l) ≤ 1", 1 - s**2 / (s + l) ** 2, *base)
    proof.positive(
        "s²/(l(s+l)(s+2k−1)) ≤ 1/l, and there are u − l such terms",
        1 / l - s**2 / (l * (s + l) * (s + 2 * k - 1)),
        *later,
    )
    return proof.therefore(statement).qed()


def family_ratio(m: Any) -> Any:
    """The ratio at s = u = m², l = 1 of the weights x_1 = m, x_u = 1 (all others 0)."""
    a, b = (value_of(name, m / m, m**2, m**2, m, m / m) for name in ("a-min", "h-sf"))
    return a / b


def not_logarithmic() -> Theorem:
    """With s free the worst case is not O(log 1/α): at s = u, l = 1 two lengths give a ratio above ⅓√u = ⅓√(1/α)."""
    proof = Proof("not logarithmic in s", "for l = 1 and every u = s = m², m ≥ 1, of the forms")
    proof.positive(
        "u = s = m², weights m at length 1 and 1 at length u: the ratio exceeds m/3",
        family_ratio(m) - m / 3,
        m >= 1,
        name="family",
    )
    return proof.therefore(rf"\sup_{{s}}\,\sup_{{x\ge0}} {RATIO} > \tfrac13\sqrt{{1/\alpha}}").qed()

"""The worst case of A_min's form over H-SF's: bounds from above and below, for every l, at s = 0 and for s > 0.

Notation: E = 1 + Σ_{k=l+1}^{u} 1/(2k−1), which is ½ ln(1/α) + Θ(1).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.form.tails import tails
from crtools.proof.steps import Identity, Inference, PolynomialIntegral, Positive, Step
from crtools.proof.symbols import i, j, k, l, m, s, u, v
from crtools.proof.theorem import Theorem, prefixed

e = sp.Symbol("e")
t = sp.Symbol("t", positive=True)
_HALF, _ZERO = sp.Rational(1, 2), sp.Integer(0)


def _a(x: Any, y: Any, s: Any = _ZERO) -> Any:
    return form("a-min").formula(x, y, s)


def _b(x: Any, y: Any, s: Any = _ZERO) -> Any:
    return form("h-sf").formula(x, y, s)


def _w(k: Any, s: Any = _ZERO) -> Any:
    rule = form("h-sf").tails
    assert rule is not None
    return rule.inner(k, s).diagonal


def _cauchy() -> tuple[Step, ...]:
    return (
        Identity(
            name="weights",
            text="in the tails Σ i x_i = l T_l + Σ_{k>l} T_k; the term of l",
            lhs=l**2 / _b(l, l),
            rhs=sp.Integer(1),
        ),
        Identity(name="weights, k > l", text="the others", lhs=1 / _w(k), rhs=1 / (2 * k - 1)),
        Inference(
            name="Cauchy–Schwarz",
            text="Cauchy–Schwarz with weights: 0 ≤ Σ W_k (T_k − c_k S/(W_k E))² = xᵀBx − S²/E, S = Σ c_k T_k",
            conclusion=r"(\textstyle\sum_i i x_i)^2 \le E \cdot x^\top B x",
            follows_from=("weights", "weights, k > l"),
            theorems=("Abel summation",),
        ),
    )


def logarithm_above() -> tuple[Step, ...]:
    """The steps that end in E ≤ 1 + ½ ln(1/α)."""
    return (
        Positive(
            name="artanh above",
            text="artanh t − t is 0 at t = 0 and its derivative is t²/(1−t²) > 0; t = 1/(2k−1), t = 1/(1+q), q > 0",
            expr=(t**2 / (1 - t**2)).subs(t, 1 / (1 + m)),
            where=((m, 1),),
        ),
        Inference(
            name="E",
            text="1/(2k−1) ≤ artanh(1/(2k−1)) = ½ ln(k/(k−1)), summed over l < k ≤ u",
            conclusion=r"E \le 1 + \tfrac12 \ln(1/\alpha)",
            follows_from=("artanh above",),
        ),
    )


def upper() -> Theorem:
    """At s = 0 the worst case is at most 3/2 + ¼ ln(1/α), for every u ≥ l ≥ 1."""
    steps: tuple[Step, ...] = (
        Positive(
            name="entrywise",
            text="b_ij + ½ij − a_ij, i ≤ j",
            expr=_b(i, j) + i * j / 2 - _a(i, j),
            where=((i, 1), (j, i)),
        ),
        *_cauchy(),
        *logarithm_above(),
        Inference(
            name="bound",
            text="xᵀAx ≤ xᵀBx + ½(Σ i x_i)² for x ≥ 0",
            conclusion=r"\sup_{x\ge0} \frac{x^\top A x}{x^\top B x} \le 1 + \tfrac12 E \le \tfrac32 + \tfrac14\ln(1/\alpha)",
            follows_from=("entrywise", "Cauchy–Schwarz", "E"),
        ),
    )
    return Theorem("upper bound", steps[-1].latex(), "for all integers u ≥ l ≥ 1 at s = 0, of the forms", steps)


def sharp_upper() -> Theorem:
    """At s = 0 the worst case is less than ¾ + ½E = 5/4 + ½ Σ_{k=l+1}^{u} 1/(2k−1), for every u ≥ l ≥ 1."""
    r = i / j
    g, kernel = 2 * r - r**2, r
    steps: tuple[Step, ...] = (
        Identity(
            name="split",
            text="a_ij = ½ij(1 + g_ij), b_ij = ij·κ_ij, κ = r, i ≤ j",
            lhs=_a(i, j),
            rhs=i * j * (1 + g) / 2,
        ),
        Identity(name="split B", lhs=_b(i, j), rhs=i * j * kernel),
        PolynomialIntegral(
            name="Gram",
            text="(3/2)κ − g is a Gram matrix of h_i(v) = √(3v)(1 − 2v/i)/i on [0, i]",
            integrand=3 * v / (i * j) * (1 - 2 * v / i) * (1 - 2 * v / j),
            variable=v,
            low=0,
            high=i,
            value=sp.Rational(3, 2) * kernel - g,
        ),
        Positive(
            name="independent",
            text="at v = i − ¼, where every h_m with m < i vanishes, −h_i is positive up to a positive factor",
            expr=2 * (i - sp.Rational(1, 4)) / i - 1,
            where=((i, 1),),
        ),
        *_cauchy(),
        Inference(
            name="bound",
            text="xᵀAx = ½(Σ i x_i)² + ½ Σ ij g_ij x_i x_j < ½E xᵀBx + ¾ xᵀBx",
            conclusion=r"\sup_{x\ge0} \frac{x^\top A x}{x^\top B x} < \tfrac34 + \tfrac12 E = \tfrac54 + \tfrac12"
            r"\sum_{k=l+1}^{u}\tfrac{1}{2k-1}",
            follows_from=("split", "split B", "Gram", "independent", "Cauchy–Schwarz"),
        ),
    )
    return Theorem("sharp upper bound", steps[-1].latex(), "for all integers u ≥ l ≥ 1 at s = 0, of the forms", steps)


def lower() -> Theorem:
    """At s = 0 the worst case is at least ¾ + ½E − 1/(4E), for every u ≥ l ≥ 1, by the tails T_l = 1/l, T_k = 1/(2k−1)."""
    rows = form("a-min").tails
    assert rows is not None
    top, first, inner = 1 / (2 * u - 1), rows.first(l, _ZERO), rows.inner(u, _ZERO)
    before = 1 + e  # E up to u − 1
    p_sum = (l**2 - 1) / 4 + sp.Rational(3, 4) * (u - 1) ** 2 + before / 4
    gain = (
        inner.diagonal * top**2
        + 2 * top * (before / 2 + inner.right[1] * p_sum / 2)
        - ((before + top) ** 2 - before**2) / 2
        - sp.Rational(3, 4) * top
    )
    embedded = prefixed("tails", tails("a-min"))
    steps: tuple[Step, ...] = (
        *embedded,
        Positive(name="x_l", text="the weights are positive", expr=1 / l - 1 / (2 * l + 1), where=((l, 1),)),
        Positive(name="x_k", expr=1 / (2 * k - 1) - 1 / (2 * k + 1), where=((l, 1), (k, l + 1))),
        Identity(name="H-SF, l", text="W_l T_l² = 1", lhs=_b(l, l) / l**2, rhs=sp.Integer(1)),
        Identity(name="H-SF, k > l", text="so H-SF's form is E", lhs=_w(k) / (2 * k - 1) ** 2, rhs=1 / (2 * k - 1)),
        Identity(
            name="p, start",
            text="Σ_{i<u} p_i T_i = ¼(l²−1) + ¾(u−1)² + ¼E_{u−1}: at u = l+1",
            lhs=2 * first.left[1] / l,
            rhs=p_sum.subs(u, l + 1).subs(e, 0),
        ),
        Identity(
            name="p, step",
            text="and its increment",
            lhs=2 * inner.left[1] * top,
            rhs=p_sum.subs(u, u + 1).subs(e, e + top) - p_sum,
        ),
        Identity(name="q, start", text="Σ q_i T_i = E: the term of l", lhs=2 * first.left[0] / l, rhs=sp.Integer(1)),
        Identity(name="q, step", lhs=2 * inner.left[0] * top, rhs=top),
        Identity(
            name="start",
            text="at u = l, TᵀCT = ½E² + ¾E − ¼ with E = 1",
            lhs=first.diagonal / l**2,
            rhs=_HALF + sp.Rational(3, 4) - sp.Rational(1, 4),
        ),
        Positive(
            name="step",
            text="TᵀCT − ½E² − ¾E grows with u: its increment, with E_{u−1} = 1 + e",
            expr=gain,
            where=((l, 1), (e, 0), (u, l + 1)),
        ),
        Inference(
            name="bound",
            conclusion=r"\sup_{x\ge0} \frac{x^\top A x}{x^\top B x} \ge \tfrac34 + \tfrac12 E - \frac{1}{4E}",
            follows_from=(
                "x_l",
                "x_k",
                "H-SF, l",
                "H-SF, k > l",
                "p, start",
                "p, step",
                "q, start",
                "q, step",
                "start",
                "step",
                *(step.name for step in embedded),
            ),
        ),
    )
    return Theorem("lower bound", steps[-1].latex(), "for all integers u ≥ l ≥ 1 at s = 0, of the forms", steps)


def logarithmic_order() -> Theorem:
    """At s = 0: E ≥ 1 + ½ ln(1/α) − ½ ln(3/2), so the worst case is ¼ ln(1/α) + Θ(1)."""
    steps: tuple[Step, ...] = (
        *logarithm_above(),
        Positive(
            name="artanh below",
            text="t/(1−t) − artanh t is 0 at t = 0, its derivative 1/(1−t)² − 1/(1−t²) is > 0; t = 1/(1+q)",
            expr=(1 / (1 - t) ** 2 - 1 / (1 - t**2)).subs(t, 1 / (1 + m)),
            where=((m, 1),),
        ),
        Positive(
            name="ends",
            text="(2u+1)/(2l+1) ≥ (2/3)·u/l",
            expr=(2 * u + 1) / (2 * l + 1) - sp.Rational(2, 3) * u / l,
            where=((l, 1), (u, l)),
            strict=False,
        ),
        Inference(
            name="E below",
            text="1/(2k−1) ≥ artanh(1/(2k)) = ½ ln((2k+1)/(2k−1)), summed over l < k ≤ u",
            conclusion=r"E \ge 1 + \tfrac12\ln\tfrac{2u+1}{2l+1} \ge 1 + \tfrac12\ln(1/\alpha) - \tfrac12\ln\tfrac32",
            follows_from=("artanh below", "ends"),
        ),
        Inference(
            name="order",
            text='with Theorems "sharp upper bound" and "lower bound"',
            conclusion=r"\text{worst case} = \tfrac14\ln(1/\alpha) + \Theta(1)",
            follows_from=("E", "E below"),
        ),
    )
    return Theorem("logarithmic order", steps[-1].latex(), "for all integers u ≥ l ≥ 1 at s = 0, of the forms", steps)


def trace_bound() -> Theorem:
    """At s = 0 the worst case is at most tr(B⁻¹A) = 1 + Σ_{i=l+1}^{u} 1/i, the paper's bound H_u at l = 1."""
    from crtools.papers.adaptive.theorems.form.definiteness import a_definite, b_definite
    from crtools.papers.adaptive.theorems.form.trace import general_trace

    steps = (*prefixed("A", a_definite()), *prefixed("B", b_definite()), *prefixed("trace", general_trace()))
    closing = Inference(
        name="bound",
        text="the eigenvalues of B⁻¹A are those of B^{-1/2} A B^{-1/2}, which is positive definite",
        conclusion=r"\sup_{x\ge0} \frac{x^\top A x}{x^\top B x} \le \operatorname{tr}(B^{-1}A) = 1 + \sum_{i=l+1}^{u}\tfrac1i",
        follows_from=tuple(step.name for step in steps),
    )
    return Theorem(
        "trace bound", closing.conclusion, "for all integers u ≥ l ≥ 1 at s = 0, of the forms", (*steps, closing)
    )


def general_upper() -> Theorem:
    """For every s ≥ 0: worst case ≤ 1 + ½E_s + s √(E_s/(l(s+l))) ≤ 3/2 + ¼ ln(1/α) + √(1/α), E_s = l/(s+l) + Σ 1/(s+2k−1).

    For fixed s the middle term is O(log 1/α); uniformly in s it is of the order √(1/α).
    """
    base = ((s, 0), (l, 1))
    steps: tuple[Step, ...] = (
        Identity(
            name="difference",
            text="A − B, i ≤ j",
            lhs=_a(i, j, s) - _b(i, j, s),
            rhs=(s + i) * (j - i) * (s + i + j) / (2 * (s + j)),
        ),
        Positive(
            name="entrywise",
            text="½(s+i)j − (a_ij − b_ij), i ≤ j",
            expr=(s + i) * j / 2 - (s + i) * (j - i) * (s + i + j) / (2 * (s + j)),
            where=((s, 0), (i, 1), (j, i)),
        ),
        Identity(
            name="weights, l",
            text="Cauchy–Schwarz for Σ i x_i = l T_l + Σ T_k",
            lhs=l**2 / _b(l, l, s),
            rhs=l / (s + l),
        ),
        Identity(name="weights, k > l", lhs=1 / _w(k, s), rhs=1 / (s + 2 * k - 1)),
        Inference(
            name="split",
            text="(s+min)·max ≤ s(i+j) + ij, and (Σ x_i)² = T_l² ≤ xᵀBx/(l(s+l))",
            conclusion=r"\sup_{x\ge0}\frac{x^\top A x}{x^\top B x} \le 1 + \tfrac12 E_s + s\sqrt{E_s/(l(s+l))}",
            follows_from=("difference", "entrywise", "weights, l", "weights, k > l"),
            theorems=("Abel summation",),
        ),
        Positive(name="E_s ≤ E, l", text="l/(s+l) ≤ 1", expr=1 - l / (s + l), where=base, strict=False),
        Positive(
            name="E_s ≤ E, k", expr=1 / (2 * k - 1) - 1 / (s + 2 * k - 1), where=(*base, (k, l + 1)), strict=False
        ),
        *logarithm_above(),
        Positive(
            name="root, l", text="s²/(l(s+l)) · l/(s+l) ≤ 1", expr=1 - s**2 / (s + l) ** 2, where=base, strict=False
        ),
        Positive(
            name="root, k",
            text="s²/(l(s+l)(s+2k−1)) ≤ 1/l, and there are u − l such terms",
            expr=1 / l - s**2 / (l * (s + l) * (s + 2 * k - 1)),
            where=(*base, (k, l + 1)),
        ),
        Inference(
            name="bound",
            conclusion=r"\sup_{x\ge0}\frac{x^\top A x}{x^\top B x} \le \tfrac32 + \tfrac14\ln(1/\alpha) + \sqrt{1/\alpha}",
            follows_from=("split", "E_s ≤ E, l", "E_s ≤ E, k", "E", "root, l", "root, k"),
        ),
        Positive(name="fixed s", text="s²/(l(s+l)) ≤ s", expr=s - s**2 / (l * (s + l)), where=base, strict=False),
        Inference(
            name="bound for fixed s",
            conclusion=r"\sup_{x\ge0}\frac{x^\top A x}{x^\top B x} \le 1 + \tfrac12E + \sqrt{sE}",
            follows_from=("split", "E_s ≤ E, l", "E_s ≤ E, k", "fixed s"),
        ),
    )
    return Theorem(
        "upper bound for every s", steps[-3].latex(), "for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms", steps
    )


def family_ratio(m: Any) -> Any:
    """The ratio at s = u = m², l = 1 of the weights x_1 = m, x_u = 1 (all others 0)."""
    s, x, top = m**2, m, m**2
    one = m / m

    def value(entry: Any) -> Any:
        return entry(one, one, s) * x**2 + 2 * entry(one, top, s) * x + entry(top, top, s)

    return value(_a) / value(_b)


def not_logarithmic() -> Theorem:
    """With s free the worst case is not O(log 1/α): at s = u, l = 1 two lengths give a ratio above ⅓√u = ⅓√(1/α)."""
    ratio = family_ratio(m)
    steps: tuple[Step, ...] = (
        Positive(
            name="family",
            text="u = s = m², weights m at length 1 and 1 at length u: the ratio exceeds m/3",
            expr=ratio - m / 3,
            where=((m, 1),),
        ),
        Inference(
            name="bound",
            conclusion=r"\sup_{s}\,\sup_{x\ge0} \frac{x^\top A x}{x^\top B x} > \tfrac13\sqrt{1/\alpha}",
            follows_from=("family",),
        ),
    )
    return Theorem(
        "not logarithmic in s", steps[-1].latex(), "for l = 1 and every u = s = m², m ≥ 1, of the forms", steps
    )

"""Positive definiteness of A_u and B_u at s = 0, and where it ends for s > 0 (Lemma "positive-definite")."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.form.tails import tails
from crtools.proof.steps import Identity, Induction, Inference, PolynomialIntegral, Positive, Step
from crtools.proof.symbols import i, j, k, m, s, u, v
from crtools.proof.theorem import Theorem, prefixed

xi = sp.Symbol("xi", real=True)


def b_definite() -> Theorem:
    """B is positive definite for every s ≥ 0 and u ≥ l ≥ 1: B = UᵀWU with W > 0."""
    rule = form("h-sf").tails
    assert rule is not None
    l = sp.Symbol("l", integer=True)
    embedded = prefixed("tails", tails("h-sf"))
    steps = (
        *embedded,
        Positive(name="W_l", text="the first weight", expr=rule.first(l, s).diagonal, where=((s, 0), (l, 1))),
        Positive(name="W_k", text="the others", expr=rule.inner(k, s).diagonal, where=((s, 0), (l, 1), (k, l + 1))),
        Inference(
            name="B",
            text="xᵀBx = Σ_k W_k T_k² and x ↦ T is invertible",
            conclusion=r"B \succ 0",
            follows_from=("W_l", "W_k", *(step.name for step in embedded)),
        ),
    )
    return Theorem("B positive definite", r"B \succ 0", "for all integers s ≥ 0 and u ≥ l ≥ 1", steps)


def a_definite() -> Theorem:
    """A_u is positive definite at s = 0 for every u: a Gram matrix plus a rank-one square."""
    a = form("a-min").formula(i, j, sp.Integer(0))
    g = 2 * (i / j) - (i / j) ** 2
    steps: tuple[Step, ...] = (
        Identity(
            name="split", text="a_ij = ½ ij (1 + g_ij) with g = 2r − r², r = i/j, i ≤ j", lhs=a, rhs=i * j * (1 + g) / 2
        ),
        PolynomialIntegral(
            name="Gram",
            text="g_ij = ∫ f_i f_j with f_i(v) = √(12 v) (1 − v/i)/i on [0, i] and 0 beyond",
            integrand=12 * v * (1 - v / i) * (1 - v / j) / (i * j),
            variable=v,
            low=0,
            high=i,
            value=g,
        ),
        Positive(
            name="independent",
            text="at v = i − ½, inside (i−1, i) where every f_m with m < i vanishes, f_i is not 0",
            expr=1 - (i - sp.Rational(1, 2)) / i,
            where=((i, 1),),
        ),
        Inference(
            name="A",
            text="the f_i are linearly independent, so (g_ij) is a positive definite Gram matrix; scaling by ij/2 keeps it so",
            conclusion=r"A_u = \tfrac12 dd^\top + \tfrac12 D\,(g_{ij})\,D \succ 0",
            follows_from=("split", "Gram", "independent"),
        ),
    )
    return Theorem(
        "A positive definite", r"A_u \succ 0", "for every integer u ≥ 1 at s = 0, l = 1 (hence every l)", steps
    )


def normalised(g: Any, r: Any) -> Theorem:
    """(2/(ij)) a_ij − 1 at s = 0 is ``g`` at ``r`` = i/j, i ≤ j."""
    a = form("a-min").formula(i, j, sp.Integer(0))
    step = Identity(name="a'_ij", text="r = i/j, i ≤ j", lhs=2 * a / (i * j) - 1, rhs=g.subs(r, i / j))
    return Theorem("normalised entries", rf"a'_{{ij}} = {sp.latex(g)}", "for all integers 1 ≤ i ≤ j, s = 0", (step,))


def fourier(g: Any, claimed: Any) -> Theorem:
    """The transform of g(d) = Σ c_m e^{−m|d|} (``g`` a polynomial in r = e^{−|d|}) is ``claimed`` and is positive.

    ∫ e^{−m|d|} e^{−iξd} dd = 2m/(m² + ξ²).
    """
    r = sp.Symbol("r", positive=True)
    poly = sp.Poly(g, r)
    transform = sum((c * 2 * p / (p**2 + xi**2) for (p,), c in poly.terms()), sp.Integer(0))
    square = sp.Symbol("X")
    steps: tuple[Step, ...] = (
        Identity(name="no constant", text="g(d) → 0, so g is integrable", lhs=poly.eval(0), rhs=sp.Integer(0)),
        Identity(name="transform", text="term by term", lhs=transform, rhs=claimed),
        Positive(
            name="positive",
            text="in X = ξ² ≥ 0",
            expr=sp.sympify(claimed).subs(xi**2, square).subs(xi, sp.sqrt(square)),
            where=((square, 0),),
        ),
    )
    return Theorem("Fourier transform", rf"\hat g(\xi) = {sp.latex(claimed)} > 0", "for every real ξ", steps)


def hadamard(power: Any) -> Theorem:
    """min(i, j)^p is positive definite: it is UᵀWU with weights k^p − (k−1)^p, checked for an integer p ≥ 1."""
    weight = sp.expand(k**power - (k - 1) ** power)
    steps: tuple[Step, ...] = (
        Positive(name="weights", text="k^p − (k−1)^p > 0 for k ≥ 1", expr=weight, where=((k, 1),)),
        Inference(
            name="square",
            text="min(i,j)^p = Σ_{k ≤ min(i,j)} (k^p − (k−1)^p), so the matrix is UᵀWU; for p = 2 this is the Hadamard square",
            conclusion=r"(\min(i,j))^{\circ p} \succ 0",
            follows_from=("weights",),
        ),
    )
    return Theorem("Hadamard power", r"(\min(i,j)^p) \succ 0", f"for every u, p = {power}", steps)


def indefinite_from_three() -> Theorem:
    """For every integer s ≥ 3, A at l = 1 is not positive definite from u = 2 on: its 2 × 2 minor is negative."""
    a = form("a-min").formula
    minor = (
        a(sp.Integer(1), sp.Integer(1), s) * a(sp.Integer(2), sp.Integer(2), s)
        - a(sp.Integer(1), sp.Integer(2), s) ** 2
    )
    steps: tuple[Step, ...] = (
        Identity(name="minor", lhs=minor, rhs=-(s + 1) * (s + 3) * (s**2 - 5) / (4 * (s + 2) ** 2)),
        Positive(name="sign", text="s² > 5", expr=(s + 1) * (s + 3) * (s**2 - 5) / (4 * (s + 2) ** 2), where=((s, 3),)),
        Inference(
            name="indefinite",
            conclusion=r"\det A_2 < 0",
            text="a positive definite matrix has positive leading minors",
            follows_from=("minor", "sign"),
        ),
    )
    return Theorem("A indefinite, s ≥ 3", r"\det A_2 < 0", "for every integer s ≥ 3, l = 1", steps)


def indefinite_at_one() -> Theorem:
    """At s = 1, l = 1, A_u is not positive definite from u = 2³⁷ on: an explicit vector has a negative value.

    With rows scaled by 2/(i+1) and twice differenced (D_1 = e_1, D_2 = e_2 − 2e_1, D_m = e_m − 2e_{m−1} + e_{m−2})
    the matrix is t + wwᵀ with t tridiagonal and w = (4, 1, 2, 2, …). The vector z_2 = 1, z_3 = 0, z_m = 1/(6m) for
    4 ≤ m ≤ u, z_1 = −½ Σ_{m≥2} z_m, in those coordinates, has w·z = −1 and value 8 − H/3 − (1 + 4 Σ 1/m²)/36
    with H = Σ_{m=4}^{u} 1/m, and H > ln((u+1)/4).
    """
    a = form("a-min").formula
    one: Any = sp.Integer(1)

    def scaled(x: Any, y: Any, swapped: bool = False) -> Any:
        x, y = (y, x) if swapped else (x, y)
        return 2 * (x + 1) * (y + 1) * a(x, y, one)

    def difference(row: Any, column: Any, gap: int) -> Any:
        weights = (1, -2, 1)
        total: Any = 0
        for x in range(3):
            for y in range(3):
                total += weights[x] * weights[y] * scaled(row - x, column - y, swapped=gap - y + x < 0)
        return total

    def ordered(x: int, y: int) -> Any:
        return scaled(sp.Integer(min(x, y)), sp.Integer(max(x, y)))

    def start(row: int, column: int) -> Any:  # rows 1 and 2 have fewer terms
        rows = {1: ((1, 1),), 2: ((2, 1), (1, -2))}
        generic = ((column, 1), (column - 1, -2), (column - 2, 1))
        columns = rows.get(column, generic)
        return sum(c * d * ordered(x, y) for x, c in rows[row] for y, d in columns)

    def start_far(row: int) -> Any:
        rows = {1: ((1, 1),), 2: ((2, 1), (1, -2))}
        return sum(c * d * scaled(sp.Integer(x), m - y) for x, c in rows[row] for y, d in ((0, 1), (1, -2), (2, 1)))

    h: Any = sp.Symbol("H")
    q: Any = sp.Symbol("Q")  # H = Σ 1/m and Q = Σ 1/m² over 4 ≤ m ≤ u

    def total(term: Any, last: Any) -> Any:
        return sp.Sum(term, (m, 4, last))

    diagonal_sum = total((8 * m - 4) / m**2, u) + total(4 / (m + 1), u - 1)
    in_h = 12 * total(1 / m, u) - 1 - 4 * total(1 / m**2, u)
    z_1: Any = -(1 + h / 6) / 2
    rest = (12 * h - 1 - 4 * q) / 36
    value = (4 * z_1 + 1 + 2 * h / 6) ** 2 + 8 * z_1 + 11 + rest
    steps: tuple[Step, ...] = (
        Identity(name="t + wwᵀ, m ≥ 3, n ≥ m+2", lhs=difference(m, m + k, 2), rhs=sp.Integer(4)),
        Identity(name="t + wwᵀ, n = m+1", lhs=difference(m, m + 1, 1), rhs=2 * m + 4),
        Identity(name="t + wwᵀ, n = m", lhs=difference(m, m, 0), rhs=8 * m),
        Identity(name="t + wwᵀ, (1,1)", lhs=start(1, 1), rhs=sp.Integer(16)),
        Identity(name="t + wwᵀ, (1,2)", lhs=start(1, 2), rhs=sp.Integer(8)),
        Identity(name="t + wwᵀ, (2,2)", lhs=start(2, 2), rhs=sp.Integer(12)),
        Identity(name="t + wwᵀ, (2,3)", lhs=start(2, 3), rhs=sp.Integer(6)),
        Identity(name="t + wwᵀ, (1,m), m ≥ 3", lhs=start_far(1), rhs=sp.Integer(8)),
        Identity(name="t + wwᵀ, (2,m), m ≥ 4", lhs=start_far(2), rhs=sp.Integer(2)),
        Induction(
            name="diagonal sums",
            text="Σ t_mm z_m² + 2 Σ t_{m,m+1} z_m z_{m+1}, times 36",
            lhs=diagonal_sum,
            rhs=in_h,
            index=u,
            start=4,
        ),
        Identity(name="value", text="twice the quadratic form", lhs=value, rhs=8 - h / 3 - (1 + 4 * q) / 36),
        Positive(
            name="logarithm",
            text="ln 2 ≥ 2(1/3 + 1/81); H ≥ ln((u+1)/4) > 35 ln 2 > 24 at u = 2³⁷",
            expr=35 * 2 * (sp.Rational(1, 3) + sp.Rational(1, 81)) - 24,
            where=((u, 2**37),),
        ),
        Inference(
            name="indefinite",
            text="8 − H/3 < 0 as soon as H ≥ 24",
            conclusion=r"x^\top A_u x < 0",
            follows_from=(
                "t + wwᵀ, m ≥ 3, n ≥ m+2",
                "t + wwᵀ, n = m+1",
                "t + wwᵀ, n = m",
                "t + wwᵀ, (1,1)",
                "t + wwᵀ, (1,2)",
                "t + wwᵀ, (2,2)",
                "t + wwᵀ, (2,3)",
                "t + wwᵀ, (1,m), m ≥ 3",
                "t + wwᵀ, (2,m), m ≥ 4",
                "diagonal sums",
                "value",
                "logarithm",
            ),
        ),
    )
    return Theorem("A indefinite, s = 1", r"A_u \not\succ 0", "for every integer u ≥ 2³⁷ at s = 1, l = 1", steps)

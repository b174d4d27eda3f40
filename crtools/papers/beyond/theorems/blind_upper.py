"""Own random offsets on one machine: E ΣC_j is at most ρ times the optimum, at every n.

Job i is tried with the times b^{k+U_i}, its own U_i uniform on [0, 1), all attempts in the order of these times.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.blind.least import cost, stationary_ball
from crtools.enclosure import ball, precision
from crtools.papers.beyond.theorems import kill_and_restart
from crtools.papers.nonclairvoyant.theory import TEXT
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.theorem import Theorem, kept
from crtools.scale_free import Cover, at_most, own_offsets, peak_at_zero

BITS = 128

z, L, E, b, y, v, rho = sp.symbols("z L E b y v rho", positive=True)


def cover(base: Fraction | None, bound: Fraction | None) -> Cover:
    """Return the boxes that prove the symbol at most ``bound``; at the best base (None) at most its value at ξ = 0.

    Raises ``NotCertified`` where they do not.
    """
    with precision(BITS):
        if base is None:
            return peak_at_zero(own_offsets(stationary_ball(BITS) ** 2))
        assert bound is not None
        return at_most(own_offsets(base), ball(bound))


def closed(z: sp.Expr, power: sp.Expr) -> sp.Expr:
    """Return 2z(1−z) times the kernel's Mellin transform, with ``power`` for b^z; 1 − z is the conjugate of z."""
    return 2 * z * (1 - z) * (power - 1) * ((1 - 1 / power) / z + 1 / (1 - z)) / (z**2 * L**2)


def from_curvature(z: sp.Expr, power: sp.Expr) -> sp.Expr:
    """Return the same from κ(0), κ'(0) and κ'' of ``own_offsets``, with ∫_0^L t^p e^{wt} dt written out."""

    def moment(w: sp.Expr, grown: sp.Expr, p: int) -> sp.Expr:
        return (grown - 1) / w if p == 0 else (L**p * grown - p * moment(w, grown, p - 1)) / w

    flat = -moment(-z, 1 / power, 0) / L**2
    w, grown = 1 - z, b / power
    terms = ((L / 2 - 1) / L, (1 - L) / L**2, 1 / (2 * L**2))
    bent = sum(c * moment(w, grown, p) for p, c in enumerate(terms))
    return 2 / L + 1 + 2 * (1 - z) / z * (1 / L + sp.Rational(1, 2) + flat + bent)


def expected_waits() -> Theorem:
    """What a job's own attempts cost, and how long it waits for another, on average over the offsets."""
    proof = Proof(
        "what own offsets cost", "every base b > 1, every n, all sizes; one machine; the mean over the offsets"
    )
    proof.argued(
        r"C_i = \sum_j \sum_{c \le \gamma_i,\ j \text{ unfinished}} \min(v_j, c),\quad \gamma_i = \min\{c \ge v_i \text{ of } i\}",
        "attempts follow each other in the order of thresholds without idle time; one of j with threshold c takes c if v_j > c and "
        "else v_j, which finishes j; i finishes in its attempt γ_i",
        test=kill_and_restart.waits,
        tested="every 3 sizes in {1/3, 1, 5/2, 7} at three interleaved tables of thresholds, exactly",
        name="waits",
    )
    return proof.argued(
        r"\mathbb E C_i = v_i\Bigl(1 + \tfrac1{\ln b}\Bigr) + \sum_{j\ne i} K(v_i, v_j),\quad "
        r"K(x, y) = \mathbb E_V \int_{c \le \min(xb^V,\, by)} \min(y, c)\,\tfrac{dc}{c\ln b}",
        "a uniform offset makes the thresholds of a job points of density dc/(c ln b); j is unfinished at c as long as c < b v_j; "
        "γ_i = v_i b^V with V uniform, and the offset of j is independent of it. Its own failed attempts cost ∫_{c<v_i} c dc/(c ln b)",
        test=kill_and_restart.means,
        tested=f"runs of two jobs over a grid of {kill_and_restart.GRID}² offsets, b = 3 and 13.8, four sizes, within 5 %",
        name="means",
    ).qed()


def symbol() -> Theorem:
    """The kernel's Mellin symbol over min's, and its value at ξ = 0."""
    proof = Proof(
        "the symbol of own offsets",
        r"every base $b > 1$; $L = ln b$, $E = b^z$, $1 − z$ is the conjugate of $z = ½ + iξ$",
        r"m(\xi) = \mathrm{Re}\,\frac{2(1-z)(E-1)}{zL^2}\Bigl(\frac{1-1/E}{z} + \frac1{1-z}\Bigr),\quad "
        r"m(0) = \frac{(y-1)(2y-1)}{y\ln^2 y}",
    )
    proof.identity(
        "the transform of W, by W' = min(1, C)/(C ln b) for C < b, times b^{Vz}'s mean (b^z − 1)/(z ln b), over min's 1/(z(1−z)); E = b^z",
        closed(z, E),
        2 * z * (1 - z) * (E - 1) / (z * L) * (1 / (1 - z) + (1 - 1 / E) / z) / (z * L),
        Bound(z, 0, strict=True, high=1),
        name="symbol",
    )
    proof.identity(
        "K(x, y) + K(y, x) as the balls take it, by its second derivative, has the same real part (the mean over z and 1 − z)",
        closed(z, E) + closed(1 - z, b / E),
        from_curvature(z, E) + from_curvature(1 - z, b / E),
        Bound(z, 0, strict=True, high=1),
        name="curvature",
    )
    return proof.identity(
        "at ξ = 0, with b = y²", closed(sp.Rational(1, 2), y).subs(L, 2 * L), cost(y, L), name="at zero"
    ).qed()


def theorem(base: Fraction | None = None, bound: Fraction | None = None) -> Theorem:
    """E ΣC_j ≤ bound · optimum at this base, or ≤ ρ* · optimum at the best one (None)."""
    what, where = (r"\rho^*", "b = y*²") if base is None else (sp.latex(sp.sympify(str(bound))), f"b = {base}")
    proof = Proof(
        f"own offsets at {where}",
        f"{where}; every n, all sizes; one machine; the mean over the offsets; against the optimum, which knows the sizes",
        rf"\mathbb E \sum_j C_j \le {what} \cdot \mathrm{{OPT}}",
    )
    proof.cite(kept(expected_waits), kept(symbol))
    if base is None:
        proof.cite(TEXT.theorem("one stationary point"))
    proof.computed(
        rf"m(\xi) \le {what} \text{{ for every }} \xi",
        "balls on [0, X], and the bound of the rest beyond it"
        + ("; near 0 the second derivative is negative" if base is None else ""),
        lambda: None if cover(base, bound).boxes else "no interval was covered",
        name="balls",
    )
    proof.therefore(
        rf"\textstyle\sum_{{i,j}} K(v_i, v_j) \le {what} \cdot \tfrac12 \sum_{{i,j}} \min(v_i, v_j)",
        "the difference divided by √(xy) is a continuous function of ln(x/y) whose Fourier transform is ≥ 0 and O(1/ξ²)",
        of=("what own offsets cost", "the symbol of own offsets", "balls"),
        uses=("Bochner",),
        name="forms",
    )
    proof.identity(
        "a job's own attempts, of which the diagonal K(v, v) = v(1/ln b + ½) holds all but v/2",
        v * (1 + 1 / L) - v * (1 / L + sp.Rational(1, 2)),
        v / 2,
    )
    proof.nonnegative("the rest is within ρ/2", rho * v / 2 - v / 2, rho >= 1, (v, 0))
    proof.therefore(
        rf"\mathbb E\sum_j C_j \le {what}\Bigl(\tfrac12\textstyle\sum_{{i,j}}\min(v_i, v_j) + \tfrac12\sum_i v_i\Bigr)"
        rf" = {what}\cdot\mathrm{{OPT}}",
        "shortest first is optimal: Σ_{i<j} min(v_i, v_j) + Σ v_i",
    )
    return proof.qed()

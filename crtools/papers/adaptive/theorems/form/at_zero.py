"""The worst case of A_min's form over H-SF's at s = 0 to within O(1/E²), E = 1 + Σ_{l<k≤u} 1/(2k−1), and its expansion at l = 1.

A = ½ ω ωᵀ + P with ω_i = i; H-SF's form B gives ωᵀB⁻¹ω = E, and 0 ≤ P ≤ ¾B. At the tails T with B T ~ ω the form of A is
½E² + ¾E − d, d between 3/16 and 1/4: the worst case is ¾ + ½E − d/E up to O(1/E²).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp

from crtools.enclosure import ball, ball_pi, precision
from crtools.forms import form
from crtools.papers.adaptive.theorems.form.log_bound import AT_ZERO, RATIO, cauchy, e, gain, lower, sharp_upper
from crtools.papers.adaptive.theorems.form.tails import positivity
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.symbols import i, j, l, m, u, v
from crtools.proof.theorem import Theorem

WORST = rf"\sup_{{x\ge0}} {RATIO}"
ODD_SUM = r"E = \sum_{k=1}^{u} \tfrac1{2k-1}"


@cache
def deficit() -> Theorem:
    """At the tails T_l = 1/l, T_k = 1/(2k−1): TᵀCT = ½E² + ¾E − d with 3/16 ≤ d ≤ 1/4, where d decreases as u grows."""
    rest = (e + l**2) / (16 * (u - 1) ** 2)
    later = rest.subs(u, u + 1).subs(e, e + 1 / (2 * u - 1))
    proof = Proof("the deficit at s = 0", AT_ZERO)
    proof.cite(lower())
    proof.nonnegative(
        "the term of u, with E_{u−1} = 1 + e, adds at most F(u, e) − F(u+1, e + 1/(2u−1)), F = (e + l²)/(16(u−1)²)",
        rest - later - gain(),
        *(l >= 1, e >= 0, u >= l + 1),
        name="step",
    )
    proof.identity("F(l+1, 0)", rest.subs(u, l + 1).subs(e, 0), sp.Rational(1, 16), name="start")
    return proof.therefore(
        r"T^\top C T = \tfrac12E^2 + \tfrac34E - d,\ \tfrac3{16} \le d \le \tfrac14;\quad "
        r"d \text{ decreases with } u \text{, from } u \text{ on by at most } \tfrac{E - 1 + l^2}{16u^2}"
    ).qed()


@cache
def sharp() -> Theorem:
    """¾ + ½E − 1/(4E) ≤ worst case ≤ ¾ + ½E − 3/(8(2E+3))."""
    a = form("a-min").formula(i, j, sp.S.Zero)
    rest, value, size, d = sp.symbols("p lambda E d", positive=True)
    top = sp.Rational(3, 4)
    proof = Proof(
        "A_min's worst case at s = 0",
        AT_ZERO,
        rf"\tfrac34 + \tfrac12E - \tfrac1{{4E}} \le {WORST} \le \tfrac34 + \tfrac12E - \tfrac3{{8(2E+3)}},\quad "
        r"E = 1 + \sum_{k=l+1}^{u} \tfrac1{2k-1}",
    )
    proof.cite(cauchy(), lower(), sharp_upper(), positivity(), deficit())
    proof.integral(
        "P = A − ½ij is a Gram matrix, i ≤ j",
        6 * v * (1 - v / i) * (1 - v / j),
        (v, 0, i),
        a - i * j / 2,
        name="Gram",
    )
    proof.identity(
        "for 0 ≤ p ≤ ¾ < λ: 1/(λ−p) ≤ 1/λ + p/(λ(λ−¾))",
        1 / value + rest / (value * (value - top)) - 1 / (value - rest),
        rest * (top - rest) / (value * (value - top) * (value - rest)),
        Bound(value, top, strict=True),
        Bound(rest, 0, high=value),
        name="chord",
    )
    proof.therefore(
        r"1 = \tfrac12E\,e^\top(\lambda - P)^{-1}e \le \tfrac12E\Bigl(\tfrac1\lambda + \tfrac{m}{\lambda(\lambda-3/4)}\Bigr),"
        r"\quad m = e^\top P e = \tfrac34 - \tfrac dE",
        "λ is the largest eigenvalue of B⁻¹A, more than ¾ by the lower bound; in the scalar product of B the matrix ½ωωᵀ is ½E eeᵀ, "
        "e the unit vector of the weights with tails 1/l, 1/(2k−1), and 0 ≤ P ≤ ¾",
    )
    proof.identity(
        "that is λ − ¾ ≤ ½E − d/(2λ)",
        value * (value - top) * (size / 2 * (1 / value + (top - d / size) / (value * (value - top))) - 1),
        value * (size / 2 + top - value) - d / 2,
    )
    proof.identity("d/(2λ) at λ = ¾ + ½E and d = 3/16", d / (2 * (top + size / 2)), d / (size + sp.Rational(3, 2)))
    return proof.therefore(
        rf"{WORST} \le \tfrac34 + \tfrac12E - \tfrac{{d}}{{E+3/2}},\quad {WORST} \ge \tfrac34 + \tfrac12E - \tfrac dE"
    ).qed()


def _limit_of_deficit() -> str | None:
    """Add the terms of u in order: π²/48 lies between d − E/(16u²) and d, to within 10⁻⁶."""
    with precision(128):
        limit, total, odd = ball_pi() ** 2 / 48, ball(Fraction(1, 4)), ball(1)
        for last in range(2, 1001):
            total -= (odd * (2 * last - 1) - last + 1) / (4 * last * (last - 1) * (2 * last - 1) ** 2)
            odd += ball(1) / (2 * last - 1)
            if not (total > limit and total - odd / (16 * last**2) < limit):
                return f"u = {last}"
    return None


@cache
def expansion() -> Theorem:
    """At l = 1 the deficit tends to π²/48: worst case = ¼ ln u + ½ ln 2 + ¼γ + ¾ − (π²/24)/ln u + O(1/ln² u)."""
    odd = sp.Symbol("O", positive=True)  # O_{m−1} = Σ_{k<m} 1/(2k−1)
    proof = Proof("A_min's worst case at s = 0 and l = 1", "for every u ≥ 2 at s = 0, l = 1, of the forms")
    proof.cite(sharp())
    proof.identity(
        "the term of m, with E_{m−1} = O, at l = 1",
        gain().subs(l, 1).subs(e, odd - 1).subs(u, m),
        odd / (4 * m * (m - 1) * (2 * m - 1)) - 1 / (4 * m * (2 * m - 1) ** 2),
        (m, 2),
        name="term",
    )
    proof.identity(
        "1/(m(m−1)(2m−1)) in partial fractions",
        1 / (m * (m - 1) * (2 * m - 1)),
        1 / m + 1 / (m - 1) - 4 / (2 * m - 1),
        (m, 2),
        name="first",
    )
    proof.identity(
        "1/(m(2m−1)²)", 1 / (m * (2 * m - 1) ** 2), 1 / m - 2 / (2 * m - 1) + 2 / (2 * m - 1) ** 2, name="second"
    )
    proof.argued(
        r"\sum_{m\ge2} \frac{O_{m-1}}{m(m-1)(2m-1)} = \frac{\pi^2}6 - 2\ln2,\quad "
        r"\sum_{m\ge2} \frac1{m(2m-1)^2} = \frac{\pi^2}4 - 2\ln2 - 1,\quad d \to \tfrac{\pi^2}{48}",
        "in the first sum all terms are positive, so it may be taken by k, O_{m−1} = Σ_{k<m} 1/(2k−1): Σ_{m>k} 1/(m(m−1)(2m−1)) = "
        "1/k − 4∫ t^{2k}/(1+t) dt over [0, 1], by the alternating harmonic series. Σ_k 1/(k(2k−1)) = 2 ln 2, and Σ_k t^{2k}/(2k−1) = "
        "t artanh t, so the sum is 2 ln 2 − 4∫ t artanh t/(1+t) dt. With t/(1+t) = 1 − 1/(1+t): ∫ artanh t dt = ln 2, and with w = "
        "(1−t)/(1+t) the other part is −½∫ ln w/(1+w) dw = ½ Σ (−1)^{n−1}/n² = π²/24. The second sum is that of its partial "
        "fractions from 1 on, −2 ln 2 + 2·π²/8, less its first term 1. So d tends to ¼ − ¼(π²/6 − 2 ln 2) + ¼(π²/4 − 2 ln 2 − 1)",
        test=_limit_of_deficit,
        tested="the partial sums to u = 1000, which fix d's limit to 10⁻⁶",
        name="series",
    )
    proof.therefore(
        rf"\tfrac34 + \tfrac12E - \tfrac{{\pi^2}}{{48E}} - \tfrac1{{16u^2}} \le {WORST} \le "
        rf"\tfrac34 + \tfrac12E - \tfrac{{\pi^2}}{{48(E+3/2)}},\quad {ODD_SUM}",
        "d decreases with u, and by at most E/(16u²) from u on",
        name="bounds",
    )
    return proof.therefore(
        rf"{WORST} = \tfrac14\ln u + \tfrac12\ln2 + \tfrac\gamma4 + \tfrac34 - \frac{{\pi^2}}{{24\ln u}} + O\bigl(1/\ln^2u\bigr)",
        "E = H_{2u} − ½H_u = ½ ln u + ln 2 + ½γ + O(1/u²)",
    ).qed()

"""lem-pd: A_u and B_u are positive definite, and the steps of the published proof as worded."""

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.enclosure import ends, fraction, harmonic_ball, precision
from crtools.errors import InputError
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Proved, PublishedProof, Refuted, by_theorem
from crtools.ledger.deciders.ranges import every_real, formula_on, up_to_one
from crtools.ledger.evidence import agree
from crtools.ledger.readings import Reading
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import first_failure, function, one_of, whole
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import AT_ZERO, TEXT, reading_of, stated_claim, theorem
from crtools.proof.builder import Proof
from crtools.proof.symbols import k
from crtools.proof.theorem import Theorem

CRITERIA = ("g(0) > 0", "transform > 0")
"""Allowed criteria for strictness at distinct points, of a continuous positive definite g."""


@stated_claim("lem-pd")
def lem_pd(given: Given) -> Decision:
    """Decide definiteness at the given integer s, and the steps of the proof."""
    size = whole("s", given["s"])
    read = reading_of("lem-pd", s=size, criterion=given["strictness"].strip().replace("transform", "ĝ"))
    proof = _proof(given, read)
    findings = (
        Finding("a-definite", "$A_u$ is positive definite", a_definite(size)),
        Finding("b-definite", "$B_u$ is positive definite", by_theorem(theorem("B positive definite"))),
    )
    failure = first_failure(findings)
    why = failure or "both are Gram matrices of linearly independent functions, up to positive squares"
    line = failure or "both definite" + "; a proof sentence is false" * (proof.state == "false-step")
    if isinstance(a := findings[0].evidence, Refuted):
        line = f"$A_u$ is not definite at $s = {size}$"
        why = f"{line}, $u = {a.witness['u']}$"
    return Decision(line, (read.verdict(AT_ZERO, why, *findings),), proof)


def _proof(given: Given, read: Reading) -> PublishedProof:
    g, criterion = _read_g(given), one_of(given, "strictness", CRITERIA)
    power = number("hadamard_power", given["hadamard_power"])
    _, transform = formula_on("fourier", given["fourier"], {"xi": xi}, every_real("xi"))
    return read.proof(
        *["strictness"] * (criterion == "transform > 0"),
        hadamard=hadamard(power),
        normalised=normalised(g),
        fourier=fourier(g, transform),
        strictness=strictness(criterion),
        a_prime=by_theorem(theorem("A positive definite")),
    )


def _read_g(given: Given) -> sp.Poly:
    """Return g as a polynomial in r = e^{−|d|}."""
    r = sp.Symbol("r", positive=True)
    _, expr = formula_on("g", given["g"], {"r": r}, up_to_one("r"))
    poly = sp.Poly(expr, r) if expr.is_polynomial(r) else None
    if poly is None or poly.degree() > LARGEST_POWER or any(not c.is_Rational for c in poly.coeffs()):
        raise InputError("g", given["g"], "must be a polynomial in r = exp(-|d|) with rational coefficients")
    return poly


# ---- Lemma "positive-definite" and the steps of its published proof: each proved, or refuted at an instance ----------

xi = sp.Symbol("xi", real=True)

LARGEST_MINOR = 11
LARGEST_POWER = 64
"""Largest degree of g, and largest integer Hadamard power with a proof in rational functions."""


def a_definite(size: int) -> Evidence:
    """Decide "A_u is positive definite for every u" at s = ``size``, l = 1."""
    if size == 0:
        above_zero = [
            "$s = 1$: not for $u ≥ 2³⁷$, an explicit vector has a negative value",
            f"$s = 2$: $det A_5 = {_minor(5, 2)}$",
            "$s ≥ 3$: $det A_2 = −(s+1)(s+3)(s²−5)/(4(s+2)²) < 0$",
        ]
        return by_theorem(theorem("A positive definite"), values={"above_s_0": above_zero})
    return _a_at_one() if size == 1 else _negative_minor(size)


def _a_at_one() -> Evidence:
    proof = theorem("A indefinite, s = 1")
    if not proof.holds:
        return by_theorem(proof)
    with precision(80):
        harmonic = ends(harmonic_ball(4, 2**37))
    return Refuted(
        witness={"s": 1, "u": 2**37, "vector": "$z_2 = 1$, $z_3 = 0$, $z_m = 1/(6m)$, $z_1 = −½ Σ_{m≥2} z_m$"},
        claimed="$xᵀA_u x > 0$",
        actual="$2xᵀA_u x = 8 − H/3 − (1 + 4Q)/36 < 0$ with $H = Σ_{m=4}^u 1/m$, $Q = Σ_{m=4}^u 1/m²$",
        second={"eight_less_a_third_of_H_at_most": float(8 - harmonic[0] / 3), **_value_at(12)},
        theorems=proof.records,
    )


def _value_at(size: int) -> dict[str, str]:
    """Evaluate the vector of Theorem "A indefinite, s = 1" literally at a small u, against the formula of its value."""
    z = {2: Fraction(1), 3: Fraction(0), **{m: Fraction(1, 6 * m) for m in range(4, size + 1)}}
    z[1] = -sum(z.values(), Fraction(0)) / 2
    x = {m: (m + 1) * (z.get(m, 0) - 2 * z.get(m + 1, 0) + z.get(m + 2, 0)) for m in range(1, size + 1)}
    h, q = (sum((Fraction(1, m**power) for m in range(4, size + 1)), Fraction(0)) for power in (1, 2))
    value = agree(2 * literal.a_min_sum(x, 1, 1), 8 - h / 3 - (1 + 4 * q) / 36, "the vector's value")
    return {"small_u": str(size), "value_at_small_u_by_the_sums": str(value)}


def _negative_minor(size: int) -> Evidence:
    for u in range(2, LARGEST_MINOR + 1):
        value = _minor(u, size)
        second = agree(value, literal.determinant(literal.a_min_matrix(u, size)), f"det A_{u} at s = {size}")
        if value < 0:
            proof = theorem("A indefinite, s ≥ 3")
            also = proof.records if size >= 3 and proof.holds else ()
            return Refuted({"s": size, "u": u}, f"$det A_{u} > 0$", str(value), str(second), theorems=also)
    return Open(f"minors up to order {LARGEST_MINOR}")


def _minor(u: int, s: int) -> Fraction:
    a: Any = sp.Matrix(u, u, lambda x, y: form("a-min").entry(x + 1, y + 1, s))
    return fraction(a.det(method="domain-ge"))


def hadamard(power: Fraction) -> Evidence:
    """Decide "(min(i,j))^∘power is positive definite for every u"."""
    if power <= 0:
        return Refuted(
            witness={"u": 2, "power": str(power)},
            claimed="$det > 0$",
            actual=f"$det = 2^p − 1 ≤ 0$ at $p = {power}$",
            second="$cᵀMc = 1 + 2^p − 2$ at $c = (1, −1)$",
        )
    if power.denominator == 1 and power <= LARGEST_POWER:
        return by_theorem(theorem("Hadamard power") if power == 2 else _hadamard(int(power)))
    return Proved(
        argument="$min(i,j)^p = Σ_{k ≤ min(i,j)} (k^p − (k−1)^p)$, so the matrix is $UᵀWU$ with ones in the upper triangle $U$; the "
        f"weights are positive for every $p > 0$, here $p = {power}$, as $x^p$ increases in $x ≥ 0$"
    )


def _hadamard(power: int) -> Theorem:
    """Return the theorem of the text for another power."""
    square_theorem = theorem("Hadamard power")
    proof = Proof(f"Hadamard power {power}", f"for every u, p = {power}", square_theorem.statement)
    proof.positive("k^p − (k−1)^p > 0 for k ≥ 1", sp.expand(k**power - (k - 1) ** power), k >= 1)
    return proof.therefore(square_theorem.steps[-1].latex(), square_theorem.steps[-1].text).qed()


def normalised(g: sp.Poly) -> Evidence:
    """Decide a'_ij = (2/(ij)) a_ij − 1 = g(log i − log j), ``g`` a polynomial in r = e^{−|d|} = i/j, i ≤ j."""
    proof = TEXT.theorem("normalised entries", g=function(g.as_expr(), g.gen))
    if proof.holds:
        return by_theorem(proof)
    for top in range(1, 70):
        for low in range(1, top + 1):
            claimed: Any = g.eval(sp.Rational(low, top))
            actual = 2 * literal.a_min_entry(low, top) / (low * top) - 1
            second = agree(actual, 2 * form("a-min").entry(low, top) / (low * top) - 1, "a'_ij")
            if fraction(claimed) != actual:
                return Refuted({"i": low, "j": top}, str(claimed), str(actual), str(second))
    return Open("no proof, and no counterexample with $i ≤ j < 70$")


def fourier(g: sp.Poly, claimed: SymExpr) -> Evidence:
    """Decide that the transform of g is ``claimed`` and positive everywhere."""
    evidence = by_theorem(_fourier(g, claimed))
    if isinstance(evidence, Proved):
        return evidence
    terms = [(fraction(c), p) for (p,), c in g.terms()]
    if any(p == 0 for _, p in terms):
        constant = str(g.eval(0))
        return Refuted({"d": "∞"}, "$g(d) → 0$", f"$g(d) → {constant}$: not integrable", f"$g = {constant}$ at $r = 0$")
    for point in (Fraction(n, 2) for n in range(30)):
        exact = sum((c * 2 * p / (p * p + point * point) for c, p in terms), Fraction(0))
        numeric = _quadrature(terms, point)
        claimed_value = claimed.subs(xi, sp.Rational(point))
        difference = sp.simplify(claimed_value - sp.Rational(exact))
        equal = difference == 0 or (difference.is_zero is not False and not difference.is_number)
        if abs(numeric - float(exact)) < 1e-8 and (not equal or exact < 0):
            return Refuted({"xi": str(point)}, str(claimed_value), str(exact), numeric)
    return evidence


def _fourier(g: sp.Poly, claimed: SymExpr) -> Theorem:
    """Return the theorem of the text, or the same of another polynomial g, whose transform is Σ c_m 2m/(m² + ξ²)."""
    square = sp.Symbol("X", positive=True)
    in_squares: Any = claimed.subs(xi**2, square).subs(xi, sp.sqrt(square))
    if g.as_expr() == TEXT.value("displayed_g", g.gen):
        return TEXT.theorem("Fourier transform", h=function(in_squares, square))
    transform = sum((c * 2 * p / (p**2 + xi**2) for (p,), c in g.terms()), sp.Integer(0))
    proof = Proof("Fourier transform", "for every real ξ", rf"\hat g(\xi) = {sp.latex(claimed)} > 0")
    proof.identity("g(d) → 0, so g is integrable", g.eval(0), 0)
    proof.identity("term by term", transform, claimed)
    return proof.positive("in X = ξ² ≥ 0", in_squares, (square, 0)).qed()


def _quadrature(terms: list[tuple[Fraction, int]], point: Fraction) -> float:
    """Return 2 ∫_0^∞ g(d) cos(ξd) dd numerically."""
    import numpy as np
    from scipy.integrate import quad

    def g(d: float) -> float:
        return float(sum(float(c) * np.exp(-p * d) for c, p in terms))

    if point == 0:
        return 2 * float(quad(g, 0, np.inf, epsabs=1e-12)[0])
    return 2 * float(quad(g, 0, np.inf, weight="cos", wvar=float(point), epsabs=1e-12)[0])


def strictness(criterion: str) -> Evidence:
    """Decide that distinct points and ``criterion`` make (g(z_i − z_j)) strictly positive definite, for every such g."""
    if criterion == "transform > 0":
        return Proved(
            argument="$Σ c_i c_j g(z_i − z_j) = (1/2π) ∫ ĝ(ξ) |Σ c_j e^{iξz_j}|² dξ > 0$: exponentials with distinct $z_j$ are "
            "linearly independent, so the integrand is positive almost everywhere",
            uses=("Bochner",),
        )
    ones = [[Fraction(1)] * 2] * 2
    return Refuted(
        witness={"g": "$g(d) = 1$ for all $d$: continuous, even, positive definite, $g(0) = 1 > 0$", "z": [0, 1]},
        claimed="$(g(z_i − z_j))$ is strictly positive definite",
        actual=f"the matrix has ones only, determinant {literal.determinant(ones)}",
        second=f"$cᵀ(g(z_i − z_j))c = {sum(c * d for c in (1, -1) for d in (1, -1))}$ at $c = (1, −1)$",
    )

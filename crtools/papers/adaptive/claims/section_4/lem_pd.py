"""lem-pd: A_u and B_u are positive definite, and the steps of the published proof as worded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.enclosure import ends, harmonic_ball, precision
from crtools.errors import InputError
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import every_real, formula_on, up_to_one
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem, weakest
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form import definiteness as theorems
from crtools.proof.steps import vanishes
from crtools.setting import Setting

CRITERIA = ("g(0) > 0", "transform > 0")
"""What strictness at distinct points may be said to follow from, for a continuous positive definite g."""


def decide(given: Given) -> Decision:
    """Decide definiteness at the given integer s, and the three steps of the proof."""
    g = _read_g(given)
    shared = (_b_definite(given), _a_definite(given), _hadamard(given), _normalised(g), _fourier(g, given))
    stated, argued = (*shared, _strictness(given["strictness"])), (*shared, _strictness_here())
    a = shared[1]
    why = "A_u and B_u are positive definite" if a.status == "proved" else f"A_u: {a.status} at s = {given['s']}"
    if stated[-1].status == "refuted":
        why += "; the strictness sentence, as the inference that it makes, is false (g ≡ 1)"
    where = f"for every integer u ≥ 1, l = 1, s = {given['s']}, of the forms"
    method = "B = UᵀWU; A = ½ddᵀ + ½D(Gram)D; term-by-term Fourier transform; explicit counterexamples"
    verdicts = (
        Verdict(
            "as-stated",
            f"{where}; the proof's sentences as worded, the one on strictness as the inference that it makes: "
            "a continuous positive definite g with the named property",
            method,
            stated,
            why,
        ),
        Verdict(
            "where-argued",
            f"{where}; the proof's steps for its own g, whose transform is positive everywhere",
            method,
            argued,
            "both matrices are positive definite, and every step is right for the g at hand"
            if weakest(argued) == "proved"
            else next(f"{p.part}: {p.status}" for p in argued if p.status != "proved"),
        ),
    )
    wrong = next((p for p in shared[2:] if p.status == "refuted"), None)
    if wrong is not None:
        state = Proof("false-step", wrong.part)
    elif stated[-1].status == "refuted":
        state = Proof(
            "false-step",
            "strictness: distinct points and g(0) > 0 do not make (g(z_i − z_j)) strictly positive definite (g ≡ 1 "
            "gives the all-ones matrix); what holds here is that the transform is positive on an interval",
        )
    else:
        state = Proof("sound" if weakest(stated) == "proved" else "gap")
    repair = Repair(
        "for a continuous positive definite g: mutually distinct points and a Fourier transform that is positive everywhere make "
        "(g(z_i − z_j)) strictly positive definite; the transform of the proof's g, 12/((1+ξ²)(4+ξ²)), is positive everywhere",
        (_strictness("transform > 0"), shared[4]),
    )
    as_printed = given["g"] == CLAIM.given["g"] and given["fourier"] == CLAIM.given["fourier"]
    return Decision(verdicts, state, (repair,) if as_printed else ())


def _read_g(given: Given) -> Any:
    """Return g as a polynomial in r = e^{−|d|}."""
    r = sp.Symbol("r", positive=True)
    _, expr = formula_on("g", given["g"], {"r": r}, up_to_one("r"))
    if (
        not expr.is_polynomial(r)
        or sp.Poly(expr, r).degree() > 64
        or any(not c.is_Rational for c in sp.Poly(expr, r).coeffs())
    ):
        raise InputError("g", given["g"], "must be a polynomial in r = exp(-|d|) with rational coefficients")
    return sp.Poly(expr, r)


def _size(given: Given) -> int:
    s = number("s", given["s"])
    if s.denominator != 1 or s < 0:
        raise InputError("s", given["s"], "must be an integer ≥ 0")
    return int(s)


def _b_definite(given: Given) -> Part:
    return from_theorem(f"B_u is positive definite for every u (s = {_size(given)})", theorems.b_definite())


def _a_definite(given: Given) -> Part:
    s = _size(given)
    name = f"A_u is positive definite for every u (s = {s})"
    beyond = {
        "s = 1": theorems.indefinite_at_one().as_json(),
        "s = 2": {"first minor that is negative": "u = 5", "value": str(_minor(5, 2))},
        "s ≥ 3": theorems.indefinite_from_three().as_json(),
    }
    if s == 0:
        return from_theorem(name, theorems.a_definite(), **{"where it ends, for s > 0": beyond})
    if s == 1:
        proof = theorems.indefinite_at_one()
        return Part(
            name,
            "refuted" if proof.holds else "inconclusive",
            {**proof.as_json(), "counterexample": {"u": 2**37}, "second computation": _one_checked()},
        )
    for u in range(2, 12):
        value, other = _minor(u, s), literal.determinant(literal.matrices(u, s)[0])
        if value != other:
            raise AssertionError(f"two computations of det A_{u} at s = {s} differ")
        if value < 0:
            evidence = {"counterexample": {"s": s, "u": u}, "det A_u": str(value), "second computation": str(other)}
            return Part(name, "refuted", evidence)
    return Part(name, "inconclusive", {"tried": "minors up to order 11"})


def _minor(u: int, s: int) -> Fraction:
    a = form("a-min").on(Setting(s, 1, u)).matrix()
    value: Any = sp.Matrix(u, u, lambda x, y: sp.Rational(a[x, y].numerator, a[x, y].denominator)).det(
        method="domain-ge"
    )
    return Fraction(int(value.p), int(value.q))


def _one_checked(size: int = 12) -> dict[str, str]:
    """Evaluate the vector of Theorem "A indefinite, s = 1" literally at a small u, against the formula of its value."""
    z = {2: Fraction(1), 3: Fraction(0), **{m: Fraction(1, 6 * m) for m in range(4, size + 1)}}
    z[1] = -sum(z.values(), Fraction(0)) / 2
    x = {m: (m + 1) * (z.get(m, 0) - 2 * z.get(m + 1, 0) + z.get(m + 2, 0)) for m in range(1, size + 1)}
    h = sum((Fraction(1, m) for m in range(4, size + 1)), Fraction(0))
    q = sum((Fraction(1, m * m) for m in range(4, size + 1)), Fraction(0))
    value, formula = 2 * literal.a_min_sum(x, 1, 1, size), 8 - h / 3 - (1 + 4 * q) / 36
    if value != formula:
        raise AssertionError("the vector's value differs from its formula")
    with precision(80):
        harmonic = ends(harmonic_ball(4, 2**37))
    return {
        "8 − H/3 at u = 2³⁷, by the digamma function, at most": repr(float(8 - harmonic[0] / 3)),
        "u": str(size),
        "2xᵀAx, literal": str(value),
        "8 − H/3 − (1 + 4Q)/36": str(formula),
    }


def _hadamard(given: Given) -> Part:
    power = number("hadamard_power", given["hadamard_power"])
    name = f"Hadamard step: (min(i,j))^∘{power} is positive definite"
    if power > 0 and power.denominator == 1 and power <= 64:
        return from_theorem(name, theorems.hadamard(int(power)))
    if power <= 0:
        # the 2 × 2 minor 2^p − 1 ≤ 0
        ones = "1 + 2**p - 2 = 2**p - 1, of c = (1, -1)"
        evidence = {"counterexample": {"u": 2}, "minor": f"2**({power}) - 1 ≤ 0", "second computation": ones}
        return Part(name, "refuted", evidence)
    return Part(name, "inconclusive", {"tried": "only integer powers up to 64 are decided"})


def _normalised(g: Any) -> Part:
    i, j = sp.symbols("i j", positive=True)
    a = form("a-min").formula(i, j, sp.Integer(0))
    r = g.gen
    name = "a'_ij = (2/(ij)) a_ij − 1 = g(log i − log j), with r = e^{−|d|}"
    if vanishes(2 * a / (i * j) - 1 - g.as_expr().subs(r, i / j)):
        return Part(name, "proved", {"identity": f"2*a_ij/(i*j) - 1 = {g.as_expr()} at r = i/j, i ≤ j"})
    for top in range(1, 70):
        for low in range(1, top + 1):
            claimed: Any = g.eval(sp.Rational(low, top))
            actual = 2 * literal.a_min_entry(low, top) / (low * top) - 1
            other = 2 * form("a-min").entry(low, top) / (low * top) - 1
            if actual == other and Fraction(int(claimed.p), int(claimed.q)) != actual:
                at = {"i": low, "j": top}
                evidence = {"claimed": str(claimed), "actual": str(actual), "second computation": str(other)}
                return Part(name, "refuted", {"counterexample": at, **evidence})
    return Part(name, "inconclusive", {"tried": "no proof, and no counterexample with i ≤ j < 70"})


def _fourier(g: Any, given: Given) -> Part:
    name = "the Fourier transform of g, and its sign"
    xi = theorems.xi
    _, claimed = formula_on("fourier", given["fourier"], {"xi": xi}, every_real("xi"))
    part = from_theorem(name, theorems.fourier(g.as_expr(), claimed))
    if part.status == "proved":
        return part
    terms = [(Fraction(int(c.p), int(c.q)), p) for (p,), c in g.terms()]
    if any(p == 0 for _, p in terms):
        return Part(
            name,
            "refuted",
            {"counterexample": "g has a constant term: it is not integrable", "second computation": str(g.eval(0))},
        )
    for point in (Fraction(n, 2) for n in range(30)):
        exact = sum((c * 2 * p / (p * p + point * point) for c, p in terms), Fraction(0))
        numeric = _quadrature(terms, point)
        shown = claimed.subs(xi, sp.Rational(point.numerator, point.denominator))
        differs = not shown.is_Rational or Fraction(int(shown.p), int(shown.q)) != exact
        if abs(numeric - float(exact)) < 1e-8 and ((differs and not _equal(shown, exact)) or exact < 0):
            at = {"xi": str(point)}
            evidence = {"claimed": str(shown), "actual": str(exact), "second computation": repr(numeric)}
            return Part(name, "refuted", {"counterexample": at, **evidence})
    return Part(name, "inconclusive", part.evidence)


def _equal(shown: Any, exact: Fraction) -> bool:
    difference = sp.simplify(shown - sp.Rational(exact.numerator, exact.denominator))
    return difference == 0 or (difference.is_zero is not False and not difference.is_number)


def _quadrature(terms: list[tuple[Fraction, int]], point: Fraction) -> float:
    """Return 2 ∫_0^∞ g(d) cos(ξd) dd numerically."""
    import numpy as np
    from scipy.integrate import quad

    def g(d: float) -> float:
        return float(sum(float(c) * np.exp(-p * d) for c, p in terms))

    if point == 0:
        return 2 * float(quad(g, 0, np.inf, epsabs=1e-12)[0])
    return 2 * float(quad(g, 0, np.inf, weight="cos", wvar=float(point), epsabs=1e-12)[0])


def _strictness(criterion: str) -> Part:
    if criterion not in CRITERIA:
        raise InputError("strictness", criterion, f"must be one of {', '.join(repr(c) for c in CRITERIA)}")
    name = (
        f"strictness argument: mutually distinct points and {criterion} make (g(z_i − z_j)) strictly positive definite"
    )
    if criterion == "transform > 0":
        text = (
            "Σ c_i c_j g(z_i − z_j) = (1/2π) ∫ ĝ(ξ) |Σ c_j e^{iξz_j}|² dξ > 0: exponentials with distinct z_j are "
            "linearly independent, so the integrand is positive almost everywhere"
        )
        return Part(name, "proved", {"argument": text}, ("Bochner",))
    ones = [[Fraction(1)] * 2] * 2
    evidence = {
        "counterexample": {"g": "g(d) = 1 for all d (continuous, even, positive definite, g(0) = 1 > 0)", "z": [0, 1]},
        "matrix": [["1", "1"], ["1", "1"]],
        "determinant": str(literal.determinant(ones)),
        "second computation": "c = (1, −1): cᵀ(g(z_i − z_j))c = " + str(sum(c * d for c in (1, -1) for d in (1, -1))),
        "what holds": "for the g of the proof the conclusion is true, because its transform is positive everywhere",
    }
    return Part(name, "refuted", evidence)


def _strictness_here() -> Part:
    """Strictness for the g of the proof, by the Gram matrix of linearly independent functions."""
    return from_theorem("strictness for the g of the proof", theorems.a_definite())


CLAIM = Claim(
    id="lem-pd",
    place='Lemma "positive-definite"',
    statement="A_u and B_u are positive definite for every u; the Hadamard step, the Fourier transform, the strictness argument as worded",
    given={
        "s": "0",
        "hadamard_power": "2",
        "g": "2*r - r**2",
        "fourier": "12/((1+xi**2)*(4+xi**2))",
        "strictness": "g(0) > 0",
    },
    decide=decide,
    rests_on=("cor-ab",),
    corrupted=(
        Variant("another prompt size", {"s": "3"}, "A_u"),
        Variant("the last prompt size that looks definite", {"s": "1"}, "A_u"),
        Variant("a coefficient of g", {"g": "2*r - 101/100*r**2"}, "a'_ij"),
        Variant("a constant of the transform", {"fourier": "12/((1+xi**2)*(2+xi**2))"}, "the Fourier"),
        Variant("the Hadamard power 0", {"hadamard_power": "0"}, "Hadamard"),
        Variant("a sign of g", {"g": "2*r + r**2"}, "a'_ij"),
        Variant("the transform off by 1 %", {"fourier": "12.12/((1+xi**2)*(4+xi**2))"}, "the Fourier"),
    ),
    variants=(
        Variant("the criterion that does imply strictness", {"strictness": "transform > 0"}, "strictness"),
        Variant("partial fractions", {"fourier": "4/(1+xi**2) - 4/(4+xi**2)"}, "the Fourier"),
        Variant("the Hadamard cube", {"hadamard_power": "3"}, "Hadamard"),
    ),
)

"""lem-pd: A_u and B_u are positive definite, and the steps of the published proof as worded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.claims import literal
from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.result import Decision, Part, Proof, Verdict, from_theorem
from crtools.errors import InputError
from crtools.expressions import number, parse, symbolic
from crtools.forms import form
from crtools.setting import Setting
from crtools.theorems import definiteness as theorems
from crtools.theorems.steps import vanishes

CRITERIA = ("g(0) > 0", "transform > 0")
"""What strictness at distinct points may be said to follow from, for a continuous positive definite g."""


def decide(given: Given) -> Decision:
    """Decide definiteness at the given integer s, and the three steps of the proof."""
    parts = (
        _b_definite(given),
        _a_definite(given),
        _hadamard(given),
        _normalised(given),
        _fourier(given),
        _strictness(given),
    )
    a, strict = parts[1], parts[5]
    why = "A_u and B_u are positive definite" if a.status == "proved" else f"A_u: {a.status} at s = {given['s']}"
    if strict.status == "refuted":
        why += "; the strictness sentence of the proof is false as worded (g ≡ 1)"
    verdict = Verdict(
        "as-stated",
        f"for every integer u ≥ 1, l = 1, s = {given['s']}, of the forms; the proof's sentences as worded, the one on "
        "strictness as the inference that it makes: a continuous positive definite g with the named property",
        "B = UᵀWU; A = ½ddᵀ + ½D(Gram)D; term-by-term Fourier transform; explicit counterexamples",
        parts,
        why,
    )
    state = (
        Proof("sound")
        if strict.status == "proved"
        else Proof(
            "false-step",
            "strictness: distinct points and g(0) > 0 do not make (g(z_i − z_j)) strictly positive definite (g ≡ 1 gives "
            "the all-ones matrix); what holds here is that the transform is positive on an interval",
        )
    )
    return Decision((verdict,), state)


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
    return {"u": str(size), "2xᵀAx, literal": str(value), "8 − H/3 − (1 + 4Q)/36": str(formula)}


def _hadamard(given: Given) -> Part:
    power = number("hadamard_power", given["hadamard_power"])
    name = f"Hadamard step: (min(i,j))^∘{power} is positive definite"
    if power > 0 and power.denominator == 1 and power <= 64:
        return from_theorem(name, theorems.hadamard(int(power)))
    if power <= 0:
        # the 2 × 2 minor 2^p − 1 ≤ 0
        return Part(name, "refuted", {"counterexample": {"u": 2}, "minor": f"2**({power}) - 1 ≤ 0"})
    return Part(name, "inconclusive", {"tried": "only integer powers up to 64 are decided"})


def _normalised(given: Given) -> Part:
    r = sp.Symbol("r", positive=True)
    g = symbolic(parse("g", given["g"], ("r",)), {"r": r})
    i, j = sp.symbols("i j", positive=True)
    a = form("a-min").formula(i, j, sp.Integer(0))
    holds = vanishes(2 * a / (i * j) - 1 - g.subs(r, i / j))
    name = "a'_ij = (2/(ij)) a_ij − 1 = g(log i − log j), with r = e^{−|d|}"
    if holds:
        return Part(name, "proved", {"identity": f"2*a_ij/(i*j) - 1 = {g} at r = i/j, i ≤ j"})
    for top in range(1, 20):
        for low in range(1, top + 1):
            ratio = Fraction(low, top)
            claimed: Any = sp.Rational(g.subs(r, sp.Rational(low, top)))
            actual = 2 * literal.a_min_entry(low, top) / (low * top) - 1
            other = 2 * form("a-min").entry(low, top) / (low * top) - 1
            if actual == other and Fraction(int(claimed.p), int(claimed.q)) != actual:
                evidence = {
                    "counterexample": {"i": low, "j": top},
                    "claimed": str(claimed),
                    "actual": str(actual),
                    "second computation": str(other),
                    "r": str(ratio),
                }
                return Part(name, "refuted", evidence)
    return Part(name, "inconclusive", {"tried": "no proof, and no counterexample with i ≤ j < 20"})


def _fourier(given: Given) -> Part:
    r, name = sp.Symbol("r", positive=True), "the Fourier transform of g, and its sign"
    g = symbolic(parse("g", given["g"], ("r",)), {"r": r})
    claimed = symbolic(parse("fourier", given["fourier"], ("xi",)), {"xi": theorems.xi})
    try:
        theorem = theorems.fourier(g, claimed)
        part = from_theorem(name, theorem)
    except (sp.PolynomialError, ValueError, TypeError) as error:
        return Part(name, "inconclusive", {"tried": f"g or its transform is not of the form decided here: {error}"})
    if theorem.holds:
        return part
    # ∫ g(d) cos(ξd) dd by quadrature, and term by term: two routes at one rational point
    import mpmath as mp

    poly = sp.Poly(g, r)
    for point in (Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2)):
        exact = sum(
            (Fraction(int(c.p), int(c.q)) * 2 * p / (p * p + point * point) for (p,), c in poly.terms() if p),
            Fraction(0),
        )
        with mp.workdps(20):
            wave = mp.mpf(point.numerator) / point.denominator
            terms = [(mp.mpf(int(c.p)) / int(c.q), p) for (p,), c in poly.terms()]

            def integrand(d: object, terms: object = terms, wave: object = wave) -> object:
                return sum(c * mp.exp(-p * d) for c, p in terms) * mp.cos(wave * d)  # pyright: ignore

            numeric = 2 * mp.quad(integrand, [0, 2, 5, 10, 20, 60])
        shown = sp.sympify(claimed).subs(theorems.xi, sp.Rational(point.numerator, point.denominator))
        agree = abs(numeric - mp.mpf(exact.numerator) / exact.denominator) < mp.mpf(10) ** -9
        if agree and shown.is_number and sp.simplify(shown - sp.Rational(exact.numerator, exact.denominator)) != 0:
            evidence = {
                "counterexample": {"xi": str(point)},
                "claimed": str(shown),
                "actual": str(exact),
                "second computation": mp.nstr(numeric, 12),
            }
            return Part(name, "refuted", evidence)
    return Part(name, "inconclusive", part.evidence)


def _strictness(given: Given) -> Part:
    criterion = given["strictness"]
    if criterion not in CRITERIA:
        raise InputError("strictness", criterion, f"must be one of {', '.join(repr(c) for c in CRITERIA)}")
    name = (
        "strictness argument: mutually distinct points and "
        + criterion
        + " make (g(z_i − z_j)) strictly positive definite"
    )
    if criterion == "transform > 0":
        fourier = _fourier(given)
        text = "Σ c_i c_j g(z_i − z_j) = (1/2π) ∫ ĝ(ξ) |Σ c_j e^{iξz_j}|² dξ > 0: exponentials with distinct z_j are linearly independent"
        return Part(
            name,
            fourier.status,
            {"argument": text, "transform": fourier.evidence},
            ("Bochner",) if fourier.status == "proved" else (),
        )
    ones = [[Fraction(1)] * 2] * 2
    evidence = {
        "counterexample": {"g": "g(d) = 1 for all d (continuous, even, positive definite, g(0) = 1 > 0)", "z": [0, 1]},
        "matrix": [["1", "1"], ["1", "1"]],
        "determinant": str(literal.determinant(ones)),
        "second computation": "c = (1, −1): cᵀ(g(z_i − z_j))c = " + str(sum(c * d for c in (1, -1) for d in (1, -1))),
        "what holds": "for the g at hand the conclusion is true, because its transform is positive everywhere",
    }
    return Part(name, "refuted", evidence)


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
    ),
    variants=(
        Variant("the criterion that does imply strictness", {"strictness": "transform > 0"}, "strictness"),
        Variant("partial fractions", {"fourier": "4/(1+xi**2) - 4/(4+xi**2)"}, "the Fourier"),
        Variant("the Hadamard cube", {"hadamard_power": "3"}, "Hadamard"),
    ),
)

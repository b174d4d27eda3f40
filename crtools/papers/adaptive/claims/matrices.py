"""cor-ab, b-inverse, t1, t2 and trace: entries of A_u, B_u and B_u⁻¹, and T_1, T_2 and the trace; lem-pd: definiteness.

All at l = 1; lem-pd takes s, the others are at s = 0. The right values of entries come from two routes that share no code: the
toolkit's entries with the printed columns of B_u⁻¹, once their product with B_u is checked, and the paper's double sums with
differences.
"""

import ast
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import Any

import sympy as sp

from crtools.enclosure import ends, fraction, harmonic_ball, precision
from crtools.errors import InputError
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Proved, Refuted, agree, by_theorem
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import every_real, formula_on, integers_from, pairs_from_one, up_to_one
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import at_zero, first_failure, function, generalised, one_of, whole
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import AT_ZERO, TEXT, reading_of, stated_claim, theorem
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, s, u
from crtools.proof.theorem import Theorem


@stated_claim("cor-ab")
def cor_ab(given: Given) -> Decision:
    """Decide the two entries, and the displayed coefficient of x_i x_j."""
    a_min, h_sf = form("a-min"), form("h-sf")
    a_routes, b_routes = (a_min.entry, literal.a_min_entry), (h_sf.entry, literal.h_sf_entry)
    twice = (lambda x, y: 2 * a_min.entry(x, y), lambda x, y: 2 * literal.a_min_entry(x, y))
    general = f"$a_ij = {str(a_min.formula(i, j, s)).replace('**', '^')}$ for $i ≤ j$"
    a = generalised(entry(given, "a", "entries of A_u", "a", a_routes), theorem("entries"), for_every_s_and_l=general)
    b = entry(given, "b", "entries of B_u", "b", b_routes)
    cross = entry(given, "cross_sum", "coefficient of x_i x_j", "c", twice, diagonal=False)
    findings = (
        Finding("entries-of-a", "$a_ij$ are the coefficients of the Lemma's numerator", a),
        Finding("entries-of-b", "$b_ij$ are those of its denominator", b),
    )
    read = reading_of("cor-ab")
    proof = read.proof(cross_term=cross, denominator=b)
    why = "the Lemma's double sums telescope to both matrices"
    return at_zero(read, why, "$a_ij$ and $b_ij$ as printed", findings, proof)


@stated_claim("b-inverse")
def b_inverse(given: Given) -> Decision:
    """Decide the three kinds of entries; each is refuted at a size u and a row where it is wrong."""
    diagonal = generalised(inverse_entry(given, "diagonal"), theorem("inverse of B, general"))
    findings = (
        Finding("diagonal", "$(B_u⁻¹)_ii$ for $i < u$", diagonal),
        Finding("last", "$(B_u⁻¹)_uu$, the last row", inverse_entry(given, "last")),
        Finding("off-diagonal", "$(B_u⁻¹)_{i,i+1}$", inverse_entry(given, "off_diagonal")),
    )
    read = reading_of("b-inverse")
    why = "$B = UᵀWU$: every row times every column of $B_u$ is 0 or 1"
    return at_zero(read, why, "tridiagonal as printed, last row included", findings, read.proof())


Part = Callable[[Fraction, Fraction], Fraction]


@stated_claim("t1")
def t1(given: Given) -> Decision:
    """Decide the closed form of T_1."""
    says = "$T_1(u) = Σ_i (B_u⁻¹)_ii a_ii$ has this closed form"
    return _closed_form("t1", given, says, lambda t1, t2: t1, "$T_1(u)$ exactly, for every $u$")


@stated_claim("t2")
def t2(given: Given) -> Decision:
    """Decide the closed form of 2T_2, and its summand."""
    says = "$2T_2(u) = 2 Σ_{i<u} (B_u⁻¹)_{i,i+1} a_{i,i+1}$ has this closed form"
    line = "$2T_2(u)$ exactly, for every $u$"
    return _closed_form("t2", given, says, lambda t1, t2: 2 * t2, line, summand=summand(given))


@stated_claim("trace")
def trace(given: Given) -> Decision:
    """Decide the trace, and that the two closed forms add up."""
    says, line = "$tr(B_u⁻¹A_u)$ is this sum", "$H_u$ exactly, for every $u$"
    combined = by_theorem(theorem("t1 and t2 combined"))
    return _closed_form("trace", given, says, lambda t1, t2: t1 + 2 * t2, line, combined=combined)


def _closed_form(id: str, given: Given, says: str, part: Part, line: str, **displays: Evidence) -> Decision:
    """Decide a closed form in u of ``part`` of (T_1, T_2), for all u ≥ 1: the parameter F of the theorem named as the claim."""
    tree, expr = formula_on("closed_form", given["closed_form"], {"u": u}, integers_from(u=1))
    first, second = (lambda p, sums=sums: part(*sums(p["u"])) for sums in (checked_sums, direct_sums))
    near, far = (sizes(*span) for span in RANGES)
    far += [{"u": n} for n in beyond(tree)]
    proof = partial(TEXT.theorem, id, F=function(expr, u))
    finding = Finding("closed-form", says, decide_formula(says, proof, tree, near, first, second, far))
    read = reading_of(id)
    return at_zero(read, "equal at $u = 1$, with equal increments", line, (finding,), read.proof(**displays))


LARGEST, FURTHER, FARTHEST = 9, 16, 1000
"""Sizes u and rows up to the first are compared with exact matrices; where there is no proof, up to the second, and just
beyond the integers up to the third that the formula names."""

RANGES = ((1, LARGEST), (LARGEST + 1, FURTHER))

INVERSE = {"diagonal": ("d", "diagonal", i), "last": ("e", "last", u), "off_diagonal": ("f", "off", i)}
"""The entries of B_u⁻¹, (i, i) for i < u, (u, u) and (i, i+1): the theorem's parameter, the text's function, its variable."""


# ---- formulas ------------------------------------------------------------------------------------------------------

Routes = tuple[Callable[[int, int], Fraction], ...]
"""Two computations of an entry at i and j."""


def entry(given: Given, name: str, what: str, parameter: str, routes: Routes, *, diagonal: bool = True) -> Evidence:
    """Decide a formula in i and j for all i, j ≥ 1, or for i ≠ j: the theorem named ``what`` takes it as its parameter."""
    tree, expr = formula_on(name, given[name], {"i": i, "j": j}, pairs_from_one())

    first, second = (lambda p, route=route: route(p["i"], p["j"]) for route in routes)
    near, far = ([p for p in pairs(*span) if diagonal or p["i"] != p["j"]] for span in RANGES)
    far += [{"i": x, "j": y} for n in beyond(tree) for x, y in ((n, n + 1), (n + 1, n), (1, n), (n, 1))]
    proof = partial(TEXT.theorem, what, **{parameter: function(expr, i, j)})
    return decide_formula(what, proof, tree, near, first, second, far)


def inverse_entry(given: Given, name: str) -> Evidence:
    """Decide the formula for one kind of entry of B_u⁻¹."""
    parameter, _, at = INVERSE[name]
    last = at == u
    tree, claimed = formula_on(name, given[name], {str(at): at}, integers_from(**{str(at): 1}))
    parts = {parameter: function(TEXT.value(of, at), at) for parameter, of, at in INVERSE.values()}
    proof = partial(TEXT.theorem, "inverse of B_u", **{**parts, parameter: function(claimed, at)})

    def indices(p: Point) -> tuple[int, int, int]:
        row = p["u"] if last else p["i"]
        return p["u"], row, row + 1 if name == "off_diagonal" else row

    first, second = (lambda p, route=route: route(*indices(p)) for route in (checked_entry, direct))
    near, far = (sizes(*span) if last else rows(*span) for span in RANGES)
    far += [{"u": n} if last else {"u": n + 1, "i": n} for n in beyond(tree)]
    return decide_formula(f"inverse of B_u, {name.replace('_', ' ')}", proof, tree, near, first, second, far)


def summand(given: Given) -> Evidence:
    """Decide the summand of T_2, which is T_2(i + 1) − T_2(i)."""
    tree, displayed = formula_on("terms", given["terms"], {"i": i}, integers_from(i=1))
    first, second = (lambda p, sums=sums: sums(p["i"] + 1)[1] - sums(p["i"])[1] for sums in (checked_sums, direct_sums))
    near, far = ([{"i": row} for row in range(a, b)] for a, b in ((1, LARGEST), (LARGEST, FURTHER)))
    far += [{"i": n} for n in beyond(tree)]
    proof = partial(TEXT.theorem, "summand of T_2", f=function(displayed, i))
    return decide_formula("the summand of T_2", proof, tree, near, first, second, far)


# ---- points --------------------------------------------------------------------------------------------------------


def sizes(first: int, last: int) -> list[dict[str, int]]:
    """Return the sizes u = first, …, last as points."""
    return [{"u": size} for size in range(first, last + 1)]


def rows(first: int, last: int) -> list[dict[str, int]]:
    """Return the rows i < u of the sizes u = first, …, last as points."""
    return [{"u": size, "i": row} for size in range(first, last + 1) for row in range(1, size)]


def pairs(first: int, last: int) -> list[dict[str, int]]:
    """Return the (i, j) with a maximum from ``first`` to ``last``, in both orders, the smaller maximum first."""
    points = [{"i": x, "j": y} for x in range(1, last + 1) for y in range(1, last + 1) if max(x, y) >= first]
    return sorted(points, key=lambda p: max(p.values()))


def beyond(tree: ast.expr) -> list[int]:
    """Return the integers just after those that a formula names, where a maximum or a minimum may have bent, from 18 on."""
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    named = {int(v) for v in values if isinstance(v, int | Fraction) and v == int(v) and FURTHER < v < FARTHEST}
    return sorted(n + 1 for n in named)


# ---- two routes ----------------------------------------------------------------------------------------------------


def checked_entry(size: int, row: int, column: int) -> Fraction:
    """Return the printed entry of B_u⁻¹; the product of its column with B_u is checked."""
    return _column(size, column).get(row, Fraction(0))


@lru_cache(maxsize=4 * FARTHEST)
def _column(size: int, column: int) -> dict[int, Fraction]:
    """Return the printed entries of a column of B_u⁻¹ that are not 0; their product with every row of B_u must be 0 or 1."""
    entries = {column: Fraction(4 * column, 4 * column**2 - 1) if column < size else Fraction(1, 2 * size - 1)}
    entries |= {row: Fraction(-1, row + column) for row in (column - 1, column + 1) if 1 <= row <= size}
    whole = lcm(*(value.denominator for value in entries.values()))
    parts = [(row, int(value * whole)) for row, value in entries.items()]
    b = form("h-sf").formula
    product = [sum(b(min(k, row), max(k, row), 0) * part for row, part in parts) for k in range(1, size + 1)]
    agree(product, [whole * (k == column) for k in range(1, size + 1)], "a column of B_u's inverse, times B_u")
    return entries


def direct(size: int, row: int, column: int) -> Fraction:
    """Solve min(i,j)² x = e_column by the differences of min(i,j)², without the printed entries."""

    def second(m: int) -> Fraction:  # (T_k)/w_k with T the tail sums' right-hand side
        return Fraction(int(m == column) - int(m - 1 == column), 2 * m - 1)

    return second(row) - (second(row + 1) if row < size else 0)


def _sums(
    size: int, inverse: Callable[[int, int, int], Fraction], a: Callable[[int, int], Fraction]
) -> tuple[Fraction, Fraction]:
    def along(above: int) -> Fraction:
        row_numbers = range(1, size + 1 - above)
        return sum((inverse(size, k, k + above) * a(k, k + above) for k in row_numbers), Fraction(0))

    return along(0), along(1)


def checked_sums(size: int) -> tuple[Fraction, Fraction]:
    """Return T_1 and T_2 from :func:`checked_entry` and the toolkit's entries."""
    return _sums(size, checked_entry, form("a-min").entry)


def direct_sums(size: int) -> tuple[Fraction, Fraction]:
    """Return T_1 and T_2 from :func:`direct` and the paper's sums."""
    return _sums(size, direct, literal.a_min_entry)


# ---- lem-pd: A_u and B_u are positive definite, and the steps of the published proof as worded ------------------------

CRITERIA = ("g(0) > 0", "transform > 0")
"""Allowed criteria for strictness at distinct points, of a continuous positive definite g."""


@stated_claim("lem-pd")
def lem_pd(given: Given) -> Decision:
    """Decide definiteness at the given integer s, and the steps of the proof."""
    size, r = whole("s", given["s"]), sp.Symbol("r", positive=True)
    read = reading_of("lem-pd", s=size, criterion=given["strictness"].strip().replace("transform", "ĝ"))
    _, expr = formula_on("g", given["g"], {"r": r}, up_to_one("r"))
    g = sp.Poly(expr, r) if expr.is_polynomial(r) else None
    if g is None or g.degree() > LARGEST_POWER or any(not c.is_Rational for c in g.coeffs()):
        raise InputError("g", given["g"], "must be a polynomial in r = exp(-|d|) with rational coefficients")
    criterion = one_of(given, "strictness", CRITERIA)
    power = number("hadamard_power", given["hadamard_power"])
    _, transform = formula_on("fourier", given["fourier"], {"xi": xi}, every_real("xi"))
    proof = read.proof(
        *["strictness"] * (criterion == "transform > 0"),
        hadamard=hadamard(power),
        normalised=normalised(g),
        fourier=fourier(g, transform),
        strictness=strictness(criterion),
        a_prime=by_theorem(theorem("A positive definite")),
    )
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
    for order in range(2, LARGEST_MINOR + 1):
        value = _minor(order, size)
        second = agree(value, literal.determinant(literal.a_min_matrix(order, size)), f"det A_{order} at s = {size}")
        if value < 0:
            proof = theorem("A indefinite, s ≥ 3")
            also = proof.records if size >= 3 and proof.holds else ()
            return Refuted({"s": size, "u": order}, f"$det A_{order} > 0$", str(value), str(second), theorems=also)
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
        p, square = int(power), theorem("Hadamard power")
        if p == 2:
            return by_theorem(square)
        proof = Proof(f"Hadamard power {p}", f"for every u, p = {p}", square.statement)
        proof.positive("k^p − (k−1)^p > 0 for k ≥ 1", sp.expand(k**p - (k - 1) ** p), k >= 1)
        return by_theorem(proof.therefore(square.steps[-1].latex(), square.steps[-1].text).qed())
    return Proved(
        argument="$min(i,j)^p = Σ_{k ≤ min(i,j)} (k^p − (k−1)^p)$, so the matrix is $UᵀWU$ with ones in the upper triangle $U$; the "
        f"weights are positive for every $p > 0$, here $p = {power}$, as $x^p$ increases in $x ≥ 0$"
    )


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

"""cor-ab, b-inverse, t1, t2 and trace: entries of A_u, B_u and B_u⁻¹, and T_1, T_2 and the trace, at s = 0, l = 1.

The right values come from two routes that share no code: the toolkit's entries with columns of B_u⁻¹ that are multiplied by B_u, and
the paper's double sums with differences.
"""

import ast
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm

from crtools.forms import form
from crtools.ledger import Decision, Evidence, Finding, Given, agree, by_theorem
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, integers_from, pairs_from_one
from crtools.papers.adaptive.evidence.reading import at_zero, function, generalised
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import TEXT, reading_of, stated_claim, theorem
from crtools.proof.symbols import i, j, s, u


@stated_claim("cor-ab")
def cor_ab(given: Given) -> Decision:
    """Decide the two entries, and the displayed coefficient of x_i x_j."""
    a_min, h_sf = form("a-min"), form("h-sf")
    a_routes, b_routes = (a_min.entry, literal.a_min_entry), (h_sf.entry, literal.h_sf_entry)
    twice = (lambda x, y: 2 * a_min.entry(x, y), lambda x, y: 2 * literal.a_min_entry(x, y))
    a = entry(given, "a", "entries of A_u", "a", a_routes)
    b = entry(given, "b", "entries of B_u", "b", b_routes)
    cross = entry(given, "cross_sum", "coefficient of x_i x_j", "c", twice, diagonal=False)
    general = f"$a_ij = {str(a_min.formula(i, j, s)).replace('**', '^')}$ for $i ≤ j$"
    findings = (
        Finding(
            "entries-of-a",
            "$a_ij$ are the coefficients of the Lemma's numerator",
            generalised(a, theorem("entries"), for_every_s_and_l=general),
        ),
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
    combined = by_theorem(theorem("t1 and t2 combined"))
    line = "$H_u$ exactly, for every $u$"
    return _closed_form(
        "trace", given, "$tr(B_u⁻¹A_u)$ is this sum", lambda t1, t2: t1 + 2 * t2, line, combined=combined
    )


def _closed_form(id: str, given: Given, says: str, part: Part, line: str, **displays: Evidence) -> Decision:
    """Decide a closed form in u of ``part`` of (T_1, T_2), for all u ≥ 1: the parameter F of the theorem named as the claim."""
    tree, expr = formula_on("closed_form", given["closed_form"], {"u": u}, integers_from(u=1))
    first, second = (lambda p, sums=sums: part(*sums(p["u"])) for sums in (dense_sums, direct_sums))
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


def entry(
    given: Given,
    name: str,
    what: str,
    parameter: str,
    routes: tuple[Callable[[int, int], Fraction], ...],
    *,
    diagonal: bool = True,
) -> Evidence:
    """Decide a formula in i and j for all i, j ≥ 1, or for i ≠ j: the theorem named ``what`` takes it as its parameter."""
    tree, expr = formula_on(name, given[name], {"i": i, "j": j}, pairs_from_one())

    first, second = (lambda p, route=route: route(p["i"], p["j"]) for route in routes)
    near, far = ([p for p in pairs(*span) if diagonal or p["i"] != p["j"]] for span in RANGES)
    far += [{"i": x, "j": y} for n in beyond(tree) for x, y in ((n, n + 1), (n + 1, n), (1, n), (n, 1))]
    proof = partial(TEXT.theorem, what, **{parameter: function(expr, i, j)})
    return decide_formula(what, proof, tree, near, first, second, far)


def inverse_entry(given: Given, name: str) -> Evidence:
    """Decide the formula for one kind of entry of B_u⁻¹."""
    last = name == "last"
    symbols = {"u": u} if last else {"i": i}
    tree, claimed = formula_on(name, given[name], symbols, integers_from(**dict.fromkeys(symbols, 1)))
    what = f"inverse of B_u, {name.replace('_', ' ')}"
    parts = {parameter: function(TEXT.value(of, at), at) for parameter, of, at in INVERSE.values()}
    parameter, _, at = INVERSE[name]
    proof = partial(TEXT.theorem, "inverse of B_u", **{**parts, parameter: function(claimed, at)})

    def indices(p: Point) -> tuple[int, int, int]:
        row = p["u"] if last else p["i"]
        return p["u"], row, row + 1 if name == "off_diagonal" else row

    near, far = (sizes(*span) if last else rows(*span) for span in RANGES)
    far += [{"u": n} if last else {"u": n + 1, "i": n} for n in beyond(tree)]
    return decide_formula(what, proof, tree, near, lambda p: dense(*indices(p)), lambda p: direct(*indices(p)), far)


def summand(given: Given) -> Evidence:
    """Decide the summand of T_2, which is T_2(i + 1) − T_2(i)."""
    tree, displayed = formula_on("terms", given["terms"], {"i": i}, integers_from(i=1))
    first, second = (lambda p, sums=sums: sums(p["i"] + 1)[1] - sums(p["i"])[1] for sums in (dense_sums, direct_sums))
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


def dense(size: int, row: int, column: int) -> Fraction:
    """Return an entry of B_u⁻¹, from a column that is multiplied by B_u."""
    return _column(size, column).get(row, Fraction(0))


@lru_cache(maxsize=4 * FARTHEST)
def _column(size: int, column: int) -> dict[int, Fraction]:
    """Return the entries of a column of B_u⁻¹ that are not 0: those printed, whose product with every row of B_u is 0 or 1."""
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


def dense_sums(size: int) -> tuple[Fraction, Fraction]:
    """Return T_1 and T_2 from :func:`dense` and the toolkit's entries."""
    return _sums(size, dense, form("a-min").entry)


def direct_sums(size: int) -> tuple[Fraction, Fraction]:
    """Return T_1 and T_2 from :func:`direct` and the paper's sums."""
    return _sums(size, direct, literal.a_min_entry)

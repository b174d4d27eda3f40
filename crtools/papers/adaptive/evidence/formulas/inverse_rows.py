"""Entries of A_u, B_u and B_u⁻¹, and the paper's T_1, T_2 and trace, at s = 0, l = 1: is a formula for them right?

The right values come from two routes that share no code: the toolkit's entries and dense elimination, the paper's double
sums and differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from crtools.ledger import Evidence, Given
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, integers_from, pairs_from_one
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form import entries as entry_theorems
from crtools.papers.adaptive.theorems.form import inverse as inverse_theorems
from crtools.papers.adaptive.theorems.form import trace as trace_theorems
from crtools.proof.symbols import i, j, u
from crtools.proof.theorem import Theorem

LARGEST, FURTHER = 9, 16
"""Sizes u and rows up to the first are compared with exact matrices; where there is no proof, up to the second."""

Entry = Callable[[int, int], Fraction]

INVERSE = {
    "diagonal": trace_theorems.DIAGONAL,
    "last": trace_theorems.LAST,
    "off_diagonal": trace_theorems.OFF_DIAGONAL,
}
"""The entries of B_u⁻¹: (i, i) for i < u, (u, u), and (i, i+1)."""


# ---- formulas ------------------------------------------------------------------------------------------------------


def entry(
    given: Given,
    name: str,
    what: str,
    theorem: Callable[[Any], Theorem],
    routes: tuple[Entry, Entry],
    *,
    diagonal: bool = True,
) -> Evidence:
    """Decide a formula in i and j for all i, j ≥ 1, or for i ≠ j; ``theorem`` takes it for i ≤ j."""
    tree, expr = formula_on(name, given[name], {"i": i, "j": j}, pairs_from_one())

    def prove() -> Theorem:
        found = theorem(entry_theorems.ordered(expr))
        return replace(found, name=what, steps=(*found.steps, entry_theorems.symmetric(expr)))

    first, second = (lambda p, route=route: route(p["i"], p["j"]) for route in routes)
    near, far = (
        [p for p in pairs(*ends) if diagonal or p["i"] != p["j"]] for ends in ((1, LARGEST), (LARGEST + 1, FURTHER))
    )
    return decide_formula(what, prove, tree, near, first, second, far)


def inverse_entry(given: Given, name: str) -> Evidence:
    """Decide the formula for one kind of entry of B_u⁻¹."""
    last = name == "last"
    symbols = {"u": u} if last else {"i": i}
    tree, claimed = formula_on(name, given[name], symbols, integers_from(**dict.fromkeys(symbols, 1)))
    what = f"inverse of B_u, {name.replace('_', ' ')}"
    shown = "inverse of B_u" if claimed == INVERSE[name] else what  # the printed entries make one theorem of all three

    def at(value: Callable[[int, int, int], Fraction]) -> Callable[[Point], Fraction]:
        def entry_of(p: Point) -> Fraction:
            row = p["u"] if last else p["i"]
            return value(p["u"], row, row + 1 if name == "off_diagonal" else row)

        return entry_of

    points = sizes if last else rows
    return decide_formula(
        what,
        lambda: replace(inverse_theorems.inverse(**{**INVERSE, name: claimed}), name=shown),
        tree,
        points(1, LARGEST),
        at(lambda size, row, column: dense(size)[0][row - 1][column - 1]),
        at(direct),
        points(LARGEST + 1, FURTHER),
    )


def closed_form(
    given: Given, says: str, theorem: Callable[[Any], Theorem], routes: tuple[Callable[[int], Fraction], ...]
) -> Evidence:
    """Decide a closed form in u, for all u ≥ 1."""
    tree, expr = formula_on("closed_form", given["closed_form"], {"u": u}, integers_from(u=1))
    first, second = (lambda p, route=route: route(p["u"]) for route in routes)
    further = sizes(LARGEST + 1, FURTHER)
    return decide_formula(says, lambda: theorem(expr), tree, sizes(1, LARGEST), first, second, further)


def summand(given: Given) -> Evidence:
    """Decide the summand of T_2."""
    tree, shown = formula_on("terms", given["terms"], {"i": i}, integers_from(i=1))
    near, far = ([{"i": row} for row in range(a, b)] for a, b in ((1, LARGEST), (LARGEST, FURTHER)))
    first, second = (lambda p, route=route: route(p["i"]) for route in (dense_term, direct_term))
    theorem = trace_theorems.t2_summand
    return decide_formula("the summand of T_2", lambda: theorem(shown), tree, near, first, second, far)


# ---- points --------------------------------------------------------------------------------------------------------


def sizes(first: int, last: int) -> list[dict[str, int]]:
    """Return the sizes u = first, …, last as points."""
    return [{"u": size} for size in range(first, last + 1)]


def rows(first: int, last: int) -> list[dict[str, int]]:
    """Return the rows i < u of the sizes u = first, …, last as points."""
    return [{"u": size, "i": row} for size in range(first, last + 1) for row in range(1, size)]


def pairs(first: int, last: int) -> list[dict[str, int]]:
    """Return the (i, j) with a maximum from ``first`` to ``last``, in both orders, the smaller maximum first."""
    found = [{"i": x, "j": y} for x in range(1, last + 1) for y in range(1, last + 1) if max(x, y) >= first]
    return sorted(found, key=lambda p: max(p.values()))


# ---- two routes ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=FURTHER + 1)
def dense(size: int) -> tuple[list[list[Fraction]], tuple[Fraction, Fraction]]:
    """Return B_u⁻¹ by elimination, and T_1 and T_2 from it."""
    _, b = literal.matrices(size)
    return literal.inverse(b), literal.t1_t2(size)


def direct(size: int, row: int, column: int) -> Fraction:
    """Solve min(i,j)² x = e_column by the differences of min(i,j)², another route than elimination."""

    def second(m: int) -> Fraction:  # (T_k)/w_k with T the tail sums' right-hand side
        return Fraction(int(m == column) - int(m - 1 == column), 2 * m - 1)

    return second(row) - (second(row + 1) if row < size else 0)


def dense_t1(size: int) -> Fraction:
    """Return T_1 by elimination."""
    return dense(size)[1][0]


def dense_t2(size: int) -> Fraction:
    """Return T_2 by elimination."""
    return dense(size)[1][1]


def direct_t1(size: int) -> Fraction:
    """Return T_1 from :func:`direct`."""
    return sum((direct(size, k, k) * k * k for k in range(1, size + 1)), Fraction(0))


def direct_t2(size: int) -> Fraction:
    """Return T_2 from :func:`direct`."""
    return sum((direct(size, k, k + 1) * literal.a_min_entry(k, k + 1) for k in range(1, size)), Fraction(0))


def dense_term(row: int) -> Fraction:
    """Return the summand of T_2 at i = row, as a difference of two sums."""
    return dense_t2(row + 1) - (dense_t2(row) if row > 1 else 0)


def direct_term(row: int) -> Fraction:
    """Return the summand of T_2 at i = row from :func:`direct`."""
    return direct(FURTHER, row, row + 1) * literal.a_min_entry(row, row + 1)


def dense_trace(size: int) -> Fraction:
    """Return T_1 + 2T_2 by elimination."""
    return dense_t1(size) + 2 * dense_t2(size)


def direct_trace(size: int) -> Fraction:
    """Return T_1 + 2T_2 from :func:`direct`."""
    return direct_t1(size) + 2 * direct_t2(size)

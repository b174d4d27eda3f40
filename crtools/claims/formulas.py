"""Deciding whether a formula that a claim is given holds: a proof, or a counterexample confirmed twice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

import sympy as sp

from crtools.claims.result import Part, from_theorem
from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.expressions import denominators, evaluate, symbolic
from crtools.theorems.steps import Positive
from crtools.theorems.theorem import Theorem

Point = Mapping[str, int]
Where = tuple[tuple[str, int | str], ...]
"""The formula's range: names with their lower bounds, an int or an earlier name."""


def undefined_somewhere(tree: ast.expr, where: Where) -> str | None:
    """Return None where every denominator is shown to be non-zero in the range, else the one that is not.

    A denominator is taken for both orders of i and j where the formula has both, and with the index of a sum around
    it bounded below by the sum's lower end.
    """
    names = [n for n, _ in where]
    try:
        found = denominators(tree)
    except ArithmeticError as error:
        return str(error)
    for node, sums in found:
        symbols: dict[str, Any] = {n: sp.Symbol(n, integer=True) for n in names}
        ranges: list[tuple[Any, Any]] = [(symbols[n], b if isinstance(b, int) else symbols[b]) for n, b in where]
        for around in sums:
            index, low = around.args[1], around.args[2]
            assert isinstance(index, ast.Name)
            bound = symbolic(low, symbols)
            symbols = {**symbols, index.id: sp.Dummy(index.id, integer=True)}
            ranges.append((symbols[index.id], bound))
        value = symbolic(node, symbols)
        if value.has(sp.Sum):
            return "a denominator contains a sum"
        orders = [value]
        if {"i", "j"} <= set(names):
            i, j = symbols["i"], symbols["j"]
            orders = [value, value.xreplace({i: j, j: i})]
            orders = [v.xreplace({sp.Min(i, j): i, sp.Max(i, j): j}) for v in orders]
        for v in orders:
            signs = [Positive(name="", expr=sign * v, where=tuple(ranges)) for sign in (1, -1)]
            if all(step.check() is not None for step in signs):
                return f"the denominator {v} is not shown to be non-zero in the range"
    return None


def undefined_somewhere_real(tree: ast.expr, name: str) -> str | None:
    """Return None where every denominator, a polynomial in one real variable, has no real root, else the one that has."""
    x = sp.Symbol(name, real=True)
    for node, sums in denominators(tree):
        if sums:
            return "a denominator inside a sum"
        value = symbolic(node, {name: x})
        if sp.count_roots(sp.Poly(sp.fraction(sp.together(value))[0], x)) if value.has(x) else value == 0:
            return f"the denominator {value} has a real root"
    return None


def decide_formula(
    name: str,
    theorem: Callable[[], Theorem],
    tree: ast.expr,
    points: Iterable[Point],
    where: Where,
    first: Callable[[Point], Fraction],
    second: Callable[[Point], Fraction],
    further: Iterable[Point] = (),
) -> Part:
    """Decide whether the formula ``tree`` gives the right value everywhere.

    ``theorem()`` proves it or not. ``first`` and ``second`` compute the right value at a point by two routes that
    share no code; a point where both differ from the formula refutes it. A formula that is undefined at a point of
    its range is refuted there too; a proof counts only if every denominator is shown not to vanish in the range
    ``where``. Points of ``further`` are looked at only where there is no proof. Without a proof and without such a point: inconclusive.
    """
    try:
        doubt = undefined_somewhere(tree, where)
        part = from_theorem(name, theorem()) if doubt is None else Part(name, "inconclusive", {"tried": doubt})
    except (ArithmeticError, ValueError, TypeError, NotImplementedError, sp.PolynomialError) as error:
        part = Part(name, "inconclusive", {"tried": f"no proof: {error}"})
    checked = 0
    for point in chain(points, () if part.status == "proved" else further):
        try:
            claimed = _claimed(tree, point)
        except (ArithmeticError, ValueError, TypeError, OverflowError):
            evidence = {"tried": "the formula has no real value at integers, or too large a one", **part.evidence}
            return Part(name, part.status, evidence, part.uses)
        one, two = first(point), second(point)
        if one != two:
            raise AssertionError(f"two computations of {name} differ at {dict(point)}: {one} and {two}")
        if claimed is None or one not in claimed:
            evidence: dict[str, Any] = {
                "counterexample": dict(point),
                "claimed": "undefined" if claimed is None else _shown(claimed),
                "actual": str(one),
                "second computation": str(two),
                "smaller points checked": checked,
            }
            if part.evidence.get("steps"):
                failed = [s for s in part.evidence["steps"] if not s["holds"]]
                evidence["failing step"] = failed[:1]
            if part.status == "proved":
                raise AssertionError(f"{name} is proved and has a counterexample at {dict(point)}")
            return Part(name, "refuted", evidence)
        checked += 1
    return Part(name, part.status, {**part.evidence, "points checked": checked}, part.uses)


def _claimed(tree: ast.expr, point: Point) -> Enclosure | None:
    """Return the formula's value at integers, exact where it is rational; None where it divides by zero."""
    try:
        value = evaluate(tree, point)
        return Enclosure(value, value)
    except ZeroDivisionError:
        return None
    except ArithmeticError:
        return enclose(symbolic(tree, {name: sp.Integer(k) for name, k in point.items()}), {}, 30)


def _shown(value: Enclosure) -> str:
    return str(value.lower) if value.width == 0 else value.decimals(20)[0]

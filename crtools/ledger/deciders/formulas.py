"""Deciding whether a formula that a claim is given holds: a proof, or a counterexample confirmed twice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.expressions import evaluate, symbolic
from crtools.ledger.agree import agree
from crtools.ledger.evidence import Open, Proved, Refuted, by_theorem
from crtools.proof.theorem import Theorem

Point = Mapping[str, int]


def decide_formula(
    what: str,
    theorem: Callable[[], Theorem],
    tree: ast.expr,
    points: Iterable[Point],
    first: Callable[[Point], Fraction],
    second: Callable[[Point], Fraction],
    further: Iterable[Point] = (),
) -> Proved | Refuted | Open:
    """Decide whether the formula ``tree`` gives the right value everywhere; ``what`` names it.

    ``first`` and ``second`` compute the right value at a point by two routes that share no code; a point where both differ
    from the formula refutes it, and is looked for first. ``theorem()`` proves it or not. Points of ``further`` are looked at
    only where there is no proof. Without a proof and without such a point it stays open. The formula is defined at every
    point (:func:`crtools.ledger.deciders.ranges.formula_on`).
    """
    looked = _look(what, tree, points, first, second)
    if isinstance(looked, Refuted):
        return looked
    try:
        found = by_theorem(theorem())
    except (ArithmeticError, ValueError, TypeError, NotImplementedError, sp.PolynomialError) as error:
        found = Open(f"no proof: {error}")
    if isinstance(found, Proved):
        return replace(found, values={**found.values, "points_checked": looked})
    again = _look(what, tree, further, first, second, looked)
    return again if isinstance(again, Refuted) else Open(found.tried, {**found.values, "points_checked": again})


def _look(
    what: str,
    tree: ast.expr,
    points: Iterable[Point],
    first: Callable[[Point], Fraction],
    second: Callable[[Point], Fraction],
    checked: int = 0,
) -> Refuted | int:
    """Return the first point where the formula is wrong, or how many were ``checked`` until its value was too large."""
    for point in points:
        try:
            claimed = _claimed(tree, point)
        except (ArithmeticError, ValueError, TypeError, OverflowError):
            return checked
        one = first(point)
        two = agree(one, second(point), f"{what} at {dict(point)}")
        if one not in claimed:
            return Refuted(dict(point), _shown(claimed), str(one), str(two), values={"smaller_points_checked": checked})
        checked += 1
    return checked


def _claimed(tree: ast.expr, point: Point) -> Enclosure:
    """Return the formula's value at integers, exact where it is rational."""
    try:
        value = evaluate(tree, point)
        return Enclosure(value, value)
    except ArithmeticError:
        return enclose(symbolic(tree, {name: sp.Integer(k) for name, k in point.items()}), {}, 30)


def _shown(value: Enclosure) -> str:
    return str(value.lower) if value.width == 0 else value.decimals(20)[0]

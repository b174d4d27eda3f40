"""Deciding whether a formula that a claim is given holds: a proof, or a counterexample confirmed twice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain

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

    ``theorem()`` proves it or not. ``first`` and ``second`` compute the right value at a point by two routes that
    share no code; a point where both differ from the formula refutes it. Points of ``further`` are looked at only where
    there is no proof. Without a proof and without such a point it stays open. The formula is defined at every point
    (:func:`crtools.ledger.deciders.ranges.formula_on`).
    """
    try:
        found = by_theorem(theorem())
    except (ArithmeticError, ValueError, TypeError, NotImplementedError, sp.PolynomialError) as error:
        found = Open(f"no proof: {error}")
    checked = 0
    for point in chain(points, () if isinstance(found, Proved) else further):
        try:
            claimed = _claimed(tree, point)
        except (ArithmeticError, ValueError, TypeError, OverflowError):
            return found if isinstance(found, Proved) else Open(f"{found.tried}; at integers it has too large a value")
        one = first(point)
        two = agree(one, second(point), f"{what} at {dict(point)}")
        if one not in claimed:
            if isinstance(found, Proved):
                raise AssertionError(f"{what} is proved and has a counterexample at {dict(point)}")
            values = {"smaller_points_checked": checked, "proof": found.tried}
            return Refuted(dict(point), _shown(claimed), str(one), str(two), values=values)
        checked += 1
    return replace(found, values={**found.values, "points_checked": checked})


def _claimed(tree: ast.expr, point: Point) -> Enclosure:
    """Return the formula's value at integers, exact where it is rational."""
    try:
        value = evaluate(tree, point)
        return Enclosure(value, value)
    except ArithmeticError:
        return enclose(symbolic(tree, {name: sp.Integer(k) for name, k in point.items()}), {}, 30)


def _shown(value: Enclosure) -> str:
    return str(value.lower) if value.width == 0 else value.decimals(20)[0]

"""Deciding whether a formula that a claim is given holds: a proof, or a counterexample confirmed twice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.expressions import evaluate, symbolic
from crtools.ledger.result import Part, from_theorem
from crtools.proof.theorem import Theorem

Point = Mapping[str, int]


def decide_formula(
    name: str,
    theorem: Callable[[], Theorem],
    tree: ast.expr,
    points: Iterable[Point],
    first: Callable[[Point], Fraction],
    second: Callable[[Point], Fraction],
    further: Iterable[Point] = (),
) -> Part:
    """Decide whether the formula ``tree`` gives the right value everywhere.

    ``theorem()`` proves it or not. ``first`` and ``second`` compute the right value at a point by two routes that
    share no code; a point where both differ from the formula refutes it. Points of ``further`` are looked at only where
    there is no proof. Without a proof and without such a point: inconclusive. The formula is defined at every point
    (:func:`crtools.ledger.deciders.ranges.formula_on`).
    """
    try:
        part = from_theorem(name, theorem())
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
        if one not in claimed:
            evidence: dict[str, Any] = {
                "counterexample": dict(point),
                "claimed": _shown(claimed),
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


def _claimed(tree: ast.expr, point: Point) -> Enclosure:
    """Return the formula's value at integers, exact where it is rational."""
    try:
        value = evaluate(tree, point)
        return Enclosure(value, value)
    except ArithmeticError:
        return enclose(symbolic(tree, {name: sp.Integer(k) for name, k in point.items()}), {}, 30)


def _shown(value: Enclosure) -> str:
    return str(value.lower) if value.width == 0 else value.decimals(20)[0]

"""Deciding whether a formula that a claim is given holds: a proof, or a counterexample confirmed twice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from crtools.claims.result import Part, from_theorem
from crtools.expressions import evaluate
from crtools.theorems.theorem import Theorem

Point = Mapping[str, int]


def decide_formula(
    name: str,
    theorem: Callable[[], Theorem],
    tree: ast.expr,
    points: Iterable[Point],
    first: Callable[[Point], Fraction],
    second: Callable[[Point], Fraction],
) -> Part:
    """Decide whether the formula ``tree`` gives the right value everywhere.

    ``theorem()`` proves it or not. ``first`` and ``second`` compute the right value at a point by two routes that
    share no code; a point where both differ from the formula refutes it. A formula that is undefined at a point of
    its range is refuted there too. Without a proof and without such a point: inconclusive.
    """
    try:
        proof = theorem()
        part = from_theorem(name, proof)
    except (ArithmeticError, ValueError, TypeError, NotImplementedError) as error:
        part = Part(name, "inconclusive", {"tried": f"no proof: {error}"})
    checked = 0
    for point in points:
        try:
            claimed: Fraction | None = evaluate(tree, point)
        except ZeroDivisionError:
            claimed = None
        except (ArithmeticError, ValueError, OverflowError):
            return Part(name, "inconclusive", {**part.evidence, "tried": "the formula is not rational at integers"})
        one, two = first(point), second(point)
        if one != two:
            raise AssertionError(f"two computations of {name} differ at {dict(point)}: {one} and {two}")
        if claimed != one:
            evidence: dict[str, Any] = {
                "counterexample": dict(point),
                "claimed": "undefined" if claimed is None else str(claimed),
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

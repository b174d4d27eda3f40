"""``decide_formula`` and ``decide_identity``: a given formula is proved, or refuted at a point by two computations."""

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeAlias

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError
from crtools.expressions import evaluate, free_symbols, symbolic
from crtools.ledger.evidence import Evidence, JsonValue, Open, Proved, Refuted, agree, by_theorem
from crtools.numeric_types import Exact, JsonObject, SymExpr
from crtools.proof.steps import Computation, Identity, Inference, Step
from crtools.proof.theorem import Theorem
from crtools.signs.numbers import compare
from crtools.signs.ranges import Range

Point = Mapping[str, Any]
"""Integers or fractions by name."""

Value: TypeAlias = "Exact | Enclosure | SymExpr"
"""What a computation returns: an exact number, an enclosure, or a SymPy number."""

SHORT = 40
"""Characters up to which fractions are written as they are."""


def decide_formula(
    what: str,
    theorem: Callable[[], Theorem],
    tree: ast.expr,
    points: Iterable[Point],
    direct: Callable[[Point], Value],
    second: Callable[[Point], Value],
    further: Iterable[Point] = (),
) -> Proved | Refuted | Open:
    """Decide whether the formula ``tree`` gives the right value everywhere; ``what`` names it.

    ``direct`` and ``second`` compute the right value at a point by two methods that share no code; a point where both differ from
    the formula refutes it. If none of ``points`` does, ``theorem()`` may prove it. If it does not, the points of ``further`` are
    tested, and without a refutation the formula stays open. It is defined at every point
    (:func:`crtools.ledger.deciders.ranges.formula_on`).
    """

    def first_refutation(points: Iterable[Point], checked: int = 0) -> Refuted | int:
        """Return the first refutation, or the number of points ``checked`` until the formula cannot be evaluated."""
        for point in points:
            try:
                claimed = _claimed(tree, point)
            except (ArithmeticError, ValueError, TypeError, OverflowError):
                return checked
            at = f"{what} at {point_as_json(point)}"
            one = as_enclosure(direct(point), at)
            two = agree(one, as_enclosure(second(point), at), at)
            if one.upper < claimed.lower or claimed.upper < one.lower:
                values = {"smaller_points_checked": checked}
                # a formula without variables has no point
                witness = point_as_json(point) or {what: value_text(claimed)}
                return Refuted(witness, *_differing(claimed, one), value_text(two), values=values)
            checked += 1
        return checked

    checked = first_refutation(points)
    if isinstance(checked, Refuted):
        return checked
    try:
        proof = by_theorem(theorem())
    except (ArithmeticError, ValueError, TypeError, NotImplementedError, sp.PolynomialError) as error:
        proof = Open(f"no proof: {error}")
    if isinstance(proof, Proved):
        return replace(proof, values={**proof.values, "points_checked": checked})
    checked = first_refutation(further, checked)
    return checked if isinstance(checked, Refuted) else Open(proof.tried, {**proof.values, "points_checked": checked})


def _claimed(tree: ast.expr, point: Point) -> Enclosure:
    try:
        value = evaluate(tree, point)
        return Enclosure(value, value)
    except ArithmeticError:
        exact = {name: sp.Rational(k.numerator, k.denominator) for name, k in point.items()}
        return enclose(symbolic(tree, exact), {}, 30)


def as_enclosure(value: Value, name: str = "value") -> Enclosure:
    """Return a value as bounds: a number, or a SymPy number, to 30 digits where it is not rational.

    Raises ``InputError`` for anything but an exact number: a float that is off by rounding would refute a true claim.
    """
    if isinstance(value, Enclosure):
        return value
    if isinstance(value, sp.Basic) and not value.has(sp.Float):
        return enclose(value, {}, 30)
    try:
        if not isinstance(value, int | Rational):
            raise TypeError
        return Enclosure(Fraction(value), Fraction(value))
    except (TypeError, ValueError, OverflowError):
        allowed = "must be exact: an int, a Fraction, an Enclosure or a SymPy number; a float is not"
        raise InputError(name, repr(value), allowed) from None


def point_as_json(point: Point) -> JsonObject:
    """Return a point as JSON data; a value may be a list of numbers."""

    def datum(value: Any) -> Any:
        if isinstance(value, list):
            return [datum(each) for each in value]
        return int(value) if value.denominator == 1 else str(value)

    return {name: datum(value) for name, value in point.items()}


def value_text(value: Enclosure, digits: int = 20) -> str:
    """Return an exact value as a fraction, and any other as a decimal with ``digits`` digits."""
    return str(value.lower) if value.width == 0 else value.decimals(digits)[0]


def _differing(claimed: Enclosure, right: Enclosure) -> tuple[str, str]:
    """Return both numbers as texts that differ."""
    pairs = ((value_text(claimed, digits), value_text(right, digits)) for digits in (20, 30))
    return next((pair for pair in pairs if pair[0] != pair[1]), (str(claimed.lower), str(right.lower)))


def decide_identity(
    name: str,
    claimed: SymExpr,
    true: SymExpr,
    on: Range,
    second: Callable[[Mapping[str, Fraction]], JsonValue],
    scope: str,
    because: str = "",
) -> Evidence:
    """Decide whether two expressions in the names of ``on`` are equal there: a rational difference exactly, whatever its size.

    It is refuted at a point at which the difference does not vanish. ``name``: the name of the theorem that proves it, which
    ``beside`` of a theory's text names for a display. ``second``: computes the true value at a point by other code; it is recorded,
    not compared. ``scope``: where the identity is claimed, in words. ``because``: why the true side has the meaning of the name, a
    sentence that counts as a step in words.
    """
    claimed, true = sp.sympify(claimed), sp.sympify(true)
    for point in distinct(claimed - true, on):
        substitution: dict[Any, Any] = {symbol: point[symbol.name] for symbol in free_symbols(claimed, true)}
        sides = [sp.sympify(side).subs(substitution) for side in (claimed, true)]
        if compare(*sides) not in (None, 0):
            at = {key: fraction(value) for key, value in point.items()}
            witness = {key: str(value) for key, value in at.items()}
            return Refuted(witness, *_separating_texts(*sides), second(at), "an identity: no limit is taken")
    try:
        steps = [_display(name, claimed, true, on)]
        says = sp.latex(sp.Eq(claimed, true, evaluate=False))
        if because:
            steps.append(Inference(name="2", conclusion=says, text=because, premises=("display",)))
        return by_theorem(Theorem(name, says, scope, tuple(steps)))
    except (ValueError, sp.PolynomialError) as error:
        return Open(f"no proof: {error}")


def _display(name: str, claimed: SymExpr, true: SymExpr, on: Range) -> Step:
    """Return the step that two rational functions are equal; ``ValueError`` for others.

    The kernel judges it if coefficients show that nothing is divided by 0 in the range. Otherwise crtools cancels, and the step
    counts as computed; that the formula is defined on the range was decided before.
    """
    named: Mapping[str, SymExpr] = {symbol.name: symbol for symbol in free_symbols(claimed, true)}
    where = tuple((named[name], *limits) for name, *limits in on.bounds if name in named)
    step = Identity(name="display", text=name, lhs=claimed, rhs=true, where=where)
    if step.check() is None:
        return step

    def cancelled() -> str | None:
        difference = sp.cancel(sp.together(claimed - true))
        return None if difference == 0 else f"the two sides differ by {difference}"

    return Computation(name="display", text=f"{name}: cancelled by crtools", conclusion=step.latex(), compute=cancelled)


def distinct(difference: SymExpr, on: Range) -> Iterable[Mapping[str, SymExpr]]:
    """Iterate over points of a range at which an expression may differ from 0.

    For a rational function it is one point where it differs, or none: each parameter in turn gets the least positive integer for which
    the remaining polynomial is not 0. For other expressions it is a few points.
    """
    case, parameters = on.cases[0], on.parameters[0]
    whole = sp.sympify(difference).subs({symbol: case[str(symbol)] for symbol in sp.sympify(difference).free_symbols})
    chosen: list[dict[SymExpr, SymExpr]] = [{}] if whole != 0 and not parameters else []
    if parameters and whole.is_rational_function(*parameters) and all(p.exp.is_Integer for p in whole.atoms(sp.Pow)):
        above, below = sp.fraction(sp.cancel(sp.together(whole)))
        polynomial: Any = sp.Poly(above, *parameters) * sp.Poly(below, *parameters)
        if not polynomial.is_zero:
            chosen = [{}]
            for parameter in parameters:
                values = (polynomial.as_expr().subs(parameter, k) for k in range(1, polynomial.degree(parameter) + 2))
                k, remaining = next((k, expr) for k, expr in enumerate(map(sp.expand, values), start=1) if expr != 0)
                chosen[0][parameter] = sp.Integer(k)
                polynomial = sp.Poly(remaining, *parameters)
    elif parameters:
        chosen = [{p: sp.Integer(1 + (n + i) % 5) for i, p in enumerate(parameters)} for n in range(5)]
    for values in chosen:
        yield {key: sp.sympify(expr).subs(values) for key, expr in case.items()}


def _separating_texts(one: SymExpr, two: SymExpr) -> tuple[str, str]:
    """Write two different numbers: as short fractions, else with as many digits as show the difference."""
    if all(value.is_Rational and len(str(value)) <= SHORT for value in (one, two)):
        return str(one), str(two)
    pairs = (tuple(enclose(value, {}, digits).decimals(digits)[0] for value in (one, two)) for digits in (20, 60, 200))
    return next(((a, b) for a, b in pairs if a != b), (str(one), str(two)))

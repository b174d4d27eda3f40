"""Ranges of a formula's variables, and ``formula_on``, which accepts a formula only if it is real and defined on all of its range.

The conditions are read off the syntax tree, before SymPy cancels anything: a divisor is not 0, the argument of a root is ≥ 0, that of
a logarithm and the base of a variable power are > 0, and a sum's ends are integers. Each condition is decided by :mod:`crtools.signs`;
a formula with an undecided one is refused.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.normal_form import simplified
from crtools.errors import InputError
from crtools.expressions import formula, parse, symbolic
from crtools.numeric_types import SymExpr
from crtools.proof import symbols
from crtools.signs.parameters import MET, UNDECIDED, Need, in_parameters, near_zero, nonnegative_on
from crtools.signs.ranges import Answer, Interval, Range, parameter

Sum = tuple[str, ast.expr, ast.expr] | None
"""The sum that contains a part of a formula: index, lower end, upper end. Sums are not nested."""


def unit(name: str) -> Range:
    """0 < name < 1."""
    return Range.of(Interval(name, sp.S.Zero, sp.S.One))


def up_to_one(name: str) -> Range:
    """0 < name ≤ 1."""
    return Range.of(Interval(name, sp.S.Zero, sp.S.One, high_in=True))


def up_to_half(name: str) -> Range:
    """0 < name ≤ 1/2."""
    return Range.of(Interval(name, sp.S.Zero, sp.S.Half, high_in=True))


def from_half(name: str) -> Range:
    """1/2 ≤ name < 1."""
    return Range.of(Interval(name, sp.S.Half, sp.S.One, low_in=True))


def small(name: str) -> Range:
    """All name > 0 below some positive number; where it divides by a polynomial, all of 0 < name < 1."""
    return Range(f"small {name} > 0", ({name: sp.exp(-sp.Symbol("L", positive=True))},), near_zero=True)


def every_real(name: str) -> Range:
    """All real numbers."""
    return Range(f"every real {name}", ({name: sp.Symbol(name, real=True)},))


def constant() -> Range:
    """No names."""
    return Range.of()


def reals(**between: tuple[int | Fraction, int | Fraction | None]) -> Range:
    """Return real numbers, each strictly between two numbers (None: no upper end): reals(q=(0, 1), c=(0, None))."""
    limits = {name: [sp.oo if end is None else sp.Rational(str(end)) for end in ends] for name, ends in between.items()}
    return Range.of(*(Interval(name, low, high) for name, (low, high) in limits.items()))


def lengths_and_weights() -> Range:
    """Two lengths 0 < l < u with weights x, y > 0, their quotients alpha = l/u and t = x/y."""
    a, b, c, d = (parameter(number, above_zero=True) for number in range(4))
    values = {"l": a, "u": a + b, "x": c, "y": d, "alpha": a / (a + b), "t": c / d}
    return Range("0 < l < u, x > 0, y > 0", (values,))


def half_and_weights() -> Range:
    """0 < alpha ≤ 1/2 and t ≥ 0."""
    return Range("0 < alpha ≤ 1/2, t ≥ 0", ({"alpha": 1 / (2 + parameter(0)), "t": parameter(1)},))


def integers_from(**bounds: int | str) -> Range:
    """Return integers with lower bounds, each a number or an earlier name: integers_from(s=0, i=1, j="i")."""
    values: dict[str, SymExpr] = {}
    for number, (name, bound) in enumerate(bounds.items()):
        values[name] = parameter(number, whole=True) + (values[bound] if isinstance(bound, str) else bound)
    return Range(", ".join(f"{n} ≥ {b}" for n, b in bounds.items()) + ", integers", (values,))


def pairs_from_one() -> Range:
    """All integers i, j ≥ 1, in both orders."""
    one = integers_from(i=1, j="i").cases[0]
    return Range("i, j ≥ 1, integers", (one, {"i": one["j"], "j": one["i"]}))


def formula_on(name: str, text: str, named: Mapping[str, SymExpr], on: Range) -> tuple[ast.expr, SymExpr]:
    """Return the syntax tree and the simplified SymPy expression of a formula that is real and defined on all of ``on``.

    Raises ``InputError`` for a text that is no formula, and for a formula that is not defined everywhere, with a point if known.
    """
    tree = parse(name, text, named)
    try:
        for case, parameters in zip(on.cases, on.parameters, strict=True):
            for node, need, inside in needs(tree):
                missing = _Check(on, case, parameters).missing(node, need, inside)
                if missing is not None:
                    raise InputError(name, text, missing)
    except (ArithmeticError, TypeError, RecursionError) as error:
        raise InputError(name, text, f"could not be shown to be defined: {error}") from None
    tree, expr = formula(name, text, named)
    return tree, expr if on.near_zero else simplified(expr, lambda part: nonnegative_on(on, part))


def formula_in(given: Mapping[str, str], name: str, **bounds: int | str) -> SymExpr:
    """Return a formula that a claim is given in these names, integers with these lower bounds, real and defined there."""
    return formula_on(name, given[name], {each: getattr(symbols, each) for each in bounds}, integers_from(**bounds))[1]


def needs(tree: ast.expr, inside: Sum = None) -> Iterator[tuple[ast.expr, Need, Sum]]:
    """Iterate over the conditions under which a checked tree is real and defined, those of inner parts first."""
    match tree:
        case ast.BinOp(left=left, op=op, right=right):
            yield from needs(left, inside)
            yield from needs(right, inside)
            if isinstance(op, ast.Div):
                yield right, "≠ 0", inside
            elif isinstance(op, ast.Pow) and (need := _need_of_a_base(right)) is not None:
                yield left, need, inside
        case ast.UnaryOp(operand=operand):
            yield from needs(operand, inside)
        case ast.Call(func=ast.Name(id="sum"), args=[term, ast.Name(id=index), low, high]):
            for end in (low, high):
                yield from needs(end)
                yield end, "an integer", None
            yield from needs(term, (index, low, high))
        case ast.Call(func=ast.Name(id=function), args=args):
            for arg in args:
                yield from needs(arg, inside)
            wanted: dict[str, Need] = {"log": "> 0", "sqrt": "≥ 0"}
            if function in wanted:
                yield args[0], wanted[function], inside
        case _:
            return


def _need_of_a_base(exponent: ast.expr) -> Need | None:
    """Return the condition on a base for its power to be real and defined; a constant exponent is folded into a number."""
    power: Any = exponent.value if isinstance(exponent, ast.Constant) else None
    if not isinstance(power, Fraction):
        return "> 0"
    if power.denominator != 1:
        return "≥ 0" if power > 0 else "> 0"
    return "≠ 0" if power < 0 else None


BREAKS: dict[Need, str] = {
    "≠ 0": "divides by",
    "> 0": "takes a logarithm or a power of",
    "≥ 0": "takes a root of",
    "an integer": "has a sum that ends at",
}


@dataclass(frozen=True)
class _Check:
    """Decides needs in one case of a range."""

    on: Range
    case: Mapping[str, SymExpr]
    parameters: tuple[SymExpr, ...]

    def missing(self, node: ast.expr, need: Need, inside: Sum) -> str | None:
        """Return an error text if the condition is not met everywhere, else None."""
        names, answer = self._answer(node, need, inside)
        if answer.holds:
            return None
        part = f"{BREAKS[need]} {symbolic(node, {n: sp.Symbol(n) for n in names})}"
        if answer.holds is None:
            return f"could not be shown to be real and defined on its range, {self.on.text}: it {part}"
        point = ", ".join(f"{n} = {_value_text(v, answer.point)}" for n, v in names.items()) if answer.point else ""
        where = f"at {point} " if point else ""
        return f"must be real and defined on its range, {self.on.text}: {where}it {part}"

    def _answer(self, node: ast.expr, need: Need, inside: Sum) -> tuple[Mapping[str, SymExpr], Answer]:
        """Return the names in parameters, a sum's index included, and whether the need is met."""
        if inside is not None:
            return self._inside_a_sum(node, need, *inside)
        if self.on.near_zero:
            [name] = self.case
            whole = unit(name)
            rational = symbolic(node, whole.cases[0])
            if need == "≠ 0" and rational.is_rational_function():
                return whole.cases[0], in_parameters(rational, need, whole.parameters[0])
            return self.case, near_zero(symbolic(node, self.case), need, *self.parameters)
        return self.case, in_parameters(symbolic(node, self.case), need, self.parameters)

    def _inside_a_sum(
        self, node: ast.expr, need: Need, index: str, low: ast.expr, high: ast.expr
    ) -> tuple[Mapping[str, SymExpr], Answer]:
        """Decide a condition for the index from its lower end on, or at both ends for an expression that is affine in the index."""
        step, index_symbol = parameter(100, whole=True), sp.Symbol(index, real=True)
        ends = [symbolic(end, self.case) for end in (low, high)]
        names = {**self.case, index: ends[0] + step}
        answer = in_parameters(symbolic(node, names), need, (*self.parameters, step))
        if answer.holds:
            return names, MET
        expr: Any = symbolic(node, {**self.case, index: index_symbol})
        expr = expr.base if isinstance(expr, sp.Pow) and expr.exp.is_integer else expr
        if need != "an integer" and sp.diff(expr, index_symbol, 2) == 0:
            wanted: Need = "> 0" if need == "≠ 0" else need
            for sign in (1, -1) if need == "≠ 0" else (1,):
                at_ends = (sign * expr.subs(index_symbol, end) for end in ends)
                if all(in_parameters(value, wanted, self.parameters).holds for value in at_ends):
                    return names, MET
        at = answer.point
        inside = answer.holds is False and bool((ends[0] + step).subs(at) <= ends[1].subs(at))
        return names, answer if inside else UNDECIDED


def _value_text(value: SymExpr, point: Any) -> str:
    value = sp.sympify(value).subs(point)
    return str(value) if value.is_Rational else f"{sp.N(value, 12)}…"

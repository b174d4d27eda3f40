"""The small language of the formulas in ``given``: rational expressions, finite sums, and a few functions.

    numbers (decimals are exact), names, + − * / **, parentheses,
    min(a, b)  max(a, b)  sum(term, i, low, high)  harmonic(n)  log(x)  sqrt(x)  exp(x)

A text is parsed with Python's own grammar and walked node by node; nothing is ever evaluated as code. There are
two evaluators that share no arithmetic: :func:`symbolic` gives a SymPy expression, :func:`evaluate` an exact
``Fraction`` at given numbers.
"""

import ast
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from math import ceil
from operator import add, mul, sub, truediv
from typing import Any, cast

from crtools.errors import InputError
from crtools.numeric_types import Symbol, SymExpr

LONGEST = 400
LARGEST_EXPONENT = 64
"""Exponents are integers of at most this size, also multiplied up when powers are nested."""

LARGEST_SUM = 2000
LARGEST_WRITTEN_OUT = 10
LARGEST_IRRATIONAL = 100
"""Terms of a sum between numbers: written out, and at most where they are not fractions."""

LONGEST_NUMBER = 40
"""Characters of a number."""

MOST_DIGITS = 300
"""Digits of all constants together, worked out, as far as powers multiply them."""


def arguments(expr: SymExpr) -> tuple[SymExpr, ...]:
    """Return the arguments of a SymPy expression, which SymPy types as ``Basic``."""
    return cast("tuple[SymExpr, ...]", expr.args)


def free_symbols(*exprs: SymExpr) -> set[Symbol]:
    """Return the free symbols of SymPy expressions, which SymPy types as ``Basic``."""
    return {cast("Symbol", symbol) for expr in exprs for symbol in expr.free_symbols}


def substitute(expr: SymExpr, values: Mapping[Any, Any]) -> SymExpr:
    """Return a SymPy expression with parts replaced (``xreplace``), which SymPy types as ``Basic``."""
    return cast("SymExpr", expr.xreplace(values))


def parse(
    name: str,
    text: str,
    names: Iterable[str],
    values: Mapping[str, Fraction] | None = None,
    more: Mapping[str, int] | None = None,
) -> ast.expr:
    """Return the syntax tree of ``text``, whose free names are all among ``names``; else raise ``InputError``.

    ``values``: numbers to put in the place of some of the names, under the same limits as numbers that are written. ``more``:
    further functions and how many arguments they take, of those that :func:`symbolic` knows.
    """
    allowed, arity = tuple(names), _ARITY | dict(more or {})
    functions = " ".join(["sum", *arity])
    rule = f"must be an expression in {', '.join(allowed) or 'numbers'} with + - * / ** {functions}"
    if not isinstance(text, str) or len(text) > LONGEST or "#" in text:  # pyright: ignore[reportUnnecessaryIsInstance] -- from outside
        raise InputError(name, text, f"{rule}, of at most {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        tree = _read(tree, text.strip(), set(allowed), values or {}, arity)
        _check_powers(tree, 1)
        tree = _Fold().visit(tree)
        if _digits(tree) > MOST_DIGITS:
            raise _Refused(f"its constants must not have more than {MOST_DIGITS} digits together")
    except _Refused as refused:
        raise InputError(name, text, str(refused) or rule) from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(name, text, rule) from None
    return tree


def number(name: str, text: str) -> Fraction:
    """Return an exact number written as a decimal, a fraction or an expression of these."""
    try:
        return evaluate(parse(name, str(text), ()), {})
    except ArithmeticError:
        raise InputError(name, text, "must be a rational number") from None


def formula(
    name: str,
    text: str,
    symbols: Mapping[str, Any],
    values: Mapping[str, Fraction] | None = None,
    more: Mapping[str, int] | None = None,
) -> tuple[ast.expr, Any]:
    """Return the tree and the SymPy expression of a formula in the names of ``symbols``; ``values``, ``more``: see :func:`parse`.

    Raises ``InputError`` for a text that is not one, or that is undefined or too large everywhere.
    """
    import sympy as sp

    tree = parse(name, text, symbols, values, more)
    try:
        expr = symbolic(tree, symbols)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise InputError(name, text, f"cannot be evaluated: {error}") from None
    if expr.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise InputError(name, text, "divides by zero")
    return tree, expr


class _Refused(Exception):
    """The text is refused; the message names the limit that it exceeds, if any."""


_NESTED = "a sum must not stand inside another"
_EXPONENTS = f"its exponents must be at most {LARGEST_EXPONENT}, also multiplied up where powers are nested"
_NUMBERS = f"its numbers must have at most {LONGEST_NUMBER} characters and powers of ten from -{LONGEST_NUMBER} to {LONGEST_NUMBER}"


class _Fold(ast.NodeTransformer):
    """Replaces each part without names by its value, so that it is worked out only once."""

    def visit(self, node: ast.AST) -> Any:
        node = self.generic_visit(node)
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Call):
            with suppress(ArithmeticError, KeyError):  # undefined, not rational, or with names: stays as it is
                return _constant(evaluate(node, {}))
        return node


def _digits(node: ast.AST, power: int = 1) -> int:
    """Return how many digits the constants of a folded tree have together, with those under a power multiplied up."""
    match node:
        case ast.Constant():
            value = _exact(node)
            return power * (abs(value.numerator).bit_length() + value.denominator.bit_length()) * 3 // 10
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant() as right):
            return _digits(left, power * max(1, ceil(abs(_exact(right))))) + _digits(right)
        case _:
            return sum(_digits(child, power) for child in ast.iter_child_nodes(node))


def _check_powers(node: ast.AST, budget: int) -> None:
    """Refuse constant exponents beyond the limit, nested ones multiplied."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        _check_powers(node.right, 16)  # first, so that evaluating it is cheap
        size = Fraction(2)
        if not any(isinstance(part, ast.Name) for part in ast.walk(node.right)):
            try:
                size = abs(evaluate(node.right, {}))
            except ArithmeticError:
                raise _Refused("its constant exponents must be rational") from None
        if budget * size > LARGEST_EXPONENT:
            raise _Refused(_EXPONENTS)
        _check_powers(node.left, max(int(budget * size), budget))
        return
    for child in ast.iter_child_nodes(node):
        _check_powers(child, budget)


def is_rational(tree: ast.expr) -> bool:
    """Return whether a checked tree has constant integer exponents and no log or sqrt; min, max and sums are allowed."""
    match tree:
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            try:
                return evaluate(right, {}).denominator == 1 and is_rational(left)
            except (ArithmeticError, KeyError):
                return False
        case ast.Call(func=ast.Name(id="log" | "sqrt" | "exp" | "factorial" | "binomial")):
            return False
        case _:
            return all(is_rational(part) for part in ast.iter_child_nodes(tree) if isinstance(part, ast.expr))


_ARITY = {"min": 2, "max": 2, "harmonic": 1, "log": 1, "sqrt": 1, "exp": 1}
OF_WEIGHTS = {"factorial": 1, "binomial": 2}
"""Functions that a weight may have besides, and how many arguments they take."""

LARGEST_FACTORIAL = 1000
"""Factorials and binomial coefficients of larger numbers are not worked out."""

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
    ast.Pow: pow,
}


def _read(
    node: ast.expr,
    text: str,
    names: set[str],
    values: Mapping[str, Fraction],
    arity: Mapping[str, int],
    in_sum: bool = False,
) -> ast.expr:
    """Return a node with exact numbers for names; refuse what is not in the language, and sums inside sums, which are slow."""

    def read(part: ast.expr, inside: bool = in_sum) -> ast.expr:
        return _read(part, text, names, values, arity, inside)

    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            source = ast.get_source_segment(text, node) or ""
            try:
                if "_" in source:
                    raise _Refused
                if len(source) > LONGEST_NUMBER or abs(int(source.lower().partition("e")[2] or 0)) > LONGEST_NUMBER:
                    raise _Refused(_NUMBERS)
                return _constant(Fraction(source))
            except ValueError:
                raise _Refused from None
        case ast.Name(id=name) if name in names:
            return _constant(values[name]) if name in values else node
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
            return ast.UnaryOp(op, read(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return ast.BinOp(read(left), op, read(right))
        case ast.Call(
            func=ast.Name(id="sum") as function, args=[term, ast.Name(id=index) as i, low, high], keywords=[]
        ):
            if in_sum:
                raise _Refused(_NESTED)
            if index in values:
                raise _Refused(f"a sum's index must not have a value, as {index} has")
            inner = _read(term, text, names | {index}, values, arity, True)
            return ast.Call(function, [inner, i, read(low, True), read(high, True)], [])
        case ast.Call(func=ast.Name(id="harmonic"), args=[top], keywords=[]):  # the sum of 1/i
            if in_sum:
                raise _Refused(_NESTED)
            one, i = _constant(Fraction(1)), ast.Name("i")
            return ast.Call(ast.Name("sum"), [ast.BinOp(one, ast.Div(), i), i, one, read(top, True)], [])
        case ast.Call(func=ast.Name(id=name) as function, args=args, keywords=[]) if len(args) == arity.get(name):
            return ast.Call(function, list(map(read, args)), [])
        case _:
            raise _Refused


def _constant(value: Fraction) -> ast.Constant:
    return ast.Constant(value)  # pyright: ignore[reportArgumentType] -- an exact number


def _exact(node: ast.Constant) -> Fraction:
    value: object = node.value
    assert isinstance(value, Fraction)  # what the check put there
    return value


def symbolic(tree: ast.expr, symbols: Mapping[str, Any]) -> Any:
    """Return the SymPy expression of a checked tree; ``symbols`` maps its names to SymPy expressions."""
    import sympy as sp

    match tree:
        case ast.Constant():
            return sp.Rational(_exact(tree))
        case ast.Name(id=name):
            return symbols[name]
        case ast.UnaryOp(op=op, operand=operand):
            inner = symbolic(operand, symbols)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](symbolic(left, symbols), symbolic(right, symbols))
        case ast.Call(func=ast.Name(id="sum"), args=[term, ast.Name(id=index), low, high]):
            i = sp.Dummy(index, integer=True)
            bounds = symbolic(low, symbols), symbolic(high, symbols)
            if any(b.is_number and abs(b) > LARGEST_SUM for b in bounds):
                raise ArithmeticError("a sum's ends are too large")
            return _sum(symbolic(term, {**symbols, index: i}), i, *bounds)
        case ast.Call(func=ast.Name(id=function), args=args):
            values = [symbolic(a, symbols) for a in args]
            if function in OF_WEIGHTS and any(v.is_number and not abs(v) <= LARGEST_FACTORIAL for v in values):
                raise ArithmeticError(f"a number in {function} is larger than {LARGEST_FACTORIAL}")
            return getattr(sp, {"min": "Min", "max": "Max"}.get(function, function))(*values)
        case _:
            raise AssertionError("the tree was checked")


def _sum(term: Any, index: Any, low: Any, high: Any) -> Any:
    """Return the sum written out where its ends are integers and it is short or one of fractions, else as it stands."""
    import sympy as sp

    if any(end.is_number and not end.is_Integer for end in (low, high)):
        raise ArithmeticError("a sum's ends must be integers")
    if low.is_Integer and high.is_Integer:
        terms = [term.subs(index, k) for k in range(int(low), int(high) + 1)]
        if len(terms) <= LARGEST_WRITTEN_OUT or all(value.is_Rational for value in terms):
            return sp.Add(*terms)
        if len(terms) > LARGEST_IRRATIONAL:
            raise ArithmeticError("a sum of so many terms that are not fractions")
    return sp.Sum(term, (index, low, high))


def evaluate(tree: ast.expr, values: Mapping[str, int | Fraction]) -> Fraction:
    """Return the exact value of a checked tree at exact numbers.

    Raises ``ZeroDivisionError`` where it is undefined and ``ArithmeticError`` where it is not rational.
    """
    match tree:
        case ast.Constant():
            return _exact(tree)
        case ast.Name(id=name):
            return Fraction(values[name])
        case ast.UnaryOp(op=op, operand=operand):
            inner = evaluate(operand, values)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.BinOp(left=left, op=op, right=right):
            a, b = evaluate(left, values), evaluate(right, values)
            return _power(a, b) if isinstance(op, ast.Pow) else _OPERATORS[type(op)](a, b)
        case ast.Call(func=ast.Name(id="sum"), args=[term, ast.Name(id=index), low, high]):
            first, last = evaluate(low, values), evaluate(high, values)
            if first.denominator != 1 or last.denominator != 1 or last - first > LARGEST_SUM:
                raise ArithmeticError("the ends of the sum are not integers, or too far apart")
            terms = (evaluate(term, {**values, index: i}) for i in range(int(first), int(last) + 1))
            return sum(terms, Fraction(0))
        case ast.Call(func=ast.Name(id="min" | "max" as function), args=args):
            numbers = [evaluate(a, values) for a in args]
            return min(numbers) if function == "min" else max(numbers)
        case ast.Call(func=ast.Name(id="sqrt"), args=[arg]):
            return _power(evaluate(arg, values), Fraction(1, 2))
        case _:
            raise ArithmeticError("not a rational expression")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return a power with a small exponent, a root only where it is rational."""
    if max(abs(exponent), exponent.denominator) > LARGEST_EXPONENT:
        raise ArithmeticError("the exponent is not small")
    if exponent.denominator == 1:
        return base ** int(exponent)
    from sympy import integer_nthroot

    if base < 0:
        raise ArithmeticError("a root of a negative number")
    roots = [integer_nthroot(part, exponent.denominator) for part in (base.numerator, base.denominator)]
    if not all(exact for _, exact in roots):
        raise ArithmeticError("an irrational root")
    return Fraction(roots[0][0], roots[1][0]) ** exponent.numerator

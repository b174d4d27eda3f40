"""Witnesses as data: the values that a certificate gives, and the conditions on them as a statement writes them down.

An expression is built of integers, names, lists, ``+ - * / // % **``, comparisons, ``and``, ``or``, ``not``, ``e.name``,
``e[e]``, ``[e for name in e if e]``, and calls of definitions and of the functions below. Everything is exact.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from check import best, enclosures, process
from check.kernel import Definitions, Ratio, fields, fraction, integer, integers, need, rows, variable

KINDS: dict[str, Callable[..., Any]] = {
    "integer": integer,
    "integers": integers,
    "fraction": fraction,
    "fractions": lambda value, size=None: [fraction(each) for each in rows(value, size or 1, size or 100)],
    "schedules": lambda value, count, size: [integers(each, 0, 99, size) for each in rows(value, count, count)],
    "law": enclosures.law,
}
"""How a field is read: the value in the certificate, and what stands in the kind's parentheses."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "at": lambda function, name, value: number(function.at(**{name: value})),
    "denominator": lambda value: value.denominator,
    "symbol": variable,
}
for module, names in (
    (builtins, "abs all any len list max min range sorted sum zip"),
    (math, "comb isqrt"),
    (process, "every_order expected feasible literal may_move mean_random moved packed run_queue same_order"),
    (process, "shortest_first total"),
    (best, "proved_by_price within_on_interval"),
    (enclosures, "derivative double_sum forms law_ratio log_bounds positive power_sums"),
):
    FUNCTIONS.update((name, getattr(module, name)) for name in names.split())

OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow, ast.USub: operator.neg, ast.Not: operator.not_, ast.And: all,
    ast.Or: any, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.In: lambda a, b: a in b,
    ast.Div: lambda a, b: (Fraction(a) if isinstance(a, int) else a) / b,
}  # fmt: skip

Names = Mapping[str, Any]


@dataclass
class Part:
    """A witness, or an object in it, or (``size`` > 0) each of a list of these: fields with their kinds, and lines."""

    size: int = 0
    reads: dict[str, str] = field(default_factory=dict[str, str])
    lines: list[str] = field(default_factory=list[str])
    inner: dict[str, Part] = field(default_factory=dict[str, "Part"])

    @property
    def asked(self) -> dict[str, Part]:
        """The objects in it that are fields of the certificate: what reads nothing, inside either, is computed here."""
        return {name: own for name, own in self.inner.items() if own.reads or own.asked}

    @property
    def asks(self) -> bool:
        """Whether it has a condition, or an object in it has."""
        return any(not line.startswith("let ") for line in self.lines) or any(own.asks for own in self.inner.values())

    def add(self, line: str, known: Mapping[str, Part]) -> Part:
        """Read a line; return the part that the lines below it, further in, belong to."""
        word, _, rest = line.partition(" ")
        if word in ("in", "each"):
            name, _, size = rest.rstrip("]").partition("[")
            return self.inner.setdefault(name, Part(int(size or 0)))
        if word == "like":
            self.reads |= known[rest].reads
            self.lines += known[rest].lines
            self.inner |= known[rest].inner
        elif word == "reads":
            names, _, kind = rest.partition(": ")
            self.reads |= dict.fromkeys(names.split(", "), kind)
        else:
            self.lines.append(line)
        return self


def check(part: Part, data: Any, given: Names, definitions: Definitions, row: int = 0) -> Names:
    """Read the fields of a part, the objects in it first, and refuse it where one of its conditions fails.

    An object of a list knows which one it is (``row``: 0, 1, …), the lines of a whole what its objects hold.
    """
    values = fields(data, *part.reads, *part.asked)
    inner = dict(zip(part.asked, values[len(part.reads) :], strict=True))
    names: dict[str, Any] = {"given": given, "row": row}
    for (name, kind), value in zip(part.reads.items(), values, strict=False):
        function, _, arguments = kind.partition("(")
        limits = evaluate(parsed(f"[{arguments.removesuffix(')')}]"), names, definitions)
        names[name] = KINDS[function](value, *limits)
    for name, own in part.inner.items():
        value = inner.get(name, [{}] * own.size if own.size else {})
        entries = list(enumerate(rows(value, own.size, own.size) if own.size else [value]))
        found = [check(own, entry, given, definitions, at) for at, entry in entries]
        names[name] = found if own.size else found[0]
    for line in part.lines:
        word, _, text = line.partition(" ")
        name, _, expression = text.partition(" = ") if word == "let" else ("", "", text)
        found = evaluate(parsed(expression), names, definitions)
        if word == "let":
            names[name] = found
        else:
            need(found is True, f"it does not hold that {text[:120]}")
    return names


@cache
def parsed(text: str) -> ast.expr:
    """Return the expression of a statement's line."""
    return ast.parse(text, mode="eval").body


def evaluate(tree: Any, names: Names, definitions: Definitions) -> Any:
    """Return the value of an expression: a number, a truth value, or a list."""

    def value(part: Any) -> Any:
        return evaluate(part, names, definitions)

    match tree:
        case ast.Constant():
            return tree.value
        case ast.Name():
            return names[tree.id]
        case ast.Attribute():
            return value(tree.value)[tree.attr]
        case ast.Subscript():
            return value(tree.value)[value(tree.slice)]
        case ast.List() | ast.Tuple():
            return [value(each) for each in tree.elts]
        case ast.UnaryOp():
            return OPERATIONS[type(tree.op)](value(tree.operand))
        case ast.BinOp():
            return OPERATIONS[type(tree.op)](value(tree.left), value(tree.right))
        case ast.BoolOp():
            return OPERATIONS[type(tree.op)](value(each) for each in tree.values)
        case ast.Compare():
            sides = pairwise(map(value, [tree.left, *tree.comparators]))
            return all(OPERATIONS[type(op)](a, b) for op, (a, b) in zip(tree.ops, sides, strict=True))
        case ast.ListComp():
            return [evaluate(tree.elt, own, definitions) for own in _each(tree.generators, names, definitions)]
        case ast.Call(func=ast.Name(id=name)):
            return _called(name, [value(each) for each in tree.args], definitions)
        case _:
            raise TypeError


def _each(generators: Sequence[Any], names: Names, definitions: Definitions) -> Iterator[Names]:
    """Iterate over the names with those of a list's variables, which meet its conditions."""
    if not generators:
        yield names
        return
    first, *others = generators
    for entry in evaluate(first.iter, names, definitions):
        several = isinstance(first.target, ast.Tuple)
        targets: Any = first.target.elts if several else [first.target]
        entries = zip(targets, entry if several else [entry], strict=True)
        own = {**names, **{target.id: value for target, value in entries}}
        if all(evaluate(condition, own, definitions) for condition in first.ifs):
            yield from _each(others, own, definitions)


def _called(name: str, values: list[Any], definitions: Definitions) -> Any:
    if name in FUNCTIONS:
        return FUNCTIONS[name](*values)
    own = definitions[name]
    return number(own.value.at(**dict(zip(own.parameters, values, strict=True))))


def number(value: Ratio) -> Ratio | Fraction:
    """Return a rational function, or its value where it is a constant."""
    return value if value.variables() else value.number()

"""Witnesses as data: the values that a certificate gives, and the conditions on them as a statement writes them down.

An expression is built of integers, names, lists, ``+ - * / // % **``, comparisons, ``and``, ``or``, ``not``, ``e.name``,
``e[e]``, ``[e for name in e if e]``, and calls of definitions and of the functions below. Everything is exact.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from check import best, enclosures, kernel, process
from check.kernel import Definitions, Ratio, fields, fraction, integer, integers, need, rows, variable
from check.theory import NUMBER

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
    (math, "comb factorial isqrt"),
    (process, "every_order expected feasible literal may_move mean_random moved packed run_queue same_order"),
    (process, "shortest_first total"),
    (best, "proved_by_price within_on_interval"),
    (enclosures, "derivative double_sum exp_bounds forms law_ratio log_bounds positive power_sums"),
):
    FUNCTIONS.update((name, getattr(module, name)) for name in names.split())


def power(base: Any, exponent: Any) -> Any:
    """Return a power with an integer in the exponent; another one, or 2**(-1) by Python, would be a float."""
    need(exponent.denominator == 1, "an exponent must be an integer")
    return (Fraction(base) if isinstance(base, int) and exponent < 0 else base) ** int(exponent)


OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: power, ast.USub: operator.neg, ast.Not: operator.not_, ast.And: all,
    ast.Or: any, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.In: lambda a, b: a in b,
    ast.Div: lambda a, b: (Fraction(a) if isinstance(a, int) else a) / b,
}  # fmt: skip
MARKS = '+-*/%<>=!()[],." '
LISTS = (ast.List, ast.ListComp, ast.comprehension, ast.Store)
NODES = (*kernel.NODES, *OPERATIONS, *LISTS, ast.Attribute, ast.Subscript, ast.BoolOp, ast.Compare)

Names = Mapping[str, Any]
GIVEN = ("given", "row")
"""What every witness knows: the given values of its claim, and which one of a list it is."""


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
        there = {*GIVEN, *self.reads, *self.inner}
        if word in ("in", "each"):
            found: Any = re.fullmatch(r"([A-Za-z]\w*)" + r"\[([1-9]\d?)\]" * (word == "each"), rest, re.ASCII)
            need(found and found[1] not in {*GIVEN, *self.reads}, "expected in NAME, or each NAME[SIZE], a new name")
            return self.inner.setdefault(found[1], Part(int(found[2]) if found.re.groups > 1 else 0))
        if word == "like":
            need(rest in known, f"expected a witness that comes before, not {rest[:60]!r}")
            other = deepcopy(known[rest])
            few = len(self.lines) + len(other.lines) <= kernel.LONGEST_LIST
            need(few and not there & {*other.reads, *other.inner}, "expected new names, and few lines")
            self.reads |= other.reads
            self.lines += other.lines
            self.inner |= other.inner
        elif word == "reads":
            names, _, kind = rest.partition(": ")
            kind_of(kind)
            new = re.fullmatch(r"[A-Za-z]\w*(, [A-Za-z]\w*)*", names, re.ASCII) is not None
            need(new and not there & {*names.split(", ")}, "expected names that are not there yet")
            self.reads |= dict.fromkeys(names.split(", "), kind)
        else:
            need(condition(line)[0] not in there, "expected names that are not there yet")
            self.lines.append(line)
        return self


@cache
def condition(line: str) -> tuple[str | None, ast.expr]:
    """Return the name, None for a condition, and the expression of a line ``let NAME = e`` or ``holds e``."""
    found: Any = re.fullmatch(r"(?:let ([A-Za-z]\w*) =|holds) (.+)", line, re.ASCII)
    need(bool(found) and found[1] not in GIVEN, "expected let NAME = e, holds e, reads, in, each or like")
    nodes: list[Any] = list(ast.walk(tree := parsed(found[2])))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known = own | {node.func.id for node in nodes if hasattr(node, "func")}
    same = any(ast.dump(node.left) == ast.dump(node.comparators[-1]) for node in nodes if isinstance(node, ast.Compare))
    says = found[1] or (not same and any(isinstance(node, ast.Name) and node.id not in known for node in nodes))
    need(bool(says) and "given" not in own, "expected a condition on what is read or given, of different sides")
    return found[1], tree


def kind_of(text: str) -> tuple[str, list[ast.expr]]:
    """Return the name of a kind of field, and the expressions in its parentheses."""
    tree: Any = parsed(text)
    name = getattr(getattr(tree, "func", tree), "id", "")
    need(name in KINDS, f"expected a kind of field, one of {', '.join(KINDS)}")
    return name, getattr(tree, "args", [])


def check(part: Part, data: Any, given: Names, definitions: Definitions, row: int = 0) -> Names:
    """Read the fields of a part, the objects in it first, and refuse it where one of its conditions fails.

    An object of a list knows which one it is (``row``: 0, 1, …), the lines of a whole what its objects hold.
    """
    fields(data, *part.reads, *part.asked)
    names: dict[str, Any] = {"given": given, "row": row}
    for name, kind in part.reads.items():
        function, limits = kind_of(kind)
        names[name] = KINDS[function](data[name], *(evaluate(limit, names, definitions) for limit in limits))
    for name, own in part.inner.items():
        value = data[name] if name in part.asked else [{}] * own.size if own.size else {}
        entries = list(enumerate(rows(value, own.size, own.size) if own.size else [value]))
        found = [check(own, entry, given, definitions, at) for at, entry in entries]
        names[name] = found if own.size else found[0]
    for line in part.lines:
        name, tree = condition(line)
        found = evaluate(tree, names, definitions)
        if name:
            names[name] = found
        else:
            need(found is True, f"it does not hold that {line.removeprefix('holds ')[:120]}")
    return names


def given(values: Mapping[str, str]) -> Names:
    """Return a claim's values as conditions take them: a number, a list of several (``1,2,3``), or else the text itself."""

    def number(text: str) -> Any:
        return int(text) if text.isdecimal() else Fraction(text) if NUMBER.fullmatch(text) else text

    parts = {name: [number(part) for part in value.split(",")] for name, value in values.items()}
    return {name: own if len(own) > 1 else own[0] for name, own in parts.items()}


def parsed(text: str) -> ast.expr:
    """Return the expression of a statement's line: its numbers are integers, and its strings names of variables."""
    tree = kernel.parsed(text, MARKS, NODES)
    for node in ast.walk(tree):
        known = not isinstance(node, ast.Constant) or isinstance(node.value, int | str)
        need(known and not getattr(node, "is_async", 0), f"{text[:60]!r} is no condition")
    return tree


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
            return _called(name, [value(each) for each in tree.args], definitions, tree)
        case _:
            raise TypeError


def _each(generators: Sequence[Any], names: Names, definitions: Definitions) -> Iterator[Names]:
    """Iterate over the names with those of a list's variables, which meet its conditions."""
    if not generators:
        yield names
        return
    first, *others = generators
    target: Any = first.target
    for entry in evaluate(first.iter, names, definitions):
        pairs: Any = zip(target.elts, entry, strict=True) if isinstance(target, ast.Tuple) else [(target, entry)]
        own = {**names, **{each.id: value for each, value in pairs}}
        if all(evaluate(condition, own, definitions) for condition in first.ifs):
            yield from _each(others, own, definitions)


def _called(name: str, values: list[Any], definitions: Definitions, tree: ast.AST) -> Any:
    if name in FUNCTIONS:
        need(name not in definitions, f"{name} is a function of every witness, and of the text another one")
        return FUNCTIONS[name](*values)
    need(isinstance(definitions.get(name), kernel.Definition), f"{name[:20]} is not defined, or more than a quotient")
    return number(kernel.Reader(definitions).call(name, list(map(kernel.ratio, values)), tree))


def number(value: Ratio) -> Ratio | Fraction:
    """Return a rational function, or its value where it is a constant."""
    return value if value.variables() else value.number()

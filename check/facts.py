"""A fact of a text for the kernel: with the bounds of its theorem, and with minima and maxima put in their place."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import permutations
from typing import Any, NamedTuple

from check import kernel
from check.kernel import Data, Definition, Definitions, Rejected, need

TEXTS = ("left", "right", "expression", "summand", "total", "integrand", "low", "high", "value")
"""The fields of a formula that are expressions."""


BUILT_IN = ("Sum", "min", "max")
"""The functions that no text defines."""


class Written(NamedTuple):
    """A definition with sums, minima or maxima, which no rational function is: its value is put in the place of a call."""

    parameters: tuple[str, ...]
    text: str

    @property
    def indices(self) -> list[str]:
        """The indices of its sums."""
        calls = [node for node in ast.walk(parsed(self.text)) if isinstance(node, ast.Call) and len(node.args) == 2]
        ends = [node.args[1] for node in calls if isinstance(node.func, ast.Name) and node.func.id == "Sum"]
        return [
            name.id for end in ends if isinstance(end, ast.Tuple) for name in end.elts[:1] if isinstance(name, ast.Name)
        ]

    def at(self, arguments: Sequence[ast.expr]) -> ast.expr:
        """Return the value at arguments, in which no index of its sums occurs. Raises ``Rejected``."""
        need(len(arguments) == len(self.parameters), "another number of parameters")
        taken = [name for own in arguments for name in names_in(ast.unparse(own))[0] if name in self.indices]
        need(not taken, f"{', '.join(taken)} is the index of a sum there")
        return _Put(dict(zip(self.parameters, arguments, strict=True))).visit(parsed(self.text))


Meaning = Definition | Written | str
"""What stands for a theorem's parameter: a definition, or ``min`` or ``max``."""


def parsed(text: str) -> ast.expr:
    """Return the expression of a text. Raises ``Rejected``."""
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Rejected(f"{text[:60]!r} is no expression") from None


def names_in(text: str) -> tuple[list[str], list[str]]:
    """Return the variables and the functions that occur in a formula, or in a part of it."""
    found = re.findall(r"\b([A-Za-z]\w*)\b(\()?", text)
    return [name for name, call in found if not call], [name for name, call in found if call]


def bounds(text: str) -> list[str]:
    """Return the bounds ``v >= e, w > e, e > x > e`` one by one; ``Rejected`` for anything else."""
    parts = re.split(r", (?![^()]*\))", text.replace("^", "**"))
    for part in parts:
        bound(part)
    return parts


def bound(text: str) -> tuple[str, str, bool, str]:
    """Return the variable of a bound, its lower end, whether it is above that, and its upper end or ""."""
    found = re.fullmatch(r"(?:(.+) > )?([A-Za-z]\w*) (>=?) (.+)", text)
    if found is None:
        raise Rejected("expected bounds: v >= e, w > e, e > x > e")
    return found[2], found[4], found[3] == ">", found[1] or ""


def fact(line: str, where: Sequence[str] = ()) -> dict[str, Any]:
    """Return a line as the kernel's data, below those bounds of its theorem that its variables need."""
    data = dict(kernel.formula(line.replace("^", "**")))
    if data["rule"] != "induction":
        known = {bound(own)[0] for own in data["where"]}
        data["where"] = [*(own for own in _needed(line, where) if bound(own)[0] not in known), *data["where"]]
    return data


def _needed(line: str, where: Sequence[str]) -> list[str]:
    """Return the bounds of variables that occur in a line, or in such a bound after them."""
    used, result = set(names_in(line)[0]), list[str]()
    for own in reversed(where):
        if bound(own)[0] in used:
            used.update(names_in(own)[0])
            result.insert(0, own)
    return result


def judged(
    data: Data,
    squares: Sequence[str],
    definitions: Definitions,
    functions: Mapping[str, Meaning],
    written: Mapping[str, Written],
) -> None:
    """Ask the kernel whether a fact holds, for all values in its range. Raises ``Rejected`` where it is not seen to.

    ``functions`` are what stands for a theorem's parameters, ``written`` the definitions that the kernel does not take.
    """
    known = {**definitions, **{name: own for name, own in functions.items() if isinstance(own, Definition)}}
    put = {**written, **{name: own for name, own in functions.items() if isinstance(own, Written)}}
    built_in = {name: own for name, own in functions.items() if isinstance(own, str)}
    chosen = _Chosen(data.get("where", ()), known, built_in, put)
    shown = {name: chosen.text(value) if name in TEXTS else value for name, value in data.items()}
    if data["rule"] == "sign":
        shown["squares"] = list(squares)
    need(data["rule"] == "sign" or not squares, "only a sign has squares")
    kernel.judge(shown, known)


class _Put(ast.NodeTransformer):
    """Puts arguments in the place of parameters."""

    def __init__(self, arguments: Mapping[str, ast.expr]) -> None:
        self.arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put an argument in the place of its parameter."""
        if node.id not in self.arguments:
            return node
        kernel.Work.spend(sum(1 for _ in ast.walk(self.arguments[node.id])))
        return deepcopy(self.arguments[node.id])


class _Chosen(ast.NodeTransformer):
    """Puts the smaller (larger) of two in the place of min (max), where the kernel shows on a range which it is.

    What is written and no rational function it puts in the place of its calls.
    """

    def __init__(
        self, where: Sequence[str], known: Definitions, functions: Mapping[str, str], written: Mapping[str, Written]
    ) -> None:
        self.where, self.known, self.functions, self.written = list(where), known, functions, written

    def text(self, text: str) -> str:
        """Return an expression without minima and maxima."""
        return ast.unparse(self.visit(parsed(text)))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Choose in the arguments first."""
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        own = self.functions.get(name, name)
        if own in self.written:
            kernel.Work.spend(10 * len(self.written[own].text))  # it is read again
            return self.visit(self.written[own].at(node.args))
        if own not in ("min", "max"):
            return node
        need(len(node.args) == 2, f"expected {own} of two")
        for less, more in permutations(node.args):
            if self._at_most(less, more):
                return less if own == "min" else more
        raise Rejected(f"which is the {own} is not seen from the bounds")

    def _at_most(self, less: ast.expr, more: ast.expr) -> bool:
        difference = ast.unparse(ast.BinOp(more, ast.Sub(), less))
        sign = {"rule": "sign", "where": self.where, "expression": difference, "relation": ">=", "squares": []}
        try:
            kernel.judge(sign, self.known)
        except Rejected:
            return False
        return True

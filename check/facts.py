"""A fact of a text for the kernel: with the bounds of its theorem, and with minima and maxima put in their place."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

from check import kernel
from check.kernel import Data, Definition, Rejected, bound, need

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
        """The indices of its sums, with which their ranges begin."""
        ranges = [node for node in ast.walk(parsed(self.text)) if isinstance(node, ast.Tuple)]
        return [name.id for own in ranges for name in own.elts[:1] if isinstance(name, ast.Name)]

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
    list(map(bound, parts))
    return parts


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


def judged(data: Data, squares: Sequence[str], meanings: Mapping[str, Meaning]) -> None:
    """Ask the kernel whether a fact holds, for all values in its range. Raises ``Rejected`` where it is not seen to.

    ``meanings``: the text's definitions, and what stands for a theorem's parameters.
    """
    chosen = _Chosen(data.get("where", ()), meanings)
    shown = {name: chosen.text(value) if name in TEXTS else value for name, value in data.items()}
    if data["rule"] == "sign":
        shown["squares"] = list(squares)
    need(data["rule"] == "sign" or not squares, "only a sign has squares")
    kernel.judge(shown, chosen.known)


def alike(one: str, other: str, meanings: Mapping[str, Meaning]) -> bool:
    """Return whether two formulas are one function; sums, minima and roots are alike where they are written the same.

    Where the root of a variable occurs, this is its square.
    """
    need("atom" not in one + other, "atom is no name of a variable here")
    for name in {*re.findall(r"sqrt\(([A-Za-z]\w*)\)", one + other), *re.findall(r"(\w+)\*\*\(\d/2\)", one + other)}:
        root = [re.sub(rf"\b{name}\*\*\((\d)/2\)", rf"atom_{name}**\1", text) for text in (one, other)]
        root = [text.replace(f"sqrt({name})", f"atom_{name}") for text in root]
        one, other = (re.sub(rf"\b{name}\b", f"(atom_{name}**2)", text) for text in root)
    atoms = _Atoms((), meanings)
    first, second = (kernel.Reader(atoms.known).read(atoms.text(text.replace("^", "**"))) for text in (one, other))
    return first == second


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

    def __init__(self, where: Sequence[str], meanings: Mapping[str, Meaning]) -> None:
        self.where, self.meanings = list(where), meanings
        self.known = {name: own for name, own in meanings.items() if isinstance(own, Definition)}
        self.atoms: dict[str, ast.expr] = {}

    def text(self, text: str) -> str:
        """Return an expression without minima and maxima."""
        return ast.unparse(self.visit(parsed(text)))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Choose in the arguments first."""
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        own = self.meanings.get(name, name)
        if isinstance(own, Written):
            kernel.Work.spend(10 * len(own.text))  # it is read again
            return self.visit(own.at(node.args))
        return node if isinstance(own, Definition) else self.built_in(own, node)

    def built_in(self, name: str, node: ast.Call) -> ast.expr:
        """Return what stands for a call of a function that no text defines."""
        if name not in ("min", "max"):
            return node
        need(len(node.args) == 2, f"expected {name} of two")
        for less, more in permutations(node.args):
            if self._at_most(less, more):
                return less if name == "min" else more
        raise Rejected(f"which is the {name} is not seen from the bounds")

    def _at_most(self, less: ast.expr, more: ast.expr) -> bool:
        difference = ast.unparse(ast.BinOp(more, ast.Sub(), less))
        sign = {"rule": "sign", "where": self.where, "expression": difference, "relation": ">=", "squares": []}
        try:
            kernel.judge(sign, self.known)
        except Rejected:
            return False
        return True


class _Atoms(_Chosen):
    """Puts a variable in the place of each sum, minimum or root, the same one where they are written the same."""

    def built_in(self, name: str, node: ast.Call) -> ast.expr:
        """Return the variable of a call; ``sum(term, k, low, high)`` is ``Sum(term, (k, low, high))``."""
        written = f"Sum({ast.unparse(node.args[0])}, ({', '.join(map(ast.unparse, node.args[1:]))}))"
        key = written if name == "sum" else ast.unparse(node)
        return self.atoms.setdefault(key, ast.Name(f"atom{len(self.atoms)}"))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Return a decimal as a fraction."""
        return parsed(str(Fraction(str(node.value)))) if isinstance(node.value, float) else node

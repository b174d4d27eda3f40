"""A fact of a text for the kernel, with the bounds of its theorem; and whether two formulas are one function."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from check import kernel
from check.kernel import INDEX, Data, Definitions, Ratio, Reader, bound, named, names, need, parsed, variable

TEXTS = ("left", "right", "expression", "summand", "total", "integrand", "low", "high", "value")
"""The fields of a formula that are expressions."""


def bounds(text: str) -> list[str]:
    """Return the bounds ``v >= e, w > e, e > x > e`` one by one; ``Rejected`` for anything else."""
    parts = re.split(r", (?![^()]*\))", text)
    names_in(*(end for own in parts for end in _ends(own)))
    return parts


def _ends(text: str) -> list[str]:
    name, low, _, high, _ = bound(text)
    return [named(name), low, *([high] if high else [])]


def names_in(*texts: str) -> list[tuple[str, str]]:
    """Return the names in expressions, with what they are: variable, function or index of a sum."""
    return [own for text in texts for own in _names_in(text)]


@cache
def _names_in(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(names(parsed(text)))


def functions_in(*texts: str) -> list[str]:
    """Return the functions that expressions call."""
    return [name for text in texts for name, kind in names_in(text) if kind == "function"]


def texts(data: Data) -> list[str]:
    """Return all expressions of a fact, its variables among them."""
    own = [data[field] for field in (*TEXTS, "index", "variable") if field in data]
    return [*own, *(end for each in data.get("where", ()) for end in _ends(each))]


def fact(line: str, where: Sequence[str] = ()) -> dict[str, Any]:
    """Return a line as the kernel's data, below those bounds of its theorem that its variables need (none: an induction)."""
    data = dict(kernel.formula(line))
    used = [name for name, _ in names_in(*texts(data))]
    known = [bound(own)[0] for own in data.get("where", ())]
    for own in reversed(where if data["rule"] != "induction" else ()):
        if bound(own)[0] in used:
            used += [name for name, _ in names_in(*_ends(own))]
            data["where"] = [*([own] if bound(own)[0] not in known else []), *data["where"]]
    return data


def judged(data: Data, squares: Sequence[str], meanings: Definitions) -> None:
    """Ask the kernel whether a fact holds, for all values in its range. Raises ``Rejected`` where it is not seen to.

    ``meanings``: the text's definitions, and what stands for a theorem's parameters.
    """
    need(data["rule"] == "sign" or not squares, "only a sign has squares")
    kernel.judge({**data, "squares": list(squares)} if squares else data, meanings)


def says_nothing(data: Data) -> bool:
    """Return whether a fact is an identity whose two sides are the same letter by letter, but for spaces and parentheses."""
    return data["rule"] == "identity" and ast.dump(parsed(data["left"])) == ast.dump(parsed(data["right"]))


def alike(given: str, text: str, meanings: Definitions) -> bool:
    """Return whether a given formula is the function of a text's expression.

    Only the latter has the text's definitions. Sums, minima and roots are alike where they are written the same; where the
    root of a variable occurs, the variable is its square.
    """
    need("atom_" not in given + text, "atom_ begins no name of a variable here")
    both = given + text
    roots = {*re.findall(r"sqrt\(([A-Za-z]\w*)\)", both), *re.findall(r"(\w+)\*\*\(\d/2\)", both)}
    for name in roots if "um(" not in both and "sqrt" not in meanings else ():
        root = [re.sub(rf"\b{name}\*\*\((\d)/2\)", rf"atom_{name}**\1", own) for own in (given, text)]
        root = [own.replace(f"sqrt({name})", f"atom_{name}") for own in root]
        given, text = (re.sub(rf"\b{name}\b", f"(atom_{name}**2)", own) for own in root)
    exact = re.sub(r"\b([0-9]+)\.([0-9]+)\b", lambda own: f"({int(own[1] + own[2])}/{10 ** len(own[2])})", given)
    atoms = _Atoms({}, [])
    return atoms.read(exact) == _Atoms(meanings, atoms.known).read(text)


class _Atoms(Reader):
    """Takes a variable for each sum, minimum or root, the same one where its name and its arguments are the same."""

    def __init__(self, definitions: Definitions, known: list[tuple[str, list[Ratio]]]) -> None:
        super().__init__(definitions)
        self.known = known

    def value(self, tree: Any, known: Mapping[str, Ratio] | None = None) -> Ratio:
        """Return the function of a part; ``sum(term, k, low, high)`` is ``Sum(term, (k, low, high))``."""
        known = known or {}
        match tree:
            case (
                ast.Call(func=ast.Name(id="Sum"), args=[term, ast.Tuple(elts=[ast.Name(id=index), low, high])])
                | ast.Call(func=ast.Name(id="sum"), args=[term, ast.Name(id=index), low, high])
            ):
                need(all(INDEX not in self.variables(own) for own in known.values()), "expected no sum in a sum")
                known = {**known, named(index): variable(INDEX)}
                return self.built_in("Sum", [self.value(each, known) for each in (term, low, high)])
            case _:
                return super().value(tree, known)

    def power(self, base: Ratio, exponent: Ratio) -> Ratio:
        """Return a power, and a variable for one with a variable in the exponent."""
        return self.built_in("^", [base, exponent]) if exponent.variables() else super().power(base, exponent)

    def built_in(self, name: str, values: Sequence[Ratio]) -> Ratio:
        """Return the variable of a call."""
        own = (name, list(values))
        if own not in self.known:
            self.known.append(own)
        atom = f"{INDEX}{INDEX}{self.known.index(own)}"
        self.powers[atom] = tuple(values[1:] if name == "Sum" else values)  # a sum's term is in its own index
        return variable(atom)

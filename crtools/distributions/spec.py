"""The spec grammar: a text names a distribution. It is parsed by hand; nothing in it is evaluated as code.

    spec   = family "(" [argument {"," argument}] ")" | "pmf(" weight {"," name "=" value} ")"
           | "mix(" factor "*" spec {"+" factor "*" spec} ")" | "csv:" path "#" column | "parquet:" path "#" column
           | "empirical(" length ":" weight {"," …} ")"
    argument = [name "="] value;  value = number | symbol

Numbers are exact (0.9 is 9/10). A parameter that is left out, or given a name, stays a symbol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from inspect import signature
from typing import Any

import sympy as sp

from crtools.distributions.base import Distribution
from crtools.distributions.empirical import Empirical
from crtools.distributions.families import FAMILIES
from crtools.distributions.mixture import Mixture
from crtools.distributions.pmf import K, Pmf
from crtools.errors import InputError
from crtools.expressions import number, parse, symbolic

_NAME = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS = {"min", "max", "sum", "harmonic", "log", "sqrt"}
_NO_NAMES = {"nan", "inf", "infinity", "oo", "k"}
LONGEST_SPEC = 4000


def distribution(spec: str | Distribution) -> Distribution:
    """Return the distribution that a spec names; a ``Distribution`` is returned as it is.

    Raises ``InputError`` with one line for a text that is not a spec or a value that is not allowed.
    """
    if isinstance(spec, Distribution):
        return spec
    if not isinstance(spec, str):  # pyright: ignore[reportUnnecessaryIsInstance] -- anything may come from outside
        raise InputError("distribution", spec, "must be a spec or a Distribution")
    text = spec.strip()
    for prefix, read in (("csv:", Empirical.from_csv), ("parquet:", Empirical.from_parquet)):
        if text.startswith(prefix):
            path, separator, column = text[len(prefix) :].rpartition("#")
            if not separator or not path or not column:
                raise InputError("distribution", text, f"must be {prefix}FILE#COLUMN")
            return read(path, column)
    if len(text) > LONGEST_SPEC:
        raise InputError("distribution", text, f"must have at most {LONGEST_SPEC} characters")
    head, body = _head_and_body(text)
    if head == "pmf":
        return _pmf(text, body)
    if head == "mix":
        return _mixture(text, body)
    if head == "empirical":
        return _empirical(text, body)
    if head not in FAMILIES:
        names = ", ".join([*FAMILIES, "pmf", "mix", "csv:FILE#COLUMN"])
        raise InputError("distribution", text, f"must be one of {names}")
    make, parameters = FAMILIES[head]
    values = _arguments(text, body, parameters)
    needed = [n for n, p in signature(make).parameters.items() if p.default is p.empty and n not in values]
    if needed:
        raise InputError("distribution", text, f"needs {needed[0]}")
    return make(**values)


def _head_and_body(text: str) -> tuple[str, str]:
    head, bracket, rest = text.partition("(")
    if not bracket or not rest.endswith(")") or not _balanced(rest[:-1]):
        raise InputError("distribution", text, "must be written name(…), for instance geometric(q=9/10)")
    return head.strip(), rest[:-1]


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _split(text: str, separator: str) -> list[str]:
    """Split at ``separator`` outside parentheses."""
    pieces, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == separator and depth == 0:
            pieces.append(text[start:place].strip())
            start = place + 1
    pieces.append(text[start:].strip())
    return pieces


def _value(name: str, text: str) -> Any:
    if text.lower() in _NO_NAMES:
        raise InputError(name, text, "must be a number, or a symbol with another name")
    return sp.Symbol(text, positive=True) if _NAME.fullmatch(text) else number(name, text)


def _arguments(spec: str, body: str, parameters: tuple[str, ...]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    pieces = _split(body, ",") if body.strip() else []
    for place, piece in enumerate(pieces):
        name, separator, value = (part.strip() for part in piece.partition("="))
        if not separator:
            if place >= len(parameters):
                raise InputError("distribution", spec, f"takes at most {', '.join(parameters)}")
            name, value = (name, name) if name in parameters else (parameters[place], name)
        if name not in parameters:
            raise InputError(name or "argument", value, f"must be one of the parameters {', '.join(parameters)}")
        if name in values:
            raise InputError(name, value, "is given twice")
        if not value:
            raise InputError(name, "", "needs a value")
        values[name] = _value(name, value)
    return values


def _pmf(spec: str, body: str) -> Pmf:
    weight, *options = _split(body, ",")
    values: dict[str, Fraction] = {}
    ends: dict[str, int] = {}
    for option in options:
        name, separator, value = (part.strip() for part in option.partition("="))
        if not separator or not _NAME.fullmatch(name):
            raise InputError("distribution", spec, "after the weight, pmf takes NAME=VALUE")
        exact = number(name, value)
        if name in values or name in ends:
            raise InputError(name, value, "is given twice")
        if name in ("l", "u"):
            if exact.denominator != 1:
                raise InputError(name, value, "must be an integer")
            ends[name] = int(exact)
        else:
            values[name] = exact
    names = {n for n in _NAME.findall(weight) if n not in _FUNCTIONS} | {"k"}
    unknown = set(values) - names
    if unknown:
        raise InputError(min(unknown), str(values[min(unknown)]), "does not occur in the weight")
    tree = parse("pmf", weight, sorted(names))
    expr = _expression("pmf", weight, tree, names, values)
    return Pmf(expr, values, l=ends.get("l", 1), u=ends.get("u"), spec=f"pmf({', '.join([weight, *options])})")


def _expression(name: str, text: str, tree: Any, names: Iterable[str], values: Mapping[str, Fraction]) -> Any:
    """Return the SymPy expression of a weight: free parameters are positive symbols, those with values real ones.

    Raises ``InputError`` where what it is depends on the sign of a free parameter, or on which of two is larger.
    """
    real = symbolic(tree, {n: K if n == "k" else sp.Symbol(n, real=True) for n in names})
    free = {x for x in real.free_symbols if x != K and x.name not in values}
    if any(free & part.free_symbols for part in real.atoms(sp.Max, sp.Min, sp.Abs)):
        raise InputError(name, text, "min, max and roots of powers need numbers for their parameters")
    known = {n: sp.Symbol(n, real=True) for n in values}
    return symbolic(tree, {n: K if n == "k" else known.get(n) or sp.Symbol(n, positive=True) for n in names})


def _mixture(spec: str, body: str) -> Mixture:
    parts: list[tuple[Any, Distribution]] = []
    for piece in _split(body, "+"):
        factors = _split(piece, "*")
        if len(factors) < 2:
            raise InputError("distribution", spec, "each part of mix must be WEIGHT*LAW")
        weight = "*".join(factors[:-1])
        names = sorted(set(_NAME.findall(weight)))
        expr = _expression("mixture weight", weight, parse("mixture weight", weight, names), names, {})
        exact: Any = Fraction(int(expr.p), int(expr.q)) if expr.is_Rational else expr
        parts.append((exact, distribution(factors[-1])))
    return Mixture(parts)


def _empirical(spec: str, body: str) -> Empirical:
    counts: dict[int, Fraction] = {}
    for piece in _split(body, ","):
        length, separator, weight = piece.partition(":")
        if not separator or not (length.strip().isascii() and length.strip().isdecimal()):
            raise InputError("distribution", spec, "empirical takes LENGTH:WEIGHT, …")
        if int(length) in counts:
            raise InputError("length", length.strip(), "is given twice")
        counts[int(length)] = number("weight", weight.strip())
    return Empirical(counts)

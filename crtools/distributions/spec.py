"""The spec grammar: a text names a distribution. It is parsed by hand; nothing in it is evaluated as code.

A text that is ``FILE.py`` or ``FILE.py:NAME``, and no part of a spec, stands for a distribution in a file that is run
(:mod:`crtools.user_file`).

    spec   = family "(" [argument {"," argument}] ")" | "pmf(" weight {"," name "=" value} ")"
           | "mix(" factor "*" spec {"+" factor "*" spec} ")" | ("csv:" | "jsonl:" | "parquet:") path "#" column
           | "empirical(" length ":" weight {"," …} ")"
    argument = [name "="] value;  value = number | symbol

Numbers are exact (0.9 is 9/10). A parameter that is left out, or given a name, stays a symbol. Families are found as
``crtools.names.canonical`` finds names: ``two_point`` is ``two-point``, ``LG`` is ``linear-geometric``. The paper's p
stands for 1 − q.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from inspect import signature
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import sympy as sp

from crtools.data_files import FROM_DATA, parse_source
from crtools.distributions.base import Distribution, Empirical, K, LawLike, is_data
from crtools.distributions.continuous import Density, X
from crtools.distributions.families import FAMILIES, LawFamily, SymbolicEnd
from crtools.distributions.mixture import Mixture
from crtools.distributions.pmf import NotRational, Pmf
from crtools.distributions.real_weights import RealPmf, powers
from crtools.enclosure import fraction
from crtools.errors import InputError
from crtools.expressions import OF_WEIGHTS, formula, free_symbols, number, symbolic
from crtools.installed_ledgers import brought
from crtools.names import PAPER_WORDS, canonical, listed, one_of, squeezed
from crtools.numeric_types import SymExpr
from crtools.user_file import Kind, from_file, is_file

_NAME = re.compile(r"[A-Za-z_]\w*")
_PARAMETER = re.compile(r"(?<![\w.])[A-Za-z_]\w*\b(?!\s*\()")
_FUNCTIONS = {"min", "max", "sum", "harmonic", "log", "sqrt", "exp", *OF_WEIGHTS}
_NO_NAMES = {"nan", "inf", "infinity", "oo", "k"}
LONGEST_SPEC = 4000

LAW = Kind("law", Distribution)
"""The kind of object that a user's file may define (:mod:`crtools.user_file`)."""


def distribution(spec: LawLike, skip_invalid: bool = False) -> Distribution:
    """Return the distribution that a text names, or that of given lengths.

    Parameters
    ----------
    spec : str, Distribution, list, array or mapping
        A spec such as ``"geometric(q=0.9)"``, or ``FILE.py[:NAME]``, a file that is run; lengths, one for each request, or a
        mapping of lengths to weights (``Empirical``). A ``Distribution`` is returned as it is.
    skip_invalid : bool
        Leave out rows of ``csv:FILE#COLUMN`` without a length ≥ 1, and count them in ``skipped``; they are refused otherwise.

    Returns
    -------
    Distribution

    Raises
    ------
    InputError
        For a text that is not a spec, or a value that is out of range.

    Examples
    --------
    >>> distribution("geometric(q=0.9)").weight(2)
    Fraction(81, 100)
    """
    if isinstance(spec, Distribution):
        return spec
    if not isinstance(spec, str):
        if not (is_data(spec) or isinstance(spec, list | tuple) or hasattr(spec, "__array__")):
            allowed = (
                "must be a text like geometric(q=9/10), a Distribution, lengths, or of SciPy from_scipy(frozen, u)"
            )
            raise InputError("distribution", spec, allowed)
        return Empirical(spec)
    text = spec.strip()
    if is_file(text) and not text.startswith(FROM_DATA):
        return from_file("distribution", text, LAW)
    return _read(text, skip_invalid)


@cache
def known_laws() -> dict[str, Callable[[], Distribution]]:
    """Return what makes each distribution that an installed ledger brings, by its name."""
    return brought("laws", {})


def _read(text: str, skip_invalid: bool = False) -> Distribution:
    """Return the distribution of a spec; no code is run."""
    if text.startswith(FROM_DATA):
        return Empirical.from_file(text, skip_invalid)
    if text in known_laws():
        return known_laws()[text]()
    if len(text) > LONGEST_SPEC:
        raise InputError("distribution", text, f"must have at most {LONGEST_SPEC} characters")
    head, body = _head_and_body(text)
    name = canonical("distribution", head, [*FAMILIES, "mix", *READERS], ", csv:FILE#COLUMN")
    if name == "mix":
        return _mixture(text, body, skip_invalid)
    if name in READERS:
        return READERS[name](text, body)
    family = FAMILIES[name]
    values = _arguments(text, body, family, named=squeezed(head) in PAPER_WORDS)
    needed = [n for n, p in signature(family.make).parameters.items() if p.default is p.empty and n not in values]
    if needed:
        raise InputError("distribution", text, f"needs {needed[0]}")
    return family.make(**values)


def _head_and_body(text: str) -> tuple[str, str]:
    head, bracket, after_bracket = text.partition("(")
    file = re.match(r"[^()]*\.(csv|tsv|jsonl?|parquet)(?:\.gz)?(#|$)", text, re.IGNORECASE)
    kind = "" if file is None else {"tsv": "csv", "json": "jsonl"}.get(file[1].lower(), file[1].lower())
    if file and not file[2]:
        if Path(text).is_file():
            parse_source("distribution", f"{kind}:{text}", "COLUMN")
        raise InputError("distribution", text, f"must name a column: {kind}:{text}#COLUMN")
    if file:
        raise InputError("distribution", text, f"must name the kind of file: did you mean {kind}:{text}?")
    depths = [0, *_depths(after_bracket[:-1])]
    if not bracket or not after_bracket.endswith(")") or min(depths) != 0 or depths[-1]:
        others = listed(known_laws())
        raise InputError("distribution", text, f"must be written name(…), as geometric(q=9/10), or be one of {others}")
    return head.strip(), after_bracket[:-1]


def _split(text: str, separator: str) -> list[str]:
    """Split at ``separator`` outside parentheses."""
    ends = [n for n, (c, depth) in enumerate(zip(text, _depths(text), strict=True)) if c == separator and not depth]
    return [text[a:b].strip() for a, b in zip([0, *(n + 1 for n in ends)], [*ends, len(text)], strict=True)]


def _depths(text: str) -> list[int]:
    """Return the number of open parentheses after each character."""
    return list(accumulate((c == "(") - (c == ")") for c in text))


def _named(piece: str) -> tuple[str, str, str]:
    """Return name, "=" and value of an argument; a piece without "=" is all name."""
    name, separator, value = piece.partition("=")
    return name.strip(), separator, value.strip()


def _value(name: str, text: str) -> Any:
    if text.lower() in _NO_NAMES:
        raise InputError(name, text, "must be a number, or a symbol with another name")
    if _NAME.fullmatch(text):
        return sp.Symbol(text, positive=True)
    exact = number(name, text)
    return int(exact) if exact.denominator == 1 else exact


def _arguments(spec: str, body: str, family: LawFamily, named: bool) -> dict[str, Any]:
    """Return the values of a family's parameters; ``named``: each must have its name."""
    values: dict[str, Any] = {}
    parameters, every = family.names(in_order=True), family.names()
    for position, piece in enumerate(_split(body, ",") if body.strip() else []):
        name, separator, value = _named(piece)
        if not separator and name in every:
            value = name
        elif not separator:
            if named:  # LG(1/10) is p = 1/10 in the paper, linear-geometric(1/10) is q = 1/10 here
                raise InputError("distribution", spec, f"needs the names of its parameters, {' or '.join(every)}")
            if position >= len(parameters):
                raise InputError("distribution", spec, f"takes at most {', '.join(parameters)}")
            name, value = parameters[position], name
        one_of("parameter", name, every)
        if name in values:
            raise InputError(name, value, "is given twice")
        if not value:
            raise InputError(name, "", "needs a value")
        values[name] = _value(name, value)
    return values


def _pmf(spec: str, body: str) -> Distribution:
    weight, *options = _split(body, ",")
    values: dict[str, Any] = {}
    for name, separator, value in map(_named, options):
        if not separator or not _NAME.fullmatch(name):
            raise InputError("distribution", spec, "must have NAME=VALUE after the weight")
        if name in values:
            raise InputError(name, value, "is given twice")
        values[name] = _value(name, value) if name in ("l", "u") else number(name, value)
    l, u, law_spec = values.pop("l", 1), values.pop("u", None), f"pmf({', '.join([weight, *options])})"
    names = {n for n in _PARAMETER.findall(weight) if n not in _FUNCTIONS} | {"k"}
    for name in sorted(values.keys() - names):
        raise InputError(name, str(values[name]), "must occur in the weight, or be left out")
    expr = _expression("pmf", weight, names, values)
    with_values = expr.subs({x: sp.Rational(values[x.name]) for x in free_symbols(expr) if x.name in values})
    if isinstance(u, sp.Symbol):
        try:
            return SymbolicEnd(with_values, l, u, law_spec)
        except NotRational:
            raise InputError("distribution", law_spec, f"needs a number for {u}: it has irrational weights") from None
    of_numbers = with_values.free_symbols == {K}
    has_steps = of_numbers and with_values.has(sp.exp, sp.factorial, sp.binomial)
    if u is None and (has_steps or powers(with_values, K) is not None):
        return RealPmf(with_values, l=l, u=u, spec=law_spec)
    try:
        return Pmf(expr, values, l=l, u=u, spec=law_spec)
    except NotRational:
        return RealPmf(with_values, l=l, u=u, spec=law_spec)


def _expression(name: str, text: str, names: Iterable[str], values: Mapping[str, Fraction]) -> SymExpr:
    """Return the SymPy expression of a weight with its values; refuse one whose kind depends on the signs or order of parameters."""
    symbols = {n: K if n == "k" else sp.Symbol(n, real=True) for n in sorted(names)}
    tree, real = formula(name, text, symbols, values, OF_WEIGHTS)
    free = real.free_symbols - {K}
    if any(free & part.free_symbols for part in real.atoms(sp.Max, sp.Min, sp.Abs)):
        raise InputError(name, text, "must have numbers for the parameters of min, max and roots of powers")
    return symbolic(tree, {n: K if n == "k" else sp.Symbol(n, positive=True) for n in names})


def _mixture(spec: str, body: str, skip_invalid: bool) -> Mixture:
    parts: list[tuple[Any, Distribution]] = []
    for piece in _split(body, "+"):
        factors = _split(piece, "*")
        if len(factors) < 2 or len(_split(piece, ",")) > 1:
            raise InputError("distribution", spec, "must have WEIGHT*LAW for each part, with l and u in each part")
        weight = "*".join(factors[:-1])
        names = sorted(set(_NAME.findall(weight)))
        expr = _expression("mixture weight", weight, names, {})
        exact: Any = fraction(expr) if expr.is_Rational else expr
        parts.append((exact, _read(factors[-1], skip_invalid)))
    return Mixture(parts)


def _empirical(spec: str, body: str) -> Empirical:
    counts: dict[int, Fraction] = {}
    for piece in _split(body, ","):
        length, separator, weight = piece.partition(":")
        if not separator or not (length.strip().isascii() and length.strip().isdecimal()):
            raise InputError("distribution", spec, "must have LENGTH:WEIGHT for each length")
        if int(length) in counts:
            raise InputError("length", length.strip(), "is given twice")
        counts[int(length)] = number("weight", weight.strip())
    return Empirical(counts)


def _density(spec: str, body: str) -> Density:
    _, expr = formula("density", body, {"x": X})
    return Density(expr, spec=f"density({body.strip()})")


READERS = {"pmf": _pmf, "density": _density, "empirical": _empirical}
"""Readers of the specs that are no family, called with the spec and the text between its parentheses."""


class Notation(NamedTuple):
    """A way to write a distribution: its name, its signature, what it is on one line, and an example."""

    name: str
    signature: str
    summary: str
    example: str


def notations() -> list[Notation]:
    """Return every way to write a distribution."""
    return [
        *(Notation(n, f"{n}({', '.join(f.names(in_order=True))})", f.summary, f.example) for n, f in FAMILIES.items()),
        Notation("pmf", "pmf(WEIGHT, NAME=VALUE)", "your own weight in k", "pmf(k**2*q**k, q=1/2)"),
        Notation("mix", "mix(W*LAW + W*LAW)", "mixture of laws", "mix(1/2*zipf(1,9)+1/2*zipf(2,9))"),
        Notation("density", "density(F)", "lengths x·u, u → ∞", "density(2*x)"),
        Notation("empirical", "empirical(K:W, K:W)", "weights of lengths", "empirical(1:3, 5:1)"),
        Notation("csv", "csv:FILE#COLUMN", "a CSV file's column", "csv:lengths.csv#output"),
        Notation("jsonl", "jsonl:FILE#COLUMN", "a field of JSON lines", "jsonl:lengths.jsonl#output"),
        Notation("parquet", "parquet:FILE#COLUMN", "a parquet column", "parquet:lengths.parquet#output"),
        *(Notation(name, name, "a workload's outputs", name) for name in known_laws()),
    ]

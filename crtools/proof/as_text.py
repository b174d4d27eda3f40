"""Theorems as a text that the judge reads: what was written in Python, or made at run time, in the grammar of a theory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap
from typing import Any

from crtools.proof.steps import Argument, Computation, Formula, Inference, Said, Step
from crtools.proof.theorem import Citation, Theorem, formulas

WIDTH = 120


def as_text(*theorems: Theorem) -> str:
    """Return theorems as a text, with those that they cite before them, each once; the judge needs nothing else.

    Formulas are written out, without definitions: a text to be edited into what somebody would sign. A formula that is no
    rational function becomes a step that is ``computed``, as the judge does not know it.
    """
    found: dict[str, Theorem] = {}
    for theorem in theorems:
        _collect(theorem, found)
    return "\n\n".join("\n".join(_lines(theorem)) for theorem in found.values()) + "\n"


def _collect(theorem: Theorem, found: dict[str, Theorem]) -> None:
    for step in theorem.steps:
        if isinstance(step, Citation):
            _collect(step.theorem, found)
    found.setdefault(theorem.name, theorem)


def _lines(theorem: Theorem) -> Iterator[str]:
    yield f"theorem {theorem.name}"
    yield from _wrapped(f"reading {theorem.reading}", "  ")
    yield "  states formula" if theorem.statement == formulas(theorem.steps) else f"  states ${theorem.statement}$"
    before: list[str] = []
    for number, step in enumerate(theorem.steps, start=1):
        tag = "" if step.name == str(number) else f"[{step.name}] "
        yield from _step(step, tag, before)
        before.append(step.name)


def _step(step: Step, tag: str, before: list[str]) -> Iterator[str]:
    if isinstance(step, Citation):
        yield f"  cites {step.theorem.name}"
        return
    if isinstance(step, Formula) and step.formal is not None:
        yield f"  {tag}{fact(step.formal)}"
        yield from _wrapped(step.text if step.said or not step.text else f"- note {step.text}")
        if step.formal.get("squares"):
            yield f"    - squares {'; '.join(step.formal['squares'])}"
        return
    word = "argued" if isinstance(step, Argument) else "so" if isinstance(step, Inference) else "computed"
    yield f"  {tag}{word} ${step.latex()}$"
    yield from _wrapped(step.text or ("" if word == "so" else "as crtools computes it"))
    yield from _marks(step, before)


def _marks(step: Step, before: list[str]) -> Iterator[str]:
    if isinstance(step, Argument):
        yield from _wrapped(f"- tested by {_name(step.test)}: {step.tested}")
    elif not isinstance(step, Inference):
        yield f"    - by {_name(step.compute) if isinstance(step, Computation) else 'check'}"
    if isinstance(step, Said) and isinstance(step, Inference):
        if set(step.premises) != set(before):
            yield f"    - of {'; '.join(step.premises)}"
        if step.uses:
            yield f"    - uses {'; '.join(step.uses)}"


def fact(data: Any) -> str:
    """Return a formula's data as a line of a text."""
    where = list(data.get("where", ()))
    match data["rule"]:
        case "identity":
            head, sides = ", ".join(where), (data["left"], data["right"])
        case "sign":
            return f"{', '.join(where)}: {data['expression']} {data['relation']} 0"
        case "sum":
            head, sides = ", ".join([*where[:-1], f"sum over {where[-1]}"]), (data["summand"], data["total"])
        case "induction":
            head, sides = f"for {data['index']} >= {data['start']}", (data["left"], data["right"])
        case _:
            over = f"integral over {data['variable']} from {data['low']} to {data['high']}"
            head, sides = ", ".join([*where, over]), (data["integrand"], data["value"])
    return f"{head}: {sides[0]} = {sides[1]}" if head else f"{sides[0]} = {sides[1]}"


def _name(function: Callable[..., Any]) -> str:
    """Return the name of a function for a text; of one without a name of its own, ``unnamed``."""
    name = getattr(function, "__name__", "")
    return name if re.fullmatch(r"[A-Za-z]\w*", name) else re.sub(r"\W", "", name.strip("_<>")) or "unnamed"


def _wrapped(words: str, indent: str = "    ") -> Iterable[str]:
    return wrap(
        words, WIDTH, initial_indent=indent, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )

"""Texts that people read. Mathematics stands between dollar signs where it is written; each medium shows it its own way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from crtools.report.tokens import LETTERS, typed

SYMBOL = re.compile(rf"([A-Z]{{2,}}|[A-Za-z]|{'|'.join(LETTERS)})(?:_([A-Za-z0-9]{{1,2}}))?")
"""A letter, or some capitals, with or without an index: names of evidence that are mathematics."""


def runs(text: str) -> list[tuple[str, bool]]:
    """Return the stretches of a text in turn, each with whether it is mathematics; a dollar without its other is prose."""
    parts = text.split("$")
    if len(parts) % 2 == 0:
        parts[-2:] = [f"{parts[-2]}${parts[-1]}"]
    return [(part, n % 2 == 1) for n, part in enumerate(parts) if part]


def unmarked(text: str) -> str:
    """Return a text as a terminal shows it: mathematics in Unicode, without the dollar signs."""
    return "".join(typed(part) if maths else part for part, maths in runs(text))


def step_name(step: Mapping[str, Any], number: int) -> str:
    """Return the name of a proof's step; empty where that is its number or the theorem that it cites."""
    return "" if step["step"] == str(number) or step["kind"] == "Citation" else step["step"]


def label(name: str) -> str:
    """Return the name of a value in evidence as a text: a symbol is mathematics, all else is words."""
    symbol = SYMBOL.fullmatch(name)
    if symbol is None:
        return name.replace("_", " ")
    letter, index = LETTERS.get(symbol[1], symbol[1]), symbol[2]
    return f"${letter}_{index}$" if index else f"${letter}$"


def shown(value: Any) -> str:
    """Return a value of evidence on one line."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{unmarked(label(str(k)))} {shown(v)}" for k, v in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, Mapping) for v in value) else ", ").join(map(shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)

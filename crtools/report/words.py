"""Texts that people read. Mathematics stands between dollar signs where it is written; each medium shows it its own way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def unmarked(text: str) -> str:
    """Return a text as a terminal shows it: mathematics in Unicode, without the dollar signs."""
    return text.replace("$", "")


def label(name: str) -> str:
    """Return the name of a value in evidence as words."""
    return name.replace("_", " ")


def shown(value: Any) -> str:
    """Return a value of evidence on one line."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{label(str(k))} {shown(v)}" for k, v in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, Mapping) for v in value) else ", ").join(map(shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)

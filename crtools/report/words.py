"""Texts that people read. Mathematics stands between dollar signs where it is written; each medium shows it its own way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, localcontext
from typing import Any

from crtools.report.tokens import LETTERS, typed

SYMBOL = re.compile(rf"([A-Z]{{2,}}|[A-Za-z]|{'|'.join(LETTERS)})(?:_([A-Za-z0-9]{{1,2}}))?")
"""A letter, or some capitals, with or without an index: names of evidence that are mathematics."""

HYPHEN = re.compile(r"(?:(?<=^a)|(?<=_a))_(?=min|max|random|ell|restart)|(?<=h)_(?=sf)|(?<=H)_(?=SF)")
SPACE = re.compile(r"(?<!A)_|_(?!min|max|random|ell)")
"""The underscores in the name of a value that stand for a hyphen (a-min, H-SF) and for a space; the others are in A_min."""

SIGN = re.compile(r"\$[^$]+\$")
"""A text that is mathematics alone."""

LONG = 24
"""Characters of a number beyond which it is shortened."""


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


def coq_words(mark: Mapping[str, Any], steps: int) -> str:
    """Return what Coq's kernel accepted of a theorem of so many steps; empty for nothing."""
    if mark["theorem"]:
        return f"accepted whole, as {mark['theorem']}"
    return f"{mark['steps']} of {steps} steps accepted" if mark["steps"] else ""


def in_words(steps: int) -> str:
    """Return how many steps of a proof are argued in words, after a comma; empty for none."""
    return f", {steps} step{'s' * (steps != 1)} argued in words" if steps else ""


def label(name: str) -> str:
    """Return the name of a value in evidence as a text: a symbol is mathematics, all else is words."""
    symbol = SYMBOL.fullmatch(name)
    if symbol is None:
        return re.sub(r"A_\w+", r"$\g<0>$", SPACE.sub(" ", HYPHEN.sub("-", name)))
    letter, index = LETTERS.get(symbol[1], symbol[1]), symbol[2]
    return f"${letter}_{index}$" if index else f"${letter}$"


def shown(value: Any) -> str:
    """Return a value of evidence on one line."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(_named(label(str(name)), shown(item)) for name, item in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, Mapping) for v in value) else ", ").join(map(shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _named(name: str, text: str) -> str:
    return f"{unmarked(name)}{' =' if SIGN.fullmatch(name) else ':'} {text}"


def near(text: str, figures: int) -> str:
    """Return an integer, a decimal or a fraction p/q, however large, with so many figures."""
    top, _, bottom = text.partition("/")
    with localcontext() as context:
        context.prec = figures + 5
        value = Decimal(top) / Decimal(bottom or 1)
        return f"{value:.{figures}g}"


def is_fraction(text: str) -> bool:
    """Return whether a text is a fraction of two integers."""
    return re.fullmatch(r"-?\d+/0*[1-9]\d*", text) is not None


def scalar(item: Any) -> tuple[str, str]:
    """Return a scalar as a short marked text, and its whole value where it is exact and longer, else an empty text."""
    if item is None or isinstance(item, bool):
        return {None: "none", True: "yes", False: "no"}[item], ""
    if isinstance(item, float):
        return f"{item:.6g}", ""
    text = str(item)
    if is_fraction(text):
        approximate = f"≈ {near(text, 6)}"
        return (approximate, text) if len(text) > LONG else (f"{text} {approximate}" if len(text) > 9 else text, "")
    if re.fullmatch(r"-?\d+\.\d{7,}", text):
        return text[: text.index(".") + 6] + "…", text
    if len(text) <= LONG or not re.search(r"\d{25,}", text):
        return text, ""
    if re.fullmatch(r"-?\d+", text):
        return f"≈ {near(text, 6)}", text
    return re.sub(r"(\d{6})\d{13,}(\d{6})", r"\1…\2", text), text

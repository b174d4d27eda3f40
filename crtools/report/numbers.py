"""Numbers in evidence as a reader wants them: short, with the whole value at hand."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from typing import Any

LONG = 24
"""Characters of a number beyond which it is shortened."""


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
        return f"{item:.7g}", ""
    text = str(item)
    if is_fraction(text):
        approximate = f"≈ {near(text, 7)}"
        return (approximate, text) if len(text) > LONG else (f"{text} {approximate}" if len(text) > 9 else text, "")
    if len(text) <= LONG or not re.search(r"\d{25,}", text):
        return text, ""
    if re.fullmatch(r"-?\d+", text):
        return f"≈ {near(text, 7)}", text
    return re.sub(r"(\d{6})\d{13,}(\d{6})", r"\1…\2", text), text

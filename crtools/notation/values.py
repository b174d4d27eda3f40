"""Values of evidence as short texts: labels of names, numbers with few digits, records on one line."""

import re
from collections.abc import Mapping
from decimal import Decimal, localcontext
from functools import cache
from typing import Any

from crtools.installed_ledgers import policy_indices
from crtools.notation.marked_text import FORMULA, LETTERS
from crtools.notation.terminal import unmarked

SYMBOL = re.compile(rf"([A-Z]{{2,}}|[A-Za-z]|{'|'.join(LETTERS)})(?:_([A-Za-z0-9]{{1,2}}))?")
"""A name of evidence that is a symbol: a letter or some capitals, with or without an index."""

NUMERAL = re.compile(r"[≈−-]?\d|\[")
"""The beginning of a value that needs no colon before it."""

LEADS = ("by", "at", "of", "least", "most")
"""Words after which a value follows without a colon."""

LONG = 24
"""Digits beyond which a number is shortened."""


@cache
def _underscores() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of the underscores in names that stand for a hyphen, as in policies' names, and for a space."""
    indices = "|".join(sorted(map(re.escape, policy_indices()))) or "(?!)"
    hyphen = re.compile(rf"(?:(?<=^a)|(?<=_a))_(?={indices})|(?<=h)_(?=sf)|(?<=H)_(?=SF)")
    return hyphen, re.compile(rf"(?<!A)_|_(?!{indices})")


def label(name: str) -> str:
    """Return the name of a value in evidence as marked text: a symbol is a formula, any other name is words."""
    hyphen, space = _underscores()
    symbol = None if hyphen.search(name) else SYMBOL.fullmatch(name)
    if symbol is None:
        words = re.sub(r"\b(lemma|paper|theorem) s\b", r"\1's", space.sub(" ", hyphen.sub("-", name)))
        return re.sub(r"A_\w+", r"$\g<0>$", words)
    letter, index = LETTERS.get(symbol[1], symbol[1]), symbol[2]
    if index == "M":  # a multiple of the memory
        return f"${letter}M$"
    return f"${letter}_{index}$" if index else f"${letter}$"


def one_line(value: Any) -> str:
    """Return a value of evidence on one line."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(_named(label(str(name)), one_line(item)) for name, item in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, Mapping) for v in value) else ", ").join(map(one_line, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _named(name: str, text: str) -> str:
    """Return a name with its value as words: ``n = 3``, ``by counting 12``, ``law: uniform``."""
    words = unmarked(name)
    if FORMULA.fullmatch(name):
        return f"{words} = {text}"
    return f"{words} {text}" if NUMERAL.match(text) or words.split()[-1] in LEADS else f"{words}: {text}"


def approximately(text: str, figures: int) -> str:
    """Return an integer, a decimal or a fraction p/q, however large, to ``figures`` significant figures."""
    top, _, bottom = text.partition("/")
    with localcontext() as context:
        context.prec = figures + 5
        value = Decimal(top) / Decimal(bottom or 1)
        return f"{value:.{figures}g}"


def scalar(item: Any) -> tuple[str, str]:
    """Return a scalar as a short marked text, and its whole value where it is exact and longer, else an empty text."""
    if item is None or isinstance(item, bool):
        return {None: "none", True: "yes", False: "no"}[item], ""
    if isinstance(item, float):
        return f"{item:.6g}", ""
    text = str(item).replace(" +/- ", " ± ")
    if re.fullmatch(r"-?\d+/0*[1-9]\d*", text):
        approximate = f"≈ {approximately(text, 6)}"
        return (approximate, text) if len(text) > LONG else (f"{text} {approximate}" if len(text) > 9 else text, "")
    if re.fullmatch(r"-?\d+\.\d{7,}", text):
        return text[: text.index(".") + 6] + "…", text
    if len(text) <= LONG or not re.search(r"\d{25,}", text):
        return text, ""
    if re.fullmatch(r"-?\d+", text):
        return f"≈ {approximately(text, 6)}", text
    return re.sub(r"(\d{6})\d{13,}(\d{6})", r"\1…\2", text), text

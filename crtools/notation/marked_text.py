"""Marked text, in which formulas stand between dollar signs: split it into prose and formulas.

A policy's name with its index (``A_min``), and formulas as the command line takes them, count as formulas without dollar
signs too. ``crtools.notation.terminal``, ``mathml`` and ``latex`` write the parts for their media.
"""

from __future__ import annotations

import re
from functools import cache

from crtools.installed_ledgers import policy_indices
from crtools.notation.tokens import FUNCTIONS, LETTERS

TYPED = re.compile(r"[\w\s()+*/,.^-]+")

MARKS = re.compile(r"_|\*\*|sqrt\(")
"""A formula without dollar signs has at least one of these."""

FORMULA = re.compile(r"\$[^$]+\$")
"""A text that is one formula."""


def runs(text: str) -> list[tuple[str, bool]]:
    """Split a text into (part, is_formula). A dollar sign without a partner is prose."""
    parts = text.split("$")
    if len(parts) % 2 == 0:
        parts[-2:] = [f"{parts[-2]}${parts[-1]}"]
    return [run for n, part in enumerate(parts) if part for run in ([(part, True)] if n % 2 else _prose_runs(part))]


def _prose_runs(text: str) -> list[tuple[str, bool]]:
    """Split a text without dollar signs: policies' names and typed formulas in it are formulas."""
    if not MARKS.search(text):
        return [(text, False)]
    if _is_typed(text):
        return [(text, True)]
    parts: list[tuple[str, bool]] = []
    at = 0
    for match in _formula_in_prose().finditer(text):
        if match["code"] is None and match[0].count("(") == match[0].count(")"):
            parts += [(text[at : match.start()], False), (match[0], True)]
            at = match.end()
    return [part for part in (*parts, (text[at:], False)) if part[0]]


@cache
def _formula_in_prose() -> re.Pattern[str]:
    """Return the pattern of a formula in prose; ``code`` is matched too, so that no formula is found within it."""
    indices = "|".join(sorted(map(re.escape, {*policy_indices(), "ℓ"})))
    return re.compile(
        rf"(?P<code>``.*?``)|(?<![\w/.^{{-])(?:A_(?:{indices})(?![\w-]|\.\w|/[a-z])|[Σ∑]_\{{[^{{}}]*\}}(?:\^(?:\{{[^{{}}]*\}}|\w))?"
        r"|[\w()+*/^.-]*?(?:sqrt\(|\*\*)[\w()+*/^.-]*[\w)])"
    )


def _is_typed(text: str) -> bool:
    """Return whether a whole text is a formula as the command line takes it, with a power or a root in it."""
    words = re.findall(r"[A-Za-z]+", text)
    known = all(len(word) == 1 or word in FUNCTIONS or word in LETTERS or word == "sqrt" for word in words)
    return known and TYPED.fullmatch(text) is not None and re.search(r"sqrt\(|\*\*", text) is not None


LETTER = re.compile(r"``.*?``|(?<![\w.'’-])l(?![^\W²³κ]|[='’]|-\w)|(?<![\w-])log(?=\()")
"""The letter l and the function log of code in a sentence. Neither is an English word; ``l=1`` stays code."""

INDEXED = (
    r"(?<![A-Za-z])(?<![a-z]{2}/)(?:[A-Za-zα-ωΑ-Ωõℓ∫∑]'?|lim(?:inf|sup)?|sup|inf|min|max)"
    r"_(?:\{[^{}]*\}|\([a-z]\)|[A-Za-z0-9α-ωℓ]{1,3}(?![A-Za-z0-9_]|\.\w))"
)
"""x_ij, x_{i,j−1}: one letter with an index. A name with an underscore in it is no formula."""


def sentence(words: str) -> str:
    """Return prose with ℓ and ln for the letter and the function of code."""
    return LETTER.sub(lambda m: {"l": "ℓ", "log": "ln"}.get(m[0], m[0]), words)

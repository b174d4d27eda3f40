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
    """Return the stretches of a text in turn, each with whether it is mathematics.

    That is what stands between dollar signs, and in the rest a policy's name with its index (A_min), and formulas as the
    command line takes them; a dollar without its other is prose.
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:
        parts[-2:] = [f"{parts[-2]}${parts[-1]}"]
    return [run for n, part in enumerate(parts) if part for run in ([(part, True)] if n % 2 else _unmarked_runs(part))]


def _unmarked_runs(text: str) -> list[tuple[str, bool]]:
    """Return the stretches of a text without dollar signs: mathematics that is written without them is found."""
    if not MARKS.search(text):
        return [(text, False)]
    if _is_typed(text):
        return [(text, True)]
    found: list[tuple[str, bool]] = []
    at = 0
    for match in _plain().finditer(text):
        if match["code"] is None and _balanced(match[0]):
            found += [(text[at : match.start()], False), (match[0], True)]
            at = match.end()
    return [run for run in (*found, (text[at:], False)) if run[0]]


@cache
def _plain() -> re.Pattern[str]:
    """Return the mathematics that stands in a text without dollar signs, and code, in which there is none."""
    own = "|".join(sorted(map(re.escape, {*policy_indices(), "ℓ"})))
    return re.compile(
        rf"(?P<code>``.*?``)|(?<![\w/.^{{-])(?:A_(?:{own})(?![\w-]|\.\w|/[a-z])|[Σ∑]_\{{[^{{}}]*\}}(?:\^(?:\{{[^{{}}]*\}}|\w))?"
        r"|[\w()+*/^.-]*?(?:sqrt\(|\*\*)[\w()+*/^.-]*[\w)])"
    )


def _is_typed(text: str) -> bool:
    """Return whether a whole text is a formula as the command line takes it, with a power or a root in it."""
    words = re.findall(r"[A-Za-z]+", text)
    known = all(len(word) == 1 or word in FUNCTIONS or word in LETTERS or word == "sqrt" for word in words)
    return known and TYPED.fullmatch(text) is not None and re.search(r"sqrt\(|\*\*", text) is not None


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


LETTER = re.compile(r"``.*?``|(?<![\w.'’-])l(?![^\W²³κ]|[='’]|-\w)|(?<![\w-])log(?=\()")
"""The letter and the function of code where they stand in a sentence; none is a word, and ``l=1`` is code."""

INDEXED = (
    r"(?<![A-Za-z])(?<![a-z]{2}/)(?:[A-Za-zα-ωΑ-Ωõℓ∫∑]'?|lim(?:inf|sup)?|sup|inf|min|max)"
    r"_(?:\{[^{}]*\}|\([a-z]\)|[A-Za-z0-9α-ωℓ]{1,3}(?![A-Za-z0-9_]|\.\w))"
)
"""x_ij, x_{i,j−1}: one letter with an index. A name with an underscore in it is no formula."""


def sentence(words: str) -> str:
    """Return words with ℓ and ln for the letter and the function of code."""
    return LETTER.sub(lambda m: {"l": "ℓ", "log": "ln"}.get(m[0], m[0]), words)

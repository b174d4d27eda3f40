"""Formulas in plain sentences: which stretches of a text are mathematics, and their LaTeX.

The ledger writes mathematics as a reader types it: "CR(A_max) ≤ α⁻¹(1+α^(−1/2))/2 + O(1/M)". A sentence is cut into
tokens that join to the same text; each token is certainly mathematics, certainly prose, or either, and a stretch of
mathematics runs from one certain token to another. Nothing is simplified or rearranged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from crtools.report.to_latex import latex
from crtools.report.tokens import (
    CLOSING,
    FUNCTIONS,
    OPENING,
    PRODUCTS,
    RELATIONS,
    SHORT_WORDS,
    SPACE,
    SPELT,
    UPRIGHT,
    Token,
    split,
)


@dataclass(frozen=True)
class Run:
    """A stretch of a sentence; ``latex`` is empty for prose."""

    text: str
    latex: str = ""


@lru_cache(maxsize=4096)
def runs(text: str) -> tuple[Run, ...]:
    """Return the stretches of a sentence; their texts join to it."""
    tokens = _tokens(text)
    found: list[Run] = []
    at = 0
    while at < len(tokens):
        end = _stretch(tokens, at)
        if end > at:
            part = tokens[at:end]
            found.append(Run("".join(t.text for t in part), latex(part)))
            at = end
        else:
            found.append(Run(tokens[at].text))
            at += 1
    return _joined(found)


def _joined(found: Sequence[Run]) -> tuple[Run, ...]:
    joined: list[Run] = []
    for run in found:
        if joined and not run.latex and not joined[-1].latex:
            joined[-1] = Run(joined[-1].text + run.text)
        else:
            joined.append(run)
    return tuple(joined)


def _tokens(text: str) -> list[Token]:
    tokens = split(text)
    for n, token in enumerate(tokens):
        token.sure = _sure(tokens, n)
    return tokens


def _sure(tokens: Sequence[Token], n: int) -> bool:
    """Return whether a token is mathematics by itself or by what touches it; marks other words as prose."""
    token = tokens[n]
    before = tokens[n - 1] if n else SPACE
    after = tokens[n + 1] if n + 1 < len(tokens) else SPACE
    if token.kind == "prime" and (
        before.kind in ("prose", "number") or (len(before.text) > 1 and before.kind == "word")
    ):
        token.kind = "other"
    if token.kind in ("greek", "fraction", "root", "raised", "lowered", "script", "power", "prime"):
        return True
    if token.kind != "word":
        return False
    scripted = after.kind in ("script", "raised", "lowered", "power", "prime")
    called = after.text == "("
    if token.text in UPRIGHT or token.text in PRODUCTS or token.text in SPELT:
        return True
    if token.text in FUNCTIONS:
        later = tokens[n + 2] if n + 2 < len(tokens) else SPACE
        applied = after.text == " " and later.kind in ("greek", "number", "root", "fraction", "script")
        single = later.kind == "word" and (later.text in UPRIGHT or (len(later.text) == 1 and later.text not in "aAI"))
        short = after.text == " " and single
        return called or scripted or applied or (short and token.text not in ("min", "max"))
    if len(token.text) == 1:
        return token.text not in "aAI" or scripted or called or _beside_operator(tokens, n)
    if token.text == "sqrt":
        return False
    glued = before.kind in ("number", "raised", "lowered", "script") and before.text[-1] not in "})"
    if len(token.text) <= 3 and (scripted or glued) and token.text.lower() not in {*SHORT_WORDS, "st", "nd", "rd"}:
        return True
    enclosed = before.text in ("(", "/", "·", "[") and after.text in (")", "]", "/", "·")
    if len(token.text) == 2 and enclosed and token.text.lower() not in SHORT_WORDS:
        return True
    token.kind = "prose"
    return False


def _beside_operator(tokens: Sequence[Token], n: int) -> bool:
    """Return whether a, A or I, which may be words, stand beside an operator."""
    for step in (-1, 1):
        k = n + step
        while 0 <= k < len(tokens) and tokens[k].text == " ":
            k += step
        if 0 <= k < len(tokens) and (tokens[k].kind == "operator" or tokens[k].text in ("/", "⌈", "⌊", "|")):
            return True
    return False


def _stretch(tokens: Sequence[Token], start: int) -> int:
    """Return the end of the mathematics that begins at ``start``, which is ``start`` where none does."""
    if not _may_start(tokens, start):
        return start
    depth, end = 0, start
    while end < len(tokens):
        token = tokens[end]
        if token.kind in ("prose", "other"):
            break
        if token.text in CLOSING:
            if depth == 0 and not _half_open(tokens, start, end):
                break
            depth -= 1
        elif token.text in OPENING:
            if depth == 0 and end > start and _aside(tokens, end):
                break
            depth += 1
        elif (token.text in (",", ":") and depth <= 0 and _ends_clause(tokens, end)) or _hyphen(tokens, end):
            break
        end += 1
    return _trimmed(tokens, start, end)


def _may_start(tokens: Sequence[Token], n: int) -> bool:
    token = tokens[n]
    if token.sure or token.kind == "number" or token.text in ("(", "[", "{", "|", "⌈", "⌊", "−", "+", "Σ", "∏", "∫"):
        return True
    later = tokens[n + 1] if n + 1 < len(tokens) else token
    return token.text == "-" and (later.kind in ("word", "number") or later.text == "(") and _minus(tokens, n)


def _aside(tokens: Sequence[Token], n: int) -> bool:
    """Return whether a bracket after a space opens a remark such as (s = 0), not a factor."""
    if tokens[n - 1].text != " ":
        return False
    depth = 0
    for token in tokens[n:]:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth == 0:
            return False
        if depth == 1 and token.text in RELATIONS:
            return True
    return False


def _half_open(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Return whether a closing bracket ends an interval such as [0, 1) or (0, 1]."""
    inside = [t.text for t in tokens[start:end]]
    return any(t in "([" for t in inside) and sum(t in OPENING for t in inside) > sum(t in CLOSING for t in inside)


def _ends_clause(tokens: Sequence[Token], n: int) -> bool:
    """Return whether a comma or colon outside brackets separates clauses, not the two sides of x_l : x_u."""
    before = tokens[n - 1].text if n else " "
    after = tokens[n + 1].text if n + 1 < len(tokens) else " "
    return not (tokens[n].text == ":" and before == " " and after == " ")


def _hyphen(tokens: Sequence[Token], n: int) -> bool:
    return tokens[n].text == "-" and not _minus(tokens, n)


def _minus(tokens: Sequence[Token], n: int) -> bool:
    """Return whether a hyphen is a minus sign: between mathematics, or set off by spaces on both sides."""
    before = tokens[n - 1] if n else Token("neutral", "(")
    after = tokens[n + 1] if n + 1 < len(tokens) else SPACE
    if before.text == " " and after.text == " ":
        return True
    firm = ("number", "greek", "script", "raised", "fraction", "root", "word", "operator", "power")
    return (after.kind in firm or after.text == "(") and (
        before.kind in firm or before.text in {*OPENING, *CLOSING, " ", "/", ","}
    )


def _trimmed(tokens: Sequence[Token], start: int, end: int) -> int:
    """Cut what is not mathematics off the end; return ``start`` where nothing certain is left."""
    while end > start:
        last, inside = tokens[end - 1], tokens[start:end]
        unclosed = sum(t.text in OPENING for t in inside) > sum(t.text in CLOSING for t in inside)
        lonely_bar = last.text == "|" and sum(t.text == "|" for t in inside) % 2 == 1
        if last.text.isspace() or last.text in ",:/-" or last.text in OPENING or last.kind == "operator" or lonely_bar:
            end -= 1
        elif unclosed and not any(t.text in CLOSING for t in tokens[end : end + 1]):
            end = max(max(n for n in range(start, end) if tokens[n].text in OPENING), start)
        else:
            break
    sure = any(t.sure or t.text == "Σ" for t in tokens[start:end])
    return end if sure and end > start else start

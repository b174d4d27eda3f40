"""How a status looks: a word, a sign beside it, and a class for its colour. Never the colour alone."""

from __future__ import annotations

from html import escape

SIGNS = {
    "proved": "✓", "certified": "=", "supported": "~", "contradicted": "!", "refuted": "✗", "inconclusive": "?", "skipped": "-",
    "undecided": "·", "sound": "✓", "gap": "?", "false-step": "✗", "not-examined": "·",
}  # fmt: skip
MEANINGS = {
    "proved": "symbolic, for every value in the reading; every step re-checked by machine",
    "certified": "exact or ball arithmetic, for the stated finite range",
    "supported": "floats or simulation agree; margin and sample are stated; no guarantee",
    "contradicted": "floats or simulation disagree beyond the stated margin; no guarantee",
    "refuted": "an explicit counterexample, exact or rigorously enclosed, confirmed by a second computation",
    "inconclusive": "not decided",
    "skipped": "left out of this run",
    "undecided": "not in the ledger",
}
COLOURS = {
    "proved": "32", "certified": "32", "sound": "32", "supported": "36", "contradicted": "33", "refuted": "31", "false-step": "31",
    "gap": "33",
}  # fmt: skip
"""Of a terminal."""
PROOF_WORDS = {"sound": "sound", "gap": "gap", "false-step": "false step", "not-examined": "not examined"}


def painted(text: str, status: str, colour: bool) -> str:
    """Return a text in the colour of a status, where a terminal shows colours."""
    code = COLOURS.get(status)
    return f"\x1b[{code}m{text}\x1b[0m" if colour and code else text


def badge(status: str) -> str:
    """Return a status as a coloured word with its sign."""
    word = PROOF_WORDS.get(status, status)
    return f'<span class="badge s-{escape(status)}"><span aria-hidden="true">{SIGNS.get(status, "")}</span> {escape(word)}</span>'

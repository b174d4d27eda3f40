"""Signs, meanings and colours of the statuses. A status is never shown by its colour alone."""

SIGNS = {
    "proved": "✓", "certified": "=", "supported": "~", "contradicted": "!", "refuted": "✗", "inconclusive": "?", "skipped": "-",
    "undecided": "·", "sound": "✓", "gap": "?", "false-step": "✗", "not-examined": "·",
}  # fmt: skip
MEANINGS = {
    "proved": "for every value in the reading; formulas judged by machine, sentences counted beside the sign",
    "certified": "exact or ball arithmetic, for the stated finite range",
    "supported": "floats or simulation agree; margin and sample are stated; no guarantee",
    "contradicted": "floats or simulation disagree beyond the stated margin; no guarantee",
    "refuted": "an explicit counterexample, exact or rigorously enclosed, confirmed by a second computation, or a theorem of many",
    "inconclusive": "not decided",
    "skipped": "left out of this run",
    "undecided": "not in the ledger",
}
PROOFS = {
    "sound": "every display that was judged is proved or certified",
    "gap": "a premise is missing or assumed, or a display is open",
    "false-step": "a display or an inference is false",
    "not-examined": "no display was judged",
}
"""The states of a published proof."""
COLOURS = {
    "proved": "32", "certified": "32", "sound": "32", "supported": "36", "contradicted": "33", "refuted": "31", "false-step": "31",
    "gap": "33",
}  # fmt: skip
"""Of a terminal."""


def word(status: str) -> str:
    """Return a status in words."""
    return status.replace("-", " ")


def painted(text: str, status: str, colour: bool) -> str:
    """Return a text in the colour of a status, where a terminal shows colours."""
    code = COLOURS.get(status)
    return f"\x1b[{code}m{text}\x1b[0m" if colour and code else text

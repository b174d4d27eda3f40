"""Words for what a verdict or a step of a proof rests on; signs, meanings and colours of the statuses.

A status is never shown by its colour alone.
"""

import re

from crtools.ledger.evidence import DECIDED
from crtools.ledger.verdict import NOT_CHECKED, Trust
from crtools.names import count_text
from crtools.numeric_types import JsonObject

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


# ---- proofs ---------------------------------------------------------------------------------------------------------

KINDS = {"Citation": "cited", "Argument": "argued", "Inference": "concluded"}
"""Words for the steps that are no formula. A formula is ``judged`` by the kernel, or ``computed`` where no rule has it."""


def step_name(step: JsonObject, number: int) -> str:
    """Return the name of a step; empty where it is the step's number or the theorem that it cites."""
    return "" if step["step"] == str(number) or step["kind"] == "Citation" else step["step"]


def titled(theorem: str) -> str:
    """Return a theorem's name as a title: ``trace(closed_form)`` becomes ``trace (closed form)``."""
    return re.sub(r"(?<=\S)\(([a-z_]+(?:, [a-z_]+)*)\)$", lambda m: f" ({m[1].replace('_', ' ')})", theorem)


def both_sides(step: JsonObject) -> str:
    """Return the words before a step's formula where both sides of an identity look the same and only one is shown."""
    return "both sides are" if step["kind"] == "Identity" and "=" not in step["latex"] else ""


def coq_words(mark: JsonObject, steps: int) -> str:
    """Return in words what Coq's kernel accepted of a theorem with this number of steps; empty for nothing."""
    if mark["theorem"]:
        return f"accepted whole, as {mark['theorem']}"
    return f"{mark['steps']} of {steps} steps accepted" if mark["steps"] else ""


def in_words(steps: int) -> str:
    """Return ``, resting on N sentences``; empty for none."""
    return f", resting on {count_text(steps, 'sentence')}" if steps else ""


def rests_on(trust: Trust, status: str, in_coq: bool) -> str:
    """Return in words what a verdict rests on; may be empty."""
    if in_coq:
        return "accepted whole by Coq's kernel (a record; make coq repeats it)"
    sentences = count_text(trust.argued, "sentence") if trust.argued else ""
    computed = f"{count_text(trust.computed, 'step')} that only crtools computed" if trust.computed else ""
    unjudged = " and ".join(filter(None, (sentences, computed)))
    words, facts = f"rests on {unjudged}" if unjudged else "", count_text(trust.facts, "fact")
    if trust.missing:
        why = f"no certificate: {trust.missing}" if trust.missing != NOT_CHECKED and status in DECIDED else ""
        return "; ".join(filter(None, (words, why)))
    if words:
        return f"{words}, {facts} judged" if trust.facts else words
    return f"every step judged: {facts}" if trust.facts else "by its witness alone, which the judge recomputed"


def strength(trust: Trust, in_coq: bool) -> str:
    """Return what a verdict rests on in a word or two, for a table; empty without a certificate and a sentence."""
    if in_coq:
        return "Coq"
    if trust.argued:
        return count_text(trust.argued, "sentence")
    return "" if trust.missing else "every step judged" if trust.facts else "its witness"


def coq_note(theorems: int) -> str:
    """Return in words how many theorems are recorded as accepted by Coq's kernel; empty for none."""
    are = "theorem is" if theorems == 1 else "theorems are"
    return f"{theorems} {are} recorded as accepted whole by Coq's kernel; make coq repeats it" if theorems else ""


def step_kind(step: JsonObject) -> str:
    """Return judged, "judged with words" (which count as a sentence), cited, argued, concluded, computed or failed."""
    judged = "judged with words" if step.get("said") else "judged"
    return (KINDS.get(step["kind"]) or (judged if "formal" in step else "computed")) if step["holds"] else "failed"

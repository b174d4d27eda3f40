"""What a verdict or a step of a proof rests on, in words: cited, argued, judged, accepted by Coq's kernel."""

import re

from crtools.ledger.trust import Trust
from crtools.names import count_text
from crtools.numeric_types import JsonObject

KINDS = {"Citation": "cited", "Argument": "argued", "Inference": "concluded"}
"""Words for the steps that are no formula. A formula is ``judged`` by the kernel, or ``computed`` where no rule has it."""

DECIDED = ("proved", "certified", "refuted")


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
        why = f"no certificate: {trust.missing}" if trust.was_checked and status in DECIDED else ""
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

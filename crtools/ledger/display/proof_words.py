"""What a verdict or a step of a proof rests on, in words: cited, argued, judged, accepted by Coq's kernel."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from crtools.ledger.trust import Trust

KINDS = {"Citation": "cited", "Argument": "argued", "Inference": "joined"}
"""Words for the steps that are no formula. A formula is ``judged`` by the kernel, or ``computed`` where no rule has it."""

DECIDED = ("proved", "certified", "refuted")


def step_name(step: Mapping[str, Any], number: int) -> str:
    """Return the name of a proof's step; empty where that is its number or the theorem that it cites."""
    return "" if step["step"] == str(number) or step["kind"] == "Citation" else step["step"]


def titled(theorem: str) -> str:
    """Return a theorem's name as a title: an instance of one with parameters has these in words, in brackets that stand apart."""
    return re.sub(r"(?<=\S)\(([a-z_]+(?:, [a-z_]+)*)\)$", lambda m: f" ({m[1].replace('_', ' ')})", theorem)


def both_sides(step: Mapping[str, Any]) -> str:
    """Return what stands before a step's formula: words where both sides of an identity are written the same, and one is shown."""
    return "both sides are" if step["kind"] == "Identity" and "=" not in step["latex"] else ""


def coq_words(mark: Mapping[str, Any], steps: int) -> str:
    """Return what Coq's kernel accepted of a theorem of so many steps; empty for nothing."""
    if mark["theorem"]:
        return f"accepted whole, as {mark['theorem']}"
    return f"{mark['steps']} of {steps} steps accepted" if mark["steps"] else ""


def counted(number: int, what: str) -> str:
    """Return a number of things in words: 1 step, 2 steps."""
    return f"{number} {what}{'s' * (number != 1)}"


def in_words(steps: int) -> str:
    """Return how many sentences a result rests on, after a comma; empty for none."""
    return f", resting on {counted(steps, 'sentence')}" if steps else ""


def rests_on(trust: Trust, status: str, in_coq: bool) -> str:
    """Return what a verdict rests on, in words; empty where there is nothing to say."""
    if in_coq:
        return "accepted whole by Coq's kernel (a record; make coq repeats it)"
    sentences = counted(trust.argued, "sentence") if trust.argued else ""
    computed = f"{counted(trust.computed, 'step')} that only crtools computed" if trust.computed else ""
    said = " and ".join(filter(None, (sentences, computed)))
    words, facts = f"rests on {said}" if said else "", counted(trust.facts, "fact")
    if trust.missing:
        why = f"no certificate: {trust.missing}" if trust.asked and status in DECIDED else ""
        return "; ".join(filter(None, (words, why)))
    if words:
        return f"{words}, {facts} judged" if trust.facts else words
    return f"every step judged: {facts}" if trust.facts else "by its witness alone, which the judge recomputed"


def strength(trust: Trust, in_coq: bool) -> str:
    """Return the same in a word or two, for a table; empty where there is no certificate and no sentence."""
    if in_coq:
        return "Coq"
    if trust.argued:
        return counted(trust.argued, "sentence")
    return "" if trust.missing else "every step judged" if trust.facts else "its witness"


def coq_note(theorems: int) -> str:
    """Return how many theorems Coq's kernel has accepted, as a record says; empty for none."""
    are = "theorem is" if theorems == 1 else "theorems are"
    return f"{theorems} {are} recorded as accepted whole by Coq's kernel; make coq repeats it" if theorems else ""


def step_kind(step: Mapping[str, Any]) -> str:
    """Return how far a step is from being only words: judged (and said: its words count), cited, argued, joined, computed, failed."""
    judged = "judged and said" if step.get("said") else "judged"
    return (KINDS.get(step["kind"]) or (judged if "formal" in step else "computed")) if step["holds"] else "failed"

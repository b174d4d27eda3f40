"""Repairs: true sentences in the place of the paper's false ones, each with the theorems that prove it.

They stand in ``repairs.txt`` beside the ledger; the claims of all sections ask for them by name.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from crtools.ledger import Finding, Repair, by_theorem
from crtools.papers.adaptive.theory import theorem


class Entry(NamedTuple):
    """A block of the table: the level, the sentence, and for each finding its id, what it says and its theorem."""

    level: str
    sentence: str
    findings: list[list[str]]


@cache
def entries() -> dict[str, Entry]:
    """Return the blocks of the table by name."""
    table: dict[str, Entry] = {}
    for block in files("crtools.papers.adaptive").joinpath("repairs.txt").read_text("utf-8").strip().split("\n\n"):
        if block.startswith("#"):
            continue
        head, *lines = block.split("\n  ")
        name, level = head.split()
        sentence = " ".join(line for line in lines if " | " not in line)
        table[name] = Entry(level, sentence, [line.split(" | ") for line in lines if " | " in line])
    return table


def repairs(*names: str) -> tuple[Repair, ...]:
    """Return the repairs of these names, with the evidence of their theorems."""
    return tuple(
        Repair(level, sentence, tuple(Finding(id, says, by_theorem(theorem(name))) for id, says, name in findings))
        for level, sentence, findings in map(entries().__getitem__, names)
    )


def conclusion(name: str) -> str:
    """Return what a repair says behind its quantifiers."""
    return entries()[name].sentence.partition(": ")[2]

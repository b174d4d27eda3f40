"""``Readings``: a ledger's table of what its claims say, and how each one is read at each level.

The table is a file ``readings.txt``. A block a claim, below its id::

    thm-log order-of-growth
      claim: $CR(A_min) = O(log 1/α)$ as $M → ∞$, for each $s$
      place: Section 4.1, Theorem 5
      stated at: algorithm
      rests on: lem-amin trace
      algorithm: each $s$, ‹settings›, $M → ∞$
      method: bounds from above and below
      display last-step: Section 4.1, proof of Theorem 5: “the sum is at most ‹sum›”
      instead: the sum is at most $H_u$

``method`` belongs to the level above it, ``instead`` to the display above it: the correct formula. ``gap`` and ``note`` say what the
published proof leaves out, or why none is judged. A name in ‹…› stands for a value of the claim. A block begins with the rows of the
blocks that its head names behind the id. A line that is indented by four continues the one before.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from crtools.ledger import Claim, Decision, Finding, Given, PublishedProof, Repair, Verdict, claim
from crtools.ledger.verdict import decision_at, verdict


def blocks(table: Traversable) -> Iterator[tuple[list[str], list[str]]]:
    """Iterate over the blocks of a table, as the words of the head and the lines."""
    for block in table.read_text("utf-8").strip().split("\n\n"):
        if not block.startswith("#"):
            head, *lines = block.replace("\n    ", " ").split("\n  ")
            yield head.split(), lines


@dataclass(frozen=True)
class Reading:
    """How a claim is read: the rows of its block, and the words that stand in the place of ‹…› there."""

    rows: dict[str, str]
    words: dict[str, object]

    def text(self, row: str) -> str:
        """Return the text of a row."""
        return re.sub("‹(.+?)›", lambda name: str(self.words[name[1]]), self.rows[row])

    def verdict(self, level: str, why: str, *findings: Finding, degenerate: tuple[Finding, ...] = ()) -> Verdict:
        """Return the verdict at a level, with the reason ``why``, whatever its status."""
        return Verdict(level, self.text(level), why, self.text(f"{level} method"), findings, degenerate)

    def reasoned(self, level: str, why: str | tuple[str, str], *findings: Finding, **options: Any) -> Verdict:
        """Return the verdict at a level with the reason that fits its status: see :func:`crtools.ledger.claims.verdict`."""
        return verdict(level, self.text(level), self.text(f"{level} method"), why, *findings, **options)

    def decision(self, why: str | tuple[str, str], *findings: Finding, **options: Any) -> Decision:
        """Return the decision of a result that is proved here and read only where it is stated: ``decision_at`` there."""
        level = self.rows["stated at"]
        return decision_at(level, self.text(level), self.text(f"{level} method"), why, *findings, **options)

    def judged(
        self, line: str, why: str, *findings: Finding, repairs: tuple[Repair, ...] = (), **displays: Any
    ) -> Decision:
        """Return the decision of a published claim that is read only where it is stated; ``displays`` as for :meth:`proof`."""
        only = self.verdict(self.rows["stated at"], why, *findings)
        return Decision(line, (only,), self.proof(**displays), repairs)

    def proof(self, *uncorrected: str, **evidence: Any) -> PublishedProof:
        """Return the judgement of the published proof from the evidence on its displays, by their ids with _ for -.

        ``uncorrected``: ids of the displays whose correct formula is not to be shown.
        """
        displays: list[Finding] = []
        for row in self.rows:
            kind, _, id = row.partition(" ")
            if kind == "display" and not id.endswith(" instead"):
                corrected = f"{row} instead" in self.rows and id not in uncorrected
                instead = self.text(f"{row} instead") if corrected else ""
                displays.append(Finding(id, self.text(row), evidence[id.replace("-", "_")], instead=instead))
        gaps = tuple(text for row, text in self.rows.items() if row.startswith("gap"))
        return PublishedProof(tuple(displays), gaps, self.text("note") if "note" in self.rows else "")


class Readings:
    """The table ``readings.txt`` in the package of a ledger."""

    def __init__(self, package: str) -> None:
        self.table = files(package) / "readings.txt"

    def of(self, id: str, **words: object) -> Reading:
        """Return how a claim is read, with the words for ‹…›."""
        return Reading(self.rows[id], words)

    def claim(self, id: str, **options: Any) -> Callable[[Callable[[Given], Decision]], Claim]:
        """Return the decorator :func:`crtools.ledger.claim` with the sentence, the place, the level and the premises of the table."""
        rows = self.rows[id]
        rests_on = rows.get("rests on", "").split()
        return claim(id, rows["stated at"], rows["place"], rows["claim"], rests_on=rests_on, **options)

    @cached_property
    def rows(self) -> dict[str, dict[str, str]]:
        """The rows of each block, by the claim's id."""
        rows_of: dict[str, dict[str, str]] = {}
        for (id, *others), lines in blocks(self.table):
            rows = {row: text for other in others for row, text in rows_of[other].items()}
            before = ""
            for line in lines:
                row, _, text = line.partition(": ")
                if row in ("method", "instead"):  # of the level or the display before
                    row = f"{before} {row}"
                else:
                    before = row
                rows[row] = text
            rows_of[id] = rows
        return rows_of

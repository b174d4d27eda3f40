"""One claim in full on a terminal: what ``ClaimResult.show`` returns, from a result's evidence alone."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crtools.ledger.evidence import Data, Evidence, Open, Proved, Refuted
from crtools.readable import readable
from crtools.report.marks import SIGNS
from crtools.report.tables import table
from crtools.report.words import coq_words, label, rests_on, shown, step_kind, step_name, unmarked

if TYPE_CHECKING:
    from crtools.ledger.verdict import ClaimResult
    from crtools.proof.accepted import Accepted


def claim_text(result: ClaimResult, width: int, accepted: Accepted) -> str:
    """Return one claim in full: statement, readings, findings, evidence, and every step of the proofs."""
    page = _Page(width)
    page.add(f"{result.id} ({result.place})")
    page.add(result.statement, 2)
    if result.given:
        page.add("given: " + ", ".join(f"``{k} = {v}``" for k, v in result.given.items()), 2)
    page.add(f"stated at: {result.stated_at}. Found: {result.why}", 2)
    if result.rests_on:
        page.add("rests on: " + ", ".join(result.rests_on), 2)
    for verdict in result.verdicts:
        page.add("")
        rests = rests_on(verdict.rests, verdict.status, verdict.kernel_checked(accepted))
        page.add(f"{verdict.level}: " + ", ".join(filter(None, (verdict.status, rests))), 2)
        page.add(f"reading: {verdict.reading}", 4)
        page.add(f"why: {verdict.why}", 4)
        if verdict.uses:
            page.add("uses: " + ", ".join(verdict.uses), 4)
        for finding in verdict.findings:
            beside = "" if finding.decides else "beside, decides nothing: "
            page.finding(finding.status, beside + finding.says, finding.id, finding.evidence)
        for finding in verdict.degenerate:
            page.finding("does not count", finding.says, finding.id, finding.evidence)
    page.add("")
    page.add(f"published proof: {result.proof.state}" + (f" ({result.proof.why})" if result.proof.why else ""), 2)
    for display in result.proof.displays:
        instead = f"; instead: {display.instead}" if display.instead else ""
        page.finding(display.status, f"{display.place}{instead}", display.id, display.evidence)
    if result.standing_repairs:
        page.add("")
        page.add("true in its place:", 2)
    for repair in result.standing_repairs:
        page.add(f"{SIGNS[repair.status]} {repair.level}, {repair.status}: {repair.sentence}", 4)
    page.proofs(result.theorems, accepted)
    return "\n".join(page.lines)


class _Page:
    """Lines that fit a width."""

    def __init__(self, width: int) -> None:
        self.width, self.lines = width, list[str]()
        self.shown: list[tuple[Evidence, str]] = []

    def add(self, text: str, indent: int = 0, first: str = "") -> None:
        """Add a paragraph; ``first`` stands before its first line."""
        space = " " * indent
        wrapped = textwrap.wrap(
            unmarked(text).replace("``", ""),
            max(self.width, 40),
            initial_indent=space + first,
            subsequent_indent=space + " " * len(first),
            break_on_hyphens=False,
        )
        self.lines += wrapped or [""]

    def finding(self, status: str, says: str, id: str, evidence: Evidence) -> None:
        """Add a finding and what it rests on; evidence that stands above already is named only."""
        self.add(f"{status}: {says} [{id}]", 4, f"{SIGNS.get(status, '·')} ")
        above = [name for one, name in self.shown if one == evidence]
        rows = [("evidence", f"that of [{above[0]}]")] if above else _rows(evidence)
        self.shown.append((evidence, id))
        short = [(name, textwrap.shorten(text, 600, placeholder=" …")) for name, text in rows]
        self.lines += textwrap.indent(table(short, width=max(self.width, 40) - 8), " " * 8).splitlines()

    def proofs(self, theorems: Sequence[Data], accepted: Accepted) -> None:
        """Add every theorem with its steps."""
        for theorem in theorems:
            self.add("")
            self.add(f"Theorem {theorem['theorem']}. {theorem['reading']}", 2)
            in_coq = coq_words(accepted.mark(theorem), len(theorem["steps"]))
            if in_coq:
                self.add(f"Coq (a record; make coq repeats it): {in_coq}", 4)
            for number, step in enumerate(theorem["steps"], start=1):
                by = f"by Theorem {step['theorem']}" if step["kind"] == "Citation" else ""
                words = ": ".join(part for part in (by, step_name(step, number), step["text"]) if part)
                formula = textwrap.shorten(readable(step["latex"]), 300, placeholder=" …")
                self.add(words or formula, 4, f"{number}. {step_kind(step)}: ")
                if words:
                    self.add(formula, 9)


def _rows(evidence: Evidence) -> list[tuple[str, str]]:
    """Return evidence as pairs of a name and a text."""
    data = evidence.as_json()
    data.pop("kind")
    values: Mapping[str, Any] = data.pop("values", {})
    rows = [row for name, value in data.items() for row in _spread(name, value)]
    if isinstance(evidence, Proved | Refuted | Open):
        values = {name: value for name, value in values.items() if not isinstance(value, list | dict)}
    return rows + [row for name, value in values.items() for row in _spread(unmarked(label(name)), value)]


def _spread(name: str, value: Any) -> list[tuple[str, str]]:
    """Return a value as rows, each record of a list or under a name of its own on one of its own."""
    if isinstance(value, Mapping):
        whole = {key: item for key, item in value.items() if not _records(item)}
        texts = [shown(whole)] if whole else []
        for key, items in value.items():
            if key not in whole:
                texts += [f"{unmarked(label(key))}: {shown(items[0])}", *map(shown, items[1:])]
    else:
        texts = [shown(item) for item in value] if _records(value) else [shown(value)]
    return [("" if number else name, text) for number, text in enumerate(texts)]


def _records(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)

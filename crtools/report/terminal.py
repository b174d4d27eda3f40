"""The ledger on a terminal: a tally, one line per claim, and one claim in full. Colour only where the caller asks for it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from crtools.ledger.evidence import Data, Evidence, Open, Proved, Refuted
from crtools.ledger.ledger import Ledger
from crtools.ledger.run import tally, theorems
from crtools.ledger.self_test import Row, SelfTest
from crtools.ledger.verdict import ClaimResult
from crtools.proof.accepted import Accepted
from crtools.report.marks import MEANINGS, SIGNS, painted
from crtools.report.readable import readable
from crtools.report.tables import WIDTH, table
from crtools.report.words import coq_words, in_words, label, shown, step_name, unmarked

PROOF = {"sound": "sound", "gap": "gap", "false-step": "false", "not-examined": "-"}
"""A published proof's state, short."""


def _ids(ledger: Ledger) -> int:
    return max(len("claim"), *(len(claim.id) for claim in ledger.claims))


def head(ledger: Ledger) -> list[str]:
    """Return what stands above the claims: what the signs and columns mean."""
    signs = "  ".join(f"{SIGNS[status]} {status}" for status in MEANINGS if status not in ("skipped", "undecided"))
    levels = ", ".join(f"{level.head} {level.id}" for level in ledger.levels)
    heads = "".join(f"{level.head} " for level in ledger.levels)
    return [
        signs,
        f"levels: {levels}; * where it is stated",
        "",
        f"{'claim':<{_ids(ledger)}}  {heads} proof  what was found",
    ]


def claim_line(result: ClaimResult, ledger: Ledger, *, colour: bool = False) -> str:
    """Return one claim on one line: its id, a sign per level, the published proof's state, and what was found."""
    ids, own = _ids(ledger), {verdict.level: verdict.status for verdict in result.verdicts}
    signs = ""
    for level in ledger.levels:
        status = own.get(level.id, "")
        sign = painted(SIGNS[status], status, colour) if status else " "
        signs += sign + ("*" if level.id == result.stated_at else " ")
    space = WIDTH - ids - 2 * len(ledger.levels) - len("    false  ") + 1
    state = painted(f"{PROOF[result.proof.state]:<5}", result.proof.state, colour)
    found = textwrap.shorten(unmarked(result.why), space, placeholder=" …")
    return f"{result.id:<{ids}}  {signs} {state}  {found}".rstrip()


def tally_lines(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return how many verdicts there are of each status, a line for each level."""
    counts = tally(results)
    rows: list[tuple[str, str]] = []
    for level in ledger.levels:
        own = counts.get(level.id, {})
        rows.append(
            (level.id, ", ".join(f"{own[status]} {status}" for status in MEANINGS if status in own) or "no claim")
        )
    return table(rows).splitlines()


def closing(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return how many theorems Coq accepts too, where it is asked for any, and where details are."""
    checked = sum(bool(own["kernel_checked"]["theorem"]) for own in theorems(results, ledger).values())
    theorem = "1 theorem is" if checked == 1 else f"{checked} theorems are"
    kernel = [f"{theorem} also accepted, whole, by Coq's kernel: docs/coq.md"] if checked else []
    return ["", *kernel, MORE]


MORE = "more: crtools verify ID --show (evidence and proofs), --json (for programs)"


def ledger_text(results: Sequence[ClaimResult], ledger: Ledger, *, colour: bool = False) -> str:
    """Return the whole ledger: the tally, one line per claim, and where details are."""
    lines = [*tally_lines(results, ledger), "", *head(ledger)]
    lines += [claim_line(result, ledger, colour=colour) for result in results]
    return "\n".join([*lines, *closing(results, ledger)])


def claim_text(result: ClaimResult, width: int, accepted: Accepted) -> str:
    """Return one claim in full: statement, readings, findings, evidence, and every step of the proofs."""
    page = _Page(width)
    page.add(f"{result.id} ({result.place})")
    page.add(result.statement, 2)
    if result.given:
        page.add("given: " + ", ".join(f"{k} = {v}" for k, v in result.given.items()), 2)
    page.add(f"stated at: {result.stated_at}. Found: {result.why}", 2)
    if result.rests_on:
        page.add("rests on: " + ", ".join(result.rests_on), 2)
    for verdict in result.verdicts:
        page.add("")
        checked = ", kernel-checked (Coq)" if verdict.kernel_checked(accepted) else ""
        page.add(f"{verdict.level}: {verdict.status}{checked}{in_words(verdict.argued)}", 2)
        page.add(f"reading: {verdict.reading}", 4)
        page.add(f"why: {verdict.why}", 4)
        if verdict.uses:
            page.add("uses: " + ", ".join(verdict.uses), 4)
        for finding in verdict.findings:
            page.finding(finding.status, finding.says, finding.id, finding.evidence)
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
            unmarked(text),
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
                self.add(f"Coq: {in_coq}", 4)
            for number, step in enumerate(theorem["steps"], start=1):
                mark = "✓" if step["holds"] else "✗"
                by = f"by Theorem {step['theorem']}" if step["kind"] == "Citation" else ""
                words = ": ".join(part for part in (by, step_name(step, number), step["text"]) if part)
                formula = textwrap.shorten(readable(step["latex"]), 300, placeholder=" …")
                self.add(words or formula, 4, f"{number}. {mark} ")
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


def self_test_table(found: SelfTest) -> str:
    """Return a line for each variant, those that came out wrong once more, and the totals."""
    rows = [("✓" if row.ok else "✗", row.claim, row.kind, row.got, _variant(row)) for row in found.rows]
    lines = [table(rows, cut=True)]
    lines.append("")
    for row in found.missed:
        why = "cannot be told from the truth" if row.kind == "corrupted" else "is true and not accepted"
        lines.append(f"{row.claim}: {_variant(row)} {why} ({row.before} before, {row.got} now)")
    (caught, wrong), (accepted, true) = found.count("corrupted"), found.count("true")
    lines.append(f"wrong claims caught: {caught} of {wrong}; true ones accepted: {accepted} of {true}")
    return "\n".join(lines)


def _variant(row: Row) -> str:
    return f"{row.note} ({', '.join(f'{name}={value}' for name, value in row.given.items())})"

"""A ledger on a terminal: a tally, one line per claim, and the table of a self-test."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote

from crtools.installed_ledgers import DEFAULT
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.display.claim_line import claim_line, head
from crtools.ledger.display.proof_words import coq_note
from crtools.ledger.display.status_marks import MEANINGS
from crtools.ledger.ledger import Ledger
from crtools.ledger.run import resting, tally, theorems
from crtools.ledger.self_test import Row, SelfTest
from crtools.tables import WIDTH, table

KINDS = {"Coq": "Coq", "w": "w", "0": "0", "words": "in words", "-": "-"}
"""The kinds of ``Trust`` in words, in the order of a tally; any other is its own name."""


def tally_lines(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return the number of verdicts of each status, a line for each level, and what they rest on."""
    counts, kinds = tally(results), resting(results, ledger)
    rows: list[tuple[str, str]] = []
    for level in ledger.levels:
        count = counts.get(level.id, {})
        parts = [f"{count[status]} {status}{split(kinds[level.id][status])}" for status in MEANINGS if status in count]
        rows.append((level.id, ", ".join(parts) or "no claim"))
    return table(rows).splitlines()


def split(kinds: Mapping[str, int]) -> str:
    """Return in brackets how many verdicts rest on what; empty where none has a certificate and none rests on words."""
    ordered = sorted(kinds.items(), key=lambda item: ([*KINDS, item[0]].index(item[0]), item[0]))
    parts = ", ".join(f"{number} {KINDS.get(kind, kind)}" for kind, number in ordered)
    return f" ({parts})" if set(kinds) != {"-"} else ""


def closing(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return the last lines: how many theorems Coq accepts, and which command shows details."""
    checked = sum(bool(theorem["kernel_checked"]["theorem"]) for theorem in theorems(results, ledger).values())
    return ["", *filter(None, [coq_note(checked)]), more(ledger)]


def more(ledger: Ledger) -> str:
    """Return the command that shows details of a claim of this ledger."""
    option = "" if ledger.name == DEFAULT and not ledger.file else f"--ledger {quote(relative(ledger.address))} "
    note = "(evidence and proofs), --json (for programs)"
    line = f"more: crtools verify {option}ID --show"
    return f"{line} {note}" if len(line) + len(note) < WIDTH else f"{line}\n  {note}"


def relative(address: str) -> str:
    """Return the address of a ledger as it is typed here: a file in the current folder as a relative path."""
    path = Path(address)
    return str(path.relative_to(Path.cwd())) if path.is_absolute() and path.is_relative_to(Path.cwd()) else address


def ledger_text(results: Sequence[ClaimResult], ledger: Ledger, *, colour: bool = False) -> str:
    """Return the whole ledger: the tally, one line per claim, and the command that shows details."""
    lines = [*tally_lines(results, ledger), "", *head(ledger)]
    lines += [claim_line(result, ledger, colour=colour) for result in results]
    return "\n".join([*lines, *closing(results, ledger)])


def self_test_table(test: SelfTest) -> str:
    """Return a line for each variant, again those that came out wrong, and the totals."""
    rows = [("✓" if row.ok else "✗", row.claim, row.kind, row.got, _variant(row)) for row in test.rows]
    lines = [table(rows, cut=True)]
    lines.append("")
    for row in test.missed:
        why = "cannot be told from the truth" if row.kind == "corrupted" else "is true and not accepted"
        if row.false_before:
            why = (
                "corrupts a claim that is false as it stands: give a true variant of the same finding, to be corrupted"
            )
        line = f"{row.claim}: {_variant(row)} {why} ({row.before} before, {row.got} now)"
        lines += textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    (caught, wrong), (accepted, true) = test.count("corrupted"), test.count("true")
    lines.append(f"wrong claims caught: {caught} of {wrong}; true ones accepted: {accepted} of {true}")
    lines.append(test.trials.show())
    return "\n".join(lines)


def _variant(row: Row) -> str:
    return f"{row.note} ({', '.join(f'{name}={value}' for name, value in row.given.items())})"

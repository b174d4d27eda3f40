"""The ledger on a terminal: a tally, and one line per claim. Colour only where the caller asks for it."""

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
"""How the kinds of that column are called in a tally, in this order; any other is its own name."""


def tally_lines(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return how many verdicts there are of each status, a line for each level, and how many of these rest on what."""
    counts, kinds = tally(results), resting(results, ledger)
    rows: list[tuple[str, str]] = []
    for level in ledger.levels:
        own = counts.get(level.id, {})
        said = [f"{own[status]} {status}{split(kinds[level.id][status])}" for status in MEANINGS if status in own]
        rows.append((level.id, ", ".join(said) or "no claim"))
    return table(rows).splitlines()


def split(kinds: Mapping[str, int]) -> str:
    """Return how many verdicts rest on what, in brackets; empty where none has a certificate, and none rests on words."""
    own = sorted(kinds.items(), key=lambda item: ([*KINDS, item[0]].index(item[0]), item[0]))
    said = ", ".join(f"{number} {KINDS.get(kind, kind)}" for kind, number in own)
    return f" ({said})" if set(kinds) != {"-"} else ""


def closing(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return how many theorems Coq accepts too, where it is asked for any, and where details are."""
    checked = sum(bool(own["kernel_checked"]["theorem"]) for own in theorems(results, ledger).values())
    return ["", *filter(None, [coq_note(checked)]), more(ledger)]


def more(ledger: Ledger) -> str:
    """Return where details of a claim are, in the ledger that is meant."""
    named = "" if ledger.name == DEFAULT and not ledger.file else f"--ledger {quote(relative(ledger.address))} "
    told = "(evidence and proofs), --json (for programs)"
    line = f"more: crtools verify {named}ID --show"
    return f"{line} {told}" if len(line) + len(told) < WIDTH else f"{line}\n  {told}"


def relative(address: str) -> str:
    """Return the address of a ledger as it is typed here: a file below this folder without the folder."""
    path = Path(address)
    return str(path.relative_to(Path.cwd())) if path.is_absolute() and path.is_relative_to(Path.cwd()) else address


def ledger_text(results: Sequence[ClaimResult], ledger: Ledger, *, colour: bool = False) -> str:
    """Return the whole ledger: the tally, one line per claim, and where details are."""
    lines = [*tally_lines(results, ledger), "", *head(ledger)]
    lines += [claim_line(result, ledger, colour=colour) for result in results]
    return "\n".join([*lines, *closing(results, ledger)])


def self_test_table(found: SelfTest) -> str:
    """Return a line for each variant, those that came out wrong once more, and the totals."""
    rows = [("✓" if row.ok else "✗", row.claim, row.kind, row.got, _variant(row)) for row in found.rows]
    lines = [table(rows, cut=True)]
    lines.append("")
    for row in found.missed:
        why = "cannot be told from the truth" if row.kind == "corrupted" else "is true and not accepted"
        if row.false_before:
            why = (
                "corrupts a claim that is false as it stands: give a true variant of the same finding, to be corrupted"
            )
        said = f"{row.claim}: {_variant(row)} {why} ({row.before} before, {row.got} now)"
        lines += textwrap.wrap(said, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    (caught, wrong), (accepted, true) = found.count("corrupted"), found.count("true")
    lines.append(f"wrong claims caught: {caught} of {wrong}; true ones accepted: {accepted} of {true}")
    lines.append(found.trials.show())
    return "\n".join(lines)


def _variant(row: Row) -> str:
    return f"{row.note} ({', '.join(f'{name}={value}' for name, value in row.given.items())})"

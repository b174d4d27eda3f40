"""A ledger on a terminal: a tally, one line per claim, and the table of a self-test."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote

from crtools.installed_ledgers import DEFAULT
from crtools.ledger.claim import ClaimResult
from crtools.ledger.display.words import MEANINGS, coq_note
from crtools.ledger.evidence import FALSE
from crtools.ledger.ledger import Ledger
from crtools.ledger.run import Row, SelfTest, claim_line, head, resting, tally, theorems
from crtools.tables import WIDTH, table

KINDS = {"Coq": "Coq", "w": "w", "0": "0", "words": "in words", "-": "-"}
"""How a tally names the kinds of ``Trust``, in the order in which it lists them; other kinds keep their names and come last."""


def tally_lines(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return a line for each level: the number of verdicts of each status, and of each kind of trust."""
    counts, kinds = tally(results), resting(results, ledger)
    rows: list[tuple[str, str]] = []
    for level in ledger.levels:
        count = counts.get(level.id, {})
        of_level = kinds.get(level.id, {})
        parts = [f"{count[each]} {each}{in_brackets(of_level[each])}" for each in MEANINGS if each in count]
        rows.append((level.id, ", ".join(parts) or "no claim"))
    return table(rows).splitlines()


def in_brackets(kinds: Mapping[str, int]) -> str:
    """Return the number of verdicts of each kind of trust as " (…)"; empty if the only kind is -."""
    ordered = sorted(kinds.items(), key=lambda item: ([*KINDS, item[0]].index(item[0]), item[0]))
    parts = ", ".join(f"{number} {KINDS.get(kind, kind)}" for kind, number in ordered)
    return f" ({parts})" if set(kinds) != {"-"} else ""


def closing(results: Sequence[ClaimResult], ledger: Ledger) -> list[str]:
    """Return the last lines: the number of theorems that Coq accepts, and the command that shows details."""
    checked = sum(bool(theorem["kernel_checked"]["theorem"]) for theorem in theorems(results, ledger).values())
    address = ledger.address
    if Path(address).is_absolute() and Path(address).is_relative_to(Path.cwd()):
        address = str(Path(address).relative_to(Path.cwd()))
    option = "" if ledger.name == DEFAULT and not ledger.file else f"--ledger {quote(address)} "
    note, line = "(evidence and proofs), --json (for programs)", f"more: crtools verify {option}ID --show"
    details = f"{line} {note}" if len(line) + len(note) < WIDTH else f"{line}\n  {note}"
    return ["", *filter(None, [coq_note(checked)]), details]


def ledger_text(results: Sequence[ClaimResult], ledger: Ledger, *, colour: bool = False) -> str:
    """Return the whole ledger: one line per claim, the tally, and the command that shows details.

    The order is that in which ``verify`` prints claims as they are decided.
    """
    ordered = sorted(results, key=lambda result: ledger.order_keys[result.id])
    lines = [*head(ledger), *(claim_line(result, ledger, colour=colour) for result in ordered)]
    return "\n".join([*lines, "", *tally_lines(results, ledger), *closing(results, ledger)])


def self_test_table(test: SelfTest) -> str:
    """Return a line for each variant, then the variants with a wrong verdict, and the totals."""
    rows = [("✓" if row.ok else "✗", row.claim, row.kind, row.got, _variant(row)) for row in test.rows]
    lines = [table(rows, cut=True), ""]
    for row in test.missed:
        why = "cannot be told from the truth" if row.kind == "corrupted" else "is true and not accepted"
        if row.kind == "corrupted" and row.before in FALSE:  # the claim is false, and has no true variant
            why = "corrupts a claim that is false as it stands: give a true variant of the same finding to corrupt"
        line = f"{row.claim}: {_variant(row)} {why} ({row.before} before, {row.got} now)"
        lines += textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    (caught, wrong), (accepted, true) = test.count("corrupted"), test.count("true")
    totals = f"wrong claims caught: {caught} of {wrong}; true ones accepted: {accepted} of {true}"
    return "\n".join([*lines, totals])


def _variant(row: Row) -> str:
    return f"{row.note} ({', '.join(f'{name}={value}' for name, value in row.given.items())})"

"""A claim on one line of a terminal, and the heading of such lines. Colour is optional."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from crtools.ledger.display.status_marks import MEANINGS, SIGNS, painted
from crtools.ledger.verdict import DecidedClaim
from crtools.notation.terminal import unmarked
from crtools.tables import WIDTH

if TYPE_CHECKING:
    from crtools.ledger.ledger import Ledger

PROOF = {"sound": "sound", "gap": "gap", "false-step": "false", "not-examined": "-"}
"""The state of a published proof in a column of five letters."""


def _ids(ledger: Ledger) -> int:
    return max(len("claim"), *(len(claim.id) for claim in ledger.claims))


WORDS = (
    "words, at *: sentences that no machine judges; 0 none, every step is judged;",
    "w the witness alone decides; Coq accepted whole by its kernel (a record);",
    "+c with c steps that only crtools computed; - no certificate",
)
"""Explanation of the column of words."""


def head(ledger: Ledger) -> list[str]:
    """Return the heading: what the signs and columns mean."""
    signs = "  ".join(f"{SIGNS[status]} {status}" for status in MEANINGS if status not in ("skipped", "undecided"))
    levels = ", ".join(f"{level.head} {level.id}" for level in ledger.levels)
    heads = "".join(f"{level.head} " for level in ledger.levels)
    return [
        signs,
        f"levels: {levels}; * where it is stated",
        *WORDS,
        "",
        f"{'claim':<{_ids(ledger)}} {heads}words proof  what was found",
    ]


def claim_line(result: DecidedClaim, ledger: Ledger, *, colour: bool = False) -> str:
    """Return one claim on one line: its id, a sign per level, the published proof's state, and what was found."""
    ids, statuses = _ids(ledger), {verdict.level: verdict.status for verdict in result.verdicts}
    signs = ""
    for level in ledger.levels:
        status = statuses.get(level.id, "")
        sign = painted(SIGNS[status], status, colour) if status else " "
        signs += sign + ("*" if level.id == result.stated_at else " ")
    words = result.stated.mark(ledger.accepted()) if result.stated_at in statuses else ""
    space = WIDTH - ids - 2 * len(ledger.levels) - len(" words false  ")
    state = painted(f"{PROOF[result.proof.state]:<5}", result.proof.state, colour)
    why = textwrap.shorten(unmarked(result.why), space, placeholder=" …")
    return f"{result.id:<{ids}} {signs}{words:>5} {state}  {why}".rstrip()

"""The headlines of a ledger as a table in Markdown; ``python docs/hooks/headlines.py`` prints the README's."""

from __future__ import annotations

from collections.abc import Sequence

import sources  # noqa: F401 -- before what is imported from the project

from crtools import verify
from crtools.ledger.cache import default_folder
from crtools.ledger.claim import ClaimResult
from crtools.ledger.ledger import Ledger, rows
from crtools.ledger.registry import load
from crtools.notation.terminal import unmarked

HEADS = ("the paper says", "is it true?", "what is true instead")


def markdown(results: Sequence[ClaimResult], ledger: Ledger) -> str:
    """Return the headlines of decided claims as a table, a line each."""
    cells = [(unmarked(row.says), row.answer, unmarked(row.instead)) for row in rows(ledger.headlines(), results)]
    lines = [HEADS, ("---",) * len(HEADS), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


if __name__ == "__main__":
    paper = load()
    print(markdown(verify([row.claim for row in paper.headlines()], cache=default_folder()), paper), end="")

"""``trials``: try the arguments in words of the theorems that results name, on small runs.

``crtools verify`` and :mod:`crtools.ledger.self_test` call it. A trial is a function of a theory, which the theory's text names
(``tested by``). Each function chooses its own runs and seeds; those of this package are in ``crtools/papers/*/trials*.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.data import json_fields
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.numeric_types import JsonObject


@dataclass(frozen=True)
class Trials:
    """The number of arguments that were ``tried``, and a line for each that ``failed``."""

    tried: int
    failed: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """Return what ``crtools verify --trials --json`` has under ``trials``."""
        return json_fields(self, "tried", "failed")

    def show(self) -> str:
        """Return it as a line for a terminal, and a line for each that failed."""
        count = "one argument" if self.tried == 1 else f"{self.tried} arguments"
        head = f"trials: {count} in words tried on small runs, {len(self.failed) or 'none'} failed"
        return "\n".join((head, *(f"  {line}" for line in self.failed)))


def trials(results: Sequence[ClaimResult], ledger: str | Ledger = DEFAULT) -> Trials:
    """Try every argument of the theorems that results name, as ``verify --trials``, ``--set`` and ``--self-test`` do.

    Deciding a claim runs no trial of a text of this package, whose arguments the tests have tried; a trial catches a wrong
    constant. Trials of other texts run whenever a claim is decided.
    """
    text = load(ledger).theory()
    if text is None:
        return Trials(0, ())
    open_levels = [(result.id, v.level) for result in results for v in result.verdicts if v.status == "inconclusive"]
    stated = [text.book.claims[level] for level in open_levels if level in text.book.claims]  # a failed trial opens it
    named = [theorem["theorem"] for result in results for theorem in result.theorems]
    named += [name for statement in stated for name in statement.needed(text.book)]
    outcomes = [(name, text.tried(name)) for name in dict.fromkeys(named) if text.has(name)]
    rows = [(name, step, at) for name, of_steps in outcomes for step, at in of_steps.items()]
    failed = tuple(f"{name}, {step!r}: {at}" for name, step, at in rows if at is not None)
    return Trials(len(rows), failed)

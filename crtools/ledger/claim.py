"""A claim of the paper: its words, the numbers and formulas it is given, and the checker that decides them.

A checker decides what it is given and compares with no stored answer. ``corrupted`` are changed values that make
the claim say something else that is false; ``variants`` are changed values under which it says something true.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from crtools.ledger.result import ClaimResult, Decision

Given = Mapping[str, str]


@dataclass(frozen=True)
class Variant:
    """Changed values of ``given``, and the parts (by the start of their names) whose status they change."""

    note: str
    given: dict[str, str]
    part: str = ""


@dataclass(frozen=True)
class Claim:
    """One row of the ledger."""

    id: str
    place: str
    statement: str
    given: dict[str, str]
    decide: Callable[[Given], Decision]
    rests_on: tuple[str, ...] = ()
    corrupted: tuple[Variant, ...] = ()
    variants: tuple[Variant, ...] = ()

    def check(self, changed: Given | None = None) -> ClaimResult:
        """Decide the claim, with the values of ``changed`` in place of the paper's."""
        given = {**self.given, **(changed or {})}
        start = time.perf_counter()
        decision = self.decide(given)
        seconds = (time.perf_counter() - start) / len(decision.verdicts)
        verdicts = tuple(replace(v, seconds=seconds) for v in decision.verdicts)
        return ClaimResult(
            self.id, self.place, self.statement, given, self.rests_on, decision.proof, verdicts, decision.repairs
        )

"""``Level``: an object that a claim's sentence can be read as speaking of. Each theory has its levels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """One level of a ledger: its id, the head of its column, what it speaks of, and what a reader asks there."""

    id: str
    head: str
    speaks_of: str
    asks: str

"""A level: what a claim's sentence is read to speak of. Each theory names its own; a claim has a verdict at some of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """One level of a ledger: its id, the head of its column, what it speaks of, and what a reader asks there."""

    id: str
    head: str
    speaks_of: str
    asks: str

"""The entries of a form on two lengths, over any ring."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Point = tuple[int, int, int]
"""Two lengths i ≤ j and the prompt size s."""


@dataclass(frozen=True)
class Entries:
    """The entries of a form on two lengths i < j: at (i, i), (i, j) and (j, j)."""

    low: Any
    mixed: Any
    high: Any


def entries_of(values: Iterable[Any]) -> Entries | None:
    """Return the entries from a form's values at length i alone, at equal shares, and at length j alone; None without one."""
    low, half, high = values
    if low is None or half is None or high is None:
        return None
    return Entries(low, (4 * half - low - high) / 2, high)

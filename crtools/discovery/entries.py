"""The entries of a form on two lengths, over any ring, and what measures them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from crtools.numeric_types import RingElement
from crtools.process import Policy

Point = tuple[int, int, int]
"""Two lengths i ≤ j and the prompt size s."""


Entry = Callable[[RingElement, RingElement, RingElement], RingElement]
"""The entry N(i, j, s) of a form, as a function over any ring."""


@dataclass(frozen=True)
class Entries:
    """The entries of a form on two lengths i < j: at (i, i), (i, j) and (j, j)."""

    low: RingElement
    mixed: RingElement
    high: RingElement


@dataclass(frozen=True)
class Way(ABC):
    """Measures the form of a policy."""

    policy: Policy

    name: ClassVar[str]

    @abstractmethod
    def on(self, pattern: Sequence[int], s: int, l: int, u: int) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths in [l, u], or None where it has none."""

    def value(self, pattern: Sequence[int], s: int) -> Fraction | None:
        """Return the form's value at the shares of a pattern of lengths, whose ends are l and u; see :meth:`on`."""
        return self.on(pattern, s, min(pattern), max(pattern))

    def entries(self, i: int, j: int, s: int) -> Entries | None:
        """Return the entries on lengths i < j, from the values at i alone, at equal shares and at j alone; or None."""
        low, half, high = (self.on(pattern, s, i, j) for pattern in ((i,), (i, j), (j,)))
        if low is None or half is None or high is None:
            return None
        return Entries(low, (4 * half - low - high) / 2, high)

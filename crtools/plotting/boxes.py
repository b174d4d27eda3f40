"""The geometry of memory over time: attempts stacked into boxes, the scale of an axis and its ticks.

An attempt of a request started at p holds s + (t − p) tokens at each instant t = p + 1, …, its end. What is held at t
stands between t − 1 and t, so that a box begins at its start and ends at its completion or its cancellation. The text
(``occupancy_text``) and Matplotlib's drawing (``occupancy_axes``) both draw these boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from crtools.errors import InputError

COLOURS = ("#9fbfe3", "#f2c48d", "#b5d6a7", "#e3a9a9", "#cbb7e0", "#a3d5d3", "#ebdd8f", "#c9c9c9")
"""The fills, by the request's number modulo their number; boxes have outlines and numbers too."""

ALIKE = 2
"""Drawings side by side share one scale where none is larger than another by more than this factor."""

MOST_BLOCKS = 4000
"""A drawing with more attempts × instants is too dense to read."""


class Attempt(NamedTuple):
    """A stretch for which a request ran: from its start to its completion or, where the work was ``lost``, to its cancellation."""

    request: int
    start: int
    end: int
    prompt: int
    lost: bool = False


class Column(NamedTuple):
    """What an attempt holds at an instant, in tokens from ``bottom`` to ``top`` of the stack; the prompt is the lowest part."""

    instant: int
    bottom: int
    top: int


@dataclass(frozen=True)
class Box:
    """An attempt and where it stands: a column for each of its instants."""

    attempt: Attempt
    columns: tuple[Column, ...]

    @property
    def outline(self) -> list[tuple[int, int]]:
        """The corners, in (time, tokens): along the top, and back along the bottom."""
        over = [(t - 1 + side, top) for t, _, top in self.columns for side in (0, 1)]
        under = [(t - 1 + side, bottom) for t, bottom, _ in self.columns for side in (0, 1)]
        return over + under[::-1]

    @property
    def middle(self) -> tuple[float, float]:
        """Where the number stands."""
        t, bottom, top = self.columns[len(self.columns) // 2]
        return t - 0.5, (bottom + top) / 2


@dataclass(frozen=True, repr=False)
class Occupancy:
    """Memory over time of one run or schedule. ``memory``: the capacity in tokens, None where none is given."""

    name: str
    attempts: tuple[Attempt, ...]
    memory: int | None = None
    note: str = ""

    @property
    def drawable(self) -> bool:
        """Whether it is small enough to be drawn."""
        return len(self.attempts) * self.instants <= MOST_BLOCKS

    @cached_property
    def instants(self) -> int:
        """The last instant."""
        return max(attempt.end for attempt in self.attempts)

    @cached_property
    def tokens(self) -> int:
        """The height: the largest use, or the capacity."""
        return max(self.memory or 0, *(column.top for box in self.boxes for column in box.columns))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The attempts stacked at every instant, the one that started first lowest. Raises ``InputError`` for too many."""
        if not self.drawable:
            size = f"{len(self.attempts)} attempts over {self.instants} instants"
            raise InputError("plot", size, f"attempts × instants must be at most {MOST_BLOCKS}")
        heights = [0] * (self.instants + 1)
        in_order = sorted(self.attempts, key=lambda attempt: (attempt.start, attempt.request))
        return tuple(Box(attempt, tuple(_stacked(attempt, heights))) for attempt in in_order)


def _stacked(attempt: Attempt, heights: list[int]) -> Iterator[Column]:
    """Yield an attempt's columns on top of ``heights``, which grow by them."""
    for t in range(attempt.start + 1, attempt.end + 1):
        bottom = heights[t]
        heights[t] += attempt.prompt + t - attempt.start
        yield Column(t, bottom, heights[t])


class Scale(NamedTuple):
    """The instants and tokens that an axis reaches to."""

    instants: int
    tokens: int


def scales(occupancies: Sequence[Occupancy]) -> list[Scale]:
    """Return the scale of each of several drawings side by side: one for neighbours of nearly one size, else its own."""
    groups: list[list[Occupancy]] = []
    for occupancy in occupancies:
        if groups and all(_alike(occupancy, other) for other in groups[-1]):
            groups[-1].append(occupancy)
        else:
            groups.append([occupancy])
    return [Scale(max(o.instants for o in group), max(o.tokens for o in group)) for group in groups for _ in group]


def _alike(one: Occupancy, other: Occupancy) -> bool:
    pairs = (one.instants, other.instants), (one.tokens, other.tokens)
    return all(max(pair) <= ALIKE * min(pair) for pair in pairs)


def ticks(largest: int, most: int) -> range:
    """Return at most ``most`` + 1 round numbers from 0 to ``largest``."""
    steps = (step * 10**power for power in range(20) for step in (1, 2, 5))
    return range(0, largest + 1, next(step for step in steps if step * most >= largest))

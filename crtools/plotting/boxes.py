"""The parts of a drawing of memory over time: attempts, their boxes, the scale of an axis and its ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from crtools.plotting.occupancy import Picture

COLOURS = ("#9fbfe3", "#f2c48d", "#b5d6a7", "#e3a9a9", "#cbb7e0", "#a3d5d3", "#ebdd8f", "#c9c9c9")
"""The fills, by the request's number modulo their number; boxes have outlines and numbers too."""

ALIKE = 2
"""Pictures side by side share one scale where none is larger than another by more than this factor."""


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


class Scale(NamedTuple):
    """The instants and tokens that an axis reaches to."""

    instants: int
    tokens: int


def scales(pictures: Sequence[Picture]) -> list[Scale]:
    """Return the scale of each of several pictures side by side: one for neighbours of nearly one size, else its own."""
    groups: list[list[Picture]] = []
    for own in pictures:
        if groups and all(_alike(own, other) for other in groups[-1]):
            groups[-1].append(own)
        else:
            groups.append([own])
    return [
        Scale(max(own.instants for own in group), max(own.tokens for own in group)) for group in groups for _ in group
    ]


def _alike(one: Picture, other: Picture) -> bool:
    pairs = (one.instants, other.instants), (one.tokens, other.tokens)
    return all(max(pair) <= ALIKE * min(pair) for pair in pairs)


def ticks(largest: int, most: int) -> range:
    """Return at most ``most`` + 1 round numbers from 0 to ``largest``."""
    steps = (step * 10**power for power in range(20) for step in (1, 2, 5))
    return range(0, largest + 1, next(step for step in steps if step * most >= largest))

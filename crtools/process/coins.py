"""What ``cancel`` makes of one number that it draws, found for many ages at once: the chance, and what either outcome says.

The rule is run twice with a coin in the place of the number, which falls on one side of what it is compared with and then on
the other. A rule that draws twice, or does anything but compare what it draws once, is left to the loop that asks each time.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nextafter
from typing import Any, NamedTuple

import numpy as np

from crtools.process.ages import Age, NotTraced, Real
from crtools.process.asking import CHECKS, Piece, piece_of
from crtools.process.lanes import Traced, largest

STRETCH = 32
"""A rule that draws, or is asked for each age, is asked for so many ahead at first; then for as many more as have passed."""


class Toss(NamedTuple):
    """What a rule says at the ages a, …, ``last``: ``below`` where the number drawn is below the chance, else ``above``.

    ``chance`` has a double for each of these ages; None where nothing is drawn and both are the same. Of many requests it may
    have a row for each, as long as the longest.
    """

    last: Any
    chance: Any
    below: Piece
    above: Piece


class _Coin(Traced):
    """A number that is drawn and compared once; ``below`` says how that comes out."""

    __slots__ = ("below", "chance", "now", "span")

    def __init__(self, now: Any, span: list[Any], below: bool) -> None:
        self.now, self.span, self.below = now, span, below
        self.chance: Any = None

    def _compared(self, other: Any, least: bool) -> bool:
        """Return whether the coin is below what it is compared with, or, where that is not the ``least``, not above it."""
        if self.chance is not None:
            raise NotTraced
        real = other.real() if isinstance(other, Age) else other
        if not isinstance(real, Real):
            real = (Age(0, 0, self.now, self.span) + 0.0) + real
        self.chance = real.values if least else np.nextafter(real.values, inf)
        return self.below

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, True)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, False)

    def __gt__(self, other: Any) -> bool:
        return not self._compared(other, False)

    def __ge__(self, other: Any) -> bool:
        return not self._compared(other, True)

    def __eq__(self, other: Any) -> bool:
        raise NotTraced

    def __bool__(self) -> bool:
        raise NotTraced


class Tosses:
    """A rule that cancels, and may draw for that."""

    def __init__(self, cancel: Callable[[Any, Any, Callable[[], Any]], Any], checks: int = CHECKS) -> None:
        self.cancel = cancel
        self.checks = checks

    def ask(self, request: Any, age: Any, last: Any) -> Toss:
        """Return what the rule says from this age on, up to ``last`` at most. Raises ``NotTraced`` where no coin can tell."""
        span = [last]
        below, chance = self._run(request, age, span, True)
        above = below if chance is None else self._run(request, age, span, False)[0]
        chance = None if chance is None else chance[..., : largest(span[0] - age) + 1]
        if chance is not None and np.isnan(chance).any():
            raise NotTraced
        found = Toss(span[0], chance, below, above)
        if self.checks:
            self.checks -= 1
            for at in {age, span[0]}:
                self._check(request, at, found, age)
        return found

    def _run(self, request: Any, age: Any, span: list[Any], below: bool) -> tuple[Piece, Any]:
        coins: list[_Coin] = []

        def draw() -> _Coin:
            if coins:
                raise NotTraced
            coins.append(_Coin(age, span, below))
            return coins[0]

        piece = piece_of(self.cancel(request, Age(1, 0, age, span), draw), span[0])
        if not coins:
            return piece, None
        return piece, np.full(largest(span[0] - age) + 1, 2.0) if coins[0].chance is None else coins[0].chance

    def _check(self, request: Any, at: int, found: Toss, age: int) -> None:
        """Compare with what the rule says of integers, and of numbers on both sides of the chance: it may ask for their type."""
        chance = 0.5 if found.chance is None else float(found.chance[at - age])
        for number in (nextafter(chance, -inf), chance):
            piece = found.below if number < chance else found.above
            if self.cancel(request, at, lambda number=number: number) != piece.at(at):
                raise NotTraced

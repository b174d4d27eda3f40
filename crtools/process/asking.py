"""Rules of a policy asked for many ages at once: a rule is run with an age that notes what it is compared with.

Until one of these comparisons would come out otherwise, the rule does the same, and what it returns is k·age + c. Whatever
an age of this kind cannot do, such as an index or a root, and whatever draws a number, is asked with integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from crtools.process.ages import Age, NotTraced
from crtools.process.lanes import whole

CHECKS = 200
"""So many times what was found is compared with what the rule says of integers: a rule may ask for an age's type."""


class Piece:
    """What a rule says at the ages a, …, ``last``: None, or an object where ``slope`` is 0; else slope·age + value.

    ``traced``: whether it was found without asking at each age.
    """

    __slots__ = ("last", "slope", "traced", "value")

    def __init__(self, last: Any, slope: Any, value: Any, traced: bool) -> None:
        self.last, self.slope, self.value, self.traced = last, slope, value, traced

    def at(self, age: Any) -> Any:
        """Return what the rule says at one of these ages."""
        return self.slope * age + self.value if self.slope else self.value


def _no_draw() -> NoReturn:
    raise NotTraced


class Rule:
    """``assumed`` or ``cancel`` of a policy; the latter draws numbers too."""

    def __init__(
        self, function: Callable[..., Any], draw: Callable[[], float] | None = None, checks: int = CHECKS
    ) -> None:
        self.function = function
        self.tracing = () if draw is None else (_no_draw,)
        self.plainly = () if draw is None else (draw,)
        self.traces = True
        self.checks = checks

    def ask(self, request: Any, age: Any, last: Any) -> Piece:
        """Return what the rule says at this age, and for how many more up to ``last`` that holds."""
        if self.traces:
            span = [last]
            try:
                found: Any = self.function(request, Age(1, 0, age, span), *self.tracing)
                piece = piece_of(found, span[0])
                if self.checks == 0 or self._holds(piece, request, age):
                    return piece
                self.traces = False
            except NotTraced:
                pass
            except Exception:  # what an age of this kind cannot do; it is the integer that counts
                self.traces = False
        return Piece(age, 0, self.function(request, age, *self.plainly), False)

    def _holds(self, piece: Piece, request: Any, age: int) -> bool:
        self.checks -= 1
        return all(piece.at(a) == self.function(request, a, *self.tracing) for a in (age, piece.last))


def piece_of(found: Any, last: int) -> Piece:
    """Return what a rule says up to this age, of what it said of an age that notes. Raises ``NotTraced`` for anything else."""
    if isinstance(found, Age):
        return Piece(last, found.k, found.c, True)
    if found is None or whole(found):
        return Piece(last, 0, found, True)
    raise NotTraced

"""Rules of a policy asked for many ages at once: a rule is run with an age that notes what it is compared with.

Until one of these comparisons would come out otherwise, the rule does the same, and what it returns is k·age + c. Whatever
an age of this kind cannot do, such as an index or a quotient, and whatever draws a number, is asked with integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

CHECKS = 200
"""So many times what was found is compared with what the rule says of integers: a rule may ask for an age's type."""


class NotTraced(BaseException):
    """The rule must be asked with an integer here; no ``except Exception`` of a rule can catch this."""


class Piece:
    """What a rule says at the ages a, …, ``last``: None, or an object where ``slope`` is 0; else slope·age + value.

    ``traced``: whether it was found without asking at each age.
    """

    __slots__ = ("last", "slope", "traced", "value")

    def __init__(self, last: int, slope: int, value: Any, traced: bool) -> None:
        self.last, self.slope, self.value, self.traced = last, slope, value, traced

    def at(self, age: int) -> Any:
        """Return what the rule says at one of these ages."""
        return self.slope * age + self.value if self.slope else self.value


class Age:
    """k·age + c at the ages from ``now`` up to ``span[0]``, of which every comparison leaves those where it holds."""

    __slots__ = ("c", "k", "now", "span")
    __array_ufunc__ = None  # NumPy's numbers leave the arithmetic to this class
    __hash__ = None  # pyright: ignore[reportAssignmentType] -- dictionaries need integers

    def __init__(self, k: int, c: int, now: int, span: list[int]) -> None:
        self.k, self.c, self.now, self.span = k, c, now, span

    def _sign(self, other: Any) -> int:
        """Return the sign of self − other now, and keep the ages at which it is the same."""
        k, c = self.k, self.c
        if isinstance(other, Age):
            k, c = k - other.k, c - other.c
        elif isinstance(other, int | np.integer):
            c -= int(other)
        elif isinstance(other, float | np.floating):
            try:
                top, below = float(other).as_integer_ratio()
            except (OverflowError, ValueError):
                raise NotTraced from None
            k, c = k * below, c * below - top
        else:
            raise NotTraced
        value = k * self.now + c
        if k:
            if value == 0:
                self.span[0] = self.now
            elif (value < 0) == (k > 0):  # it comes to 0 where |k|·age reaches this
                reached = -(c // k) if k > 0 else -(-c // -k)
                self.span[0] = min(self.span[0], reached - 1)
        return (value > 0) - (value < 0)

    def __eq__(self, other: Any) -> bool:
        return other is not None and self._sign(other) == 0

    def __ne__(self, other: Any) -> bool:
        return other is None or self._sign(other) != 0

    def __lt__(self, other: Any) -> bool:
        return self._sign(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._sign(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._sign(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._sign(other) >= 0

    def __bool__(self) -> bool:
        return self._sign(0) != 0

    def __add__(self, other: Any) -> Age:
        if isinstance(other, Age):
            return Age(self.k + other.k, self.c + other.c, self.now, self.span)
        return Age(self.k, self.c + _integer(other), self.now, self.span)

    __radd__ = __add__

    def __neg__(self) -> Age:
        return Age(-self.k, -self.c, self.now, self.span)

    def __sub__(self, other: Any) -> Age:
        return self + -other

    def __rsub__(self, other: Any) -> Age:
        return -self + other

    def __mul__(self, other: Any) -> Age:
        factor = _integer(other)
        return Age(self.k * factor, self.c * factor, self.now, self.span)

    __rmul__ = __mul__


def _integer(value: Any) -> int:
    if isinstance(value, int | np.integer):
        return int(value)
    raise NotTraced


def _no_draw() -> NoReturn:
    raise NotTraced


class Rule:
    """``assumed`` or ``cancel`` of a policy; the latter draws numbers too."""

    def __init__(self, function: Callable[..., Any], draw: Callable[[], float] | None = None) -> None:
        self.function = function
        self.tracing = () if draw is None else (_no_draw,)
        self.plainly = () if draw is None else (draw,)
        self.traces = True
        self.checks = CHECKS

    def ask(self, request: Any, age: int, last: int) -> Piece:
        """Return what the rule says at this age, and for how many more up to ``last`` that holds."""
        if self.traces:
            span = [last]
            try:
                found: Any = self.function(request, Age(1, 0, age, span), *self.tracing)
                piece = _piece(found, span[0])
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


def _piece(found: Any, last: int) -> Piece:
    if isinstance(found, Age):
        return Piece(last, found.k, found.c, True)
    if found is None or isinstance(found, int | np.integer):
        return Piece(last, 0, found, True)
    raise NotTraced

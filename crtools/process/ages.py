"""An age that notes what it is compared with, and doubles that are computed of it; for many requests at once too.

The numbers that an age holds may be :class:`crtools.process.lanes.Many`; doubles then have a row for each request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from crtools.process.lanes import EXACT, Many, NotTraced, Traced, alike, column, doubles, largest, least, real, whole

MOST = 2**16
"""Doubles are computed for so many ages at once."""


class Age(Traced):
    """k·age + c at the ages from ``now`` up to ``span[0]``, of which every comparison leaves those where it holds."""

    __slots__ = ("c", "k", "now", "span")

    def __init__(self, k: Any, c: Any, now: Any, span: list[Any]) -> None:
        self.k, self.c, self.now, self.span = k, c, now, span

    def _less(self, other: Any) -> tuple[Any, Any]:
        """Return k, c of self − other, times a positive integer."""
        if isinstance(other, Age):
            return self.k - other.k, self.c - other.c
        if whole(other):
            return self.k, self.c - _integer(other)
        if isinstance(other, float | np.floating):
            try:
                top, below = float(other).as_integer_ratio()
            except (OverflowError, ValueError):
                raise NotTraced from None
            return self.k * below, self.c * below - top
        raise NotTraced

    def _negative(self, k: Any, c: Any) -> bool:
        """Return whether k·age + c < 0 now, and keep the ages at which that is the same."""
        negative = k * self.now + c < 0
        if negative and k > 0:
            self.span[0] = least(self.span[0], (-1 - c) // k)
        elif not negative and k < 0:
            self.span[0] = least(self.span[0], c // -k)
        return negative

    def __lt__(self, other: Any) -> bool:
        return self.real() < other if _real(other) else self._negative(*self._less(other))

    def __gt__(self, other: Any) -> bool:
        if _real(other):
            return self.real() > other
        k, c = self._less(other)
        return self._negative(-k, -c)

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: Any) -> bool:
        return other is not None and not self < other and not self > other

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __add__(self, other: Any) -> Any:
        if real(other) or isinstance(other, Real):
            return self.real() + other
        if isinstance(other, Age):
            return Age(self.k + other.k, self.c + other.c, self.now, self.span)
        return Age(self.k, self.c + _integer(other), self.now, self.span)

    __radd__ = __add__

    def __neg__(self) -> Age:
        return Age(-self.k, -self.c, self.now, self.span)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if real(other) or isinstance(other, Real):
            return self.real() * other
        factor = _integer(other)
        return Age(self.k * factor, self.c * factor, self.now, self.span)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Real:
        return self.real() / other

    def __rtruediv__(self, other: Any) -> Real:
        return other / self.real()

    def real(self) -> Real:
        """Return it as doubles, at no more than ``MOST`` ages."""
        last = self.span[0] = least(self.span[0], self.now + MOST - 1)
        if largest(abs(self.k) * last + abs(self.c)) >= EXACT:
            raise NotTraced
        first, ages = doubles(self.k * self.now + self.c), np.arange(largest(last - self.now) + 1)
        return Real(column(first) + ages * column(doubles(self.k)), self.now, self.span)


class Real(Traced):
    """A double for each age from ``now`` on, by the arithmetic that Python does at each; comparisons are those of :class:`Age`.

    Of many requests, whose ages end apart, every row is as long as the longest.
    """

    __slots__ = ("now", "span", "values")

    def __init__(self, values: Any, now: Any, span: list[Any]) -> None:
        self.values, self.now, self.span = values, now, span

    def _with(self, operation: Callable[[Any, Any], Any], one: Any, two: Any) -> Real:
        one, two = (value.real() if isinstance(value, Age) else value for value in (one, two))
        many = min(value.values.shape[-1] for value in (one, two) if isinstance(value, Real))
        one, two = (_doubles(value, many) for value in (one, two))
        if operation is np.divide and not np.all(two):
            raise NotTraced
        return Real(operation(one, two), self.now, self.span)

    def __add__(self, other: Any) -> Real:
        return self._with(np.add, self, other)

    __radd__ = __add__

    def __neg__(self) -> Real:
        return Real(-self.values, self.now, self.span)

    def __sub__(self, other: Any) -> Real:
        return self._with(np.subtract, self, other)

    def __rsub__(self, other: Any) -> Real:
        return self._with(np.subtract, other, self)

    def __mul__(self, other: Any) -> Real:
        return self._with(np.multiply, self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Real:
        return self._with(np.divide, self, other)

    def __rtruediv__(self, other: Any) -> Real:
        return self._with(np.divide, other, self)

    def _sign(self, other: Any) -> int:
        """Return the sign of self − other now, and keep the ages at which it is the same."""
        if isinstance(other, float) and abs(other) == float("inf"):
            raise NotTraced
        signs = np.sign((self - other).values)
        if np.isnan(signs).any():
            raise NotTraced
        sign = int(signs.flat[0])
        alike(signs[..., 0] == sign)
        changes = signs != sign
        stays = np.where(changes.any(-1), changes.argmax(-1), signs.shape[-1])
        first = Many(stays, signs.shape[-1]) if stays.ndim else int(stays)
        self.span[0] = least(self.span[0], self.now + first - 1)
        return sign

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
        return self._sign(0.0) != 0


def _doubles(value: Any, many: int) -> Any:
    """Return a number, or so many of those of an age, as doubles."""
    if isinstance(value, Real):
        return value.values[..., :many]
    if whole(value) or isinstance(value, float | np.floating) or real(value):
        return column(doubles(value))
    raise NotTraced


def _real(value: Any) -> bool:
    return isinstance(value, Real) or (isinstance(value, Many) and real(value))


def _integer(value: Any) -> Any:
    if whole(value):
        return value if isinstance(value, Many) else int(value)
    raise NotTraced

"""An age that notes what it is compared with, and doubles that are computed of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

MOST = 2**16
"""Doubles are computed for so many ages at once."""

EXACT = 2**53
"""Integers below are doubles without rounding."""


class NotTraced(BaseException):
    """The rule must be asked with an integer here; no ``except Exception`` of a rule can catch this."""


class Age:
    """k·age + c at the ages from ``now`` up to ``span[0]``, of which every comparison leaves those where it holds."""

    __slots__ = ("c", "k", "now", "span")
    __array_ufunc__ = None  # NumPy's numbers leave the arithmetic to this class
    __hash__ = None  # pyright: ignore[reportAssignmentType] -- dictionaries need integers

    def __init__(self, k: int, c: int, now: int, span: list[int]) -> None:
        self.k, self.c, self.now, self.span = k, c, now, span

    def _less(self, other: Any) -> tuple[int, int]:
        """Return k, c of self − other, times a positive integer."""
        if isinstance(other, Age):
            return self.k - other.k, self.c - other.c
        if isinstance(other, int | np.integer):
            return self.k, self.c - int(other)
        if isinstance(other, float | np.floating):
            try:
                top, below = float(other).as_integer_ratio()
            except (OverflowError, ValueError):
                raise NotTraced from None
            return self.k * below, self.c * below - top
        raise NotTraced

    def _negative(self, k: int, c: int) -> bool:
        """Return whether k·age + c < 0 now, and keep the ages at which that is the same."""
        negative = k * self.now + c < 0
        if negative and k > 0:
            self.span[0] = min(self.span[0], (-1 - c) // k)
        elif not negative and k < 0:
            self.span[0] = min(self.span[0], c // -k)
        return negative

    def __lt__(self, other: Any) -> bool:
        return other > self if isinstance(other, Real) else self._negative(*self._less(other))

    def __gt__(self, other: Any) -> bool:
        if isinstance(other, Real):
            return other < self
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
        if isinstance(other, float | Real):
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
        if isinstance(other, float | Real):
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
        last = self.span[0] = min(self.span[0], self.now + MOST - 1)
        if (abs(self.k) * last + abs(self.c)) >= EXACT:
            raise NotTraced
        return Real(np.arange(self.now, last + 1) * float(self.k) + float(self.c), self.now, self.span)


class Real:
    """A double for each age from ``now`` on, by the arithmetic that Python does at each; comparisons are those of :class:`Age`."""

    __slots__ = ("now", "span", "values")
    __array_ufunc__ = None
    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __init__(self, values: Any, now: int, span: list[int]) -> None:
        self.values, self.now, self.span = values, now, span

    def _with(self, operation: Callable[[Any, Any], Any], one: Any, two: Any) -> Real:
        one, two = (_doubles(value) for value in (one, two))
        if operation is np.divide and not np.all(two):
            raise NotTraced
        many = min(np.size(value) for value in (one, two) if np.ndim(value))
        one, two = (value[:many] if np.ndim(value) else value for value in (one, two))
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
        others = np.flatnonzero(signs != signs[0])
        self.span[0] = min(self.span[0], self.now + (int(others[0]) if len(others) else len(signs)) - 1)
        return int(signs[0])

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


def _doubles(value: Any) -> Any:
    """Return a number, or those of an age, as doubles."""
    if isinstance(value, Real):
        return value.values
    if isinstance(value, Age):
        return value.real().values
    if isinstance(value, float | np.floating):
        return np.float64(value)
    number = _integer(value)
    if abs(number) >= EXACT:
        raise NotTraced
    return np.float64(number)


def _integer(value: Any) -> int:
    if isinstance(value, int | np.integer):
        return int(value)
    raise NotTraced

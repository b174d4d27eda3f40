"""Numbers of many requests at once, for a rule that treats all of them alike.

Such a number does arithmetic for all requests. A comparison must come out the same for all; where it does not,
:class:`Split` says for which of them it holds, and whoever has asked the rule asks it again for these, and for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

EXACT = 2**53
"""Integers below are doubles without rounding."""

LARGEST = 2**62
"""No integer that is computed for many requests is as large."""


class NotTraced(BaseException):
    """The rule must be asked with an integer here; no ``except Exception`` of a rule can catch this."""


class Split(BaseException):
    """A comparison that holds for some requests only: ``holds`` is an array of bool."""

    def __init__(self, holds: Any) -> None:
        super().__init__()
        self.holds = holds


class Traced:
    """What stands for numbers in a rule: NumPy's numbers leave the arithmetic to it, and no dictionary can hold it."""

    __slots__ = ()
    __array_ufunc__ = None
    __hash__ = None  # pyright: ignore[reportAssignmentType] -- dictionaries need integers


class Many(Traced):
    """A number of each request: integers of which none is above ``most``, or doubles, of which ``most`` is None."""

    __slots__ = ("most", "values")

    def __init__(self, values: Any, most: int | None) -> None:
        if most is not None and most >= LARGEST:
            raise NotTraced
        self.values, self.most = values, most

    def __add__(self, other: Any) -> Any:
        return _made(np.add, self, other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _made(np.subtract, self, other, lambda a, b: a + b)

    def __rsub__(self, other: Any) -> Any:
        return _made(np.subtract, other, self, lambda a, b: a + b)

    def __mul__(self, other: Any) -> Any:
        return _made(np.multiply, self, other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return _made(np.floor_divide, self, other, lambda a, b: a)

    def __rfloordiv__(self, other: Any) -> Any:
        return _made(np.floor_divide, other, self, lambda a, b: a)

    def __mod__(self, other: Any) -> Any:
        return _made(np.remainder, self, other, lambda a, b: b)

    def __rmod__(self, other: Any) -> Any:
        return _made(np.remainder, other, self, lambda a, b: b)

    def __truediv__(self, other: Any) -> Any:
        return _made(np.divide, self, other, None)

    def __rtruediv__(self, other: Any) -> Any:
        return _made(np.divide, other, self, None)

    def __neg__(self) -> Many:
        return Many(-self.values, self.most)

    def __abs__(self) -> Many:
        return Many(abs(self.values), self.most)

    def __lt__(self, other: Any) -> bool:
        return _compared(np.less, self, other)

    def __le__(self, other: Any) -> bool:
        return _compared(np.less_equal, self, other)

    def __gt__(self, other: Any) -> bool:
        return _compared(np.greater, self, other)

    def __ge__(self, other: Any) -> bool:
        return _compared(np.greater_equal, self, other)

    def __eq__(self, other: Any) -> bool:
        return other is not None and _compared(np.equal, self, other)

    def __ne__(self, other: Any) -> bool:
        return other is None or _compared(np.not_equal, self, other)

    def __bool__(self) -> bool:
        return self != 0


def many(numbers: Sequence[Any]) -> Any:
    """Return numbers, of which there is one for each request, as a :class:`Many`; where all are the same, this one."""
    first = numbers[0]
    if all(number == first for number in numbers):
        return first
    values = np.array(numbers)
    return Many(values, int(abs(values).max()) if values.dtype == np.int64 else None)


def whole(value: Any) -> bool:
    """Return whether this is an integer, or many."""
    return value.most is not None if isinstance(value, Many) else isinstance(value, int | np.integer)


def real(value: Any) -> bool:
    """Return whether this is a double, or many."""
    return value.most is None if isinstance(value, Many) else isinstance(value, float)


def doubles(value: Any) -> Any:
    """Return an integer, or many, as doubles; what is a double already stays so."""
    if isinstance(value, Many):
        return value.values if value.most is None else _exact(value.values, value.most)
    return np.float64(value) if isinstance(value, float | np.floating) else _exact(int(value), abs(int(value)))


def _exact(values: Any, most: int) -> Any:
    if most >= EXACT:
        raise NotTraced
    return np.float64(values)


def least(one: Any, two: Any) -> Any:
    """Return the smaller one of two integers, for each request."""
    if not isinstance(one, Many) and not isinstance(two, Many):
        return min(one, two)
    return Many(np.minimum(plain(one), plain(two)), max(_most(one), _most(two)))


def largest(value: Any) -> int:
    """Return an integer, of many the largest."""
    return int(value.values.max()) if isinstance(value, Many) else value


def plain(value: Any) -> Any:
    """Return a number as it is; of many, the array."""
    return value.values if isinstance(value, Many) else value


def column(value: Any) -> Any:
    """Return a number as it is; of many, an array with one row for each."""
    return value[:, None] if np.ndim(value) == 1 else value


def from_to(first: Any, last: Any) -> Iterable[Any]:
    """Return the integers from first to last, in order."""
    return _steps(first, last) if isinstance(first, Many) or isinstance(last, Many) else range(first, last + 1)


def _steps(first: Any, last: Any) -> Iterable[Any]:
    while first <= last:
        yield first
        first = first + 1


def _most(value: Any) -> Any:
    return value.most if isinstance(value, Many) else abs(int(value))


def _made(operation: Any, one: Any, two: Any, most: Callable[[int, int], int] | None) -> Any:
    """Return what an operation makes of two numbers; ``most`` bounds it where both are integers, and None makes doubles."""
    if not all(whole(value) or real(value) for value in (one, two)):
        return NotImplemented
    if operation in (np.floor_divide, np.remainder, np.divide) and not np.all(plain(two)):
        raise NotTraced
    if most is None or real(one) or real(two):
        if operation in (np.floor_divide, np.remainder):
            raise NotTraced  # of doubles NumPy's are not Python's
        return Many(operation(doubles(one), doubles(two)), None)
    return Many(operation(plain(one), plain(two)), most(_most(one), _most(two)))


def _compared(operation: Any, one: Many, two: Any) -> Any:
    if not whole(two) and not real(two):
        if isinstance(two, Traced):
            return NotImplemented  # it compares itself
        raise NotTraced
    exact = plain if whole(one) and whole(two) else doubles
    return alike(operation(exact(one), exact(two)))


def alike(holds: Any) -> bool:
    """Return what is the same for all requests, of an array of bool. Raises :class:`Split` where it is not."""
    if holds.all():
        return True
    if holds.any():
        raise Split(holds)
    return False

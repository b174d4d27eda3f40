"""The numbers that claims are given, read with their limits."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from crtools.errors import InputError
from crtools.expressions import number


def positive_number(given: Mapping[str, str], name: str = "factor") -> Fraction:
    """Return a given number above 0 and at most 1000; ``InputError`` for another."""
    value = number(name, given[name])
    if not 0 < value <= 1000:
        raise InputError(name, given[name], "must be above 0 and at most 1000")
    return value


def integer_from(given: Mapping[str, str], name: str, low: int, high: int) -> int:
    """Return a given integer from ``low`` to ``high``; ``InputError`` for another number."""
    value = number(name, given[name])
    if value.denominator != 1 or not low <= value <= high:
        raise InputError(name, given[name], f"must be an integer from {low} to {high}")
    return int(value)

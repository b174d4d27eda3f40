"""A user's entry(i, j, s), or (i, j, s, l, u): at exact numbers, and at balls, symbols, arrays where it is a rational function."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from inspect import signature
from pathlib import Path
from traceback import walk_tb
from typing import Any, NoReturn

import numpy as np

from crtools.enclosure import Ball, ends
from crtools.errors import InputError
from crtools.forms.rational_entry import RationalEntry, exact_number, trace
from crtools.numeric_types import RingElement
from crtools.pickling import WithoutCaches

ALLOWED = "must be an exact number, an int or a Fraction (i ≤ j and s are given as Fractions)"
BRANCHES = "it branches on i, j or s, so it is known at numbers only and has no closed form"
SYMBOLS = "it has symbols of its own ({}): give them numbers, or take the interval's ends as entry(i, j, s, l, u)"
DIVIDES = (
    "it divides by an expression that is not shown to be non-zero for all i ≤ j, so it is evaluated at numbers only"
    " and has no closed form"
)


def knows_ends(function: Callable[..., Any]) -> bool:
    """Return whether an entry is one of i, j, s, l and u, by the names of its arguments."""
    try:
        return {"l", "u"} <= set(signature(function).parameters)
    except (TypeError, ValueError):
        return False


def unbound(name: str, *_: object) -> NoReturn:
    """Raise the ``InputError`` of an entry that knows the ends l and u, where nobody says what they are."""
    raise InputError(
        "form", name, "needs the interval's ends l and u: use .on(setting), or a law with a finite support"
    )


def at_symbols(function: Callable[..., Any], name: str, l: Any, u: Any, i: Any, j: Any, s: Any) -> Any:
    """Return an entry where l or u is a symbol; ``InputError`` where it compares what has no order."""
    try:
        return function(i, j, s, l, u)
    except TypeError:
        said = "it branches on l, u, i, j or s, so it needs numbers for the ends of the interval"
        raise InputError("form", name, said) from None


def error_text(error: Exception, function: Callable[..., Any]) -> str:
    """Return an error of a function in words, with the last line of the function's file at which it arose."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    words = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{words} ({Path(str(file)).name}, line {lines[-1]})" if lines else words


class UserEntry(WithoutCaches):
    """The formula of a user's form.

    At exact numbers it is the function itself. Balls, symbols and arrays take the rational function that a trace of it
    gives (``rational``, None where there is none); without one, numbers of other kinds are made exact first, and symbols
    are refused.
    """

    def __init__(self, function: Callable[[RingElement, RingElement, RingElement], RingElement], name: str) -> None:
        self.function, self.name = function, name

    @cached_property
    def rational(self) -> RationalEntry | None:
        """The rational function that the entry is, or None: see :func:`crtools.forms.rational_entry.trace`."""
        return trace(self.function)

    @cached_property
    def unclosed(self) -> str:
        """Why there is no closed form, in words: it divides, it has symbols of its own, it needs l and u, or it branches."""
        if self.rational is not None:
            return DIVIDES
        try:
            value = self.function(Fraction(1), Fraction(2), Fraction(1))
        except InputError as error:
            return error.allowed
        except Exception as error:
            return f"its entry raised {error_text(error, self.function)}"
        symbols = sorted(map(str, getattr(value, "free_symbols", ())))
        return SYMBOLS.format(", ".join(symbols)) if symbols else BRANCHES

    def exact(self, i: Fraction, j: Fraction, s: Fraction) -> Fraction:
        """Return the entry at exact numbers i ≤ j; raises ``InputError`` where it fails or is no exact number."""
        try:
            value = self.function(i, j, s)
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"entry({i}, {j}, {s})", error_text(error, self.function), ALLOWED) from None
        number = exact_number(value)
        if number is None:
            raise InputError(f"entry({i}, {j}, {s})", value, ALLOWED)
        return number

    def __call__(self, i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        """Return the entry in the ring of i ≤ j and s."""
        arguments = (i, j, s)
        if any(isinstance(x, np.ndarray) for x in arguments):
            return self._array(i, j, s)
        if all(isinstance(x, Fraction | int | np.integer) for x in arguments):
            return self.exact(Fraction(i), Fraction(j), Fraction(s))
        numbers = [_number(x) for x in arguments]
        if self._everywhere(numbers[2]) and (None in numbers or any(isinstance(x, Ball) for x in arguments)):
            assert self.rational is not None
            return self.rational.value(i, j, s)
        exact_numbers = [x for x in numbers if x is not None]
        if len(exact_numbers) < len(numbers):
            raise InputError("form", self.name, self.unclosed)
        return _like(
            next(x for x in arguments if not isinstance(x, Fraction | int | np.integer)), self.exact(*exact_numbers)
        )

    def _everywhere(self, s: Fraction | None) -> bool:
        """Return whether the entry is a rational function without a pole at 1 ≤ i ≤ j."""
        whole = int(s) if s is not None and s.denominator == 1 else None
        return self.rational is not None and self.rational.regular(whole)

    def _array(self, i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        """Return the entries of arrays, elementwise: floats for floats, ``Fraction`` objects for objects."""
        arrays = [np.asarray(x) for x in (i, j, s)]
        floats = all(a.dtype.kind in "iubf" for a in arrays)
        number = _number(s)
        if floats and number is not None and self._everywhere(number):
            assert self.rational is not None
            with np.errstate(all="ignore"):
                values = self.rational.value(*(a.astype(float) for a in arrays))
            if np.isfinite(values).all():
                return values
        result = np.frompyfunc(self, 3, 1)(i, j, s)
        return result.astype(float) if floats else result


def _number(x: object) -> Fraction | None:
    """Return the exact value of a rational number, a finite float or a ball without radius; else None."""
    number = exact_number(x)
    if number is not None:
        return number
    if isinstance(x, float):
        return Fraction(x) if abs(x) < float("inf") else None
    if isinstance(x, Ball) and x.is_exact() and x.is_finite():
        return ends(x)[0]
    return None


def _like(sample: RingElement, value: Fraction) -> RingElement:
    """Return an exact value in the ring of ``sample``."""
    if isinstance(sample, float):
        return float(value)
    return (sample * 0 + value.numerator) / value.denominator

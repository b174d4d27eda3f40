"""Integer polynomials in free integers that compare like the numbers they stand for, where all of these compare alike.

In a :class:`Region` each name stands for a polynomial in free integers ≥ 0, such as i = 1 + a and j = 2 + a + b for
1 ≤ i < j. A difference is positive for all of them where no coefficient is negative and its constant is not 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy as sp

from crtools.numeric_types import SymObject

Operand: TypeAlias = Any
"""A ``Number`` or an integer; anything else is a ``TypeError``."""


class Undecided(Exception):
    """A comparison that comes out one way for some numbers and another way for others; the text says which."""


@dataclass(frozen=True)
class Region:
    """What names stand for: polynomials in symbols that are ≥ 0, and otherwise free."""

    stand_for: Mapping[SymObject, SymObject]

    def number(self, value: SymObject) -> Number:
        """Return a polynomial in the names as a number of this region."""
        return Number(sp.expand(value.value if isinstance(value, Number) else value), self)

    def positive(self, value: SymObject) -> bool | None:
        """Return whether a polynomial is > 0 for all free numbers, or ≤ 0 for all of them; None where neither shows."""
        free = sp.expand(value.xreplace(dict(self.stand_for)))
        terms = sp.Poly(free, *sorted(free.free_symbols, key=str) or [sp.Dummy()]).as_dict()
        if all(c <= 0 for c in terms.values()):
            return False
        constant = next((c for powers, c in terms.items() if not any(powers)), 0)
        return True if constant > 0 and all(c > 0 for c in terms.values()) else None


class Number:
    """A polynomial in the names of a region. It knows + − × and comparisons, nothing else; so all its values are integers."""

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __init__(self, value: SymObject, region: Region) -> None:
        self.value, self.region = value, region

    def __repr__(self) -> str:
        return str(self.value)

    def __add__(self, other: Operand) -> Number:
        return self.region.number(self.value + polynomial(other))

    def __mul__(self, other: Operand) -> Number:
        return self.region.number(self.value * polynomial(other))

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Operand) -> Number:
        return self + -1 * other

    def __rsub__(self, other: Operand) -> Number:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __gt__(self, other: Operand) -> bool:
        return self._positive(self - other, other)

    def __lt__(self, other: Operand) -> bool:
        return self._positive(other - self, other)

    def __ge__(self, other: Operand) -> bool:
        return not self < other

    def __le__(self, other: Operand) -> bool:
        return not self > other

    def __eq__(self, other: object) -> bool:
        return self <= other and self >= other

    def __bool__(self) -> bool:
        return self != 0

    def _positive(self, difference: Number, other: Operand) -> bool:
        found = self.region.positive(difference.value)
        if found is None:
            raise Undecided(f"how {self} and {other} compare")
        return found


def polynomial(other: Operand) -> SymObject:
    """Return a number's polynomial, or an integer, as a SymPy expression."""
    if isinstance(other, int):
        return sp.Integer(other)
    if isinstance(other, Number):
        return other.value
    raise TypeError(f"{other!r} is neither a polynomial nor an integer")

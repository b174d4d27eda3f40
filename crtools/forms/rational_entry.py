"""An entry as a rational function of i, j and s: traced from a function, with the signs and bounds that its coefficients prove.

A function is run once on objects that support + − × ÷ and integer powers only. If it returns one of them, no branch of the run
depended on i, j or s, so the function is that rational function. Signs come from coefficients: with i = 1 + a and j = 1 + a + b,
a polynomial whose coefficients in a and b are ≥ 0 is ≥ 0 for all 1 ≤ i ≤ j.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, combinations_with_replacement, product
from operator import add, mul, sub
from typing import Any

from crtools.numeric_types import RingElement, RingPoly
from crtools.parallel import WithoutCaches

LARGEST_POWER = 30
LARGEST_NUMBER_OF_TERMS = 500
"""A function with larger powers or more terms is not traced."""

CHECKED_PAIRS = (
    *combinations_with_replacement(range(1, 7), 2),
    *((1, 7), (1, 50), (2, 1000), (7, 8), (9, 30), (12, 12), (64, 65), (99, 101), (1000, 1000), (12345, 67890)),
)
CHECKED_SIZES = (0, 1, 2, 5, 40, 1000)
"""The result of a trace is compared with the function at these (i, j) and s."""


def exact_number(x: Any) -> Fraction | None:
    """Return an int, a ``Fraction`` or another rational number (NumPy, SymPy, FLINT) as a ``Fraction``; else None."""
    if isinstance(x, Fraction):
        return x
    if isinstance(x, bool) or not (hasattr(x, "numerator") and hasattr(x, "denominator")):
        return None
    try:
        return Fraction(int(x.numerator), int(x.denominator))
    except (TypeError, ValueError):
        return None


Operation = Callable[[RingElement, RingElement], RingElement]
Entry = Callable[[RingElement, RingElement, RingElement], RingElement]
Monomial = tuple[int, int, int]
"""The exponents of i, j and s."""


def _lifted(operation: Operation) -> Callable[[RingElement, RingElement], _Traced]:
    """Return an operation of rational functions as a method of :class:`_Traced`."""
    return lambda traced, other: _Traced(operation(traced._value, traced._lift(other)), traced._divisors)


class _Traced:
    """An element of ℚ(i, j, s) that refuses all but + − × ÷ and integer powers.

    Divisors are noted in a list. A refusal is noted there as None, so that it counts even where the function catches the error.
    """

    __slots__ = ("_divisors", "_value")
    __array_ufunc__ = None
    _value: Any
    _divisors: list[RingPoly | None]

    def __init__(self, value: Any, divisors: list[RingPoly | None]) -> None:
        object.__setattr__(self, "_value", value)
        object.__setattr__(self, "_divisors", divisors)
        if len(value.numer) + len(value.denom) > LARGEST_NUMBER_OF_TERMS:
            self._refused()

    def _lift(self, other: object) -> Any:
        if type(other) is _Traced:
            return other._value
        number = exact_number(other)
        if number is None:
            return self._refused()
        field = self._value.field
        return field(number.numerator) / field(number.denominator)

    def _divided(self, above: Any, below: Any) -> _Traced:
        if not below:
            raise ZeroDivisionError
        self._divisors.append(below.numer)
        return _Traced(above / below, self._divisors)

    __add__ = __radd__ = _lifted(add)
    __mul__ = __rmul__ = _lifted(mul)
    __sub__, __rsub__ = _lifted(sub), _lifted(lambda a, b: b - a)

    def __truediv__(self, other: object) -> _Traced:
        return self._divided(self._value, self._lift(other))

    def __rtruediv__(self, other: object) -> _Traced:
        return self._divided(self._lift(other), self._value)

    def __pow__(self, power: object) -> _Traced:
        if type(power) is not int or abs(power) > LARGEST_POWER:
            return self._refused()
        whole = self._value ** abs(power)
        return _Traced(whole, self._divisors) if power >= 0 else self._divided(whole.field(1), whole)

    def __neg__(self) -> _Traced:
        return _Traced(-self._value, self._divisors)

    def __pos__(self) -> _Traced:
        return self

    def _refused(self, *_: object) -> Any:
        self._divisors.append(None)
        raise TypeError("only + − × ÷ and integer powers are traced")

    # an order, a truth value, a number or a text of i, j, s would let the run depend on them
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = _refused  # pyright: ignore
    __int__ = __float__ = __complex__ = __index__ = __round__ = __trunc__ = __floor__ = __ceil__ = _refused
    __abs__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __rpow__ = _refused
    __repr__ = __str__ = __format__ = __len__ = __iter__ = __getitem__ = __contains__ = __call__ = _refused
    __reduce_ex__ = __getattr__ = __setattr__ = __delattr__ = _refused  # pyright: ignore


@dataclass(frozen=True, eq=False)
class RationalEntry(WithoutCaches):
    """numerator / denominator, coprime polynomials over ℤ in i, j, s; ``divisors``: all divisors of the traced run."""

    numerator: RingPoly
    denominator: RingPoly
    divisors: tuple[RingPoly, ...]

    def value(self, i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        """Return the value in the ring of i, j and s: balls, symbols, float arrays."""
        return _value(self._terms[0], i, j, s) / _value(self._terms[1], i, j, s)

    def exact(self, i: int, j: int, s: int) -> Fraction | None:
        """Return the value at integers, None where the function divides by zero."""
        point = list(zip(self.numerator.ring.gens, (i, j, s), strict=True))
        if not all(divisor.evaluate(point) for divisor in self.divisors):
            return None
        return Fraction(*(_value(terms, i, j, s) for terms in self._terms))

    def regular(self, s: int | None) -> bool:
        """Return whether coefficients prove that no divisor vanishes at 1 ≤ i ≤ j (s None: and s ≥ 0)."""
        return all(_sign(divisor, s, strict=True) for divisor in self.divisors)

    def nonnegative(self, s: int | None) -> bool:
        """Return whether the entry is shown to be ≥ 0 for all 1 ≤ i ≤ j; s None: for every s ≥ 0."""
        above, below = _sign(self.numerator, s), _sign(self.denominator, s, strict=True)
        return self.regular(s) and (not self.numerator or (above != 0 and above == below))

    def positive(self, s: int | None) -> bool:
        """Return whether the entry is shown to be > 0 for all 1 ≤ i ≤ j; s None: for every s ≥ 0."""
        return self.nonnegative(s) and _sign(self.numerator, s, strict=True) != 0

    def growth(self, s: int) -> Fraction | None:
        """Return c with |entry| ≤ c i² j² for all 1 ≤ i ≤ j, None where the coefficients show none.

        Each monomial of the numerator is divided by a lower bound of the denominator: by a term of it, if their signs agree, or by
        its value at i = j = 1.
        """
        if not self.regular(s) or not _sign(self.denominator, s, strict=True):
            return None
        above, below = self.monomials(s)
        parts = [(0, 0, Fraction(abs(sum(below.values()))))]
        if len({c > 0 for c in below.values()}) == 1:
            parts += [(a, b, Fraction(abs(c))) for (a, b), c in below.items()]
        total = Fraction(0)
        for (a, b), c in above.items():
            bounds = [abs(c) / part for p, r, part in parts if b - r <= 2 and a + b - p - r <= 4]
            if not bounds:
                return None
            total += min(bounds)
        return total

    def monomials(self, s: int) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]]:
        """Return the numerator's and the denominator's coefficients of i^a j^b, by (a, b), at prompts of s tokens."""
        return _at_size(self.numerator, s), _at_size(self.denominator, s)

    def generators(self, k: RingElement, s: int) -> tuple[RingElement, list[RingElement], list[RingElement]]:
        """Return N_kk, left_r(k) and right_r(k) of N_ij = Σ_r left_r(i) right_r(j), whose denominator is free of i, at lengths k."""
        above, below = self.monomials(s)
        degree = max(max(exponents) for exponents in (*above, *below))
        powers = list(accumulate([k] * degree, mul, initial=k * 0 + 1))
        under = sum(powers[b] * c for (_, b), c in below.items())
        columns: dict[int, RingElement] = {}
        for (a, b), c in above.items():
            columns[a] = columns.get(a, 0) + powers[b] * c
        diagonal = sum((powers[a] * column for a, column in columns.items()), 0 * k) / under
        return diagonal, [powers[a] for a in columns], [column / under for column in columns.values()]

    @cached_property
    def _terms(self) -> list[list[tuple[Monomial, int]]]:
        return [[(m, int(c)) for m, c in poly.terms()] for poly in (self.numerator, self.denominator)]


def trace(function: Entry) -> RationalEntry | None:
    """Return ``function(i, j, s)`` as a rational function, None where it branches or uses more than arithmetic.

    The result is compared with the function on exact numbers; where one point differs, it is None.
    """
    from sympy import ZZ
    from sympy.polys.fields import field as field_of

    field, *symbols = field_of("i, j, s", ZZ)
    divisors: list[RingPoly | None] = []
    try:
        value = (_Traced(field(0), divisors) + function(*(_Traced(x, divisors) for x in symbols)))._value
    except Exception:  # a user's function may raise anything on objects that are no numbers
        return None
    if any(divisor is None for divisor in divisors):
        return None
    may_vanish = tuple(d for d in dict.fromkeys(divisors) if d is not None and not d.is_ground)
    entry = RationalEntry(value.numer, value.denom, may_vanish)
    return entry if _agrees(entry, function) else None


def _agrees(entry: RationalEntry, function: Entry) -> bool:
    for (i, j), s in product(CHECKED_PAIRS, CHECKED_SIZES):
        try:
            value = exact_number(function(Fraction(i), Fraction(j), Fraction(s)))
        except ZeroDivisionError:
            value = None
        except Exception:
            return False
        if value != entry.exact(i, j, s):
            return False
    return True


def _value(terms: list[tuple[Monomial, int]], i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    total = 0 * (i + j + s)
    for powers, c in terms:
        term: RingElement = c
        for x, power in zip((i, j, s), powers, strict=True):
            term = term * x**power if power else term
        total = total + term
    return total


@lru_cache(maxsize=1024)
def _sign(poly: RingPoly, s: int | None, *, strict: bool = False) -> int:
    """Return 1 or −1 where the coefficients show that sign (``strict``: and not 0) for all 1 ≤ i ≤ j; else 0."""
    i, j, size = poly.ring.gens
    shift = [(i, i + 1), (j, i + j + 1)]
    shifted = poly.compose(shift if s is None else [*shift, (size, poly.ring(s))])
    signs = {c > 0 for c in shifted.coeffs()}
    if len(signs) != 1 or (strict and not shifted.coeff(1)):
        return 0
    return 1 if signs.pop() else -1


@lru_cache(maxsize=1024)
def _at_size(poly: RingPoly, s: int) -> dict[tuple[int, int], int]:
    """Return the coefficients of i^a j^b at prompts of s tokens."""
    *_, size = poly.ring.gens
    return {(a, b): int(c) for (a, b, _), c in poly.compose(size, poly.ring(s)).terms()}

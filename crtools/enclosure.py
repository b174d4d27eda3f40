"""Rigorous enclosures: a closed interval with exact ends that contains the number in question.

``flint.ctx.prec`` is global to the process; :func:`precision` is the one place that sets it, and it always restores it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from operator import ge, gt, le, lt
from typing import Any

import flint
import numpy as np

from crtools.errors import NotCertified
from crtools.numeric_types import BallMatrix, BallPoly, Exact, ObjectArray, Rational

Ball = flint.arb
"""A real ball of Arb: midpoint ± radius. Its comparisons hold for every point of both balls or are False."""


def precision(bits: int) -> AbstractContextManager[None]:
    """Work with balls of ``bits`` bits inside the block, and restore the precision that was set before it."""
    return flint.ctx.workprec(bits)


def working_bits() -> int:
    """Return the precision that balls have here, in bits."""
    return flint.ctx.prec


@contextmanager
def series_terms(terms: int) -> Generator[None, None, None]:
    """Work with power series of ``terms`` coefficients inside the block, and restore the number that was set before it."""
    before, flint.ctx.cap = flint.ctx.cap, terms
    try:
        yield
    finally:
        flint.ctx.cap = before


def coefficients(series: flint.arb_series, terms: int) -> list[Ball]:
    """Return the first coefficients of a power series; raises ``NotCertified`` where it has lost some of them."""
    if series.prec < terms:
        raise NotCertified("a power series has too few terms")
    values = series.coeffs()[:terms]
    return [*values, *[ball(0)] * (terms - len(values))]


def ball_polynomial(coefficients: Sequence[Ball | int]) -> BallPoly:
    """Return a polynomial of balls, the lowest coefficient first; it is called at balls, added and multiplied."""
    return flint.arb_poly(list(coefficients))


def ball(number: Ball | Exact | float | str | Rational) -> Ball:
    """Return a ball at the current precision that contains an int, float (taken exactly), ``Fraction`` or text; a ball as it is."""
    if isinstance(number, Fraction):
        return flint.arb(flint.fmpq(number.numerator, number.denominator))
    return flint.arb(number)


def objects(numbers: Iterable[object]) -> ObjectArray:
    """Return a NumPy array of exact numbers, balls or symbols: + − × ÷ and running sums are taken entry by entry."""
    return np.array([None, *numbers], dtype=object)[1:]  # None: so that no entry is taken apart


def balls(numbers: Iterable[int | Fraction]) -> ObjectArray:
    """Return a NumPy array of balls."""
    return objects(map(ball, numbers))


def running_products(first: Ball, factor: Ball, n: int) -> ObjectArray:
    """Return the array first, first · factor, …, of n balls."""
    products = np.full(n, factor, dtype=object)
    products[0] = first
    return np.multiply.accumulate(products)


def ball_range(first: int, last: int) -> ObjectArray:
    """Return the array of the balls first, first + 1, …, last."""
    range_of_balls = np.full(last - first + 1, ball(1), dtype=object)
    range_of_balls[0] = ball(first)
    return np.add.accumulate(range_of_balls)


def rational(number: int | Fraction) -> Rational:
    """Return ``number`` as FLINT's rational: exact as a ``Fraction`` and some ten times faster; ``ball`` takes it."""
    return flint.fmpq(number.numerator, number.denominator)


def fraction(number: Any) -> Fraction:
    """Return FLINT's or SymPy's rational as a ``Fraction``."""
    return Fraction(int(number.numerator), int(number.denominator))


def solution(rows: Sequence[Sequence[Rational]], right: Sequence[Rational | int]) -> list[Fraction] | None:
    """Return the y of M y = right for a square matrix of FLINT's rationals, or None where it is singular."""
    try:
        return [fraction(y) for y in flint.fmpq_mat(rows).solve(flint.fmpq_mat([[x] for x in right])).entries()]
    except ZeroDivisionError:
        return None


def kernel(rows: Sequence[Sequence[Rational]]) -> list[int] | None:
    """Return the vector, if it is unique up to a factor, to which all rows of FLINT's rationals are orthogonal."""
    basis, dimension = flint.fmpq_mat(rows).numer_denom()[0].nullspace()
    return [int(row[0]) for row in basis.tolist()] if dimension == 1 else None


def ball_matrix(rows: Sequence[Sequence[Ball | Exact | float | Rational]]) -> BallMatrix:
    """Return a matrix of balls that contain the entries, which may be balls already; it has ``tolist`` and ``*``."""
    return flint.arb_mat([list(map(ball, row)) for row in rows])


def polynomial_on(coefficients: Sequence[Ball], low: Fraction, high: Fraction) -> Ball:
    """Return a ball of the polynomial's values on [low, high], by its Taylor polynomial at the middle: narrow where it is flat."""
    moved = ball_polynomial(coefficients)(flint.arb_poly([ball((low + high) / 2), ball(1)]))
    return moved(hull((low - high) / 2, (high - low) / 2))


def hull(low: Fraction, high: Fraction) -> Ball:
    """Return a ball that contains the interval [low, high]."""
    return ball(low).union(ball(high))


def midpoint(x: Ball) -> Ball:
    """Return the midpoint of a ball, as an exact ball."""
    return x.mid()


def ends(x: Ball) -> tuple[Fraction, Fraction]:
    """Return exact rational ends of a ball, lower ≤ upper.

    Raises ``NotCertified`` where the ball is not finite, or an end is an odd integer times 2^e with |e| > ``MOST_BITS``.
    """
    if not x.is_finite():
        raise NotCertified("a ball grew without bound at this working precision")
    return _exact(x.lower()), _exact(x.upper())


MOST_BITS = 100_000
"""The largest exponent of 2 in an exact end: beyond it fractions take too long."""


def _exact(x: Ball) -> Fraction:
    mantissa, exponent = x.man_exp()
    if abs(int(exponent)) > MOST_BITS:
        raise NotCertified("a number is too large or too near to 0")
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _for_all_pairs(
    sign: str, holds: Callable[[Any, Any], bool]
) -> Callable[[Enclosure, Enclosure | int | float | Fraction], bool]:
    """Return a comparison of what holds for every pair of points; it raises ``NotCertified`` where it holds for some only."""

    def compared(self: Enclosure, other: Enclosure | int | float | Fraction) -> bool:
        if not isinstance(other, Enclosure | int | float | Fraction):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        ends_of = (other.lower, other.upper) if isinstance(other, Enclosure) else (other, other)
        answers = {holds(a, b) for a in (self.lower, self.upper) for b in ends_of}
        if len(answers) > 1:
            raise NotCertified(f"{self} {sign} {other} holds at some points only")
        return answers.pop()

    return compared


@dataclass(frozen=True, slots=True, repr=False)
class Enclosure:
    """A closed interval [lower, upper] with exact ends that contains the number in question.

    ``<``, ``<=``, ``>`` and ``>=`` hold for every pair of points, and raise ``NotCertified`` where some pairs disagree; ``==``
    compares the ends, ``method`` and ``uses``. ``float`` gives the middle, which is no guarantee.

    Parameters
    ----------
    lower, upper : Fraction
        The ends.
    method : str
        The computation that it rests on.
    uses : tuple of str
        The theorems from the literature that it rests on, from the closed list ``crtools.proof.steps.LITERATURE``.

    Raises
    ------
    ValueError
        If lower > upper.

    Examples
    --------
    >>> Enclosure(Fraction(1), Fraction(3, 2)) < 2
    True
    >>> Enclosure(Fraction(1, 3), Fraction(1, 3)).decimals(4)
    ('0.3333', '0.3334')
    """

    lower: Fraction
    upper: Fraction
    method: str = "exact"
    uses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"an enclosure needs lower ≤ upper, got {self.lower} > {self.upper}")

    @classmethod
    def from_ball(cls, x: Ball, method: str = "ball arithmetic", uses: tuple[str, ...] = ()) -> Enclosure:
        """Return the interval that a ball stands for."""
        low, high = ends(x)
        return cls(low, high, method, uses)

    @property
    def width(self) -> Fraction:
        """The exact difference upper − lower."""
        return self.upper - self.lower

    @property
    def middle(self) -> float:
        """The float nearest to the middle."""
        return float((self.lower + self.upper) / 2)

    def relative_width(self) -> float:
        """Width over the smaller absolute end; infinite where the interval touches 0, and 0 for [0, 0]."""
        if self.lower <= 0 <= self.upper:
            return float("inf") if self.width else 0.0
        return float(self.width / min(abs(self.lower), abs(self.upper)))

    def __contains__(self, number: int | float | Fraction) -> bool:
        return self.lower <= number <= self.upper

    def __float__(self) -> float:
        return self.middle

    __lt__, __le__ = _for_all_pairs("<", lt), _for_all_pairs("<=", le)
    __gt__, __ge__ = _for_all_pairs(">", gt), _for_all_pairs(">=", ge)

    def decimals(self, digits: int) -> tuple[str, str]:
        """Return both ends with ``digits`` significant digits, rounded outward."""
        return decimal(self.lower, digits, up=False), decimal(self.upper, digits, up=True)

    def __str__(self) -> str:
        low, high = self.decimals(significant(self) + 2)
        return f"[{low}, {high}]"

    def __repr__(self) -> str:
        exact = str(self.lower)
        return f"Enclosure({exact if not self.width and len(exact) <= LONGEST else self}, {self.method})"


LONGEST = 40
"""An exact number of more characters is written as decimals."""


def significant(enclosure: Enclosure) -> int:
    """How many significant digits the enclosure fixes, between 1 and 1000."""
    width, scale = enclosure.width, max(abs(enclosure.lower), abs(enclosure.upper))
    if width == 0:
        return 17
    return next((digits for digits in range(1, 1000) if width * 10**digits > scale), 1000)


def decimal(number: Fraction, digits: int, *, up: bool) -> str:
    """Return ``number`` as a decimal string of ``digits`` significant digits, rounded up or down."""
    context = Context(prec=max(digits, 1), rounding=ROUND_CEILING if up else ROUND_FLOOR, Emax=10**6, Emin=-(10**6))
    return format(context.divide(Decimal(number.numerator), Decimal(number.denominator)), "f")


def harmonic_ball(first: int, last: int) -> Ball:
    """Return a ball that contains Σ_{m=first}^{last} 1/m, by the digamma function."""
    return ball(last + 1).digamma() - ball(first).digamma()


def relative_width_of(digits: int) -> Fraction:
    """Return the relative width of ``digits`` digits; a tenth is left for the decimals' outward rounding."""
    return 9 * Fraction(10) ** (-digits)

"""Σ_{i,j} N_ij x_i x_j over the lengths of a distribution in balls, O(u) time and bounded memory, for several forms at once.

Where the entry is a rational function whose denominator is free of i, the form is diagonal plus a few products,
Σ_k d_k x_k² + 2 Σ_{i<j} Σ_r left_r(i) right_r(j) x_i x_j. The lengths are taken from the largest down, a piece at a time; what lies
above is carried as running sums. Any other form is summed pair by pair.

Over long and unbounded distributions whose weight is an analytic function of the length, :func:`block_sums` takes the lengths in
blocks that grow with the length. An entry is Σ_r left_r(i) right_r(j) for i ≤ j; in a block, L_r = left_r x and R_r = right_r x are
Taylor polynomials at the middle with a bound of the remainder, so that their sums are sums of powers. What lies below is carried
as Σ L_r; what lies beyond the last block is bounded.

Which forms are finite under weights like k^(−a): let an entry for i ≤ j be a polynomial in i over one in j, of degree D in
all and r in j. Then Σ N_ij x_i x_j is finite for a > max(r + 1, D/2 + 1); where it is ≥ 0 it is infinite else: for
a ≤ r + 1 a row of some i is infinite already, for a ≤ D/2 + 1 the pairs with j/2 ≤ i ≤ j are, in which the part of degree
D is of the order j^D.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil
from typing import Any, cast

import numpy as np
from flint import arb_series

from crtools.closed_form.sums import sum_of_powers
from crtools.distributions import Distribution, Mixture
from crtools.distributions.real_weights import RealWeights
from crtools.enclosure import ball, ball_polynomial, ball_range, balls, coefficients, hull, precision, series_terms
from crtools.errors import InputError, NotCertified
from crtools.forms import Form
from crtools.forms.base import tail_sums
from crtools.forms.rational_entry import RationalEntry
from crtools.numeric_types import Ball, BallPoly, ObjectArray

PIECE = 2**13
"""The number of lengths in one chunk of the sums."""

MOST_PAIRED = 2000
"""Upper limit on the lengths of positive weight for a form that is summed pair by pair."""


def separated(form: Form, s: int) -> RationalEntry | None:
    """Return the entry as a rational function whose denominator is free of i, without a pole: it is summed in O(u). Else None."""
    entry = form.rational
    free_of_i = entry is not None and form.closes(s) and not any(a for a, _ in entry.monomials(s)[1])
    return entry if free_of_i else None


def direct_sums(
    law: Distribution, forms: Sequence[Form], s: int, last: int, *, bounded: bool, first: int = 1
) -> tuple[list[Ball], Ball]:
    """Return balls of the forms at the weights of the lengths from ``first`` to ``last``, and of Σ (s+k)² x_k.

    ``bounded``: the entries must obey the growth that a form states. Raises ``NotCertified`` for too many pairs.
    """
    low, moment = max(law.support[0], first), ball(0)
    bound_forms = [f if f.bind is None else f.bind(low, last) for f in forms]
    sums = [_Separated(entry, s) if (entry := separated(f, s)) else None for f in bound_forms]
    weights: list[tuple[int, Ball]] = []  # those that are not 0, if a form is summed pair by pair
    for lengths, x in _pieces(law, low, last):
        k = balls(lengths) if isinstance(lengths, list) else ball_range(lengths[0], lengths[-1])
        moment += (x * (k + s) * (k + s)).sum()
        for each in filter(None, sums):
            each.add(k, x)
        if None in sums:
            weights[:0] = ((n, w) for n, w in zip(lengths, x, strict=True) if not w.is_zero())
            if len(weights) > MOST_PAIRED:
                name = bound_forms[sums.index(None)].name
                raise NotCertified(f"the form {name} is summed pair by pair, for up to {MOST_PAIRED} lengths")
    pairs = zip(sums, bound_forms, strict=True)
    return [each.total if each else _paired_sum(f, s, weights, bounded) for each, f in pairs], moment


def _pieces(law: Distribution, low: int, last: int) -> Iterator[tuple[list[int] | range, ObjectArray]]:
    """Iterate over (lengths, balls of their weights) from the last length down, of a sparse law only where there is weight."""
    if law.sparse:
        items = [(k, w) for k, w in law.items() if low <= k <= last]
        for end in range(len(items), 0, -PIECE):
            part = items[max(end - PIECE, 0) : end]
            yield [k for k, _ in part], balls(w for _, w in part)
        return
    for end in range(last, low - 1, -PIECE):
        start = max(end - PIECE + 1, low)
        yield range(start, end + 1), law.ball_weights(start, end)


class _Separated:
    """The sum of a form that is diagonal plus products, piece by piece from above."""

    def __init__(self, entry: RationalEntry, s: int) -> None:
        self.entry, self.s, self.total = entry, s, ball(0)
        self.carried: list[Ball] = []  # Σ right_r x over the lengths added so far

    def add(self, k: ObjectArray, x: ObjectArray) -> None:
        """Add the next lengths, all below those before."""
        diagonal, left, right = self.entry.generators(k, self.s)
        self.carried = self.carried or [ball(0)] * len(left)
        outer = diagonal * x
        for r, (a, b) in enumerate(zip(left, right, strict=True)):
            beyond = tail_sums(b * x) + self.carried[r]
            outer += 2 * a * np.append(beyond[1:], cast(Any, self.carried[r]))
            self.carried[r] = beyond[0]
        self.total += (outer * x).sum()


def _paired_sum(form: Form, s: int, weights: Sequence[tuple[int, Ball]], bounded: bool) -> Ball:
    """Return the sum of any other form over all pairs of lengths; ``InputError`` where an entry exceeds the growth stated."""
    growth = form.growth_at(s) if bounded else None
    ring = Fraction if form.user_defined else ball
    total = ball(0)
    for a, (i, v) in enumerate(weights):
        row = ball(0)
        for j, w in weights[a:]:
            value = ball(form.formula(ring(i), ring(j), ring(s)))
            if growth is not None and abs(value) > ball(growth) * ((s + i) * (s + j)) ** 2:
                allowed = f"must bound the entries: entry({i}, {j}, {s}) exceeds c (s+i)²(s+j)²"
                raise InputError("growth", str(growth), allowed)
            row += value * w * (1 if i == j else 2)
        total += v * row
    return total


# ---- heavy tails ---------------------------------------------------------------------------------------------------

GIVE_AN_END = "give it an end, u=…"


def least_exponent(form: Form, s: int) -> Fraction | None:
    """Return the a above which the form is finite at weights like k^(−a); None where the entry does not show it."""
    entry = separated(form, s)
    if entry is None:
        return None
    above, below = entry.monomials(s)
    degree = max(b for _, b in below)
    if not above:
        return Fraction(1)
    return max(Fraction(max(b for _, b in above) - degree + 1), Fraction(max(a + b for a, b in above) - degree, 2) + 1)


def check_tail(policy: Form, against: Form, law: Distribution, s: int) -> None:
    """Raise ``InputError`` where a form is infinite under a distribution, or not shown to be finite."""
    if law.decay is None:
        return
    a = law.decay
    exponents = {f.name: least_exponent(f, s) for f in (policy, against)}
    if all(exponent is not None and a > exponent for exponent in exponents.values()):
        return
    order = max(ceil(a) - 1, 1)
    name = {1: "mean", 2: "second moment"}.get(order, f"moment of order {order}")
    reason = f"heavy tail: the {name} is infinite (weights like k^(−{a}))"
    for f in (policy, against):
        exponent = exponents[f.name]
        if exponent is None or (a <= exponent and not f.nonnegative_at(s)):
            raise law.refusal(f"{reason}, and {f.name} is not shown to be finite; {GIVE_AN_END}")
    infinite = [name for name, exponent in exponents.items() if exponent is not None and a <= exponent]
    if len(infinite) == len(exponents):
        what = f"and so {'are' if len(infinite) > 1 else 'is'} {' and '.join(infinite)}: the ratio has no value"
    elif infinite == [policy.name]:
        what = f"and so is {policy.name}, while {against.name} is finite: the ratio is infinite"
    else:
        what = f"and so is {against.name}, while {policy.name} is finite: the ratio is 0"
    raise law.refusal(f"{reason}, {what}; {GIVE_AN_END}")


TERMS = 32
"""The Taylor polynomials' number of coefficients."""

ALONE = 64
"""The number of first lengths that are added one by one."""

WIDEST = 4
"""A block from n on has at most about 2n/WIDEST lengths."""

MOST_BLOCKS = 3000

GUARD = 64
"""Bits beyond the requested digits and twice the bits of the length, which differences of weights cancel."""


def block_sums(law: Distribution, forms: Sequence[Form], s: int, digits: int) -> list[Ball]:
    """Return balls of the forms at the weights of the distribution, of a relative width of about 10^(−digits).

    Raises ``NotCertified`` where the tail is not small enough after ``MOST_BLOCKS`` blocks.
    """
    assert isinstance(law, RealWeights | Mixture)
    low, high = law.support
    last = low + ALONE - 1 if high is None else min(high, low + ALONE - 1)
    bits = int(3.33 * digits) + GUARD
    accuracy = Fraction(1, 10 ** (digits + 3))
    with precision(_bits(bits, last)):
        k, x = ball_range(low, last), law.ball_weights(low, last)
        sums = [_Sum(f.rational, s, k, x) for f in forms if f.rational is not None]
    start, half = last + 1, ALONE
    for _ in range(MOST_BLOCKS):
        if high is not None and start > high:
            break
        bits_here = _bits(bits, start)
        with precision(bits_here):
            remainders = [(each, each.beyond(law, start - 1)) for each in sums] if high is None else []
            if remainders and all(remainder <= ball(accuracy) * abs(each.total) for each, remainder in remainders):
                for each, remainder in remainders:
                    each.total += _around(remainder)
                break
            end = min([high or 3 * start, *(k - 1 for k in law.breaks if k > start)])
            half = min(2 * half + 1, start // WIDEST, (end - start) // 2)
            half = _add_block(law, sums, start, half, accuracy, bits_here)
        start += 2 * half + 1
    else:
        raise NotCertified(
            f"after {MOST_BLOCKS} blocks the sums have reached lengths of about 10^{len(str(start)) - 1} only, and what is beyond"
            " is not small; ask for fewer digits, or give an end u"
        )
    return [each.total for each in sums]


def in_blocks(law: Distribution, forms: Sequence[Form], s: int) -> bool:
    """Return whether :func:`block_sums` takes the distribution and the forms, and the distribution has many lengths."""
    if not law.analytic or not all(separated(f, s) for f in forms):
        return False
    low, high = law.support
    return high is None or high - low >= 2 * ALONE


def _bits(bits: int, length: int) -> int:
    return -(-(bits + 2 * length.bit_length()) // 64) * 64  # so that few tables are made


@dataclass
class _Taylor:
    """A function of t on −m ≤ t ≤ m: a polynomial ± error; ``bound``: at least its absolute value."""

    poly: BallPoly
    error: Ball
    bound: Ball


def _add_block(
    law: RealWeights | Mixture, sums: list[_Sum], start: int, half: int, accuracy: Fraction, bits: int
) -> int:
    """Add the lengths start, …, start + 2 half, or a part of them so short that the remainders are small; return its half."""
    while True:
        models = [each.models(law, start + half, half) for each in sums]
        if not half or all(f.error <= ball(accuracy) * f.bound for model in models for f in model):
            powers = _Powers(bits, half)
            for each, model in zip(sums, models, strict=True):
                each.add_block(model, powers)
            return half
        half //= 2


class _Sum:
    """One form's sum: ``total`` over the first lengths k, of weights x, and the blocks that were added, and Σ L_r over them."""

    def __init__(self, entry: RationalEntry, s: int, k: ObjectArray, x: ObjectArray) -> None:
        first = _Separated(entry, s)
        first.add(k, x)
        self.entry, self.s, self.total = entry, s, first.total
        self.below: list[Ball] = [(left * x).sum() for left in entry.generators(k, s)[1]]

    def models(self, law: RealWeights | Mixture, middle: int, half: int) -> list[_Taylor]:
        """Return all L_r and then all R_r on the block."""
        with series_terms(TERMS + 1):
            near = wide = self._series(law, ball(middle))
            if half:
                wide = self._series(law, hull(Fraction(middle - half), Fraction(middle + half)))
        return [_model(*pair, ball(half)) for pair in zip(near, wide, strict=True)]

    def _series(self, law: RealWeights | Mixture, length: Ball) -> list[list[Ball]]:
        """Return the Taylor coefficients of all L_r and R_r at a length, or bounds of them over an interval."""
        k = arb_series([length, 1])
        x = law.weight_over(k)
        _, left_factors, right_factors = self.entry.generators(k, self.s)
        return [coefficients(factor * x, TERMS + 1) for factor in (*left_factors, *right_factors)]

    def add_block(self, models: list[_Taylor], powers: _Powers) -> None:
        """Add a block: Σ_t R(t) (L(t) + 2 Σ_{t'<t} L(t') + 2 Σ L below), with a bound of the effect of the errors."""
        size, terms = 2 * powers.half + 1, len(self.below)
        for r, (left, right) in enumerate(zip(models[:terms], models[terms:], strict=True)):
            before = powers.before(left.poly)
            inner = 2 * before + left.poly + 2 * self.below[r]
            largest = left.bound * (1 + 2 * size) + 2 * abs(self.below[r])
            slack = left.error * (1 + 2 * size)
            error = size * (right.error * (largest + slack) + right.bound * slack)
            self.total += powers.over(right.poly * inner) + _around(error)
            self.below[r] += powers.over(left.poly) + _around(size * left.error)

    def beyond(self, law: RealWeights | Mixture, last: int) -> Ball:
        """Return a bound of Σ over the pairs of which at least one length is beyond ``last``.

        With |R_r(j)| ≤ Σ_b c_b j^b x_j there, the pairs across have at most 2 Σ L_r · Σ c_b j^b x_j; in those beyond,
        i^a j^b ≤ (ij)^((a+b)/2) for i ≤ j and a > b.
        """
        above, below = self.entry.monomials(self.s)
        if not all(c > 0 for c in below.values()):
            raise NotCertified("the entry's denominator has coefficients of both signs: give the law an end, u=…")
        degree = max(b for _, b in below)
        moment = cache(lambda power: law.power_beyond(last, power))
        columns = list(dict.fromkeys(a for a, _ in above))
        total = ball(0)
        for (a, b), c in above.items():
            size, power = ball(Fraction(abs(c), below[0, degree])), Fraction(b - degree)
            middle = Fraction(a + b - degree, 2)
            pairs = moment(Fraction(a)) * moment(power) if a <= power else moment(middle) ** 2
            total += 2 * size * (abs(self.below[columns.index(a)]) * moment(power) + pairs)
        return total


def _model(near: list[Ball], wide: list[Ball], reach: Ball) -> _Taylor:
    """Return the polynomial of the first coefficients; the last one over the whole block bounds the remainder."""
    error = ball(0) if reach.is_zero() else abs(wide[TERMS]) * reach**TERMS
    largest, power = error, ball(1)
    for c in near[:TERMS]:
        largest += abs(c) * power
        power = power * reach
    return _Taylor(ball_polynomial(near[:TERMS]), error, largest)


def _around(error: Ball) -> Ball:
    """Return a ball of all numbers of absolute value ≤ error."""
    return error.union(-error)


class _Powers:
    """Sums of polynomials of balls over −half ≤ t ≤ half, at one precision."""

    def __init__(self, bits: int, half: int) -> None:
        self.half, self.sums = ball(half), _sums_of_powers(bits)
        self.totals = [2 * self.half + 1, *(2 * total(self.half) for total in self.sums[2::2])]  # of even powers

    def over(self, poly: BallPoly) -> Ball:
        """Return Σ_{t=−half}^{half} poly(t)."""
        return sum((c * total for c, total in zip(poly.coeffs()[::2], self.totals, strict=False)), start=ball(0))

    def before(self, poly: BallPoly) -> BallPoly:
        """Return t ↦ Σ_{t'=−half}^{t−1} poly(t')."""
        terms = (c * total for c, total in zip(poly.coeffs(), self.sums, strict=False))
        prefix = sum(terms, start=ball_polynomial([])) - poly
        return prefix - prefix(-self.half)


@lru_cache(maxsize=16)
def _sums_of_powers(bits: int) -> list[BallPoly]:
    """Return Σ_{t=1}^{T} t^n as polynomials in T, for n = 0, …, 2 TERMS."""
    with precision(bits):
        return [ball_polynomial(list(map(ball, sum_of_powers(n)))) for n in range(2 * TERMS + 1)]

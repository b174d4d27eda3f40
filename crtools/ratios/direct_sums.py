"""Σ_{i,j} N_ij x_i x_j over the lengths of a distribution in balls, O(u) time and bounded memory, for several forms at once.

A form is diagonal plus a few products, Σ_k d_k v_k² + 2 Σ_{i<j} Σ_r left_r(i) right_r(j) v_i v_j, either in the tails
v = T (where the form says so) or in the weights v = x (where its entry is a rational function whose denominator is free
of i). The lengths are taken from the largest down, a piece at a time; what lies above is carried as running sums.
ObjectArray other form is summed pair by pair.

Which forms are finite under weights like k^(−a): let an entry for i ≤ j be a polynomial in i over one in j, of degree D in
all and r in j. Then Σ N_ij x_i x_j is finite for a > max(r + 1, D/2 + 1); where it is ≥ 0 it is infinite else: for
a ≤ r + 1 a row of some i is infinite already, for a ≤ D/2 + 1 the pairs with j/2 ≤ i ≤ j are, in which the part of degree
D is of the order j^D.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, cast

import numpy as np

from crtools.distributions import Distribution
from crtools.enclosure import ball, ball_range, balls
from crtools.errors import InputError, NotCertified
from crtools.forms import Form
from crtools.forms.tails import tail_rows
from crtools.numeric_types import Ball, ObjectArray

PIECE = 2**13
"""The number of lengths in one chunk of the sums."""

MOST_PAIRED = 2000
"""Upper limit on the lengths of positive weight for a form that is summed pair by pair."""


def linear(form: Form, s: int) -> bool:
    """Return whether the form is summed in O(u), not pair by pair."""
    return form.tails is not None or separated(form, s)


def separated(form: Form, s: int) -> bool:
    """Return whether the entry is a rational function whose denominator is free of i, without a pole."""
    return form.rational is not None and form.closes(s) and form.rational.separated(s)


def direct_sums(
    law: Distribution, forms: Sequence[Form], s: int, last: int, *, bounded: bool, first: int = 1
) -> tuple[list[Ball], Ball]:
    """Return balls of the forms at the weights of the lengths from ``first`` to ``last``, and of Σ (s+k)² x_k.

    ``bounded``: the entries must obey the growth that a form states. Raises ``NotCertified`` for too many pairs.
    """
    low, moment = max(law.support[0], first), ball(0)
    bound_forms = [f if f.bind is None else f.bind(low, last) for f in forms]
    gaps = law.sparse and all(separated(f, s) or f.tails is None for f in bound_forms)
    sums = [
        _Linear(f, s, low, tails=not gaps and f.tails is not None) if linear(f, s) else _Paired(f, s, bounded)
        for f in bound_forms
    ]
    for lengths, x in _pieces(law, low, last, gaps):
        k = balls(lengths) if isinstance(lengths, list) else ball_range(lengths[0], lengths[-1])
        moment += (x * (k + s) * (k + s)).sum()
        for each in sums:
            each.add(lengths, k, x)
    return [each.value() for each in sums], moment


def _pieces(law: Distribution, low: int, last: int, gaps: bool) -> Iterator[tuple[list[int] | range, ObjectArray]]:
    """Iterate over (lengths, balls of their weights) from the last length down, with ``gaps`` only where there is weight."""
    if gaps:
        items = [(k, w) for k, w in law.items() if low <= k <= last]
        for end in range(len(items), 0, -PIECE):
            part = items[max(end - PIECE, 0) : end]
            yield [k for k, _ in part], balls(w for _, w in part)
        return
    for end in range(last, low - 1, -PIECE):
        start = max(end - PIECE + 1, low)
        yield range(start, end + 1), law.ball_weights(start, end)


class _Linear:
    """The sum of a form that is diagonal plus products, piece by piece from above."""

    def __init__(self, form: Form, s: int, low: int, tails: bool) -> None:
        self.form, self.s, self.low, self.tails = form, s, low, tails
        self.total, self.above = ball(0), ball(0)  # above: the tail T beyond what was added
        self.carried: list[Ball] = []  # Σ right_r v beyond what was added

    def add(self, lengths: Sequence[int], k: ObjectArray, x: ObjectArray) -> None:
        """Add the next lengths, all below those before."""
        if self.tails:
            v = _from_above(x, self.above)
            self.above = v[0]
            diagonal, left, right = tail_rows(self.form.tails, k, ball(self.s), starts=lengths[0] == self.low)
        else:
            assert self.form.rational is not None
            v = x
            diagonal, left, right = self.form.rational.generators(k, self.s)
        self.carried = self.carried or [ball(0)] * len(left)
        outer = diagonal * v
        for r, (a, b) in enumerate(zip(left, right, strict=True)):
            beyond = _from_above(b * v, self.carried[r])
            outer += 2 * a * np.append(beyond[1:], cast(Any, self.carried[r]))
            self.carried[r] = beyond[0]
        self.total += (outer * v).sum()

    def value(self) -> Ball:
        """Return the sum."""
        return self.total


class _Paired:
    """The sum of any other form, over all pairs at the end."""

    def __init__(self, form: Form, s: int, bounded: bool) -> None:
        self.form, self.s, self.pairs = form, s, list[tuple[int, Ball]]()
        self.growth = form.growth_at(s) if bounded else None

    def add(self, lengths: Sequence[int], k: ObjectArray, x: ObjectArray) -> None:
        """Keep the next lengths with a weight that is not 0."""
        del k
        self.pairs += [(n, w) for n, w in zip(lengths, x, strict=True) if not w.is_zero()]
        if len(self.pairs) > MOST_PAIRED:
            raise NotCertified(f"the form {self.form.name} is summed pair by pair, for up to {MOST_PAIRED} lengths")

    def value(self) -> Ball:
        """Return the sum; raises ``InputError`` where an entry exceeds the growth stated."""
        pairs, total = sorted(self.pairs, key=lambda pair: pair[0]), ball(0)
        for a, (i, v) in enumerate(pairs):
            row = ball(0)
            for j, w in pairs[a:]:
                row += self._entry(i, j) * w * (1 if i == j else 2)
            total += row * v
        return total

    def _entry(self, i: int, j: int) -> Ball:
        ring = Fraction if self.form.user_defined else ball
        value = self.form.formula(ring(i), ring(j), ring(self.s))
        value = ball(value) if self.form.user_defined else value
        if self.growth is not None and abs(value) > ball(self.growth) * ((self.s + i) * (self.s + j)) ** 2:
            allowed = f"must bound the entries: entry({i}, {j}, {self.s}) exceeds c (s+i)²(s+j)²"
            raise InputError("growth", str(self.growth), allowed)
        return value


def _from_above(x: ObjectArray, carried: Ball) -> ObjectArray:
    """Return Σ_{i≥k} x_i for every k of a piece, and what lies above it."""
    return np.add.accumulate(x[::-1])[::-1] + carried


# ---- heavy tails ---------------------------------------------------------------------------------------------------

GIVE_AN_END = "give it an end, u=…"


def least_exponent(form: Form, s: int) -> Fraction | None:
    """Return the a above which the form is finite at weights like k^(−a); None where the entry does not show it."""
    rational = form.rational
    if rational is None or not separated(form, s):
        return None
    above, below = rational.monomials(s)
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

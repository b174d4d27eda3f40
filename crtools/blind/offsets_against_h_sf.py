r"""Own random offsets in steps in units of H-SF's form: a bound for every u, found in floats and checked in balls.

Let T_k be the share of requests of length k or more, k ≥ ℓ, v_k = sk + k(k+1)/2 and L = ln b. H-SF's form is Σ h_k T_k², the
volume bound's Σ m_k T_k²; h_ℓ = ℓ(s+ℓ), m_ℓ = v_ℓ, h_k = s+2k−1, m_k = s+k for k > ℓ. With all thresholds on one machine own offsets
have the form ρ Σ m_k T_k² − R, where R(i, j) = ρ min(v_i, v_j) − (K(v_i, v_j) + K(v_j, v_i)) is a positive definite kernel. What is
saved by leaving out thresholds below v_ℓ, and by killing at whole ages, is at least 2 Σ p_k T_k² + 2 Σ p_k q_{k,m} T_k x_m (m < k), with

    p_ℓ = v_ℓ/L,   p_k = (v_k − v_{k−1} − v_{k−1} ln(v_k/v_{k−1}))/L,   q_{k,m} = max(0, 1 − ln(v_k/v_m)/L).

For every vector y on some lengths R(x) ≥ 2 Σ x_j (Ry)_j − R(y). So with one y for each of the first d tails, linear in these, λ times
H-SF's form less own offsets' is at least a form in d tails, and for each later one a term (λ h_k − ρ m_k + 2 p_k) T_k² and a product
with the d. From where v_k ≥ b v_j for all j of the vectors on, these products are 0: R(j, k) does not depend on k there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from crtools.enclosure import ball, ball_product, decimal, ends, precision
from crtools.errors import NotCertified
from crtools.schedule import volume
from crtools.setting import Setting

BASE = Fraction(69, 5)
"""The base b."""

COST = Fraction(6821, 2500)
"""ρ = 2.7284: what own offsets of this base have on one machine, at most; so R is positive definite."""

FIRST = 16
"""How many tails the vectors depend on."""

BITS = 128

FURTHER, STRETCH = 24, 12
"""How many further lengths the vectors have at most, up to how many times the first."""

SLACKS = tuple(Fraction(1, n) for n in (1000, 500, 200, 100, 70, 50, 30, 20, 10, 5))

LARGEST = 20
"""The largest least length for which vectors are looked for."""


@dataclass(frozen=True)
class Vectors:
    """Vectors on ``lengths``, the first of which are ℓ, ℓ+1, …: a row for each length, an entry for each of the first tails."""

    s: int
    lengths: tuple[int, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def prove(self, factor: Fraction) -> int:
        """Return up to which tail it was looked that own offsets' form is at most ``factor`` times H-SF's, for every u.

        Raises ``NotCertified`` where this is not seen.
        """
        with precision(BITS):
            own = _kernel(self.s, self.lengths)
            size, last = len(self.rows[0]), own.last
            if not (2 * factor > COST and factor * own.of_h_sf(last + 1) > COST * own.of_volume(last + 1)):
                raise NotCertified("the terms of late tails are not positive")
            left = [own.left(k, factor) for k in range(own.l, last + 1)]
            if not all(each > 0 for each in left[size:]):
                raise NotCertified("the term of a tail is not positive")
            if not _positive_definite(self._of_first(own, left)):
                raise NotCertified("the form in the first tails is not positive definite")
            return last

    def _of_first(self, own: Kernel, left: Sequence[Any]) -> list[list[Any]]:
        """Return the form in the first tails, each later one where the whole is least."""
        size = len(self.rows[0])
        rows = [[*map(ball, row)] for row in self.rows]
        products = ball_product(own.changes, rows)
        within = ball_product([*zip(*rows, strict=True)], ball_product(own.among, rows))
        late = [[p / q for p in row] for row, q in zip(products[size:], left[size:], strict=True)]
        taken = ball_product([*zip(*products[size:], strict=True)], late)
        found = own.saved_among(size)
        for a in range(size):
            found[a][a] += left[a]
            for c in range(size):
                found[a][c] += products[a][c] + products[c][a] - within[a][c] - taken[a][c]
        return found


class Kernel:
    """The numbers above for vectors on ``lengths``, in balls: up to the tail ``last``, after which R does not change."""

    def __init__(self, s: int, lengths: Sequence[int]) -> None:
        self.s, self.l, self.lengths = s, lengths[0], lengths
        self.log = ball(BASE).log()
        self.last = lengths[-1]
        while volume(s, self.last) < BASE * volume(s, lengths[-1]):
            self.last += 1

    def of_h_sf(self, k: int) -> int:
        """Return h_k."""
        return k * (self.s + k) if k == self.l else self.s + 2 * k - 1

    def of_volume(self, k: int) -> int:
        """Return m_k."""
        return volume(self.s, k) if k == self.l else self.s + k

    def saved(self, k: int) -> Any:
        """Return p_k."""
        if k == self.l:
            return volume(self.s, k) / self.log
        before, own = volume(self.s, k - 1), volume(self.s, k)
        return (own - before - before * ball(Fraction(own, before)).log()) / self.log

    def left(self, k: int, factor: Fraction) -> Any:
        """Return the coefficient of T_k² without what the vectors add."""
        return ball(factor * self.of_h_sf(k) - COST * self.of_volume(k)) + 2 * self.saved(k)

    def remainder(self, i: int, j: int) -> Any:
        """Return R(i, j): ρ x − x κ(t) for the volumes x and x e^t, with τ = L − t, and the same at every t ≥ L."""
        x, y = sorted((volume(self.s, i), volume(self.s, j)))
        log, far = self.log, y >= BASE * x
        t = log if far else ball(Fraction(y, x)).log()
        tau, grown = ball(0) if far else log - t, ball(BASE if far else Fraction(y, x))
        kappa = ball("0.5") + 1 / log - 1 / log**2 + t / log + (grown * (tau**2 / 2 + tau + 1) - t**2 / 2) / log**2
        return x * (ball(COST) - kappa)

    def paid(self, i: int, j: int) -> Any:
        """Return what two requests of lengths i ≤ j wait for each other, in the mean over their offsets."""
        x = volume(self.s, i)
        ideal = ball(COST) * x - self.remainder(i, j) - 2 * volume(self.s, self.l) / self.log
        both = sum((self.saved(k) for k in range(self.l + 1, i + 1)), start=ball(0))
        one = sum((self._saved_late(k, x) for k in range(i + 1, j + 1)), start=ball(0))
        return ideal - 2 * both - one

    def _saved_late(self, k: int, x: int) -> Any:
        """Return ∫ (1 − ln(c/x)/L)(c − a)/c dc/L over c from a = v_{k−1} to v_k, or to bx if this is less."""
        a = volume(self.s, k - 1)
        low, high = ball(a), ball(min(Fraction(volume(self.s, k)), BASE * x))
        if BASE * x <= a:
            return ball(0)

        def primitive(c: Any) -> Any:
            log = c.log()
            whole, weighed = c - a * log, c * log - c - a * log * log / 2
            return ((1 + ball(x).log() / self.log) * whole - weighed / self.log) / self.log

        return primitive(high) - primitive(low)

    @cached_property
    def among(self) -> list[list[Any]]:
        """R between the lengths of the vectors."""
        return [[self.remainder(i, j) for j in self.lengths] for i in self.lengths]

    @cached_property
    def changes(self) -> list[list[Any]]:
        """For each tail from ℓ on: the coefficient of T_k in (Rx)_j, for each length j of the vectors."""
        rows = [[self.remainder(j, k) for j in self.lengths] for k in range(self.l, self.last + 1)]
        return [rows[0], *([b - a for a, b in zip(low, high, strict=True)] for low, high in pairwise(rows))]

    def saved_among(self, size: int) -> list[list[Any]]:
        """Return the symmetric matrix of 2 Σ p_k q_{k,m} T_k x_m, x_m = T_m − T_{m+1}, in the first tails."""
        found: list[list[Any]] = [[ball(0)] * size for _ in range(size)]
        for a in range(1, size):
            for c in range(a):
                for place, sign in ((c, 1), (c + 1, -1)):
                    product = sign * self._saved_pair(self.l + a, self.l + c)
                    found[a][place] += product
                    found[place][a] += product
        return found

    def _saved_pair(self, k: int, m: int) -> Any:
        x, y = volume(self.s, m), volume(self.s, k)
        return self.saved(k) * (1 - ball(Fraction(y, x)).log() / self.log) if y < BASE * x else ball(0)


@lru_cache(maxsize=4)
def _kernel(s: int, lengths: tuple[int, ...]) -> Kernel:
    """Return the numbers for these lengths, which are the same for every factor that is tried."""
    return Kernel(s, lengths)


def _positive_definite(matrix: Sequence[Sequence[Any]]) -> bool:
    """Return whether elimination sees that all pivots of a symmetric matrix of balls are positive."""
    rows = [[*row] for row in matrix]
    for a, row in enumerate(rows):
        if not row[a] > 0:
            return False
        for below in rows[a + 1 :]:
            quotient = below[a] / row[a]
            below[a:] = [x - quotient * y for x, y in zip(below[a:], row[a:], strict=True)]
    return True


def at_law(s: int, shares: Mapping[int, Fraction]) -> Any:
    """Return a ball of the form of own offsets in steps over H-SF's, at the shares of the lengths, the least of which is ℓ.

    Of one machine as n → ∞, with thresholds from v_ℓ on and attempts killed at whole ages.
    """
    with precision(BITS):
        own, paid, least = Kernel(s, (min(shares),)), ball(0), Fraction(0)
        for (i, x), (j, y) in product(shares.items(), repeat=2):
            paid += own.paid(min(i, j), max(i, j)) * ball(x * y)
            least += min(i, j) * (s + min(i, j)) * x * y
        return paid / ball(least)


@dataclass(frozen=True)
class Bound:
    """What own offsets in steps of base ``BASE`` have at most in units of H-SF's form, for every u ≥ l, in the limit of the process."""

    factor: Fraction
    method: str
    last: int
    """Up to which tail it was looked; the terms of later ones are positive, λ h_k > ρ m_k."""

    def holds_for(self, factor: Fraction) -> bool:
        """Return whether this proves ``factor``."""
        return self.factor <= factor


@cache
def bound(s: int, l: int) -> Bound:
    """Return a certified bound for lengths from l on: by vectors where they are found and prove more, else without any.

    Raises ``InputError`` as ``Setting`` does.
    """
    Setting(s=s, l=l, u=l)
    without = Bound(without_vectors(s, l), "each tail on its own, in balls", l)
    return (l <= LARGEST and _with_vectors(s, l, without.factor)) or without


def without_vectors(s: int, l: int) -> Fraction:
    """Return the larger of (ρ − 2/L) v_ℓ/(ℓ(s+ℓ)) and ρ(s+ℓ+1)/(s+2ℓ+1), which falls with ℓ, rounded up to 10⁻⁴."""
    with precision(BITS):
        own = Kernel(s, (l,))
        first = (ball(COST * own.of_volume(l)) - 2 * own.saved(l)) / own.of_h_sf(l)
        return _up(max(ends(first)[1], Fraction(COST * own.of_volume(l + 1), own.of_h_sf(l + 1))))


def _up(number: Fraction, digits: int = 4) -> Fraction:
    return Fraction(decimal(number, digits, up=True))


def _with_vectors(s: int, l: int, known: Fraction) -> Bound | None:
    """Return the first of some factors near the largest eigenvalue that vectors prove, where it is below ``known``."""
    found = _Floats(s, l)
    for slack in SLACKS:
        factor = _up(Fraction(found.least) * (1 + slack))
        if factor >= known:
            return None
        try:
            last = found.vectors(factor).prove(factor)
        except NotCertified:
            continue
        return Bound(factor, f"vectors for {FIRST} tails, found in floats; {last} tails in balls", last)
    return None


class _Floats:
    """The form in the tails that begin at some lengths, in doubles: where it is least, the vectors are best."""

    def __init__(self, s: int, l: int) -> None:
        more = np.geomspace(l + FIRST, STRETCH * (l + FIRST), FURTHER).round().astype(int)
        self.s, self.lengths = s, (*range(l, l + FIRST), *sorted({int(o) for o in more}))
        with precision(BITS):
            own = _kernel(s, self.lengths)
            self._fill(own)
            late = -float(own.left(l + FIRST, Fraction(0))) / own.of_h_sf(l + FIRST)
        self.least = max(self._largest(), late, float(COST) / 2)

    def _fill(self, own: Kernel) -> None:
        """Set ``h_sf``, and ``rest``: what is taken from it, each in the tails that begin at the lengths."""
        tails = [range(a + 1, b + 1) for a, b in pairwise((own.l - 1, *self.lengths))]
        self.h_sf = np.diag([float(sum(map(own.of_h_sf, each))) for each in tails])
        self.rest = np.diag([-sum(float(own.left(k, Fraction(0))) for k in each) for each in tails])
        self.rest[:FIRST, :FIRST] -= np.array(own.saved_among(FIRST)).astype(float)
        self.shares = np.eye(len(tails)) - np.eye(len(tails), k=1)
        self.rest -= self.shares.T @ np.array(own.among).astype(float) @ self.shares

    def _largest(self) -> float:
        """Return the factor from which on the form is positive."""
        from scipy.linalg import eigh

        return float(eigh(self.rest, self.h_sf, eigvals_only=True)[-1])

    def vectors(self, factor: Fraction) -> Vectors:
        """Return the shares at which the form is least for each of the first tails, rounded."""
        form = float(factor) * self.h_sf - self.rest
        later = -np.linalg.solve(form[FIRST:, FIRST:], form[FIRST:, :FIRST])
        rows = self.shares @ np.vstack([np.eye(FIRST), later])
        return Vectors(self.s, self.lengths, tuple(tuple(Fraction(f"{x:.6f}") for x in row) for row in rows))

r"""Own random offsets in steps, compared with H-SF's form: a bound for every u, found in floats and checked in balls.

Let T_k be the share of requests of length k or more, k ≥ ℓ, v_k = sk + k(k+1)/2 and L = ln b. H-SF's form is Σ h_k T_k², the volume
bound's Σ m_k T_k²; h_ℓ = ℓ(s+ℓ), m_ℓ = v_ℓ, h_k = s+2k−1, m_k = s+k for k > ℓ. With all thresholds on one machine, own offsets have the
form ρ Σ m_k T_k² − R, where R(i, j) = ρ min(v_i, v_j) − (K(v_i, v_j) + K(v_j, v_i)) is a positive definite kernel. Leaving out the
thresholds below v_ℓ and killing at whole ages saves at least 2 Σ p_k T_k² + 2 Σ p_k q_{k,m} T_k x_m (m < k), with

    p_ℓ = v_ℓ/L,   p_k = (v_k − v_{k−1} − v_{k−1} ln(v_k/v_{k−1}))/L,   q_{k,m} = max(0, 1 − ln(v_k/v_m)/L).

For every vector y on some lengths R(x) ≥ 2 Σ x_j (Ry)_j − R(y). Take one y for each of the first d tails, linear in these. Then λ times
H-SF's form less that of own offsets is at least a form in d tails, plus for each later tail a term (λ h_k − ρ m_k + 2 p_k) T_k² and a
product with the d. The products are 0 from where v_k ≥ b v_j for all j of the vectors on, since R(j, k) does not depend on k there.

``minimax`` and the claim against-h-sf use :func:`bound`. Tests: tests/blind/test_offsets_against_h_sf.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product

import numpy as np

from crtools.enclosure import ball, ball_matrix, decimal, ends, objects, precision
from crtools.errors import NotCertified
from crtools.numeric_types import Ball, ObjectArray
from crtools.schedule import volume
from crtools.setting import Setting
from crtools.worst_cases.copositivity import positive_definite

BASE = Fraction(69, 5)
"""The base b of the thresholds."""

COST = Fraction(6821, 2500)
"""ρ = 2.7284: an upper bound on the ratio of own offsets of this base on one machine; so R is positive definite."""

FIRST = 16
"""d: the number of tails that the vectors depend on."""

BITS = 128
"""The precision of the balls."""

FURTHER, STRETCH = 24, 12
"""The vectors have at most this many further lengths, up to this multiple of the first ones."""

SLACKS = tuple(Fraction(1, n) for n in (1000, 500, 200, 100, 70, 50, 30, 20, 10, 5))
"""Relative distances from the largest eigenvalue at which a factor is tried."""

LARGEST = 20
"""The largest ℓ for which vectors are searched; beyond it the bound without vectors is as good."""


@dataclass(frozen=True)
class Vectors:
    """Vectors y on ``lengths``, which begin with ℓ, ℓ+1, …: a row for each length, an entry for each of the first tails."""

    s: int
    lengths: tuple[int, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def prove(self, factor: Fraction) -> int:
        """Prove that own offsets' form is at most ``factor`` times H-SF's for every u; return the last tail that was checked in balls.

        Raises ``NotCertified`` if the balls do not show it.
        """
        with precision(BITS):
            kernel = _kernel(self.s, self.lengths)
            size, last = len(self.rows[0]), kernel.last
            next_term = factor * kernel.h_sf_coefficient(last + 1) - COST * kernel.volume_coefficient(last + 1)
            if not (2 * factor > COST and next_term > 0):
                raise NotCertified("the terms of late tails are not positive")
            terms = objects(kernel.tail_term(k, factor) for k in range(kernel.l, last + 1))
            if not all(term > 0 for term in terms[size:]):
                raise NotCertified("the term of a tail is not positive")
            if not positive_definite(ball_matrix(self._form_in_first_tails(kernel, terms).tolist()), None):
                raise NotCertified("the form in the first tails is not positive definite")
            return last

    def _form_in_first_tails(self, kernel: Kernel, terms: ObjectArray) -> ObjectArray:
        """Return the form in the first tails, minimised over the later ones."""
        size = len(self.rows[0])
        rows = np.array([[*map(ball, row)] for row in self.rows])
        first, late = np.split(_product(kernel.steps, rows), [size])
        within = _product(rows.T, _product(kernel.matrix, rows))
        taken = _product(late.T, late / terms[size:, None])
        return kernel.savings_matrix(size) + np.diag(terms[:size]) + first + first.T - within - taken


def _product(left: ObjectArray, right: ObjectArray) -> ObjectArray:
    """Return the product of two matrices of balls by FLINT, which is much faster than NumPy's."""
    return np.array((ball_matrix(left.tolist()) * ball_matrix(right.tolist())).tolist())


class Kernel:
    """R, the coefficients and the savings for vectors on ``lengths``, in balls, up to the tail ``last``, after which R is constant."""

    def __init__(self, s: int, lengths: Sequence[int]) -> None:
        self.s, self.l, self.lengths = s, lengths[0], lengths
        self.log = ball(BASE).log()
        self.last = lengths[-1]
        while volume(s, self.last) < BASE * volume(s, lengths[-1]):
            self.last += 1

    def h_sf_coefficient(self, k: int) -> int:
        """Return h_k."""
        return k * (self.s + k) if k == self.l else self.s + 2 * k - 1

    def volume_coefficient(self, k: int) -> int:
        """Return m_k."""
        return volume(self.s, k) if k == self.l else self.s + k

    def saving(self, k: int) -> Ball:
        """Return p_k."""
        if k == self.l:
            return volume(self.s, k) / self.log
        before, v = volume(self.s, k - 1), volume(self.s, k)
        return (v - before - before * ball(Fraction(v, before)).log()) / self.log

    def tail_term(self, k: int, factor: Fraction) -> Ball:
        """Return λ h_k − ρ m_k + 2 p_k, the coefficient of T_k² before the vectors' part."""
        return ball(factor * self.h_sf_coefficient(k) - COST * self.volume_coefficient(k)) + 2 * self.saving(k)

    def remainder(self, i: int, j: int) -> Ball:
        """Return R(i, j) = ρ x − x κ(t) for the volumes x and x e^t, with τ = L − t; it is constant from t = L on."""
        x, y = sorted((volume(self.s, i), volume(self.s, j)))
        log, far = self.log, y >= BASE * x
        t = log if far else ball(Fraction(y, x)).log()
        tau, grown = ball(0) if far else log - t, ball(BASE if far else Fraction(y, x))
        kappa = ball("0.5") + 1 / log - 1 / log**2 + t / log + (grown * (tau**2 / 2 + tau + 1) - t**2 / 2) / log**2
        return x * (ball(COST) - kappa)

    def mutual_wait(self, i: int, j: int) -> Ball:
        """Return the sum of the waits of two requests of lengths i ≤ j for each other, in the mean over their offsets."""
        x = volume(self.s, i)
        ideal = ball(COST) * x - self.remainder(i, j) - 2 * volume(self.s, self.l) / self.log
        both = sum((self.saving(k) for k in range(self.l + 1, i + 1)), start=ball(0))
        one = sum((self._late_saving(k, x) for k in range(i + 1, j + 1)), start=ball(0))
        return ideal - 2 * both - one

    def _late_saving(self, k: int, x: int) -> Ball:
        """Return ∫ (1 − ln(c/x)/L)(c − a)/c dc/L over c from a = v_{k−1} to v_k, or to bx if this is less."""
        a = volume(self.s, k - 1)
        low, high = ball(a), ball(min(Fraction(volume(self.s, k)), BASE * x))
        if BASE * x <= a:
            return ball(0)

        def primitive(c: Ball) -> Ball:
            log = c.log()
            whole, weighted = c - a * log, c * log - c - a * log * log / 2
            return ((1 + ball(x).log() / self.log) * whole - weighted / self.log) / self.log

        return primitive(high) - primitive(low)

    @cached_property
    def matrix(self) -> ObjectArray:
        """R between the lengths of the vectors."""
        return np.array([[self.remainder(i, j) for j in self.lengths] for i in self.lengths])

    @cached_property
    def steps(self) -> ObjectArray:
        """For each tail T_k from ℓ on, its coefficient in (Rx)_j, for each length j of the vectors."""
        rows = [[self.remainder(j, k) for j in self.lengths] for k in range(self.l, self.last + 1)]
        return np.diff(np.array(rows), axis=0, prepend=0)

    def savings_matrix(self, size: int) -> ObjectArray:
        """Return the symmetric matrix of 2 Σ p_k q_{k,m} T_k x_m, x_m = T_m − T_{m+1}, in the first tails."""
        form = np.full((size, size), ball(0))
        for a in range(1, size):
            for c in range(a):
                x, y = volume(self.s, self.l + c), volume(self.s, self.l + a)
                if y >= BASE * x:
                    continue
                product = self.saving(self.l + a) * (1 - ball(Fraction(y, x)).log() / self.log)
                for other, signed in ((c, product), (c + 1, -product)):
                    form[a, other] += signed
                    form[other, a] += signed
        return form


_kernel = lru_cache(maxsize=4)(Kernel)
"""The kernel, cached because every factor that is tried uses it."""


def ratio_under(s: int, shares: Mapping[int, Fraction]) -> Ball:
    """Return the ratio of the form of own offsets in steps to H-SF's, at the shares of the lengths, the least of which is ℓ.

    Of one machine as n → ∞, with thresholds from v_ℓ on and attempts killed at whole ages.
    """
    with precision(BITS):
        kernel, wait, h_sf = Kernel(s, (min(shares),)), ball(0), Fraction(0)
        for (i, x), (j, y) in product(shares.items(), repeat=2):
            wait += kernel.mutual_wait(min(i, j), max(i, j)) * ball(x * y)
            h_sf += min(i, j) * (s + min(i, j)) * x * y
        return wait / ball(h_sf)


@dataclass(frozen=True)
class Bound:
    """An upper bound on own offsets in steps of base ``BASE`` in units of H-SF's form, for every u ≥ l, in the limit of the process.

    ``last``: the last tail that was checked in balls; the terms of later ones are positive, λ h_k > ρ m_k.
    """

    factor: Fraction
    method: str
    last: int


@cache
def bound(s: int, l: int) -> Bound:
    """Return a certified bound for lengths from l on: by vectors if they prove more, else without any.

    Raises ``InputError`` as ``Setting`` does.
    """
    Setting(s=s, l=l, u=l)
    without = Bound(without_vectors(s, l), "each tail on its own, in balls", l)
    return (l <= LARGEST and _with_vectors(s, l, without.factor)) or without


def without_vectors(s: int, l: int) -> Fraction:
    """Return the larger of (ρ − 2/L) v_ℓ/(ℓ(s+ℓ)) and ρ(s+ℓ+1)/(s+2ℓ+1), which falls with ℓ, rounded up to 10⁻⁴."""
    with precision(BITS):
        kernel = Kernel(s, (l,))
        first = (ball(COST * kernel.volume_coefficient(l)) - 2 * kernel.saving(l)) / kernel.h_sf_coefficient(l)
        later = Fraction(COST * kernel.volume_coefficient(l + 1), kernel.h_sf_coefficient(l + 1))
        return _up(max(ends(first)[1], later))


def _up(number: Fraction) -> Fraction:
    return Fraction(decimal(number, 4, up=True))


def _with_vectors(s: int, l: int, limit: Fraction) -> Bound | None:
    """Return the first factor near the largest eigenvalue that vectors prove; None if none is below ``limit``."""
    floats = _Floats(s, l)
    for slack in SLACKS:
        factor = _up(Fraction(floats.smallest_factor) * (1 + slack))
        if factor >= limit:
            return None
        try:
            last = floats.vectors(factor).prove(factor)
        except NotCertified:
            continue
        return Bound(factor, f"vectors for {FIRST} tails, found in floats; {last} tails in balls", last)
    return None


class _Floats:
    """H-SF's form and own offsets' in the tails that begin at some lengths, in doubles; the vectors are where the sum is least."""

    def __init__(self, s: int, l: int) -> None:
        from scipy.linalg import eigh

        further = np.geomspace(l + FIRST, STRETCH * (l + FIRST), FURTHER).round().astype(int)
        self.s, self.lengths = s, (*range(l, l + FIRST), *sorted({int(o) for o in further}))
        tails = [range(a + 1, b + 1) for a, b in pairwise((l - 1, *self.lengths))]
        self.shares = np.eye(len(tails)) - np.eye(len(tails), k=1)
        with precision(BITS):
            kernel = _kernel(s, self.lengths)
            self.h_sf = np.diag([float(sum(map(kernel.h_sf_coefficient, ks))) for ks in tails])
            self.offsets = np.diag([-sum(float(kernel.tail_term(k, Fraction(0))) for k in ks) for ks in tails])
            self.offsets[:FIRST, :FIRST] -= kernel.savings_matrix(FIRST).astype(float)
            self.offsets -= self.shares.T @ kernel.matrix.astype(float) @ self.shares
            late = -float(kernel.tail_term(l + FIRST, Fraction(0))) / kernel.h_sf_coefficient(l + FIRST)
        positive_beyond = float(eigh(self.offsets, self.h_sf, eigvals_only=True)[-1])
        self.smallest_factor = max(positive_beyond, late, float(COST) / 2)

    def vectors(self, factor: Fraction) -> Vectors:
        """Return the shares at which the form is least for each of the first tails, rounded."""
        form = float(factor) * self.h_sf - self.offsets
        later = -np.linalg.solve(form[FIRST:, FIRST:], form[FIRST:, :FIRST])
        rows = self.shares @ np.vstack([np.eye(FIRST), later])
        return Vectors(self.s, self.lengths, tuple(tuple(Fraction(f"{x:.6f}") for x in row) for row in rows))

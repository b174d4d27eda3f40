"""A_ℓ's total latency in the discrete process on two lengths, exactly: batches of M/(s+l), then batches of M/(s+u).

All n requests run for l instants first, in batches that end together whatever their lengths: those of length l complete,
the others are removed. Only these are left then, in batches of u instants. The expectation is over the order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import lcm
from typing import NamedTuple

from crtools.papers.adaptive.bounds.two_lengths import value_of
from crtools.papers.adaptive.theorems.process import h_sf
from crtools.papers.adaptive.theorems.process.h_sf import memory, n, x, y
from crtools.process import simulate
from crtools.process.run import Engine
from crtools.proof.builder import Proof
from crtools.proof.symbols import l, s, u
from crtools.proof.theorem import Theorem


class Instance(NamedTuple):
    """``shorts`` requests of length l and ``longs`` of length u, which fill whole batches in both phases."""

    s: int
    l: int
    u: int
    memory: int
    shorts: int
    longs: int

    @property
    def lengths(self) -> list[int]:
        """The lengths, spread evenly."""
        n = self.shorts + self.longs
        before = [self.longs * place // n for place in range(n + 1)]
        return [self.u if more > few else self.l for few, more in pairwise(before)]


def instance(s: int, l: int, u: int, weights: tuple[int, int], size: int, rounds: int) -> Instance:
    """Return the instance with weights x_l : x_u whose memory is ``size`` times the least that both peaks divide."""
    memory = size * lcm(s + l, s + u)
    first, second = memory // (s + l), memory // (s + u)
    unit = lcm(first, sum(weights) * second)
    return Instance(s, l, u, memory, *(rounds * unit * w // sum(weights) for w in weights))


def a_ell_total(row: Instance) -> Fraction:
    """Return E TEL of A_ℓ."""
    first, second = row.memory // (row.s + row.l), row.memory // (row.s + row.u)
    batches, later = (row.shorts + row.longs) // first, row.longs // second
    shorts = Fraction(row.shorts * row.l * (batches + 1), 2)
    return shorts + row.longs * (row.l * batches) + Fraction(row.longs * row.u * (later + 1), 2)


def both_orders(row: Instance, engine: Engine = "auto") -> Fraction:
    """Return the mean of A_ℓ's simulated totals in an order and its reverse, which is the mean over all orders."""
    lengths = row.lengths
    totals = [
        simulate("a-ell", lengths, row.memory, row.s, row.l, row.u, order=order, engine=engine).total_latency
        for order in (range(len(lengths)), range(len(lengths))[::-1])
    ]
    return Fraction(sum(totals), 2)


def _small() -> Iterator[Instance]:
    ends, weights = ((1, 2), (1, 3), (2, 3), (2, 5)), ((0, 1), (1, 1), (3, 1), (1, 2))
    return (instance(s, l, u, own, 1, 1) for s, (l, u), own in product((0, 1, 3), ends, weights))


def _batches() -> str | None:
    for row in _small():
        found = both_orders(row, "reference")
        if found != a_ell_total(row):
            return f"{row}: {found} is not {a_ell_total(row)}"
    return None


@cache
def theorem() -> Theorem:
    """E TEL(A_ℓ)·2M/n² → its form on {l, u}; so CR(A_ℓ) is at least the ratio of the forms."""
    leading = l * (s + l) * (x + y) * (x + 2 * y) + u * (s + u) * y**2
    finite = x * n * l * (n * (s + l) / memory) / 2 + y * n * l * n * (s + l) / memory
    proof = Proof(
        "A_ell in the process",
        "every s ≥ 0, l < u, shares x + y = 1 of the two lengths; M a multiple of s + l and of s + u, n → ∞ and then M → ∞; of "
        "the discrete process, A_ℓ to the letter against H-SF, hence against the optimum too",
        r"\mathrm{CR}(\mathcal A_\ell) \ge \frac{l(s+l)(x+y)(x+2y) + u(s+u)y^2}{l(s+l)x(x+2y) + u(s+u)y^2}",
    )
    proof.argued(
        r"\mathbb E\,\mathrm{TEL} = n_l\tfrac l2\bigl(\tfrac{n(s+l)}{M}+1\bigr) + n_u l\tfrac{n(s+l)}{M} + "
        r"n_u\tfrac u2\bigl(\tfrac{n_u(s+u)}{M}+1\bigr)",
        "a request that was never started counts with l and holds s + l at its age l; M/(s+l) of them start at once, "
        "fill M at age l and all leave then: those of length l complete, the others are removed and stand "
        "behind all that were never started. So the k-th batch ends at kl. After n(s+l)/M batches only requests of length u "
        "are left; M/(s+u) of them start at once, fill M at age u and complete together",
        test=_batches,
        tested="s in {0, 1, 3}, [1, 2], [1, 3], [2, 3], [2, 5], four pairs of weights each, an order and its reverse",
    )
    proof.identity(
        "with n_l = xn, n_u = yn, times 2M/n², for x + y = 1; the other terms are O(M/n)",
        2 * memory / n**2 * (finite * (x + y) + y * n * u * (y * n * (s + u) / memory) / 2),
        leading,
    )
    proof.identity("this is A_ℓ's form on {l, u}", value_of("a-ell", l, u, s, x, y), leading)
    proof.cite(h_sf.by_peaks())
    return proof.therefore(r"\mathrm{CR}(\mathcal A_\ell) \ge \frac{x^\top A x}{x^\top D x}").qed()

"""A_ℓ's total latency in the discrete process on two lengths, exactly: batches of M/(s+l), then batches of M/(s+u).

All n requests run for l instants first, in batches that end together whatever their lengths: those of length l complete,
the others are removed. Only these are left then, in batches of u instants. The expectation is over the order.
"""

from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from crtools.process import simulate
from crtools.process.run import Engine


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
        before = [self.longs * index // n for index in range(n + 1)]
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

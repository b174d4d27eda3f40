"""The kernels of the b-scaling policies of one machine: a job is run for …, b^k, b^{k+1}, …, all jobs in the order of these times.

Jäger, Sagnol, Schmidt genannt Waldschmidt and Warode (arXiv 2211.02044) have the fixed times and the common random offset.
A kernel does not contain the cost of a job's own attempts. Functions work at the current precision; ``base`` > 1 is a number or a ball.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from crtools.enclosure import ball
from crtools.numeric_types import Ball
from crtools.scale_free.kernel import Bend, Kernel, Lattice, Piece

Base: TypeAlias = "int | Fraction | Ball"


def own_offsets(base: Base) -> Kernel:
    """Return the kernel where each job i is run for the times b^{k+U_i}, with its own U_i uniform on [0, 1).

    A job of size y has used W(C) = ∫_{c ≤ min(C, by)} min(y, c) dc/(c ln b) on average when all times up to C are over, and
    K(x, y) is the mean of W over C = x b^V, V uniform. With L = ln b and τ = L − t, for t < L,
    κ'' = (e^t (τ²/2 − τ) − 1)/L².
    """
    log = ball(base).log()
    one, square, zero = ball(1), log**2, ball(0)
    terms = (
        (-1 / square, 0, zero),
        ((log / 2 - 1) / log, 0, one),
        ((1 - log) / square, 1, one),
        (1 / (2 * square), 2, one),
    )
    return Kernel(2 / log + 1, 1 / log + ball("0.5"), (Piece(zero, log, terms),))


def common_offset(base: Base) -> Kernel:
    """Return the kernel where all jobs are run for the times b^{k+U}, one U uniform on [0, 1), at each time in one random order.

    With L = ln b, for t < L, κ'' = e^t (L − t − 1)/(2L), and κ' falls by 1/(2L) at t = L.
    """
    log = ball(base).log()
    one, zero = ball(1), ball(0)
    terms = (((log - 1) / (2 * log), 0, one), (-1 / (2 * log), 1, one))
    return Kernel(2 / log + 1, (1 / log + 1) / 2, (Piece(zero, log, terms),), (Bend(log, -1 / (2 * log)),))


def fixed_thresholds(base: Base) -> Lattice:
    """Return the kernel where all jobs are run for the times b^k, larger jobs first: sizes just above these times, the worst case.

    The attempts before the last cost b^k b/(b−1) each way; in the last one the smaller job waits for the larger's whole time.
    """
    b = ball(base)
    before = 2 * b / (b - 1)
    return Lattice(b.log(), (before + 1,), before + 1 + b)

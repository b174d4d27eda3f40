"""Kill and restart (``a-restart``): total latency in the process bounded from above, at every n and M, for any lengths.

It knows l and u only. With d_k = L_k(s+L_k), N_k requests longer than L_{k−1} and X_k = N_k − N_{k+1},

    E TEL ≤ (1/(2(M−s−u))) Σ_k d_k N_k (N_k + N_{k+1}) + 4 Σ_i o_i,

and every schedule has TEL ≥ Σ_i o_i and TEL ≥ (1/M) Σ_k (sum of the k smallest volumes).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations
from math import ceil

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.forms.a_restart import thresholds
from crtools.papers.adaptive.literal.forms import positive_definite
from crtools.papers.adaptive.theorems.process.schedules import SmallInstance, by_volumes, small_instances
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import l, s
from crtools.proof.theorem import Theorem

FACTOR = Fraction(64, 3)
"""The form is at most this times the volume bound's, for every s ≥ 0 and l ≤ u."""

ADDED = 4
"""What starting again costs each request, at most, in multiples of its length."""

CONSTANT = FACTOR + ADDED
"""The competitive ratio is at most this in the limit M → ∞, for every α."""

a, lam, x0, x1 = sp.symbols("a lambda x0 x1", positive=True)


def restart_most(lengths: Sequence[int], s: int, l: int, u: int, memory: int) -> Fraction:
    """Return an upper bound on E TEL of a-restart, over random orders; M ≥ s + u."""
    total, begun, before, previous = Fraction(0), Fraction(0), 0, 0
    for own in thresholds(l, u):
        batch = memory // (s + own)
        here = sum(o > previous for o in lengths)
        done = here - sum(o > own for o in lengths)
        if not here:
            break
        begun += before
        total += done * (begun + own + Fraction((here - 1) * own, 2 * batch))
        begun += Fraction((here - 1) * own, batch)
        before = previous = own
    return total


def added(o: int, l: int, u: int) -> int:
    """Return what one request waits beyond the phases' work: Σ_{j ≤ k} L_{j−1} + L_k, k the phase that completes it."""
    steps = thresholds(l, u)
    k = next(k for k, own in enumerate(steps) if o <= own)
    return sum(steps[:k]) + steps[k]


def supremum_above(s: int, l: int, u: int, against: str = "volume") -> Fraction:
    """Return a rational at least the supremum over x ≥ 0 of a-restart's form over ``volume`` or ``h-sf``, on [l, u].

    Between two thresholds the denominator only grows with the tails, which are at least the next phase's: so it is at
    least a diagonal form in the phases' tails. The result κ is a multiple of 1/100 for which κ times that form less the
    numerator is positive definite: all pivots are positive, in fractions.
    """
    import numpy as np

    numerator, weights = reduced(s, l, u, against)
    scale = np.array([1 / float(w) ** 0.5 for w in weights])
    top = float(np.linalg.eigvalsh(np.array(numerator, dtype=float) * np.outer(scale, scale))[-1])
    guess = Fraction(ceil(100 * top) + 1, 100)
    if not dominates(guess, numerator, weights):
        raise ArithmeticError(f"that {guess} is above the supremum is not confirmed")
    return guess


def reduced(s: int, l: int, u: int, against: str) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Return the form in the phases' tails as a matrix, and the diagonal form that the denominator is at least."""
    entry, steps = form(against).entry, thresholds(l, u)
    up_to = [entry(low, low, s) for low in (l, *(own + 1 for own in steps[:-1]))]  # the weights of T_l, …, T_low
    weights = [more - less for less, more in pairwise([Fraction(0), *up_to])]
    matrix = [[Fraction(0)] * len(steps) for _ in steps]
    for k, own in enumerate(steps):
        matrix[k][k] = Fraction(own * (s + own))
        if k:
            matrix[k - 1][k] = matrix[k][k - 1] = matrix[k - 1][k - 1] / 2
    return matrix, weights


def dominates(factor: Fraction, matrix: list[list[Fraction]], weights: list[Fraction]) -> bool:
    """Return whether factor·diag(weights) − matrix is positive definite."""
    rows = [[factor * weights[i] * (i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(matrix)]
    return positive_definite(rows)


def _small() -> Iterator[SmallInstance]:
    return small_instances({2: (1, 2, 3, 5), 3: (1, 3, 5), 4: (1, 5)}, (0, 1, 3), least=5, step=2)


def _phases() -> str | None:
    for lengths, prompt, capacity in _small():
        for order in permutations(range(len(lengths))):
            run = simulate("a-restart", lengths, capacity, prompt, l=1, u=5, order=order, history=True)
            assert run.cancelled is not None
            starts = {(i, int(run.bounds[i])): int(run.starts[i]) for i in range(len(lengths))}
            rows = zip(
                run.cancelled.request.tolist(), run.cancelled.bound.tolist(), run.cancelled.start.tolist(), strict=True
            )
            starts |= {(i, bound): start for i, bound, start in rows}
            last = clear = 0  # the last start of the phase before, and its threshold
            for own in thresholds(1, 5):
                phase = [starts[i, own] for i in order if (i, own) in starts]
                batch = capacity // (prompt + own)
                where = f"o = {lengths}, s = {prompt}, M = {capacity}, order {order}, threshold {own}"
                if phase != sorted(phase) or (phase and phase[0] < last):
                    return f"{where}: the phases do not follow each other in order"
                for rank, start in enumerate(phase):
                    if start > last + clear + Fraction(rank * own, batch):
                        return f"{where}: start {start} of rank {rank}"
                last, clear = (phase[-1], own) if phase else (last, clear)
    return None


def _expected() -> str | None:
    for lengths, prompt, capacity in _small():
        if len(lengths) < 4:
            orders = list(permutations(range(len(lengths))))
            runs = [simulate("a-restart", lengths, capacity, prompt, l=1, u=5, order=order) for order in orders]
            mean = Fraction(sum(run.total_latency for run in runs), len(runs))
            bound = restart_most(lengths, prompt, 1, 5, capacity)
            if mean > bound:
                return f"o = {lengths}, s = {prompt}, M = {capacity}: mean TEL {mean} exceeds {bound}"
    return None


def _added() -> str | None:
    for low in range(1, 8):
        for up in range(low, 70):
            for o in range(low, up + 1):
                if added(o, low, up) > ADDED * o:
                    return f"o = {o} in [{low}, {up}]: {added(o, low, up)}"
    return None


@cache
def theorem() -> Theorem:
    """CR(a-restart) ≤ 64/3 + 4 for every s ≥ 0 and l ≤ u, in the limit M → ∞ and at every n."""
    d, v = (lambda m, name=name: form(name).formula(m, m, s) for name in ("h-sf", "volume"))
    factor = sp.Rational(FACTOR)
    proof = Proof(
        "kill and restart",
        "every s ≥ 0, 1 ≤ l ≤ u, all lengths in [l, u], every n; a random order; M → ∞; against the optimum, hence against H-SF",
        r"\mathrm{CR}(\text{a-restart}) \le \kappa + 4 \le \tfrac{64}{3} + 4,\qquad \kappa = \sup_x \frac{\text{a-restart}}{\text{volume}}",
    )
    proof.argued(
        r"S_{k,r} \le \sigma_{k-1} + L_{k-1} + \tfrac{(r-1)L_k}{m_k}",
        "requests are removed in the order of their starts, so phases and the order within them are kept. While a "
        "request of phase k is refused, nothing that runs holds more than s + L_k, so at least m_k = ⌊M/(s+L_k)⌋ "
        "run; from L_{k−1} after the last start of phase k−1 on they are all of phase k, whose earlier requests "
        "have at most L_k steps each",
        test=_phases,
        tested="every instance of 2 lengths in {1, 2, 3, 5}, 3 in {1, 3, 5} or 4 in {1, 5}, [1, 5], s in {0, 1, 3}, every other M, "
        "every order",
        name="phases",
    )
    proof.argued(
        r"\mathbb E\,\mathrm{TEL} \le \sum_k X_k\bigl(\textstyle\sum_{j<k}\tfrac{N_jL_j}{m_j} + "
        r"\tfrac{N_kL_k}{2m_k} + \sum_{j\le k}L_{j-1} + L_k\bigr)",
        "the order is uniformly random and a phase keeps it, so those that phase k completes have mean rank "
        "(N_k+1)/2; sum over phases",
        test=_expected,
        tested="those of 2 or 3 lengths, the mean over every order",
        name="total",
    )
    proof.argued(
        r"\textstyle\sum_{j\le k}L_{j-1} + L_k \le 4 o",
        "L_j = 2^j l below u: a request that phase k ≥ 1 completes has o > L_{k−1}, and Σ_{j≤k} L_{j−1} ≤ 2L_{k−1}, "
        "L_k ≤ 2L_{k−1}; in phase 0 it is l ≤ o",
        test=_added,
        tested="every 1 ≤ l ≤ 7, l ≤ o ≤ u < 70",
        name="added",
    )
    text = "with N = X + N': the form's term d N (N + N') is d N (X + 2N')"
    proof.identity(text, a * (x0 + x1) * (x0 + 2 * x1), a * (x0 + x1) * ((x0 + x1) + x1))
    proof.therefore(
        r"\mathbb E\,\mathrm{TEL} \le \tfrac{n^2}{2(M-s-u)}\,\text{a-restart}(x) + 4\textstyle\sum_i o_i",
        "L_k/m_k ≤ d_k/(M − s − u), as m_k ≥ (M − s − L_k)/(s + L_k)",
    )
    proof.cite(by_volumes())
    proof.nonnegative(
        "T_{k+1} ≤ T_k, and V weighs T_j ≥ T_k for L_{k−2} < j ≤ L_{k−1}: with λ = L_{k−2}, L_k ≤ 4λ",
        factor * (v(2 * lam) - v(lam)) - 2 * d(4 * lam),
        s >= 0,
        (lam, 1),
        name="phases from 2 on",
    )
    text = "phases 0 and 1 are within the weight of T_l = 1: 2 d(l) + 2 d(2l)"
    proof.nonnegative(text, factor * v(l) - 2 * d(l) - 2 * d(2 * l), s >= 0, l >= 1)
    proof.therefore(
        r"\kappa \le \tfrac{64}{3}",
        "the weights used by different phases are different; a last threshold u < 2 L_{k−1} only makes d_k smaller",
    )
    return proof.therefore(r"\mathrm{CR}(\text{a-restart}) \le \tfrac{M}{M-s-u}\kappa + 4").qed()

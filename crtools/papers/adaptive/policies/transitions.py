"""``transitions``: the paper's counts b_ij, c_ij, d_ij of a lower-bound policy, measured in the discrete process.

Period τ_i is made of the starts with running bound õ = i. Of the starts in it with true length j, b_ij are made, c_ij
complete and d_ij are cancelled, so b = c + d. A request may start more than once with one bound; ``entered`` counts it
once. The paper: c_ij is (s+i)/(s+j) of b_ij (Lemma "deletion"), and (s+l)/(s+j) of all requests of length j at i = l,
1/(s+j) of them at i > l (Proposition "state_transition").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np

from crtools.distributions import Distribution, distribution
from crtools.errors import InputError
from crtools.numeric_types import IntArray, JsonObject
from crtools.process.measures import Mean
from crtools.process.run import Run, simulate
from crtools.process.sweep import seeds_of
from crtools.process.workload import interval


def lemma_share(i: int, j: int, s: int) -> Fraction:
    """Return c_ij / b_ij by Lemma "deletion": (s+i)/(s+j)."""
    return Fraction(s + i, s + j)


def proposition_share(i: int, j: int, s: int, l: int) -> Fraction:
    """Return c_ij / (x_j n) by Proposition "state_transition": (s+l)/(s+j) at i = l, 1/(s+j) at i > l."""
    return Fraction(s + l if i == l else 1, s + j)


@dataclass(frozen=True)
class Counts:
    """One run's counts; matrices have a row for each bound i = l, …, u and a column for each length j = l, …, u.

    completed: c; cancelled: d; entered: requests that started at least once with bound i; of_length: how many requests
    have length j; moves: rows (i, k, j, how many) of the cancelled starts with bound i that got the new bound k.
    """

    completed: IntArray
    cancelled: IntArray
    entered: IntArray
    of_length: IntArray
    moves: IntArray

    @classmethod
    def of(cls, run: Run) -> Counts:
        """Count the starts of a run that was made with ``history=True``."""
        lost = run.cancelled
        if lost is None:
            raise InputError("history", "False", "the run must have been made with history=True")
        l, u = run.lower, run.upper
        j = run.lengths[lost.request]
        every = np.concatenate([np.stack([lost.request, lost.bound]), np.stack([np.arange(run.n), run.bounds])], axis=1)
        (request, bound), _ = _distinct((run.n, u + 1), every)
        order = np.argsort(every[0], kind="stable")  # of each request the cancelled starts in order, then the last one
        following = np.empty(every.shape[1], dtype=np.int64)
        following[order[:-1]] = every[1][order[1:]]
        new = following[: len(lost.request)]
        rows, counts = _distinct((u - l + 1,) * 3, (lost.bound - l, new - l, j - l))
        return cls(
            completed=_matrix(run.bounds, run.lengths, l, u),
            cancelled=_matrix(lost.bound, j, l, u),
            entered=_matrix(bound, run.lengths[request], l, u),
            of_length=np.bincount(run.lengths - l, minlength=u - l + 1),
            moves=np.stack([*(row + l for row in rows), counts], axis=1),
        )

    @property
    def started(self) -> IntArray:
        """The sum b = c + d."""
        return self.completed + self.cancelled


def _distinct(sizes: tuple[int, ...], columns: Sequence[IntArray] | IntArray) -> tuple[tuple[IntArray, ...], IntArray]:
    """Return the distinct rows of columns of integers in [0, size), in increasing order, and how often each stands there."""
    places, counts = np.unique(np.ravel_multi_index(tuple(columns), sizes), return_counts=True)
    return np.unravel_index(places, sizes), counts


def _matrix(i: IntArray, j: IntArray, l: int, u: int) -> IntArray:
    size = u - l + 1
    return np.bincount((i - l) * size + (j - l), minlength=size * size).reshape(size, size)


@dataclass(frozen=True)
class Transitions:
    """The counts of a policy on a distribution: one :class:`Counts` for each seed."""

    law: Distribution
    n: int
    s: int
    l: int
    u: int
    counts: tuple[Counts, ...] = field(repr=False)

    def pooled(self, name: str) -> IntArray:
        """Return a matrix of :class:`Counts` (or ``started``), summed over the seeds."""
        return np.sum([getattr(c, name) for c in self.counts], axis=0)

    def share(self, i: int, j: int, of: Literal["started", "entered", "of_length"]) -> Mean | None:
        """Return c_ij over b_ij, over the requests that entered, or over x_j n: over the seeds where that is not 0, None if none is."""
        cell = i - self.l, j - self.l
        pairs = ((c.completed[cell], np.broadcast_to(getattr(c, of), c.completed.shape)[cell]) for c in self.counts)
        ratios = [completed / count for completed, count in pairs if count]
        return Mean.of(ratios) if ratios else None

    def updated(self, i: int, k: int) -> tuple[IntArray, IntArray]:
        """Return for j = l, …, u how many cancelled starts with bound i got õ = k, and how many starts b_ij there were.

        Eq. update_distribution: the first is in proportion to the second for j ≥ k. Both are summed over seeds.
        """
        moves = np.concatenate([c.moves for c in self.counts])
        moves = moves[(moves[:, 0] == i) & (moves[:, 1] == k)]
        got = np.zeros(self.u - self.l + 1, dtype=np.int64)
        np.add.at(got, moves[:, 2] - self.l, moves[:, 3])
        return got, self.pooled("started")[i - self.l]

    def table(self) -> list[JsonObject]:
        """Return a row for each (i, j) at which something started: counts, ratios with intervals, and the paper's."""
        rows: list[JsonObject] = []
        b, c, d, entered = (self.pooled(name) for name in ("started", "completed", "cancelled", "entered"))
        for i, j in ((int(i) + self.l, int(j) + self.l) for i, j in zip(*np.nonzero(b), strict=True)):
            cell = i - self.l, j - self.l
            one, two, share = self.share(i, j, "started"), self.share(i, j, "entered"), self.share(i, j, "of_length")
            assert one is not None and two is not None and share is not None
            (low, high), (share_low, share_high) = (mean.interval or (None, None) for mean in (one, share))
            rows.append({
                "i": i, "j": j, "b": int(b[cell]), "c": int(c[cell]), "d": int(d[cell]),
                "entered": int(entered[cell]),
                "c_over_b": one.mean, "c_over_b_interval_low": low, "c_over_b_interval_high": high,
                "c_over_entered": two.mean,
                "lemma": float(lemma_share(i, j, self.s)),
                "c_over_x_n": share.mean, "c_over_x_n_interval_low": share_low, "c_over_x_n_interval_high": share_high,
                "proposition": float(proposition_share(i, j, self.s, self.l)),
            })  # fmt: skip
        return rows


def transitions(
    policy: str, dist: str, *, n: int, memory: int, s: int = 0, seeds: int | Iterable[int] = 1
) -> Transitions:
    """Simulate a policy with a running bound on lengths drawn from a law, once for each seed, and count its transitions.

    n: requests; memory: M in tokens; s: prompt size in tokens; seeds: seeds, or how many of 0, 1, …. The interval ends at the
    largest length drawn where the support is unbounded. The counts of a seed are matrices of (u − l + 1)² integers.
    """
    law = distribution(dist)
    drawn = {seed: law.sample(n, np.random.default_rng(seed)) for seed in seeds_of(seeds)}
    low, top = interval(law, None, None, lambda: max(int(x.max()) for x in drawn.values()))
    runs = (simulate(policy, x, memory, s, low, top, seed=seed, history=True) for seed, x in drawn.items())
    return Transitions(law, n, s, low, top, tuple(map(Counts.of, runs)))


def unfinished(run: Run) -> dict[int, int]:
    """Return by bound i how many requests with o < i have not completed when the first start with the bound i is made.

    The run must have been made with ``history=True``. What completes at that instant has completed.
    """
    lost = run.cancelled
    assert lost is not None
    bounds, starts = np.concatenate([lost.bound, run.bounds]), np.concatenate([lost.start, run.starts])
    completions = run.starts + run.lengths
    first = {int(i): starts[bounds == i].min() for i in np.unique(bounds)}
    return {i: int(((run.lengths < i) & (completions > start)).sum()) for i, start in first.items()}

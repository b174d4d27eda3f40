"""Own random offsets in the discrete process, interval after interval of thresholds: as good as on one machine in the limit.

The thresholds from v(l) on are cut at v(k) and b·v(k), l ≤ k ≤ u, so that all of an interval are killed at one age c and have been
tried up to one age before. Where b² ≥ 3 no interval has two thresholds of one request. An interval's first attempts, the
pilot, start at the rate ⌊M/v(u)⌋ an instant. They tell what an attempt uses on average, v̂, and the rest start at the rate
⌊(1−2δ)M/v̂⌋; where more than M would be needed the latest started are evicted, and tried again at the pilot's rate before the next
interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import sympy as sp

from crtools.papers.adaptive.theory import TEXT
from crtools.papers.beyond.theorems import blind_upper
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem, kept
from crtools.schedule import peak, volume

READING = (
    "every s ≥ 0, l ≤ u and base b ≥ √3; all lengths in [l, u], fixed before; the mean over the offsets; n → ∞, then M → ∞, uniformly in "
    "the lengths"
)
POLICY = (
    "attempts in the order of their thresholds, which are cut into intervals at v(k) and b·v(k), l ≤ k ≤ u; in each a pilot of M² "
    "attempts at ⌊M/v(u)⌋ an instant, which use v̂ on average, then the rest at ⌊(1−2δ)M/v̂⌋, δ = M^(−1/4); where more than M would be "
    "needed the latest started are evicted, and tried again at the pilot's rate before the next interval"
)


GRID = 24
BASE, LARGEST = 13.8, 8
"""The base b and the largest length u of all runs."""

MEMORY, REQUESTS, PILOT, SLACK = 1500, 400_000, 300, 0.2
CASES = ((0, (1, 2, 3, 5, 8)), (0, (1, 1, 1, 1, 8)), (3, (4, 5, 6, 7, 8)))
"""s, and the lengths that are equally frequent."""


def intervals(lengths: Any, s: int, l: int, offsets: Any) -> Iterator[tuple[Any, int]]:
    """Iterate over the intervals in which there are attempts, from the least thresholds on.

    Of each: whose the attempts are, in their order, and the age at which they are killed.
    """
    v = volume(s, np.arange(l, LARGEST + 1)).astype(float)
    cuts = np.unique(np.concatenate([v, BASE * v]))
    rows: list[Any] = []
    left = np.arange(len(lengths))
    threshold = BASE ** (np.ceil(np.log(v[0]) / np.log(BASE) - offsets) + offsets)
    while len(left):
        kill = l - 1 + np.searchsorted(v, threshold[left], side="right")
        rows.append((left, threshold[left], kill))
        left = left[lengths[left] > kill]
        threshold = threshold * BASE
    request, threshold, kill = (np.concatenate(column) for column in zip(*rows, strict=True))
    place = np.searchsorted(cuts, threshold, side="right")
    for at in np.unique(place):
        own = np.flatnonzero(place == at)
        own = own[np.argsort(threshold[own])]
        yield request[own], int(kill[own[0]])


@dataclass(frozen=True)
class Run:
    """A run without evictions: TEL, its peak of memory, and Σ C_j of the same attempts on one machine, over M."""

    total: int
    peak: int
    one_machine: float


def run(lengths: Any, s: int, share: float) -> Run:
    """Run the policy with ``share`` for 1 − 2δ; l is the least length."""
    offsets = np.random.default_rng(0).random(len(lengths))
    starts: list[Any] = []
    ran: list[Any] = []
    now = total = done = 0
    summed = 0.0
    for request, kill in intervals(lengths, s, int(lengths.min()), offsets):
        length = np.minimum(lengths[request], kill)
        used = volume(s, length)
        begin = now + np.arange(len(length)) // (MEMORY // volume(s, LARGEST))
        if len(length) >= 2 * PILOT:
            after, rate = begin[PILOT - 1] + LARGEST, int(share * MEMORY / used[:PILOT].mean())
            begin[PILOT:] = after + np.arange(len(length) - PILOT) // rate
        finished = lengths[request] <= kill
        total += int((begin + length)[finished].sum())
        summed += float((done + np.cumsum(used))[finished].sum())
        done += int(used.sum())
        starts.append(begin)
        ran.append(length)
        now = int(begin[-1]) + LARGEST
    return Run(total, peak(np.concatenate(starts), np.concatenate(ran), s), summed / MEMORY)


def cuts(s: int, l: int, u: int, square: Fraction) -> list[Fraction]:
    """Return the squares of the cuts v(k) and b·v(k), in order; ``square``: b²."""
    squares = [Fraction(volume(s, k)) ** 2 for k in range(l, u + 1)]
    return sorted({*squares, *(square * v for v in squares)})


@cache
def one_each(square: Fraction = Fraction(3)) -> str | None:
    """Test: from a cut to the next it is a factor of at most b, so that no interval has two thresholds of one request."""
    for s, l, more in product(range(6), range(1, 7), range(12)):
        own = cuts(s, l, l + more, square)
        if any(high > square * low for low, high in pairwise(own)):
            return f"s = {s}, lengths from {l} to {l + more}: an interval is longer than a factor of √{square}"
    return None


@cache
def orders(factor: Fraction = Fraction(1)) -> str | None:
    """Test: of two requests that take part in an interval each is the first as often, over a grid of offsets."""
    for one, other in product((1, 3, 8), repeat=2):
        ahead: dict[int, list[int]] = {}
        for places in permutations(range(GRID), 2):
            for request, kill in intervals(np.array([one, other]), 0, 1, (np.array(places) + 0.5) / GRID):
                if len(request) == 2:
                    ahead.setdefault(kill, [0, 0])[request[0]] += 1
        for kill, (first, second) in ahead.items():
            if first != factor * second:
                return f"lengths {one} and {other}, killed at {kill}: {first} times the first, {second} the second"
    return None


@cache
def _runs(rate: Fraction) -> tuple[tuple[int, Run], ...]:
    """Return runs with (1 − 2δ) times ``rate`` for 1 − 2δ."""
    share = float(rate) * (1 - SLACK)
    return tuple((s, run(np.repeat(law, REQUESTS // 5), s, share)) for s, law in CASES)


@cache
def room(factor: Fraction = Fraction(1)) -> str | None:
    """Test: at (1 − 2δ)M/v̂ starts an instant M is never needed, and more than half of it is."""
    for s, own in _runs(factor):
        if not MEMORY / 2 < own.peak <= MEMORY:
            return f"s = {s}: {own.peak} of {MEMORY} tokens are needed"
    return None


@cache
def times(factor: Fraction = Fraction(1)) -> str | None:
    """Test: TEL is at most 1/(1 − 2δ) times the total on one machine, but for 20 %, and at least that total."""
    for s, own in _runs(Fraction(1)):
        quotient = own.total / own.one_machine
        if not 1 <= factor * quotient <= 1.2 / (1 - SLACK):
            return f"s = {s}: TEL is {quotient:.3f} times the total on one machine"
    return None


@cache
def as_on_one_machine() -> Theorem:
    """E TEL is at most 1 + o(1) times what the same thresholds cost on one machine, over M."""
    s, k, B, K, N, m = sp.symbols("s k B K N m", positive=True)
    proof = Proof(
        "own offsets in steps",
        f"{READING}; {POLICY}",
        r"\mathbb E\,\mathrm{TEL} \le (1 + o(1))\,\tfrac1M\,\mathbb E\sum_j C_j",
    )
    text = "an attempt that ends at age c holds s + k tokens at age k: v(c) = sc + c(c+1)/2 token-instants in all"
    proof.telescoping(text, s + k, k * (2 * s + k + 1) / 2, k, name="volumes")
    proof.identity(
        "numbers in [0, B] with the mean m have a variance of at most m(B − m)",
        B**2 / 4 - m * (B - m),
        (m - B / 2) ** 2,
    )
    proof.nonnegative(
        "the mean of K of N in random order has (N−K)/((N−1)K) times it",
        1 / K - (N - K) / ((N - 1) * K),
        K >= 1,
        N >= K + 1,
    )
    proof.therefore(
        r"\text{that mean is farther than } \varepsilon \text{ from } m \text{ with a probability of at most } B^2/(4K\varepsilon^2)",
        "Chebyshev's inequality",
        name="means",
    )
    proof.nonnegative(
        "from one length to the next a volume grows by a factor of 3 at most, and so of b²",
        3 * (2 * s * k + k * (k + 1)) / 2 - (2 * s * (k + 1) + (k + 1) * (k + 2)) / 2,
        (s, 0),
        (k, 1),
        name="growth",
    )
    proof.argued(
        r"\text{in an interval a request has at most one threshold}",
        "a request's thresholds are a factor of b apart, so it is enough that each cut is followed by one within a factor of b. v(k) is "
        "followed by b v(k). Where b v(k) ≥ v(u), k < u, it is followed by b v(k+1), and v(k+1)/v(k) ≤ v(u)/v(k) ≤ b. Else "
        "v(j) ≤ b v(k) < v(j+1) with some j ≥ k: where v(j+1) ≤ b v(j), v(j+1) is within b; where not and j > k, b v(j) is, as "
        "v(j) ≤ b v(k); and where j = k, v(k+1) is, as v(k+1) ≤ 3 v(k) ≤ b² v(k)",
        test=one_each,
        tested="b² = 3, s up to 5, intervals [l, u] with l up to 6 and up to 12 lengths, exactly",
        name="one each",
    )
    proof.argued(
        r"\text{in each of finitely many intervals the attempts come in uniformly random order}",
        "whether a request takes part in an interval is settled by its length and by whether it has a threshold there. So, given who "
        "takes part, their places in it are independent and all of one law. The number of intervals depends on s, l, u, b alone",
        test=orders,
        tested=f"two requests with lengths in {{1, 3, 8}} over a grid of {GRID}² offsets, every interval, exactly",
        name="order",
    )
    proof.argued(
        r"\text{the memory is never exceeded, and of all attempts a share of } o(1) \text{ is evicted on average}",
        "the pilot has M² attempts, or all if there are fewer than 2M²; at its rate c instants' starts hold at most M, whatever they "
        "are. But with a probability O(1/M), v̂ is within 1/√M of the mean of the rest. Then the rest hold (1−δ)M on average at an "
        "instant, in at most u blocks of one size, of order M, and more than M with a probability O(1/(δ²M)) = O(1/√M). At such "
        "an instant the latest started of at most M are evicted, while an instant starts a number of order M",
        test=room,
        tested=f"runs of {REQUESTS} requests of three laws on lengths up to 8, s = 0 and 3, M = {MEMORY}, 2δ = {SLACK}",
        name="room",
    )
    proof.argued(
        r"\mathbb E\,\mathrm{TEL} \le \tfrac{1 + o(1)}{M}\,\mathbb E\textstyle\sum_j C_j",
        "let the machine make the same attempts, one after the other: killing at whole ages, and leaving out thresholds below v(l), only "
        "shortens what it does. Before an interval's k-th attempt the machine spends k v̂ on this interval, up to o(1) of all its work, "
        "as v̂ is near the mean of the others and their order is random; the process starts this attempt k v̂/((1−2δ)M) instants after the "
        "interval's pilot has ended. So it is later than 1/((1−2δ)M) times the machine's time only by the pilots and the last u instants "
        "of the intervals, a time that does not grow with n. The evicted attempts, and those of an interval whose v̂ is wrong, are a share "
        "of o(1) on average; each delays all others by O(1/M), and is itself late by O(n/M). So o(n²/M) is added, while TEL is at least of "
        "the order n²/M",
        test=times,
        tested="the same runs: at most 1/(1−2δ) and 20 % more than on one machine",
        name="times",
    )
    return proof.therefore(
        r"\mathbb E\,\mathrm{TEL} \le \tfrac{1 + o(1)}{M}\,\mathbb E\textstyle\sum_j C_j",
        "each attempt uses the token-instants that it uses on one machine; the memory suffices, and what is evicted is a share of o(1)",
        of=("volumes", "means", "growth", "one each", "order", "room", "times"),
    ).qed()


def theorem(base: Fraction | None = None, bound: Fraction | None = None) -> Theorem:
    """The ratio is at most ``bound`` in the process, as n → ∞ and then M → ∞; at the best base (None) at most ρ*."""
    machine = kept(blind_upper.theorem) if base is None else blind_upper.theorem(base, bound)
    what, where = (r"\rho^*", "b = y*²") if base is None else (sp.latex(sp.sympify(str(bound))), f"b = {base}")
    proof = Proof(
        f"own offsets in the process at {where}",
        READING,
        rf"\limsup_{{M\to\infty}}\limsup_{{n\to\infty}}\sup_o \frac{{\mathbb E\,\mathrm{{TEL}}}}{{\mathrm{{OPT}}}} \le {what}",
    )
    proof.cite(as_on_one_machine(), machine, TEXT.theorem("every schedule by volumes"))
    least, b = sp.Rational(str(base or 13)), sp.Symbol("b", positive=True)
    proof.nonnegative("b² ≥ 3" + ("; y*² > 13" if base is None else ""), b**2 - 3, (b, least), name="base")
    return proof.therefore(
        rf"\mathbb E\,\mathrm{{TEL}} \le (1+o(1))\,{what}\cdot\mathrm{{OPT}}",
        "OPT is at least ½ Σ min(v_i, v_j)/M; one machine's optimum is M times this and half the sum of the v_i, of the order n",
    ).qed()

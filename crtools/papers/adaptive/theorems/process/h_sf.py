"""H-SF in the discrete process: its form is an upper bound, it is near every schedule, and others can be better.

While a request of length k waits at the head of the queue, at least ⌊M/(s+k)⌋ requests run. So the limit of H-SF's TEL
over n²/(2M) is at most its form, whatever Eq. 5 lets interleave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.process.schedules import (
    SmallInstance,
    by_volumes,
    shorter_holds_less,
    small_instances,
)
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import m, s, u
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule, volume

x, y, memory, n = sp.symbols("x y M n", positive=True)

# ---- at most by peaks ----------------------------------------------------------------------------------------------


def most(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """Return an upper bound on H-SF's TEL for increasing lengths with prompts s; M is at least s + the last of them."""
    total = start = Fraction(0)
    before = lengths[0]
    for length in lengths:
        together = memory // (s + length)
        if length > before:
            start += Fraction(before * memory, (s + 1) * together)
        total += start + length
        start += Fraction(length, together)
        before = length
    return total


def _small() -> Iterator[SmallInstance]:
    return small_instances(dict.fromkeys(range(1, 6), (1, 2, 4)), (0, 1, 3))


def _busy() -> str | None:
    for lengths, prompt, capacity in _small():
        starts = simulate("h-sf", lengths, capacity, prompt).schedule.starts
        for t in range(max(starts)):
            head = min(o for o, p in zip(lengths, starts, strict=True) if p > t)
            running = sum(p <= t < p + o for o, p in zip(lengths, starts, strict=True))
            if running < capacity // (prompt + head):
                return f"o = {lengths}, s = {prompt}, M = {capacity}: {running} run at t = {t}"
    return None


def _total() -> str | None:
    for lengths, prompt, capacity in _small():
        total, bound = simulate("h-sf", lengths, capacity, prompt).total_latency, most(lengths, prompt, capacity)
        if total > bound:
            return f"o = {lengths}, s = {prompt}, M = {capacity}: TEL {total} exceeds {bound}"
    return None


@cache
def by_peaks(peak: Any = None) -> Theorem:
    """limsup 2M TEL(H-SF)/n² ≤ Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i): the form is an upper bound in the limit."""
    k = sp.Symbol("k", positive=True)
    held = s + k if peak is None else peak(k)
    proof = Proof("H-SF by peaks", "every s ≥ 0 and u, lengths up to u with shares x; n/M → ∞ and M → ∞")
    proof.argued(
        r"\text{head of length } k \Rightarrow \text{at least } m_k = \lfloor M/(s+k) \rfloor \text{ run}",
        "a request of length k at the head of the queue is refused at t because at some t' ≤ t + k the running "
        "ones and itself need more than M; each of them holds at most s + k then, as no longer one was started "
        "before; so at least ⌊M/(s+k)⌋ run from t to t + 1",
        test=_busy,
        tested="every instance of up to 5 lengths in {1, 2, 4}, s in {0, 1, 3}, every M",
    )
    proof.argued(
        r"p_j \le \sum_{i<j} \tfrac{o_i}{m_{o_i}} + \sum_{k \le o_j} \tfrac{k' M}{(s+1) m_k}\quad (o_1 \le o_2 \le \dots)",
        "while the head has length k, m_k steps are done per instant: those of the earlier requests of length k, and what is left of "
        "the shorter ones that run when length k comes to the head, at most M/(s+1) with at most k' steps each, k' the next "
        "shorter length (0 for the first)",
        test=_total,
        tested="the same, the sum of these bounds and the lengths against TEL",
        name="starts",
    )
    proof.identity(
        "so a request of length k delays each after it by k/m_k, at leading order k(s+k)/M; what else it waits is bounded, O(n) in all",
        k / (memory / (s + k)),
        k * held / memory,
    )
    return proof.therefore(r"\limsup\tfrac{2M}{n^2}\mathrm{TEL}\le\textstyle\sum_k k(s+k)x_k(x_k+2\sum_{i>k}x_i)").qed()


NEAR = 2 * (s + u) / (2 * s + u + 1)
"""How many times any schedule's total latency H-SF's is at most, for lengths up to u, in the limit."""


def over_volume(factor: Any = NEAR) -> Any:
    """Return ``factor`` · (s m + m(m+1)/2) − m(s+m), which is to be ≥ 0 for lengths m ≤ u."""
    peak, volume = (form(own).formula(m, m, s) for own in ("h-sf", "volume"))
    return factor * volume - peak


def near_every_schedule(factor: Any = NEAR) -> Theorem:
    """limsup TEL(H-SF)/TEL(any schedule) ≤ ``factor`` < 2, for lengths up to u."""
    proof = Proof(
        "H-SF against every schedule",
        "every s ≥ 0 and u ≥ 1, lengths up to u with shares x, n → ∞ at fixed M, then M → ∞; every schedule, also with cancellation",
    )
    proof.cite(by_peaks(), by_volumes())
    proof.nonnegative(
        "both forms have the entries f(min(i, j)); the factor times the volume's is at least H-SF's for lengths m ≤ u",
        over_volume(factor),
        s >= 0,
        m >= 1,
        u >= m,
    )
    proof.positive("2 − factor > 0", 2 - factor, s >= 0, u >= 1)
    return proof.therefore(
        rf"\limsup \frac{{\mathrm{{TEL}}(\text{{H-SF}})}}{{\mathrm{{TEL}}}} \le {sp.latex(factor)} < 2"
    ).qed()


def _batches(rest: int = 0) -> str | None:
    for prompt, length, count in ((0, 2, 3), (0, 4, 1), (1, 3, 2), (2, 2, 2), (3, 1, 2)):
        size = volume(prompt, length)
        memory = (prompt + length) * size
        batches = [length * (i // size) for i in range(count * memory)]
        even = [i // (prompt + length) for i in range(count * memory)]
        starts = simulate("h-sf", [length] * len(batches), memory, prompt).schedule.starts
        if [int(start) + rest * (start > 0) for start in starts] != batches:
            return f"s = {prompt}, u = {length}, M = {memory}: H-SF starts at {starts}"
        if not Schedule(even, [length] * len(even), prompt).feasible(memory):
            return f"s = {prompt}, u = {length}, M = {memory}: so many starts at every instant do not fit"
    return None


@cache
def near_is_reached(factor: Any = NEAR) -> Theorem:
    """Equal lengths u reach ``factor`` as n → ∞, for every s and u."""
    v, t, a, b = sp.symbols("v t a b", positive=True)
    size, own = u * (2 * s + u + 1) / 2, (s + u) * c
    first = sp.factor(sp.summation(k * v * u * b, (b, 1, own)))
    second = sp.factor(sp.summation(k * (s + u) * (t + u), (t, 0, v * c - 1)))
    proof = Proof(
        "equal lengths, started evenly",
        "every s ≥ 0, u, k and c ≥ 1, v = su + u(u+1)/2: kc(s+u)v requests of length u, M = k(s+u)v; c → ∞",
        r"\frac{\mathrm{TEL}(\text{H-SF})}{\mathrm{TEL}(\text{even})} \to " + sp.latex(factor),
    )
    proof.telescoping(
        "k(s+u) requests of each age up to u hold k(s+u)v = M tokens: v is", s + a, a * (2 * s + a + 1) / 2, a
    )
    proof.argued(
        r"\text{H-SF starts } kv \text{ requests at each of } 0, u, 2u, \dots",
        "kv requests of age u hold kv(s+u) = M, so they fit together, and nobody starts before they have ended; then the next start",
        test=_batches,
        tested="k = 1, five s and u, up to three times as many requests as M",
    )
    proof.telescoping("H-SF's total, up to the b-th batch: Σ kv · ub", k * v * u * b, k * v * u * b * (b + 1) / 2, b)
    proof.identity("of (s+u)c batches", k * v * u * own * (own + 1) / 2, first)
    proof.telescoping(
        "the even total, k(s+u) starts at each instant up to t: Σ k(s+u)(t + u)",
        k * (s + u) * (t + u),
        k * (s + u) * (t * (t + 1) / 2 + t * u),
        t,
    )
    proof.identity(
        "of the instants 0, …, vc − 1",
        k * (s + u) * ((v * c - 1) * v * c / 2 + v * c * u),
        second,
    )
    proof.identity(
        "the factor times the even total less H-SF's grows like c only, the totals like c²",
        (factor * second - first).subs(v, size),
        (k * u * (s + u) * c * ((s + u) * (2 * u - 1) - v) / 2).subs(v, size),
    )
    return proof.qed()


def _prefixes(more: int = 0) -> str | None:
    for lengths, prompt, capacity in small_instances({3: (1, 2, 4), 4: (1, 3)}, (0, 2)):
        for running in ((), (lengths[-1],)):  # started one instant before
            fitting = [
                (count, chosen)
                for count in range(1, len(lengths) + 1)
                for chosen in combinations(lengths, count)
                if Schedule([0 for _ in running] + [1] * count, running + chosen, prompt).peak_memory <= capacity
            ]
            prefix = max((count for count, chosen in fitting if chosen == lengths[:count]), default=0)
            if any(count + more > prefix for count, _ in fitting):
                return f"o = {lengths}, s = {prompt}, M = {capacity}, running {running}: the prefix has {prefix}"
    return None


def largest_prefix() -> Theorem:
    """No set of waiting requests that fits is larger than the longest prefix, shortest first, that fits."""
    proof = Proof(
        "largest prefix",
        "one round: running requests fixed, the waiting ones all start now; every s ≥ 0, M and lengths",
        r"|U| \le m \text{ for every fitting } U",
    )
    proof.cite(shorter_holds_less())
    return proof.argued(
        r"\text{the } |U| \text{ shortest hold at most what } U \text{ holds, and fit}",
        "the k-th shortest waiting request is no longer than the k-th shortest of U, so it holds at most as much at every instant",
        test=_prefixes,
        tested="every instance of 3 lengths in {1, 2, 4} or 4 in {1, 3}, s in {0, 2}, every M, with and without one running",
        name="exchange",
    ).qed()


# ---- three tokens, where another schedule is better ----------------------------------------------------------------

k, c = sp.symbols("k c", integer=True, positive=True)

MEMORY = 36 * k
"""The memory for 36kc requests of three tokens at s = 1: H-SF's batches against as many starts at every instant as fit."""

BATCHES = 54 * k * c * (4 * c + 1)
"""H-SF's total latency: 4c batches of 9k requests, one every three instants."""

EVEN = 18 * k * c * (9 * c + 5)
"""The total latency of 4k starts at each of the instants 0, …, 9c − 1."""


def _runs_otherwise() -> str | None:
    for scale, count in ((1, 1), (1, 3), (2, 1), (3, 2)):
        starts = simulate("h-sf", [3] * (36 * scale * count), 36 * scale, 1).schedule.starts
        if [int(start) for start in starts] != [3 * (i // (9 * scale)) for i in range(36 * scale * count)]:
            return f"k = {scale}, c = {count}: starts {starts}"
    return None


@cache
def better_schedule(factor: Any, least: int) -> Theorem:
    """At every k and c ≥ ``least`` the even schedule's total is below ``factor`` times H-SF's."""
    t, b = sp.symbols("t b", integer=True, nonnegative=True)
    reading = f"s = 1, n = 36kc requests of three tokens, M = 36k, every k ≥ 1 and c ≥ {least}"
    proof = Proof("requests of three tokens", reading)
    proof.identity("4k requests of each age 1, 2, 3 hold M tokens", 4 * k * (2 + 3 + 4), MEMORY)
    proof.identity("a batch of 9k requests holds M tokens at its end", 9 * k * 4, MEMORY)
    proof.argued(
        r"\text{H-SF starts } 9k \text{ requests at each of } 0, 3, 6, \dots",
        "9k requests fit together and fill the memory at their last token, so that nobody starts before they have ended; "
        "then the next 9k start",
        test=_runs_otherwise,
        tested="(k, c) = (1, 1), (1, 3), (2, 1), (3, 2)",
    )
    proof.identity("H-SF's total: Σ 9k · 3b over the batches", sp.summation(27 * k * b, (b, 1, 4 * c)), BATCHES)
    even = sp.summation(4 * k * (t + 3), (t, 0, 9 * c - 1))
    proof.identity("the even total: Σ 4k (t + 3) over the instants t = 0, …, 9c − 1", even, EVEN)
    text = "the factor times H-SF's total exceeds the even schedule's"
    proof.positive(text, factor * BATCHES - EVEN, (k, 1), (c, least))
    return proof.therefore(
        r"\frac{\text{H-SF}}{\text{even}} = \frac{3(4c+1)}{9c+5} \to \frac43 \quad (c \to \infty)"
    ).qed()

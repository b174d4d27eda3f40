"""The literal A_min's expected total latency, bounded from below on two lengths, at every finite n and M.

Requests that were never started look alike, so shorts are found no faster than a random order shows them; a long that
was started has completed, has been cancelled, or still runs, and overflow cancels at most M/((s+1)(s+2)) + 1 per instant.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import sympy as sp

from crtools.papers.adaptive.theorems.process import h_sf_process
from crtools.papers.adaptive.theorems.process.h_sf_process import memory, n, x, y
from crtools.process import simulate
from crtools.proof.steps import Argument, Identity, Inference, Positive, Telescoping
from crtools.proof.symbols import j, l, r, s, u
from crtools.proof.theorem import Theorem, prefixed

CONSTANT = sp.Rational(1, 4)
"""For u = r² l and s ≥ 3u the competitive ratio is at least this times r = √(1/α)."""


def volume(o: Any, s: Any) -> Any:
    """Return s·o + o(o+1)/2, the token-instants of a request."""
    return s * o + o * (o + 1) / (sp.Integer(2) if isinstance(o, sp.Basic) else Fraction(2))


def rate(u: Any, s: Any) -> Any:
    """Return ρ = 1/V_u + 1/((s+1)(s+2)): longs that leave, per instant and unit of memory."""
    return 1 / volume(u, s) + 1 / (Fraction(1) * (s + 1) * (s + 2) if isinstance(s, int) else (s + 1) * (s + 2))


def cancelled_most(memory: int, s: int) -> Fraction:
    """Return M/((s+1)(s+2)) + 1, at least the number of cancellations for overflow at one instant."""
    return Fraction(memory, (s + 1) * (s + 2)) + 1


def a_min_least(shorts: int, longs: int, s: int, u: int, memory: int) -> Fraction:
    """Return a lower bound on E TEL of the literal A_min for that many requests of lengths l < u with prompts s."""
    leaving = memory / volume(u, s) + cancelled_most(memory, s)
    found = (Fraction(shorts * longs, 2) - Fraction(shorts * memory, s + 1)) / leaving
    return found + volume(u, s) * longs * (longs + 1) / (2 * memory)


def least_form(s: Any, u: Any, x: Any, y: Any) -> Any:
    """Return x y/ρ + y² V_u, the limit of that bound times 2M/n²."""
    return x * y / rate(u, s) + y**2 * volume(u, s)


def least_ratio(s: int, l: int, u: int, y: Fraction) -> Fraction:
    """Return a lower bound on the literal A_min's competitive ratio: least_form over H-SF's form at shares 1 − y, y."""
    x = 1 - y
    return least_form(s, u, x, y) / (l * (s + l) * x * (x + 2 * y) + u * (s + u) * y * y)


def _small() -> Iterator[tuple[tuple[int, ...], int, int, tuple[int, ...]]]:
    for lengths in ((1, 1), (1, 3), (1, 3, 3), (1, 1, 3, 3), (1, 4, 4, 4), (2, 5, 5, 5), (1, 1, 4, 4, 4)):
        for prompt in (0, 1, 2):
            low = prompt + lengths[-1]
            for capacity in range(low, sum(prompt + o for o in lengths) + 1, 2):
                for ties in list(permutations(range(len(lengths))))[:: 1 if len(lengths) < 5 else 7]:
                    yield lengths, prompt, capacity, ties


def _leaving() -> str | None:
    for lengths, prompt, capacity, ties in _small():
        run = simulate("a-min-literal", lengths, capacity, prompt, ties=ties, history=True)
        assert run.cancelled is not None
        cancelled = (run.cancelled.start + run.cancelled.age).tolist()
        first = dict(zip(run.cancelled.request[::-1].tolist(), run.cancelled.start[::-1].tolist(), strict=True))
        begun = [first.get(i, int(run.starts[i])) for i in range(len(lengths))]
        where = f"o = {lengths}, s = {prompt}, M = {capacity}, ties {ties}"
        for t in set(cancelled):
            if cancelled.count(t) > cancelled_most(capacity, prompt):
                return f"{where}: {cancelled.count(t)} are cancelled at t = {t}"
        order = sorted(begun[i] for i in ties)
        if order != [begun[i] for i in ties]:
            return f"{where}: the first starts do not follow the ties"
        big = lengths[-1]
        for t in range(1, run.makespan + 1):
            longs = sum(begun[i] < t for i, o in enumerate(lengths) if o == big)
            done = sum(run.starts[i] + o <= t for i, o in enumerate(lengths) if o == big)
            leave = Fraction(capacity * t) / volume(big, prompt) + sum(c <= t for c in cancelled)
            if done * volume(big, prompt) > capacity * t or longs > leave + Fraction(capacity, prompt + 1):
                return f"{where}: {longs} longs were started before t = {t}"
    return None


def _symmetry() -> str | None:
    for shorts, longs in ((1, 1), (2, 1), (1, 3), (2, 3), (3, 2)):
        rows = set(permutations([0] * shorts + [1] * longs))
        for number in range(1, shorts + 1):
            before = [[place for place, kind in enumerate(row) if not kind][number - 1] - number + 1 for row in rows]
            if Fraction(sum(before), len(rows)) != Fraction(number * longs, shorts + 1):
                return f"{shorts} shorts, {longs} longs: before short {number}"
    return None


@cache
def theorem() -> Theorem:
    """E TEL(A_min)·2M/n² has liminf ≥ xy/ρ + y² V_u; so CR ≥ ¼ √(1/α) for u = r² l, s ≥ 3u."""
    own = volume(u, s)
    leaving = 1 / own + 1 / ((s + 1) * (s + 2))
    big = r**2 * l
    weight = 1 / (1 + r)
    least = least_form(s, big, 1 - weight, weight)
    most = l * (s + l) * (1 - weight) * (1 + weight) + big * (s + big) * weight**2
    return Theorem(
        "the literal A_min in the process",
        r"\mathrm{CR}(\mathcal A_{\min}) \ge \max_y \frac{xy/\rho + y^2 V_u}{l(s+l)x(x+2y) + u(s+u)y^2},\quad "
        r"\rho = \tfrac1{V_u} + \tfrac1{(s+1)(s+2)};\qquad \ge \tfrac14\sqrt{1/\alpha}\ \text{for } s \ge 3u",
        "Algorithm 2 to the letter, every s ≥ 0, all requests of length l or u with interval [l, u], shares x + y = 1; n/M → ∞ "
        "and M → ∞; against H-SF, hence against the optimum too",
        (
            Argument(
                name="leaving",
                text="at an instant with overflow the running requests hold at most M, each at least s + 1, so they are at most "
                "M/(s+1) and exceed M by at most that at the next instant; each cancellation frees at least s + 2. A "
                "long that was started before t has completed (it took V_u token-instants of M t), was cancelled, or "
                "runs (at most M/(s+1) do). Of requests with õ = l the tie is broken at random, so among those never "
                "started each is equally likely to be the next",
                conclusion=r"\#\{\text{longs started before } t\} \le tM\rho + t + \tfrac{M}{s+1}",
                test=_leaving,
                tested="seven instances of up to 5 requests, s in {0, 1, 2}, every second M, all ties (every 7th for n = 5)",
            ),
            Argument(
                name="symmetry",
                text="the first starts come in a uniformly random order, so the longs split evenly, in expectation, among "
                "the n_l + 1 gaps that the shorts leave",
                conclusion=r"\mathbb E\,\#\{\text{longs before the } j\text{-th short}\} = \tfrac{j n_u}{n_l+1}",
                test=_symmetry,
                tested="all orders of up to 5 requests",
            ),
            Telescoping(
                name="shorts",
                text="Σ_{j ≤ n_l} j n_u/(n_l+1) = n_l n_u/2: the j-th short completes after those longs were started",
                summand=j,
                antidifference=j * (j + 1) / 2,
                index=j,
            ),
            Identity(
                name="leading terms",
                text="with n_l = xn, n_u = yn, times 2M/n²: what is subtracted is O(M/n)",
                lhs=2 * memory / n**2 * (n**2 * x * y / 2 - n * x * memory / (s + 1)) / (memory * leaving + 1)
                + 2 * memory / n**2 * own * (y * n) ** 2 / (2 * memory),
                rhs=x * y / (leaving + 1 / memory)
                - 2 * x * memory / (n * (s + 1) * (leaving + 1 / memory))
                + y**2 * own,
            ),
            *prefixed("H-SF", h_sf_process.theorem()),
            Inference(
                name="ratio",
                conclusion=r"\mathrm{CR}(\mathcal A_{\min}) \ge \frac{xy/\rho + y^2 V_u}{x^\top D x}",
                follows_from=("leaving", "symmetry", "shorts", "leading terms", "H-SF: limit"),
            ),
            Positive(
                name="square root",
                text="u = r² l, s ≥ 3u, y = 1/(1+r): the numerator less r/4 times the denominator",
                expr=sp.together(least - CONSTANT * r * most),
                where=((r, 1), (l, 1), (s, 3 * r**2 * l)),
            ),
            Inference(
                name="unbounded",
                conclusion=r"\mathrm{CR}(\mathcal A_{\min}) \ge \tfrac14 r = \tfrac14 \sqrt{1/\alpha}",
                follows_from=("ratio", "square root"),
            ),
        ),
    )

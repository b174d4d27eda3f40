"""A_max's total latency in the discrete process from below, at every n and M: what it reserves for young requests.

Who runs counts with u until it completes. So all that are younger than l hold at least s + u − l + 1 at one later instant,
as A_max sees it, and no more than M/(s+u−l+1) of them run at once, whatever their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import sympy as sp

from crtools.papers.adaptive.theorems.process import h_sf_process
from crtools.process import simulate
from crtools.proof.steps import Argument, Identity, Inference, Positive
from crtools.proof.symbols import s, u
from crtools.proof.theorem import Theorem, prefixed


def a_max_least(n: int, s: int, l: int, u: int, memory: int) -> Fraction:
    """Return a lower bound on A_max's TEL for n requests of any lengths in [l, u] with prompts s."""
    return Fraction(l * (s + u - l + 1) * n * (n + 1), 2 * memory)


def _small() -> Iterator[tuple[tuple[int, ...], int, int, int, int]]:
    for low, up in ((1, 2), (1, 4), (2, 3), (2, 5)):
        for count in (1, 2, 4, 6):
            for lengths in combinations_with_replacement((low, up), count):
                for prompt in (0, 1, 3):
                    for capacity in range(prompt + up, 3 * (prompt + up) + 1):
                        yield lengths, prompt, low, up, capacity


def _young() -> str | None:
    for lengths, prompt, low, up, capacity in _small():
        for order in (range(len(lengths)), range(len(lengths))[::-1]):
            total = simulate("a-max", lengths, capacity, prompt, low, up, order=order).total_latency
            if total < a_max_least(len(lengths), prompt, low, up, capacity):
                return f"o = {lengths}, s = {prompt}, [{low}, {up}], M = {capacity}: TEL {total}"
    return None


@cache
def theorem() -> Theorem:
    """CR(A_max) ≥ (s+u)/(2(s+1)) on {1, u}, for every s: unbounded as u grows."""
    share = 1 / u
    most = (s + 1) * (1 - share) * (1 + share) + u * (s + u) * share**2
    return Theorem(
        "A_max in the process, two lengths",
        r"\mathrm{CR}(\mathcal A_{\max}) \ge \frac{s+u}{2(s+1)}\ \text{on}\ \{1, u\}",
        "A_max to the letter, every s ≥ 0 and u ≥ 2, l = 1, a share 1/u of the n requests of length u; n/M → ∞ and M → ∞; "
        "against H-SF, hence against the optimum too",
        (
            Argument(
                name="young",
                text="a request of age a < l at t counts with s + a + u − l + 1 at t + u − l + 1, as it may not have completed by "
                "then; these counts sum to at most M. Each request spends l instants at such ages",
                conclusion=r"\text{by } t \text{ at most } \tfrac{tM}{l(s+u-l+1)} \text{ complete}:\quad "
                r"\mathrm{TEL} \ge \tfrac{l(s+u-l+1)}{2M} n(n+1)",
                test=_young,
                tested="1, 2, 4 and 6 requests on [1, 2], [1, 4], [2, 3], [2, 5], s in {0, 1, 3}, every M to three peaks, two orders",
            ),
            *prefixed("H-SF", h_sf_process.theorem()),
            Identity(
                name="H-SF's form",
                text="at l = 1 and shares 1 − 1/u and 1/u",
                lhs=most,
                rhs=(s + 1) * (1 - 1 / u**2) + (s + u) / u,
            ),
            Positive(
                name="at most twice",
                text="it is at most 2(s+1)",
                expr=sp.together(2 * (s + 1) - most),
                where=((s, 0), (u, 2)),
            ),
            Inference(
                name="ratio",
                conclusion=r"\mathrm{CR}(\mathcal A_{\max}) \ge \frac{s+u}{2(s+1)} \to \infty \text{ as } u \to \infty",
                follows_from=("young", "H-SF: limit", "H-SF's form", "at most twice"),
            ),
        ),
    )

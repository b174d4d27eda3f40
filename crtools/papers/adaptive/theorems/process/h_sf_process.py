"""H-SF's total latency in the discrete process, bounded from above on two lengths, at every finite n and M.

While a request of length k waits at the head of the queue, at least ⌊M/(s+k)⌋ requests run. So the limit of H-SF's TEL
over n²/(2M) is at most its form, whatever Eq. 5 lets interleave.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import sympy as sp

from crtools.forms import form
from crtools.process import simulate
from crtools.proof.steps import Argument, Identity, Inference
from crtools.proof.symbols import l, s, u
from crtools.proof.theorem import Theorem

x, y, memory, n = sp.symbols("x y M n", positive=True)


def h_sf_most(shorts: int, longs: int, s: int, l: int, u: int, memory: int) -> Fraction:
    """Return an upper bound on H-SF's TEL for that many requests of lengths l and u with prompts s; M ≥ s + u."""
    at_l, at_u = memory // (s + l), memory // (s + u)
    first = Fraction(l * shorts * (shorts - 1), 2 * at_l) + l * shorts
    left = Fraction(l * memory, s + 1)  # what the shorts still have to run when the last of them starts
    wait = Fraction(l * shorts, at_l) + left / at_u + u
    return first + longs * wait + Fraction(u * longs * (longs - 1), 2 * at_u)


def _small() -> Iterator[tuple[tuple[int, ...], int, int]]:
    for count in range(1, 6):
        for lengths in combinations_with_replacement((1, 2, 4), count):
            for prompt in (0, 1, 3):
                for capacity in range(prompt + lengths[-1], sum(prompt + o for o in lengths) + 1):
                    yield lengths, prompt, capacity


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
        if len(set(lengths)) == 2:
            shorts = lengths.count(lengths[0])
            bound = h_sf_most(shorts, len(lengths) - shorts, prompt, lengths[0], lengths[-1], capacity)
            total = simulate("h-sf", lengths, capacity, prompt).total_latency
            if total > bound:
                return f"o = {lengths}, s = {prompt}, M = {capacity}: TEL {total} exceeds {bound}"
    return None


@cache
def theorem() -> Theorem:
    """limsup TEL(H-SF)·2M/n² ≤ l(s+l) x(x+2y) + u(s+u) y² on {l, u}, as M → ∞ and n/M → ∞."""
    leading = l * (s + l) * x * (x + 2 * y) + u * (s + u) * y**2
    entry = form("h-sf").formula
    return Theorem(
        "H-SF in the process",
        r"\limsup \tfrac{2M}{n^2}\,\mathrm{TEL}(\text{H-SF}) \le l(s+l)x(x+2y) + u(s+u)y^2",
        "every s ≥ 0, l < u, shares x + y = 1 of the two lengths; n/M → ∞ and M → ∞; of the discrete process",
        (
            Argument(
                name="busy",
                text="a request of length k at the head of the queue is refused at t because at some t' ≤ t + k the running "
                "ones and itself need more than M; each of them holds at most s + k then, as no longer one was started "
                "before; so at least ⌊M/(s+k)⌋ run from t to t + 1",
                conclusion=r"\text{head of length } k \Rightarrow \text{at least } m_k = \lfloor M/(s+k) \rfloor \text{ run}",
                test=_busy,
                tested="every instance of up to 5 lengths in {1, 2, 4}, s in {0, 1, 3}, every M",
            ),
            Argument(
                name="starts",
                text="until the j-th short starts, m_l steps of work are done per instant and at most (j−1)l are there; after "
                "the last short has started, at most M/(s+1) shorts still run, with at most l steps each, and the longs "
                "before the j-th have (j−1)u; sum over the requests",
                conclusion=r"\mathrm{TEL} \le \tfrac{l n_l(n_l-1)}{2m_l} + l n_l + n_u\bigl(\tfrac{l n_l}{m_l} + "
                r"\tfrac{lM}{(s+1)m_u} + u\bigr) + \tfrac{u n_u(n_u-1)}{2m_u}",
                test=_total,
                tested="those of them with two lengths",
            ),
            Identity(
                name="leading terms",
                text="with n_l = xn, n_u = yn and M/m_k → s + k, times 2M/n²; the other terms are O(M/n) + O(1/M)",
                lhs=2 * memory / n**2 * (
                    l * (s + l) * (x * n) ** 2 / (2 * memory)
                    + y * n * l * (s + l) * x * n / memory
                    + u * (s + u) * (y * n) ** 2 / (2 * memory)
                ),
                rhs=leading,
            ),
            Identity(
                name="the form",
                text="this is H-SF's form on {l, u}",
                lhs=entry(l, l, s) * x**2 + 2 * entry(l, u, s) * x * y + entry(u, u, s) * y**2,
                rhs=leading,
            ),
            Inference(
                name="limit",
                conclusion=r"\limsup \tfrac{2M}{n^2}\mathrm{TEL} \le x^\top D x",
                follows_from=("busy", "starts", "leading terms", "the form"),
            ),
        ),
    )  # fmt: skip

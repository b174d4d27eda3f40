"""A_max in the discrete process: it never exceeds the memory, and how slow it is, at every n and M.

Who runs counts with u until it completes. So all that are younger than l hold at least s + u − l + 1 at one later instant,
as A_max sees it, and no more than M/(s+u−l+1) of them run at once, whatever their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.bounds.two_lengths import K, value_of
from crtools.papers.adaptive.theorems.form import squares
from crtools.papers.adaptive.theorems.process import a_random, h_sf
from crtools.papers.adaptive.theorems.process.schedules import shorter_holds_less
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import l, m, s, u
from crtools.proof.theorem import Theorem

low_end, high_end = sp.symbols("l u", positive=True)


def never_exceeded(assumed: Any) -> Theorem:
    """A queue that assumes at least u for every request, a formula of l and u, never exceeds the memory."""
    no_less = assumed.xreplace({sp.Max(low_end, high_end): high_end, sp.Min(low_end, high_end): low_end})
    proof = Proof(
        "A_max is safe",
        "every instance with o_i ≤ u, every order, every s ≥ 0",
        r"\sum_{i} (s + t - p_i) \le M \text{ at every } t",
    )
    proof.cite(shorter_holds_less())
    text = "at least u is assumed, for every 1 ≤ l ≤ u"
    proof.nonnegative(text, no_less - high_end, (low_end, 1), (high_end, low_end))
    return proof.therefore(
        r"\text{admission keeps the projected use within } M \text{; the true use is never above it, as } o_i \le u"
    ).qed()


@cache
def upper() -> Theorem:
    """E TEL(A_max) ≤ M/(M−s−u) · α⁻¹(1+α^(−1/2)) · TEL + Σ o."""
    c, v_l = s + u, form("volume").formula(l, l, s)
    proof = a_random.against_volumes("A_max in the process", "a-max", "Σ i x_i = l T_l + Σ_{k>l} T_k")
    shown = "a = v_l, S = Σ_{l<k≤u} 1/(s+k), r² = 1 + v_l S/l² and K = c l (1+r)/(2 v_l)"
    proof.add(*squares.weighted("g", c, v_l, shown))
    proof.therefore(
        r"\sup_x \frac{\mathcal A_{\max}}{\text{volume}} = \frac{(s+u)\ell}{2v_\ell}\Bigl(1+\sqrt{1+v_\ell S/\ell^2}\Bigr)",
        "with T_l = 1 K volume(x) less A_max's form is Σ K g_k (T_k − c/(2 K g_k))² ≥ 0, c = s + u, as what the squares leave is 0. It "
        "vanishes at T_k = c/(2 K g_k), which decrease and are at most v_l/(2 l (s+k)) ≤ 1",
    )
    proof.nonnegative(
        "S ≤ (u−l)/(s+l+1), so 1 + v_l S/l² ≤ u/l",
        (u / l - 1) - v_l / l**2 * (u - l) / (s + l + 1),
        s >= 0,
        l >= 1,
        u >= l,
    )
    proof.positive("(s+u) l/(2 v_l) ≤ u/l", u / l - c * l / (2 * v_l), s >= 0, l >= 1, u >= l)
    return proof.therefore(
        r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\max}) \le \tfrac{M}{M-s-u}\,\alpha^{-1}(1+\alpha^{-1/2})\,\mathrm{TEL} "
        r"+ \textstyle\sum_i o_i"
    ).qed()


@cache
def below_random() -> Theorem:
    """TEL(A_max, M) ≤ 2 M/(M−s−u) (TEL(A_random, αM) + n u), for every permutation."""
    proof = Proof(
        "A_max at M below twice A_random at αM",
        "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, every M > s + u with αM ≥ s + u, the same permutation for both",
    )
    proof.cite(a_random.starts("a-max"), a_random.volumes_before())
    slots = 2 * u / l * form("volume").formula(m, m, s) - m * (s + u)
    proof.nonnegative("o(s+u) ≤ 2 α⁻¹ v_o for l ≤ o ≤ u", slots, s >= 0, l >= 1, m >= l, u >= m)
    proof.therefore(
        r"p_{\sigma(k)} \le \tfrac{2M}{M-s-u}\,(p'_{\sigma(k)} + u)",
        "(M−s−u) times the start under A_max, p, is at most the sum of o(s+u) over the requests before, at most 2 α⁻¹ times that of "
        "their volumes v_o, which is at most αM times u more than the start under A_random at αM, p'",
    )
    return proof.therefore(
        r"\mathrm{TEL}(\mathcal A_{\max}, M) \le \tfrac{2M}{M-s-u}\,"
        r"\bigl(\mathrm{TEL}(\mathcal A_{\mathrm{random}}, \alpha M) + nu\bigr)",
        "the sum over all requests; 2M/(M−s−u) ≥ 1 times the sum of all lengths",
    ).qed()


# ---- from below ----------------------------------------------------------------------------------------------------


def _ones() -> str | None:
    for up in (1, 2, 3, 5):
        for prompt in (0, 1, 3):
            for capacity in range(prompt + up, 4 * (prompt + up) + 2):
                starts = simulate("a-max", [1] * 9, capacity, prompt, l=1, u=up, order=range(9)).schedule.starts
                if list(starts) != [rank // (capacity // (prompt + up)) for rank in range(9)]:
                    return f"u = {up}, s = {prompt}, M = {capacity}: starts {starts}"
    return None


@cache
def on_ones() -> Theorem:
    """liminf TEL(A_max)/TEL(H-SF) ≥ (s+u)/(s+1) where every length is 1, l = 1."""
    memory = h_sf.memory
    proof = Proof(
        "A_max on lengths 1", "every s ≥ 0 and u ≥ l = 1, all lengths 1, n → ∞ and then M → ∞; of the discrete process"
    )
    proof.argued(
        r"p_k = \lfloor (k-1)/B \rfloor",
        "at each instant all have ended; those that start together reserve s + u tokens each at one later instant: "
        "B = ⌊M/(s+u)⌋ start",
        test=_ones,
        tested="9 requests of length 1, u in {1, 2, 3, 5}, s in {0, 1, 3}, every M",
    )
    proof.cite(h_sf.by_peaks())
    proof.identity("1/B over (s+1)/M", 1 / (memory / (s + u)) / ((s + 1) / memory), (s + u) / (s + 1))
    return proof.therefore(
        r"\liminf \frac{\mathrm{TEL}(\mathcal A_{\max})}{\mathrm{TEL}(\text{H-SF})} \ge \frac{s+u}{s+1}"
    ).qed()


def least(n: int, s: int, l: int, u: int, memory: int) -> Fraction:
    """Return a lower bound on A_max's TEL for n requests of any lengths in [l, u] with prompts s."""
    return Fraction(l * (s + u - l + 1) * n * (n + 1), 2 * memory)


def _small() -> Iterator[tuple[tuple[int, ...], int, int, int, int]]:
    for (low, up), count, prompt in product(((1, 2), (1, 4), (2, 3), (2, 5)), (1, 2, 4, 6), (0, 1, 3)):
        for lengths in combinations_with_replacement((low, up), count):
            for capacity in range(prompt + up, 3 * (prompt + up) + 1):
                yield lengths, prompt, low, up, capacity


def _young() -> str | None:
    for lengths, prompt, low, up, capacity in _small():
        for order in (range(len(lengths)), range(len(lengths))[::-1]):
            total = simulate("a-max", lengths, capacity, prompt, low, up, order=order).total_latency
            if total < least(len(lengths), prompt, low, up, capacity):
                return f"o = {lengths}, s = {prompt}, [{low}, {up}], M = {capacity}: TEL {total}"
    return None


@cache
def two_lengths() -> Theorem:
    """CR(A_max) ≥ (s+u)/(2(s+1)) on {1, u}, for every s: unbounded as u grows."""
    most, bound = value_of("h-sf", sp.S.One, u, s, 1 - 1 / u, 1 / u), 2 * K * (s + 1)
    proof = Proof(
        "A_max in the process, two lengths",
        "A_max to the letter, every s ≥ 0 and u ≥ 2, l = 1, a share 1/u of the n requests of length u; n/M → ∞ and M → ∞; "
        "against H-SF, hence against the optimum too",
        r"\mathrm{CR}(\mathcal A_{\max}) \ge \frac{s+u}{2(s+1)}\ \text{on}\ \{1, u\}",
    )
    proof.argued(
        r"\text{by } t \text{ at most } \tfrac{tM}{l(s+u-l+1)} \text{ complete}:\quad "
        r"\mathrm{TEL} \ge \tfrac{l(s+u-l+1)}{2M} n(n+1)",
        "a request of age a < l at t counts with s + a + u − l + 1 at t + u − l + 1, as it may not have completed by "
        "then; these counts sum to at most M. Each request spends l instants at such ages",
        test=_young,
        tested="1, 2, 4 and 6 requests on [1, 2], [1, 4], [2, 3], [2, 5], s in {0, 1, 3}, every M to three peaks, two orders",
    )
    proof.cite(h_sf.by_peaks())
    text = "H-SF's form at l = 1 and shares 1 − 1/u and 1/u"
    proof.identity(text, most, (s + 1) * (1 - 1 / u**2) + (s + u) / u)
    proof.positive("it is at most 2(s+1)", sp.together(2 * (s + 1) - most), s >= 0, u >= 2)
    proof.nonnegative(
        "(s+u)/(2(s+1)) is at least K from u = 2K(s+1) on", (s + bound) / (2 * (s + 1)) - K, s >= 0, (K, 1)
    )
    return proof.therefore(
        r"\mathrm{CR}(\mathcal A_{\max}) \ge \frac{s+u}{2(s+1)} \to \infty \text{ as } u \to \infty"
    ).qed()

"""A_random in the discrete process, bounded at every n and M; and what holds of every queue in random order.

A queue stops at the first request that does not fit, unless it is said to pass over it. While one waits where it stops,
what runs holds more than M − (s+u) tokens if each is charged the peak that the policy reserves for it. Against every
schedule, by volumes. ``staggered`` has the instances at which A_random is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from typing import Any

from sympy import latex

from crtools.forms import form
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.form import squares
from crtools.papers.adaptive.theorems.process.h_sf import over_volume
from crtools.papers.adaptive.theorems.process.schedules import SmallInstance, by_volumes, small_instances
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import k, l, m, s, u
from crtools.proof.theorem import Theorem

SMALL = "every instance of 2 lengths in {1, 2, 3, 5}, 3 in {1, 2, 5} or 4 in {1, 5}, u = 5, s in {0, 2}, every second M, every order"
EVERY = "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M > s + u; against every schedule, also with cancellation"
PEAKS = {"a-random": ("s + o", ""), "a-max": ("s + u", ", also while it is shorter than that")}
"""The peak that a policy reserves for a request of length o, and what is to be said of it."""


def _small() -> Iterator[SmallInstance]:
    return small_instances({2: (1, 2, 3, 5), 3: (1, 2, 5), 4: (1, 5)}, (0, 2), least=6, step=2)


def _each_start(policy: str, wrong: Callable[[int, int, int, int, list[int]], bool]) -> str | None:
    """Return the first start in a small run that is ``wrong`` at s, M, its time, its length, and the lengths before it."""
    for lengths, prompt, capacity in _small():
        for order in permutations(range(len(lengths))):
            starts = simulate(policy, lengths, capacity, prompt, l=1, u=5, order=order).schedule.starts
            for place, request in enumerate(order):
                before = [lengths[i] for i in order[:place]]
                if wrong(prompt, capacity, starts[request], lengths[request], before):
                    return f"o = {lengths}, s = {prompt}, M = {capacity}, order {order}: start {starts[request]} of {request}"
    return None


@cache
def starts(policy: str) -> Theorem:
    """(M − s − u) p_σ(k) ≤ the work of the requests before, each charged the peak that the policy reserves."""

    def late(s: int, memory: int, start: int, _: int, before: list[int]) -> bool:
        work = sum(o * (s + (5 if policy == "a-max" else o)) for o in before)
        return start * (memory - s - 5) > work

    peak, text = PEAKS[policy]
    each = peak.replace("o", r"o_{\sigma(j)}")
    proof = Proof(
        f"the starts of {policy}", "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, order and M > s + u"
    )
    return proof.argued(
        rf"(M-s-u)\,p_{{\sigma(k)}} \le \textstyle\sum_{{j<k}} o_{{\sigma(j)}}\,({each})",
        f"while a request waits, the head of the queue is refused: at some later instant what runs and the head, each at most "
        f"its reserved peak, need more than M; so those that run have peaks {peak} of more than M − (s+u) in all. They stand "
        f"before the head, and each runs for o instants, in which it contributes its peak{text}",
        test=lambda: _each_start(policy, late),
        tested=SMALL,
    ).qed()


def against_volumes(name: str, policy: str, numerator: str) -> Proof:
    """Begin a proof with the mean total latency of a queue in random order, and the volume form in tails to compare it with.

    ``numerator``: what the words say of the policy's form in tails.
    """
    proof = Proof(name, EVERY).cite(starts(policy))
    proof.therefore(
        rf"\mathbb E\,\mathrm{{TEL}} \le \tfrac{{n^2}}{{2(M-s-u)}}\,\text{{{policy}}}(x) + \textstyle\sum_i o_i",
        "each other request stands before a given one in half of all orders",
    )
    proof.cite(by_volumes())
    return proof.telescoping(
        f"{numerator}, volume(x) = v_l T_l² + Σ g_k T_k² with g_k = s + k: Σ_{{l<k≤u}} g_k = v_u − v_l",
        s + k,
        form("volume").formula(k, k, s),
        k,
    )


@cache
def upper() -> Theorem:
    """E TEL(A_random) ≤ M/(M−s−u) · ½ρ(1 + √(v_u/v_l)) · TEL + Σ o, ρ = 2(s+u)/(2s+u+1): at most (1+α⁻¹) TEL + Σ o."""
    v_l, v_u = (form("volume").formula(o, o, s) for o in (l, u))
    proof = against_volumes("A_random in the process", "a-random", "Σ v_i x_i = v_l T_l + Σ g_k T_k")
    proof.nonnegative(
        "o(s+o) ≤ ρ v_o for o ≤ u, ρ = 2(s+u)/(2s+u+1) < 2: A_random's form is at most ρ (Σ x)(Σ v_i x_i)",
        over_volume(),
        s >= 0,
        m >= 1,
        u >= m,
    )
    proof.add(*squares.of_means("v_l", "v_u"))
    proof.therefore(
        r"(\textstyle\sum x)(\sum v_ix_i) \le \tfrac12\bigl(1+\sqrt{v_u/v_\ell}\bigr)\,\text{volume}(x)",
        "with T_l = 1 K volume(x) less the left side is Σ g_k K (T_k − 1/(2K))² ≥ 0, K the factor on the right: what the squares leave is "
        "(K−1) v_l − (v_u−v_l)/(4K) = 0, as the g_k sum to v_u − v_l",
    )
    proof.nonnegative("v_u/v_l ≤ (u/l)²", u**2 * v_l - l**2 * v_u, s >= 0, l >= 1, u >= l)
    return proof.therefore(
        r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}}) \le \tfrac{M}{M-s-u}\,\tfrac{s+u}{2s+u+1}"
        r"\bigl(1+\sqrt{v_u/v_\ell}\bigr)\,\mathrm{TEL} + \textstyle\sum_i o_i \le "
        r"\bigl(\tfrac{M}{M-s-u}(1+\alpha^{-1}) + 1\bigr)\mathrm{TEL}"
    ).qed()


@cache
def volumes_before() -> Theorem:
    """A_random has completed the first k requests u instants after the k-th starts: Σ v_σ(j) ≤ M (p_σ(k) + u)."""

    def early(s: int, memory: int, start: int, length: int, before: list[int]) -> bool:
        return sum(o * s + o * (o + 1) // 2 for o in (*before, length)) > memory * (start + 5)

    proof = Proof(
        "volumes before a start", "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, order and M ≥ s + u"
    )
    return proof.argued(
        r"\textstyle\sum_{j\le k} v_{\sigma(j)} \le M\,(p_{\sigma(k)} + u)",
        "A_random starts its requests in their order, so that u instants after the k-th has started the first k have ended; "
        "until then no more than M tokens were held at each instant",
        test=lambda: _each_start("a-random", early),
        tested=SMALL,
    ).qed()


@cache
def less_memory(factor: Any = None) -> Theorem:
    """TEL(A_random, βM) ≤ ρM/(βM−s−u) · (TEL(A_random, M) + n u), ρ = 2(s+u)/(2s+u+1), for every permutation.

    ``factor`` in s and u stands in the place of ρ.
    """
    rho = 2 * (s + u) / (2 * s + u + 1) if factor is None else factor
    volume = form("volume").formula(m, m, s)
    proof = Proof(
        "A_random with less memory",
        "every s ≥ 0 and u ≥ 1, all lengths at most u, every n, order σ and 0 < β ≤ 1 with βM > s + u; p are the starts at M, p' those "
        "at βM, v_o = so + o(o+1)/2, ρ = 2(s+u)/(2s+u+1)",
        rf"\mathrm{{TEL}}(\mathcal A_{{\mathrm{{random}}}}, \beta M) \le \tfrac{{\rho M}}{{\beta M-s-u}}\,"
        rf"\bigl(\mathrm{{TEL}}(\mathcal A_{{\mathrm{{random}}}}, M) + nu\bigr),\quad \rho = {latex(rho)}",
    )
    proof.cite(starts("a-random"), volumes_before())
    proof.nonnegative("o(s+o) ≤ ρ v_o for o ≤ u", rho * volume - m * (s + m), s >= 0, m >= 1, u >= m)
    proof.therefore(
        r"p'_{\sigma(k)} \le \tfrac{\rho M}{\beta M-s-u}\,(p_{\sigma(k)} + u)",
        "the starts of a-random at βM, o(s+o) ≤ ρ v_o for each request before the k-th, and volumes before a start at M",
    )
    proof.nonnegative("ρ ≥ 1, so that ρM/(βM−s−u) ≥ 1", rho - 1, s >= 0, u >= 1)
    return proof.therefore(
        r"\mathrm{TEL}(\mathcal A_{\mathrm{random}}, \beta M) \le \tfrac{\rho M}{\beta M-s-u}\,"
        r"\bigl(\mathrm{TEL}(\mathcal A_{\mathrm{random}}, M) + nu\bigr)",
        "the sum over all requests, and ρM/(βM−s−u) ≥ 1 times the sum of all lengths",
    ).qed()


def _room(*, skip: bool = True) -> str | None:
    """Return the first small run in which a request could start earlier, at any instant; ``skip``: the queue passes over."""
    for lengths, prompt, capacity in small_instances(dict.fromkeys((2, 3), (1, 2, 4)), (0, 1, 3)):
        for order in permutations(range(len(lengths))):
            starts = literal.queue(order, lengths, lengths, prompt, capacity, skip=skip)
            for request, start in enumerate(starts):
                for to in range(start):
                    if literal.feasible([*starts[:request], to, *starts[request + 1 :]], lengths, prompt, capacity):
                        return (
                            f"o = {lengths}, s = {prompt}, M = {capacity}, order {order}: {request} can start at {to}"
                        )
    return None


@cache
def packed_by_passing() -> Theorem:
    """A queue that passes over what does not fit leaves no room in which a request could start earlier."""
    proof = Proof(
        "a queue that passes over is packed",
        "every s, all lengths, which the queue knows, every order and M that holds each request alone; at each instant every request "
        "that waits is tried in the order, and starts if it fits",
    )
    return proof.argued(
        r"\text{with } i \text{ moved to any } k < p_i \text{ the memory is exceeded}",
        "at k request i waited and was refused: at some later instant i, what ran at k and what the queue had admitted at k before i "
        "need more than M. All these hold in the schedule what they were counted with, as nobody is cancelled and lengths are known; "
        "so the schedule with i moved to k exceeds M there",
        test=_room,
        tested="every instance of 2 or 3 lengths in {1, 2, 4}, s in {0, 1, 3}, every M, every order, request and earlier instant",
    ).qed()


def _out_of_order() -> str | None:
    for lengths, prompt, capacity in small_instances(dict.fromkeys((2, 3), (1, 2, 4)), (0, 1, 3)):
        for order in permutations(range(len(lengths))):
            starts = simulate("a-random", lengths, capacity, prompt, order=order).schedule.starts
            queue = [starts[request] for request in order]
            if queue != sorted(queue):
                return f"o = {lengths}, s = {prompt}, M = {capacity}, order {order}: starts {queue}"
    return None


@cache
def order_kept() -> Theorem:
    """Schedules of A_random with the same permutation at two memories preserve the corresponding order."""
    proof = Proof(
        "the order of a queue",
        "every s, all lengths, every permutation σ and all M and βM that hold each request alone",
        r"p_{\sigma(1)} \le p_{\sigma(2)} \le \dots \le p_{\sigma(n)} \text{ at } M \text{ and at } \beta M",
    )
    proof.argued(
        r"p_{\sigma(k)} \le p_{\sigma(k+1)}",
        "admission goes along σ and stops at the first request that does not fit, and nobody is cancelled, so that those "
        "that have started are always the first ones of σ",
        test=_out_of_order,
        tested="every instance of 2 or 3 lengths in {1, 2, 4}, s in {0, 1, 3}, every M and every order",
    )
    return proof.therefore(
        r"p_i < p_j \text{ at } M \Rightarrow i \text{ before } j \text{ in } \sigma \Rightarrow p_i' \le p_j' "
        r"\text{ at } \beta M"
    ).qed()


def _not_alike() -> str | None:
    for length, prompt, count in ((1, 0, 7), (2, 1, 6), (3, 2, 5), (5, 0, 9)):
        for capacity in range(prompt + length, count * (prompt + length) + 1):
            best, *others = (
                simulate(policy, [length] * count, capacity, prompt, l=length, u=length, order=range(count))
                for policy in ("h-sf", "a-max", "a-random")
            )
            if any(sorted(run.schedule.starts) != sorted(best.schedule.starts) for run in others):
                return f"{count} lengths {length}, s = {prompt}, M = {capacity}"
    return None


@cache
def equal_lengths() -> Theorem:
    """At l = u the schedules of A_max, A_random and H-SF are the same."""
    proof = Proof("equal lengths", "every s ≥ 0 and l = u, every n and M ≥ s + u")
    return proof.argued(
        r"\mathrm{TEL}(\mathcal A_{\max}) = \mathrm{TEL}(\mathcal A_{\mathrm{random}}) = \mathrm{TEL}(\text{H-SF})",
        "all requests have the same length, which is the one that A_max reserves for: every order is by increasing length",
        test=_not_alike,
        tested="5 to 9 requests of length 1, 2, 3 or 5, s in {0, 1, 2}, every M",
    ).qed()

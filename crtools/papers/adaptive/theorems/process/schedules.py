"""What holds of every schedule, or of all that are packed: volumes, idle machines, exchanges of two requests.

A request occupies v_i = s·o_i + o_i(o_i+1)/2 token-instants; the first k completions need the k smallest of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations_with_replacement, permutations
from typing import Any

import sympy as sp

from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import l
from crtools.proof.theorem import Theorem
from crtools.schedule import volume

n = sp.Symbol("n", positive=True)
SmallInstance = tuple[tuple[int, ...], int, int]
"""Lengths, s and M."""


def small_instances(
    allowed: Mapping[int, Sequence[int]], prompts: Sequence[int], least: int = 0, step: int = 1
) -> Iterator[SmallInstance]:
    """Iterate over the instances on which arguments are tested: so many lengths of those ``allowed`` for their number.

    M goes from s + ``least`` (s and the largest length unless given) in steps to what holds all requests at once.
    """
    for count, lengths_allowed in allowed.items():
        for lengths in combinations_with_replacement(lengths_allowed, count):
            for s in prompts:
                for memory in range(s + (least or lengths[-1]), sum(s + o for o in lengths) + step, step):
                    yield lengths, s, memory


E_I, E_J, O_I, O_J = sp.symbols("E_i E_j oi oj")


def _work(factor: int = 1) -> str | None:
    for lengths, prompt, memory in small_instances({3: (1, 2, 4), 4: (1, 4)}, (0, 2), step=2):
        for policy in ("h-sf", "a-max", "a-random", "a-min-literal"):
            ends = sorted(simulate(policy, lengths, memory, prompt).schedule.completions)
            needed = accumulate(sorted(volume(prompt, o) for o in lengths))
            if any(memory * int(end) < factor * work for end, work in zip(ends, needed, strict=True)):
                return f"{policy}, o = {lengths}, s = {prompt}, M = {memory}: completions {ends}"
    return None


@cache
def by_volumes() -> Theorem:
    """TEL ≥ n²/(2M)·volume(x), of every schedule, at every n and M."""
    v, rank = sp.symbols("v i", positive=True)
    proof = Proof("every schedule by volumes", "every s ≥ 0, n, M and lengths; every schedule, also with cancellation")
    proof.argued(
        r"C_{(k)} \ge \tfrac1M \textstyle\sum_{i \le k} v_{(i)}",
        "a request that completes has held s + 1, …, s + o tokens at o instants, v token-instants; the first k to complete have "
        "held the k smallest volumes at least, and an instant has M",
        test=_work,
        tested="every instance of 3 lengths in {1, 2, 4} or 4 in {1, 4}, s in {0, 2}, every second M, four policies",
        name="work",
    )
    proof.identity(
        "Σ_i v_(i)(n−i+1) − ½ Σ_ij min(v_i, v_j) = ½ Σ_i v_i ≥ 0: the term of the i-th smallest",
        v * (n - rank + 1) - v * (2 * (n - rank) + 1) / 2,
        v / 2,
    )
    return proof.therefore(
        r"\mathrm{TEL} \ge \tfrac{n^2}{2M}\,\text{volume}(x),\quad \mathrm{TEL} \ge \textstyle\sum_i o_i"
    ).qed()


@cache
def shorter_holds_less() -> Theorem:
    """A shorter request never holds more memory than a longer one that started with it."""
    s, x = sp.symbols("s x", nonnegative=True)
    proof = Proof(
        "shorter requests",
        "every s ≥ 0; two requests that start together",
        "where $o_i ≤ o_j$, $i$ holds at most what $j$ holds",
    )
    text = "a request of age x holds s + x ≥ 0 tokens, so one that ends sooner never holds more"
    return proof.nonnegative(text, s + x, (s, 0), (x, 0)).qed()


def _packed(times: int | Fraction = 2) -> str | None:
    for lengths, prompt, memory in small_instances({3: (1, 2, 4)}, (0, 2)):
        for order in permutations(range(len(lengths))):
            plan = simulate("a-random", lengths, memory, prompt, order=order).schedule
            if plan.optimally_packed(memory) and plan.makespan > times * sum(lengths):
                return f"o = {lengths}, s = {prompt}, M = {memory}, order {order}: ends at {plan.makespan}"
    return None


def busy(factor: Any) -> Theorem:
    """A packed schedule ends by 2 Σ o_j, so that TEL' ≤ 2n Σ o_j ≤ 2n TEL; the factor, a formula of n, is at least 2n."""
    s, x, o = sp.symbols("s x o", nonnegative=True)
    proof = Proof(
        "packed schedules are not idle for long",
        "every feasible, optimally packed I', every feasible I; the factor is at least 2n for every n ≥ 1",
        r"\mathrm{TEL}(I') \le 2n \sum_j o_j \le 2n\,\mathrm{TEL}(I)",
    )
    text = "a request of age x ≤ o holds s + x ≤ s + o ≤ βM tokens, so it fits on an empty machine"
    proof.nonnegative(text, (s + o) - (s + x), (s, 0), (x, 0), (o, x))
    proof.argued(
        r"L_i' \le \textstyle\sum_j o_j + \sum_j o_j",
        "before a batch the machine is empty for less than the shortest o_i of that batch, as i could run there else; so it is "
        "busy for at most Σ o_j and empty for at most Σ o_j",
        test=_packed,
        tested="what is optimally packed of all orders of 3 lengths in {1, 2, 4}, s in {0, 2}, every M",
        name="empty",
    )
    return proof.nonnegative("factor ≥ 2n", factor - 2 * n, (n, 1)).qed()


# ---- Theorem 4's proof: exchanging two requests ------------------------------------------------------------------


def positive_ratios() -> Theorem:
    """CR(π) ≥ 0."""
    proof = Proof("ratios are positive", "every policy", r"\mathrm{CR}(\pi) \ge 0")
    return proof.positive("total latencies are positive", l, l >= 1).qed()


def conditional_means() -> Theorem:
    """E[o | o ≥ a] does not decrease with a."""
    a, b, low_mean, gap = sp.symbols("A B m g")
    proof = Proof(
        "conditional means",
        "every law; A = P(a' ≤ o < a) and B = P(o ≥ a) > 0, means m below and m + g above, g ≥ 0",
        r"\mathbb E[o \mid o \ge a] \text{ does not decrease with } a",
    )
    difference = (low_mean + gap) - (a * low_mean + b * (low_mean + gap)) / (a + b)
    return proof.nonnegative("", difference, a >= 0, b >= sp.Rational(1, 10**9), low_mean >= 1, gap >= 0).qed()


def second_exchange(claimed: Any) -> Theorem:
    """The latency difference of the second exchange is ``claimed``, in oi and oj for õ_i and õ_j."""
    shown = rf"((E_j - \tilde o_j) + E_i) - ((E_i - \tilde o_i) + E_j) = {sp.latex(claimed)}"
    proof = Proof("the second exchange", "all values", shown)
    return proof.identity("", ((E_J - O_J) + E_I) - ((E_I - O_I) + E_J), claimed).qed()

"""Kill once at l = 1, then in order: near every schedule on lengths 1 and u, and far from H-SF on lengths 2 and 3.

The policy is one that does not know the lengths. Every request runs for one instant, in random order; those that have
not completed are killed. When all have had their turn, the rest is run as A_max does: in the order, each to its end,
counted with u. So it says that a worst case need not be attained at the ends of an interval, in the limit either.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import ceil

import sympy as sp

from crtools.papers.adaptive.bounds.two_lengths import value_of
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theorems.process.h_sf import by_peaks
from crtools.papers.adaptive.theorems.process.schedules import by_volumes, small_instances
from crtools.proof.builder import Proof
from crtools.proof.symbols import s, u
from crtools.proof.theorem import Theorem

x, y = sp.symbols("x y", positive=True)
HALF = sp.Rational(1, 2)
NAME = "kill once at l"


def total(lengths: Sequence[int], order: Sequence[int], s: int, up: int, memory: int) -> int:
    """Return the policy's total latency in an order of the requests; lengths in [1, up], ``memory`` ≥ s + up."""
    batch = memory // (s + 1)
    killed = [request for request in order if lengths[request] > 1]
    first = sum(place // batch + 1 for place, request in enumerate(order) if lengths[request] == 1)
    rest = [lengths[request] for request in killed]
    later = literal.queue(range(len(rest)), [up] * len(rest), rest, s, memory) if rest else []
    return first + sum(start + o for start, o in zip(later, rest, strict=True)) + len(rest) * ceil(len(order) / batch)


def most(shorts: int, longs: int, s: int, up: int, memory: int) -> Fraction:
    """Return an upper bound on E TEL for so many requests of length 1 and of length up."""
    n = shorts + longs
    charged = (s + 1) * (n * (n + longs) + shorts) + up * (s + up) * longs * (longs + 1)
    return Fraction(charged, 2 * (memory - s - up)) + n + up * longs


def least(n: int, s: int, up: int, memory: int) -> Fraction:
    """Return a lower bound on TEL for n requests of any lengths in [2, up]."""
    return Fraction((s + 1) * n * n + (s + up - 1) * n * (n + 1), memory)


def _at_the_ends() -> str | None:
    for up in (2, 3, 5):
        for lengths, prompt, memory in small_instances(dict.fromkeys((1, 2, 3, 4), (1, up)), (0, 1, 3), least=up + 1):
            if wrong := _above(lengths, list(permutations(range(len(lengths)))), prompt, up, memory):
                return wrong
    for up, prompt, longs in product((2, 4), (0, 1), (0, 10, 40)):
        lengths = ([1] * (400 // max(longs, 1)) + [up]) * longs or [1] * 400
        orders = [
            range(len(lengths)),
            range(len(lengths))[::-1],
        ]  # a request's mean place in these is that in all orders
        if wrong := _above(lengths, orders, prompt, up, 10 * (prompt + up)):
            return wrong
    return None


def _above(lengths: Sequence[int], orders: Sequence[Sequence[int]], prompt: int, up: int, memory: int) -> str | None:
    mean = Fraction(sum(total(lengths, order, prompt, up, memory) for order in orders), len(orders))
    if mean <= most(lengths.count(1), lengths.count(up), prompt, up, memory):
        return None
    return f"{len(lengths)} lengths, {lengths.count(up)} of them u = {up}, s = {prompt}, M = {memory}: E TEL {mean}"


def _between() -> str | None:
    for up in (3, 4, 6):
        for lengths, prompt, memory in small_instances(dict.fromkeys((1, 2, 3, 4), (2, 3)), (0, 1, 3), least=up):
            for order in permutations(range(len(lengths))):
                if wrong := _below(lengths, order, prompt, up, memory):
                    return wrong
    for up, prompt, longer in product((4, 6), (0, 1), (0, 10)):
        lengths = [2] * 200 + [3] * longer
        if wrong := _below(lengths, range(len(lengths)), prompt, up, 10 * (prompt + up)):
            return wrong
    return None


def _below(lengths: Sequence[int], order: Sequence[int], prompt: int, up: int, memory: int) -> str | None:
    found = total(lengths, order, prompt, up, memory)
    if found >= least(len(lengths), prompt, up, memory):
        return None
    return f"{len(lengths)} lengths, u = {up}, s = {prompt}, M = {memory}, order {list(order)[:4]}: TEL {found}"


@cache
def theorem() -> Theorem:
    """At most 2 on {1, u}; at least 8(2s+u)/(9s+21) on lengths 2 and 3 in equal shares, more than 2 where u ≥ s + 6."""
    longest = value_of("a-ell", sp.S.One, u, s, x, y)
    volumes = value_of("volume", sp.S.One, u, s, x, y)
    between = value_of("h-sf", sp.Integer(2), sp.Integer(3), s, HALF, HALF)
    ratio = 2 * (2 * s + u) / between
    proof = Proof(
        NAME,
        "l = 1 and every s ≥ 0 and u ≥ s + 6; the policy runs every request for one instant, in random order, kills those that have "
        "not completed, and when all have had their turn runs these in the order, each to its end and counted with u; n → ∞ at every "
        "M, then M → ∞; n_1 and n_u requests of lengths 1 and u",
        r"\limsup \sup_{o \in \{1, u\}^n} \frac{\mathbb E\,\mathrm{TEL}}{\mathrm{TEL}(\text{H-SF})} \le 2 < "
        r"\frac{8(2s+u)}{9s+21} \le \liminf \sup_{o \in [1, u]^n} \frac{\mathbb E\,\mathrm{TEL}}{\mathrm{TEL}(\text{H-SF})}",
    )
    proof.argued(
        r"\mathbb E\,\mathrm{TEL} \le \frac{(s+1)(n(n+n_u) + n_1) + u(s+u)n_u(n_u+1)}{2(M-s-u)} + n + un_u \text{ on } \{1, u\}",
        "B = ⌊M/(s+1)⌋ run at each of the first ⌈n/B⌉ instants, so that the k-th of the order completes at ⌈k/B⌉ if its length is 1; "
        "a request of length 1 stands at (n+1)/2 in the mean. Then the others start ⌊M/(s+u)⌋ at a time, every u instants. "
        "⌊M/w⌋ is at least (M−s−u)/w for w ≤ s + u",
        test=_at_the_ends,
        tested="up to 4 lengths in {1, u}, u in {2, 3, 5}, s in {0, 1, 3}, every M, the mean over every order; 400 and more, u in "
        "{2, 4}, s in {0, 1}, M/(s+u) = 10, an order and its reverse",
        name="ends",
    )
    proof.cite(by_volumes())
    proof.nonnegative(
        "at shares x, y of lengths 1 and u: twice the volume form is at least (s+1)(x+y)(x+2y) + u(s+u)y²",
        2 * volumes - longest,
        s >= 0,
        u >= 2,
        (x, 0),
        (y, 0),
    )
    proof.therefore(
        r"\sup_{o \in \{1, u\}^n} \frac{\mathbb E\,\mathrm{TEL}}{\mathrm{TEL}(\text{H-SF})} \le \frac{2M}{M-s-u} + O(M/n)",
        "the volume form is at least (s+1) n² at all such lengths, and what is left of the first bound is O(n) at each M",
    )
    proof.argued(
        r"\mathrm{TEL} \ge \frac{(s+1)n^2 + (s+u-1)n(n+1)}{M} \text{ where all lengths are at least 2}",
        "none completes in the first ⌈n/B⌉ ≥ n(s+1)/M instants. After these, a request of age 0 or 1 at t counts with s + u − 1 at least "
        "at t + u − 1, as it may not have completed by then; so at most M/(s+u−1) have such ages, each has them for two instants, and in "
        "t more instants at most tM/(2(s+u−1)) complete",
        test=_between,
        tested="up to 4 lengths in {2, 3}, u in {3, 4, 6}, s in {0, 1, 3}, every M and every order; 200 lengths 2 and up to 10 "
        "lengths 3, u in {4, 6}, s in {0, 1}, M/(s+u) = 10",
        name="between",
    )
    proof.cite(by_peaks())
    proof.identity("H-SF's form on lengths 2 and 3 in equal shares", between, (9 * s + 21) / sp.Integer(4))
    proof.positive("2(2s+u) over it is more than 2", ratio - 2, s >= 0, u >= s + 6)
    return proof.therefore(
        r"2 < \frac{8(2s+u)}{9s+21} \le \liminf \sup_{o \in [1, u]^n} \frac{\mathbb E\,\mathrm{TEL}}{\mathrm{TEL}(\text{H-SF})}",
        "the lengths 2 and 3 lie in [1, u]; the quotient has no bound as u grows",
    ).qed()

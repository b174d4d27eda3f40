"""H-SF in the discrete process from below: its starts fall into generations, and each leaves some memory unused.

Where at least two requests start at one instant t > 0, many have just completed. So such starts lie in windows W_g =
[a_g, a_g + λ_g − l], a_{g+1} = a_g + λ_g, λ_g the first length in W_g, and those of one window run together during the last l
instants before a_{g+1}. There memory is unused: H-SF is at least as slow as if a request of length k took

    c_k = v_k + l(l−1)/2,    v_k = sk + k(k+1)/2,

token-instants of a full memory. ``staggered`` has instances that need no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, permutations
from math import ceil
from typing import Any, NamedTuple

import sympy as sp

from crtools.papers.adaptive.theorems.form import squares
from crtools.papers.adaptive.theorems.process import a_random, staggered
from crtools.papers.adaptive.theorems.process.schedules import by_volumes, small_instances
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.symbols import k, l, m, r, s, u
from crtools.proof.theorem import Theorem
from crtools.schedule import volume

MANY = "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M ≥ (s+u+1)³"
LIMIT = "every s ≥ 0 and l ≤ u, all lengths in [l, u], n/M → ∞ and then M → ∞; of the discrete process, against H-SF"


def charge(k: Any, s: Any, l: Any) -> Any:
    """Return c_k, the token-instants that a request of length k costs H-SF at least."""
    return volume(s, k) + volume(0, l - 1)


# ---- A_max in slots ------------------------------------------------------------------------------------------------


def list_starts(lengths: Sequence[int], machines: int) -> list[int]:
    """Return when list scheduling on so many machines starts the jobs, in their order."""
    free, starts = [0] * machines, list[int]()
    for length in lengths:
        first = free.index(min(free))
        starts.append(free[first])
        free[first] += length
    return starts


def _in_slots(factor: int = 1) -> str | None:
    for lengths, prompt, memory in small_instances({3: (1, 2, 4), 4: (1, 4)}, (0, 2), least=4, step=2):
        top = max(lengths)
        for order in permutations(range(len(lengths))):
            starts = simulate("a-max", lengths, memory, prompt, l=1, u=top, order=order).schedule.starts
            slots = list_starts([lengths[i] for i in order], factor * (memory // (prompt + top)))
            if any(starts[i] > slot for i, slot in zip(order, slots, strict=True)):
                return f"o = {lengths}, s = {prompt}, M = {memory}, order {order}: starts {list(starts)}, slots {slots}"
    return None


def _mean_of_slots(factor: int = 1) -> str | None:
    for lengths in ((1, 1, 4, 4, 2), (1, 3, 3, 5), (1, 2, 3, 4, 5, 6)):
        for machines in (1, 2, 3, 4):
            orders = list(permutations(lengths))
            total = sum(sum(list_starts(order, machines)) + sum(order) for order in orders)
            most = Fraction(sum(lengths), len(lengths)) * sum(
                ceil(Fraction(i + 1, factor * machines)) for i in range(len(lengths))
            )
            if total > most * len(orders):
                return f"{lengths} on {machines} machines: {total} over {len(orders)} orders, bound {most}"
    return None


@cache
def slots() -> Theorem:
    """E TEL(A_max) ≤ m̄ Σ_{k≤n} ⌈k/N⌉ with N = ⌊M/(s+u)⌋ and m̄ the mean length."""
    proof = Proof(
        "A_max in slots", "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M ≥ s + u; E over the permutation"
    )
    proof.argued(
        r"p_{\sigma(k)} \le q_k, \text{ the starts of list scheduling in the order } \sigma \text{ on } N \text{ machines}",
        "by induction on k. At q_k fewer than N of the first k−1 still run on the machines, so under A_max too, as they "
        "started no later there. Each request counts with at most s+u at any instant, so where fewer than N run the head of "
        "the queue fits: A_max has started the first k by q_k",
        test=_in_slots,
        tested="every instance of 3 lengths in {1, 2, 4} or 4 in {1, 4}, s in {0, 2}, every second M, every order",
        name="slots",
    )
    proof.argued(
        r"\mathbb E \textstyle\sum_k (q_k + o_{\sigma(k)}) \le \bar m \sum_{k \le n} \lceil k/N \rceil",
        "after bN jobs the machines' loads sum to the lengths of these, on average bN m̄; the r-th of the next N jobs starts no later "
        "than the r-th smallest of these loads, as only r − 1 machines have got another job. So N of them start by b m̄ on average, "
        "and the first few of them too, with the smallest loads",
        test=_mean_of_slots,
        tested="three lists of 4 to 6 lengths on 1 to 4 machines, the mean over every order",
        name="mean",
    )
    return proof.therefore(
        r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\max}) \le \bar m \sum_{k=1}^{n} \lceil k/N \rceil,\quad "
        r"N = \lfloor M/(s+u) \rfloor"
    ).qed()


# ---- generations of H-SF -------------------------------------------------------------------------------------------


class Run(NamedTuple):
    """A run of H-SF: lengths in order, s, M, and the starts."""

    lengths: list[int]
    s: int
    memory: int
    starts: list[int]

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest length."""
        return self.lengths[0], self.lengths[-1]


@cache
def runs() -> list[Run]:
    """Return the runs on which the arguments are tested, at M from (s+u+1)³ on."""
    found: list[Run] = []
    for prompt, low, up in ((0, 2, 2), (0, 2, 3), (0, 3, 3), (1, 2, 3), (0, 1, 3), (1, 3, 4)):
        least = (prompt + up + 1) ** 3
        out_of_step = staggered.family(prompt, low, up, -(-least // staggered.unit(prompt, low, up)), 12)
        mixed = [low + (7 * i) % (up - low + 1) for i in range(8 * least)]
        for lengths, memory in (
            (out_of_step.lengths, out_of_step.memory),
            ([low] * 10 + [up] * (8 * least), least),
            ([low] * (4 * least) + [up] * (4 * least), least + 5),
            (sorted(mixed), least + 1),
        ):
            starts = simulate("h-sf", lengths, memory, prompt, engine="fast").schedule.starts
            found.append(Run(lengths, prompt, memory, [int(start) for start in starts]))
    return found


def _one_or_many(factor: int = 1) -> str | None:
    for lengths, prompt, memory, starts in runs():
        for t in (t for t, count in Counter(starts).items() if t > 0 and count > 1):
            running = sum(start < t <= start + o for start, o in zip(starts, lengths, strict=True))
            done = sum(start + o == t for start, o in zip(starts, lengths, strict=True))
            if done * (prompt + lengths[-1] + 1) < factor * (running + 2):
                return f"s = {prompt}, M = {memory}, n = {len(lengths)}: {done} of {running} complete at {t}"
    return None


def _charged(factor: int = 1) -> str | None:
    for run in runs():
        (low, up), prompt, memory = run.ends, run.s, run.memory
        lost = volume(0, low - 1)
        error = Fraction(memory * (volume(prompt, up) + lost), prompt + 1) + low * up * (prompt + up)
        charges = accumulate((charge(o, prompt, low) + (factor - 1) * lost for o in run.lengths), initial=0)
        for start, before in zip(run.starts, charges, strict=False):
            if (memory + lost + up * (prompt + up)) * start < before - error:
                return f"s = {prompt}, [{low}, {up}], M = {memory}, n = {len(run.starts)}: a start at {start}"
    return None


def earliest(rank: int, size: Fraction, lengths: Sequence[int]) -> int:
    """Return p_k's lower bound ℓ[z>1] + Σ_{2≤i<z} o(z−i), z = k/K, for the rank k (from 1) and generations of at most K."""
    place = rank / size
    earlier = (ceil((place - i) * size) for i in range(2, ceil(place)))
    return (lengths[0] if place > 1 else 0) + sum(lengths[first - 1] for first in earlier)


def _late(factor: int = 1) -> str | None:
    for run in runs():
        (low, up), prompt = run.ends, run.s
        size = (Fraction(run.memory, prompt + low) + up) / factor
        for rank, start in enumerate(run.starts, start=1):
            if start < earliest(rank, size, run.lengths):
                return f"s = {prompt}, [{low}, {up}], M = {run.memory}: request {rank} starts at {start}"
    return None


TESTED = "(s, l, u) in (0, 2, 2), (0, 2, 3), (0, 3, 3), (1, 2, 3), (0, 1, 3), (1, 3, 4), four lists of thousands of lengths each"


@cache
def generations() -> Theorem:
    """M p_k ≥ Σ_{j<k} c_j up to errors, and p_k is at least the sum of earlier lengths, one in each generation."""
    held, done, tau, j = sp.symbols("R C tau j", positive=True)
    proof = Proof("generations of H-SF", f"{MANY}; of the discrete process, requests in the order of their lengths")
    proof.identity(
        "let two or more start at t > 0. The first of them, the queue's head, was refused at t − 1: together with what ran it would have "
        "needed more than M at some t + τ, τ ≥ 0, of which s + τ + 1 itself. The two are no shorter than that and hold 2(s+τ) there, "
        "which does fit; so 2(s+τ) < s + τ + 1",
        2 * (s + tau) - (s + tau + 1),
        s + tau - 1,
    )
    proof.nonnegative("that cannot be where τ ≥ 1: so τ = 0", s + tau - 1, s >= 0, (tau, 1))
    proof.identity(
        "so it was for t itself that the head, which would have held s + 1 there, was refused: R requests run up to t and hold at least "
        "M − s there. C of them complete and free at most s + u each, R − C hold one more at t + 1, and beside the two that start they "
        "hold at most M − s − 2 there: C(s+u) − (R−C) ≥ 2",
        done * (s + u) - (held - done),
        done * (s + u + 1) - held,
    )
    proof.positive(
        "each of the R holds at most s + u, so R ≥ (M−s)/(s+u), and C ≥ (R+2)/(s+u+1) is above u for M ≥ (s+u+1)³",
        ((s + u + 1) ** 3 - s) / (s + u) + 2 - u * (s + u + 1),
        s >= 0,
        u >= 1,
    )
    proof.argued(
        r"\text{at an instant } t > 0 \text{ one request starts, or } C \ge \tfrac{R+2}{s+u+1} > u \text{ of } R \text{ complete}",
        "by the four steps before, where two or more start. (A head of length 1 is refused for t alone, and all that run complete.)",
        test=_one_or_many,
        tested=TESTED,
        name="one or many",
    )
    proof.argued(
        r"\text{two or more start at one instant only in windows } W_g = [a_g, a_g + \lambda_g - l],\ a_0 = 0,\ "
        r"a_{g+1} = a_g + \lambda_g;\quad p_k \ge \ell\,[z>1] + \sum_{i=2}^{\lceil z\rceil-1} o(z-i),\ z = k/K,\ "
        r"K = \tfrac{M}{s+l} + u",
        "more than u complete at t, so two or more of them started at one instant t − λ, by induction in a window W_g, with g's "
        "first length λ_g ≤ λ ≤ its last: t lies in [a_{g+1}, a_{g+1} + λ − l], and the next window's first length is no less than λ. "
        "Those that start in W_g all run at a_{g+1}, at ages ≥ l: at most M/(s+l), and at most u others start one by one before "
        "a_{g+1}. So a generation has at most K requests, and the k-th is preceded by ⌈z⌉ − 1 generations or more: the first "
        "takes l or more, the (i−1)-th before the k-th's own begins after place z − i; o(x) is the length at place xK. (Where nobody "
        "starts in a window, all that follow start one by one, which is slower, as K ≥ u.)",
        test=_late,
        tested=TESTED,
        name="windows",
    )
    proof.telescoping(
        "a generation's requests hold j tokens less each at a_{g+1} − j, j < l: l(l−1)/2 in all", j, j * (j + 1) / 2, j
    )
    proof.argued(
        r"\bigl(M + \tfrac{l(l-1)}2 + u(s+u)\bigr)\,p_k \ge \sum_{j<k} c_j - \tfrac{M}{s+1}\bigl(v_u + \tfrac{l(l-1)}2\bigr) - lu(s+u)",
        "during the last l instants before a_{g+1} those of W_g all run, those of W_{g−1} have ended, and at most u others, which "
        "started one by one, run too, each with at most s+u tokens. So at least N_g l(l−1)/2 − l u (s+u) token-instants are unused "
        "there, N_g the number that started in W_g. By p_k there are at most p_k/l + 1 windows, p_k others, and at "
        "most M/(s+1) requests run or belong to a window whose last instants are not over",
        test=_charged,
        tested=TESTED,
        name="charged",
    )
    return proof.therefore(
        r"\liminf \tfrac{2M}{n^2}\mathrm{TEL}(\text{H-SF}) \ge \textstyle\sum_{i,j} \min(c_i, c_j)\, x_i x_j,\quad "
        r"c_k = v_k + \tfrac{l(l-1)}2",
        "TEL is at least the sum of all starts p_k. In the order of the lengths the sum over k of Σ_{j<k} c_j is half that of "
        "min(c_i, c_j) over all pairs, up to O(n); divided by M + O(1), and with an error of O(M) for each k, as n/M → ∞ and M → ∞",
    ).qed()


# ---- what follows of A_max and A_random ----------------------------------------------------------------------------


def _in_tails(proof: Proof) -> Proof:
    """Σ c_min x_i x_j is diagonal in the tails, with weights l(s+l) and s + k."""
    proof.cite(generations())
    proof.identity("c_l", charge(l, s, l), l * (s + l))
    return proof.identity("c_k − c_{k−1}", charge(k, s, l) - charge(k - 1, s, l), s + k)


@cache
def a_max_in_the_limit() -> Theorem:
    """CR(A_max) ≤ (s+u)/(2(s+l)) (1 + √(1 + (s+l)S/l)) ≤ ½ y (1 + √y), S = Σ 1/(s+k), y = u/l."""
    c = s + u
    proof = _in_tails(Proof("A_max against H-SF's generations", LIMIT).cite(slots()))
    shown = "a = l(s+l), S = Σ_{l<k≤u} 1/(s+k), r² = 1 + (s+l)S/l and K = c (1+r)/(2(s+l))"
    proof.add(*squares.weighted("g", c, l * (s + l), shown))
    proof.nonnegative(
        "S ≤ (u−l)/(s+l+1), so 1 + (s+l)S/l ≤ u/l",
        (u / l - 1) - (s + l) / l * (u - l) / (s + l + 1),
        *(s >= 0, l >= 1, u >= l),
    )
    proof.nonnegative("(s+u)/(s+l) ≤ u/l", u / l - c / (s + l), s >= 0, l >= 1, u >= l)
    return proof.therefore(
        r"\limsup \frac{\mathbb E\,\mathrm{TEL}(\mathcal A_{\max})}{\mathrm{TEL}(\text{H-SF})} \le "
        r"\frac{s+u}{2(s+l)}\Bigl(1+\sqrt{1+\tfrac{s+l}{l}\textstyle\sum_{k=l+1}^{u}\tfrac1{s+k}}\Bigr) \le "
        r"\tfrac12\alpha^{-1}(1+\alpha^{-1/2})"
    ).qed()


@cache
def a_random_in_the_limit() -> Theorem:
    """CR(A_random) ≤ ½(1 + √(1 + Q/(l(s+l)))) < ½(1 + √2/α), Q = Σ (s+2k−1)²/(s+k)."""
    gap, weight, first = s + 2 * k - 1, s + k, l * (s + l)
    proof = _in_tails(Proof("A_random against H-SF's generations", LIMIT).cite(a_random.starts("a-random")))
    proof.telescoping("A_random's form is T_l (a T_l + Σ_{k>l} d_k T_k), a = l(s+l), d_k = s+2k−1", gap, k * (s + k), k)
    proof.add(squares.square("K (s+k) T² − d_k T + d_k²/(4K(s+k)) is a square", weight, gap))
    proof.identity(
        "with r² = 1 + Q/a and K = ½(1+r): K a − a − Q/(4K) = 0",
        (1 + r) / 2 * first - first - (r**2 - 1) * first / (2 * (1 + r)),
        0,
    )
    proof.nonnegative("d_k²/(s+k) ≤ 2 d_k, and Σ d_k = u(s+u) − l(s+l)", 2 * weight - gap, s >= 0, k >= 1)
    proof.nonnegative("u(s+u)/(l(s+l)) ≤ (u/l)²", u**2 * first - l**2 * u * (s + u), s >= 0, l >= 1, u >= l)
    return proof.therefore(
        r"\limsup \frac{\mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}})}{\mathrm{TEL}(\text{H-SF})} \le "
        r"\tfrac12\Bigl(1+\sqrt{1+\tfrac{1}{l(s+l)}\textstyle\sum_{k=l+1}^{u}\tfrac{(s+2k-1)^2}{s+k}}\Bigr) \le "
        r"\tfrac12\bigl(1+\sqrt{2\alpha^{-2}-1}\bigr)"
    ).qed()


@cache
def a_max_at_every_n() -> Theorem:
    """E TEL(A_max) ≤ (M + u(s+l))/(M − s − u) · ½ α⁻¹(1 + α⁻¹) · TEL(H-SF) at every n, for M ≥ (s+u+1)³."""
    b, y, g, x = sp.symbols("b y G x", positive=True)
    f, z, memory, size = sp.symbols("f z M K", positive=True)
    place, cost = b + f, (b + 1) * (b + 2 * f) / 2
    below_one = {f: x / (1 + x)}  # 0 ≤ f < 1 as x ≥ 0
    proof = Proof("Amax in the process", MANY + "; E over the permutation, against H-SF")
    proof.cite(slots(), generations(), by_volumes())
    text = "Σ_{k≤n} ⌈k/N⌉ = N h(n/N), h(b+f) = (b+1)(b+2f)/2 for integers b and 0 ≤ f < 1"
    proof.identity(text, size * b * (b + 1) / 2 + (b + 1) * f * size, size * cost)
    proof.identity(
        "h(z)/z² decreases on [b, b+1], so that N h(n/N) ≤ (K/N) K h(n/K) for K ≥ N",
        sp.diff((b + 1) * (z - b / 2) / z**2, z),
        (b + 1) * (b - z) / z**3,
    )
    proof.identity(
        "with K = M/(s+l) + u and N ≥ M/(s+u) − 1 the factor K/N",
        (memory / (s + l) + u) / (memory / (s + u) - 1),
        (s + u) / (s + l) * (memory + u * (s + l)) / (memory - s - u),
        s >= 0,
        l >= 1,
        u >= l,
        Bound(memory, s + u, strict=True),
    )
    proof.nonnegative("(s+u)/(s+l) ≤ y = u/l", u / l - (s + u) / (s + l), s >= 0, l >= 1, u >= l)
    proof.therefore(
        r"\mathrm{TEL}(\text{H-SF}) \ge K(\bar m\nu + H),\quad H = \ell(\nu-1)^+ + \int_0^{\nu-2} o(t)\,(\lfloor\nu-t\rfloor-1)\,dt,"
        r"\quad \nu = n/K",
        "each bound on p_k is at least K times the integral of the bounds over ((k−1)/K, k/K], as they do not decrease with k",
    )
    proof.therefore(
        r"\text{it suffices that } \bar m\,h(\nu) \le \tfrac12(1+y)(\bar m\nu+H) \text{ for } o = \ell \text{ up to } \nu-r"
        r"\text{, then } u",
        "by the bounds on both totals it suffices for the function o of the lengths, which increases from l to u on [0, ν]. Both sides are "
        "linear in it, and it is a mixture of functions that are l up to a place ν − r and u from there on. (For ν < 1 h(ν) = ν.)",
    )
    proof.induction(
        "G(r) = ∫ max(⌊x⌋, 1) dx over [0, r] is 1 + b(b−1)/2 + b f at r = b + f, b ≥ 1: whole steps; ⌊x⌋ − 1 over [2, r] gives G(r) − r",
        sp.Sum(k, (k, 1, m - 1)),
        m * (m - 1) / 2,
        m,
    )
    proof.identity("so that G(r) = 1 + h(r) − r for r ≥ 1", cost - place, b * (b - 1) / 2 + b * f)
    proof.identity(
        "½(1+y)(m̄ν+H) − m̄h at l = 1: m̄ν = ν + (y−1)r, H = h − ν + (y−1)(G−r)",
        (1 + y) / 2 * (place + (y - 1) * z + cost - place + (y - 1) * (g - z)) - cost * (1 + (y - 1) * z / place),
        (y - 1) * (cost / 2 + (1 + y) / 2 * g - cost * z / place),
        name="two lengths",
    )
    proof.nonnegative("as ½(1+y) ≥ 1, it suffices that ½h + G(r) ≥ h r/ν", (1 + y) / 2 - 1, (y, 1))
    proof.nonnegative(
        "for r = b + f ≥ 1 G(r) ≥ 1 + r(r−1)/2",
        (b * (b - 1) / 2 + b * f - place * (place - 1) / 2).subs(below_one),
        (b, 1),
        (x, 0),
    )
    rate = cost / place
    proof.identity(
        "with this bound on G(r), and q = h/ν, ½h + G(r) − h r/ν is at least a square and what does not depend on r",
        cost / 2 + 1 + z * (z - 1) / 2 - rate * z,
        (z - rate - sp.Rational(1, 2)) ** 2 / 2 + 1 + cost / 2 - (rate + sp.Rational(1, 2)) ** 2 / 2,
    )
    proof.nonnegative(
        "1 + ½h − ½(q+½)², what stands beside the square, at ν = b + f ≥ 1",
        (1 + cost / 2 - (rate + sp.Rational(1, 2)) ** 2 / 2).subs(below_one),
        (b, 1),
        (x, 0),
        name="beside the square",
    )
    proof.nonnegative(
        "for r ≤ 1 G(r) = r, and ½h + r − q r lies between ½h, at r = 0, and its value at r = 1",
        (cost / 2 + 1 - rate).subs(below_one),
        (b, 1),
        (x, 0),
    )
    return proof.therefore(
        r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\max}) \le \tfrac{M+u(s+l)}{M-s-u}\cdot\tfrac12\alpha^{-1}(1+\alpha^{-1})\,"
        r"\mathrm{TEL}(\text{H-SF})",
        "for M < (s+u+1)³ the ratio is at most u M/v_l, as Σ⌈k/N⌉ ≤ n(n+1)/2: a constant, which O(1/M) allows",
    ).qed()

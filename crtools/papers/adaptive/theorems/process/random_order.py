"""A_random and A_max in the discrete process, bounded at every n and M: from above by their forms, and by each other.

Both take requests in a random order and stop at the first that does not fit. While one waits, what runs holds more than
M − (s+u) tokens if each is charged the peak that the policy reserves for it. Against every schedule, by the volume bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.form import squares
from crtools.papers.adaptive.theorems.process.algorithm_two import h_sf_upper
from crtools.papers.adaptive.theorems.process.volume import below_every_schedule, peaks_and_volumes
from crtools.process import simulate
from crtools.proof.steps import Argument, Identity, Inference, Positive, Step, Telescoping
from crtools.proof.symbols import k, l, m, r, s, u
from crtools.proof.theorem import Theorem

S = sp.Symbol("S", positive=True)


def _small() -> Iterator[tuple[tuple[int, ...], int, int]]:
    for count, allowed in ((2, (1, 2, 3, 5)), (3, (1, 2, 5)), (4, (1, 5))):
        for lengths in combinations_with_replacement(allowed, count):
            for prompt in (0, 2):
                for capacity in range(prompt + 6, sum(prompt + o for o in lengths) + 2, 2):
                    yield lengths, prompt, capacity


def _late(policy: str) -> str | None:
    """Return the first small run in which a request starts later than the work before it allows."""
    for lengths, prompt, capacity in _small():
        for order in permutations(range(len(lengths))):
            starts = simulate(policy, lengths, capacity, prompt, l=1, u=5, order=order).schedule.starts
            work = 0
            for request in order:
                if starts[request] * (capacity - prompt - 5) > work:
                    return f"o = {lengths}, s = {prompt}, M = {capacity}, order {order}: start {starts[request]} of {request}"
                o = lengths[request]
                work += o * (prompt + (5 if policy == "a-max" else o))
    return None


def _start(policy: str, peak: str, text: str) -> Step:
    each = peak.replace("o", r"o_{\sigma(j)}")
    return Argument(
        name="starts",
        text=f"while a request waits, the head of the queue is refused: at some later instant what runs and the head, each at most "
        f"its reserved peak, need more than M; so those that run have peaks {peak} of more than M − (s+u) in all. They stand "
        f"before the head, and each runs for o instants, in which it contributes its peak{text}",
        conclusion=rf"(M-s-u)\,p_{{\sigma(k)}} \le \textstyle\sum_{{j<k}} o_{{\sigma(j)}}\,({each})",
        test=lambda: _late(policy),
        tested="every instance of 2 lengths in {1, 2, 3, 5}, 3 in {1, 2, 5} or 4 in {1, 5}, u = 5, s in {0, 2}, every second M, every "
        "order",
    )


def _starts(policy: str, peak: str, text: str) -> tuple[Step, ...]:
    return (
        _start(policy, peak, text),
        Inference(
            name="mean",
            text="each other request stands before a given one in half of all orders",
            conclusion=rf"\mathbb E\,\mathrm{{TEL}} \le \tfrac{{n^2}}{{2(M-s-u)}}\,\text{{{policy}}}(x) + \textstyle\sum_i o_i",
            follows_from=("starts",),
        ),
        *below_every_schedule(),
    )


def _sum_of_g(numerator: str) -> Telescoping:
    """The volume in the tails, with what the words say of the numerator."""
    return Telescoping(
        name="sum of g",
        text=f"{numerator}, volume(x) = v_l T_l² + Σ g_k T_k² with g_k = s + k: Σ_{{l<k≤u}} g_k = v_u − v_l",
        summand=s + k,
        antidifference=form("volume").formula(k, k, s),
        index=k,
    )


@cache
def random_upper() -> Theorem:
    """E TEL(A_random) ≤ M/(M−s−u) · ½ρ(1 + √(v_u/v_l)) · TEL + Σ o, ρ = 2(s+u)/(2s+u+1): at most (1+α⁻¹) TEL + Σ o."""
    v_l, v_u = (form("volume").formula(o, o, s) for o in (l, u))
    steps: tuple[Step, ...] = (
        *_starts("a-random", "s + o", ""),
        peaks_and_volumes(
            "peaks and volumes",
            "o(s+o) ≤ ρ v_o for o ≤ u, ρ = 2(s+u)/(2s+u+1) < 2: A_random's form is at most ρ (Σ x)(Σ v_i x_i)",
        ),
        _sum_of_g("Σ v_i x_i = v_l T_l + Σ g_k T_k"),
        *squares.of_means("v_l", "v_u"),
        Inference(
            name="supremum",
            conclusion=r"(\textstyle\sum x)(\sum v_ix_i) \le \tfrac12\bigl(1+\sqrt{v_u/v_\ell}\bigr)\,\text{volume}(x)",
            follows_from=("sum of g", "square", "constant"),
        ),
        Positive(
            name="at most α⁻²",
            text="v_u/v_l ≤ (u/l)²",
            expr=u**2 * v_l - l**2 * v_u,
            where=((s, 0), (l, 1), (u, l)),
            strict=False,
        ),
        Inference(
            name="ratio",
            conclusion=r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\mathrm{random}}) \le \tfrac{M}{M-s-u}\,\tfrac{s+u}{2s+u+1}"
            r"\bigl(1+\sqrt{v_u/v_\ell}\bigr)\,\mathrm{TEL} + \textstyle\sum_i o_i \le "
            r"\bigl(\tfrac{M}{M-s-u}(1+\alpha^{-1}) + 1\bigr)\mathrm{TEL}",
            follows_from=("mean", "against every schedule", "peaks and volumes", "supremum", "at most α⁻²"),
        ),
    )
    reading = "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M > s + u; against every schedule, also with cancellation"
    return Theorem("A_random in the process", steps[-1].latex(), reading, steps)


def _ones() -> str | None:
    for up in (1, 2, 3, 5):
        for prompt in (0, 1, 3):
            for capacity in range(prompt + up, 4 * (prompt + up) + 2):
                starts = simulate("a-max", [1] * 9, capacity, prompt, l=1, u=up, order=range(9)).schedule.starts
                if list(starts) != [rank // (capacity // (prompt + up)) for rank in range(9)]:
                    return f"u = {up}, s = {prompt}, M = {capacity}: starts {starts}"
    return None


@cache
def max_lower() -> Theorem:
    """liminf TEL(A_max)/TEL(H-SF) ≥ (s+u)/(s+1) where every length is 1, l = 1."""
    memory = sp.Symbol("M", positive=True)
    steps: tuple[Step, ...] = (
        Argument(
            name="ones",
            text="at each instant all have ended; those that start together reserve s + u tokens each at one later instant: "
            "B = ⌊M/(s+u)⌋ start",
            conclusion=r"p_k = \lfloor (k-1)/B \rfloor",
            test=_ones,
            tested="9 requests of length 1, u in {1, 2, 3, 5}, s in {0, 1, 3}, every M",
        ),
        *h_sf_upper().steps,
        Identity(
            name="limit",
            text="1/B over (s+1)/M",
            lhs=1 / (memory / (s + u)) / ((s + 1) / memory),
            rhs=(s + u) / (s + 1),
        ),
        Inference(
            name="ratio",
            conclusion=r"\liminf \frac{\mathrm{TEL}(\mathcal A_{\max})}{\mathrm{TEL}(\text{H-SF})} \ge \frac{s+u}{s+1}",
            follows_from=("ones", "latency", "limit"),
        ),
    )
    reading = "every s ≥ 0 and u ≥ l = 1, all lengths 1, n → ∞ and then M → ∞; of the discrete process"
    return Theorem("A_max on lengths 1", steps[-1].latex(), reading, steps)


@cache
def max_upper() -> Theorem:
    """E TEL(A_max) ≤ M/(M−s−u) · α⁻¹(1+α^(−1/2)) · TEL + Σ o."""
    c = s + u
    v_l = form("volume").formula(l, l, s)
    top = c * l / (2 * v_l) * (1 + r)
    steps: tuple[Step, ...] = (
        *_starts("a-max", "s + u", ", also while it is shorter than that"),
        _sum_of_g("Σ i x_i = l T_l + Σ_{k>l} T_k"),
        squares.weighted("g", c),
        Identity(
            name="constant",
            text="with S = Σ_{l<k≤u} 1/(s+k), r² = 1 + v_l S/l² and K = c l (1+r)/(2 v_l): K v_l − c l − c² S/(4K) = 0",
            lhs=top * v_l - c * l - c**2 * ((r**2 - 1) * l**2 / v_l) / (4 * top),
            rhs=sp.S.Zero,
        ),
        Inference(
            name="supremum",
            conclusion=r"\sup_x \frac{\mathcal A_{\max}}{\text{volume}} = \frac{(s+u)\ell}{2v_\ell}\Bigl(1+\sqrt{1+v_\ell S/\ell^2}\Bigr)",
            follows_from=("sum of g", "square", "constant"),
        ),
        Positive(
            name="the sum S",
            text="S ≤ (u−l)/(s+l+1), so 1 + v_l S/l² ≤ u/l",
            expr=(u / l - 1) - v_l / l**2 * (u - l) / (s + l + 1),
            where=((s, 0), (l, 1), (u, l)),
            strict=False,
        ),
        Positive(
            name="the factor",
            text="(s+u) l/(2 v_l) ≤ u/l",
            expr=u / l - c * l / (2 * v_l),
            where=((s, 0), (l, 1), (u, l)),
        ),
        Inference(
            name="ratio",
            conclusion=r"\mathbb E\,\mathrm{TEL}(\mathcal A_{\max}) \le \tfrac{M}{M-s-u}\,\alpha^{-1}(1+\alpha^{-1/2})\,\mathrm{TEL} "
            r"+ \textstyle\sum_i o_i",
            follows_from=("mean", "against every schedule", "supremum", "the sum S", "the factor"),
        ),
    )
    reading = "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n and M > s + u; against every schedule, also with cancellation"
    return Theorem("A_max in the process", steps[-1].latex(), reading, steps)


def _completes_early() -> str | None:
    for lengths, prompt, capacity in _small():
        for order in permutations(range(len(lengths))):
            starts = simulate("a-random", lengths, capacity, prompt, order=order).schedule.starts
            work = 0
            for request in order:
                o = lengths[request]
                work += o * prompt + o * (o + 1) // 2
                if work > capacity * (starts[request] + 5):
                    return f"o = {lengths}, s = {prompt}, M = {capacity}, order {order}: start {starts[request]} of {request}"
    return None


@cache
def max_below_random() -> Theorem:
    """TEL(A_max, M) ≤ 2 M/(M−s−u) (TEL(A_random, αM) + n u), for every permutation."""
    volume = form("volume").formula(m, m, s)
    steps: tuple[Step, ...] = (
        _start("a-max", "s + u", ", also while it is shorter than that"),
        Argument(
            name="volumes",
            text="A_random starts its requests in their order, so that u instants after the k-th has started the first k have ended; "
            "until then no more than αM tokens were held at each instant",
            conclusion=r"\textstyle\sum_{j\le k} v_{\sigma(j)} \le \alpha M\,(p'_{\sigma(k)} + u)",
            test=_completes_early,
            tested="every instance of 2 lengths in {1, 2, 3, 5}, 3 in {1, 2, 5} or 4 in {1, 5}, u = 5, s in {0, 2}, every second M, every "
            "order",
        ),
        Positive(
            name="slots and volumes",
            text="o(s+u) ≤ 2 α⁻¹ v_o for l ≤ o ≤ u",
            expr=2 * u / l * volume - m * (s + u),
            where=((s, 0), (l, 1), (m, l), (u, m)),
            strict=False,
        ),
        Inference(
            name="each start",
            conclusion=r"p_{\sigma(k)} \le \tfrac{2M}{M-s-u}\,(p'_{\sigma(k)} + u)",
            follows_from=("starts", "volumes", "slots and volumes"),
        ),
        Inference(
            name="totals",
            text="the sum over all requests; 2M/(M−s−u) ≥ 1 times the sum of all lengths",
            conclusion=r"\mathrm{TEL}(\mathcal A_{\max}, M) \le \tfrac{2M}{M-s-u}\,"
            r"\bigl(\mathrm{TEL}(\mathcal A_{\mathrm{random}}, \alpha M) + nu\bigr)",
            follows_from=("each start",),
        ),
    )
    reading = "every s ≥ 0 and l ≤ u, all lengths in [l, u], every n, every M > s + u with αM ≥ s + u, the same permutation for both"
    return Theorem("A_max at M below twice A_random at αM", steps[-1].latex(), reading, steps)


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
    shown = r"\mathrm{TEL}(\mathcal A_{\max}) = \mathrm{TEL}(\mathcal A_{\mathrm{random}}) = \mathrm{TEL}(\text{H-SF})"
    return Theorem(
        "equal lengths",
        shown,
        "every s ≥ 0 and l = u, every n and M ≥ s + u",
        (
            Argument(
                name="alike",
                text="all requests have the same length, which is the one that A_max reserves for: every order is by increasing length",
                conclusion=shown,
                test=_not_alike,
                tested="5 to 9 requests of length 1, 2, 3 or 5, s in {0, 1, 2}, every M",
            ),
        ),
    )

"""In the process, too, a blind policy comes to ρ*: own random offsets, each class of attempts at a pace found by sampling."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from random import Random

import sympy as sp

from crtools.papers.adaptive.theorems.process.schedules import by_volumes
from crtools.papers.beyond.sampled_pace import Class, Pace
from crtools.papers.beyond.theorems import blind_upper
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem, kept
from crtools.schedule import volume


def theorem() -> Theorem:
    """As n → ∞ and then M → ∞ its mean total latency is at most ρ* times the optimum, for all s, l ≤ u."""
    s, k, v, x, y, F, M, D = sp.symbols("s k v x y F M D", positive=True)
    proof = Proof(
        "own offsets at a sampled pace, in the process",
        "every s ≥ 0 and u ≥ ℓ ≥ 1; all lengths in [ℓ, u], fixed before; n → ∞, then M → ∞; the mean over the offsets; against "
        "the optimum, which knows the lengths. Between two neighbours of the points v(c) and b·v(c), ℓ ≤ c ≤ u, all thresholds are "
        "a class: N attempts, all killed at the same c. Of these $⌈N^{2/3}⌉$ run first, in batches; $F$ is the mean of what they "
        "hold. The others start at $g = ⌊(M − D)/F⌋$ an instant, $D = ⌈M^{2/3}⌉$. Where memory would overflow the latest are "
        "cancelled and put aside, A in all, which run in batches at the end of the class",
        r"\lim_{M \to \infty} \limsup_{n \to \infty} \max_{o \in [\ell, u]^n} \frac{\mathbb E\,\mathrm{TEL}}{\mathrm{OPT}} \le \rho^*",
    )
    size = lambda o: o * (2 * s + o + 1) / 2  # noqa: E731
    proof.telescoping("an attempt of o tokens holds v(o) token-instants", s + k, size(k), k, name="volumes")
    proof.positive(
        "v increases: with c = max{c : v(c) ≤ θ} the request is longer than c exactly if v(o) > θ",
        size(k + 1) - size(k),
        (s, 0),
        (k, 0),
        name="longer",
    )
    proof.argued(
        r"\text{an attempt holds at most } \min(v(o), \theta), \text{ and completes if } v(o) \le \theta",
        "so on one machine with sizes v(o), which tries the same thresholds in the same order, it takes at least as much; "
        "to leave out those below v(ℓ), at which none completes, only helps there",
        test=same_attempts,
        tested="120 requests at each of three settings: every attempt that is not put aside",
        name="attempts",
    )
    proof.argued(
        r"\mathbb E F = \text{the class's mean},\quad \mathbb E(\text{held by those ahead of the } p\text{th}) = (p-1)\,\mathbb E F + O(1)",
        "a class holds the requests whose number U is in one interval and that are longer than what was tried before: their "
        "order, that of U, is uniform whatever their lengths",
        test=exchangeable,
        tested="all orders of every 4 lengths in {1, 2, 5}; and lengths exchanged within the classes of 60 requests",
        name="order",
    )
    proof.argued(
        r"\text{the } p\text{th of those paced starts at } \lfloor (p-1)/g \rfloor \text{ after the first},\quad "
        r"T \le N/g + (N^{2/3} + A + 5)\,u",
        "batches last at most u instants; T is the time of the whole class",
        test=times,
        tested="500 requests at each of three settings",
        name="time",
    )
    proof.identity(
        "g ≥ (M − D)/F − 1, so p starts take at most pF/(M − D − F)",
        1 / ((M - D) / F - 1),
        F / (M - D - F),
        name="pace",
    )
    proof.nonnegative(
        "and at most pF/(M − D − v(u)), as F ≤ v(u) = F + y; M − D = v(u) + x, x ≥ 1",
        F / x - F / (x + y),
        (F, 0),
        x >= 1,
        (y, 0),
        name="slower",
    )
    proof.argued(
        r"\mathbb E A \le \Bigl(\tfrac{N v(u)}{M-D-v(u)} + u + 1\Bigr)\tfrac{2M}{s+1}\,p_{M,N},\quad "
        r"\lim_{M \to \infty} M \lim_{N \to \infty} p_{M,N} = 0",
        "an instant overflows only if those of one age hold D/(2u) more than their mean, at most "
        "$u·exp(−M^{1/3}(s+1)/(2u²(s+u)²))$, or the sample's F is too small by $D(s+1)/(2M)$, which tends to 0 with N. At most "
        "M/(s+1) run, and g start. Both are Hoeffding's bound for samples without replacement",
        test=overflows,
        tested="20,000 requests, s = 1, u = 6, M = 3,000: at most 1 % are put aside, no instant exceeds M, and the paced ones fill M − D "
        "within a tenth; at half or twice the pace one of these fails",
        name="overflow",
    )
    proof.cite(kept(blind_upper.theorem), by_volumes())
    proof.therefore(
        r"\mathbb E\,\mathrm{TEL} \le \frac{1 + \varepsilon_M}{M - D - v(u)}\,\mathbb E \sum_j C_j + o(n^2)",
        "C_j on one machine. There are at most 2u + 3 classes; small ones, samples and batches take O(n^{2/3}) instants; those put "
        "aside are a share of n that vanishes as M → ∞, and all is over within O(n) instants",
        of=("attempts", "order", "time", "pace", "slower", "overflow"),
        uses=("Hoeffding",),
        name="latency",
    )
    proof.identity("the rate over that of M", 1 / (M - D - v), 1 / M * (1 / (1 - D / M - v / M)))
    return proof.therefore(
        r"\limsup_n \mathbb E\,\mathrm{TEL}/\mathrm{OPT} \le \rho^* (1 + \varepsilon_M)/(1 - D/M - v(u)/M) \to \rho^*",
        "E Σ C_j ≤ ρ*(½ Σ_ij v(min) + ½ Σ v), and OPT ≥ ½ Σ_ij v(min)/M, which is at least n²v(ℓ)/(2M)",
    ).qed()


SETTINGS = (Pace(s=1, l=1, u=6, memory=200), Pace(s=0, l=2, u=9, memory=400), Pace(s=3, l=4, u=5, memory=150))


def _drawn(pace: Pace, number: int) -> tuple[list[int], list[float]]:
    rng = Random(number)
    return [rng.randint(pace.l, pace.u) for _ in range(number)], [rng.random() for _ in range(number)]


def _run(pace: Pace, number: int) -> tuple[list[int], list[Class]]:
    lengths, offsets = _drawn(pace, number)
    return lengths, pace.run(lengths, offsets)


@cache
def same_attempts(factor: Fraction = Fraction(1)) -> str | None:
    """Test: what an attempt holds, and whether it completes; all requests complete."""
    for pace in SETTINGS:
        lengths, classes = _run(pace, 120)
        done = [a.request for part in classes for a in part.attempts if a.complete]
        if sorted(done) != list(range(120)):
            return f"{pace}: not every request completes once"
        for part in classes:
            last = {a.request: a for a in part.attempts}
            for a in last.values():
                size = volume(pace.s, lengths[a.request])
                held = volume(pace.s, a.tokens)
                if held > factor * min(size, a.threshold) or a.complete != (size <= a.threshold or a.tokens == pace.u):
                    return f"{pace}: request {a.request} of length {lengths[a.request]} holds {held} at {a.threshold}"
    return None


@cache
def exchangeable(factor: Fraction = Fraction(1)) -> str | None:
    """Test: a sample's mean over all orders is the mean; lengths exchanged within a class leave its members in their order."""
    for lengths in product((1, 2, 5), repeat=4):
        orders = list(permutations(lengths))
        mean = sum(Fraction(sum(order[:3]), 3) for order in orders) / len(orders)
        if mean != factor * Fraction(sum(lengths), 4):
            return f"lengths {lengths}: a sample of three has the mean {mean}"
    pace = SETTINGS[0]
    lengths, offsets = _drawn(pace, 60)
    for number, members in enumerate(pace.classes(lengths, offsets)):
        requests = [i for _, i in members]
        other = list(lengths)
        for i, j in zip(requests, reversed(requests), strict=True):
            other[i] = lengths[j]
        if members not in pace.classes(other, offsets) or len({pace.limit(t) for t, _ in members}) > 1:
            return f"class {number} depends on its members' lengths, or is killed at two ages"
    return None


@cache
def times(factor: Fraction = Fraction(1)) -> str | None:
    """Test: when the paced ones start, and how long a class takes."""
    for pace in SETTINGS:
        for part in _run(pace, 500)[1]:
            if any(a.start - part.paced[0].start != factor * (k // part.pace) for k, a in enumerate(part.paced)):
                return f"{pace}: those paced at {part.pace} an instant start otherwise"
            number = len(part.sample) + len(part.paced)
            if part.end - part.begin > number / part.pace + (len(part.sample) + len(part.aside) + 4) * pace.u:
                return f"{pace}: {number} attempts take {part.end - part.begin} instants"
    return None


@cache
def overflows(factor: Fraction = Fraction(1)) -> str | None:
    """Test: at most 1 % are put aside, no instant exceeds M, and the largest class fills M − D within a tenth once it is steady."""
    pace = Pace(s=1, l=1, u=6, memory=3_000, factor=factor)
    classes = _run(pace, 20_000)[1]
    if (aside := sum(len(part.aside) for part in classes)) > 200:
        return f"{aside} are put aside"
    held: Counter[int] = Counter()
    for a in (a for part in classes for a in part.attempts):
        for age in range(1, a.tokens + 1):
            held[a.start + age] += pace.s + age
    if max(held.values()) > pace.memory:
        return f"an instant holds {max(held.values())}"
    largest = max(classes, key=lambda part: len(part.paced) / part.pace)
    steady = range(largest.paced[0].start + pace.u, largest.paced[-1].start)
    mean = sum(held[t] for t in steady) / len(steady)
    return None if abs(mean / (pace.memory - 208) - 1) < 0.1 else f"on average {mean} are held"

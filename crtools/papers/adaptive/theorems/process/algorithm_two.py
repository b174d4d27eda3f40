"""Algorithm 2, the literal A_min, in the discrete process: at least by areas, and with long prompts.

By areas: l = 1, lengths independent with a law x on 1, …, u. The need at age a is w_a = (s+a+1) P(o > a): what a start
still holds, on average, one instant later. Where needs shrink with age, or starts hold more than all later ages, memory
that is full today is not overfull tomorrow on average, so that few starts are cancelled, requests complete in random order,
and each delays the others by its area. docs/algorithm-2.md has the proofs in full. ``buckets`` has what an instant costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate, pairwise, permutations
from random import Random
from typing import Any

import sympy as sp

from crtools.papers.adaptive.bounds.two_lengths import value_of
from crtools.papers.adaptive.theorems.process import h_sf
from crtools.process import Run, simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import j, k, l, n, r, s, u
from crtools.proof.theorem import Theorem
from crtools.schedule import volume

Weights = Mapping[int, int | Fraction]
"""A law of lengths by its weights, which need not sum to 1 where only a ratio is asked for."""


# ---- at least by areas ---------------------------------------------------------------------------------------------


def tails(x: Weights) -> list[Any]:
    """Return T_k = Σ_{o ≥ k} x_o for k = 1, …, u."""
    return list(accumulate(x.get(k, 0) for k in range(max(x), 0, -1)))[::-1]


def needs(x: Weights, s: int) -> list[Any]:
    """Return w_a = (s+a+1) P(o > a) for a = 0, …, u − 1: they sum to the mean area."""
    return [(s + k) * tail for k, tail in enumerate(tails(x), start=1)]


def shrinks(x: Weights, s: int) -> bool:
    """Return whether a law's needs shrink with age: the condition of :func:`by_areas`."""
    return all(later < earlier for earlier, later in pairwise(needs(x, s)))


def area_ratio(x: Weights, s: int) -> Fraction:
    """Return the mean area over H-SF's form, Σ_k (s+2k−1) T_k²: what :func:`ratio` says that the ratio is at least."""
    own = tails(x)
    peaks = sum((s + 2 * k - 1) * tail * tail for k, tail in enumerate(own, start=1))
    return Fraction(sum(needs(x, s)) * own[0], peaks)


def starts_hold_most(x: Weights, s: int) -> bool:
    """Return whether the mean area of a law is below 2(s+1): the condition of :func:`by_areas_of_starts`."""
    return sum(needs(x, s)) < 2 * (s + 1)


@cache
def excess() -> Theorem:
    """b⁺ ≤ (b+g)²/(4g) for g > 0: what exceeds a bound, from its variance."""
    b, g = sp.symbols("b g", positive=True)
    proof = Proof("excess", "every b and g > 0", r"b^+ \le \tfrac{(b+g)^2}{4g}")
    return proof.identity("(b+g)² ≥ 4bg", (b + g) ** 2 - 4 * b * g, (b - g) ** 2).qed()


LAWS: tuple[tuple[tuple[dict[int, int], int], ...], ...] = (
    (({1: 3, 2: 1}, 0), ({1: 2, 2: 1, 3: 1}, 1)),
    (({1: 9, 3: 1}, 1), ({1: 9, 4: 1}, 2)),
)
"""Laws with s on which arguments by areas are tested: those with shrinking needs, and those whose starts hold most."""

TESTED = "two such laws, six runs each with 300 requests at M = 2(s+u)"


STOPPED = (
    "Let σ be the first instant at which at most εn requests with õ = 1 wait, or C > κn. Until then γ ≤ κ/ε. At most n + κn + M starts are "
    "made by σ, each of which holds at most v_u token-instants in all, while at every instant before σ at least M − s tokens are held, as "
    "one request more with õ = 1 does not fit: σ ≤ (n + κn + M) v_u/(M−s) + 1. By Markov's inequality P(C > κn) ≤ E C/(κn)."
)
"""What both proofs by areas say of the time up to which starts are like first ones."""


def _run(x: Mapping[int, int], prompt: int, seed: int) -> Run:
    lengths = Random(seed).choices(list(x), list(x.values()), k=300)
    return simulate("a-min-literal", lengths, 2 * (prompt + max(x)), prompt, 1, max(x), seed=seed, history=True)


@cache
def _runs(of_starts: bool) -> tuple[tuple[Mapping[int, int], int, tuple[Run, ...]], ...]:
    return tuple((x, prompt, tuple(_run(x, prompt, seed) for seed in range(6))) for x, prompt in LAWS[of_starts])


def _few_cancelled(of_starts: bool, factor: int | Fraction = 1) -> str | None:
    """Compare the cancellations of all runs of a law with the bound without γ, at so many instants."""
    for x, prompt, runs in _runs(of_starts):
        own, held, u = [Fraction(w, sum(x.values())) for w in needs(x, prompt)], prompt + 1, max(x)
        theta = sum(own[1:]) / held
        rho = 1 - max(later / earlier for earlier, later in pairwise(own))
        bound = (prompt + u) * theta / (2 * (1 - theta)) if of_starts else Fraction(prompt + u) / (4 * rho)
        cancelled, instants = sum(run.cancellations for run in runs), sum(run.makespan for run in runs)
        if cancelled > factor * bound * instants:
            return f"weights {x}, s = {prompt}: {cancelled} cancelled at {instants} instants"
    return None


def _delays(of_starts: bool, factor: int = 1) -> str | None:
    for x, prompt, runs in _runs(of_starts):
        for run in runs:
            first = [run.makespan] * run.n
            for request, start in zip(run.episodes.request, run.episodes.start, strict=True):
                first[request] = min(first[request], int(start))
            most = (Fraction(run.memory, prompt + 1) + run.cancellations) * volume(prompt, max(x))
            before = 0
            for request in sorted(range(run.n), key=first.__getitem__):
                if run.memory * first[request] < factor * before - most:
                    return f"weights {x}, s = {prompt}, seed {run.seed}: a first start at {first[request]}"
                before += volume(prompt, int(run.lengths[request]))
    return None


def _kept(factor: int = 1) -> str | None:
    """Compare the completions from õ = 1, by length, with ``factor`` times all less those that wait, run or were cancelled."""
    for x, prompt, runs in _runs(False):
        for run in runs:
            lost = run.cancelled
            assert lost is not None
            over, first = lost.start + lost.age, run.bounds == 1
            for t in range(0, run.makespan, 5):
                idle = run.starts > t  # it will start again, for the last time
                idle[lost.request[(lost.start <= t) & (t < over)]] = False
                idle[lost.request[(over <= t) & (lost.age > 1)]] = False
                away = Fraction(run.memory, prompt + 1) + int((over <= t).sum())
                for length in x:
                    own = run.lengths == length
                    if (first & own).sum() < factor * own.sum() - (idle & own).sum() - away:
                        return f"weights {x}, s = {prompt}, seed {run.seed}: length {length} at t = {t}"
    return None


def _law_with(condition: str) -> str:
    return (
        f"l = 1, every s ≥ 0, u and law x with {condition}; w_a = (s+a+1) P(o > a), v_o = so + o(o+1)/2, v̄ = Σ x_o v_o; n independent "
        "lengths, n → ∞ at fixed M, then M → ∞; õ is the bound that Algorithm 2 keeps of a request: 1 at first, then the tokens that it "
        "had when it was cancelled last; C counts the cancellations up to the instant spoken of; ε and κ lie between 0 and 1"
    )


def _areas(name: str, condition: str, claimed: Any) -> Proof:
    """Begin a proof by areas: what one request holds in all is ``claimed``, a formula of o."""
    o = sp.Symbol("o", integer=True)
    proof = Proof(name, _law_with(condition))
    text = "Σ_{a<o} (s+a+1): what one request holds in all, so that v̄ = Σ_a w_a"
    return proof.induction(text, sp.Sum(s + k + 1, (k, 0, o - 1)), claimed(o) if claimed else volume(s, o), o)


def _delayed(proof: Proof, of_starts: bool) -> Theorem:
    """End it: where hardly any are cancelled, each start waits for the areas of those before it."""
    proof.argued(
        r"M p_k\ge\textstyle\sum_{j<k}v_j-\bigl(\tfrac M{s+1}+C\bigr)v_u,\quad "
        r"p_k=\text{time of the }k\text{-th first start},\ v_j\text{ independent with mean }\bar v",
        "up to p_k at most M p_k token-instants are held, and of the k − 1 requests before all have held their whole area but those "
        "that run, at most M/(s+1), and those that were cancelled, at most C",
        test=partial(_delays, of_starts),
        tested=TESTED,
        name="delays",
    )
    proof.induction("Σ_{k≤m} (k−1) with m = (1−ε)n", sp.Sum(k - 1, (k, 1, n)), n * (n - 1) / 2, n)
    return proof.therefore(
        r"\liminf_{M\to\infty}\liminf_{n\to\infty}\tfrac{2M}{n^2}\mathbb E[\mathrm{TEL}]\ge\bar v=\textstyle\sum_o x_o v_o",
        "where C ≤ κn, TEL is at least the sum of the first (1−ε)n first starts p_k. So with κ = ε³ E TEL is at least n²/(2M) times "
        "(1−ε)² v̄ − v_u P(C > κn) − 2κ v_u − O(M/n): n → ∞, M → ∞, and last ε → 0",
    ).qed()


SHRINKS = "w_{a+1} ≤ (1−ρ) w_a for 0 ≤ a < u−1 and a ρ > 0"


def few_cancelled() -> Theorem:
    """Of n requests o(n) are cancelled until all but εn have started, where needs shrink by a factor 1 − ρ."""
    a, p, q = sp.symbols("a p q", positive=True)
    proof = Proof("Algorithm 2 cancels few", _law_with(SHRINKS)).cite(excess())
    proof.identity(
        "a running request of age a holds s+a+1 at the next instant; then it completes, or needs s+a+2: on average "
        "(s+a+2) q/p with p = P(o > a), q = P(o > a+1), which is (s+a+1) w_{a+1}/w_a",
        (s + a + 2) * q / p,
        (s + a + 1) * ((s + a + 2) * q) / ((s + a + 1) * p),
    )
    text = "s+a+2 ≤ 2(s+a+1): the variance of tomorrow's need is at most ¼ (s+u) Σ (s+a+2) ≤ ½ (s+u) M"
    proof.nonnegative(text, 2 * (s + a + 1) - (s + a + 2), s >= 0, (a, 0))
    proof.argued(
        r"\mathbb E[\text{cancelled at }t{+}1\mid\text{past}]\le\tfrac{s+u}{4\rho}"
        r"+\tfrac2\rho\bigl(M\gamma^2+(s+1)\gamma\bigr),\quad\gamma"
        r"=\text{share of those waiting with }\tilde o=1\text{ that were cancelled before}",
        "ties are drawn without looking at lengths, so the lengths of those that run, none cancelled before, are independent given "
        "the past: they need A with E A ≤ (1−ρ)M and this variance. By the bound on an excess A exceeds (1−ρ/2)M by at most "
        "(s+u)/(4ρ) on average, and what was cancelled before at age 1, hypergeometric, exceeds ρM/2 by at most the rest. A "
        "cancellation frees two tokens at least",
        test=partial(_few_cancelled, False),
        tested=f"{TESTED}, the mean of all instants against the first term",
        name="cancelled",
    )
    proof.therefore(
        r"\text{until }\varepsilon n\text{ requests with }\tilde o=1\text{ wait: }\mathbb P(C>\kappa n)\le"
        r"\tfrac{4v_u\kappa}{\rho\varepsilon^2}+O(\tfrac1{M\kappa}),\quad "
        r"\kappa=\varepsilon^3:\ \le\tfrac{4v_u\varepsilon}{\rho}+O(\tfrac1M)",
        f"{STOPPED} With the bound on what is cancelled at an instant E C at σ is at most that many times its value at γ = κ/ε; over κn, "
        "as n → ∞, the term with Mγ² gives at most 4v_uκ/(ρε²), all others O(1/(Mκ))",
    )
    return proof.qed()


def by_areas(claimed: Any = None) -> Theorem:
    """liminf_{M→∞} liminf_{n→∞} 2M E[TEL]/n² ≥ Σ_o x_o ``claimed``(o) for needs that shrink by a factor 1 − ρ."""
    return _delayed(_areas("Algorithm 2 by areas", SHRINKS, claimed).cite(few_cancelled()), False)


def first_period() -> Theorem:
    """E[c_1j]/(x_j n) → 1 for every length j: where needs shrink, nearly all requests complete from a start with õ = 1."""
    proof = Proof("Algorithm 2 by areas, the first period", _law_with(SHRINKS)).cite(few_cancelled())
    proof.argued(
        r"c_{1j}\ge n_j-\varepsilon n-\tfrac M{s+1}-C,\quad c_{1j}=\text{number of requests of length }j"
        r"\text{ that complete from a start with }\tilde o=1,\ n_j=\text{number of all of them}",
        "each request starts with õ = 1 at first. When εn requests with õ = 1 are left waiting, every other one has started with it, "
        "and has completed, or runs (at most M/(s+1) do), or was cancelled (C starts were)",
        test=_kept,
        tested=f"{TESTED}, at every fifth instant",
        name="kept",
    )
    return proof.therefore(
        r"\lim_{M\to\infty}\lim_{n\to\infty}\frac{\mathbb E[c_{1j}]}{x_jn}=1\quad\text{for every }j\text{ with }x_j>0",
        "with κ = ε³ at least x_j − ε − ε³ − P(C > κn) of the n requests on average, less M/(s+1); n → ∞, M → ∞, ε → 0",
    ).qed()


def by_areas_of_starts(claimed: Any = None) -> Theorem:
    """The same for a law with v̄ < 2(s+1): needs of ages a ≥ 1 sum to less than w_0 = s + 1, whatever happened before."""
    held, p, a = sp.symbols("M p a", positive=True)
    proof = _areas("Algorithm 2 by areas, most of the memory held by starts", "v̄ < 2(s+1)", claimed).cite(excess())
    proof.identity(
        "each start holds s+1 one instant later: at most M/(s+1) are made at an instant, and of those made a instants "
        "ago and never cancelled a share P(o > a) needs s+a+1, on average (M/(s+1)) w_a",
        held / (s + 1) * p * (s + a + 1),
        held / (s + 1) * ((s + a + 1) * p),
    )
    proof.identity(
        "Σ_{a≥1} w_a = v̄ − w_0 = θ (s+1) with θ < 1 (here for the law with a share p of length u on {1, u})",
        (1 - p) * volume(s, 1) + p * volume(s, u) - (s + 1),
        p * (volume(s, u) - (s + 1)),
    )
    proof.argued(
        r"\mathbb E[\text{cancelled at }t{+}1]\le\tfrac{(s+u)\theta}{2(1-\theta)}"
        r"+\tfrac{(s+u)^2u^2}{2(1-\theta)}\bigl(M\gamma^2+\gamma\bigr),\quad\gamma"
        r"=\text{share of those waiting with }\tilde o=1\text{ that were cancelled before}",
        "the lengths of those that start for the first time are independent draws; filled up to ⌊M/(s+1)⌋ draws an instant, they "
        "need A with E A ≤ θM and variance at most (s+u)θM, whatever happened before: A exceeds (1+θ)M/2 by at most the first term on "
        "average. Of the starts of an instant those cancelled before are hypergeometric, M/(s+1) draws with a share of γ (the largest of "
        "the last u instants); each needs at most s+u at fewer than u instants, and all of them exceed (1−θ)M/2 by at most the second "
        "term. A cancellation frees two tokens at least",
        test=partial(_few_cancelled, True),
        tested=f"{TESTED}, the mean of all instants against the first term",
        name="cancelled",
    )
    proof.therefore(
        r"\text{until }\varepsilon n\text{ requests with }\tilde o=1\text{ wait: }\mathbb P(C>\kappa n)\le"
        r"\tfrac{v_u(s+u)^2u^2\kappa}{(1-\theta)\varepsilon^2}+O(\tfrac1{M\kappa}),\quad\kappa=\varepsilon^3",
        f"{STOPPED} With the bound on what is cancelled at an instant E C at σ is at most that many times its value at γ = κ/ε; over κn, "
        "as n → ∞, the term with Mγ² gives at most v_u(s+u)²u²κ/((1−θ)ε²), all others O(1/(Mκ))",
    )
    return _delayed(proof, True)


def ratio(*, of_starts: bool = False) -> Theorem:
    """CR(Algorithm 2) ≥ Σ_o x_o v_o over H-SF's form, by either bound."""
    own = by_areas_of_starts() if of_starts else by_areas()
    proof = Proof(f"{own.name}, against H-SF", own.reading).cite(own, h_sf.by_peaks())
    return proof.therefore(
        r"\mathrm{CR}(\mathcal A_{\min}) \ge \frac{\sum_o x_o v_o}{\sum_k k(s+k)x_k(x_k+2\sum_{i>k}x_i)}"
    ).qed()


def growth() -> Theorem:
    """CR(Algorithm 2) ≥ c(s) u/log u on [1, u]: P(o > a) = (s+1) r^a/(s+a+1) with r = 1 − 1/u."""
    u, a, r = sp.symbols("u a r", positive=True)
    tail = (s + 1) / (s + k)
    proof = Proof("growth", "every s ≥ 0 and u ≥ 2, l = 1, α = 1/u").cite(ratio())
    text = "w_a = (s+a+1) P(o > a) = (s+1) r^a (here with r^a = r): w_{a+1} = r w_a < w_a"
    proof.identity(text, (s + a + 1) * (s + 1) * r / (s + a + 1), (s + 1) * r)
    text = "(1 − 1/u)^{−u} = (1 + 1/(u−1))^u ≥ 1 + u/(u−1) ≥ 2, so Σ_{a<u} r^a = u (1 − r^u) ≥ u/2 and v̄ ≥ (s+1) u/2"
    proof.identity(text, 1 / (1 - 1 / u), 1 + 1 / (u - 1), (u, 2))
    text = (
        "P(o ≥ k) ≤ (s+1)/(s+k), and (s+2k−1)/(s+k) ≤ 2: the form in tails is at most (s+1) + 2(s+1)² Σ_{k=2}^u 1/(s+k)"
    )
    proof.positive(text, 2 * tail**2 * (s + k) - (s + 2 * k - 1) * tail**2, s >= 0, k >= 1)
    return proof.therefore(
        r"\mathrm{CR}(\mathcal A_{\min}) \ge \frac{\bar v}{\text{H-SF}}\ge\frac{u/2}{1+2(s+1)\ln\frac{s+u}{s+1}}"
    ).qed()


# ---- two lengths and long prompts, at every n and M ----------------------------------------------------------------
# Requests that were never started look alike, so shorts are found no faster than a random order shows them; a long that
# was started has completed, has been cancelled, or still runs, and overflow cancels few at an instant.

CONSTANT = sp.Rational(1, 4)
"""For u = r² l and s ≥ 3u the competitive ratio is at least this times r = √(1/α)."""


def rate(u: Any, s: Any) -> Any:
    """Return ρ = 1/V_u + 1/((s+1)(s+2)): longs that leave, per instant and unit of memory."""
    one = Fraction(1) if isinstance(s, int) else sp.S.One
    return one / volume(s, u) + one / ((s + 1) * (s + 2))


def cancelled_most(memory: int, s: int) -> Fraction:
    """Return M/((s+1)(s+2)) + 1, at least the number of cancellations for overflow at one instant."""
    return Fraction(memory, (s + 1) * (s + 2)) + 1


def least(shorts: int, longs: int, s: int, u: int, memory: int) -> Fraction:
    """Return a lower bound on E TEL for that many requests of lengths l < u with prompts s."""
    leaving = Fraction(memory, volume(s, u)) + cancelled_most(memory, s)
    found = (Fraction(shorts * longs, 2) - Fraction(shorts * memory, s + 1)) / leaving
    return found + Fraction(volume(s, u) * longs * (longs + 1), 2 * memory)


def least_form(s: Any, u: Any, x: Any, y: Any) -> Any:
    """Return x y/ρ + y² V_u, the limit of that bound times 2M/n²."""
    return x * y / rate(u, s) + y**2 * volume(s, u)


def least_ratio(s: int, l: int, u: int, y: Fraction) -> Fraction:
    """Return a lower bound on the competitive ratio: least_form over H-SF's form at shares 1 − y, y."""
    return least_form(s, u, 1 - y, y) / value_of("h-sf", l, u, s, 1 - y, y)


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
            leave = Fraction(capacity * t, volume(prompt, big)) + sum(c <= t for c in cancelled)
            if done * volume(prompt, big) > capacity * t or longs > leave + Fraction(capacity, prompt + 1):
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
def long_prompts() -> Theorem:
    """E TEL·2M/n² has liminf ≥ xy/ρ + y² V_u; so CR ≥ ¼ √(1/α) for u = r² l, s ≥ 3u."""
    x, y, memory, n = h_sf.x, h_sf.y, h_sf.memory, h_sf.n
    own, leaving = volume(s, u), rate(u, s)
    big = r**2 * l
    weight = 1 / (1 + r)
    proof = Proof(
        "the literal A_min in the process",
        "Algorithm 2 to the letter, every s ≥ 0, all requests short, of length l, or long, of length u, with interval [l, u], n_l = xn and "
        "n_u = yn of them, x + y = 1; V_u = su + u(u+1)/2, ρ = 1/V_u + 1/((s+1)(s+2)); n/M → ∞ and M → ∞; against H-SF, hence against "
        "the optimum too",
        r"\mathrm{CR}(\mathcal A_{\min}) \ge \max_y \frac{xy/\rho + y^2 V_u}{l(s+l)x(x+2y) + u(s+u)y^2},\quad "
        r"\rho = \tfrac1{V_u} + \tfrac1{(s+1)(s+2)};\qquad \ge \tfrac14\sqrt{1/\alpha}\ \text{for } s \ge 3u",
    )
    proof.argued(
        r"\#\{\text{longs started before } t\} \le tM\rho + t + \tfrac{M}{s+1}",
        "a long that was started before t has completed, was cancelled, or runs. Completed: at most tM/V_u, as each has held V_u of "
        "the at most tM token-instants before t. Cancelled: at an instant with overflow at most M/(s+1) requests run, as each holds s + 1 "
        "at least and all together M at most; so the next instant's need exceeds M by at most M/(s+1), and each cancellation frees s + 2 "
        "at least: at most M/((s+1)(s+2)) + 1 are cancelled at an instant. Running: at most M/(s+1). With 1/V_u + 1/((s+1)(s+2)) = ρ "
        "this is the sum",
        test=_leaving,
        tested="seven instances of up to 5 requests, s in {0, 1, 2}, every second M, all ties (every 7th for n = 5)",
        name="leaving",
    )
    proof.argued(
        r"\mathbb E\,\#\{\text{longs before the } j\text{-th short}\} = \tfrac{j n_u}{n_l+1}",
        "of requests with õ = l, what all have that were never started, the tie is broken at random: the first starts come in a "
        "uniformly random order, so the longs split evenly, in expectation, among the n_l + 1 gaps that the shorts leave",
        test=_symmetry,
        tested="all orders of up to 5 requests",
    )
    text = "Σ_{j ≤ n_l} j n_u/(n_l+1) = n_l n_u/2: the j-th short completes after those longs were started"
    proof.telescoping(text, j, j * (j + 1) / 2, j)
    proof.identity(
        "with n_l = xn, n_u = yn, times 2M/n²: what is subtracted is O(M/n)",
        2 * memory / n**2 * (n**2 * x * y / 2 - n * x * memory / (s + 1)) / (memory * leaving + 1)
        + 2 * memory / n**2 * own * (y * n) ** 2 / (2 * memory),
        x * y / (leaving + 1 / memory) - 2 * x * memory / (n * (s + 1) * (leaving + 1 / memory)) + y**2 * own,
    )
    proof.cite(h_sf.by_peaks())
    proof.therefore(
        r"\mathrm{CR}(\mathcal A_{\min}) \ge \frac{xy/\rho + y^2 V_u}{x^\top D x}",
        "before the j-th short starts, j n_u/(n_l+1) longs have, on average, which takes until tMρ + t + M/(s+1) is as large; and the "
        "j-th long completes at j V_u/M or later. E TEL is at least the sum of these times, as above; H-SF's total is at most "
        "xᵀDx n²/(2M) in the limit",
    )
    proof.positive(
        "u = r² l, s ≥ 3u, y = 1/(1+r): the numerator less r/4 times the denominator",
        sp.together(
            least_form(s, big, 1 - weight, weight) - CONSTANT * r * value_of("h-sf", l, big, s, 1 - weight, weight)
        ),
        (r, 1),
        l >= 1,
        s >= 3 * r**2 * l,
        name="square root",
    )
    return proof.therefore(r"\mathrm{CR}(\mathcal A_{\min}) \ge \tfrac14 r = \tfrac14 \sqrt{1/\alpha}").qed()

"""The best blind schedule for a law of sizes, on one machine: its value from both sides, and where one plan is enough.

Attempts (a, c) complete m = P(a < v ≤ c) and use F = E[min(v, c); v > a]; a plan is a path of them to the largest size, a mixture f
gives plans shares. H_f(λ) = Σ f F over attempts with m/F > λ.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import sympy as sp

from crtools.blind.mixture import Mixture
from crtools.blind.requests import Path, Requests
from crtools.papers.beyond.theorems import blind_lower
from crtools.papers.beyond.theorems.kill_and_restart import completions
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.theorem import Theorem, kept

READING = (
    "every law of finitely many sizes; one machine, kill and restart; every policy that may know the law and use coins, but not the "
    "sizes; as n → ∞, against the optimum, which knows the sizes"
)

p, q, r, e, t, d, m, n, mu, x, y, a, A, B, C, b, G, P, Q, K, J, I, v, w = sp.symbols(
    "p q r e t d m n mu x y a A B C b G P Q K J I v w", positive=True
)

CASES = (
    (Requests((1, 3, 7), (5, 3, 2)), {(0, 3): 2, (0, 1, 3): 3}),
    (Requests((1, 2, 9), (4, 1, 1)), {(0, 2, 3): 1, (0, 1, 3): 1}),
    (Requests((2, 5), (3, 1)), {(0, 1, 2): 1}),
    (Requests((1, 4, 6, 20), (9, 3, 2, 1)), {(0, 1, 4): 3, (0, 1, 3, 4): 2, (0, 4): 1}),
)
"""Laws, and mixtures of plans with their weights, on which arguments are tried."""


def _attempts(requests: Requests, plan: Path) -> list[tuple[Fraction, Fraction]]:
    n = requests.left[0]
    return [(Fraction(requests.completes(*own), n), Fraction(requests.uses(*own), n)) for own in pairwise(plan)]


def _flows(requests: Requests, shares: dict[Path, int]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return (m, F, f) of all attempts of a mixture."""
    total = sum(shares.values())
    return [(*own, Fraction(f, total)) for plan, f in shares.items() for own in _attempts(requests, plan)]


def _height(flows: list[tuple[Fraction, Fraction, Fraction]], index: Fraction) -> Fraction:
    return sum((f * use for m, use, f in flows if m / use > index), Fraction(0))


def _steps(*flows: list[tuple[Fraction, Fraction, Fraction]]) -> Iterator[tuple[Fraction, Fraction]]:
    """Iterate over the pieces between neighbouring indices."""
    yield from pairwise(sorted({Fraction(0), *(m / use for own in flows for m, use, _ in own)}))


@cache
def areas(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the area under what is unfinished, by falling index, is ½ ∫ H²."""
    for requests, shares in CASES:
        flows = _flows(requests, shares)
        half = sum((_height(flows, low) ** 2 * (high - low) for low, high in _steps(flows)), Fraction(0)) / 2
        n = requests.left[0]
        area = Mixture(requests, tuple(shares), tuple(shares.values())).upper() * Fraction(requests.shared, 2 * n**2)
        if area != factor * half:
            return f"{requests}, {shares}: {area}, not {half}"
    return None


@cache
def legendre(factor: Fraction = Fraction(1)) -> str | None:
    """Test: F ∫_0^{m/F} H is the least of m t + F w(t), w the unfinished share."""
    for requests, shares in CASES:
        mixture = Mixture(requests, tuple(shares), tuple(shares.values()))
        corners = [(Fraction(t, mixture.unit), Fraction(rest, mixture.unit)) for t, rest in mixture.course]
        flows, last = _flows(requests, shares), len(requests.sizes)
        for own in ((a, c) for c in range(1, last + 1) for a in range(c)):
            [(m, use)] = _attempts(requests, own)
            ends = [
                (min(low, m / use), min(high, m / use)) for low, high in (*_steps(flows), (Fraction(0), Fraction(0)))
            ]
            found = use * sum((_height(flows, low) * (high - low) for low, high in ends), Fraction(0))
            if min(m * t + use * rest for t, rest in corners) != factor * found:
                return f"{requests}, {shares}, attempt {own}: {found}"
    return None


@cache
def pairs(factor: Fraction = Fraction(1)) -> str | None:
    """Test: the second of two jobs adds twice the area to ΣC: exact means over sizes, plans and orders within stages."""
    for requests, shares in CASES:
        mixture, n, total = (
            Mixture(requests, tuple(shares), tuple(shares.values())),
            requests.left[0],
            sum(shares.values()),
        )
        alone = both = Fraction(0)
        draws = [
            (v, k, plan, f) for v, k in zip(requests.sizes, requests.weights, strict=True) for plan, f in shares.items()
        ]
        ages = (0, *requests.sizes)
        for one, other in product(draws, repeat=2):
            chance = Fraction(one[1] * other[1] * one[3] * other[3], (n * total) ** 2)
            for first in (0, 1):
                order = [
                    (job, ages[stage.until])
                    for stage in mixture.stages
                    for job in (first, 1 - first)
                    if (stage.after, stage.until) in pairwise((one, other)[job][2])
                ]
                both += chance / 2 * sum(completions([one[0], other[0]], order).values(), Fraction(0))
            own = [(0, ages[c]) for c in one[2][1:]]
            alone += chance * completions([one[0]], own)[0]
        area = mixture.upper() * Fraction(requests.shared, 2 * n**2)
        if both - 2 * alone != factor * 2 * area:
            return f"{requests}, {shares}: {both - 2 * alone}, not {2 * area}"
    return None


def value() -> Theorem:
    """A mixture is best exactly where no plan is cheaper under its own price; the price then proves it (Theorem A)."""
    proof = Proof(
        "the best mixture",
        "every law of finitely many sizes; mixtures f of plans, with $H_f(λ) = Σ f F$ over attempts of an index m/F above λ; "
        "$w$ is the share that is unfinished, by falling index",
        r"\min_f \tfrac12\int H_f^2 = \max_H\Bigl[\min_{\text{plan}} \sum F \int_0^{m/F} H - \tfrac12\int H^2\Bigr]",
    )
    proof.argued(
        r"\int_0^\infty w = \tfrac12\int_0^\infty H_f^2",
        "after all attempts of an index above λ the time is H_f(λ), and w falls at the rate λ there: the area is ∫ t dw, that is "
        "∫ λ H dH over the stages, by parts ½ ∫ H²",
        test=areas,
        tested=f"{len(CASES)} laws and mixtures, exactly",
        name="area",
    )
    proof.argued(
        r"F\int_0^{m/F} H_f = \min_t\,(m t + F w(t)),\quad \int H_f H_{f'} = \sum_{f'} f' F\int_0^{m/F} H_f",
        "w falls at the rate λ at the time H(λ), so m t + F w(t) is least where this rate is m/F, and there it is F times the area "
        "under H up to m/F; the second is the order of sum and integral",
        test=legendre,
        tested=f"{len(CASES)} laws and mixtures, every attempt, exactly",
        name="price",
    )
    proof.identity(
        "with p = ∫H², q = ∫HH', r = ∫H'²: of the share e of another mixture",
        (1 - e) ** 2 * p + 2 * e * (1 - e) * q + e**2 * r,
        p - 2 * e * (p - q) + e**2 * (p - 2 * q + r),
        name="mixed",
    )
    proof.identity(
        "at e = (p−q)/d, d = p − 2q + r = ∫(H − H')²",
        p - 2 * (p - q) / d * (p - q) + ((p - q) / d) ** 2 * d,
        p - (p - q) ** 2 / d,
        Bound(d, 0, True),
        name="least",
    )
    proof.identity("weak duality: ½r − (q − ½p) is ½ ∫(H − H')²", r / 2 - (q - p / 2), (p - 2 * q + r) / 2, name="weak")
    return proof.therefore(
        r"f \text{ is best} \iff \text{no plan has } q < p \iff \text{its price proves } q - \tfrac12p \ge \tfrac12p",
        "where a plan has q < p, mixing it in lowers ½p: by e = (p−q)/d if r ≥ q, and otherwise r < p itself; where none has, every "
        "mixture has q ≥ p, and its ½r is at least q − ½p ≥ ½p",
    ).qed()


def lower() -> Theorem:
    """Every blind policy, at every n, pays at least what a price proves (Theorem B)."""
    proof = Proof(
        "a price for a law",
        f"{READING}; the first inequality at every n; sizes up to R",
        r"\mathbb E\sum_j C_j \ge n^2\Bigl[\min_{\text{plan}}\sum_k\min_t\,(m_k t + F_k w(t)) - \int_0^\infty w\Bigr] - nR",
    )
    proof.cite(blind_lower.duality_on_machine())
    proof.identity("at t = nτ the price n w(τ)", m * (n * t) + n * w * G, n * (m * t + w * G), name="scaled")
    return proof.therefore(
        r"\text{all jobs cost at least } n^2\min_{\text{plan}} - nR, \text{ and all time } \textstyle\int w_n = n^2\int w",
        "with w_n(t) = n w(t/n) in the theorem: a job's attempts that count make a plan, and each costs at least its own least",
    ).qed()


def upper() -> Theorem:
    """Jobs that draw plans pay the area on one machine (Theorem C there)."""
    proof = Proof(
        "what a mixture pays",
        f"{READING}; each job draws a plan by the shares, no plan has an attempt before one of a larger index; attempts run by falling "
        "index, in random order where it is equal",
        r"\mathbb E\sum_j C_j = n(n-1)\int_0^\infty w + O(n),\quad "
        r"\mathbb E\,\mathrm{OPT} = \tfrac{n(n-1)}2\,\mathbb E\min(v, v') + n\,\mathbb E v",
    )
    proof.argued(
        r"\mathbb E\,[\text{how long } i \text{ waits for } j] + [j \text{ for } i] = 2\textstyle\int w",
        "what j uses in a stage is waited for by i if i is unfinished after it, and half of it if i ends in this stage; sizes and plans "
        "are independent, so the mean is what the stage uses times the unfinished share at its middle",
        test=pairs,
        tested=f"two jobs, {len(CASES)} laws and mixtures, exactly, over all sizes, plans and orders",
        name="pairs",
    )
    return proof.therefore(
        r"\mathbb E\sum_j C_j = n(n-1)\textstyle\int w + O(n)",
        "a job waits for its own attempts a bounded time; shortest first is optimal",
    ).qed()


def whole() -> Theorem:
    """The best ratio of a blind policy under a law is a mixture's, with its price on the other side."""
    proof = Proof(
        "the best blind ratio under a law",
        READING,
        r"V = \frac{\min_f \int H_f^2}{\mathbb E\min(v, v')}",
    )
    proof.cite(kept(value), kept(lower), kept(upper))
    proof.nonnegative(
        "of two attempts (a, b), (b, c) with A = P(v > a), B, C, F(a, b) = bA − x and F(b, c) = bB + y",
        (A - B) * (b * B + y) + b * B * (B - C) - (b * A - x) * (B - C),
        (C, 0),
        (B, C),
        (A, B),
        (b, 0),
        (x, 0),
        (y, 0),
        name="order",
    )
    return proof.therefore(
        r"\tfrac12\min_f\textstyle\int H_f^2 \le \liminf \tfrac1{n^2}\mathbb E\sum_j C_j,\text{ with equality for the best } f",
        "of a best mixture merge two attempts that follow each other where the later one's index is larger: it is best at t₂ < t₁, and "
        "(a, c), which uses F₁ + F₂ − bB, costs no more at t₁ or at t₂. For else m₂δt > F₂δw + bBw₁ and F₁δw > m₁δt + bBw₂, "
        "with δt = t₁ − t₂ and δw = w₂ − w₁, so that F₁m₂ > m₁F₂ + bBm₂. So the merged one is best too. "
        "The optimum is ½ n² E min(v, v') + O(n)",
    ).qed()


def run_through() -> Theorem:
    """Running every job to its end is best exactly for sizes that are new better than used in expectation (Theorem F)."""
    proof = Proof(
        "when killing is useless",
        f"{READING}; $μ = \\mathbb E v$, $F(0, c) = \\mathbb E\\min(v, c)$",
        r"V = \frac{\mathbb E v}{\mathbb E\min(v, v')} \iff F(0, c) \ge \mathbb E v\,P(v \le c) \text{ for every } c;\quad "
        r"\text{then } V \le 2",
    )
    proof.cite(kept(whole))
    proof.identity(
        "F(a, c) = aP(v > a) + ∫_a^c P(v > t) dt is F(0, c) − E[v; v ≤ a]: with x = E[v; v ≤ a], A = P(v > a)",
        a * A + G - (x + a * A),
        G - x,
        name="later",
    )
    proof.nonnegative(
        "x ≤ μ P(v ≤ a), as x ≤ a p and y = E[v; v > a] ≥ a(1−p): with p = P(v ≤ a), μ = x + y",
        p * (x + y) - x,
        Bound(p, 0, True, 1),
        (x, 0),
        (a, x / p),
        (y, a * (1 - p)),
        name="shorter",
    )
    proof.nonnegative(
        "so F(a, c) ≥ μ m where F(0, c) = G ≥ μP, P = P(v ≤ c), and P ≥ p ≥ x/μ",
        G - x - mu * (P - p),
        Bound(mu, 0, True),
        (x, 0),
        (p, x / mu),
        (P, p),
        (G, mu * P),
        name="every attempt",
    )
    proof.identity(
        "under the price 1 − t/μ, which is what running to the end makes, an attempt with F = mμ + d costs mμ and d(1 − t/μ) ≥ 0 more",
        m * t + (m * mu + d) * (1 - t / mu),
        m * mu + d * (1 - t / mu),
        name="cost",
    )
    proof.integral("and all time costs μ/2", 1 - t / mu, (t, 0, mu), mu / 2, name="time")
    proof.therefore(
        r"\text{a plan costs at least } \mu = \textstyle\sum m \mu = \int H^2: \text{ running to the end is best}",
        "beyond t = μ an attempt costs mt > mμ",
        of=("every attempt", "cost", "time", "the best blind ratio under a law", "later", "shorter"),
        name="if",
    )
    area = e * (m - e) * mu * (1 - e * m / 2)
    area += (1 - e) * mu * ((1 - e * m) + e * (1 - m)) / 2 + e * (mu - x) * e * (1 - m) / 2
    proof.positive(
        "where F(0, c) = (m − e)μ, e > 0, let a share e try c first and the rest run to their ends before the longer ones of the share "
        "do: the area is below μ/2; x = E[v; v ≤ c]",
        mu / 2 - area,
        Bound(mu, 0, True),
        Bound(m, 0, True, 1),
        Bound(e, 0, True, m),
        (x, 0),
        name="only if",
    )
    proof.nonnegative(
        "E min(v, v') is the mean of F(0, v') ≥ μ P(v ≤ v'), whose mean is at least ½: at most 2",
        2 * G - mu,
        Bound(mu, 0, True),
        (P, sp.Rational(1, 2)),
        (G, mu * P),
        name="at most 2",
    )
    return proof.therefore(
        r"V = \mathbb E v/\mathbb E\min(v, v') \iff F(0, c) \ge \mathbb E v\,P(v \le c)",
        "at c = the largest size both are equal; the mixture's attempts run by falling index, m/F > 1/μ first, or no worse",
    ).qed()


def common(factor: Fraction = Fraction(1)) -> Theorem:
    """One plan for all jobs that kills is never the best (Theorem E); ``factor``: of what is said to be saved."""
    proof = Proof(
        "one plan that kills is never best",
        f"{READING}; a plan that all jobs follow, with a last kill at b that some jobs exceed, B = P(v > b)",
        r"\text{a plan with at least one kill pays more than } V",
    )
    proof.cite(kept(whole))
    proof.identity(
        "F(a, b) + F(b, u) = F(a, u) + b B: with ∫_0^a, ∫_0^b, ∫_0^u of P(v > t) as I, J, K",
        a * A + (J - I) + b * B + (K - J),
        a * A + (K - I) + b * B,
        name="merged",
    )
    proof.identity(
        "at the instant between the last two stages the price is B; at it both cost their least, as one stage ends and the other starts",
        (q * t + (G + v) * B) + (r * t + (Q - v + b * B) * B) - ((q + r) * t + (G + Q) * B),
        sp.Rational(str(factor)) * b * B**2,
        name="saved",
    )
    return proof.therefore(
        r"\text{the plan with the last two stages merged is cheaper by } b B^2 > 0 \text{ or more}",
        "with attempts by falling index a stage is run where the unfinished share falls at its index, so each of its instants is a least "
        "one, both ends too: a plan is cheaper under the price than the plan itself, which is not best. With attempts in another order it "
        "pays more than its ½ ∫ H², by Smith's rule",
    ).qed()


def two_sizes(coefficient: Fraction = Fraction(1)) -> Theorem:
    """The best mixture for two sizes; ``coefficient``: of (1−p)² v in what the share's divisor is said to be."""
    mean = p * v + (1 - p) * w
    once, mixed = mean, v + (1 - p) * mean
    tried = p * v + 2 * (1 - p) * v + (1 - p) ** 2 * w
    excess = p * mean - v
    bottom = excess + (1 - p) ** 2 * v
    proof = Proof(
        "two sizes",
        f"{READING}; sizes v < w, a share p of v, $μ = pv + (1−p)w$",
        r"V\,\mathbb E\min = \mu - \frac{(p\mu - v)^2}{p\mu - v + (1-p)^2 v} \text{ where } p\mu > v, \text{ else } \mu",
    )
    proof.cite(kept(whole), kept(run_through))
    proof.identity("∫H² − ∫HH' of running to the end and of trying v first", once - mixed, excess, name="gain")
    proof.identity("∫(H − H')²", once - 2 * mixed + tried, bottom, name="square")
    proof.identity(
        "the share that is tried",
        excess / (excess + sp.Rational(str(coefficient)) * (1 - p) ** 2 * v),
        excess / bottom,
        Bound(p, 0, True, 1),
        Bound(v, 0, True),
        (w, v * (1 + p) / p),
        name="share",
    )
    proof.positive(
        "the rest's share of the divisor", (1 - p) ** 2 * v, Bound(p, 0, True, 1), Bound(v, 0, True), name="rest"
    )
    return proof.therefore(
        r"\tfrac12\int H_f^2 \text{ is least there: these two are all plans}",
        "∫HH' = Σ F∫_0^{m/F} H: of trying v first, with pμ > v, v ≤ p w as μ < w. With pμ ≤ v running to the end is best",
    ).qed()

"""Algorithm 2 under a law whose memory needs shrink with age: its total latency is at least that of areas.

l = 1, lengths independent with a law x on 1, …, u. The need at age a is w_a = (s+a+1) P(o > a): what a start still
holds, on average, one instant later. Where w_{a+1} ≤ (1−ρ) w_a for every a, memory that is full today is not
overfull tomorrow on average, so that few starts are cancelled, requests complete in random order, and each delays the
others by its area v_o = s·o + o(o+1)/2. docs/algorithm-2.md has the proofs in full, in the words of these steps.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.steps import Identity, Induction, Inference, Positive, Step
from crtools.proof.symbols import n, s
from crtools.proof.theorem import Theorem

K = sp.Symbol("k", integer=True)


def area(o: Any) -> Any:
    """The token-instants of a request of length o."""
    return s * o + o * (o + 1) / 2


def lower_bound(volume: Any = None) -> Theorem:
    """liminf_{M→∞} liminf_{n→∞} 2M E[TEL]/n² ≥ Σ_o x_o ``volume``(o) for needs that shrink by a factor 1 − ρ."""
    o = sp.Symbol("o", integer=True)
    b, g, a, p, q = sp.symbols("b g a p q", positive=True)
    claimed = area(o) if volume is None else volume(o)
    steps: tuple[Step, ...] = (
        Induction(
            name="area",
            text="Σ_{a<o} (s+a+1): what one request holds in all, so that v̄ = Σ_a w_a",
            lhs=sp.Sum(s + K + 1, (K, 0, o - 1)),
            rhs=claimed,
            index=o,
        ),
        Identity(
            name="one instant later",
            text="a running request of age a holds s+a+1 at the next instant; then it completes, or needs s+a+2: on average "
            "(s+a+2) q/p with p = P(o > a), q = P(o > a+1), which is (s+a+1) w_{a+1}/w_a",
            lhs=(s + a + 2) * q / p,
            rhs=(s + a + 1) * ((s + a + 2) * q) / ((s + a + 1) * p),
        ),
        Positive(
            name="spread",
            text="s+a+2 ≤ 2(s+a+1): the variance of tomorrow's need is at most ¼ (s+u) Σ (s+a+2) ≤ ½ (s+u) M",
            expr=2 * (s + a + 1) - (s + a + 2),
            where=((s, 0), (a, 0)),
            strict=False,
        ),
        Identity(
            name="excess",
            text="(b+g)² ≥ 4bg, so b⁺ ≤ (b+g)²/(4g) for g > 0",
            lhs=(b + g) ** 2 - 4 * b * g,
            rhs=(b - g) ** 2,
        ),
        Inference(
            name="few cancellations",
            conclusion=r"\mathbb E[\text{cancelled at }t{+}1\mid\text{past}]\le\tfrac{s+u}{4\rho}"
            r"+\tfrac2\rho\bigl(M\gamma^2+(s+1)\gamma\bigr),\quad\gamma"
            r"=\text{share of those waiting with }\tilde o=1\text{ that were cancelled before}",
            follows_from=("one instant later", "spread", "excess"),
        ),
        Inference(
            name="hardly any in all",
            conclusion=r"\text{until }\varepsilon n\text{ requests with }\tilde o=1\text{ wait: }\mathbb P(C>\kappa n)\le"
            r"\tfrac{4v_u\kappa}{\rho\varepsilon^2}+O(\tfrac1{M\kappa}),\quad "
            r"\kappa=\varepsilon^3:\ \le\tfrac{4v_u\varepsilon}{\rho}+O(\tfrac1M)",
            follows_from=("few cancellations", "area"),
        ),
        Inference(
            name="starts",
            conclusion=r"M p_k\ge\textstyle\sum_{j<k}v_j-\bigl(\tfrac M{s+1}+C\bigr)v_u,\quad "
            r"p_k=\text{time of the }k\text{-th first start},\ v_j\text{ independent with mean }\bar v",
            follows_from=("hardly any in all", "area"),
        ),
        Induction(
            name="sum of starts",
            text="Σ_{k≤m} (k−1) with m = (1−ε)n",
            lhs=sp.Sum(K - 1, (K, 1, n)),
            rhs=n * (n - 1) / 2,
            index=n,
        ),
        Inference(
            name="total latency",
            conclusion=r"\liminf_{M\to\infty}\liminf_{n\to\infty}\tfrac{2M}{n^2}\mathbb E[\mathrm{TEL}]\ge\bar v=\textstyle\sum_o x_o v_o",
            follows_from=("starts", "sum of starts"),
        ),
    )
    return Theorem(
        "Algorithm 2 by areas",
        steps[-1].latex(),
        "l = 1, every s ≥ 0, u and law x with w_{a+1} < w_a for 0 ≤ a < u−1; n independent lengths, n → ∞ at fixed M, then M → ∞",
        steps,
    )


def h_sf_upper(peak: Any = None) -> Theorem:
    """limsup 2M TEL(H-SF)/n² ≤ Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i): the form is an upper bound in the limit."""
    k, m = sp.symbols("k M", positive=True)
    held = s + k if peak is None else peak(k)
    steps: tuple[Step, ...] = (
        Identity(
            name="those that run",
            text="where a request of length k does not fit, more than M − (s+k) tokens are held at some instant up to t + k by requests of "
            "length ≤ k, each at most s+k: more than M/(s+k) − 1 run, and all of them complete within k instants",
            lhs=(m - (s + k)) / (s + k),
            rhs=m / held - 1,
        ),
        Identity(
            name="time per length",
            text="so that n_k of length k take at most k n_k/(M/(s+k)) (1 + O(1/M)) as n → ∞",
            lhs=k / (m / (s + k)),
            rhs=k * held / m,
        ),
        Inference(
            name="latency",
            conclusion=r"\limsup\tfrac{2M}{n^2}\mathrm{TEL}\le\textstyle\sum_k k(s+k)x_k(x_k+2\sum_{i>k}x_i)",
            follows_from=("those that run", "time per length"),
        ),
    )
    return Theorem("H-SF by peaks", steps[-1].latex(), "every s ≥ 0, n → ∞ at fixed M, then M → ∞", steps)


def growth() -> Theorem:
    """CR(Algorithm 2) ≥ c(s) u/log u on [1, u]: P(o > a) = (s+1) r^a/(s+a+1) with r = 1 − 1/u."""
    u, a, r = sp.symbols("u a r", positive=True)
    k = sp.Symbol("k", integer=True)
    tail = (s + 1) / (s + k)
    steps: tuple[Step, ...] = (
        Identity(
            name="needs",
            text="w_a = (s+a+1) P(o > a) = (s+1) r^a (here with r^a = r): w_{a+1} = r w_a < w_a",
            lhs=(s + a + 1) * (s + 1) * r / (s + a + 1),
            rhs=(s + 1) * r,
        ),
        Identity(
            name="Bernoulli",
            text="(1 − 1/u)^{−u} = (1 + 1/(u−1))^u ≥ 1 + u/(u−1) ≥ 2, so Σ_{a<u} r^a = u (1 − r^u) ≥ u/2 and v̄ ≥ (s+1) u/2",
            lhs=1 / (1 - 1 / u),
            rhs=1 + 1 / (u - 1),
        ),
        Positive(
            name="H-SF's tails",
            text="P(o ≥ k) ≤ (s+1)/(s+k), and (s+2k−1)/(s+k) ≤ 2: the form in tails is at most (s+1) + 2(s+1)² Σ_{k=2}^u 1/(s+k)",
            expr=2 * tail**2 * (s + k) - (s + 2 * k - 1) * tail**2,
            where=((s, 0), (k, 1)),
        ),
        Inference(
            name="ratio",
            conclusion=r"\frac{\bar v}{\text{H-SF}}\ge\frac{u/2}{1+2(s+1)\ln\frac{s+u}{s+1}}",
            follows_from=("needs", "Bernoulli", "H-SF's tails"),
        ),
    )
    return Theorem("growth", steps[-1].latex(), "every s ≥ 0 and u ≥ 2, l = 1, α = 1/u", steps)

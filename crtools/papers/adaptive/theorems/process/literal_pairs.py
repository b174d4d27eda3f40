"""Algorithm 2 on requests of lengths 1 and 2 with l = 1: an upper bound on its total latency as n → ∞, then M → ∞.

A share x < (s+1)/(s+2) of the n requests has length 2. K = ⌊M/(s+1)⌋, h = ⌊M/(s+2)⌋. Before the admissions of the
instant t, w requests wait, a share f of them of length 2; at most K start, uniformly drawn, L of length 2; at the next
instant (L − h)⁺ of these are cancelled. θ = ½ (x + (s+1)/(s+2)).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.proof.steps import Identity, Inference, PolynomialIntegral, Step
from crtools.proof.symbols import s
from crtools.proof.theorem import Theorem

x = sp.Symbol("x", positive=True)
AREA = (s + 1) + (s + 2) * x
"""Token-instants per request: (s+1)(1−x) + (2s+3)x."""


def upper_bound(area: Any = AREA) -> Theorem:
    """limsup_{M→∞} limsup_{n→∞} 2M E[TEL]/n² ≤ ``area``, which is below the form of Lemma "Amin" where x > (1−x)/(s+2)."""
    a, g, t, end = sp.symbols("a g t T", positive=True)
    entry = form("a-min").formula
    one, two = sp.Integer(1), sp.Integer(2)
    paper = entry(one, one, s) * (1 - x) ** 2 + 2 * entry(one, two, s) * x * (1 - x) + entry(two, two, s) * x**2
    threshold = (x + (s + 1) / (s + 2)) / 2
    steps: tuple[Step, ...] = (
        Identity(
            name="excess",
            text="a⁺ ≤ (a+g)²/(4g) for g > 0; with a = L − h and g = h − k f, k ≤ K starts: "
            "(L−h)⁺ ≤ (L − k f)²/(4 (h − k f)), h − k f ≥ h − K f",
            lhs=(a + g) ** 2 - 4 * a * g,
            rhs=(a - g) ** 2,
        ),
        Identity(
            name="room",
            text="h − K θ = M ((s+1)/(s+2) − x)/(2(s+1)) − O(1): it grows with M",
            lhs=1 / (s + 2) - threshold / (s + 1),
            rhs=((s + 1) / (s + 2) - x) / (2 * (s + 1)),
        ),
        Inference(
            name="few cancellations",
            text="a start can be cancelled at age 1 only, and then õ := max(1, 1): all who wait are drawn uniformly, L is hypergeometric",
            conclusion=r"f\le\theta:\ \mathbb E[(L-h)^+\mid\text{past}]\le\delta:=\frac{K}{16(h-K\theta)}=O(1)"
            r"\quad\text{(a hypergeometric variance is at most }K/4)",
            follows_from=("excess", "room"),
        ),
        Inference(
            name="the share stays",
            conclusion=r"\mathbb P(|f-x|>\eta\text{ before }w\le\varepsilon n)\le\frac{N}{\eta^2}\Bigl(\frac{2\delta}{\varepsilon n-K}"
            r"+\frac{4K^2}{(\varepsilon n-K)^2}\Bigr),\ N\le\frac{2n}{h-1}+2:\ "
            r"\mathbb E\,\Delta f\le\tfrac{\delta}{\varepsilon n-K},\ |\Delta f|\le\tfrac{2K}{\varepsilon n-K};"
            r"\ \to\frac{4\delta}{\varepsilon\eta^2(h-1)}\to0",
            follows_from=("few cancellations",),
        ),
        Identity(
            name="volume",
            text="token-instants: s+1 of length 1, (s+1) + (s+2) of length 2",
            lhs=(s + 1) * (1 - x) + (2 * s + 3) * x,
            rhs=area,
        ),
        Inference(
            name="completed",
            conclusion=r"(M-s)t\le\bar v D_t+(s+2)\eta n+(2s+3)K+(s+1)\textstyle\sum(L-h)^+,\quad\bar v=(s+1)+(s+2)x:"
            r"\text{ while requests wait, more than }M-s-1\text{ tokens are held at every instant}",
            follows_from=("the share stays", "volume"),
        ),
        PolynomialIntegral(
            name="triangle",
            text="Σ_t (n − M t/v̄) over 0 ≤ t ≤ T = v̄ n/M is n T/2 at leading order",
            integrand=1 - t / end,
            variable=t,
            low=0,
            high=end,
            value=end / 2,
        ),
        Inference(
            name="total latency",
            conclusion=r"\limsup_{M\to\infty}\limsup_{n\to\infty}\frac{2M}{n^2}\mathbb E[\mathrm{TEL}]\le "
            + sp.latex(area),
            follows_from=("completed", "triangle", "few cancellations"),
        ),
        Identity(
            name="the form is larger",
            text="Lemma Amin's form less this bound: positive exactly for x > (1−x)/(s+2)",
            lhs=paper - area,
            rhs=x**2 - x * (1 - x) / (s + 2),
        ),
    )
    return Theorem(
        "Algorithm 2 on lengths 1 and 2",
        steps[-2].latex(),
        "every s ≥ 0 and share x < (s+1)/(s+2) of length 2; l = 1, u = 2; n → ∞ at fixed M, then M → ∞",
        steps,
    )

"""Algorithm 2 under a law whose starts hold more than all later ages: its total latency is at least that of areas.

l = 1, lengths independent with a law x on 1, …, u. The need at age a is w_a = (s+a+1) P(o > a). Where those of ages
a ≥ 1 sum to less than w_0 = s + 1, which is v̄ < 2(s+1), memory is not overfull whatever happened before, and the proof goes
on as under needs that shrink (``algorithm_two``). docs/algorithm-2.md has it in full, in the words of these steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.papers.adaptive.theorems.process import algorithm_two
from crtools.papers.adaptive.theorems.process.algorithm_two import area
from crtools.proof.steps import Identity, Inference
from crtools.proof.symbols import s, u
from crtools.proof.theorem import Theorem


def applies(x: Mapping[int, Fraction], s: int) -> bool:
    """Return whether the mean area of a law is below 2(s+1)."""
    return mean_area(x, s) < 2 * (s + 1)


def mean_area(x: Mapping[int, Fraction], s: int) -> Fraction:
    """Return v̄ = Σ_o x_o (s·o + o(o+1)/2)."""
    return sum((p * Fraction(2 * s * k + k * (k + 1), 2) for k, p in x.items()), Fraction(0))


def lower_bound(volume: Any = None) -> Theorem:
    """liminf_{M→∞} liminf_{n→∞} 2M E[TEL]/n² ≥ Σ_o x_o ``volume``(o) for a law with v̄ < 2(s+1)."""
    known = {step.name: step for step in algorithm_two.lower_bound(volume).steps}
    held, p, a = sp.symbols("M p a", positive=True)
    few = (
        Identity(
            name="starts per instant",
            text="each start holds s+1 one instant later: at most M/(s+1) are made at an instant, and of those made a instants "
            "ago and never cancelled a share P(o > a) needs s+a+1, on average (M/(s+1)) w_a",
            lhs=held / (s + 1) * p * (s + a + 1),
            rhs=held / (s + 1) * ((s + a + 1) * p),
        ),
        Identity(
            name="later ages",
            text="Σ_{a≥1} w_a = v̄ − w_0 = θ (s+1) with θ < 1 (here for the law with a share p of length u on {1, u})",
            lhs=(1 - p) * area(sp.Integer(1)) + p * area(u) - (s + 1),
            rhs=p * (area(u) - (s + 1)),
        ),
        known["excess"],
        Inference(
            name="few cancellations",
            text="the lengths of those started at different instants are independent draws; filled up to ⌊M/(s+1)⌋ draws an instant, "
            "they need A with E A ≤ θM and variance at most (s+u)θM; r starts were cancelled before at age 1",
            conclusion=r"\mathbb E[\text{cancelled at }t{+}1]\le\tfrac{(s+u)\theta}{2(1-\theta)}"
            r"+\tfrac{(s+u)^2u^2}{2(1-\theta)}\bigl(M\gamma^2+\gamma\bigr),\quad\gamma"
            r"=\text{share of those waiting with }\tilde o=1\text{ that were cancelled before}",
            follows_from=("starts per instant", "later ages", "excess"),
        ),
        Inference(
            name="hardly any in all",
            conclusion=r"\text{until }\varepsilon n\text{ requests with }\tilde o=1\text{ wait: }\mathbb P(C>\kappa n)\le"
            r"\tfrac{v_u(s+u)^2u^2\kappa}{(1-\theta)\varepsilon^2}+O(\tfrac1{M\kappa}),\quad\kappa=\varepsilon^3",
            follows_from=("few cancellations", "area"),
        ),
    )
    steps = (known["area"], *few, known["starts"], known["sum of starts"], known["total latency"])
    return Theorem(
        "Algorithm 2 by areas, most of the memory held by starts",
        steps[-1].latex(),
        "l = 1, every s ≥ 0, u and law x with v̄ < 2(s+1); n independent lengths, n → ∞ at fixed M, then M → ∞",
        steps,
    )

"""The volume bound on every schedule, and how near to it H-SF stays.

A request occupies v_i = s·o_i + o_i(o_i+1)/2 token-instants; the first k completions need the k smallest of these.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.papers.adaptive.theorems.process.algorithm_two import h_sf_upper
from crtools.proof.steps import Identity, Inference, Positive, Step
from crtools.proof.symbols import m, s, u
from crtools.proof.theorem import Theorem

v, n, rank = sp.symbols("v n i", positive=True)


def below_every_schedule() -> tuple[Step, ...]:
    """The steps to TEL ≥ n²/(2M)·volume(x), of every schedule, at every n and M."""
    return (
        Identity(
            name="volumes",
            text="Σ_i v_(i)(n−i+1) − ½ Σ_ij min(v_i, v_j) = ½ Σ_i v_i ≥ 0: the term of the i-th smallest",
            lhs=v * (n - rank + 1) - v * (2 * (n - rank) + 1) / 2,
            rhs=v / 2,
        ),
        Inference(
            name="against every schedule",
            conclusion=r"\mathrm{TEL} \ge \tfrac{n^2}{2M}\,\text{volume}(x),\quad \mathrm{TEL} \ge \textstyle\sum_i o_i",
            follows_from=("volumes",),
        ),
    )


NEAR = 2 * (s + u) / (2 * s + u + 1)
"""How many times any schedule's total latency H-SF's is at most, for lengths up to u, in the limit."""


def peaks_and_volumes(name: str, text: str, factor: Any = NEAR) -> Positive:
    """The step m(s+m) ≤ ``factor`` · (s m + m(m+1)/2) for lengths m ≤ u."""
    peak, volume = (form(own).formula(m, m, s) for own in ("h-sf", "volume"))
    return Positive(name=name, text=text, expr=factor * volume - peak, where=((s, 0), (m, 1), (u, m)), strict=False)


def h_sf_near(factor: Any = NEAR) -> Theorem:
    """limsup TEL(H-SF)/TEL(any schedule) ≤ ``factor`` < 2, for lengths up to u."""
    steps: tuple[Step, ...] = (
        *h_sf_upper().steps,
        *below_every_schedule(),
        peaks_and_volumes(
            "entry by entry",
            "both forms have the entries f(min(i, j)); the factor times the volume's is at least H-SF's for lengths m ≤ u",
            factor,
        ),
        Positive(
            name="below 2",
            text="2 − factor > 0",
            expr=2 - factor,
            where=((s, 0), (u, 1)),
        ),
        Inference(
            name="ratio",
            conclusion=rf"\limsup \frac{{\mathrm{{TEL}}(\text{{H-SF}})}}{{\mathrm{{TEL}}}} \le {sp.latex(factor)} < 2",
            follows_from=("latency", "against every schedule", "entry by entry", "below 2"),
        ),
    )
    reading = "every s ≥ 0 and u ≥ 1, lengths up to u with shares x, n → ∞ at fixed M, then M → ∞; every schedule, also with cancellation"
    return Theorem("H-SF against every schedule", steps[-1].latex(), reading, steps)

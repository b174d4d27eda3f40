"""Optimally packed schedules: what their definition does bound."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.steps import Inference, Positive
from crtools.proof.theorem import Theorem

n = sp.Symbol("n", positive=True)


def busy(factor: Any) -> Theorem:
    """A packed schedule ends by 2 Σ o_j, so that TEL' ≤ 2n Σ o_j ≤ 2n TEL; the factor, a formula of n, is at least 2n."""
    s, x, o = sp.symbols("s x o", nonnegative=True)
    return Theorem(
        "packed schedules are not idle for long",
        r"\mathrm{TEL}(I') \le 2n \sum_j o_j \le 2n\,\mathrm{TEL}(I)",
        "every feasible, optimally packed I', every feasible I; the factor is at least 2n for every n ≥ 1",
        (
            Positive(
                name="alone",
                text="a request of age x ≤ o holds s + x ≤ s + o ≤ βM tokens, so it fits on an empty machine",
                expr=(s + o) - (s + x),
                where=((s, 0), (x, 0), (o, x)),
                strict=False,
            ),
            Inference(
                name="gap",
                conclusion=r"\text{before a batch the machine is empty for less than } o_i \text{: else } i \text{ could run then}",
                follows_from=("alone",),
            ),
            Inference(
                name="end",
                conclusion=r"L_i' \le \sum_j o_j \text{ (busy)} + \sum_j o_j \text{ (empty)}",
                follows_from=("gap",),
            ),
            Positive(name="factor", text="factor ≥ 2n", expr=factor - 2 * n, where=((n, 1),), strict=False),
        ),
    )

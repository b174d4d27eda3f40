"""Requests of three tokens, s = 1, M = 36k: H-SF's batches against as many starts at every instant as fit."""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from crtools.process import simulate
from crtools.proof.steps import Argument, Identity, Inference, Positive, Step
from crtools.proof.theorem import Theorem

k, c = sp.symbols("k c", integer=True, positive=True)

REQUESTS, MEMORY = 36 * k * c, 36 * k
H_SF = 54 * k * c * (4 * c + 1)
"""H-SF's total latency: 4c batches of 9k requests, one every three instants."""

EVEN = 18 * k * c * (9 * c + 5)
"""The total latency of 4k starts at each of the instants 0, …, 9c − 1."""


def _runs_otherwise() -> str | None:
    for scale, count in ((1, 1), (1, 3), (2, 1), (3, 2)):
        starts = simulate("h-sf", [3] * (36 * scale * count), 36 * scale, 1).schedule.starts
        if [int(start) for start in starts] != [3 * (i // (9 * scale)) for i in range(36 * scale * count)]:
            return f"k = {scale}, c = {count}: starts {starts}"
    return None


@cache
def better_than_h_sf(factor: Any, least: int) -> Theorem:
    """At every k and c ≥ ``least`` the even schedule's total is below ``factor`` times H-SF's."""
    t, b = sp.symbols("t b", integer=True, nonnegative=True)
    steps: tuple[Step, ...] = (
        Identity(
            name="even use", text="4k requests of each age 1, 2, 3 hold M tokens", lhs=4 * k * (2 + 3 + 4), rhs=MEMORY
        ),
        Identity(name="batch", text="a batch of 9k requests holds M tokens at its end", lhs=9 * k * 4, rhs=MEMORY),
        Argument(
            name="H-SF's run",
            text="9k requests fit together and fill the memory at their last token, so that nobody starts before they have ended; "
            "then the next 9k start",
            conclusion=r"\text{H-SF starts } 9k \text{ requests at each of } 0, 3, 6, \dots",
            test=_runs_otherwise,
            tested="(k, c) = (1, 1), (1, 3), (2, 1), (3, 2)",
        ),
        Identity(
            name="H-SF's total",
            text="Σ 9k · 3b over the batches b = 1, …, 4c",
            lhs=sp.summation(27 * k * b, (b, 1, 4 * c)),
            rhs=H_SF,
        ),
        Identity(
            name="even total",
            text="Σ 4k (t + 3) over the instants t = 0, …, 9c − 1",
            lhs=sp.summation(4 * k * (t + 3), (t, 0, 9 * c - 1)),
            rhs=EVEN,
        ),
        Positive(
            name="better",
            text="the factor times H-SF's total exceeds the even schedule's",
            expr=factor * H_SF - EVEN,
            where=((k, 1), (c, least)),
        ),
        Inference(
            name="ratio",
            conclusion=r"\frac{\text{H-SF}}{\text{even}} = \frac{3(4c+1)}{9c+5} \to \frac43 \quad (c \to \infty)",
            follows_from=("even use", "batch", "H-SF's run", "H-SF's total", "even total", "better"),
        ),
    )
    reading = f"s = 1, n = 36kc requests of three tokens, M = 36k, every k ≥ 1 and c ≥ {least}"
    return Theorem("requests of three tokens", steps[-1].latex(), reading, steps)

"""What follows from a shorter request never holding more memory than a longer one that started with it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.steps import Inference, Positive, Step
from crtools.proof.theorem import Theorem

low_end, high_end = sp.symbols("l u", positive=True)


def _use() -> Step:
    s, x = sp.symbols("s x", nonnegative=True)
    return Positive(
        name="use",
        text="a request of age x holds s + x ≥ 0 tokens, so one that ends sooner never holds more",
        expr=s + x,
        where=((s, 0), (x, 0)),
        strict=False,
    )


def largest_prefix() -> Theorem:
    """No set of waiting requests that fits is larger than the longest prefix, shortest first, that fits."""
    return Theorem(
        "largest prefix",
        r"|U| \le m \text{ for every fitting } U",
        "one round: running requests fixed, the waiting ones all start now; every s ≥ 0, M and lengths",
        (
            _use(),
            Inference(
                name="exchange",
                conclusion=r"\text{the } k\text{-th shortest waiting request is no longer than the } k\text{-th shortest of } U",
                follows_from=("use",),
            ),
            Inference(
                name="prefix",
                conclusion=r"\text{so the } |U| \text{ shortest hold at most what } U \text{ holds at every instant, and fit}",
                follows_from=("use", "exchange"),
            ),
        ),
    )


def never_exceeded(assumed: Any) -> Theorem:
    """A queue that assumes at least u for every request, a formula of l and u, never exceeds the memory."""
    no_less = assumed.xreplace({sp.Max(low_end, high_end): high_end, sp.Min(low_end, high_end): low_end})
    return Theorem(
        "A_max is safe",
        r"\sum_{i} (s + t - p_i) \le M \text{ at every } t",
        "every instance with o_i ≤ u, every order, every s ≥ 0",
        (
            _use(),
            Positive(
                name="assumption",
                text="at least u is assumed, for every 1 ≤ l ≤ u",
                expr=no_less - high_end,
                where=((low_end, 1), (high_end, low_end)),
                strict=False,
            ),
            Inference(
                name="invariant",
                conclusion=r"\text{admission keeps the projected use within } M \text{; the true use is never above it, as } o_i \le u",
                follows_from=("use", "assumption"),
            ),
        ),
    )

"""Trials of the theorems on forms, on small values: each returns None, or a text that says where it fails.

``check/adaptive.txt`` names them (``tested by``); ``crtools verify --trials`` runs them. Trials of the process: ``trials_process``.
"""

from __future__ import annotations

from fractions import Fraction

from crtools.enclosure import ball, ball_pi, precision
from crtools.process import simulate


def limit_of_deficit() -> str | None:
    """Add the terms of u in order: π²/48 lies between d − E/(16u²) and d, to within 10⁻⁶."""
    with precision(128):
        limit, total, odd = ball_pi() ** 2 / 48, ball(Fraction(1, 4)), ball(1)
        for last in range(2, 1001):
            total -= (odd * (2 * last - 1) - last + 1) / (4 * last * (last - 1) * (2 * last - 1) ** 2)
            odd += ball(1) / (2 * last - 1)
            if not (total > limit and total - odd / (16 * last**2) < limit):
                return f"u = {last}"
    return None


def refined_and_single(worse: int = 0) -> str | None:
    """Run the family with [1, 2], [3, 3] and with [1, 3]: ``worse`` is added to what the latter is to take."""
    for size in (1, 2, 3):
        lengths = [2] * 3 * size + [3] * 3 * size
        for seed in range(10):
            single = simulate("a-min-literal", lengths, 12 * size, 1, 1, 3, seed=seed, history=True)
            assert single.cancelled is not None
            first = single.cancelled.request[single.cancelled.start == 0]
            short = sum(lengths[request] == 2 for request in first)
            refined = simulate(
                "a-min-literal", lengths, 12 * size, 1, [1 if o == 2 else 3 for o in lengths], lengths, seed=seed
            )
            expected = (19 * size + 2 * max(short - size, 0) + worse, 21 * size)
            if (single.total_latency, refined.total_latency) != expected:
                return f"m = {size}, seed {seed}: {single.total_latency} and {refined.total_latency}, not {expected}"
    return None
